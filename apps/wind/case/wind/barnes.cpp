// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "barnes.hpp"

#include <karman/core/error.hpp>

#include <algorithm>
#include <cstddef>
#include <limits>
#include <numbers>

namespace karman::wind {
namespace {

constexpr double gamma = 0.2;

/// A square matrix, row by row.
using Matrix = std::vector<double>;

Matrix product(Matrix const& a, Matrix const& b, std::size_t n) {
  Matrix result(n * n, 0.0);
  for (std::size_t r = 0; r < n; ++r) {
    for (std::size_t m = 0; m < n; ++m) {
      for (std::size_t c = 0; c < n; ++c) result[r * n + c] += a[r * n + m] * b[m * n + c];
    }
  }
  return result;
}

/// 1 - A, with A the matrix of a mean of this width at the sensors.
Matrix residual_matrix(BarnesTable const& table, double width) {
  std::size_t const n = static_cast<std::size_t>(table.count);
  Matrix result(n * n);
  for (std::size_t r = 0; r < n; ++r) {
    table.mean_weights(table.x[r], table.y[r], width, &result[r * n]);
    for (std::size_t c = 0; c < n; ++c) result[r * n + c] = (r == c ? 1.0 : 0.0) - result[r * n + c];
  }
  return result;
}

double mean_nearest_distance(std::vector<double> const& x, std::vector<double> const& y) {
  double sum = 0;
  for (std::size_t s = 0; s < x.size(); ++s) {
    double nearest = std::numeric_limits<double>::infinity();
    for (std::size_t t = 0; t < x.size(); ++t) {
      if (t != s) nearest = std::min(nearest, std::hypot(x[s] - x[t], y[s] - y[t]));
    }
    sum += nearest;
  }
  return sum / static_cast<double>(x.size());
}

}  // namespace

BarnesInterpolation::BarnesInterpolation(std::span<WindSensor const> sensors, int passes) {
  std::size_t const n = sensors.size();
  require(n >= 2 && n <= static_cast<std::size_t>(most_sensors) && passes >= 1,
          "an interpolation needs 2 to 64 sensors and at least one pass");
  for (WindSensor const& sensor : sensors) {
    x_.push_back(sensor.x);
    y_.push_back(sensor.y);
  }
  spacing_ = mean_nearest_distance(x_, y_);
  require(spacing_ > 0, "an interpolation needs sensors at different places");
  feedback_.assign(n * n, 0.0);
  if (passes == 1) return;
  Matrix const after_next = residual_matrix(table(), table().next_width);
  // The residuals of one pass are those that the next one adds.
  Matrix residuals = residual_matrix(table(), table().first_width);
  for (int pass = 2; pass <= passes; ++pass) {
    for (std::size_t m = 0; m < n * n; ++m) feedback_[m] += residuals[m];
    residuals = product(after_next, residuals, n);
  }
}

BarnesTable BarnesInterpolation::table() const {
  BarnesTable result;
  result.x = x_.data();
  result.y = y_.data();
  result.feedback = feedback_.data();
  result.first_width = 5.052 * std::pow(2 * spacing_ / std::numbers::pi, 2);
  result.next_width = gamma * result.first_width;
  result.count = static_cast<int>(x_.size());
  return result;
}

std::vector<double> BarnesInterpolation::at(double x, double y) const {
  std::vector<double> weights(x_.size());
  table().at(x, y, weights.data(), 1);
  return weights;
}

}  // namespace karman::wind
