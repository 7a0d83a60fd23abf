// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "io/expect_message.hpp"
#include "sample_mesh.hpp"
#include <karman/mesh/mesh_generators.hpp>
#include <karman/mesh/polygon_mesh.hpp>

#include <array>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace mesh_formats_test {

using namespace karman;
using namespace karman::test;

TEST(MeshFiles, AreByteForByteAsInTheFormats) {
  MeshData const mesh = sample_mesh();
  EXPECT_EQ(text_of(mesh, text_formats[0]), R"($MeshFormat
2.2 0 8
$EndMeshFormat
$PhysicalNames
5
1 1 "quay"
1 2 "open"
1 3 "beach"
2 1 "shallow"
2 2 "deep"
$EndPhysicalNames
$Nodes
5
1 0 0 0
2 1 0 0
3 1 1 0
4 0 1 0
5 0.3333333333333333 0.30000000000000004 0
$EndNodes
$Elements
8
1 1 2 1 1 1 2
2 1 2 2 2 2 3
3 1 2 3 3 3 4
4 1 2 3 3 4 1
5 2 2 1 1 1 2 5
6 2 2 2 2 2 3 5
7 2 2 2 2 3 4 5
8 2 2 1 1 4 1 5
$EndElements
)");
  EXPECT_EQ(text_of(mesh, text_formats[1]), R"($MeshFormat
4.1 0 8
$EndMeshFormat
$PhysicalNames
5
1 1 "quay"
1 2 "open"
1 3 "beach"
2 1 "shallow"
2 2 "deep"
$EndPhysicalNames
$Entities
0 3 2 0
1 0 0 0 1 0 0 1 1 0
2 1 0 0 1 1 0 1 2 0
3 0 0 0 1 1 0 1 3 0
1 0 0 0 1 1 0 1 1 0
2 0 0 0 1 1 0 1 2 0
$EndEntities
$Nodes
1 5 1 5
2 1 0 5
1
2
3
4
5
0 0 0
1 0 0
1 1 0
0 1 0
0.3333333333333333 0.30000000000000004 0
$EndNodes
$Elements
6 8 1 8
1 1 1 1
1 1 2
1 2 1 1
2 2 3
1 3 1 2
3 3 4
4 4 1
2 1 2 1
5 1 2 5
2 2 2 2
6 2 3 5
7 3 4 5
2 1 2 1
8 4 1 5
$EndElements
)");
  EXPECT_EQ(text_of(mesh, text_formats[2]), R"(MeshVersionFormatted 2
Dimension 2
Vertices
5
0 0 0
1 0 0
1 1 0
0 1 0
0.3333333333333333 0.30000000000000004 0
Edges
4
1 2 1
2 3 2
3 4 3
4 1 3
Triangles
4
1 2 5 1
2 3 5 2
3 4 5 2
4 1 5 1
End
)");
  EXPECT_EQ(text_of(mesh, text_formats[3]), R"(NDIME= 2
NELEM= 4
5 0 1 4 0
5 1 2 4 1
5 2 3 4 2
5 3 0 4 3
NPOIN= 5
0 0 0
1 0 1
1 1 2
0 1 3
0.3333333333333333 0.30000000000000004 4
NMARK= 3
MARKER_TAG= quay
MARKER_ELEMS= 1
3 0 1
MARKER_TAG= open
MARKER_ELEMS= 1
3 1 2
MARKER_TAG= beach
MARKER_ELEMS= 2
3 2 3
3 3 0
)");
}

TEST(MeshFiles, ComeBackBitForBit) {
  TemporaryFolder const folder;
  Polygon polygon;
  polygon.outer.add_arc({0, 0}, 3, 0, 6.283, 0.5, 1);
  polygon.holes.resize(1);
  polygon.holes[0].add_arc({0.3, 0}, 1, 0, 6.283, 0.3, 2);
  polygon.boundary_names = {{1, "rim"}, {2, "pile"}};
  for (MeshData const& mesh : {sample_mesh(), mesh_harbour({}), mesh_polygon(polygon, {.size = 0.3}),
                               mesh_rectangle({.low = {-1e-30, 3e7}, .high = {1, 3e7 + 1}, .size = 0.5})}) {
    for (TextFormat const& format : text_formats) {
      write_mesh(folder / format.name, mesh, {.format = format.format, .overwrite = Overwrite::yes});
      MeshData const read = read_mesh(folder / format.name);
      MeshData expected = kept_by(format.format, mesh);
      if (format.format == MeshFormat::su2) {  // by labels
        EXPECT_EQ(read.nodes, expected.nodes);
        EXPECT_EQ(read.triangles, expected.triangles);
        EXPECT_EQ(read.boundary_names, expected.boundary_names);
        EXPECT_EQ(read.edges.size(), expected.edges.size());
        write_mesh(folder / "again.su2", read, {.overwrite = Overwrite::yes});
        expect_same(read_mesh(folder / "again.su2"), read);
        EXPECT_EQ(content(folder / "again.su2"), content(folder / format.name));
      } else {
        expect_same(read, expected);
      }
    }
  }
  EXPECT_THROW(write_mesh(folder / "a.msh", sample_mesh()), FileError) << "it exists";
}

