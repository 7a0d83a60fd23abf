// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "wall_sweep.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace karman::wind {
namespace {

/// Twice the area of the triangle (a, b, p): positive where p is on the left. 0 within round-off.
double side(Wall const& wall, double px, double py) {
  double const first = (wall.bx - wall.ax) * (py - wall.ay);
  double const second = (wall.by - wall.ay) * (px - wall.ax);
  double const difference = first - second;
  return std::abs(difference) <= 1e-12 * (std::abs(first) + std::abs(second)) ? 0 : difference;
}

bool boxes_meet(Wall const& p, Wall const& q) {
  return std::min(p.ax, p.bx) <= std::max(q.ax, q.bx) && std::min(q.ax, q.bx) <= std::max(p.ax, p.bx) &&
         std::min(p.ay, p.by) <= std::max(q.ay, q.by) && std::min(q.ay, q.by) <= std::max(p.ay, p.by);
}

/// A wall from its lower to its upper end, in the frame of the sweep.
struct UprightWall {
  Point low{}, high{};
  std::size_t wall = 0;

  double x_at(double y) const {
    if (y <= low[1]) return low[0];
    if (y >= high[1]) return high[0];
    return low[0] + (y - low[1]) * slope();
  }
  double slope() const { return (high[0] - low[0]) / (high[1] - low[1]); }
};

/// True if the wall a is on the left of b at the heights that both have. Decided at the end of this range where they
/// are farther apart. Walls that do not cross have the same order at both ends, except for round-off where they touch.
bool is_left_of(UprightWall const& a, UprightWall const& b) {
  double const bottom = std::max(a.low[1], b.low[1]), top = std::min(a.high[1], b.high[1]);
  double const below = a.x_at(bottom) - b.x_at(bottom), above = a.x_at(top) - b.x_at(top);
  return (std::abs(below) >= std::abs(above) ? below : above) < 0;
}

/// The walls that the line meets, from left to right: a treap with links to the parents. Each node has the
/// alternating sum of the positions in its subtree, the first less the second and so on. It is linear in the height.
class WallsOnLine {
 public:
  explicit WallsOnLine(std::vector<UprightWall> const& walls) : walls_(walls), nodes_(walls.size()) {}

  static constexpr std::int32_t none = -1;

  /// Inserts a wall; `meet(other)` sees the walls on the way down, among them both neighbors.
  template <class Meet>
  void insert(std::int32_t added, Meet&& meet) {
    Node& node = at(added);
    node = {};
    UprightWall const& wall = walls_[static_cast<std::size_t>(added)];
    node.slope = wall.slope();
    node.start = wall.low[0] - wall.low[1] * node.slope;
    node.priority = scrambled(static_cast<std::uint64_t>(added));
    std::int32_t parent = none;
    bool left = false;
    for (std::int32_t n = root_; n != none; n = left ? at(n).left : at(n).right) {
      meet(n);
      parent = n;
      left = is_left_of(wall, walls_[static_cast<std::size_t>(n)]);
    }
    node.parent = parent;
    child_of(parent, left) = added;
    update_from(added);
    while (node.parent != none && at(node.parent).priority < node.priority) rotate_up(added);
  }

  void remove(std::int32_t removed) {
    Node& node = at(removed);
    while (node.left != none && node.right != none)
      rotate_up(at(node.left).priority > at(node.right).priority ? node.left : node.right);
    std::int32_t const child = node.left != none ? node.left : node.right;
    std::int32_t const parent = node.parent;
    replace_child(parent, removed, child);
    if (child != none) at(child).parent = parent;
    if (parent != none) update_from(parent);
  }

  std::int32_t before(std::int32_t n) const { return neighbor(n, &Node::left, &Node::right); }
  std::int32_t after(std::int32_t n) const { return neighbor(n, &Node::right, &Node::left); }

  /// Length inside of the walls along the line at a height.
  double length_at(double y) const {
    if (root_ == none) return 0;
    Node const& root = nodes_[static_cast<std::size_t>(root_)];
    return -(root.sum_start + y * root.sum_slope);
  }

