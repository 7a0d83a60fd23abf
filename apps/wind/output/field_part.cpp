// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "field_part.hpp"

#include <karman/core/error.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace karman::wind {
namespace {

/// Copies the box of the extents of `target` that starts at `begin`. A target of rank 4 takes it as one component.
template <class From, class To>
void copy_rows(ConstArray const& source, std::array<int, 3> const& begin, MutableArray const& target,
               std::size_t component) {
  std::size_t const step = target.extents.rank() == 4 ? target.extents[3] : 1;
  std::size_t const row = target.extents[2];
  auto const* const from = static_cast<From const*>(source.data);
  auto* to = static_cast<To*>(target.data) + component;
  for (std::size_t k = 0; k < target.extents[0]; ++k) {
    for (std::size_t j = 0; j < target.extents[1]; ++j) {
      std::size_t const plane = (static_cast<std::size_t>(begin[0]) + k) * source.extents[1];
      std::size_t const line = (plane + static_cast<std::size_t>(begin[1]) + j) * source.extents[2];
      From const* const first = from + line + static_cast<std::size_t>(begin[2]);
      for (std::size_t n = 0; n < row; ++n) to[n * step] = static_cast<To>(first[n]);
      to += row * step;
    }
  }
}

bool is_real(ScalarType type) { return type == ScalarType::float32 || type == ScalarType::float64; }

void copy_reals(ConstArray const& source, std::array<int, 3> const& begin, MutableArray const& target,
                std::size_t component) {
  if (source.type == ScalarType::float32) {
    if (target.type == ScalarType::float32) copy_rows<float, float>(source, begin, target, component);
    else copy_rows<float, double>(source, begin, target, component);
  } else {
    if (target.type == ScalarType::float32) copy_rows<double, float>(source, begin, target, component);
    else copy_rows<double, double>(source, begin, target, component);
  }
}

void require_inside(std::array<int, 3> const& begin, std::array<std::int64_t, 3> const& end, ConstArray const& source) {
  require(source.extents.rank() == 3, "field_part: expected a field of rank 3");
  for (std::size_t axis = 0; axis < 3; ++axis) {
    require(begin[axis] >= 0 && begin[axis] <= end[axis] && std::cmp_less_equal(end[axis], source.extents[axis]),
            "field_part: the range is outside of the field");
  }
}

}  // namespace

app::HostField field_part(app::HostField const& field, std::array<int, 3> const& begin, std::array<int, 3> const& end,
                          ScalarType type) {
  ConstArray const source = field.array();
  require_inside(begin, {end[0], end[1], end[2]}, source);
  bool const integers = source.type == ScalarType::uint8;
  require(integers || is_real(type), "field_part: expected reals of the output to be float or double");
  app::HostField part(integers ? source.type : type,
                      ArrayExtents(end[0] - begin[0], end[1] - begin[1], end[2] - begin[2]));
  if (integers) {
    copy_rows<std::uint8_t, std::uint8_t>(source, begin, part.array(), 0);
  } else {
    copy_reals(source, begin, part.array(), 0);
  }
  return part;
}

void put_component(app::HostField const& field, std::array<int, 3> const& begin, std::size_t component,
                   app::HostField& vectors) {
  ConstArray const source = field.array();
  MutableArray const target = vectors.array();
  require(is_real(source.type) && is_real(target.type), "put_component: expected float or double");
  require(target.extents.rank() == 4 && component < target.extents[3], "put_component: expected vectors of rank 4");
  std::array<std::int64_t, 3> end{};
  for (std::size_t axis = 0; axis < 3; ++axis)
    end[axis] = begin[axis] + static_cast<std::int64_t>(target.extents[axis]);
  require_inside(begin, end, source);
  copy_reals(source, begin, target, component);
}

bool WrittenPart::is_all_of(ArrayExtents const& own) const {
  bool all = true;
  for (std::size_t a = 0; a < 3; ++a) all = all && begin[a] == 0 && std::cmp_equal(end[a], own[a]);
  return all;
}

WrittenPart written_part(DomainPart const& part, ModelField field, UniformGrid const& whole, Box const& region) {
  std::array<int, 3> const values = extents(field, whole), cells = whole.extents(Location::cell);
  Box const own = part.own.own_box();
  WrittenPart result;
  std::array<int, 3> whole_extents{}, place{};
  for (std::size_t a = 0; a < 3; ++a) {
    std::size_t const axis = 2 - a;
    int const more = values[a] - cells[a];
    int const own_end = own.end[axis] + (own.end[axis] == cells[a] ? more : 0);
    int const region_end = region.end[axis] + more;
    int const begin = std::max(own.begin[axis], region.begin[axis]), end = std::min(own_end, region_end);
    result.begin[a] = begin - own.begin[axis];
    result.end[a] = end - own.begin[axis];
    place[a] = begin - region.begin[axis];
    whole_extents[a] = region_end - region.begin[axis];
  }
  if (result.empty()) result.begin = result.end = place = {0, 0, 0};
  result.place.whole = ArrayExtents(whole_extents);
  result.place.begin = ArrayExtents(place);
  return result;
}

}  // namespace karman::wind
