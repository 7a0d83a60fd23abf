// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The discrete mild-slope equation of one period: data of assembly and solution on a mesh.
#pragma once

#include "boundary_table.hpp"
#include "linear_solver.hpp"
#include "wave_member.hpp"
#include <karman/solvers/fem/fem_assembly.hpp>

#include <cstdint>
#include <string>

namespace karman::waves {

/// The linear system A eta = b of a member: mesh, profile, plan of the assembly, matrix and right-hand side. One object
/// serves all members in turn.
template <ExecutionSpace Exec, class Real>
class MildSlopeSystem {
 public:
  using Member = WaveMember<Exec, Real>;

  /// Requires that problems_of(problem) is empty. Waits.
  MildSlopeSystem(Exec const& space, WaveProblem const& problem, BoundaryTable const& boundary);

  TriangleMesh<Exec> const& mesh() const { return mesh_; }

  /// Announces other waves, the first of this angular frequency: nothing of the last system is reused.
  void start(double omega);

  /// Announces the system of this member. Successive components of one period have nearly the same matrix, so that one
  /// set of factors serves all of them.
  void set_frequency(Member const& m);

  /// Assembles the system with the coefficients and losses in the member's fields. Solves it once to |b - A eta| <=
  /// tolerance |b|, with the member's elevation as guess and result. Counts in its report. Waits.
  LinearOutcome solve(Exec const& space, Member& m, double tolerance);

  /// Solves the last assembled system again. Waits.
  LinearOutcome solve_again(Exec const& space, Member& m, double tolerance);

  /// Fills `omega` and `linear` of a snapshot.
  void save(WaveSnapshot& snapshot) const;
  /// Restores them, see LinearSolver. Waits.
  void restore(Exec const& space, WaveSnapshot const& snapshot);

  /// See LinearSolver.
  double tolerance() const { return solver_.tolerance(); }
  std::string solver_name() const { return solver_.name(); }

  std::int64_t bytes() const;

 private:
  using Memory = typename Exec::memory_space;
  using Scalar = Kokkos::complex<Real>;
  using Terms = Kokkos::View<BoundaryTerms const*, Memory>;
  using Places = Kokkos::View<EdgePlace const*, Memory>;

  /// Computes the values of a matrix and of the right-hand side from the present losses. Asynchronous.
  void assemble_into(Exec const& space, CsrMatrix<Exec, Scalar> const& matrix, double damping, Member const& m);

  bool extended_;
  double lumping_;
  TriangleMesh<Exec> mesh_;
  FemProfile<Exec> profile_;
  FemAssembly<Exec> assembly_;
  CsrMatrix<Exec, Scalar> matrix_;
  Elevation<Exec, Real> rhs_;
  LinearSolver<Exec, Real> solver_;
  Terms terms_;
  Places places_;
  double omega_of_solver_ = 0;  ///< of the last system of the linear solver
};

#define KARMAN_EXTERN(Exec)                           \
  extern template class MildSlopeSystem<Exec, float>; \
  extern template class MildSlopeSystem<Exec, double>;
KARMAN_FOR_EACH_BACKEND(KARMAN_EXTERN)
#undef KARMAN_EXTERN

}  // namespace karman::waves
