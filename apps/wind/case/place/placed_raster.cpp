// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "placed_raster.hpp"

#include "wind/case/terrain/raster_gaps.hpp"

#include <algorithm>
#include <utility>

namespace karman::wind {

PlacedRaster::PlacedRaster(std::filesystem::path file, std::optional<Point> const& origin, DomainPlace const& place)
    : file_(std::move(file)), outline_(raster_outline(file_)) {
  bool const both_known = !place.empty() && !outline_.system.empty();
  if (place.given || !origin) {
    if (both_known && place.system != outline_.system) transform_.emplace(place.system, outline_.system);
    lacks_system_ = !place.empty() && outline_.system.empty();
  } else {
    shift_ = *origin;
  }
}

Point PlacedRaster::in_file(Point const& position) const {
  if (transform_) return (*transform_)(position);
  return {position[0] + shift_[0], position[1] + shift_[1]};
}

Raster const* PlacedRaster::part(PlanBounds const& needed) {
  RasterWindow window;
  PlanBounds const whole = box();
  for (std::size_t axis = 0; axis < 2; ++axis) {
    window.low[axis] = std::max(whole.low[axis], needed.low[axis] - outline_.spacing[axis]);
    window.high[axis] = std::min(whole.high[axis], needed.high[axis] + outline_.spacing[axis]);
    if (!(window.low[axis] < window.high[axis])) return nullptr;
  }
  auto const holds = [&](std::size_t axis) {
    double const slack = 1e-6 * outline_.spacing[axis];
    return part_.corner[axis] <= window.low[axis] + slack && part_.end()[axis] >= window.high[axis] - slack;
  };
  if (!is_read_ || !holds(0) || !holds(1)) {
    part_ = {};  // two parts are never in memory
    part_ = read_raster(file_, {.window = window, .any_system = transform_.has_value()});
    remove_impossible_heights(part_);
    is_read_ = true;
  }
  return &part_;
}

}  // namespace karman::wind
