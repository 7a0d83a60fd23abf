// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lists.hpp"
#include "parts.hpp"
#include "patch_plan.hpp"
#include "patches.hpp"
#include <karman/core/error.hpp>
#include <karman/core/host_copy.hpp>
#include <karman/core/profiling.hpp>
#include <karman/solvers/euler/euler_fused_stages.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <numeric>
#include <optional>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

namespace karman {

namespace {

using detail::at;

template <class Exec, class T>
detail::PatchMesh patch_mesh(Exec const& space, detail::EulerParts<Exec, T> const& parts) {
  auto const& plan = parts.plan;
  detail::PatchMesh mesh{host_copy<std::array<double, 2>>(space, plan.mesh.nodes),
                         host_copy<std::array<int, 3>>(space, plan.mesh.triangles),
                         parts.order.groups,
                         {}};
  auto const nodes = mesh.points.size();
  if (mesh.group.empty()) {
    mesh.group.resize(nodes);
    std::iota(mesh.group.begin(), mesh.group.end(), 0);
  }
  mesh.half_edges.assign(nodes, {0, 0});
  if (plan.rows.half_edge_begin.extent(0) == 0) return mesh;
  auto const node_begin = host_copy(space, plan.rows.node_begin), row_nodes = host_copy(space, plan.rows.nodes);
  auto const begin = host_copy(space, plan.rows.half_edge_begin);
  for (int row = 0; row < plan.rows.count; ++row) {
    int const node = node_begin.empty() ? row : row_nodes[at(node_begin[at(row)])];
    mesh.half_edges[at(mesh.group[at(node)])] = {begin[at(row)], begin[at(row) + 1]};
  }
  return mesh;
}

/// Edges of the triangles of the patches.
template <class T>
std::vector<detail::EulerEdges<T>> edges_of(detail::PatchMesh const& mesh, std::vector<int> const& triangles) {
  std::vector<detail::EulerEdges<T>> edges;
  edges.reserve(triangles.size());
  for (int const t : triangles) {
    auto const [a, b, c] = mesh.triangles[at(t)];
    auto const &p = mesh.points[at(a)], &q = mesh.points[at(b)], &r = mesh.points[at(c)];
    edges.push_back({static_cast<T>(q[0] - p[0]), static_cast<T>(q[1] - p[1]), static_cast<T>(r[0] - p[0]),
                     static_cast<T>(r[1] - p[1])});
  }
  return edges;
}

}  // namespace

template <ExecutionSpace Exec, Real T>
struct EulerFusedStages<Exec, T>::State {
  using Numbers = detail::EulerArray<Exec, int>;
  using Places = detail::EulerArray<Exec, std::uint16_t>;
  EulerRhs<Exec, T> const& rhs;
  ResidualSmoothingSetup smoothing;
  int patches;
  detail::EulerPatchSizes sizes;
  detail::EulerArray<Exec, detail::EulerPatch> headers;
  detail::EulerArray<Exec, detail::EulerEdges<T>> edges;
  Numbers nodes, places, corner_begin, neighbor_begin, boundary_begin, boundary_end, output_nodes, output_places;
  Places local_nodes, corners, neighbors, boundary_of, boundary_slots, output_slots;

  State(Exec const& space, EulerRhs<Exec, T> const& rhs_, ResidualSmoothingSetup const& smoothing_, int patch_nodes)
      : rhs(rhs_), smoothing(smoothing_) {
    auto const parts = rhs.parts();
    auto const mesh = patch_mesh(space, parts);
    auto const most = static_cast<std::size_t>(bytes_of_level(space, 0));
    auto const lists = detail::make_patches(
        mesh, patch_nodes > 0 ? patch_nodes : chosen_nodes(space, mesh.points.size()), smoothing.sweeps,
        [&](auto const& found) { return runs_on_host<Exec> || Kernel<true>::scratch_bytes(found) <= most; });
    patches = static_cast<int>(lists.patches.size());
    sizes = lists.sizes;
    auto const copy = [&](auto const& values) { return device_copy(space, values, "karman::euler::patches"); };
    auto const& given = parts.order.on_host;
    auto const by_caller = [&](std::vector<int> numbers) {
      for (int& node : numbers) node = given.empty() ? node : given[at(node)];
      return copy(numbers);
    };
    headers = copy(lists.patches);
    edges = copy(edges_of<T>(mesh, lists.triangles));
    nodes = by_caller(lists.places);
    places = copy(lists.places);
    corner_begin = copy(lists.corner_begin);
    neighbor_begin = copy(lists.neighbor_begin);
    boundary_begin = copy(lists.boundary_begin);
    boundary_end = copy(lists.boundary_end);
    output_nodes = by_caller(lists.output_places);
    output_places = copy(lists.output_places);
    local_nodes = copy(lists.local_nodes);
    corners = copy(lists.corners);
    neighbors = copy(lists.neighbors);
    boundary_of = copy(lists.boundary_of);
    boundary_slots = copy(lists.boundary_slots);
    output_slots = copy(lists.output_slots);
  }

