// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Definition of MultigridSolver, for the source files that instantiate it.
/// Functions with a device lambda are static: nvcc keeps the parts of such a lambda separate for each translation unit.
/// A linker that joined the functions of two of them would mix the parts.
#pragma once

#include "base/light_weight.hpp"
#include "common/device_numbers.hpp"
#include "common/host_share.hpp"
#include "common/iteration_loop.hpp"
#include "common/shared_monitor.hpp"
#include "grid/sor/split_fields.hpp"
#include "hierarchy.hpp"
#include "solver.hpp"
#include "vectors.hpp"
#include <karman/core/compat.hpp>
#include <karman/core/exchange.hpp>
#include <karman/core/profiling.hpp>

#include <algorithm>
#include <climits>
#include <cmath>
#include <limits>
#include <string>
#include <string_view>
#include <type_traits>

namespace karman::detail {

/// Converts precision on the way into the arrays of a grid.
template <class S>
struct ConvertTo {
  template <class T>
  KOKKOS_INLINE_FUNCTION S operator()(T value) const {
    return static_cast<S>(value);
  }
};

/// field <- factor * x. The kernel reads the factor, 1 without one.
template <class Exec, class T, class S>
static void merge_scaled(Exec const& space, MultigridGrid<S> const& g, bool planar, double const* given,
                         Field<Exec, T> const& field) {
  SplitLayout const layout = g.layout;
  Kokkos::parallel_for(
      "karman::multigrid::merge", light_weight(half_cells(space, layout)),
      KOKKOS_LAMBDA(std::int64_t k, std::int64_t j, std::int64_t h) {
        double const factor = given != nullptr ? *given : 1;
        for (int color = 0; color < 2; ++color) {
          int const s = SplitLayout::shift(static_cast<int>(k), static_cast<int>(j), color);
          std::int64_t const i = 2 * h + s;
          if (i < layout.nx) {
            S const value = g.x[color][layout.ghosted(static_cast<int>(k), static_cast<int>(j), static_cast<int>(h))];
            at(field, planar, k, j, i) = static_cast<T>(static_cast<double>(value) * factor);
          }
        }
      });
}

/// Excess of given own weights over the sum of the faces, in one colour of the finest grid. `weights`:
/// own_x, own_y, own_z in the axes of the layout.
template <class Exec, class T>
static void set_excess(Exec const& space, MultigridGrid<T> const& g, int color,
                       Kokkos::Array<T const*, 3> const& weights, T* excess) {
  SplitLayout const layout = g.layout;
  Kokkos::parallel_for(
      "karman::multigrid::excess", half_cells(space, layout),
      KOKKOS_LAMBDA(std::int64_t kk, std::int64_t jj, std::int64_t hh) {
        int const k = static_cast<int>(kk);
        int const j = static_cast<int>(jj);
        int const h = static_cast<int>(hh);
        int const s = SplitLayout::shift(k, j, color);
        if (h >= layout.count(s)) return;
        std::int64_t const inner = layout.inner(k, j, h);
        auto const t = load_tables<1>(g, s, k, j, h);
        T const faces = (t.east[0] * g.face[color][0][inner] + t.west[0] * g.face[color][1][inner]) +
                        (t.north * g.face[color][2][inner] + t.south * g.face[color][3][inner]) +
                        (t.up * g.face[color][4][inner] + t.down * g.face[color][5][inner]);
        T const given = (t.east[0] + t.west[0]) * weights[0][inner] + (t.north + t.south) * weights[1][inner] +
                        (t.up + t.down) * weights[2][inner];
        excess[inner] = faces == T(0) ? T(0) : given - faces;
      });
}

template <class Exec, class T, class S>
class MultigridSolver final : public MultigridPlan<Exec, T> {
 public:
  MultigridSolver(Exec const& space, MultigridInput<Exec, T> const& input, MultigridPurpose purpose)
      : planar_(input.planar), singular_(is_singular(input)), problem_(problem_of(input)), storage_(purpose) {
    outer_.layout = problem_.layout;
    outer_.walls = problem_.walls;
    set_tables(space, problem_.axes, problem_.boxes, problem_.walls != MultigridWalls::none, storage_, outer_);
    MultigridGrid<S> finest;
    if (problem_.walls == MultigridWalls::codes) {
      take_codes(space, input.problem.walls);
      for (int color = 0; color < 2; ++color) finest.codes[color] = outer_.codes[color];
    } else if (problem_.walls == MultigridWalls::arrays) {
      take_arrays(space, input.problem.coefficients, outer_);
      if constexpr (std::is_same_v<T, S>) {
        finest = outer_;
      } else {
        finest.layout = problem_.layout;
        set_tables(space, problem_.axes, problem_.boxes, true, storage_, finest);
        take_arrays(space, input.problem.coefficients, finest);
      }
    }
    hierarchy_ = std::make_unique<MultigridHierarchy<Exec, S>>(space, problem_, finest, purpose);
    allocate_vectors(space);
    if (has_parts()) {
      open_halo<T>(space);
      if constexpr (!std::is_same_v<T, S>) open_halo<S>(space);
    }
    if (storage_.counts()) return;
    if (singular_) volume_ = measure_volume(space);
    // Kokkos allocates team workspace at the first kernel of each size: here, not in solve().
    hierarchy_->cycle(space, 0);
    measure_right_hand_side(space);
    compat::fence(space, "karman::multigrid::plan");
  }

