// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Elimination of one unknown after the other, and the Thomas algorithm with one thread per system.
#pragma once

#include "rows.hpp"

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstdint>

namespace karman::detail {

/// Rows 0 .. i of a chunk eliminated from the top. With w the unknown above the chunk, x(i) = r - u x(i+1) - f w. The
/// initial state means that the row above is w itself.
template <class T>
struct Eliminated {
  T u = T(0), r = T(0), f = T(-1);

  KOKKOS_FORCEINLINE_FUNCTION void add(TridiagonalRow<T> const& row, T const& rhs) {
    T const inverse = reciprocal(T(row.diagonal - row.lower * u));
    T const scaled = row.lower * inverse;
    u = row.upper * inverse;
    r = rhs * inverse - scaled * r;
    f = -(scaled * f);
  }
};

/// The first unknown of a chunk, updated while its rows are eliminated: x(0) = p - s x(i+1) - q w.
template <class T>
struct FirstUnknown {
  T s = T(-1), p = T(0), q = T(0);

  KOKKOS_FORCEINLINE_FUNCTION void add(Eliminated<T> const& e) {
    p -= s * e.r;
    q -= s * e.f;
    s = -(s * e.u);
  }
};

/// One thread per system, rows from the first to the last and back. The workspace keeps `u` and, for cyclic systems,
/// `f`; x keeps the reduced right-hand side. A cyclic system is solved with its last unknown w as a parameter, which
/// the last row then gives. The first unknown is updated along the way, so that two sweeps are enough here, too.
template <class T, class Rows>
struct ThomasKernel {
  Rows rows;
  StridedSystems<T const> rhs;
  StridedSystems<T> x;
  SystemShape shape;
  T* workspace;
  std::int64_t lanes, row_stride, lane_stride;  ///< u of row k of a lane is workspace[k * row_stride + lane * ...]

  KOKKOS_FUNCTION void operator()(std::int64_t lane) const {
    std::int64_t const systems = shape.systems();
    for (std::int64_t s = lane; s < systems; s += lanes) {
      solve(s / shape.batch[1], s % shape.batch[1], workspace + lane * lane_stride);
    }
  }

 private:
  KOKKOS_FUNCTION void solve(std::int64_t s0, std::int64_t s1, T* kept_u) const {
    bool const wraps = cyclic(shape);
    std::int64_t const n = shape.rows;
    T* const kept_f = kept_u + shape.rows * row_stride;
    std::int64_t const inner = wraps ? n - 1 : n;
    Eliminated<T> e;
    FirstUnknown<T> first;
    for (std::int64_t k = 0; k < inner; ++k) {
      e.add(fetch_row<T>(rows, shape, s0, s1, k), rhs(s0, s1, k));
      kept_u[k * row_stride] = e.u;
      x(s0, s1, k) = e.r;
      if (wraps) {
        kept_f[k * row_stride] = e.f;
        first.add(e);
      }
    }
    T below = T(0);
    T w = T(0);
    if (wraps) {
      TridiagonalRow<T> const row = fetch_row<T>(rows, shape, s0, s1, n - 1);
      // x(n-2) = r - (u + f) w and x(0) = p - (s + q) w.
      T const pivot = row.diagonal - row.lower * (e.u + e.f) - row.upper * (first.s + first.q);
      w = (rhs(s0, s1, n - 1) - row.lower * e.r - row.upper * first.p) * reciprocal(pivot);
      x(s0, s1, n - 1) = w;
      below = w;
    }
    for (std::int64_t k = inner - 1; k >= 0; --k) {
      T value = x(s0, s1, k) - kept_u[k * row_stride] * below;
      if (wraps) value -= kept_f[k * row_stride] * w;
      x(s0, s1, k) = value;
      below = value;
    }
  }
};

/// Number of systems solved at a time, one per thread: enough to fill the largest device. On a host each is a task.
inline std::int64_t thomas_lanes(SystemShape const& shape, bool on_host) {
  constexpr std::int64_t device_lanes = std::int64_t(1) << 17;
  constexpr std::int64_t host_lanes = 64;
  return std::max<std::int64_t>(1, std::min(shape.systems(), on_host ? host_lanes : device_lanes));
}

/// Values of workspace for solve_thomas.
inline std::int64_t thomas_workspace(SystemShape const& shape, bool on_host) {
  return thomas_lanes(shape, on_host) * shape.rows * (cyclic(shape) ? 2 : 1);
}

/// Thomas, one thread per system. If `interleaved`, rows of neighbouring threads are adjacent; otherwise each thread's
/// rows are contiguous. rhs may be x.
template <class Exec, class T, class Rows>
void solve_thomas(Exec const& space, Rows const& rows, StridedSystems<T const> const& rhs, StridedSystems<T> const& x,
                  SystemShape const& shape, T* workspace, bool on_host, bool interleaved) {
  std::int64_t const lanes = thomas_lanes(shape, on_host);
  std::int64_t const row_stride = interleaved ? lanes : 1;
  std::int64_t const lane_stride = interleaved ? 1 : shape.rows * (cyclic(shape) ? 2 : 1);
  if (shape.systems() == 0) return;
  Kokkos::parallel_for("karman::tridiagonal::thomas",
                       Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::int64_t>>(space, 0, lanes),
                       ThomasKernel<T, Rows>{rows, rhs, x, shape, workspace, lanes, row_stride, lane_stride});
}

}  // namespace karman::detail
