// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The Euler equations as a derivative for time_integrators.hpp.
#pragma once

#include <karman/core/error.hpp>
#include <karman/solvers/euler_floors.hpp>
#include <karman/solvers/euler_rhs.hpp>
#include <karman/solvers/residual_smoothing.hpp>
#include <karman/solvers/time_integrators.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>
#include <string>

namespace karman {

namespace detail {
/// own = given.
template <class Exec>
struct CopyNumber {
  DeviceNumber<Exec> given, own;
  KOKKOS_FUNCTION void operator()(int) const { own() = given(); }
};

/// Number i of the density, for all four variables of node i.
template <class T>
struct SpreadNumbers {
  T* numbers;
  std::int64_t nodes;
  KOKKOS_FUNCTION void operator()(std::int64_t i) const {
    for (int c = 1; c < 4; ++c) numbers[c * nodes + i] = numbers[i];
  }
};

/// change /= dt; 0 where a run has ended.
template <class T>
struct DivideBySteps {
  T* change;
  T const* dt;
  KOKKOS_FUNCTION void operator()(std::int64_t i) const { change[i] = dt[i] > 0 ? change[i] / dt[i] : T(0); }
};
}  // namespace detail

/// An EulerRhs as the derivative of a TimeIntegrator. The unknowns are the 4 n numbers of an EulerField, one variable
/// after the other: `Vector<Exec, T>(u.data(), u.size())`.
///
/// Each step projects the residual once, at its start. Stages of TimeMethod::minimal_storage_rk4 are fused into the
/// kernels of the right-hand side.
///
/// With local steps all four variables of a node share one rate, that of EulerRhs::local_rates(), and no step limits
/// tau. Set StepControl::local_ratio to the ratio of the sizes of the triangles or more. Smoothed, r is the smoothed
/// change divided by the step: larger local steps are stable. Steady states are those of the plain march.
/// \tparam Exec execution space
/// \tparam T float or double
/// \par Synchrony
/// Asynchronous; only the constructor allocates: one number, with smoothing also one EulerField.
template <ExecutionSpace Exec, Real T>
class EulerDerivative final : public TimeDerivative<Exec, T> {
 public:
  /// \param space instance of the allocation
  /// \param rhs right-hand side with its boundary conditions; must live as long as this object
  EulerDerivative(Exec const& space, EulerRhs<Exec, T>& rhs)
      : rhs_(rhs), dt_(Kokkos::view_alloc(space, std::string("karman::euler::dt"))) {}

  /// \param space instance of the allocation
  /// \param rhs right-hand side with its boundary conditions; must live as long as this object
  /// \param smoothing smoothing over the same mesh; must live as long as this object
  /// \throws std::invalid_argument for another number of nodes
  EulerDerivative(Exec const& space, EulerRhs<Exec, T>& rhs, ResidualSmoothing<Exec, T> const& smoothing)
      : EulerDerivative(space, rhs) {
    require(smoothing.nodes() == rhs.nodes(), "EulerDerivative: the smoothing has another mesh");
    smoothing_ = &smoothing;
    change_ = EulerField<Exec, T>(
        Kokkos::view_alloc(space, Kokkos::WithoutInitializing, std::string("karman::euler::change")),
        static_cast<std::size_t>(rhs.nodes()));
  }

  /// Applies floors to every new vector: of each stage and of each whole step.
  /// \param floors limiter, which must live as long as this object; null: none
  void set_floors(EulerFloorLimiter<Exec, T>* floors) { floors_ = floors; }

  std::int64_t size() const override { return 4 * static_cast<std::int64_t>(rhs_.nodes()); }

  void begin_step(Exec const& space, ConstVector<Exec, T> const& u, DeviceNumber<Exec> const&,
                  GlobalOrLocal<Exec, T> const& dt) override {
    // A copy: the time step belongs to the integrator, which may be gone when another one evaluates.
    if (!dt.is_local()) {
      Kokkos::parallel_for("karman::euler::keep_dt", Kokkos::RangePolicy<Exec>(space, 0, 1),
                           detail::CopyNumber<Exec>{dt.global, dt_});
    }
    local_dt_ = dt.local;
    rhs_.project(space, field(u));
  }

