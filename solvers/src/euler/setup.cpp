// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "setup.hpp"

#include "blocks.hpp"
#include "dual_edges.hpp"
#include "lists.hpp"
#include "mesh/periodic_groups.hpp"
#include "motion.hpp"
#include <karman/core/compat.hpp>
#include <karman/core/error.hpp>
#include <karman/core/host_copy.hpp>
#include <karman/mesh/coloring.hpp>
#include <karman/mesh/mesh_connectivity.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <map>
#include <numeric>
#include <string>
#include <utility>

namespace karman::detail {

namespace {

/// The mesh on the host.
struct HostMesh {
  std::vector<double> nodes;
  std::vector<int> triangles, edges, edge_labels;
  int node_count() const { return static_cast<int>(nodes.size() / 2); }
  double x(int node) const { return nodes[2 * static_cast<std::size_t>(node)]; }
  double y(int node) const { return nodes[2 * static_cast<std::size_t>(node) + 1]; }
};

/// 1 / (a third of the areas around each node), summed over periodic groups.
template <class T>
std::vector<T> inverse_masses(HostMesh const& mesh, std::vector<int> const& group) {
  auto const n = static_cast<std::size_t>(mesh.node_count());
  std::vector<double> mass(n, 0.0);
  auto const owner = [&](int node) {
    return static_cast<std::size_t>(group.empty() ? node : group[std::size_t(node)]);
  };
  for (std::size_t t = 0; t < mesh.triangles.size(); t += 3) {
    int const a = mesh.triangles[t], b = mesh.triangles[t + 1], c = mesh.triangles[t + 2];
    double const twice =
        (mesh.x(b) - mesh.x(a)) * (mesh.y(c) - mesh.y(a)) - (mesh.x(c) - mesh.x(a)) * (mesh.y(b) - mesh.y(a));
    for (int const node : {a, b, c}) mass[owner(node)] += twice / 6;
  }
  std::vector<T> inverse(n);
  for (std::size_t i = 0; i < n; ++i) {
    double const own = mass[owner(static_cast<int>(i))];
    inverse[i] = own > 0 ? static_cast<T>(1 / own) : T(0);
  }
  return inverse;
}

/// Boundary edges but those that a periodic group joins to another one.
std::vector<std::size_t> open_edges(HostMesh const& mesh, std::vector<int> const& group) {
  auto const joined = joined_edges(mesh.edges, group);
  std::vector<std::size_t> open;
  for (std::size_t e = 0; e < joined.size(); ++e) {
    if (!joined[e]) open.push_back(e);
  }
  return open;
}

/// Row of each node; -1 for a node that no row holds.
struct RowTable {
  std::vector<int> row_of;
  int count = 0;
};

/// Rows of all periodic groups with at least one wanted node; a node without a group is its own.
RowTable number_rows(int nodes, std::vector<int> const& group, std::vector<char> const& wanted) {
  auto const owner = [&](int node) {
    return static_cast<std::size_t>(group.empty() ? node : group[std::size_t(node)]);
  };
  std::vector<char> used(static_cast<std::size_t>(nodes), 0);
  for (int i = 0; i < nodes; ++i) {
    if (wanted[static_cast<std::size_t>(i)] != 0) used[owner(i)] = 1;
  }
  RowTable table{std::vector<int>(static_cast<std::size_t>(nodes), -1), 0};
  for (int i = 0; i < nodes; ++i) {
    if (owner(i) == static_cast<std::size_t>(i) && used[owner(i)] != 0) table.row_of[std::size_t(i)] = table.count++;
  }
  for (int i = 0; i < nodes; ++i) table.row_of[std::size_t(i)] = table.row_of[owner(i)];
  return table;
}

template <class Exec, class T>
void fill_half_edges(Exec const& space, HostMesh const& mesh, std::vector<std::size_t> const& open,
                     RowTable const& table, std::vector<EulerLabel>& labels, EulerRows<Exec, T>& rows) {
  if (open.empty()) return;
  std::map<int, std::vector<EulerBoundaryEnd>> ends;
  for (std::size_t const e : open) {
    for (std::size_t const end : {2 * e, 2 * e + 1}) {
      ends[mesh.edge_labels[e]].push_back({static_cast<int>(e), mesh.edges[end]});
    }
  }
  std::vector<std::pair<int, EulerHalfEdge<T>>> halves;
  std::vector<std::pair<int, std::array<int, 2>>> both_ends;
  for (auto const& [label, places] : ends) {
    int const condition = static_cast<int>(labels.size());
    for (std::size_t n = 0; n < places.size(); ++n) {
      auto const e = static_cast<std::size_t>(places[n].edge);
      int const a = mesh.edges[2 * e], b = mesh.edges[2 * e + 1];
      // The domain lies on the left.
      EulerHalfEdge<T> const half{static_cast<T>(0.5 * (mesh.y(b) - mesh.y(a))),
                                  static_cast<T>(-0.5 * (mesh.x(b) - mesh.x(a))), condition, static_cast<int>(n)};
      int const row = table.row_of[static_cast<std::size_t>(places[n].node)];
      halves.push_back({row, half});
      both_ends.push_back({row, {a, b}});
    }
    labels.push_back({label, places});
  }
  Lists<EulerHalfEdge<T>> const lists(table.count, halves);
  rows.half_edge_begin = device_copy(space, lists.begin, "karman::euler::half_edge_begin");
  rows.half_edges = device_copy(space, lists.values, "karman::euler::half_edges");
  rows.half_edge_ends =
      device_copy(space, Lists<std::array<int, 2>>(table.count, both_ends).values, "karman::euler::half_edge_ends");
}

template <class Exec, class T>
void fill_nodes(Exec const& space, RowTable const& table, EulerRows<Exec, T>& rows) {
  std::vector<std::pair<int, int>> members;
  for (std::size_t i = 0; i < table.row_of.size(); ++i) {
    if (table.row_of[i] >= 0) members.push_back({table.row_of[i], static_cast<int>(i)});
  }
  Lists<int> const lists(table.count, members);
  rows.node_begin = device_copy(space, lists.begin, "karman::euler::row_nodes_begin");
  rows.nodes = device_copy(space, lists.values, "karman::euler::row_nodes");
}

/// Triangles per block. On a device a mesh that has fewer blocks than teams can run at once gets smaller ones, down to
/// a triangle per thread: the time of a block is that of its batches, one after the other.
template <class Exec>
int triangles_a_block(Exec const& space, std::int64_t triangles, EulerBlockShape const& shape) {
  if (runs_on_host<Exec>) return shape.triangles;
  // Two teams on each multiprocessor of 2048 threads.
  std::int64_t const teams = std::max<std::int64_t>(1, space.concurrency() / 1024);
  std::int64_t const batches = triangles / (teams * shape.threads) + 1;
  return static_cast<int>(std::min<std::int64_t>(batches * shape.threads, shape.triangles));
}

/// Blocks of the wanted size, or smaller ones where their nodes do not fit the fast scratch of a device.
template <class Exec, class T>
BlockedColoring<Exec> fitting_blocks(Exec const& space, TriangleMesh<Exec> const& mesh, EulerRhsSetup const& setup) {
  using Kernel = EulerBlockKernel<Exec, T, true>;
  using MovingKernel = EulerBlockKernel<Exec, T, true, true>;
  int triangles = setup.block_triangles > 0 ? setup.block_triangles
                                            : triangles_a_block(space, mesh.triangle_count(), Kernel::shape);
  auto const most =
      static_cast<std::size_t>(typename Kernel::Policy(space, 1, Kernel::shape.threads).scratch_size_max(0));
  constexpr int fewest = 32;
  while (true) {
    auto parts = color_blocks(space, mesh, {.triangles_a_block = triangles});
    int const stride = Kernel::stride_of(parts.most_nodes);
    bool const fits = (setup.moving ? MovingKernel::scratch_bytes(stride) : Kernel::scratch_bytes(stride)) <= most;
    if (runs_on_host<Exec> || fits || triangles <= fewest) return parts;
    triangles /= 2;
  }
}

/// Colour of a place, not below a given one, among colours that begin at these places.
int color_at(std::vector<int> const& begins, int color, int place) {
  while (begins[at(color + 1)] <= place) ++color;
  return color;
}

/// The triangles of all blocks for teams of so many threads.
template <class Exec>
std::vector<EulerBlockTriangle> block_triangles(Exec const& space, BlockedColoring<Exec> const& parts, int threads) {
  auto const rows = host_copy(space, parts.inner_colors.offsets), places = host_copy(space, parts.inner_colors.entries);
  auto const nodes = host_copy<std::array<std::uint16_t, 3>>(space, parts.local_nodes);
  std::vector<EulerBlockTriangle> triangles(nodes.size());
  for (std::size_t block = 0; block + 1 < rows.size(); ++block) {
    int color = rows[block];
    int const last = rows[block + 1] - 1, end = places[at(last)];
    for (int begin = places[at(color)]; begin < end; begin += threads) {
      int const batch_end = std::min(begin + threads, end), first = color_at(places, color, begin);
      for (int place = begin; place < batch_end; ++place) {
        color = color_at(places, color, place);
        auto& own = triangles[at(place)];
        std::copy(nodes[at(place)].begin(), nodes[at(place)].end(), own.node);
        own.turn = static_cast<std::uint8_t>(color - first);
      }
      for (int place = begin; place < batch_end; ++place)
        triangles[at(place)].turns = triangles[at(batch_end - 1)].turn;
    }
  }
  return triangles;
}

/// Rows of the nodes that more than one block, a group or the boundary has; slots of their partial sums.
template <class Exec, class T>
void fill_blocks(Exec const& space, HostMesh const& mesh, std::vector<int> const& group,
                 std::vector<std::size_t> const& open, std::vector<EulerLabel>& labels, EulerPlan<Exec, T>& plan) {
  auto const places = host_copy(space, plan.blocks.parts.nodes.entries);
  std::vector<int> uses(static_cast<std::size_t>(mesh.node_count()), 0);
  for (int const node : places) ++uses[static_cast<std::size_t>(node)];
  if (!group.empty()) {
    std::vector<int> members(uses.size(), 0);
    for (int const lowest : group) ++members[static_cast<std::size_t>(lowest)];
    for (std::size_t i = 0; i < uses.size(); ++i) {
      if (members[static_cast<std::size_t>(group[i])] > 1) uses[i] += 2;
    }
  }
  for (std::size_t const e : open) {
    for (std::size_t const end : {2 * e, 2 * e + 1}) uses[static_cast<std::size_t>(mesh.edges[end])] += 2;
  }
  std::vector<char> special(uses.size());
  std::transform(uses.begin(), uses.end(), special.begin(), [](int n) { return static_cast<char>(n != 1 ? 1 : 0); });
  auto const table = number_rows(mesh.node_count(), group, special);
  std::vector<int> targets(places.size());
  std::vector<std::pair<int, int>> slots;
  for (std::size_t p = 0; p < places.size(); ++p) {
    int const row = table.row_of[static_cast<std::size_t>(places[p])];
    targets[p] = row < 0 ? ~places[p] : static_cast<int>(slots.size());
    if (row >= 0) slots.push_back({row, targets[p]});
  }
  plan.slots = static_cast<std::int64_t>(slots.size());
  plan.rows.count = table.count;
  Lists<int> const lists(table.count, slots);
  plan.rows.slot_begin = device_copy(space, lists.begin, "karman::euler::slot_begin");
  plan.rows.slots = device_copy(space, lists.values, "karman::euler::slots");
  plan.blocks.targets = device_copy(space, targets, "karman::euler::targets");
  if (!runs_on_host<Exec>) {
    constexpr int threads = euler_block_shape<Exec, T>().threads;
    plan.blocks.triangles =
        device_copy(space, block_triangles(space, plan.blocks.parts, threads), "karman::euler::block_triangles");
    plan.blocks.parts.local_nodes = {};
  }
  fill_nodes(space, table, plan.rows);
  fill_half_edges(space, mesh, open, table, labels, plan.rows);
}

/// One row per node or group, and one partial sum per node.
template <class Exec, class T>
void fill_all_rows(Exec const& space, HostMesh const& mesh, std::vector<int> const& group,
                   std::vector<std::size_t> const& open, std::vector<EulerLabel>& labels, EulerPlan<Exec, T>& plan) {
  auto const table =
      number_rows(mesh.node_count(), group, std::vector<char>(static_cast<std::size_t>(mesh.node_count()), 1));
  plan.slots = mesh.node_count();
  plan.rows.count = table.count;
  if (!group.empty()) fill_nodes(space, table, plan.rows);
  fill_half_edges(space, mesh, open, table, labels, plan.rows);
}

/// Marks of the nodes in groups of more than one.
std::vector<char> shared_nodes(int nodes, std::vector<int> const& group) {
  std::vector<char> shared(static_cast<std::size_t>(nodes), 0);
  for (std::size_t i = 0; i < group.size(); ++i) {
    auto const lowest = static_cast<std::size_t>(group[i]);
    if (lowest != i) shared[i] = shared[lowest] = 1;
  }
  return shared;
}

/// Edges of the finite-volume scheme; rows of the nodes that a group or the boundary has, one partial sum each.
template <class Exec, class T>
void fill_dual(Exec const& space, HostMesh const& mesh, std::vector<int> const& group,
               std::vector<std::size_t> const& open, std::vector<EulerLabel>& labels, EulerPlan<Exec, T>& plan) {
  auto const nodes = static_cast<std::size_t>(mesh.node_count());
  std::vector<char> special = shared_nodes(mesh.node_count(), group);
  for (std::size_t const e : open) {
    for (std::size_t const end : {2 * e, 2 * e + 1}) special[static_cast<std::size_t>(mesh.edges[end])] = 1;
  }
  auto const table = number_rows(mesh.node_count(), group, special);
  plan.slots = plan.rows.count = table.count;
  fill_nodes(space, table, plan.rows);
  fill_half_edges(space, mesh, open, table, labels, plan.rows);
  std::vector<int> slots(static_cast<std::size_t>(table.count) + 1), targets = table.row_of;
  std::iota(slots.begin(), slots.end(), 0);
  plan.rows.slot_begin = device_copy(space, slots, "karman::euler::slot_begin");
  slots.pop_back();
  plan.rows.slots = device_copy(space, slots, "karman::euler::slots");
  std::size_t distinct = nodes;
  for (std::size_t i = 0; i < group.size(); ++i) {
    if (group[i] == static_cast<int>(i)) continue;
    targets[i] = EulerDual<Exec, T>::other_member;
    --distinct;
  }
  std::vector<EulerDualEdge<T>> edges;
  std::vector<std::pair<int, std::array<int, 2>>> around;
  std::vector<double> closure(2 * static_cast<std::size_t>(table.count), 0.0);
  for (DualEdge const& edge : dual_edges(mesh.nodes, mesh.triangles, group)) {
    EulerDualEdge<T> own{};
    int const e = static_cast<int>(edges.size());
    for (std::size_t side = 0; side < 2; ++side) {
      own.node[side] = edge.node[side];
      for (std::size_t k = 0; k < 2; ++k) {
        own.behind[side][k] = edge.behind[side][k];
        own.weight[side][k] = static_cast<T>(edge.weight[side][k]);
      }
      around.push_back({edge.node[side], {2 * e + static_cast<int>(side), edge.node[1 - side]}});
    }
    own.nx = static_cast<T>(edge.normal[0]);
    own.ny = static_cast<T>(edge.normal[1]);
    edges.push_back(own);
    for (std::size_t side = 0; side < 2; ++side) {
      int const row = table.row_of[static_cast<std::size_t>(edge.node[side])];
      if (row < 0) continue;
      // Of rounded normals, as the kernels sum them.
      closure[2 * static_cast<std::size_t>(row)] += side == 0 ? double(own.nx) : -double(own.nx);
      closure[2 * static_cast<std::size_t>(row) + 1] += side == 0 ? double(own.ny) : -double(own.ny);
    }
  }
  Lists<std::array<int, 2>> const lists(mesh.node_count(), around);
  std::vector<int> ends, neighbors;
  for (auto const& [end, other] : lists.values) {
    ends.push_back(end);
    neighbors.push_back(other);
  }
  auto& dual = plan.dual;
  dual.edges = device_copy(space, edges, "karman::euler::dual_edges");
  dual.begin = device_copy(space, lists.begin, "karman::euler::dual_begin");
  dual.ends = device_copy(space, ends, "karman::euler::dual_ends");
  dual.neighbors = device_copy(space, neighbors, "karman::euler::dual_neighbors");
  dual.targets = device_copy(space, targets, "karman::euler::dual_targets");
  dual.closure = device_copy(space, std::vector<T>(closure.begin(), closure.end()), "karman::euler::dual_closure");
  dual.states = allocate<Exec, T>(space, 4 * nodes, "karman::euler::dual_states");
  dual.jumps = allocate<Exec, T>(space, nodes, "karman::euler::dual_jumps");
  dual.fluxes = allocate<Exec, T>(space, 4 * edges.size(), "karman::euler::dual_fluxes");
  dual.speeds = allocate<Exec, T>(space, edges.size(), "karman::euler::dual_speeds");
  // The cube of the size of a cell over the size of a domain of equal cells.
  dual.threshold = distinct > 0 ? static_cast<T>(std::pow(static_cast<double>(distinct), -1.5)) : T(0);
}

/// The triangles around each node; with groups, those around all nodes of a group at its lowest node. `wanted`: marks
/// of the nodes; null: all.
template <class Exec>
EulerCorners<Exec> corners_around(Exec const& space, HostMesh const& mesh, std::vector<int> const& group = {},
                                  std::vector<char> const* wanted = nullptr) {
  std::vector<std::pair<int, int>> corners;
  for (std::size_t n = 0; n < mesh.triangles.size(); ++n) {
    int const node = mesh.triangles[n];
    if (wanted != nullptr && (*wanted)[static_cast<std::size_t>(node)] == 0) continue;
    corners.push_back({group.empty() ? node : group[static_cast<std::size_t>(node)], static_cast<int>(n)});
  }
  Lists<int> const lists(mesh.node_count(), corners);
  return {device_copy(space, lists.begin, "karman::euler::corner_begin"),
          device_copy(space, lists.values, "karman::euler::corners")};
}

/// Chains of the neighbours of the nodes without partners.
template <class Exec>
EulerRings<Exec> rings_around(Exec const& space, HostMesh const& mesh, std::vector<char> const& shared) {
  std::vector<std::pair<int, std::array<int, 2>>> sides;
  sides.reserve(mesh.triangles.size());
  for (std::size_t t = 0; t < mesh.triangles.size(); t += 3) {
    for (std::size_t m = 0; m < 3; ++m) {
      int const node = mesh.triangles[t + m];
      if (shared[static_cast<std::size_t>(node)] == 0)
        sides.push_back({node, {mesh.triangles[t + (m + 1) % 3], mesh.triangles[t + (m + 2) % 3]}});
    }
  }
  Lists<std::array<int, 2>> lists(mesh.node_count(), sides);
  std::vector<int> begin{0}, nodes;
  for (std::size_t i = 0; i + 1 < lists.begin.size(); ++i) {
    auto const first = lists.values.begin() + lists.begin[i], last = lists.values.begin() + lists.begin[i + 1];
    for (auto next = first; next != last; ++next) {
      // The side that follows the last one; else one that follows none, else any.
      auto const follows = [&](std::array<int, 2> const& side) { return next != first && side[0] == nodes.back(); };
      auto const begins = [&](std::array<int, 2> const& side) {
        return std::none_of(next, last, [&](auto const& other) { return other[1] == side[0]; });
      };
      auto found = std::find_if(next, last, follows);
      bool const anew = found == last;
      if (anew) found = std::find_if(next, last, begins);
      if (found != last) std::iter_swap(next, found);
      if (anew) nodes.push_back(~(*next)[0]);
      nodes.push_back((*next)[1]);
    }
    begin.push_back(static_cast<int>(nodes.size()));
  }
  return {device_copy(space, begin, "karman::euler::ring_begin"), device_copy(space, nodes, "karman::euler::rings")};
}

template <class Exec, class T>
void fill_motion(Exec const& space, HostMesh const& mesh, std::vector<int> const& group, EulerPlan<Exec, T>& plan) {
  auto& motion = plan.motion;
  std::size_t const nodes = plan.mesh.nodes.extent(0);
  motion.own_points = typename EulerGeometry<Exec, T>::Table(
      Kokkos::view_alloc(space, Kokkos::WithoutInitializing, std::string("karman::euler::points")), nodes);
  Kokkos::deep_copy(space, motion.own_points, plan.mesh.nodes);
  motion.points = motion.own_points;
  motion.velocity = allocate<Exec, T>(space, 2 * nodes, "karman::euler::velocity");
  motion.mass_rate = EulerArray<Exec, T>(Kokkos::view_alloc(space, std::string("karman::euler::mass_rate")), nodes);
  auto const shared = shared_nodes(mesh.node_count(), group);
  motion.rings = rings_around(space, mesh, shared);
  if (group.empty()) return;
  motion.corners = corners_around(space, mesh, group, &shared);
  motion.owner = device_copy(space, group, "karman::euler::owner");
}

}  // namespace

template <class Exec, class T>
EulerPlan<Exec, T> make_euler_plan(Exec const& space, TriangleMesh<Exec> const& mesh, EulerRhsSetup const& setup,
                                   std::vector<int> const& group, std::vector<EulerLabel>& labels) {
  HostMesh const host{host_copy(space, mesh.nodes), host_copy(space, mesh.triangles), host_copy(space, mesh.edges),
                      host_copy(space, mesh.edge_labels)};
  auto const open = open_edges(host, group);
  EulerPlan<Exec, T> plan;
  plan.mesh = mesh;
  plan.inverse_mass = device_copy(space, inverse_masses<T>(host, group), "karman::euler::inverse_mass");
  auto const triangles = static_cast<std::size_t>(mesh.triangle_count());
  plan.motion.points = mesh.nodes;
  std::size_t launches = 1;
  bool const finite_volumes = setup.scheme == EulerScheme::muscl;
  if (finite_volumes) {
    fill_dual(space, host, group, open, labels, plan);
  } else if (setup.strategy == EulerStrategy::blocks) {
    plan.blocks.parts = fitting_blocks<Exec, T>(space, mesh, setup);
    fill_blocks(space, host, group, open, labels, plan);
  } else {
    fill_all_rows(space, host, group, open, labels, plan);
    if (setup.strategy == EulerStrategy::colored) {
      auto const coloring = color_elements(space, mesh);
      plan.colors.classes = coloring.classes;
      plan.colors.begin = host_copy(space, coloring.classes.offsets);
      launches = static_cast<std::size_t>(std::max(coloring.colors, 1));
    }
    if (setup.strategy == EulerStrategy::expanded) {
      plan.expanded = allocate<Exec, T>(space, ((setup.stabilization ? 20 : 16) + (setup.moving ? 6 : 0)) * triangles,
                                        "karman::euler::expanded");
    }
  }
  bool const expanded = setup.strategy == EulerStrategy::expanded;
  if (!finite_volumes && (expanded || setup.local_steps)) plan.corners = corners_around(space, host);
  if (!finite_volumes && setup.local_steps)
    plan.triangle_rates = allocate<Exec, T>(space, triangles, "karman::euler::triangle_rates");
  if (setup.moving) fill_motion(space, host, group, plan);
  plan.partial = allocate<Exec, T>(space, 4 * static_cast<std::size_t>(plan.slots), "karman::euler::partial");
  if (setup.stabilization) {
    plan.projection = EulerArray<Exec, T>(Kokkos::view_alloc(space, std::string("karman::euler::projection")),
                                          4 * mesh.nodes.extent(0));
  }
  plan.launch_rates = allocate<Exec, double>(space, launches, "karman::euler::launch_rates");
  if (!finite_volumes && setup.strategy == EulerStrategy::blocks && euler_edges_stored<Exec>()) {
    plan.edges = allocate<Exec, EulerEdgePiece<T>>(space, EulerEdgePiece<T>::count * triangles, "karman::euler::edges");
    refresh_edges(space, plan);
  }
  compat::fence(space, "karman::euler::plan");
  return plan;
}

#define KARMAN_INSTANTIATE(Exec)                                                                                 \
  template EulerPlan<Exec, float> make_euler_plan(Exec const&, TriangleMesh<Exec> const&, EulerRhsSetup const&,  \
                                                  std::vector<int> const&, std::vector<EulerLabel>&);            \
  template EulerPlan<Exec, double> make_euler_plan(Exec const&, TriangleMesh<Exec> const&, EulerRhsSetup const&, \
                                                   std::vector<int> const&, std::vector<EulerLabel>&);
KARMAN_FOR_EACH_BACKEND(KARMAN_INSTANTIATE)
#undef KARMAN_INSTANTIATE

}  // namespace karman::detail
