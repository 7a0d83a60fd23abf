// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A measured or computed spectrum of a file, and its waves.
#pragma once

#include "sea_state.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace karman {
class Case;
}

namespace karman::waves {

/// Density over the frequency, linear between its frequencies and zero outside. Directions of travel, rad
/// anticlockwise from +x. They come as a mean and a spread per frequency, as a table, or not at all.
struct FileSpectrum {
  std::string place;              ///< "location 2 of 4 (0 -100), time 1 of 5 (20160611.000000)"
  std::vector<double> frequency;  ///< Hz, increasing, above 0
  std::vector<double> density;    ///< m2/Hz, 0 or more
  /// Mean direction of each frequency, NaN where unknown; empty: the file has none.
  std::vector<double> direction;
  /// Length r_1 of the mean unit vector of travel, 0 to 1, NaN where unknown; empty: the file has none.
  std::vector<double> resultant;
  std::vector<double> bins;               ///< directions of the table, any order; empty: no table
  std::vector<double> table;              ///< m2/Hz/rad, a row of all directions per frequency
  std::vector<std::string> remarks = {};  ///< passed over, corrected
};

/// The chosen entry, by number or text, in the list of a file: `/waves/location` or `/waves/time`.
class SpectrumPick {
 public:
  SpectrumPick(Case const& input, std::string key);
  /// Takes the next entry of the file, its text in one line. Returns true for the chosen one, for the first if none is.
  bool offer(std::string const& text);
  /// True once the chosen entry was offered.
  bool found() const { return found_ > 0; }
  /// After the last entry. Throws CaseError where several entries leave a choice, or none is the chosen one.
  void finish(std::string const& file) const;
  /// "location 2 of 4 (0 -100)".
  std::string words() const;
  std::string const& chosen() const { return chosen_; }

 private:
  Case const& input_;
  std::string key_;
  std::size_t wanted_ = 0;  ///< number; 0: by text, or the only one
  std::string text_;
  std::size_t count_ = 0, found_ = 0;
  std::string first_, last_, chosen_;
};

/// Widths of the directions of a table, rad, in their order: half the distance to each neighbour around the circle. At
/// the end of a sector the distance within it counts twice.
std::vector<double> bin_widths(std::vector<double> const& bins);

/// r_1 of a circular standard deviation sqrt(2 (1 - r_1)), rad.
double resultant_of_spread(double spread);
/// r_1 of the distribution cos^m around the mean direction, within 90 degrees of it.
double resultant_of_power(double power);
/// r_1 = s / (s + 1) of cos^2s((theta - theta_0) / 2), 0 for waves of any direction; s = infinity gives 1.
double resultant_of_exponent(double exponent);

/// Significant height 4 sqrt(m_0), m, and period of the highest density, s.
double significant_height_of(FileSpectrum const& spectrum);
double peak_period_of(FileSpectrum const& spectrum);
/// Mean direction of travel, rad, weighted with energy; empty without directions.
std::optional<double> mean_direction_of(FileSpectrum const& spectrum);

/// Counts of components.
struct BandCounts {
  int periods = 8, directions = 5;
};

/// Waves of equal energy: `periods` bands of frequencies, and in each `directions` parts of its directions. The
/// frequency (direction) halves the energy of its band. Without a table, a band has the first circular moments of its
/// energy, and cos^2s about its mean direction. A band without spread is a single wave. Preconditions: some energy;
/// directions known at one frequency with energy.
SeaState sea_state_of(FileSpectrum const& spectrum, BandCounts const& counts);

}  // namespace karman::waves
