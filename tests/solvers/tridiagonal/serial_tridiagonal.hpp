// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Tridiagonal systems as plain loops in extended precision, with partial pivoting: the reference for the kernels. Also
/// the condition numbers for the bounds in tests.
#pragma once

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstddef>
#include <limits>
#include <utility>
#include <vector>

namespace karman::test {

/// Types and constants for a scalar type of the solvers.
template <class T>
struct Scalar {
  using real = T;
  using wide = long double;  ///< in which the reference computes
  using standard = T;        ///< the same bits as a type of the standard library
  static constexpr bool is_complex = false;
  /// Roundings per operation: a complex product or quotient consists of several real ones.
  static constexpr double roundings = 1;
  static wide widen(T x) { return wide(x); }
  static T narrow(wide const& x) { return T(x); }
};
template <class R>
struct Scalar<Kokkos::complex<R>> {
  using real = R;
  using wide = std::complex<long double>;
  using standard = std::complex<R>;
  static constexpr bool is_complex = true;
  static constexpr double roundings = 4;
  static wide widen(Kokkos::complex<R> const& x) { return {x.real(), x.imag()}; }
  static Kokkos::complex<R> narrow(wide const& x) { return {R(x.real()), R(x.imag())}; }
};

/// Machine epsilon of a scalar type.
template <class T>
inline constexpr double epsilon = std::numeric_limits<typename Scalar<T>::real>::epsilon();

/// One system: lower(k) x(k-1) + diagonal(k) x(k) + upper(k) x(k+1) = rhs(k). Values outside are ignored, or wrap.
template <class W>
struct SerialTridiagonal {
  std::vector<W> lower, diagonal, upper, rhs;
  bool periodic = false;

  std::size_t size() const { return diagonal.size(); }
  std::size_t before(std::size_t k) const { return k == 0 ? size() - 1 : k - 1; }
  std::size_t after(std::size_t k) const { return k + 1 == size() ? 0 : k + 1; }
  bool has_lower(std::size_t k) const { return periodic || k > 0; }
  bool has_upper(std::size_t k) const { return periodic || k + 1 < size(); }

