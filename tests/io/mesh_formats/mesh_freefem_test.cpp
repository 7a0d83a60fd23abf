// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Files .msh of FreeFEM.
#include "io/damaged_file.hpp"
#include "io/expect_message.hpp"
#include "sample_mesh.hpp"
#include <karman/mesh/mesh_checks.hpp>

#include <string>

namespace mesh_freefem_test {

using namespace karman;
using namespace karman::test;

std::string const square = R"(  4 2 4
  0.000000E+00   0.000000E+00       1
   1 0 1
1 1 2
0 1.0D0 2
1 2 3 5
1 3 4 6
1 2 1
2 3 1
4 3 2
4 1 2
)";

TEST(FreeFem, VerticesTrianglesAndEdgesAreRead) {
  MeshData const mesh = read_text("a.msh", square);
  EXPECT_EQ(mesh.nodes, (std::vector<std::array<double, 2>>{{0, 0}, {1, 0}, {1, 1}, {0, 1}}));
  EXPECT_EQ(mesh.triangles, (std::vector<std::array<int, 3>>{{0, 1, 2}, {0, 2, 3}}));
  EXPECT_EQ(mesh.regions, (std::vector<int>{5, 6}));
  EXPECT_EQ(mesh.edges, (std::vector<std::array<int, 2>>{{0, 1}, {1, 2}, {2, 3}, {3, 0}}));
  EXPECT_EQ(mesh.edge_labels, (std::vector<int>{1, 1, 2, 2}));
  EXPECT_TRUE(mesh.boundary_names.empty());
  EXPECT_TRUE(check_mesh(mesh).good());
  MeshReadOptions options;
  options.format = MeshFormat::freefem;
  EXPECT_TRUE(same(read_text("mesh", square, options), mesh)) << "any name";
}

TEST(FreeFem, SaysWhatIsWrong) {
  auto const refusal = [](std::string const& text) { return message_of<CaseError>([&] { read_text("a.msh", text); }); };
  auto const with = [&](char const* from, char const* to) { return refusal(replaced(square, from, to)); };
  EXPECT_TRUE(contains(with("4 2 4", "4 2"), "a.msh:1: end of the line: expected the number of edges"));
  EXPECT_TRUE(contains(with("4 2 4", "4 2 4 1"), ":1: \"1\": expected the end of the line"));
  EXPECT_TRUE(contains(with("4 2 4", "4 2 999"), ":1: 999: expected the number of edges, at most"));
  EXPECT_TRUE(contains(with("1 1 2\n", "1 1 0.5 2\n"),
                       ":4: \"0.5\": expected the label of a vertex of a mesh in the plane, a whole number"));
  EXPECT_TRUE(contains(with("1 3 4 6", "1 3 5 6"), ":7: \"5\": expected the number of a vertex, 1 to 4"));
  EXPECT_TRUE(contains(with("1 3 4 6", "1 3 4"), ":7: end of the line: expected the label of a triangle"));
  EXPECT_TRUE(contains(with("1 3 4 6", "1 3 3 6"), ":7: triangle 2 with nodes 1 3 3"));
  EXPECT_TRUE(contains(refusal(square + "1 2 1\n"), ":12: \"1 2 1\": expected nothing after the last edge"));
  EXPECT_TRUE(contains(refusal("MeshVersionFormatted 2\n"), "expected $MeshFormat")) << "as a file of Gmsh";
}

TEST(FreeFem, IsRefusedWhereverItIsCut) {
  DamagedFile file("a.msh");
  for (std::size_t at = 0; at + 1 < square.size(); ++at) {
    std::string const message = file.refusal(square.substr(0, at), [](auto const& path) { read_mesh(path); });
    ASSERT_TRUE(is_one_line(message)) << at << ": " << message;
  }
}

}  // namespace mesh_freefem_test
