// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "mesh_triangulation.hpp"

#include "mesh/array_index.hpp"

#include <algorithm>
#include <cmath>
#include <deque>
#include <utility>

namespace karman::detail {

Triangulation::Triangulation(PlanePoint const& low, PlanePoint const& high) {
  double const margin = 0.5 * std::max(high[0] - low[0], high[1] - low[1]);
  points_ = {{low[0] - margin, low[1] - margin},
             {high[0] + margin, low[1] - margin},
             {high[0] + margin, high[1] + margin},
             {low[0] - margin, high[1] + margin}};
  around_.assign(4, 0);
  fan_.assign(4, -1);
  int const lower = add_triangle({0, 1, 2});
  int const upper = add_triangle({0, 2, 3});
  link(lower, 1, upper, -1);
  link(upper, 2, lower, -1);
}

int Triangulation::add_triangle(std::array<int, 3> const& node) {
  int t = static_cast<int>(triangles_.size());
  if (unused_.empty()) {
    triangles_.push_back({});
    visited_.push_back(0);
  } else {
    t = unused_.back();
    unused_.pop_back();
  }
  Triangle& triangle = triangles_[at(t)];
  triangle.node = node;
  triangle.next = triangle.segment = {-1, -1, -1};
  ++triangle.stamp;
  for (int n : node) around_[at(n)] = t;
  return t;
}

void Triangulation::link(int t, int i, int other, int segment) {
  triangles_[at(t)].next[at(i)] = other;
  triangles_[at(t)].segment[at(i)] = segment;
}

int Triangulation::index_of(int t, int node) const {
  auto const& nodes = triangle(t).node;
  return nodes[0] == node ? 0 : nodes[1] == node ? 1 : 2;
}

PlanePoint Triangulation::centroid(int t) const {
  PlanePoint center{};
  for (int n : triangle(t).node) {
    for (std::size_t x : {0, 1}) center[x] += point(n)[x] / 3;
  }
  return center;
}

Triangulation::Place Triangulation::walk(int t, PlanePoint const& to) const {
  PlanePoint const from = centroid(t);
  for (std::size_t steps = 0; steps <= triangles_.size(); ++steps) {
    Triangle const& here = triangle(t);
    std::array<bool, 3> beyond{};
    for (std::size_t i = 0; i < 3; ++i) {
      beyond[i] = orientation(point(here.node[after[i]]), point(here.node[before[i]]), to) < 0;
    }
    std::size_t way = 3;
    for (std::size_t i = 0; i < 3; ++i) {
      if (!beyond[i] || beyond[before[i]]) continue;
      // With two possible exits, the line passes the node between them on one side.
      bool const first = !beyond[after[i]] || orientation(from, to, point(here.node[before[i]])) >= 0;
      way = first ? i : after[i];
    }
    if (way == 3) return {t, -1};
    if (here.next[way] < 0 || here.segment[way] >= 0) return {t, static_cast<int>(way)};
    t = here.next[way];
  }
  return {-1, -1};
}

Triangulation::Cavity const& Triangulation::cavity(int t, PlanePoint const& p) {
  cavity_.triangles.assign(1, t);
  cavity_.rim.clear();
  ++visit_;
  visited_[at(t)] = visit_;
  for (std::size_t done = 0; done < cavity_.triangles.size(); ++done) {
    int const current = cavity_.triangles[done];
    for (std::size_t i = 0; i < 3; ++i) {
      Triangle const& here = triangle(current);
      int const other = here.next[i];
      if (other >= 0 && visited_[at(other)] == visit_) continue;
      if (other >= 0 && here.segment[i] < 0) {
        auto const& n = triangle(other).node;
        if (in_circle(point(n[0]), point(n[1]), point(n[2]), p) > 0) {
          visited_[at(other)] = visit_;
          cavity_.triangles.push_back(other);
          continue;
        }
      }
      cavity_.rim.push_back({here.node[after[i]], here.node[before[i]], other, here.segment[i]});
    }
  }
  // An edge between two triangles of the cavity was on the rim until the second one joined.
  auto const inside = [&](Rim const& r) {
    return r.outside >= 0 && visited_[at(r.outside)] == visit_ && r.segment < 0;
  };
  cavity_.rim.erase(std::remove_if(cavity_.rim.begin(), cavity_.rim.end(), inside), cavity_.rim.end());
  return cavity_;
}

int Triangulation::fill(PlanePoint const& p) { return split_or_fill(p, -1, -1, -1); }

int Triangulation::split_edge(int t, int i, PlanePoint const& p) {
  Triangle const& whole = triangle(t);
  int const from = whole.node[after[at(i)]], to = whole.node[before[at(i)]], segment = whole.segment[at(i)];
  cavity(t, p);
  return split_or_fill(p, from, to, segment);
}

int Triangulation::split_or_fill(PlanePoint const& p, int open_from, int open_to, int segment) {
  auto& rim = cavity_.rim;
  auto const open = [&](Rim const& r) { return r.from == open_from && r.to == open_to; };
  rim.erase(std::remove_if(rim.begin(), rim.end(), open), rim.end());
  for (Rim const& r : rim) {
    if (orientation(point(r.from), point(r.to), p) <= 0) return -1;
  }
  for (int t : cavity_.triangles) {
    triangles_[at(t)].node = {-1, -1, -1};
    ++triangles_[at(t)].stamp;
    unused_.push_back(t);
  }
  int const node = static_cast<int>(points_.size());
  points_.push_back(p);
  around_.push_back(-1);
  fan_.push_back(-1);
  made_.clear();
  for (Rim const& r : rim) {
    int const t = add_triangle({node, r.from, r.to});
    made_.push_back(t);
    fan_[at(r.from)] = t;
    link(t, 0, r.outside, r.segment);
    if (r.outside < 0) continue;
    Triangle const& other = triangle(r.outside);
    for (std::size_t i = 0; i < 3; ++i) {
      if (other.node[after[i]] == r.to && other.node[before[i]] == r.from)
        link(r.outside, static_cast<int>(i), t, r.segment);
    }
  }
  for (int t : made_) {
    // The triangle after this one around the new node starts at this one's end. At a split edge there is none.
    int const end = triangle(t).node[2];
    if (end == open_from) {
      link(t, 1, -1, segment);
    } else {
      int const following = fan_[at(end)];
      link(t, 1, following, -1);
      link(following, 2, t, -1);
    }
    if (triangle(t).node[1] == open_to) link(t, 2, -1, segment);
  }
  return node;
}

void Triangulation::flip(int t, int i) {
  Triangle const one = triangle(t);
  int const other = one.next[at(i)];
  Triangle const two = triangle(other);
  std::size_t const k = at(i), j = two.next[0] == t ? 0 : two.next[1] == t ? 1 : 2;
  // Before: (p, b, c) and (q, c, b). After: (p, b, q) and (p, q, c).
  int const p = one.node[k], b = one.node[after[k]], c = one.node[before[k]], q = two.node[j];
  auto const relink = [&](int outside, int from, int to) {
    if (outside < 0) return;
    for (int& n : triangles_[at(outside)].next) n = n == from ? to : n;
  };
  Triangle& left = triangles_[at(t)];
  Triangle& right = triangles_[at(other)];
  left.node = {p, b, q};
  left.next = {two.next[after[j]], other, one.next[before[k]]};
  left.segment = {two.segment[after[j]], -1, one.segment[before[k]]};
  right.node = {p, q, c};
  right.next = {two.next[before[j]], one.next[after[k]], t};
  right.segment = {two.segment[before[j]], one.segment[after[k]], -1};
  relink(left.next[0], other, t);
  relink(right.next[1], t, other);
  ++left.stamp;
  ++right.stamp;
  around_[at(p)] = around_[at(b)] = around_[at(q)] = t;
  around_[at(c)] = other;
}

Triangulation::Place Triangulation::find_edge(int a, int b) const {
  int const first = around_[at(a)];
  int t = first;
  do {  // anticlockwise
    std::size_t const i = at(index_of(t, a));
    if (triangle(t).node[after[i]] == b) return {t, static_cast<int>(before[i])};
    t = triangle(t).next[after[i]];
  } while (t >= 0 && t != first);
  if (t == first) return {-1, -1};
  // The node lies on the outer rim: the other triangles are found clockwise.
  for (t = first; t >= 0; t = triangle(t).next[before[at(index_of(t, a))]]) {
    std::size_t const i = at(index_of(t, a));
    if (triangle(t).node[after[i]] == b) return {t, static_cast<int>(before[i])};
  }
  return {-1, -1};
}

Triangulation::Obstacle Triangulation::lay_segment(int a, int b, int segment) {
  using Edge = std::array<int, 2>;
  std::deque<Edge> crossed;  // from the right of the segment to its left
  PlanePoint const &pa = point(a), &pb = point(b);
  auto const ahead = [&](int n) {
    return (point(n)[0] - pa[0]) * (pb[0] - pa[0]) + (point(n)[1] - pa[1]) * (pb[1] - pa[1]) > 0;
  };
  if (find_edge(a, b).triangle < 0) {
    // The triangle at a through which the segment leaves a.
    int t = around_[at(a)];
    std::size_t i = 0;
    for (std::size_t turn = 0; turn <= triangles_.size(); ++turn) {
      i = at(index_of(t, a));
      int const right = triangle(t).node[after[i]], left = triangle(t).node[before[i]];
      double const side = orientation(pa, pb, point(right));
      if (side == 0 && ahead(right)) return {right, -1};
      if (side < 0 && orientation(pa, pb, point(left)) > 0) break;
      t = triangle(t).next[after[i]];
    }
    Edge edge{triangle(t).node[after[i]], triangle(t).node[before[i]]};
    for (;;) {
      if (triangle(t).segment[i] >= 0) return {-1, triangle(t).segment[i]};
      crossed.push_back(edge);
      int const next = triangle(t).next[i];
      std::size_t const j = triangle(next).next[0] == t ? 0 : triangle(next).next[1] == t ? 1 : 2;
      int const apex = triangle(next).node[j];
      if (apex == b) break;
      double const side = orientation(pa, pb, point(apex));
      if (side == 0) return {apex, -1};
      t = next;
      // Continue with the edge between the apex and the node on the other side.
      (side > 0 ? edge[1] : edge[0]) = apex;
      i = side > 0 ? after[j] : before[j];
    }
  }
  // Flips crossing edges until none is left (Sloan 1993). An edge that cannot be flipped yet waits.
  while (!crossed.empty()) {
    Edge const edge = crossed.front();
    crossed.pop_front();
    Place const place = find_edge(edge[0], edge[1]);
    int const x = triangle(place.triangle).node[at(place.blocked_by)];
    int const other = triangle(place.triangle).next[at(place.blocked_by)];
    auto const& two = triangle(other);
    int const y = two.node[two.next[0] == place.triangle ? 0 : two.next[1] == place.triangle ? 1 : 2];
    double const u = orientation(point(x), point(y), point(edge[0]));
    double const v = orientation(point(x), point(y), point(edge[1]));
    if (!((u > 0 && v < 0) || (u < 0 && v > 0))) {
      crossed.push_back(edge);
      continue;
    }
    flip(place.triangle, place.blocked_by);
    if (x == a || x == b || y == a || y == b) continue;
    double const side = orientation(pa, pb, point(x));
    if ((side > 0) != (orientation(pa, pb, point(y)) > 0)) crossed.push_back(side < 0 ? Edge{x, y} : Edge{y, x});
  }
  for (auto const& [from, to] : {std::pair{a, b}, std::pair{b, a}}) {
    Place const place = find_edge(from, to);
    if (triangle(place.triangle).segment[at(place.blocked_by)] >= 0) {
      return {-1, triangle(place.triangle).segment[at(place.blocked_by)]};
    }
    triangles_[at(place.triangle)].segment[at(place.blocked_by)] = segment;
  }
  return {};
}

void Triangulation::carve(std::vector<char> const& drop) {
  for (std::size_t t = 0; t < triangles_.size(); ++t) {
    if (triangles_[t].node[0] < 0) continue;
    if (drop[t] != 0) {
      triangles_[t].node = {-1, -1, -1};
      ++triangles_[t].stamp;
      unused_.push_back(static_cast<int>(t));
      continue;
    }
    for (std::size_t i = 0; i < 3; ++i) {
      int& next = triangles_[t].next[i];
      if (next >= 0 && drop[at(next)] != 0) next = -1;
      around_[at(triangles_[t].node[i])] = static_cast<int>(t);
    }
  }
}

void Triangulation::make_delaunay() {
  std::vector<int> open;
  std::vector<char> waiting(triangles_.size(), 0);
  auto const push = [&](int t) {
    if (t < 0 || waiting[at(t)] != 0) return;
    waiting[at(t)] = 1;
    open.push_back(t);
  };
  for (std::size_t t = triangles_.size(); t-- > 0;) {
    if (triangles_[t].node[0] >= 0) push(static_cast<int>(t));
  }
  while (!open.empty()) {
    int const t = open.back();
    open.pop_back();
    waiting[at(t)] = 0;
    for (int i = 0; i < 3; ++i) {
      Triangle const here = triangle(t);
      int const other = here.next[at(i)];
      if (other < 0 || here.segment[at(i)] >= 0) continue;
      Triangle const& there = triangle(other);
      int const q = there.node[there.next[0] == t ? 0 : there.next[1] == t ? 1 : 2];
      if (in_circle(point(here.node[0]), point(here.node[1]), point(here.node[2]), point(q)) <= 0) continue;
      flip(t, i);
      push(t);
      push(other);
      for (int n : triangle(t).next) push(n);
      for (int n : triangle(other).next) push(n);
      break;
    }
  }
}

}  // namespace karman::detail
