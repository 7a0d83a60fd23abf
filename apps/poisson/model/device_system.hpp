// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// LinearSystem in the memory of one backend, and parts shared by all methods.
#pragma once

#include "solver.hpp"
#include <karman/core/backend.hpp>
#include <karman/core/types.hpp>
#include <karman/solvers/grid/seven_point.hpp>

#include <optional>

namespace karman::poisson {

/// Right-hand side, solution and equation. A constant coefficient goes into the weights, and solid cells into wall
/// codes; otherwise the faces are arrays.
template <ExecutionSpace Exec, Real T>
struct DeviceSystem {
  explicit DeviceSystem(Exec const& space_, LinearSystem const& system);

  Exec space;
  SevenPointProblem<Exec, T> problem;
  bool constant_coefficient = true;
  Field<Exec, T> solution, right_hand_side;

  std::int64_t bytes() const;
  /// The same before it is made.
  static std::int64_t bytes(SystemShape const& shape);
};

/// Shape of the equation that a DeviceSystem makes.
SevenPointShape equation_shape(SystemShape const& shape);

/// Copies guess and solution and measures time. The methods add run().
template <ExecutionSpace Exec, Real T>
class DeviceSolver : public PoissonSolver {
 public:
  explicit DeviceSolver(Exec const& space, LinearSystem const& system) : system_(space, system) {}
  void set_guess(ConstArray const& values) override;
  void clear_guess() override;
  SolveOutcome solve(SolveRequest const& request, Monitor const& monitor) override;
  void copy_solution(MutableArray const& values) override;
  std::int64_t memory_bytes() const override { return system_.bytes() + workspace_bytes(); }

 protected:
  using ResidualMonitor = std::function<bool(ResidualSample const&)>;
  /// Solves and waits. Calls `monitor` at every check of the residual.
  virtual SolveReport run(SolveRequest const& request, ResidualMonitor const& monitor) = 0;
  virtual std::int64_t workspace_bytes() const = 0;
  DeviceSystem<Exec, T> system_;
};

#define KARMAN_EXTERN(Exec)                          \
  extern template struct DeviceSystem<Exec, float>;  \
  extern template struct DeviceSystem<Exec, double>; \
  extern template class DeviceSolver<Exec, float>;   \
  extern template class DeviceSolver<Exec, double>;
KARMAN_FOR_EACH_BACKEND(KARMAN_EXTERN)
#undef KARMAN_EXTERN

/// Makes MethodOn<Exec, T>(space, system, settings) for a backend and a precision chosen at run time.
template <template <class, class> class MethodOn>
std::unique_ptr<PoissonSolver> make_on(Backend backend, SolverSettings const& settings, LinearSystem const& system) {
  return dispatch(backend, [&](auto const& space) -> std::unique_ptr<PoissonSolver> {
    using Exec = std::decay_t<decltype(space)>;
    if (settings.precision == Precision::f32) return std::make_unique<MethodOn<Exec, float>>(space, system, settings);
    return std::make_unique<MethodOn<Exec, double>>(space, system, settings);
  });
}

// One function per family of methods, each in a translation unit of its own.
std::unique_ptr<PoissonSolver> make_red_black(Backend, Method, SolverSettings const&, LinearSystem const&);
std::unique_ptr<PoissonSolver> make_relaxation(Backend, Method, SolverSettings const&, LinearSystem const&);
std::unique_ptr<PoissonSolver> make_adi(Backend, SolverSettings const&, LinearSystem const&);
std::unique_ptr<PoissonSolver> make_tridiagonal(Backend, SolverSettings const&, LinearSystem const&);
std::unique_ptr<PoissonSolver> make_direct(Backend, SolverSettings const&, LinearSystem const&);
std::unique_ptr<PoissonSolver> make_multigrid(Backend, Method, SolverSettings const&, LinearSystem const&);
std::unique_ptr<PoissonSolver> make_krylov(Backend, SolverSettings const&, LinearSystem const&);

}  // namespace karman::poisson
