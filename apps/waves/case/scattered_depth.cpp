// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "scattered_depth.hpp"

#include <karman/core/error.hpp>
#include <karman/io/atomic_file.hpp>
#include <karman/io/error.hpp>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <iterator>
#include <limits>
#include <string>
#include <string_view>
#include <utility>

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

/// The lower (sign 1) or upper (sign -1) side of the convex hull of sorted points: Andrew's monotone chain.
std::vector<std::array<double, 2>> hull_side(std::vector<std::array<double, 2>> const& points, double sign) {
  std::vector<std::array<double, 2>> side;
  for (auto const& point : points) {
    while (side.size() > 1 && sign * cross(side[side.size() - 2], side.back(), point) <= 0) side.pop_back();
    side.push_back(point);
  }
  return side;
}

/// True for a point on the inner side of the edges above or below it. A point on the hull counts as inside, whatever
/// the rounding.
bool within(std::vector<std::array<double, 2>> const& side, double sign, std::array<double, 2> const& point) {
  auto const after = std::upper_bound(side.begin(), side.end(), point,
                                      [](auto const& p, auto const& corner) { return p[0] < corner[0]; });
  // The edge over the point and the adjacent edges, for points that rounding has moved past a corner.
  std::ptrdiff_t const edges = std::ssize(side) - 1, found = after - side.begin() - 1;
  for (std::ptrdiff_t e = std::max<std::ptrdiff_t>(0, found - 2); e <= std::min(edges - 1, found + 2); ++e) {
    auto const& a = side[static_cast<std::size_t>(e)];
    auto const& b = side[static_cast<std::size_t>(e) + 1];
    double const scale = std::hypot(b[0] - a[0], b[1] - a[1]);
    constexpr double slack = 1e-9;
    if (sign * cross(a, b, point) < -slack * scale * scale) return false;
  }
  return true;
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

ScatteredDepth::ScatteredDepth(Soundings soundings)
    : soundings_(std::move(soundings)), nearest_(soundings_.points, most_neighbors) {
  auto const& points = soundings_.points;
  require(!points.empty() && points.size() == soundings_.values.size(),
          "ScatteredDepth: points and values must have the same length, at least 1");
  std::vector<std::array<double, 2>> sorted = points;
  std::sort(sorted.begin(), sorted.end());
  sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());
  lower_ = hull_side(sorted, 1);
  upper_ = hull_side(sorted, -1);
}

bool ScatteredDepth::inside(std::array<double, 2> const& point) const {
  bool const flat = lower_.size() == 2 && upper_.size() == 2;
  return lower_.size() > 1 && !flat && within(lower_, 1, point) && within(upper_, -1, point);
}

ScatteredDepth::Value ScatteredDepth::at(std::array<double, 2> const& point) const {
  auto const around = nearest_(point);
  auto const value_of = [&](Neighbor const& one) { return soundings_.values[static_cast<std::size_t>(one.number)]; };
  Value result{value_of(around.front()), !inside(point), std::sqrt(around.front().square)};
  if (result.outside || around.front().square == 0) return result;
  std::size_t const count = std::min(around.size(), most_neighbors - 1);
  bool const ends = around.size() == most_neighbors && around.back().square > around.front().square;
  double const radius = ends ? std::sqrt(around.back().square) : 2 * std::sqrt(around[count - 1].square);
  // Normal equations of the weighted plane a + b x + c y around the point, with lengths in units of the radius.
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
  // Relative to the centre of gravity the slopes follow from two equations.
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
