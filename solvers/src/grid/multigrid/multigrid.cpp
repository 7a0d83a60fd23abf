// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "common/field_checks.hpp"
#include "common/iteration_watch.hpp"
#include "grid/stencil/problem_checks.hpp"
#include "grid/stencil/problem_part.hpp"
#include "inspect.hpp"
#include "solver.hpp"
#include <karman/core/error.hpp>
#include <karman/core/profiling.hpp>
#include <karman/solvers/grid/multigrid.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <string>
#include <type_traits>

namespace karman {

std::string_view name(MultigridCycle cycle) {
  switch (cycle) {
    case MultigridCycle::v: return "v";
    case MultigridCycle::w: return "w";
    case MultigridCycle::f: return "f";
  }
  return "unknown";
}

std::string_view name(MultigridSmoother smoother) {
  switch (smoother) {
    case MultigridSmoother::automatic: return "automatic";
    case MultigridSmoother::red_black: return "red_black";
    case MultigridSmoother::line: return "line";
  }
  return "unknown";
}

std::string_view name(MultigridCoarsening coarsening) {
  switch (coarsening) {
    case MultigridCoarsening::automatic: return "automatic";
    case MultigridCoarsening::pairs: return "pairs";
    case MultigridCoarsening::aggregates: return "aggregates";
  }
  return "unknown";
}

namespace {

void require_setup(MultigridSetup const& setup, Boundaries const& sides) {
  require(setup.pre >= 1 && setup.post >= 1, "MultigridSetup: pre and post must be at least 1");
  require(setup.omega >= 0 && setup.omega < 2, "MultigridSetup: omega must lie in (0, 2), or be 0 for the best one");
  require(setup.gathered_cells >= 0, "MultigridSetup: gathered_cells must not be negative");
  require(setup.gathered_parts >= 1, "MultigridSetup: gathered_parts must be at least 1");
  require(setup.smoother != MultigridSmoother::line || !sides.periodic()[2],
          "MultigridSetup: the line smoother needs an axis z that is not periodic");
}

/// Input except for the coefficients. `openings`: twice the widest coefficient on each side. `whole`: sides that hold
/// their value on the side itself.
template <class Exec, class T>
void describe(detail::MultigridInput<Exec, T>& input, std::array<double, 6> const& openings,
              std::array<bool, 6> const& on_side, std::array<double, 3> const& scale) {
  UniformGrid const& grid = input.problem.grid;
  auto const periodic = input.problem.sides.periodic();
  input.planar = grid.global_cells()[2] == 1 && (periodic[2] || (openings[4] == 0 && openings[5] == 0));
  for (std::size_t a = 0; a < 3; ++a) {
    detail::MultigridAxis axis;
    axis.weight = input.problem.weights[a];
    axis.periodic = periodic[a];
    int const cells = grid.global_cells()[a];
    for (int i = 0; i < cells; ++i) axis.width.push_back(a == 0 ? grid.dx() : a == 1 ? grid.dy() : grid.dz(i));
    auto const end = [&](std::size_t side, double width) {
      if (periodic[a] || openings[side] == 0) return detail::MultigridEnd{};
      return detail::MultigridEnd{false, on_side[side] ? 0.0 : 0.5 * width};
    };
    axis.high = end(2 * a, axis.width.back());
    axis.low = end(2 * a + 1, axis.width.front());
    std::size_t const to = input.planar ? (a == 0 ? 0 : 3 - a) : a;  // planar: y instead of z
    input.axes[to] = axis;
    input.scale[to] = scale[a];
    for (std::size_t side = 2 * a; side < 2 * a + 2; ++side) {
      input.side_value[side - 2 * a + 2 * to] = on_side[side] ? 2 : 1;
    }
  }
  if (input.planar) {
    input.axes[1] = detail::MultigridAxis();
    input.axes[1].width = {1};
  }
  auto const& part = input.part;
  input.boxes = detail::MultigridBoxes(part.boxes, part.communicator.rank(), input.planar, periodic);
}

template <class Exec, class T>
std::unique_ptr<detail::MultigridPlan<Exec, T>> make_solver(Exec const& space,
                                                            detail::MultigridInput<Exec, T> const& input,
                                                            detail::MultigridPurpose purpose) {
  if constexpr (std::is_same_v<T, double>) {
    if (input.setup.single_precision_cycles) {
      return detail::make_multigrid_solver<Exec, T, float>(space, input, purpose);
    }
  }
  return detail::make_multigrid_solver<Exec, T, T>(space, input, purpose);
}

std::array<int, 3> cells_of(UniformGrid const& grid) { return {grid.nx(), grid.ny(), grid.nz()}; }

/// Throws, in all processes, unless those with cells give coefficients of one form. Collective with more than one.
template <class Exec, class T>
void require_one_form(SevenPointProblem<Exec, T> const& problem, Communicator const& communicator, bool arrays,
                      bool walls, bool own_weights) {
  communicator.check_in_all([&] {
    bool const none = problem.grid.cell_count() == 0;
    require(none || (problem.has_coefficients() == arrays && problem.has_walls() == walls &&
                     problem.coefficients.has_own_weights() == own_weights),
            "Multigrid: all processes must give coefficients of the same form (sides, walls, or arrays with or "
            "without own weights), found two");
  });
}

/// Findings of all processes. Collective with more than one.
template <class Exec, class T, class Doubled>
detail::MultigridFindings inspect_all(Exec const& space, detail::MultigridInput<Exec, T> const& input,
                                      std::array<double, 6> const& openings, Doubled const& doubled) {
  UniformGrid const& grid = input.problem.grid;
  auto const periodic = input.problem.sides.periodic();
  std::array<bool, 6> beyond{};
  for (std::size_t side = 0; side < 6; ++side) beyond[side] = periodic[side / 2] || input.part.cut[side];
  auto const mine = detail::inspect(space, cells_of(grid), grid.global_cells(), openings, beyond, doubled);
  detail::MultigridFindings all;
  for (auto const& one : input.part.communicator.all_gather(mine)) {
    all.irregular += one.irregular;
    all.weighted += one.weighted;
    all.bad += one.bad;
    all.inner += one.inner;
    all.blocked += one.blocked;
  }
  return all;
}

/// Sums over the cells of all processes. Collective with more than one.
template <class Exec, class T, class Doubled>
detail::MultigridFaceSums sum_all_faces(Exec const& space, detail::MultigridInput<Exec, T> const& input, int face,
                                        bool at_side, Doubled const& doubled) {
  detail::MultigridFaceSums mine, all;
  bool const counts = input.problem.grid.cell_count() > 0 && !(at_side && input.part.cut[face]);
  if (counts) mine = detail::sum_faces(space, cells_of(input.problem.grid), face, at_side, doubled);
  for (auto const& one : input.part.communicator.all_gather(mine)) {
    all.toward += one.toward;
    all.opposite += one.opposite;
  }
  return all;
}

/// Twice the widest coefficient on each side of the whole grid. Collective with more than one process.
template <class Exec, class T, class Coefficients>
std::array<double, 6> openings_of_all(Exec const& space, detail::MultigridInput<Exec, T> const& input,
                                      Coefficients const& coefficients) {
  std::array<double, 6> openings{};
  input.part.communicator.check_in_all(
      [&] { openings = detail::checked_openings(space, coefficients, input.part.sides, "Multigrid"); });
  return input.part.joined(openings);
}

/// Completes the input of a problem with codes. Returns twice the widest coefficient on each side.
template <class Exec, class T>
std::array<double, 6> look_at_codes(Exec const& space, detail::MultigridInput<Exec, T>& input) {
  auto const& problem = input.problem;
  input.codes = true;
  auto const openings = openings_of_all(space, input, problem.walls);
  std::array<bool, 6> on_side{};
  bool plain_sides = true;
  for (std::size_t side = 0; side < 6; ++side) {
    on_side[side] = openings[side] == 4;
    plain_sides = plain_sides && openings[side] != 1;
  }
  auto const found = inspect_all(space, input, openings, detail::DoubledCodes<Exec>{problem.walls});
  input.regular = plain_sides && found.irregular == 0;
  input.weighted = found.weighted > 0;
  input.blocked_share = found.blocked_share();
  describe(input, openings, on_side, {1, 1, 1});
  return openings;
}

/// The same with arrays.
template <class Exec, class T>
std::array<double, 6> look_at_arrays(Exec const& space, detail::MultigridInput<Exec, T>& input) {
  auto const& problem = input.problem;
  auto const& c = problem.coefficients;
  auto const& cells = problem.grid.global_cells();
  detail::DoubledArrays<Exec, T> doubled{{c.east, c.west, c.north, c.south, c.top, c.bottom}, c.has_own_weights()};
  auto const openings = openings_of_all(space, input, c);
  std::array<bool, 6> on_side{};
  bool plain_sides = true;
  for (int side = 0; side < 6; ++side) {
    auto const s = static_cast<std::size_t>(side);
    auto const sums = sum_all_faces(space, input, side, true, doubled);
    // A value on the side is half as far away as the next cell. Any other ratio is replaced by the closest of the two.
    bool const single = cells[s / 2] == 1;
    on_side[s] = single ? openings[s] > 3 : sums.toward > 1.5 * sums.opposite;
    plain_sides = plain_sides && (openings[s] == 0 || openings[s] == (on_side[s] ? 4 : 2));
  }
  auto const found = inspect_all(space, input, openings, doubled);
  require(found.bad == 0,
          "Multigrid: " + std::to_string(found.bad) + " cells have a face coefficient that is negative or not finite");
  input.regular = plain_sides && found.irregular == 0;
  input.weighted = found.weighted > 0;
  input.blocked_share = found.blocked_share();
  std::array<double, 3> scale{};
  double whole = 0;
  for (std::size_t a = 0; a < 3; ++a) {
    scale[a] = sum_all_faces(space, input, static_cast<int>(2 * a), false, doubled).toward;
    whole = std::max(whole, scale[a]);
  }
  for (double& value : scale) value = whole > 0 ? value / whole : 1;
  describe(input, openings, on_side, scale);
  return openings;
}

/// The same without coefficients, from the shape of the problem.
template <class Exec, class T>
void look_at_shape(detail::MultigridInput<Exec, T>& input, SevenPointShape const& shape) {
  input.blocked_share = shape.blocked_share;
  std::array<double, 6> openings{};
  std::array<bool, 6> on_side{};
  for (std::size_t side = 0; side < 6; ++side) {
    Boundary const kind = shape.sides[static_cast<Side>(side)];
    on_side[side] = kind == Boundary::dirichlet;
    openings[side] = kind == Boundary::neumann ? 0 : on_side[side] ? 4 : 2;
  }
  input.codes = shape.form != CoefficientForm::arrays;
  // The codes of a periodic axis of one cell are closed, and differ from the codes of an open box.
  input.regular = shape.form == CoefficientForm::open;
  std::array const cells = cells_of(shape.grid);
  auto const periodic = shape.sides.periodic();
  for (std::size_t a = 0; a < 3; ++a) input.regular = input.regular && !(periodic[a] && cells[a] == 1);
  input.weighted = shape.own_weights;
  // As look_at_arrays() finds it where every inner face is open.
  std::array<double, 3> scale{1, 1, 1};
  if (shape.form == CoefficientForm::arrays) {
    for (std::size_t a = 0; a < 3; ++a) scale[a] = (2.0 * (cells[a] - 1) + openings[2 * a]) / cells[a];
    double const whole = std::max({scale[0], scale[1], scale[2]});
    for (double& value : scale) value = whole > 0 ? value / whole : 1;
  }
  describe(input, openings, on_side, scale);
}

}  // namespace

template <ExecutionSpace Exec, Real T>
struct Multigrid<Exec, T>::State {
  detail::ProblemPart part;
  UniformGrid grid;
  bool planar = false;
  std::array<bool, 6> closed{};  ///< true where no face of the side is open
  std::unique_ptr<detail::MultigridPlan<Exec, T>> solver;

