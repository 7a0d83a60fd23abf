// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "common/iteration_watch.hpp"
#include "common/scalar_parts.hpp"
#include "host_memory.hpp"
#include "sparse/products/sparse_checks.hpp"
#include "sparse_factors.hpp"
#include <karman/core/compat.hpp>
#include <karman/core/error.hpp>
#include <karman/core/host_copy.hpp>
#include <karman/core/profiling.hpp>
#include <karman/solvers/sparse/direct_solver.hpp>

#include <algorithm>
#include <cmath>
#include <string>

namespace karman {

std::string_view name(DirectLibrary library) {
  switch (library) {
    case DirectLibrary::automatic: return "automatic";
    case DirectLibrary::mumps: return "MUMPS";
    case DirectLibrary::umfpack: return "UMFPACK";
    case DirectLibrary::superlu: return "SuperLU";
  }
  return "unknown";
}

std::vector<DirectLibrary> direct_libraries() {
  std::vector<DirectLibrary> present;
#if defined(KARMAN_HAVE_MUMPS)
  present.push_back(DirectLibrary::mumps);
#endif
#if defined(KARMAN_HAVE_UMFPACK)
  present.push_back(DirectLibrary::umfpack);
#endif
#if defined(KARMAN_HAVE_SUPERLU)
  present.push_back(DirectLibrary::superlu);
#endif
  return present;
}

namespace {

template <class Number>
std::unique_ptr<detail::SparseFactors<Number>> make_factors(DirectLibrary library) {
#if defined(KARMAN_HAVE_MUMPS)
  if (library == DirectLibrary::mumps) return detail::make_mumps_factors<Number>();
#endif
#if defined(KARMAN_HAVE_UMFPACK)
  if (library == DirectLibrary::umfpack) return detail::make_umfpack_factors<Number>();
#endif
#if defined(KARMAN_HAVE_SUPERLU)
  if (library == DirectLibrary::superlu) return detail::make_superlu_factors<Number>();
#endif
  require(library != DirectLibrary::mumps,
          "DirectSolver: this build has no MUMPS; install libmumps-seq-dev and libmetis-dev and configure with "
          "-DKARMAN_MUMPS=ON");
  require(library != DirectLibrary::umfpack,
          "DirectSolver: this build has no UMFPACK; install libsuitesparse-dev and configure with -DKARMAN_UMFPACK=ON");
  require(library != DirectLibrary::superlu,
          "DirectSolver: this build has no SuperLU; install libsuperlu-dev and configure with -DKARMAN_SUPERLU=ON");
  return nullptr;
}

DirectLibrary chosen(DirectLibrary library) {
  if (library != DirectLibrary::automatic) return library;
  auto const present = direct_libraries();
  require(!present.empty(),
          "DirectSolver: this build has no direct solver; install libmumps-seq-dev and libmetis-dev (CeCILL-C, "
          "Apache licence), libsuperlu-dev (BSD licence) or libsuitesparse-dev (UMFPACK, GPL) and configure again");
  return present.front();
}

template <class Scalar>
using HostNumber = std::conditional_t<detail::IsComplex<Scalar>::value, std::complex<double>, double>;

template <class Scalar>
HostNumber<Scalar> to_number(Scalar const& a) {
  if constexpr (detail::IsComplex<Scalar>::value) {
    return {double(a.real()), double(a.imag())};
  } else {
    return double(a);
  }
}

template <class Scalar>
Scalar from_number(HostNumber<Scalar> const& a) {
  if constexpr (detail::IsComplex<Scalar>::value) {
    using Real = typename Scalar::value_type;
    return Scalar(static_cast<Real>(a.real()), static_cast<Real>(a.imag()));
  } else {
    return static_cast<Scalar>(a);
  }
}

/// |v|, also where squares exceed the range of double.
template <class Number>
double norm_of(std::vector<Number> const& v) {
  double largest = 0;
  for (auto const& value : v) {
    double const size = std::abs(std::real(value)) + std::abs(std::imag(value));
    if (!std::isfinite(size)) return size;
    largest = std::max(largest, size);
  }
  double const unit = detail::residual_unit(largest);
  double square = 0;
  for (auto const& value : v) square += std::norm(value / unit);
  return unit * std::sqrt(square);
}

/// r = b - A x and |r|.
template <class Number>
double residual_of(detail::HostRows<Number> const& a, std::vector<Number> const& b, std::vector<Number> const& x,
                   std::vector<Number>& r) {
  for (int row = 0; row < a.n; ++row) {
    Number sum = b[row];
    for (int e = a.offsets[row]; e < a.offsets[row + 1]; ++e) sum -= a.values[e] * x[a.columns[e]];
    r[row] = sum;
  }
  return norm_of(r);
}

/// Bytes beside the factors.
template <class Scalar>
std::int64_t kept_bytes(std::int64_t n, std::int64_t entries) {
  constexpr std::int64_t number = sizeof(HostNumber<Scalar>), scalar = sizeof(Scalar), index = 8;
  // The matrix here and its profile in the library; values in the caller's type; four vectors, and one in the caller's
  // type; the ordering in the library.
  return entries * (4 + number + scalar + index) + n * (4 + 4 * number + scalar + 4 * index + 4 * number);
}

}  // namespace

template <ExecutionSpace Exec, SparseScalar Scalar>
struct DirectSolver<Exec, Scalar>::State {
  using Number = HostNumber<Scalar>;
  using HostNumbers = Kokkos::View<Scalar*, Kokkos::HostSpace>;

