// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The vectors of conjugate gradients around multigrid cycles, in the two-colour arrays of the finest grid.
#pragma once

#include "cell_loop.hpp"
#include "common/team_results.hpp"
#include <karman/core/backend.hpp>
#include <karman/core/compat.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace karman::detail {

/// Numbers of a solve in the memory of its kernels.
struct MultigridNumbers {
  enum Index {
    rho,      ///< <r, z> of even iterations
    rho_odd,  ///< of odd ones
    change,   ///< <r - r_old, z>
    energy,   ///< <p, A p>
    largest,  ///< max |residual|
    sum,      ///< of the residual or of the solution
    count
  };
};

/// a / b, or 0 where both are rounding alone: after an exact cycle, or where a direction of a singular problem has no
/// energy. No useful cycle needs steps of this size.
KOKKOS_INLINE_FUNCTION double quotient_or_zero(double a, double b) {
  constexpr double most = 1e6;
  double const quotient = b == 0 ? 0 : a / b;
  return quotient <= most && quotient >= -most ? quotient : 0;
}

/// alpha = <r, z> / <p, A p>, divided by the scale of the preconditioned residual. Without conjugate gradients: the
/// inverse scale alone.
struct MultigridStepLength {
  double const* numbers;
  int rho;
  double inverse_scale;
  bool whole_step;

  KOKKOS_INLINE_FUNCTION double operator()() const {
    if (whole_step) return inverse_scale;
    return quotient_or_zero(numbers[rho], numbers[MultigridNumbers::energy]) * inverse_scale;
  }
};

/// p <- z + beta p, beta = <r - r_old, z> / <r_old, z_old>; or z alone. Also z alone after a nearly exact cycle. The
/// remaining error then lies along p itself, because the last step was as exact as S, and p must not avoid it.
/// A direction needs the precision of the cycles alone: the step along it is the same for solution and residual.
template <class S>
struct MultigridDirection {
  static constexpr bool reads_self = true, reads_other = false, reads_rhs = false;
  static constexpr MultigridJoin join = MultigridJoin::none;
  S const* z[2];
  double const* numbers;
  int rho, rho_old;
  bool restarts;
  S beta = 0;

  KOKKOS_FUNCTION void prepare() {
    constexpr double nearly_exact = 1e-6;
    bool const alone =
        restarts || compat::math::fabs(numbers[rho]) <= nearly_exact * compat::math::fabs(numbers[rho_old]);
    beta = alone ? S(0) : static_cast<S>(quotient_or_zero(numbers[MultigridNumbers::change], numbers[rho_old]));
  }

  template <int N>
  KOKKOS_FORCEINLINE_FUNCTION Pack<S, 1> operator()(MultigridGrid<S> const& g, MultigridCells<S, N> const& c) const {
    Pack<S, N> const add = load_pack<N>(z[c.color] + c.index);
    Pack<S, N> p;
    // A product with zero would keep NaN.
    for (int n = 0; n < N; ++n) p[n] = add[n] + (beta == S(0) ? S(0) : beta * c.self[n]);
    store_some<N>(g.x[c.color] + c.index, p, c.count);
    return {};
  }
};

/// The sum of volume * value over the cells with an equation; value is x or the right-hand side.
template <class T, bool of_x>
struct MultigridSum {
  static constexpr bool reads_self = of_x, reads_other = false, reads_rhs = !of_x;
  static constexpr MultigridJoin join = MultigridJoin::sum;
  T const* rhs[2];

  template <int N>
  KOKKOS_FORCEINLINE_FUNCTION Pack<double, N> operator()(MultigridGrid<T> const& g,
                                                         MultigridCells<T, N> const& c) const {
    Pack<double, N> sum;
    double const volume = static_cast<double>(g.width[2][c.k]);
    Pack<T, N> values = c.self;
    if constexpr (!of_x) values = load_pack<N>(rhs[c.color] + c.inner);
    for (int n = 0; n < N; ++n) sum[n] = c.gain[n] == T(0) ? 0.0 : volume * static_cast<double>(values[n]);
    return sum;
  }
};

/// Subtracts a number from x or from the right-hand side in the cells with an equation: the quotient of the sum of
/// MultigridSum and the whole volume.
template <class T, bool of_x>
struct MultigridTakeMean {
  static constexpr bool reads_self = of_x, reads_other = false, reads_rhs = false;
  static constexpr MultigridJoin join = MultigridJoin::none;
  double const* numbers;
  double volume;
  T mean = 0;

  KOKKOS_FUNCTION void prepare() { mean = static_cast<T>(numbers[MultigridNumbers::sum] / volume); }

  template <int N>
  KOKKOS_FORCEINLINE_FUNCTION Pack<T, 1> operator()(MultigridGrid<T> const& g, MultigridCells<T, N> const& c) const {
    Pack<T, N> values = c.self;
    if constexpr (!of_x) values = load_pack<N>(g.rhs[c.color] + c.inner);
    for (int n = 0; n < N; ++n) values[n] -= c.gain[n] == T(0) ? T(0) : mean;
    if constexpr (of_x) {
      store_some<N>(g.x[c.color] + c.index, values, c.count);
    } else {
      store_pack<N>(g.rhs[c.color] + c.inner, values);
    }
    return {};
  }
};

/// Volume of the cells with an equation.
template <class T>
struct MultigridVolume {
  static constexpr bool reads_self = false, reads_other = false, reads_rhs = false;
  static constexpr MultigridJoin join = MultigridJoin::sum;

