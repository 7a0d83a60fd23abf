// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The undisturbed wind over a terrain and between sensors, in kernels.
#pragma once

#include "common/fields/host_device.hpp"

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
///
/// With sensors, velocities instead of speeds and headings are interpolated, and combined with the weights of the
/// column: u = sum_s c_s u_s. On a face the weights are the mean of the two columns.
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
  int sensors = 0;                  ///< 0: one wind over the domain
  double const* weights = nullptr;  ///< c_s of the columns, (sensors, ny, nx)
  double const* layer_u = nullptr;  ///< u_s at the layer centres over ground at z = 0, (nz, sensors)
  double const* layer_v = nullptr;
  double const* table_u = nullptr;  ///< over a terrain: at the heights of `speed`, (count, sensors)
  double const* table_v = nullptr;
  double axis_x = 1, axis_y = 0;  ///< heading of calm air between sensors

  /// Wind in a cell of layer k, whose centre is at the height z.
  KARMAN_HOST_DEVICE WindAt in_cell(int k, double z, int j, int i) const {
    if (sensors > 0) return between_sensors(k, z, ground_of_cell(j, i), column(j, i), column(j, i));
    return at(k, z, ground_of_cell(j, i));
  }
  /// On the face i along x.
  KARMAN_HOST_DEVICE WindAt on_x_face(int k, double z, int j, int i) const {
    double const height = ground_of_x_face(j, i);
    if (sensors == 0) return at(k, z, height);
    return between_sensors(k, z, height, column(j, i > 0 ? i - 1 : 0), column(j, i < nx ? i : nx - 1));
  }
  KARMAN_HOST_DEVICE WindAt on_y_face(int k, double z, int j, int i) const {
    double const height = ground_of_y_face(j, i);
    if (sensors == 0) return at(k, z, height);
    return between_sensors(k, z, height, column(j > 0 ? j - 1 : 0, i), column(j < ny ? j : ny - 1, i));
  }

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
    InTable const place = place_of(z - ground_height);
    int const low = place.low;
    double const share = place.share;
    auto const mix = [&](double const* values) { return values[low] + share * (values[low + 1] - values[low]); };
    return {mix(speed), mix(heading_x), mix(heading_y)};
  }

 private:
  struct InTable {
    int low = 0;
    double share = 0;
  };

  KARMAN_HOST_DEVICE InTable place_of(double above) const {
    double const place = above > 0 ? std::log1p(above / scale) * inverse_step : 0.0;
    int const low = place < count - 1 ? static_cast<int>(place) : count - 2;
    return {low, place - low};
  }

  KARMAN_HOST_DEVICE long long column(int j, int i) const { return static_cast<long long>(j) * nx + i; }

  /// Wind with the mean weights of two columns.
  KARMAN_HOST_DEVICE WindAt between_sensors(int k, double z, double ground_height, long long a, long long b) const {
    bool const flat = ground_height == 0;
    InTable const place = flat ? InTable{k, 0.0} : place_of(z - ground_height);
    double const* const table_along_x = flat ? layer_u : table_u;
    double const* const table_along_y = flat ? layer_v : table_v;
    // Without a share the entry above is not read: there is none above the highest layer.
    int const high = place.share > 0 ? place.low + 1 : place.low;
    long long const columns = static_cast<long long>(nx) * ny;
    double u = 0;
    double v = 0;
    for (int s = 0; s < sensors; ++s) {
      double const weight = 0.5 * (weights[s * columns + a] + weights[s * columns + b]);
      long long const below = static_cast<long long>(place.low) * sensors + s;
      long long const above = static_cast<long long>(high) * sensors + s;
      u += weight * (table_along_x[below] + place.share * (table_along_x[above] - table_along_x[below]));
      v += weight * (table_along_y[below] + place.share * (table_along_y[above] - table_along_y[below]));
    }
    double const along = std::sqrt(u * u + v * v);
    if (!(along > 0)) return {0, axis_x, axis_y};
    return {along, u / along, v / along};
  }
};

}  // namespace karman::wind
