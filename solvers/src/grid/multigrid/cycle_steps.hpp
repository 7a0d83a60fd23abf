// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A cycle as a list of steps, and the kernel that executes them on the small grids.
#pragma once

#include "base/lanes.hpp"
#include "lines.hpp"
#include "seams.hpp"
#include "transfer.hpp"
#include <karman/core/backend.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace karman::detail {

/// One step of a cycle.
struct MultigridCycleStep {
  enum class Kind {
    clear,              ///< x <- 0
    wrap,               ///< fill the ghosts of the periodic axes, `colour` names the axis
    relax,              ///< one colour, from the values of x
    relax_all_zero,     ///< one colour, x zero everywhere but not written
    relax_other_given,  ///< one colour, x zero in this colour but not written
    lines,              ///< the columns of one zebra colour
    relax_on_seam,      ///< one colour, the cells on the last planes of exactly the odd periodic axes in `seam`
    lines_on_seam,      ///< the columns of one zebra colour on those planes
    average,            ///< residual, averaged to the next grid
    gather,             ///< residual, by the adjoint of prolongation to the next grid
    prolong,            ///< adds the correction of the next grid
    solve,              ///< the coarsest grid, exactly
    aggregates,         ///< correction by the levels of aggregates; never on small grids
    exchange,           ///< ghosts of x beyond the faces between processes; `colour` 0 or 1 of the whole grid, 2: both
    add_flows,          ///< residuals of neighbouring processes, after `gather`
    gather_parts,       ///< right-hand side of the group to the next grid, which is joined
    take_part           ///< x of the next grid, which is joined, in the own cells and beyond the faces
  };
  Kind kind;
  int level;
  int color;
  unsigned seam = 0;  ///< bit 0: x
};

/// Executes steps on small grids by one team, without return to the host.
template <class Exec, class T>
class MultigridSmallGrids {
 public:
  using Member = typename Kokkos::TeamPolicy<Exec>::member_type;

  MultigridGrid<T> const* grids;
  MultigridCycleStep const* steps;
  int begin, end;
  T omega;
  T const* inverse;  ///< of the coarsest grid, one row per cell in natural order

  void run(Exec const& space) const {
    Kokkos::parallel_for("karman::multigrid::small_grids",
                         Kokkos::TeamPolicy<Exec>(space, 1, runs_on_host<Exec> ? 1 : threads_on_device, 1), *this);
  }

  KOKKOS_FUNCTION void operator()(Member const& member) const {
    for (int n = begin; n < end; ++n) {
      run_step(member, steps[n]);
      member.team_barrier();
    }
  }

 private:
  static constexpr int threads_on_device = 512;

  template <class Body>
  KOKKOS_FUNCTION void for_each_cell(Member const& member, SplitLayout const& layout, Body const& body) const {
    if constexpr (runs_on_host<Exec>) {
      for (int k = 0; k < layout.nz; ++k) {
        for (int j = 0; j < layout.ny; ++j) {
          for (int i = 0; i < layout.nx; ++i) body(k, j, i);
        }
      }
    } else {
      Kokkos::parallel_for(Kokkos::TeamVectorRange(member, layout.nx * layout.ny * layout.nz),
                           [&](int n) { body(n / (layout.nx * layout.ny), n / layout.nx % layout.ny, n % layout.nx); });
    }
  }

  template <class Body>
  KOKKOS_FUNCTION void for_each(Member const& member, int count, Body const& body) const {
    if constexpr (runs_on_host<Exec>) {
      for (int n = 0; n < count; ++n) body(n);
    } else {
      Kokkos::parallel_for(Kokkos::TeamVectorRange(member, count), body);
    }
  }

  KOKKOS_FUNCTION void relax(Member const& member, MultigridGrid<T> const& g, MultigridCycleStep const& step) const {
    bool const self_given = step.kind == MultigridCycleStep::Kind::relax;
    bool const other_given = step.kind != MultigridCycleStep::Kind::relax_all_zero;
    SplitLayout const& layout = g.layout;
    int const color = step.color;
    if constexpr (runs_on_host<Exec>) {
      for (int k = 0; k < g.swept[2]; ++k) {
        for (int j = 0; j < g.swept[1]; ++j) {
          int const count = g.swept_count(SplitLayout::shift(k, j, color));
          for (int h = 0; h < count; ++h) relax_at(g, omega, color, k, j, h, self_given, other_given);
        }
      }
    } else {
      Kokkos::parallel_for(Kokkos::TeamVectorRange(member, layout.half * layout.ny * layout.nz), [&](int n) {
        int const h = n % layout.half;
        int const j = n / layout.half % layout.ny;
        int const k = n / (layout.half * layout.ny);
        bool const sweeps = k < g.swept[2] && j < g.swept[1] && h < g.swept_count(SplitLayout::shift(k, j, color));
        if (sweeps) relax_at(g, omega, color, k, j, h, self_given, other_given);
      });
    }
  }

