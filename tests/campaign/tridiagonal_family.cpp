// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "families.hpp"
#include "random.hpp"
#include "solvers/tridiagonal/serial_tridiagonal.hpp"
#include <karman/core/backend.hpp>
#include <karman/solvers/tridiagonal/tridiagonal.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <string>
#include <vector>

namespace karman::campaign {

namespace {

using Exec = Kokkos::DefaultExecutionSpace;
using test::Scalar;
using test::SerialTridiagonal;

constexpr TridiagonalAlgorithm algorithms[] = {TridiagonalAlgorithm::automatic,
                                               TridiagonalAlgorithm::thomas,
                                               TridiagonalAlgorithm::cyclic_reduction,
                                               TridiagonalAlgorithm::parallel_cyclic_reduction,
                                               TridiagonalAlgorithm::cr_pcr,
                                               TridiagonalAlgorithm::pcr_thomas,
                                               TridiagonalAlgorithm::interleaved_thomas,
                                               TridiagonalAlgorithm::partitioned,
                                               TridiagonalAlgorithm::pivoting};

enum class Kind { dominant, m_matrix, general, rows_scaled, columns_scaled };
constexpr char const* tridiagonal_kind_names[] = {"dominant", "M-matrix", "general", "rows scaled", "columns scaled"};

struct TridiagonalProblem {
  Kind kind;
  std::int64_t rows, systems;
  bool periodic, systems_first;
};

template <class T>
T number(Random& random) {
  using R = typename Scalar<T>::real;
  R const re = static_cast<R>(random.uniform(-1, 1));
  if constexpr (Scalar<T>::is_complex) return T(re, static_cast<R>(random.uniform(-1, 1)));
  else return re;
}

template <class T>
SerialTridiagonal<typename Scalar<T>::wide> random_system(TridiagonalProblem const& p, Random& random) {
  using S = Scalar<T>;
  using R = typename S::real;
  SerialTridiagonal<typename S::wide> system;
  system.periodic = p.periodic;
  std::vector<R> column(static_cast<std::size_t>(p.rows), R(1));
  if (p.kind == Kind::columns_scaled) {
    for (R& c : column) c = std::ldexp(R(1), random.between(-26, 26));
  }
  for (std::int64_t k = 0; k < p.rows; ++k) {
    T lower = number<T>(random), diagonal = number<T>(random), upper = number<T>(random);
    R scale = R(1);
    if (p.kind == Kind::dominant) diagonal = T(R(1.01) * R(std::abs(S::widen(lower)) + std::abs(S::widen(upper))));
    if (p.kind == Kind::m_matrix) {
      // An M-matrix without dominance in its rows: columns multiplied by smooth positive numbers.
      auto const wave = [&](std::int64_t n) { return std::sin(6.283185307179586 * 3 * double(n) / double(p.rows)); };
      lower = T(static_cast<R>(-std::exp(wave(k) - wave(k - 1))));
      upper = T(static_cast<R>(-std::exp(wave(k) - wave(k + 1))));
      diagonal = T(R(2.05));
    }
    if (p.kind == Kind::rows_scaled) scale = std::ldexp(R(1), random.between(-26, 26));
    auto const at = [&](std::int64_t n) { return column[std::size_t((n + p.rows) % p.rows)]; };
    bool const first = k == 0 && !p.periodic, last = k + 1 == p.rows && !p.periodic;
    system.lower.push_back(first ? typename S::wide(0) : S::widen(lower * T(scale * at(k - 1))));
    system.diagonal.push_back(S::widen(diagonal * T(scale * at(k))));
    system.upper.push_back(last ? typename S::wide(0) : S::widen(upper * T(scale * at(k + 1))));
    system.rhs.push_back(S::widen(number<T>(random) * T(scale)));
  }
  return system;
}

template <class T>
void solve_problem(TridiagonalProblem const& p, Random& random, Record& record) {
  using S = Scalar<T>;
  using View = Kokkos::View<T**, Kokkos::LayoutRight, Exec::memory_space>;
  Exec const space;
  std::vector<SerialTridiagonal<typename S::wide>> systems;
  for (std::int64_t s = 0; s < p.systems; ++s) systems.push_back(random_system<T>(p, random));
  auto const rows = static_cast<std::size_t>(p.rows), count = static_cast<std::size_t>(p.systems);
  auto const make = [&](char const* label) {
    return p.systems_first ? View(std::string(label), rows, count) : View(std::string(label), count, rows);
  };
  auto const place = [&](auto const& view, std::size_t s, std::size_t k) -> T& {
    return p.systems_first ? view(k, s) : view(s, k);
  };
  View const lower = make("lower"), diagonal = make("diagonal"), upper = make("upper"), rhs = make("rhs"),
             solution = make("solution");
  auto const fill = [&](View const& view, auto const& part) {
    auto const host = Kokkos::create_mirror_view(view);
    for (std::size_t s = 0; s < count; ++s)
      for (std::size_t k = 0; k < rows; ++k) place(host, s, k) = S::narrow(part(systems[s])[k]);
    Kokkos::deep_copy(space, view, host);
    space.fence();
  };
  using System = SerialTridiagonal<typename S::wide>;
  fill(lower, [](System const& s) -> auto const& { return s.lower; });
  fill(diagonal, [](System const& s) -> auto const& { return s.diagonal; });
  fill(upper, [](System const& s) -> auto const& { return s.upper; });
  fill(rhs, [](System const& s) -> auto const& { return s.rhs; });
  bool const ordered = p.kind == Kind::dominant || p.kind == Kind::m_matrix;
  std::string const kind = std::string(S::is_complex ? " c" : " f") + (sizeof(typename S::real) == 4 ? "32" : "64");
  for (TridiagonalAlgorithm algorithm : algorithms) {
    bool const pivoting = algorithm == TridiagonalAlgorithm::pivoting;
    if (!ordered && !pivoting) continue;
    std::string const solver = std::string(name(algorithm)) + kind;
    try {
      TridiagonalShape const shape = p.systems_first ? TridiagonalShape::along(0, {p.rows, p.systems})
                                                     : TridiagonalShape::along(1, {p.systems, p.rows});
      Tridiagonal<Exec, T> plan(space, shape, {.algorithm = algorithm, .periodic = p.periodic, .check = true});
      auto const report = plan.solve_checked(space, lower, diagonal, upper, rhs, solution);
      auto const host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), solution);
      // Roundings of an algorithm, by its levels or its rows (its elimination adds the losses of earlier rows), and the
      // backward error of a row. In practice, exchanges of rows grow by a small factor.
      double const levels = 2 + std::log2(double(p.rows));
      double const bound = (pivoting ? 64 : 32) * Scalar<T>::roundings * levels * test::epsilon<T>;
      double worst = 0;
      for (std::size_t s = 0; s < count; ++s) {
        std::vector<typename S::wide> x;
        for (std::size_t k = 0; k < rows; ++k) x.push_back(S::widen(place(host, s, k)));
        double const error = double(test::rowwise_backward_error(systems[s], x));
        if (!(error <= worst)) worst = std::isfinite(error) ? error : HUGE_VAL;
      }
      char reason[160];
      if (report.breakdown) {
        std::snprintf(reason, sizeof reason, "breakdown of a matrix that has none: %s", summary(report).c_str());
        record.add(solver, End::wrong, reason);
      } else if (!(worst <= bound)) {
        std::snprintf(reason, sizeof reason, "backward error %.3g, %.3g is allowed", worst, bound);
        record.add(solver, End::wrong, reason);
      } else if (!(report.residual <= bound)) {
        std::snprintf(reason, sizeof reason, "reported backward error %.3g, %.3g is allowed", report.residual, bound);
        record.add(solver, End::wrong, reason);
      } else {
        record.add(solver, End::converged);
      }
    } catch (std::exception const& exception) {
      record.add(solver, End::refused, exception.what());
    }
  }
}

}  // namespace

void run_tridiagonal_problem(std::uint64_t seed, Record& record) {
  Random random(seed);
  TridiagonalProblem p{};
  p.kind = static_cast<Kind>(random.below(5));
  p.rows = random.extent(1, random.chance(0.1) ? 9000 : 700);
  p.systems = random.extent(1, p.rows > 1000 ? 3 : 70);
  p.periodic = random.chance(0.3);
  p.systems_first = random.chance(0.5);
  char line[160];
  std::snprintf(line, sizeof line, "%s, %lld rows x %lld systems%s%s", tridiagonal_kind_names[static_cast<int>(p.kind)],
                static_cast<long long>(p.rows), static_cast<long long>(p.systems), p.periodic ? ", periodic" : "",
                p.systems_first ? ", side by side" : "");
  record.start("tridiagonal", seed, line);
  switch (random.below(4)) {
    case 0: return solve_problem<float>(p, random, record);
    case 1: return solve_problem<Kokkos::complex<float>>(p, random, record);
    case 2: return solve_problem<Kokkos::complex<double>>(p, random, record);
    default: return solve_problem<double>(p, random, record);
  }
}

}  // namespace karman::campaign
