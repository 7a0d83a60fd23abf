// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Bow shock of a circular cylinder, computed by shock fitting: reference for solvers that capture shocks.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <stdexcept>
#include <utility>
#include <vector>

namespace karman::test {

/// Steady flow between the bow shock and the front of a cylinder of radius 1.
struct ShockFittedCylinder {
  double stand_off = 0;       ///< distance of shock and cylinder on the line of symmetry, in radii
  double pressure = 0;        ///< of the stagnation point, over that of the stream
  double density = 0;         ///< of the stagnation point, over that of the stream
  double enthalpy_error = 0;  ///< largest relative error of the total enthalpy; imposed on the body only
  double mass_error = 0;      ///< flow out of the domain over flow through the shock, less 1
  double wall_enthalpy = 0;   ///< largest relative error of the total enthalpy on the body
  double wall_entropy = 0;    ///< largest error of ln(p / rho^gamma) on the body
  double wall_momentum = 0;   ///< residual of the momentum equations on the body, not imposed, over U^2 / R
  double outflow_mach = 0;    ///< least Mach number normal to the outflow boundary; must exceed 1
  double residual = 0;        ///< largest residual of the discrete equations
  int steps = 0;              ///< of Newton's method
};

/// Solver of the steady Euler equations of an ideal gas in polar coordinates r, theta,
///
///     V.grad P + gamma div V = 0,   V.grad V + (p / rho) grad P = 0,   V.grad s = 0,
///
/// for P = ln p, s = ln(p / rho^gamma), u (along r), v (along theta) in 1 < r < 1 + d(theta), 0 < theta < 70 degrees.
/// The distance d of shock and body is unknown. Conditions:
///  - shock: jump relations of the local normal, and the characteristic equation of the wave that arrives from inside;
///  - body: u = 0, characteristic equation of the arriving wave, entropy and total enthalpy of the stagnation
///    streamline;
///  - theta = 0: P, u, s, d even and v odd in theta;
///  - 70 degrees: none. With gamma 1.4 the flow through this boundary is supersonic from Mach 2.5 on.
///
/// Method: Chebyshev collocation on n + 1 points of (r - 1) / d and 2 n points of theta in (-70, 70) degrees, of which
/// symmetry leaves n. Newton's method with a Jacobian of central differences solves all equations at once. The even
/// number of angles avoids theta = 0, where the equations of the body degenerate. The momentum equation along the body
/// leaves a constant of its total enthalpy nearly free, therefore Bernoulli's equation replaces it.
///
/// Error of the stand-off at Mach 3, gamma 1.4: 1e-3, 5e-5, 5e-6, 7e-7 for n = 6, 8, 10, 12 (reference: n = 16). It is
/// less at higher Mach numbers. Work grows as n^6: 0.1 s for n = 10. `solve` throws where Newton's method fails, as for
/// gamma 1.2 at Mach 10.
///
/// Sources: G. Moretti, M. Abbett, AIAA J. 4, 1966 (fitted bow shock); M. Y. Hussaini, D. A. Kopriva, M. D. Salas,
/// T. A. Zang, AIAA J. 23, 1985 (shock fitting with Chebyshev collocation); NACA Report 1135, 1953 (jump relations).
class ShockFittedFlow {
 public:
  ShockFittedFlow(double mach, double gamma, int n)
      : g_(gamma), n_(std::size_t(n)), size_((n_ + 1) * n_), speed_(mach * std::sqrt(gamma)) {
    if (mach < 2.5 || n < 4)
      throw std::invalid_argument("shock-fitted cylinder: needs mach >= 2.5 and resolution >= 4");
    std::vector<double> const radial = derivatives(n_ + 1), angular = derivatives(2 * n_);
    for (std::size_t i = 0; i <= n_; ++i) eta_.push_back(0.5 * (1 - point(n_ + 1, i)));
    // Falling points run from the body to the shock.
    for (double const value : radial) eta_derivative_.push_back(-2 * value);
    even_.resize(n_ * n_);
    odd_.resize(n_ * n_);
    for (std::size_t j = 0; j < n_; ++j) {
      theta_.push_back(last * point(2 * n_, j));
      for (std::size_t k = 0; k < n_; ++k) {
        double const here = angular[j * 2 * n_ + k] / last, mirror = angular[j * 2 * n_ + 2 * n_ - 1 - k] / last;
        even_[j * n_ + k] = here + mirror;
        odd_[j * n_ + k] = here - mirror;
      }
    }
    enthalpy_ = g_ / (g_ - 1) + 0.5 * speed_ * speed_;
    entropy_ = behind_shock(0, 1, 0).state[3];
    start(mach);
  }

