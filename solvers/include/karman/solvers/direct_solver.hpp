// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Sparse systems solved directly, on the host, by a library.
#pragma once

#include <karman/core/backend.hpp>
#include <karman/solvers/linear_operator.hpp>
#include <karman/solvers/solve_report.hpp>
#include <karman/solvers/spmv.hpp>

#include <array>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

namespace karman {

/// The libraries that a build may have behind DirectSolver.
enum class DirectLibrary {
  automatic,  ///< SuperLU where this build has it, else UMFPACK
  umfpack,    ///< SuiteSparse UMFPACK, GPL-2.0 or later: a program that is passed on with it is bound by that licence
  superlu     ///< SuperLU, BSD-3-Clause
};

std::string_view name(DirectLibrary library);

/// The libraries of this build, the one that `automatic` takes first.
std::vector<DirectLibrary> direct_libraries();

/// What a factorisation tells its caller.
struct FactorReport {
  std::string_view breakdown = {};  ///< why there are no factors ("the matrix is singular"); empty when there are
  double reciprocal_condition = 0;  ///< a rough estimate, smallest by largest pivot
  std::int64_t entries = 0;         ///< of both factors together
  bool ok() const { return breakdown.empty(); }
};

/// Solves A x = b by a sparse LU factorisation with pivoting, P A Q = L U: in three steps, so that what depends on the
/// profile alone is done once, and what depends on the values once for many right-hand sides.
///
/// Works on the host, in double (float is converted), serially; matrices and vectors of a device are copied. For the
/// reference solution, for systems on which Krylov methods stall, for small systems on a few cores, and, as a linear
/// map (`apply`, z = A^-1 r), as the preconditioner of matrices near the one that was factored.
/// Square matrices, columns ascending within a row. Cost in two dimensions: about n^1.5 flops and 31 n log2 n entries
/// of the factors; the matrix is kept on the host. Every call has fenced `space` when it returns.
/// Throws std::invalid_argument for a library that this build lacks, a matrix that is not square or whose profile is
/// not the one that was analysed, and for calls out of turn; std::runtime_error when memory runs out: analyse() counts
/// the entries of the factors, and factor() compares what they need with what is free before it begins. Source: T. A.
/// Davis, ACM Trans. Math. Softw. 30 (2004); X. S. Li, ACM Trans. Math. Softw. 31 (2005).
template <ExecutionSpace Exec, SparseScalar Scalar>
class DirectSolver final : public LinearOperator<Exec, Scalar> {
 public:
  /// Throws std::invalid_argument, in one line that says what to install, where the library is absent.
  explicit DirectSolver(DirectLibrary library = DirectLibrary::automatic);

  DirectSolver(DirectSolver&&) noexcept;
  DirectSolver& operator=(DirectSolver&&) noexcept;
  ~DirectSolver() override;

  /// Orders the unknowns of a profile. Once a profile.
  void analyse(Exec const& space, CsrMatrix<Exec, Scalar> const& matrix);

  /// Factors the values of a matrix of the analysed profile.
  FactorReport factor(Exec const& space, CsrMatrix<Exec, Scalar> const& matrix);

  /// x = A^-1 b, refined by the residual of the matrix as it was factored. `residual` is |b - A x| / |b| in 2-norms, of
  /// x in double, before it is rounded to float; where b is zero, relative to the residual of x as given, as everywhere
  /// (docs/stopping.md). `converged` says that it is at most `tolerance`. A factorisation that broke down gives its
  /// reason and leaves x, of which `residual` then is: NaN where the matrix holds a NaN.
  SolveReport solve(Exec const& space, Vector<Exec, Scalar> const& x, ConstVector<Exec, Scalar> const& rhs,
                    double tolerance = 1e-8);

  std::array<int, 3> extents() const override;

  /// z = A^-1 r without refinement, zero where there are no factors.
  void apply(Exec const& space, ConstField<Exec, Scalar> const& residual,
             Field<Exec, Scalar> const& correction) override;

  DirectLibrary library() const;

  /// Bytes on the host that factor() needs at its peak, beyond those in use after analyse(), 0 before it: from the
  /// profile, for pivots that stay on the diagonal as far as the library prefers them. At least the peak, and at most
  /// twice, on meshes in the plane.
  std::int64_t factor_bytes() const;
  /// Bytes on the host from analyse() to solve() for a profile of `rows` rows, offsets (rows + 1), the columns of each
  /// row ascending, all counted. Cost: that of analyse(). Throws std::invalid_argument as it does.
  static std::int64_t workspace_bytes(int rows, std::vector<int> const& offsets, std::vector<int> const& columns,
                                      DirectLibrary library = DirectLibrary::automatic);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

#define KARMAN_EXTERN(Exec)                                         \
  extern template class DirectSolver<Exec, float>;                  \
  extern template class DirectSolver<Exec, double>;                 \
  extern template class DirectSolver<Exec, Kokkos::complex<float>>; \
  extern template class DirectSolver<Exec, Kokkos::complex<double>>;
KARMAN_FOR_EACH_BACKEND(KARMAN_EXTERN)
#undef KARMAN_EXTERN

}  // namespace karman