 private:
  struct Node {
    std::int32_t left = none, right = none, parent = none;
    bool odd = true;  ///< number of walls in the subtree
    std::uint64_t priority = 0;
    double start = 0, slope = 0;          ///< position = start + height * slope
    double sum_start = 0, sum_slope = 0;  ///< of the subtree
  };

  /// Steele, Lea and Flood (2014): SplitMix. Walls may come in any order; the depth of the tree must not depend on it.
  static std::uint64_t scrambled(std::uint64_t n) {
    std::uint64_t z = (n + 1) * 0x9e3779b97f4a7c15U;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
    return z ^ (z >> 31);
  }

  Node& at(std::int32_t n) { return nodes_[static_cast<std::size_t>(n)]; }
  Node const& at(std::int32_t n) const { return nodes_[static_cast<std::size_t>(n)]; }

  std::int32_t& child_of(std::int32_t parent, bool left) {
    if (parent == none) return root_;
    return left ? at(parent).left : at(parent).right;
  }
  void replace_child(std::int32_t parent, std::int32_t old, std::int32_t child) {
    child_of(parent, parent != none && at(parent).left == old) = child;
  }

  void update(std::int32_t n) {
    Node& node = at(n);
    double sign = 1;
    node.odd = true;
    node.sum_start = node.sum_slope = 0;
    if (node.left != none) {
      Node const& left = at(node.left);
      node.sum_start = left.sum_start;
      node.sum_slope = left.sum_slope;
      if (left.odd) sign = -1;
      node.odd = !left.odd;
    }
    double start = node.start, slope = node.slope;
    if (node.right != none) {
      Node const& right = at(node.right);
      start -= right.sum_start;
      slope -= right.sum_slope;
      node.odd = node.odd != right.odd;
    }
    node.sum_start += sign * start;
    node.sum_slope += sign * slope;
  }

  void update_from(std::int32_t n) {
    for (; n != none; n = at(n).parent) update(n);
  }

  /// Exchanges a node with its parent. The sums above both stay.
  void rotate_up(std::int32_t n) {
    std::int32_t const parent = at(n).parent, above = at(parent).parent;
    bool const left = at(parent).left == n;
    std::int32_t const inner = left ? at(n).right : at(n).left;
    (left ? at(parent).left : at(parent).right) = inner;
    if (inner != none) at(inner).parent = parent;
    (left ? at(n).right : at(n).left) = parent;
    at(parent).parent = n;
    at(n).parent = above;
    replace_child(above, parent, n);
    update(parent);
    update(n);
  }

  std::int32_t neighbor(std::int32_t n, std::int32_t Node::* near, std::int32_t Node::* far) const {
    if (at(n).*near != none) {
      for (n = at(n).*near; at(n).*far != none;) n = at(n).*far;
      return n;
    }
    std::int32_t parent = at(n).parent;
    for (; parent != none && at(parent).*near == n; parent = at(parent).parent) n = parent;
    return parent;
  }