  void set_boundary_values(Exec const& space, int side, ConstPlane<Exec, T> const& values) override {
    has_boundary_values_ = true;
    if (values.size() == 0) return;
    // In the layout of a planar problem y takes the place of z, and a side in x is one column (ny, 1).
    int const axis = side / 2;
    if (planar_ && axis == 1) {
      set_ghosts(space, outer_.layout, side + 2, values, colors_of(outer_.x));
    } else if (planar_) {
      set_ghosts(space, outer_.layout, side, ConstPlane<Exec, T>(values.data(), values.extent(1), 1),
                 colors_of(outer_.x));
    } else {
      set_ghosts(space, outer_.layout, side, values, colors_of(outer_.x));
    }
  }

  SolveReport solve(Exec const& space, Field<Exec, T> const& x, ConstField<Exec, T> const& rhs,
                    MultigridOptions const& options) override {
    if constexpr (std::is_same_v<T, S>) use_right_hand_side(0);
    handed_over_ = false;
    double imbalance = 0, norm = 0, first = 0;
    if (options.zero_guess && !has_boundary_values_ && !singular_) {
      norm = first = load_from_zero(space, rhs);
    } else {
      norm = load(space, x, rhs, options.zero_guess, imbalance);
      first = true_residual(space);
    }
    target_ = options.tolerance * norm;
    Run run{*this, space, rhs, options.conjugate_gradients};
    MultigridOptions shared = options;
    if (has_parts()) shared.monitor = shared_monitor(options.monitor, problem_.communicator);
    SolveReport report = run_iterations(run, shared, norm, first);
    report.omega = problem_.omega;
    report.imbalance = imbalance;
    write_zero_solution(space);
    if (singular_ && has_ended(report)) take_mean<true>(space);
    merge(space, outer_.layout, planar_, colors_of(outer_.x), x);
    compat::fence(space, "karman::multigrid::solve");
    return report;
  }

  void apply(Exec const& space, ConstField<Exec, T> const& residual, Field<Exec, T> const& correction) const override {
    auto const& g = hierarchy_->finest(0);
    if constexpr (std::is_same_v<T, S>) {
      split_inner(space, g.layout, planar_, residual, colors_of_inner(g.rhs), AsIs());
    } else {
      // Scales the residual to size 1: that of a converged solution may be too small for the shorter type.
      split_inner(space, g.layout, planar_, residual, colors_of_inner(outer_.rhs), AsIs());
      measure_right_hand_side(space);
      join_processes(space, std::array<int, 1>{MultigridNumbers::largest}, TeamReduction::maximum);
      visit_cells<Exec>(space, "karman::multigrid::hand_over", outer_,
                        MultigridHandOver<T, S>{{g.rhs[0], g.rhs[1]}, 1.0, numbers_ + MultigridNumbers::largest});
    }
    hierarchy_->cycle(space, 0);
    merge_scaled<Exec, T, S>(space, g, planar_, std::is_same_v<T, S> ? nullptr : numbers_ + MultigridNumbers::largest,
                             correction);
  }