  template <bool stabilized>
  using Kernel = detail::EulerPatchKernel<Exec, T, stabilized>;

  static int bytes_of_level(Exec const& space, int level) {
    return typename Kernel<true>::Policy(space, 1, Kernel<true>::threads).scratch_size_max(level);
  }

  /// Nodes of a patch where all patches run at once: two teams on each multiprocessor of 2048 threads.
  static int chosen_nodes(Exec const& space, std::size_t nodes) {
    int const teams = std::max(1, static_cast<int>(space.concurrency()) / 1024);
    constexpr int fewest = 12, most = 40;
    return std::clamp(static_cast<int>(nodes) / teams + 1, fewest, most);
  }

  detail::EulerPatchTables<T> tables(detail::EulerPlan<Exec, T> const& plan) const {
    return {headers.data(),
            nodes.data(),
            places.data(),
            edges.data(),
            local_nodes.data(),
            corner_begin.data(),
            corners.data(),
            neighbor_begin.data(),
            neighbors.data(),
            boundary_of.data(),
            boundary_slots.data(),
            boundary_begin.data(),
            boundary_end.data(),
            output_slots.data(),
            output_nodes.data(),
            output_places.data(),
            plan.rows.half_edges.data()};
  }

  template <bool stabilized>
  void run(Exec const& space, char const* label, detail::EulerPlan<Exec, T> const& plan,
           detail::EulerPatchStage<T> const& stage) const {
    if (patches == 0) return;
    typename Kernel<stabilized>::Policy policy(space, patches, Kernel<stabilized>::threads, 1);
    auto const bytes = static_cast<int>(Kernel<stabilized>::scratch_bytes(sizes));
    // Always the fast one on a device.
    int const level = bytes <= bytes_of_level(space, 0) ? 0 : 1;
    policy.set_scratch_size(level, Kokkos::PerTeam(bytes));
    Kokkos::parallel_for(label, policy, Kernel<stabilized>{tables(plan), stage, sizes, level});
  }

  void check(std::size_t found, std::size_t wanted, char const* argument) const {
    require(found == wanted, "EulerFusedStages: " + std::string(argument) + " has " + std::to_string(found) +
                                 " values; it must have " + std::to_string(wanted));
  }

