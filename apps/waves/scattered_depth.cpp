// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "scattered_depth.hpp"

#include <karman/core/error.hpp>
#include <karman/core/plane_box.hpp>
#include <karman/io/atomic_file.hpp>
#include <karman/io/error.hpp>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <string>
#include <string_view>

namespace karman::waves {
namespace {

constexpr std::size_t most_bytes = std::size_t{1} << 31;

bool is_separator(char c) { return c == ' ' || c == '\t' || c == ',' || c == ';' || c == '\r'; }

/// The words of a line, at most four.
std::vector<std::string_view> words_of(std::string_view line) {
  std::vector<std::string_view> words;
  std::size_t at = 0;
  while (at < line.size() && words.size() < 4) {
    while (at < line.size() && is_separator(line[at])) ++at;
    std::size_t const begin = at;
    while (at < line.size() && !is_separator(line[at])) ++at;
    if (at > begin) words.push_back(line.substr(begin, at - begin));
  }
  return words;
}

bool parse(std::string_view word, double& value) {
  if (!word.empty() && word.front() == '+') word.remove_prefix(1);
  auto const [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  return error == std::errc() && end == word.data() + word.size() && std::isfinite(value);
}

[[noreturn]] void refuse(std::filesystem::path const& file, int line, std::string_view found) {
  constexpr std::size_t most_shown = 60;
  CaseProblem problem;
  problem.line = line;
  problem.value = std::string(found.substr(0, most_shown));
  problem.expected = "expected three numbers x y h";
  throw CaseError(file.string(), {problem});
}

double cross(std::array<double, 2> const& a, std::array<double, 2> const& b, std::array<double, 2> const& c) {
  return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
}

/// Andrew's monotone chain.
std::vector<std::array<double, 2>> convex_hull(std::vector<std::array<double, 2>> points) {
  std::sort(points.begin(), points.end());
  points.erase(std::unique(points.begin(), points.end()), points.end());
  if (points.size() < 3) return points;
  std::vector<std::array<double, 2>> hull;
  auto const add = [&](std::array<double, 2> const& point, std::size_t least) {
    while (hull.size() > least && cross(hull[hull.size() - 2], hull.back(), point) <= 0) hull.pop_back();
    hull.push_back(point);
  };
  for (auto const& point : points) add(point, 1);
  std::size_t const lower = hull.size();
  for (std::size_t n = points.size() - 1; n-- > 0;) add(points[n], lower);
  hull.pop_back();
  return hull;
}

}  // namespace

Soundings read_soundings(std::filesystem::path const& file) {
  std::string const text = read_text_file(file, most_bytes);
  Soundings soundings;
  int number = 0;
  bool heading = false;
  for (std::size_t begin = 0; begin < text.size();) {
    std::size_t const end = std::min(text.find('\n', begin), text.size());
    std::string_view const line(text.data() + begin, end - begin);
    begin = end + 1;
    ++number;
    auto const words = words_of(line);
    if (words.empty() || words[0][0] == '#' || words[0][0] == '%') continue;
    std::array<double, 3> values{};
    bool good = words.size() == 3;
    for (std::size_t n = 0; good && n < 3; ++n) good = parse(words[n], values[n]);
    if (!good) {
      bool const letter = std::isalpha(static_cast<unsigned char>(words[0][0])) != 0 || words[0][0] == '"';
      if (!soundings.values.empty() || heading || !letter) refuse(file, number, line.substr(0, line.find('\r')));
      heading = true;
      continue;
    }
    soundings.points.push_back({values[0], values[1]});
    soundings.values.push_back(values[2]);
  }
  if (soundings.values.empty()) refuse(file, std::max(number, 1), "end of file");
  if (soundings.values.size() > static_cast<std::size_t>(std::numeric_limits<int>::max()))
    refuse(file, number, "more than 2147483647 soundings");
  return soundings;
}

ScatteredDepth::ScatteredDepth(Soundings soundings) : soundings_(std::move(soundings)) {
  auto const& points = soundings_.points;
  require(!points.empty() && points.size() == soundings_.values.size(),
          "ScatteredDepth: expected as many points as values, at least one");
  hull_ = convex_hull(points);
  PlaneBox const box(points);
  origin_ = box.low;
  // Four soundings a cell, in cells that are squares; points on a line get a line of cells.
  double const width = box.width(), height = box.height();
  double const wanted = std::max(1.0, static_cast<double>(points.size()) / 4);
  cell_ = std::max({std::sqrt(width * height / wanted), std::max(width, height) / wanted,
                    std::max(width, height) / 8192, std::numeric_limits<double>::min()});
  cells_ = {std::max(1, static_cast<int>(width / cell_) + 1), std::max(1, static_cast<int>(height / cell_) + 1)};
  auto const cell_of = [&](std::array<double, 2> const& point) {
    int const i = std::clamp(static_cast<int>((point[0] - origin_[0]) / cell_), 0, cells_[0] - 1);
    int const j = std::clamp(static_cast<int>((point[1] - origin_[1]) / cell_), 0, cells_[1] - 1);
    return static_cast<std::size_t>(j) * static_cast<std::size_t>(cells_[0]) + static_cast<std::size_t>(i);
  };
  begin_.assign(static_cast<std::size_t>(cells_[0]) * static_cast<std::size_t>(cells_[1]) + 1, 0);
  for (auto const& point : points) ++begin_[cell_of(point) + 1];
  for (std::size_t n = 1; n < begin_.size(); ++n) begin_[n] += begin_[n - 1];
  members_.resize(points.size());
  std::vector<int> next(begin_.begin(), begin_.end() - 1);
  for (std::size_t n = 0; n < points.size(); ++n) {
    members_[static_cast<std::size_t>(next[cell_of(points[n])]++)] = static_cast<int>(n);
  }
}

std::vector<ScatteredDepth::Neighbour> ScatteredDepth::nearest(std::array<double, 2> const& point) const {
  int const centre_i = std::clamp(static_cast<int>((point[0] - origin_[0]) / cell_), 0, cells_[0] - 1);
  int const centre_j = std::clamp(static_cast<int>((point[1] - origin_[1]) / cell_), 0, cells_[1] - 1);
  std::vector<Neighbour> found;
  auto const take = [&](int i, int j) {
    if (i < 0 || j < 0 || i >= cells_[0] || j >= cells_[1]) return;
    std::size_t const cell = static_cast<std::size_t>(j) * static_cast<std::size_t>(cells_[0]) + std::size_t(i);
    for (int n = begin_[cell]; n < begin_[cell + 1]; ++n) {
      int const number = members_[static_cast<std::size_t>(n)];
      auto const& other = soundings_.points[static_cast<std::size_t>(number)];
      double const dx = other[0] - point[0], dy = other[1] - point[1];
      found.push_back({dx * dx + dy * dy, number});
    }
  };
  auto const closer = [](Neighbour const& a, Neighbour const& b) {
    return a.square != b.square ? a.square < b.square : a.number < b.number;
  };
  // Rings of cells around that of the point; what lies beyond ring r is at least r - 1 cells from the ring's centre. A
  // point outside the grid of cells starts from the cell next to it, which only makes that bound larger.
  int const most = std::max(cells_[0], cells_[1]);
  for (int ring = 0; ring <= most; ++ring) {
    if (ring == 0) {
      take(centre_i, centre_j);
    } else {
      for (int i = centre_i - ring; i <= centre_i + ring; ++i) {
        take(i, centre_j - ring);
        take(i, centre_j + ring);
      }
      for (int j = centre_j - ring + 1; j < centre_j + ring; ++j) {
        take(centre_i - ring, j);
        take(centre_i + ring, j);
      }
    }
    if (found.size() < most_neighbours) continue;
    std::nth_element(found.begin(), found.begin() + most_neighbours - 1, found.end(), closer);
    double const reach = ring * cell_;
    if (found[most_neighbours - 1].square <= reach * reach) break;
  }
  std::sort(found.begin(), found.end(), closer);
  if (found.size() > most_neighbours) found.resize(most_neighbours);
  return found;
}

bool ScatteredDepth::inside(std::array<double, 2> const& point) const {
  if (hull_.size() < 3) return false;
  for (std::size_t n = 0; n < hull_.size(); ++n) {
    auto const& a = hull_[n];
    auto const& b = hull_[(n + 1) % hull_.size()];
    double const scale = std::hypot(b[0] - a[0], b[1] - a[1]);
    // On the hull is inside, whatever rounding says.
    constexpr double slack = 1e-9;
    if (cross(a, b, point) < -slack * scale * scale) return false;
  }
  return true;
}

ScatteredDepth::Value ScatteredDepth::at(std::array<double, 2> const& point) const {
  auto const around = nearest(point);
  auto const value_of = [&](Neighbour const& one) { return soundings_.values[static_cast<std::size_t>(one.number)]; };
  Value result{value_of(around.front()), !inside(point), std::sqrt(around.front().square)};
  if (result.outside || around.front().square == 0) return result;
  std::size_t const count = std::min(around.size(), most_neighbours - 1);
  bool const ends = around.size() == most_neighbours && around.back().square > around.front().square;
  double const radius = ends ? std::sqrt(around.back().square) : 2 * std::sqrt(around[count - 1].square);
  // Normal equations of the weighted plane a + b x + c y around the point, lengths in units of the radius.
  double s = 0, sx = 0, sy = 0, sxx = 0, sxy = 0, syy = 0, v = 0, vx = 0, vy = 0;
  double least = value_of(around.front()), most = least;
  for (std::size_t n = 0; n < count; ++n) {
    double const distance = std::sqrt(around[n].square);
    double const taper = std::max(0.0, 1 - distance / radius);
    double const weight = taper * taper * radius * radius / around[n].square;
    auto const& other = soundings_.points[static_cast<std::size_t>(around[n].number)];
    double const x = (other[0] - point[0]) / radius, y = (other[1] - point[1]) / radius, h = value_of(around[n]);
    s += weight, sx += weight * x, sy += weight * y;
    sxx += weight * x * x, sxy += weight * x * y, syy += weight * y * y;
    v += weight * h, vx += weight * x * h, vy += weight * y * h;
    least = std::min(least, h), most = std::max(most, h);
  }
  // About the centre of gravity: the slopes from a system of two equations.
  double const mx = sx / s, my = sy / s, mean = v / s;
  double const cxx = sxx - sx * mx, cxy = sxy - sx * my, cyy = syy - sy * my;
  double const bx = vx - v * mx, by = vy - v * my;
  double const determinant = cxx * cyy - cxy * cxy;
  constexpr double flat = 1e-8;  // of the squared trace: the soundings lie on a line
  double depth = mean;
  if (determinant > flat * (cxx + cyy) * (cxx + cyy)) {
    depth = mean - ((bx * cyy - by * cxy) * mx + (by * cxx - bx * cxy) * my) / determinant;
  }
  result.depth = std::clamp(depth, least, most);
  return result;
}

}  // namespace karman::waves