  std::vector<std::array<int, 3>> const& extents() const override { return hierarchy_->extents(); }
  int levels_in_parts() const override { return hierarchy_->levels_in_parts(); }
  std::vector<int> const& parts() const override { return hierarchy_->parts(); }
  bool singular() const override { return singular_; }
  bool lines() const override { return problem_.lines; }
  bool aggregates() const override { return hierarchy_->has_aggregates(); }
  double omega() const override { return problem_.omega; }
  std::int64_t bytes() const override { return storage_.bytes() + hierarchy_->bytes(); }

 private:
  static bool is_singular(MultigridInput<Exec, T> const& input) {
    for (auto const& axis : input.axes) {
      if (!axis.periodic && !(axis.low.closed && axis.high.closed)) return false;
    }
    return !input.weighted;
  }

  static MultigridProblem problem_of(MultigridInput<Exec, T> const& input) {
    MultigridProblem p;
    MultigridSetup const& setup = input.setup;
    p.axes = input.axes;
    p.communicator = setup.communicator;
    p.boxes = input.boxes;
    p.layout = SplitLayout(p.boxes.cells(0), p.boxes.cells(1), p.boxes.cells(2), input.planar);
    p.scale = input.scale;
    p.side_value = input.side_value;
    p.walls = input.regular ? MultigridWalls::none : input.codes ? MultigridWalls::codes : MultigridWalls::arrays;
    p.any_excess = input.weighted;
    p.cycle = setup.cycle;
    bool const may_aggregate = !input.regular && setup.smoother != MultigridSmoother::line;
    p.aggregates = setup.coarsening == MultigridCoarsening::aggregates ||
                   (setup.coarsening == MultigridCoarsening::automatic && may_aggregate &&
                    needs_aggregates(p.axes, p.scale, input.blocked_share));
    bool const automatic = setup.gathered_cells == 0;
    p.gathered_cells = !automatic ? setup.gathered_cells : runs_on_host<Exec> ? 16 * 16 * 16 : 64 * 64 * 64;
    // Grids in parts take pairs, which need up to four times as many cycles where aggregates are better.
    p.gathered_in_all = automatic && p.aggregates ? 1 << 20 : 0;
    p.gathered_parts = setup.gathered_parts;
    p.lines = setup.smoother == MultigridSmoother::line ||
              (setup.smoother == MultigridSmoother::automatic && !p.aggregates && layers_need_lines(p.axes, p.scale));
    p.symmetric = setup.symmetric;
    p.pre = setup.pre;
    p.post = setup.post;
    int dimensions = 0;
    for (auto const& axis : p.axes) dimensions += axis.cells() > 1 ? 1 : 0;
    // Measured: the factor at which open boxes converge fastest.
    constexpr double best[4] = {1, 1, 1.1, 1.2};
    p.omega = setup.omega > 0 ? setup.omega : p.lines || p.aggregates ? 1 : best[dimensions];
    return p;
  }

  Colors<Exec, T> colors_of(T* const (&arrays)[2]) const {
    auto const size = static_cast<std::size_t>(problem_.layout.ghosted_size());
    return {Array<Exec, T>(arrays[0], size), Array<Exec, T>(arrays[1], size)};
  }
  template <class Value>
  Colors<Exec, Value> colors_of_inner(Value* const (&arrays)[2]) const {
    auto const size = static_cast<std::size_t>(problem_.layout.inner_size());
    return {Array<Exec, Value>(arrays[0], size), Array<Exec, Value>(arrays[1], size)};
  }

