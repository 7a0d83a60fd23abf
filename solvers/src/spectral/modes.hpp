// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Passes over the modes. u + i v and its square are complex fields: the modes k and -k of both are needed together, so
/// that one thread takes both, in place.
#pragma once

#include "spectral_grid.hpp"
#include <karman/core/backend.hpp>

#include <Kokkos_Core.hpp>

#include <cmath>
#include <cstddef>
#include <cstdint>

namespace karman::detail {

/// A kept mode of the half plane, its opposite, and their places.
struct Mode {
  int j, i, opposite_j;
  std::int64_t half_place, opposite_half_place;  ///< in the half plane; the second one where i is 0
  std::int64_t place, opposite_place;            ///< in the whole plane
  double kx, ky, square;                         ///< square = k . k
};

KOKKOS_FORCEINLINE_FUNCTION Mode mode_at(SpectralGrid const& grid, int j, int i) {
  Mode mode{j, i, grid.opposite_row(j), 0, 0, 0, 0, grid.kx(i), grid.ky(j), 0};
  mode.square = mode.kx * mode.kx + mode.ky * mode.ky;
  mode.half_place = grid.half_place(j, i);
  mode.opposite_half_place = grid.half_place(mode.opposite_j, i);
  mode.place = grid.place(j, i);
  mode.opposite_place = grid.place(mode.opposite_j, grid.opposite_column(i));
  return mode;
}

/// Places of the modes of a plane of complex numbers.
template <class T>
struct WholePlane {
  Kokkos::complex<T>* values;

  /// Transform of (d^2/dx^2 - d^2/dy^2)(uv) + d^2/dx dy (v^2 - u^2) with its sign in d omega/dt, from that of (u + i
  /// v)^2 = u^2 - v^2 + 2 i uv.
  KOKKOS_FORCEINLINE_FUNCTION Kokkos::complex<T> nonlinear_term(Mode const& mode, T scale) const {
    auto const a = values[mode.place], b = values[mode.opposite_place];
    T const half = scale / 2;
    // The transforms of the real and of the imaginary part.
    T const difference_re = half * (a.real() + b.real()), difference_im = half * (a.imag() - b.imag());
    T const product_re = half * (a.imag() + b.imag()), product_im = half * (b.real() - a.real());
    T const kx = static_cast<T>(mode.kx), ky = static_cast<T>(mode.ky);
    T const p = (kx * kx - ky * ky) / 2, q = kx * ky;
    return {p * product_re - q * difference_re, p * product_im - q * difference_im};
  }

  /// u + i v of a vorticity mode. The same bits in every kernel: a restart begins with those that the last stage of a
  /// step left. Compilers contract or vectorise products and sums as they like, some whatever their options say.
  KOKKOS_FORCEINLINE_FUNCTION void set_velocity(Mode const& mode, Kokkos::complex<T> const& w) const {
    T const over_square = T(1) / static_cast<T>(mode.square);
    T const x = static_cast<T>(mode.kx) * over_square, y = static_cast<T>(mode.ky) * over_square;
    T const re = w.real(), im = w.imag();
    values[mode.place] = Kokkos::complex<T>(fused(x, re, -(y * im)), fused(x, im, y * re));
    values[mode.opposite_place] = Kokkos::complex<T>(-fused(x, re, y * im), fused(x, im, -(y * re)));
  }

  /// The real field of a mode.
  KOKKOS_FORCEINLINE_FUNCTION void set_real(Mode const& mode, Kokkos::complex<T> const& w) const {
    values[mode.place] = w;
    values[mode.opposite_place] = Kokkos::complex<T>(w.real(), -w.imag());
  }

  KOKKOS_FORCEINLINE_FUNCTION void clear(Mode const& mode) const {
    values[mode.place] = Kokkos::complex<T>(0, 0);
    values[mode.opposite_place] = Kokkos::complex<T>(0, 0);
  }

 private:
  /// a b + c, rounded once.
  static KOKKOS_FORCEINLINE_FUNCTION float fused(float a, float b, float c) { return ::fmaf(a, b, c); }
  static KOKKOS_FORCEINLINE_FUNCTION double fused(double a, double b, double c) { return ::fma(a, b, c); }
};

/// Value of a kept mode in the half plane, and for i = 0 that of its opposite.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION void store_half(Kokkos::complex<T>* values, Mode const& mode, Kokkos::complex<T> const& w) {
  values[mode.half_place] = w;
  if (mode.i == 0) values[mode.opposite_half_place] = Kokkos::complex<T>(w.real(), -w.imag());
}

/// visit(mode) for each kept mode, clear() of the whole plane for all others in memory; one team per line of the half
/// plane.
template <class Exec, class T, class Visit>
struct ForEachMode {
  using Policy = Kokkos::TeamPolicy<Exec>;
  using Member = typename Policy::member_type;
  static constexpr int threads = runs_on_host<Exec> ? 1 : 128;

  SpectralGrid grid;
  WholePlane<T> plane;
  Visit visit;

  KOKKOS_FUNCTION void operator()(Member const& team) const {
    int const line = team.league_rank();
    for (int at = team.team_rank(); at < grid.line_length(); at += team.team_size()) {
      int const j = grid.row(line, at), i = grid.column(line, at);
      if (i == 0 && grid.opposite_row(j) < j) continue;  // the opposite mode takes it along
      Mode const mode = mode_at(grid, j, i);
      if (grid.keeps(j, i)) visit(mode, plane);
      else plane.clear(mode);
    }
  }
};

template <class Exec, class T, class Visit>
void for_each_mode(Exec const& space, char const* label, SpectralGrid const& grid, Kokkos::complex<T>* plane,
                   Visit const& visit) {
  using Kernel = ForEachMode<Exec, T, Visit>;
  Kokkos::parallel_for(label, typename Kernel::Policy(space, grid.lines(), Kernel::threads),
                       Kernel{grid, {plane}, visit});
}

}  // namespace karman::detail
