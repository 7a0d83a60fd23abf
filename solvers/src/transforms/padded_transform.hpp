// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Sine and cosine transforms by a Fourier transform of each line, padded with zeros to the period P of the kind:
///   sum_n w_n x_n exp(-i pi (n+a) (k+b) / (P/2))
///     = exp(-i pi a (k+b) / (P/2)) sum_n [w_n x_n exp(-2 pi i n b / P)] exp(-2 pi i n k / P),
/// whose real or negative imaginary part is the transform. With integer b the lines stay real, and b shifts the result.
#pragma once

#include "dft_plan.hpp"
#include <karman/core/backend.hpp>
#include <karman/core/host_copy.hpp>
#include <karman/core/types.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>
#include <string>
#include <vector>

namespace karman::detail {

/// The sum of one kind: a and b doubled, the period P, the part (real or imaginary), the weights at both ends.
struct TrigonometricSum {
  std::int64_t twice_a = 0, twice_b = 0, period = 1;
  bool sine = false;
  double first_weight = 1, last_weight = 1;
};

/// The sum of every kind but halfcomplex.
inline TrigonometricSum sum_of(Trigonometric kind, std::int64_t n) {
  switch (kind) {
    case Trigonometric::dct1: return {0, 0, 2 * n - 2, false, 0.5, 0.5};
    case Trigonometric::dct2: return {1, 0, 2 * n, false};
    case Trigonometric::dct3: return {0, 1, 2 * n, false, 0.5};
    case Trigonometric::dct4: return {1, 1, 2 * n, false};
    case Trigonometric::dst1: return {2, 2, 2 * n + 2, true};
    case Trigonometric::dst2: return {1, 2, 2 * n, true};
    case Trigonometric::dst3: return {2, 1, 2 * n, true, 1, 0.5};
    case Trigonometric::dst4: return {1, 1, 2 * n, true};
    case Trigonometric::dst5: return {2, 2, 2 * n + 1, true};
    case Trigonometric::dst6: return {1, 2, 2 * n + 1, true};
    case Trigonometric::dst7: return {2, 1, 2 * n + 1, true};
    case Trigonometric::halfcomplex: break;
  }
  return {};
}

/// The kind whose sum inverts that of another.
inline Trigonometric backward_kind(Trigonometric kind) {
  switch (kind) {
    case Trigonometric::dct2: return Trigonometric::dct3;
    case Trigonometric::dct3: return Trigonometric::dct2;
    case Trigonometric::dst2: return Trigonometric::dst3;
    case Trigonometric::dst3: return Trigonometric::dst2;
    case Trigonometric::dst6: return Trigonometric::dst7;
    case Trigonometric::dst7: return Trigonometric::dst6;
    default: return kind;
  }
}

/// Layout of the lines in the field: value n of line (slow, inner) is at slow * slow_stride + inner * inner_stride + n
/// * stride. The workspace of the lines has its axis fastest where the field has, and slowest otherwise. Both are then
/// read and written in order of memory.
struct LineLayout {
  std::int64_t n = 1, stride = 1;
  std::int64_t slow = 1, slow_stride = 1;
  std::int64_t inner = 1, inner_stride = 1;

  bool contiguous() const { return stride == 1 && inner_stride != 1; }
};

inline LineLayout lines_of(std::array<int, 3> const& extents, Axis axis) {
  std::int64_t const nz = extents[0], ny = extents[1], nx = extents[2];
  switch (axis) {
    case Axis::x: return {nx, 1, nz, ny * nx, ny, nx};
    case Axis::y: return {ny, nx, nz, ny * nx, nx, 1};
    default: return {nz, ny * nx, ny, nx, nx, 1};
  }
}

/// Place of value n of a line in the workspace, whose lines are the slow rows from slow0.
struct WorkLines {
  std::int64_t slow0, inner, line_step, value_step;

  KOKKOS_FUNCTION std::int64_t at(std::int64_t slow, std::int64_t line, std::int64_t n) const {
    return ((slow - slow0) * inner + line) * line_step + n * value_step;
  }
};

/// Place of value n of a line in the field, counted from either end.
template <class T>
struct FieldLines {
  T* data;
  LineLayout lines;
  bool reversed;

  KOKKOS_FUNCTION T& operator()(std::int64_t slow, std::int64_t line, std::int64_t n) const {
    std::int64_t const at = reversed ? lines.n - 1 - n : n;
    return data[slow * lines.slow_stride + line * lines.inner_stride + at * lines.stride];
  }
};

/// Calls step(slow, line, n) for `slow` slow rows from slow0, all their lines, and `values` values n: one team per
/// row of consecutive addresses.
template <class Exec, class Step>
struct LineRows {
  Step step;
  std::int64_t slow0, slow, inner, values;
  bool contiguous;

