// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Overlapping patches of a mesh, made on the host.
#pragma once

#include "patches.hpp"

#include <array>
#include <cstdint>
#include <functional>
#include <vector>

namespace karman::detail {

/// A mesh for patches. Nodes are in the numbering of a plan.
struct PatchMesh {
  std::vector<std::array<double, 2>> points;
  std::vector<std::array<int, 3>> triangles;
  std::vector<int> group;                      ///< lowest node of the group of each node
  std::vector<std::array<int, 2>> half_edges;  ///< of each lowest node: first and last half edge; equal: none
};

/// Lists of all patches, as EulerPatchTables has them; nodes in the numbering of the plan.
struct PatchLists {
  std::vector<EulerPatch> patches;
  std::vector<int> places, corner_begin, neighbor_begin{0};
  std::vector<int> triangles;  ///< of each place of `local_nodes`
  std::vector<std::uint16_t> local_nodes, corners, neighbors, boundary_of, boundary_slots, output_slots;
  std::vector<int> boundary_begin, boundary_end, output_places;
  EulerPatchSizes sizes;
};

/// Whether patches of these sizes fit the scratch of a team.
using PatchesFit = std::function<bool(EulerPatchSizes const&)>;

/// \param mesh mesh
/// \param patch_nodes nodes of a patch, groups as one; fewer where these do not fit
/// \param sweeps sweeps of the smoothing, at most `most_patch_sweeps`
/// \param fit condition
/// \throws std::invalid_argument where patches of one node do not fit, and for more than 20,000 triangles or slots
PatchLists make_patches(PatchMesh const& mesh, int patch_nodes, int sweeps, PatchesFit const& fit);

}  // namespace karman::detail
