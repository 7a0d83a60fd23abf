// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Preconditioners of sparse matrices that are set up and applied on the device.
#pragma once

#include <karman/core/backend.hpp>
#include <karman/solvers/linear_operator.hpp>
#include <karman/solvers/spmv.hpp>

#include <array>
#include <cstdint>
#include <memory>

namespace karman {

/// The preconditioner of Jacobi: z_i = r_i / a_ii.
///
/// A pivot a_ii that is zero, absent or not finite counts as 1 and is counted: zero_pivots() says how many there were.
/// The constructor finds the diagonals and allocates; factor() only reads values. Cost of apply(): three vectors moved;
/// no kernel inside KrylovSolver with COCG or BiCGStab, which multiply while they update.
template <ExecutionSpace Exec, SparseScalar Scalar>
class JacobiPreconditioner final : public LinearOperator<Exec, Scalar> {
 public:
  /// For matrices of this profile. Throws std::invalid_argument unless it is square.
  JacobiPreconditioner(Exec const& space, Graph<Exec> const& profile, int columns);

  /// Takes the values. Asynchronous; allocates nothing. Throws std::invalid_argument for another profile's extents.
  void factor(Exec const& space, CsrMatrix<Exec, Scalar> const& matrix);

  std::array<int, 3> extents() const override { return {1, 1, static_cast<int>(inverse_.extent(0))}; }
  void apply(Exec const& space, ConstField<Exec, Scalar> const& residual,
             Field<Exec, Scalar> const& correction) override;

  /// Pivots that the last factor() replaced. Fences `space`.
  int zero_pivots(Exec const& space) const;

  /// 1 / a_ii of the last factor().
  ConstVector<Exec, Scalar> inverse_diagonal() const { return inverse_; }

 private:
  Kokkos::View<int*, typename Exec::memory_space> diagonal_;  // entry number, or -1
  Vector<Exec, Scalar> inverse_;
  Kokkos::View<int, typename Exec::memory_space> replaced_;
};

enum class ColoredMethod {
  ssor,  ///< symmetric successive over-relaxation, M = omega / (2 - omega) (D / omega + L) D^-1 (D / omega + U)
  ilu0   ///< incomplete factors without fill, M = (D + L) D^-1 (D + U), equal to A on its profile
};

/// What a coloured preconditioner is made for.
struct ColoredSetup {
  ColoredMethod method = ColoredMethod::ilu0;
  double omega = 1;  ///< of SSOR, 0 < omega < 2
  int passes = 12;   ///< over all rows, to save colours
};

/// SSOR and ILU(0) of a matrix whose rows are taken by colour: rows of one colour do not see each other, so each colour
/// is one kernel. Both are symmetric where the matrix is (A^T = A), as COCG asks.
///
/// The constructor colours the rows (Jones and Plassmann 1993 and passes that save colours, on the device, the same
/// every time), splits the profile and allocates; factor() takes values, on the device: two kernels for SSOR, two and
/// one a colour for ILU(0). A pivot that is zero, absent or not finite counts as 1: zero_pivots() says how many there
/// were. The profile must be symmetric (not the values), its columns ascending: else the constructor throws
/// std::invalid_argument. Cost of apply(): 2 colors() - 1 kernels, the matrix read once, 5 vectors moved; a mesh of
/// triangles takes some 5 colours. apply() and factor() are asynchronous and allocate nothing; results are the same
/// bits from run to run and for any number of threads. Source: L. Adams, H. F. Jordan, SIAM J. Sci. Stat. Comput. 7
/// (1986); J. A. Meijerink, H. A. van der Vorst, Math. Comp. 31 (1977).
template <ExecutionSpace Exec, SparseScalar Scalar>
class ColoredPreconditioner final : public LinearOperator<Exec, Scalar> {
 public:
  /// For matrices of this profile. Waits for `space`.
  ColoredPreconditioner(Exec const& space, Graph<Exec> const& profile, int columns, ColoredSetup const& setup = {});
  ColoredPreconditioner(ColoredPreconditioner&&) noexcept;
  ColoredPreconditioner& operator=(ColoredPreconditioner&&) noexcept;
  ~ColoredPreconditioner() override;