  /// Data that all stages of `u` share.
  detail::EulerPatchStage<T> stage(detail::EulerParts<Exec, T> const& parts, ConstEulerField<Exec, T> const& u) const {
    auto const& [setup, order, labels, plan, ready] = parts;
    require(ready, "EulerFusedStages: the mesh has a boundary; call EulerRhs::set_boundary() first");
    check(u.extent(0), at(plan.nodes()), "u");
    return {.from = {u.data(), plan.projection.data(), nullptr, static_cast<T>(setup.gamma),
                     static_cast<T>(setup.shock_capturing), plan.nodes(), nullptr},
            .sides = plan.sides.data(),
            .inverse_mass = plan.inverse_mass.data()};
  }
};

template <ExecutionSpace Exec, Real T>
bool EulerFusedStages<Exec, T>::possible(EulerRhs<Exec, T> const& rhs, ResidualSmoothing<Exec, T> const* smoothing) {
  auto const& setup = rhs.setup();
  return setup.local_steps && setup.scheme == EulerScheme::supg && !setup.moving &&
         (smoothing == nullptr || smoothing->setup().sweeps <= detail::most_patch_sweeps);
}

template <ExecutionSpace Exec, Real T>
std::optional<EulerFusedStages<Exec, T>> EulerFusedStages<Exec, T>::if_faster(
    Exec const& space, EulerRhs<Exec, T> const& rhs, ResidualSmoothing<Exec, T> const* smoothing) {
  if (runs_on_host<Exec> || !possible(rhs, smoothing)) return std::nullopt;
  if (rhs.parts().plan.mesh.triangle_count() > euler_fused_most_triangles) return std::nullopt;
  try {
    return EulerFusedStages(space, rhs, smoothing);
  } catch (std::invalid_argument const&) {
    return std::nullopt;  // a node with hundreds of triangles
  }
}

template <ExecutionSpace Exec, Real T>
EulerFusedStages<Exec, T>::EulerFusedStages(Exec const& space, EulerRhs<Exec, T> const& rhs,
                                            ResidualSmoothing<Exec, T> const* smoothing, int patch_nodes) {
  Region const region("karman::euler::plan_patches");
  require(possible(rhs, smoothing),
          "EulerFusedStages: only for EulerScheme::supg with local_steps, nodes at rest and at most " +
              std::to_string(detail::most_patch_sweeps) + " sweeps");
  require(smoothing == nullptr || smoothing->nodes() == rhs.nodes(),
          "EulerFusedStages: the smoothing has another mesh");
  require(patch_nodes >= 0,
          "EulerFusedStages: patch_nodes must be at least 1, or 0 for a choice; it is " + std::to_string(patch_nodes));
  auto const setup = smoothing != nullptr ? smoothing->setup() : ResidualSmoothingSetup{.factor = 0, .sweeps = 0};
  state_ = {"EulerFusedStages", std::unique_ptr<State>(new State(space, rhs, setup, patch_nodes))};
}

template <ExecutionSpace Exec, Real T>
void EulerFusedStages<Exec, T>::project(Exec const& space, ConstEulerField<Exec, T> const& u) const {
  Region const region("karman::euler::project");
  State const& s = *state_;
  auto const parts = s.rhs.parts();
  if (!parts.setup.stabilization) return;
  auto stage = s.stage(parts, u);
  stage.result = parts.plan.projection.data();
  s.template run<false>(space, "karman::euler::project_patches", parts.plan, stage);
}

template <ExecutionSpace Exec, Real T>
void EulerFusedStages<Exec, T>::advance(Exec const& space, ConstEulerField<Exec, T> const& base,
                                        ConstEulerField<Exec, T> const& u, double factor,
                                        ConstVector<Exec, T> const& dt, EulerField<Exec, T> const& result,
                                        Vector<Exec, T> const& rates) const {
  Region const region("karman::euler::advance_patches");
  State const& s = *state_;
  auto const parts = s.rhs.parts();
  auto stage = s.stage(parts, u);
  auto const nodes = at(parts.plan.nodes());
  s.check(base.extent(0), nodes, "base");
  s.check(result.extent(0), nodes, "result");
  s.check(dt.extent(0), nodes, "dt");
  if (rates.data() != nullptr) s.check(rates.extent(0), 4 * nodes, "rates");
  require(nodes == 0 || u.data() != result.data(), "EulerFusedStages: result must not overlap u");
  stage.dt = dt.data();
  stage.base = base.data();
  stage.result = result.data();
  stage.rates = rates.data();
  stage.factor = static_cast<T>(factor);
  stage.eps = static_cast<T>(s.smoothing.factor);
  stage.sweeps = s.smoothing.sweeps;
  parts.setup.stabilization ? s.template run<true>(space, "karman::euler::patches", parts.plan, stage)
                            : s.template run<false>(space, "karman::euler::patches", parts.plan, stage);
}

template <ExecutionSpace Exec, Real T>
int EulerFusedStages<Exec, T>::patches() const {
  return state_->patches;
}

template <ExecutionSpace Exec, Real T>
std::int64_t EulerFusedStages<Exec, T>::workspace_bytes() const {
  State const& s = *state_;
  auto const bytes = [](auto const&... views) {
    return (static_cast<std::int64_t>(views.span() * sizeof(typename std::decay_t<decltype(views)>::value_type)) + ...);
  };
  return bytes(s.headers, s.edges, s.nodes, s.places, s.corner_begin, s.neighbor_begin, s.boundary_begin,
               s.boundary_end, s.output_nodes, s.output_places, s.local_nodes, s.corners, s.neighbors, s.boundary_of,
               s.boundary_slots, s.output_slots);
}

#define KARMAN_INSTANTIATE(Exec)                \
  template class EulerFusedStages<Exec, float>; \
  template class EulerFusedStages<Exec, double>;
KARMAN_FOR_EACH_BACKEND(KARMAN_INSTANTIATE)
#undef KARMAN_INSTANTIATE

}  // namespace karman
