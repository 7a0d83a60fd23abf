// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "exterior_map.hpp"

#include <karman/core/error.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace karman::detail {
namespace {

using Complex = std::complex<double>;
using std::numbers::pi;

char const* const no_map = "no conformal map found for this profile: choose less camber, or camber farther back";

/// The angle plus the multiple of 2 pi that brings it next to `near`.
double unwrapped(double angle, double near) { return angle + 2 * pi * std::round((near - angle) / (2 * pi)); }

/// Harmonic conjugate of a function at equal angles: -sin for cos, cos for sin. The rule of Wittich: a sum over odd
/// distances, exact for all harmonics but the highest one, which has none.
std::vector<double> conjugate(std::vector<double> const& f, std::vector<double> const& weights) {
  std::size_t const n = f.size();
  std::vector<double> result(n, 0);
  for (std::size_t i = 0; i < n; ++i) {
    double sum = 0;
    for (std::size_t w = 0; w < weights.size(); ++w) {
      std::size_t const m = 2 * w + 1;
      std::size_t const after = i + m < n ? i + m : i + m - n, before = i >= m ? i - m : i + n - m;
      sum += weights[w] * (f[after] - f[before]);
    }
    result[i] = sum;
  }
  return result;
}

std::vector<double> conjugate_weights(std::size_t n) {
  std::vector<double> weights;
  for (std::size_t m = 1; 2 * m < n; m += 2) {
    double const angle = pi * static_cast<double>(m) / static_cast<double>(n);
    weights.push_back(2 / (static_cast<double>(n) * std::tan(angle)));
  }
  return weights;
}

/// Points on the unit circle at n equal angles.
std::vector<Complex> unit_roots(std::size_t n) {
  std::vector<Complex> roots(n);
  for (std::size_t i = 0; i < n; ++i) {
    roots[i] = std::polar(1.0, 2 * pi * static_cast<double>(i) / static_cast<double>(n));
  }
  return roots;
}

/// Product without the checks for infinities of std::complex, which take most of the time of a sum.
Complex product(Complex const& a, Complex const& b) {
  return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
}

}  // namespace

ExteriorMap::ExteriorMap(NacaProfile const& profile, std::size_t points, std::string const& who)
    : profile_(profile), focus_(profile.focus()), power_(2 - profile.trailing_angle() / pi) {
  // The same scale at infinity on both sides of the first map.
  round_edge_ = 1;
  round_focus_ = round_edge_ - (1.0 - focus_) / power_;
  sample_curve(4 * points, who);
  iterate(points, who);
}

Complex ExteriorMap::rounded(double parameter, double& branch) const {
  Complex const z = profile_.contour(parameter);
  Complex const ratio = (z - 1.0) / (z - focus_);
  double const size = std::abs(ratio);
  if (size == 0) return round_edge_;
  branch = unwrapped(std::arg(ratio), branch);
  Complex const q = std::polar(std::pow(size, 1 / power_), branch / power_);
  return (round_edge_ - q * round_focus_) / (1.0 - q);
}

Complex ExteriorMap::sharpened(Complex const& w) const {
  Complex const ratio = (w - round_edge_) / (w - round_focus_);
  Complex const q = std::polar(std::pow(std::abs(ratio), power_), power_ * std::arg(ratio));
  return (1.0 - q * focus_) / (1.0 - q);
}

void ExteriorMap::sample_curve(std::size_t count, std::string const& who) {
  samples_.resize(count + 1);
  std::vector<Complex> w(count + 1);
  for (std::size_t m = 0; m <= count; ++m) {
    samples_[m].parameter = 2 * pi * static_cast<double>(m) / static_cast<double>(count);
  }
  // The power is real and positive at the leading edge; from there it is continuous along both sides.
  auto const place = [&](std::size_t m, double branch) {
    samples_[m].branch = branch;
    w[m] = rounded(samples_[m].parameter, samples_[m].branch);
  };
  std::size_t const middle = count / 2;
  place(middle, 0);
  for (std::size_t m = middle; m > 0; --m) place(m - 1, samples_[m].branch);
  for (std::size_t m = middle; m < count; ++m) place(m + 1, samples_[m].branch);

  center_ = 0;
  for (std::size_t m = 0; m < count; ++m) center_ += w[m] / static_cast<double>(count);
  samples_[0].angle = std::arg(w[0] - center_);
  for (std::size_t m = 1; m <= count; ++m) {
    samples_[m].angle = unwrapped(std::arg(w[m] - center_), samples_[m - 1].angle);
    require(samples_[m].angle > samples_[m - 1].angle, who + ": digits: " + no_map);
  }
}

