// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Matrices assembled by one loop on the host, and comparison with matrices of Karman.
#pragma once

#include <karman/core/host_copy.hpp>
#include <karman/mesh/triangle_mesh.hpp>
#include <karman/solvers/fem/fem_assembly.hpp>

#include <gtest/gtest.h>

#include <complex>
#include <cstddef>
#include <map>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace karman::test {

/// double for real scalars, std::complex<double> for complex ones.
template <class Scalar>
using HostScalar = std::conditional_t<std::is_floating_point_v<Scalar>, double, std::complex<double>>;

template <class Scalar>
HostScalar<Scalar> on_host(Scalar const& value) {
  if constexpr (std::is_floating_point_v<Scalar>) return double(value);
  else return {double(value.real()), double(value.imag())};
}

/// Sums of contributions, and of their magnitudes, from which bounds on rounding follow.
template <class Scalar>
struct HostSystem {
  std::map<std::pair<int, int>, HostScalar<Scalar>> matrix;
  std::vector<HostScalar<Scalar>> vector;
};

/// element(t, a, b) gives a[3][3] and b[3] of triangle t in the mesh's own order of corners.
template <class Scalar, class Element>
HostSystem<Scalar> assemble_on_host(MeshData const& mesh, Element const& element) {
  HostSystem<Scalar> system;
  system.vector.resize(mesh.nodes.size());
  for (std::size_t n = 0; n < mesh.nodes.size(); ++n) system.matrix[{int(n), int(n)}] = 0;
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    HostScalar<Scalar> a[3][3] = {}, b[3] = {};
    element(int(t), a, b);
    for (std::size_t i = 0; i < 3; ++i) {
      int const row = mesh.triangles[t][i];
      for (std::size_t j = 0; j < 3; ++j) system.matrix[{row, mesh.triangles[t][j]}] += a[i][j];
      system.vector[std::size_t(row)] += b[i];
    }
  }
  return system;
}

/// A matrix of Karman, on the host. Waits for everything.
template <class Scalar, class Exec>
HostSystem<Scalar> on_host(Exec const& space, CsrMatrix<Exec, Scalar> const& matrix,
                           Kokkos::View<Scalar*, typename Exec::memory_space> const& vector) {
  space.fence();
  HostSystem<Scalar> system;
  auto const offsets = host_copy(space, matrix.graph.offsets), entries = host_copy(space, matrix.graph.entries);
  auto const values = host_copy(space, matrix.values);
  for (std::size_t i = 0; i + 1 < offsets.size(); ++i) {
    for (int n = offsets[i]; n < offsets[i + 1]; ++n) {
      system.matrix[{int(i), entries[std::size_t(n)]}] = on_host(values[std::size_t(n)]);
    }
  }
  for (auto const& value : host_copy(space, vector)) system.vector.push_back(on_host(value));
  return system;
}

/// |found - expected| <= bound, entry by entry, in the matrix and in the vector; the same entries.
template <class Scalar, class Bound>
void expect_near(HostSystem<Scalar> const& found, HostSystem<Scalar> const& expected, Bound const& bound) {
  ASSERT_EQ(found.matrix.size(), expected.matrix.size());
  for (auto const& [place, value] : expected.matrix) {
    auto const at = found.matrix.find(place);
    ASSERT_NE(at, found.matrix.end()) << place.first << ", " << place.second;
    EXPECT_LE(std::abs(at->second - value), bound(place))
        << "row " << place.first << ", column " << place.second << ": " << at->second << ", not " << value;
  }
  ASSERT_EQ(found.vector.size(), expected.vector.size());
  for (std::size_t i = 0; i < expected.vector.size(); ++i) {
    EXPECT_LE(std::abs(found.vector[i] - expected.vector[i]), bound(std::pair<int, int>(int(i), int(i))))
        << "row " << i << " of the vector";
  }
}

template <class Scalar>
void expect_equal(HostSystem<Scalar> const& found, HostSystem<Scalar> const& expected) {
  expect_near(found, expected, [](auto const&) { return 0.0; });
}