  /// sum over the row of f(entry) * g(unknown).
  template <class X, class F, class G>
  auto row(std::size_t k, std::vector<X> const& x, F const& f, G const& g) const {
    auto sum = f(diagonal[k]) * g(x[k]);
    if (has_lower(k)) sum += f(lower[k]) * g(x[before(k)]);
    if (has_upper(k)) sum += f(upper[k]) * g(x[after(k)]);
    return sum;
  }
};

namespace detail {

/// LU with partial pivoting of the part without corners, as LAPACK's gtsv; any number of right-hand sides.
template <class W>
void solve_open(std::vector<W> lower, std::vector<W> diagonal, std::vector<W> upper,
                std::vector<std::vector<W>*> const& sides) {
  std::size_t const n = diagonal.size();
  std::vector<W> second(n, W(0));
  for (std::size_t k = 0; k + 1 < n; ++k) {
    if (std::abs(lower[k + 1]) > std::abs(diagonal[k])) {
      std::swap(diagonal[k], lower[k + 1]);
      std::swap(upper[k], diagonal[k + 1]);
      if (k + 2 < n) std::swap(second[k], upper[k + 1]);
      for (auto* d : sides) std::swap((*d)[k], (*d)[k + 1]);
    }
    W const factor = lower[k + 1] / diagonal[k];
    diagonal[k + 1] -= factor * upper[k];
    if (k + 2 < n) upper[k + 1] -= factor * second[k];
    for (auto* d : sides) (*d)[k + 1] -= factor * (*d)[k];
  }
  for (auto* d : sides) {
    for (std::size_t k = n; k-- > 0;) {
      if (k + 1 < n) (*d)[k] -= upper[k] * (*d)[k + 1];
      if (k + 2 < n) (*d)[k] -= second[k] * (*d)[k + 2];
      (*d)[k] /= diagonal[k];
    }
  }
}

}  // namespace detail

/// The solution. Periodic systems solve twice for the other unknowns, with the last one as parameter.
template <class W>
std::vector<W> solve(SerialTridiagonal<W> const& system) {
  std::size_t const n = system.size();
  std::vector<W> x = system.rhs;
  if (n == 0) return x;
  if (!system.periodic) {
    detail::solve_open(system.lower, system.diagonal, system.upper, {&x});
    return x;
  }
  if (n == 1) return {x[0] / (system.lower[0] + system.diagonal[0] + system.upper[0])};
  auto const cut = [](std::vector<W> const& all) { return std::vector<W>(all.begin(), all.end() - 1); };
  std::vector<W> y = cut(x), z(n - 1, W(0));
  z.front() += system.lower[0];
  z.back() += system.upper[n - 2];
  detail::solve_open(cut(system.lower), cut(system.diagonal), cut(system.upper), {&y, &z});
  W const to_first = system.upper[n - 1], to_last = system.lower[n - 1];
  W const last = (x[n - 1] - to_first * y.front() - to_last * y.back()) /
                 (system.diagonal[n - 1] - to_first * z.front() - to_last * z.back());
  for (std::size_t k = 0; k + 1 < n; ++k) x[k] = y[k] - z[k] * last;
  x[n - 1] = last;
  return x;
}

template <class W>
long double largest(std::vector<W> const& values) {
  long double most = 0;
  for (auto const& value : values) {
    if (!(std::abs(value) <= most)) most = std::abs(value);  // a NaN stays
  }
  return most;
}

template <class W>
long double largest_difference(std::vector<W> const& a, std::vector<W> const& b) {
  long double most = 0;
  for (std::size_t k = 0; k < a.size(); ++k) {
    if (!(std::abs(a[k] - b[k]) <= most)) most = std::abs(a[k] - b[k]);
  }
  return most;
}

/// Perturbations that an error bound covers.
enum class Perturbed {
  entries,  ///< every entry by a fraction of itself: elimination of dominant matrices in order
  rows      ///< every entry by a fraction of its row, and every unknown by a fraction of the largest: exchanges of rows
};

/// max over k of (M^-1 |A| |x|)(k), M the comparison matrix (|diagonal|, -|others|); with Perturbed::rows, max |x|
/// replaces every |x|. For diagonally dominant A, |A^-1| <= M^-1 entry by entry. A relative perturbation e changes x by
/// at most e times this value. It is the condition number of N. J. Higham (Accuracy and Stability, 2002, section 7.2)
/// times |x|, at O(n).
template <class W>
long double sensitivity_of_dominant(SerialTridiagonal<W> const& system, std::vector<W> const& x, Perturbed perturbed) {
  auto const size = [](W const& value) { return (long double)(std::abs(value)); };
  long double const all = largest(x);
  auto const unknown = [&](W const& value) { return perturbed == Perturbed::rows ? all : size(value); };
  SerialTridiagonal<long double> comparison;
  comparison.periodic = system.periodic;
  for (std::size_t k = 0; k < system.size(); ++k) {
    comparison.lower.push_back(-size(system.lower[k]));
    comparison.diagonal.push_back(size(system.diagonal[k]));
    comparison.upper.push_back(-size(system.upper[k]));
    comparison.rhs.push_back(system.row(k, x, size, unknown));
  }
  return largest(solve(comparison));
}

/// max over k of (|A^-1| |A| e max |x|)(k), e the vector of ones. The same for any matrix, and for perturbations
/// relative to a row's largest product instead of each product. O(n^2).
template <class W>
long double sensitivity_to_rows(SerialTridiagonal<W> const& system, std::vector<W> const& x) {
  auto const size = [](W const& value) { return (long double)(std::abs(value)); };
  long double const all = largest(x);
  auto const most = [all](W const&) { return all; };
  std::vector<long double> sums(system.size(), 0.0L);
  for (std::size_t k = 0; k < system.size(); ++k) {
    SerialTridiagonal<W> unit = system;
    std::fill(unit.rhs.begin(), unit.rhs.end(), W(0));
    unit.rhs[k] = W(1);
    std::vector<W> const column = solve(unit);
    long double const weight = system.row(k, x, size, most);
    for (std::size_t i = 0; i < sums.size(); ++i) sums[i] += size(column[i]) * weight;
  }
  return largest(sums);
}

/// max over k of |residual(k)| / (|A| |x| + |rhs|)(k): the smallest share by which entries must be changed for x to be
/// exact (Oettli and Prager 1964).
template <class W>
long double componentwise_backward_error(SerialTridiagonal<W> const& system, std::vector<W> const& x) {
  auto const same = [](W const& value) { return value; };
  auto const size = [](W const& value) { return (long double)(std::abs(value)); };
  long double worst = 0;
  for (std::size_t k = 0; k < system.size(); ++k) {
    long double const residual = std::abs(system.rhs[k] - system.row(k, x, same, same));
    long double const scale = system.row(k, x, size, size) + size(system.rhs[k]);
    if (residual == 0) continue;
    if (!(residual / scale <= worst)) worst = residual / scale;
  }
  return worst;
}

/// The same with max |x| in place of every |x(k)|, which partial pivoting keeps small for every matrix.
template <class W>
long double rowwise_backward_error(SerialTridiagonal<W> const& system, std::vector<W> const& x) {
  auto const same = [](W const& value) { return value; };
  auto const size = [](W const& value) { return (long double)(std::abs(value)); };
  long double const all = largest(x);
  auto const most = [all](W const&) { return all; };
  long double worst = 0;
  for (std::size_t k = 0; k < system.size(); ++k) {
    long double const residual = std::abs(system.rhs[k] - system.row(k, x, same, same));
    long double const scale = system.row(k, x, size, most) + size(system.rhs[k]);
    if (residual == 0) continue;
    if (!(residual / scale <= worst)) worst = residual / scale;
  }
  return worst;
}

}  // namespace karman::test
