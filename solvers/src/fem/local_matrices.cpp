// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fem_setup.hpp"
#include <karman/core/compat.hpp>
#include <karman/core/error.hpp>
#include <karman/core/profiling.hpp>
#include <karman/mesh/mesh_connectivity.hpp>
#include <karman/solvers/fem/local_matrices.hpp>

#include <cstdint>

namespace karman {

namespace {

template <class Exec>
void find_corners(Exec const& space, TriangleMesh<Exec> const& mesh, Graph<Exec> const& around,
                  detail::FemArray<Exec, std::uint8_t> const& corner) {
  auto const triangles = mesh.triangles;
  Kokkos::parallel_for(
      "karman::fem::corners", Kokkos::RangePolicy<Exec>(space, 0, around.rows()), KOKKOS_LAMBDA(int i) {
        for (int n = around.offsets(i); n < around.offsets(i + 1); ++n) {
          int const t = around.entries(n);
          corner(n) = static_cast<std::uint8_t>(triangles(t, 0) == i ? 0 : triangles(t, 1) == i ? 1 : 2);
        }
      });
}

}  // namespace

template <ExecutionSpace Exec, SparseScalar Scalar>
LocalMatrices<Exec, Scalar>::LocalMatrices(Exec const& space, TriangleMesh<Exec> const& mesh) {
  Region const region("karman::fem::local_plan");
  require(reinterpret_cast<std::uintptr_t>(mesh.nodes.data()) % sizeof(detail::FemPoint) == 0,
          "LocalMatrices: the coordinates of the mesh must be aligned to 16 bytes");
  elements_.mesh = mesh;
  elements_.points = reinterpret_cast<detail::FemPoint const*>(mesh.nodes.data());
  elements_.matrices = typename detail::LocalElements<Exec, Scalar>::Matrices(
      Kokkos::view_alloc(space, std::string("karman::fem::local_matrices")), mesh.triangles.extent(0));
  elements_.around = triangles_around_nodes(space, mesh);
  elements_.corner =
      detail::fem_array<Exec, std::uint8_t>(space, elements_.around.entries.extent(0), "karman::fem::local_corners");
  find_corners(space, mesh, elements_.around, elements_.corner);
  compat::fence(space, "karman::fem::local_plan");
}

template <ExecutionSpace Exec, SparseScalar Scalar>
int LocalMatrices<Exec, Scalar>::size() const {
  return elements_.mesh.node_count();
}

template <ExecutionSpace Exec, SparseScalar Scalar>
void LocalMatrices<Exec, Scalar>::apply(Exec const& space, ConstVector<Exec, Scalar> const& x,
                                        Vector<Exec, Scalar> const& result) const {
  auto const nodes = static_cast<std::size_t>(size());
  require(x.extent(0) == nodes && result.extent(0) == nodes, "LocalMatrices: vectors must have a value per node");
  Kokkos::parallel_for("karman::fem::local_product", Kokkos::RangePolicy<Exec>(space, 0, elements_.mesh.node_count()),
                       detail::MultiplyMatrices<Exec, Scalar>{elements_, x.data(), result.data()});
}

#define KARMAN_INSTANTIATE(Exec)                              \
  template class LocalMatrices<Exec, float>;                  \
  template class LocalMatrices<Exec, double>;                 \
  template class LocalMatrices<Exec, Kokkos::complex<float>>; \
  template class LocalMatrices<Exec, Kokkos::complex<double>>;
KARMAN_FOR_EACH_BACKEND(KARMAN_INSTANTIATE)
#undef KARMAN_INSTANTIATE

}  // namespace karman
