// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The grids of a multigrid plan and a cycle over them.
#pragma once

#include "aggregate_levels.hpp"
#include "cell_operations.hpp"
#include "coarsest.hpp"
#include "cycle_steps.hpp"
#include "seams.hpp"
#include "storage.hpp"
#include "transfer_kernels.hpp"
#include "walls.hpp"
#include <karman/core/backend.hpp>
#include <karman/core/compat.hpp>
#include <karman/core/host_copy.hpp>
#include <karman/solvers/grid/multigrid.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace karman::detail {

/// Properties of a problem that determine its hierarchy; axes in the order of the layout.
struct MultigridProblem {
  SplitLayout layout;
  MultigridAxes axes;
  /// Mean face coefficient along each axis.
  std::array<double, 3> scale = {1, 1, 1};
  /// The coefficient of an open face on each side: 2 or 1.
  std::array<double, 6> side_value = {1, 1, 1, 1, 1, 1};
  MultigridWalls walls = MultigridWalls::none;
  bool any_excess = false;
  MultigridCycle cycle = MultigridCycle::v;
  bool lines = false;
  bool aggregates = false;  ///< one grid, and levels of aggregates below it
  bool symmetric = false;
  int pre = 2, post = 2;
  double omega = 1;
};

/// Memory of the levels of aggregates, per cell of the grid above them: measured, see workspace_bytes_grid_test.cpp.
template <class T>
inline constexpr std::int64_t aggregate_bytes = sizeof(T) == 4 ? 70 : 100;

/// The six coefficients of every cell of a grid and the excess of its own weight.
template <class Exec, class T>
struct MultigridWriteStencils {
  MultigridGrid<T> g;
  Kokkos::View<double* [7], Kokkos::LayoutRight, typename Exec::memory_space> out;

  KOKKOS_FUNCTION void operator()(int n) const {
    int const i = n % g.layout.nx;
    int const j = n / g.layout.nx % g.layout.ny;
    int const k = n / g.layout.nx / g.layout.ny;
    auto const a = stencil_of(g, color_of(k, j, i), k, j, i >> 1);
    T const more = excess_of(a);
    double const values[7] = {a.east, a.west, a.north, a.south, a.up, a.down, more};
    for (int m = 0; m < 7; ++m) out(n, m) = values[m];
  }
};

template <class Exec, class T>
class MultigridHierarchy {
 public:
  /// `finest` has codes, faces and excess; the constructor sets the rest. Fences.
  MultigridHierarchy(Exec const& space, MultigridProblem const& problem, MultigridGrid<T> const& finest,
                     MultigridPurpose purpose)
      : problem_(problem), storage_(purpose) {
    std::int64_t const cells = cells_of(problem.layout);
    problem_.aggregates = problem.aggregates && cells > coarsest_cells && cells <= most_cells_to_aggregate;
    make_grids(space, finest);
    set_small_grids(space);
    if (storage_.counts()) {
      count_coarsest();
    } else {
      take_coarsest(space, read_coarsest(space));
    }
    visit(0, problem_.cycle, true);
    device_steps_ = storage_.template upload<MultigridCycleStep>(space, steps_, "karman::multigrid::steps");
  }

  /// Approximates x = A^-1 b on the finest grid, with its right-hand side number `side` (0 or 1). Asynchronous.
  void cycle(Exec const& space, int side) const {
    auto const count = static_cast<int>(steps_.size());
    int n = 0;
    while (n < count) {
      if (step(n).level < small_) {
        run_step(space, side, step(n));
        ++n;
        continue;
      }
      int const begin = n;
      while (n < count && step(n).level >= small_) ++n;
      MultigridSmallGrids<Exec, T>{device_grids_[side], device_steps_, begin, n, omega(), inverse_}.run(space);
    }
  }

