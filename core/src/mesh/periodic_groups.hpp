// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Periodic groups of nodes as plans take them: per node the lowest node of its group, itself where it has none.
#pragma once

#include <string>
#include <vector>

namespace karman::detail {

/// Throws std::invalid_argument, in the name of `who`, for groups of another length and not of this form. An empty list
/// is no groups.
void require_groups(std::vector<int> const& group, int nodes, std::string const& who);

/// Marks of the boundary edges that groups join to another one. `edges`: two nodes per edge.
std::vector<bool> joined_edges(std::vector<int> const& edges, std::vector<int> const& group);

}  // namespace karman::detail