TEST(Medit, ReadsWhatOthersWrite) {
  MeshData const mesh = read_text("a.mesh", R"(
MeshVersionFormatted 1
# made by hand

Dimension
3
Vertices 4  # four of them
0 0 1 0   1 0 1 0
1 1 1 3
0 1 1 3
Corners 2 1 2
RequiredEdges
1
1
Normals 1 0 0 1.
NormalAtVertices 1 1 1
Quadrilaterals 0
Triangles
2
1 2 3 -4
1 3 4 0
Edges 1 2 1 8 End)");
  EXPECT_EQ(mesh.nodes[3], (std::array<double, 2>{0, 1}));
  EXPECT_EQ(mesh.regions, (std::vector<int>{-4, 0}));
  EXPECT_EQ(mesh.edges, (std::vector<std::array<int, 2>>{{0, 1}}));
  EXPECT_EQ(mesh.edge_labels, (std::vector<int>{8}));
}

TEST(Su2, ReadsWhatOthersWrite) {
  MeshData const mesh = read_text("a.su2", R"(% a square
NZONE=1
NDIME=2 % the plane
NMARK= 3
MARKER_TAG= lower
MARKER_ELEMS= 1
3 1 0 7
MARKER_TAG= 1
MARKER_ELEMS= 1
3 1 2
MARKER_TAG=upper
MARKER_ELEMS=1
3 2 3
NPOIN= 4
0 0 0
1 0
%
1 1
0 1 3
NELEM = 2
5 0 1 2
5 0 2 3 1
)");
  EXPECT_EQ(mesh.triangles.size(), 2u);
  EXPECT_EQ(mesh.edges, (std::vector<std::array<int, 2>>{{0, 1}, {1, 2}, {2, 3}}));
  EXPECT_EQ(mesh.edge_labels, (std::vector<int>{2, 1, 3})) << "1 is a number of its own, the others are named";
  EXPECT_EQ(mesh.boundary_names, (std::map<int, std::string>{{2, "lower"}, {3, "upper"}}));
}

TEST(MeshFiles, TurnTrianglesAndDropNodesOnlyIfAsked) {
  std::string const text =
      "MeshVersionFormatted 2\nDimension 2\nVertices\n4\n0 0 0\n9 9 0\n1 0 0\n0 1 0\n"
      "Edges\n1\n3 1 5\nTriangles\n1\n1 4 3 1\nEnd\n";
  auto const message = message_of<CaseError>([&] { read_text("a.mesh", text); });
  EXPECT_TRUE(contains(message, "a.mesh:14: triangle 1 with nodes 1 4 3 (counted from 1) runs clockwise")) << message;
  MeshData const turned = read_text("a.mesh", text, {.orient = true});
  EXPECT_EQ(turned.triangles, (std::vector<std::array<int, 3>>{{0, 2, 3}}));
  EXPECT_EQ(turned.edges, (std::vector<std::array<int, 2>>{{0, 2}}));
  EXPECT_EQ(turned.nodes.size(), 4u);
  MeshData const small = read_text("a.mesh", text, {.orient = true, .drop_unused = true});
  EXPECT_EQ(small.nodes, (std::vector<std::array<double, 2>>{{0, 0}, {1, 0}, {0, 1}}));
  EXPECT_EQ(small.triangles, (std::vector<std::array<int, 3>>{{0, 1, 2}}));
  EXPECT_EQ(small.edges, (std::vector<std::array<int, 2>>{{0, 1}}));
}

TEST(MeshFiles, AskForAPlane) {
  std::string const text =
      "MeshVersionFormatted 2\nDimension 3\nVertices\n3\n0 0 1 0\n1000 0 1 0\n0 1000 1 0\n"
      "Triangles\n1\n1 2 3 1\nEnd\n";
  EXPECT_EQ(read_text("a.mesh", text).nodes.size(), 3u);
  // Rounding errors of a billionth of the mesh count as plane, larger heights do not.
  EXPECT_EQ(read_text("a.mesh", replaced(text, "0 1000 1 0", "0 1000 1.0000009 0")).nodes.size(), 3u);
  std::string const high = replaced(text, "0 1000 1 0", "0 1000 1.0000011 0");
  auto const message = message_of<CaseError>([&] { read_text("a.mesh", high); });
  EXPECT_TRUE(contains(message,
                       "a.mesh:7: z = 1.0000011 of node 3: expected the same z for all nodes of a plane mesh, 1"
                       " as for node 1"))
      << message;
  EXPECT_EQ(read_text("a.mesh", high, {.ignore_z = true}).nodes[2], (std::array<double, 2>{0, 1000}));
}

