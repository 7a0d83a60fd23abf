// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "box_tree.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace karman::wind {

BoxTree::BoxTree(std::vector<PlanBox> boxes) : boxes_(std::move(boxes)), order_(boxes_.size()) {
  std::iota(order_.begin(), order_.end(), std::uint32_t{0});
  if (!boxes_.empty()) divide(0, static_cast<std::uint32_t>(boxes_.size()));
}

void BoxTree::divide(std::uint32_t first, std::uint32_t last) {
  constexpr std::uint32_t most_in_leaf = 8;
  std::size_t const at = nodes_.size();
  PlanBox whole = boxes_[order_[first]];
  auto const twice_center = [&](std::uint32_t n, std::size_t axis) {
    return boxes_[n].low[axis] + boxes_[n].high[axis];
  };
  PlanBox centers{{1e300, 1e300}, {-1e300, -1e300}};
  for (std::uint32_t n = first; n < last; ++n) {
    PlanBox const& box = boxes_[order_[n]];
    for (std::size_t axis = 0; axis < 2; ++axis) {
      whole.low[axis] = std::min(whole.low[axis], box.low[axis]);
      whole.high[axis] = std::max(whole.high[axis], box.high[axis]);
      centers.low[axis] = std::min(centers.low[axis], twice_center(order_[n], axis));
      centers.high[axis] = std::max(centers.high[axis], twice_center(order_[n], axis));
    }
  }
  nodes_.push_back({whole, first, last, 0});
  if (last - first <= most_in_leaf) return;
  std::size_t const axis = centers.high[0] - centers.low[0] >= centers.high[1] - centers.low[1] ? 0 : 1;
  std::uint32_t const middle = first + (last - first) / 2;
  std::nth_element(order_.begin() + first, order_.begin() + middle, order_.begin() + last,
                   [&](std::uint32_t a, std::uint32_t b) {
                     double const left = twice_center(a, axis), right = twice_center(b, axis);
                     return left != right ? left < right : a < b;
                   });
  divide(first, middle);
  nodes_[at].right = static_cast<std::uint32_t>(nodes_.size());
  divide(middle, last);
}

}  // namespace karman::wind
