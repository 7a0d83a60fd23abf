// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "adi_lines.hpp"
#include "adi_parameters.hpp"
#include "adi_probe.hpp"
#include "common/field_checks.hpp"
#include "grid/stencil/box_modes.hpp"
#include "grid/stencil/steady_frame.hpp"
#include <karman/core/compat.hpp>
#include <karman/core/error.hpp>
#include <karman/core/profiling.hpp>
#include <karman/solvers/grid/adi.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

namespace karman {

namespace {

/// Largest sum of the magnitudes in a row of one axis. Also its smallest open face relative to the weight of the axis.
/// Of all processes, which hold whole lines of the axis.
template <class Exec, class T>
std::array<double, 2> axis_bounds(Exec const& space, SevenPoint<Exec, T> const& a, int axis) {
  auto const cells = a.cells();
  // Makes the last index the fast one on every backend.
  using Order = Kokkos::Rank<3, Kokkos::Iterate::Right, Kokkos::Iterate::Right>;
  using Policy = Kokkos::MDRangePolicy<Exec, Order, Kokkos::IndexType<std::int64_t>>;
  auto const& frame = cells.frame();
  int const n = axis == 0 ? frame.nx : axis == 1 ? frame.ny : frame.nz;
  double largest = 0;
  double smallest = 0;
  Kokkos::parallel_reduce(
      "karman::adi::bounds", Policy(space, {0, 0, 0}, {frame.nz, frame.ny, frame.nx}),
      KOKKOS_LAMBDA(int k, int j, int i, double& most, double& least) {
        auto const c = cells(k, j, i);
        auto const w = cells.frame().weights(k);
        int const at = axis == 0 ? i : axis == 1 ? j : k;
        double row = static_cast<double>(c.own(axis));
        for (int side = 0; side < 2; ++side) {
          double const face = static_cast<double>(c.face[2 * axis + side]);
          T const weight = axis == 0 ? w.x : axis == 1 ? w.y : side == 0 ? w.up : w.down;
          bool const inside = cells.periodic[axis] || at != (side == 0 ? n - 1 : 0);
          if (inside) row += face;
          double const open = face / static_cast<double>(weight);
          if (open > 0 && open < least) least = open;
        }
        if (row > most) most = row;
      },
      Kokkos::Max<double>(largest), Kokkos::Min<double>(smallest));
  Communicator const communicator = a.communicator();
  return {communicator.largest(largest), -communicator.largest(-smallest)};
}

}  // namespace

template <ExecutionSpace Exec, Real T>
struct Adi<Exec, T>::State : detail::SteadyFrame<Exec, T> {
  detail::AdiLines<Exec, T> lines;
  std::array<double, 2> bounds{};
  std::vector<double> parameters;

  State(Exec const& space, SevenPoint<Exec, T> const& a)
      : detail::SteadyFrame<Exec, T>(space, a, "karman::adi"), lines(space, a, "karman::adi") {
    find_bounds(space);
    parameters = lines.dimensions() == 1 ? parameters_of_one_axis(space) : parameters_of_several_axes(space);
    compat::fence(space, "karman::adi::plan");
  }

  /// Parameters that make a direct solve. Where a run of cells floats, it leaves a thousandth of the error, or the
  /// limit of the precision of the pivots.
  std::vector<double> parameters_of_one_axis(Exec const& space) const {
    bool const empty = lines.on_lines(0).grid().cell_count() == 0;
    bool const held = empty || !detail::has_floating_run(space, lines.on_lines(0).cells(), lines.axis(0));
    if (!this->a.singular() && this->communicator().agree(held)) return {0};
    double const resolved = 32 * static_cast<double>(std::numeric_limits<T>::epsilon()) * bounds[1];
    double const r = std::max(1e-3 * bounds[0], resolved);
    return {r > 0 ? r : 1};
  }

  std::vector<double> parameters_of_several_axes(Exec const& space) {
    double const lowest = bounds[0], highest = bounds[1];
    if (!(lowest > 0 && lowest <= highest)) return {1};  // no open face: a zero residual stays zero with any parameter
    auto cycle = detail::parameter_cycle(lowest, highest);
    // Without walls the matrices of the axes commute, and the cycle converges by theory.
    bool const open = this->a.grid().cell_count() == 0 || this->a.cells().storage == detail::CellStorage::box;
    if (this->communicator().agree(open)) return cycle;
    auto const extents = this->a.extents();
    Field<Exec, T> const error(
        Kokkos::view_alloc(space, Kokkos::WithoutInitializing, std::string("karman::adi::probe")), extents[0],
        extents[1], extents[2]);
    auto const iterate = [&](double r) { return iterate_on_error(space, error, r); };
    detail::fill_rough(space, this->a.grid(), error);
    if (detail::cycle_contracts<T>(cycle, iterate)) return cycle;
    double const middle = std::sqrt(lowest) * std::sqrt(highest);
    if (lines.dimensions() == 2) return {middle};
    double const safe = detail::safe_parameter_of_three_axes(highest);
    for (double r = 2 * middle; r < safe; r *= 2) {
      detail::fill_rough(space, this->a.grid(), error);
      if (detail::parameter_contracts(r, iterate)) return {r};
    }
    return {safe};
  }

