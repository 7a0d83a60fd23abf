// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "patch_plan.hpp"

#include "lists.hpp"
#include <karman/core/error.hpp>
#include <karman/mesh/mesh_order.hpp>

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>

namespace karman::detail {

namespace {

/// Corners 3 t + m and neighbours around the lowest node of each group, and the nodes of the group.
struct Around {
  Lists<int> corners, neighbors, members;

  explicit Around(PatchMesh const& mesh)
      : corners(nodes(mesh), corner_pairs(mesh)),
        neighbors(nodes(mesh), neighbor_pairs(mesh)),
        members(nodes(mesh), member_pairs(mesh)) {}

  static int nodes(PatchMesh const& mesh) { return static_cast<int>(mesh.points.size()); }

 private:
  static std::vector<std::pair<int, int>> corner_pairs(PatchMesh const& mesh) {
    std::vector<std::pair<int, int>> pairs;
    for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
      for (std::size_t m = 0; m < 3; ++m) {
        pairs.push_back({mesh.group[at(mesh.triangles[t][m])], static_cast<int>(3 * t + m)});
      }
    }
    return pairs;
  }
  static std::vector<std::pair<int, int>> neighbor_pairs(PatchMesh const& mesh) {
    std::vector<std::pair<int, int>> pairs;
    for (auto const& triangle : mesh.triangles) {
      for (int const a : triangle) {
        for (int const b : triangle) {
          int const own = mesh.group[at(a)], other = mesh.group[at(b)];
          if (own != other) pairs.push_back({own, other});
        }
      }
    }
    std::sort(pairs.begin(), pairs.end());
    pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
    return pairs;
  }
  static std::vector<std::pair<int, int>> member_pairs(PatchMesh const& mesh) {
    std::vector<std::pair<int, int>> pairs;
    for (std::size_t i = 0; i < mesh.group.size(); ++i) pairs.push_back({mesh.group[i], static_cast<int>(i)});
    return pairs;
  }
};

template <class Body>
void for_each_of(Lists<int> const& lists, int row, Body const& body) {
  for (int n = lists.begin[at(row)]; n < lists.begin[at(row) + 1]; ++n) body(lists.values[at(n)]);
}

/// Lowest nodes of all groups along a Hilbert curve.
std::vector<int> groups_along_curve(PatchMesh const& mesh) {
  MeshData data;
  data.nodes = mesh.points;
  auto const place = hilbert_curve(data).nodes;
  std::vector<int> order(mesh.points.size()), groups;
  for (std::size_t i = 0; i < order.size(); ++i)
    order[at(place.empty() ? static_cast<int>(i) : place[i])] = static_cast<int>(i);
  std::copy_if(order.begin(), order.end(), std::back_inserter(groups),
               [&](int node) { return mesh.group[at(node)] == node; });
  return groups;
}

/// Adds patches to the lists.
class PatchMaker {
 public:
  PatchMaker(PatchMesh const& mesh, Around const& around, int sweeps)
      : mesh_(mesh),
        around_(around),
        sweeps_(sweeps),
        slot_(mesh.points.size(), -1),
        local_(mesh.triangles.size(), -1) {}

  void add(std::vector<int> const& own) {
    EulerPatch patch{.first_slot = size(lists_.places),
                     .first_triangle = size(lists_.triangles),
                     .first_boundary = size(lists_.boundary_slots),
                     .first_output = size(lists_.output_slots),
                     .first_corner = size(lists_.corner_begin)};
    slots_ = own;
    for (int l = 0; l < size(slots_); ++l) slot_[at(slots_[at(l)])] = l;
    for (int ring = 0; ring <= sweeps_; ++ring) {
      patch.slots[ring] = size(slots_);
      int const first = ring == 0 ? 0 : patch.slots[ring - 1];
      for (int l = first; l < patch.slots[ring]; ++l) add_around(slots_[at(l)]);
      patch.triangles[ring] = size(lists_.triangles) - patch.first_triangle;
      for (int l = first; l < patch.slots[ring]; ++l) add_boundary(l);
      patch.boundaries[ring] = size(lists_.boundary_slots) - patch.first_boundary;
    }
    patch.slots[sweeps_ + 1] = size(slots_);
    int const triangles = patch.triangles[sweeps_];
    constexpr int most = 20000;
    require(size(slots_) <= most && triangles <= most,
            "EulerFusedStages: a patch needs " + std::to_string(triangles) + " triangles, more than 20,000");
    add_lists(patch);
    lists_.patches.push_back(patch);
    for (int const node : slots_) slot_[at(node)] = -1;
    for (int n = patch.first_triangle; n < size(lists_.triangles); ++n) local_[at(lists_.triangles[at(n)])] = -1;
  }

  PatchLists const& lists() const { return lists_; }

 private:
  template <class V>
  static int size(V const& values) {
    return static_cast<int>(values.size());
  }

