// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Files of other programs: sections without meaning for a plane mesh, binary files, elements of second order.
#include "io/expect_message.hpp"
#include "sample_mesh.hpp"
#include <karman/mesh/mesh_checks.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace mesh_foreign_test {

using namespace karman;
using namespace karman::test;

/// As bamg and mmg2d write, with every section that libMeshb lists for plane meshes.
std::string const medit_sections = R"(MeshVersionFormatted 0

Dimension
2

Identifier
"Thu Jan  1 00:00:00 2026, by a mesher"

Geometry "a file #1.mesh"

AngleOfCornerBound 10
BoundingBox 0 0 1 1
Vertices
4
0 0 1
1 0 1
1 1 1
0 1 1
Edges
4
1 2 1
2 3 2
3 4 3
4 1 4
CrackedEdges 0
Triangles
2
1 2 3 7
1 3 4 7
Corners
2
1 3
Ridges 1
2
RequiredVertices 2
1 2
RequiredEdges 1
1
RequiredTriangles 1
2
Normals 2
0 1
1 0
NormalAtVertices 1
1 1
Tangents 1
0.5 1e-3
TangentAtVertices 1
1 1
TangentAtEdges 1
1 1 1
SubDomainFromMesh 1
3 1 1 7
SubDomainFromGeom 1
2 1 1 7
VertexOnGeometricVertex 2
1 1
2 2
VertexOnGeometricEdge 2
3 1 0.5
4 1 0.75
EdgeOnGeometricEdge 1
1 1
Quadrilaterals 0
End
)";

TEST(ForeignMedit, SectionsThatAddNothingArePassedOver) {
  MeshData const mesh = read_text("a.mesh", medit_sections);
  EXPECT_EQ(mesh.nodes.size(), 4u);
  EXPECT_EQ(mesh.triangles, (std::vector<std::array<int, 3>>{{0, 1, 2}, {0, 2, 3}}));
  EXPECT_EQ(mesh.regions, (std::vector<int>{7, 7}));
  EXPECT_EQ(mesh.edge_labels, (std::vector<int>{1, 2, 3, 4}));
  EXPECT_TRUE(check_mesh(mesh).good());
}

TEST(ForeignMedit, AWrongSectionIsNamed) {
  auto const refusal = [](std::string const& from, std::string const& to) {
    return message_of<CaseError>([&] { read_text("a.mesh", replaced(medit_sections, from, to)); });
  };
  EXPECT_TRUE(contains(refusal("Edges\n4", "Egdes\n4"),
                       "\"Egdes\": expected Vertices, Edges, Triangles, Quadrilaterals or End"));
  EXPECT_TRUE(contains(refusal("SubDomainFromMesh 1", "SubDomainFromMesh 2"),
                       "\"SubDomainFromGeom\": expected a number of SubDomainFromMesh"));
  EXPECT_TRUE(
      contains(refusal("Corners\n2", "Corners\n99999"), "99999: expected the number of entries of Corners, at most"));
  EXPECT_TRUE(contains(refusal("Quadrilaterals 0", "Hexahedra 1\n1 2 3 4 1 2 3 4 1"), "expected a mesh of triangles"));
}

/// A square, a slender parallelogram beside it, and a concave quadrilateral above the square. Each has one diagonal
/// that is better than the other: any, from 1 to 5, through the inner corner 6.
struct QuadrilateralFile {
  char const* name;
  std::string text;
};

std::vector<QuadrilateralFile> quadrilateral_files() {
  std::string const points = "0 0\n1 0\n1 1\n0 1\n3 1\n4 2\n0.5 1.2\n0.5 3\n";
  auto const lines = [&](std::string const& before, std::string const& after) {
    std::string text;
    std::size_t number = 1;
    for (std::size_t at = 0; at < points.size(); ++number) {
      std::size_t const end = points.find('\n', at);
      text += (before == "#" ? std::to_string(number) + ' ' : "") + points.substr(at, end - at) + after + '\n';
      at = end + 1;
    }
    return text;
  };
  return {{"a.su2", "NDIME= 2\nNELEM= 3\n9 0 1 2 3 0\n9 1 4 5 2 1\n9 3 6 2 7 2\nNPOIN= 8\n" + points + "NMARK= 0\n"},
          {"a.mesh", "MeshVersionFormatted 2\nDimension 2\nVertices 8\n" + lines("", " 0") +
                         "Quadrilaterals 3\n1 2 3 4 1\n2 5 6 3 1\n4 7 3 8 1\nEnd\n"},
          {"a.msh", "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n8\n" + lines("#", " 0") +
                        "$EndNodes\n$Elements\n4\n1 3 2 1 1 1 2 3 4\n2 3 2 1 1 2 5 6 3\n3 3 2 1 1 4 7 3 8\n"
                        "4 3 2 2 1 4 7 3 8\n$EndElements\n"}};
}

