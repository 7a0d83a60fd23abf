// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Batches of tridiagonal systems for tests, made on the host in any layout of the kernels' memory. Bounds on the error
/// of the results.
#pragma once

#include "backends.hpp"
#include "serial_tridiagonal.hpp"
#include "tridiagonal/rows.hpp"
#include <karman/core/host_copy.hpp>
#include <karman/solvers/tridiagonal/tridiagonal.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace karman::test {

// --- matrices -------------------------------------------------------------------------------------------------------

/// Kinds of matrices on which elimination in order is safe.
enum class Matrix {
  dominant,         ///< random, |diagonal| twice the sum of the others
  barely_dominant,  ///< random, |diagonal| equal to the sum of the others, a little more in every seventh row
  toeplitz,         ///< 1, 4, 1
  laplacian,        ///< -1, 2, -1: condition number of order n^2
  nearly_singular,  ///< -1, 2, -1 with ends that add nothing, except for a few thousand eps on every diagonal entry
  scaled            ///< dominant, with rows of very different size
};

inline char const* name(Matrix matrix) {
  switch (matrix) {
    case Matrix::dominant: return "dominant";
    case Matrix::barely_dominant: return "barely dominant";
    case Matrix::toeplitz: return "Toeplitz";
    case Matrix::laplacian: return "Laplacian";
    case Matrix::nearly_singular: return "nearly singular";
    case Matrix::scaled: return "scaled";
  }
  return "";
}

template <class T>
T random_value(std::mt19937& random) {
  using R = typename Scalar<T>::real;
  auto const draw = [&] { return R(int(random() % 2049) - 1024) / R(1024); };
  if constexpr (Scalar<T>::is_complex) {
    R const re = draw();
    return T(re, draw());
  } else {
    return draw();
  }
}

/// A system of the kind; all entries are values of T. In complex types the off-diagonal entries get phases.
template <class T>
SerialTridiagonal<typename Scalar<T>::wide> make_system(Matrix matrix, std::int64_t rows, bool periodic,
                                                        unsigned seed) {
  using S = Scalar<T>;
  using R = typename S::real;
  std::mt19937 random(seed * 100003u + unsigned(rows));
  auto const n = static_cast<std::size_t>(rows);
  SerialTridiagonal<typename S::wide> system;
  system.periodic = periodic;
  system.lower.resize(n);
  system.diagonal.resize(n);
  system.upper.resize(n);
  system.rhs.resize(n);
  for (std::size_t k = 0; k < n; ++k) {
    T lower(R(-1)), diagonal(R(2)), upper(R(-1));
    bool const first = k == 0, last = k + 1 == n;
    if (matrix == Matrix::dominant || matrix == Matrix::barely_dominant || matrix == Matrix::scaled) {
      lower = random_value<T>(random);
      upper = random_value<T>(random);
      // In powers of two and rounded up: dominance must hold for the rounded numbers.
      auto const size = [](T const& v) { return std::abs(std::complex<double>(v)); };
      double sum = size(lower) + size(upper);
      if (matrix == Matrix::barely_dominant) {
        sum = (std::ceil(sum * 4096) + (k % 7 == 0 ? 64 : 0)) / 4096;
      } else {
        sum = std::ceil(2 * sum * 1024 + 1) / 1024;
      }
      diagonal = T(R(random() % 2 == 0 ? sum : -sum));
      if (matrix == Matrix::scaled) {
        R const scale = std::ldexp(R(1), int(random() % 41) - 20);
        lower *= scale;
        diagonal *= scale;
        upper *= scale;
      }
    } else if (matrix == Matrix::toeplitz) {
      lower = upper = T(R(1));
      diagonal = T(R(4));
    } else if (matrix == Matrix::nearly_singular) {
      if (!periodic && (first || last)) diagonal = T(R(n == 1 ? 0 : 1));
      diagonal += T(4096 * std::numeric_limits<R>::epsilon());
    } else if (periodic) {
      // The periodic Laplacian is singular.
      diagonal = T(R(2) + R(1) / R(1024));
    }
    if constexpr (S::is_complex) {
      // A rotation of lower by a quarter turn, and back in upper, keeps the products of opposite entries.
      if (matrix == Matrix::laplacian || matrix == Matrix::toeplitz) {
        lower *= T(0, 1);
        upper *= T(0, -1);
        if (periodic && n < 3) lower = upper = T(R(matrix == Matrix::toeplitz ? 1 : -1));
      }
    }
    system.lower[k] = S::widen(lower);
    system.diagonal[k] = S::widen(diagonal);
    system.upper[k] = S::widen(upper);
    system.rhs[k] = S::widen(random_value<T>(random));
  }
  return system;
}

