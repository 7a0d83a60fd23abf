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

/// Bytes of the members of the classes in method_*.cpp.
template <ExecutionSpace Exec, Real T>
std::int64_t workspace_bytes(Exec const& space, Method method, SolverSettings const& settings,
                             SystemShape const& shape) {
  SevenPointShape equation = equation_shape(shape);
  std::int64_t const of_operator = SevenPoint<Exec, T>::workspace_bytes(equation);
  switch (method) {
    case Method::jacobi: return of_operator + Jacobi<Exec, T>::workspace_bytes(equation);
    case Method::gauss_seidel: return of_operator + GaussSeidel<Exec, T>::workspace_bytes(equation);
    case Method::red_black_gs:
    case Method::sor:
    case Method::sor_optimal: return RedBlackSor<Exec, T>::workspace_bytes(equation);
    case Method::adi: return of_operator + Adi<Exec, T>::workspace_bytes(space, equation);
    case Method::cg:
      return of_operator + ConjugateGradients<Exec, T>::workspace_bytes(shape.grid.extents(Location::cell));
    case Method::multigrid:
    case Method::mg_pcg:
      return Multigrid<Exec, T>::workspace_bytes(
          space, equation,
          {.cycle = settings.cycle, .single_precision_cycles = settings.cycle_precision != Precision::f64});
    case Method::direct:
      // why_not() checks elsewhere that the method applies.
      equation.form = CoefficientForm::open;
      return FastPoisson<Exec, T>::workspace_bytes(equation);
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
  return DeviceSystem<Exec, T>::bytes(shape) + workspace_bytes<Exec, T>(space, method, settings, shape);
}

}  // namespace

std::int64_t plan_bytes(Backend backend, Method method, SolverSettings const& settings, SystemShape const& shape) {
  return dispatch(backend, [&](auto const& space) {
    using Exec = std::decay_t<decltype(space)>;
    return settings.precision == Precision::f32 ? bytes_on<Exec, float>(space, method, settings, shape)
                                                : bytes_on<Exec, double>(space, method, settings, shape);
  });
}

}  // namespace karman::poisson
