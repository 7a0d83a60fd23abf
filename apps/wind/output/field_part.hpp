// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Part of a field in the number type of the output.
#pragma once

#include "common/host_field.hpp"

#include <array>

namespace karman::wind {

/// Values of a field with indices (k, j, i) from `begin` to before `end`. A field of rank 4 keeps all components. Reals
/// are rounded to `type`; integers keep their own.
/// \par Cost
/// Reads and writes the part once.
/// \throws std::invalid_argument for a range outside the field, or a `type` of integers for reals
app::HostField field_part(app::HostField const& field, std::array<int, 3> const& begin, std::array<int, 3> const& end,
                          ScalarType type);

}  // namespace karman::wind