TEST(Sol, KeepsFieldsBitForBit) {
  TemporaryFolder const folder;
  std::vector<NodalField> const fields{
      {"1", 1, {0.1, -1e-300, 3}}, {"2", 2, {1, 2, 3, 4, 5, 6.5}}, {"3", 3, std::vector<double>(9, 1e300)}};
  write_sol(folder / "a.sol", fields);
  EXPECT_EQ(content(folder / "a.sol"), R"(MeshVersionFormatted 2
Dimension 2
SolAtVertices
3
3 1 2 3
0.1 1 2 1e+300 1e+300 1e+300
-1e-300 3 4 1e+300 1e+300 1e+300
3 5 6.5 1e+300 1e+300 1e+300
End
)");
  auto const read = read_fields(folder / "a.sol", 3);
  ASSERT_EQ(read.size(), 3u);
  for (std::size_t f = 0; f < 3; ++f) {
    EXPECT_EQ(read[f].name, fields[f].name);
    EXPECT_EQ(read[f].components, fields[f].components);
    EXPECT_EQ(read[f].values, fields[f].values);
  }
  auto const message = message_of<CaseError>([&] { read_fields(folder / "a.sol", 4); });
  EXPECT_TRUE(contains(message, "a.sol:4: 3 values: expected one for each of the 4 vertices of the mesh")) << message;
  double const nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW(write_sol(folder / "b.sol", {}), std::invalid_argument);
  EXPECT_THROW(write_sol(folder / "b.sol", {{"a", 4, {1, 2, 3, 4}}}), std::invalid_argument);
  EXPECT_THROW(write_sol(folder / "b.sol", {{"a", 0, {}}}), std::invalid_argument);
  EXPECT_THROW(write_sol(folder / "b.sol", {{"a", 1, {1, nan}}}), std::invalid_argument);
  EXPECT_THROW(write_sol(folder / "b.sol", {{"a", 1, {1, 2}}, {"b", 1, {1}}}), std::invalid_argument);
  put(folder / "c.sol", "MeshVersionFormatted 2\nDimension 2\nSolAtVertices\n1\n1 1\nnan\nEnd\n");
  EXPECT_THROW(read_fields(folder / "c.sol", 1), CaseError);
}

TEST(MeshFiles, WorkAsDocumented) {
  TemporaryFolder const folder;
  // [harbour mesh]
  karman::Polygon basin;
  basin.outer.add_arc({0, 0}, 1000, -1.5707963, 1.5707963, 40, 1);  // half a circle of open sea
  basin.outer.add(0, 1000, 2);
  basin.outer.add(0, 300, 3);
  basin.outer.add(-400, 300, 3);
  basin.outer.add(-400, -300, 3);
  basin.outer.add(0, -300, 2);
  karman::PolygonRing breakwater;
  for (auto const& p : {std::array{60.0, -260.0}, {180.0, -200.0}, {220.0, 120.0}, {210.0, 121.0}, {170.0, -190.0}}) {
    breakwater.add(p[0], p[1], 4);
  }
  basin.holes = {breakwater};
  basin.boundary_names = {{1, "open"}, {2, "coast"}, {3, "quay"}, {4, "breakwater"}};
  auto const size = [](double x, double y) { return 15 + 0.03 * std::hypot(x, y); };
  karman::MeshData const mesh = karman::mesh_polygon(basin, {.size_at = size});
  karman::write_mesh(folder / "harbour.msh", mesh);
  karman::MeshData const again = karman::read_mesh(folder / "harbour.msh");
  // [harbour mesh]
  expect_same(mesh, again);
  EXPECT_GT(mesh.nodes.size(), 1000u);
}

TEST(MeshFiles, RefuseToWriteWhatAFormatCannotHold) {
  TemporaryFolder const folder;
  auto const refuse = [&](MeshData const& mesh, char const* name) {
    EXPECT_THROW(write_mesh(folder / name, mesh), std::invalid_argument) << name;
    EXPECT_TRUE(folder.names().empty()) << "nothing is left behind";
  };
  for (char const* name : {"a.msh", "a.mesh", "a.su2", "a.xdmf"}) {
    MeshData mesh = sample_mesh();
    mesh.triangles[2][1] = 5;
    refuse(mesh, name);
    mesh = sample_mesh();
    mesh.edges[0][0] = -1;
    refuse(mesh, name);
    mesh = sample_mesh();
    mesh.regions.pop_back();
    refuse(mesh, name);
    mesh = sample_mesh();
    mesh.nodes[0][1] = std::numeric_limits<double>::infinity();
    refuse(mesh, name);
  }
  MeshData mesh = sample_mesh();
  mesh.edge_labels[0] = 0;
  refuse(mesh, "a.msh");
  mesh = sample_mesh();
  mesh.boundary_names[1] = "a \"quay\"";
  refuse(mesh, "a.msh");
  mesh = sample_mesh();
  mesh.boundary_names[1] = "the quay";
  refuse(mesh, "a.su2");
  mesh.boundary_names[1] = "open";
  refuse(mesh, "a.su2");
  mesh.boundary_names[1] = "two\nlines";
  refuse(mesh, "a.xdmf");
  EXPECT_THROW(write_mesh(folder / "a.txt", sample_mesh()), CaseError);
  EXPECT_THROW(read_mesh(folder / "a"), CaseError);
  EXPECT_THROW(read_mesh(folder / "missing.msh"), FileError);
}

}  // namespace mesh_formats_test
