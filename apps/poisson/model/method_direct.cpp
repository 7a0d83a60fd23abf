// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Transforms in x and y, tridiagonal systems in z.
#include "device_system.hpp"
#include <karman/solvers/grid/fast_poisson.hpp>

namespace karman::poisson {
namespace {

template <ExecutionSpace Exec, Real T>
class DirectOn final : public DeviceSolver<Exec, T> {
 public:
  DirectOn(Exec const& space, LinearSystem const& system, SolverSettings const&)
      : DeviceSolver<Exec, T>(space, system),
        plan_(space, this->system_.problem, {.communicator = system.communicator}) {}

 protected:
  SolveReport run(SolveRequest const& request,
                  typename DeviceSolver<Exec, T>::ResidualMonitor const& monitor) override {
    auto& system = this->system_;
    SolveReport report =
        plan_.solve(system.space, system.solution, ConstField<Exec, T>(system.right_hand_side), FastPoissonOptions{});
    // A direct method reaches the limit of the precision, and that counts as converged.
    report.converged = report.converged || report.residual <= request.tolerance;
    report.iterations = 1;
    monitor({1, report.residual});
    return report;
  }
  std::int64_t workspace_bytes() const override { return plan_.workspace_bytes(); }

 private:
  FastPoisson<Exec, T> plan_;
};

}  // namespace

std::unique_ptr<PoissonSolver> make_direct(Backend backend, SolverSettings const& settings,
                                           LinearSystem const& system) {
  return make_on<DirectOn>(backend, settings, system);
}

}  // namespace karman::poisson
