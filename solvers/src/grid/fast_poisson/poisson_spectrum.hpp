// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The modes of a box between periodic sides, closed sides or sides that are zero on the face. One real Fourier
/// transform of N values per axis gives them, without additional passes over memory.
///
/// Cosine transform of a line x by a Fourier transform V of its even values followed by its odd ones in reverse: C_k =
/// Re(w_k V_k), C_{N-k} = -Im(w_k V_k), w_k = exp(-i pi k / 2N) (J. Makhoul, IEEE Trans. Acoust. Speech Signal Process.
/// 28, 1980). The sine transform is the cosine transform of (-1)^n x_n with its modes in reverse order. In two
/// directions the four modes (+-ky, +-kx) follow from V at (ky, kx) and (N-ky, kx). The sweep over the columns rotates
/// them on the way in and back on the way out.
#pragma once

#include "poisson_box.hpp"
#include "poisson_columns.hpp"
#include "transforms/dft_plan.hpp"
#include <karman/core/box_transpose.hpp>
#include <karman/core/host_copy.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <numbers>
#include <string>
#include <vector>

namespace karman::detail {

/// Two values of the spectrum at (ky, kx) and (ny - ky, kx) as four real modes, each with its eigenvalue. The spectrum
/// is (rows, ny, half), or with `YSlowest` (ny, rows, half).
template <ExecutionSpace Exec, class T, bool YSlowest = false>
struct SpectrumColumns {
  using Complex = Kokkos::complex<T>;
  static constexpr int lanes = 4;
  static constexpr int wide = runs_on_host<Exec> ? 8 : 1;
  static constexpr int chunk = runs_on_host<Exec> ? 16 : 8;

  Complex* spectrum;
  Complex const* turn_x;
  Complex const* turn_y;
  T const* eigenvalue_x;  ///< of modes 0 to nx and 0 to ny
  T const* eigenvalue_y;
  int nx, ny, half;
  int rows;  ///< with YSlowest
  bool cosine_x, cosine_y;
  T scale;

  /// The same values where no axis has cosines.
  ComplexColumns<T> complex_columns() const {
    std::int64_t const lines = std::int64_t(ny) * half;
    return {spectrum,
            YSlowest ? std::int64_t(half) : lines,
            YSlowest ? std::int64_t(rows) * half : std::int64_t(half),
            half,
            lines,
            eigenvalue_x,
            eigenvalue_y,
            scale};
  }

  KOKKOS_FUNCTION std::int64_t units() const { return std::int64_t(ny / 2 + 1) * half; }
  KOKKOS_FUNCTION std::int64_t columns() const { return lanes * units(); }
  KOKKOS_FUNCTION int blocks_in_row() const { return (half + wide - 1) / wide; }
  KOKKOS_FUNCTION std::int64_t blocks() const { return std::int64_t(ny / 2 + 1) * blocks_in_row(); }
  KOKKOS_FUNCTION void block(std::int64_t b, std::int64_t& first, int& active) const {
    std::int64_t const ky = b / blocks_in_row();
    int const kx = static_cast<int>(b - ky * blocks_in_row()) * wide;
    first = ky * half + kx;
    active = half - kx < wide ? half - kx : wide;
  }

  /// Value l of N belongs to mode l / (N / 4) of unit l % (N / 4).
  struct Place {
    SpectrumColumns const& port;
    std::int64_t first;
    int ky, mirrored, kx;

    template <int N>
    KOKKOS_INLINE_FUNCTION void mode(T (&to)[N]) const {
      constexpr int count = N / 4;
      T const y = port.eigenvalue_y[ky];
      T const other_y = port.cosine_y ? port.eigenvalue_y[port.ny - ky] : y;
      for (int u = 0; u < count; ++u) {
        T const x = port.eigenvalue_x[kx + u];
        T const other_x = port.cosine_x ? port.eigenvalue_x[port.nx - kx - u] : x;
        bool const both = port.cosine_x && port.cosine_y;
        to[u] = x + y;
        to[count + u] = x + (both ? other_y : y);
        to[2 * count + u] = port.cosine_x ? other_x + y : x + other_y;
        to[3 * count + u] = other_x + other_y;
      }
    }

    template <int N>
    KOKKOS_INLINE_FUNCTION void load(std::int64_t row, T (&to)[N]) const {
      T values[N];
      read(row, values);
      if (port.cosine_x) {
        port.cosine_y ? turn<true, true>(values, to) : turn<true, false>(values, to);
      } else {
        port.cosine_y ? turn<false, true>(values, to) : turn<false, false>(values, to);
      }
    }

