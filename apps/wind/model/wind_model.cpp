// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "wind_model.hpp"

namespace karman::wind {

std::string_view name(ModelField field) {
  switch (field) {
    case ModelField::u: return "u";
    case ModelField::v: return "v";
    case ModelField::w: return "w";
    case ModelField::lambda: return "lambda";
    case ModelField::correction: return "correction";
    case ModelField::flag: return "flag";
    case ModelField::divergence_before: return "divergence_before";
    case ModelField::divergence: return "divergence";
    case ModelField::open_u: return "open_u";
    case ModelField::open_v: return "open_v";
    case ModelField::open_w: return "open_w";
  }
  return "unknown";
}

bool keeps_divergence(WindCase const& wind_case) {
  return wind_case.outputs.divergence && !wind_case.sweep && !wind_case.series;
}

std::array<int, 3> extents(ModelField field, UniformGrid const& grid) {
  switch (field) {
    case ModelField::u:
    case ModelField::open_u: return grid.extents(Location::x_face);
    case ModelField::v:
    case ModelField::open_v: return grid.extents(Location::y_face);
    case ModelField::w:
    case ModelField::open_w: return grid.extents(Location::z_face);
    default: return grid.extents(Location::cell);
  }
}

}  // namespace karman::wind
