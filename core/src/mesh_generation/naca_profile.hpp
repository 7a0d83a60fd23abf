// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Airfoils of the NACA four-digit series with a closed trailing edge.
#pragma once

#include <complex>
#include <string>

namespace karman::detail {

/// Contour of an airfoil, chord from 0 to 1.
///
/// The parameter runs anticlockwise: 0 at the trailing edge, pi at the leading edge, 2 pi at the trailing edge again.
class NacaProfile {
 public:
  /// Throws std::invalid_argument for bad digits.
  NacaProfile(std::string const& digits, std::string const& who);

  bool symmetric() const { return camber_ == 0; }
  std::complex<double> contour(double parameter) const;
  /// Angle of the solid at the trailing edge, radians.
  double trailing_angle() const;
  /// Point inside, halfway between the leading edge and its centre of curvature.
  std::complex<double> focus() const;

 private:
  double camber_line(double x) const;
  double camber_slope(double x) const;
  std::complex<double> camber_normal(double x) const;

  double camber_ = 0, place_ = 0.5, thickness_ = 0;
};

}  // namespace karman::detail
