// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A relaxation problem with closed forms of all iterates: any implementation can be checked at full size without a
/// reference sweep.
///
/// On a box with open faces and x = 0 at the centres of the ghost cells,
///   v = sin(a (i + 1)) sin(b (j + 1)) sin(c (k + 1)),  a = pi p / (nx + 1) and so on,
/// is an eigenvector of Jacobi's method with eigenvalue mu. Let x = red v on cells of even i + j + k and x = black v on
/// the others. The right-hand side is W r v with the cell's own weight W. Then an iteration maps
///   red <- (1 - omega) red + omega (mu black - r),  then  black <- (1 - omega) black + omega (mu red - r).
/// Three wave numbers near n / 3 make neighbours differ, so that a wrong neighbour, colour or weight is detected.
#pragma once

#include <karman/core/concepts.hpp>
#include <karman/core/host_copy.hpp>

#include <Kokkos_Core.hpp>

#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numbers>
#include <numeric>
#include <string>
#include <vector>

namespace karman::perf {

/// Extents and spacings; nz = 1 is the two-dimensional 5-point form.
struct SorBox {
  int nx = 0, ny = 0, nz = 0;

  static constexpr std::array<double, 3> spacing{1.0, 1.25, 1.5};
  static constexpr double omega = 1.78;
  static constexpr int check_iterations = 3;

  bool planar() const { return nz == 1; }
  double cells() const { return double(nx) * ny * nz; }
  std::string size() const {
    std::string const plane = std::to_string(nx) + 'x' + std::to_string(ny);
    return planar() ? plane : plane + 'x' + std::to_string(nz);
  }
  /// Coefficient of the neighbours along an axis, 1 / h^2.
  double coefficient(int axis) const {
    return axis == 2 && planar() ? 0.0 : 1.0 / (spacing[std::size_t(axis)] * spacing[std::size_t(axis)]);
  }
  /// The cell's own weight.
  double weight() const { return 2 * (coefficient(0) + coefficient(1) + coefficient(2)); }
};

/// Amplitudes on the two colours.
struct SorAmplitudes {
  double red = 1.0, black = -0.5;
};

/// Factors of the eigenvector along the axes, and derived values.
class SorProblem {
 public:
  explicit SorProblem(SorBox const& box) : box_(box) {
    std::array<int, 3> const cells{box.nx, box.ny, box.nz};
    double sum = 0;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      int const n = cells[axis];
      auto& factor = factors_[axis];
      factor.assign(std::size_t(n), 1.0);
      if (axis == 2 && box.planar()) continue;
      // A wave number without common factor with n + 1 has no node on a cell centre.
      int wave = n / 3 + 1;
      while (std::gcd(wave, n + 1) != 1) ++wave;
      double const angle = std::numbers::pi * wave / (n + 1);
      // The angle of a cell is reduced in integers: rounded, its error would exceed that of an iteration.
      std::int64_t const period = 2 * (std::int64_t(n) + 1);
      for (int i = 0; i < n; ++i) {
        std::int64_t const step = std::int64_t(wave) * (i + 1) % period;
        factor[std::size_t(i)] = std::sin(std::numbers::pi * double(step) / (n + 1));
      }
      sum += 2 * box.coefficient(int(axis)) * std::cos(angle);
    }
    mu_ = sum / box.weight();
  }

  SorBox const& box() const { return box_; }
  std::vector<double> const& factor(int axis) const { return factors_[std::size_t(axis)]; }
  /// r. The iteration then tends to 3/4 v, so that a long run neither grows nor decays into denormal numbers.
  double source() const { return -0.75 * (1 - mu_); }
  /// The amplitudes after `iterations`.
  SorAmplitudes after(int iterations) const {
    SorAmplitudes a;
    double const omega = SorBox::omega;
    for (int n = 0; n < iterations; ++n) {
      a.red = (1 - omega) * a.red + omega * (mu_ * a.black - source());
      a.black = (1 - omega) * a.black + omega * (mu_ * a.red - source());
    }
    return a;
  }
  /// Largest difference from the known iterate by round-off. Each update loses some ten units in the last place of
  /// values of order one. Over-relaxation amplifies by less than 1 + 2 omega per iteration.
  template <Real T>
  double tolerance() const {
    return 10 * double(std::numeric_limits<T>::epsilon()) * std::pow(1 + 2 * SorBox::omega, SorBox::check_iterations);
  }

 private:
  SorBox box_;
  std::array<std::vector<double>, 3> factors_;
  double mu_ = 0;
};

/// The factors in the memory of an execution space.
template <class Exec>
struct SorShape {
  Kokkos::View<double*, typename Exec::memory_space> x, y, z;

  SorShape(Exec const& space, SorProblem const& problem)
      : x(device_copy(space, problem.factor(0), "karman::perf::factor")),
        y(device_copy(space, problem.factor(1), "karman::perf::factor")),
        z(device_copy(space, problem.factor(2), "karman::perf::factor")) {}

  KOKKOS_FUNCTION double operator()(int k, int j, int i) const { return x(i) * y(j) * z(k); }
};

/// An implementation of the relaxation: Karman's or a peer's.
template <class Exec, class T>
class SorImplementation {
 public:
  virtual ~SorImplementation() = default;
  /// Sets amplitudes 1 and -1/2 as the first guess.
  virtual void load(Exec const& space) = 0;
  virtual void iterate(Exec const& space, int count) = 0;
  /// max |x - (red or black) v| over all cells. Fences.
  virtual double distance(Exec const& space, SorAmplitudes const& expected) = 0;
};

}  // namespace karman::perf
