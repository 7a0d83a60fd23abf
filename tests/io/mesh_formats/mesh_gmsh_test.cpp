// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Variants of Gmsh's format that Karman itself does not write.
#include "io/expect_message.hpp"
#include "sample_mesh.hpp"
#include <karman/mesh/mesh_checks.hpp>

#include <array>

namespace mesh_gmsh_test {

using namespace karman;
using namespace karman::test;

TEST(Gmsh, ReadsWhatOthersWrite) {
  // Numbers with gaps and out of order, points, edges between triangles, blank lines, ends of lines of other systems.
  MeshData const mesh = read_text("a.msh",
                                  "$MeshFormat\r\n2.2 0 8\r\n$EndMeshFormat\r\n$Comments\r\nanything 1 2\r\n"
                                  "$EndComments\r\n$PhysicalNames\r\n2\r\n0 9 \"corner\"\r\n1 7 \"sea wall\"\r\n"
                                  "$EndPhysicalNames\r\n$Nodes\r\n4\r\n10 0 0 2.5\r\n7 1 0 2.5\r\n\r\n9 1 1 2.5\r\n"
                                  "1000000 +0. 1e0 2.5\r\n$EndNodes\r\n$Elements\r\n6\r\n1 15 2 9 1 10\r\n"
                                  "2 1 2 7 1 7 10\r\n3 1 3 0 1 5 10 9\r\n4 2 2 4 1 10 7 9\r\n5 2 2 4 1 10 9 1000000\r\n"
                                  "6 1 2 7 1 9 7\r\n$EndElements\r\n$NodeData\r\n...\r\n$EndNodeData");
  EXPECT_EQ(mesh.nodes.size(), 4u);
  EXPECT_EQ(mesh.triangles, (std::vector<std::array<int, 3>>{{0, 1, 2}, {0, 2, 3}}));
  EXPECT_EQ(mesh.regions, (std::vector<int>{4, 4}));
  EXPECT_EQ(mesh.edges, (std::vector<std::array<int, 2>>{{0, 1}, {1, 2}})) << "the domain on the left";
  EXPECT_EQ(mesh.edge_labels, (std::vector<int>{7, 7}));
  EXPECT_EQ(mesh.boundary_names, (std::map<int, std::string>{{7, "sea wall"}}));
}

std::string const version_4 = R"($MeshFormat
4.1 0 8
$EndMeshFormat
$Entities
1 2 1 0
1 0 0 0 0
1 0 0 0 1 0 0 GROUP1 2 1 -2
5 0 0 0 1 1 0 GROUP2 0
1 0 0 0 1 1 0 GROUP3 2 1 5
$EndEntities
$Nodes
3 3 1 30
0 1 0 1
1
0 0 0
1 5 1 1
20
1 0 0 0.5
2 1 0 1
30
1 1 0
$EndNodes
$Elements
3 3 1 7
1 1 1 1
1 1 20
1 5 1 1
2 20 30
2 1 2 1
7 1 20 30
$EndElements
)";

/// Its two curves and its surface in these groups.
std::string with_groups(std::string const& first, std::string const& second, std::string const& surface) {
  return replaced(replaced(replaced(version_4, "GROUP1", first), "GROUP2", second), "GROUP3", surface);
}

TEST(Gmsh, TakesLabelsFromGroupsOrEntities) {
  std::vector<std::string> remarks;
  MeshReadOptions options;
  options.remarks = &remarks;
  MeshData const mesh = read_text("a.msh", with_groups("1 -12", "2 13 99", "1 4"), options);
  EXPECT_EQ(remarks, std::vector<std::string>{"curves and surfaces in several groups: 1; the first group is kept"});
  EXPECT_EQ(mesh.edge_labels, (std::vector<int>{12, 13}));
  EXPECT_EQ(mesh.regions, (std::vector<int>{4}));
  MeshData const entities = read_text("a.msh", with_groups("0", "0", "0"));
  EXPECT_EQ(entities.edge_labels, (std::vector<int>{1, 5}));
  EXPECT_EQ(entities.regions, (std::vector<int>{1}));
}