    template <int N>
    KOKKOS_INLINE_FUNCTION void store(std::int64_t row, T const (&from)[N]) const {
      T values[N];
      if (port.cosine_x) {
        port.cosine_y ? turn_back<true, true>(from, values) : turn_back<true, false>(from, values);
      } else {
        port.cosine_y ? turn_back<false, true>(from, values) : turn_back<false, false>(from, values);
      }
      write(row, values);
    }

    /// Modes between the two sweeps. Where ky is its own mirror image there is one complex number for them. Of cosine
    /// modes in x, the modes of E and F are then real except for a factor. Otherwise the second pair repeats the first
    /// or is zero.
    template <int N>
    KOKKOS_INLINE_FUNCTION void load_reduced(std::int64_t row, T (&to)[N]) const {
      constexpr int count = N / 4;
      read(row, to);
      if (ky != mirrored) return;
      T const again = port.cosine_y && ky != 0 ? T(1) : T(0);
      for (int u = 0; u < count; ++u) {
        T const first = to[u], second = to[count + u];
        to[count + u] = port.cosine_x ? again * first : second;
        to[2 * count + u] = port.cosine_x ? second : again * first;
        to[3 * count + u] = again * second;
      }
    }

    template <int N>
    KOKKOS_INLINE_FUNCTION void store_reduced(std::int64_t row, T const (&from)[N]) const {
      constexpr int count = N / 4;
      if (ky != mirrored || !port.cosine_x) return write(row, from);
      Complex* const here = address(row, ky);
      for (int u = 0; u < count; ++u) here[u] = Complex(from[u], from[2 * count + u]);
    }

    template <int N>
    KOKKOS_INLINE_FUNCTION std::int64_t kept(int n) const {
      constexpr int count = N / 4;
      return (n / count) * port.units() + first + n % count;
    }

   private:
    struct Turned {
      T a, b, c, d;
    };

    /// Sides are constants in these loops: compilers make vectors of loops without a choice only. One loop for both
    /// directions was 5 % slower.
    template <bool CosineX, bool CosineY, int N>
    KOKKOS_INLINE_FUNCTION void turn(T const (&values)[N], T (&to)[N]) const {
      constexpr int count = N / 4;
      Complex const wy = port.turn_y[ky];
      KARMAN_SIMD
      for (int u = 0; u < count; ++u) {
        Turned const m = to_modes<CosineX, CosineY>(values[u], values[count + u], values[2 * count + u],
                                                    values[3 * count + u], port.turn_x[kx + u], wy);
        to[u] = m.a;
        to[count + u] = m.b;
        to[2 * count + u] = m.c;
        to[3 * count + u] = m.d;
      }
    }

    template <bool CosineX, bool CosineY, int N>
    KOKKOS_INLINE_FUNCTION void turn_back(T const (&from)[N], T (&values)[N]) const {
      constexpr int count = N / 4;
      Complex const wy = port.turn_y[ky];
      KARMAN_SIMD
      for (int u = 0; u < count; ++u) {
        Turned const v = from_modes<CosineX, CosineY>(from[u], from[count + u], from[2 * count + u],
                                                      from[3 * count + u], port.turn_x[kx + u], wy);
        values[u] = v.a;
        values[count + u] = v.b;
        values[2 * count + u] = v.c;
        values[3 * count + u] = v.d;
      }
    }

    template <int N>
    KOKKOS_INLINE_FUNCTION void read(std::int64_t row, T (&to)[N]) const {
      constexpr int count = N / 4;
      Complex const* const here = address(row, ky);
      Complex const* const there = address(row, mirrored);
      for (int u = 0; u < count; ++u) {
        Complex const p = here[u], q = there[u];
        to[u] = p.real();
        to[count + u] = p.imag();
        to[2 * count + u] = q.real();
        to[3 * count + u] = q.imag();
      }
    }

    /// Where ky is its own mirror image both values are equal, and the first is kept.
    template <int N>
    KOKKOS_INLINE_FUNCTION void write(std::int64_t row, T const (&from)[N]) const {
      constexpr int count = N / 4;
      Complex* const here = address(row, ky);
      Complex* const there = address(row, mirrored);
      for (int u = 0; u < count; ++u) {
        there[u] = Complex(from[2 * count + u], from[3 * count + u]);
        here[u] = Complex(from[u], from[count + u]);
      }
    }

