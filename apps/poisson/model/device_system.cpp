// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "device_system.hpp"

#include "common/fields/field_copies.hpp"
#include "stencil.hpp"
#include <karman/core/compat.hpp>
#include <karman/core/host_copy.hpp>

#include <chrono>

namespace karman::poisson {
namespace {

/// A new field without values, with `what` at the end of its label.
template <class T, ExecutionSpace Exec>
Field<Exec, T> make_field(Exec const& space, UniformGrid const& grid, char const* what) {
  auto const [nz, ny, nx] = grid.extents(Location::cell);
  return Field<Exec, T>(Kokkos::view_alloc(space, Kokkos::WithoutInitializing, std::string("karman::poisson::") + what),
                        static_cast<std::size_t>(nz), static_cast<std::size_t>(ny), static_cast<std::size_t>(nx));
}

Boundaries boundaries(std::array<Boundary, 6> const& s) { return {s[0], s[1], s[2], s[3], s[4], s[5]}; }

/// Coefficients of all cells towards one side, divided by the squared spacing, as in FaceCoefficients.
CellValues coefficients_towards(LinearSystem const& system, int side) {
  CellValues values(static_cast<std::size_t>(system.grid.cell_count()), 0);
  if (side >= 2 * system.dimensions) return values;
  Stencil const stencil(system);
  std::array const spacing{system.grid.dx(), system.grid.dy(), system.grid.dz(0)};
  double const h = spacing[static_cast<std::size_t>(side / 2)];
  for_each_fluid_cell(system, [&](int k, int j, int i, std::int64_t cell) {
    values[static_cast<std::size_t>(cell)] = stencil.face(k, j, i, side).coefficient * h * h;
  });
  return values;
}

}  // namespace

template <ExecutionSpace Exec, Real T>
DeviceSystem<Exec, T>::DeviceSystem(Exec const& space_, LinearSystem const& system)
    : space(space_),
      problem(system.grid, boundaries(system.sides)),
      constant_coefficient(system.constant_coefficient()),
      solution(make_field<T>(space, system.grid, "solution")),
      right_hand_side(make_field<T>(space, system.grid, "right_hand_side")) {
  UniformGrid const& grid = system.grid;
  if (constant_coefficient) {
    problem.weights = {system.coefficient, system.coefficient, system.coefficient};
    if (system.has_solid()) {
      auto const solid = make_field<std::uint8_t>(space, grid, "solid");
      copy_to_device(space, system.solid, solid);
      problem.walls = make_wall_codes<Exec>(space, grid, problem.sides, solid, system.communicator);
    }
  } else {
    auto const towards = [&](int side, char const* what) {
      auto const field = make_field<T>(space, grid, what);
      copy_to_device(space, coefficients_towards(system, side), field);
      return field;
    };
    problem.coefficients = FaceCoefficients<Exec, T>(towards(0, "east"), towards(1, "west"), towards(2, "north"),
                                                     towards(3, "south"), towards(4, "top"), towards(5, "bottom"));
  }
  copy_to_device(space, system.b, right_hand_side);
  Kokkos::deep_copy(space, solution, T(0));
  compat::fence(space, "karman::poisson::ready");
}

template <ExecutionSpace Exec, Real T>
std::int64_t DeviceSystem<Exec, T>::bytes() const {
  auto const size = [](auto const& view) {
    return static_cast<std::int64_t>(view.size() * sizeof(typename std::decay_t<decltype(view)>::value_type));
  };
  return size(solution) + size(right_hand_side) + size(problem.walls) + 6 * size(problem.coefficients.east);
}

template <ExecutionSpace Exec, Real T>
std::int64_t DeviceSystem<Exec, T>::bytes(SystemShape const& shape) {
  constexpr std::int64_t real = sizeof(T), code = sizeof(WallCode);
  std::int64_t const coefficients = !shape.constant_coefficient ? 6 * real : shape.has_solid ? code : 0;
  return shape.grid.cell_count() * (2 * real + coefficients);
}

SevenPointShape equation_shape(SystemShape const& shape) {
  CoefficientForm const form = !shape.constant_coefficient ? CoefficientForm::arrays
                               : shape.has_solid           ? CoefficientForm::walls
                                                           : CoefficientForm::open;
  SevenPointShape equation(shape.grid, boundaries(shape.sides), form);
  equation.blocked_share = shape.blocked_share;
  return equation;
}

template <ExecutionSpace Exec, Real T>
void DeviceSolver<Exec, T>::set_guess(ConstArray const& values) {
  app::upload(system_.space, values, system_.solution);
}

template <ExecutionSpace Exec, Real T>
void DeviceSolver<Exec, T>::clear_guess() {
  Kokkos::deep_copy(system_.space, system_.solution, T(0));
  compat::fence(system_.space, "karman::poisson::clear_guess");
}

template <ExecutionSpace Exec, Real T>
SolveOutcome DeviceSolver<Exec, T>::solve(SolveRequest const& request, Monitor const& monitor) {
  using Clock = std::chrono::steady_clock;
  SolveOutcome outcome;
  compat::fence(system_.space, "karman::poisson::before_solve");
  Clock::time_point const start = Clock::now();
  auto const seconds = [&] { return std::chrono::duration<double>(Clock::now() - start).count(); };
  SolveReport const report = run(request, [&](ResidualSample const& check) {
    SolveSample const sample{check.iteration, check.residual, seconds()};
    outcome.history.push_back(sample);
    return !monitor || monitor(sample);
  });
  compat::fence(system_.space, "karman::poisson::after_solve");
  outcome.seconds = seconds();
  outcome.iterations = report.iterations;
  outcome.residual = report.residual;
  outcome.converged = report.converged;
  outcome.stopped = report.stopped;
  outcome.omega = report.omega;
  outcome.breakdown = report.breakdown;
  return outcome;
}

template <ExecutionSpace Exec, Real T>
void DeviceSolver<Exec, T>::copy_solution(MutableArray const& values) {
  app::download(system_.space, system_.solution, values);
}

#define KARMAN_INSTANTIATE(Exec)              \
  template struct DeviceSystem<Exec, float>;  \
  template struct DeviceSystem<Exec, double>; \
  template class DeviceSolver<Exec, float>;   \
  template class DeviceSolver<Exec, double>;
KARMAN_FOR_EACH_BACKEND(KARMAN_INSTANTIATE)
#undef KARMAN_INSTANTIATE

}  // namespace karman::poisson
