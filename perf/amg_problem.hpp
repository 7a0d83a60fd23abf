// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The system of amg_source.hpp on a backend. Mesh, matrix and right-hand side are made there.
#pragma once

#include "amg_source.hpp"
#include "space_work.hpp"
#include <karman/mesh/triangle_mesh.hpp>
#include <karman/solvers/fem/fem_assembly.hpp>
#include <karman/solvers/fem/fem_kernels.hpp>
#include <karman/solvers/fem/fixed_values.hpp>
#include <karman/solvers/sparse/spmv.hpp>

namespace karman::perf {

template <class Exec, class T>
struct FillAmgNodes {
  AmgGrid grid;
  Kokkos::View<double* [2], Kokkos::LayoutRight, typename Exec::memory_space> nodes;
  FixedNodes<Exec> fixed;
  Vector<Exec, T> source;

  KOKKOS_FUNCTION void operator()(int node) const {
    int const place = grid.node_place(node);
    grid.position(node, nodes(place, 0), nodes(place, 1));
    fixed(place) = grid.fixed(node);
    source(place) = T(grid.source(node));
  }
};

template <class Exec>
struct FillAmgTriangles {
  AmgGrid grid;
  Kokkos::View<int* [3], Kokkos::LayoutRight, typename Exec::memory_space> triangles;

  KOKKOS_FUNCTION void operator()(int triangle) const {
    int corner[3];
    grid.corners(triangle, corner);
    int const place = grid.triangle_place(triangle);
    for (int m = 0; m < 3; ++m) triangles(place, m) = grid.node_place(corner[m]);
  }
};

/// r = b - A x of a row in double, its square added up.
template <class Exec, class T>
struct AmgResidual {
  CsrMatrix<Exec, T> matrix;
  ConstVector<Exec, T> x, b;

  KOKKOS_FUNCTION void operator()(int row, double& sum) const {
    double rest = double(b(row));
    for (int e = matrix.graph.offsets(row); e < matrix.graph.offsets(row + 1); ++e)
      rest -= double(matrix.values(e)) * double(x(matrix.graph.entries(e)));
    sum += rest * rest;
  }
};

template <class Exec, class T>
struct AmgSystem {
  CsrMatrix<Exec, T> matrix;
  Vector<Exec, T> rhs;

  /// In double, b is the noise. In single precision no solution of that meets a tolerance on many nodes: rounding of
  /// x alone leaves a larger residual. There b = A w with the noise w.
  AmgSystem(Exec const& space, AmgGrid const& grid) {
    using Rows = Kokkos::RangePolicy<Exec>;
    auto const nodes = std::size_t(grid.nodes()), triangles = std::size_t(grid.triangles());
    using Points = Kokkos::View<double* [2], Kokkos::LayoutRight, typename Exec::memory_space>;
    using Corners = Kokkos::View<int* [3], Kokkos::LayoutRight, typename Exec::memory_space>;
    FillAmgNodes<Exec, T> const fill{grid, Points("karman::perf::nodes", nodes),
                                     FixedNodes<Exec>("karman::perf::fixed", nodes),
                                     Vector<Exec, T>("karman::perf::source", nodes)};
    FillAmgTriangles<Exec> const fill_triangles{grid, Corners("karman::perf::triangles", triangles)};
    Kokkos::parallel_for("karman::perf::fill_nodes", Rows(space, 0, grid.nodes()), fill);
    Kokkos::parallel_for("karman::perf::fill_triangles", Rows(space, 0, grid.triangles()), fill_triangles);
    TriangleMesh<Exec> mesh;
    mesh.nodes = fill.nodes;
    mesh.triangles = fill_triangles.triangles;
    mesh.regions = Kokkos::View<int*, typename Exec::memory_space>("karman::perf::regions", triangles);

    auto const profile = make_fem_profile(space, mesh, false);
    FemAssembly<Exec> const plan(space, mesh, profile, {.value_bytes = sizeof(T), .triangle_numbers = false});
    matrix = make_csr_matrix<T>(space, profile.graph);
    assemble(space, plan, P1Laplacian<T>{}, matrix);
    Vector<Exec, T> const zero("karman::perf::given", nodes), ignored("karman::perf::ignored", nodes);
    fix_values<Exec, T>(space, matrix, ignored, fill.fixed, zero);
    rhs = fill.source;
    if constexpr (std::is_same_v<T, float>) {
      rhs = Vector<Exec, T>("karman::perf::rhs", nodes);
      multiply(space, matrix, fill.source, rhs);
    }
    compat::fence(space, "karman::perf::system");
  }

  /// |b - A x| / |b|, by code of its own.
  double relative_residual(Exec const& space, Vector<Exec, T> const& x) const {
    double rest = 0, all = 0;
    Vector<Exec, T> const zero("karman::perf::zero", rhs.extent(0));
    Kokkos::RangePolicy<Exec> const rows(space, 0, matrix.rows());
    Kokkos::parallel_reduce("karman::perf::residual", rows, AmgResidual<Exec, T>{matrix, x, rhs}, rest);
    Kokkos::parallel_reduce("karman::perf::norm", rows, AmgResidual<Exec, T>{matrix, zero, rhs}, all);
    return std::sqrt(rest / all);
  }
};

}  // namespace karman::perf
