// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Displacements inside of a mesh whose boundary moves.
#pragma once

#include <karman/core/backend.hpp>
#include <karman/core/plan_state.hpp>
#include <karman/mesh/triangle_mesh.hpp>
#include <karman/solvers/fem/fixed_values.hpp>
#include <karman/solvers/linear_operator.hpp>
#include <karman/solvers/mesh_motion/mesh_motion_options.hpp>
#include <karman/solvers/sparse/csr.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <vector>

namespace karman {

/// Coordinates, displacements or velocities of all nodes, (node, axis).
template <ExecutionSpace Exec>
using NodeVectors = Kokkos::View<double* [2], Kokkos::LayoutRight, typename Exec::memory_space>;

/// Read-only form of NodeVectors.
template <ExecutionSpace Exec>
using ConstNodeVectors = Kokkos::View<double const* [2], Kokkos::LayoutRight, typename Exec::memory_space>;

/// Shape of a triangle, mu = 4 sqrt(3) A / (sum of the squared edges): 1 if it is equilateral, 0 if flat, negative if
/// inverted.
/// \param x1,y1 second corner relative to the first
/// \param x2,y2 third corner relative to the first
KOKKOS_FORCEINLINE_FUNCTION double shape_quality(double x1, double y1, double x2, double y2) {
  double const ex = x2 - x1, ey = y2 - y1;
  // 2 sqrt(3) times twice the area.
  return 3.4641016151377544 * (x1 * y2 - x2 * y1) / (ex * ex + ey * ey + x1 * x1 + y1 * y1 + x2 * x2 + y2 * y2);
}

/// Displacement d of the inner nodes for given displacements of other nodes, each component alone:
///
///     sum over the triangles of the integral of kappa grad(N_i) . grad(d) = 0  for each inner node i,
///
/// on the mesh as it was made, the reference, kappa by MeshMotionSetup::weight. Solved by conjugate gradients
/// from the last displacement, preconditioned by algebraic multigrid (MeshMotionSetup::multigrid_from) or the diagonal.
///
/// \par Units
/// Any length.
/// \par Cost
/// An iteration reads the matrix once: about 7 entries of 12 bytes per node, and 12 vectors. With the diagonal the
/// number of iterations grows with the square root of the number of nodes. With multigrid it hardly grows
/// (docs/amg.md). Memory per node: about 400 bytes; the levels of multigrid take about 160 to 180 more.
/// \par Synchrony
/// The constructor, solve() and state() fence `space`; all else is asynchronous. Only the constructor allocates; with
/// multigrid set_reference() does both, too.
/// \par Reproducibility
/// The same bits from run to run; on a host for any number of threads.
/// \par Source
/// R. Löhner, Applied CFD Techniques, 2nd ed., Wiley (2008), smoothing of velocities of a mesh.
/// \tparam Exec execution space
template <ExecutionSpace Exec>
class MeshMotion {
 public:
  using execution_space = Exec;  ///< execution space of the plan

  /// \param space instance of the kernels
  /// \param mesh mesh without faults (check_mesh()), the reference
  /// \param setup stiffness
  /// \param given marks of the nodes whose displacement is given; empty: all nodes of the boundary
  /// \param group per node, the lowest node of its periodic group, itself where it has none, as for EulerRhs; empty: no
  /// groups. All nodes of a group have one displacement. Edges that groups join to another one are no boundary. A mark
  /// on one node of a group holds for all, and the displacement of the lowest is given
  /// \throws std::invalid_argument for marks and groups of another length, and for groups not of this form
  MeshMotion(Exec const& space, TriangleMesh<Exec> const& mesh, MeshMotionSetup const& setup = {},
             FixedNodes<Exec> const& given = {}, std::vector<int> const& group = {});

  /// Computes the displacement of all nodes.
  /// \param space instance of the kernels
  /// \param given displacements from the reference, read at the given nodes
  /// \param options tolerance and limits
  /// \return iterations and residuals
  /// \throws std::invalid_argument for an array of another length, and for options out of range
  MeshMotionReport solve(Exec const& space, ConstNodeVectors<Exec> const& given, MeshMotionOptions const& options = {});

  /// Reference plus displacement of the last solve().
  ConstNodeVectors<Exec> points() const;
  /// The reference.
  ConstNodeVectors<Exec> reference() const;

