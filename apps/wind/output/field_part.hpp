// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Part of a field in the number type of the output.
#pragma once

#include "common/fields/host_field.hpp"
#include "wind/model/wind_model.hpp"
#include <karman/io/shared_hdf5_file.hpp>

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

/// Values of a process among the written values of a field, in index order (k, j, i).
struct WrittenPart {
  std::array<int, 3> begin{}, end{};  ///< in the own values of the process; equal where it has none
  ArrayPart place;                    ///< in the written array

  bool empty() const { return begin[0] >= end[0] || begin[1] >= end[1] || begin[2] >= end[2]; }
  /// True if the process writes its own values as they are.
  bool is_all_of(ArrayExtents const& own) const;
};

/// \param region written cells of the domain, (x, y, z)
/// \return values of this process in the region. Faces belong to the process with the cell above them, those on a side
/// of the domain to the last one.
WrittenPart written_part(DomainPart const& part, ModelField field, UniformGrid const& whole, Box const& region);

}  // namespace karman::wind
