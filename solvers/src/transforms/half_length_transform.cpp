// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "half_length_transform.hpp"

#include "butterflies.hpp"
#include "vector_targets.hpp"

#include <cmath>
#include <numbers>

namespace karman::detail {

namespace {

using Kind = HalfLengthKind;

/// Sines of a kind are cosines of lines with these changes.
constexpr bool is_sine(Kind kind) { return kind == Kind::dst2 || kind == Kind::dst3 || kind == Kind::dst4; }
constexpr bool is_forward(Kind kind) { return kind != Kind::real_backward && kind != Kind::dct3 && kind != Kind::dst3; }

/// Place in the field, and sign, of value m of the ordered real line. Its even and odd values form the complex line.
struct Place {
  std::int64_t row;
  int sign;
};
template <Kind kind>
KARMAN_INLINE Place place_of(std::int64_t m, std::int64_t half) {
  if constexpr (kind == Kind::real_forward || kind == Kind::real_backward) {
    return {m, 1};
  } else {
    if (m < half) return {2 * m, 1};
    return {4 * half - 1 - 2 * m, is_sine(kind) ? -1 : 1};
  }
}

template <class T>
KARMAN_INLINE Number<T> conjugate(Number<T> const& a) {
  return {a.re, -a.im};
}
template <class T>
KARMAN_INLINE Number<T> factor(HalfLengthStep<T> const& s, std::int64_t k, int which, int count) {
  T const* const at = s.factors + 2 * (count * k + which);
  return {at[0], at[1]};
}

/// From the field to the complex line.
template <class T, Kind kind, bool pairs>
struct Before {
  static constexpr int lanes = StockhamTransform<T>::lanes;
  static constexpr int step = pairs ? 2 : 1;

  static KARMAN_INLINE void run(HalfLengthStep<T> const& s) {
    if constexpr (kind == Kind::real_forward || kind == Kind::dct2 || kind == Kind::dst2) {
      order(s);
    } else if constexpr (kind == Kind::dct4 || kind == Kind::dst4) {
      rotate(s);
    } else {
      fold<true>(s, 0);
      for (std::int64_t k = 1; 2 * k < s.half; ++k) fold<false>(s, k);
      if (s.half % 2 == 0) fold<true>(s, s.half / 2);
    }
  }

  static KARMAN_INLINE void order(HalfLengthStep<T> const& s) {
    for (std::int64_t j = 0; j < s.half; ++j) {
      Place const even = place_of<kind>(2 * j, s.half), odd = place_of<kind>(2 * j + 1, s.half);
      T const* const a = s.in + (pairs ? j : even.row) * s.row;
      T const* const b = pairs ? a + 1 : s.in + odd.row * s.row;
      T const a_sign = T(even.sign), b_sign = T(odd.sign);
      T* const out = s.out + j * lanes;
      KARMAN_LANES
      for (int lane = 0; lane < lanes; ++lane) {
        out[lane] = a_sign * a[step * lane];
        out[s.plane + lane] = b_sign * b[step * lane];
      }
    }
  }

  static KARMAN_INLINE void rotate(HalfLengthStep<T> const& s) {
    for (std::int64_t j = 0; j < s.half; ++j) {
      T const* const even = s.in + 2 * j * s.row;
      T const* const odd = s.in + (2 * s.half - 1 - 2 * j) * s.row;
      T const* const a = is_sine(kind) ? odd : even;
      T const* const b = is_sine(kind) ? even : odd;
      Number<T> const turn = factor(s, j, 0, 1);
      T* const out = s.out + j * lanes;
      KARMAN_LANES
      for (int lane = 0; lane < lanes; ++lane) {
        auto const z = Number<T>{a[lane], b[lane]} * turn;
        out[lane] = z.re;
        out[s.plane + lane] = z.im;
      }
    }
  }