TEST(Quadrilaterals, BecomeTwoTrianglesByTheBetterDiagonal) {
  for (auto const& [name, text] : quadrilateral_files()) {
    std::vector<std::string> remarks;
    MeshReadOptions options;
    options.remarks = &remarks;
    MeshData const mesh = read_text(name, text, options);
    EXPECT_EQ(mesh.triangles,
              (std::vector<std::array<int, 3>>{{0, 1, 2}, {0, 2, 3}, {1, 4, 2}, {4, 5, 2}, {3, 6, 7}, {6, 2, 7}}))
        << name;
    EXPECT_EQ(mesh.regions, std::vector<int>(6, 1)) << name;
    ASSERT_FALSE(remarks.empty()) << name;
    EXPECT_EQ(remarks.back(), "3 quadrilaterals became two triangles each") << name;
    remarks.pop_back();
    EXPECT_EQ(remarks,
              name == std::string("a.msh")
                  ? std::vector<std::string>{"elements listed again for another group: 1; the first group is kept"}
                  : std::vector<std::string>())
        << name;
    EXPECT_TRUE(check_mesh(mesh).good()) << name;
  }
}

TEST(Quadrilaterals, NodesThatThereAreNotAreNamed) {
  for (auto const& [name, text] : quadrilateral_files()) {
    std::string const wrong = replaced(text, name == std::string("a.su2") ? "9 1 4 5 2" : "2 5 6 3",
                                       name == std::string("a.su2") ? "9 1 4 9 2" : "2 5 99 3");
    EXPECT_NE(message_of<CaseError>([&] { read_text(name, wrong); }), "") << name;
  }
}

/// Bytes of a file in the order of this machine, or in the other.
class Bytes {
 public:
  explicit Bytes(bool swapped) : swapped_(swapped) {}

  Bytes& text(std::string const& words) { return text_ += words, *this; }
  Bytes& tags(std::vector<std::int32_t> const& values) { return append(values); }
  Bytes& sizes(std::vector<std::uint64_t> const& values) { return append(values); }
  Bytes& reals(std::vector<double> const& values) { return append(values); }
  std::string const& str() const { return text_; }

 private:
  template <class T>
  Bytes& append(std::vector<T> const& values) {
    for (T const& value : values) {
      std::string bytes(reinterpret_cast<char const*>(&value), sizeof value);
      if (swapped_) std::reverse(bytes.begin(), bytes.end());
      text_ += bytes;
    }
    return *this;
  }

  bool swapped_;
  std::string text_;
};

/// The unit square after the Gmsh reference manual, as meshio writes it: two triangles, four lines, data at the nodes.
std::string binary_square(bool swapped, std::string const& name = "quay", std::uint64_t last_node = 4) {
  Bytes file(swapped);
  file.text("$MeshFormat\n4.1 1 8\n").tags({1}).text("\n$EndMeshFormat\n");
  file.text("$PhysicalNames\n2\n1 3 \"" + name + "\"\n2 7 \"water\"\n$EndPhysicalNames\n");
  file.text("$Entities\n").sizes({0, 1, 1, 0});
  file.tags({1}).reals({0, 0, 0, 1, 1, 0}).sizes({1}).tags({-3}).sizes({2}).tags({1, -2});
  file.tags({1}).reals({0, 0, 0, 1, 1, 0}).sizes({1}).tags({7}).sizes({0}).text("\n$EndEntities\n");
  file.text("$Nodes\n").sizes({2, 4, 1, 4});
  file.tags({1, 1, 1}).sizes({1, 1}).reals({0, 0, 0, 0.5});  // with the place along the curve
  file.tags({2, 1, 0}).sizes({3, 2, 3, last_node}).reals({1, 0, 0, 1, 1, 0, 0, 1, 0}).text("\n$EndNodes\n");
  file.text("$Elements\n").sizes({3, 7, 1, 7});
  file.tags({0, 1, 15}).sizes({1, 1, 1});
  file.tags({2, 1, 2}).sizes({2, 2, 1, 2, 3, 3, 1, 3, 4});
  file.tags({1, 1, 1}).sizes({4, 4, 1, 2, 5, 2, 3, 6, 3, 4, 7, 4, 1}).text("\n$EndElements\n");
  file.text("$NodeData\n1\n\"h\"\n1\n0.0\n3\n0\n1\n1\n").tags({1}).reals({0.25}).text("\n$EndNodeData\n");
  return file.str();
}