  State(SevenPointProblem<Exec, T> const& problem, detail::ProblemPart const& part_)
      : part(part_), grid(problem.grid) {}

  /// Throws unless the extents of a field fit.
  template <class V>
  void require_extents(V const& field, char const* what) const {
    detail::require_extents(field, grid.extents(Location::cell), "Multigrid", what);
  }
};

template <ExecutionSpace Exec, Real T>
Multigrid<Exec, T>::Multigrid(Exec const& space, SevenPointProblem<Exec, T> const& problem,
                              MultigridSetup const& setup) {
  Region const region("karman::multigrid::plan");
  auto const& communicator = setup.communicator;
  communicator.check_in_all([&] {
    detail::require_problem(problem, "Multigrid");
    require_setup(setup, problem.sides);
  });
  detail::ProblemPart const part(communicator, problem.grid, problem.sides, "Multigrid");
  bool const arrays = detail::any_gives(communicator, problem.has_coefficients());
  require_one_form(problem, communicator, arrays, detail::any_gives(communicator, problem.has_walls()),
                   detail::any_gives(communicator, problem.coefficients.has_own_weights()));
  state_ = {"Multigrid", std::make_unique<State>(problem, part)};
  detail::MultigridInput<Exec, T> input(problem, setup, part);
  std::array<double, 6> openings{};
  if (arrays) {
    openings = look_at_arrays(space, input);
  } else {
    input.problem.walls = detail::codes_of(space, problem, communicator);
    openings = look_at_codes(space, input);
  }
  state_->planar = input.planar;
  for (std::size_t side = 0; side < 6; ++side) state_->closed[side] = openings[side] == 0;
  state_->solver = make_solver(space, input, detail::MultigridPurpose::solving);
}

template <ExecutionSpace Exec, Real T>
void Multigrid<Exec, T>::set_boundary_values(Exec const& space, Side side, ConstPlane<Exec, T> const& values) {
  State const& s = *state_;
  int const number = static_cast<int>(side);
  int const axis = number / 2;
  detail::require_side_values(values, s.grid, side, "Multigrid");
  detail::require_not_periodic(s.part.periodic[static_cast<std::size_t>(axis)], "Multigrid");
  if (s.closed[static_cast<std::size_t>(number)]) return;
  bool const touches = s.grid.cell_count() > 0 && !s.part.cut[static_cast<std::size_t>(number)];
  s.solver->set_boundary_values(space, number, touches ? values : ConstPlane<Exec, T>());
}

template <ExecutionSpace Exec, Real T>
SolveReport Multigrid<Exec, T>::solve(Exec const& space, Field<Exec, T> const& x, ConstField<Exec, T> const& rhs,
                                      MultigridOptions const& options) {
  Region const region("karman::multigrid::solve");
  State const& s = *state_;
  s.part.communicator.check_in_all([&] {
    detail::require_iteration_options(options, "MultigridOptions");
    s.require_extents(x, "x");
    s.require_extents(rhs, "rhs");
  });
  return state_->solver->solve(space, x, rhs, options);
}

template <ExecutionSpace Exec, Real T>
SolveReport Multigrid<Exec, T>::solve(Exec const& space, Plane<Exec, T> const& x, ConstPlane<Exec, T> const& rhs,
                                      MultigridOptions const& options) {
  require(state_->grid.nz() == 1, "Multigrid: the two-dimensional form needs a grid of one layer");
  return solve(space, Field<Exec, T>(x.data(), 1, x.extent(0), x.extent(1)),
               ConstField<Exec, T>(rhs.data(), 1, rhs.extent(0), rhs.extent(1)), options);
}

template <ExecutionSpace Exec, Real T>
void Multigrid<Exec, T>::apply(Exec const& space, ConstField<Exec, T> const& residual,
                               Field<Exec, T> const& correction) const {
  Region const region("karman::multigrid::apply");
  state_->require_extents(residual, "residual");
  state_->require_extents(correction, "correction");
  state_->solver->apply(space, residual, correction);
}

template <ExecutionSpace Exec, Real T>
std::array<int, 3> Multigrid<Exec, T>::extents() const {
  return state_->grid.extents(Location::cell);
}

template <ExecutionSpace Exec, Real T>
Communicator Multigrid<Exec, T>::communicator() const {
  return state_->part.communicator;
}

template <ExecutionSpace Exec, Real T>
std::vector<std::array<int, 3>> Multigrid<Exec, T>::levels() const {
  auto result = state_->solver->extents();
  if (state_->planar) {
    for (auto& cells : result) std::swap(cells[1], cells[2]);
  }
  return result;
}

template <ExecutionSpace Exec, Real T>
int Multigrid<Exec, T>::levels_in_parts() const {
  return state_->solver->levels_in_parts();
}

template <ExecutionSpace Exec, Real T>
std::vector<int> Multigrid<Exec, T>::parts() const {
  return state_->solver->parts();
}

template <ExecutionSpace Exec, Real T>
bool Multigrid<Exec, T>::singular() const {
  return state_->solver->singular();
}

template <ExecutionSpace Exec, Real T>
MultigridSmoother Multigrid<Exec, T>::smoother() const {
  return state_->solver->lines() ? MultigridSmoother::line : MultigridSmoother::red_black;
}

template <ExecutionSpace Exec, Real T>
MultigridCoarsening Multigrid<Exec, T>::coarsening() const {
  return state_->solver->aggregates() ? MultigridCoarsening::aggregates : MultigridCoarsening::pairs;
}

template <ExecutionSpace Exec, Real T>
double Multigrid<Exec, T>::omega() const {
  return state_->solver->omega();
}

template <ExecutionSpace Exec, Real T>
std::int64_t Multigrid<Exec, T>::workspace_bytes() const {
  return state_->solver->bytes();
}

template <ExecutionSpace Exec, Real T>
std::int64_t Multigrid<Exec, T>::workspace_bytes(Exec const& space, SevenPointShape const& shape,
                                                 MultigridSetup const& setup) {
  require_setup(setup, shape.sides);
  detail::require_size(shape.grid, "Multigrid");
  MultigridSetup alone = setup;
  alone.communicator = {};
  detail::MultigridInput<Exec, T> input({shape.grid, shape.sides, shape.weights}, alone,
                                        {alone.communicator, shape.grid, shape.sides, "Multigrid"});
  look_at_shape(input, shape);
  return make_solver(space, input, detail::MultigridPurpose::counting)->bytes();
}

template <ExecutionSpace Exec, Real T>
std::int64_t Multigrid<Exec, T>::workspace_bytes(Exec const& space, SevenPointShape const& shape,
                                                 BoxDecomposition const& boxes, MultigridSetup const& setup) {
  require_setup(setup, shape.sides);
  require(boxes.cells() == shape.grid.global_cells(), "Multigrid: the boxes must divide the grid");
  MultigridSetup alone = setup;
  alone.communicator = {};
  detail::MultigridInput<Exec, T> input({shape.grid, shape.sides, shape.weights}, alone,
                                        {alone.communicator, shape.grid, shape.sides, "Multigrid"});
  look_at_shape(input, shape);
  // Parts of one size with neighbours on the same sides, in groups of one kind, need the same. There are few kinds.
  std::set<std::vector<int>> seen;
  std::int64_t most = 0;
  for (int rank = 0; rank < boxes.processes(); ++rank) {
    detail::require_size(boxes.part(shape.grid, rank), "Multigrid");
    input.boxes = detail::MultigridBoxes(boxes, rank, input.planar, shape.sides.periodic());
    if (!seen.insert(input.boxes.kind(setup.gathered_parts)).second) continue;
    most = std::max(most, make_solver(space, input, detail::MultigridPurpose::counting)->bytes());
  }
  return most;
}

#define KARMAN_INSTANTIATE(Exec)         \
  template class Multigrid<Exec, float>; \
  template class Multigrid<Exec, double>;
KARMAN_FOR_EACH_BACKEND(KARMAN_INSTANTIATE)
#undef KARMAN_INSTANTIATE

}  // namespace karman