  void take_codes(Exec const& space, WallCodes<Exec> const& codes) {
    WallCode* arrays[2];
    for (int color = 0; color < 2; ++color) {
      arrays[color] =
          storage_.template allocate<WallCode>(space, problem_.layout.inner_size(), "karman::multigrid::codes");
      outer_.codes[color] = arrays[color];
    }
    if (storage_.counts()) return;
    if (planar_) {
      split_inner(space, problem_.layout, planar_, codes, colors_of_inner(arrays), ToPlanarCode());
    } else {
      split_inner(space, problem_.layout, planar_, codes, colors_of_inner(arrays), AsIs());
    }
  }

  template <class Value>
  void take_array(Exec const& space, Field<Exec, T> const& field, Value* (&arrays)[2]) {
    for (int color = 0; color < 2; ++color) {
      arrays[color] =
          storage_.template allocate<Value>(space, problem_.layout.inner_size(), "karman::multigrid::coefficient");
    }
    if (storage_.counts()) return;
    split_inner(space, problem_.layout, planar_, field, colors_of_inner(arrays), ConvertTo<Value>());
  }

  template <class Value>
  void take_arrays(Exec const& space, FaceCoefficients<Exec, T> const& c, MultigridGrid<Value>& grid) {
    using Fields = std::array<Field<Exec, T>, 6>;
    Fields const faces = planar_ ? Fields{c.east, c.west, c.top, c.bottom, c.north, c.south} : c.faces();
    for (std::size_t f = 0; f < 6; ++f) {
      Value* arrays[2];
      take_array(space, faces[f], arrays);
      for (int color = 0; color < 2; ++color) grid.face[color][f] = arrays[color];
    }
    if (!problem_.any_excess) return;
    Field<Exec, T> const weights[3] = {c.own_x, planar_ ? c.own_z : c.own_y, planar_ ? c.own_y : c.own_z};
    Value* arrays[3][2];
    for (int a = 0; a < 3; ++a) take_array(space, weights[a], arrays[a]);
    if (storage_.counts()) return;
    for (int color = 0; color < 2; ++color) {
      // Turns own_x, which is no longer needed, into the excess.
      set_excess(space, grid, color,
                 Kokkos::Array<Value const*, 3>{arrays[0][color], arrays[1][color], arrays[2][color]},
                 arrays[0][color]);
      grid.excess[color] = arrays[0][color];
    }
  }

  void allocate_vectors(Exec const& space) {
    SplitLayout const& layout = problem_.layout;
    storage_.template allocate_colors<T>(space, layout.ghosted_size(), "karman::multigrid::x", has_parts(), outer_.x);
    for (int color = 0; color < 2; ++color) {
      if constexpr (!std::is_same_v<T, S>) {
        outer_.rhs[color] = storage_.template allocate<T>(space, layout.inner_size(), "karman::multigrid::residual");
      }
    }
    if constexpr (std::is_same_v<T, S>) use_right_hand_side(0);
    direction_ = hierarchy_->finest(0);
    storage_.template allocate_colors<S>(space, layout.ghosted_size(), "karman::multigrid::direction", has_parts(),
                                         direction_.x);
    int const teams = std::max(
        MultigridCellLoop<Exec, T, MultigridWalls::none, MultigridEnergy<T>>::teams(layout, sor_tile<Exec>(layout)),
        MultigridProducts<Exec, S>::teams(layout));
    partials_ = storage_.template allocate<double>(space, 2 * std::int64_t(teams), "karman::multigrid::partials");
    arrivals_ = storage_.template allocate<int>(space, 1, "karman::multigrid::arrivals");
    constexpr std::int64_t number_bytes = MultigridNumbers::count * sizeof(double);
    storage_.add_bytes(number_bytes + host_share<Exec>(number_bytes));
    if (storage_.counts()) return;
    device_numbers_ = DeviceNumbers(Kokkos::view_alloc(space, "karman::multigrid::numbers"), MultigridNumbers::count);
    numbers_ = device_numbers_.data();
    host_numbers_ = Kokkos::View<double*, Kokkos::HostSpace>("karman::multigrid::numbers", MultigridNumbers::count);
  }