  ShockFittedCylinder solve() {
    std::size_t const unknowns = z_.size();
    std::vector<double> jacobian(unknowns * unknowns), r = residual(z_);
    ShockFittedCylinder flow;
    for (double change = 1; change > 1e-9; ++flow.steps) {
      if (flow.steps == 20) throw std::runtime_error(diverged);
      for (std::size_t k = 0; k < unknowns; ++k) {
        double const h = 1e-5 * std::max(1.0, std::abs(z_[k])), kept = z_[k];
        z_[k] = kept + h;
        auto const plus = residual(z_);
        z_[k] = kept - h;
        auto const minus = residual(z_);
        z_[k] = kept;
        for (std::size_t i = 0; i < unknowns; ++i) jacobian[i * unknowns + k] = (plus[i] - minus[i]) / (2 * h);
      }
      auto const step = solve_dense(jacobian, r);
      change = largest(step) / std::max(1.0, largest(z_));
      for (std::size_t k = 0; k < unknowns; ++k) z_[k] -= step[k];
      r = residual(z_);
      if (!std::isfinite(largest(r))) throw std::runtime_error(diverged);
    }
    measure(flow);
    flow.residual = largest(r);
    return flow;
  }

 private:
  static constexpr char const* diverged = "shock-fitted cylinder: Newton's method does not converge";
  static constexpr double last = 70 * std::numbers::pi / 180;

  /// State P, u, v, s behind the shock with outward normal (radial, around).
  struct Jump {
    std::array<double, 4> state;
    double radial, around;
  };

  /// Chebyshev point i of `count`, from 1 to -1.
  static double point(std::size_t count, std::size_t i) {
    return std::sin(0.5 * std::numbers::pi * (double(count) - 1 - 2 * double(i)) / (double(count) - 1));
  }

  /// Weight of barycentric interpolation between Chebyshev points.
  static double weight(std::size_t count, std::size_t i) {
    return (i % 2 == 0 ? 1 : -1) * (i == 0 || i + 1 == count ? 0.5 : 1.0);
  }

  /// Chebyshev differentiation matrix; constants have derivative zero to round-off.
  static std::vector<double> derivatives(std::size_t count) {
    std::vector<double> d(count * count);
    for (std::size_t i = 0; i < count; ++i) {
      for (std::size_t k = 0; k < count; ++k) {
        if (k == i) continue;
        d[i * count + k] = weight(count, k) / weight(count, i) / (point(count, i) - point(count, k));
        d[i * count + i] -= d[i * count + k];
      }
    }
    return d;
  }

  static double largest(std::vector<double> const& values) {
    double most = 0;
    for (double const v : values) most = std::max(most, std::isfinite(v) ? std::abs(v) : HUGE_VAL);
    return most;
  }

  /// Solution of a x = b by elimination with partial pivoting; overwrites a.
  static std::vector<double> solve_dense(std::vector<double>& a, std::vector<double> b) {
    std::size_t const n = b.size();
    for (std::size_t k = 0; k < n; ++k) {
      std::size_t pivot = k;
      for (std::size_t i = k + 1; i < n; ++i)
        if (std::abs(a[i * n + k]) > std::abs(a[pivot * n + k])) pivot = i;
      if (pivot != k) {
        std::swap(b[k], b[pivot]);
        for (std::size_t j = k; j < n; ++j) std::swap(a[k * n + j], a[pivot * n + j]);
      }
      for (std::size_t i = k + 1; i < n; ++i) {
        double const factor = a[i * n + k] / a[k * n + k];
        if (factor == 0) continue;
        for (std::size_t j = k + 1; j < n; ++j) a[i * n + j] -= factor * a[k * n + j];
        b[i] -= factor * b[k];
      }
    }
    for (std::size_t k = n; k-- > 0;) {
      for (std::size_t j = k + 1; j < n; ++j) b[k] -= a[k * n + j] * b[j];
      b[k] /= a[k * n + k];
    }
    return b;
  }

