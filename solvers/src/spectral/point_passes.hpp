// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Passes over the points of a VorticitySolver.
#pragma once

#include "common/raise.hpp"
#include <karman/core/compat.hpp>

#include <Kokkos_Core.hpp>

#include <cmath>
#include <cstdint>

namespace karman::detail {

/// z <- z^2, z = u + i v.
template <class T>
struct SquareVelocity {
  Kokkos::complex<T>* z;

  KOKKOS_FUNCTION void operator()(std::int64_t n) const {
    T const u = z[n].real(), v = z[n].imag();
    z[n] = Kokkos::complex<T>((u - v) * (u + v), 2 * u * v);
  }
};

/// The same, and the largest |u| / dx + |v| / dy; infinity where that is not a number, which a maximum would lose.
template <class T>
struct SquareVelocityAndRate {
  Kokkos::complex<T>* z;
  T over_dx, over_dy;

  KOKKOS_FUNCTION void operator()(std::int64_t n, double& largest) const { take(n, z[n], largest); }

  KOKKOS_FORCEINLINE_FUNCTION void take(std::int64_t n, Kokkos::complex<T> const& velocity, double& largest) const {
    namespace math = compat::math;
    T const u = velocity.real(), v = velocity.imag();
    z[n] = Kokkos::complex<T>((u - v) * (u + v), 2 * u * v);
    T const rate = math::fabs(u) * over_dx + math::fabs(v) * over_dy;
    double const found = rate == rate ? double(rate) : HUGE_VAL;
    largest = found > largest ? found : largest;
  }
};

/// Both by teams of a device. With `measures` they raise the largest rate themselves: about 5 us less per launch than a
/// reduction. A thread of a large plane loads all its points before it stores one; a small plane has one point per
/// thread.
template <class Exec, class T, bool measures>
struct SquareVelocityByTeams {
  using Policy = Kokkos::TeamPolicy<Exec>;
  static constexpr int threads = 256, batch = 4;
  static constexpr std::int64_t small = 1 << 18;
  SquareVelocityAndRate<T> square;
  std::int64_t count;
  double* largest;  ///< unused without `measures`

  KOKKOS_FUNCTION int points() const { return count <= small ? threads : batch * threads; }
  int teams() const { return static_cast<int>((count + points() - 1) / points()); }

  KOKKOS_FUNCTION void operator()(typename Policy::member_type const& team) const {
    std::int64_t const begin = std::int64_t(team.league_rank()) * points();
    std::int64_t const end = begin + points() < count ? begin + points() : count;
    std::int64_t const first = begin + team.team_rank();
    Kokkos::complex<T> velocity[batch];
    for (int b = 0; b < batch; ++b) {
      std::int64_t const n = first + b * threads;
      if (n < end) velocity[b] = square.z[n];
    }
    double found = 0;
    for (int b = 0; b < batch; ++b) {
      std::int64_t const n = first + b * threads;
      if (n < end) square.take(n, velocity[b], found);
    }
    if constexpr (measures) {
      team.team_reduce(Kokkos::Max<double>(found));
      if (team.team_rank() == 0) raise(largest, found);
    }
  }
};

/// z <- value + 0 i.
template <class T>
struct SetReal {
  T const* values;
  Kokkos::complex<T>* z;
  KOKKOS_FUNCTION void operator()(std::int64_t n) const { z[n] = Kokkos::complex<T>(values[n], T(0)); }
};

/// Real and, where wanted, imaginary parts.
template <class T>
struct SplitParts {
  Kokkos::complex<T> const* z;
  T *real, *imaginary;  ///< imaginary: null where not wanted
  KOKKOS_FUNCTION void operator()(std::int64_t n) const {
    real[n] = z[n].real();
    if (imaginary != nullptr) imaginary[n] = z[n].imag();
  }
};

/// Counts real parts in equal intervals from -largest to largest.
template <class T>
struct CountValues {
  Kokkos::complex<T> const* z;
  double largest;
  int intervals;
  long long* counts;

  KOKKOS_FUNCTION void operator()(std::int64_t n) const {
    double const place = (double(z[n].real()) / largest + 1) / 2 * intervals;
    int const interval = place < 1 ? 0 : place >= intervals ? intervals - 1 : static_cast<int>(place);
    Kokkos::atomic_fetch_add(counts + interval, 1ll);
  }
};

}  // namespace karman::detail
