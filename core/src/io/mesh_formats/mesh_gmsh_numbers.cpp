// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Numbers of Gmsh's files, in text or in bytes, and the numbers of nodes.
#include "mesh_gmsh.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <iterator>
#include <numeric>

namespace karman::detail {

void GmshNumbers::begin_bytes() {
  bytes_ = true;
  text_.without_lines();
  char const* const expected = "the number 1 in 4 bytes (byte order)";
  auto const one = taken<std::uint32_t>(expected);
  constexpr std::uint32_t swapped_one = 0x01000000;
  if (one != 1 && one != swapped_one) text_.fail(std::to_string(one), expected);
  swapped_ = one == swapped_one;
}

template <class T>
T GmshNumbers::taken(std::string_view expected) {
  std::string_view const from = text_.bytes(sizeof(T), expected);
  char bytes[sizeof(T)];
  std::memcpy(bytes, from.data(), sizeof(T));
  if (swapped_) std::reverse(std::begin(bytes), std::end(bytes));
  T value;
  std::memcpy(&value, bytes, sizeof value);
  return value;
}

void GmshNumbers::fail_range(std::int64_t value, std::string_view expected, std::int64_t low, std::int64_t high) const {
  text_.fail(std::to_string(value), std::string(expected) + ", " + std::to_string(low) + " to " + std::to_string(high));
}

std::int64_t GmshNumbers::tag_of_bytes(std::string_view expected, std::int64_t low, std::int64_t high) {
  return checked(taken<std::int32_t>(expected), expected, low, high);
}

std::int64_t GmshNumbers::number_of_bytes(std::string_view expected, std::int64_t low, std::int64_t high) {
  // Unsigned in the file: numbers beyond 2^63 become negative here, and no range contains them.
  return checked(taken<std::int64_t>(expected), expected, std::max<std::int64_t>(0, low), high);
}

double GmshNumbers::real_of_bytes(std::string_view expected, double bound) {
  auto const value = taken<double>(expected);
  if (!(std::abs(value) < bound)) text_.fail(shortest_digits(value), expected);
  return value;
}

std::size_t GmshNumbers::count(std::string_view what, std::size_t least_bytes) {
  if (!bytes_) return text_.count(what, least_bytes);
  std::string const expected = "the number of " + std::string(what);
  auto const found = static_cast<std::size_t>(number(expected, 0, most_numbers));
  std::size_t const room = text_.bytes_left() / least_bytes;
  if (found > room) {
    text_.fail(std::to_string(found), expected + ", at most " + std::to_string(room) + " for this file size");
  }
  return found;
}

void GmshNodes::add_out_of_order(std::int64_t tag) {
  if (in_order_) {
    tags_.resize(static_cast<std::size_t>(count_));
    std::iota(tags_.begin(), tags_.end(), std::int64_t{1});
    in_order_ = false;
  }
  tags_.push_back(tag);
  ++count_;
}

void GmshNodes::finish(MeshText const& text) {
  if (in_order_) return;
  for (std::size_t i = 0; i < tags_.size(); ++i) sorted_.emplace_back(tags_[i], static_cast<int>(i));
  std::sort(sorted_.begin(), sorted_.end());
  auto const twice = std::adjacent_find(sorted_.begin(), sorted_.end(),
                                        [](auto const& a, auto const& b) { return a.first == b.first; });
  if (twice != sorted_.end()) {
    auto const second = static_cast<std::size_t>(std::next(twice)->second);
    text.fail(second < lines_.size() ? lines_[second] : 0, "node " + std::to_string(twice->first) + " twice",
              "a unique number per node");
  }
}

int GmshNodes::place_among(GmshNumbers const& in, std::int64_t tag) const {
  auto const found = std::lower_bound(sorted_.begin(), sorted_.end(), std::pair{tag, 0});
  if (found == sorted_.end() || found->first != tag) {
    in.fail(std::to_string(tag), "the number of one of the " + std::to_string(count_) + " nodes");
  }
  return found->second;
}

bool GmshReading::plain_nodes(std::size_t count) {
  std::size_t const start = found.mesh.nodes.size();
  std::string_view const bytes = in.plain_bytes(count * 32);
  if (bytes.empty()) return false;
  char const* at = bytes.data();
  for (std::size_t i = 0; i < count; ++i, at += 8) {
    std::int64_t tag = 0;
    std::memcpy(&tag, at, sizeof tag);
    nodes.add(in.checked(tag, "the number of a node", 1, std::numeric_limits<std::int64_t>::max()), 0);
  }
  found.mesh.nodes.resize(start + count);
  found.z.resize(start + count);
  for (std::size_t i = start; i < start + count; ++i, at += 24) {
    std::array<double, 3> place{};
    std::memcpy(place.data(), at, sizeof place);
    constexpr double bound = 1e100;
    constexpr std::array axes{"the x of a node, a number", "the y of a node, a number", "the z of a node, a number"};
    for (std::size_t axis = 0; axis < 3; ++axis) {
      if (!(std::abs(place[axis]) < bound)) in.fail(shortest_digits(place[axis]), axes[axis]);
    }
    found.mesh.nodes[i] = {place[0], place[1]};
    found.z[i] = place[2];
  }
  return true;
}

bool GmshReading::plain_triangles(std::size_t count, int group, int entity) {
  std::string_view const bytes = in.plain_bytes(count * 32);
  if (bytes.empty()) return false;
  std::size_t const start = found.mesh.triangles.size();
  found.mesh.triangles.resize(start + count);
  found.mesh.regions.resize(start + count, group);
  found.region_entities.resize(start + count, entity);
  char const* at = bytes.data();
  for (std::size_t i = start; i < start + count; ++i, at += 32) {
    std::array<std::int64_t, 4> numbers{};
    std::memcpy(numbers.data(), at, sizeof numbers);
    constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
    in.checked(numbers[0], "the number of an element", 1, most);
    auto& triangle = found.mesh.triangles[i];
    for (std::size_t k = 0; k < 3; ++k)
      triangle[k] = nodes.place(in, in.checked(numbers[k + 1], "the number of a node", 1, most));
  }
  return true;
}

}  // namespace karman::detail
