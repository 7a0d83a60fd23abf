// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The files that a run leaves: waves.h5, waves.xdmf, components.csv, gauges.csv, sections.csv, history.csv,
/// components.xdmf, surface.xdmf.
#pragma once

#include "wave_case.hpp"
#include "wave_model.hpp"
#include <karman/core/backend_name.hpp>
#include <karman/io/atomic_file.hpp>
#include <karman/io/hdf5_file.hpp>

#include <array>
#include <complex>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace karman::waves {

inline constexpr std::array output_files{"waves.h5",   "waves.xdmf",   "components.xdmf", "surface.xdmf",
                                         "gauges.csv", "sections.csv", "history.csv",     "components.csv"};
inline constexpr char const* fields_file = output_files[0];

/// What is known at the end beside the waves.
struct RunRecord {
  BackendInfo backend;
  bool interrupted = false;
  double case_seconds = 0, set_up_seconds = 0, solve_seconds = 0;
  std::int64_t memory_bytes = 0;
  double nodes_per_wavelength = 0;
};

/// The waves at a gauge, of one component.
struct GaugeReading {
  std::complex<double> elevation;  ///< m
  double height = 0;               ///< m
  double amplification = 0;        ///< height over that of the incident waves
};

/// The field that is a vector.
inline constexpr char const* flux_field = "energy_flux";

/// Writes while components arrive; nothing appears before finish(). docs/waves.md lists what waves.h5 holds.
/// Throws FileError.
class WaveOutput {
 public:
  WaveOutput(std::filesystem::path const& folder, Overwrite overwrite, WaveCase const& wave_case,
             BackendInfo const& backend);

  /// The next component, in the order of the case.
  void add(WaveState state);
  void finish(RunRecord const& record);

  /// Of the components added so far, one row each.
  std::vector<std::vector<GaugeReading>> const& readings() const { return readings_; }
  /// 4 sqrt(m_0) at the nodes, of all components added so far.
  std::vector<double> significant_height() const;

 private:
  /// What a component leaves in /components/<number>, for XDMF.
  struct Kept {
    std::size_t component;
    double period;
    std::vector<std::string> fields;
  };

  void write_mesh();
  void write_component(std::size_t component, WaveState const& state);
  void write_field(std::string const& name, std::vector<double> const& values, char const* units);
  /// Vectors in the plane, with a third component of 0, as readers of XDMF want them.
  void write_vectors(std::string const& name, std::vector<double> const& x, std::vector<double> const& y,
                     char const* units);
  void write_values(std::string const& name, std::vector<double> const& values, ArrayExtents const& extents,
                    char const* units);
  void write_combined();
  void write_gauges();
  void write_sections();
  void write_animation();
  void write_attributes(RunRecord const& record);
  void write_xdmf() const;
  void write_tables() const;

  std::filesystem::path folder_;
  Overwrite overwrite_;
  WaveCase const& case_;
  BackendInfo backend_;
  Hdf5File file_;
  std::size_t added_ = 0;
  std::vector<Kept> kept_;
  std::vector<std::string> combined_;
  std::vector<std::vector<double>> summary_, history_, sections_;
  std::vector<std::vector<GaugeReading>> readings_;
  /// The component with the largest response so far.
  std::optional<WaveState> largest_;
  std::size_t largest_component_ = 0;
  double largest_response_ = -1;
  bool converged_ = true;
  /// Sums over components: |elevation|^2, energy flux, stresses, dissipation.
  std::vector<double> square_, flux_x_, flux_y_, stress_xx_, stress_xy_, stress_yy_, dissipation_;
};

}  // namespace karman::waves
