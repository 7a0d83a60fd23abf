// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Passes over the points of a VorticitySolver.
#pragma once

#include "common/raise.hpp"
#include <karman/core/backend.hpp>
#include <karman/core/compat.hpp>

#include <Kokkos_Core.hpp>

#include <cmath>
#include <cstdint>

namespace karman::detail {

/// z <- z^2, z = u + i v.
template <class T>
struct SquareVelocity {
  KOKKOS_FORCEINLINE_FUNCTION void operator()(std::int64_t, Kokkos::complex<T>& z) const {
    T const u = z.real(), v = z.imag();
    z = Kokkos::complex<T>((u - v) * (u + v), 2 * u * v);
  }
};

/// The same, and the largest |u| / dx + |v| / dy; infinity where that is not a number, which a maximum would lose.
template <class T>
struct SquareVelocityAndRate {
  T over_dx, over_dy;
  double* largest;  ///< in device memory

  KOKKOS_FORCEINLINE_FUNCTION void operator()(std::int64_t, Kokkos::complex<T>& z, double& found) const {
    namespace math = compat::math;
    T const u = z.real(), v = z.imag();
    z = Kokkos::complex<T>((u - v) * (u + v), 2 * u * v);
    T const rate = math::fabs(u) * over_dx + math::fabs(v) * over_dy;
    double const here = rate == rate ? double(rate) : HUGE_VAL;
    found = here > found ? here : found;
  }
};

/// body(number, value) for each point. A body with `largest` also gets a maximum, which is found by
/// body(number, value, maximum). Teams of a device raise it themselves: about 5 us less per launch than a reduction. A
/// thread of a large plane loads all its points before it stores one; a small plane has one point per thread.
template <class Exec, class T, class Body>
struct ForEachPoint {
  using Range = Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::int64_t>>;
  using Teams = Kokkos::TeamPolicy<Exec>;
  static constexpr bool measures = requires(Body const& b) { b.largest; };
  static constexpr int threads = 256, batch = 4;
  static constexpr std::int64_t small = 1 << 18;

  Kokkos::complex<T>* z;
  std::int64_t count;
  Body body;

  void run(Exec const& space, char const* label) const {
    if constexpr (!runs_on_host<Exec>) {
      Kokkos::parallel_for(label, Teams(space, static_cast<int>((count + points() - 1) / points()), threads), *this);
    } else if constexpr (measures) {
      using Memory = typename Exec::memory_space;
      using Number = Kokkos::View<double, Memory, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
      Kokkos::parallel_reduce(label, Range(space, 0, count), *this, Kokkos::Max<double, Memory>(Number(body.largest)));
    } else {
      Kokkos::parallel_for(label, Range(space, 0, count), *this);
    }
  }

  KOKKOS_FUNCTION void operator()(std::int64_t n) const { body(n, z[n]); }
  KOKKOS_FUNCTION void operator()(std::int64_t n, double& found) const { body(n, z[n], found); }

  KOKKOS_FUNCTION void operator()(typename Teams::member_type const& team) const {
    std::int64_t const begin = std::int64_t(team.league_rank()) * points();
    std::int64_t const end = begin + points() < count ? begin + points() : count;
    std::int64_t const first = begin + team.team_rank();
    Kokkos::complex<T> own[batch];
    for (int b = 0; b < batch; ++b) {
      if (first + b * threads < end) own[b] = z[first + b * threads];
    }
    [[maybe_unused]] double found = 0;
    for (int b = 0; b < batch; ++b) {
      std::int64_t const n = first + b * threads;
      if (n >= end) continue;
      if constexpr (measures) {
        body(n, own[b], found);
      } else {
        body(n, own[b]);
      }
      z[n] = own[b];
    }
    if constexpr (measures) {
      team.team_reduce(Kokkos::Max<double>(found));
      if (team.team_rank() == 0) raise(body.largest, found);
    }
  }

 private:
  /// Of a team.
  KOKKOS_FUNCTION int points() const { return count <= small ? threads : batch * threads; }
};

/// z <- value + 0 i.
template <class T>
struct SetReal {
  T const* values;
  KOKKOS_FUNCTION void operator()(std::int64_t n, Kokkos::complex<T>& z) const {
    z = Kokkos::complex<T>(values[n], T(0));
  }
};

/// Real and, where wanted, imaginary parts.
template <class T>
struct SplitParts {
  T *real, *imaginary;  ///< imaginary: null where not wanted
  KOKKOS_FUNCTION void operator()(std::int64_t n, Kokkos::complex<T> const& z) const {
    real[n] = z.real();
    if (imaginary != nullptr) imaginary[n] = z.imag();
  }
};

/// Counts real parts in equal intervals from -most to most.
template <class T>
struct CountValues {
  double most;
  int intervals;
  long long* counts;

  KOKKOS_FUNCTION void operator()(std::int64_t, Kokkos::complex<T> const& z) const {
    double const place = (double(z.real()) / most + 1) / 2 * intervals;
    int const interval = place < 1 ? 0 : place >= intervals ? intervals - 1 : static_cast<int>(place);
    Kokkos::atomic_fetch_add(counts + interval, 1ll);
  }
};

}  // namespace karman::detail