  KOKKOS_FUNCTION void lines(Member const& member, MultigridGrid<T> const& g, int color) const {
    MultigridColumns<T> const columns{g, color};
    int const half = g.layout.half;
    auto const solve_column = [&](int n) {
      if (columns.sweeps(n / half, n % half)) columns.solve(n / half, n % half);
    };
    for_each(member, g.layout.ny * half, solve_column);
  }

  KOKKOS_FUNCTION void seam(Member const& member, MultigridGrid<T> const& g, MultigridCycleStep const& step) const {
    MultigridSeam<T> const seam{g, omega, step.color, step.seam};
    bool const whole_columns = step.kind == MultigridCycleStep::Kind::lines_on_seam;
    int const fast = seam.fast_extent();
    for_each(member, seam.slow_extent(whole_columns) * fast, [&](int n) {
      if (whole_columns) {
        seam.solve_column(n);
      } else {
        seam.relax(n / fast, n % fast);
      }
    });
  }

  KOKKOS_FUNCTION void wrap(Member const& member, MultigridGrid<T> const& g, int axis) const {
    int const fast = g.extent(axis == 0 ? 1 : 0);
    int const cells = fast * g.extent(axis == 2 ? 1 : 2);
    for_each(member, cells, [&](int n) { wrap_cell(g, axis, n / fast, n % fast); });
  }

  KOKKOS_FUNCTION void gather(Member const& member, MultigridGrid<T> const& fine,
                              MultigridGrid<T> const& coarse) const {
    for_each_cell(member, fine.layout, [&](int k, int j, int i) {
      int const color = color_of(k, j, i);
      fine.work[color][fine.layout.inner(k, j, i >> 1)] = residual_at(fine, color, k, j, i >> 1);
    });
    member.team_barrier();
    for_each_cell(member, coarse.layout, [&](int k, int j, int i) {
      coarse.rhs[color_of(k, j, i)][coarse.layout.inner(k, j, i >> 1)] = gathered(fine, coarse, k, j, i);
    });
  }

  KOKKOS_FUNCTION void solve(Member const& member, MultigridGrid<T> const& g) const {
    SplitLayout const& layout = g.layout;
    int const cells = layout.nx * layout.ny * layout.nz;
    for_each_cell(member, layout, [&](int k, int j, int i) {
      T const* const row = inverse + std::int64_t((k * layout.ny + j) * layout.nx + i) * cells;
      T sum = 0;
      int m = 0;
      for (int kk = 0; kk < layout.nz; ++kk) {
        for (int jj = 0; jj < layout.ny; ++jj) {
          for (int ii = 0; ii < layout.nx; ++ii, ++m) {
            sum += row[m] * g.rhs[color_of(kk, jj, ii)][layout.inner(kk, jj, ii >> 1)];
          }
        }
      }
      g.x[color_of(k, j, i)][layout.ghosted(k, j, i >> 1)] = sum;
    });
  }

  KOKKOS_FUNCTION void run_step(Member const& member, MultigridCycleStep const& step) const {
    MultigridGrid<T> const& g = grids[step.level];
    switch (step.kind) {
      case MultigridCycleStep::Kind::clear:
        for_each_cell(member, g.layout,
                      [&](int k, int j, int i) { g.x[color_of(k, j, i)][g.layout.ghosted(k, j, i >> 1)] = T(0); });
        break;
      case MultigridCycleStep::Kind::wrap: wrap(member, g, step.color); break;
      case MultigridCycleStep::Kind::relax:
      case MultigridCycleStep::Kind::relax_all_zero:
      case MultigridCycleStep::Kind::relax_other_given: relax(member, g, step); break;
      case MultigridCycleStep::Kind::lines: lines(member, g, step.color); break;
      case MultigridCycleStep::Kind::relax_on_seam:
      case MultigridCycleStep::Kind::lines_on_seam: seam(member, g, step); break;
      case MultigridCycleStep::Kind::average: {
        MultigridGrid<T> const& coarse = grids[step.level + 1];
        for_each_cell(member, coarse.layout, [&](int k, int j, int i) {
          coarse.rhs[color_of(k, j, i)][coarse.layout.inner(k, j, i >> 1)] =
              averaged(g, k, j, i, [&](int color, int kk, int jj, int h) { return residual_at(g, color, kk, jj, h); });
        });
        break;
      }
      case MultigridCycleStep::Kind::gather: gather(member, g, grids[step.level + 1]); break;
      case MultigridCycleStep::Kind::prolong: {
        MultigridGrid<T> const& coarse = grids[step.level + 1];
        for_each_cell(member, g.layout, [&](int k, int j, int i) {
          g.x[color_of(k, j, i)][g.layout.ghosted(k, j, i >> 1)] += prolonged(g, coarse, k, j, i);
        });
        break;
      }
      case MultigridCycleStep::Kind::solve: solve(member, g); break;
      case MultigridCycleStep::Kind::aggregates:
      case MultigridCycleStep::Kind::exchange:
      case MultigridCycleStep::Kind::add_flows:
      case MultigridCycleStep::Kind::gather_parts:
      case MultigridCycleStep::Kind::take_part: break;  // never on small grids
    }
  }
};

}  // namespace karman::detail
