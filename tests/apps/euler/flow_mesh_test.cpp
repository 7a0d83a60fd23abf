// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Meshes of files in a case: seams, planes, scales, and the list of boundaries.
#include "euler/case/flow_case.hpp"
#include "euler/run/flow_estimate.hpp"
#include "io/expect_message.hpp"
#include "io/mesh_formats/sample_mesh.hpp"
#include "io/temporary_folder.hpp"
#include <karman/io/config.hpp>
#include <karman/io/error.hpp>
#include <karman/mesh/mesh_checks.hpp>

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace flow_mesh_test {

using namespace karman;
using namespace karman::test;

/// Two unit squares side by side in two triangles each. Their nodes on x = 1 are not joined; markers name the rest.
std::string const blocks =
    "NDIME= 2\nNELEM= 4\n5 0 1 2\n5 0 2 3\n5 4 5 6\n5 4 6 7\n"
    "NPOIN= 8\n0 0\n1 0\n1 1\n0 1\n1 0\n2 0\n2 1\n1 1\n"
    "NMARK= 2\nMARKER_TAG= floor\nMARKER_ELEMS= 2\n3 0 1\n3 4 5\n"
    "MARKER_TAG= rest\nMARKER_ELEMS= 4\n3 5 6\n3 6 7\n3 2 3\n3 3 0\n";

class FlowMesh : public ::testing::Test {
 protected:
  FlowMesh() { put(folder_ / "blocks.su2", blocks); }

  euler::FlowCase read(std::string const& mesh, std::string const& boundaries) const {
    std::string const text = R"({ "mesh": )" + mesh + R"(, "flow": { "pressure": 1e5, "temperature": 300, "mach": 2 },
      "boundaries": )" + boundaries +
                             R"(, "time": { "kind": "transient", "end": 0.01 } })";
    return euler::read_flow_case(Case::parse(text, (folder_ / "case.json").string(), euler::schema()));
  }
  euler::FlowCase read(std::string const& mesh) const { return read(mesh, R"({ "others": { "kind": "far_field" } })"); }
  std::string refusal(std::string const& mesh) const {
    return message_of<CaseError>([&] { read(mesh); });
  }
  /// The member `/mesh` of the blocks with more in it.
  static std::string with(std::string const& more) {
    return R"({ "kind": "file", "file": "blocks.su2", )" + more + " }";
  }

  TemporaryFolder folder_;
};

TEST_F(FlowMesh, EveryBoundaryIsListedWithItsCondition) {
  auto const list = read(R"({ "kind": "channel", "length": 2, "width": 1, "size": 0.5 })",
                         R"({ "wall": { "kind": "wall" }, "others": { "kind": "far_field" } })")
                        .boundary_list;
  EXPECT_EQ(list, (std::vector<std::string>{"boundary    wall: 8 edges, 4 m, wall",
                                            "boundary    inflow: 2 edges, 1 m, far_field",
                                            "boundary    outflow: 2 edges, 1 m, far_field"}));
}

TEST_F(FlowMesh, OthersCoverNoSeam) {
  std::string const said = refusal(with(R"("unit": 1)"));
  EXPECT_TRUE(is_one_line(said)) << said;
  EXPECT_TRUE(contains(said,
                       "\"others\" covers no seam; set /mesh/merge to true, or name: seam (2 edges, the first at "
                       "(x, y) = (1, 0.5))"))
      << said;
  euler::FlowCase const named =
      read(with(R"("unit": 1)"), R"({ "seam": { "kind": "wall" }, "others": { "kind": "far_field" } })");
  EXPECT_EQ(named.boundary_list,
            (std::vector<std::string>{
                "boundary    floor: 2 edges, 2 m, far_field", "boundary    rest: 4 edges, 4 m, far_field",
                "boundary    seam: 2 edges, 2 m, wall; not listed in the file, the first at (x, y) = "
                "(1, 0.5); 2 coincide with others, which /mesh/merge joins"}));
}

