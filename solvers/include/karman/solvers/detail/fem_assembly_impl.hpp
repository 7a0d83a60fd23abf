// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The launches of assemble() and add_boundary().
#pragma once

#include <karman/core/error.hpp>
#include <karman/core/profiling.hpp>
#include <karman/solvers/detail/fem_blocks.hpp>
#include <karman/solvers/detail/fem_boundary.hpp>
#include <karman/solvers/detail/fem_elements.hpp>
#include <karman/solvers/detail/fem_plan.hpp>
#include <karman/solvers/detail/fem_row_blocks.hpp>
#include <karman/solvers/detail/fem_row_gather.hpp>
#include <karman/solvers/fem/fem_assembly.hpp>

#include <cstddef>
#include <cstdint>

namespace karman::detail {

/// Destination of an assembly.
template <class Exec, class Scalar>
struct FemTarget {
  Scalar* values;
  Scalar* vector;  ///< null: no vector
  std::int64_t entries;
  int rows;
  FemPoint const* points;
};

template <class Exec, class Scalar, class Vector>
FemTarget<Exec, Scalar> fem_target(FemPlan<Exec> const& plan, CsrMatrix<Exec, Scalar> const& matrix,
                                   Vector const& vector) {
  require(matrix.rows() == plan.mesh.node_count() && matrix.values.extent(0) == plan.profile.graph.entries.extent(0),
          "assemble: the matrix has other rows or entries than the profile of the plan");
  require(vector.extent(0) == 0 || vector.extent(0) == plan.mesh.nodes.extent(0),
          "assemble: the vector needs a value for every node");
  return {matrix.values.data(), vector.extent(0) == 0 ? nullptr : vector.data(),
          static_cast<std::int64_t>(matrix.values.extent(0)), matrix.rows(),
          reinterpret_cast<FemPoint const*>(plan.mesh.nodes.data())};
}

template <bool with_vector, class Exec, class Scalar, class Kernel>
void gather_rows(Exec const& space, FemPlan<Exec> const& plan, Kernel const& kernel,
                 FemTarget<Exec, Scalar> const& to) {
  using Functor = RowGather<Exec, Scalar, Kernel, with_vector>;
  require(!needs_number<Kernel> || plan.rings.corners.extent(0) == plan.rings.neighbors.extent(0),
          "assemble: the kernel needs triangle numbers; plan with triangle_numbers = true");
  if (to.rows == 0) return;
  int const teams = (to.rows + Functor::shape.rows - 1) / Functor::shape.rows;
  Kokkos::TeamPolicy<Exec> policy(space, teams, Functor::shape.threads, 1);
  bool in_scratch = false;
  if constexpr (Functor::shape.staged) {
    std::size_t const bytes = static_cast<std::size_t>(plan.rings.most_staged) * sizeof(Scalar) + 32;
    in_scratch = bytes <= static_cast<std::size_t>(policy.scratch_size_max(0));
    if (in_scratch) policy.set_scratch_size(0, Kokkos::PerTeam(static_cast<int>(bytes)));
  }
  auto const& offsets = plan.profile.graph.offsets;
  bool const moved = in_scratch && plan.value_bytes >= sizeof(Scalar);
  auto* const in_order = moved ? reinterpret_cast<Scalar*>(plan.storage.data()) : nullptr;
  Kokkos::parallel_for(
      "karman::fem::row_gather", policy,
      Functor{kernel, plan.rings, offsets, to.points, to.values, to.vector, to.rows, in_scratch, in_order});
  if (!moved) return;
  Kokkos::parallel_for("karman::fem::move_rows",
                       Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::int64_t>>(
                           space, 0, row_writers * static_cast<std::int64_t>(to.rows)),
                       MoveRows<Exec, Scalar>{offsets, plan.rings.places, in_order, to.values});
}

template <class Exec, class Scalar>
void fill_zero(Exec const& space, FemTarget<Exec, Scalar> const& to) {
  using Policy = Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::int64_t>>;
  Kokkos::parallel_for("karman::fem::zero", Policy(space, 0, to.entries), FillZero<Exec, Scalar>{to.values});
  if (to.vector == nullptr) return;
  Kokkos::parallel_for("karman::fem::zero", Policy(space, 0, to.rows), FillZero<Exec, Scalar>{to.vector});
}

template <class Exec, class Scalar, class Kernel>
void add_elements_atomically(Exec const& space, FemPlan<Exec> const& plan, Kernel const& kernel,
                             FemTarget<Exec, Scalar> const& to) {
  fill_zero(space, to);
  Kokkos::parallel_for(
      "karman::fem::atomic", Kokkos::RangePolicy<Exec>(space, 0, plan.mesh.triangle_count()),
      AtomicElements<Exec, Scalar, Kernel>{kernel, plan.order, plan.mesh.triangles, plan.profile.element_entries,
                                           to.points, to.values, to.vector});
}

template <class Exec, class Scalar>
void zero_lone_rows(Exec const& space, FemPlan<Exec> const& plan, FemTarget<Exec, Scalar> const& to) {
  Kokkos::parallel_for("karman::fem::lone_rows", Kokkos::RangePolicy<Exec>(space, 0, to.rows),
                       ZeroLoneRows<Exec, Scalar>{plan.profile.graph.offsets, to.values, to.vector});
}

template <class Exec, class Scalar, class Kernel>
void add_elements_by_color(Exec const& space, FemPlan<Exec> const& plan, Kernel const& kernel,
                           FemTarget<Exec, Scalar> const& to) {
  auto const& elements = plan.elements;
  zero_lone_rows(space, plan, to);
  for (std::size_t c = 0; c + 1 < elements.begin.size(); ++c) {
    Kokkos::parallel_for("karman::fem::colored",
                         Kokkos::RangePolicy<Exec>(space, elements.begin[c], elements.begin[c + 1]),
                         ColoredElements<Exec, Scalar, Kernel>{kernel, elements.number, elements.nodes,
                                                               elements.entries, to.points, to.values, to.vector});
  }
}

/// The fast scratch where this much fits.
template <class Policy>
int scratch_level(Policy const& policy, std::size_t bytes) {
  return bytes <= static_cast<std::size_t>(policy.scratch_size_max(0)) ? 0 : 1;
}

template <class Exec, class Scalar, class Kernel>
void add_blocks_by_color(Exec const& space, FemPlan<Exec> const& plan, Kernel const& kernel,
                         FemTarget<Exec, Scalar> const& to) {
  using Functor = BlockElements<Exec, Scalar, Kernel>;
  auto const& blocks = plan.blocks;
  zero_lone_rows(space, plan, to);
  auto const& begin = plan.block_begin;
  auto const bytes = Functor::scratch_bytes(blocks.blocks.most_nodes, blocks.most_entries);
  for (std::size_t c = 0; c + 1 < begin.size(); ++c) {
    int const first = begin[c], count = begin[c + 1] - first;
    if (count == 0) continue;
    Kokkos::TeamPolicy<Exec> policy(space, count, block_shape<Exec>(sizeof(Scalar)).threads, 1);
    int const level = scratch_level(policy, bytes);
    policy.set_scratch_size(level, Kokkos::PerTeam(static_cast<int>(bytes)));
    Kokkos::parallel_for("karman::fem::colored_blocks", policy,
                         Functor{kernel, blocks, to.points, to.values, to.vector, first, level});
  }
}

template <bool with_vector, class Exec, class Scalar, class Kernel>
void add_row_blocks(Exec const& space, FemPlan<Exec> const& plan, Kernel const& kernel,
                    FemTarget<Exec, Scalar> const& to) {
  using Functor = RowBlockElements<Exec, Scalar, Kernel, with_vector>;
  auto const& blocks = plan.row_blocks;
  require(!needs_number<Kernel> || blocks.triangles.entries.extent(0) == blocks.local_nodes.places,
          "assemble: the kernel needs triangle numbers; plan with triangle_numbers = true");
  if (to.rows == 0) return;
  Kokkos::TeamPolicy<Exec> policy(space, blocks.nodes.rows(), row_block_shape<Exec>(sizeof(Scalar)).threads, 1);
  auto const bytes = Functor::scratch_bytes(blocks.most_nodes, blocks.most_entries);
  int const level = scratch_level(policy, bytes);
  policy.set_scratch_size(level, Kokkos::PerTeam(static_cast<int>(bytes)));
  Kokkos::parallel_for(
      "karman::fem::row_blocks", policy,
      Functor{kernel, blocks, plan.profile.graph.offsets, to.points, to.values, to.vector, to.rows, level});
}

template <class Exec, class Scalar, class Kernel>
void store_and_sum(Exec const& space, FemPlan<Exec> const& plan, Kernel const& kernel,
                   FemTarget<Exec, Scalar> const& to) {
  require(sizeof(Scalar) <= plan.value_bytes,
          "assemble: the plan has element storage for smaller scalars; see FemAssemblySetup::value_bytes");
  auto* const storage = reinterpret_cast<Scalar*>(plan.storage.data());
  int const triangles = plan.mesh.triangle_count();
  Kokkos::parallel_for("karman::fem::store", Kokkos::RangePolicy<Exec>(space, 0, triangles),
                       StoreElements<Exec, Scalar, Kernel>{
                           kernel, plan.mesh.triangles, to.points, storage, to.vector != nullptr, {triangles}});
  auto const& sources = plan.sources;
  Kokkos::parallel_for("karman::fem::sum", Kokkos::RangePolicy<Exec>(space, 0, to.entries),
                       SumSources<Exec, Scalar>{sources.entry_offsets, sources.entry_sources, storage, to.values});
  if (to.vector == nullptr) return;
  Kokkos::parallel_for("karman::fem::sum", Kokkos::RangePolicy<Exec>(space, 0, to.rows),
                       SumSources<Exec, Scalar>{sources.row_offsets, sources.row_sources, storage, to.vector});
}

}  // namespace karman::detail

