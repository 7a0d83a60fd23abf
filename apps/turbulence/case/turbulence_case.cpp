// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "turbulence_case.hpp"

#include "common/case/texts.hpp"
#include "kept_modes.hpp"
#include "read_initial.hpp"
#include "read_plane.hpp"
#include "step_limits.hpp"
#include "turbulence_options_json.hpp"
#include <karman/io/case_options.hpp>
#include <karman/io/config.hpp>
#include <karman/io/error.hpp>

#include <turbulence_texts.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <utility>

namespace karman::turbulence {
namespace {

using app::formatted;
using Problems = std::vector<CaseProblem>;

void read_setup(Case const& input, TurbulenceCase& result, Problems& problems) {
  VorticitySetup& setup = result.problem.setup;
  setup.points = input.get<std::array<int, 2>>("/domain/points");
  setup.lengths = input.get<std::array<double, 2>>("/domain/size");
  setup.terms = read_options<VorticityTerms>(input, "/terms");
  setup.method = read_options<VorticityMethod>(input, "/solver/method");
  setup.dealiasing = read_options<Dealiasing>(input, "/solver/dealiasing");
  setup.planning = read_options<FftPlanning>(input, "/solver/planning");
  result.problem.precision = read_options<app::Precision>(input, "/solver/precision");
  constexpr double most_points = 1 << 30;
  if (double(setup.points[0]) * setup.points[1] > most_points)
    problems.push_back(input.problem("/domain/points", "expected at most 2^30 points"));
  constexpr int slow_factor = 13;
  for (std::size_t axis = 0; axis < 2; ++axis) {
    int const n = setup.points[axis], factor = largest_prime_factor(n);
    if (factor <= slow_factor || (axis == 1 && n == setup.points[0])) continue;
    result.remarks.push_back(
        formatted("/domain/points/%zu: %d has the prime factor %d: transforms are slow; %d is faster", axis, n, factor,
                  next_fast_size(n)));
  }
}

/// Largest kept wavenumber, as messages name it.
std::string limit_words(double most) {
  return formatted("expected at most %.6g rad/m, the largest kept wavenumber", most);
}

void read_ring(Case const& input, RandomModes which, TurbulenceProblem& problem, Problems& problems) {
  RandomForcing forcing;
  forcing.modes = which;
  forcing.wavenumber = input.get<double>("/forcing/wavenumber");
  forcing.width = input.get<double>("/forcing/width");
  forcing.energy_rate = input.get<double>("/forcing/energy_rate");
  forcing.seed = static_cast<std::uint64_t>(input.get<std::int64_t>("/forcing/seed"));
  KeptModes const modes(problem.setup);
  double const outer = forcing.wavenumber + forcing.width / 2, inner = forcing.wavenumber - forcing.width / 2;
  constexpr double rounding = 1e-12;
  if (outer > modes.largest() * (1 + rounding)) {
    problems.push_back(input.problem("/forcing/wavenumber",
                                     limit_words(modes.largest() - forcing.width / 2) +
                                         formatted(" %.6g less half the width; add /domain/points", modes.largest())));
    return;
  }
  int const most_x = static_cast<int>(outer / modes.lowest(0)) + 1,
            most_y = static_cast<int>(outer / modes.lowest(1)) + 1;
  bool found = false;
  for (int ky = -most_y; ky <= most_y && !found; ++ky) {
    for (int kx = 0; kx <= most_x && !found; ++kx) {
      double const k = modes.wavenumber(kx, ky);
      found = modes.keeps(kx, ky) && k >= inner * (1 - rounding) && k <= outer * (1 + rounding);
    }
  }
  if (!found) {
    problems.push_back(input.problem(
        "/forcing/width", formatted("expected a ring with modes of the box, multiples of %.6g and %.6g rad/m, found "
                                    "none from %.6g to %.6g",
                                    modes.lowest(0), modes.lowest(1), inner, outer)));
    return;
  }
  problem.random = forcing;
}

/// Acceleration by a steady forcing, m/s^2, for the first time step.
double read_kolmogorov(Case const& input, TurbulenceCase& result, Evaluation evaluation, Problems& problems) {
  TurbulenceProblem& problem = result.problem;
  VorticitySetup const& setup = problem.setup;
  double const amplitude = input.get<double>("/forcing/amplitude"), k = input.get<double>("/forcing/wavenumber");
  std::size_t const axis = input.get<std::string>("/forcing/along") == "x" ? 0 : 1;
  KeptModes const modes(setup);
  double const waves = k / modes.lowest(axis);
  if (std::abs(waves - std::round(waves)) > 1e-9 * waves) {
    problems.push_back(input.problem(
        "/forcing/wavenumber",
        formatted("expected a multiple of %.10g rad/m, 2 pi over the length of the box", modes.lowest(axis))));
  } else if (waves > modes.largest(axis) / modes.lowest(axis) + 0.5) {
    problems.push_back(input.problem("/forcing/wavenumber", limit_words(modes.largest(axis)) + "; add /domain/points"));
  }
  problem.steady_forcing = true;
  result.forcing_acceleration = std::abs(amplitude) / std::sqrt(2.0);
  result.forcing_wavenumber = k;
  if (evaluation == Evaluation::whole) {
    problem.forcing = field_of(problem.precision, setup, plane_of(setup, [&](double x, double y) {
                                 return amplitude * k * std::cos(k * (axis == 0 ? x : y));
                               }));
  }
  return std::abs(amplitude);
}

double read_formula(Case const& input, TurbulenceCase& result, Evaluation evaluation, Problems& problems) {
  TurbulenceProblem& problem = result.problem;
  constexpr char const* pointer = "/forcing/vorticity";
  auto const values = read_plane(input, pointer, problem.setup, problems, stride_of(problem.setup, evaluation));
  if (values.empty()) return 0;
  problem.steady_forcing = true;
  PlaneScale const scale = read_plane_scale(input, pointer, problem.setup);
  result.forcing_acceleration = scale.velocity();
  result.forcing_wavenumber = scale.wavenumber;
  if (evaluation == Evaluation::whole) problem.forcing = field_of(problem.precision, problem.setup, values);
  double largest = 0;
  for (double const value : values) largest = std::fmax(largest, std::abs(value));
  KeptModes const modes(problem.setup);
  return largest / std::fmin(modes.lowest(0), modes.lowest(1));
}

/// Reads the forcing. Returns its acceleration of fluid at rest, m/s^2; 0 for random forcing.
double read_forcing(Case const& input, TurbulenceCase& result, Evaluation evaluation, Problems& problems) {
  TurbulenceProblem& problem = result.problem;
  switch (read_options<ForcingWord>(input, "/forcing/kind")) {
    case ForcingWord::none: break;
    case ForcingWord::kolmogorov: return read_kolmogorov(input, result, evaluation, problems);
    case ForcingWord::ring: read_ring(input, RandomModes::ring, problem, problems); break;
    case ForcingWord::single: read_ring(input, RandomModes::single, problem, problems); break;
    case ForcingWord::formula: return read_formula(input, result, evaluation, problems);
  }
  return 0;
}

/// The linear rate, 1/s, of those forced modes that it is largest of; 0 without forcing, and for a formula, whose modes
/// are not known here.
double forced_rate(Case const& input, TurbulenceProblem const& problem) {
  VorticityTerms const& terms = problem.setup.terms;
  if (problem.random) {
    double const k = problem.random->wavenumber, half = problem.random->width / 2;
    KeptModes const modes(problem.setup);
    double const inner = std::fmax(k - half, std::fmin(modes.lowest(0), modes.lowest(1)));
    return std::fmax(decay_of(terms, inner), decay_of(terms, k + half)) / 2;
  }
  if (read_options<ForcingWord>(input, "/forcing/kind") != ForcingWord::kolmogorov) return 0;
  return decay_of(terms, input.get<double>("/forcing/wavenumber")) / 2;
}

/// Time in which the forcing moves fluid at rest by cfl distances of points; 0 without forcing.
double forcing_step(TurbulenceProblem const& problem, double acceleration) {
  VorticitySetup const& setup = problem.setup;
  double const spacing = std::fmin(setup.lengths[0] / setup.points[0], setup.lengths[1] / setup.points[1]);
  double const distance = problem.control.cfl * spacing;
  if (problem.random && problem.random->energy_rate > 0)
    return std::cbrt(distance * distance / (2 * problem.random->energy_rate));  // speed sqrt(2 rate t)
  return acceleration > 0 ? std::sqrt(distance / acceleration) : 0;
}

void read_time(Case const& input, double acceleration, TurbulenceCase& result, Problems& problems) {
  TurbulenceProblem& problem = result.problem;
  StepControl& control = problem.control;
  result.end = input.get<double>("/time/end");
  result.frames = input.get<int>("/time/frames");
  if (input.has("/time/averages_from")) {
    result.averages_from = input.get<double>("/time/averages_from");
    if (!(result.averages_from < result.end))
      problems.push_back(
          input.problem("/time/averages_from", formatted("expected less than /time/end, %g", result.end)));
  }
  if (read_options<StepWord>(input, "/time/kind") == StepWord::fixed) {
    control.cfl = 0;
    control.dt_max = input.get<double>("/time/dt");
    control.growth = 1;
    return;
  }
  double const most = largest_cfl(problem.setup);
  // Nearer to the limit the method takes some of the enstrophy of the fastest small scales.
  constexpr double usual_share = 0.6;
  control.cfl = read_options<std::optional<double>>(input, "/time/cfl").value_or(usual_share * most);
  if (control.cfl > most) {
    problems.push_back(
        input.problem("/time/cfl", formatted("expected at most %.4g, the stability limit of %s with %s dealiasing",
                                             most, std::string(name(problem.setup.method)).c_str(),
                                             std::string(name(problem.setup.dealiasing)).c_str())));
  }
  control.growth = input.get<double>("/time/growth");
  control.dt_min = input.get<double>("/time/dt_min");
  auto const dt_max = read_options<std::optional<double>>(input, "/time/dt_max");
  result.limits_steps = !dt_max;
  control.dt_max = dt_max.value_or(least_limit(forcing_step(problem, acceleration), forced_rate(input, problem)));
  // Its coefficients depend on dt.
  constexpr double usual_hold = 0.15;
  if (problem.setup.method == VorticityMethod::etdrk4) control.hold = usual_hold;
  if (control.dt_max > 0 && control.dt_min > control.dt_max) {
    problems.push_back(
        input.problem("/time/dt_min", formatted("expected at most the largest time step, %.4g s", control.dt_max)));
  }
}

TurbulenceCase read(Case const& input, Evaluation evaluation) {
  TurbulenceCase result;
  Problems problems;
  result.title = input.get<std::string>("/title");
  result.text = input.text();
  result.checkpoint_every = input.get<double>("/solver/checkpoint_every");
  auto const fields = input.get<std::vector<std::string>>("/outputs/fields");
  result.fields.insert(fields.begin(), fields.end());
  result.history_every = input.get<int>("/outputs/history_every");
  result.bins = input.get<int>("/outputs/bins");
  result.compression = input.get<int>("/outputs/compression");
  read_setup(input, result, problems);
  if (!problems.empty()) throw CaseError(input.source(), problems);
  double const acceleration = read_forcing(input, result, evaluation, problems);
  read_time(input, acceleration, result, problems);
  result.initial = read_initial(input, result.problem, problems, evaluation);
  if (result.limits_steps && result.initial.energy == 0 && !result.problem.forcing.empty()) {
    // The rates of the modes that a formula forces show in the flow after a step.
    constexpr double first_share = 0.01;
    result.problem.control.dt_first = first_share * result.problem.control.dt_max;
  }
  // Fluid at rest without a forcing limits no step, and no step is longer than the run.
  StepControl& control = result.problem.control;
  if (control.dt_max == 0) control.dt_max = std::fmax(result.end, control.dt_min);
  if (!problems.empty()) throw CaseError(input.source(), problems);
  return result;
}

}  // namespace

std::string_view schema() { return embedded::turbulence_schema_json; }

std::string_view example() { return embedded::turbulence_example_json; }

TurbulenceCase read_turbulence_case(Case const& input) { return read(input, Evaluation::whole); }

TurbulenceCase read_turbulence_outline(Case const& input) { return read(input, Evaluation::sample); }

app::Study read_turbulence_study(Case const& input, std::filesystem::path const& folder) {
  constexpr std::array<char const*, 1> files{"/initial/file"};
  app::Study study(input, folder, schema(), files);
  study.check_all([&](std::size_t n) { read_turbulence_outline(study.members()[n].input); });
  return study;
}

}  // namespace karman::turbulence
