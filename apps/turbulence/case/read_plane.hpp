// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Planes of values at the points of a periodic box, from functions and formulas of a case.
#pragma once

#include "common/case/stop_check.hpp"
#include "common/fields/host_field.hpp"
#include <karman/io/error.hpp>
#include <karman/solvers/spectral/vorticity_options.hpp>

#include <cstddef>
#include <string>
#include <vector>

namespace karman {
class Case;
}

namespace karman::turbulence {

/// Number of points of a case that is evaluated.
enum class Evaluation {
  sample,  ///< every so many points, at most about 2^16: needs and most errors of a case of any size, at once
  whole    ///< all
};

/// Distance of the evaluated points, in points.
int stride_of(VorticitySetup const& setup, Evaluation evaluation);

/// Values of a function of x and y at every `stride`th point along each axis; with 1: (ny, nx). Throws Stopped as
/// check_stop() does.
template <class Function>
std::vector<double> plane_of(VorticitySetup const& setup, Function&& at, int stride = 1) {
  auto const [nx, ny] = setup.points;
  std::vector<double> values;
  values.reserve(static_cast<std::size_t>((nx - 1) / stride + 1) * static_cast<std::size_t>((ny - 1) / stride + 1));
  for (int j = 0; j < ny; j += stride) {
    app::check_stop();
    for (int i = 0; i < nx; i += stride) values.push_back(at(i * setup.lengths[0] / nx, j * setup.lengths[1] / ny));
  }
  return values;
}

/// A plane as a field of a precision.
app::HostField field_of(app::Precision precision, VorticitySetup const& setup, std::vector<double> const& values);

/// Values of a number or a formula in x and y, as of plane_of(). Adds a problem for a wrong formula and for a value
/// that is not finite, with its point.
std::vector<double> read_plane(Case const& input, std::string const& pointer, VorticitySetup const& setup,
                               std::vector<CaseProblem>& problems, int stride = 1);

/// Size of a plane of vorticity without its mean, and of its velocity.
struct PlaneScale {
  double vorticity = 0;   ///< root of the mean square
  double wavenumber = 0;  ///< rad/m, of the same with its gradient over it; 0 without vorticity
  /// Root of the mean square of a velocity with this vorticity and wavenumber.
  double velocity() const { return wavenumber > 0 ? vorticity / wavenumber : 0; }
};

/// Scale of a number or of a valid formula, from at most 128 x 128 points.
PlaneScale read_plane_scale(Case const& input, std::string const& pointer, VorticitySetup const& setup);

}  // namespace karman::turbulence
