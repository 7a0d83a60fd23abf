// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The linear systems of the mild-slope equation: complex, symmetric, not definite.
#pragma once

#include "wave_model.hpp"
#include "waves/case/wave_problem.hpp"
#include <karman/core/backend.hpp>
#include <karman/solvers/sparse/csr.hpp>

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
  bool fell_back = false;  ///< the iteration stalled and the direct solver solved it
  std::string trouble;     ///< the reason for no convergence, or for the fall-back
};

/// Solves a sequence of systems of one profile, each a little different from the last. x starts from the previous
/// solution, and factors are kept as a preconditioner as long as they serve.
template <ExecutionSpace Exec, class Real>
class LinearSolver {
 public:
  using Scalar = Kokkos::complex<Real>;
  using Matrix = CsrMatrix<Exec, Scalar>;
  using Values = Kokkos::View<Scalar*, typename Exec::memory_space>;

  LinearSolver(Exec const& space, Matrix const& matrix, LinearSettings const& settings);
  ~LinearSolver();

  /// The matrix for the shifted operator as preconditioner, which the caller must assemble before each solve: that of
  /// damped waves, see MildSlopeElement::damping. Null with other preconditioners.
  Matrix const* damped() const;

  /// Damping of that matrix; waves decrease to e^{-pi damping} per wavelength.
  double damping() const;

  /// Announces an unrelated system, for which nothing of the last one is reused. `stalled`: iterations fail on systems
  /// like it, so the direct solver takes them at once.
  void forget(bool stalled = false);

  /// Solves A x = b with the present values of the matrix to |b - A x| <= tolerance |b|. x in: a guess. Has fenced
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

  /// Upper bounds of that, and of the memory of factors on the host, for a profile of a mesh: offsets (rows + 1),
  /// columns ascending.
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