  DirectLibrary library;
  std::unique_ptr<detail::SparseFactors<Number>> factors;
  detail::HostRows<Number> a;
  bool analysed = false, factored = false;
  std::string_view breakdown;
  HostNumbers values, numbers;
  mutable std::vector<Number> b, x;  ///< vectors of apply() as well
  std::vector<Number> r, correction;

  explicit State(DirectLibrary library_) : library(chosen(library_)), factors(make_factors<Number>(library)) {}

  void fetch(Exec const& space, Scalar const* from, HostNumbers const& to) const {
    Kokkos::View<Scalar const*, typename Exec::memory_space> const source(from, to.extent(0));
    Kokkos::deep_copy(space, to, source);
    compat::fence(space, "karman::direct_solver::fetch");
  }
  void send(Exec const& space, std::vector<Number> const& from, Scalar* to) const {
    std::transform(from.begin(), from.end(), numbers.data(), from_number<Scalar>);
    Kokkos::View<Scalar*, typename Exec::memory_space> const target(to, numbers.extent(0));
    Kokkos::deep_copy(space, target, numbers);
    compat::fence(space, "karman::direct_solver::send");
  }
  void fetch(Exec const& space, Scalar const* from, std::vector<Number>& to) const {
    fetch(space, from, numbers);
    std::transform(numbers.data(), numbers.data() + numbers.extent(0), to.begin(), to_number<Scalar>);
  }
};

template <ExecutionSpace Exec, SparseScalar Scalar>
DirectSolver<Exec, Scalar>::DirectSolver(DirectLibrary library)
    : state_("DirectSolver", std::make_unique<State>(library)) {}
template <ExecutionSpace Exec, SparseScalar Scalar>
void DirectSolver<Exec, Scalar>::analyse(Exec const& space, CsrMatrix<Exec, Scalar> const& matrix) {
  Region const region("karman::direct_solver::analyse");
  detail::require_square(matrix, "DirectSolver");
  State& s = *state_;
  s.a.n = matrix.rows();
  s.a.offsets = host_copy(space, matrix.graph.offsets);
  if (s.a.n == 0) s.a.offsets.assign(1, 0);
  s.a.columns = host_copy(space, matrix.graph.entries);
  s.a.values.resize(s.a.columns.size());
  auto const n = static_cast<std::size_t>(s.a.n);
  s.values = typename State::HostNumbers(Kokkos::view_alloc("karman::direct_solver::values"), s.a.columns.size());
  s.numbers = typename State::HostNumbers(Kokkos::view_alloc("karman::direct_solver::numbers"), n);
  for (auto* vector : {&s.b, &s.x, &s.r, &s.correction}) vector->resize(n);
  s.analysed = s.factored = false;
  s.factors->analyse(s.a);
  s.analysed = true;
}

template <ExecutionSpace Exec, SparseScalar Scalar>
FactorReport DirectSolver<Exec, Scalar>::factor(Exec const& space, CsrMatrix<Exec, Scalar> const& matrix) {
  Region const region("karman::direct_solver::factor");
  State& s = *state_;
  require(s.analysed, "DirectSolver: factor() needs analyse() before it");
  detail::require_square(matrix, "DirectSolver");
  require(matrix.rows() == s.a.n && matrix.values.extent(0) == s.a.values.size(),
          "DirectSolver: the matrix has another profile than the one that was analysed");
  s.fetch(space, matrix.values.data(), s.values);
  std::transform(s.values.data(), s.values.data() + s.values.extent(0), s.a.values.begin(), to_number<Scalar>);
  s.factored = false;
  FactorReport report;
  bool const finite = std::all_of(s.a.values.begin(), s.a.values.end(), [](auto const& v) {
    return std::isfinite(std::real(v)) && std::isfinite(std::imag(v));
  });
  if (finite) {
    // SuperLU ends the process where some of its allocations fail.
    detail::require_host_memory(s.factors->peak_bytes(), "DirectSolver: the factors");
    detail::acquire_blas_buffers();
    detail::Factored const result = s.factors->factor(s.a);
    report = {result.breakdown, result.reciprocal_condition, result.entries};
  } else {
    report.breakdown = "a value of the matrix is not a number";
  }
  s.breakdown = report.breakdown;
  s.factored = true;
  return report;
}

template <ExecutionSpace Exec, SparseScalar Scalar>
SolveReport DirectSolver<Exec, Scalar>::solve(Exec const& space, Vector<Exec, Scalar> const& x,
                                              ConstVector<Exec, Scalar> const& rhs, double tolerance) {
  Region const region("karman::direct_solver::solve");
  State& s = *state_;
  require(s.factored, "DirectSolver: solve() needs factor() before it");
  detail::require_length(x, s.a.n, "DirectSolver", "x");
  detail::require_length(rhs, s.a.n, "DirectSolver", "rhs");
  SolveReport report;
  report.breakdown = s.breakdown;
  s.fetch(space, rhs.data(), s.b);
  double scale = norm_of(s.b);
  if (scale == 0 || !report.breakdown.empty()) {
    s.fetch(space, x.data(), s.x);
    report.residual = residual_of(s.a, s.b, s.x, s.r);
    // Stopping rule of every solver: where b is zero, relative to the first guess.
    if (scale == 0 && report.residual > 0 && std::isfinite(report.residual)) scale = report.residual;
  }
  if (!(scale > 0)) scale = 1;
  if (!report.breakdown.empty()) {
    report.residual /= scale;
    report.history.push_back({0, report.residual});
    return report;
  }
  s.factors->solve(s.a, s.b.data(), s.x.data());
  double residual = residual_of(s.a, s.b, s.x, s.r);
  report.iterations = 1;
  report.history.push_back({1, residual / scale});
  // One step of refinement repairs losses of threshold pivoting. The result is kept where it improves.
  if (std::isfinite(residual) && residual > 1e-14 * scale) {
    s.factors->solve(s.a, s.r.data(), s.correction.data());
    for (int i = 0; i < s.a.n; ++i) s.correction[i] += s.x[i];
    double const refined = residual_of(s.a, s.b, s.correction, s.r);
    if (refined < residual) {
      std::swap(s.x, s.correction);
      residual = refined;
      report.iterations = 2;
      report.history.push_back({2, residual / scale});
    }
  }
  report.residual = residual / scale;
  report.converged = report.residual <= tolerance;
  if (!std::isfinite(residual)) report.breakdown = detail::not_finite;
  s.send(space, s.x, x.data());
  return report;
}

template <ExecutionSpace Exec, SparseScalar Scalar>
int DirectSolver<Exec, Scalar>::size() const {
  return state_->a.n;
}

template <ExecutionSpace Exec, SparseScalar Scalar>
void DirectSolver<Exec, Scalar>::apply(Exec const& space, ConstVector<Exec, Scalar> const& residual,
                                       Vector<Exec, Scalar> const& correction) const {
  State const& s = *state_;
  require(s.factored, "DirectSolver: apply() needs factor() before it");
  detail::require_length(residual, size(), "DirectSolver", "residual");
  detail::require_length(correction, size(), "DirectSolver", "correction");
  s.fetch(space, residual.data(), s.b);
  if (s.breakdown.empty()) {
    s.factors->solve(s.a, s.b.data(), s.x.data());
  } else {
    std::fill(s.x.begin(), s.x.end(), typename State::Number(0));
  }
  s.send(space, s.x, correction.data());
}

template <ExecutionSpace Exec, SparseScalar Scalar>
std::int64_t DirectSolver<Exec, Scalar>::factor_bytes() const {
  return state_->analysed ? state_->factors->peak_bytes() : 0;
}

template <ExecutionSpace Exec, SparseScalar Scalar>
std::int64_t DirectSolver<Exec, Scalar>::workspace_bytes(int rows, std::vector<int> const& offsets,
                                                         std::vector<int> const& columns, DirectLibrary library) {
  using Number = HostNumber<Scalar>;
  detail::HostRows<Number> a;
  a.n = rows;
  a.offsets = offsets;
  a.columns = columns;
  // The ordering does not read the values.
  a.values.resize(columns.size());
  auto const factors = make_factors<Number>(chosen(library));
  factors->analyse(a);
  return factors->peak_bytes() + kept_bytes<Scalar>(rows, static_cast<std::int64_t>(columns.size()));
}

template <ExecutionSpace Exec, SparseScalar Scalar>
std::int64_t DirectSolver<Exec, Scalar>::workspace_bytes() const {
  State const& s = *state_;
  if (!s.analysed) return 0;
  return s.factors->peak_bytes() + kept_bytes<Scalar>(s.a.n, static_cast<std::int64_t>(s.a.columns.size()));
}

template <ExecutionSpace Exec, SparseScalar Scalar>
DirectLibrary DirectSolver<Exec, Scalar>::library() const {
  return state_->library;
}

#define KARMAN_INSTANTIATE(Exec)                             \
  template class DirectSolver<Exec, float>;                  \
  template class DirectSolver<Exec, double>;                 \
  template class DirectSolver<Exec, Kokkos::complex<float>>; \
  template class DirectSolver<Exec, Kokkos::complex<double>>;
KARMAN_FOR_EACH_BACKEND(KARMAN_INSTANTIATE)
#undef KARMAN_INSTANTIATE

}  // namespace karman