  template <int N>
  KOKKOS_FORCEINLINE_FUNCTION Pack<double, N> operator()(MultigridGrid<T> const& g,
                                                         MultigridCells<T, N> const& c) const {
    Pack<double, N> sum;
    for (int n = 0; n < N; ++n) sum[n] = c.gain[n] == T(0) ? 0.0 : static_cast<double>(g.width[2][c.k]);
    return sum;
  }
};

/// rhs <- scale * residual in another precision, divided by the number `largest` where that is given.
template <class T, class S>
struct MultigridHandOver {
  static constexpr bool reads_self = false, reads_other = false, reads_rhs = false;
  static constexpr MultigridJoin join = MultigridJoin::none;
  S* target[2];
  double scale;
  double const* largest;

  KOKKOS_FUNCTION void prepare() {
    if (largest != nullptr && *largest > 0) scale /= *largest;
  }

  template <int N>
  KOKKOS_FORCEINLINE_FUNCTION Pack<T, 1> operator()(MultigridGrid<T> const& g, MultigridCells<T, N> const& c) const {
    Pack<T, N> const r = load_pack<N>(g.rhs[c.color] + c.inner);
    Pack<S, N> s;
    for (int n = 0; n < N; ++n) s[n] = static_cast<S>(static_cast<double>(r[n]) * scale);
    store_pack<N>(target[c.color] + c.inner, s);
    return {};
  }
};

/// <r, z> and <r - r_old, z>, weighted with the volumes, both colours in one pass.
template <class Exec, class S>
class MultigridProducts {
 public:
  using Member = typename Kokkos::TeamPolicy<Exec>::member_type;
  MultigridGrid<S> grid;
  S const* old_rhs[2];
  TeamResults<2> result;

  static int teams(SplitLayout const& layout) { return (layout.ny * layout.nz + rows_a_team - 1) / rows_a_team; }

  void run(Exec const& space) const {
    Kokkos::parallel_for(
        "karman::multigrid::products",
        light_weight(Kokkos::TeamPolicy<Exec>(space, teams(grid.layout), runs_on_host<Exec> ? 1 : threads, 1)), *this);
  }

  KOKKOS_FUNCTION void operator()(Member const& member) const {
    SplitLayout const& layout = grid.layout;
    int const begin = member.league_rank() * rows_a_team;
    int const end = begin + rows_a_team < layout.ny * layout.nz ? begin + rows_a_team : layout.ny * layout.nz;
    double found[2] = {0, 0};
    if constexpr (runs_on_host<Exec>) {
      for (int row = begin; row < end; ++row) {
        for (int color = 0; color < 2; ++color) host_row(row / layout.ny, row % layout.ny, color, found);
      }
    } else {
      int const packs = layout.inner_pitch / width;
      for (int n = member.team_rank(); n < 2 * (end - begin) * packs; n += member.team_size()) {
        int const row = begin + n / (2 * packs);
        device_pack(row / layout.ny, row % layout.ny, n / packs % 2, n % packs * width, found);
      }
    }
    reduce_across_teams<Exec>(member, result, found);
  }

 private:
  static constexpr int rows_a_team = 16;
  static constexpr int threads = 128;

  static constexpr int width = sor_width<S>;

  /// Some adjacent cells of a row; padding of right-hand sides may hold anything.
  KOKKOS_FUNCTION void device_pack(int k, int j, int color, int h, double (&found)[2]) const {
    SplitLayout const& layout = grid.layout;
    int const count = layout.count(SplitLayout::shift(k, j, color)) - h;
    std::int64_t const inner = layout.inner(k, j, h);
    auto const r = load_pack<width>(grid.rhs[color] + inner);
    auto const old = load_pack<width>(old_rhs[color] + inner);
    auto const z = load_pack<width>(grid.x[color] + layout.ghosted(k, j, h));
    double const volume = static_cast<double>(grid.width[2][k]);
    for (int n = 0; n < width; ++n) {
      if (n >= count) continue;
      double const weighted = volume * static_cast<double>(z[n]);
      found[0] += static_cast<double>(r[n]) * weighted;
      found[1] += static_cast<double>(r[n] - old[n]) * weighted;
    }
  }

  KOKKOS_FUNCTION void host_row(int k, int j, int color, double (&found)[2]) const {
    constexpr int lanes = 8;
    SplitLayout const& layout = grid.layout;
    int const count = layout.count(SplitLayout::shift(k, j, color));
    S const* const r = grid.rhs[color] + layout.inner(k, j, 0);
    S const* const old = old_rhs[color] + layout.inner(k, j, 0);
    S const* const z = grid.x[color] + layout.ghosted(k, j, 0);
    double with_r[lanes] = {};
    double with_change[lanes] = {};
    int h = 0;
    for (; h + lanes <= count; h += lanes) {
      KARMAN_SIMD
      for (int n = 0; n < lanes; ++n) {
        with_r[n] += static_cast<double>(r[h + n]) * static_cast<double>(z[h + n]);
        with_change[n] += static_cast<double>(r[h + n] - old[h + n]) * static_cast<double>(z[h + n]);
      }
    }
    for (; h < count; ++h) {
      with_r[0] += static_cast<double>(r[h]) * static_cast<double>(z[h]);
      with_change[0] += static_cast<double>(r[h] - old[h]) * static_cast<double>(z[h]);
    }
    double const volume = static_cast<double>(grid.width[2][k]);
    for (int n = 0; n < lanes; ++n) {
      found[0] += volume * with_r[n];
      found[1] += volume * with_change[n];
    }
  }
};

}  // namespace karman::detail
