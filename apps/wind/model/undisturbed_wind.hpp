// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The undisturbed wind over a terrain, in kernels.
#pragma once

#include "common/host_device.hpp"

#include <cmath>

namespace karman::wind {

/// Undisturbed wind at one place.
struct WindAt {
  double speed = 0;                     ///< m/s
  double heading_x = 1, heading_y = 0;  ///< unit vector of the direction of travel
};

/// Raw pointers to the undisturbed wind, on the host or on the device. Over ground at z = 0 it is that of the layer
/// itself. Over ground at another height it is interpolated linearly in ln(1 + a / scale), a the height above the
/// ground.
struct UndisturbedWind {
  double const* layer_speed = nullptr;  ///< at the layer centres over ground at z = 0
  double const* layer_heading_x = nullptr;
  double const* layer_heading_y = nullptr;
  double const* speed = nullptr;  ///< at a = scale (exp(n step) - 1), n < count; see ProfileTable
  double const* heading_x = nullptr;
  double const* heading_y = nullptr;
  int count = 0;
  double scale = 1, inverse_step = 1;
  double const* ground = nullptr;  ///< height of the columns, (ny, nx); none: z = 0
  int nx = 0, ny = 0;

  KARMAN_HOST_DEVICE double ground_of_cell(int j, int i) const {
    return ground == nullptr ? 0.0 : ground[static_cast<long long>(j) * nx + i];
  }
  /// Ground at the face i along x: mean of the two columns, that of the outermost column on a side.
  KARMAN_HOST_DEVICE double ground_of_x_face(int j, int i) const {
    return 0.5 * (ground_of_cell(j, i > 0 ? i - 1 : 0) + ground_of_cell(j, i < nx ? i : nx - 1));
  }
  KARMAN_HOST_DEVICE double ground_of_y_face(int j, int i) const {
    return 0.5 * (ground_of_cell(j > 0 ? j - 1 : 0, i) + ground_of_cell(j < ny ? j : ny - 1, i));
  }

  /// Wind in layer k, at the height z, over ground of the given height; that of the ground itself below it.
  KARMAN_HOST_DEVICE WindAt at(int k, double z, double ground_height) const {
    if (ground_height == 0) return {layer_speed[k], layer_heading_x[k], layer_heading_y[k]};
    double const above = z - ground_height;
    double const place = above > 0 ? std::log1p(above / scale) * inverse_step : 0.0;
    int const low = place < count - 1 ? static_cast<int>(place) : count - 2;
    double const share = place - low;
    auto const mix = [&](double const* values) { return values[low] + share * (values[low + 1] - values[low]); };
    return {mix(speed), mix(heading_x), mix(heading_y)};
  }
};

}  // namespace karman::wind