  using Member = typename Kokkos::TeamPolicy<Exec>::member_type;

  KOKKOS_FUNCTION void operator()(Member const& team) const {
    auto const row = static_cast<std::int64_t>(team.league_rank());
    if (contiguous) {
      std::int64_t const s = row / inner;
      std::int64_t const line = row - s * inner;
      Kokkos::parallel_for(Kokkos::TeamVectorRange(team, static_cast<int>(values)),
                           [&](int const n) { step(slow0 + s, line, n); });
    } else {
      std::int64_t const n = row / slow;
      std::int64_t const s = row - n * slow;
      Kokkos::parallel_for(Kokkos::TeamVectorRange(team, static_cast<int>(inner)),
                           [&](int const line) { step(slow0 + s, line, n); });
    }
  }

  void run(Exec const& space, char const* label) const {
    std::int64_t const rows = slow * (contiguous ? inner : values);
    int const threads = runs_on_host<Exec> ? 1 : 128;
    Kokkos::parallel_for(label, Kokkos::TeamPolicy<Exec>(space, static_cast<int>(rows), threads), *this);
  }
};

/// Integer b: weights, and zeros behind the line.
template <class T>
struct PadReal {
  FieldLines<T const> field;
  WorkLines lines;
  T* work;
  T first, last;

  KOKKOS_FUNCTION void operator()(std::int64_t slow, std::int64_t line, std::int64_t n) const {
    T value = T(0);
    if (n < field.lines.n) value = field(slow, line, n);
    if (n == 0) value *= first;
    if (n == field.lines.n - 1) value *= last;
    work[lines.at(slow, line, n)] = value;
  }
};

/// Half-integer b: also rotated by exp(-2 pi i n b / P).
template <class T>
struct PadComplex {
  FieldLines<T const> field;
  WorkLines lines;
  Kokkos::complex<T>* work;
  Kokkos::complex<T> const* turn;
  T first, last;

  KOKKOS_FUNCTION void operator()(std::int64_t slow, std::int64_t line, std::int64_t n) const {
    Kokkos::complex<T> value(T(0), T(0));
    if (n < field.lines.n) {
      T real = field(slow, line, n);
      if (n == 0) real *= first;
      if (n == field.lines.n - 1) real *= last;
      value = Kokkos::complex<T>(real * turn[n].real(), real * turn[n].imag());
    }
    work[lines.at(slow, line, n)] = value;
  }
};

/// The real or the negative imaginary part of the spectrum, rotated by 2 exp(-i pi a (k+b) / (P/2)).
template <class T>
struct TakePart {
  FieldLines<T> field;
  WorkLines lines;
  Kokkos::complex<T> const* spectrum;
  Kokkos::complex<T> const* turn;
  std::int64_t shift;
  bool sine;

  KOKKOS_FUNCTION void operator()(std::int64_t slow, std::int64_t line, std::int64_t k) const {
    Kokkos::complex<T> const value = spectrum[lines.at(slow, line, k + shift)];
    Kokkos::complex<T> const w = turn[k];
    field(slow, line, k) =
        sine ? -(w.real() * value.imag() + w.imag() * value.real()) : w.real() * value.real() - w.imag() * value.imag();
  }
};

/// From the complex half spectrum to halfcomplex order.
template <class T>
struct TakeHalfcomplex {
  FieldLines<T> field;
  WorkLines lines;
  Kokkos::complex<T> const* spectrum;

  KOKKOS_FUNCTION void operator()(std::int64_t slow, std::int64_t line, std::int64_t k) const {
    bool const real = 2 * k <= field.lines.n;
    Kokkos::complex<T> const value = spectrum[lines.at(slow, line, real ? k : field.lines.n - k)];
    field(slow, line, k) = real ? value.real() : value.imag();
  }
};

/// From halfcomplex order to the complex half spectrum.
template <class T>
struct GiveHalfcomplex {
  FieldLines<T const> field;
  WorkLines lines;
  Kokkos::complex<T>* spectrum;

  KOKKOS_FUNCTION void operator()(std::int64_t slow, std::int64_t line, std::int64_t m) const {
    std::int64_t const n = field.lines.n;
    bool const real = m == 0 || 2 * m == n;
    T const imaginary = real ? T(0) : field(slow, line, n - m);
    spectrum[lines.at(slow, line, m)] = Kokkos::complex<T>(field(slow, line, m), imaginary);
  }
};

/// From a real workspace to the field.
template <class T>
struct TakeReal {
  FieldLines<T> field;
  WorkLines lines;
  T const* work;