TEST(BinaryGmsh, IsReadInEitherByteOrder) {
  for (bool const swapped : {false, true}) {
    MeshData const mesh = read_text("a.msh", binary_square(swapped));
    EXPECT_EQ(mesh.nodes, (std::vector<std::array<double, 2>>{{0, 0}, {1, 0}, {1, 1}, {0, 1}}));
    EXPECT_EQ(mesh.triangles, (std::vector<std::array<int, 3>>{{0, 1, 2}, {0, 2, 3}}));
    EXPECT_EQ(mesh.regions, (std::vector<int>{7, 7}));
    EXPECT_EQ(mesh.edges, (std::vector<std::array<int, 2>>{{0, 1}, {1, 2}, {2, 3}, {3, 0}}));
    EXPECT_EQ(mesh.edge_labels, (std::vector<int>{3, 3, 3, 3}));
    EXPECT_EQ(mesh.boundary_names, (std::map<int, std::string>{{3, "quay"}}));
    EXPECT_EQ(mesh.region_names, (std::map<int, std::string>{{7, "water"}}));
  }
}

TEST(BinaryGmsh, IsRefusedWhereverItIsCut) {
  std::string const whole = binary_square(false);
  std::size_t const needed = whole.find("\n$NodeData") + 1;
  for (std::size_t at = 0; at + 1 < needed; ++at) {
    std::string const message = message_of<CaseError>([&] { read_text("a.msh", whole.substr(0, at)); });
    ASSERT_TRUE(is_one_line(message)) << at << ": " << message;
  }
  EXPECT_EQ(read_text("a.msh", whole.substr(0, needed)).nodes.size(), 4u);
}

TEST(BinaryGmsh, SaysWhatIsWrong) {
  auto const refusal = [](std::string const& text) { return message_of<CaseError>([&] { read_text("a.msh", text); }); };
  EXPECT_TRUE(contains(refusal(binary_square(false, "quay", 9)), "9: expected the number of one of the 4 nodes") ||
              contains(refusal(binary_square(false, "quay", 9)), "4: expected the number of one of the 4 nodes"));
  EXPECT_TRUE(contains(refusal(binary_square(false, "quay", std::uint64_t{1} << 63)), "expected the number of a node"));
  std::string odd = binary_square(false);
  odd[odd.find("4.1 1 8\n") + 9] = 5;
  EXPECT_TRUE(contains(refusal(odd), "expected the number 1 in 4 bytes (byte order)"));
  EXPECT_TRUE(contains(refusal("$MeshFormat\n2.2 1 8\n"), ":2: 1, a binary file: expected 0 for a file of text"));
}

/// The square in triangles and lines of second order, as text of version 2.2.
std::string const second_order_2_2 = R"($MeshFormat
2.2 0 8
$EndMeshFormat
$Nodes
9
1 0 0 0
2 1 0 0
3 1 1 0
4 0 1 0
5 0.5 0 0
6 1 0.5 0
7 0.5 1 0
8 0 0.5 0
9 0.5 0.5 0
$EndNodes
$Elements
6
1 8 2 1 1 1 2 5
2 8 2 1 2 2 3 6
3 8 2 2 3 3 4 7
4 8 2 2 4 4 1 8
5 9 2 7 1 1 2 3 5 6 9
6 9 2 7 1 1 3 4 9 7 8
$EndElements
)";