  std::vector<UprightWall> const& walls_;
  std::vector<Node> nodes_;
  std::int32_t root_ = none;
};

/// The walls in a frame of the sweep with turned axes, relative to a corner, so that large coordinates cost no digits.
/// Without walls along the line: their slope is lost in round-off, and so is the area beside them.
std::vector<UprightWall> upright_walls(std::span<Wall const> walls, double cosine, double sine) {
  std::vector<UprightWall> result;
  double extent = 0;
  auto const turned = [&](double x, double y) {
    double const from_x = x - walls.front().ax, from_y = y - walls.front().ay;
    extent = std::max({extent, std::abs(from_x), std::abs(from_y)});
    return Point{cosine * from_x + sine * from_y, cosine * from_y - sine * from_x};
  };
  for (std::size_t n = 0; n < walls.size(); ++n) {
    UprightWall wall{turned(walls[n].ax, walls[n].ay), turned(walls[n].bx, walls[n].by), n};
    if (wall.low[1] > wall.high[1]) std::swap(wall.low, wall.high);
    result.push_back(wall);
  }
  std::erase_if(result, [&](UprightWall const& wall) { return !(wall.high[1] - wall.low[1] > 1e-15 * extent); });
  return result;
}

/// Sweeps a line upwards over walls. `meet(a, b)` sees all pairs of neighbors on the line and ends the sweep by true.
/// Returns the area by the even-odd rule below the end of the sweep.
template <class Meet>
double sweep(std::vector<UprightWall> const& walls, Meet&& meet) {
  // The walls that end at a height come first, so that a ring leaves no wall too many at its corners.
  struct Event {
    double y;
    bool begins;
    std::int32_t wall;
  };
  std::vector<Event> events;
  events.reserve(2 * walls.size());
  for (std::size_t n = 0; n < walls.size(); ++n) {
    events.push_back({walls[n].low[1], true, static_cast<std::int32_t>(n)});
    events.push_back({walls[n].high[1], false, static_cast<std::int32_t>(n)});
  }
  std::sort(events.begin(), events.end(), [](Event const& a, Event const& b) {
    return a.y != b.y ? a.y < b.y : a.begins != b.begins ? b.begins : a.wall < b.wall;
  });
  auto const wall = [&](std::int32_t n) -> UprightWall const& { return walls[static_cast<std::size_t>(n)]; };
  WallsOnLine line(walls);
  double area = 0;
  bool ended = false;
  for (std::size_t n = 0; n < events.size() && !ended; ++n) {
    Event const& event = events[n];
    if (n > 0 && event.y > events[n - 1].y)
      area += line.length_at(0.5 * (events[n - 1].y + event.y)) * (event.y - events[n - 1].y);
    if (event.begins) {
      line.insert(event.wall, [&](std::int32_t other) { ended = ended || meet(wall(event.wall), wall(other)); });
    } else {
      // Walls that this one kept apart are neighbors now.
      std::int32_t const before = line.before(event.wall), after = line.after(event.wall);
      if (before != WallsOnLine::none && after != WallsOnLine::none) ended = meet(wall(before), wall(after));
      line.remove(event.wall);
    }
  }
  return area;
}

}  // namespace

std::optional<Point> crossing(Wall const& p, Wall const& q) {
  if (!boxes_meet(p, q)) return std::nullopt;
  double const qa = side(p, q.ax, q.ay);
  double const qb = side(p, q.bx, q.by);
  double const pa = side(q, p.ax, p.ay);
  double const pb = side(q, p.bx, p.by);
  if (!(qa * qb < 0 && pa * pb < 0)) return std::nullopt;
  double const part = pa / (pa - pb);
  return Point{p.ax + part * (p.bx - p.ax), p.ay + part * (p.by - p.ay)};
}

std::optional<Point> find_crossing(std::span<Wall const> walls) {
  auto const found = find_crossing_walls(walls);
  return found ? std::optional(found->at) : std::nullopt;
}

std::optional<CrossingWalls> find_crossing_walls(std::span<Wall const> walls) {
  if (walls.empty()) return std::nullopt;
  // Walls along the line take no part in the sweep: walls of common plans are along an axis, or at 45 degrees to it.
  constexpr double cosine = 0.8191520442889918, sine = 0.573576436351046;  // 35 degrees
  std::optional<CrossingWalls> found;
  sweep(upright_walls(walls, cosine, sine), [&](UprightWall const& a, UprightWall const& b) {
    if (auto const at = crossing(walls[a.wall], walls[b.wall])) found = CrossingWalls{a.wall, b.wall, *at};
    return found.has_value();
  });
  return found;
}

double even_odd_area(std::span<Wall const> walls) {
  if (walls.empty()) return 0;
  return sweep(upright_walls(walls, 1, 0), [](UprightWall const&, UprightWall const&) { return false; });
}

}  // namespace karman::wind
