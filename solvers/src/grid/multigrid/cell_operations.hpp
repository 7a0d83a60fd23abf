// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Operations on the cells of a grid, for MultigridCellLoop.
#pragma once

#include "cell_loop.hpp"
#include <karman/core/compat.hpp>

#include <Kokkos_Core.hpp>

#include <type_traits>

namespace karman::detail {

/// State of x before a sweep over one colour.
enum class MultigridGuess {
  given,       ///< both colours have values
  all_zero,    ///< x is zero everywhere and has not been written
  other_given  ///< the own colour is zero and not written, the other has values
};

/// x <- x + omega gain residual; a cell that keeps its value gets zero, because x is a correction.
template <class T, MultigridGuess guess>
struct MultigridRelax {
  static constexpr bool reads_self = guess == MultigridGuess::given;
  static constexpr bool reads_other = guess != MultigridGuess::all_zero;
  static constexpr bool reads_rhs = true;
  static constexpr bool sweeps = true;
  static constexpr MultigridJoin join = MultigridJoin::none;
  T omega;

  template <int N>
  KOKKOS_FORCEINLINE_FUNCTION Pack<T, 1> operator()(MultigridGrid<T> const& g, MultigridCells<T, N> const& c) const {
    Pack<T, N> updated;
    for (int n = 0; n < N; ++n) {
      T const moved = c.self[n] + omega * c.gain[n] * c.residual[n];
      updated[n] = c.gain[n] == T(0) ? T(0) : moved;
    }
    store_some<N>(g.x[c.color] + c.index, updated, c.count);
    return {};
  }
};

/// work <- residual.
template <class T>
struct MultigridStoreResidual {
  static constexpr bool reads_self = true, reads_other = true, reads_rhs = true;
  static constexpr MultigridJoin join = MultigridJoin::none;

  template <int N>
  KOKKOS_FORCEINLINE_FUNCTION Pack<T, 1> operator()(MultigridGrid<T> const& g, MultigridCells<T, N> const& c) const {
    store_pack<N>(g.work[c.color] + c.inner, c.residual);
    return {};
  }
};

/// max |residual|, which also replaces the right-hand side where `stores`.
template <class T, bool stores>
struct MultigridMeasureResidual {
  static constexpr bool reads_self = true, reads_other = true, reads_rhs = true;
  static constexpr MultigridJoin join = MultigridJoin::maximum;

  template <int N>
  KOKKOS_FORCEINLINE_FUNCTION Pack<T, N> operator()(MultigridGrid<T> const& g, MultigridCells<T, N> const& c) const {
    Pack<T, N> size;
    for (int n = 0; n < N; ++n) size[n] = compat::math::fabs(c.residual[n]);
    if constexpr (stores) store_pack<N>(g.rhs[c.color] + c.inner, c.residual);
    return size;
  }
};

/// max |rhs| over the cells that have an equation. Where `stores`, the right-hand side of the others becomes zero: the
/// residual of x = 0. It also goes to `target`, where that is given.
template <class T, bool stores, class S = T>
struct MultigridMeasureRightHandSide {
  static constexpr bool reads_self = false, reads_other = false, reads_rhs = true;
  static constexpr MultigridJoin join = MultigridJoin::maximum;
  S* target[2] = {nullptr, nullptr};

  template <int N>
  KOKKOS_FORCEINLINE_FUNCTION Pack<T, N> operator()(MultigridGrid<T> const& g, MultigridCells<T, N> const& c) const {
    Pack<T, N> size;
    Pack<S, N> s;
    for (int n = 0; n < N; ++n) {
      size[n] = compat::math::fabs(c.residual[n]);
      s[n] = static_cast<S>(c.residual[n]);
    }
    if constexpr (stores) store_pack<N>(g.rhs[c.color] + c.inner, c.residual);
    if constexpr (!std::is_same_v<T, S>) store_pack<N>(target[c.color] + c.inner, s);
    return size;
  }
};

/// The sum of volume * x * A x.
template <class T>
struct MultigridEnergy {
  static constexpr bool reads_self = true, reads_other = true, reads_rhs = false;
  static constexpr MultigridJoin join = MultigridJoin::sum;

  template <int N>
  KOKKOS_FORCEINLINE_FUNCTION Pack<double, N> operator()(MultigridGrid<T> const& g,
                                                         MultigridCells<T, N> const& c) const {
    Pack<double, N> energy;
    T const volume = g.width[2][c.k];
    // The product may be too small for T.
    for (int n = 0; n < N; ++n)
      energy[n] = -static_cast<double>(volume * c.self[n]) * static_cast<double>(c.residual[n]);
    return energy;
  }
};

/// A step of the solution along p, the direction: solution <- solution + alpha p,  residual <- residual - alpha A p,
/// and max |residual|. length() gives alpha. Where the cycles have another precision, the new residual times `scale`
/// also goes to their right-hand side; with `rounded` it comes from there and goes nowhere else.
template <class T, class S, class Length, bool rounded>
struct MultigridStep {
  static constexpr bool reads_self = true, reads_other = true, reads_rhs = false;
  static constexpr MultigridJoin join = MultigridJoin::maximum;
  S const* x[2];  ///< p, in place of x of the grid
  T* solution[2];
  bool from_zero;  ///< the solution is zero, but not written
  T const* residual[2];
  T* new_residual[2];
  S const* scaled[2];
  S* new_scaled[2];
  Length length;
  T scale;
  T alpha = 0;

  KOKKOS_FUNCTION void prepare() { alpha = static_cast<T>(length()); }

  template <int N>
  KOKKOS_FORCEINLINE_FUNCTION Pack<T, N> operator()(MultigridGrid<T> const&, MultigridCells<T, N> const& c) const {
    Pack<T, N> u{}, r, size;
    if (!from_zero) u = load_pack<N>(solution[c.color] + c.index);
    Pack<S, N> s{};
    if constexpr (rounded) {
      s = load_pack<N>(scaled[c.color] + c.inner);
      T const unscale = T(1) / scale;  // a power of two
      for (int n = 0; n < N; ++n) r[n] = static_cast<T>(s[n]) * unscale;
    } else {
      r = load_pack<N>(residual[c.color] + c.inner);
    }
    for (int n = 0; n < N; ++n) {
      u[n] += alpha * c.self[n];
      r[n] += alpha * c.residual[n];
      size[n] = compat::math::fabs(r[n]);
      s[n] = static_cast<S>(r[n] * scale);
    }
    store_some<N>(solution[c.color] + c.index, u, c.count);
    if constexpr (!rounded) store_pack<N>(new_residual[c.color] + c.inner, r);
    if constexpr (!std::is_same_v<T, S>) store_pack<N>(new_scaled[c.color] + c.inner, s);
    return size;
  }
};

}  // namespace karman::detail
