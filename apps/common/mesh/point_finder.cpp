// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "point_finder.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace karman::app {
namespace {

constexpr double slack = 1e-9;

}  // namespace

PointFinder::PointFinder(MeshData const& mesh) : mesh_(mesh), box_(mesh.nodes) {
  double const width = box_.width(), height = box_.height();
  cell_ = std::max({std::sqrt(2 * width * height / static_cast<double>(mesh.triangles.size())),
                    std::max(width, height) / 16384, std::numeric_limits<double>::min()});
  cells_ = {static_cast<int>(width / cell_) + 1, static_cast<int>(height / cell_) + 1};
  begin_.assign(static_cast<std::size_t>(cells_[0]) * static_cast<std::size_t>(cells_[1]) + 1, 0);
  // Visits the cells of a triangle's box twice: first to count, then to store.
  auto const for_each_cell = [&](auto const& action) {
    for (std::size_t n = 0; n < mesh.triangles.size(); ++n) {
      PlaneBox box;
      for (int node : mesh.triangles[n]) box.hold(mesh.nodes[static_cast<std::size_t>(node)]);
      double const margin = slack * box.longest_side();
      auto const first = cell_of(box.low[0] - margin, box.low[1] - margin);
      auto const last = cell_of(box.high[0] + margin, box.high[1] + margin);
      for (int j = first[1]; j <= last[1]; ++j) {
        for (int i = first[0]; i <= last[0]; ++i)
          action(static_cast<std::size_t>(j) * static_cast<std::size_t>(cells_[0]) + static_cast<std::size_t>(i),
                 static_cast<int>(n));
      }
    }
  };
  for_each_cell([&](std::size_t cell, int) { ++begin_[cell + 1]; });
  for (std::size_t n = 1; n < begin_.size(); ++n) begin_[n] += begin_[n - 1];
  members_.resize(static_cast<std::size_t>(begin_.back()));
  std::vector<int> next(begin_.begin(), begin_.end() - 1);
  for_each_cell([&](std::size_t cell, int triangle) { members_[static_cast<std::size_t>(next[cell]++)] = triangle; });
}

std::array<int, 2> PointFinder::cell_of(double x, double y) const {
  return {std::clamp(static_cast<int>((x - box_.low[0]) / cell_), 0, cells_[0] - 1),
          std::clamp(static_cast<int>((y - box_.low[1]) / cell_), 0, cells_[1] - 1)};
}

std::optional<PointInMesh> PointFinder::find(double x, double y) const {
  double const margin = slack * box_.longest_side();
  auto const& [low, high] = box_;
  if (!(x >= low[0] - margin && x <= high[0] + margin && y >= low[1] - margin && y <= high[1] + margin)) return {};
  std::optional<PointInMesh> best;
  double best_least = -slack;
  auto const [i, j] = cell_of(x, y);
  std::size_t const cell =
      static_cast<std::size_t>(j) * static_cast<std::size_t>(cells_[0]) + static_cast<std::size_t>(i);
  for (int n = begin_[cell]; n < begin_[cell + 1]; ++n) {
    int const number = members_[static_cast<std::size_t>(n)];
    auto const& triangle = mesh_.triangles[static_cast<std::size_t>(number)];
    auto const& a = mesh_.nodes[static_cast<std::size_t>(triangle[0])];
    auto const& b = mesh_.nodes[static_cast<std::size_t>(triangle[1])];
    auto const& c = mesh_.nodes[static_cast<std::size_t>(triangle[2])];
    auto const area = [](auto const& p, auto const& q, double rx, double ry) {
      return (q[0] - p[0]) * (ry - p[1]) - (q[1] - p[1]) * (rx - p[0]);
    };
    double const whole = area(a, b, c[0], c[1]);
    std::array const weights{area(b, c, x, y) / whole, area(c, a, x, y) / whole, area(a, b, x, y) / whole};
    double const least = *std::min_element(weights.begin(), weights.end());
    if (least >= 0) return PointInMesh{number, weights};
    if (least > best_least) {
      best_least = least;
      best = PointInMesh{number, weights};
    }
  }
  return best;
}

}  // namespace karman::app
