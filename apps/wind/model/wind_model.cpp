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
  }
  return "unknown";
}

std::array<int, 3> extents(ModelField field, UniformGrid const& grid) {
  switch (field) {
    case ModelField::u: return grid.extents(Location::x_face);
    case ModelField::v: return grid.extents(Location::y_face);
    case ModelField::w: return grid.extents(Location::z_face);
    default: return grid.extents(Location::cell);
  }
}

std::int64_t model_bytes(WindCase const& wind_case) {
  UniformGrid const& grid = wind_case.grid;
  std::int64_t const real = wind_case.solver.precision == Precision::f32 ? 4 : 8;
  std::int64_t const cells = grid.cell_count();
  auto const count = [&](ModelField field) {
    auto const [nz, ny, nx] = extents(field, grid);
    return std::int64_t{nz} * ny * nx;
  };
  std::int64_t const faces = count(ModelField::u) + count(ModelField::v) + count(ModelField::w);
  // lambda, correction, right-hand side, initial divergence; flags and walls while the plan is made.
  std::int64_t const fields = (faces + 4 * cells) * real + cells * (1 + 2);
  // The plan: each colour of lambda and of the right-hand side in an array of its own, and the coefficients.
  std::int64_t coefficients = 2;
  if (wind_case.solver.storage == SorStorage::folded) coefficients = 6 * real;
  if (wind_case.solver.storage == SorStorage::coefficients) coefficients = 9 * real;
  return fields + cells * (2 * real + coefficients);
}

}  // namespace karman::wind