  /// The triangles around a slot, and their nodes.
  void add_around(int node) {
    for_each_of(around_.corners, node, [&](int corner) {
      int const t = corner / 3;
      if (local_[at(t)] >= 0) return;
      local_[at(t)] = 0;
      lists_.triangles.push_back(t);
      for (int const other : mesh_.triangles[at(t)]) {
        int const lowest = mesh_.group[at(other)];
        if (slot_[at(lowest)] >= 0) continue;
        slot_[at(lowest)] = size(slots_);
        slots_.push_back(lowest);
      }
    });
  }

  void add_boundary(int slot) {
    auto const [begin, end] = mesh_.half_edges[at(slots_[at(slot)])];
    if (begin == end) return;
    lists_.boundary_slots.push_back(static_cast<std::uint16_t>(slot));
    lists_.boundary_begin.push_back(begin);
    lists_.boundary_end.push_back(end);
  }

  void add_lists(EulerPatch& patch) {
    int const triangles = patch.triangles[sweeps_];
    for (int n = 0; n < triangles; ++n) {
      int const t = lists_.triangles[at(patch.first_triangle + n)];
      local_[at(t)] = n;
      for (int const node : mesh_.triangles[at(t)]) {
        lists_.local_nodes.push_back(static_cast<std::uint16_t>(slot_[at(mesh_.group[at(node)])]));
      }
    }
    lists_.corners.resize(lists_.corners.size() + 3 * at(triangles), no_place);
    int corners = 0, own_corners = 0;
    lists_.corner_begin.push_back(0);
    for (int l = 0; l < patch.slots[sweeps_]; ++l) {
      for_each_of(around_.corners, slots_[at(l)], [&](int corner) {
        int const place = 3 * (patch.first_triangle + local_[at(corner / 3)]) + corner % 3;
        lists_.corners[at(place)] = static_cast<std::uint16_t>(corners++);
      });
      lists_.corner_begin.push_back(corners);
      if (l < patch.slots[0]) own_corners = corners;
    }
    int const smoothed = sweeps_ > 0 ? patch.slots[sweeps_ - 1] : 0;
    for (int l = 0; l < size(slots_); ++l) {
      lists_.places.push_back(slots_[at(l)]);
      lists_.boundary_of.push_back(no_place);
      if (l < smoothed) {
        for_each_of(around_.neighbors, slots_[at(l)],
                    [&](int other) { lists_.neighbors.push_back(static_cast<std::uint16_t>(slot_[at(other)])); });
      }
      lists_.neighbor_begin.push_back(size(lists_.neighbors));
    }
    for (int n = 0; n < patch.boundaries[sweeps_]; ++n) {
      int const slot = lists_.boundary_slots[at(patch.first_boundary + n)];
      lists_.boundary_of[at(patch.first_slot + slot)] = static_cast<std::uint16_t>(n);
    }
    auto& sizes = lists_.sizes;
    sizes.slots = std::max(sizes.slots, size(slots_));
    // The shares of the corners make way for a sweep over the slots.
    sizes.corners = std::max({sizes.corners, corners, size(slots_)});
    sizes.own_corners = std::max(sizes.own_corners, own_corners);
    sizes.boundaries = std::max(sizes.boundaries, patch.boundaries[sweeps_]);
    for (int l = 0; l < patch.slots[0]; ++l) {
      for_each_of(around_.members, slots_[at(l)], [&](int node) {
        lists_.output_slots.push_back(static_cast<std::uint16_t>(l));
        lists_.output_places.push_back(node);
      });
    }
    patch.outputs = size(lists_.output_slots) - patch.first_output;
  }

  PatchMesh const& mesh_;
  Around const& around_;
  int sweeps_;
  std::vector<int> slot_;   ///< of each lowest node; -1: none
  std::vector<int> local_;  ///< place of each triangle in the patch; -1: none
  std::vector<int> slots_;  ///< lowest node of each slot
  PatchLists lists_;
};

}  // namespace

PatchLists make_patches(PatchMesh const& mesh, int patch_nodes, int sweeps, PatchesFit const& fit) {
  Around const around(mesh);
  auto const groups = groups_along_curve(mesh);
  for (int nodes = patch_nodes;; nodes = std::min(nodes - 1, nodes * 7 / 8)) {
    PatchMaker maker(mesh, around, sweeps);
    for (std::size_t first = 0; first < groups.size() && fit(maker.lists().sizes); first += at(nodes)) {
      std::size_t const last = std::min(first + at(nodes), groups.size());
      maker.add(
          {groups.begin() + static_cast<std::ptrdiff_t>(first), groups.begin() + static_cast<std::ptrdiff_t>(last)});
    }
    if (fit(maker.lists().sizes)) return maker.lists();
    require(nodes > 1, "EulerFusedStages: a patch of one node needs " + std::to_string(maker.lists().sizes.slots) +
                           " nodes, too many for the fast scratch of the device");
  }
}

}  // namespace karman::detail