/// Largest error of the solution of a diagonally dominant system. Every entry of every intermediate matrix results from
/// a handful of operations on dominant rows. Each amounts to a relative change of entries of order eps (Higham 2002,
/// theorem 9.12: |L| |U| <= 3 |A|), amplified at most by the sensitivity. `levels`: number of times that a row is
/// combined with others, 1 for elimination in order, about log2 n for reduction.
template <class T>
double error_bound(double levels, long double sensitivity) {
  return 16 * Scalar<T>::roundings * (2 + levels) * epsilon<T> * double(sensitivity);
}

/// Levels of an algorithm on n rows.
inline double levels_of(TridiagonalAlgorithm algorithm, std::int64_t rows) {
  using A = TridiagonalAlgorithm;
  if (algorithm == A::thomas || algorithm == A::interleaved_thomas) return 1;
  return std::ceil(std::log2(double(rows) + 1)) + 1;
}

// --- layouts --------------------------------------------------------------------------------------------------------

/// How the three axes of an array lie in memory.
enum class Order {
  right,   ///< the last axis contiguous
  left,    ///< the first axis contiguous
  middle,  ///< the middle axis contiguous
  spaced   ///< none contiguous: a piece out of the middle of a larger array, every second value of its last axis
};

inline char const* name(Order order) {
  switch (order) {
    case Order::right: return "right";
    case Order::left: return "left";
    case Order::middle: return "middle";
    case Order::spaced: return "spaced";
  }
  return "";
}

/// An array of three axes in the memory of an execution space.
template <class Exec, class T>
struct PlacedArray {
  using View = Kokkos::View<T***, Kokkos::LayoutStride, typename Exec::memory_space>;
  Kokkos::View<T*, typename Exec::memory_space> memory;
  std::array<std::int64_t, 3> extent{}, stride{};
  std::int64_t offset = 0;

  PlacedArray(Exec const& space, std::array<std::int64_t, 3> const& extents, Order order) : extent(extents) {
    std::array<std::size_t, 3> fastest{2, 1, 0};
    if (order == Order::left) fastest = {0, 1, 2};
    if (order == Order::middle) fastest = {1, 2, 0};
    std::int64_t size = order == Order::spaced ? 2 : 1;
    for (std::size_t d : fastest) {
      stride[d] = size;
      size *= extents[d] + (order == Order::spaced ? 3 : 0);
      if (order == Order::spaced) offset += stride[d];
    }
    memory = Kokkos::View<T*, typename Exec::memory_space>(
        Kokkos::view_alloc(space, std::string("karman::test::array")), static_cast<std::size_t>(size));
  }

  View view() const {
    auto const size = [](std::int64_t n) { return static_cast<std::size_t>(n); };
    return View(memory.data() + offset, Kokkos::LayoutStride(size(extent[0]), size(stride[0]), size(extent[1]),
                                                             size(stride[1]), size(extent[2]), size(stride[2])));
  }

  /// Systems along an axis, for the functions behind the plan.
  karman::detail::StridedSystems<T> systems(int axis) const {
    std::array<std::int64_t, 2> other{};
    std::size_t count = 0;
    for (int d = 0; d < 3; ++d) {
      if (d != axis) other[count++] = stride[std::size_t(d)];
    }
    return {memory.data() + offset, stride[std::size_t(axis)], {other[0], other[1]}};
  }
};

/// Coefficients, right-hand side and solution of a batch, with their exact values.
template <class Exec, class T>
class PlacedBatch {
 public:
  using S = Scalar<T>;
  using W = typename S::wide;

  PlacedBatch(Exec const& space, std::array<std::int64_t, 2> const& batch, int axis, Order order,
              std::vector<SerialTridiagonal<W>> given)
      : systems(std::move(given)),
        axis_(axis),
        batch_(batch),
        extent_(extents(systems.empty() ? 1 : std::int64_t(systems[0].size()), batch, axis)),
        lower(space, extent_, order),
        diagonal(space, extent_, order),
        upper(space, extent_, order),
        rhs(space, extent_, order),
        solution(space, extent_, order) {
    using System = SerialTridiagonal<W>;
    put(space, lower, [](System const& s) { return s.lower; });
    put(space, diagonal, [](System const& s) { return s.diagonal; });
    put(space, upper, [](System const& s) { return s.upper; });
    put(space, rhs, [](System const& s) { return s.rhs; });
  }

  TridiagonalShape shape() const { return TridiagonalShape::along(axis_, {extent_[0], extent_[1], extent_[2]}); }
  int axis() const { return axis_; }
  bool periodic() const { return !systems.empty() && systems[0].periodic; }

  /// The values of an array, system by system.
  std::vector<std::vector<W>> read(Exec const& space, PlacedArray<Exec, T> const& array) const {
    std::vector<T> const host = bytes(space, array);
    std::vector<std::vector<W>> values;
    for (std::int64_t s = 0; s < std::int64_t(systems.size()); ++s) {
      auto& one = values.emplace_back();
      for (std::int64_t k = 0; k < extent_[std::size_t(axis_)]; ++k) one.push_back(S::widen(host[place(array, s, k)]));
    }
    return values;
  }