  /// Modes k and half - k of the spectrum V: Z_k = V_k + conj(V_{half-k}) + i exp(i pi k / half) (V_k -
  /// conj(V_{half-k})). `edge`: mode 0, or the middle one.
  template <bool edge>
  static KARMAN_INLINE void fold(HalfLengthStep<T> const& s, std::int64_t k) {
    std::int64_t const n = 2 * s.half, mirror = s.half - k;
    Number<T> const turn = factor(s, k, 0, 3), first = factor(s, k, 1, 3), second = factor(s, k, 2, 3);
    T* const out = s.out + k * lanes;
    // Mode `half` is mode 0 of the complex line.
    T* const mirrored = s.out + (k == 0 ? 0 : mirror) * lanes;
    auto const row = [&](std::int64_t r) { return s.in + (is_sine(kind) ? n - 1 - r : r) * s.row; };
    T const* const a = row(k);
    T const* const b = row(mirror);
    T const* const a_end = kind == Kind::real_backward || k == 0 ? a : row(n - k);
    T const* const b_end = kind == Kind::real_backward ? b : row(n - mirror);
    bool const ends = edge && k == 0;
    KARMAN_LANES
    for (int lane = 0; lane < lanes; ++lane) {
      Number<T> v, w;
      if constexpr (kind == Kind::real_backward) {
        v = {a[2 * lane], ends ? T(0) : a[2 * lane + 1]};
        w = {b[2 * lane], ends ? T(0) : b[2 * lane + 1]};
      } else {
        v = first * Number<T>{a[lane], ends ? T(0) : -a_end[lane]};
        w = second * Number<T>{b[lane], -b_end[lane]};
      }
      auto const sum = v + conjugate(w);
      auto const difference = turn * (v - conjugate(w));
      auto const z = sum + difference, mirror_z = sum - difference;
      mirrored[lane] = edge ? z.re : mirror_z.re;
      mirrored[s.plane + lane] = edge ? z.im : -mirror_z.im;
      out[lane] = z.re;
      out[s.plane + lane] = z.im;
    }
  }
};

/// From the complex line to the field.
template <class T, Kind kind, bool pairs>
struct After {
  static constexpr int lanes = StockhamTransform<T>::lanes;
  static constexpr int step = pairs ? 2 : 1;

  static KARMAN_INLINE void run(HalfLengthStep<T> const& s) {
    if constexpr (kind == Kind::real_backward || kind == Kind::dct3 || kind == Kind::dst3) {
      order(s);
    } else if constexpr (kind == Kind::dct4 || kind == Kind::dst4) {
      rotate(s);
    } else {
      unfold<true>(s, 0);
      for (std::int64_t k = 1; 2 * k < s.half; ++k) unfold<false>(s, k);
      if (s.half % 2 == 0) unfold<true>(s, s.half / 2);
    }
  }

  static KARMAN_INLINE void order(HalfLengthStep<T> const& s) {
    for (std::int64_t j = 0; j < s.half; ++j) {
      Place const even = place_of<kind>(2 * j, s.half), odd = place_of<kind>(2 * j + 1, s.half);
      T* const a = s.out + (pairs ? j : even.row) * s.row;
      T* const b = pairs ? a + 1 : s.out + odd.row * s.row;
      T const a_sign = T(even.sign), b_sign = T(odd.sign);
      T const* const in = s.in + j * lanes;
      KARMAN_LANES
      for (int lane = 0; lane < lanes; ++lane) {
        a[step * lane] = a_sign * in[lane];
        b[step * lane] = b_sign * in[s.plane + lane];
      }
    }
  }

  static KARMAN_INLINE void rotate(HalfLengthStep<T> const& s) {
    for (std::int64_t k = 0; k < s.half; ++k) {
      T const* const in = s.in + k * lanes;
      T* const even = s.out + 2 * k * s.row;
      T* const odd = s.out + (2 * s.half - 1 - 2 * k) * s.row;
      Number<T> const turn = factor(s, k, 0, 1);
      KARMAN_LANES
      for (int lane = 0; lane < lanes; ++lane) {
        auto const y = Number<T>{in[lane], in[s.plane + lane]} * turn;
        even[lane] = y.re;
        odd[lane] = is_sine(kind) ? y.im : -y.im;
      }
    }
  }