/// Every way to assemble.
inline std::vector<FemAssemblySetup> every_setup(std::size_t value_bytes) {
  using S = AssemblyStrategy;
  using O = AssemblyOrder;
  std::vector<FemAssemblySetup> all;
  for (S strategy : {S::atomic, S::colored, S::row_gather}) {
    for (O order : {O::as_given, O::along_curve}) all.push_back({strategy, order, value_bytes});
  }
  all.push_back({.strategy = S::row_gather, .order = O::along_curve, .value_bytes = value_bytes, .moved_bytes = 0});
  all.push_back({.strategy = S::expanded, .value_bytes = value_bytes});
  for (int block : {0, 5, 32}) {
    all.push_back({.strategy = S::colored_blocks, .value_bytes = value_bytes, .block_triangles = block});
  }
  for (int rows : {0, 1, 5, 32}) {
    for (O order : {O::as_given, O::along_curve}) {
      FemAssemblySetup setup{S::row_blocks, order, value_bytes};
      setup.block_rows = rows;
      all.push_back(setup);
    }
  }
  all.push_back({.value_bytes = value_bytes});
  return all;
}

inline std::string described(FemAssemblySetup const& setup) {
  return std::string(name(setup.strategy)) + (setup.order == AssemblyOrder::along_curve ? " along a curve" : "") +
         (setup.moved_bytes == 0 ? ", rows moved" : "") +
         (setup.block_triangles > 0 ? ", blocks of " + std::to_string(setup.block_triangles) : "") +
         (setup.block_rows > 0 ? ", blocks of " + std::to_string(setup.block_rows) + " rows" : "");
}

/// Distinct integers for triangle, corners and their order. Sums of them are exact in every scalar, so that every
/// strategy must give the same bits.
template <class Scalar>
struct TaggedKernel {
  KOKKOS_FUNCTION static double entry(int triangle, int i, int j) { return 1 + triangle % 7 + 10 * i + 100 * j; }
  KOKKOS_FUNCTION static double load(int triangle, int i) { return 1 + triangle % 5 + 20 * i; }

  KOKKOS_FUNCTION static Scalar scalar(double value) {
    if constexpr (std::is_floating_point_v<Scalar>) return Scalar(value);
    else return Scalar(typename Scalar::value_type(value), typename Scalar::value_type(3 - 2 * value));
  }
  KOKKOS_FUNCTION void operator()(Triangle const& t, ElementMatrix<Scalar, 3>& a, ElementVector<Scalar, 3>& b) const {
    for (int i = 0; i < 3; ++i) {
      int const row = (t.first + i) % 3;
      for (int j = 0; j < 3; ++j) a(i, j) = scalar(entry(t.number, row, (t.first + j) % 3));
      b(i) = scalar(load(t.number, row));
    }
  }
};

template <class Scalar>
HostSystem<Scalar> tagged_on_host(MeshData const& mesh) {
  using Kernel = TaggedKernel<Scalar>;
  return assemble_on_host<Scalar>(mesh, [](int t, auto& a, auto& b) {
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) a[i][j] = on_host(Kernel::scalar(Kernel::entry(t, i, j)));
      b[i] = on_host(Kernel::scalar(Kernel::load(t, i)));
    }
  });
}

/// Mesh, profile, matrix and vector of one test.
template <class Exec, class Scalar>
struct FemProblem {
  using Vector = Kokkos::View<Scalar*, typename Exec::memory_space>;
  Exec space;
  TriangleMesh<Exec> mesh;
  FemProfile<Exec> profile;
  CsrMatrix<Exec, Scalar> matrix;
  Vector vector;

  FemProblem(Exec const& on, MeshData const& data)
      : space(on),
        mesh(make_triangle_mesh(on, data)),
        profile(make_fem_profile(on, mesh)),
        matrix(make_csr_matrix<Scalar>(on, profile.graph)),
        vector("vector", data.nodes.size()) {}

  /// Assembles into memory with values that must not survive.
  template <class Kernel>
  HostSystem<Scalar> assembled(FemAssemblySetup const& setup, Kernel const& kernel) {
    FemAssembly<Exec> const plan(space, mesh, profile, setup);
    return assembled(plan, kernel);
  }
  template <class Kernel>
  HostSystem<Scalar> assembled(FemAssembly<Exec> const& plan, Kernel const& kernel) {
    Kokkos::deep_copy(space, matrix.values, Scalar(-77));
    Kokkos::deep_copy(space, vector, Scalar(-78));
    assemble(space, plan, kernel, matrix, vector);
    return on_host<Scalar>(space, matrix, vector);
  }
};

}  // namespace karman::test
