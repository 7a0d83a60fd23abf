// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Incomplete factors with fill, by Kokkos Kernels.
#pragma once

#include <karman/core/backend.hpp>
#include <karman/solvers/linear_operator.hpp>
#include <karman/solvers/spmv.hpp>

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

namespace karman {

/// What incomplete factors are made for.
struct IluSetup {
  /// k of ILU(k). An entry (i, j) of the matrix has level 0; one that comes up when column p is eliminated has the
  /// level of (i, p) plus that of (p, j) plus 1, or less if another p gives less. Entries up to level k are kept.
  int fill_level = 0;
  /// Bytes that the table of Kokkos Kernels may take: one number of 4 bytes a column and a row of the widest level, see
  /// IluPreconditioner.
  std::int64_t table_limit = std::int64_t(4) << 30;
};

/// Incomplete factors with fill of level k in the numbering of the matrix, M = L U, the diagonal of L 1, equal to A
/// where the factors have entries: spiluk and sptrsv of Kokkos Kernels. Symmetric where A is (A^T = A), as COCG asks.
///
/// Rows are taken level by level: a row comes after the rows below its diagonal, and each level is one kernel. So the
/// numbering decides how parallel it is; a long chain of nodes has as many levels as nodes. For a mesh, reverse
/// Cuthill-McKee gives long fronts and small factors. The profile needs a diagonal entry in every row and ascending
/// columns; neither profile nor values need be symmetric.
///
/// The constructor works on the host: it finds the entries of the factors and the levels, (rows) x (levels) operations,
/// and allocates. factor() takes values of the same profile, any number of times. Kokkos Kernels unpacks rows into a
/// table with a line of all columns for each row of the widest level, rows x (rows of that level) x 4 bytes: little for
/// a front that runs over a mesh, impossible for nodes in random order; the constructor refuses more than
/// IluSetup::table_limit. A pivot of exactly zero becomes 10^6 there: zero_pivots() counts these and those that are not
/// finite, which are left.
///
/// Cost of apply(): levels() kernels each for L and U and two more, the factors read once, 7 vectors moved. Both calls
/// are asynchronous and results are the same bits from run to run and for any number of threads; apply() allocates
/// nothing, factor() no memory of Kokkos. With Kokkos Kernels below 4.4, which knows no instances, both wait for
/// `space`, work on the default instance and wait for that, and factor() allocates the table each time. Labels of
/// kernels are those of Kokkos Kernels.
///
/// Errors: std::invalid_argument, of the constructor for a negative level, a profile that is not square or lacks what
/// is said above, a table beyond the limit, and in every build without Kokkos Kernels, see available(); of factor() for
/// another number of rows or entries; of apply() for fields that are not 1 x 1 x rows.
/// Source: Y. Saad, Iterative Methods for Sparse Linear Systems, 2nd ed., SIAM (2003), section 10.3.3.
template <ExecutionSpace Exec, SparseScalar Scalar>
class IluPreconditioner final : public LinearOperator<Exec, Scalar> {
 public:
  /// True where this build has Kokkos Kernels (3.4.01 to 3.7 beside its Kokkos, or 4.4 or later).
  static bool available();

  /// For matrices of this profile. Waits for `space`.
  IluPreconditioner(Exec const& space, Graph<Exec> const& profile, int columns, IluSetup const& setup = {});
  IluPreconditioner(IluPreconditioner&&) noexcept;
  IluPreconditioner& operator=(IluPreconditioner&&) noexcept;
  ~IluPreconditioner() override;

  /// Takes the values. Throws std::invalid_argument for another profile's extents.
  void factor(Exec const& space, CsrMatrix<Exec, Scalar> const& matrix);

  std::array<int, 3> extents() const override;
  void apply(Exec const& space, ConstField<Exec, Scalar> const& residual,
             Field<Exec, Scalar> const& correction) override;

  /// Pivots of the last factor() that were exactly zero and replaced, or that are not finite. Fences `space`.
  int zero_pivots(Exec const& space) const;
  /// Kernels that L, and that U takes.
  std::array<int, 2> levels() const;
  /// L, its diagonal of ones the last entry of each row, and U, its diagonal the first: the memory that factor()
  /// writes.
  CsrMatrix<Exec, Scalar> lower() const;
  CsrMatrix<Exec, Scalar> upper() const;
  /// Memory in that of `Exec`, the table counted.
  std::int64_t workspace_bytes() const;
  /// An upper bound of it before the plan is made, for the profile of a mesh of triangles (offsets, columns ascending)
  /// with some six neighbours a node: a row gets an entry for each node that is at most k + 1 edges away.
  static std::int64_t workspace_bytes(std::vector<int> const& offsets, std::vector<int> const& columns,
                                      IluSetup const& setup = {});

 private:
  struct State;
  std::unique_ptr<State> state_;
};

#define KARMAN_EXTERN(Exec)                                              \
  extern template class IluPreconditioner<Exec, float>;                  \
  extern template class IluPreconditioner<Exec, double>;                 \
  extern template class IluPreconditioner<Exec, Kokkos::complex<float>>; \
  extern template class IluPreconditioner<Exec, Kokkos::complex<double>>;
KARMAN_FOR_EACH_BACKEND(KARMAN_EXTERN)
#undef KARMAN_EXTERN

}  // namespace karman
