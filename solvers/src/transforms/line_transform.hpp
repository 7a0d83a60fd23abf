// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Complex Fourier transforms of lines in team scratch, in place, as parts of a kernel.
///
/// Decimation in frequency takes a line in natural order and leaves it in the order of reversed digits; decimation in
/// time takes it from there to natural order (Van Loan, Computational Frameworks for the Fast Fourier Transform, 1992,
/// sections 1.9 and 2.1). Work between the two on each value, or on chosen ones, needs no permutation.
#pragma once

#include "butterflies.hpp"
#include "common/unroll.hpp"
#include <karman/core/host_copy.hpp>
#include <karman/core/types.hpp>

#include <Kokkos_Core.hpp>

#include <cmath>
#include <cstddef>
#include <numbers>
#include <string>
#include <vector>

/// A stage is part of every kernel of a device. On a host all kernels call one function, which compiles once.
#if defined(__CUDA_ARCH__)
#define KARMAN_STAGE KOKKOS_FORCEINLINE_FUNCTION
#else
#define KARMAN_STAGE [[gnu::noinline]] KOKKOS_FUNCTION
#endif

namespace karman::detail {

/// Stages of a line of 2^m or 3 2^m values, from 16 to 2048. Radix 3, 2 or 4 come first, then radix 8: so the distance
/// between the values of a butterfly is a power of two in every stage.
struct LineStages {
  static constexpr int most = 2048;  ///< of double in the 48 KiB of scratch that a team of a device has
  int n = 0, count = 0;
  int radix[6] = {};
  int apart[6] = {};  ///< distance between the values of a butterfly
  int step[6] = {};   ///< of the twiddle factors

  /// False for other lengths.
  static bool suits(int n) {
    int const rest = n % 3 == 0 ? n / 3 : n;
    return n >= 16 && n <= most && rest >= 8 && (rest & (rest - 1)) == 0;
  }

  explicit LineStages(int length) : n(length) {
    int rest = n;
    if (rest % 3 == 0) {
      radix[count++] = 3;
      rest /= 3;
    }
    int eights = 0;
    for (; rest % 8 == 0; rest /= 8) ++eights;
    if (rest > 1) radix[count++] = rest;
    for (int m = 0; m < eights; ++m) radix[count++] = 8;
    for (int s = 0, blocks = 1; s < count; ++s) {
      step[s] = blocks;
      blocks *= radix[s];
      apart[s] = n / blocks;
    }
  }

  /// Place of mode or point f in the order of reversed digits.
  int place(int f) const {
    int at = 0;
    for (int s = 0; s < count; ++s) {
      at += f % radix[s] * apart[s];
      f /= radix[s];
    }
    return at;
  }
};

/// Place in scratch of a value: values whose numbers differ in one of the lower octal digits lie in different banks.
/// spread(i + j) = spread(i) + spread(j) where i and j have no binary digit in common, as in a butterfly.
KOKKOS_FORCEINLINE_FUNCTION int spread(int i) { return i + (i >> 3) + (i >> 6); }

/// Lines of complex numbers in scratch, as LineTransform reads and writes them.
template <class T>
struct ScratchLines {
  Kokkos::complex<T>* values;
  int pitch;  ///< between lines

  struct Places {
    Kokkos::complex<T>* first;
    KOKKOS_FORCEINLINE_FUNCTION Kokkos::complex<T> const& read(int offset) const { return first[spread(offset)]; }
    KOKKOS_FORCEINLINE_FUNCTION void write(int offset, Kokkos::complex<T> const& z) const { first[spread(offset)] = z; }
  };
  /// Of a butterfly.
  KOKKOS_FORCEINLINE_FUNCTION Places places(int line, int first) const {
    return {values + line * pitch + spread(first)};
  }
  KOKKOS_FORCEINLINE_FUNCTION Kokkos::complex<T>& operator()(int line, int i) const {
    return values[line * pitch + spread(i)];
  }
};

/// Transforms of lines of one length by a team, from lines to lines. Of both, places(line, first) gives the places of a
/// butterfly, whose read(offset) and write(offset, value) move a value.
template <class T>
struct LineTransform {
  using Complex = Kokkos::complex<T>;

  LineStages stages;
  Complex const* twiddles;    ///< exp(2 pi i k / n)
  int const *place, *number;  ///< of a value in the order of reversed digits, and of the value in a place

  /// Between 2^log_lines lines in scratch, 8 at most, which neighboring threads read.
  static KOKKOS_FUNCTION int pitch(int n, int log_lines) { return (spread(n - 1) + 8) / 8 * 8 + (8 >> log_lines); }

  /// Stage s of decimation in frequency, stages 0 to count - 1 in turn. The exponent has the sign -i if `forward`, else
  /// +i. Neighboring threads take the 2^log_lines lines.
  template <bool forward, class Member, class From, class To>
  KOKKOS_FORCEINLINE_FUNCTION void by_frequency(Member const& team, int s, int log_lines, From const& from,
                                                To const& to) const {
    run<forward, true>(team, s, log_lines, from, to);
  }

