// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Values between host memory and the memory of an execution space. All functions wait for the copy.
#pragma once

#include <karman/core/compat.hpp>
#include <karman/core/concepts.hpp>
#include <karman/core/error.hpp>
#include <karman/io/array.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <string>
#include <type_traits>
#include <vector>

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

/// Copies values of any number type, rounded to that of a row-major View of equal size.
template <ExecutionSpace Exec, class Values, class V>
void upload_rounded(Exec const& space, Values const& values, V const& target) {
  using T = typename V::non_const_value_type;
  require(values.size() == target.size(), "the number of values on the host is not that of " + target.label());
  std::vector<T> const rounded(values.begin(), values.end());
  Kokkos::deep_copy(space, target, HostViewOf<V, T const>(rounded.data(), row_major(target)));
  compat::fence(space, "karman::app::upload");
}

/// Copies values into a View of the same length.
template <ExecutionSpace Exec, class T>
void upload(Exec const& space, std::vector<T> const& values,
            Kokkos::View<T*, typename Exec::memory_space> const& target) {
  Kokkos::View<T const*, Kokkos::HostSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>> const source(values.data(),
                                                                                                  values.size());
  Kokkos::deep_copy(space, target, source);
  compat::fence(space, "karman::app::upload");
}

/// Copies values into a new View.
template <ExecutionSpace Exec, class T>
Kokkos::View<T*, typename Exec::memory_space> uploaded(Exec const& space, std::vector<T> const& values,
                                                       std::string const& label) {
  Kokkos::View<T*, typename Exec::memory_space> const target(
      Kokkos::view_alloc(space, Kokkos::WithoutInitializing, label), values.size());
  if (!values.empty()) upload(space, values, target);
  return target;
}

/// Returns the values of a View on the host, as numbers of the type `To`.
template <class To, ExecutionSpace Exec, class T>
std::vector<To> downloaded(Exec const& space, Kokkos::View<T*, typename Exec::memory_space> const& source) {
  auto const copied = Kokkos::create_mirror_view(source);
  Kokkos::deep_copy(space, copied, source);
  compat::fence(space, "karman::app::download");
  std::vector<To> values(source.extent(0));
  for (std::size_t n = 0; n < values.size(); ++n) values[n] = To(copied(n));
  return values;
}

}  // namespace karman::app
