// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The Euler equations as a derivative for time_integrators.hpp.
#pragma once

#include <karman/core/error.hpp>
#include <karman/solvers/euler_floors.hpp>
#include <karman/solvers/euler_rhs.hpp>
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
}  // namespace detail

/// An EulerRhs as the derivative of a TimeIntegrator. The unknowns are the 4 n numbers of an EulerField, one variable
/// after the other: `Vector<Exec, T>(u.data(), u.size())`.
///
/// Each step projects the residual once, at its start. Stages of TimeMethod::minimal_storage_rk4 and TimeMethod::euler
/// are fused into the kernels of the right-hand side.
/// \tparam Exec execution space
/// \tparam T float or double
/// \par Synchrony
/// Asynchronous; only the constructor allocates, one number.
template <ExecutionSpace Exec, Real T>
class EulerDerivative final : public TimeDerivative<Exec, T> {
 public:
  /// \param space instance of the allocation
  /// \param rhs right-hand side with its boundary conditions; must live as long as this object
  EulerDerivative(Exec const& space, EulerRhs<Exec, T>& rhs)
      : rhs_(rhs), dt_(Kokkos::view_alloc(space, std::string("karman::euler::dt"))) {}

  /// Applies floors to every new vector: of each stage and of each whole step.
  /// \param floors limiter, which must live as long as this object; null: none
  void set_floors(EulerFloorLimiter<Exec, T>* floors) { floors_ = floors; }

  std::int64_t size() const override { return 4 * static_cast<std::int64_t>(rhs_.nodes()); }

  void begin_step(Exec const& space, ConstVector<Exec, T> const& u, DeviceNumber<Exec> const&,
                  GlobalOrLocal<Exec, T> const& dt) override {
    require(!dt.is_local(), "EulerDerivative: no local time steps");
    // A copy: the time step belongs to the integrator, which may be gone when another one evaluates.
    Kokkos::parallel_for("karman::euler::keep_dt", Kokkos::RangePolicy<Exec>(space, 0, 1),
                         detail::CopyNumber<Exec>{dt.global, dt_});
    rhs_.project(space, field(u));
  }

  /// \throws std::invalid_argument for local rates
  void evaluate(Exec const& space, ConstVector<Exec, T> const& u, DeviceNumber<Exec> const&,
                Vector<Exec, T> const& result, GlobalOrLocal<Exec, T> const& rate) override {
    require(!rate.is_local(), "EulerDerivative: no local time steps");
    rhs_.evaluate(space, field(u), dt_, field(result), rate.global);
  }

  bool advance(Exec const& space, TimeStage<Exec, T> const& stage) override {
    bool const fused = stage.base_weight == 1 && stage.from_weight == 0 && !stage.dt.is_local();
    if (!fused || stage.rate.is_local()) return false;
    rhs_.advance(space, field(stage.base), field(stage.from), stage.factor, stage.dt.global, field(stage.to),
                 stage.rate.global);
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

  EulerRhs<Exec, T>& rhs_;
  EulerFloorLimiter<Exec, T>* floors_ = nullptr;
  DeviceNumber<Exec> dt_;
};

}  // namespace karman