    KOKKOS_INLINE_FUNCTION Complex* address(std::int64_t row, int y) const {
      if constexpr (YSlowest) return port.spectrum + (std::int64_t(y) * port.rows + row) * port.half + kx;
      else return port.spectrum + (row * port.ny + y) * port.half + kx;
    }

    /// (a, b) and (c, d) are the complex values at ky and at its mirror image.
    template <bool CosineX, bool CosineY>
    KOKKOS_INLINE_FUNCTION Turned to_modes(T a, T b, T c, T d, Complex wx, Complex wy) const {
      if constexpr (CosineX) {
        // P and Q: both values rotated by w_x. E = (P + Q*) / 2 and F = i (P - Q*) / 2 are the transforms in y of the
        // cosine modes kx and nx - kx.
        T const half = T(0.5) * port.scale;
        T const pr = wx.real() * a - wx.imag() * b, pi = wx.real() * b + wx.imag() * a;
        T const qr = wx.real() * c - wx.imag() * d, qi = wx.real() * d + wx.imag() * c;
        T const er = half * (pr + qr), ei = half * (pi - qi);
        T const fr = -half * (pi + qi), fi = half * (pr - qr);
        if constexpr (CosineY) {
          return {wy.real() * er - wy.imag() * ei, -(wy.real() * ei + wy.imag() * er), wy.real() * fr - wy.imag() * fi,
                  -(wy.real() * fi + wy.imag() * fr)};
        } else {
          return {er, ei, fr, fi};
        }
      } else if constexpr (CosineY) {
        // Complex lines: A = w_y V and B = w_y* V at the mirror image; (A + B) / 2 and i (A - B) / 2.
        T const half = T(0.5) * port.scale;
        T const ar = wy.real() * a - wy.imag() * b, ai = wy.real() * b + wy.imag() * a;
        T const br = wy.real() * c + wy.imag() * d, bi = wy.real() * d - wy.imag() * c;
        return {half * (ar + br), half * (ai + bi), -half * (ai - bi), half * (ar - br)};
      } else {
        return {port.scale * a, port.scale * b, port.scale * c, port.scale * d};
      }
    }

    template <bool CosineX, bool CosineY>
    KOKKOS_INLINE_FUNCTION Turned from_modes(T a, T b, T c, T d, Complex wx, Complex wy) const {
      if constexpr (CosineX) {
        T er = a, ei = b, fr = c, fi = d;
        if constexpr (CosineY) {
          // w_y E = a - i b, w_y F = c - i d.
          er = wy.real() * a - wy.imag() * b;
          ei = -wy.imag() * a - wy.real() * b;
          fr = wy.real() * c - wy.imag() * d;
          fi = -wy.imag() * c - wy.real() * d;
        }
        // P = E - i F, Q* = E + i F.
        T const pr = er + fi, pi = ei - fr, qr = er - fi, qi = -(ei + fr);
        return {wx.real() * pr + wx.imag() * pi, wx.real() * pi - wx.imag() * pr, wx.real() * qr + wx.imag() * qi,
                wx.real() * qi - wx.imag() * qr};
      } else if constexpr (CosineY) {
        // A = C - i D, B = C + i D.
        T const ar = a + d, ai = b - c, br = a - d, bi = b + c;
        return {wy.real() * ar + wy.imag() * ai, wy.real() * ai - wy.imag() * ar, wy.real() * br - wy.imag() * bi,
                wy.real() * bi + wy.imag() * br};
      } else {
        return {a, b, c, d};
      }
    }
  };

  KOKKOS_INLINE_FUNCTION Place at(std::int64_t first) const {
    int const ky = static_cast<int>(first / half);
    return {*this, first, ky, ky == 0 ? 0 : ny - ky, static_cast<int>(first - std::int64_t(ky) * half)};
  }
};

/// Order of an axis for the transform: unchanged, or even values first with one sign for the odd ones.
struct LineOrder {
  int n = 1;
  bool sorted = false;
  int odd_sign = 1;