  /// Takes the values. Throws std::invalid_argument for another profile's extents.
  void factor(Exec const& space, CsrMatrix<Exec, Scalar> const& matrix);

  std::array<int, 3> extents() const override;
  void apply(Exec const& space, ConstField<Exec, Scalar> const& residual,
             Field<Exec, Scalar> const& correction) override;

  /// Pivots that the last factor() replaced. Fences `space`.
  int zero_pivots(Exec const& space) const;
  int colors() const;
  /// Colour of each row.
  Kokkos::View<int const*, typename Exec::memory_space> row_colors() const;
  /// Memory in that of `Exec`.
  std::int64_t workspace_bytes() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// What a shifted preconditioner is made for.
struct ShiftedSetup {
  ColoredSetup colored = {};
  int steps = 1;  ///< of the stationary iteration z += M^-1 (r - S z), M the coloured preconditioner of S
};

/// The preconditioner of waves: some steps of a simple iteration on a matrix S near A that is easier to solve because
/// waves die out in it,
///   S = A + shift B;
/// for Helmholtz' equation, A = K - k^2 B with stiffness K and mass B, the shifted Laplacian K - (1 + i beta) k^2 B has
/// shift = -i beta k^2 (time as exp(-i omega t); + for the other sign). Symmetric where A and B are.
///
/// The constructor is that of ColoredPreconditioner and allocates the values of S as well; factor() is asynchronous
/// and allocates nothing. Cost of apply(): `steps` of the coloured preconditioner, one product with S and one vector
/// pass less. Source: Y. A. Erlangga, C. Vuik, C. W. Oosterlee, Appl. Numer. Math. 50 (2004).
template <ExecutionSpace Exec, SparseScalar Scalar>
class ShiftedPreconditioner final : public LinearOperator<Exec, Scalar> {
 public:
  ShiftedPreconditioner(Exec const& space, Graph<Exec> const& profile, int columns, ShiftedSetup const& setup = {});

  /// S = A + shift B, all of the one profile.
  void factor(Exec const& space, CsrMatrix<Exec, Scalar> const& a, ConstVector<Exec, Scalar> const& b, Scalar shift);

  /// S as the caller made it.
  void factor(Exec const& space, CsrMatrix<Exec, Scalar> const& shifted);

  std::array<int, 3> extents() const override { return colored_.extents(); }
  void apply(Exec const& space, ConstField<Exec, Scalar> const& residual,
             Field<Exec, Scalar> const& correction) override;

  int zero_pivots(Exec const& space) const { return colored_.zero_pivots(space); }
  CsrMatrix<Exec, Scalar> const& matrix() const { return shifted_; }

 private:
  ShiftedSetup setup_;
  ColoredPreconditioner<Exec, Scalar> colored_;
  CsrMatrix<Exec, Scalar> shifted_;
  Vector<Exec, Scalar> rest_, step_;
};

#define KARMAN_EXTERN_FOR(Exec, Scalar)                      \
  extern template class JacobiPreconditioner<Exec, Scalar>;  \
  extern template class ColoredPreconditioner<Exec, Scalar>; \
  extern template class ShiftedPreconditioner<Exec, Scalar>;
#define KARMAN_EXTERN(Exec)                       \
  KARMAN_EXTERN_FOR(Exec, float)                  \
  KARMAN_EXTERN_FOR(Exec, double)                 \
  KARMAN_EXTERN_FOR(Exec, Kokkos::complex<float>) \
  KARMAN_EXTERN_FOR(Exec, Kokkos::complex<double>)
KARMAN_FOR_EACH_BACKEND(KARMAN_EXTERN)
#undef KARMAN_EXTERN
#undef KARMAN_EXTERN_FOR

}  // namespace karman
