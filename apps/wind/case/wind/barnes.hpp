// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Interpolation between scattered places: Barnes (1964), widths after Koch, desJardins and Kocin (1983).
///
/// With D the mean distance of a sensor to its nearest neighbour, kappa = 5.052 (2 D / pi)^2 and gamma = 0.2:
///   first pass:  g_1(x) = sum_s w_s f_s / sum_s w_s,  w_s = exp(-|x - x_s|^2 / kappa)
///   pass p > 1:  g_p(x) = g_{p-1}(x) + the same mean of the residuals f_s - g_{p-1}(x_s), gamma kappa for kappa
///
/// The result is linear in the readings: g(x) = sum_s c_s(x) f_s. With A_1 and A_2 the matrices of the two means at the
/// sensors, and a_1(x), a_2(x) their rows at x:
///   c = a_1 + a_2 F,  F = (1 + (1 - A_2) + ... + (1 - A_2)^(passes - 2)) (1 - A_1),
/// and sum_s c_s = 1. Equal readings thus give a uniform field.
#pragma once

#include "common/fields/host_device.hpp"
#include "wind_sensor.hpp"

#include <cmath>
#include <span>
#include <vector>

namespace karman::wind {

/// Raw pointers to an interpolation, on the host or on the device.
struct BarnesTable {
  double const* x = nullptr;  ///< sensors, metres from the domain's corner
  double const* y = nullptr;
  double const* feedback = nullptr;  ///< F, row by row
  double first_width = 1;            ///< kappa, m^2
  double next_width = 1;             ///< gamma kappa, m^2
  int count = 0;

  /// Weights c_s at a point, into weights[s * stride]. Cost: 2 count exponentials, count^2 products.
  KARMAN_HOST_DEVICE void at(double px, double py, double* weights, long long stride) const {
    double mean[most_sensors];
    mean_weights(px, py, first_width, mean);
    for (int s = 0; s < count; ++s) weights[s * stride] = mean[s];
    mean_weights(px, py, next_width, mean);
    for (int s = 0; s < count; ++s) {
      double sum = weights[s * stride];
      for (int t = 0; t < count; ++t) sum += mean[t] * feedback[t * count + s];
      weights[s * stride] = sum;
    }
  }

  /// exp(-r_s^2 / width) over their sum. The least r^2 is subtracted from all: far from every sensor no sum is zero.
  KARMAN_HOST_DEVICE void mean_weights(double px, double py, double width, double* mean) const {
    double nearest = 1e300;
    for (int s = 0; s < count; ++s) {
      mean[s] = (px - x[s]) * (px - x[s]) + (py - y[s]) * (py - y[s]);
      if (mean[s] < nearest) nearest = mean[s];
    }
    double sum = 0;
    for (int s = 0; s < count; ++s) {
      mean[s] = std::exp(-(mean[s] - nearest) / width);
      sum += mean[s];
    }
    for (int s = 0; s < count; ++s) mean[s] /= sum;
  }
};

/// Interpolation between some sensors.
class BarnesInterpolation {
 public:
  /// \par Requires
  /// 2 to most_sensors sensors, no two of them at one place; passes >= 1
  BarnesInterpolation(std::span<WindSensor const> sensors, int passes);

  /// Weights c_s at a point in metres from the domain's corner.
  std::vector<double> at(double x, double y) const;

  double spacing() const { return spacing_; }  ///< D, m
  /// Over the memory of this object.
  BarnesTable table() const;
  std::vector<double> const& x() const { return x_; }
  std::vector<double> const& y() const { return y_; }
  std::vector<double> const& feedback() const { return feedback_; }

 private:
  std::vector<double> x_, y_, feedback_;
  double spacing_ = 0;
};

}  // namespace karman::wind
