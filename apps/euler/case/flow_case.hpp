// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Content of a case of `karman euler`, checked and in the program's own types.
#pragma once

#include "common/mesh/gauges.hpp"
#include "euler/case/flow_problem.hpp"

#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace karman {
class Case;
}

namespace karman::euler {

/// End of a march to a steady flow.
struct SteadySettings {
  std::int64_t max_steps = 20000;
  double residual = 1e-5;   ///< of its largest value
  double force_change = 0;  ///< of the coefficients; 0: off
  std::int64_t window = 500;
  bool sequencing = false;            ///< from the coarsest mesh to the finest
  double sequencing_residual = 0.01;  ///< of its largest value, on coarser meshes
};

/// The run that a flow starts from, by `/initial/file`.
struct EarlierRun {
  double largest_residual = 0;  ///< of that run and of those before it; 0: of none
  bool same_flow = false;       ///< that run has the same reference flow
  std::vector<std::string> remarks;
};

struct FlowCase {
  std::string title;
  std::string text;  ///< the resolved case as JSON
  FlowProblem problem;
  std::vector<Conservative> initial;  ///< per node; empty: unknown, see FlowStart
  EarlierRun earlier;
  double gas_constant = 287.05;  ///< J/(kg K)
  bool steady = false;
  SteadySettings settings;
  double end = 0;  ///< s
  int frames = 0;  ///< after the start
  int history_every = 20;
  std::vector<app::Gauge> gauges;
  std::set<std::string> fields;
  int compression = 0;
  double checkpoint_every = 600;  ///< s; 0: only when the run is interrupted
  std::vector<FlowCase> coarser;  ///< the same on the meshes before each refinement, of which a steady march begins
  std::vector<std::string> remarks;
  std::vector<std::string> boundary_list;  ///< boundaries with their conditions, for the user
};

/// The case on the mesh after so many refinements, of a sequence; without one the case.
inline FlowCase const& case_of_level(FlowCase const& whole, std::size_t level) {
  return level < whole.coarser.size() ? whole.coarser[level] : whole;
}

/// The JSON Schema of a case, and a commented one to start from.
std::string_view schema();
std::string_view example();

/// Start of the flow of a run. Checkpoints hold the residual of the run in `/initial/file`, which may be gone by then:
/// it is not read.
enum class FlowStart { of_case, of_checkpoint };

/// Reads a case that fits the schema. Makes or reads its mesh, finds the state of every node, and checks beyond the
/// schema. Throws CaseError with every problem found. Throws FileError for files that cannot be read.
FlowCase read_flow_case(Case const& input, FlowStart from = FlowStart::of_case);

/// Makes or reads the mesh of a case, with its refinements; throws as read_flow_case().
MeshData mesh_of_case(Case const& input, std::vector<std::string>& remarks);

/// Dynamic pressure of the flow, Pa; that of its speed of sound where it is at rest.
double dynamic_pressure(FlowProblem const& problem);

/// Coefficients of a group: drag along the flow, lift across it, moment nose up.
std::array<double, 3> coefficients(FlowProblem const& problem, ForceGroup const& group,
                                   std::array<double, 3> const& force);

}  // namespace karman::euler