  /// One iteration on a field whose solution is zero except for the boundary values. Returns max |residual| before it.
  double iterate_on_error(Exec const& space, Field<Exec, T> const& error, double r) const {
    lines.rate(space, error, error.data(), 0, this->residual, this->largest().data());
    double const before = this->fetch_largest(space);
    correct(space, error, r);
    return before;
  }

  void find_bounds(Exec const& space) {
    auto const& a = this->a;
    UniformGrid const& grid = a.grid();
    std::array<bool, 3> const periodic = a.problem().sides.periodic();
    std::array<int, 3> const& cells = grid.global_cells();
    double const mean_dz = (grid.z_face(grid.nz()) - grid.z_face(0)) / grid.nz();
    std::array<double, 3> const spacing{grid.dx(), grid.dy(), mean_dz};
    bounds = {HUGE_VAL, 0};
    for (int n = 0; n < lines.dimensions(); ++n) {
      auto const axis = static_cast<std::size_t>(lines.axis(n));
      auto const [largest, open] = axis_bounds(space, lines.on_lines(n), lines.axis(n));
      double const mode =
          detail::smallest_eigenvalue(cells[axis], spacing[axis], a.opening(static_cast<Side>(2 * axis)),
                                      a.opening(static_cast<Side>(2 * axis + 1)), periodic[axis])
              .after_constant;
      bounds[1] = std::max(bounds[1], largest);
      if (largest > 0) bounds[0] = std::min(bounds[0], a.problem().weights[axis] * mode * open);
    }
    if (!std::isfinite(bounds[0])) bounds[0] = 0;
    bounds[0] = std::min(bounds[0], bounds[1]);
  }

  void correct(Exec const& space, Field<Exec, T> const& x, double r) const {
    if (lines.dimensions() == 1) {
      lines.step(space, x, this->residual, r, 1, 1);
    } else {
      lines.step(space, x, this->residual, 1, 1 / r, 2 / r);
    }
  }