  KOKKOS_FUNCTION void operator()(std::int64_t slow, std::int64_t line, std::int64_t n) const {
    field(slow, line, n) = work[lines.at(slow, line, n)];
  }
};

/// The Fourier transform within a PaddedTransform.
struct PaddedDft {
  DftShape shape;
  DftKind kind = DftKind::complex_forward;
  bool in_place = false;
};

/// Slabs, workspace and Fourier transform of a PaddedTransform.
struct PaddedLayout {
  LineLayout lines;
  std::int64_t value_bytes;  ///< of a real number
  bool halfcomplex, inverse;
  TrigonometricSum sum;
  bool turns_line;
  std::int64_t slab = 1;

  PaddedLayout(std::array<int, 3> const& extents, Axis axis, Trigonometric kind, bool inverse_halfcomplex,
               std::size_t real)
      : lines(lines_of(extents, axis)),
        value_bytes(static_cast<std::int64_t>(real)),
        halfcomplex(kind == Trigonometric::halfcomplex),
        inverse(halfcomplex && inverse_halfcomplex),
        sum(halfcomplex ? TrigonometricSum{0, 0, lines.n} : sum_of(kind, lines.n)),
        turns_line(sum.twice_b % 2 != 0) {
    std::int64_t const per_slow = lines.inner * (turns_line ? sum.period * 2 : sum.period + 2 * half()) * value_bytes;
    std::int64_t const fitting = std::max<std::int64_t>(1, slab_bytes / per_slow);
    std::int64_t const slabs = (lines.slow + fitting - 1) / fitting;
    slab = (lines.slow + slabs - 1) / slabs;
  }

  std::int64_t half() const { return sum.period / 2 + 1; }
  std::int64_t real_bytes() const {
    // The complex part behind it keeps an alignment that suits vector loads.
    std::int64_t const bytes = sum.period * slab * lines.inner * value_bytes;
    return (bytes + 255) / 256 * 256;
  }
  std::int64_t work_bytes() const {
    std::int64_t const count = slab * lines.inner;
    return turns_line ? 2 * sum.period * count * value_bytes : real_bytes() + 2 * half() * count * value_bytes;
  }
  /// Of the tables of turns.
  std::int64_t table_bytes() const {
    int const tables = halfcomplex ? 0 : turns_line ? 2 : 1;
    return tables * lines.n * 2 * value_bytes;
  }

  PaddedDft dft() const {
    std::int64_t const count = slab * lines.inner;
    bool const contiguous = lines.contiguous();
    PaddedDft result;
    auto const dimension = [&](std::int64_t real_values, std::int64_t complex_values) {
      std::int64_t const in = inverse ? complex_values : real_values;
      std::int64_t const out = inverse ? real_values : complex_values;
      if (contiguous) {
        result.shape.transformed = {{sum.period, 1, 1}};
        result.shape.batched = {{count, in, out}};
      } else {
        result.shape.transformed = {{sum.period, count, count}};
        result.shape.batched = {{count, 1, 1}};
      }
    };
    result.in_place = turns_line;
    if (turns_line) {
      dimension(sum.period, sum.period);
    } else {
      dimension(sum.period, half());
      result.kind = inverse ? DftKind::real_backward : DftKind::real_forward;
    }
    return result;
  }

 private:
  /// Slabs that stay in a large cache while they are worked on.
  static constexpr std::int64_t slab_bytes = std::int64_t(1) << 26;
};

/// One direction of one kind along one axis, in slabs.
template <ExecutionSpace Exec, Real T>
class PaddedTransform {
 public:
  using Complex = Kokkos::complex<T>;

  /// `reversed_in`, `reversed_out`: sides of the transform that start from the other end. `inverse_halfcomplex` chooses
  /// the direction of that kind; all others are their own inverse sums.
  PaddedTransform(Exec const& space, std::array<int, 3> const& extents, Axis axis, Trigonometric kind,
                  bool inverse_halfcomplex, bool reversed_in, bool reversed_out, FftPlanning planning)
      : layout_(extents, axis, kind, inverse_halfcomplex, sizeof(T)),
        reversed_in_(reversed_in),
        reversed_out_(reversed_out) {
    if (!layout_.halfcomplex) make_turns(space);
    PaddedDft const dft = layout_.dft();
    plan_.emplace(space, dft.shape, dft.kind, dft.in_place, planning);
  }

  /// Bytes of the workspace for use_work(), and the plan that takes part in share_work().
  std::int64_t work_bytes() const { return layout_.work_bytes(); }
  DftPlan<Exec, T>& plan() { return *plan_; }
  void use_work(RawMemory<Exec> const& work) { work_ = work; }
  std::int64_t table_bytes() const { return layout_.table_bytes(); }

