// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Copies between arrays of the host and Views.
#pragma once

#include <karman/core/backend.hpp>
#include <karman/core/compat.hpp>
#include <karman/core/concepts.hpp>
#include <karman/core/error.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <iterator>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

namespace karman {

namespace detail {

/// Number type of the elements of a host array, and the View of such an array: a table for elements that are arrays.
template <class Element>
struct HostElement {
  using Number = Element;
  template <class Memory>
  using View = Kokkos::View<Number*, Memory>;
  template <class E>
  static E* numbers(E* elements) {
    return elements;
  }
};

template <class T, std::size_t columns>
struct HostElement<std::array<T, columns>> {
  static_assert(sizeof(std::array<T, columns>) == columns * sizeof(T));
  using Number = T;
  template <class Memory>
  using View = Kokkos::View<Number* [columns], Kokkos::LayoutRight, Memory>;
  template <class E>
  static auto* numbers(E* elements) {
    return elements == nullptr ? nullptr : elements->data();
  }
};

/// Memory for n values, without initial values.
template <class Exec, class T>
Kokkos::View<T*, typename Exec::memory_space> allocate(Exec const& space, std::size_t n, char const* label) {
  return Kokkos::View<T*, typename Exec::memory_space>(
      Kokkos::view_alloc(space, Kokkos::WithoutInitializing, std::string(label)), n);
}

/// True where the host reaches the memory of a View.
template <class V>
inline constexpr bool is_on_host =
    bool(Kokkos::SpaceAccessibility<Kokkos::HostSpace, typename V::memory_space>::accessible);

template <class T>
struct CopyNumbers {
  T const* from;
  T* to;
  KOKKOS_FUNCTION void operator()(std::size_t i) const { to[i] = from[i]; }
};

/// Copies all numbers of a contiguous View from the host. Fences `space`. A mirror, unlike a View of a plain pointer,
/// has a label for profiling tools. On a host all threads copy: the first write decides on which socket a page lies.
template <class Exec, class T, class V>
void copy_in(Exec const& space, T const* from, V const& to) {
  if constexpr (runs_on_host<Exec>) {
    Kokkos::parallel_for("karman::host_copy",
                         Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::size_t>>(space, 0, to.size()),
                         CopyNumbers<T>{from, to.data()});
    compat::fence(space, "karman::host_copy");
  } else if constexpr (is_on_host<V>) {
    compat::fence(space, "karman::host_copy");  // earlier kernels may use the values
    std::copy_n(from, to.size(), to.data());
  } else {
    auto const mirror = Kokkos::create_mirror(to);
    std::copy_n(from, to.size(), mirror.data());
    Kokkos::deep_copy(space, to, mirror);
    compat::fence(space, "karman::host_copy");
  }
}

/// Copies all numbers of a contiguous View to the host. Fences `space`.
template <class Exec, class V, class T>
void copy_out(Exec const& space, V const& from, T* to) {
  if constexpr (is_on_host<V>) {
    compat::fence(space, "karman::host_copy");
    std::copy_n(from.data(), from.size(), to);
  } else {
    auto const mirror = Kokkos::create_mirror(from);
    Kokkos::deep_copy(space, mirror, from);
    compat::fence(space, "karman::host_copy");
    std::copy_n(mirror.data(), from.size(), to);
  }
}

/// Throws std::invalid_argument unless a View has `size` values without gaps.
template <class V>
void require_contiguous(V const& view, std::size_t size) {
  if (view.size() == size && view.span() == size) return;
  require(false, view.label() + ": a copy of " + std::to_string(size) + " values needs as many without gaps, found " +
                     std::to_string(view.size()) + " in a span of " + std::to_string(view.span()));
}

}  // namespace detail

/// Copies host values into a View, in the order of memory.
/// \param space instance of the copy
/// \param values contiguous range of numbers or of std::array of numbers; other number types are converted
/// \param target View with as many numbers, contiguous
/// \par Synchrony
/// Fences `space`: `values` may go.
/// \throws std::invalid_argument for another number of values, and for a View with gaps
template <ExecutionSpace Exec, class Values, class V>
void copy_to_device(Exec const& space, Values const& values, V const& target) {
  using T = typename V::value_type;
  using Value = std::remove_cvref_t<decltype(*std::data(values))>;
  using Element = detail::HostElement<Value>;
  if constexpr (std::is_same_v<typename Element::Number, T>) {
    detail::require_contiguous(target, std::size(values) * sizeof(Value) / sizeof(T));
    detail::copy_in(space, Element::numbers(std::data(values)), target);
  } else {
    std::vector<T> converted;
    converted.reserve(std::size(values));
    for (auto const& value : values) converted.push_back(static_cast<T>(value));
    copy_to_device(space, converted, target);
  }
}

/// Copies host values into a new View.
/// \tparam T number type of the View; void: that of the values
/// \param space instance of the allocation and of the copy
/// \param values contiguous range of numbers or of std::array of numbers
/// \param label label of the View
/// \return View of the numbers; for arrays a row-major table with one row per array
/// \par Synchrony
/// Fences `space`: `values` may go.
template <class T = void, ExecutionSpace Exec, class Values>
auto device_copy(Exec const& space, Values const& values, std::string const& label) {
  using Value = std::remove_cvref_t<decltype(*std::data(values))>;
  using Element = std::conditional_t<std::is_void_v<T>, Value, T>;
  using Copy = typename detail::HostElement<Element>::template View<typename Exec::memory_space>;
  Copy const copy(Kokkos::view_alloc(space, Kokkos::WithoutInitializing, label), std::size(values));
  copy_to_device(space, values, copy);
  return copy;
}

/// Copies a View into a host array, in the order of memory.
/// \param space instance of the copy
/// \param source contiguous View
/// \param values array of as many numbers of the View's type
/// \par Synchrony
/// Fences `space`.
/// \throws std::invalid_argument for another number of values, and for a View with gaps
template <ExecutionSpace Exec, class V>
void copy_to_host(Exec const& space, V const& source, std::span<typename V::non_const_value_type> values) {
  detail::require_contiguous(source, values.size());
  detail::copy_out(space, source, values.data());
}

/// Copies a View to a new host array, in the order of memory.
/// \tparam Element elements of the result: a number, or std::array of the View's numbers; void: the View's numbers
/// \param space instance of the copy
/// \param view View without gaps
/// \return values on the host
/// \par Synchrony
/// Fences `space`.
/// \throws std::invalid_argument for a View with gaps
template <class Element = void, ExecutionSpace Exec, class V>
auto host_copy(Exec const& space, V const& view) {
  using T = typename V::non_const_value_type;
  using Value = std::conditional_t<std::is_void_v<Element>, T, Element>;
  if constexpr (std::is_same_v<typename detail::HostElement<Value>::Number, T>) {
    detail::require_contiguous(view, view.size());
    std::vector<Value> values(view.size() * sizeof(T) / sizeof(Value));
    detail::copy_out(space, view, detail::HostElement<Value>::numbers(values.data()));
    return values;
  } else {
    std::vector<Value> values;
    values.reserve(view.size());
    for (T const& value : host_copy(space, view)) values.push_back(static_cast<Value>(value));
    return values;
  }
}

}  // namespace karman
