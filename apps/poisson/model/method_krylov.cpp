// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Conjugate gradients, preconditioned with the diagonal where the coefficient varies.
#include "device_system.hpp"
#include <karman/solvers/grid/conjugate_gradients.hpp>

namespace karman::poisson {
namespace {

template <ExecutionSpace Exec, Real T>
class ConjugateGradientsOn final : public DeviceSolver<Exec, T> {
 public:
  ConjugateGradientsOn(Exec const& space, LinearSystem const& system, SolverSettings const&)
      : DeviceSolver<Exec, T>(space, system),
        operator_(space, this->system_.problem, {.communicator = system.communicator}),
        plan_(space, operator_.extents(), KrylovSetup{.preconditioned = true, .communicator = system.communicator}),
        diagonal_(operator_) {}

 protected:
  SolveReport run(SolveRequest const& request,
                  typename DeviceSolver<Exec, T>::ResidualMonitor const& monitor) override {
    KrylovOptions options;
    options.tolerance = request.tolerance;
    options.max_iterations = request.max_iterations;
    options.check_every = request.check_every;
    options.first_iteration = request.first_iteration;
    options.flexible = false;
    options.monitor = monitor;
    auto& system = this->system_;
    ConstField<Exec, T> const rhs = system.right_hand_side;
    if (system.constant_coefficient) return plan_.solve(system.space, operator_, system.solution, rhs, options);
    return plan_.solve(system.space, operator_, diagonal_, system.solution, rhs, options);
  }
  std::int64_t workspace_bytes() const override { return plan_.workspace_bytes() + operator_.workspace_bytes(); }

 private:
  SevenPoint<Exec, T> operator_;
  ConjugateGradients<Exec, T> plan_;
  DiagonalPreconditioner<Exec, T> diagonal_;
};

}  // namespace

std::unique_ptr<PoissonSolver> make_krylov(Backend backend, SolverSettings const& settings,
                                           LinearSystem const& system) {
  return make_on<ConjugateGradientsOn>(backend, settings, system);
}

}  // namespace karman::poisson