TEST_F(FlowMesh, ASeamOfNamedBoundariesIsOneToo) {
  put(folder_ / "blocks.su2", replaced(replaced(blocks, "NMARK= 2", "NMARK= 3"), "MARKER_TAG= floor",
                                       "MARKER_TAG= joint\nMARKER_ELEMS= 2\n3 1 2\n3 7 4\nMARKER_TAG= floor"));
  EXPECT_TRUE(contains(refusal(with(R"("unit": 1)")), "or name: joint (2 edges"));
}

TEST_F(FlowMesh, SeamsAreMergedOnRequest) {
  for (char const* merge : {"true", "1e-3", "0"}) {
    euler::FlowCase const joined = read(with(std::string(R"("merge": )") + merge));
    EXPECT_EQ(joined.problem.mesh.nodes.size(), 6u);
    EXPECT_EQ(joined.problem.mesh.edges.size(), 6u);
    EXPECT_TRUE(check_mesh(joined.problem.mesh).good());
    ASSERT_EQ(joined.remarks.size(), 1u);
    EXPECT_TRUE(contains(joined.remarks[0], "mesh: 2 nodes joined with others at the same place")) << joined.remarks[0];
    EXPECT_EQ(joined.boundary_list.size(), 2u);
  }
  EXPECT_TRUE(contains(refusal(with(R"("merge": 1.5)")),
                       "/mesh/merge: 1.5: expected a smaller distance: two nodes of triangle"));
  EXPECT_TRUE(contains(refusal(with(R"("merge": -1)")), "/mesh/merge: -1: expected a number from 0 to"));
}

TEST_F(FlowMesh, UnlistedEdgesAreMarked) {
  put(folder_ / "blocks.su2", replaced(blocks, "MARKER_ELEMS= 4\n3 5 6\n", "MARKER_ELEMS= 3\n"));
  euler::FlowCase const some = read(with(R"("merge": true)"));
  ASSERT_EQ(some.boundary_list.size(), 3u);
  EXPECT_EQ(some.boundary_list[2],
            "boundary    unnamed: 1 edge, 1 m, far_field; not listed in the file, the first at (x, y) = (2, 0.5)");
}

