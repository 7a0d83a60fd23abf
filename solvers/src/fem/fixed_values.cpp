// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <karman/core/compat.hpp>
#include <karman/core/error.hpp>
#include <karman/core/profiling.hpp>
#include <karman/mesh/mesh_connectivity.hpp>
#include <karman/solvers/fem/fixed_values.hpp>

namespace karman {

namespace {

template <class Exec>
FixedNodes<Exec> none_fixed(Exec const& space, TriangleMesh<Exec> const& mesh) {
  return FixedNodes<Exec>(Kokkos::view_alloc(space, std::string("karman::fem::fixed_nodes")), mesh.nodes.extent(0));
}

template <class Exec>
void mark(Exec const& space, TriangleMesh<Exec> const& mesh, Graph<Exec> const& around, bool every, int label,
          FixedNodes<Exec> const& fixed) {
  auto const labels = mesh.edge_labels;
  Kokkos::parallel_for(
      "karman::fem::mark_nodes", Kokkos::RangePolicy<Exec>(space, 0, around.rows()), KOKKOS_LAMBDA(int i) {
        for (int n = around.offsets(i); n < around.offsets(i + 1); ++n) {
          if (every || labels(around.entries(n)) == label) fixed(i) = 1;
        }
      });
}

/// A fixed row keeps only its diagonal. The others move their products with fixed values to the right-hand side.
template <class Exec, class Scalar>
struct FixRow {
  CsrMatrix<Exec, Scalar> matrix;
  Kokkos::View<Scalar*, typename Exec::memory_space> rhs;
  FixedNodes<Exec> fixed;
  Kokkos::View<Scalar const*, typename Exec::memory_space> given;

  KOKKOS_FUNCTION void operator()(int i) const {
    int const end = matrix.graph.offsets(i + 1);
    bool const row_fixed = fixed(i) != 0;
    Scalar known = Scalar(0);
    for (int n = matrix.graph.offsets(i); n < end; ++n) {
      int const j = matrix.graph.entries(n);
      if (row_fixed && j == i) {
        Scalar const diagonal = matrix.values(n) == Scalar(0) ? Scalar(1) : matrix.values(n);
        matrix.values(n) = diagonal;
        rhs(i) = diagonal * given(i);
      } else if (row_fixed) {
        matrix.values(n) = Scalar(0);
      } else if (fixed(j) != 0) {
        known += matrix.values(n) * given(j);
        matrix.values(n) = Scalar(0);
      }
    }
    if (!row_fixed) rhs(i) -= known;
  }
};

}  // namespace

template <ExecutionSpace Exec>
FixedNodes<Exec> nodes_with_labels(Exec const& space, TriangleMesh<Exec> const& mesh, std::vector<int> const& labels) {
  auto const fixed = none_fixed(space, mesh);
  auto const around = boundary_edges_around_nodes(space, mesh);
  for (int label : labels) mark(space, mesh, around, false, label, fixed);
  compat::fence(space, "karman::fem::fixed_nodes");
  return fixed;
}

template <ExecutionSpace Exec>
FixedNodes<Exec> boundary_nodes(Exec const& space, TriangleMesh<Exec> const& mesh) {
  auto const fixed = none_fixed(space, mesh);
  mark(space, mesh, boundary_edges_around_nodes(space, mesh), true, 0, fixed);
  compat::fence(space, "karman::fem::fixed_nodes");
  return fixed;
}

template <ExecutionSpace Exec, SparseScalar Scalar>
void fix_values(Exec const& space, CsrMatrix<Exec, Scalar> const& matrix,
                Kokkos::View<Scalar*, typename Exec::memory_space> const& rhs, FixedNodes<Exec> const& fixed,
                Kokkos::View<Scalar const*, typename Exec::memory_space> const& values) {
  Region const region("karman::fem::fix_values");
  auto const rows = static_cast<std::size_t>(matrix.rows());
  require(rhs.extent(0) == rows && fixed.extent(0) == rows && values.extent(0) == rows,
          "fix_values: right-hand side, fixed nodes and values need one entry for every row");
  Kokkos::parallel_for("karman::fem::fix_values", Kokkos::RangePolicy<Exec>(space, 0, matrix.rows()),
                       FixRow<Exec, Scalar>{matrix, rhs, fixed, values});
}

#define KARMAN_INSTANTIATE_SCALAR(Exec, Scalar)                                                                \
  template void fix_values(Exec const&, CsrMatrix<Exec, Scalar> const&,                                        \
                           Kokkos::View<Scalar*, typename Exec::memory_space> const&, FixedNodes<Exec> const&, \
                           Kokkos::View<Scalar const*, typename Exec::memory_space> const&);
#define KARMAN_INSTANTIATE(Exec)                                                                                \
  template FixedNodes<Exec> nodes_with_labels(Exec const&, TriangleMesh<Exec> const&, std::vector<int> const&); \
  template FixedNodes<Exec> boundary_nodes(Exec const&, TriangleMesh<Exec> const&);                             \
  KARMAN_INSTANTIATE_SCALAR(Exec, float)                                                                        \
  KARMAN_INSTANTIATE_SCALAR(Exec, double)                                                                       \
  KARMAN_INSTANTIATE_SCALAR(Exec, Kokkos::complex<float>)                                                       \
  KARMAN_INSTANTIATE_SCALAR(Exec, Kokkos::complex<double>)
KARMAN_FOR_EACH_BACKEND(KARMAN_INSTANTIATE)
#undef KARMAN_INSTANTIATE
#undef KARMAN_INSTANTIATE_SCALAR

}  // namespace karman
