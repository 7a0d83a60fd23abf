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

/// The numbers that a file gives its nodes; they need not follow each other.
class GmshNodes {
 public:
  /// Reads the number of the next node.
  void add(MeshText& text);
  /// After the last.
  void finish(MeshText const& text);
  /// Reads a number and gives the place of the node, from 0.
  int place(MeshText& text) const;

 private:
  std::vector<std::int64_t> tags_;
  std::vector<int> lines_;
  std::vector<std::pair<std::int64_t, int>> sorted_;
  bool in_order_ = false;
};

enum class GmshElement { point, line, triangle };

/// One file that is being read.
struct GmshReading {
  MeshText& text;
  FoundMesh& found;
  GmshNodes nodes;
  /// Physical groups of curves and surfaces by their tags.
  std::array<std::map<std::int64_t, int>, 2> groups;

  void nodes_2_2();
  void elements_2_2();
  void entities_4_1();
  void nodes_4_1();
  void elements_4_1();
  /// Reads the coordinates of a node.
  void point();
  /// Reads the nodes of an element to the end of the line.
  void element(GmshElement type, int group, int entity);
};

void expect_line(MeshText& text, std::string_view wanted);
GmshElement read_gmsh_type(MeshText& text);
void write_gmsh_head(AtomicFile& file, MeshData const& mesh, char const* version);

}  // namespace karman::detail
