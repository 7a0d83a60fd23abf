// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Multigrid, alone and inside conjugate gradients.
#include "device_system.hpp"
#include "multigrid_cycle.hpp"
#include <karman/solvers/multigrid.hpp>

namespace karman::poisson {
namespace {

template <ExecutionSpace Exec, Real T>
class MultigridOn : public DeviceSolver<Exec, T> {
 public:
  MultigridOn(Exec const& space, LinearSystem const& system, SolverSettings const& settings, bool conjugate_gradients)
      : DeviceSolver<Exec, T>(space, system),
        plan_(space, this->system_.problem, multigrid_setup(settings)),
        conjugate_gradients_(conjugate_gradients) {}

 protected:
  SolveReport run(SolveRequest const& request, typename DeviceSolver<Exec, T>::Look const& look) override {
    MultigridOptions options;
    options.tolerance = request.tolerance;
    options.max_iterations = request.max_iterations;
    options.first_iteration = request.first_iteration;
    options.conjugate_gradients = conjugate_gradients_;
    options.monitor = look;
    auto& system = this->system_;
    return plan_.solve(system.space, system.solution, ConstField<Exec, T>(system.right_hand_side), options);
  }
  std::int64_t workspace_bytes() const override { return plan_.workspace_bytes(); }

 private:
  Multigrid<Exec, T> plan_;
  bool conjugate_gradients_;
};

template <ExecutionSpace Exec, Real T>
class CyclesOn final : public MultigridOn<Exec, T> {
 public:
  CyclesOn(Exec const& space, LinearSystem const& system, SolverSettings const& settings)
      : MultigridOn<Exec, T>(space, system, settings, false) {}
};

template <ExecutionSpace Exec, Real T>
class PreconditionedOn final : public MultigridOn<Exec, T> {
 public:
  PreconditionedOn(Exec const& space, LinearSystem const& system, SolverSettings const& settings)
      : MultigridOn<Exec, T>(space, system, settings, true) {}
};

}  // namespace

std::unique_ptr<PoissonSolver> make_multigrid(Backend backend, Method method, SolverSettings const& settings,
                                              LinearSystem const& system) {
  if (method == Method::multigrid) return make_on<CyclesOn>(backend, settings, system);
  return make_on<PreconditionedOn>(backend, settings, system);
}

}  // namespace karman::poisson
