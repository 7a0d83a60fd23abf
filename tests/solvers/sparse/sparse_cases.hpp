// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Sparse matrices for the tests, made and multiplied serially on the host.
#pragma once

#include <karman/solvers/sparse/spmv.hpp>

#include <Kokkos_Core.hpp>

#include <complex>
#include <map>
#include <random>
#include <type_traits>
#include <vector>

namespace karman::test {

template <class Scalar>
inline constexpr bool is_complex = !std::is_floating_point_v<Scalar>;

/// Float or double, the parts of Scalar.
template <class Scalar>
using RealOf =
    std::conditional_t<std::is_same_v<Scalar, float> || std::is_same_v<Scalar, Kokkos::complex<float>>, float, double>;

/// Type of the references' computations.
template <class Scalar>
using Exact = std::conditional_t<is_complex<Scalar>, std::complex<double>, double>;

template <class Scalar>
Scalar rounded(Exact<Scalar> const& a) {
  if constexpr (is_complex<Scalar>) {
    return Scalar(static_cast<RealOf<Scalar>>(a.real()), static_cast<RealOf<Scalar>>(a.imag()));
  } else {
    return static_cast<Scalar>(a);
  }
}
template <class Scalar>
Exact<Scalar> exact(Scalar const& a) {
  if constexpr (is_complex<Scalar>) {
    return {double(a.real()), double(a.imag())};
  } else {
    return double(a);
  }
}

/// Rows on the host; Number = double or std::complex<double>.
template <class Number>
struct HostMatrix {
  int columns = 0;
  std::vector<std::map<int, Number>> rows;

  explicit HostMatrix(int n, int m = -1) : columns(m < 0 ? n : m), rows(std::size_t(n)) {}
  int n() const { return static_cast<int>(rows.size()); }
  std::vector<Number> operator*(std::vector<Number> const& x) const {
    std::vector<Number> y(rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i) {
      for (auto const& [j, value] : rows[i]) y[i] += value * x[std::size_t(j)];
    }
    return y;
  }
};

/// A matrix in the precision of a preconditioner.
template <class Scalar>
HostMatrix<Exact<Scalar>> stored(HostMatrix<Exact<Scalar>> matrix) {
  for (auto& row : matrix.rows) {
    for (auto& [j, value] : row) value = exact<Scalar>(rounded<Scalar>(value));
  }
  return matrix;
}

/// A vector in that precision.
template <class Scalar>
std::vector<Exact<Scalar>> stored_vector(std::vector<Exact<Scalar>> values) {
  for (auto& value : values) value = exact<Scalar>(rounded<Scalar>(value));
  return values;
}

template <class View>
auto to_vector(View const& view) {
  using Scalar = typename View::non_const_value_type;
  std::vector<Exact<Scalar>> values;
  for (Scalar const& value : host_copy(typename View::execution_space(), view)) values.push_back(exact<Scalar>(value));
  return values;
}

template <class Exec, class Scalar>
Vector<Exec, Scalar> to_vector_on(Exec const& space, std::vector<Exact<Scalar>> const& values) {
  std::vector<Scalar> host;
  for (auto const& value : values) host.push_back(rounded<Scalar>(value));
  return device_copy(space, host, "karman::test::vector");
}

template <class Exec>
Kokkos::View<int*, typename Exec::memory_space> numbers_on(Exec const& space, std::vector<int> const& values) {
  return device_copy(space, values, "karman::test::numbers");
}

template <class Exec, class Scalar>
CsrMatrix<Exec, Scalar> to_matrix_on(Exec const& space, HostMatrix<Exact<Scalar>> const& matrix) {
  std::vector<int> offsets{0}, entries;
  std::vector<Scalar> values;
  for (auto const& row : matrix.rows) {
    for (auto const& [j, value] : row) {
      entries.push_back(j);
      values.push_back(rounded<Scalar>(value));
    }
    offsets.push_back(static_cast<int>(entries.size()));
  }
  return {space, offsets, entries, values, matrix.columns};
}

/// Numbers in the unit square around zero, complex where Number is.
template <class Number>
class RandomNumbers {
 public:
  explicit RandomNumbers(unsigned seed) : engine_(seed) {}
  double real() { return 2.0 * double(engine_()) / double(std::mt19937::max()) - 1; }
  Number operator()() {
    double const re = real();
    if constexpr (std::is_same_v<Number, double>) {
      return re;
    } else {
      return {re, real()};
    }
  }
  std::vector<Number> vector(int n) {
    std::vector<Number> values(static_cast<std::size_t>(n));
    for (auto& value : values) value = (*this)();
    return values;
  }
  int below(int n) { return static_cast<int>(engine_() % static_cast<unsigned>(n)); }

 private:
  std::mt19937 engine_;
};

/// About `mean` entries per row at random places with a symmetric profile. The diagonal is `dominance` times the sum of
/// the magnitudes in its row and column. A^T = A where `symmetric`.
template <class Number>
HostMatrix<Number> random_dominant(int n, int mean, double dominance, bool symmetric, unsigned seed) {
  RandomNumbers<Number> random(seed);
  HostMatrix<Number> a(n);
  for (int i = 0; i < n; ++i) {
    for (int m = 0; m < mean / 2; ++m) {
      int const j = random.below(n);
      if (j == i) continue;
      Number const value = random();
      a.rows[std::size_t(i)][j] = value;
      a.rows[std::size_t(j)][i] = symmetric ? value : random();
    }
  }
  for (int i = 0; i < n; ++i) {
    double sum = 1;
    for (auto const& [j, value] : a.rows[std::size_t(i)]) {
      sum += std::max(std::abs(value), std::abs(a.rows[std::size_t(j)][i]));
    }
    // Rotated in the complex plane, so that a complex matrix is far from Hermitian.
    Number diagonal = dominance * sum;
    if constexpr (!std::is_same_v<Number, double>) diagonal *= std::polar(1.0, 0.3 + 0.9 * double(i % 3));
    a.rows[std::size_t(i)][i] = diagonal;
  }
  return a;
}

template <class Number>
double norm_of(std::vector<Number> const& v) {
  double square = 0;
  for (auto const& value : v) square += std::norm(value);
  return std::sqrt(square);
}

template <class Number>
double distance(std::vector<Number> const& a, std::vector<Number> const& b) {
  double square = 0;
  for (std::size_t i = 0; i < a.size(); ++i) square += std::norm(a[i] - b[i]);
  return std::sqrt(square);
}

}  // namespace karman::test
