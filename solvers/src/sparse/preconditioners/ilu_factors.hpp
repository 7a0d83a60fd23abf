// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Factors of ILU(k), in the form of the library that computes them.
#pragma once

#include <karman/solvers/sparse/spmv.hpp>

#include <array>
#include <cstdint>
#include <memory>

namespace karman::detail {

/// Factors of matrices of one profile.
template <ExecutionSpace Exec, SparseScalar Scalar>
class IluFactors {
 public:
  IluFactors() = default;
  IluFactors(IluFactors const&) = delete;
  IluFactors& operator=(IluFactors const&) = delete;
  virtual ~IluFactors() = default;

  /// Computes the values of L and U from the values of A.
  virtual void factor(Exec const& space, ConstVector<Exec, Scalar> const& values) = 0;
  /// z = U^-1 L^-1 r.
  virtual void solve(Exec const& space, Scalar const* r, Scalar* z) = 0;

  virtual CsrMatrix<Exec, Scalar> const& lower() const = 0;
  virtual CsrMatrix<Exec, Scalar> const& upper() const = 0;
  virtual std::array<int, 2> levels() const = 0;
  virtual std::int64_t bytes() const = 0;
};

/// Factors of Kokkos Kernels, in builds that have it. The profile must have rows, a diagonal entry in each, and
/// ascending columns. Waits for `space`.
template <ExecutionSpace Exec, SparseScalar Scalar>
std::unique_ptr<IluFactors<Exec, Scalar>> make_kokkos_kernels_ilu(Exec const& space, Graph<Exec> const& profile,
                                                                  int fill_level);

}  // namespace karman::detail
