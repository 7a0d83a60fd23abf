// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "read_initial.hpp"

#include "common/case/texts.hpp"
#include "kept_modes.hpp"
#include "read_plane.hpp"
#include "turbulence_options_json.hpp"
#include <karman/io/case_options.hpp>
#include <karman/io/config.hpp>
#include <karman/io/hdf5_file.hpp>

#include <math.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <filesystem>
#include <numbers>
#include <utility>

namespace karman::turbulence {
namespace {

using app::formatted;
using std::numbers::pi;
using Problems = std::vector<CaseProblem>;

/// Place of the real part of a mode in a table (ny, nx / 2 + 1, 2).
std::size_t place_of(KeptModes const& modes, int kx, int ky) {
  int const row = ky < 0 ? ky + modes.rows() : ky;
  return 2 * (static_cast<std::size_t>(row) * static_cast<std::size_t>(modes.columns()) + static_cast<std::size_t>(kx));
}

ArrayExtents mode_extents(KeptModes const& modes) { return {modes.rows(), modes.columns(), 2}; }

std::size_t mode_values(KeptModes const& modes) { return mode_extents(modes).count(); }

/// Visits the kept modes of the half plane, of kx = 0 those with ky > 0.
template <class Visit>
void for_each_kept(KeptModes const& modes, Visit&& visit) {
  for (int j = 0; j < modes.rows(); ++j) {
    int const ky = modes.row_number(j);
    for (int kx = 0; kx < modes.columns(); ++kx) {
      if (modes.keeps(kx, ky) && (kx > 0 || ky > 0)) visit(kx, ky);
    }
  }
}

void set_mode(KeptModes const& modes, std::vector<double>& table, int kx, int ky, std::complex<double> value) {
  std::size_t const place = place_of(modes, kx, ky);
  table[place] = value.real();
  table[place + 1] = value.imag();
  if (kx > 0) return;
  std::size_t const opposite = place_of(modes, 0, -ky);
  table[opposite] = value.real();
  table[opposite + 1] = -value.imag();
}

/// The next number of a sequence, which changes the state (Steele, Lea, Flood: SplitMix64).
std::uint64_t next_random(std::uint64_t& state) {
  state += 0x9e3779b97f4a7c15U;
  std::uint64_t z = state;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
  return z ^ (z >> 31);
}

/// A number in (0, 1).
double next_uniform(std::uint64_t& state) {
  constexpr double step = 0x1p-53;
  return (static_cast<double>(next_random(state) >> 11) + 0.5) * step;
}

/// A complex number of normal distribution.
std::complex<double> normal_of(std::uint64_t seed, int kx, int ky) {
  std::uint64_t state = seed;
  for (int const number : {kx, ky}) {
    state = next_random(state) ^ static_cast<std::uint64_t>(static_cast<std::int64_t>(number));
  }
  double const radius = std::sqrt(-std::log(next_uniform(state)));
  return std::polar(radius, 2 * pi * next_uniform(state));
}

InitialState taylor_green(Case const& input, TurbulenceProblem const& problem, Problems& problems,
                          Evaluation evaluation) {
  VorticitySetup const& setup = problem.setup;
  KeptModes const modes(setup);
  double const amplitude = input.get<double>("/initial/amplitude");
  auto const waves = input.get<std::array<int, 2>>("/initial/waves");
  if (!modes.keeps(waves[0], waves[1])) {
    problems.push_back(
        input.problem("/initial/waves", formatted("expected a kept mode: at most %d and %d waves; add /domain/points",
                                                  static_cast<int>(std::lround(modes.largest(0) / modes.lowest(0))),
                                                  static_cast<int>(std::lround(modes.largest(1) / modes.lowest(1))))));
  }
  double const kx = waves[0] * modes.lowest(0), ky = waves[1] * modes.lowest(1);
  InitialState state;
  state.energy = amplitude * amplitude / (2 * (kx * kx + ky * ky));
  if (evaluation == Evaluation::sample) return state;
  state.values = field_of(problem.precision, setup, plane_of(setup, [&](double x, double y) {
                            return 2 * amplitude * std::cos(kx * x) * std::cos(ky * y);
                          }));
  return state;
}

InitialState two_mode(Case const& input, TurbulenceProblem const& problem, Problems& problems, Evaluation evaluation) {
  VorticitySetup const& setup = problem.setup;
  KeptModes const modes(setup);
  if (!modes.keeps(2, 2) || !modes.keeps(1, 3)) {
    problems.push_back(input.problem("/domain/points",
                                     "expected enough points for the modes (2, 2) and (1, 3) of "
                                     "/initial: at least 11 along x and y"));
  }
  double const amplitude = input.get<double>("/initial/amplitude"), k = modes.lowest(0), l = modes.lowest(1);
  double const first = 4 * (k * k + l * l), second = k * k + 9 * l * l;  // squares of the wavenumbers
  InitialState state;
  state.energy = amplitude * amplitude * (first + 4 * second) / 8;
  if (evaluation == Evaluation::sample) return state;
  state.values = field_of(problem.precision, setup, plane_of(setup, [&](double x, double y) {
                            return -amplitude * (first * std::sin(2 * k * x) * std::cos(2 * l * y) +
                                                 2 * second * std::sin(k * x) * std::cos(3 * l * y));
                          }));
  return state;
}

InitialState kelvin_helmholtz(Case const& input, TurbulenceProblem const& problem, Problems& problems,
                              Evaluation evaluation) {
  VorticitySetup const& setup = problem.setup;
  auto const [lx, ly] = setup.lengths;
  double const speed = input.get<double>("/initial/speed"), thickness = input.get<double>("/initial/thickness");
  double const amplitude = input.get<double>("/initial/amplitude");
  auto const waves = input.get<std::vector<int>>("/initial/waves");
  KeptModes const modes(setup);
  double const dy = ly / setup.points[1];
  // With less than one point in a layer the profile is not that of the case.
  if (thickness < dy || thickness > ly / 8) {
    problems.push_back(input.problem("/initial/thickness",
                                     formatted("expected at least %.4g, the distance of two points, and at most %.4g, "
                                               "an eighth of the box",
                                               dy, ly / 8)));
  }
  for (std::size_t n = 0; n < waves.size(); ++n) {
    if (modes.keeps(waves[n], 0)) continue;
    problems.push_back(
        input.problem("/initial/waves/" + std::to_string(n),
                      formatted("expected at most %ld, the largest kept number of waves; add /domain/points",
                                std::lround(modes.largest(0) / modes.lowest(0)))));
  }
  auto const layer = [&](double distance) {
    double const c = std::cosh(distance / thickness);
    return speed / (thickness * c * c);
  };
  InitialState state;
  state.energy = speed * speed / 2 + static_cast<double>(waves.size()) * amplitude * amplitude / 4;
  if (evaluation == Evaluation::sample) return state;
  std::vector<double> slopes;  // d v/dx along a row
  for (int i = 0; i < setup.points[0]; ++i) {
    double slope = 0;
    for (int const n : waves) {
      double const k = n * modes.lowest(0);
      slope += amplitude * k * std::cos(k * i * lx / setup.points[0]);
    }
    slopes.push_back(slope);
  }
  std::vector<double> values;
  for (int j = 0; j < setup.points[1]; ++j) {
    double const y = j * dy, shear = y <= ly / 2 ? -layer(y - ly / 4) : layer(y - 3 * ly / 4);
    for (double const slope : slopes) values.push_back(shear + slope);
  }
  state.values = field_of(problem.precision, setup, values);
  return state;
}

InitialState lamb_dipole(Case const& input, TurbulenceProblem const& problem, Problems& problems,
                         Evaluation evaluation) {
  VorticitySetup const& setup = problem.setup;
  auto const [lx, ly] = setup.lengths;
  double const speed = input.get<double>("/initial/speed"), radius = input.get<double>("/initial/radius");
  double const angle = input.get<double>("/initial/angle") * pi / 180;
  std::array<double, 2> center{lx / 2, ly / 2};
  if (input.has("/initial/center")) center = input.get<std::array<double, 2>>("/initial/center");
  double const spacing = std::fmax(lx / setup.points[0], ly / setup.points[1]), most = std::fmin(lx, ly) / 2;
  if (radius < 4 * spacing || radius > most) {
    problems.push_back(input.problem("/initial/radius",
                                     formatted("expected at least %.4g, four distances of points, and at most %.4g, "
                                               "half the box",
                                               4 * spacing, most)));
  }
  constexpr double first_zero = 3.8317059702075125;  // of J1
  double const k = first_zero / radius, scale = -2 * speed * k / ::j0(first_zero);
  auto const nearest = [](double distance, double length) { return distance - length * std::round(distance / length); };
  InitialState state;
  state.energy = speed * speed / 2;  // of its fastest parts
  if (evaluation == Evaluation::sample) return state;
  state.values = field_of(problem.precision, setup, plane_of(setup, [&](double x, double y) {
                            double const dx = nearest(x - center[0], lx), dy = nearest(y - center[1], ly);
                            double const r = std::hypot(dx, dy);
                            if (r >= radius || r == 0) return 0.0;
                            double const sine = (dy * std::cos(angle) - dx * std::sin(angle)) / r;
                            return scale * ::j1(k * r) * sine;
                          }));
  return state;
}

InitialState state_of_modes(TurbulenceProblem const& problem, std::vector<double> const& modes) {
  InitialState state;
  state.modes = app::HostField(problem.precision, mode_extents(KeptModes(problem.setup)), modes);
  state.energy = energy_of(problem.setup, modes);
  return state;
}

InitialState state_of_values(TurbulenceProblem const& problem, std::vector<double> const& values) {
  InitialState state;
  state.values = field_of(problem.precision, problem.setup, values);
  double square = 0;
  for (double const value : values) square += value * value;
  // As if all of it had a wavenumber of three waves in the box.
  double const k = 3 * KeptModes(problem.setup).lowest(0);
  state.energy = values.empty() ? 0 : square / (2 * k * k * static_cast<double>(values.size()));
  return state;
}

InitialState values_of_formula(Case const& input, TurbulenceProblem const& problem, Problems& problems,
                               Evaluation evaluation) {
  constexpr char const* pointer = "/initial/vorticity";
  VorticitySetup const& setup = problem.setup;
  auto const values = read_plane(input, pointer, setup, problems, stride_of(setup, evaluation));
  InitialState state;
  if (values.empty()) return state;
  double const speed = read_plane_scale(input, pointer, setup).velocity();
  state.energy = speed * speed / 2;
  if (evaluation == Evaluation::whole) state.values = field_of(problem.precision, setup, values);
  return state;
}

/// Values of a dataset of float or double.
std::vector<double> read_numbers(Hdf5File const& file, std::string const& name) {
  if (file.info(name).type == ScalarType::float32) {
    auto const values = file.read_vector<float>(name);
    return {values.begin(), values.end()};
  }
  return file.read_vector<double>(name);
}

/// Modes of a file on the kept modes here; those beyond either are dropped.
std::vector<double> fitted_modes(Hdf5File const& file, VorticitySetup const& setup) {
  char const* const name = "/modes/vorticity";
  ArrayExtents const extents = file.info(name).extents;
  bool const right = extents.rank() == 3 && extents[2] == 2 && extents[0] >= 1 && extents[1] >= 1 &&
                     extents[0] < (std::size_t{1} << 20) && extents[1] < (std::size_t{1} << 20);
  if (!right) throw FileError(file.path().string(), std::string("read ") + name + " in", "not (ny, nx / 2 + 1, 2)");
  std::vector<double> const source = read_numbers(file, name);
  int const rows = static_cast<int>(extents[0]), columns = static_cast<int>(extents[1]);
  KeptModes const modes(setup);
  std::vector<double> table(mode_values(modes));
  for_each_kept(modes, [&](int kx, int ky) {
    // The highest modes of an even number of points have no sign: files of Karman have zeros there.
    if (kx >= columns || std::abs(ky) > (rows - 1) / 2) return;
    auto const row = static_cast<std::size_t>(ky < 0 ? ky + rows : ky);
    std::size_t const place = 2 * (row * static_cast<std::size_t>(columns) + static_cast<std::size_t>(kx));
    set_mode(modes, table, kx, ky, {source[place], source[place + 1]});
  });
  return table;
}

InitialState from_file(Case const& input, TurbulenceProblem const& problem, Problems& problems) {
  std::string const pointer = "/initial/file";
  std::filesystem::path path = input.get<std::string>(pointer);
  if (path.is_relative()) path = std::filesystem::path(input.source()).parent_path() / path;
  Hdf5File const file = Hdf5File::open(path);
  auto const finite = [&](std::vector<double> const& values) {
    if (std::all_of(values.begin(), values.end(), [](double value) { return std::isfinite(value); })) return true;
    problems.push_back(input.problem(pointer, "expected finite values in the file"));
    return false;
  };
  if (file.exists("/modes/vorticity")) {
    auto const box = file.read_doubles("/", "size");
    for (std::size_t axis = 0; axis < 2; ++axis) {
      if (box.size() == 2 && std::abs(box[axis] / problem.setup.lengths[axis] - 1) < 1e-9) continue;
      problems.push_back(
          input.problem("/domain/size", "expected the box of " + path.string() +
                                            (box.size() == 2 ? formatted(", %.10g x %.10g m", box[0], box[1]) : "")));
      return {};
    }
    auto const modes = fitted_modes(file, problem.setup);
    return finite(modes) ? state_of_modes(problem, modes) : InitialState();
  }
  char const* const name = "/fields/vorticity";
  if (!file.exists(name)) {
    throw FileError(path.string(), "read a vorticity in", "neither /modes/vorticity nor /fields/vorticity is there");
  }
  auto const [nx, ny] = problem.setup.points;
  ArrayExtents const extents = file.info(name).extents;
  if (extents != ArrayExtents(ny, nx)) {
    problems.push_back(input.problem("/domain/points",
                                     "expected the points of " + path.string() + ", " + extents.text() + " (ny x nx)"));
    return {};
  }
  auto const values = read_numbers(file, name);
  return finite(values) ? state_of_values(problem, values) : InitialState();
}

}  // namespace

double energy_of(VorticitySetup const& setup, std::vector<double> const& modes) {
  KeptModes const kept(setup);
  double energy = 0;
  // Each counts twice, for its opposite.
  for_each_kept(kept, [&](int kx, int ky) {
    std::size_t const place = place_of(kept, kx, ky);
    double const k = kept.wavenumber(kx, ky);
    energy += (modes[place] * modes[place] + modes[place + 1] * modes[place + 1]) / (k * k);
  });
  return energy;
}

std::vector<double> random_modes(VorticitySetup const& setup, double energy, double peak, std::uint64_t seed) {
  KeptModes const modes(setup);
  std::vector<double> table(mode_values(modes));
  for_each_kept(modes, [&](int kx, int ky) {
    double const k = modes.wavenumber(kx, ky), share = k / peak;
    double const amplitude = k / std::sqrt(1 + share * share * share * share);
    set_mode(modes, table, kx, ky, amplitude * normal_of(seed, kx, ky));
  });
  double const found = energy_of(setup, table), scale = found > 0 ? std::sqrt(energy / found) : 0;
  for (double& value : table) value *= scale;
  return table;
}

InitialState read_initial(Case const& input, TurbulenceProblem const& problem, Problems& problems,
                          Evaluation evaluation) {
  VorticitySetup const& setup = problem.setup;
  bool const sample = evaluation == Evaluation::sample;
  switch (read_options<InitialWord>(input, "/initial/kind")) {
    case InitialWord::zero: break;
    case InitialWord::taylor_green: return taylor_green(input, problem, problems, evaluation);
    case InitialWord::two_mode: return two_mode(input, problem, problems, evaluation);
    case InitialWord::kelvin_helmholtz: return kelvin_helmholtz(input, problem, problems, evaluation);
    case InitialWord::lamb_dipole: return lamb_dipole(input, problem, problems, evaluation);
    case InitialWord::random: {
      double const peak = input.get<double>("/initial/peak_wavenumber"), most = KeptModes(setup).largest();
      if (!(peak <= most)) {
        problems.push_back(input.problem(
            "/initial/peak_wavenumber",
            formatted("expected at most %.6g rad/m, the largest kept wavenumber; add /domain/points", most)));
        return {};
      }
      auto const seed = static_cast<std::uint64_t>(input.get<std::int64_t>("/initial/seed"));
      auto const energy = input.get<double>("/initial/energy");
      if (sample) return {{}, {}, energy};
      return state_of_modes(problem, random_modes(setup, energy, peak, seed));
    }
    case InitialWord::formula: return values_of_formula(input, problem, problems, evaluation);
    case InitialWord::file: return sample ? InitialState() : from_file(input, problem, problems);
  }
  if (sample) return {};
  return state_of_values(problem, plane_of(setup, [](double, double) { return 0.0; }));
}

}  // namespace karman::turbulence