  /// Modes k and half - k of the real line: 2 V_k = Z_k + conj(Z_{half-k}) - i exp(-i pi k / half) (Z_k -
  /// conj(Z_{half-k})). `edge`: mode 0, or the middle one.
  template <bool edge>
  static KARMAN_INLINE void unfold(HalfLengthStep<T> const& s, std::int64_t k) {
    std::int64_t const n = 2 * s.half, mirror = s.half - k;
    Number<T> const turn = factor(s, k, 0, 3), first = factor(s, k, 1, 3), second = factor(s, k, 2, 3);
    T const* const in = s.in + k * lanes;
    T const* const mirrored = s.in + (k == 0 ? 0 : mirror) * lanes;
    auto const row = [&](std::int64_t r) { return s.out + (is_sine(kind) ? n - 1 - r : r) * s.row; };
    T* const a = row(k);
    T* const b = row(mirror);
    // Both of a pair are the same where they share a row.
    bool const ends = edge && k == 0, middle = edge && k == mirror;
    T* const a_end = kind == Kind::real_forward || k == 0 ? a : row(n - k);
    T* const b_end = kind == Kind::real_forward || k == 0 ? b : row(n - mirror);
    KARMAN_LANES
    for (int lane = 0; lane < lanes; ++lane) {
      Number<T> const z{in[lane], in[s.plane + lane]}, w{mirrored[lane], -mirrored[s.plane + lane]};
      auto const sum = z + w;
      auto const difference = turn * (z - w);
      auto const v = first * (sum + difference);
      auto const other = second * conjugate(sum - difference);
      Number<T> const mirror_v{middle ? v.re : other.re, middle ? v.im : other.im};
      if constexpr (kind == Kind::real_forward) {
        b[2 * lane] = mirror_v.re;
        b[2 * lane + 1] = mirror_v.im;
        a[2 * lane] = v.re;
        a[2 * lane + 1] = v.im;
      } else {
        b_end[lane] = ends ? mirror_v.re : -mirror_v.im;
        a_end[lane] = ends ? v.re : -v.im;
        b[lane] = mirror_v.re;
        a[lane] = v.re;
      }
    }
  }
};

/// exp(i pi numerator / denominator).
template <class T>
Number<T> root_of_unity(std::int64_t numerator, std::int64_t denominator) {
  long double const angle = std::numbers::pi_v<long double> * numerator / denominator;
  return {static_cast<T>(std::cos(angle)), static_cast<T>(std::sin(angle))};
}

template <class T>
void push_factor(std::vector<T>& list, Number<T> const& factor) {
  list.push_back(factor.re);
  list.push_back(factor.im);
}

template <class T, template <class, Kind, bool> class Step>
auto step_of(Kind kind, bool pairs) {
  using Arguments = HalfLengthStep<T>;
  switch (kind) {
    case Kind::real_forward:
      return pairs ? vector_kernel<Step<T, Kind::real_forward, true>, Arguments>()
                   : vector_kernel<Step<T, Kind::real_forward, false>, Arguments>();
    case Kind::real_backward:
      return pairs ? vector_kernel<Step<T, Kind::real_backward, true>, Arguments>()
                   : vector_kernel<Step<T, Kind::real_backward, false>, Arguments>();
    case Kind::dct2: return vector_kernel<Step<T, Kind::dct2, false>, Arguments>();
    case Kind::dct3: return vector_kernel<Step<T, Kind::dct3, false>, Arguments>();
    case Kind::dct4: return vector_kernel<Step<T, Kind::dct4, false>, Arguments>();
    case Kind::dst2: return vector_kernel<Step<T, Kind::dst2, false>, Arguments>();
    case Kind::dst3: return vector_kernel<Step<T, Kind::dst3, false>, Arguments>();
    default: return vector_kernel<Step<T, Kind::dst4, false>, Arguments>();
  }
}

}  // namespace

template <class T>
bool HalfLengthTransform<T>::suits(std::int64_t n) {
  return n % 2 == 0 && StockhamTransform<T>::suits_planes(n / 2);
}

template <class T>
HalfLengthTransform<T>::HalfLengthTransform(std::int64_t n, HalfLengthKind kind, bool pairs)
    : half_(n / 2),
      complex_(n / 2, is_forward(kind)),
      before_(step_of<T, Before>(kind, pairs)),
      after_(step_of<T, After>(kind, pairs)) {
  auto const root = [n](std::int64_t numerator, std::int64_t parts) { return root_of_unity<T>(numerator, parts * n); };
  for (std::int64_t k = 0; k < half_; ++k) {
    switch (kind) {
      case Kind::dct4:
      case Kind::dst4:
        push_factor(factors_before_, root(-(4 * k + 1), 4));
        push_factor(factors_after_, T(2) * root(-k, 1));
        break;
      case Kind::real_backward:
      case Kind::dct3:
      case Kind::dst3:
        // i exp(i pi k / half), and the factors of Makhoul for k and half - k.
        push_factor(factors_before_, root(4 * k + n, 2));
        push_factor(factors_before_, root(k, 2));
        push_factor(factors_before_, root(half_ - k, 2));
        break;
      case Kind::real_forward:
        push_factor(factors_after_, root(-(4 * k + n), 2));
        push_factor(factors_after_, {T(0.5), T(0)});
        push_factor(factors_after_, {T(0.5), T(0)});
        break;
      default:
        push_factor(factors_after_, root(-(4 * k + n), 2));
        push_factor(factors_after_, root(-k, 2));
        push_factor(factors_after_, root(k - half_, 2));
    }
  }
}

template <class T>
void HalfLengthTransform<T>::run(T const* in, std::int64_t in_row, T* out, std::int64_t out_row, char* buffer) const {
  T* const line = reinterpret_cast<T*>(buffer);
  std::int64_t const plane = complex_.plane();
  before_({in, line, in_row, plane, half_, factors_before_.data()});
  after_({complex_.run_planes(line), out, out_row, plane, half_, factors_after_.data()});
}

template class HalfLengthTransform<float>;
template class HalfLengthTransform<double>;

}  // namespace karman::detail