std::string const second_order_medit = R"(MeshVersionFormatted 2
Dimension 2
Vertices
9
0 0 0
1 0 0
1 1 0
0 1 0
0.5 0 0
1 0.5 0
0.5 1 0
0 0.5 0
0.5 0.5 0
EdgesP2
4
1 2 5 1
2 3 6 1
3 4 7 2
4 1 8 2
TrianglesP2
2
1 2 3 5 6 9 7
1 3 4 9 7 8 7
End
)";

std::string const second_order_xdmf = R"(<Xdmf Version="3.0"><Domain><Grid Name="g">
<Geometry GeometryType="XY"><DataItem Dimensions="9 2" Format="XML">
0 0 1 0 1 1 0 1 0.5 0 1 0.5 0.5 1 0 0.5 0.5 0.5</DataItem></Geometry>
<Topology TopologyType="Triangle_6" NumberOfElements="2"><DataItem Dimensions="2 6" Format="XML">
0 1 2 4 5 8 0 2 3 8 6 7</DataItem></Topology></Grid></Domain></Xdmf>
)";

TEST(SecondOrder, GivesItsLinearPartWithOneRemark) {
  struct File {
    char const* name;
    std::string const& text;
  };
  for (File const& file :
       {File{"a.msh", second_order_2_2}, {"a.mesh", second_order_medit}, {"a.xdmf", second_order_xdmf}}) {
    std::vector<std::string> remarks;
    MeshReadOptions options;
    options.remarks = &remarks;
    MeshData const mesh = read_text(file.name, file.text, options);
    EXPECT_EQ(mesh.nodes, (std::vector<std::array<double, 2>>{{0, 0}, {1, 0}, {1, 1}, {0, 1}})) << file.name;
    EXPECT_EQ(mesh.triangles, (std::vector<std::array<int, 3>>{{0, 1, 2}, {0, 2, 3}})) << file.name;
    EXPECT_TRUE(check_mesh(mesh).good()) << file.name << check_mesh(mesh).text();
    ASSERT_EQ(remarks.size(), 1u) << file.name;
    EXPECT_EQ(remarks[0], "higher-order elements reduced to linear ones: dropped 5 nodes between corners");
    EXPECT_EQ(read_text(file.name, file.text).nodes, mesh.nodes) << "nobody need listen";
  }
  MeshData const mesh = read_text("a.msh", second_order_2_2);
  EXPECT_EQ(mesh.edges, (std::vector<std::array<int, 2>>{{0, 1}, {1, 2}, {2, 3}, {3, 0}}));
  EXPECT_EQ(mesh.edge_labels, (std::vector<int>{1, 1, 2, 2}));
  std::vector<std::string> remarks;
  MeshReadOptions options;
  options.remarks = &remarks;
  read_text("a.mesh", medit_sections, options);
  EXPECT_TRUE(remarks.empty()) << "linear meshes need no remark";
}

TEST(SecondOrder, NodesThatThereAreNotAreNamed) {
  std::string const wrong = replaced(second_order_medit, "1 3 4 9 7 8 7", "1 3 4 9 7 10 7");
  EXPECT_TRUE(contains(message_of<CaseError>([&] { read_text("a.mesh", wrong); }),
                       "node 10 of an element of higher order: expected one of the 9 nodes"));
}

TEST(MeshNames, AreTrimmedOrRefusedWhenTheyAreRead) {
  auto const with_name = [](std::string const& name) {
    return replaced(second_order_2_2, "$Nodes", "$PhysicalNames\n1\n1 1 \"" + name + "\"\n$EndPhysicalNames\n$Nodes");
  };
  MeshData const mesh = read_text("a.msh", with_name(" sea wall  "));
  EXPECT_EQ(mesh.boundary_names, (std::map<int, std::string>{{1, "sea wall"}}));
  for (char const bad : {'\t', '\x01', '\0'}) {
    std::string const name = std::string("sea") + bad + "wall";
    std::string const message = message_of<CaseError>([&] { read_text("a.msh", with_name(name)); });
    EXPECT_TRUE(is_one_line(message) && contains(message, "expected a name without control characters")) << message;
  }
  std::string const latin = message_of<CaseError>([&] { read_text("a.msh", with_name("h\xe4ngend")); });
  EXPECT_TRUE(is_one_line(latin) && contains(latin, "h\\xe4ngend")) << latin;
  EXPECT_TRUE(contains(latin, "expected a name in UTF-8; convert the file")) << latin;
  EXPECT_EQ(read_text("a.msh", with_name("h\xc3\xa4ngend")).boundary_names.at(1), "h\xc3\xa4ngend");
}

