// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Partners of nodes on periodic boundaries. On one thread of the host, without Kokkos.
#pragma once

#include <karman/mesh/mesh_data.hpp>

#include <array>
#include <optional>
#include <vector>

namespace karman {

/// Options of periodic_pairs() and periodic_groups().
struct PeriodicOptions {
  /// Greatest distance of a node from its partner's translated place, relative to the shorter boundary edge at the
  /// node; above 0, below 0.5.
  double tolerance = 1e-6;
};

/// Partners on two boundaries.
struct PeriodicPairs {
  std::vector<std::array<int, 2>> pairs;    ///< (node of the second label, its partner of the first), ascending
  std::array<double, 2> translation{0, 0};  ///< from the first boundary to the second
};

/// Matches the nodes of two boundary labels by translation.
/// \param mesh mesh with boundary edges
/// \param label_a label of the first boundary
/// \param label_b label of the second boundary, which is the first one moved
/// \param translation from the first boundary to the second; if not given, the difference of their centroids
/// \param options tolerance
/// \return one pair per node of each boundary
/// \pre The mesh has no faults (check_mesh()).
/// \par Cost
/// O(n log n) time for n nodes on the boundaries; one pass over all boundary edges.
/// \throws std::invalid_argument unless both boundaries have edges, and nodes and edges match one to one. The message
/// gives the labels, the numbers of nodes, and the first node without partner. It also gives the distance of that node
/// from the nearest one.
/// \throws std::invalid_argument for node numbers out of range and missing labels
PeriodicPairs periodic_pairs(MeshData const& mesh, int label_a, int label_b,
                             std::optional<std::array<double, 2>> const& translation = {},
                             PeriodicOptions const& options = {});

/// Joins the nodes that periodic boundaries make one. A node at a corner belongs to both directions: the four corners
/// of a doubly periodic square form one group.
/// \param mesh mesh with boundary edges
/// \param label_pairs pairs of labels, matched as by periodic_pairs()
/// \param options tolerance
/// \return for every node the lowest number of its group; its own number for a node without a partner
/// \pre The mesh has no faults (check_mesh()).
/// \par Cost
/// That of periodic_pairs(), and 4 bytes per node of the mesh.
/// \throws std::invalid_argument as periodic_pairs()
std::vector<int> periodic_groups(MeshData const& mesh, std::vector<std::array<int, 2>> const& label_pairs,
                                 PeriodicOptions const& options = {});

/// Share of each node in its group: one over the number of nodes of the group. Sums over the groups are sums over the
/// nodes with these weights.
/// \param group as periodic_groups() gives it
std::vector<float> group_shares(std::vector<int> const& group);

}  // namespace karman
