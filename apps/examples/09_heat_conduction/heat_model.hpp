// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The physics, for code that is compiled without Kokkos.
#pragma once

#include "common/fields/cell_model.hpp"
#include <karman/core/backend_name.hpp>
#include <karman/core/uniform_grid.hpp>

#include <cstdint>
#include <memory>
#include <vector>

namespace heat {

/// dT/dt = div(conductivity grad T) + source in a plate, T = 0 on its sides. One value per cell, x fastest.
struct Plate {
  karman::UniformGrid grid{{1, 1, 1}, {1, 1, 1}};
  std::vector<double> conductivity, source;
};

std::unique_ptr<karman::app::CellModel> make_model(karman::Backend backend, Plate const& plate);
std::int64_t model_bytes(karman::Backend backend, karman::UniformGrid const& grid);

}  // namespace heat
