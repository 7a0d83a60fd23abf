// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "field_part.hpp"

#include <karman/core/error.hpp>

#include <cstddef>
#include <cstdint>

namespace karman::wind {
namespace {

template <class From, class To>
void copy_rows(ConstArray const& source, std::array<int, 3> const& begin, MutableArray const& target) {
  std::size_t const components = source.extents.rank() == 4 ? source.extents[3] : 1;
  std::size_t const row = target.extents[2] * components;
  auto const* const from = static_cast<From const*>(source.data);
  auto* to = static_cast<To*>(target.data);
  for (std::size_t k = 0; k < target.extents[0]; ++k) {
    for (std::size_t j = 0; j < target.extents[1]; ++j) {
      std::size_t const plane = (static_cast<std::size_t>(begin[0]) + k) * source.extents[1];
      std::size_t const line = (plane + static_cast<std::size_t>(begin[1]) + j) * source.extents[2];
      From const* const first = from + (line + static_cast<std::size_t>(begin[2])) * components;
      for (std::size_t n = 0; n < row; ++n) to[n] = static_cast<To>(first[n]);
      to += row;
    }
  }
}

}  // namespace

app::HostField field_part(app::HostField const& field, std::array<int, 3> const& begin, std::array<int, 3> const& end,
                          ScalarType type) {
  ConstArray const source = field.array();
  require(source.extents.rank() == 3 || source.extents.rank() == 4, "field_part: expected a field of rank 3 or 4");
  ArrayExtents extents;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    require(begin[axis] >= 0 && begin[axis] <= end[axis] && static_cast<std::size_t>(end[axis]) <= source.extents[axis],
            "field_part: the range is outside of the field");
    extents.append(end[axis] - begin[axis]);
  }
  if (source.extents.rank() == 4) extents.append(source.extents[3]);
  bool const integers = source.type == ScalarType::uint8;
  require(integers || type == ScalarType::float32 || type == ScalarType::float64,
          "field_part: expected reals of the output to be float or double");
  app::HostField part(integers ? source.type : type, extents);
  MutableArray const target = part.array();
  if (integers) {
    copy_rows<std::uint8_t, std::uint8_t>(source, begin, target);
  } else if (source.type == ScalarType::float32) {
    if (type == ScalarType::float32) copy_rows<float, float>(source, begin, target);
    else copy_rows<float, double>(source, begin, target);
  } else {
    if (type == ScalarType::float32) copy_rows<double, float>(source, begin, target);
    else copy_rows<double, double>(source, begin, target);
  }
  return part;
}

}  // namespace karman::wind
