// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Multigrid, alone and inside conjugate gradients.
#include "device_system.hpp"
#include "round_off.hpp"
#include <karman/core/reductions.hpp>
#include <karman/solvers/grid/multigrid.hpp>

#include <cmath>
#include <limits>
#include <optional>
#include <type_traits>

namespace karman::poisson {
namespace {

/// Detects cycles that have ceased to converge. Sees every stall within the stretches of restart_interval().
class StallWatch {
 public:
  /// True if the lowest residual of the last cycles is hardly below the lowest before. Call at every check.
  bool stalls(ResidualSample const& sample) {
    constexpr int patience = 20;
    constexpr double gain = 0.9;
    if (since_ < 0) {
      since_ = sample.iteration;
      before_ = lowest_ = sample.residual;
      return false;
    }
    lowest_ = std::fmin(lowest_, sample.residual);
    if (sample.iteration - since_ < patience) return false;
    bool const stalled = !(lowest_ < gain * before_);
    since_ = sample.iteration;
    before_ = lowest_;
    return stalled;
  }

 private:
  int since_ = -1;
  double before_ = 0, lowest_ = 0;
};

template <ExecutionSpace Exec, Real T>
class MultigridOn : public DeviceSolver<Exec, T> {
  using ResidualMonitor = typename DeviceSolver<Exec, T>::ResidualMonitor;

 public:
  MultigridOn(Exec const& space, LinearSystem const& system, SolverSettings const& settings, bool conjugate_gradients)
      : DeviceSolver<Exec, T>(space, system),
        setup_{.cycle = settings.cycle,
               .single_precision_cycles = settings.cycle_precision != Precision::f64,
               .communicator = system.communicator},
        round_off_(round_off(system, settings.precision)),
        conjugate_gradients_(conjugate_gradients),
        may_change_(std::is_same_v<T, double> && !settings.cycle_precision) {
    plan_.emplace(space, this->system_.problem, setup_);
  }
  bool double_cycles() const override { return wants_double_ || !setup_.single_precision_cycles; }

 protected:
  /// Cycles in single precision give way to double ones where they end or stall above the round-off of the case.
  SolveReport run(SolveRequest const& request, ResidualMonitor const& monitor) override {
    if (wants_double_) take_double_cycles();
    if (!may_change_) return cycles(request, monitor);
    StallWatch watch;
    bool continues = true, stalls = false;
    SolveReport report = cycles(request, [&](ResidualSample const& sample) {
      continues = monitor(sample);
      stalls = watch.stalls(sample);
      return continues && !stalls;
    });
    if (continues) report.stopped = false;
    if (report.converged || (!stalls && report.breakdown.empty())) return report;
    if (at_round_off(report.residual)) {
      if (continues && report.breakdown.empty()) report.breakdown = "rounding keeps the residual above the tolerance";
      return report;
    }
    if (!has_room_for_double_cycles()) {
      report.breakdown = "cycles in single precision stall, and memory does not suffice for double ones";
      return report;
    }
    wants_double_ = true;
    if (!continues || report.iterations >= request.max_iterations) return report;
    take_double_cycles();
    auto& system = this->system_;
    // Zero leaves a residual of 1.
    if (!(report.residual <= 1)) Kokkos::deep_copy(system.space, system.solution, T(0));
    SolveRequest rest = request;
    rest.first_iteration = report.iterations;
    return cycles(rest, [&](ResidualSample const& sample) {
      // The history has this iteration already.
      return sample.iteration == rest.first_iteration || monitor(sample);
    });
  }
  std::int64_t workspace_bytes() const override { return plan_->workspace_bytes(); }

 private:
  SolveReport cycles(SolveRequest const& request, ResidualMonitor const& monitor) {
    MultigridOptions options;
    options.tolerance = request.tolerance;
    options.max_iterations = request.max_iterations;
    options.first_iteration = request.first_iteration;
    options.conjugate_gradients = conjugate_gradients_;
    options.monitor = monitor;
    auto& system = this->system_;
    return plan_->solve(system.space, system.solution, ConstField<Exec, T>(system.right_hand_side), options);
  }

  Communicator const& communicator() const { return setup_.communicator; }

  /// Better than this no cycle does it. Collective, as has_room_for_double_cycles() is.
  bool at_round_off(double residual) const {
    auto const& system = this->system_;
    Reducer<Exec> reducer(system.space);
    double const largest = communicator().largest(double(reducer.max_abs(system.space, system.solution)));
    return residual <= round_off_.acceptable(largest);
  }

  /// Twice the memory of the present plan suffices, and that is free before.
  bool has_room_for_double_cycles() const {
    std::int64_t const free = describe(backend_of<Exec>()).free_memory_bytes;
    return communicator().agree(free <= 0 || plan_->workspace_bytes() <= free);
  }

  void take_double_cycles() {
    setup_.single_precision_cycles = false;
    wants_double_ = may_change_ = false;
    plan_.reset();
    plan_.emplace(this->system_.space, this->system_.problem, setup_);
  }

  MultigridSetup setup_;
  RoundOff round_off_;
  bool conjugate_gradients_;
  bool may_change_;            ///< to double cycles
  bool wants_double_ = false;  ///< from the next solve on
  std::optional<Multigrid<Exec, T>> plan_;
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
