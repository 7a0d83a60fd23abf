// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Conversion of the caller's Views into strides for the tridiagonal kernels, with checks.
#pragma once

#include "rows.hpp"
#include <karman/core/error.hpp>
#include <karman/solvers/tridiagonal/tridiagonal.hpp>

#include <array>
#include <cstdint>
#include <numeric>
#include <string>

namespace karman::detail {

/// Extents of the Views of a plan, in the order of their axes.
inline std::array<std::int64_t, 3> extents_of(TridiagonalShape const& shape) {
  std::array<std::int64_t, 3> extents{1, 1, 1};
  std::size_t other = 0;
  for (int d = 0; d < shape.rank; ++d) {
    extents[static_cast<std::size_t>(d)] = d == shape.axis ? shape.rows : shape.batch[other++];
  }
  return extents;
}

/// Strides of the rows and of the axes of the batch, from strides of the axes.
template <class T>
StridedSystems<T> strided(T* data, std::array<std::int64_t, 3> const& stride, TridiagonalShape const& shape) {
  StridedSystems<T> systems{data, stride[static_cast<std::size_t>(shape.axis)], {0, 0}};
  int other = 0;
  for (int d = 0; d < shape.rank; ++d) {
    if (d != shape.axis) systems.stride[other++] = stride[static_cast<std::size_t>(d)];
  }
  return systems;
}

inline std::string extents_text(std::array<std::int64_t, 3> const& extents, int rank) {
  std::string text = "(";
  for (int d = 0; d < rank; ++d) text += (d > 0 ? ", " : "") + std::to_string(extents[static_cast<std::size_t>(d)]);
  return text + ")";
}

/// The systems of a View of the shape of the plan; std::invalid_argument for another shape.
template <class T>
StridedSystems<T> systems_of(AnyView<T> const& view, TridiagonalShape const& shape, char const* what) {
  auto const extents = extents_of(shape);
  require(view.rank == shape.rank && view.extent == extents, std::string("Tridiagonal: ") + what + " must have shape " +
                                                                 extents_text(extents, shape.rank) + ", not " +
                                                                 extents_text(view.extent, view.rank));
  return strided(view.data, view.stride, shape);
}

/// A coefficient of the plan; std::invalid_argument for a shape that it cannot have.
template <class Exec, class T>
CoefficientArray<T> coefficient_of(TridiagonalCoefficient<Exec, T> const& coefficient, TridiagonalShape const& shape,
                                   char const* what) {
  if (coefficient.is_constant()) return {{nullptr, 0, {0, 0}}, coefficient.constant()};
  AnyView<T const> const& view = coefficient.view();
  std::string const name = std::string("Tridiagonal: ") + what;
  int const missing = coefficient.missing_axis();
  if (missing >= 0) {
    require(missing < shape.rank && missing != shape.axis && view.rank == shape.rank - 1,
            name + " must lack one axis of the plan's shape, and not that of the rows");
    AnyView<T const> full = view;
    full.rank = shape.rank;
    auto const extents = extents_of(shape);
    for (int d = 0, from = 0; d < shape.rank; ++d) {
      auto const to = static_cast<std::size_t>(d);
      full.extent[to] = d == missing ? extents[to] : view.extent[static_cast<std::size_t>(from)];
      full.stride[to] = d == missing ? 0 : view.stride[static_cast<std::size_t>(from)];
      if (d != missing) ++from;
    }
    return {systems_of(full, shape, what), T(0)};
  }
  if (view.rank == 1 && shape.rank > 1) {
    require(view.extent[0] == shape.rows, name + " shared by all systems must have " + std::to_string(shape.rows) +
                                              " values, not " + std::to_string(view.extent[0]));
    return {{view.data, view.stride[0], {0, 0}}, T(0)};
  }
  return {systems_of(view, shape, what), T(0)};
}

/// True unless two arrays of equal extents certainly share no value. For arrays whose own values are distinct in
/// memory. It is certain in three cases:
/// - separate ranges;
/// - an offset that is no multiple of the common divisor of all strides (components of one record);
/// - equal strides and an offset that no two indices give.
template <class T>
bool may_overlap(StridedSystems<T const> const& a, StridedSystems<T const> const& b, SystemShape const& shape) {
  std::array<std::int64_t, 3> const extent{shape.rows, shape.batch[0], shape.batch[1]};
  std::array<std::int64_t, 3> const sa{a.row_stride, a.stride[0], a.stride[1]};
  std::array<std::int64_t, 3> const sb{b.row_stride, b.stride[0], b.stride[1]};
  auto const span = [&](std::array<std::int64_t, 3> const& stride) {
    std::int64_t last = 0;
    for (std::size_t d = 0; d < 3; ++d) last += (extent[d] - 1) * stride[d];
    return last;
  };
  auto const from_a = reinterpret_cast<std::intptr_t>(a.data);
  auto const from_b = reinterpret_cast<std::intptr_t>(b.data);
  constexpr auto size = static_cast<std::intptr_t>(sizeof(T));
  if (from_a + (span(sa) + 1) * size <= from_b || from_b + (span(sb) + 1) * size <= from_a) return false;
  if ((from_b - from_a) % size != 0) return true;
  std::int64_t const offset = (from_b - from_a) / size;
  std::int64_t common = 0;
  for (std::size_t d = 0; d < 3; ++d) {
    if (extent[d] > 1) common = std::gcd(common, std::gcd(sa[d], sb[d]));
  }
  if (common > 0 && offset % common != 0) return false;
  if (sa != sb) return true;
  // Equal strides: the largest first, is offset = sum of i * stride with |i| < extent?
  std::array<std::size_t, 3> order{0, 1, 2};
  for (std::size_t i = 0; i < 2; ++i) {
    for (std::size_t j = 0; j < 2 - i; ++j) {
      if (sa[order[j]] < sa[order[j + 1]]) std::swap(order[j], order[j + 1]);
    }
  }
  auto const reached = [&](auto const& self, std::size_t level, std::int64_t rest) -> bool {
    if (level == 3) return rest == 0;
    std::int64_t const stride = sa[order[level]];
    if (extent[order[level]] == 1 || stride == 0) return self(self, level + 1, rest);
    std::int64_t const below = rest >= 0 ? rest / stride : -((-rest + stride - 1) / stride);
    for (std::int64_t const i : {below, below + 1}) {
      if (i > -extent[order[level]] && i < extent[order[level]] && self(self, level + 1, rest - i * stride))
        return true;
    }
    return false;
  };
  return reached(reached, 0, offset);
}

/// Throws unless x is rhs or shares nothing with the input.
template <class T>
void require_no_alias(StridedRows<T> const& rows, StridedSystems<T const> const& rhs, StridedSystems<T> const& x,
                      SystemShape const& shape) {
  auto const out = read_only(x);
  bool same = rhs.data == out.data;
  same = same && (shape.rows == 1 || rhs.row_stride == out.row_stride);
  for (int d = 0; d < 2; ++d) same = same && (shape.batch[d] == 1 || rhs.stride[d] == out.stride[d]);
  require(same || !may_overlap(rhs, out, shape), "Tridiagonal: x overlaps rhs and is not the same View");
  for (CoefficientArray<T> const* c : {&rows.lower, &rows.diagonal, &rows.upper}) {
    require(c->array.data == nullptr || !may_overlap(c->array, out, shape), "Tridiagonal: x overlaps a coefficient");
  }
}

}  // namespace karman::detail
