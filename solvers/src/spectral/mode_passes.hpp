// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Passes of a VorticitySolver over its modes beside the stages.
#pragma once

#include "linear_terms.hpp"
#include "modes.hpp"

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace karman::detail {

/// w = transform of a real field.
template <class T>
struct TakeReal {
  Kokkos::complex<T>* w;
  T scale;
  KOKKOS_FUNCTION void operator()(Mode const& mode, WholePlane<T> const& plane) const {
    // Rounding leaves opposite modes that are not quite conjugate.
    auto const a = plane.values[mode.place], b = plane.values[mode.opposite_place];
    T const half = scale / 2;
    store_half(w, mode, Kokkos::complex<T>(half * (a.real() + b.real()), half * (a.imag() - b.imag())));
  }
};

/// Spectrum of u + i v.
template <class T>
struct GiveVelocity {
  Kokkos::complex<T> const* w;
  KOKKOS_FUNCTION void operator()(Mode const& mode, WholePlane<T> const& plane) const {
    plane.set_velocity(mode, w[mode.half_place]);
  }
};

/// Spectrum of the vorticity.
template <class T>
struct GiveVorticity {
  Kokkos::complex<T> const* w;
  KOKKOS_FUNCTION void operator()(Mode const& mode, WholePlane<T> const& plane) const {
    plane.set_real(mode, w[mode.half_place]);
  }
};

/// term = nonlinear term.
template <class T>
struct KeepNonlinearTerm {
  Kokkos::complex<T>* term;
  T scale;
  KOKKOS_FUNCTION void operator()(Mode const& mode, WholePlane<T> const& plane) const {
    store_half(term, mode, plane.nonlinear_term(mode, scale));
  }
};

/// Copies the kept modes of the half plane between this order and rows of nx / 2 + 1.
template <class T>
struct CopyModes {
  SpectralGrid grid;
  Kokkos::complex<T> const* from;
  Kokkos::complex<T>* to;
  bool to_rows;

  KOKKOS_FUNCTION void operator()(std::int64_t n) const {
    int const j = static_cast<int>(n / grid.half()), i = static_cast<int>(n % grid.half());
    bool const kept = grid.keeps(j, i);
    if (to_rows) to[n] = kept ? from[grid.half_place(j, i)] : Kokkos::complex<T>(0, 0);
    else if (kept) to[grid.half_place(j, i)] = from[n];
  }
};

}  // namespace karman::detail
