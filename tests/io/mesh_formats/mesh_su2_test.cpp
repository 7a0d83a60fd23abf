// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SU2 files as the tools around SU2 write them.
#include "io/expect_message.hpp"
#include "sample_mesh.hpp"
#include <karman/mesh/mesh_checks.hpp>

#include <string>
#include <vector>

namespace mesh_su2_test {

using namespace karman;
using namespace karman::test;

std::string const elements = "NELEM= 2\n5 0 1 2 0\n5 0 2 3 1\n";
std::string const points = "NPOIN= 4\n0 0 0\n1 0 1\n1 1 2\n0 1 3\n";
std::string const low = "MARKER_TAG= low\nMARKER_ELEMS= 2\n3 0 1\n3 1 2\n";
std::string const high = "MARKER_TAG= high\nMARKER_ELEMS= 2\n3 2 3\n3 3 0\n";
std::string const square = "NDIME= 2\n" + elements + points + "NMARK= 2\n" + low + high;

struct Read {
  MeshData mesh;
  std::vector<std::string> remarks;
};

Read read(std::string const& text, MeshReadOptions options = {}) {
  Read result;
  options.remarks = &result.remarks;
  result.mesh = read_text("a.su2", text, options);
  return result;
}

std::string refusal(std::string const& text, MeshReadOptions const& options = {}) {
  return message_of<CaseError>([&] { read_text("a.su2", text, options); });
}

using Remarks = std::vector<std::string>;

TEST(Su2, TheSquareHasNothingToRemark) {
  Read const all = read(square);
  EXPECT_EQ(all.remarks, Remarks());
  EXPECT_EQ(all.mesh.edge_labels, (std::vector<int>{1, 1, 2, 2}));
  EXPECT_EQ(all.mesh.boundary_names, (std::map<int, std::string>{{1, "low"}, {2, "high"}}));
  EXPECT_TRUE(check_mesh(all.mesh).good());
}

TEST(Su2, SectionsComeInAnyOrderWithComments) {
  std::string const text = "% a comment\nNMARK= 2 % two\n" + low + "%\n\n" + high + points + elements + "NDIME=2\n";
  EXPECT_TRUE(same(read(text).mesh, read(square).mesh));
  std::string const blanks = replaced(replaced(square, "NELEM= 2", "  NELEM =   2 "), "\n5 0 1", "\r\n \t5 0 1");
  EXPECT_TRUE(same(read(blanks).mesh, read(square).mesh));
}

TEST(Su2, OtherSectionsArePassedOverWithOneRemark) {
  std::string const before = "AOA_OFFSET= 1.2\nAOS_OFFSET= 0\n";
  std::string const after =
      "NPERIODIC= 1\nPERIODIC_INDEX= 0\nPERIODIC_CENTER= 0 0 0\nFFD_NBOX= 1\nFFD_CORNER_POINTS= 4\n0 0\n1 0\n1 1\n0 "
      "1\n";
  Read const all = read(before + square + after);
  EXPECT_TRUE(same(all.mesh, read(square).mesh));
  EXPECT_EQ(all.remarks, Remarks{"sections without a meaning here passed over: AOA_OFFSET, AOS_OFFSET, NPERIODIC, "
                                 "PERIODIC_INDEX and 3 more"});
  Read const between = read(replaced(square, "NPOIN", "FFD_DEGREE_I= 10\n10 20\nNPOIN"));
  EXPECT_TRUE(same(between.mesh, read(square).mesh));
}

TEST(Su2, LinesWithoutAKeyAreErrorsElsewhere) {
  EXPECT_TRUE(contains(refusal(replaced(square, "NELEM= 2", "NELEM= 1")), ":4: \"5 0 2 3 1\": expected NDIME="));
  EXPECT_TRUE(contains(refusal(replaced(square, "NPOIN= 4", "NPOIN= 3")), ":9: \"0 1 3\": expected NDIME="));
  EXPECT_TRUE(contains(refusal("some words\n" + square), ":1: \"some words\": expected NDIME="));
  EXPECT_TRUE(contains(refusal("a b= 1\n" + square), ":1: \"a b\": expected NDIME="));
}

TEST(Su2, MoreNumbersMayFollow) {
  std::string text = replaced(square, "NPOIN= 4", "NPOIN= 4 4");
  text = replaced(text, "NELEM= 2", "NELEM= 2 2");
  text = replaced(text, "5 0 1 2 0", "5 0 1 2 0 7 7");
  text = replaced(text, "3 0 1\n", "3 0 1 0\n");
  EXPECT_TRUE(same(read(text).mesh, read(square).mesh));
  EXPECT_TRUE(contains(refusal(replaced(square, "3 0 1\n", "3 0 1 x\n")), "expected a number, or the end of the line"));
}

TEST(Su2, AThirdCoordinateIsRead) {
  auto const with = [](std::string const& rows) {
    return "NDIME= 2\n" + elements + "NPOIN= 4\n" + rows + "NMARK= 2\n" + low + high;
  };
  EXPECT_TRUE(same(read(with("0 0 0.0 0\n1 0 0.0 1\n1 1 0.0 2\n0 1 0.0 3\n")).mesh, read(square).mesh));
  EXPECT_TRUE(same(read(with("0 0 2.5\n1 0 2.5\n1 1 2.5\n0 1 2.5\n")).mesh, read(square).mesh));
  EXPECT_TRUE(same(read(with("0 0 10\n1 0 2\n1 1 7\n0 1 1\n")).mesh, read(square).mesh)) << "numbers of points";
  std::string const uneven = with("0 0 2.5 0\n1 0 2.5 1\n1 1 3 2\n0 1 2.5 3\n");
  EXPECT_TRUE(contains(refusal(uneven), ":8: z = 3 of node 3: expected the same z for all nodes"));
}

TEST(Su2, AMissingLastLineEndIsRemarked) {
  Read const all = read(square.substr(0, square.size() - 1));
  EXPECT_TRUE(same(all.mesh, read(square).mesh));
  EXPECT_EQ(all.remarks,
            Remarks{"the last line has no end; all counts are met, but its last number could be truncated"});
}

TEST(Su2, BlocksOfAMarkerAreJoined) {
  Read const all = read(replaced(square, "MARKER_TAG= high", "MARKER_TAG= low"));
  EXPECT_EQ(all.mesh.edge_labels, (std::vector<int>{1, 1, 1, 1}));
  EXPECT_EQ(all.mesh.boundary_names, (std::map<int, std::string>{{1, "low"}}));
  EXPECT_EQ(all.remarks, Remarks{"several blocks of marker low joined"});
}

TEST(Su2, TheFirstOfTwoMarkersOfAnEdgeStands) {
  Read const all = read(replaced(square, "high\nMARKER_ELEMS= 2\n", "high\nMARKER_ELEMS= 3\n3 1 0\n"));
  EXPECT_TRUE(same(all.mesh, read(square).mesh));
  EXPECT_EQ(all.remarks, Remarks{"edges listed before: 1, of which 1 in another boundary; the first one is kept"});
}

TEST(Su2, HalosArePassedOver) {
  std::string const halo = "MARKER_TAG= SEND_RECEIVE\nMARKER_ELEMS= 2\nSEND_RECV= -1\n1 0 0\n1 3 0\n";
  Read const all = read(replaced(replaced(square, "NMARK= 2", "NMARK= 3"), high, halo + high));
  EXPECT_TRUE(same(all.mesh, read(square).mesh));
  EXPECT_EQ(all.remarks, Remarks{"sections without a meaning here passed over: SEND_RECEIVE"});
  std::string const wrong = replaced(halo, "SEND_RECV= -1\n", "");
  EXPECT_TRUE(
      contains(refusal(replaced(replaced(square, "NMARK= 2", "NMARK= 3"), high, wrong + high)), "expected SEND_RECV="));
}

TEST(Su2, OneOfSeveralZonesIsRead) {
  std::string const second =
      "NDIME= 2\nNELEM= 1\n5 0 1 2\nNPOIN= 3\n5 0\n6 0\n5 1\nNMARK= 1\nMARKER_TAG= inner\nMARKER_ELEMS= 1\n3 0 1\n";
  std::string const text = "NZONE= 2\nIZONE= 1\n" + square + "IZONE= 2\n" + second;
  Read const first = read(text);
  EXPECT_TRUE(same(first.mesh, read(square).mesh));
  EXPECT_EQ(first.remarks, Remarks{"zone 1 of 2; the option zone reads another"});
  MeshReadOptions options;
  options.zone = 2;
  EXPECT_TRUE(same(read(text, options).mesh, read(second).mesh));
  EXPECT_TRUE(same(read(replaced(text, "NDIME= 2", "NDIME= 3"), options).mesh, read(second).mesh))
      << "the first one is solid";
  options.zone = 3;
  EXPECT_TRUE(contains(refusal(text, options), ":1: zone 3: expected a zone of the file, 1 to 2"));
  options.zone = 2;
  EXPECT_TRUE(contains(refusal(square, options), "zone 2: expected a zone of the file, which has one"));
  EXPECT_TRUE(contains(refusal("NZONE= 2\nIZONE= 1\n" + square, options), "end of the file: expected NDIME="));
  EXPECT_TRUE(contains(refusal("NZONE= 2\nIZONE= 3\n" + square), ":2: \"3\": expected the number of a zone, 1 to 2"));
}

}  // namespace mesh_su2_test
