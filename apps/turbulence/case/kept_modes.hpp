// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Modes of a periodic box on the host: wavenumbers, those that the solver keeps, sizes of fast transforms.
#pragma once

#include <karman/solvers/spectral/vorticity_options.hpp>

#include <array>
#include <cmath>
#include <cstddef>
#include <numbers>

namespace karman::turbulence {

/// Modes (j, i) of the half plane kx >= 0 of a set-up, ny rows of nx / 2 + 1.
class KeptModes {
 public:
  explicit KeptModes(VorticitySetup const& setup) : setup_(setup) {
    for (std::size_t axis = 0; axis < 2; ++axis) {
      lowest_[axis] = 2 * std::numbers::pi / setup.lengths[axis];
      int const n = setup.points[axis];
      bool const third = setup.dealiasing == Dealiasing::circular || setup.dealiasing == Dealiasing::square;
      most_[axis] = third ? (n - 1) / 3 : (n - 1) / 2;
    }
  }

  int columns() const { return setup_.points[0] / 2 + 1; }
  int rows() const { return setup_.points[1]; }
  /// Signed number of a row.
  int row_number(int j) const { return j <= rows() / 2 ? j : j - rows(); }

  /// Lowest wavenumber along an axis, rad/m.
  double lowest(std::size_t axis) const { return lowest_[axis]; }
  /// Largest kept wavenumber along an axis, rad/m.
  double largest(std::size_t axis) const { return most_[axis] * lowest_[axis]; }
  /// Wavenumber up to which modes of every direction are kept, rad/m.
  double largest() const { return std::fmin(largest(0), largest(1)); }

  /// |k| of mode numbers.
  double wavenumber(int kx, int ky) const { return std::hypot(kx * lowest_[0], ky * lowest_[1]); }

  /// Whether the mode numbers are kept; the mean is not.
  bool keeps(int kx, int ky) const {
    if (kx == 0 && ky == 0) return false;
    if (std::abs(kx) > most_[0] || std::abs(ky) > most_[1]) return false;
    if (setup_.dealiasing != Dealiasing::circular) return true;
    constexpr double rim = 0.99;
    double const x = kx / (most_[0] + rim), y = ky / (most_[1] + rim);
    return x * x + y * y <= 1;
  }

 private:
  VorticitySetup setup_;
  std::array<double, 2> lowest_{};
  std::array<int, 2> most_{};
};

/// Rate at which the linear terms take energy and enstrophy from a wavenumber, 1/s.
inline double decay_of(VorticityTerms const& terms, double wavenumber) {
  double const square = wavenumber * wavenumber;
  double loss = terms.viscosity * std::pow(square, terms.viscosity_order) + terms.friction;
  if (terms.hypoviscosity > 0) loss += terms.hypoviscosity * std::pow(square, -terms.hypoviscosity_order);
  return 2 * loss;
}

/// Largest prime factor of a number above 0; 1 for 1.
constexpr int largest_prime_factor(int n) {
  int largest = 1;
  for (int p = 2; p * p <= n; ++p) {
    for (; n % p == 0; n /= p) largest = p;
  }
  return n > 1 ? n : largest;
}

/// The least number from n on without prime factors above 7.
constexpr int next_fast_size(int n) {
  while (largest_prime_factor(n) > 7) ++n;
  return n;
}

}  // namespace karman::turbulence
