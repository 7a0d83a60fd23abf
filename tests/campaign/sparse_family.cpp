// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "dense_lu.hpp"
#include "families.hpp"
#include "random.hpp"
#include "solvers/sparse/sparse_cases.hpp"
#include "verdict.hpp"
#include <karman/core/backend.hpp>
#include <karman/solvers/sparse/direct_solver.hpp>
#include <karman/solvers/sparse/ilu_preconditioner.hpp>
#include <karman/solvers/sparse/krylov.hpp>
#include <karman/solvers/sparse/sparse_operator.hpp>
#include <karman/solvers/sparse/sparse_preconditioners.hpp>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <functional>
#include <limits>
#include <string>
#include <vector>

namespace karman::campaign {

namespace {

using Exec = Kokkos::DefaultExecutionSpace;

enum class SparseKind { dominant, waves, singular, rows_scaled };
constexpr char const* sparse_kind_names[] = {"dominant", "waves", "singular", "badly scaled"};

struct SparseProblem {
  SparseKind kind;
  int n;
  bool symmetric;
  double tolerance, scale;
  bool rough_guess, zero_rhs;
};

/// K - k^2 B with absorption on a strip of the plane, the kind of matrix of harbour waves. A^T = A.
template <class Number>
test::HostMatrix<Number> waves(int n, Random& random) {
  int const width = std::max(1, static_cast<int>(std::sqrt(double(n))));
  double const wave = random.uniform(0.05, 1.5);
  test::HostMatrix<Number> a(n);
  for (int i = 0; i < n; ++i) {
    double diagonal = 0;
    for (int step : {1, width}) {
      int const j = i + step;
      if (j >= n || (step == 1 && width > 1 && j % width == 0)) continue;
      double const value = -random.uniform(0.5, 2);
      a.rows[std::size_t(i)][j] = a.rows[std::size_t(j)][i] = value;
    }
    for (auto const& [j, value] : a.rows[std::size_t(i)]) diagonal -= j != i ? std::real(value) : 0;
    a.rows[std::size_t(i)][i] = diagonal - wave;
    if constexpr (!std::is_same_v<Number, double>) {
      a.rows[std::size_t(i)][i] += Number(0, -random.uniform(0, 0.1) - (i % width == 0 ? 1 : 0));
    }
  }
  return a;
}

template <class Scalar>
class SparseSolves {
 public:
  using Number = test::Exact<Scalar>;

  SparseSolves(SparseProblem const& problem, Random& random, std::uint64_t seed, Record& record)
      : p_(problem), record_(record), host_(make(problem, random, seed)), wide_(dense()), lu_(wide_) {
    auto const numbers = [&](double scale) {
      std::vector<Number> values(std::size_t(p_.n));
      for (auto& value : values) {
        double const re = scale * random.uniform(-1, 1), im = scale * random.uniform(-1, 1);
        if constexpr (test::is_complex<Scalar>) value = {re, im};
        else value = re + 0 * im;
        value = test::exact<Scalar>(test::rounded<Scalar>(value));
      }
      return values;
    };
    rhs_ = numbers(p_.zero_rhs ? 0 : p_.scale);
    guess_ = numbers(p_.rough_guess ? p_.scale : 0);
    matrix_ = test::to_matrix_on<Exec, Scalar>(space_, host_);
    if (!lu_.singular()) {
      std::vector<DenseLu::Number> b;
      for (auto const& value : rhs_) b.push_back(std::complex<double>(value));
      exact_ = lu_.solve(b);
      inverse_norm_ = double(lu_.inverse_norm());
    }
    kind_ = std::string(test::is_complex<Scalar> ? " c" : " f") + (sizeof(test::RealOf<Scalar>) == 4 ? "32" : "64");
  }

  void run() {
    run_krylov("");
    SparseJacobiPreconditioner<Exec, Scalar> jacobi(space_, matrix_.graph, matrix_.columns);
    with("jacobi", [&] { jacobi.factor(space_, matrix_); }, jacobi);
    for (ColoredMethod method : {ColoredMethod::ssor, ColoredMethod::ilu}) {
      ColoredPreconditioner<Exec, Scalar> colored(space_, matrix_.graph, matrix_.columns, {.method = method});
      with(
          method == ColoredMethod::ssor ? "ssor" : "coloured ilu(0)", [&] { colored.factor(space_, matrix_); },
          colored);
    }
    ShiftedPreconditioner<Exec, Scalar> shifted(space_, matrix_.graph, matrix_.columns, {.steps = 2});
    with("shifted", [&] { shifted.factor(space_, matrix_); }, shifted);
    if (IluPreconditioner<Exec, Scalar>::available()) {
      IluPreconditioner<Exec, Scalar> ilu(space_, matrix_.graph, matrix_.columns, {.fill_level = 1});
      with("ilu(1)", [&] { ilu.factor(space_, matrix_); }, ilu);
    }
    for (DirectLibrary library : direct_libraries()) {
      attempt("direct " + std::string(name(library)), most_refinements,
              p_.kind == SparseKind::dominant ? most_refinements : 0, [&](auto const& x, auto const& b) {
                DirectSolver<Exec, Scalar> direct(library);
                direct.analyse(space_, matrix_);
                direct.factor(space_, matrix_);
                return direct.solve(space_, x, b, p_.tolerance);
              });
    }
  }

