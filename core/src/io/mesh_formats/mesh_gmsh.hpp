// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The parts of Gmsh's format, versions 2.2 and 4.1.
#pragma once

#include "mesh_text.hpp"

#include <array>
#include <cstdint>
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
  std::int64_t checked(std::int64_t value, std::string_view expected, std::int64_t low, std::int64_t high) const;

  MeshText& text_;
  bool bytes_ = false, swapped_ = false;
};

/// Node numbers of a file, which may have gaps.
class GmshNodes {
 public:
  /// Reads the number of the next node.
  void add(GmshNumbers& in);
  /// Call after the last node.
  void finish(MeshText const& text);
  /// Reads a number and returns the place of the node, from 0.
  int place(GmshNumbers& in) const;

 private:
  std::vector<std::int64_t> tags_;
  std::vector<int> lines_;
  std::vector<std::pair<std::int64_t, int>> sorted_;
  bool in_order_ = false;
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
