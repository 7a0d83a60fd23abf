// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Part of a field in the number type of the output.
#pragma once

#include "common/fields/host_field.hpp"

#include <array>
#include <cstddef>

namespace karman::wind {

/// Values of a field with indices (k, j, i) from `begin` to before `end`. Reals are rounded to `type`; integers keep
/// their own.
/// \par Cost
/// Reads and writes the part once.
/// \throws std::invalid_argument for a range outside the field, or a `type` of integers for reals
app::HostField field_part(app::HostField const& field, std::array<int, 3> const& begin, std::array<int, 3> const& end,
                          ScalarType type);

/// Copies such a part of a field of reals into one component of vectors, (k, j, i, component) with k, j, i from
/// `begin`. Rounds to their number type. Vectors of all components are then in memory once, beside one component.
/// \throws std::invalid_argument for a range outside the field, other numbers than reals, or no such component
void put_component(app::HostField const& field, std::array<int, 3> const& begin, std::size_t component,
                   app::HostField& vectors);

}  // namespace karman::wind
