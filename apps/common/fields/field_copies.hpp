// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Copies of fields of any number type between host memory and Views. All functions wait for the copy.
#pragma once

#include <karman/core/compat.hpp>
#include <karman/core/concepts.hpp>
#include <karman/core/error.hpp>
#include <karman/io/array.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <type_traits>

namespace karman::app {

/// A View of host memory with the shape of another View, row-major.
template <class V, class T>
using HostViewOf =
    Kokkos::View<std::conditional_t<std::is_const_v<T>, typename V::const_data_type, typename V::non_const_data_type>,
                 Kokkos::LayoutRight, Kokkos::HostSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;

/// Row-major strides for the extents of a View.
template <class V>
Kokkos::LayoutRight row_major(V const& view) {
  Kokkos::LayoutRight layout;
  for (int axis = 0; axis < int(V::rank); ++axis) layout.dimension[axis] = view.extent(axis);
  return layout;
}

/// Throws std::invalid_argument unless an array has the number type and the extents of a View.
template <class V, class Array>
void require_same_shape(V const& view, Array const& array) {
  bool same =
      array.type == scalar_type_of<typename V::non_const_value_type>() && array.extents.rank() == std::size_t(V::rank);
  for (std::size_t axis = 0; same && axis < std::size_t(V::rank); ++axis)
    same = array.extents[axis] == view.extent(static_cast<int>(axis));
  require(same, "a field on the host differs in number type or extents from " + view.label());
}

/// Copies host values into a row-major View of the same number type and extents.
template <ExecutionSpace Exec, class V>
void upload(Exec const& space, ConstArray const& values, V const& target) {
  using T = typename V::non_const_value_type;
  require_same_shape(target, values);
  Kokkos::deep_copy(space, target, HostViewOf<V, T const>(static_cast<T const*>(values.data), row_major(target)));
  compat::fence(space, "karman::app::upload");
}

/// Copies a row-major View into host values of the same number type and extents.
template <ExecutionSpace Exec, class V>
void download(Exec const& space, V const& source, MutableArray const& values) {
  using T = typename V::non_const_value_type;
  require_same_shape(source, values);
  Kokkos::deep_copy(space, HostViewOf<V, T>(static_cast<T*>(values.data), row_major(source)), source);
  compat::fence(space, "karman::app::download");
}

}  // namespace karman::app