namespace karman {

template <ExecutionSpace Exec, SparseScalar Scalar, ElementKernel<Scalar> Kernel>
void assemble(Exec const& space, FemAssembly<Exec> const& plan, Kernel const& kernel,
              CsrMatrix<Exec, Scalar> const& matrix,
              std::type_identity_t<Kokkos::View<Scalar*, typename Exec::memory_space>> const& vector) {
  Region const region("karman::fem::assemble");
  auto const& parts = plan.plan();
  auto const to = detail::fem_target(parts, matrix, vector);
  switch (plan.strategy()) {
    case AssemblyStrategy::row_gather:
      if (to.vector == nullptr) detail::gather_rows<false>(space, parts, kernel, to);
      else detail::gather_rows<true>(space, parts, kernel, to);
      break;
    case AssemblyStrategy::atomic: detail::add_elements_atomically(space, parts, kernel, to); break;
    case AssemblyStrategy::colored: detail::add_elements_by_color(space, parts, kernel, to); break;
    case AssemblyStrategy::colored_blocks: detail::add_blocks_by_color(space, parts, kernel, to); break;
    case AssemblyStrategy::row_blocks:
      if (to.vector == nullptr) detail::add_row_blocks<false>(space, parts, kernel, to);
      else detail::add_row_blocks<true>(space, parts, kernel, to);
      break;
    case AssemblyStrategy::expanded: detail::store_and_sum(space, parts, kernel, to); break;
    case AssemblyStrategy::automatic: break;  // resolved when the plan is made
  }
}

template <ExecutionSpace Exec, SparseScalar Scalar, EdgeKernel<Scalar> Kernel>
void add_boundary(Exec const& space, FemAssembly<Exec> const& plan, Kernel const& kernel,
                  CsrMatrix<Exec, Scalar> const& matrix,
                  std::type_identity_t<Kokkos::View<Scalar*, typename Exec::memory_space>> const& vector) {
  Region const region("karman::fem::add_boundary");
  auto const& parts = plan.plan();
  auto const to = detail::fem_target(parts, matrix, vector);
  auto const& boundary = parts.boundary;
  Kokkos::parallel_for(
      "karman::fem::boundary", Kokkos::RangePolicy<Exec>(space, 0, static_cast<std::int64_t>(boundary.nodes.extent(0))),
      detail::AddBoundary<Exec, Scalar, Kernel>{kernel, boundary, parts.mesh.edges, parts.mesh.edge_labels,
                                                parts.profile.edge_entries, to.points, to.values, to.vector});
}

}  // namespace karman