 private:
  static constexpr double epsilon = std::numeric_limits<test::RealOf<Scalar>>::epsilon();
  static constexpr int most = 1500, most_refinements = 10;
  using VectorOn = Vector<Exec, Scalar>;
  using ConstVectorOn = ConstVector<Exec, Scalar>;

  static test::HostMatrix<Number> make(SparseProblem const& p, Random& random, std::uint64_t seed) {
    auto a = p.kind == SparseKind::waves
                 ? waves<Number>(p.n, random)
                 : test::random_dominant<Number>(p.n, random.between(2, 8), 1.05, p.symmetric, unsigned(seed));
    if (p.kind == SparseKind::singular) {
      std::size_t const empty = std::size_t(random.below(p.n));
      for (auto& [j, value] : a.rows[empty]) value = 0;
      for (auto& row : a.rows) {
        if (row.count(int(empty)) != 0) row[int(empty)] = 0;
      }
    }
    if (p.kind == SparseKind::rows_scaled) {
      std::vector<double> factor;
      for (int i = 0; i < p.n; ++i) factor.push_back(random.decade(-3, 3));
      for (int i = 0; i < p.n; ++i) {
        for (auto& [j, value] : a.rows[std::size_t(i)]) value *= factor[std::size_t(i)] * factor[std::size_t(j)];
      }
    }
    return test::stored<Scalar>(a);
  }

  std::vector<std::vector<DenseLu::Number>> dense() const {
    std::vector<std::vector<DenseLu::Number>> rows(std::size_t(p_.n), std::vector<DenseLu::Number>(std::size_t(p_.n)));
    for (std::size_t i = 0; i < rows.size(); ++i) {
      for (auto const& [j, value] : host_.rows[i]) rows[i][std::size_t(j)] = std::complex<double>(value);
    }
    return rows;
  }

  /// |b - A x| and the unit of its rounding, | |A| |x| + |b| |. In extended precision, so that tiny numbers have
  /// squares.
  std::array<double, 2> residual(std::vector<Number> const& x) const {
    long double square = 0, magnitude = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
      DenseLu::Number r = std::complex<double>(rhs_[i]);
      long double size = std::abs(r);
      for (auto const& [j, value] : host_.rows[i]) {
        DenseLu::Number const product =
            DenseLu::Number(std::complex<double>(value)) * DenseLu::Number(std::complex<double>(x[std::size_t(j)]));
        r -= product;
        size += std::abs(product);
      }
      square += std::norm(r);
      magnitude += size * size;
    }
    return {double(std::sqrt(square)), double(std::sqrt(magnitude))};
  }
  static double norm(std::vector<Number> const& v) {
    long double square = 0;
    for (auto const& value : v) square += std::norm(DenseLu::Number(std::complex<double>(value)));
    return double(std::sqrt(square));
  }

  Truth measure(std::vector<Number> const& x) const {
    Truth truth;
    for (auto const& value : x) truth.finite = truth.finite && std::isfinite(std::abs(value));
    auto const [now, magnitude] = residual(x);
    truth.residual = now;
    double const norm_b = norm(rhs_), first = residual(guess_)[0];
    truth.scale = norm_b > 0 ? norm_b : first > 0 ? first : 1;
    constexpr double roundings = 32;  // entries of a row, complex products of several roundings
    truth.rounding = roundings * epsilon * magnitude;
    truth.error_bound = HUGE_VAL;
    if (!lu_.singular()) {
      long double square = 0;
      for (std::size_t i = 0; i < x.size(); ++i) {
        square += std::norm(DenseLu::Number(std::complex<double>(x[i])) - exact_[i]);
      }
      truth.error = double(std::sqrt(square));
      truth.error_bound = 4 * inverse_norm_ * (1.01 * p_.tolerance * truth.scale + truth.rounding);
    }
    return truth;
  }

