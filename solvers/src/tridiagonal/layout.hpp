// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Layout of the arrays of a batch, and the way of moving values that follows from it.
#pragma once

#include "rows.hpp"

#include <algorithm>
#include <cstdint>

namespace karman::detail {

inline std::int64_t distance_of(std::int64_t stride) { return stride < 0 ? -stride : stride; }

struct BatchLayout {
  bool systems_fastest;  ///< true if neighbouring systems are closer than neighbouring rows
  bool axis0_fastest;    ///< true if these are along axis 0 of the batch
  int unit;  ///< values that can be moved at a time through team scratch; needs contiguous systems with one stride
             /// between them
};

/// A batch of which the systems of a plan are a part. It chooses the algorithm, whatever the part: so a system has the
/// bits that it has in the whole batch.
struct WholeBatch {
  std::int64_t systems = 0;      ///< 0: the systems of the plan are the whole batch
  bool systems_fastest = false;  ///< as of its BatchLayout

  std::int64_t systems_or(SystemShape const& shape) const { return systems > 0 ? systems : shape.systems(); }
};

/// Unit of moves of an array: as many values as 16 bytes hold where all offsets are multiples of them, 1 where rows are
/// contiguous, else 0.
template <class T>
int unit_of(StridedSystems<T> const& a, SystemShape const& shape) {
  constexpr auto width = static_cast<int>(16 / sizeof(T));
  bool const flat = shape.batch[0] <= 1 || shape.batch[1] <= 1 || a.stride[0] == shape.batch[1] * a.stride[1];
  if (!flat || (shape.rows > 1 && a.row_stride != 1)) return 0;
  std::int64_t const stride = shape.batch[1] > 1 ? a.stride[1] : shape.batch[0] > 1 ? a.stride[0] : 0;
  bool const whole =
      shape.rows % width == 0 && stride % width == 0 && reinterpret_cast<std::uintptr_t>(a.data) % 16 == 0;
  return whole ? width : 1;
}

/// The same for all arrays behind a row source; a functor has none.
template <class T, class Rows>
int unit_of_rows(Rows const&, SystemShape const&) {
  return static_cast<int>(16 / sizeof(T));
}
template <class T>
int unit_of_rows(StridedRows<T> const& rows, SystemShape const& shape) {
  auto unit = static_cast<int>(16 / sizeof(T));
  for (CoefficientArray<T> const* c : {&rows.lower, &rows.diagonal, &rows.upper}) {
    if (c->array.data != nullptr) unit = std::min(unit, unit_of(c->array, shape));
  }
  return unit;
}

template <class T, class Rows>
BatchLayout batch_layout(Rows const& rows, StridedSystems<T const> const& rhs, StridedSystems<T> const& x,
                         SystemShape const& shape) {
  std::int64_t const near0 = distance_of(x.stride[0]);
  std::int64_t const near1 = distance_of(x.stride[1]);
  bool const axis0 = shape.batch[1] == 1 || (shape.batch[0] > 1 && near0 < near1);
  bool const systems_fastest = shape.systems() > 1 && (axis0 ? near0 : near1) < distance_of(x.row_stride);
  int const unit =
      systems_fastest ? 0 : std::min({unit_of(rhs, shape), unit_of(x, shape), unit_of_rows<T>(rows, shape)});
  return {systems_fastest, axis0, unit};
}

/// For arrays that can be moved in units: systems in their order are stride[1] apart.
template <class T>
StridedSystems<T> flattened(StridedSystems<T> s, SystemShape const& shape) {
  if (shape.batch[1] <= 1) s.stride[1] = s.stride[0];
  return s;
}
template <class Rows>
Rows flattened_rows(Rows const& rows, SystemShape const&) {
  return rows;
}
template <class T>
StridedRows<T> flattened_rows(StridedRows<T> rows, SystemShape const& shape) {
  for (CoefficientArray<T>* c : {&rows.lower, &rows.diagonal, &rows.upper}) c->array = flattened(c->array, shape);
  return rows;
}

}  // namespace karman::detail
