// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Right-hand side of the compressible Euler equations on triangles.
#pragma once

#include <karman/core/backend.hpp>
#include <karman/core/plan_state.hpp>
#include <karman/mesh/triangle_mesh.hpp>
#include <karman/solvers/euler/euler_boundary.hpp>
#include <karman/solvers/euler/euler_rhs_options.hpp>
#include <karman/solvers/linear_operator.hpp>
#include <karman/solvers/sparse/spmv.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <map>
#include <vector>

namespace karman {

namespace detail {
template <class Exec, class T>
struct EulerParts;
}

template <ExecutionSpace Exec, Real T>
class EulerJacobian;
template <ExecutionSpace Exec, Real T>
class EulerFusedStages;

/// Conservative variables at the nodes of a mesh, (node, c): density, momentum in x, momentum in y, total energy, each
/// per volume. The values of one variable are adjacent.
template <ExecutionSpace Exec, class T>
using EulerField = Kokkos::View<T* [4], Kokkos::LayoutLeft, typename Exec::memory_space>;

/// Read-only conservative variables, indexed as EulerField.
template <ExecutionSpace Exec, class T>
using ConstEulerField = Kokkos::View<T const* [4], Kokkos::LayoutLeft, typename Exec::memory_space>;

/// States at the ends of boundary edges, (end, c): density, velocity in x and y, pressure. The values of one variable
/// are adjacent.
template <ExecutionSpace Exec, class T>
using ConstEulerStates = Kokkos::View<T const* [4], Kokkos::LayoutLeft, typename Exec::memory_space>;

/// Semi-discrete Euler equations with linear elements and lumped mass. For node a,
///
///     M_a dU_a/dt = - sum_T { |T|/3 R_T + |T| tau grad(N_a) . A (R_T - G_T) + |T| nu grad(N_a) . grad(U) }
///                   - boundary(F* - F),   R_T = div F(U_h),   F linear in T between the fluxes of the nodes,
///
/// with the Jacobians A_i of the fluxes at the mean state of T, and G the lumped projection of R (project()). tau is
/// that of Tezduyar and Senga. The shock-capturing viscosity is
///
///     nu = factor max{ c h / 4 (s + s^2),  (c + |v . j|) k / 8 q^2 },   s = h |grad rho| / rho,
///     q = min(k |grad p| / p, 3),   h along grad rho, k along j = grad p / |grad p|.
///
/// The pressure decides at strong shocks only: in isentropic flow along grad p, from about q = 1 on.
/// F* is the flux of the boundary condition; nodes of a periodic group are one node. Each sum over the test functions
/// is a flux through the boundary: mass, momentum and energy change by the boundary fluxes alone, to round-off. A
/// uniform flow gives zero to round-off.
///
/// EulerScheme::muscl: finite volumes around the nodes instead, cells of the median dual with the same masses,
///
///     M_a dU_a/dt = - sum_b |n_ab| F(W_ab, W_ba; n_ab) - boundary(F*),
///
/// with the faces n_ab of the cells and the HLLC flux F. It is blended to HLL where the pressure jumps by more than
/// half to a neighbour. W_ab are density, velocity and pressure at the middle of the edge from a to b: half of a
/// limited mean of the jump along the edge and the jump in the triangle behind a. Squares of relative jumps below
/// (number of nodes)^-1.5 are not limited. Density and pressure at the middle stay positive. Central fluxes with these
/// faces are the Galerkin scheme above without stabilisation, up to the boundary. An `inflow` then has the flux of
/// `far_field`, and a wall adds rho v_n |v_n| to the pressure of gas that runs into it. project() does nothing.
///
/// \pre The mesh has no faults (check_mesh()).
/// \par Units
/// Any consistent ones; the gas is ideal, p = (gamma - 1) (rho E - rho |v|^2 / 2).
/// \par Cost
/// About 430 flops per triangle with stabilisation, a division or a root counted as one. Least traffic per triangle in
/// double: 52 bytes; blocks move about 110 on a device. Memory beyond the mesh, per triangle in double: 40 to 48 bytes
/// with blocks, 43 with colored, 39 with atomic, 213 with expanded. EulerOrder::along_curve: two more passes over the
/// fields, with scattered reads, and 64 bytes per triangle. EulerScheme::muscl: three kernels, over nodes, edges and
/// nodes, about 500 flops per triangle, least traffic 340 bytes in double, 190 in float; memory 220 bytes per triangle
/// in double, 142 in float.
/// \par Synchrony
/// The constructor, set_boundary() and set_edge_states() fence `space`. All else is asynchronous and allocates nothing.
/// A plan serves one instance at a time.
/// \par Reproducibility
/// The same bits from run to run and for any number of threads, except for EulerStrategy::atomic.
/// \par Source
/// For EulerScheme::muscl: E. F. Toro, M. Spruce, W. Speares, Shock Waves 4 (1994); B. van Leer, J. Comput. Phys. 14
/// (1974); P. Arminjon, A. Dervieux, J. Comput. Phys. 106 (1993), the triangle behind. For EulerScheme::supg:
/// T. E. Tezduyar, M. Senga, Comput. Methods Appl. Mech. Engrg. 195 (2006); R. Codina, ibid. 190 (2000), orthogonal
/// subscales; R. Loehner, Applied CFD Techniques (2008).
/// \tparam Exec execution space
/// \tparam T float or double
template <ExecutionSpace Exec, Real T>
class EulerRhs {
 public:
  using execution_space = Exec;  ///< execution space of the plan