/// A triangle with corners at 0, 1.5 and 1e-3, in the text formats.
TEST(MeshNumbers, OfFortranAreRead) {
  struct File {
    char const* name;
    char const* text;
  };
  File const files[] = {
      {"a.msh",
       "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n3\n1 0.0D+00 0 0\n2 1.5d0 0 0\n3 0 1.0D-03 0\n$EndNodes\n"
       "$Elements\n1\n1 2 2 1 1 1 2 3\n$EndElements\n"},
      {"a.mesh",
       "MeshVersionFormatted 2\nDimension 2\nVertices\n3\n0.D0 0 0\n+1.5D+0 -0.0D+00 0\n0 0.01D-1 0\nTriangles\n1\n1 2 "
       "3 1\nEnd\n"},
      {"a.su2", "NDIME= 2\nNELEM= 1\n5 0 1 2\nNPOIN= 3\n0.D0 0\n1.5Q+00 1.0-120\n0 1.D-3\nNMARK= 0\n"}};
  for (File const& file : files) {
    auto const nodes = read_text(file.name, file.text).nodes;
    ASSERT_EQ(nodes.size(), 3u) << file.name;
    EXPECT_EQ(nodes[1][0], 1.5) << file.name;
    EXPECT_EQ(nodes[2][1], 1e-3) << file.name;
  }
  EXPECT_EQ(read_text("a.su2", files[2].text).nodes[1][1], 1e-120);
  for (char const* wrong : {"1.0D", "D+00", "1.0DD0", "1.0D+999", "1.0D+0x", "--1", "1.0 +"}) {
    std::string const text = replaced(files[2].text, "1.D-3", wrong);
    EXPECT_TRUE(is_one_line(message_of<CaseError>([&] { read_text("a.su2", text); }))) << wrong;
  }
}

/// The triangle 0 1 2 in space, standing on one of its planes.
TEST(MeshPlanes, AreChosenOrNamed) {
  auto const text = [](char const* nodes) {
    return std::string("$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n3\n") + nodes +
           "$EndNodes\n$Elements\n1\n1 2 2 1 1 1 2 3\n$EndElements\n";
  };
  std::string const xz = text("1 0 7 0\n2 2 7 0\n3 0 7 1\n"), yz = text("1 5 0 0\n2 5 2 0\n3 5 0 1\n");
  MeshReadOptions options;
  options.ignore_z = true;
  EXPECT_TRUE(contains(message_of<CaseError>([&] { read_text("a.msh", xz, options); }),
                       "all nodes with the same y: expected a mesh of x and y, or the plane xz"));
  EXPECT_TRUE(contains(message_of<CaseError>([&] { read_text("a.msh", yz, options); }),
                       "all nodes with the same x: expected a mesh of x and y, or the plane yz"));
  std::vector<std::array<double, 2>> const corners{{0, 0}, {2, 0}, {0, 1}};
  options.ignore_z = false;
  options.plane = MeshPlane::xz;
  EXPECT_EQ(read_text("a.msh", xz, options).nodes, corners);
  options.plane = MeshPlane::yz;
  EXPECT_EQ(read_text("a.msh", yz, options).nodes, corners);
  EXPECT_TRUE(contains(message_of<CaseError>([&] { read_text("a.msh", xz, options); }), "positive area") ||
              contains(message_of<CaseError>([&] { read_text("a.msh", xz, options); }), "the same z"));
  std::string const flat = "NDIME= 2\nNELEM= 1\n5 0 1 2\nNPOIN= 3\n0 0\n1 0\n0 1\nNMARK= 0\n";
  EXPECT_TRUE(contains(message_of<CaseError>([&] { read_text("a.su2", flat, options); }),
                       "nodes with two coordinates: expected three, for a mesh of y and z"));
}

}  // namespace mesh_foreign_test
