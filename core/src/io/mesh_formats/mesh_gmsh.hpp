// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The parts of Gmsh's format, versions 2.2 and 4.1.
#pragma once

#include "mesh_text.hpp"

#include <array>
#include <cstdint>
#include <limits>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace karman::detail {

/// The numbers of a section: words of its lines, or the bytes after its first line.
class GmshNumbers {
 public:
  explicit GmshNumbers(MeshText& text) : text_(text) {}
  /// Reads the mark of the byte order. From here on sections hold bytes.
  void begin_bytes();
  bool are_bytes() const { return bytes_; }
  /// The next `count` bytes, where the file has so many in the order of this machine; else empty, and nothing is read.
  std::string_view plain_bytes(std::size_t count) {
    if (!bytes_ || swapped_ || count > text_.bytes_left()) return {};
    return text_.bytes(count, "numbers");
  }
  /// The value if it is within the limits; else throws.
  std::int64_t checked(std::int64_t value, std::string_view expected, std::int64_t low, std::int64_t high) const {
    if (value >= low && value <= high) return value;
    fail_range(value, expected, low, high);
  }
  /// 0 in a binary file.
  int line() const { return text_.line(); }

  void open_line(std::string_view expected) {
    if (!bytes_) text_.open_line(expected);
  }
  void open_line(std::string_view what, std::size_t number, std::string_view of) {
    if (!bytes_) text_.open_line(what, number, of);
  }
  void close_line(std::string_view expected) {
    if (!bytes_) text_.close_line(expected);
  }
  /// Integers of 4 and of 8 bytes.
  std::int64_t tag(std::string_view expected, std::int64_t low, std::int64_t high) {
    return bytes_ ? tag_of_bytes(expected, low, high) : text_.integer(expected, low, high);
  }
  std::int64_t number(std::string_view expected, std::int64_t low, std::int64_t high) {
    return bytes_ ? number_of_bytes(expected, low, high) : text_.integer(expected, low, high);
  }
  double real(std::string_view expected, double bound = 1e100) {
    return bytes_ ? real_of_bytes(expected, bound) : text_.real(expected, bound);
  }
  /// As MeshText::count().
  std::size_t count(std::string_view what, std::size_t least_bytes);
  [[noreturn]] void fail(std::string_view found, std::string_view expected) const { text_.fail(found, expected); }

 private:
  std::int64_t tag_of_bytes(std::string_view expected, std::int64_t low, std::int64_t high);
  std::int64_t number_of_bytes(std::string_view expected, std::int64_t low, std::int64_t high);
  double real_of_bytes(std::string_view expected, double bound);
  template <class T>
  T taken(std::string_view expected);
  [[noreturn]] void fail_range(std::int64_t value, std::string_view expected, std::int64_t low,
                               std::int64_t high) const;

  MeshText& text_;
  bool bytes_ = false, swapped_ = false;
};

/// Node numbers of a file, which may have gaps.
class GmshNodes {
 public:
  /// Reads the number of the next node.
  void add(GmshNumbers& in) {
    add(in.number("the number of a node", 1, std::numeric_limits<std::int64_t>::max()), in.line());
  }
  /// The next node has this number.
  void add(std::int64_t tag, int line) {
    if (in_order_ && tag == count_ + 1) ++count_;
    else add_out_of_order(tag);
    if (line > 0) lines_.push_back(line);
  }
  /// Call after the last node.
  void finish(MeshText const& text);
  /// Reads a number and returns the place of the node, from 0.
  int place(GmshNumbers& in) const {
    return place(in, in.number("the number of a node", 1, std::numeric_limits<std::int64_t>::max()));
  }
  /// Place of the node with this number.
  int place(GmshNumbers const& in, std::int64_t tag) const {
    if (in_order_ && tag >= 1 && tag <= count_) return static_cast<int>(tag - 1);
    return place_among(in, tag);
  }

 private:
  void add_out_of_order(std::int64_t tag);
  int place_among(GmshNumbers const& in, std::int64_t tag) const;

  std::int64_t count_ = 0;
  bool in_order_ = true;            ///< the numbers are 1, 2, ..., and tags_ is empty
  std::vector<std::int64_t> tags_;  ///< of all nodes
  std::vector<int> lines_;          ///< in a text
  std::vector<std::pair<std::int64_t, int>> sorted_;
};

/// A type of elements (points, lines, triangles, quadrangles) with `nodes` nodes, of which the first `corners` are the
/// corners.
struct GmshElement {
  int dimension = 0;
  int corners = 1;
  int nodes = 1;
};

/// State of reading one file.
struct GmshReading {
  explicit GmshReading(MeshText& text_, FoundMesh& found_) : text(text_), in(text_), found(found_) {}

  MeshText& text;
  GmshNumbers in;
  FoundMesh& found;
  GmshNodes nodes;
  /// Physical groups of curves and surfaces by their tags.
  std::array<std::map<std::int64_t, int>, 2> groups;
  std::size_t in_several_groups = 0;  ///< curves and surfaces in more than one, of which the first is kept

  void nodes_2_2();
  void elements_2_2();
  void entities_4_1();
  void nodes_4_1();
  void elements_4_1();
  /// Numbers and coordinates of nodes, or triangles, in bytes of the order of this machine. False: nothing was read.
  bool plain_nodes(std::size_t count);
  bool plain_triangles(std::size_t count, int group, int entity);
  /// Reads the coordinates of a node.
  void point();
  /// Reads the nodes of an element to the end of the line.
  void element(GmshElement const& type, int group, int entity);
  /// Reads the nodes between the corners of an element.
  void middle_nodes(GmshElement const& type);
};

/// Version 2.2 lists an element once for each of its physical groups. As in version 4.1, it belongs to the first.
void drop_repeated_triangles(FoundMesh& found, MeshReadOptions const& options);
void expect_line(MeshText& text, std::string_view wanted);
GmshElement read_gmsh_type(GmshNumbers& in);
void write_gmsh_head(AtomicFile& file, MeshData const& mesh, char const* version);

}  // namespace karman::detail
