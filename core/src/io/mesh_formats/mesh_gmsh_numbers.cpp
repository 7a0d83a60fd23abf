// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Numbers of Gmsh's files, in text or in bytes, and the numbers of nodes.
#include "mesh_gmsh.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <iterator>

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

std::int64_t GmshNumbers::checked(std::int64_t value, std::string_view expected, std::int64_t low,
                                  std::int64_t high) const {
  if (value >= low && value <= high) return value;
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

void GmshNodes::add(GmshNumbers& in) {
  tags_.push_back(in.number("the number of a node", 1, std::numeric_limits<std::int64_t>::max()));
  lines_.push_back(in.line());
}

void GmshNodes::finish(MeshText const& text) {
  in_order_ = true;
  for (std::size_t i = 0; i < tags_.size(); ++i) in_order_ = in_order_ && tags_[i] == static_cast<std::int64_t>(i) + 1;
  if (in_order_) return;
  for (std::size_t i = 0; i < tags_.size(); ++i) sorted_.emplace_back(tags_[i], static_cast<int>(i));
  std::sort(sorted_.begin(), sorted_.end());
  auto const twice = std::adjacent_find(sorted_.begin(), sorted_.end(),
                                        [](auto const& a, auto const& b) { return a.first == b.first; });
  if (twice != sorted_.end()) {
    text.fail(lines_[static_cast<std::size_t>(std::next(twice)->second)],
              "node " + std::to_string(twice->first) + " twice", "a unique number per node");
  }
}

int GmshNodes::place(GmshNumbers& in) const {
  std::int64_t const tag = in.number("the number of a node", 1, std::numeric_limits<std::int64_t>::max());
  if (in_order_ && tag <= static_cast<std::int64_t>(tags_.size())) return static_cast<int>(tag - 1);
  auto const found = std::lower_bound(sorted_.begin(), sorted_.end(), std::pair{tag, 0});
  if (found == sorted_.end() || found->first != tag) {
    in.fail(std::to_string(tag), "the number of one of the " + std::to_string(tags_.size()) + " nodes");
  }
  return found->second;
}

}  // namespace karman::detail
