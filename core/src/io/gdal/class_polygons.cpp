// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <karman/core/error.hpp>
#include <karman/io/class_polygons.hpp>

#include <cstddef>
#include <utility>

namespace karman {
namespace {

using Ring = std::vector<std::array<int, 2>>;

class OutlineTracer {
 public:
  OutlineTracer(std::span<std::uint8_t const> classes, int columns, int rows, std::uint8_t none)
      : classes_(classes), columns_(columns), rows_(rows), none_(none), labels_(classes.size(), no_label) {}

  std::vector<ClassPolygon> trace() {
    for (int row = 0; row < rows_; ++row)
      for (int column = 0; column < columns_; ++column) fill_from(column, row);
    // The first side of a part in this order is in its lowest row, and therefore on its outer ring.
    followed_.assign(labels_.size(), 0);
    for (int row = 0; row < rows_; ++row) {
      for (int column = 0; column < columns_; ++column) {
        int const label = labels_[at(column, row)];
        if (label == no_label || followed_[at(column, row)] != 0 || has(label, column, row - 1)) continue;
        polygons_[static_cast<std::size_t>(label)].rings.push_back(ring_from(column, row));
      }
    }
    return std::move(polygons_);
  }

 private:
  static constexpr int no_label = -1;

  std::size_t at(int column, int row) const {
    return static_cast<std::size_t>(row) * static_cast<std::size_t>(columns_) + static_cast<std::size_t>(column);
  }
  bool inside(int column, int row) const { return column >= 0 && column < columns_ && row >= 0 && row < rows_; }
  bool has(int label, int column, int row) const { return inside(column, row) && labels_[at(column, row)] == label; }

  /// Labels the part around a cell, unless it has a label or no class.
  void fill_from(int column, int row) {
    std::uint8_t const value = classes_[at(column, row)];
    if (value == none_ || labels_[at(column, row)] != no_label) return;
    int const label = static_cast<int>(polygons_.size());
    ClassPolygon polygon{value, 0, {}};
    auto const take = [&](int i, int j) {
      if (!inside(i, j) || classes_[at(i, j)] != value || labels_[at(i, j)] != no_label) return;
      labels_[at(i, j)] = label;
      ++polygon.cells;
      open_.push_back({i, j});
    };
    take(column, row);
    while (!open_.empty()) {
      auto const [i, j] = open_.back();
      open_.pop_back();
      take(i - 1, j);
      take(i + 1, j);
      take(i, j - 1);
      take(i, j + 1);
    }
    polygons_.push_back(std::move(polygon));
  }

  /// The ring that runs eastward along the southern side of a cell, with its part on the left.
  Ring ring_from(int column, int row) {
    constexpr std::array<std::array<int, 2>, 4> steps{{{1, 0}, {0, 1}, {-1, 0}, {0, -1}}};  // east, north, west, south
    // The cells ahead of a point on the line, as offsets from it.
    constexpr std::array<std::array<int, 2>, 4> ahead_left{{{0, 0}, {-1, 0}, {-1, -1}, {0, -1}}};
    int const label = labels_[at(column, row)];
    Ring ring;
    int x = column, y = row;
    std::size_t heading = 0;
    do {
      if (heading == 0) followed_[at(x, y)] = 1;
      x += steps[heading][0];
      y += steps[heading][1];
      auto const& left = ahead_left[heading];
      auto const& right = ahead_left[(heading + 3) % 4];
      // The cell on the right comes first. Where two cells of the part meet in a corner, the hole between them becomes
      // a ring of its own. So no ring touches itself.
      if (has(label, x + right[0], y + right[1])) {
        heading = (heading + 3) % 4;
      } else if (has(label, x + left[0], y + left[1])) {
        continue;
      } else {
        heading = (heading + 1) % 4;
      }
      ring.push_back({x, y});
    } while (x != column || y != row || heading != 0);
    return ring;
  }

  std::span<std::uint8_t const> classes_;
  int columns_, rows_;
  std::uint8_t none_;
  std::vector<int> labels_;             ///< number of the part of each cell
  std::vector<std::uint8_t> followed_;  ///< 1 where a ring along the southern side of the cell is complete
  std::vector<std::array<int, 2>> open_;
  std::vector<ClassPolygon> polygons_;
};

}  // namespace

std::vector<ClassPolygon> class_polygons(std::span<std::uint8_t const> classes, int columns, int rows,
                                         std::uint8_t none) {
  require(
      columns >= 0 && rows >= 0 && classes.size() == static_cast<std::size_t>(columns) * static_cast<std::size_t>(rows),
      "class_polygons: expected a class for each cell");
  return OutlineTracer(classes, columns, rows, none).trace();
}

}  // namespace karman