  /// The finest grid with its right-hand side number `side`. There are two, so that a caller may keep the last one.
  MultigridGrid<T> const& finest(int side) const { return finest_[side]; }
  std::vector<std::array<int, 3>> const& extents() const { return extents_; }
  std::int64_t bytes() const { return storage_.bytes(); }
  bool has_aggregates() const { return problem_.aggregates; }

 private:
  /// Cells of the largest grid that one team works on. Below, the launch of a kernel costs more than a sweep.
  static constexpr std::int64_t small_cells = 4096;
  /// Largest number of cells of the coarsest grid, which a dense matrix solves.
  static constexpr std::int64_t coarsest_cells = 64;
  /// Limit that keeps indices into arrays with padding within an int.
  static constexpr std::int64_t most_cells_to_aggregate = std::int64_t(1) << 27;
  static constexpr bool averages_on_the_fly = !runs_on_host<Exec>;

  T omega() const { return static_cast<T>(problem_.omega); }
  MultigridCycleStep const& step(int n) const { return steps_[static_cast<std::size_t>(n)]; }
  MultigridGrid<T> const& grid(int level, int side) const {
    return level == 0 ? finest_[side] : grids_[static_cast<std::size_t>(level)];
  }

  static std::int64_t cells_of(SplitLayout const& layout) { return std::int64_t(layout.nx) * layout.ny * layout.nz; }

  void make_grids(Exec const& space, MultigridGrid<T> const& finest) {
    MultigridAxes axes = problem_.axes;
    MultigridGrid<T> g = finest;
    g.layout = problem_.layout;
    g.walls = problem_.walls;
    set_tables(space, axes, g.walls != MultigridWalls::none, storage_, g);
    allocate_vectors(space, g);
    while (g.cells() > coarsest_cells && !problem_.aggregates) {
      auto const join = axes_to_join(axes, problem_.scale, problem_.lines);
      MultigridAxes coarse_axes = axes;
      for (std::size_t a = 0; a < 3; ++a) {
        if (join[a]) coarse_axes[a] = coarsened(axes[a]);
        g.coarsened[a] = join[a];
        g.share[a] =
            storage_.template upload<T>(space, shares(axes[a], coarse_axes[a], join[a]), "karman::multigrid::tables");
        g.pull[a] =
            storage_.template upload<T>(space, pulls(axes[a], coarse_axes[a], join[a]), "karman::multigrid::tables");
      }
      MultigridGrid<T> coarse;
      coarse.layout = SplitLayout(coarse_axes[0].cells(), coarse_axes[1].cells(), coarse_axes[2].cells(),
                                  problem_.layout.ghost_rows == 0);
      set_tables(space, coarse_axes, false, storage_, coarse);
      allocate_vectors(space, coarse);
      if (g.walls != MultigridWalls::none) inherit_walls(space, g, coarse);
      grids_.push_back(g);
      g = coarse;
      axes = coarse_axes;
    }
    grids_.push_back(g);
    for (auto const& each : grids_) extents_.push_back({each.layout.nx, each.layout.ny, each.layout.nz});
    finest_[0] = finest_[1] = grids_.front();
    for (int color = 0; color < 2; ++color) {
      finest_[1].rhs[color] =
          storage_.template allocate<T>(space, g_front().layout.inner_size(), "karman::multigrid::rhs");
    }
    coarsest_axes_ = axes;
  }

  MultigridGrid<T> const& g_front() const { return grids_.front(); }

  void allocate_vectors(Exec const& space, MultigridGrid<T>& g) {
    for (int color = 0; color < 2; ++color) {
      g.x[color] = storage_.template allocate<T>(space, g.layout.ghosted_size(), "karman::multigrid::x");
      g.rhs[color] = storage_.template allocate<T>(space, g.layout.inner_size(), "karman::multigrid::rhs");
      if (!averages_on_the_fly || problem_.symmetric || problem_.lines || problem_.aggregates) {
        g.work[color] = storage_.template allocate<T>(space, g.layout.inner_size(), "karman::multigrid::work");
      }
    }
  }