  template <class Solve>
  void attempt(std::string const& name, int max_iterations, int required, Solve const& solve) {
    try {
      auto const x = test::to_vector_on<Exec, Scalar>(space_, guess_);
      ConstVectorOn const b = test::to_vector_on<Exec, Scalar>(space_, rhs_);
      Claim const claim{solve(x, b), p_.tolerance, max_iterations, required};
      auto const verdict = judge(claim, measure(test::to_vector(x)));
      record_.add(name + kind_, verdict.end, verdict.reason);
    } catch (std::exception const& exception) {
      record_.add(name + kind_, End::refused, exception.what());
    }
  }

  void run_krylov(std::string const& preconditioner_name,
                  Preconditioner<Exec, Scalar> const* preconditioner = nullptr) {
    SparseOperator<Exec, Scalar> a(matrix_);
    for (KrylovMethod method : {KrylovMethod::cocg, KrylovMethod::bicgstab, KrylovMethod::gmres}) {
      if (method == KrylovMethod::cocg && !p_.symmetric) continue;
      // A row's diagonal exceeds the sum of the others by a twentieth, so that GMRES without preconditioner reduces the
      // residual in every cycle. With a preconditioner it needs the whole space, without a restart before.
      bool const whole = p_.n <= 50;
      bool const meets = p_.tolerance >= 1e4 * epsilon && !p_.zero_rhs;
      int const required = method == KrylovMethod::gmres && p_.kind == SparseKind::dominant && meets &&
                                   (whole || preconditioner == nullptr)
                               ? (whole ? 2 * p_.n + 10 : most)
                               : 0;
      std::string const label =
          std::string(name(method)) + (preconditioner != nullptr ? ", " + preconditioner_name : std::string());
      attempt(label, most, required, [&](auto const& x, auto const& b) {
        GeneralKrylov<Exec, Scalar> solver(space_, p_.n, {.method = method, .restart = 50});
        GeneralKrylovOptions const options{
            .tolerance = p_.tolerance, .max_iterations = most, .check_every = 1 + p_.n % 7, .stagnation_after = 800};
        return preconditioner != nullptr ? solver.solve(space_, a, *preconditioner, x, b, options)
                                         : solver.solve(space_, a, x, b, options);
      });
    }
  }

  template <class Factor>
  void with(std::string const& name, Factor const& factor, Preconditioner<Exec, Scalar> const& preconditioner) {
    try {
      factor();
    } catch (std::exception const& exception) {
      return record_.add(name + kind_, End::refused, exception.what());
    }
    run_krylov(name, &preconditioner);
  }

  SparseProblem p_;
  Record& record_;
  Exec space_;
  test::HostMatrix<Number> host_;
  std::vector<std::vector<DenseLu::Number>> wide_;
  DenseLu lu_;
  CsrMatrix<Exec, Scalar> matrix_;
  std::vector<Number> rhs_, guess_;
  std::vector<DenseLu::Number> exact_;
  double inverse_norm_ = 0;
  std::string kind_;
};

}  // namespace

void run_sparse_problem(std::uint64_t seed, Record& record) {
  Random random(seed);
  SparseProblem p{};
  p.kind = static_cast<SparseKind>(random.chance(0.1) ? 2 : random.chance(0.5) ? 0 : random.chance(0.6) ? 1 : 3);
  p.n = random.extent(1, 180);
  p.symmetric = p.kind == SparseKind::waves || random.chance(0.7);
  bool const single = random.chance(0.4), is_complex = random.chance(0.7);
  p.tolerance = single ? random.decade(-4.5, -2) : random.decade(-10, -4);
  p.scale = random.chance(0.2) ? random.decade(single ? -20 : -200, single ? 10 : 100) : 1;
  p.rough_guess = random.chance(0.4);
  p.zero_rhs = random.chance(0.07);
  char line[200];
  std::snprintf(line, sizeof line, "%s, %d rows, %s, scale %.2g, guess %s%s, tolerance %.2g",
                sparse_kind_names[static_cast<int>(p.kind)], p.n, p.symmetric ? "symmetric" : "not symmetric", p.scale,
                p.rough_guess ? "rough" : "zero", p.zero_rhs ? ", zero right-hand side" : "", p.tolerance);
  record.start("sparse", seed, line);
  if (single && is_complex) SparseSolves<Kokkos::complex<float>>(p, random, seed, record).run();
  else if (single) SparseSolves<float>(p, random, seed, record).run();
  else if (is_complex) SparseSolves<Kokkos::complex<double>>(p, random, seed, record).run();
  else SparseSolves<double>(p, random, seed, record).run();
}

}  // namespace karman::campaign
