// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Incomplete factors with fill, by Kokkos Kernels.
#pragma once

#include <karman/core/backend.hpp>
#include <karman/core/plan_state.hpp>
#include <karman/solvers/sparse/ilu_preconditioner_options.hpp>
#include <karman/solvers/sparse/preconditioner.hpp>
#include <karman/solvers/sparse/spmv.hpp>

#include <array>
#include <cstdint>
#include <vector>

namespace karman {

/// Incomplete factors with fill of level k in the numbering of the matrix, M = L U, by Kokkos Kernels.
///
/// The diagonal of L is 1; M equals A where the factors have entries, and is symmetric where A is (A^T = A), as COCG
/// requires. Rows are taken level by level: a row follows the rows below its diagonal, and each level is one kernel. So
/// the numbering decides how parallel the work is; a chain of nodes has as many levels as nodes. For a mesh, reverse
/// Cuthill-McKee gives long fronts and small factors. The profile needs a diagonal entry in every row and ascending
/// columns; neither profile nor values need be symmetric. A pivot of exactly zero becomes 10^6: zero_pivots() counts
/// these and those that are not finite, which are left.
///
/// Kokkos Kernels unpacks rows into a table: rows x (rows of the widest level) x 4 bytes. That is little for a front
/// that crosses a mesh and impossible for nodes in random order. The constructor refuses more than
/// IluSetup::table_limit.
///
/// Results are the same bits from run to run and for any number of threads. Labels of kernels are the labels of Kokkos
/// Kernels.
///
/// \tparam Exec execution space
/// \tparam Scalar number type of the matrix and the vectors
/// \par Cost
/// Constructor, on the host: (rows) x (levels) operations. apply(): levels() kernels each for L and U and two more, the
/// factors read once, 7 vectors moved.
/// \par Synchrony
/// factor() and apply() are asynchronous; apply() allocates nothing, factor() no memory of Kokkos. Kokkos Kernels below
/// 4.4 takes no instances: then both wait for `space`, work on the default instance and wait for that, and factor()
/// allocates the table each time.
/// \par Source
/// Y. Saad, Iterative Methods for Sparse Linear Systems, 2nd ed., SIAM (2003), section 10.3.3.
template <ExecutionSpace Exec, SparseScalar Scalar>
class IluPreconditioner final : public Preconditioner<Exec, Scalar> {
 public:
  /// \return true where this build has Kokkos Kernels (3.4.01 to 3.7 beside its Kokkos, or 4.4 or later)
  static bool available();

  /// Finds the entries of the factors and the levels, and allocates. Waits for `space`.
  /// \param space instance on which the kernels run
  /// \param profile profile of the matrices
  /// \param columns number of their columns
  /// \param setup fill level and limits
  /// \throws std::invalid_argument for a negative level; for a profile that is not square or breaks a condition above;
  /// for a table beyond the limit; in every build without Kokkos Kernels, see available()
  IluPreconditioner(Exec const& space, Graph<Exec> const& profile, int columns, IluSetup const& setup = {});

  using Preconditioner<Exec, Scalar>::apply;
  /// Takes the values.
  /// \throws std::invalid_argument for another number of rows or entries
  FactorReport factor(Exec const& space, CsrMatrix<Exec, Scalar> const& matrix) override;

  int size() const override;
  void apply(Exec const& space, ConstVector<Exec, Scalar> const& residual,
             Vector<Exec, Scalar> const& correction) const override;

  /// \return pivots of the last factor() that were exactly zero and replaced, or that are not finite
  /// \par Synchrony
  /// Fences `space`.
  int zero_pivots(Exec const& space) const;
  /// \return kernels per application of L and of U
  std::array<int, 2> levels() const;
  /// \return L, its diagonal of ones the last entry of each row, in the memory that factor() writes
  CsrMatrix<Exec, Scalar> lower() const;
  /// \return U, its diagonal the first entry of each row, in the memory that factor() writes
  CsrMatrix<Exec, Scalar> upper() const;

  /// \return bytes of the factors, the levels and the table; only the symbolic factorisation gives their number
  std::int64_t workspace_bytes() const override;
  /// Upper bound before the plan is made, for a mesh of triangles with about six neighbours per node: a row gets an
  /// entry for each node that is at most k + 1 edges away.
  /// \param offsets offsets of the profile, rows + 1
  /// \param columns its columns, ascending within a row
  /// \param setup set-up of the object
  /// \return bytes
  static std::int64_t workspace_bytes(std::vector<int> const& offsets, std::vector<int> const& columns,
                                      IluSetup const& setup = {});

 private:
  struct State;
  detail::PlanState<State> state_;
};

#define KARMAN_EXTERN(Exec)                                              \
  extern template class IluPreconditioner<Exec, float>;                  \
  extern template class IluPreconditioner<Exec, double>;                 \
  extern template class IluPreconditioner<Exec, Kokkos::complex<float>>; \
  extern template class IluPreconditioner<Exec, Kokkos::complex<double>>;
KARMAN_FOR_EACH_BACKEND(KARMAN_EXTERN)
#undef KARMAN_EXTERN

}  // namespace karman