  bool has_parts() const { return problem_.boxes.has_parts(); }

  template <class V>
  void open_halo(Exec const& space) {
    for (int color = 0; color < 2; ++color) {
      halo<V>()[static_cast<std::size_t>(color)] =
          make_exchange<Exec, V>(space, problem_.communicator, storage_, problem_.boxes.halo(problem_.layout, color));
    }
  }
  template <class V>
  auto& halo() const {
    if constexpr (std::is_same_v<V, T>) return halo_;
    else return direction_halo_;
  }

  /// Joins numbers in device memory over all processes, in order of rank. Fences. Without effect in one process.
  template <std::size_t count>
  void join_processes(Exec const& space, std::array<int, count> const& places, TeamReduction kind) const {
    if (!has_parts()) return;
    fetch(space);
    std::array<double, count> mine{};
    for (std::size_t n = 0; n < count; ++n) mine[n] = host_number(places[n]);
    NumbersToDevice<static_cast<int>(count)> joined{numbers_, {}, {}};
    for (std::size_t n = 0; n < count; ++n) joined.place[n] = places[n];
    for (auto const& terms : problem_.communicator.all_gather(mine)) {
      for (std::size_t n = 0; n < count; ++n) joined.value[n] = combine(kind, joined.value[n], terms[n]);
    }
    set_numbers(space, "karman::multigrid::join", joined);
  }

  void use_right_hand_side(int side) {
    if constexpr (std::is_same_v<T, S>) {
      for (int color = 0; color < 2; ++color) outer_.rhs[color] = hierarchy_->finest(side).rhs[color];
    }
    side_ = side;
  }

  TeamResults<1> into(int number, TeamReduction kind) const {
    return {{kind}, {numbers_ + number}, partials_, arrivals_};
  }

  /// Reduces over the cells to one number. Sums are over all processes.
  template <class V, class Op>
  void join(Exec const& space, char const* label, MultigridGrid<V> const& grid, int number, Op const& op) const {
    TeamReduction const kind = Op::join == MultigridJoin::sum ? TeamReduction::sum : TeamReduction::maximum;
    visit_cells<Exec>(space, label, grid, op, 0, into(number, kind));
    if (grid.cells() == 0) set_number(space, label, numbers_ + number, 0);
    if (kind == TeamReduction::sum) join_processes(space, std::array<int, 1>{number}, kind);
  }

  /// Copies the numbers to the host. Fences.
  void fetch(Exec const& space) const {
    Kokkos::deep_copy(space, host_numbers_, device_numbers_);
    compat::fence(space, "karman::multigrid::numbers");
  }
  double host_number(int number) const { return host_numbers_(static_cast<std::size_t>(number)); }
  double largest(Exec const& space) const {
    fetch(space);
    double const mine = host_number(MultigridNumbers::largest);
    return has_parts() ? problem_.communicator.largest(mine) : mine;
  }

  /// Fills the ghosts of x beyond periodic axes and beyond the faces between processes.
  template <class V>
  void update_ghosts(Exec const& space, MultigridGrid<V> const& grid) const {
    for (int axis = 0; axis < 3; ++axis) {
      if (grid.periodic[axis]) wrap(space, grid, axis);
    }
    if (!has_parts()) return;
    for (auto& one : halo<V>()) one.exchange(space, grid.x[0]);
  }

  double measure_volume(Exec const& space) const {
    join(space, "karman::multigrid::volume", outer_, MultigridNumbers::sum, MultigridVolume<T>{});
    fetch(space);
    return host_number(MultigridNumbers::sum);
  }

  template <bool of_x>
  void take_mean(Exec const& space) const {
    if (!(volume_ > 0)) return;
    join(space, "karman::multigrid::sum", outer_, MultigridNumbers::sum,
         MultigridSum<T, of_x>{{outer_.rhs[0], outer_.rhs[1]}});
    visit_cells<Exec>(space, "karman::multigrid::take_mean", outer_, MultigridTakeMean<T, of_x>{numbers_, volume_});
  }

