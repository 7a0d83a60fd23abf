// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Jacobi and Gauss-Seidel.
#include "device_system.hpp"
#include <karman/solvers/grid/relaxation.hpp>

namespace karman::poisson {
namespace {

template <class Plan, ExecutionSpace Exec, Real T>
class Relaxation : public DeviceSolver<Exec, T> {
 public:
  Relaxation(Exec const& space, LinearSystem const& system, double omega)
      : DeviceSolver<Exec, T>(space, system),
        operator_(space, this->system_.problem, {.communicator = system.communicator}),
        plan_(space, operator_),
        omega_(omega) {}

 protected:
  SolveReport run(SolveRequest const& request,
                  typename DeviceSolver<Exec, T>::ResidualMonitor const& monitor) override {
    RelaxationOptions options;
    options.omega = omega_;
    options.tolerance = request.tolerance;
    options.max_iterations = request.max_iterations;
    options.check_every = request.check_every;
    options.first_iteration = request.first_iteration;
    options.monitor = monitor;
    auto& system = this->system_;
    return plan_.solve(system.space, system.solution, ConstField<Exec, T>(system.right_hand_side), options);
  }
  std::int64_t workspace_bytes() const override { return plan_.workspace_bytes() + operator_.workspace_bytes(); }

 private:
  SevenPoint<Exec, T> operator_;
  Plan plan_;
  double omega_;
};

/// Damping: without a Dirichlet side and with a factor of 1, the checkerboard never decays.
constexpr double damped = 0.8;

template <ExecutionSpace Exec, Real T>
class JacobiOn final : public Relaxation<Jacobi<Exec, T>, Exec, T> {
 public:
  JacobiOn(Exec const& space, LinearSystem const& system, SolverSettings const&)
      : Relaxation<Jacobi<Exec, T>, Exec, T>(space, system, system.singular ? damped : 1) {}
};

template <ExecutionSpace Exec, Real T>
class GaussSeidelOn final : public Relaxation<GaussSeidel<Exec, T>, Exec, T> {
 public:
  GaussSeidelOn(Exec const& space, LinearSystem const& system, SolverSettings const&)
      : Relaxation<GaussSeidel<Exec, T>, Exec, T>(space, system, 1) {}
};

}  // namespace

std::unique_ptr<PoissonSolver> make_relaxation(Backend backend, Method method, SolverSettings const& settings,
                                               LinearSystem const& system) {
  if (method == Method::jacobi) return make_on<JacobiOn>(backend, settings, system);
  return make_on<GaussSeidelOn>(backend, settings, system);
}

}  // namespace karman::poisson