TEST(Gmsh, ReadsWhatGmshWrites) {
  // Of Gmsh 4.8.4: curve 3 runs from point 4 to point 3 and is in its group backwards.
  MeshData const mesh = read_text("a.msh", R"($MeshFormat
4.1 0 8
$EndMeshFormat
$PhysicalNames
3
1 7 "quay"
1 9 "open sea"
2 3 "water"
$EndPhysicalNames
$Entities
4 4 1 0
1 0 0 0 0 
2 1 0 0 0 
3 1 1 0 0 
4 0 1 0 0 
1 0 0 0 1 0 0 1 7 2 1 -2 
2 1 0 0 1 1 0 1 9 2 2 -3 
3 0 1 0 1 1 0 1 -7 2 4 -3 
4 0 0 0 0 1 0 1 9 2 4 -1 
1 0 0 0 1 1 0 1 3 4 1 2 -3 4 
$EndEntities
$Nodes
9 5 1 5
0 1 0 1
1
0 0 0
0 2 0 1
2
1 0 0
0 3 0 1
3
1 1 0
0 4 0 1
4
0 1 0
1 1 0 0
1 2 0 0
1 3 0 0
1 4 0 0
2 1 0 1
5
0.5 0.5 0
$EndNodes
$Elements
5 8 1 8
1 1 1 1
1 1 2 
1 2 1 1
2 2 3 
1 3 1 1
3 4 3 
1 4 1 1
4 4 1 
2 1 2 4
5 1 2 5 
6 4 1 5 
7 2 3 5 
8 3 4 5 
$EndElements
)");
  EXPECT_EQ(mesh.nodes[4], (std::array<double, 2>{0.5, 0.5}));
  EXPECT_EQ(mesh.triangles, (std::vector<std::array<int, 3>>{{0, 1, 4}, {3, 0, 4}, {1, 2, 4}, {2, 3, 4}}));
  EXPECT_EQ(mesh.regions, (std::vector<int>(4, 3)));
  EXPECT_EQ(mesh.edges, (std::vector<std::array<int, 2>>{{0, 1}, {1, 2}, {2, 3}, {3, 0}}));
  EXPECT_EQ(mesh.edge_labels, (std::vector<int>{7, 9, 7, 9}));
  EXPECT_EQ(mesh.boundary_names, (std::map<int, std::string>{{7, "quay"}, {9, "open sea"}}));
  EXPECT_EQ(mesh.region_names, (std::map<int, std::string>{{3, "water"}}));
}

/// Of Gmsh 4.8.4, version 2.2: a triangle at z = 1 whose curves 1 and 2 are in two groups, as its surface is.
std::string const two_groups = R"($MeshFormat
2.2 0 8
$EndMeshFormat
$PhysicalNames
4
1 1 "quay"
1 2 "all"
2 1 "left"
2 2 "water"
$EndPhysicalNames
$Nodes
4
1 0 0 1
2 1 0 1
3 0 1 1
4 0.5000000000016841 0.4999999999983159 1
$EndNodes
$Elements
11
1 1 2 1 1 1 2
2 1 2 2 1 1 2
3 1 2 1 2 2 4
4 1 2 2 2 2 4
5 1 2 1 2 4 3
6 1 2 2 2 4 3
7 1 2 2 3 3 1
8 2 2 1 1 2 4 1
9 2 2 2 1 2 4 1
10 2 2 1 1 1 4 3
11 2 2 2 1 1 4 3
$EndElements
)";

TEST(Gmsh, CountsAnElementOfSeveralGroupsOnce) {
  std::vector<std::string> remarks;
  MeshReadOptions options;
  options.remarks = &remarks;
  MeshData const mesh = read_text("a.msh", two_groups, options);
  EXPECT_EQ(mesh.triangles, (std::vector<std::array<int, 3>>{{1, 3, 0}, {0, 3, 2}}));
  EXPECT_EQ(mesh.regions, (std::vector<int>{1, 1}));
  EXPECT_EQ(mesh.edges, (std::vector<std::array<int, 2>>{{0, 1}, {1, 3}, {3, 2}, {2, 0}}));
  EXPECT_EQ(mesh.edge_labels, (std::vector<int>{1, 1, 1, 2})) << "the first group, as in version 4.1";
  EXPECT_TRUE(check_mesh(mesh).good()) << check_mesh(mesh).text();
  EXPECT_EQ(remarks, (std::vector<std::string>{
                         "elements listed again for another group: 2; the first group is kept",
                         "edges listed before: 3, of which 3 in another boundary; the first one is kept"}));
}

