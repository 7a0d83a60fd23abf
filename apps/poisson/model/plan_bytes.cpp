// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "device_system.hpp"
#include "poisson/model/method_choice.hpp"
#include <karman/solvers/grid/adi.hpp>
#include <karman/solvers/grid/conjugate_gradients.hpp>
#include <karman/solvers/grid/fast_poisson.hpp>
#include <karman/solvers/grid/multigrid.hpp>
#include <karman/solvers/grid/red_black_sor.hpp>
#include <karman/solvers/grid/relaxation.hpp>
#include <karman/solvers/tridiagonal/tridiagonal.hpp>

namespace karman::poisson {
namespace {

/// Bytes of the members of the classes in method_*.cpp. `part`: the largest one, or all cells.
template <ExecutionSpace Exec, Real T>
std::int64_t workspace_bytes(Exec const& space, Method method, SolverSettings const& settings, SystemShape const& shape,
                             UniformGrid const& part) {
  SevenPointShape const whole = equation_shape(shape);
  SevenPointShape equation = whole;
  equation.grid = part;
  auto const& boxes = shape.boxes;
  std::int64_t const of_operator = SevenPoint<Exec, T>::workspace_bytes(equation);
  switch (method) {
    case Method::jacobi: return of_operator + Jacobi<Exec, T>::workspace_bytes(equation);
    case Method::gauss_seidel: return of_operator + GaussSeidel<Exec, T>::workspace_bytes(equation);
    case Method::red_black_gs:
    case Method::sor:
    case Method::sor_optimal: return RedBlackSor<Exec, T>::workspace_bytes(equation);
    case Method::adi:
      return of_operator + (boxes ? Adi<Exec, T>::workspace_bytes(space, whole, *boxes)
                                  : Adi<Exec, T>::workspace_bytes(space, whole));
    case Method::cg: return of_operator + ConjugateGradients<Exec, T>::workspace_bytes(part.extents(Location::cell));
    case Method::multigrid:
    case Method::mg_pcg: {
      MultigridSetup setup;
      setup.cycle = settings.cycle;
      setup.single_precision_cycles = settings.cycle_precision != Precision::f64;
      return boxes ? Multigrid<Exec, T>::workspace_bytes(space, whole, *boxes, setup)
                   : Multigrid<Exec, T>::workspace_bytes(space, whole, setup);
    }
    case Method::direct:
      // why_not() checks elsewhere that the method applies.
      equation = whole;
      equation.form = CoefficientForm::open;
      return boxes ? FastPoisson<Exec, T>::workspace_bytes(equation, *boxes)
                   : FastPoisson<Exec, T>::workspace_bytes(equation);
    case Method::tridiagonal: {
      std::int64_t const rows = shape.grid.nx();
      return Tridiagonal<Exec, T>::workspace_bytes(space, TridiagonalShape::along(0, {rows})) +
             4 * rows * static_cast<std::int64_t>(sizeof(T));
    }
  }
  return 0;
}

template <ExecutionSpace Exec, Real T>
std::int64_t bytes_on(Exec const& space, Method method, SolverSettings const& settings, SystemShape const& shape) {
  SystemShape of_part = shape;
  of_part.grid = largest_part(shape);
  // Values, coefficients and messages along the cuts; up to 8 per cell were found, by red-black methods with faces.
  constexpr std::int64_t values_along_cuts = 10;
  std::int64_t const at_cuts = values_along_cuts * cells_at_cuts(shape) * static_cast<std::int64_t>(sizeof(T));
  return DeviceSystem<Exec, T>::bytes(of_part) + at_cuts +
         workspace_bytes<Exec, T>(space, method, settings, shape, of_part.grid);
}

}  // namespace

UniformGrid largest_part(SystemShape const& shape) {
  if (!shape.boxes) return shape.grid;
  UniformGrid largest = shape.boxes->part(shape.grid, 0);
  for (int rank = 1; rank < shape.boxes->processes(); ++rank) {
    UniformGrid const part = shape.boxes->part(shape.grid, rank);
    if (part.cell_count() > largest.cell_count()) largest = part;
  }
  return largest;
}

std::int64_t cells_at_cuts(SystemShape const& shape) {
  if (!shape.boxes) return 0;
  auto const parts = shape.boxes->parts();
  UniformGrid const part = largest_part(shape);
  std::int64_t cells = 0;
  for (std::size_t axis = 0; axis < 2; ++axis) {
    bool const periodic = shape.sides[2 * axis] == Boundary::periodic;
    int const neighbors = parts[axis] == 1 ? 0 : parts[axis] == 2 && !periodic ? 1 : 2;
    cells += neighbors * std::int64_t{axis == 0 ? part.ny() : part.nx()} * part.nz();
  }
  return cells;
}

std::int64_t plan_bytes(Backend backend, Method method, SolverSettings const& settings, SystemShape const& shape) {
  return dispatch(backend, [&](auto const& space) {
    using Exec = std::decay_t<decltype(space)>;
    return settings.precision == Precision::f32 ? bytes_on<Exec, float>(space, method, settings, shape)
                                                : bytes_on<Exec, double>(space, method, settings, shape);
  });
}

}  // namespace karman::poisson