  /// \throws std::invalid_argument for local rates of a plan without EulerRhsSetup::local_steps
  void evaluate(Exec const& space, ConstVector<Exec, T> const& u, DeviceNumber<Exec> const&,
                Vector<Exec, T> const& result, GlobalOrLocal<Exec, T> const& rate) override {
    // A run of global steps may begin after one of local steps.
    bool const local = local_dt_.data() != nullptr && rate.global.data() == nullptr;
    if (smoothing_ != nullptr && local) {
      rhs_.advance_local(space, {}, field(u), 1, per_node(local_dt_), change_);
      smoothing_->smooth(space, change_, field(result));
      Kokkos::parallel_for("karman::euler::divide_by_dt", Kokkos::RangePolicy<Exec>(space, 0, size()),
                           detail::DivideBySteps<T>{result.data(), local_dt_.data()});
    } else {
      auto const& to = smoothing_ != nullptr ? change_ : field(result);
      rhs_.evaluate(space, field(u), local ? DeviceNumber<Exec>() : dt_, to, rate.global);
      if (smoothing_ != nullptr) smoothing_->smooth(space, change_, field(result));
    }
    find_local_rates(space, u, rate);
  }

  bool advance(Exec const& space, TimeStage<Exec, T> const& stage) override {
    bool const fused = stage.base_weight == 1 && stage.from_weight == 0;
    if (!fused || (smoothing_ != nullptr && !stage.dt.is_local())) return false;
    if (!stage.dt.is_local()) {
      rhs_.advance(space, field(stage.base), field(stage.from), stage.factor, stage.dt.global, field(stage.to),
                   stage.rate.global);
    } else if (smoothing_ == nullptr) {
      rhs_.advance_local(space, field(stage.base), field(stage.from), stage.factor, per_node(stage.dt.local),
                         field(stage.to));
    } else {
      rhs_.advance_local(space, {}, field(stage.from), 1, per_node(stage.dt.local), change_);
      smoothing_->advance(space, field(stage.base), change_, stage.factor, field(stage.to));
    }
    find_local_rates(space, stage.from, stage.rate);
    return true;
  }

  void constrain(Exec const& space, Vector<Exec, T> const& u, DeviceNumber<Exec> const&) override {
    if (floors_ != nullptr) floors_->apply(space, field(u));
  }

 private:
  ConstEulerField<Exec, T> field(ConstVector<Exec, T> const& u) const {
    return ConstEulerField<Exec, T>(u.data(), static_cast<std::size_t>(rhs_.nodes()));
  }
  EulerField<Exec, T> field(Vector<Exec, T> const& u) const {
    return EulerField<Exec, T>(u.data(), static_cast<std::size_t>(rhs_.nodes()));
  }

  /// The steps of the density.
  ConstVector<Exec, T> per_node(Vector<Exec, T> const& dt) const {
    return ConstVector<Exec, T>(dt.data(), static_cast<std::size_t>(rhs_.nodes()));
  }

  void find_local_rates(Exec const& space, ConstVector<Exec, T> const& u, GlobalOrLocal<Exec, T> const& rate) {
    if (!rate.is_local()) return;
    rhs_.local_rates(space, field(u), Vector<Exec, T>(rate.local.data(), static_cast<std::size_t>(rhs_.nodes())));
    Kokkos::parallel_for("karman::euler::spread_rates", Kokkos::RangePolicy<Exec>(space, 0, rhs_.nodes()),
                         detail::SpreadNumbers<T>{rate.local.data(), rhs_.nodes()});
  }

  EulerRhs<Exec, T>& rhs_;
  ResidualSmoothing<Exec, T> const* smoothing_ = nullptr;
  EulerField<Exec, T> change_ = EulerField<Exec, T>();  ///< with smoothing: of a stage
  Vector<Exec, T> local_dt_ = Vector<Exec, T>();        ///< of the step under way
  EulerFloorLimiter<Exec, T>* floors_ = nullptr;
  DeviceNumber<Exec> dt_;
};

}  // namespace karman
