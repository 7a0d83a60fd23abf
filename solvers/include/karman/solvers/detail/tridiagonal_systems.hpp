// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Batches of tridiagonal systems whose rows a functor gives: for solvers that know their coefficients as a formula.
#pragma once

#include <karman/core/backend.hpp>
#include <karman/solvers/detail/tridiagonal_rows.hpp>
#include <karman/solvers/detail/tridiagonal_thomas.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <string>

namespace karman::detail {

/// Solves all systems of a batch of fixed shape with the algorithm that suits shape and backend.
///
/// rows(system0, system1, k) gives the row k of a system as TridiagonalRow<T>; the functor is copied into the kernels.
/// It may be called more than once for a row, and lower of row 0 and upper of the last are only used if the shape is
/// periodic. rhs and x as pointers and strides; x may be rhs, and must overlap nothing else that is read.
/// Dominant or positive definite matrices, as for Tridiagonal. solve() is asynchronous and allocates nothing.
template <class Exec, class T>
class SystemSolver {
 public:
  SystemSolver() = default;
  /// Allocates the workspace.
  SystemSolver(Exec const& space, SystemShape const& shape) : shape_(shape) {
    workspace_ = decltype(workspace_)(
        Kokkos::view_alloc(space, Kokkos::WithoutInitializing, std::string("karman::tridiagonal::workspace")),
        static_cast<std::size_t>(thomas_workspace(shape, runs_on_host<Exec>)));
  }

  template <class Rows>
  void solve(Exec const& space, Rows const& rows, StridedSystems<T const> const& rhs,
             StridedSystems<T> const& x) const {
    if (shape_.rows == 0 || shape_.systems() == 0) return;
    solve_thomas(space, rows, rhs, x, shape_, workspace_.data(), runs_on_host<Exec>, true);
  }

  SystemShape const& shape() const { return shape_; }

  /// Memory of the workspace.
  std::int64_t workspace_bytes() const {
    return static_cast<std::int64_t>(workspace_.extent(0)) * static_cast<std::int64_t>(sizeof(T));
  }

 private:
  SystemShape shape_{0, {0, 0}, false};
  Kokkos::View<T*, typename Exec::memory_space> workspace_;
};

}  // namespace karman::detail
