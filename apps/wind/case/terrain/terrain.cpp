// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "terrain.hpp"

#include <karman/core/error.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <utility>

namespace karman::wind {

Terrain::Terrain(UniformGrid const& grid, std::vector<double> heights)
    : heights_(std::move(heights)), nx_(grid.nx()), ny_(grid.ny()), dx_(grid.dx()), dy_(grid.dy()) {
  require(heights_.size() == static_cast<std::size_t>(nx_) * static_cast<std::size_t>(ny_),
          "Terrain: expected a height for each column of the grid");
  auto const [low, high] = std::minmax_element(heights_.begin(), heights_.end());
  lowest_ = *low;
  highest_ = *high;
}

double Terrain::height_at(double x, double y) const {
  if (empty()) return 0;
  auto const column = [](double position, int count) {
    return static_cast<int>(std::clamp(position, 0.0, count - 1.0));
  };
  return height(column(x / dx_, nx_), column(y / dy_, ny_));
}

int layers_below(UniformGrid const& grid, double height) {
  int low = 0;
  int high = grid.nz();
  while (low < high) {
    int const middle = low + (high - low) / 2;
    if (grid.z_center(middle) < height) low = middle + 1;
    else high = middle;
  }
  return low;
}

void flatten_sides(UniformGrid const& grid, double halo, std::vector<double>& heights) {
  if (!(halo > 0)) return;
  int const nx = grid.nx();
  int const ny = grid.ny();
  auto const columns_from_side = [&](int i, int j) {
    return std::array{std::min(i, nx - 1 - i), std::min(j, ny - 1 - j)};
  };
  auto const height = [&](int i, int j) -> double& {
    return heights[static_cast<std::size_t>(j) * static_cast<std::size_t>(nx) + static_cast<std::size_t>(i)];
  };
  double sum = 0;
  int count = 0;
  for (int j = 0; j < ny; ++j) {
    for (int i = 0; i < nx; ++i) {
      auto const [along_x, along_y] = columns_from_side(i, j);
      if (along_x > 0 && along_y > 0) continue;
      sum += height(i, j);
      ++count;
    }
  }
  double const side = sum / count;
  for (int j = 0; j < ny; ++j) {
    for (int i = 0; i < nx; ++i) {
      auto const [along_x, along_y] = columns_from_side(i, j);
      double const place = std::min(along_x * grid.dx(), along_y * grid.dy()) / halo;
      if (place >= 1) continue;
      double const share = 0.5 * (1 - std::cos(std::numbers::pi * place));
      height(i, j) = side + share * (height(i, j) - side);
    }
  }
}

}  // namespace karman::wind
