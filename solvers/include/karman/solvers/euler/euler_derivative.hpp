// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The Euler equations as a derivative for time_integrators.hpp.
#pragma once

#include <karman/core/error.hpp>
#include <karman/solvers/euler/euler_floors.hpp>
#include <karman/solvers/euler/euler_fused_stages.hpp>
#include <karman/solvers/euler/euler_rhs.hpp>
#include <karman/solvers/euler/residual_smoothing.hpp>
#include <karman/solvers/time/time_integrators.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
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

/// points += dt velocity.
template <class Points>
struct MovePoints {
  Points points, velocity;
  double const* dt;
  KOKKOS_FUNCTION void operator()(int node) const {
    for (int axis = 0; axis < 2; ++axis) points(node, axis) += *dt * velocity(node, axis);
  }
};
}  // namespace detail

/// Velocities of the nodes of a moving mesh. Derive from it to prescribe a motion.
/// \tparam Exec execution space
template <ExecutionSpace Exec>
class NodeMotion {
 public:
  /// Coordinates or velocities, (node, axis).
  using Points = Kokkos::View<double* [2], Kokkos::LayoutRight, typename Exec::memory_space>;
  /// Read-only coordinates.
  using ConstPoints = Kokkos::View<double const* [2], Kokkos::LayoutRight, typename Exec::memory_space>;

  virtual ~NodeMotion() = default;

  /// Chooses the velocities of one step, constant during it, for kernels alone: neither allocates nor fences.
  /// Nodes reach the places x(time + dt) with the velocity (x(time + dt) - points) / dt.
  /// \param space instance of the kernels
  /// \param time start of the step
  /// \param dt its length; 0 where the end time is reached already: any finite velocity then
  /// \param points coordinates at the start
  /// \param velocity out; equal in the nodes of a periodic group
  virtual void choose(Exec const& space, DeviceNumber<Exec> const& time, DeviceNumber<Exec> const& dt,
                      ConstPoints const& points, Points const& velocity) = 0;

 protected:
  NodeMotion() = default;
  NodeMotion(NodeMotion const&) = default;
  NodeMotion(NodeMotion&&) noexcept = default;
  NodeMotion& operator=(NodeMotion const&) = default;
  NodeMotion& operator=(NodeMotion&&) noexcept = default;
};

/// An EulerRhs as the derivative of a TimeIntegrator. The unknowns are the 4 n numbers of an EulerField, one variable
/// after the other: `Vector<Exec, T>(u.data(), u.size())`.
///
/// Each step projects the residual once, at its start. Stages of TimeMethod::minimal_storage_rk4 are fused into the
/// kernels of the right-hand side.
///
/// With local steps all four variables of a node share one rate, that of EulerRhs::local_rates(), and no step limits
/// tau. Set StepControl::local_ratio to the ratio of the sizes of the triangles or more. Smoothed, r is the smoothed
/// change divided by the step: larger local steps are stable. Steady states are as with the plain march. Stages of
/// TimeMethod::minimal_storage_rk4 are EulerFusedStages where those are faster: on a device, on small meshes.
///
/// With a NodeMotion the mesh moves; TimeMethod::minimal_storage_rk4 alone keeps mass, momentum and energy then, other
/// methods throw. The first rate is that of the nodes at rest: where they start faster than the gas, give
/// StepControl::dt_first.
/// \tparam Exec execution space
/// \tparam T float or double
/// \par Synchrony
/// Asynchronous; only the constructor allocates: one number, with smoothing also one EulerField, with a motion 32 bytes
/// per node, and fused_bytes().
template <ExecutionSpace Exec, Real T>
class EulerDerivative final : public TimeDerivative<Exec, T> {
 public:
  /// \param space instance of the allocation
  /// \param rhs right-hand side with its boundary conditions; must live as long as this object
  EulerDerivative(Exec const& space, EulerRhs<Exec, T>& rhs) : EulerDerivative(space, rhs, nullptr) {}

  /// \param space instance of the allocation
  /// \param rhs right-hand side with its boundary conditions; must live as long as this object
  /// \param smoothing smoothing over the same mesh; must live as long as this object
  /// \throws std::invalid_argument for another number of nodes
  EulerDerivative(Exec const& space, EulerRhs<Exec, T>& rhs, ResidualSmoothing<Exec, T> const& smoothing)
      : EulerDerivative(space, rhs, &smoothing) {
    require(smoothing.nodes() == rhs.nodes(), "EulerDerivative: the smoothing has another mesh");
    change_ = EulerField<Exec, T>(
        Kokkos::view_alloc(space, Kokkos::WithoutInitializing, std::string("karman::euler::change")),
        static_cast<std::size_t>(rhs.nodes()));
  }

  /// Applies floors to every new vector: of each stage and of each whole step. Their report counts added mass and
  /// energy by the share of each stage in the step; with a motion, with the masses at the end of the step.
  /// \param floors limiter, which must live as long as this object; null: none
  void set_floors(EulerFloorLimiter<Exec, T>* floors) { floors_ = floors; }

  /// \param space instance of the allocation
  /// \param rhs right-hand side with its boundary conditions, with EulerRhsSetup::moving
  /// \param motion motion of its nodes; both must live as long as this object
  /// \throws std::invalid_argument for a right-hand side without `moving`
  EulerDerivative(Exec const& space, EulerRhs<Exec, T>& rhs, NodeMotion<Exec>& motion) : EulerDerivative(space, rhs) {
    require(rhs.may_move(), "EulerDerivative: a motion needs EulerRhsSetup::moving");
    motion_ = &motion;
    points_ = Points(Kokkos::view_alloc(space, std::string("karman::euler::moved_points")), rhs.points().extent(0));
    velocity_ = Points(Kokkos::view_alloc(space, std::string("karman::euler::velocities")), points_.extent(0));
    Kokkos::deep_copy(space, points_, rhs.points());
  }

