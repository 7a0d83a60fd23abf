// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Content of a case of `karman waves`, checked and in the program's own types.
#pragma once

#include "common/mesh/gauges.hpp"
#include "sea_state.hpp"
#include "waves/case/section.hpp"
#include "waves/case/wave_problem.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace karman {
class Case;
}

namespace karman::waves {

/// Kind of the set of waves.
enum class WaveSet {
  regular,        ///< one component
  list,           ///< several in one sea; their energies add up
  spectrum,       ///< many of the same energy in one sea; their energies add up
  period_scan,    ///< the response over the period
  spectrum_file,  ///< a spectrum of a file
};

/// True for a set whose components are superposed: their energies add up.
constexpr bool are_superposed(WaveSet set) {
  return set == WaveSet::list || set == WaveSet::spectrum || set == WaveSet::spectrum_file;
}

enum class KeptComponents { automatic, all, largest, none };

/// The surface at the gauges over time.
struct SurfaceSeries {
  double duration = 0;    ///< s
  double step = 0;        ///< s
  std::int64_t seed = 1;  ///< of the random phases
};

struct OutputSettings {
  bool elevation = true, height = true, phase = true, direction = true, wave_number = true, celerity = true,
       group_celerity = true, energy_flux = true, bed_velocity = true, dissipation = true, breaking_fraction = true,
       radiation_stress = true;
  KeptComponents components = KeptComponents::automatic;
  int animation_frames = 24;
  int compression = 0;
  bool selafin = false;  ///< files of TELEMAC too
  std::optional<SurfaceSeries> series = {};
};

struct WaveCase {
  std::string title;
  std::string text;  ///< the resolved case as JSON
  WaveProblem problem;
  WaveSet set = WaveSet::regular;
  std::vector<WaveComponent> components;
  /// Frequency by share of energy, for the components of a spectrum; empty for others.
  std::function<double(double)> frequency_at;
  /// Phases of the components are independent: the surface over time has random ones.
  bool random_phases = false;
  std::vector<app::Gauge> gauges;
  std::vector<Section> sections;
  OutputSettings outputs;
  double checkpoint_every = 600;  ///< seconds; 0: only when the run is interrupted
  /// Remarks on mesh and depths for the user before the run: nodes outside the soundings, raised depths.
  std::vector<std::string> remarks;
  std::vector<std::string> boundary_list;  ///< boundaries with their conditions, for the user
  /// Convention of the directions in the case, in words for its user.
  std::string directions;
};

/// True if the components are solved together, because the losses of each depend on the sum of all. Else one after the
/// other.
bool found_together(WaveCase const& wave_case);

/// The JSON Schema of a case, and a commented one to start from.
std::string_view schema();
std::string_view example();

/// Reads a case that fits the schema. Makes or reads its mesh, finds the depth of every node, and checks beyond the
/// schema. Throws CaseError with every problem found, including errors in mesh files and soundings with their line.
/// Throws FileError for files that cannot be read.
WaveCase read_wave_case(Case const& input);

/// 4 sqrt(m_0) of the incident waves, all components together.
double significant_height(std::vector<WaveComponent> const& components);

/// True if the fields of all components are kept, false if only the fields of the largest response are.
bool keeps_all(WaveCase const& wave_case);

}  // namespace karman::waves