  /// Stage s of decimation in time, stages count - 1 to 0 in turn.
  template <bool forward, class Member, class From, class To>
  KOKKOS_FORCEINLINE_FUNCTION void by_time(Member const& team, int s, int log_lines, From const& from,
                                           To const& to) const {
    run<forward, false>(team, s, log_lines, from, to);
  }

  /// In registers. Forward transforms swap real and imaginary parts: conj(F^-1 conj(x)).
  template <bool forward>
  static KOKKOS_FORCEINLINE_FUNCTION Number<T> in_registers(Complex const& z) {
    return forward ? Number<T>{z.imag(), z.real()} : Number<T>{z.real(), z.imag()};
  }
  template <bool forward>
  static KOKKOS_FORCEINLINE_FUNCTION Complex in_memory(Number<T> const& x) {
    return forward ? Complex(x.im, x.re) : Complex(x.re, x.im);
  }

 private:
  template <bool forward, bool by_frequency, class Member, class From, class To>
  KARMAN_STAGE void run(Member const& team, int s, int log_lines, From const& from, To const& to) const {
    switch (stages.radix[s]) {
      case 2: return butterflies<forward, by_frequency, 2>(team, s, log_lines, from, to);
      case 3: return butterflies<forward, by_frequency, 3>(team, s, log_lines, from, to);
      case 4: return butterflies<forward, by_frequency, 4>(team, s, log_lines, from, to);
      default: return butterflies<forward, by_frequency, 8>(team, s, log_lines, from, to);
    }
  }

  template <bool forward, bool by_frequency, int radix, class Member, class From, class To>
  KOKKOS_FORCEINLINE_FUNCTION void butterflies(Member const& team, int s, int log_lines, From const& from,
                                               To const& to) const {
    int const apart = stages.apart[s], step = stages.step[s], per_line = stages.n / radix;
    for (int b = team.team_rank(); b < per_line << log_lines; b += team.team_size()) {
      int const line = b & ((1 << log_lines) - 1), m = b >> log_lines;
      int const k = m & (apart - 1), first = (m - k) * radix + k;
      Number<T> x[radix];
      auto const source = from.places(line, first);
      KARMAN_UNROLL
      for (int q = 0; q < radix; ++q) x[q] = in_registers<forward>(source.read(q * apart));
      if constexpr (by_frequency) Butterfly<radix>::run(x);
      if (apart > 1) turn<radix>(x, step * k);
      if constexpr (!by_frequency) Butterfly<radix>::run(x);
      auto const target = to.places(line, first);
      KARMAN_UNROLL
      for (int q = 0; q < radix; ++q) target.write(q * apart, in_memory<forward>(x[q]));
    }
  }

  /// x_q <- x_q exp(2 pi i k q / n). A load for each power of two.
  template <int radix>
  KOKKOS_FORCEINLINE_FUNCTION void turn(Number<T>* x, int k) const {
    Number<T> w[radix];
    KARMAN_UNROLL
    for (int q = 1; q < radix; ++q) {
      int const low = q & (q - 1);  // without the lowest digit
      if (low == 0) {
        Complex const z = twiddles[k * q];
        w[q] = {z.real(), z.imag()};
      } else {
        w[q] = w[low] * w[q - low];
      }
      x[q] = x[q] * w[q];
    }
  }
};

/// Tables of LineTransform on a device.
template <class Exec, class T>
class LineTables {
 public:
  explicit LineTables(Exec const& space, int n, std::string const& label) : stages_(n) {
    std::vector<Kokkos::complex<T>> turns;
    std::vector<int> places(static_cast<std::size_t>(2 * n));
    for (int k = 0; k < n; ++k) {
      long double const angle = 2 * std::numbers::pi_v<long double> * k / n;
      turns.emplace_back(static_cast<T>(std::cos(angle)), static_cast<T>(std::sin(angle)));
      int const place = stages_.place(k);
      places[static_cast<std::size_t>(k)] = place;
      places[static_cast<std::size_t>(n + place)] = k;
    }
    twiddles_ = device_copy(space, turns, label);
    places_ = device_copy(space, places, label);
  }

  LineTransform<T> transform() const { return {stages_, twiddles_.data(), places_.data(), places_.data() + stages_.n}; }

  static std::int64_t bytes(int n) {
    return n * static_cast<std::int64_t>(sizeof(Kokkos::complex<T>) + 2 * sizeof(int));
  }

 private:
  LineStages stages_;
  Kokkos::View<Kokkos::complex<T>*, typename Exec::memory_space> twiddles_;
  Kokkos::View<int*, typename Exec::memory_space> places_;
};

}  // namespace karman::detail

#undef KARMAN_STAGE
