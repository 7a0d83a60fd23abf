// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Two older ways to reduce a field, kept so that reductions.hpp can be compared with them. Not for production use.
#pragma once

#include <karman/core/compat.hpp>
#include <karman/core/concepts.hpp>
#include <karman/core/error.hpp>
#include <karman/core/reduction_operations.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

namespace karman {

namespace detail {

/// One pass of the plain tree: every index is visited, one in 2 * stride has something to do.
template <class T, class Op>
struct TreePass {
  T* values;
  std::int64_t n;
  std::int64_t stride;
  Op op;
  KOKKOS_FUNCTION void operator()(std::int64_t i) const {
    if (i % (2 * stride) == 0 && i + stride < n) values[i] = op.join(values[i], values[i + stride]);
  }
};

template <class T>
struct CopyValues {
  T const* from;
  T* to;
  KOKKOS_FUNCTION void operator()(std::int64_t i) const { to[i] = from[i]; }
};

}  // namespace detail

/// The plain binary tree of the first textbooks on parallel reduction: ceil(log2 n) kernels over all n indices, each
/// joining values a distance of 1, 2, 4, ... apart in a copy of the field. O(n log n) work, and as many launches as
/// passes. T is the value type of the operation.
template <ExecutionSpace Exec, class T>
class PlainTreeReduction {
 public:
  /// Allocates the copy, for fields of up to `capacity` values.
  PlainTreeReduction(Exec const& space, std::int64_t capacity)
      : values_(Kokkos::view_alloc(space, Kokkos::WithoutInitializing, std::string("karman::reductions::tree_values")),
                static_cast<std::size_t>(capacity)),
        result_(Kokkos::view_alloc(Kokkos::WithoutInitializing, std::string("karman::reductions::tree_result"))) {}

  /// op over the field; the identity for an empty one. Fences `space`. Throws std::invalid_argument for a field larger
  /// than the capacity.
  template <ReductionOperation Op>
  T reduce(Exec const& space, Kokkos::View<T const*, typename Exec::memory_space> const& field, Op const& op) {
    using Policy = Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::int64_t>>;
    auto const n = static_cast<std::int64_t>(field.extent(0));
    require(n <= static_cast<std::int64_t>(values_.extent(0)), "the field is larger than the plan's copy of it");
    if (n == 0) return op.identity();
    Kokkos::parallel_for("karman::reductions::tree_copy", Policy(space, 0, n),
                         detail::CopyValues<T>{field.data(), values_.data()});
    for (std::int64_t stride = 1; stride < n; stride *= 2) {
      Kokkos::parallel_for("karman::reductions::tree_pass", Policy(space, 0, n),
                           detail::TreePass<T, Op>{values_.data(), n, stride, op});
    }
    Kokkos::deep_copy(space, result_, Kokkos::subview(values_, 0));
    compat::fence(space, "karman::reductions::tree_result");
    return result_();
  }

 private:
  Kokkos::View<T*, typename Exec::memory_space> values_;
  Kokkos::View<T, Kokkos::HostSpace> result_;
};

/// The whole field copied to the host and joined there in a loop.
template <ExecutionSpace Exec, class T>
class HostLoopReduction {
 public:
  /// Allocates the copy on the host, for fields of up to `capacity` values.
  explicit HostLoopReduction(std::int64_t capacity)
      : values_(Kokkos::view_alloc(Kokkos::WithoutInitializing, std::string("karman::reductions::host_values")),
                static_cast<std::size_t>(capacity)) {}

  /// op over the field, from the first value to the last; the identity for an empty one. Fences `space`. Throws
  /// std::invalid_argument for a field larger than the capacity.
  template <ReductionOperation Op>
  T reduce(Exec const& space, Kokkos::View<T const*, typename Exec::memory_space> const& field, Op const& op) {
    std::size_t const n = field.extent(0);
    require(n <= values_.extent(0), "the field is larger than the plan's copy of it");
    auto const part = Kokkos::subview(values_, std::pair<std::size_t, std::size_t>(0, n));
    Kokkos::deep_copy(space, part, field);
    compat::fence(space, "karman::reductions::host_values");
    T joined = op.identity();
    for (std::size_t i = 0; i < n; ++i) joined = op.join(joined, part(i));
    return joined;
  }

 private:
  Kokkos::View<T*, Kokkos::HostSpace> values_;
};

}  // namespace karman