  void execute(Exec const& space, T const* in, T* out) const {
    for (std::int64_t slow0 = 0; slow0 < layout_.lines.slow; slow0 += layout_.slab) {
      std::int64_t const slow = std::min(layout_.slab, layout_.lines.slow - slow0);
      run_slab(space, in, out, slow0, slow);
    }
  }

 private:
  /// The table of both rotations, computed with angles reduced to one period.
  void make_turns(Exec const& space) {
    std::int64_t const n = layout_.lines.n;
    // In units of 2 pi / (4 P): pi a (k+b) / (P/2) = 2 pi twice_a (2k + twice_b) / (4 P).
    auto const turn = [&](std::int64_t quarter_steps, double factor) {
      double const angle = 2 * std::numbers::pi * static_cast<double>(quarter_steps % (4 * layout_.sum.period)) /
                           (4.0 * double(layout_.sum.period));
      return Complex(static_cast<T>(factor * std::cos(angle)), static_cast<T>(-factor * std::sin(angle)));
    };
    auto const table = [&](char const* label, auto const& value) {
      std::vector<Complex> values;
      for (std::int64_t k = 0; k < n; ++k) values.push_back(value(k));
      return device_copy(space, values, label);
    };
    if (layout_.turns_line) {
      before_ = table("karman::fft::before", [&](std::int64_t k) { return turn(2 * k * layout_.sum.twice_b, 1); });
    }
    after_ = table("karman::fft::after",
                   [&](std::int64_t k) { return turn(layout_.sum.twice_a * (2 * k + layout_.sum.twice_b), 2); });
  }

  template <class Step>
  void rows(Exec const& space, char const* label, Step const& step, std::int64_t slow0, std::int64_t slow,
            std::int64_t values) const {
    LineRows<Exec, Step>{step, slow0, slow, layout_.lines.inner, values, layout_.lines.contiguous()}.run(space, label);
  }

  void run_slab(Exec const& space, T const* in, T* out, std::int64_t slow0, std::int64_t slow) const {
    auto* const real = reinterpret_cast<T*>(work_.data());
    auto* const complex = reinterpret_cast<Complex*>(work_.data() + (layout_.turns_line ? 0 : layout_.real_bytes()));
    FieldLines<T const> const from{in, layout_.lines, reversed_in_};
    FieldLines<T> const to{out, layout_.lines, reversed_out_};
    auto const first = static_cast<T>(layout_.sum.first_weight);
    auto const last = static_cast<T>(layout_.sum.last_weight);
    // Lines of a last, smaller slab lie where lines of a full one do.
    auto const in_work = [&](std::int64_t length) {
      return layout_.lines.contiguous() ? WorkLines{slow0, layout_.lines.inner, length, 1}
                                        : WorkLines{slow0, layout_.lines.inner, 1, layout_.slab * layout_.lines.inner};
    };
    auto const real_lines = in_work(layout_.sum.period);
    auto const complex_lines = in_work(layout_.turns_line ? layout_.sum.period : layout_.half());
    if (layout_.inverse) {
      rows(space, "karman::fft::give_halfcomplex", GiveHalfcomplex<T>{from, complex_lines, complex}, slow0, slow,
           layout_.half());
      plan_->execute(space, complex, real);
      rows(space, "karman::fft::take_real", TakeReal<T>{to, real_lines, real}, slow0, slow, layout_.lines.n);
      return;
    }
    if (layout_.turns_line) {
      rows(space, "karman::fft::pad_complex", PadComplex<T>{from, complex_lines, complex, before_.data(), first, last},
           slow0, slow, layout_.sum.period);
      plan_->execute(space, complex, complex);
    } else {
      rows(space, "karman::fft::pad_real", PadReal<T>{from, real_lines, real, first, last}, slow0, slow,
           layout_.sum.period);
      plan_->execute(space, real, complex);
    }
    if (layout_.halfcomplex) {
      rows(space, "karman::fft::take_halfcomplex", TakeHalfcomplex<T>{to, complex_lines, complex}, slow0, slow,
           layout_.lines.n);
      return;
    }
    std::int64_t const shift = layout_.turns_line ? 0 : layout_.sum.twice_b / 2;
    rows(space, "karman::fft::take_part",
         TakePart<T>{to, complex_lines, complex, after_.data(), shift, layout_.sum.sine}, slow0, slow, layout_.lines.n);
  }

  PaddedLayout layout_;
  bool reversed_in_, reversed_out_;
  std::optional<DftPlan<Exec, T>> plan_;
  using Table = Kokkos::View<Complex*, typename Exec::memory_space>;
  Table before_, after_;
  RawMemory<Exec> work_;
};

}  // namespace karman::detail