  /// The bytes of an array, including memory between the values.
  std::vector<T> bytes(Exec const& space, PlacedArray<Exec, T> const& array) const {
    return host_copy(space, array.memory);
  }

  std::vector<SerialTridiagonal<W>> systems;

 private:
  int axis_;
  std::array<std::int64_t, 2> batch_;
  std::array<std::int64_t, 3> extent_;

 public:
  PlacedArray<Exec, T> lower, diagonal, upper, rhs, solution;

 private:
  static std::array<std::int64_t, 3> extents(std::int64_t rows, std::array<std::int64_t, 2> const& batch, int axis) {
    std::array<std::int64_t, 3> result{};
    std::size_t other = 0;
    for (int d = 0; d < 3; ++d) result[std::size_t(d)] = d == axis ? rows : batch[other++];
    return result;
  }
  std::size_t place(PlacedArray<Exec, T> const& array, std::int64_t s, std::int64_t k) const {
    auto const at = array.systems(axis_);
    return std::size_t(array.offset + s / batch_[1] * at.stride[0] + s % batch_[1] * at.stride[1] + k * at.row_stride);
  }
  template <class Part>
  void put(Exec const& space, PlacedArray<Exec, T> const& array, Part const& part) const {
    // NaN in memory that must not be read or written.
    T const trap(std::numeric_limits<typename S::real>::quiet_NaN());
    std::vector<T> host(array.memory.extent(0), trap);
    for (std::size_t s = 0; s < systems.size(); ++s) {
      std::vector<W> const values = part(systems[s]);
      for (std::size_t k = 0; k < values.size(); ++k)
        host[place(array, std::int64_t(s), std::int64_t(k))] = S::narrow(values[k]);
    }
    copy_to_device(space, host, array.memory);
  }
};

/// Systems of one kind, each with numbers of its own.
template <class T>
std::vector<SerialTridiagonal<typename Scalar<T>::wide>> make_systems(Matrix matrix, std::int64_t rows,
                                                                      std::array<std::int64_t, 2> const& batch,
                                                                      bool periodic) {
  std::vector<SerialTridiagonal<typename Scalar<T>::wide>> systems;
  for (std::int64_t s = 0; s < batch[0] * batch[1]; ++s) {
    systems.push_back(make_system<T>(matrix, rows, periodic, unsigned(s)));
  }
  return systems;
}

/// The same with the matrix of the first one.
template <class T>
std::vector<SerialTridiagonal<typename Scalar<T>::wide>> systems_of_one_matrix(Matrix matrix, std::int64_t rows,
                                                                               std::array<std::int64_t, 2> const& batch,
                                                                               bool periodic) {
  auto systems = make_systems<T>(matrix, rows, batch, periodic);
  for (auto& system : systems) {
    auto const rhs = system.rhs;
    system = systems[0];
    system.rhs = rhs;
  }
  return systems;
}

/// Names such as "openmp_c64" in the output of tests.
struct ScalarNames {
  template <class P>
  static std::string GetName(int) {
    using S = Scalar<typename P::scalar>;
    return std::string(karman::name(backend_of<typename P::execution_space>())) + (S::is_complex ? "_c" : "_f") +
           (sizeof(typename S::real) == 4 ? "32" : "64");
  }
};

/// A combination of backend and scalar type, the parameter of a typed test.
template <class Exec, class T>
struct ScalarOn {
  using execution_space = Exec;
  using scalar = T;
};

namespace detail {
#define KARMAN_TEST_FOUR(Exec)                                                                        \
  , std::tuple<ScalarOn<Exec, float>, ScalarOn<Exec, double>, ScalarOn<Exec, Kokkos::complex<float>>, \
               ScalarOn<Exec, Kokkos::complex<double>>>
#define KARMAN_TEST_TWO(Exec) , std::tuple<ScalarOn<Exec, double>, ScalarOn<Exec, Kokkos::complex<float>>>
using FourScalars = TeamReduction<std::tuple<std::tuple<>> KARMAN_FOR_EACH_BACKEND(KARMAN_TEST_FOUR)>;
using TwoScalars = TeamReduction<std::tuple<std::tuple<>> KARMAN_FOR_EACH_BACKEND(KARMAN_TEST_TWO)>;
#undef KARMAN_TEST_FOUR
#undef KARMAN_TEST_TWO
}  // namespace detail

/// Every enabled backend in float, double and complex of both.
using AllScalars = decltype(detail::as_types(detail::FourScalars{}));
/// Every enabled backend in double and complex float: one of either precision, one of either field. For tests
/// independent of the arithmetic.
using TwoScalars = decltype(detail::as_types(detail::TwoScalars{}));

}  // namespace karman::test