  void take_coarsest(Exec const& space, MultigridCoarsest const& coarsest) {
    if (problem_.aggregates) {
      make_aggregates(space, coarsest);
    } else {
      inverse_ = storage_.template upload<T>(space, inverse_of(coarsest), "karman::multigrid::inverse");
    }
  }

  /// Adds the memory of take_coarsest(): a dense matrix, or the levels of aggregates. The latter is an estimate from
  /// measurements, because their sizes depend on the walls.
  void count_coarsest() {
    std::int64_t const cells = cells_of(grids_.back().layout);
    storage_.add_bytes(problem_.aggregates ? cells * aggregate_bytes<T>
                                           : cells * cells * static_cast<std::int64_t>(sizeof(T)));
  }

  void inherit_walls(Exec const& space, MultigridGrid<T> const& fine, MultigridGrid<T>& coarse) {
    std::int64_t const size = coarse.layout.inner_size();
    Kokkos::Array<T*, 12> face{};
    Kokkos::Array<T*, 2> excess{};
    Kokkos::Array<std::uint64_t*, 2> reach{};
    coarse.walls = MultigridWalls::arrays;
    for (int color = 0; color < 2; ++color) {
      for (int f = 0; f < 6; ++f) {
        face[6 * color + f] = storage_.template allocate<T>(space, size, "karman::multigrid::face");
        coarse.face[color][f] = face[6 * color + f];
      }
      if (problem_.any_excess) {
        excess[color] = storage_.template allocate<T>(space, size, "karman::multigrid::excess");
        coarse.excess[color] = excess[color];
      }
      reach[color] = storage_.template allocate<std::uint64_t>(space, size, "karman::multigrid::reach");
      coarse.reach[color] = reach[color];
    }
    if (storage_.counts()) return;
    MultigridOpenness<T> openness{fine, {}};
    for (int f = 0; f < 6; ++f) {
      openness.side_value[f] = grids_.empty() ? static_cast<T>(problem_.side_value[static_cast<std::size_t>(f)]) : T(1);
    }
    coarsen_walls(space, openness, coarse, face, excess, reach, problem_.walls == MultigridWalls::arrays);
    compat::fence(space, "karman::multigrid::coarsen_walls");
  }

  void set_small_grids(Exec const& space) {
    small_ = 0;
    if (problem_.aggregates) small_ = 1;  // A team cannot do the work below the grid.
    while (!problem_.aggregates && grids_[static_cast<std::size_t>(small_)].cells() > small_cells) ++small_;
    for (int side = 0; side < 2; ++side) {
      grids_.front() = finest_[side];
      device_grids_[side] = storage_.template upload<MultigridGrid<T>>(space, grids_, "karman::multigrid::grids");
    }
  }

  MultigridCoarsest read_coarsest(Exec const& space) const {
    MultigridGrid<T> const g = grids_.back();
    Kokkos::View<double* [7], Kokkos::LayoutRight, typename Exec::memory_space> const stencils(
        Kokkos::view_alloc(space, "karman::multigrid::stencils"), static_cast<std::size_t>(g.cells()));
    Kokkos::parallel_for("karman::multigrid::stencils",
                         Kokkos::RangePolicy<Exec>(space, 0, static_cast<int>(g.cells())),
                         MultigridWriteStencils<Exec, T>{g, stencils});
    auto const host = host_copy<std::array<double, 7>>(space, stencils);
    MultigridCoarsest result;
    for (std::size_t a = 0; a < 3; ++a) {
      result.extents[a] = coarsest_axes_[a].cells();
      result.periodic[a] = g.periodic[a];
    }
    for (int n = 0; n < static_cast<int>(g.cells()); ++n) {
      int const at[3] = {n % g.layout.nx, n / g.layout.nx % g.layout.ny, n / g.layout.nx / g.layout.ny};
      std::array<double, 8> cell{};
      std::copy_n(host[static_cast<std::size_t>(n)].begin(), 7, cell.begin());
      cell[7] = 1;
      for (std::size_t a = 0; a < 3; ++a) cell[7] *= coarsest_axes_[a].width[static_cast<std::size_t>(at[a])];
      result.cells.push_back(cell);
    }
    return result;
  }

