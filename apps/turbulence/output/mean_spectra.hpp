// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Spectra and fluxes as columns, and their means over time.
#pragma once

#include <karman/solvers/spectral/vorticity_options.hpp>

#include <cstddef>
#include <string>
#include <vector>

namespace karman::turbulence {

/// wavenumber, energy, enstrophy, energy_transfer, enstrophy_transfer, energy_flux, enstrophy_flux.
std::vector<std::string> const& spectra_columns();

/// Rows of these columns, a shell each, without the empty shell 0.
std::vector<std::vector<double>> rows_of(VorticitySpectra const& spectra);

/// Sums over time of spectra, each weighted by the time since the one before.
class MeanSpectra {
 public:
  /// Adds the spectra of a length of time.
  void add(VorticitySpectra const& spectra, double seconds);
  double seconds() const { return seconds_; }
  /// Means; none before add().
  VorticitySpectra mean() const;

  /// Seven rows of sums, of equal length, the first one of wavenumbers.
  std::vector<double> values() const;
  void restore(std::vector<double> const& values, double seconds);

 private:
  double seconds_ = 0;
  std::vector<std::vector<double>> sums_;
};

}  // namespace karman::turbulence
