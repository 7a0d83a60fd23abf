// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The grids of a multigrid plan and a cycle over them.
#pragma once

#include "aggregate_levels.hpp"
#include "base/repeat_kernels.hpp"
#include "boxes.hpp"
#include "cell_operations.hpp"
#include "coarsest.hpp"
#include "cycle_steps.hpp"
#include "parts.hpp"
#include "seams.hpp"
#include "storage.hpp"
#include "transfer_kernels.hpp"
#include "walls.hpp"
#include <karman/core/backend.hpp>
#include <karman/core/communicator.hpp>
#include <karman/core/compat.hpp>
#include <karman/core/exchange.hpp>
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
  SplitLayout layout;  ///< of the cells of this process
  MultigridAxes axes;  ///< of the whole grid
  Communicator communicator;
  MultigridBoxes boxes;
  std::int64_t gathered_cells = 0;   ///< grids of at most this number of cells per part are gathered
  std::int64_t gathered_in_all = 0;  ///< and grids of at most this number of cells
  int gathered_parts = 1;            ///< more parts than these are first joined in groups
  /// Mean face coefficient along each axis.
  std::array<double, 3> scale = {1, 1, 1};
  /// The coefficient of an open face on each side: 2 or 1.
  std::array<double, 6> side_value = {1, 1, 1, 1, 1, 1};
  MultigridWalls walls = MultigridWalls::none;
  bool any_excess = false;
  MultigridCycle cycle = MultigridCycle::v;
  bool lines = false;
  /// The first grid that every process has as a whole, and levels of aggregates below it.
  bool aggregates = false;
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
    std::int64_t const cells = problem.boxes.whole_cells();
    problem_.aggregates = problem.aggregates && may_aggregate(cells, problem.boxes.has_parts());
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
    // Exchanges are more than kernels, and levels of aggregates swap their vectors.
    if (problem_.boxes.has_parts() || problem_.aggregates) launch_cycle(space, side);
    else replayed_.run(space, {finest(side).rhs[0]}, [&] { launch_cycle(space, side); });
  }

  /// The finest grid with its right-hand side number `side`. There are two, so that a caller may keep the last one.
  MultigridGrid<T> const& finest(int side) const { return finest_[side]; }
  std::vector<std::array<int, 3>> const& extents() const { return extents_; }
  /// Number of parts of each grid; 1 where every process has all cells.
  std::vector<int> const& parts() const { return parts_; }
  /// Grids of which this process has its part alone.
  int levels_in_parts() const { return joins_.empty() ? 0 : joins_.front().level; }
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

  /// Parts: before the grid is known that is gathered.
  static bool may_aggregate(std::int64_t cells, bool parts) {
    return parts || (cells > coarsest_cells && cells <= most_cells_to_aggregate);
  }
  static std::int64_t cells_of(SplitLayout const& layout) { return std::int64_t(layout.nx) * layout.ny * layout.nz; }

  /// A grid whose parts are joined: by all processes or, with very many, by groups of neighbours.
  struct Join {
    int level;                 ///< of the parts; the next one is the same grid, joined
    MultigridPlace place;      ///< of the part in the joined grid
    Exchange<Exec, T> gather;  ///< of the right-hand side
  };
  /// Plans of a grid in parts. The constant cycle() fills the ghosts, as it does all vectors.
  struct Sharing {
    bool has_parts = false;
    int parity = 0;                          ///< colour of the first own cell
    std::array<Exchange<Exec, T>, 2> halos;  ///< of x, one per colour of the whole grid
    MultigridFlows<Exec, T> flows;           ///< to the next grid, where the cycle is symmetric
  };
  Sharing& sharing(int level) const { return sharing_[static_cast<std::size_t>(level)]; }
  /// The join of the parts of a grid, which has no sweeps; null for others.
  Join* join_at(int level) const {
    auto const found = std::find_if(joins_.begin(), joins_.end(), [&](Join const& j) { return j.level == level; });
    return found == joins_.end() ? nullptr : &*found;
  }

  /// True where the processes work on their parts of a grid; else they join them.
  bool stays_in_parts(MultigridBoxes const& boxes, std::array<bool, 3> const& join) const {
    std::int64_t const cells = boxes.whole_cells();
    bool const crossing_lines = problem_.lines && boxes.is_cut(2);
    return boxes.has_parts() && cells > coarsest_cells && cells > problem_.gathered_cells * boxes.count() &&
           cells > problem_.gathered_in_all && boxes.pairs(join) && !boxes.has_cut_seam() && !crossing_lines;
  }

  std::array<bool, 3> join_of(MultigridAxes const& axes) const {
    return axes_to_join(axes, problem_.scale, problem_.lines);
  }

  void make_grids(Exec const& space, MultigridGrid<T> const& finest) {
    MultigridAxes axes = problem_.axes;
    MultigridBoxes boxes = problem_.boxes;
    MultigridGrid<T> g = finest;
    g.layout = problem_.layout;
    g.walls = problem_.walls;
    set_tables(space, axes, boxes, g.walls != MultigridWalls::none, storage_, g);
    allocate_vectors(space, g, boxes.has_parts(), !boxes.has_parts() || stays_in_parts(boxes, join_of(axes)));
    std::array<T, 6> side_value = side_values_of(boxes);
    for (bool more = true; more;) {
      auto const join = join_of(axes);
      bool const finest_cells = extents_.empty();
      while (boxes.has_parts() && !stays_in_parts(boxes, join)) {
        auto const shape = boxes.shape_of_groups(problem_.gathered_parts);
        MultigridBoxes const joined = boxes.of_groups(shape);
        grids_.push_back(g);
        g = joined_grid(space, grids_.back(), axes, boxes, joined, boxes.group(shape), finest_cells);
        boxes = joined;
        if (finest_cells) side_value = side_values_of(boxes);
      }
      std::int64_t const cells = boxes.whole_cells();
      extents_.push_back({boxes.whole(0), boxes.whole(1), boxes.whole(2)});
      parts_.push_back(boxes.count());
      seams_.resize(grids_.size());
      seams_.push_back(seams_of(axes));
      bool const whole = !boxes.has_parts();
      bool const aggregates = whole && problem_.aggregates && may_aggregate(cells, false);
      if (whole && !aggregates) problem_.aggregates = false;
      more = cells > coarsest_cells && !aggregates;
      if (!more) break;
      MultigridBoxes const coarse_boxes = boxes.joined(join);
      MultigridAxes coarse_axes = axes;
      for (std::size_t a = 0; a < 3; ++a) {
        if (join[a]) coarse_axes[a] = coarsened(axes[a]);
        g.coarsened[a] = join[a];
        g.share[a] = upload_own<T>(space, shares(axes[a], coarse_axes[a], join[a]), boxes, a, storage_);
        g.pull[a] = upload_own<T>(space, pulls(axes[a], coarse_axes[a], join[a]), boxes, a, storage_);
      }
      MultigridGrid<T> coarse;
      coarse.layout = SplitLayout(coarse_boxes.cells(0), coarse_boxes.cells(1), coarse_boxes.cells(2),
                                  problem_.layout.ghost_rows == 0);
      set_tables(space, coarse_axes, coarse_boxes, false, storage_, coarse);
      allocate_vectors(space, coarse, coarse_boxes.has_parts(),
                       whole || stays_in_parts(coarse_boxes, join_of(coarse_axes)));
      if (g.walls != MultigridWalls::none) inherit_walls(space, g, coarse, side_value);
      if (!whole) open_halo(space, g, boxes);
      if (!whole && problem_.symmetric) {
        sharing_.back().flows =
            make_flows<Exec, T>(space, problem_.communicator, coarse_boxes, coarse_axes, join, storage_);
      }
      grids_.push_back(g);
      g = coarse;
      axes = coarse_axes;
      boxes = coarse_boxes;
      side_value.fill(T(1));
    }
    grids_.push_back(g);
    sharing_.resize(grids_.size());
    finest_[0] = finest_[1] = grids_.front();
    storage_.template allocate_colors<T>(space, grids_.front().layout.inner_size(), "karman::multigrid::rhs",
                                         problem_.boxes.has_parts(), finest_[1].rhs);
    coarsest_axes_ = axes;
  }

  /// The coefficient of an open face on each side of the finest grid; 1 towards another process.
  std::array<T, 6> side_values_of(MultigridBoxes const& boxes) const {
    std::array<T, 6> values{};
    for (std::size_t side = 0; side < 6; ++side) {
      values[side] = boxes.cut(side) ? T(1) : static_cast<T>(problem_.side_value[side]);
    }
    return values;
  }

  /// Odd periodic axes (bit 0: x).
  static unsigned seams_of(MultigridAxes const& axes) {
    unsigned seams = 0;
    for (std::size_t a = 0; a < 3; ++a) {
      bool const odd = axes[a].periodic && axes[a].cells() > 1 && axes[a].cells() % 2 != 0;
      seams |= odd ? 1u << a : 0u;
    }
    return seams;
  }

  /// For the grid that is added next.
  void open_halo(Exec const& space, MultigridGrid<T> const& g, MultigridBoxes const& boxes) {
    sharing_.resize(grids_.size() + 1);
    Sharing& own = sharing_.back();
    own.has_parts = true;
    own.parity = boxes.parity();
    for (int color = 0; color < 2; ++color) {
      own.halos[static_cast<std::size_t>(color)] =
          make_exchange<Exec, T>(space, problem_.communicator, storage_, boxes.halo(g.layout, color));
    }
  }

  /// The grid of the last level, of which the members of a group hold parts, with all cells of the group.
  MultigridGrid<T> joined_grid(Exec const& space, MultigridGrid<T> const& part, MultigridAxes const& axes,
                               MultigridBoxes const& boxes, MultigridBoxes const& joined, MultigridGroup const& group,
                               bool finest_cells) {
    MultigridGrid<T> g;
    g.layout = SplitLayout(joined.cells(0), joined.cells(1), joined.cells(2), part.layout.ghost_rows == 0);
    g.walls = part.walls;
    set_tables(space, axes, joined, finest_cells && g.walls != MultigridWalls::none, storage_, g);
    allocate_vectors(space, g, true, !joined.has_parts() || stays_in_parts(joined, join_of(axes)));
    bool const takes_walls = g.walls != MultigridWalls::none && !storage_.counts();
    // The first rank distinguishes the groups, also those with the same boxes.
    Communicator const members = takes_walls ? problem_.communicator.split(group.ranks.front()) : Communicator();
    auto const take = [&]<class V>(V const* const(&own)[2], V const*(&target)[2]) {
      if (storage_.counts()) {
        storage_.template allocate<V>(space, 2 * g.layout.inner_size(), "karman::multigrid::gathered");
        return;
      }
      auto const colors = gathered_colors<V>(space, members, group, part.layout, g.layout, own);
      for (std::size_t color = 0; color < 2; ++color) {
        target[color] = storage_.template upload<V>(space, colors[color], "karman::multigrid::gathered");
      }
    };
    if (g.walls == MultigridWalls::codes) take(part.codes, g.codes);
    if (g.walls == MultigridWalls::arrays) {
      for (int f = 0; f < 6; ++f) {
        T const* const own[2] = {part.face[0][f], part.face[1][f]};
        T const* gathered[2] = {};
        take(own, gathered);
        for (int color = 0; color < 2; ++color) g.face[color][f] = gathered[color];
      }
      if (problem_.any_excess) take(part.excess, g.excess);
    }
    joins_.push_back(
        {static_cast<int>(grids_.size()) - 1, MultigridPlace(boxes, joined),
         make_exchange<Exec, T>(space, problem_.communicator, storage_, boxes.gather(part.layout, g.layout, group))});
    return g;
  }

  /// Vectors of a grid; `together`: both colours one after the other. Where the processes gather a grid, they
  /// do not need `smooths` of their parts.
  void allocate_vectors(Exec const& space, MultigridGrid<T>& g, bool together, bool smooths) {
    auto const allocate = [&](std::int64_t size, char const* label, T*(&colors)[2]) {
      storage_.template allocate_colors<T>(space, size, label, together, colors);
    };
    allocate(g.layout.ghosted_size(), "karman::multigrid::x", g.x);
    allocate(g.layout.inner_size(), "karman::multigrid::rhs", g.rhs);
    if (smooths && (!averages_on_the_fly || problem_.symmetric || problem_.lines || problem_.aggregates)) {
      allocate(g.layout.inner_size(), "karman::multigrid::work", g.work);
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

  void inherit_walls(Exec const& space, MultigridGrid<T> const& fine, MultigridGrid<T>& coarse,
                     std::array<T, 6> const& side_value) {
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
    std::copy(side_value.begin(), side_value.end(), openness.side_value);
    coarsen_walls(space, openness, coarse, face, excess, reach, problem_.walls == MultigridWalls::arrays);
    compat::fence(space, "karman::multigrid::coarsen_walls");
  }

  void set_small_grids(Exec const& space) {
    small_ = joins_.empty() ? 0 : joins_.back().level + 1;
    if (problem_.aggregates) ++small_;  // A team cannot do the work below the grid.
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
    SplitLayout const layout = grids_.back().layout;
    auto const place_of = [&](int n) {
      int const i = n % layout.nx, j = n / layout.nx % layout.ny, k = n / layout.nx / layout.ny;
      return static_cast<int>(2 * layout.inner(k, j, i >> 1)) + color_of(k, j, i);
    };
    aggregates_ = std::make_unique<MultigridAggregateCycle<Exec, T>>(space, sparse_network_of(finest, volumes), volumes,
                                                                     place_of, storage_);
    for (int const size : aggregates_->sizes()) {
      extents_.push_back({size, 1, 1});
      parts_.push_back(1);
    }
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

  /// After a change of x, of one colour of the whole grid or of both (2).
  void add_exchange(int level, int color) {
    if (sharing(level).has_parts) add(MultigridCycleStep::Kind::exchange, level, color);
  }

  /// Colour in the part of this process of a colour of the whole grid.
  int own_color(int level, int color) const { return color ^ sharing(level).parity; }

  void add_sweep(int level, bool backwards, bool from_zero) {
    using Kind = MultigridCycleStep::Kind;
    // Ghosts of a periodic axis, and lines, read more than the other colour: they start from written zeros.
    bool const write_zeros = from_zero && (problem_.lines || is_periodic(level));
    if (write_zeros) add(Kind::clear, level);
    for (int step = 0; step < 2; ++step) {
      int const color = backwards ? 1 - step : step;
      if (from_zero && !write_zeros) {
        add(step == 0 ? Kind::relax_all_zero : Kind::relax_other_given, level, own_color(level, color));
        add_exchange(level, color);
      } else {
        add_half_sweep(level, color, backwards);
      }
    }
  }

  /// One colour, and then in turn its cells on the seams of odd periodic axes.
  void add_half_sweep(int level, int color, bool backwards) {
    using Kind = MultigridCycleStep::Kind;
    unsigned const seams = seams_[static_cast<std::size_t>(level)];
    int const own = own_color(level, color);
    for (unsigned n = 0; n < 8; ++n) {
      unsigned const chosen = backwards ? 7 - n : n;
      if ((chosen & seams) != chosen) continue;
      add_wraps(level);
      if (chosen == 0) {
        add(problem_.lines ? Kind::lines : Kind::relax, level, own);
      } else {
        add(problem_.lines ? Kind::lines_on_seam : Kind::relax_on_seam, level, own, chosen);
      }
      add_exchange(level, problem_.lines ? 2 : color);
    }
  }

  /// Adds the steps of one visit to a grid and those below it.
  void visit(int level, MultigridCycle kind, bool from_zero) {
    using Kind = MultigridCycleStep::Kind;
    int const last = static_cast<int>(grids_.size()) - 1;
    if (join_at(level) != nullptr) {
      add(Kind::gather_parts, level);
      visit(level + 1, kind, from_zero);
      return add(Kind::take_part, level);
    }
    bool const aggregates = level == last && problem_.aggregates;
    if (level == last && !aggregates) return add(Kind::solve, level);
    for (int n = 0; n < problem_.pre; ++n) add_sweep(level, false, from_zero && n == 0);
    add_wraps(level);
    if (aggregates) {
      add(Kind::aggregates, level);
      for (int n = 0; n < problem_.post; ++n) add_sweep(level, problem_.symmetric, false);
      return;
    }
    int next = level + 1;
    while (join_at(next) != nullptr) ++next;
    add(problem_.symmetric ? Kind::gather : Kind::average, level);
    if (problem_.symmetric && sharing(level).has_parts) add(Kind::add_flows, level);
    visit(level + 1, kind, true);
    if (kind != MultigridCycle::v && next < last) {
      visit(level + 1, kind == MultigridCycle::w ? MultigridCycle::w : MultigridCycle::v, false);
    }
    add_wraps(level + 1);
    add(Kind::prolong, level);
    add_exchange(level, 2);
    for (int n = 0; n < problem_.post; ++n) add_sweep(level, problem_.symmetric, false);
  }

  void launch_cycle(Exec const& space, int side) const {
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

  void run_step(Exec const& space, int side, MultigridCycleStep const& step) const {
    using Kind = MultigridCycleStep::Kind;
    MultigridGrid<T> const& g = grid(step.level, side);
    if (step.kind == Kind::exchange) return exchange(space, g, step);
    if (step.kind == Kind::add_flows) {
      return add_flows(space, g, grid(step.level + 1, side), sharing(step.level).flows);
    }
    if (step.kind == Kind::gather_parts) {
      return gather_parts(space, g, grid(step.level + 1, side), *join_at(step.level));
    }
    if (g.cells() == 0) return;  // a process without cells
    switch (step.kind) {
      case Kind::clear: return clear(space, g);
      case Kind::wrap: return wrap(space, g, step.color);
      case Kind::relax:
        return visit_cells<Exec>(space, "karman::multigrid::relax", g,
                                 MultigridRelax<T, MultigridGuess::given>{omega()}, step.color);
      case Kind::relax_all_zero:
        return visit_cells<Exec>(space, "karman::multigrid::relax", g,
                                 MultigridRelax<T, MultigridGuess::all_zero>{omega()}, step.color);
      case Kind::relax_other_given:
        return visit_cells<Exec>(space, "karman::multigrid::relax", g,
                                 MultigridRelax<T, MultigridGuess::other_given>{omega()}, step.color);
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
      case Kind::take_part: return detail::take_part(space, grid(step.level + 1, side), g, join_at(step.level)->place);
      case Kind::exchange:
      case Kind::add_flows:
      case Kind::gather_parts: return;  // see above
    }
  }

  void exchange(Exec const& space, MultigridGrid<T> const& g, MultigridCycleStep const& step) const {
    for (int color = 0; color < 2; ++color) {
      if (step.color == color || step.color == 2) {
        sharing(step.level).halos[static_cast<std::size_t>(color)].exchange(space, g.x[0]);
      }
    }
  }

  void gather_parts(Exec const& space, MultigridGrid<T> const& part, MultigridGrid<T> const& joined, Join& join) const {
    join.gather.begin(space, part.rhs[0]);
    put_part(space, part, joined, join.place);
    join.gather.end(space, joined.rhs[0]);
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
    visit_cells<Exec>(space, "karman::multigrid::residual", g, MultigridStoreResidual<T>{});
  }

  MultigridProblem problem_;
  MultigridStorage<Exec> storage_;
  std::vector<MultigridGrid<T>> grids_;
  mutable std::vector<Join> joins_;  ///< of their parts only the vectors for the transfer are used
  std::vector<unsigned> seams_;
  mutable std::vector<Sharing> sharing_;  ///< of every grid
  std::vector<std::array<int, 3>> extents_;
  std::vector<int> parts_;
  std::array<MultigridGrid<T>, 2> finest_{};
  MultigridAxes coarsest_axes_;
  std::array<MultigridGrid<T>*, 2> device_grids_{};
  std::vector<MultigridCycleStep> steps_;
  MultigridCycleStep* device_steps_ = nullptr;
  T* inverse_ = nullptr;
  std::unique_ptr<MultigridAggregateCycle<Exec, T>> aggregates_;
  int small_ = 0;
  mutable ReplayedKernels<Exec> replayed_;  ///< cycles, one for each right-hand side
};

// Compiled in source files of their own.
#define KARMAN_EXTERN(Exec)                              \
  extern template class MultigridHierarchy<Exec, float>; \
  extern template class MultigridHierarchy<Exec, double>;
KARMAN_FOR_EACH_BACKEND(KARMAN_EXTERN)
#undef KARMAN_EXTERN

}  // namespace karman::detail