TEST_F(FlowMesh, CoordinatesAreScaledAndFlipped) {
  euler::FlowCase const plain = read(with(R"("merge": true)"));
  for (char const* flip : {"none", "x", "y"}) {
    euler::FlowCase const other =
        read(with(R"("merge": true, "scale": [2, 3], "unit": 10, "flip": ")" + std::string(flip) + '"'));
    double const fx = flip == std::string("x") ? -20 : 20, fy = flip == std::string("y") ? -30 : 30;
    ASSERT_EQ(other.problem.mesh.nodes.size(), plain.problem.mesh.nodes.size());
    for (std::size_t n = 0; n < plain.problem.mesh.nodes.size(); ++n) {
      EXPECT_DOUBLE_EQ(other.problem.mesh.nodes[n][0], fx * plain.problem.mesh.nodes[n][0]);
      EXPECT_DOUBLE_EQ(other.problem.mesh.nodes[n][1], fy * plain.problem.mesh.nodes[n][1]);
    }
    EXPECT_TRUE(check_mesh(other.problem.mesh).good()) << flip << check_mesh(other.problem.mesh).text();
    EXPECT_EQ(other.problem.mesh.edge_labels, plain.problem.mesh.edge_labels);
  }
  EXPECT_DOUBLE_EQ(read(with(R"("merge": true, "scale": 0.5)")).problem.mesh.nodes[1][0], 0.5);
  EXPECT_TRUE(contains(refusal(with(R"("scale": 0)")), "/mesh/scale: 0: expected a number from 1e-12 to"));
}

TEST_F(FlowMesh, RefinementKeepsBoundariesAndTheirLengths) {
  euler::FlowCase const fine = read(with(R"("merge": true, "unit": 2, "refine": 2)"));
  EXPECT_EQ(fine.problem.mesh.nodes.size(), 45u);
  EXPECT_EQ(fine.problem.mesh.triangles.size(), 64u);
  EXPECT_TRUE(check_mesh(fine.problem.mesh).good()) << check_mesh(fine.problem.mesh).text();
  EXPECT_EQ(fine.boundary_list, (std::vector<std::string>{"boundary    floor: 8 edges, 4 m, far_field",
                                                          "boundary    rest: 16 edges, 8 m, far_field"}));
  ASSERT_EQ(fine.remarks.size(), 2u);
  EXPECT_EQ(fine.remarks[1], "mesh: 45 nodes, after 2 refinements of 6");
  EXPECT_EQ(fine.initial.size(), 45u);
  EXPECT_EQ(euler::estimate(fine, 0, Backend::openmp).nodes, 45);
  // The sides of a seam stay apart, and match node by node.
  euler::FlowCase const seam =
      read(with(R"("refine": 1)"), R"({ "seam": { "kind": "wall" }, "others": { "kind": "far_field" } })");
  EXPECT_EQ(seam.boundary_list[2],
            "boundary    seam: 4 edges, 2 m, wall; not listed in the file, the first at (x, y) = (1, 0.25); 4 coincide "
            "with others, which /mesh/merge "
            "joins");
}

TEST_F(FlowMesh, RefinedBodiesKeepTheirChords) {
  auto const airfoil = [](std::string const& more) {
    return R"({ "kind": "airfoil", "points": 32, "far_radius": 5, "growth": 1.3)" + more + " }";
  };
  euler::FlowCase const coarse = read(airfoil("")), fine = read(airfoil(R"(, "refine": 1)"));
  EXPECT_EQ(fine.problem.mesh.triangles.size(), 4 * coarse.problem.mesh.triangles.size());
  EXPECT_TRUE(coarse.remarks.empty());
  ASSERT_EQ(fine.boundary_list.size(), 2u);
  // The same length in twice as many edges.
  std::string const before = coarse.boundary_list[0], after = fine.boundary_list[0];
  EXPECT_TRUE(contains(before, "airfoil: 32 edges, ")) << before;
  EXPECT_EQ(after, replaced(before, "32 edges", "64 edges"));
}

TEST_F(FlowMesh, RefinementHasALimit) {
  EXPECT_TRUE(contains(refusal(with(R"("refine": 5)")), "/mesh/refine: 5: expected an integer from 0 to 4"));
  std::string const square = R"({ "kind": "rectangle", "high": [1, 1], "size": 1e-3, "refine": 4 })";
  EXPECT_TRUE(contains(refusal(square), "/mesh/refine: 4: expected at most 1e+08 nodes, found more than 2.4e+08"))
      << refusal(square);
}

TEST_F(FlowMesh, PlanesAndZonesAreChosen) {
  std::string standing =
      "NDIME= 2\nNELEM= 1\n5 0 1 2\nNPOIN= 3\n0 7 0.5 0\n2 7 0.5 1\n0 7 1.5 2\nNMARK= 1\n"
      "MARKER_TAG= all\nMARKER_ELEMS= 3\n3 0 1\n3 1 2\n3 2 0\n";
  put(folder_ / "blocks.su2", standing);
  EXPECT_TRUE(contains(refusal(with(R"("zone": 1)")), "expected a mesh of x and y, or the plane xz"));
  euler::FlowCase const side = read(with(R"("plane": "xz")"));
  EXPECT_EQ(side.problem.mesh.nodes, (std::vector<std::array<double, 2>>{{0, 0.5}, {2, 0.5}, {0, 1.5}}));
  EXPECT_TRUE(contains(refusal(with(R"("zone": 2)")), "blocks.su2: zone 2: expected a zone of the file"));
  put(folder_ / "blocks.su2", "NZONE= 2\nIZONE= 1\n" + blocks + "IZONE= 2\n" + standing);
  EXPECT_EQ(read(with(R"("zone": 2, "plane": "xz")")).problem.mesh.nodes.size(), 3u);
}

}  // namespace flow_mesh_test