  void measure_right_hand_side(Exec const& space) const {
    join(space, "karman::multigrid::norm", outer_, MultigridNumbers::largest,
         MultigridMeasureRightHandSide<T, false>{});
  }

  /// Makes the right-hand side the residual of x = 0, for the cycles, too.
  void take_right_hand_side(Exec const& space) {
    auto const& g = hierarchy_->finest(0);
    auto const take = [&](auto stores) {
      join(space, "karman::multigrid::norm", outer_, MultigridNumbers::largest,
           MultigridMeasureRightHandSide<T, decltype(stores)::value, S>{{g.rhs[0], g.rhs[1]}});
    };
    if (outer_.walls == MultigridWalls::none) take(std::false_type());
    else take(std::true_type());
    handed_over_ = true;
  }

  void load_right_hand_side(Exec const& space, ConstField<Exec, T> const& rhs) const {
    split_inner(space, outer_.layout, planar_, rhs, colors_of_inner(outer_.rhs), AsIs());
    if (singular_) take_mean<false>(space);
  }

  /// Loads b as the residual of x = 0, in a problem that has none of the terms which load() moves into b. Returns max
  /// |b|.
  double load_from_zero(Exec const& space, ConstField<Exec, T> const& rhs) {
    split_inner(space, outer_.layout, planar_, rhs, colors_of_inner(outer_.rhs), AsIs());
    take_right_hand_side(space);
    zero_solution_ = true;
    return largest(space);
  }

  /// Where x is zero, but not written.
  void write_zero_solution(Exec const& space) {
    if (!zero_solution_) return;
    split_ghosted<Exec, T>(space, outer_.layout, planar_, true, ConstField<Exec, T>(), colors_of(outer_.x));
    zero_solution_ = false;
  }

  /// Loads both fields; x is not read but zero if `from_zero`. Returns max |b| before its mean is subtracted, and the
  /// imbalance of a singular problem.
  double load(Exec const& space, Field<Exec, T> const& x, ConstField<Exec, T> const& rhs, bool from_zero,
              double& imbalance) {
    split_inner(space, outer_.layout, planar_, rhs, colors_of_inner(outer_.rhs), AsIs());
    if (has_boundary_values_) {
      split_ghosted<Exec, T>(space, outer_.layout, planar_, true, x, colors_of(outer_.x));
      update_ghosts(space, outer_);
      join(space, "karman::multigrid::norm", outer_, MultigridNumbers::largest, MultigridMeasureResidual<T, false>{});
    } else {
      measure_right_hand_side(space);
    }
    if (singular_) take_mean<false>(space);
    double const norm = largest(space);
    if (singular_ && volume_ > 0 && norm > 0) {
      double const sum = host_number(MultigridNumbers::sum);
      imbalance = std::min(1.0, std::fabs(sum) / volume_ / norm);
    }
    split_ghosted<Exec, T>(space, outer_.layout, planar_, from_zero, x, colors_of(outer_.x));
    return norm;
  }

  /// Largest residual, which takes the place of the right-hand side where `stores`.
  template <bool stores = true>
  double true_residual(Exec const& space) {
    write_zero_solution(space);
    update_ghosts(space, outer_);
    join(space, "karman::multigrid::residual", outer_, MultigridNumbers::largest,
         MultigridMeasureResidual<T, stores>{});
    return largest(space);
  }

  /// One solve, in the form that run_iterations() requires.
  struct Run {
    static constexpr bool carries = true;
    static constexpr double gain = 0.5;
    static constexpr std::string_view used_up = {};
    MultigridSolver& solver;
    Exec const& space;
    ConstField<Exec, T> const& rhs;
    bool conjugate;
    int since_start = 0;
    double carried = 0;
    bool stored = true;  ///< the residual is in place of the right-hand side

