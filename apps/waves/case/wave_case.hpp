// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Everything that `karman waves` is told, checked and in the program's own types.
#pragma once

#include "sea_state.hpp"
#include "waves/model/wave_problem.hpp"
#include "waves/output/gauges.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace karman {
class Case;
}

namespace karman::waves {

/// Kind of the set of waves.
enum class WaveSet {
  regular,      ///< one component
  list,         ///< several at sea together; their energies add up
  spectrum,     ///< many of the same energy at sea together; their energies add up
  period_scan,  ///< the response over the period
};

/// True for a set whose components are superposed: their energies add up.
constexpr bool are_superposed(WaveSet set) { return set == WaveSet::list || set == WaveSet::spectrum; }

enum class KeptComponents { automatic, all, largest, none };

struct OutputSettings {
  bool elevation = true, height = true, phase = true, direction = true, wave_number = true, celerity = true,
       group_celerity = true, energy_flux = true, bed_velocity = true, dissipation = true, breaking_fraction = true,
       radiation_stress = true;
  KeptComponents components = KeptComponents::automatic;
  int animation_frames = 24;
  int compression = 0;
};

struct WaveCase {
  std::string title;
  std::string text;  ///< the resolved case as JSON
  WaveProblem problem;
  WaveSet set = WaveSet::regular;
  std::vector<WaveComponent> components;
  std::vector<Gauge> gauges;
  std::vector<Section> sections;
  OutputSettings outputs;
  double checkpoint_every = 600;  ///< seconds; 0: only when the run is interrupted
  /// Remarks on mesh and depths for the user before the run: nodes outside the soundings, raised depths.
  std::vector<std::string> remarks;
  /// How the directions of the case are meant, in words for its user.
  std::string directions;
};

/// Are the components found together, because each loses what the sum of all makes it lose? Else one after the other.
bool found_together(WaveCase const& wave_case);

/// The JSON Schema of a case, and a commented one to start from.
std::string_view schema();
std::string_view example();

/// Reads a case that fits the schema, makes or reads its mesh, finds the depth of every node, and checks beyond the
/// schema. Throws CaseError with every problem found (also for the content of mesh files and soundings, which are
/// named with their line), FileError for files that cannot be read.
WaveCase read_wave_case(Case const& input);

/// 4 sqrt(m_0) of the incident waves, all components together.
double significant_height(std::vector<WaveComponent> const& components);

}  // namespace karman::waves