ExteriorMap::Polar ExteriorMap::curve(double parameter, Sample const& near) const {
  double branch = near.branch;
  Complex const w = rounded(parameter, branch) - center_;
  return {parameter, unwrapped(std::arg(w), near.angle), std::log(std::abs(w))};
}

/// The point of the curve at an angle, by the method of Illinois between two samples.
ExteriorMap::Polar ExteriorMap::curve_at_angle(double angle) const {
  double const first = samples_.front().angle;
  double const target = angle - 2 * pi * std::floor((angle - first) / (2 * pi));
  auto const after = std::upper_bound(samples_.begin(), samples_.end() - 1, target,
                                      [](double a, Sample const& s) { return a < s.angle; });
  Sample const& near = *(after == samples_.begin() ? after : after - 1);
  double low = near.parameter, high = after->parameter;
  double below = near.angle - target, above = after->angle - target;
  if (below >= 0) return curve(low, near);
  double const enough = 4 * std::numeric_limits<double>::epsilon();
  Polar found = curve(high, near);
  int side = 0;
  for (int i = 0; i < 60 && high - low > 1e-16 * high; ++i) {
    found = curve((low * above - high * below) / (above - below), near);
    double const miss = found.angle - target;
    if (std::abs(miss) <= enough) break;
    if (miss < 0) {
      low = found.parameter;
      below = miss;
      if (side == -1) above *= 0.5;
      side = -1;
    } else {
      high = found.parameter;
      above = miss;
      if (side == 1) below *= 0.5;
      side = 1;
    }
  }
  return found;
}

void ExteriorMap::iterate(std::size_t points, std::string const& who) {
  auto const n = static_cast<double>(points);
  double const edge_angle = samples_.front().angle;
  auto const weights = conjugate_weights(points);
  std::vector<double> angles(points), log_radii(points);
  for (std::size_t i = 0; i < points; ++i) angles[i] = edge_angle + 2 * pi * static_cast<double>(i) / n;
  parameters_.assign(points, 0);

  // Changes shrink by the greatest slope of log_radii over angles per iteration. They end at rounding errors of the
  // angles, which grow with their number.
  double const enough = 1e-14 * std::sqrt(n);
  double change = 1;
  for (int iteration = 0; iteration < 200 && change > enough; ++iteration) {
    for (std::size_t i = 0; i < points; ++i) {
      Polar const point = curve_at_angle(angles[i]);
      parameters_[i] = point.parameter;
      log_radii[i] = point.log_radius;
    }
    parameters_[0] = 0;
    auto const shifts = conjugate(log_radii, weights);
    change = 0;
    for (std::size_t i = 0; i < points; ++i) {
      double const angle = edge_angle + 2 * pi * static_cast<double>(i) / n + shifts[i] - shifts[0];
      change = std::max(change, std::abs(angle - angles[i]));
      angles[i] = angle;
    }
  }
  require(change < 1e-9 && std::is_sorted(parameters_.begin(), parameters_.end()), who + ": digits: " + no_map);

  auto const roots = unit_roots(points);
  series_.assign(points / 2 + 1, 0);
  for (std::size_t k = 0; k < series_.size(); ++k) {
    Complex sum = 0;
    std::size_t turn = 0;
    for (std::size_t i = 0; i < points; ++i) {
      sum += product({log_radii[i], angles[i] - 2 * pi * static_cast<double>(i) / n}, roots[turn]);
      turn += k;
      if (turn >= points) turn -= points;
    }
    series_[k] = sum / n;
  }
}

std::vector<Complex> ExteriorMap::ring(double radius, std::size_t stride) const {
  std::size_t const points = parameters_.size();
  // Terms below rounding are left out: the powers of 1 / radius fall quickly away from the airfoil.
  double const terms = std::ceil(40 / std::log(radius));
  std::size_t const last =
      terms < static_cast<double>(series_.size() - 1) ? static_cast<std::size_t>(terms) : series_.size() - 1;
  std::vector<Complex> places;
  for (std::size_t i = 0; i < points; i += stride) {
    Complex const s = std::polar(radius, 2 * pi * static_cast<double>(i) / static_cast<double>(points));
    Complex const inverse = 1.0 / s;
    Complex sum = series_[last];
    for (std::size_t k = last; k-- > 0;) sum = product(sum, inverse) + series_[k];
    places.push_back(sharpened(center_ + s * std::exp(sum)));
  }
  return places;
}

}  // namespace karman::detail