    int room() const { return INT_MAX; }
    void start(double residual) {
      if (!stored) solver.true_residual(space);
      stored = true;
      since_start = 0;
      solver.set_scale(residual);
      solver.hand_over(space);
    }
    void advance(int, int count) {
      for (int n = 0; n < count; ++n) carried = solver.iterate(space, since_start++, conjugate);
    }
    IterationCheck check() const {
      // Reached for example where cells that walls close off have a right-hand side with a mean.
      constexpr double limit = 1e8;
      bool const grows = carried > limit * solver.start_;
      std::string_view const trouble = grows ? "the residual diverges" : "";
      return {carried, trouble, solver.watch_.is_at_rest(), grows};
    }
    double exact_residual() {
      solver.load_right_hand_side(space, rhs);
      stored = false;
      return solver.template true_residual<false>(space);
    }
  };

  /// Scales residuals to a size near 1 for cycles of shorter precision, where they are far from it.
  void set_scale(double size) {
    constexpr double near = 1024;
    start_ = size;
    scale_ = 1;
    rounded_ = false;
    if constexpr (!std::is_same_v<T, S>) {
      bool const far = size > near || size < 1 / near;
      if (far && size > 0 && std::isfinite(size)) scale_ = std::ldexp(1.0, -std::ilogb(size));
    }
  }

  void hand_over(Exec const& space) {
    // No x gives a singular problem a residual with a mean: such a mean is rounding, and would never decrease.
    if (singular_) take_mean<false>(space);
    if constexpr (!std::is_same_v<T, S>) {
      side_ = 0;
      bool const done = handed_over_ && scale_ == 1;
      handed_over_ = false;
      if (done) return;
      auto const& g = hierarchy_->finest(0);
      visit_cells<Exec>(space, "karman::multigrid::hand_over", outer_,
                        MultigridHandOver<T, S>{{g.rhs[0], g.rhs[1]}, scale_, nullptr});
    }
  }

  /// <r, z> and <r - r_old, z> of all processes.
  void take_products(Exec const& space, MultigridGrid<S> const& inner, MultigridGrid<S> const& next, int rho) const {
    constexpr int change = MultigridNumbers::change;
    if (inner.cells() == 0) {
      set_numbers(space, "karman::multigrid::products", NumbersToDevice<2>{numbers_, {rho, change}, {0, 0}});
    } else {
      MultigridProducts<Exec, S>{
          inner,
          {next.rhs[0], next.rhs[1]},
          {{TeamReduction::sum, TeamReduction::sum}, {numbers_ + rho, numbers_ + change}, partials_, arrivals_}}
          .run(space);
    }
    join_processes(space, std::array<int, 2>{rho, change}, TeamReduction::sum);
  }

  /// One cycle and the step along it; n counts from the last restart. Returns max |residual|. Does nothing once the
  /// residual is rounding alone.
  double iterate(Exec const& space, int n, bool conjugate) {
    using Numbers = MultigridNumbers;
    if (n == 0) watch_ = {};
    if (watch_.is_at_rest()) return watch_.residual;
    hierarchy_->cycle(space, side_);
    MultigridGrid<S> const& inner = hierarchy_->finest(side_);
    MultigridGrid<S> const& next = hierarchy_->finest(1 - side_);
    int const rho = n % 2 == 0 ? Numbers::rho : Numbers::rho_odd;
    int const rho_old = n % 2 == 0 ? Numbers::rho_odd : Numbers::rho;
    if (conjugate) {
      take_products(space, inner, next, rho);
      visit_cells<Exec>(space, "karman::multigrid::direction", direction_,
                        MultigridDirection<S>{{inner.x[0], inner.x[1]}, numbers_, rho, rho_old, n == 0});
    }
    MultigridGrid<S> const& along = conjugate ? direction_ : inner;
    update_ghosts(space, along);
    if (conjugate) join(space, "karman::multigrid::energy", along, Numbers::energy, MultigridEnergy<S>{});
    if (rounded_) step<true>(space, along, inner, next, {numbers_, rho, 1 / scale_, !conjugate});
    else step<false>(space, along, inner, next, {numbers_, rho, 1 / scale_, !conjugate});
    use_right_hand_side(1 - side_);
    watch_.check(largest(space), start_);
    // Then the rounding of residuals in S is a twentieth of the tolerance.
    constexpr double rounding = static_cast<double>(std::numeric_limits<S>::epsilon()) / 2;
    if (!std::is_same_v<T, S> && rounding * watch_.residual <= 0.05 * target_) rounded_ = true;
    return watch_.residual;
  }