TEST(Gmsh, FindsElementsOfSeveralGroupsAnywhere) {
  // One group after the other, as Gmsh writes them; quadrangles and triangles, the other corner first.
  std::string const text = R"($MeshFormat
2.2 0 8
$EndMeshFormat
$Nodes
5
1 0 0 0
2 1 0 0
3 1 1 0
4 0 1 0
5 2 0 0
$EndNodes
$Elements
8
1 1 2 1 1 1 2
2 3 2 1 1 1 2 3 4
3 2 2 1 1 2 5 3
4 1 2 4 1 4 1
5 3 2 2 1 1 2 3 4
6 2 2 2 1 5 3 2
7 1 2 9 1 2 1
8 1 2 9 1 1 4
$EndElements
)";
  std::vector<std::string> remarks;
  MeshReadOptions options;
  options.remarks = &remarks;
  MeshData const mesh = read_text("a.msh", text, options);
  EXPECT_EQ(mesh.triangles, (std::vector<std::array<int, 3>>{{0, 1, 2}, {0, 2, 3}, {1, 4, 2}}));
  EXPECT_EQ(mesh.regions, (std::vector<int>{1, 1, 1}));
  EXPECT_EQ(mesh.edge_labels, (std::vector<int>{1, 4}));
  ASSERT_EQ(remarks.size(), 3u);
  EXPECT_EQ(remarks[0], "elements listed again for another group: 2; the first group is kept");
  EXPECT_EQ(remarks[1], "1 quadrilaterals became two triangles each");
  EXPECT_EQ(remarks[2], "edges listed before: 2, of which 2 in another boundary; the first one is kept");
  EXPECT_TRUE(check_mesh(mesh).good()) << check_mesh(mesh).text();
}

TEST(Gmsh, ReadsEveryVersionFrom2To2_2) {
  MeshData const mesh = read_text("a.msh", two_groups);
  for (char const* version : {"2 0 8", "2.0 0 8", "2.1 0 8"})
    EXPECT_TRUE(same(read_text("a.msh", replaced(two_groups, "2.2 0 8", version)), mesh)) << version;
}

TEST(Gmsh, NamesGroupsAndNotEntities) {
  // As saved with all elements: no element is in a group, but the groups have names.
  std::string const names = "$PhysicalNames\n2\n1 5 \"quay\"\n2 1 \"water\"\n$EndPhysicalNames\n";
  MeshData const mesh =
      read_text("a.msh", replaced(with_groups("0", "0", "0"), "$Entities\n1 2", names + "$Entities\n1 2"));
  EXPECT_EQ(mesh.edge_labels, (std::vector<int>{1, 5}));
  EXPECT_TRUE(mesh.boundary_names.empty()) << "curve 5 is not the group 5";
  EXPECT_TRUE(mesh.region_names.empty());
}

TEST(Gmsh, SaysWhatItDoesNotRead) {
  auto const refusal = [](std::string const& from, std::string const& to) {
    return message_of<CaseError>([&] { read_text("a.msh", replaced(two_groups, from, to)); });
  };
  EXPECT_TRUE(contains(refusal("2.2 0 8", "2.2 1 8"), ":2: 1, a binary file: expected 0 for a file of text"));
  EXPECT_TRUE(contains(refusal("2.2 0 8", "4 0 8"), ":2: \"4\": expected the version of the format: 2.2 or 4.1"));
  EXPECT_TRUE(contains(refusal("$Nodes", "$ParametricNodes"), ":11: $ParametricNodes: expected $Nodes, saved without"));
  EXPECT_TRUE(contains(refusal("8 2 2 1 1 2 4 1", "8 17 2 1 1 2 4 1"), ":27: 17 (another type): expected the type"));
  EXPECT_TRUE(contains(refusal("3 0 1 1\n", "2 0 1 1\n"), ":15: node 2 twice: expected a unique number per node"));
  // Entities behind the elements would come too late to assign groups.
  std::size_t const begin = version_4.find("$Entities"), end = version_4.find("$Nodes");
  std::string const late = version_4.substr(0, begin) + version_4.substr(end) + version_4.substr(begin, end - begin);
  EXPECT_TRUE(contains(message_of<CaseError>([&] { read_text("a.msh", late); }),
                       ":25: $Entities: expected $Entities before $Elements"));
  std::string const twice = replaced(with_groups("0", "0", "0"), "5 0 0 0 1 1 0", "1 0 0 0 1 1 0");
  EXPECT_TRUE(contains(message_of<CaseError>([&] { read_text("a.msh", twice); }),
                       ":8: curve 1 twice: expected a unique number per curve"));
}

}  // namespace mesh_gmsh_test
