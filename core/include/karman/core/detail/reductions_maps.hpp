// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Maps of the named reductions: applied to each value before it is joined, and once to the joined value.
#pragma once

#include <karman/core/compat.hpp>
#include <karman/core/reduction_operations.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <type_traits>

namespace karman::detail {

template <class T>
struct IsComplex : std::false_type {};
template <class R>
struct IsComplex<Kokkos::complex<R>> : std::true_type {};

template <class T>
struct RealOfImpl {
  using type = std::conditional_t<std::is_floating_point_v<T>, T, double>;
};
template <class R>
struct RealOfImpl<Kokkos::complex<R>> {
  using type = R;
};

template <class T>
struct MagnitudeImpl {
  using type = T;
};
template <class T>
  requires(std::is_integral_v<T> && !std::is_same_v<T, bool>)
struct MagnitudeImpl<T> {
  using type = std::make_unsigned_t<T>;
};
template <class R>
struct MagnitudeImpl<Kokkos::complex<R>> {
  using type = R;
};

template <class T>
struct SumImpl {
  using type = T;
};
template <class T>
  requires std::is_integral_v<T>
struct SumImpl<T> {
  using type = std::conditional_t<std::is_signed_v<T>, std::int64_t, std::uint64_t>;
};

}  // namespace karman::detail

namespace karman {

/// Real type of norms: T itself if it is real, the type of the parts of a complex T, double for integers.
template <class T>
using RealOf = typename detail::RealOfImpl<T>::type;

/// Type of |x|: unsigned for integers, so that every magnitude fits; real for complex numbers.
template <class T>
using Magnitude = typename detail::MagnitudeImpl<T>::type;

/// Default type of a sum: T itself, 64 bits for integers.
template <class T>
using SumType = typename detail::SumImpl<T>::type;

}  // namespace karman

namespace karman::detail {

template <class T>
KOKKOS_FORCEINLINE_FUNCTION Magnitude<T> magnitude(T x) {
  if constexpr (IsComplex<T>::value) {
    return Kokkos::abs(x);
  } else if constexpr (std::is_floating_point_v<T>) {
    return compat::math::fabs(x);
  } else if constexpr (std::is_signed_v<T>) {
    // Unsigned arithmetic, in which the lowest integer has a magnitude too.
    using U = Magnitude<T>;
    return x < 0 ? static_cast<U>(U(0) - static_cast<U>(x)) : static_cast<U>(x);
  } else {
    return x;
  }
}

template <class T>
KOKKOS_FORCEINLINE_FUNCTION Magnitude<T> distance(T a, T b) {
  if constexpr (std::is_integral_v<T>) {
    using U = Magnitude<T>;
    return static_cast<U>(a > b ? static_cast<U>(a) - static_cast<U>(b) : static_cast<U>(b) - static_cast<U>(a));
  } else {
    return magnitude(a - b);
  }
}

template <class S>
struct ConvertTo {
  template <class T>
  KOKKOS_FORCEINLINE_FUNCTION S operator()(T const& x) const {
    return static_cast<S>(x);
  }
};

struct MagnitudeOf {
  template <class T>
  KOKKOS_FORCEINLINE_FUNCTION Magnitude<T> operator()(T const& x) const {
    return magnitude(x);
  }
};

template <class S>
struct MagnitudeAs {
  template <class T>
  KOKKOS_FORCEINLINE_FUNCTION S operator()(T const& x) const {
    return static_cast<S>(magnitude(x));
  }
};

template <class S>
struct SquareAs {
  template <class T>
  KOKKOS_FORCEINLINE_FUNCTION S operator()(T const& x) const {
    if constexpr (IsComplex<T>::value) {
      S const re = static_cast<S>(x.real());
      S const im = static_cast<S>(x.imag());
      return re * re + im * im;
    } else {
      S const value = static_cast<S>(x);
      return value * value;
    }
  }
};

struct DistanceOf {
  template <class T>
  KOKKOS_FORCEINLINE_FUNCTION Magnitude<T> operator()(T const& a, T const& b) const {
    return distance(a, b);
  }
};

/// The same map of a - b and of a.
template <class S, class Of>
struct DifferenceAndReference {
  template <class T>
  KOKKOS_FORCEINLINE_FUNCTION Both<S, S> operator()(T const& a, T const& b) const {
    if constexpr (std::is_integral_v<T>) {
      return {Of{}(static_cast<S>(a) - static_cast<S>(b)), Of{}(static_cast<S>(a))};
    } else {
      return {Of{}(a - b), Of{}(a)};
    }
  }
};

struct SpeedSquared {
  template <class T>
  KOKKOS_FORCEINLINE_FUNCTION T operator()(T u, T v) const {
    return u * u + v * v;
  }
  template <class T>
  KOKKOS_FORCEINLINE_FUNCTION T operator()(T u, T v, T w) const {
    return u * u + v * v + w * w;
  }
};

/// The finish of an operation, or none.
template <class Op>
struct OwnFinish {
  Op op;
  KOKKOS_FORCEINLINE_FUNCTION auto operator()(typename Op::value_type const& value) const { return finish(op, value); }
};

struct AsItIs {
  template <class T>
  KOKKOS_FORCEINLINE_FUNCTION T operator()(T const& value) const {
    return value;
  }
};

/// Raises to 0: the greatest magnitude of no values is 0. NaN passes.
struct AtLeastZero {
  template <class T>
  KOKKOS_FORCEINLINE_FUNCTION T operator()(T const& value) const {
    if constexpr (std::is_signed_v<T>) {
      return value < T(0) ? T(0) : value;
    } else {
      return value;
    }
  }
};

struct RootOf {
  template <class T>
  KOKKOS_FORCEINLINE_FUNCTION T operator()(T const& value) const {
    return compat::math::sqrt(AtLeastZero{}(value));
  }
};

/// first / second, with 0 / 0 = 0: no difference at all.
template <class Each>
struct QuotientOf {
  template <class T>
  KOKKOS_FORCEINLINE_FUNCTION auto operator()(Both<T, T> const& value) const {
    auto const difference = Each{}(value.first);
    auto const reference = Each{}(value.second);
    using R = std::decay_t<decltype(difference)>;
    return difference == R(0) && reference == R(0) ? R(0) : difference / reference;
  }
};

}  // namespace karman::detail