  /// Plans for a mesh, which it keeps.
  /// \param space instance of the kernels
  /// \param mesh mesh without faults
  /// \param setup strategy, gas and stabilisation
  /// \param group per node, the lowest node of its periodic group, itself where it has none; empty: no groups. Boundary
  /// edges that groups join to another one are no boundary.
  /// \throws std::invalid_argument for options out of range, and for groups of another length or not of this form
  EulerRhs(Exec const& space, TriangleMesh<Exec> const& mesh, EulerRhsSetup const& setup = {},
           std::vector<int> const& group = {});

  /// Sets the conditions of all boundary labels; before the first residual, and whenever they change. Removes the
  /// states of set_edge_states().
  /// \param space instance of the copy
  /// \param conditions condition of each label; labels that the mesh does not have are ignored
  /// \throws std::invalid_argument for a label of the mesh without a condition, and for a state with a density or
  /// pressure that is not positive
  void set_boundary(Exec const& space, std::map<int, EulerBoundary> const& conditions);

  /// Ends of the boundary edges with a label: edge by edge as the mesh numbers them, first node first. Without edges
  /// that periodic groups join.
  /// \param label label of the boundary
  /// \return empty for a label that the mesh does not have
  std::vector<EulerBoundaryEnd> const& boundary_ends(int label) const;

  /// Lets the state of a condition vary along the boundary and in time. `states` replaces EulerBoundary::state, with
  /// the same meaning for each kind, at each of the boundary_ends(). The plan keeps the View: values may be rewritten
  /// at any time by kernels on the instance of the residuals.
  ///
  /// Values on the device are not checked. A density or pressure that is not positive ends as a rate of infinity.
  /// \param space instance of the copy of the table of conditions, which is fenced
  /// \param label label with a far_field, inflow, inlet or outlet condition
  /// \param states one row per end, or empty: back to the state of the condition
  /// \throws std::invalid_argument before set_boundary(), for other labels and kinds, and for another number of rows
  void set_edge_states(Exec const& space, int label, ConstEulerStates<Exec, T> const& states);

  /// Coordinates or velocities of all nodes, (node, axis).
  using Points = typename TriangleMesh<Exec>::template Table<double, 2>;

  /// The nodes move during the following step of length dt: each from its point x, with a constant velocity w. For the
  /// masses and areas of the moving mesh, advance() then is
  ///
  ///     result = (M base + factor dt S(u)) / (M + factor dt dM/dt),
  ///     S_a = - sum_T { |T|/3 div(F - w U) + |T| tau grad(N_a) . (A - w)(R_T - G_T) + |T| nu grad(N_a) . grad(U) }
  ///           - boundary((F* - w U*) - (F - w U)),   R_T = div(F - w U) + U div w,
  ///
  /// M at x, all else at x + dt w / 2. Areas are quadratic in time, so that M + dt dM/dt are the masses at x + dt w: a
  /// uniform flow stays uniform, and a step whose last stage has factor 1 keeps mass, momentum and energy, both to
  /// round-off. Velocities in tau and in the rate are those relative to the nodes. A wall gives F* - w U* the pressure
  /// p n and its work p w . n; all other conditions take the moving edge into account as well. evaluate() gives
  /// S / M - U (dM/dt) / M, the change of U at a moving node, which is du/dt at x for a dt of 0.
  ///
  /// Holds until the next call of set_motion() or set_points(). The plan copies both arrays. An inverted triangle gives
  /// an infinite rate.
  /// \param space instance of the kernels
  /// \param points coordinates at the start of the step
  /// \param velocity velocities; equal in the nodes of a group
  /// \param dt length of the step, that of the following calls of advance()
  /// \pre The setup has `moving`.
  /// \par Cost
  /// About 75 flops per triangle: on a core a tenth of a four-stage step in double, a seventh in float. Residuals of
  /// moving nodes take 10 to 17 % longer there. Memory: 36 bytes more per triangle in double, 30 in float.
  /// \throws std::invalid_argument for a plan without `moving`, arrays of another length, and an empty dt
  void set_motion(Exec const& space, Points const& points, Points const& velocity, DeviceNumber<Exec> const& dt);

  /// The nodes rest at other points than the points of the mesh.
  /// \param space instance of the kernels
  /// \param points coordinates
  /// \pre The setup has `moving`.
  /// \throws std::invalid_argument for a plan without `moving`, and for an array of another length
  void set_points(Exec const& space, Points const& points);

