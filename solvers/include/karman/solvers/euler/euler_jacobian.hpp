// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Jacobian of the first-order part of the Euler residual, for implicit steps.
#pragma once

#include <karman/core/backend.hpp>
#include <karman/core/plan_state.hpp>
#include <karman/mesh/graph.hpp>
#include <karman/solvers/euler/euler_jacobian_options.hpp>
#include <karman/solvers/euler/euler_rhs.hpp>
#include <karman/solvers/sparse/block_csr.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace karman {

/// Jacobian of a first-order scheme with the central fluxes, boundary conditions and masses of an EulerRhs. Its
/// residual at node i, with the neighbours j, is
///
///     M_i r_i = - sum_j { n_ij . (F(U_i) + F(U_j)) / 2 - D_ij (U_j - U_i) / 2 } - boundary(F*),
///
/// where n_ij = -n_ji are the normals of the median dual cells. At the boundary of EulerScheme::supg the triangles
/// replace the central part by their own: without D this is the residual of EulerRhs without stabilisation. D_ij is
/// |A . n_ij| at Roe's mean state, or another choice of EulerDissipation. Derivatives hold D_ij constant.
/// EulerJacobianOptions::streamline replaces a share of D by the SUPG term of the triangles.
///
/// matrix = diag(inverse_dt) - dr/dU, blocks of 4 x 4 numbers:
///
///     block(i, j) = (A(U_j) . n_ij - D_ij) / (2 M_i),
///     block(i, i) = inverse_dt_i + (sum_j D_ij / 2 + d boundary(F*) / dU_i) / M_i.
///
/// Nodes and fields are in the numbering of the mesh. All nodes of a periodic group are one unknown: the row of its
/// lowest node is that of the whole group, and columns are lowest nodes. Other nodes of the group have the row
/// x_node - x_lowest = 0. The row of the lowest node has zero blocks for them: the profile is symmetric. Edges between
/// the same two groups count as one, with the sum of their normals.
///
/// Boundary fluxes: exact derivatives for `wall`, `inflow` and `outflow`; central differences of the flux in double for
/// the others, with an error of about 1e-9.
///
/// \pre The nodes do not move, except with EulerJacobianOptions::keeps_normals. Density and pressure of the field are
/// positive.
/// \par Cost
/// About 1,400 flops per node with six neighbours. Least traffic per node in double: 896 bytes of the matrix, and 184
/// of normals, columns, field and step. Memory per node in double: 112 bytes of normals and 32 of the graph. With
/// `streamline` one kernel more: about 4,000 flops, 244 bytes of memory, and the matrix read and written about twice.
/// \par Synchrony
/// The constructor fences `space` and works on the host. assemble() is asynchronous and allocates nothing.
/// \par Reproducibility
/// The same bits from run to run and for any number of threads.
/// \par Source
/// P. L. Roe, J. Comput. Phys. 43 (1981); A. Harten, J. Comput. Phys. 49 (1983), entropy fix; T. J. Barth, AIAA paper
/// 91-0721 (1991), Galerkin scheme as a sum over edges; T. E. Tezduyar, M. Senga, Comput. Methods Appl. Mech. Eng. 195
/// (2006), SUPG term.
/// \tparam Exec execution space
/// \tparam T float or double
template <ExecutionSpace Exec, Real T>
class EulerJacobian {
 public:
  /// Plans for the mesh of a right-hand side.
  /// \param space instance of the kernels
  /// \param rhs right-hand side; must live as long as this object, at the same address
  /// \param options dissipation
  /// \throws std::invalid_argument for options out of range, and without keeps_normals for nodes that may move
  EulerJacobian(Exec const& space, EulerRhs<Exec, T> const& rhs, EulerJacobianOptions const& options = {});

  /// Profile of the matrix: one row per node, columns ascending. See make_block_csr_matrix().
  Graph<Exec> const& graph() const;

  /// Assembles matrix = diag(inverse_dt) - dr/dU with the present conditions of the boundary.
  /// \param space instance of the kernels
  /// \param u conservative variables
  /// \param inverse_dt 1 / step of each node; empty: zeros
  /// \param matrix out: all its values, which begin at a multiple of 16 bytes; has graph()
  /// \throws std::invalid_argument for arguments of another size, for a matrix with another graph or place in memory,
  /// and before EulerRhs::set_boundary() on a mesh with a boundary
  void assemble(Exec const& space, ConstEulerField<Exec, T> const& u, ConstVector<Exec, T> const& inverse_dt,
                BlockCsrMatrix<Exec, T, 4> const& matrix) const;

  /// Options of the plan.
  EulerJacobianOptions const& options() const;
  /// Number of nodes.
  int nodes() const;
  /// Bytes of the plan in the memory of `Exec`, with the graph and without the right-hand side.
  std::int64_t workspace_bytes() const;

 private:
  struct State;
  detail::PlanState<State> state_;
};

#define KARMAN_EXTERN(Exec)                         \
  extern template class EulerJacobian<Exec, float>; \
  extern template class EulerJacobian<Exec, double>;
KARMAN_FOR_EACH_BACKEND(KARMAN_EXTERN)
#undef KARMAN_EXTERN

}  // namespace karman