  /// Places the nodes, also in the right-hand side: before a run that begins elsewhere. Allocates nothing.
  /// \param space instance of the copy
  /// \param points coordinates; may be points()
  /// \throws std::invalid_argument without a motion, and for an array of another length
  void set_points(Exec const& space, typename NodeMotion<Exec>::ConstPoints const& points) {
    require(motion_ != nullptr, "EulerDerivative: set_points() needs a motion");
    rhs_.set_points(space, points);
    if (points.data() != points_.data()) Kokkos::deep_copy(space, points_, points);
    mass_dt_ = DeviceNumber<Exec>();
  }

  /// Coordinates of the nodes where they move; after a step those at its end.
  typename NodeMotion<Exec>::ConstPoints points() const { return points_; }

  std::int64_t size() const override { return 4 * static_cast<std::int64_t>(rhs_.nodes()); }

  void begin_step(Exec const& space, ConstVector<Exec, T> const& u, DeviceNumber<Exec> const& time,
                  GlobalOrLocal<Exec, T> const& dt) override {
    // A copy: the time step belongs to the integrator, which may be gone when another one evaluates.
    if (!dt.is_local()) {
      Kokkos::parallel_for("karman::euler::keep_dt", Kokkos::RangePolicy<Exec>(space, 0, 1),
                           detail::CopyNumber<Exec>{dt.global, dt_});
    }
    local_dt_ = dt.local;
    share_ = 1;
    if (motion_ != nullptr) {
      require(!dt.is_local(), "EulerDerivative: moving nodes need global time steps");
      motion_->choose(space, time, dt_, points_, velocity_);
      rhs_.set_motion(space, points_, velocity_, dt_);
      Kokkos::parallel_for("karman::euler::move_points", Kokkos::RangePolicy<Exec>(space, 0, rhs_.nodes()),
                           detail::MovePoints<Points>{points_, velocity_, dt_.data()});
      stages_ = 0;
      mass_dt_ = dt_;
    }
    if (fused_ && dt.is_local()) fused_->project(space, field(u));
    else rhs_.project(space, field(u));
  }

  /// \throws std::invalid_argument for local rates of a plan without EulerRhsSetup::local_steps, and for a method that
  /// cannot move nodes
  void evaluate(Exec const& space, ConstVector<Exec, T> const& u, DeviceNumber<Exec> const&,
                Vector<Exec, T> const& result, GlobalOrLocal<Exec, T> const& rate) override {
    require(motion_ == nullptr || stages_ != 0, only_method);
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

  void rates(Exec const& space, ConstVector<Exec, T> const& u, DeviceNumber<Exec> const& time,
             Vector<Exec, T> const& workspace, GlobalOrLocal<Exec, T> const& rate) override {
    if (rate.is_local()) find_local_rates(space, u, rate);
    else evaluate(space, u, time, workspace, rate);
  }

  bool advance(Exec const& space, TimeStage<Exec, T> const& stage) override {
    bool const fused = stage.base_weight == 1 && stage.from_weight == 0;
    share_ = stage.share;
    require(motion_ == nullptr || (fused && !stage.dt.is_local()), only_method);
    if (!fused || (smoothing_ != nullptr && !stage.dt.is_local())) return false;
    ++stages_;
    if (!stage.dt.is_local()) {
      rhs_.advance(space, field(stage.base), field(stage.from), stage.factor, stage.dt.global, field(stage.to),
                   stage.rate.global);
    } else if (fused_) {
      auto const wanted = stage.rate.is_local() ? stage.rate.local : Vector<Exec, T>();
      fused_->advance(space, field(stage.base), field(stage.from), stage.factor, per_node(stage.dt.local),
                      field(stage.to), wanted);
      return true;
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
    if (floors_ != nullptr) floors_->apply(space, field(u), share_, mass_dt_);
  }

  /// Bytes of the EulerFusedStages in the memory of `Exec`; 0 without.
  std::int64_t fused_bytes() const { return fused_ ? fused_->workspace_bytes() : 0; }

  /// Nodes at rest do.
  bool repeats() const override { return motion_ == nullptr; }

 private:
  using Points = typename NodeMotion<Exec>::Points;
  EulerDerivative(Exec const& space, EulerRhs<Exec, T>& rhs, ResidualSmoothing<Exec, T> const* smoothing)
      : rhs_(rhs),
        smoothing_(smoothing),
        fused_(EulerFusedStages<Exec, T>::if_faster(space, rhs, smoothing)),
        dt_(Kokkos::view_alloc(space, std::string("karman::euler::dt"))) {}

  static constexpr char const* only_method = "EulerDerivative: moving nodes need TimeMethod::minimal_storage_rk4";

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
  std::optional<EulerFusedStages<Exec, T>> fused_ = std::nullopt;
  EulerFloorLimiter<Exec, T>* floors_ = nullptr;
  DeviceNumber<Exec> dt_;
  double share_ = 1;                                   ///< TimeStage::share of the next vector
  DeviceNumber<Exec> mass_dt_ = DeviceNumber<Exec>();  ///< dt_ in a step of moving nodes
  NodeMotion<Exec>* motion_ = nullptr;
  Points points_ = Points(), velocity_ = Points();
  int stages_ = 1;  ///< of the step so far; not 0 before the first step
};

}  // namespace karman
