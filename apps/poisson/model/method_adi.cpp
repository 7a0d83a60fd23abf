// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Alternating directions.
#include "device_system.hpp"
#include <karman/solvers/grid/adi.hpp>

namespace karman::poisson {
namespace {

template <ExecutionSpace Exec, Real T>
class AdiOn final : public DeviceSolver<Exec, T> {
 public:
  AdiOn(Exec const& space, LinearSystem const& system, SolverSettings const&)
      : DeviceSolver<Exec, T>(space, system),
        operator_(space, this->system_.problem, {.communicator = system.communicator}),
        plan_(space, operator_) {}

 protected:
  SolveReport run(SolveRequest const& request,
                  typename DeviceSolver<Exec, T>::ResidualMonitor const& monitor) override {
    AdiOptions options;
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
  Adi<Exec, T> plan_;
};

}  // namespace

std::unique_ptr<PoissonSolver> make_adi(Backend backend, SolverSettings const& settings, LinearSystem const& system) {
  return make_on<AdiOn>(backend, settings, system);
}

}  // namespace karman::poisson
