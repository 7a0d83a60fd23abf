// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Views of rank 1 to 3 in any layout, reduced to one form: pointers, three extents, three strides. The shortest stride
/// comes last, and axes that are contiguous in memory are merged into one.
#pragma once

#include <karman/core/error.hpp>

#include <Kokkos_Core.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace karman::detail {

/// Common extents and strides (in values) of some fields of equal shape, outermost first.
template <int fields>
struct Shape {
  Kokkos::Array<std::int64_t, 3> extent;
  Kokkos::Array<Kokkos::Array<std::int64_t, 3>, fields> stride;

  std::int64_t size() const { return extent[0] * extent[1] * extent[2]; }
  bool unit_stride() const {
    for (int f = 0; f < fields; ++f) {
      if (stride[f][2] != 1) return false;
    }
    return true;
  }
  /// True if every field is one block of memory, traversed in the same order.
  bool contiguous() const { return extent[0] == 1 && extent[1] == 1 && unit_stride(); }
};

template <class V>
void describe(V const& view, std::array<std::int64_t, 3>& extent, std::array<std::int64_t, 3>& stride) {
  constexpr int rank = int(V::rank);
  extent = {1, 1, 1};
  stride = {0, 0, 0};
  for (int d = 0; d < rank; ++d) {
    extent[static_cast<std::size_t>(3 - rank + d)] = static_cast<std::int64_t>(view.extent(d));
    stride[static_cast<std::size_t>(3 - rank + d)] = static_cast<std::int64_t>(view.stride(d));
  }
}

/// The common form of fields of equal shape. Throws std::invalid_argument when their shapes differ.
template <class First, class... Others>
Shape<1 + static_cast<int>(sizeof...(Others))> common_shape(First const& first, Others const&... others) {
  constexpr int fields = 1 + static_cast<int>(sizeof...(Others));
  std::array<std::array<std::int64_t, 3>, fields> extents;
  std::array<std::array<std::int64_t, 3>, fields> strides;
  [[maybe_unused]] std::size_t field = 0;  // without others
  describe(first, extents[0], strides[0]);
  (..., (++field, describe(others, extents[field], strides[field])));
  for (auto const& extent : extents)
    require(extent == extents[0], "fields that are reduced together must have equal extents");

  // Axes of one cell are dropped. The others are ordered by the strides of the first field.
  std::array<std::size_t, 3> order{};
  std::size_t count = 0;
  for (std::size_t d = 0; d < 3; ++d) {
    if (extents[0][d] == 1) continue;
    std::size_t place = count++;
    for (; place > 0 && strides[0][order[place - 1]] < strides[0][d]; --place) order[place] = order[place - 1];
    order[place] = d;
  }

  Shape<fields> shape;
  for (int d = 0; d < 3; ++d) {
    shape.extent[d] = 1;
    for (int f = 0; f < fields; ++f) shape.stride[f][d] = 1;
  }
  int place = 3;  // filled from the innermost direction outwards
  for (std::size_t o = count; o-- > 0;) {
    std::size_t const d = order[o];
    bool follows = place < 3;
    for (std::size_t f = 0; follows && f < fields; ++f) {
      follows = strides[f][d] == shape.stride[static_cast<int>(f)][place] * shape.extent[place];
    }
    if (follows) {
      shape.extent[place] *= extents[0][d];
    } else {
      --place;
      shape.extent[place] = extents[0][d];
      for (std::size_t f = 0; f < fields; ++f) shape.stride[static_cast<int>(f)][place] = strides[f][d];
    }
  }
  return shape;
}

/// Fields of one scalar type and one shape.
template <class T, int fields>
struct FieldSet {
  Kokkos::Array<T const*, fields> data;
  Shape<fields> shape;
};

template <class First, class... Others>
auto field_set(First const& first, Others const&... others) {
  return FieldSet<typename First::non_const_value_type, 1 + static_cast<int>(sizeof...(Others))>{
      {{first.data(), others.data()...}}, common_shape(first, others...)};
}

}  // namespace karman::detail
