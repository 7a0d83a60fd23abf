// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Assembly by triangles: atomic additions, colours, element storage.
#pragma once

#include <karman/core/backend.hpp>
#include <karman/solvers/detail/fem_kernel_traits.hpp>
#include <karman/solvers/detail/fem_plan.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>

namespace karman::detail {

/// Adds in any order. A complex number is added in two parts, since every device has an instruction for those.
template <class Scalar>
KOKKOS_FORCEINLINE_FUNCTION void add_atomically(Scalar* where, Scalar const& value) {
  if constexpr (std::is_floating_point_v<Scalar>) {
    Kokkos::atomic_add(where, value);
  } else {
    using Part = typename Scalar::value_type;
    auto* const parts = reinterpret_cast<Part*>(where);
    Kokkos::atomic_add(parts, value.real());
    Kokkos::atomic_add(parts + 1, value.imag());
  }
}

/// A triangle with the coordinates of its nodes.
KOKKOS_FORCEINLINE_FUNCTION Triangle make_triangle(int number, int a, int b, int c, FemPoint const* points) {
  Triangle triangle;
  triangle.number = number;
  triangle.node[0] = a, triangle.node[1] = b, triangle.node[2] = c;
  FemPoint const p = points[a], q = points[b], r = points[c];
  triangle.x[0] = p.x, triangle.x[1] = q.x, triangle.x[2] = r.x;
  triangle.y[0] = p.y, triangle.y[1] = q.y, triangle.y[2] = r.y;
  return triangle;
}

template <class Exec, class Scalar>
struct FillZero {
  Scalar* values;
  KOKKOS_FUNCTION void operator()(std::int64_t n) const { values[n] = Scalar(0); }
};

/// One triangle per thread, atomic additions.
template <class Exec, class Scalar, class Kernel>
struct AtomicElements {
  Kernel kernel;
  typename Graph<Exec>::Numbers number;  ///< triangle at each place; empty: the order of the mesh
  typename TriangleMesh<Exec>::template Table<int, 3> triangles;
  typename FemProfile<Exec>::template Places<9> entries;
  FemPoint const* points;
  Scalar* values;
  Scalar* vector;

  KOKKOS_FUNCTION void operator()(int place) const {
    int const t = number.data() == nullptr ? place : number(place);
    ElementMatrix<Scalar, 3> a;
    ElementVector<Scalar, 3> b;
    Triangle const triangle = make_triangle(t, triangles(t, 0), triangles(t, 1), triangles(t, 2), points);
    integrate<Scalar>(kernel, triangle, a, b);
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) add_atomically(values + entries(t, 3 * i + j), a(i, j));
    }
    if (vector == nullptr) return;
    for (int i = 0; i < 3; ++i) add_atomically(vector + triangle.node[i], b(i));
  }
};

/// One triangle of one colour per thread. The first colour at an entry writes, the others add: nothing has to be
/// zeroed.
template <class Exec, class Scalar, class Kernel>
struct ColoredElements {
  static constexpr int touched = FemElements<Exec>::touched;
  Kernel kernel;
  FemArray<Exec, int> number;
  FemTable<Exec, 3> nodes;
  FemTable<Exec, 9> entries;
  FemPoint const* points;
  Scalar* values;
  Scalar* vector;

  KOKKOS_FORCEINLINE_FUNCTION static void put(Scalar* to, int place, Scalar const& value) {
    Scalar& target = to[place & ~touched];
    if (place < 0) target += value;
    else target = value;
  }

  KOKKOS_FUNCTION void operator()(int place) const {
    int const node[3] = {nodes(place, 0), nodes(place, 1), nodes(place, 2)};
    ElementMatrix<Scalar, 3> a;
    ElementVector<Scalar, 3> b;
    integrate<Scalar>(kernel,
                      make_triangle(needs_number<Kernel> ? number(place) : -1, node[0] & ~touched, node[1] & ~touched,
                                    node[2] & ~touched, points),
                      a, b);
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) put(values, entries(place, 3 * i + j), a(i, j));
    }
    if (vector == nullptr) return;
    for (int i = 0; i < 3; ++i) put(vector, node[i], b(i));
  }
};

/// Zeroes the rows of nodes without a triangle, which no colour reaches.
template <class Exec, class Scalar>
struct ZeroLoneRows {
  typename Graph<Exec>::Numbers row_offsets;
  Scalar* values;
  Scalar* vector;
  KOKKOS_FUNCTION void operator()(int i) const {
    if (row_offsets(i + 1) - row_offsets(i) > 1) return;
    values[row_offsets(i)] = Scalar(0);
    if (vector != nullptr) vector[i] = Scalar(0);
  }
};

/// Layout of the twelve values of a triangle in element storage: adjacent on a host, one table after the other on a
/// device.
template <class Exec>
struct ElementStorage {
  static constexpr int values_each = 12;
  int triangles;
  KOKKOS_FORCEINLINE_FUNCTION std::size_t operator()(int t, int n) const {
    if constexpr (runs_on_host<Exec>) return std::size_t(t) * values_each + static_cast<std::size_t>(n);
    else return std::size_t(n) * static_cast<std::size_t>(triangles) + static_cast<std::size_t>(t);
  }
};

template <class Exec, class Scalar, class Kernel>
struct StoreElements {
  Kernel kernel;
  typename TriangleMesh<Exec>::template Table<int, 3> triangles;
  FemPoint const* points;
  Scalar* storage;
  bool with_vector;
  ElementStorage<Exec> place;

  KOKKOS_FUNCTION void operator()(int t) const {
    ElementMatrix<Scalar, 3> a;
    ElementVector<Scalar, 3> b;
    integrate<Scalar>(kernel, make_triangle(t, triangles(t, 0), triangles(t, 1), triangles(t, 2), points), a, b);
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) storage[place(t, 3 * i + j)] = a(i, j);
    }
    if (!with_vector) return;
    for (int i = 0; i < 3; ++i) storage[place(t, 9 + i)] = b(i);
  }
};

/// result(n) = sum of its sources in storage.
template <class Exec, class Scalar>
struct SumSources {
  FemArray<Exec, int> offsets, sources;
  Scalar const* storage;
  Scalar* result;

  KOKKOS_FUNCTION void operator()(int n) const {
    Scalar sum = Scalar(0);
    int const end = offsets(n + 1);
    for (int s = offsets(n); s < end; ++s) sum += storage[sources(s)];
    result[n] = sum;
  }
};

}  // namespace karman::detail
