// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The sums of the transforms in long double, and fields of any value type for them.
#pragma once

#include <karman/core/host_copy.hpp>
#include <karman/core/types.hpp>
#include <karman/solvers/transforms/fft.hpp>

#include <Kokkos_Core.hpp>

#include <array>
#include <complex>
#include <cstddef>
#include <numbers>
#include <vector>

namespace karman::test {

/// The lines of a field of shape (nz, ny, nx) along an axis.
struct Lines {
  int n = 1;
  std::size_t stride = 1;
  std::vector<std::size_t> starts;

  Lines(std::array<int, 3> const& extents, Axis axis) {
    std::array<std::size_t, 3> const strides{std::size_t(extents[1]) * extents[2], std::size_t(extents[2]), 1};
    std::size_t const along = axis == Axis::x ? 2 : axis == Axis::y ? 1 : 0;
    n = extents[along];
    stride = strides[along];
    std::array<int, 3> across = extents;
    across[along] = 1;
    for (int k = 0; k < across[0]; ++k)
      for (int j = 0; j < across[1]; ++j)
        for (int i = 0; i < across[2]; ++i) starts.push_back(k * strides[0] + j * strides[1] + i);
  }
};

template <class T>
std::vector<std::complex<long double>> widened(std::vector<std::complex<T>> const& values) {
  return {values.begin(), values.end()};
}

/// cos and sin of 2 pi steps / whole.
inline std::complex<long double> turn(long long steps, long long whole) {
  long double const angle = 2 * std::numbers::pi_v<long double> * static_cast<long double>(steps % whole) / whole;
  return {std::cos(angle), std::sin(angle)};
}

inline void fourier_sums(std::vector<std::complex<long double>>& values, Lines const& lines, int sign) {
  std::vector<std::complex<long double>> sums(static_cast<std::size_t>(lines.n));
  for (std::size_t start : lines.starts) {
    for (int m = 0; m < lines.n; ++m) {
      sums[m] = 0;
      for (int n = 0; n < lines.n; ++n) {
        auto const w = turn(static_cast<long long>(m) * n, lines.n);
        sums[m] += values[start + n * lines.stride] * (sign < 0 ? std::conj(w) : w);
      }
    }
    for (int m = 0; m < lines.n; ++m) values[start + m * lines.stride] = sums[m];
  }
}

template <class V>
void reverse(std::vector<V>& values, Lines const& lines) {
  for (std::size_t start : lines.starts) {
    for (int n = 0; n < lines.n / 2; ++n) {
      std::swap(values[start + n * lines.stride], values[start + (lines.n - 1 - n) * lines.stride]);
    }
  }
}

/// The factor of x_n in X_k, as in the declaration of Trigonometric; N = size.
inline long double factor(Trigonometric kind, long long n, long long k, long long size) {
  auto const cosine = [](long long a, long long b, long long whole) { return 2 * turn(a * b, whole).real(); };
  auto const sine = [](long long a, long long b, long long whole) { return 2 * turn(a * b, whole).imag(); };
  switch (kind) {
    case Trigonometric::dct1:
      if (n == 0) return 1;
      if (n == size - 1) return k % 2 == 0 ? 1 : -1;
      return cosine(n, k, 2 * (size - 1));
    case Trigonometric::dct2: return cosine(2 * n + 1, k, 4 * size);
    case Trigonometric::dct3: return n == 0 ? 1 : cosine(n, 2 * k + 1, 4 * size);
    case Trigonometric::dct4: return cosine(2 * n + 1, 2 * k + 1, 8 * size);
    case Trigonometric::dst1: return sine(n + 1, k + 1, 2 * (size + 1));
    case Trigonometric::dst2: return sine(2 * n + 1, k + 1, 4 * size);
    case Trigonometric::dst3: return n == size - 1 ? (k % 2 == 0 ? 1 : -1) : sine(n + 1, 2 * k + 1, 4 * size);
    case Trigonometric::dst4: return sine(2 * n + 1, 2 * k + 1, 8 * size);
    case Trigonometric::dst5: return sine(n + 1, k + 1, 2 * size + 1);
    case Trigonometric::dst6: return sine(2 * n + 1, k + 1, 2 * (2 * size + 1));
    case Trigonometric::dst7: return sine(n + 1, 2 * k + 1, 2 * (2 * size + 1));
    case Trigonometric::halfcomplex:
      return 2 * k <= size ? turn(n * k, size).real() : -turn(n * (size - k), size).imag();
  }
  return 0;
}

inline void trigonometric_sums(std::vector<long double>& values, Lines const& lines, Trigonometric kind) {
  std::vector<long double> sums(static_cast<std::size_t>(lines.n));
  for (std::size_t start : lines.starts) {
    for (int k = 0; k < lines.n; ++k) {
      sums[k] = 0;
      for (int n = 0; n < lines.n; ++n) sums[k] += factor(kind, n, k, lines.n) * values[start + n * lines.stride];
    }
    for (int k = 0; k < lines.n; ++k) values[start + k * lines.stride] = sums[k];
  }
}

/// A field of any values, x contiguous.
template <class Exec, class V>
Field<Exec, V> device_field(Exec const& space, std::array<int, 3> const& e, std::vector<V> const& values) {
  Field<Exec, V> const field(Kokkos::view_alloc(space, Kokkos::WithoutInitializing, "karman::test::field"), e[0], e[1],
                             e[2]);
  copy_to_device(space, values, field);
  return field;
}

template <class Exec, class V>
std::vector<V> field_values(Exec const& space, Field<Exec, V> const& field) {
  return host_copy(space, field);
}

}  // namespace karman::test
