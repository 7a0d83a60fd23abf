// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Fields of the model in host memory, in the precision of the case.
#pragma once

#include "common/fields/host_field.hpp"
#include "wind_model.hpp"

namespace karman::wind {

using app::HostField;
using app::scalar_type;

/// Memory for the own values of a field of the model.
inline HostField host_field(WindModel const& model, ModelField field, WindCase const& wind_case) {
  return {field == ModelField::flag ? ScalarType::uint8 : scalar_type(wind_case.solver.precision),
          ArrayExtents(extents(field, model.part().own))};
}

/// The own values themselves. Waits.
inline HostField copy_to_host(WindModel& model, ModelField field, WindCase const& wind_case) {
  HostField copy = host_field(model, field, wind_case);
  model.copy(field, copy.array());
  return copy;
}

}  // namespace karman::wind
