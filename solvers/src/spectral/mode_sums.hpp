// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Sums over the modes: figures of the flow, and spectra over shells. Sums over all modes count each mode of the half
/// plane twice, except modes of i = 0, of which it has both.
#pragma once

#include "linear_terms.hpp"
#include "modes.hpp"
#include <karman/core/backend.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace karman::detail {

/// Places of the sums of figures.
struct FigureSums {
  enum Place {
    energy,
    enstrophy,
    palinstrophy,
    lowest_energy,
    viscous_energy,
    viscous_enstrophy,
    hypoviscous_energy,
    hypoviscous_enstrophy,
    forced_energy,
    forced_enstrophy,
    count
  };
};

/// Sums of one line of the half plane; one team per line.
template <class Exec, class T>
struct SumLine {
  using Policy = Kokkos::TeamPolicy<Exec>;
  using Member = typename Policy::member_type;
  using F = FigureSums;
  static constexpr int threads = runs_on_host<Exec> ? 1 : 128;

  SpectralGrid grid;
  VorticityTerms terms;
  Kokkos::complex<T> const *w, *forcing;
  double* sums;  ///< F::count per line

  KOKKOS_FUNCTION void operator()(Member const& team) const {
    int const line = team.league_rank();
    double own[F::count] = {};
    for (int at = team.team_rank(); at < grid.line_length(); at += team.team_size()) {
      int const j = grid.row(line, at), i = grid.column(line, at);
      if (grid.keeps(j, i)) add(j, i, own);
    }
    for (int place = 0; place < F::count; ++place) {
      double sum = own[place];
      team.team_reduce(Kokkos::Sum<double>(sum));
      if (team.team_rank() == 0) sums[std::int64_t(line) * F::count + place] = sum;
    }
  }

 private:
  KOKKOS_FUNCTION void add(int j, int i, double (&own)[F::count]) const {
    Mode const mode = mode_at(grid, j, i);
    auto const value = w[mode.half_place];
    double const re = value.real(), im = value.imag(), weight = i == 0 ? 0.5 : 1;
    double const enstrophy = weight * (re * re + im * im), energy = enstrophy / mode.square;
    own[F::energy] += energy;
    own[F::enstrophy] += enstrophy;
    own[F::palinstrophy] += enstrophy * mode.square;
    int const row = grid.row_number(j);
    if (i + (row < 0 ? -row : row) == 1) own[F::lowest_energy] += energy;
    double const viscous = 2 * terms.viscosity * power(mode.square, terms.viscosity_order);
    own[F::viscous_energy] += viscous * energy;
    own[F::viscous_enstrophy] += viscous * enstrophy;
    if (terms.hypoviscosity > 0) {
      double const slow = 2 * terms.hypoviscosity / power(mode.square, terms.hypoviscosity_order);
      own[F::hypoviscous_energy] += slow * energy;
      own[F::hypoviscous_enstrophy] += slow * enstrophy;
    }
    if (forcing != nullptr) {
      auto const force = forcing[mode.half_place];
      double const work = 2 * weight * (re * force.real() + im * force.imag());
      own[F::forced_energy] += work / mode.square;
      own[F::forced_enstrophy] += work;
    }
  }
};

/// Sums over the lines; one team per place.
template <class Exec>
struct SumLines {
  using Policy = Kokkos::TeamPolicy<Exec>;
  using Member = typename Policy::member_type;
  static constexpr int threads = runs_on_host<Exec> ? 1 : 128;

  double const* lines;
  int count;
  double* sums;

  KOKKOS_FUNCTION void operator()(Member const& team) const {
    int const place = team.league_rank();
    double sum = 0;
    for (int line = team.team_rank(); line < count; line += team.team_size()) {
      sum += lines[std::int64_t(line) * FigureSums::count + place];
    }
    team.team_reduce(Kokkos::Sum<double>(sum));
    if (team.team_rank() == 0) sums[place] = sum;
  }
};

/// Energy, enstrophy, and the nonlinear transfer of both, of one shell; one team per shell.
template <class Exec, class T>
struct SumShell {
  using Policy = Kokkos::TeamPolicy<Exec>;
  using Member = typename Policy::member_type;
  static constexpr int threads = runs_on_host<Exec> ? 1 : 128;
  static constexpr int count = 4;

  SpectralGrid grid;
  Kokkos::complex<T> const *w, *term;
  int const *begin, *modes;  ///< modes of each shell, numbers j (nx / 2 + 1) + i
  double* sums;              ///< `count` per shell

  KOKKOS_FUNCTION void operator()(Member const& team) const {
    int const shell = team.league_rank();
    double own[count] = {};
    for (int n = begin[shell] + team.team_rank(); n < begin[shell + 1]; n += team.team_size()) {
      Mode const mode = mode_at(grid, modes[n] / grid.half(), modes[n] % grid.half());
      auto const value = w[mode.half_place], change = term[mode.half_place];
      double const re = value.real(), im = value.imag(), weight = mode.i == 0 ? 0.5 : 1;
      double const enstrophy = weight * (re * re + im * im);
      double const transfer = 2 * weight * (re * change.real() + im * change.imag());
      own[0] += enstrophy / mode.square;
      own[1] += enstrophy;
      own[2] += transfer / mode.square;
      own[3] += transfer;
    }
    for (int place = 0; place < count; ++place) {
      double sum = own[place];
      team.team_reduce(Kokkos::Sum<double>(sum));
      if (team.team_rank() == 0) sums[shell * count + place] = sum;
    }
  }
};

}  // namespace karman::detail
