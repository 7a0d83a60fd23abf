// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "io/temporary_folder.hpp"
#include <karman/io/error.hpp>
#include <karman/io/mesh_files.hpp>

#include <gtest/gtest.h>

#include <filesystem>
#include <string>

namespace karman::test {

/// A square with a node near its middle, in two regions, with coordinates that need all digits.
inline MeshData sample_mesh() {
  MeshData mesh;
  mesh.nodes = {{0, 0}, {1, 0}, {1, 1}, {0, 1}, {1.0 / 3, 0.1 + 0.2}};
  mesh.triangles = {{0, 1, 4}, {1, 2, 4}, {2, 3, 4}, {3, 0, 4}};
  mesh.regions = {1, 2, 2, 1};
  mesh.edges = {{0, 1}, {1, 2}, {2, 3}, {3, 0}};
  mesh.edge_labels = {1, 2, 3, 3};
  mesh.region_names = {{1, "shallow"}, {2, "deep"}};
  mesh.boundary_names = {{1, "quay"}, {2, "open"}, {3, "beach"}};
  return mesh;
}

inline void expect_same(MeshData const& a, MeshData const& b) {
  EXPECT_EQ(a.nodes, b.nodes);
  EXPECT_EQ(a.triangles, b.triangles);
  EXPECT_EQ(a.regions, b.regions);
  EXPECT_EQ(a.edges, b.edges);
  EXPECT_EQ(a.edge_labels, b.edge_labels);
  EXPECT_EQ(a.region_names, b.region_names);
  EXPECT_EQ(a.boundary_names, b.boundary_names);
}

inline bool same(MeshData const& a, MeshData const& b) {
  return a.nodes == b.nodes && a.triangles == b.triangles && a.regions == b.regions && a.edges == b.edges &&
         a.edge_labels == b.edge_labels && a.region_names == b.region_names && a.boundary_names == b.boundary_names;
}

/// The text formats by their extensions.
struct TextFormat {
  char const* name;
  MeshFormat format;
};
inline constexpr TextFormat text_formats[] = {{"a.msh", MeshFormat::gmsh_2_2},
                                              {"b.msh", MeshFormat::gmsh_4_1},
                                              {"c.mesh", MeshFormat::medit},
                                              {"d.su2", MeshFormat::su2}};

/// The part of a mesh that a format keeps, for boundary labels that count from 1.
inline MeshData kept_by(MeshFormat format, MeshData mesh) {
  if (format == MeshFormat::medit || format == MeshFormat::su2) mesh.region_names.clear();
  if (format == MeshFormat::medit) mesh.boundary_names.clear();
  if (format == MeshFormat::su2) mesh.regions.assign(mesh.triangles.size(), 1);
  return mesh;
}

/// The mesh in a file of that name and content.
inline MeshData read_text(std::string const& name, std::string const& text, MeshReadOptions const& options = {}) {
  TemporaryFolder const folder;
  put(folder / name, text);
  return read_mesh(folder / name, options);
}

/// A text with `to` in place of `from`.
inline std::string replaced(std::string text, std::string const& from, std::string const& to) {
  std::size_t const at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return at == std::string::npos ? text : text.replace(at, from.size(), to);
}

/// The text of a mesh in a format.
inline std::string text_of(MeshData const& mesh, TextFormat const& format) {
  TemporaryFolder const folder;
  write_mesh(folder / format.name, mesh, {.format = format.format});
  return content(folder / format.name);
}

}  // namespace karman::test
