// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Conformal map from the exterior of the unit circle to the exterior of an airfoil.
#pragma once

#include "naca_profile.hpp"

#include <complex>
#include <cstddef>
#include <string>
#include <vector>

namespace karman::detail {

/// Map by Kármán and Trefftz, then by Theodorsen. It takes 1 to the trailing edge, infinity to infinity.
///
/// The first map turns the airfoil into a closed curve without corner, close to a circle. The second one writes the
/// exterior of that curve as center + s exp (F(s)), where F is a power series in 1/s. It finds the values of F at
/// equal angles by fixed-point iteration.
class ExteriorMap {
 public:
  /// \param profile airfoil
  /// \param points number of equal angles, even
  /// \param who name for messages
  ExteriorMap(NacaProfile const& profile, std::size_t points, std::string const& who);

  /// Parameters of the profile at the equal angles.
  std::vector<double> const& parameters() const { return parameters_; }
  /// Scale and rotation at infinity: image / s tends to it.
  std::complex<double> derivative_at_infinity() const { return std::exp(series_.front()); }
  /// Images of the points of radius > 1 at every `stride`-th of the equal angles.
  std::vector<std::complex<double>> ring(double radius, std::size_t stride) const;

 private:
  /// Point of the contour: its parameter and its angle around the centre of the curve. The angle `branch` selects the
  /// power of the first map.
  struct Sample {
    double parameter = 0, angle = 0, branch = 0;
  };
  /// Point of the curve around its centre, in polar coordinates.
  struct Polar {
    double parameter = 0, angle = 0, log_radius = 0;
  };

  std::complex<double> rounded(double parameter, double& branch) const;
  std::complex<double> sharpened(std::complex<double> const& w) const;
  void sample_curve(std::size_t count, std::string const& who);
  Polar curve(double parameter, Sample const& near) const;
  Polar curve_at_angle(double angle) const;
  void iterate(std::size_t points, std::string const& who);

  NacaProfile profile_;
  std::complex<double> focus_, round_edge_, round_focus_, center_;
  double power_ = 2;  // exterior angle at the trailing edge over pi
  std::vector<Sample> samples_;
  std::vector<double> parameters_;
  std::vector<std::complex<double>> series_;
};

}  // namespace karman::detail
