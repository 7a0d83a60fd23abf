// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Output files of a run: waves.h5, waves.xdmf, components.csv, gauges.csv, sections.csv, history.csv, components.xdmf,
/// surface.xdmf, surface_series.csv.
#pragma once

#include "waves/case/wave_case.hpp"
#include "waves/model/wave_model.hpp"
#include <karman/core/backend_name.hpp>
#include <karman/io/atomic_file.hpp>
#include <karman/io/hdf5_file.hpp>

#include <array>
#include <complex>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace karman::waves {

inline constexpr std::array output_files{"waves.h5",   "waves.xdmf",   "components.xdmf",   "surface.xdmf",
                                         "gauges.csv", "sections.csv", "history.csv",       "components.csv",
                                         "waves.slf",  "waves.cli",    "surface_series.csv"};
inline constexpr char const* fields_file = output_files[0];
inline constexpr char const* checkpoint_file = "waves.checkpoint";

/// Result of the run beside the waves.
struct RunRecord {
  BackendInfo backend;
  double case_seconds = 0, set_up_seconds = 0, solve_seconds = 0;
  std::int64_t memory_bytes = 0;
  double nodes_per_wavelength = 0;
};

/// Waves of one component at a gauge.
struct GaugeReading {
  std::complex<double> elevation;  ///< m
  double height = 0;               ///< m
  double amplification = 0;        ///< height over that of the incident waves
};

/// Rows and sums of the added components, in their order, without their fields.
struct OutputRecord {
  std::vector<std::vector<double>> summary;  ///< summary_columns
  std::vector<std::vector<double>> history;  ///< history_columns, several rows each
  std::vector<std::vector<GaugeReading>> readings;
  /// Sums over components: |elevation|^2, energy flux, stresses, dissipation; one value per node.
  std::vector<double> square, flux_x, flux_y, stress_xx, stress_xy, stress_yy, dissipation;
  std::size_t largest_component = 0;  ///< the one with the largest response
  double largest_response = -1;       ///< its height, m
};

/// Name of the vector field.
inline constexpr char const* flux_field = "energy_flux";

/// Writes components as they arrive; the files appear at finish(). docs/waves.md lists the content of waves.h5. Throws
/// FileError.
class WaveOutput {
 public:
  WaveOutput(std::filesystem::path const& folder, Overwrite overwrite, WaveCase const& wave_case,
             BackendInfo const& backend);

  /// The next component, in the order of the case.
  void add(WaveState state);
  /// Restores the rows and sums of a checkpoint; call keep() then for each component with kept fields, in their order.
  void restore(OutputRecord record) { record_ = std::move(record); }
  void keep(std::size_t component, WaveState state);
  void finish(RunRecord const& record);

  /// Rows and sums of the components added so far.
  OutputRecord const& record() const { return record_; }
  std::vector<std::vector<GaugeReading>> const& readings() const { return record_.readings; }
  /// Seconds of the solves of all added components, one after another.
  double summed_seconds() const;
  /// 4 sqrt(variance) of the surface over time at a gauge; empty without a series. Call after finish().
  std::optional<double> series_height(std::size_t gauge) const;
  /// 4 sqrt(m_0) at the nodes, of all components added so far.
  std::vector<double> significant_height() const;

 private:
  /// Fields of a component in /components/<number>, for XDMF.
  struct Kept {
    std::size_t component;
    double period;
    std::vector<std::string> fields;
  };

  void write_mesh();
  void write_component(std::size_t component, WaveState const& state);
  void write_field(std::string const& name, std::vector<double> const& values, char const* units);
  /// Writes plane vectors with a third component of 0, as readers of XDMF require.
  void write_vectors(std::string const& name, std::vector<double> const& x, std::vector<double> const& y,
                     char const* units);
  void write_values(std::string const& name, std::vector<double> const& values, ArrayExtents const& extents,
                    char const* units);
  void write_combined();
  void write_gauges();
  void write_series();
  void write_sections();
  void write_animation();
  void write_attributes(RunRecord const& record);
  void write_xdmf() const;
  void write_selafin() const;
  void write_tables() const;
  void write_series_table() const;

  std::filesystem::path folder_;
  Overwrite overwrite_;
  WaveCase const& case_;
  BackendInfo backend_;
  Hdf5File file_;
  OutputRecord record_;
  std::vector<Kept> kept_;
  std::vector<std::string> combined_;
  std::vector<std::vector<double>> sections_;
  std::vector<double> series_times_, series_;  ///< surface at the gauges, a row per time
  std::optional<WaveState> largest_;           ///< the component with the largest response so far
};

}  // namespace karman::waves
