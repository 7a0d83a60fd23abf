// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A field of the model in host memory, of the precision that the case asks for.
#pragma once

#include "wind_model.hpp"
#include <karman/io/array.hpp>

#include <cstddef>
#include <vector>

namespace karman::wind {

/// Memory for values of a type that is known at run time only.
class HostField {
 public:
  HostField(ScalarType type, ArrayExtents const& extents)
      : type_(type), extents_(extents), bytes_(extents.count() * scalar_size(type)) {}

  void* data() { return bytes_.data(); }
  ConstArray array() const {
    ConstArray array;
    array.type = type_;
    array.data = bytes_.data();
    array.extents = extents_;
    return array;
  }
  MutableArray array() {
    MutableArray array;
    array.type = type_;
    array.data = bytes_.data();
    array.extents = extents_;
    return array;
  }

 private:
  ScalarType type_;
  ArrayExtents extents_;
  std::vector<std::byte> bytes_;
};

inline ScalarType scalar_type(Precision precision) {
  return precision == Precision::f32 ? ScalarType::float32 : ScalarType::float64;
}

/// Room for a field of the model.
inline HostField host_field(ModelField field, WindCase const& wind_case) {
  return {field == ModelField::flag ? ScalarType::uint8 : scalar_type(wind_case.solver.precision),
          ArrayExtents(extents(field, wind_case.grid))};
}

/// The field itself. Waits.
inline HostField copy_to_host(WindModel& model, ModelField field, WindCase const& wind_case) {
  HostField copy = host_field(field, wind_case);
  model.copy(field, copy.data());
  return copy;
}

}  // namespace karman::wind
