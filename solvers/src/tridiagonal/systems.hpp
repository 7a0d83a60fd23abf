// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Batches of tridiagonal systems with rows from a functor, for solvers whose coefficients are formulas.
#pragma once

#include "device.hpp"
#include "host.hpp"
#include <karman/core/backend.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstdint>
#include <string>

namespace karman::detail {

/// Method of SystemSolver.
enum class SystemMethod {
  automatic,   ///< whole systems where they fit and are numerous enough, else partitioned
  whole,       ///< host only: whole systems, lanes across systems
  lanes,       ///< every system across the lanes of a team (device) or of the vector registers (host)
  partitioned  ///< at least one level of partition
};

/// Solves all systems of a batch of fixed shape.
///
/// rows(system0, system1, k) gives row k of a system as TridiagonalRow<T>; the kernels copy the functor. It may be
/// called more than once per row. lower of row 0 and upper of the last row count only if the shape is periodic. rhs and
/// x are pointers and strides. x may be rhs, and must overlap nothing else that is read. Matrices are dominant or
/// positive definite, as for Tridiagonal. solve() is asynchronous and allocates nothing.
template <class Exec, class T>
class SystemSolver {
 public:
  SystemSolver() = default;
  /// Allocates the workspace. `whole`: the batch by which the method automatic chooses.
  SystemSolver(Exec const& space, SystemShape const& shape, SystemMethod method = SystemMethod::automatic,
               WholeBatch const& whole = {})
      : shape_(shape), whole_(whole), partition_(method == SystemMethod::partitioned) {
    if constexpr (runs_on_host<Exec>) cut_ = cut(space, shape, method, whole);
    workspace_ = decltype(workspace_)(
        Kokkos::view_alloc(space, Kokkos::WithoutInitializing, std::string("karman::tridiagonal::workspace")),
        static_cast<std::size_t>(workspace_values(space, shape, method, whole)));
  }

  /// Values of the workspace.
  static std::int64_t workspace_values(Exec const& space, SystemShape const& shape,
                                       SystemMethod method = SystemMethod::automatic, WholeBatch const& whole = {}) {
    if constexpr (runs_on_host<Exec>) {
      return cut(space, shape, method, whole).values();
    } else {
      return device_workspace<T>(shape, method == SystemMethod::partitioned, whole);
    }
  }

  template <class Rows>
  void solve(Exec const& space, Rows const& rows, StridedSystems<T const> const& rhs,
             StridedSystems<T> const& x) const {
    if (shape_.rows == 0 || shape_.systems() == 0) return;
    if constexpr (runs_on_host<Exec>) {
      solve_on_host(space, rows, rhs, x, shape_, cut_, workspace_.data());
    } else {
      solve_on_device(space, rows, rhs, x, shape_, whole_, partition_, workspace_.data());
    }
  }

  /// Keeps factors that solves with the same rows can share, for solve_factored(). Allocates.
  void factor(Exec const& space, StridedRows<T> const& rows) {
    if constexpr (!runs_on_host<Exec>) {
      bool const shares = !partition_ && one_matrix(rows, shape_) && shares_factors<T>(shape_, whole_);
      auto const values = static_cast<std::size_t>(shares ? shared_matrix_workspace<T>(shape_, whole_) : 0);
      if (factors_.extent(0) != values) {
        factors_ = decltype(factors_)(
            Kokkos::view_alloc(space, Kokkos::WithoutInitializing, std::string("karman::tridiagonal::factors")),
            values);
      }
      if (shares) factor_shared_matrix(space, rows, shape_, factors_.data());
    }
  }
  /// Values that factor() keeps.
  std::int64_t factor_values() const { return static_cast<std::int64_t>(factors_.extent(0)); }

  /// Solves with the rows of factor(), which must be the same.
  void solve_factored(Exec const& space, StridedRows<T> const& rows, StridedSystems<T const> const& rhs,
                      StridedSystems<T> const& x) const {
    if constexpr (!runs_on_host<Exec>) {
      if (factor_values() > 0) {
        return solve_on_device(space, rows, rhs, x, shape_, whole_, partition_, workspace_.data(), factors_.data());
      }
    }
    solve(space, rows, rhs, x);
  }

  SystemShape const& shape() const { return shape_; }

  /// True if systems are solved in several chunks with an interface system between them, in more than one kernel. On a
  /// device: true if they are in every layout.
  bool partitions() const {
    if constexpr (runs_on_host<Exec>) return cut_.chunks > 1;
    return shape_.rows > 2 && (partition_ || !fits_on_chip<T>(shape_, {false, false, DeviceTable<T, 0>::width}));
  }

  /// Memory of the workspace.
  std::int64_t workspace_bytes() const {
    return static_cast<std::int64_t>(workspace_.extent(0)) * static_cast<std::int64_t>(sizeof(T));
  }

 private:
  static HostCut cut(Exec const& space, SystemShape const& shape, SystemMethod method, WholeBatch const& whole) {
    constexpr HostTuning tuning;
    int const threads = std::max(1, static_cast<int>(space.concurrency()));
    std::int64_t chunks = 1;
    if (method != SystemMethod::whole) chunks = host_chunks<T>(shape, whole, tuning);
    if (method == SystemMethod::lanes) chunks = std::max<std::int64_t>(chunks, narrow_lanes<T>);
    if (method == SystemMethod::partitioned) chunks = std::max<std::int64_t>(chunks, 2);
    return host_cut<T>(shape, threads, chunks);
  }

  SystemShape shape_{0, {0, 0}, false};
  WholeBatch whole_;
  bool partition_ = false;
  HostCut cut_{};
  Kokkos::View<T*, typename Exec::memory_space> workspace_, factors_;
};

}  // namespace karman::detail