  void require_parameter(double r) const {
    require(std::isfinite(r) && (r > 0 || (r == 0 && lines.dimensions() == 1)),
            "Adi: a parameter must be positive, or zero in one dimension");
  }
};

template <ExecutionSpace Exec, Real T>
Adi<Exec, T>::Adi(Exec const& space, SevenPoint<Exec, T> const& a) {
  Region const region("karman::adi::plan");
  state_ = {"Adi", std::make_unique<State>(space, a)};
  compat::fence(space, "karman::adi::plan");
}

template <ExecutionSpace Exec, Real T>
void Adi<Exec, T>::iterate(Exec const& space, Field<Exec, T> const& x, ConstField<Exec, T> const& rhs, double r) {
  State& s = *state_;
  s.communicator().check_in_all([&] {
    s.check(x, "Adi", "x");
    s.check(rhs, "Adi", "rhs");
    s.require_parameter(r);
  });
  s.lines.rate(space, x, rhs.data(), -1, s.residual, nullptr);
  s.correct(space, x, r);
}

template <ExecutionSpace Exec, Real T>
SolveReport Adi<Exec, T>::solve(Exec const& space, Field<Exec, T> const& x, ConstField<Exec, T> const& rhs,
                                AdiOptions const& options) {
  Region const region("karman::adi::solve");
  State& s = *state_;
  auto const& cycle = options.parameters.empty() ? s.parameters : options.parameters;
  s.communicator().check_in_all([&] {
    detail::require_iteration_options(options, "AdiOptions");
    s.check(x, "Adi", "x");
    s.check(rhs, "Adi", "rhs");
    for (double r : cycle) s.require_parameter(r);
  });
  auto const measure = [&](ConstField<Exec, T> const& b) {
    s.lines.rate(space, x, b.data(), -1, s.residual, s.largest().data());
  };
  return s.run(
      space, x, rhs, options,
      [&](ConstField<Exec, T> const& b, int number, int count) {
        for (int n = 0; n < count; ++n) {
          if (n > 0) measure(b);  // the first residual is already computed
          s.correct(space, x, cycle[static_cast<std::size_t>(number + n) % cycle.size()]);
        }
      },
      measure);
}

template <ExecutionSpace Exec, Real T>
std::array<double, 2> Adi<Exec, T>::eigenvalue_bounds() const {
  return state_->bounds;
}

template <ExecutionSpace Exec, Real T>
std::vector<double> const& Adi<Exec, T>::parameters() const {
  return state_->parameters;
}

template <ExecutionSpace Exec, Real T>
std::int64_t Adi<Exec, T>::workspace_bytes() const {
  return state_->bytes() + state_->lines.bytes();
}

template <ExecutionSpace Exec, Real T>
std::int64_t Adi<Exec, T>::workspace_bytes(Exec const& space, SevenPointShape const& shape) {
  return State::bytes_of(shape, 0) + detail::AdiLines<Exec, T>::bytes_of(space, shape);
}

template <ExecutionSpace Exec, Real T>
std::int64_t Adi<Exec, T>::workspace_bytes(Exec const& space, SevenPointShape const& shape,
                                           BoxDecomposition const& boxes) {
  require(boxes.cells() == shape.grid.global_cells(), "Adi: the boxes must divide the grid");
  return detail::AdiLines<Exec, T>::most_bytes_of(space, shape, boxes,
                                                  [](SevenPointShape const& part) { return State::bytes_of(part, 0); });
}

template <ExecutionSpace Exec, Real T>
struct HeatAdi<Exec, T>::State {
  detail::AdiLines<Exec, T> lines;
  std::array<int, 3> extents;
  Communicator communicator;
  Field<Exec, T> d;
  State(Exec const& space, SevenPoint<Exec, T> const& a)
      : lines(space, a, "karman::heat"),
        extents(a.extents()),
        communicator(a.communicator()),
        d(Kokkos::view_alloc(space, std::string("karman::heat::change")), extents[0], extents[1], extents[2]) {}
};

template <ExecutionSpace Exec, Real T>
HeatAdi<Exec, T>::HeatAdi(Exec const& space, SevenPoint<Exec, T> const& a) {
  Region const region("karman::heat::plan");
  state_ = {"HeatAdi", std::make_unique<State>(space, a)};
  compat::fence(space, "karman::heat::plan");
}

template <ExecutionSpace Exec, Real T>
void HeatAdi<Exec, T>::step(Exec const& space, Field<Exec, T> const& u, ConstField<Exec, T> const& source, double dt) {
  Region const region("karman::heat::step");
  State const& s = *state_;
  bool const has_source = source.size() != 0;
  s.communicator.check_in_all([&] {
    require(dt > 0 && std::isfinite(dt), "HeatAdi: dt must be positive and finite");
    detail::require_field(u, s.extents, "HeatAdi", "u");
    if (has_source) detail::require_field(source, s.extents, "HeatAdi", "source");
  });
  s.lines.rate(space, u, has_source ? source.data() : u.data(), has_source ? 1 : 0, s.d, nullptr);
  s.lines.step(space, u, s.d, 1, 0.5 * dt, dt);
}

template <ExecutionSpace Exec, Real T>
std::int64_t HeatAdi<Exec, T>::workspace_bytes() const {
  return static_cast<std::int64_t>(state_->d.size() * sizeof(T)) + state_->lines.bytes();
}

template <ExecutionSpace Exec, Real T>
std::int64_t HeatAdi<Exec, T>::workspace_bytes(Exec const& space, SevenPointShape const& shape) {
  return shape.grid.cell_count() * static_cast<std::int64_t>(sizeof(T)) +
         detail::AdiLines<Exec, T>::bytes_of(space, shape);
}

template <ExecutionSpace Exec, Real T>
std::int64_t HeatAdi<Exec, T>::workspace_bytes(Exec const& space, SevenPointShape const& shape,
                                               BoxDecomposition const& boxes) {
  require(boxes.cells() == shape.grid.global_cells(), "HeatAdi: the boxes must divide the grid");
  return detail::AdiLines<Exec, T>::most_bytes_of(space, shape, boxes, [](SevenPointShape const& part) {
    return part.grid.cell_count() * static_cast<std::int64_t>(sizeof(T));
  });
}

#define KARMAN_INSTANTIATE(Exec)       \
  template class Adi<Exec, float>;     \
  template class Adi<Exec, double>;    \
  template class HeatAdi<Exec, float>; \
  template class HeatAdi<Exec, double>;
KARMAN_FOR_EACH_BACKEND(KARMAN_INSTANTIATE)
#undef KARMAN_INSTANTIATE

}  // namespace karman