  /// Computes the projection G of the residual of u, for the following residuals. Once per time step suffices: G
  /// varies with the time scale of the flow.
  /// \param space instance of the kernels
  /// \param u conservative variables
  void project(Exec const& space, ConstEulerField<Exec, T> const& u);

  /// result = du/dt.
  /// \param space instance of the kernels
  /// \param u conservative variables
  /// \param dt time step, which limits tau; empty: no limit
  /// \param result must not overlap u
  /// \param rate if not empty: largest rate over the triangles, (|v| + c) / height + 4 nu / height^2, and over the
  /// nodes of open boundaries, 0.4 (c - v . n) length / M. An explicit step is stable for dt of about 1 / rate.
  /// Infinite where a mean density or pressure is not positive. EulerScheme::muscl: of the nodes instead of the
  /// triangles, sum of (wave speed times face) / (2 M) over the faces of the cell.
  /// \throws std::invalid_argument for fields of another size, and before set_boundary() on a mesh with a boundary
  void evaluate(Exec const& space, ConstEulerField<Exec, T> const& u, DeviceNumber<Exec> const& dt,
                EulerField<Exec, T> const& result, DeviceNumber<Exec> const& rate = {});

  /// result = base + factor dt du/dt(u), without storing du/dt: a stage of a Runge-Kutta method.
  /// \param space instance of the kernels
  /// \param base former values; may be result
  /// \param u conservative variables
  /// \param factor of the step
  /// \param dt time step
  /// \param result must not overlap u
  /// \param rate as in evaluate()
  /// \throws std::invalid_argument as evaluate(), and for an empty dt
  void advance(Exec const& space, ConstEulerField<Exec, T> const& base, ConstEulerField<Exec, T> const& u,
               double factor, DeviceNumber<Exec> const& dt, EulerField<Exec, T> const& result,
               DeviceNumber<Exec> const& rate = {});

  /// Rate that limits the local step of each node: the largest of its triangles, as in evaluate(), plus that of its
  /// fluxes through the boundary except for walls, (|v| + c) length / M. All nodes of a group have the same.
  /// EulerScheme::muscl: the rate of its cell as in evaluate(), from the states of the nodes alone.
  /// \param space instance of the kernels
  /// \param u conservative variables
  /// \param rates out: one number per node; infinite as in evaluate()
  /// \par Cost
  /// About a third of a residual. The same bits from run to run for every strategy.
  /// \throws std::invalid_argument for arguments of another size, before set_boundary() on a mesh with a boundary, and
  /// without EulerRhsSetup::local_steps
  void local_rates(Exec const& space, ConstEulerField<Exec, T> const& u, Vector<Exec, T> const& rates);

  /// result = base + factor dt du/dt(u) as in advance(), with one time step per node. No step limits tau.
  /// \param space instance of the kernels
  /// \param base former values; may be result. Empty: zeros
  /// \param u conservative variables
  /// \param factor of the steps
  /// \param dt time step of each node; the same for all nodes of a group
  /// \param result must not overlap u
  /// \throws std::invalid_argument as evaluate(), and for another number of steps
  void advance_local(Exec const& space, ConstEulerField<Exec, T> const& base, ConstEulerField<Exec, T> const& u,
                     double factor, ConstVector<Exec, T> const& dt, EulerField<Exec, T> const& result);

  /// Strategy of the plan.
  EulerStrategy strategy() const;
  /// Options of the plan, with the strategy that it chose.
  EulerRhsSetup const& setup() const;
  /// Whether the plan has memory for moving nodes.
  bool may_move() const;
  /// Coordinates of the residual: of the mesh, of set_points(), or at half the step of set_motion().
  Points points() const;
  /// Number of nodes.
  int nodes() const;
  /// 1 / M of each node, with set_motion() at the start of the step; nodes of a group share their mass.
  Kokkos::View<T const*, typename Exec::memory_space> inverse_mass() const;
  /// dM/dt of each node as set_motion() has it, 0 at rest; empty for a plan without `moving`.
  Kokkos::View<T const*, typename Exec::memory_space> mass_rate() const;
  /// Bytes of the plan in the memory of `Exec`, without the mesh.
  std::int64_t workspace_bytes() const;

 private:
  friend class EulerJacobian<Exec, T>;
  friend class EulerFusedStages<Exec, T>;
  /// Data of the plan for other plans over the same mesh.
  detail::EulerParts<Exec, T> parts() const;

  struct State;
  detail::PlanState<State> state_;
};

#define KARMAN_EXTERN(Exec)                    \
  extern template class EulerRhs<Exec, float>; \
  extern template class EulerRhs<Exec, double>;
KARMAN_FOR_EACH_BACKEND(KARMAN_EXTERN)
#undef KARMAN_EXTERN

}  // namespace karman
