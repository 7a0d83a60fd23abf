// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Search for upright boxes in plan that meet a box.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace karman::wind {

/// Upright box in plan.
struct PlanBox {
  std::array<double, 2> low{}, high{};

  /// True if the two have a point in common, also one of their boundaries.
  bool meets(PlanBox const& other) const {
    return low[0] <= other.high[0] && other.low[0] <= high[0] && low[1] <= other.high[1] && other.low[1] <= high[1];
  }
};

/// Hierarchy of boxes by halves: each level cuts at the median of the centres along their longer extent. The cost of
/// the search does not depend on the shape of the map. Cost: O(n log n) to build, O(log n) for a search with few boxes
/// found, 16 bytes and a share of a node for each box.
class BoxTree {
 public:
  explicit BoxTree(std::vector<PlanBox> boxes);

  std::vector<PlanBox> const& boxes() const { return boxes_; }

  /// Calls visit(index) for the boxes that meet `box`, in no order, until it returns true.
  template <class Visit>
  void visit_meeting(PlanBox const& box, Visit&& visit) const {
    // Left children follow their parent; the depth is the logarithm of the number of boxes.
    std::array<std::uint32_t, 64> open{};
    std::size_t count = 0;
    if (!nodes_.empty()) open[count++] = 0;
    while (count > 0) {
      std::uint32_t const n = open[--count];
      Node const& node = nodes_[n];
      if (!node.box.meets(box)) continue;
      if (node.right != 0) {
        open[count++] = node.right;
        open[count++] = n + 1;
        continue;
      }
      for (std::uint32_t at = node.first; at < node.last; ++at) {
        if (boxes_[order_[at]].meets(box) && visit(std::size_t{order_[at]})) return;
      }
    }
  }

 private:
  struct Node {
    PlanBox box;
    std::uint32_t first = 0, last = 0;  ///< range of `order_`
    std::uint32_t right = 0;            ///< second child; 0 for a leaf
  };

  void divide(std::uint32_t first, std::uint32_t last);

  std::vector<PlanBox> boxes_;
  std::vector<std::uint32_t> order_;
  std::vector<Node> nodes_;
};

}  // namespace karman::wind