  /// The equations of the finest grid, times the volumes over their mean, and the levels below it.
  void make_aggregates(Exec const& space, MultigridCoarsest const& finest) {
    std::vector<double> volumes;
    double whole = 0;
    for (auto const& cell : finest.cells) whole += cell[7];
    for (auto const& cell : finest.cells) volumes.push_back(cell[7] / whole * static_cast<double>(finest.cells.size()));
    SplitLayout const layout = problem_.layout;
    auto const place_of = [&](int n) {
      int const i = n % layout.nx, j = n / layout.nx % layout.ny, k = n / layout.nx / layout.ny;
      return static_cast<int>(2 * layout.inner(k, j, i >> 1)) + color_of(k, j, i);
    };
    aggregates_ = std::make_unique<MultigridAggregateCycle<Exec, T>>(space, sparse_network_of(finest, volumes), volumes,
                                                                     place_of, storage_);
    for (int const size : aggregates_->sizes()) extents_.push_back({size, 1, 1});
  }

  bool is_periodic(int level) const {
    auto const& g = grids_[static_cast<std::size_t>(level)];
    return g.periodic[0] || g.periodic[1] || g.periodic[2];
  }

  void add(MultigridCycleStep::Kind kind, int level, int color = 0, unsigned seam = 0) {
    steps_.push_back({kind, level, color, seam});
  }

  void add_wraps(int level) {
    for (int axis = 0; axis < 3; ++axis) {
      if (grids_[static_cast<std::size_t>(level)].periodic[axis]) add(MultigridCycleStep::Kind::wrap, level, axis);
    }
  }

  void add_sweep(int level, bool backwards, bool from_zero) {
    using Kind = MultigridCycleStep::Kind;
    // Ghosts of a periodic axis, and lines, read more than the other colour: they start from written zeros.
    bool const write_zeros = from_zero && (problem_.lines || is_periodic(level));
    if (write_zeros) add(Kind::clear, level);
    for (int step = 0; step < 2; ++step) {
      int const color = backwards ? 1 - step : step;
      if (from_zero && !write_zeros) {
        add(step == 0 ? Kind::relax_all_zero : Kind::relax_other_given, level, color);
      } else {
        add_half_sweep(level, color, backwards);
      }
    }
  }

  /// One colour, and then in turn its cells on the seams of odd periodic axes.
  void add_half_sweep(int level, int color, bool backwards) {
    using Kind = MultigridCycleStep::Kind;
    unsigned const seams = grids_[static_cast<std::size_t>(level)].seams();
    for (unsigned n = 0; n < 8; ++n) {
      unsigned const chosen = backwards ? 7 - n : n;
      if ((chosen & seams) != chosen) continue;
      add_wraps(level);
      if (chosen == 0) {
        add(problem_.lines ? Kind::lines : Kind::relax, level, color);
      } else {
        add(problem_.lines ? Kind::lines_on_seam : Kind::relax_on_seam, level, color, chosen);
      }
    }
  }

  /// Adds the steps of one visit to a grid and those below it.
  void visit(int level, MultigridCycle kind, bool from_zero) {
    int const last = static_cast<int>(grids_.size()) - 1;
    if (level == last && !problem_.aggregates) return add(MultigridCycleStep::Kind::solve, level);
    for (int n = 0; n < problem_.pre; ++n) add_sweep(level, false, from_zero && n == 0);
    add_wraps(level);
    if (problem_.aggregates) {
      add(MultigridCycleStep::Kind::aggregates, level);
      for (int n = 0; n < problem_.post; ++n) add_sweep(level, problem_.symmetric, false);
      return;
    }
    add(problem_.symmetric ? MultigridCycleStep::Kind::gather : MultigridCycleStep::Kind::average, level);
    visit(level + 1, kind, true);
    if (kind != MultigridCycle::v && level + 1 < last) {
      visit(level + 1, kind == MultigridCycle::w ? MultigridCycle::w : MultigridCycle::v, false);
    }
    add_wraps(level + 1);
    add(MultigridCycleStep::Kind::prolong, level);
    for (int n = 0; n < problem_.post; ++n) add_sweep(level, problem_.symmetric, false);
  }