  /// The place in the field of value p of the sorted line, and the inverse.
  KOKKOS_FUNCTION int source(int p) const {
    if (!sorted) return p;
    return p < (n + 1) / 2 ? 2 * p : 2 * (n - 1 - p) + 1;
  }
  KOKKOS_FUNCTION int target(int i) const {
    if (!sorted) return i;
    return i % 2 == 0 ? i / 2 : n - 1 - i / 2;
  }
  /// Of the value at i of the field.
  KOKKOS_FUNCTION int sign(int i) const { return i % 2 == 0 ? 1 : odd_sign; }
};

/// Copies rows of a field to sorted rows, or back: one team per row, written contiguously.
template <ExecutionSpace Exec, class T, bool Back>
struct OrderRows {
  T const* from;
  T* to;
  LineOrder x, y;
  int first_y;  ///< number of the first row in the whole box, which decides on its sign

  using Member = typename Kokkos::TeamPolicy<Exec>::member_type;

  KOKKOS_FUNCTION void operator()(Member const& team) const {
    auto const row = static_cast<std::int64_t>(team.league_rank());
    std::int64_t const k = row / y.n;
    int const j = static_cast<int>(row - k * y.n);
    int const other = Back ? y.target(j) : y.source(j);
    T const* const in = from + (k * y.n + other) * x.n;
    T* const out = to + row * x.n;
    T const sign_y = T(y.sign(first_y + (Back ? j : other)));
    Kokkos::parallel_for(Kokkos::TeamVectorRange(team, x.n), [&](int const i) {
      int const at = Back ? x.target(i) : x.source(i);
      out[i] = sign_y * T(x.sign(Back ? i : at)) * in[at];
    });
  }

  void run(Exec const& space, std::int64_t planes, char const* label) const {
    int const threads = runs_on_host<Exec> ? 1 : 128;
    Kokkos::parallel_for(label, Kokkos::TeamPolicy<Exec>(space, static_cast<int>(planes * y.n), threads), *this);
  }
};

/// The order of the lines of an axis.
inline LineOrder line_order(BoxAxis const& axis) {
  bool const sorted = axis.present && axis.low != Boundary::periodic;
  return {axis.cells, sorted, axis.low == Boundary::dirichlet ? -1 : 1};
}

/// exp(-i pi k / 2n) for k below `size`.
template <ExecutionSpace Exec, Real T>
auto turn_table(Exec const& space, char const* label, int n, int size) {
  std::vector<Kokkos::complex<T>> values;
  for (int k = 0; k < size; ++k) {
    double const angle = std::numbers::pi * k / (2.0 * n);
    values.emplace_back(static_cast<T>(std::cos(angle)), static_cast<T>(-std::sin(angle)));
  }
  return device_copy(space, values, label);
}

/// Eigenvalues of modes 0 to n, in reverse order for a sine transform. Mode n does not exist: its value is zero, so
/// that any eigenvalue will do.
template <ExecutionSpace Exec, Real T>
auto eigenvalue_table(Exec const& space, char const* label, BoxAxis const& axis) {
  int const n = axis.cells;
  std::vector<T> values;
  for (int k = 0; k <= n; ++k) {
    int const mode = std::min(k, n - 1);
    int const ordered = axis.low == Boundary::dirichlet ? n - 1 - mode : mode;
    values.push_back(axis.present ? static_cast<T>(-axis.upper[0] * mode_eigenvalue(axis.low, axis.high, ordered, n))
                                  : T(0));
  }
  return device_copy(space, values, label);
}

/// Sizes of a BoxSpectrum: slabs of planes, and their memory. Parts of planes that are transformed apart have slabs of
/// their own.
template <ExecutionSpace Exec, Real T>
struct SpectrumLayout {
  int nz;
  LineOrder x, y;
  int half;
  bool has_y, sorts;
  int slab;                ///< most planes
  std::vector<int> edges;  ///< of the slabs, from 0 to nz

  explicit SpectrumLayout(PoissonBox const& box, int parts = 1)
      : nz(box.columns.cells),
        x(line_order(box.row)),
        y(line_order(box.middle)),
        half(box.row.cells / 2 + 1),
        has_y(box.middle.present),
        sorts(x.sorted || y.sorted || y.odd_sign < 0),
        slab(planes_in_slab()) {
    // cuFFT takes real values at even places alone. A part of odd planes may begin elsewhere, and is copied.
    if (parts > 1 && std::int64_t(x.n) * y.n % 2 > 0) sorts = true;
    if (parts == 1) {
      for (int edge = 0; edge < nz; edge += slab) edges.push_back(edge);
      edges.push_back(nz);
      return;
    }
    slab = planes_in_slab();
    // Equal slabs, as many in each part, so that two sizes have plans.
    int const planes = (nz + parts - 1) / parts, slabs = (planes + slab - 1) / slab * parts;
    for (int n = 0; n <= slabs; ++n) edges.push_back(slab_edge(nz, n, slabs));
    slab = sizes().front();
  }

