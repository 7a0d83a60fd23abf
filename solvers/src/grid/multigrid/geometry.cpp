// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "geometry.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace karman::detail {

namespace {

double at(std::vector<double> const& values, int i) { return values[static_cast<std::size_t>(i)]; }

double to_end(double width, MultigridEnd const& end) { return end.closed ? 0 : 0.5 * width + end.beyond; }

/// weight / (width * distance), nothing where there is no distance.
double coefficient(double weight, double width, double distance) {
  return distance > 0 ? weight / (width * distance) : 0;
}

double weakest(MultigridAxis const& axis) {
  double const widest = *std::max_element(axis.width.begin(), axis.width.end());
  return axis.weight / (widest * widest);
}

}  // namespace

double MultigridAxis::distance(int i) const {
  bool const inside = i > 0 && i < cells();
  if (inside) return 0.5 * (at(width, i - 1) + at(width, i));
  // A single cell would be its own neighbour, which has no effect.
  if (periodic) return cells() == 1 ? 0 : 0.5 * (width.front() + width.back());
  return i == 0 ? to_end(width.front(), low) : to_end(width.back(), high);
}

double MultigridAxis::upward(int i, bool whole_cells_beyond) const {
  bool const whole = whole_cells_beyond && i == cells() - 1 && !periodic && !absent();
  return coefficient(weight, at(width, i), whole ? at(width, i) : distance(i + 1));
}

double MultigridAxis::downward(int i, bool whole_cells_beyond) const {
  bool const whole = whole_cells_beyond && i == 0 && !periodic && !absent();
  return coefficient(weight, at(width, i), whole ? at(width, i) : distance(i));
}

double MultigridAxis::strength() const {
  double sum = 0;
  for (double const w : width) sum += std::log(weight / (w * w));
  return std::exp(sum / cells());
}

double MultigridAxis::spread() const {
  auto const [least, most] = std::minmax_element(width.begin(), width.end());
  return *most * *most / (*least * *least);
}

MultigridAxis coarsened(MultigridAxis const& axis) {
  MultigridAxis coarse = axis;
  coarse.width.clear();
  for (int i = 0; i < axis.cells(); i += 2) {
    coarse.width.push_back(at(axis.width, i) + (i + 1 < axis.cells() ? at(axis.width, i + 1) : 0));
  }
  return coarse;
}

std::vector<double> shares(MultigridAxis const& fine, MultigridAxis const& coarse, bool joined) {
  std::vector<double> result;
  for (int i = 0; i < fine.cells(); ++i) {
    result.push_back(joined ? at(fine.width, i) / at(coarse.width, i / 2) : 1);
  }
  return result;
}

std::vector<double> pulls(MultigridAxis const& fine, MultigridAxis const& coarse, bool joined) {
  std::vector<double> result(fine.width.size(), 0);
  if (!joined) return result;
  for (int i = 0; i < fine.cells(); ++i) {
    int const parent = i / 2;
    bool const upper = i % 2 != 0;
    double const offset = 0.5 * (at(coarse.width, parent) - at(fine.width, i));
    double const distance = coarse.distance(upper ? parent + 1 : parent);
    if (distance > 0) result[static_cast<std::size_t>(i)] = offset / distance;
  }
  return result;
}

std::array<bool, 3> axes_to_join(MultigridAxes const& axes, std::array<double, 3> const& scale, bool lines) {
  // Strengths within a ratio of 2.5 are as close to equal as halving allows.
  constexpr double close_enough = 0.4;
  std::array<double, 3> strength{};
  for (std::size_t a = 0; a < 3; ++a) strength[a] = axes[a].cells() > 1 ? axes[a].strength() * scale[a] : 0;
  // Lines leave no error along z where the coupling is strong. Where it is weak they need a fine grid in z.
  if (lines) strength[2] *= weakest(axes[2]) / axes[2].strength();
  double const across = std::max(strength[0], strength[1]);
  double const strongest = lines && across > 0 ? across : std::max(across, strength[2]);
  std::array<bool, 3> join{};
  for (std::size_t a = 0; a < 3; ++a) join[a] = axes[a].cells() > 1 && strength[a] >= close_enough * strongest;
  return join;
}

bool needs_aggregates(MultigridAxes const& axes, std::array<double, 3> const& scale, double blocked_share) {
  // Measured: limits from which pairs of cells take more than 20 cycles.
  constexpr double few = 0.02, many = 0.1, weak = 0.05, very_weak = 0.01;
  constexpr int long_enough = 8;
  double weakest_axis = HUGE_VAL, strongest_axis = 0;
  int long_axes = 0;
  for (std::size_t a = 0; a < 3; ++a) {
    if (axes[a].cells() < 2) continue;
    weakest_axis = std::min(weakest_axis, axes[a].strength() * scale[a]);
    strongest_axis = std::max(strongest_axis, axes[a].strength() * scale[a]);
    if (axes[a].cells() >= long_enough) ++long_axes;
  }
  if (blocked_share > many && (long_axes < 3 || weakest_axis < weak * strongest_axis)) return true;
  return blocked_share > few && weakest_axis < very_weak * strongest_axis;
}

bool layers_need_lines(MultigridAxes const& axes, std::array<double, 3> const& scale) {
  // Layers of a factor 2.5 in thickness differ by 6 in strength, beyond which point sweeps converge badly.
  constexpr double bearable = 6;
  if (axes[2].periodic || axes[2].cells() < 2) return false;
  double across = 0;
  for (std::size_t a = 0; a < 2; ++a) {
    if (axes[a].cells() > 1) across = std::max(across, axes[a].strength() * scale[a]);
  }
  double const strongest = axes[2].strength() * scale[2] * std::sqrt(axes[2].spread());
  return across > 0 && axes[2].spread() > bearable && strongest > across;
}

}  // namespace karman::detail
