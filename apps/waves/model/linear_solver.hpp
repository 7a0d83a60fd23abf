// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The linear systems of the mild-slope equation: complex, symmetric, not definite.
#pragma once

#include "wave_model.hpp"
#include "wave_problem.hpp"
#include <karman/core/backend.hpp>
#include <karman/solvers/csr.hpp>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace karman::waves {

/// How one system was solved.
struct LinearOutcome {
  int iterations = 0;   ///< 0: the direct solver alone
  double residual = 0;  ///< |b - A x| / |b|
  bool converged = false;
  bool fell_back = false;  ///< the iteration stalled and the direct solver did it
  std::string trouble;     ///< why it did not converge, or why it fell back
};

/// Solves systems of one profile one after the other, each a little different from the last: x starts from the
/// solution before, and factors are kept as a preconditioner as long as they serve.
template <ExecutionSpace Exec, class Real>
class LinearSolver {
 public:
  using Scalar = Kokkos::complex<Real>;
  using Matrix = CsrMatrix<Exec, Scalar>;
  using Values = Kokkos::View<Scalar*, typename Exec::memory_space>;

  LinearSolver(Exec const& space, Matrix const& matrix, LinearSettings const& settings);
  ~LinearSolver();

  /// Where the shifted operator is the preconditioner: the matrix that the caller has to assemble before each solve,
  /// that of waves which die out, see MildSlopeElement::damping. Else null.
  Matrix const* damped() const;

  /// The next system is another one altogether: nothing of the last helps. `stalled`: an iteration is known to fail on
  /// systems like it, and the direct solver does them at once.
  void forget(bool stalled = false);

  /// Solves A x = b with the values that the matrix has now to |b - A x| <= tolerance |b|. x in: a guess. Has fenced
  /// `space` when it returns.
  LinearOutcome solve(Exec const& space, Values const& rhs, Values const& x, double tolerance);

  /// State that affects the next system.
  LinearMemory memory() const;

  /// Restores that state: the next system gives the same bits as in the solver of memory(). Overwrites the values of
  /// the matrix. Cost: one factorisation where factors were kept. Waits. Throws std::invalid_argument for a matrix of
  /// another profile.
  void restore(Exec const& space, LinearMemory const& memory);

  /// The requested tolerance, at least the limit of the precision.
  double tolerance() const;

  /// Method and preconditioner, for the user.
  std::string name() const;
  std::int64_t bytes() const;

  /// Bounds of that, and of the memory of factors on the host, for a profile of a mesh: offsets (rows + 1), columns
  /// ascending.
  static SolverBytes workspace_bytes(std::vector<int> const& offsets, std::vector<int> const& columns,
                                     LinearSettings const& settings);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

#define KARMAN_EXTERN(Exec)                        \
  extern template class LinearSolver<Exec, float>; \
  extern template class LinearSolver<Exec, double>;
KARMAN_FOR_EACH_BACKEND(KARMAN_EXTERN)
#undef KARMAN_EXTERN

}  // namespace karman::waves