  /// Numbers of planes in slabs, the largest first.
  std::vector<int> sizes() const {
    std::vector<int> result;
    for (std::size_t n = 0; n + 1 < edges.size(); ++n) result.push_back(edges[n + 1] - edges[n]);
    std::sort(result.begin(), result.end(), std::greater<>());
    result.erase(std::unique(result.begin(), result.end()), result.end());
    if (result.size() > 1 && result.back() == 0) result.pop_back();
    return result;
  }

  struct Transforms {
    DftShape forward, backward;
  };
  /// Of slabs of all sizes().
  std::vector<Transforms> transforms() const {
    std::vector<Transforms> result;
    for (int const planes : sizes()) {
      std::int64_t const real_row = x.n, complex_row = half, n = y.n;
      std::int64_t const lines = has_y ? planes : planes * n, distance = has_y ? n : 1;
      DftShape forward{{{x.n, 1, 1}}, {{lines, real_row * distance, complex_row * distance}}};
      DftShape backward{{{x.n, 1, 1}}, {{lines, complex_row * distance, real_row * distance}}};
      if (has_y) {
        forward.transformed.insert(forward.transformed.begin(), {n, real_row, complex_row});
        backward.transformed.insert(backward.transformed.begin(), {n, complex_row, real_row});
      }
      result.push_back({forward, backward});
    }
    return result;
  }

  std::int64_t sorted_bytes() const { return sorts ? std::int64_t(slab) * x.n * y.n * real : 0; }
  std::int64_t spectrum_bytes() const { return std::int64_t(nz) * y.n * half * 2 * real; }
  int turns_y() const { return y.n / 2 + 1; }

  /// Bytes of all that a BoxSpectrum allocates; on a device with the work area that cuFFT predicts.
  std::int64_t bytes() const {
    std::int64_t work = 0;
    for (auto const& [forward, backward] : transforms()) {
      work = std::max({work, library_work_bytes<Exec, T>(forward, DftKind::real_forward),
                       library_work_bytes<Exec, T>(backward, DftKind::real_backward)});
    }
    return work + sorted_bytes() + spectrum_bytes() + (2 * (half + turns_y()) + (x.n + 1) + (y.n + 1)) * real;
  }

 private:
  static constexpr std::int64_t real = sizeof(T);

  /// Planes of a slab: enough to keep a device busy, few enough that the sorted lines are small beside the spectrum.
  int planes_in_slab() const {
    constexpr std::int64_t bytes = std::int64_t(1) << (runs_on_host<Exec> ? 24 : 28);
    std::int64_t const plane = std::int64_t(x.n) * y.n * real;
    std::int64_t const fitting = std::max<std::int64_t>(1, bytes / plane);
    return static_cast<int>(sorts ? std::min<std::int64_t>(fitting, nz) : nz);
  }
};

/// The plan of the transforms: fields to the spectrum and back, in slabs of planes.
template <ExecutionSpace Exec, Real T>
class BoxSpectrum {
 public:
  using Complex = Kokkos::complex<T>;

  /// \param first_y number of the first line of the middle axis in the whole box
  /// \param parts number of parts that are transformed apart
  BoxSpectrum(Exec const& space, PoissonBox const& box, FftPlanning planning, int first_y = 0, int parts = 1)
      : BoxSpectrum(space, box, planning, SpectrumLayout<Exec, T>(box, parts)) {
    first_y_ = first_y;
    parts_ = parts;
  }

  /// Factor of backward after forward.
  double size() const { return double(x_.n) * y_.n; }
  std::int64_t bytes() const {
    return static_cast<std::int64_t>(plan_work_.size() + sorted_.size() + spectrum_.size() +
                                     (turn_x_.size() + turn_y_.size()) * sizeof(Complex) +
                                     (eigenvalue_x_.size() + eigenvalue_y_.size()) * sizeof(T));
  }

  SpectrumColumns<Exec, T> columns(double scale) const {
    SpectrumColumns<Exec, T> result;
    result.spectrum = values();
    result.turn_x = turn_x_.data();
    result.turn_y = turn_y_.data();
    result.eigenvalue_x = eigenvalue_x_.data();
    result.eigenvalue_y = eigenvalue_y_.data();
    result.nx = x_.n;
    result.ny = y_.n;
    result.half = half_;
    result.rows = nz_;
    result.cosine_x = x_.sorted;
    result.cosine_y = y_.sorted;
    result.scale = static_cast<T>(scale);
    return result;
  }

