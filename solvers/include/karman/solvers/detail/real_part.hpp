// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The real type behind a real or complex number type.
#pragma once

#include <Kokkos_Core.hpp>

namespace karman::detail {

template <class Scalar>
struct RealPartOf {
  using type = Scalar;
};
template <class Real>
struct RealPartOf<Kokkos::complex<Real>> {
  using type = Real;
};
/// float or double.
template <class Scalar>
using RealPart = typename RealPartOf<Scalar>::type;

}  // namespace karman::detail
