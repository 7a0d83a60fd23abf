// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "wave_estimate.hpp"

#include "common/case/texts.hpp"
#include "waves/case/mesh_resolution.hpp"
#include "waves/model/wave_model.hpp"
#include "waves/output/wave_checkpoint.hpp"

#include <algorithm>
#include <cmath>
#include <set>

namespace karman::waves {
namespace {

using app::formatted;

/// Datasets of one component, in doubles per node.
int values_a_node(OutputSettings const& out) {
  return 2 * out.elevation + out.height + out.phase + out.direction + out.wave_number + out.celerity +
         out.group_celerity + 3 * out.energy_flux + out.bed_velocity + 3 * out.dissipation + out.breaking_fraction +
         3 * out.radiation_stress;
}

/// Lines of a dry run.
std::string about(WaveCase const& wave_case, WaveEstimate const& need) {
  auto const [least, most] = std::minmax_element(wave_case.problem.depth.begin(), wave_case.problem.depth.end());
  std::string text =
      formatted("mesh        %lld nodes, %lld triangles\ndepth       %g to %g m\n", static_cast<long long>(need.nodes),
                static_cast<long long>(need.triangles), *least, *most);
  bool const together = are_superposed(wave_case.set);
  text += formatted("waves       %zu component%s, %s %.4g m, shortest period %.4g s\n", wave_case.components.size(),
                    wave_case.components.size() == 1 ? "" : "s", together ? "significant height" : "height",
                    together ? significant_height(wave_case.components) : wave_case.components.front().height,
                    need.shortest_period);
  return text + formatted("resolution  at least %.1f nodes per wavelength\n", need.nodes_per_wavelength);
}

}  // namespace

WaveEstimate estimate(WaveCase const& wave_case, Backend backend) {
  WaveProblem const& problem = wave_case.problem;
  WaveEstimate result;
  result.nodes = static_cast<std::int64_t>(problem.mesh.nodes.size());
  result.triangles = static_cast<std::int64_t>(problem.mesh.triangles.size());
  result.kept = keeps_all(wave_case)                                   ? static_cast<int>(wave_case.components.size())
                : wave_case.outputs.components == KeptComponents::none ? 0
                                                                       : 1;
  result.shortest_period = wave_case.components.front().period;
  for (auto const& component : wave_case.components)
    result.shortest_period = std::min(result.shortest_period, component.period);
  MeshResolution const resolution = mesh_resolution(problem.mesh, problem.depth, result.shortest_period);
  result.nodes_per_wavelength = resolution.least;
  result.x = resolution.coarsest[0], result.y = resolution.coarsest[1];
  result.title = wave_case.title;
  result.lines = about(wave_case, result);
  result.precision = problem.precision;
  bool const linear = !depends_on_height(problem.dissipation) && !problem.amplitude_dispersion;
  constexpr int usual_picard_iterations = 10;
  result.picard_iterations = linear ? 1 : std::min(usual_picard_iterations, problem.picard.max_iterations);
  SolverBytes const solver = linear_solver_bytes(backend, problem);
  result.device_bytes = wave_model_bytes(problem) + solver.device;
  bool const together = found_together(wave_case);
  result.expected_iterations = result.picard_iterations == 1 ? "1 (linear)"
                               : together                    ? "about ten, all components together"
                                                             : "about ten per component";
  if (together) result.device_bytes += sea_bytes(problem, wave_case.components.size());
  // Mesh and depth, the active state of a solve and the kept one, one field being written.
  constexpr std::int64_t state_bytes = 21 * 8, mesh_bytes = 2 * 8 + 2 * 16 + 8;
  // Neighbours while the mesh is made and the unknowns are ordered; buffers of the libraries.
  constexpr std::int64_t graph_bytes = 96, buffers = std::int64_t{12} << 20;
  // The neighbours are freed before the solver works.
  result.host_bytes = result.nodes * (mesh_bytes + 2 * state_bytes + 3 * 8) + buffers +
                      std::max(result.nodes * graph_bytes, solver.host);
  // Values of finished components are held for the next checkpoint; the others only while a checkpoint is written.
  std::int64_t const checkpoint = checkpoint_bytes(wave_case);
  result.host_bytes += checkpoint;
  std::int64_t const real = app::real_size(problem.precision);
  constexpr std::int64_t tables_and_text = std::int64_t{1} << 20;
  result.disk_bytes = result.kept * values_a_node(wave_case.outputs) * result.nodes * real +
                      wave_case.outputs.animation_frames * result.nodes * 4 + 4 * result.nodes * (16 + 24 + 8) / 2 +
                      static_cast<std::int64_t>(wave_case.components.size()) * 1000 + 2 * checkpoint + tables_and_text;
  if (auto const& series = wave_case.outputs.series) {
    // In memory and in waves.h5 as doubles, in the table as text of up to 24 bytes.
    auto const values = static_cast<std::int64_t>((series->duration / series->step + 1) *
                                                  static_cast<double>(wave_case.gauges.size() + 1));
    result.host_bytes += 8 * values;
    result.disk_bytes += (8 + 24) * values;
  }
  // The factorisation of a plane mesh's matrix takes some n^1.5 operations; measured on one core with MUMPS. The
  // factors of the first Picard iteration precondition the others. For superposed components, the factors of one period
  // serve all its directions, in one iteration.
  constexpr double seconds_a_factor = 6e-9, seconds_a_node = 1e-5, share_of_others = 0.15;
  double const n = static_cast<double>(result.nodes), components = static_cast<double>(wave_case.components.size());
  std::set<double> periods;
  for (auto const& component : wave_case.components) periods.insert(component.period);
  double const systems =
      together ? result.picard_iterations * (static_cast<double>(periods.size()) +
                                             share_of_others * (components - static_cast<double>(periods.size())))
               : components * (1 + share_of_others * (result.picard_iterations - 1));
  result.seconds = systems * (seconds_a_factor * n * std::sqrt(n) + seconds_a_node * n);
  return result;
}

std::string mesh_warning(WaveEstimate const& need) {
  if (need.nodes_per_wavelength >= least_nodes_per_wavelength) return {};
  return formatted("the mesh has %.1f nodes per wavelength of T = %g s at (x, y) = ", need.nodes_per_wavelength,
                   need.shortest_period) +
         app::place_text(need.x, need.y) + "; 10 are needed for an accurate phase; refine the mesh";
}

}  // namespace karman::waves
