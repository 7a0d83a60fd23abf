// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <karman/core/error.hpp>
#include <karman/core/uniform_grid.hpp>

#include <algorithm>
#include <cmath>
#include <string>

namespace karman {

namespace {
bool positive(double length) { return std::isfinite(length) && length > 0; }
}  // namespace

UniformGrid::UniformGrid(std::array<int, 3> cells, std::array<double, 3> spacing, std::array<double, 3> origin)
    : global_(cells), spacing_{spacing[0], spacing[1]}, origin_(origin) {
  require(cells[2] >= 1, "UniformGrid: at least one cell in every direction");
  layers_.assign(static_cast<std::size_t>(cells[2]), spacing[2]);
  check_and_finish();
  // Sums of many equal layers drift by round-off; the product does not.
  for (std::size_t k = 0; k < faces_.size(); ++k) faces_[k] = origin_[2] + static_cast<double>(k) * spacing[2];
}

UniformGrid UniformGrid::with_layers(std::array<int, 2> cells, std::array<double, 2> spacing,
                                     std::vector<double> layers, std::array<double, 3> origin) {
  UniformGrid grid;
  grid.global_ = {cells[0], cells[1], static_cast<int>(layers.size())};
  grid.spacing_ = spacing;
  grid.origin_ = origin;
  grid.layers_ = std::move(layers);
  grid.check_and_finish();
  return grid;
}

void UniformGrid::check_and_finish() {
  for (int n : global_) require(n >= 1, "UniformGrid: at least one cell in every direction");
  require(positive(spacing_[0]) && positive(spacing_[1]), "UniformGrid: spacings must be positive and finite");
  require(std::all_of(layers_.begin(), layers_.end(), positive), "UniformGrid: layers must be positive and finite");
  for (double x : origin_) require(std::isfinite(x), "UniformGrid: the origin must be finite");
  uniform_in_z_ = std::all_of(layers_.begin(), layers_.end(), [&](double dz) { return dz == layers_.front(); });
  faces_.resize(layers_.size() + 1);
  faces_[0] = origin_[2];
  for (std::size_t k = 0; k < layers_.size(); ++k) faces_[k + 1] = faces_[k] + layers_[k];
  own_ = {{0, 0, 0}, global_};
}

UniformGrid UniformGrid::part(Box const& box) const {
  for (std::size_t axis = 0; axis < 3; ++axis) {
    require(0 <= box.begin[axis] && box.begin[axis] <= box.end[axis] && box.end[axis] <= global_[axis],
            "UniformGrid: a part has cells from 0 to " + std::to_string(global_[axis]) + " along " +
                std::string(1, "xyz"[axis]) + ", found " + std::to_string(box.begin[axis]) + " to " +
                std::to_string(box.end[axis]));
  }
  require(box.begin[2] == 0 && box.end[2] == global_[2], "UniformGrid: a part has all layers");
  UniformGrid result = *this;
  result.own_ = box;
  return result;
}

double UniformGrid::dz_between(int k) const {
  auto const layer = [&](int index) { return layers_[static_cast<std::size_t>(std::clamp(index, 0, nz() - 1))]; };
  return 0.5 * (layer(k - 1) + layer(k));
}

std::int64_t UniformGrid::cell_count() const { return std::int64_t(nx()) * ny() * nz(); }

std::int64_t UniformGrid::global_cell_count() const { return std::int64_t(global_[0]) * global_[1] * global_[2]; }

std::array<int, 3> UniformGrid::extents(Location location) const {
  return {nz() + (location == Location::z_face ? 1 : 0), ny() + (location == Location::y_face ? 1 : 0),
          nx() + (location == Location::x_face ? 1 : 0)};
}

}  // namespace karman
