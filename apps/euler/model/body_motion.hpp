// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Prescribed rigid motion of a body, evaluated by kernels.
#pragma once

#include "euler/case/flow_problem.hpp"
#include <karman/core/compat.hpp>
#include <karman/solvers/euler/euler_derivative.hpp>
#include <karman/solvers/mesh_motion/mesh_motion.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <numbers>
#include <string>
#include <vector>

namespace karman::euler {

/// Value of an oscillation.
KOKKOS_INLINE_FUNCTION double value_at(Oscillation const& o, double t) {
  namespace math = compat::math;
  double const turn = 2 * std::numbers::pi * o.frequency * t + o.phase;
  return o.mean + o.amplitude * math::sin(turn) + o.speed * t;
}

/// pose = that of the body at time + dt.
template <class Exec>
struct FindPose {
  Oscillation angle, shift_x, shift_y;
  DeviceNumber<Exec> time, dt;  ///< dt may be empty: 0
  Kokkos::View<RigidPose, typename Exec::memory_space> pose;

  KOKKOS_FUNCTION void operator()(int) const {
    double const t = time() + (dt.data() != nullptr ? dt() : 0.0);
    pose() = {value_at(angle, t), value_at(shift_x, t), value_at(shift_y, t)};
  }
};

/// Moves the nodes around a body that follows its prescribed motion.
template <ExecutionSpace Exec>
class PrescribedMotion final : public NodeMotion<Exec> {
 public:
  using Points = typename NodeMotion<Exec>::Points;
  using ConstPoints = typename NodeMotion<Exec>::ConstPoints;

  PrescribedMotion(Exec const& space, TriangleMesh<Exec> const& mesh, BodyMotion const& motion,
                   std::vector<int> const& group)
      : motion_(motion),
        body_(space, mesh, {motion.labels.begin(), motion.labels.end()},
              {motion.pivot, motion.weight, {motion.sliding.begin(), motion.sliding.end()}, motion.turns()}, group),
        pose_(Kokkos::view_alloc(space, std::string("karman::euler::pose"))) {}

  void choose(Exec const& space, DeviceNumber<Exec> const& time, DeviceNumber<Exec> const& dt,
              ConstPoints const& points, Points const& velocity) override {
    find(space, time, dt);
    body_.velocities(space, pose_, dt, points, velocity);
  }

  /// points = places of the nodes at a time.
  void place(Exec const& space, DeviceNumber<Exec> const& time, Points const& points) {
    find(space, time, {});
    body_.place(space, pose_, points);
  }

  int iterations() const { return body_.report().iterations(); }
  std::int64_t workspace_bytes() const { return body_.workspace_bytes(); }

 private:
  void find(Exec const& space, DeviceNumber<Exec> const& time, DeviceNumber<Exec> const& dt) {
    Kokkos::parallel_for("karman::euler::pose", Kokkos::RangePolicy<Exec>(space, 0, 1),
                         FindPose<Exec>{motion_.angle, motion_.shift[0], motion_.shift[1], time, dt, pose_});
  }

  BodyMotion motion_;
  RigidBodyMotion<Exec> body_;
  typename RigidBodyMotion<Exec>::Pose pose_;
};

}  // namespace karman::euler
