// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Grids of ADCIRC.
#include "io/damaged_file.hpp"
#include "io/expect_message.hpp"
#include "sample_mesh.hpp"
#include <karman/mesh/mesh_checks.hpp>

#include <string>

namespace mesh_adcirc_test {

using namespace karman;
using namespace karman::test;

/// A square of 3 x 3 cells with an island in its middle cell. Open in the south, land elsewhere.
std::string const bay = R"(a bay, made by hand
16 16  ! elements and nodes
1 0 0 5.0
2 1 0 5.0
3 2 0 5.0
4 3 0 5.0
5 0 1 4.5 ! more
6 1 1 4.5
7 2 1 4.5
8 3 1 4.5
9 0 2 4
10 1 2 4
11 2 2 4
12 3 2 4
16 3 3 -0.5
13 0 3 1.0D+00
14 1 3 1
15 2 3 1
1 3 1 2 6
2 3 1 6 5
3 3 2 3 7
4 3 2 7 6
5 3 3 4 8
6 3 3 8 7
7 3 5 6 10
8 3 5 10 9
9 3 7 8 12
10 3 7 12 11
11 3 9 10 14
12 3 9 14 13
13 3 10 11 15
14 3 10 15 14
15 3 11 12 16
16 3 11 16 15
1 = Number of open boundaries
4 = Total number of open boundary nodes
4 0 = Number of nodes for open boundary 1
1
2
3
4
2 = Number of land boundaries
12 = Total number of land boundary nodes
8 20 = Number of nodes for land boundary 1
4
8
12
16
15
14
13
9
4 21
6
7
11
10
)";

std::string refusal(std::string const& text) {
  return message_of<CaseError>([&] { read_text("fort.14", text); });
}

TEST(Adcirc, NodesTrianglesAndBoundariesAreRead) {
  std::vector<std::string> remarks;
  MeshReadOptions options;
  options.remarks = &remarks;
  MeshData const mesh = read_text("fort.14", bay, options);
  EXPECT_EQ(mesh.nodes.size(), 16u);
  EXPECT_EQ(mesh.nodes[15], (std::array<double, 2>{3, 3})) << "by their numbers";
  EXPECT_EQ(mesh.triangles.size(), 16u);
  EXPECT_EQ(mesh.regions, std::vector<int>(16, 1));
  EXPECT_EQ(mesh.boundary_names, (std::map<int, std::string>{{1, "open"}, {2, "land"}, {3, "island"}}));
  EXPECT_EQ(mesh.edge_labels, (std::vector<int>{1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 3, 3, 3, 3})) << "the island is closed";
  MeshReport const report = check_mesh(mesh);
  EXPECT_TRUE(report.good()) << report.text();
  EXPECT_EQ(report.unlisted_edges, 2u) << "from 9 over 5 to 1";
  EXPECT_TRUE(remarks.empty());
  EXPECT_TRUE(same(read_text("bay.grd", bay), mesh));
}

TEST(Adcirc, DepthsAreFields) {
  TemporaryFolder const folder;
  put(folder / "bay.14", bay);
  auto const fields = read_fields(folder / "bay.14", 16);
  ASSERT_EQ(fields.size(), 1u);
  EXPECT_EQ(fields[0].name, "depth");
  EXPECT_EQ(fields[0].values[0], 5);
  EXPECT_EQ(fields[0].values[12], 1);
  EXPECT_EQ(fields[0].values[15], -0.5);
  EXPECT_TRUE(contains(message_of<CaseError>([&] { read_fields(folder / "bay.14", 15); }),
                       "bay.14:2: 16 nodes: expected 15, as the mesh has"));
}

TEST(Adcirc, BarriersHaveTwoSidesAndEveryOpenBoundaryItsName) {
  std::string text = replaced(bay, "1 = Number of open", "2 = Number of open");
  text = replaced(text, "4\n2 = Number of land", "4\n3 0\n9\n5\n1\n2 = Number of land");
  text = replaced(text, "4 21\n6\n7\n11\n10\n", "2 24\n6 10 1 1 1\n7 11 1 1 1\n");
  MeshData const mesh = read_text("fort.14", text);
  EXPECT_EQ(mesh.boundary_names,
            (std::map<int, std::string>{{1, "open 1"}, {2, "open 2"}, {3, "land"}, {4, "barrier"}}));
  EXPECT_EQ(mesh.edge_labels, (std::vector<int>{1, 1, 1, 2, 2, 3, 3, 3, 3, 3, 3, 3, 4, 4}));
  EXPECT_EQ(mesh.edges.back(), (std::array<int, 2>{9, 10})) << "turned: the domain lies on the left";
}

TEST(Adcirc, NeighboursWithoutASideAreRemarked) {
  std::vector<std::string> remarks;
  MeshReadOptions options;
  options.remarks = &remarks;
  MeshData const mesh = read_text("fort.14", replaced(bay, "8\n12\n16\n15", "8\n15\n16\n12"), options);
  EXPECT_EQ(mesh.edges.size(), 12u);
  EXPECT_EQ(remarks, std::vector<std::string>{"neighbours in lists of boundary nodes without a common side: 2"});
}

TEST(Adcirc, AFileMayEndAfterItsElements) {
  std::string const text = bay.substr(0, bay.find("1 = Number of open"));
  EXPECT_TRUE(read_text("fort.14", text).edges.empty());
}

TEST(Adcirc, SaysWhatIsWrong) {
  EXPECT_TRUE(contains(refusal(replaced(bay, "16 16", "16")), "fort.14:2: \"!\": expected the number of nodes"));
  EXPECT_TRUE(
      contains(refusal(replaced(bay, "16 16", "16 99999")), ":2: 99999: expected the number of nodes, at most"));
  EXPECT_TRUE(contains(refusal(replaced(bay, "\n2 1 0 5.0", "\n1 1 0 5.0")), ":4: node 1 twice: expected a unique"));
  EXPECT_TRUE(contains(refusal(replaced(bay, "\n2 1 0 5.0", "\n17 1 0 5.0")),
                       ":4: \"17\": expected the number of a node, 1 to 16"));
  EXPECT_TRUE(
      contains(refusal(replaced(bay, "\n2 1 0 5.0", "\n2 1 0")), ":4: end of the line: expected the depth at a node"));
  EXPECT_TRUE(contains(refusal(replaced(bay, "\n2 3 1 6 5", "\n2 4 1 6 5")),
                       ":20: \"4\": expected 3, the nodes of a triangle"));
  EXPECT_TRUE(
      contains(refusal(replaced(bay, "\n2 3 1 6 5", "\n2 3 1 6 x")), ":20: \"x\": expected the number of a node"));
  EXPECT_TRUE(
      contains(refusal(replaced(bay, "8 20 =", "8 = ")), ":44: \"=\": expected IBTYPE, the kind of a boundary"));
  EXPECT_TRUE(contains(refusal(replaced(bay, "8 20 =", "99 20 = ")),
                       ":44: 99: expected the number of nodes of a boundary, at most"));
}

TEST(Adcirc, IsRefusedWhereverItIsCut) {
  DamagedFile file("a.14");
  std::size_t const whole = bay.find("1 = Number of open");
  for (std::size_t at = 0; at + 1 < bay.size(); ++at) {
    std::string const message = file.refusal(bay.substr(0, at), [](auto const& path) { read_mesh(path); });
    // Between the parts a file may end; numbers of the last word may be shorter, as in any text.
    if (message.empty()) EXPECT_GE(at + 2, whole) << at;
    else ASSERT_TRUE(is_one_line(message)) << at << ": " << message;
  }
}

}  // namespace mesh_adcirc_test
