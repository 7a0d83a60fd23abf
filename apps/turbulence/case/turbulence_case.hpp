// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Content of a case of `karman turbulence`, checked and in the program's own types.
#pragma once

#include "common/case/study.hpp"
#include "turbulence/case/turbulence_problem.hpp"

#include <filesystem>
#include <limits>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace karman {
class Case;
}

namespace karman::turbulence {

/// Vorticity at the start: at the points, or by its modes.
struct InitialState {
  app::HostField values;  ///< (ny, nx)
  app::HostField modes;   ///< (ny, nx / 2 + 1, 2); empty: values
  double energy = 0;      ///< known or guessed, m^2/s^2, for the estimate of a run
};

struct TurbulenceCase {
  std::string title;
  std::string text;  ///< the resolved case as JSON
  TurbulenceProblem problem;
  InitialState initial;
  double forcing_acceleration = 0;  ///< m/s^2, root of the mean square, of a steady forcing
  double forcing_wavenumber = 0;    ///< rad/m
  double end = 0;                   ///< s
  int frames = 0;                   ///< after the start
  double averages_from = std::numeric_limits<double>::infinity();  ///< s; infinite: no averages
  int history_every = 20;
  /// True if the run itself chooses the largest time step, from the linear rates of the flow.
  bool limits_steps = false;
  int bins = 201;
  std::set<std::string> fields;
  int compression = 0;
  double checkpoint_every = 600;  ///< s; 0: only when the run is interrupted
  std::vector<std::string> remarks;
};

/// The JSON Schema of a case, and a commented one to start from.
std::string_view schema();
std::string_view example();

/// Reads a case that fits the schema. Evaluates the start and the forcing, and checks beyond the schema. Throws
/// CaseError with every problem found. Throws FileError for files that cannot be read.
TurbulenceCase read_turbulence_case(Case const& input);

/// The same without start and forcing: from samples of them, whatever the size of the case. Its largest time step is
/// that of the sampled forcing. Leaves out the energy of a start from a file.
TurbulenceCase read_turbulence_outline(Case const& input);

/// Reads the members of a case with `/study`, and checks the outline of each. `folder`: of the output. Throws CaseError
/// with the places of wrong values in `/study`.
app::Study read_turbulence_study(Case const& input, std::filesystem::path const& folder);

/// Points up to which a case is evaluated in a moment.
inline constexpr double quick_points = 1 << 21;

}  // namespace karman::turbulence
