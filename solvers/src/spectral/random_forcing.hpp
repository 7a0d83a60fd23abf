// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Random forcing: a kick after each step. Random numbers are hashes of seed, step and mode: no generator has a state.
#pragma once

#include "linear_terms.hpp"
#include "modes.hpp"
#include <karman/core/backend.hpp>
#include <karman/core/compat.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <numbers>

namespace karman::detail {

/// Mixes the bits of a number (S. Vigna, splitmix64).
KOKKOS_FORCEINLINE_FUNCTION std::uint64_t mixed(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15ull;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ull;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebull;
  return x ^ (x >> 31);
}

KOKKOS_FORCEINLINE_FUNCTION std::uint64_t random_bits(std::uint64_t seed, std::uint64_t step, std::uint64_t stream) {
  return mixed(mixed(mixed(seed) ^ step) ^ stream);
}

/// Uniform in [0, 1).
KOKKOS_FORCEINLINE_FUNCTION double unit_interval(std::uint64_t bits) { return double(bits >> 11) * 0x1p-53; }

/// Share of the energy of white noise during a step that is left at its end: (1 - exp(-x)) / x, exp(-x) the share of
/// the energy at its start.
KOKKOS_FORCEINLINE_FUNCTION double share_left(double x) {
  constexpr double small = 1e-4;  // where the subtraction loses half of the digits
  return x < small ? 1 - x / 2 + x * x / 6 : (1 - compat::math::exp(-x)) / x;
}

/// W_k <- W_k + sqrt(dt s_k) a_k exp(i phi) for the modes of a list, s_k = share_left(2 dt rate of k): white noise that
/// the linear terms damp within the step. A mode with these alone has its exact mean energy for any dt. `added` gets
/// the energy and enstrophy before the damping, divided by s_k. One team: its sums are the same from run to run.
template <class Exec, class T>
struct KickModes {
  using Policy = Kokkos::TeamPolicy<Exec>;
  using Member = typename Policy::member_type;
  static constexpr int threads = runs_on_host<Exec> ? 1 : 256;

  SpectralGrid grid;
  Kokkos::complex<T>* w;
  WholePlane<T> plane;  ///< null: left to another kernel
  int const* modes;     ///< numbers j (nx / 2 + 1) + i, one of each pair of opposite modes
  int count;
  bool single;             ///< one of them
  double energy_per_mode;  ///< per unit of time
  VorticityTerms terms;
  std::uint64_t seed;
  double const *dt, *steps;
  double* added;  ///< energy, enstrophy

  KOKKOS_FUNCTION void operator()(Member const& team) const {
    double const length = *dt;
    auto const step = static_cast<std::uint64_t>(*steps);
    double energy = 0, enstrophy = 0;
    if (length > 0) {
      if (single) {
        constexpr std::uint64_t no_mode = ~std::uint64_t(0);
        auto const drawn = random_bits(seed, step, no_mode) % static_cast<std::uint64_t>(count);
        if (team.team_rank() == 0) kick(modes[drawn], length, step, energy, enstrophy);
      } else {
        for (int n = team.team_rank(); n < count; n += team.team_size()) {
          kick(modes[n], length, step, energy, enstrophy);
        }
      }
    }
    team.team_reduce(Kokkos::Sum<double>(energy));
    team.team_reduce(Kokkos::Sum<double>(enstrophy));
    if (team.team_rank() != 0) return;
    added[0] += energy;
    added[1] += enstrophy;
  }

 private:
  KOKKOS_FUNCTION void kick(int number, double length, std::uint64_t step, double& energy, double& enstrophy) const {
    namespace math = compat::math;
    Mode const mode = mode_at(grid, number / grid.half(), number % grid.half());
    double const phase =
        2 * std::numbers::pi * unit_interval(random_bits(seed, step, static_cast<std::uint64_t>(number)));
    // The mode and its opposite have the energy |w|^2 / k^2.
    double const left = share_left(2 * length * mode_rate(terms, 0, mode.square).real);
    double const size = math::sqrt(length * left * energy_per_mode * mode.square);
    auto const before = w[mode.half_place];
    Kokkos::complex<T> const after(static_cast<T>(before.real() + size * math::cos(phase)),
                                   static_cast<T>(before.imag() + size * math::sin(phase)));
    store_half(w, mode, after);
    if (plane.values != nullptr) plane.set_velocity(mode, after);
    double const added_square = (double(after.real()) - before.real()) * (double(after.real()) + before.real()) +
                                (double(after.imag()) - before.imag()) * (double(after.imag()) + before.imag());
    energy += added_square / (left * mode.square);
    enstrophy += added_square / left;
  }
};

}  // namespace karman::detail
