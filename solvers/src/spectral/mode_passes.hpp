// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Passes of a VorticitySolver over its modes beside the stages.
#pragma once

#include "linear_terms.hpp"
#include "modes.hpp"

#include <Kokkos_Core.hpp>

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

}  // namespace karman::detail