  /// Jump relations; pressure and density of the stream are 1.
  Jump behind_shock(double theta, double radius, double slope) const {
    double const length = std::hypot(radius, slope), radial = radius / length, around = -slope / length;
    double const u = -speed_ * std::cos(theta), v = speed_ * std::sin(theta);
    double const normal = u * radial + v * around, mach2 = normal * normal / g_;
    double const p = 1 + 2 * g_ / (g_ + 1) * (mach2 - 1), rho = (g_ + 1) * mach2 / ((g_ - 1) * mach2 + 2);
    double const change = normal / rho - normal;
    return {{std::log(p), u + change * radial, v + change * around, std::log(p) - g_ * std::log(rho)}, radial, around};
  }

  double slope(std::vector<double> const& z, std::size_t j) const {
    double sum = 0;
    for (std::size_t k = 0; k < n_; ++k) sum += even_[j * n_ + k] * z[4 * size_ + k];
    return sum;
  }

  /// p / rho
  double temperature(double log_pressure, double entropy) const {
    return std::exp(log_pressure - (log_pressure - entropy) / g_);
  }

  double total_enthalpy(std::array<double, 4> const& q) const {
    return g_ / (g_ - 1) * temperature(q[0], q[3]) + 0.5 * (q[1] * q[1] + q[2] * q[2]);
  }

  std::array<double, 4> state(std::vector<double> const& z, std::size_t i, std::size_t j) const {
    std::size_t const at = i * n_ + j;
    return {z[at], z[size_ + at], z[2 * size_ + at], z[3 * size_ + at]};
  }

  /// The four equations at node i (from the body to the shock), j (from the outflow to the line of symmetry).
  std::array<double, 4> equations(std::vector<double> const& z, double slope, std::size_t i, std::size_t j) const {
    double const distance = z[4 * size_ + j], r = 1 + eta_[i] * distance;
    std::array<double, 4> along_r{}, along_t{};
    for (std::size_t f = 0; f < 4; ++f) {
      double const* const field = z.data() + f * size_;
      double const* const matrix = (f == 2 ? odd_ : even_).data() + j * n_;
      for (std::size_t k = 0; k <= n_; ++k) along_r[f] += eta_derivative_[i * (n_ + 1) + k] * field[k * n_ + j];
      for (std::size_t k = 0; k < n_; ++k) along_t[f] += matrix[k] * field[i * n_ + k];
      along_r[f] /= distance;
      along_t[f] = (along_t[f] - eta_[i] * slope * along_r[f]) / r;
    }
    auto const [p, u, v, s] = state(z, i, j);
    double const t = temperature(p, s);
    return {u * along_r[0] + v * along_t[0] + g_ * (along_r[1] + u / r + along_t[2]),
            u * along_r[1] + v * along_t[1] - v * v / r + t * along_r[0],
            u * along_r[2] + v * along_t[2] + u * v / r + t * along_t[0], u * along_r[3] + v * along_t[3]};
  }

  std::vector<double> residual(std::vector<double> const& z) const {
    std::vector<double> result(z.size());
    for (std::size_t j = 0; j < n_; ++j) {
      double const d = slope(z, j);
      for (std::size_t i = 0; i <= n_; ++i) {
        auto e = equations(z, d, i, j);
        auto const q = state(z, i, j);
        double const gamma_over_sound = std::sqrt(g_ / temperature(q[0], q[3]));
        if (i == 0) {
          e = {e[0] - gamma_over_sound * e[1], q[1], total_enthalpy(q) - enthalpy_, q[3] - entropy_};
        } else if (i == n_) {
          auto const jump = behind_shock(theta_[j], 1 + z[4 * size_ + j], d);
          result[4 * size_ + j] = e[0] + gamma_over_sound * (jump.radial * e[1] + jump.around * e[2]);
          for (std::size_t f = 0; f < 4; ++f) e[f] = q[f] - jump.state[f];
        }
        for (std::size_t f = 0; f < 4; ++f) result[f * size_ + i * n_ + j] = e[f];
      }
    }
    return result;
  }

