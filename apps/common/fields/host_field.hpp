// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Fields in host memory whose number type follows from the precision of a case.
#pragma once

#include "common/case/precision.hpp"
#include <karman/io/array.hpp>

#include <cstddef>
#include <span>
#include <vector>

namespace karman::app {

/// Values of one number type, row-major. Applications exchange them with backends as ConstArray and MutableArray, which
/// carry type and extents.
class HostField {
 public:
  /// No values.
  HostField() = default;
  /// Zeros.
  HostField(ScalarType type, ArrayExtents const& extents);
  /// Values rounded to a precision. Throws std::invalid_argument where their number is not that of the extents.
  HostField(Precision precision, ArrayExtents const& extents, std::span<double const> values);

  bool empty() const { return bytes_.empty(); }
  ConstArray array() const;
  MutableArray array();
  /// The values in double precision. Requires float or double.
  std::vector<double> in_double() const;

 private:
  ScalarType type_ = ScalarType::float64;
  ArrayExtents extents_;
  std::vector<std::byte> bytes_;
};

}  // namespace karman::app
