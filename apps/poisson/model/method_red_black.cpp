// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Red-black Gauss-Seidel and over-relaxation.
#include "device_system.hpp"
#include <karman/solvers/grid/red_black_sor.hpp>

namespace karman::poisson {
namespace {

/// omega = 0 means the optimum.
template <ExecutionSpace Exec, Real T>
class RedBlack final : public DeviceSolver<Exec, T> {
 public:
  RedBlack(Exec const& space, LinearSystem const& system, SolverSettings const& settings)
      : DeviceSolver<Exec, T>(space, system),
        omega_(settings.omega),
        sor_(space, this->system_.problem, {.storage = SorStorage::automatic, .communicator = system.communicator}) {}

 protected:
  SolveReport run(SolveRequest const& request,
                  typename DeviceSolver<Exec, T>::ResidualMonitor const& monitor) override {
    SorOptions options;
    options.omega = omega_ > 0 ? omega_ : 1;
    options.optimal_omega = omega_ <= 0;
    options.tolerance = request.tolerance;
    options.max_iterations = request.max_iterations;
    options.check_every = request.check_every;
    options.first_iteration = request.first_iteration;
    options.monitor = monitor;
    auto& system = this->system_;
    return sor_.solve(system.space, system.solution, ConstField<Exec, T>(system.right_hand_side), options);
  }
  std::int64_t workspace_bytes() const override { return sor_.workspace_bytes(); }

 private:
  double omega_;
  RedBlackSor<Exec, T> sor_;
};

}  // namespace

std::unique_ptr<PoissonSolver> make_red_black(Backend backend, Method method, SolverSettings const& settings,
                                              LinearSystem const& system) {
  SolverSettings own = settings;
  if (method == Method::red_black_gs) own.omega = 1;
  if (method == Method::sor_optimal) own.omega = 0;
  return make_on<RedBlack>(backend, own, system);
}

}  // namespace karman::poisson
