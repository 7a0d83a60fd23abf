// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fem_setup.hpp"
#include "mesh/curve_order.hpp"
#include "mesh/scattered_nodes.hpp"
#include <karman/core/compat.hpp>
#include <karman/core/error.hpp>
#include <karman/core/profiling.hpp>
#include <karman/solvers/detail/fem_elements.hpp>
#include <karman/solvers/fem/fem_assembly.hpp>

#include <cstdint>
#include <memory>

namespace karman {

namespace {

/// Bytes of Views, for example of a graph.
template <class... Views>
std::int64_t bytes_of(Views const&... views) {
  return (std::int64_t(0) + ... +
          (static_cast<std::int64_t>(views.span()) * std::int64_t(sizeof(typename Views::value_type))));
}

template <class Exec>
std::int64_t bytes_of_plan(detail::FemPlan<Exec> const& plan) {
  auto const& r = plan.rings;
  auto const& e = plan.elements;
  auto const& b = plan.blocks;
  auto const& w = plan.row_blocks;
  auto const& s = plan.sources;
  return bytes_of(r.order, r.offsets, r.places, r.neighbors, r.columns.narrow, r.columns.wide, r.corners, e.number,
                  e.nodes, e.entries, b.blocks.triangles.entries, b.blocks.local_nodes, b.blocks.nodes.entries,
                  b.blocks.inner_colors.entries, b.row_begin, b.targets, b.entries, b.columns.narrow, b.columns.wide,
                  w.nodes.offsets, w.nodes.entries, w.row_begin, w.triangles.offsets, w.triangles.entries,
                  w.local_nodes.numbers, w.entries.numbers, s.entry_offsets, s.entry_sources, s.row_offsets,
                  s.row_sources, plan.boundary.nodes, plan.boundary.edges.offsets, plan.boundary.edges.entries,
                  plan.order, plan.storage);
}

template <class Exec>
bool along_curve(Exec const& space, TriangleMesh<Exec> const& mesh, AssemblyOrder order) {
  if (order != AssemblyOrder::automatic) return order == AssemblyOrder::along_curve;
  return detail::is_scattered(space, mesh);
}

template <class Exec>
std::shared_ptr<detail::FemPlan<Exec> const> make_plan(Exec const& space, TriangleMesh<Exec> const& mesh,
                                                       FemProfile<Exec> const& profile, FemAssemblySetup const& setup,
                                                       AssemblyStrategy strategy) {
  using S = AssemblyStrategy;
  auto plan = std::make_shared<detail::FemPlan<Exec>>();
  plan->mesh = mesh;
  plan->profile = profile;
  bool const curve = along_curve(space, mesh, setup.order);
  auto order = typename Graph<Exec>::Numbers();
  switch (strategy) {
    case S::row_gather:
      if (curve) order = detail::nodes_along_curve(space, mesh);
      plan->rings = detail::make_rings(space, mesh, profile.graph, order, setup.triangle_numbers);
      if (std::size_t const bytes = profile.graph.entries.extent(0) * setup.value_bytes;
          curve && !runs_on_host<Exec> && bytes >= setup.moved_bytes) {
        plan->rings.places = detail::make_row_places(space, plan->rings);
        plan->value_bytes = setup.value_bytes;
        plan->storage = detail::fem_array<Exec, std::byte>(space, bytes, "karman::fem::rows_in_order");
      }
      break;
    case S::atomic:
      if (curve) plan->order = detail::triangles_along_curve(space, mesh);
      break;
    case S::colored:
      if (curve) order = detail::triangles_along_curve(space, mesh);
      plan->elements = detail::make_colored_elements(space, mesh, profile, order);
      break;
    case S::row_blocks:
      // Rows in the order of a mesh may form strips whose rims are as long as the strips themselves.
      if (setup.order != AssemblyOrder::as_given) order = detail::nodes_along_curve(space, mesh);
      plan->row_blocks = detail::make_row_blocks(space, mesh, profile.graph, order, setup);
      break;
    case S::colored_blocks: detail::make_blocks(space, *plan, setup); break;
    case S::expanded:
      plan->sources = detail::make_sources(space, mesh, profile);
      plan->value_bytes = setup.value_bytes;
      plan->storage = detail::fem_array<Exec, std::byte>(
          space, mesh.triangles.extent(0) * detail::ElementStorage<Exec>::values_each * setup.value_bytes,
          "karman::fem::element_storage");
      break;
    case S::automatic: break;
  }
  plan->boundary = detail::make_boundary(space, mesh);
  plan->bytes = bytes_of_plan(*plan);
  compat::fence(space, "karman::fem::plan");
  return plan;
}

}  // namespace

std::string_view name(AssemblyStrategy strategy) {
  switch (strategy) {
    case AssemblyStrategy::automatic: return "automatic";
    case AssemblyStrategy::atomic: return "atomic";
    case AssemblyStrategy::colored: return "colored";
    case AssemblyStrategy::colored_blocks: return "colored_blocks";
    case AssemblyStrategy::row_gather: return "row_gather";
    case AssemblyStrategy::row_blocks: return "row_blocks";
    case AssemblyStrategy::expanded: return "expanded";
  }
  return "";
}

bool needs_element_map(AssemblyStrategy strategy) {
  using S = AssemblyStrategy;
  return strategy != S::automatic && strategy != S::row_gather && strategy != S::row_blocks;
}

template <ExecutionSpace Exec>
FemAssembly<Exec>::FemAssembly(Exec const& space, TriangleMesh<Exec> const& mesh, FemProfile<Exec> const& profile,
                               FemAssemblySetup const& setup)
    : strategy_(setup.strategy == AssemblyStrategy::automatic ? automatic_strategy<Exec>() : setup.strategy) {
  Region const region("karman::fem::plan");
  require(profile.graph.rows() == mesh.node_count() && profile.edge_entries.extent(0) == mesh.edges.extent(0),
          "FemAssembly: the profile belongs to another mesh");
  bool const mapped = profile.element_entries.extent(0) == mesh.triangles.extent(0);
  require(mapped || !needs_element_map(strategy_),
          "FemAssembly: the strategy " + std::string(name(strategy_)) +
              " needs the map of the elements: make_fem_profile(space, mesh, true)");
  require(setup.value_bytes == 4 || setup.value_bytes == 8 || setup.value_bytes == 16,
          "FemAssemblySetup: value_bytes is the size of a scalar, 4, 8 or 16");
  require(setup.block_triangles >= 0, "FemAssemblySetup: block_triangles is negative");
  require(setup.block_rows >= 0, "FemAssemblySetup: block_rows is negative");
  require(reinterpret_cast<std::uintptr_t>(mesh.nodes.data()) % sizeof(detail::FemPoint) == 0,
          "FemAssembly: the coordinates of the mesh must be aligned to 16 bytes");
  plan_ = make_plan(space, mesh, profile, setup, strategy_);
}

template <ExecutionSpace Exec>
bool FemAssembly<Exec>::reordered() const {
  return plan_->rings.order.extent(0) > 0 || plan_->order.extent(0) > 0 || plan_->elements.along_curve ||
         plan_->row_blocks.along_curve;
}

template <ExecutionSpace Exec>
bool FemAssembly<Exec>::deterministic() const {
  if (strategy_ == AssemblyStrategy::row_blocks) return runs_on_host<Exec>;
  return strategy_ != AssemblyStrategy::atomic;
}

template <ExecutionSpace Exec>
std::int64_t FemAssembly<Exec>::workspace_bytes() const {
  return plan_->bytes;
}

#define KARMAN_INSTANTIATE(Exec) template class FemAssembly<Exec>;
KARMAN_FOR_EACH_BACKEND(KARMAN_INSTANTIATE)
#undef KARMAN_INSTANTIATE

}  // namespace karman