  /// Takes other coordinates as the reference, with new stiffnesses and no displacement: for large motions, from time
  /// to time. With multigrid it makes new levels, which allocates and waits for `space`.
  /// \param space instance of the kernels
  /// \param points coordinates; may be points()
  /// \throws std::invalid_argument for an array of another length
  void set_reference(Exec const& space, ConstNodeVectors<Exec> const& points);

  /// Least quality and area of the mesh with its nodes at some points. Fences `space`.
  /// \param space instance of the kernel
  /// \param points coordinates
  /// \throws std::invalid_argument for an array of another length
  MeshState state(Exec const& space, ConstNodeVectors<Exec> const& points);

  /// Stiffness matrix of the reference, before displacements are given.
  CsrMatrix<Exec, double> matrix() const;

 private:
  struct State;
  detail::PlanState<State> state_;
};

/// Motion of the nodes around a rigid body without a solve per step. A field b is solved for once: 1 on the body, 0 on
/// the other boundaries but the sliding ones, as MeshMotion does between them. The node X then is at
///
///     x = pivot + R(b angle) (X - pivot) + b shift.
///
/// The body moves as a rigid one, the other boundaries stay. Nodes of a periodic group have one displacement: b is
/// equal in them, and the angle has a field of its own that is 0 there.
/// \par Cost
/// A step reads 24 bytes per node and writes 16, with velocities 16 more each; where the body turns, a sine and a
/// cosine per node whose b is not 0.
/// \par Synchrony
/// The constructor fences `space` and allocates 24 bytes per node, with groups up to 36; all else is asynchronous.
/// \tparam Exec execution space
template <ExecutionSpace Exec>
class RigidBodyMotion {
 public:
  using execution_space = Exec;  ///< execution space of the plan
  /// Pose in device memory.
  using Pose = Kokkos::View<RigidPose, typename Exec::memory_space>;
  /// Read-only pose.
  using ConstPose = Kokkos::View<RigidPose const, typename Exec::memory_space>;

  /// \param space instance of the kernels
  /// \param mesh mesh without faults (check_mesh())
  /// \param labels labels of the edges of the body
  /// \param setup pivot and stiffness
  /// \param group periodic groups as for MeshMotion
  /// \throws std::invalid_argument where no edge has one of the labels, and where a solve does not converge
  /// \throws std::invalid_argument where a node of a body that turns is in a periodic group
  RigidBodyMotion(Exec const& space, TriangleMesh<Exec> const& mesh, std::vector<int> const& labels,
                  RigidBodySetup const& setup = {}, std::vector<int> const& group = {});

  /// points = places of all nodes for a pose.
  /// \param space instance of the kernel
  /// \param pose pose of the body
  /// \param points out
  /// \throws std::invalid_argument for an array of another length
  void place(Exec const& space, ConstPose const& pose, NodeVectors<Exec> const& points) const;

  /// velocity = (places for the pose - points) / dt, 0 for a dt of 0: the velocities that end a step in the pose.
  /// \param space instance of the kernel
  /// \param pose pose of the body at the end of the step
  /// \param dt length of the step
  /// \param points coordinates at its start
  /// \param velocity out
  /// \throws std::invalid_argument for arrays of another length
  void velocities(Exec const& space, ConstPose const& pose, DeviceNumber<Exec> const& dt,
                  ConstNodeVectors<Exec> const& points, NodeVectors<Exec> const& velocity) const;

  /// Solves for the field b, and for that of the angle where it differs.
  MeshMotionReport const& report() const { return report_; }
  /// The field b.
  Kokkos::View<double const*, typename Exec::memory_space> blend() const { return blend_; }
  /// Bytes that the object keeps in the memory of `Exec`.
  std::int64_t workspace_bytes() const {
    std::size_t const fields = 3 + (turn_.data() == nullptr || turn_.data() == blend_.data() ? 0 : 1);
    return static_cast<std::int64_t>(8 * fields * reference_.extent(0) + sizeof(int) * owner_.extent(0));
  }

 private:
  RigidBodySetup setup_;
  MeshMotionReport report_;
  ConstNodeVectors<Exec> reference_;
  Kokkos::View<double*, typename Exec::memory_space> blend_, turn_;  ///< of shift and angle; may share their memory
  Kokkos::View<int*, typename Exec::memory_space> owner_;            ///< lowest node of each group, or empty
};

#define KARMAN_EXTERN(Exec)               \
  extern template class MeshMotion<Exec>; \
  extern template class RigidBodyMotion<Exec>;
KARMAN_FOR_EACH_BACKEND(KARMAN_EXTERN)
#undef KARMAN_EXTERN

}  // namespace karman