  void run_step(Exec const& space, int side, MultigridCycleStep const& step) const {
    using Kind = MultigridCycleStep::Kind;
    MultigridGrid<T> const& g = grid(step.level, side);
    switch (step.kind) {
      case Kind::clear: return clear(space, g);
      case Kind::wrap: return wrap(space, g, step.color);
      case Kind::relax:
        return sweep_color<Exec>(space, "karman::multigrid::relax", g, step.color,
                                 MultigridRelax<T, MultigridGuess::given>{omega()});
      case Kind::relax_all_zero:
        return sweep_color<Exec>(space, "karman::multigrid::relax", g, step.color,
                                 MultigridRelax<T, MultigridGuess::all_zero>{omega()});
      case Kind::relax_other_given:
        return sweep_color<Exec>(space, "karman::multigrid::relax", g, step.color,
                                 MultigridRelax<T, MultigridGuess::other_given>{omega()});
      case Kind::lines: return MultigridLineSweep<Exec, T>{{g, step.color}}.run(space);
      case Kind::relax_on_seam:
      case Kind::lines_on_seam:
        return relax_seam(space, g, omega(), step.color, step.seam, step.kind == Kind::lines_on_seam);
      case Kind::average: return restrict_average(space, g, grid(step.level + 1, side));
      case Kind::gather:
        store_residual(space, g);
        return MultigridRestrict<Exec, T, MultigridRestriction::gather>(g, grid(step.level + 1, side)).run(space);
      case Kind::prolong: return MultigridProlong<Exec, T>(g, grid(step.level + 1, side)).run(space);
      case Kind::solve: return;  // never reached: the coarsest grid is small
      case Kind::aggregates: store_residual(space, g); return aggregates_->correct(space, g);
    }
  }

  void restrict_average(Exec const& space, MultigridGrid<T> const& fine, MultigridGrid<T> const& coarse) const {
    if constexpr (averages_on_the_fly) {
      with_walls_of(fine, [&](auto walls) {
        MultigridRestrict<Exec, T, MultigridRestriction::average_on_the_fly, decltype(walls)::value>(fine, coarse)
            .run(space);
      });
    } else {
      store_residual(space, fine);
      MultigridRestrict<Exec, T, MultigridRestriction::average>(fine, coarse).run(space);
    }
  }

  void store_residual(Exec const& space, MultigridGrid<T> const& g) const {
    for (int color = 0; color < 2; ++color) {
      sweep_color<Exec>(space, "karman::multigrid::residual", g, color, MultigridStoreResidual<T>{});
    }
  }

  MultigridProblem problem_;
  MultigridStorage<Exec> storage_;
  std::vector<MultigridGrid<T>> grids_;
  std::vector<std::array<int, 3>> extents_;
  std::array<MultigridGrid<T>, 2> finest_{};
  MultigridAxes coarsest_axes_;
  std::array<MultigridGrid<T>*, 2> device_grids_{};
  std::vector<MultigridCycleStep> steps_;
  MultigridCycleStep* device_steps_ = nullptr;
  T* inverse_ = nullptr;
  std::unique_ptr<MultigridAggregateCycle<Exec, T>> aggregates_;
  int small_ = 0;
};

// Compiled in source files of their own.
#define KARMAN_EXTERN(Exec)                              \
  extern template class MultigridHierarchy<Exec, float>; \
  extern template class MultigridHierarchy<Exec, double>;
KARMAN_FOR_EACH_BACKEND(KARMAN_EXTERN)
#undef KARMAN_EXTERN

}  // namespace karman::detail