  Complex* values() const { return reinterpret_cast<Complex*>(spectrum_.data()); }
  /// The constant mode is the real part of the first value of each plane.
  T* constant_mode() const { return reinterpret_cast<T*>(values()); }
  std::int64_t constant_stride() const { return 2 * std::int64_t(y_.n) * half_; }

  void forward(Exec const& space, T const* field, int part = 0) const {
    for_each_slab(part, [&](std::int64_t first, std::int64_t planes, std::size_t plan) {
      T const* from = field + first * x_.n * y_.n;
      if (sorts_) {
        OrderRows<Exec, T, false>{from, sorted(), x_, y_, first_y_}.run(space, planes, "karman::fast_poisson::sort");
        from = sorted();
      }
      plans_[plan].execute(space, from, values() + first * y_.n * half_);
    });
  }

  void backward(Exec const& space, T* field, int part = 0) const {
    for_each_slab(part, [&](std::int64_t first, std::int64_t planes, std::size_t plan) {
      T* const to = field + first * x_.n * y_.n;
      plans_[plan + 1].execute(space, values() + first * y_.n * half_, sorts_ ? sorted() : to);
      if (sorts_)
        OrderRows<Exec, T, true>{sorted(), to, x_, y_, first_y_}.run(space, planes, "karman::fast_poisson::unsort");
    });
  }

 private:
  using Table = Kokkos::View<T*, typename Exec::memory_space>;
  using Turns = Kokkos::View<Complex*, typename Exec::memory_space>;

  BoxSpectrum(Exec const& space, PoissonBox const& box, FftPlanning planning, SpectrumLayout<Exec, T> const& layout)
      : nz_(layout.nz),
        x_(layout.x),
        y_(layout.y),
        half_(layout.half),
        sorts_(layout.sorts),
        edges_(layout.edges),
        sizes_(layout.sizes()) {
    for (auto const& [forward, backward] : layout.transforms()) {
      plans_.emplace_back(space, forward, DftKind::real_forward, false, planning);
      plans_.emplace_back(space, backward, DftKind::real_backward, false, planning);
    }
    std::vector<DftPlan<Exec, T>*> all;
    for (auto& plan : plans_) all.push_back(&plan);
    plan_work_ = share_work<Exec, T>(space, all);
    if (sorts_) sorted_ = raw_memory(space, layout.sorted_bytes(), "karman::fast_poisson::sorted");
    spectrum_ = raw_memory(space, layout.spectrum_bytes(), "karman::fast_poisson::spectrum");
    turn_x_ = turn_table<Exec, T>(space, "karman::fast_poisson::turn_x", x_.n, half_);
    turn_y_ = turn_table<Exec, T>(space, "karman::fast_poisson::turn_y", y_.n, layout.turns_y());
    eigenvalue_x_ = eigenvalue_table<Exec, T>(space, "karman::fast_poisson::eigenvalue_x", box.row);
    eigenvalue_y_ = eigenvalue_table<Exec, T>(space, "karman::fast_poisson::eigenvalue_y", box.middle);
  }

  T* sorted() const { return reinterpret_cast<T*>(sorted_.data()); }

  template <class Use>
  void for_each_slab(int part, Use const& use) const {
    int const end = slab_edge(nz_, part + 1, parts_);
    auto edge = std::lower_bound(edges_.begin(), edges_.end(), slab_edge(nz_, part, parts_));
    for (; *edge < end; ++edge) {
      int const planes = *(edge + 1) - *edge;
      if (planes > 0) use(*edge, planes, planes == sizes_.front() ? std::size_t(0) : std::size_t(2));
    }
  }

  int nz_;
  LineOrder x_, y_;
  int half_;
  bool sorts_;
  std::vector<int> edges_, sizes_;
  int first_y_ = 0, parts_ = 1;
  std::vector<DftPlan<Exec, T>> plans_;  ///< forward, backward; then the plans of smaller slabs
  RawMemory<Exec> plan_work_, sorted_, spectrum_;
  Turns turn_x_, turn_y_;
  Table eigenvalue_x_, eigenvalue_y_;
};

}  // namespace karman::detail