  /// First guess: conic shock at Billig's distance, Newtonian pressure on the body, linear in between.
  void start(double mach) {
    z_.resize(4 * size_ + n_);
    double const nose = 1 + 0.386 * std::exp(4.67 / (mach * mach)), bluntness = 0.8;
    for (std::size_t j = 0; j < n_; ++j)
      z_[4 * size_ + j] = nose * (1 + bluntness) / (1 + bluntness * std::cos(theta_[j])) - 1;
    double const stagnation_temperature = (g_ - 1) / g_ * enthalpy_;
    double const stagnation = std::exp((g_ * std::log(stagnation_temperature) - entropy_) / (g_ - 1));
    for (std::size_t j = 0; j < n_; ++j) {
      auto const shock = behind_shock(theta_[j], 1 + z_[4 * size_ + j], slope(z_, j)).state;
      double const p = std::log(1 + (stagnation - 1) * std::pow(std::cos(theta_[j]), 2));
      double const v = std::sqrt(2 * (enthalpy_ - g_ / (g_ - 1) * temperature(p, entropy_)));
      std::array<double, 4> const body{p, 0, v, entropy_};
      for (std::size_t i = 0; i <= n_; ++i)
        for (std::size_t f = 0; f < 4; ++f) z_[f * size_ + i * n_ + j] = (1 - eta_[i]) * body[f] + eta_[i] * shock[f];
    }
  }

  void measure(ShockFittedCylinder& flow) const {
    // The mirrored point 2 n - 1 - j has the weight of j with the opposite sign and the opposite angle.
    double sum = 0, p = 0, s = 0;
    for (std::size_t j = 0; j < n_; ++j) {
      double const w = weight(2 * n_, j) / theta_[j];
      sum += w;
      flow.stand_off += w * z_[4 * size_ + j];
      p += w * z_[j];
      s += w * z_[3 * size_ + j];
    }
    flow.stand_off /= sum;
    flow.pressure = std::exp(p / sum);
    flow.density = std::exp((p - s) / sum / g_);
    flow.outflow_mach = HUGE_VAL;
    double mass = 0;
    for (std::size_t i = 0; i <= n_; ++i) {
      for (std::size_t j = 0; j < n_; ++j) {
        auto const q = state(z_, i, j);
        double const error = std::abs(total_enthalpy(q) / enthalpy_ - 1);
        flow.enthalpy_error = std::max(flow.enthalpy_error, error);
        if (i > 0) continue;
        auto const e = equations(z_, slope(z_, j), i, j);
        double const momentum = std::max(std::abs(e[1]), std::abs(e[2])) / (speed_ * speed_);
        flow.wall_momentum = std::max(flow.wall_momentum, momentum);
        flow.wall_enthalpy = std::max(flow.wall_enthalpy, error);
        flow.wall_entropy = std::max(flow.wall_entropy, std::abs(q[3] - entropy_));
      }
      auto const [log_p, u, v, entropy] = state(z_, i, 0);
      flow.outflow_mach = std::min(flow.outflow_mach, v / std::sqrt(g_ * temperature(log_p, entropy)));
      // Clenshaw-Curtis weight on (0, 1).
      double w = 1;
      for (std::size_t k = 1; 2 * k <= n_; ++k)
        w -=
            (2 * k == n_ ? 1 : 2) * std::cos(2 * double(k * i) * std::numbers::pi / double(n_)) / double(4 * k * k - 1);
      w /= double(i == 0 || i == n_ ? 2 * n_ : n_);
      mass += w * std::exp((log_p - entropy) / g_) * v * z_[4 * size_];
    }
    flow.mass_error = mass / (speed_ * (1 + z_[4 * size_]) * std::sin(last)) - 1;
  }

  double g_;
  std::size_t n_, size_;
  double speed_, enthalpy_ = 0, entropy_ = 0;
  std::vector<double> eta_, theta_, eta_derivative_, even_, odd_;
  std::vector<double> z_;  ///< P, u, v, s of all nodes, then the distance of the shock at all angles
};

/// Flow of a stream with this Mach number, at least 2.5, around a cylinder. Resolution: see `ShockFittedFlow`.
inline ShockFittedCylinder solve_shock_fitted_cylinder(double mach, double gamma = 1.4, int resolution = 10) {
  return ShockFittedFlow(mach, gamma, resolution).solve();
}

}  // namespace karman::test
