// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Fields of a flow for people, from its conservative variables. On the host.
#pragma once

#include "common/fields/host_field.hpp"
#include "euler/case/flow_case.hpp"

#include <string>
#include <vector>

namespace karman::euler {

/// Values at the nodes: one, or three (a plane vector and 0) each.
struct NodalValues {
  std::string name, units;
  std::vector<double> values;
  int components = 1;
};

/// Conservative variables of each node, from a table (4, nodes).
std::vector<Conservative> states_of(app::HostField const& conservative);

/// Fields that the case asks for, in a fixed order.
///
/// - temperature: p / (density R), K
/// - entropy: p / p_flow (density_flow / density)^gamma - 1
/// - schlieren: |grad density| at the nodes, the mean over the triangles around each, weighted by area
/// - energy: total energy per volume, J/m^3
/// `mesh`: that of the case, or with its nodes moved.
std::vector<NodalValues> fields_of(FlowCase const& flow_case, MeshData const& mesh,
                                   std::vector<Conservative> const& states);

/// Length of the gradient of a nodal field at the nodes; nothing of nothing.
std::vector<double> slope_of(MeshData const& mesh, std::vector<double> const& values);

/// One node of a wall, along one of its runs of edges.
struct WallPoint {
  int label = 0;
  int run = 0;          ///< number of the run; a closed one ends at its first node
  double distance = 0;  ///< along the run, m
  int node = 0;
};

/// Nodes of all walls and force groups, run by run. Runs start where walls end, or at the node farthest in x.
std::vector<WallPoint> walls_of(FlowProblem const& problem, MeshData const& mesh);

}  // namespace karman::euler