  /// A step of the solution along x of a grid, from the residual of `inner` to that of `next`.
  template <bool rounded>
  void step(Exec const& space, MultigridGrid<S> const& along, MultigridGrid<S> const& inner,
            MultigridGrid<S> const& next, MultigridStepLength const& length) {
    if constexpr (!(rounded && std::is_same_v<T, S>)) {
      MultigridStep<T, S, MultigridStepLength, rounded> step{{along.x[0], along.x[1]},
                                                             {outer_.x[0], outer_.x[1]},
                                                             zero_solution_,
                                                             {outer_.rhs[0], outer_.rhs[1]},
                                                             {outer_.rhs[0], outer_.rhs[1]},
                                                             {inner.rhs[0], inner.rhs[1]},
                                                             {next.rhs[0], next.rhs[1]},
                                                             length,
                                                             static_cast<T>(scale_)};
      if constexpr (std::is_same_v<T, S>) {
        step.new_residual[0] = next.rhs[0];
        step.new_residual[1] = next.rhs[1];
      }
      join(space, "karman::multigrid::step", outer_, MultigridNumbers::largest, step);
      zero_solution_ = false;
    }
  }

  /// Stops work on a residual that is rounding alone: steps between such numbers have any size and spoil x.
  struct Rest {
    double residual = 0, lowest = HUGE_VAL;
    int idle = 0;

    void check(double found, double start) {
      constexpr double rounding = 4 * static_cast<double>(std::numeric_limits<T>::epsilon());
      residual = found;
      bool const gains = found < 0.5 * lowest;
      if (gains) lowest = found;
      idle = !gains && lowest <= rounding * start ? idle + 1 : 0;
    }
    bool is_at_rest() const { return idle >= 2; }
  };

  bool planar_, singular_;
  MultigridProblem problem_;
  MultigridStorage<Exec> storage_;
  MultigridGrid<T> outer_;      ///< x: the solution, with the boundary values in its ghosts; rhs: the residual
  MultigridGrid<S> direction_;  ///< x: the direction of conjugate gradients
  std::unique_ptr<MultigridHierarchy<Exec, S>> hierarchy_;
  mutable std::array<Exchange<Exec, T>, 2> halo_;            ///< of x of a grid, one per colour
  mutable std::array<Exchange<Exec, S>, 2> direction_halo_;  ///< the same in S, where that is not T
  bool has_boundary_values_ = false;
  double volume_ = 0;  ///< of the cells with an equation, where the problem is singular
  double scale_ = 1;
  double start_ = 1;  ///< the residual at the start of the recursion
  double target_ = 0;
  bool rounded_ = false;        ///< residuals are kept in S alone
  bool zero_solution_ = false;  ///< x is zero, but not written
  bool handed_over_ = false;    ///< the cycles have the residual, not scaled
  Rest watch_;
  int side_ = 0;
  using DeviceNumbers = Kokkos::View<double*, typename Exec::memory_space>;
  DeviceNumbers device_numbers_;
  double* numbers_ = nullptr;
  double* partials_ = nullptr;
  int* arrivals_ = nullptr;
  Kokkos::View<double*, Kokkos::HostSpace> host_numbers_;
};

template <class Exec, class T, class S>
std::unique_ptr<MultigridPlan<Exec, T>> make_multigrid_solver(Exec const& space, MultigridInput<Exec, T> const& input,
                                                              MultigridPurpose purpose) {
  return std::make_unique<MultigridSolver<Exec, T, S>>(space, input, purpose);
}

}  // namespace karman::detail
