// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "turbulence_estimate.hpp"

#include "common/case/texts.hpp"
#include "turbulence/case/kept_modes.hpp"
#include "turbulence/output/history.hpp"
#include "turbulence/output/mean_spectra.hpp"
#include "turbulence/output/turbulence_checkpoint.hpp"
#include "turbulence/output/turbulence_output.hpp"

#include <algorithm>
#include <cmath>

namespace karman::turbulence {
namespace {

using app::formatted;

/// The most energy that is expected during the run.
double expected_energy(TurbulenceCase const& turbulence_case) {
  TurbulenceProblem const& problem = turbulence_case.problem;
  double energy = turbulence_case.initial.energy;
  if (problem.random) {
    double const gained = problem.random->energy_rate * turbulence_case.end;
    // In balance with the losses of the largest scales.
    KeptModes const modes(problem.setup);
    double const loss = decay_of(problem.setup.terms, std::fmin(modes.lowest(0), modes.lowest(1)));
    energy += loss > 0 ? std::fmin(gained, problem.random->energy_rate / loss) : gained;
  }
  double const a = turbulence_case.forcing_acceleration, k = turbulence_case.forcing_wavenumber;
  if (a > 0 && k > 0) {
    KeptModes const modes(problem.setup);
    double const loss = std::fmin(decay_of(problem.setup.terms, std::fmin(modes.lowest(0), modes.lowest(1))),
                                  decay_of(problem.setup.terms, k));
    // Fluid at rest at first; then eddies of the forced size turn over while it acts on them.
    double const speed = a * turbulence_case.end, rate = a * std::sqrt(a / k);
    double gained = std::fmin(speed * speed / 2, rate * turbulence_case.end);
    if (loss > 0) gained = std::fmin(gained, rate / loss);
    energy += gained;
  }
  return energy;
}

/// Lines of a dry run.
std::string about(TurbulenceProblem const& problem, TurbulenceEstimate const& need) {
  VorticitySetup const& setup = problem.setup;
  std::string text = formatted("points      %d x %d in %.6g x %.6g m\n", setup.points[0], setup.points[1],
                               setup.lengths[0], setup.lengths[1]);
  text += formatted("modes       %s, wavenumbers up to %.6g rad/m\n", std::string(name(setup.dealiasing)).c_str(),
                    KeptModes(setup).largest());
  text += "method      " + std::string(name(setup.method));
  if (problem.control.cfl > 0)
    text += formatted(", cfl %.4g, stable up to %.4g", problem.control.cfl, largest_cfl(setup));
  return text + formatted("\nsteps       about %.3g of %.3g s\n", need.steps, need.dt);
}

}  // namespace

TurbulenceEstimate estimate(TurbulenceCase const& turbulence_case, std::int64_t model_bytes, double copy_rate) {
  TurbulenceProblem const& problem = turbulence_case.problem;
  VorticitySetup const& setup = problem.setup;
  TurbulenceEstimate need;
  double const points = double(setup.points[0]) * setup.points[1];
  // The fastest flow of turbulence has two to four times the mean speed.
  constexpr double fastest = 3;
  double const speed = fastest * std::sqrt(2 * expected_energy(turbulence_case));
  double const rate = speed * std::fmax(setup.points[0] / setup.lengths[0], setup.points[1] / setup.lengths[1]);
  need.dt = turbulence_case.end;
  if (problem.control.cfl > 0 && rate > 0) need.dt = std::fmin(need.dt, problem.control.cfl / rate);
  if (problem.control.dt_max > 0) need.dt = std::fmin(need.dt, problem.control.dt_max);
  need.steps = std::ceil(turbulence_case.end / need.dt);
  need.title = turbulence_case.title;
  need.lines = about(problem, need);
  need.precision = problem.precision;
  need.is_large = points > quick_points;
  need.device_bytes = model_bytes;
  std::int64_t const real = app::real_size(problem.precision), n = std::int64_t(setup.points[0]) * setup.points[1];
  constexpr double most_rows = 1e12;
  double const rows = std::fmin(need.steps / turbulence_case.history_every + turbulence_case.frames + 1, most_rows);
  double const frames = turbulence_case.frames + 1;
  std::size_t const columns = History::columns().size();
  auto const history_bytes = static_cast<std::int64_t>(8 * rows * static_cast<double>(columns));
  // The start in double and in the precision of the case, the forcing, and the fields that are written.
  need.host_bytes = n * (8 + 8 * real) + 2 * history_bytes;
  KeptModes const kept(setup);
  double const shells = std::hypot(kept.largest(0), kept.largest(1)) / std::fmin(kept.lowest(0), kept.lowest(1)) + 2;
  std::int64_t const spectra = app::hdf5_table_bytes(shells, spectra_columns().size());
  std::int64_t const frame = n * real *
                                 (std::int64_t(turbulence_case.fields.count("vorticity")) +
                                  3 * std::int64_t(turbulence_case.fields.count("velocity"))) +
                             spectra + app::hdf5_overhead;
  std::int64_t const modes = checkpoint_bytes(turbulence_case);
  std::int64_t const result = 4 * n * real + modes + 8 * (setup.points[0] + setup.points[1]) + 2 * spectra +
                              app::hdf5_table_bytes(rows, columns) +
                              app::hdf5_table_bytes(turbulence_case.bins, histogram_columns().size()) +
                              app::hdf5_overhead + static_cast<std::int64_t>(turbulence_case.text.size());
  std::int64_t const checkpoint = modes + history_bytes + app::hdf5_overhead +
                                  static_cast<std::int64_t>(8 * shells * double(spectra_columns().size()) + 8 * frames +
                                                            2 * double(turbulence_case.text.size()));
  constexpr double text_of_frame = 1500;
  std::int64_t const texts = app::csv_bytes(rows, columns) + app::csv_bytes(shells, spectra_columns().size()) +
                             app::csv_bytes(turbulence_case.bins, histogram_columns().size()) +
                             static_cast<std::int64_t>(text_of_frame * (frames + 1));
  need.disk_bytes = static_cast<std::int64_t>(frames) * frame + result + 2 * checkpoint + texts;
  if (copy_rate > 0) {
    // A stage costs about the time in which a copy moves this number of values per point.
    constexpr double values_a_stage = 60;
    need.seconds = need.steps * stages(setup.method) * values_a_stage * static_cast<double>(real) * points / copy_rate;
  }
  return need;
}

}  // namespace karman::turbulence
