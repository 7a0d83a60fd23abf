// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "io/damaged_file.hpp"
#include "io/expect_message.hpp"
#include "sample_mesh.hpp"
#include <karman/mesh/mesh_checks.hpp>

#include <algorithm>
#include <random>

namespace mesh_malformed_test {

using namespace karman;
using namespace karman::test;

/// A mesh file that is damaged; every error except CaseError is a failure of the test.
class Reader : public DamagedFile {
 public:
  using DamagedFile::DamagedFile;

  std::string refusal(std::string const& text) {
    return DamagedFile::refusal(text, [&](auto const& path) { mesh_ = read_mesh(path); });
  }
  MeshData const& mesh() const { return mesh_; }

 private:
  MeshData mesh_;
};

/// True if the indices of a mesh are in range.
bool is_sound(MeshData const& mesh) {
  auto const inside = [&](int n) { return n >= 0 && static_cast<std::size_t>(n) < mesh.nodes.size(); };
  bool sound = mesh.regions.size() == mesh.triangles.size() && mesh.edge_labels.size() == mesh.edges.size();
  for (auto const& t : mesh.triangles) sound = sound && std::all_of(t.begin(), t.end(), inside);
  for (auto const& e : mesh.edges) sound = sound && std::all_of(e.begin(), e.end(), inside);
  return sound && !mesh.triangles.empty();
}

class MalformedText : public testing::TestWithParam<TextFormat> {
 protected:
  std::string const text_ = text_of(sample_mesh(), GetParam());
  MeshData const whole_ = kept_by(GetParam().format, sample_mesh());
};

INSTANTIATE_TEST_SUITE_P(Formats, MalformedText, testing::ValuesIn(text_formats),
                         [](auto const& info) { return std::string(1, info.param.name[0]); });

TEST_P(MalformedText, IsRefusedWhenCutAfterAnyLine) {
  Reader reader(GetParam().name);
  ASSERT_EQ(reader.refusal(text_), "");
  int lines = 0;
  for (std::size_t at = 0; at < text_.size(); at = text_.find('\n', at) + 1, ++lines) {
    std::string const message = reader.refusal(text_.substr(0, at));
    ASSERT_TRUE(is_one_line(message)) << "after " << lines << " lines: " << message;
    EXPECT_TRUE(message.starts_with(reader.path().string())) << message;
    EXPECT_TRUE(contains(message, "expected ")) << message;
    EXPECT_TRUE(contains(message, "end of the file") || contains(message, "for this file size")) << message;
  }
}

TEST_P(MalformedText, IsRefusedWhenCutAfterAnyByte) {
  Reader reader(GetParam().name);
  for (std::size_t at = 0; at < text_.size(); ++at) {
    std::string const message = reader.refusal(text_.substr(0, at));
    // The end of the last line may go, where a word ends the file.
    if (message.empty()) {
      EXPECT_EQ(at, text_.size() - 1);
      EXPECT_TRUE(same(reader.mesh(), whole_));
    } else {
      ASSERT_TRUE(is_one_line(message)) << message;
    }
  }
}

TEST_P(MalformedText, IsRefusedWithoutAnyOfItsLines) {
  Reader reader(GetParam().name);
  for (std::size_t at = 0; at < text_.size();) {
    std::size_t const next = text_.find('\n', at) + 1;
    std::string const line = text_.substr(at, next - at);
    std::string const message = reader.refusal(text_.substr(0, at) + text_.substr(next));
    // Only the number of dimensions of SU2, and names, could be missing without damage, and neither may be.
    EXPECT_TRUE(is_one_line(message)) << "without " << line;
    std::string const twice = reader.refusal(text_.substr(0, next) + line + text_.substr(next));
    EXPECT_TRUE(is_one_line(twice)) << "twice " << line;
    std::string const junk = reader.refusal(text_.substr(0, next - 1) + " junk\n" + text_.substr(next));
    EXPECT_TRUE(is_one_line(junk)) << "junk after " << line;
    at = next;
  }
}

TEST_P(MalformedText, NeverDoesHarm) {
  Reader reader(GetParam().name);
  std::mt19937 random(static_cast<unsigned>(GetParam().format));
  std::string const bytes = std::string("0123456789-+.eE \n\t$%#\"=naif\xff") + '\0';
  int read = 0;
  for (int i = 0; i < 4000; ++i) {
    std::string const text = damaged(text_, 3, bytes, random);
    if (!reader.refusal(text).empty()) continue;
    ++read;
    ASSERT_TRUE(is_sound(reader.mesh())) << text;
  }
  EXPECT_LT(read, 3000) << "most changes are noticed";
}

struct Wrong {
  std::size_t format;
  char const* from;
  char const* to;
  char const* says;
};

TEST(MalformedMesh, IsNamedWithItsLine) {
  Wrong const all[] = {
      {0, "2.2 0 8", "4.0 0 8", ":2: \"4.0\": expected the version of the format"},
      {0, "2.2 0 8", "2.2 1 8", ":2: 1, a binary file: expected 0"},
      {0, "$Nodes\n5", "$Nodes\n2147483648", ":13: \"2147483648\": expected the number of nodes, 0 to 2147483647"},
      {0, "$Nodes\n5", "$Nodes\n2147483647", ":13: 2147483647: expected the number of nodes, at most"},
      {0, "$Nodes\n5", "$Nodes\n-1", ":13: \"-1\": expected the number of nodes"},
      {0, "$Nodes\n5", "$Nodes\n6", ":19: \"$EndNodes\": expected the number of a node"},
      {0, "$Nodes\n5", "$Nodes\n4", ":18: \"5 0.3333333333333333 0.30000000000000004\": expected $EndNodes"},
      {0, "2 1 0 0", "1 1 0 0", ":15: node 1 twice: expected a unique number per node"},
      {0, "2 1 0 0", "2 inf 0 0", ":15: \"inf\": expected the x of a node, a number"},
      {0, "2 1 0 0", "2 1e101 0 0", ":15: \"1e101\": expected the x of a node"},
      {0, "2 1 0 0", "2 1e999 0 0", ":15: \"1e999\": expected the x of a node"},
      {0, "2 1 0 0", "2 1 zero 0", ":15: \"zero\": expected the y of a node"},
      {0, "2 1 0 0", "2 1 0", ":15: end of the line: expected the z of a node"},
      {0, "2 1 0 0", "2 1 0 0 0", ":15: \"0\": expected the end of the line"},
      {0, "6 2 2 2 2 2 3 5", "6 5 2 2 2 2 3 5 4", ":27: 5 (another type): expected the type of an element"},
      {0, "6 2 2 2 2 2 3 5", "6 2 2 2 2 2 3 6", ":27: 6: expected the number of one of the 5 nodes"},
      {0, "6 2 2 2 2 2 3 5", "6 2 2 2 2 2 3 3",
       ":27: triangle 2 with nodes 2 3 3 (counted from 1): expected a triangle with positive area"},
      {0, "6 2 2 2 2 2 3 5", "6 2 2 2 2 3 2 5", ":27: triangle 2 with nodes 3 2 5 (counted from 1) runs clockwise"},
      {0, "1 1 2 1 1 1 2", "1 1 2 1 1 1 3", ":22: edge 1 with nodes 1 3 (counted from 1) is the side of no triangle"},
      {0, "1 2 \"open\"", "1 1 \"open\"", ":7: 1: expected one name per physical group"},
      {0, "1 2 \"open\"", "1 2 open", ":7: open: expected a dimension, the number of a physical group and its name"},
      {0, "$Nodes", "$Knots", ":30: end of the file: expected $EndKnots"},
      {1, "1 5 1 5", "1 6 1 5", "5 nodes in all blocks: expected 6"},
      {1, "1 5 1 5", "2 5 1 5", "expected the dimension of an entity"},
      {1, "2 1 0 5", "2 1 0 6", "6: expected 5 nodes in all blocks together"},
      {1, "2 1 0 5", "2 1 2 5", "expected 0 or 1 for parametric coordinates"},
      {1, "6 8 1 8", "6 9 1 8", "8 elements in all blocks: expected 9"},
      {1, "1 3 1 2", "1 3 2 2", "dimension 1: expected dimension 2 for elements of this type"},
      {1, "0 3 2 0", "0 3 2 1", ":19: \"$EndEntities\": expected the number of a volume"},
      {2, "Dimension 2", "Dimension 4", ":2: \"4\": expected the dimension, 2 to 3"},
      {2, "Vertices\n5", "Vertices\n4", "expected Vertices, Edges, Triangles, Quadrilaterals or End"},
      {2, "Triangles\n4", "Triangles\n5", ":17: 5: expected the number of triangles, at most 4"},
      {2, "Triangles\n4", "Triangles\n3", ":21: \"4\": expected Vertices, Edges, Triangles, Quadrilaterals or End"},
      {2, "Edges\n4", "Edges\n5", ":16: \"Triangles\": expected the number of a vertex"},
      {2, "2 3 5 2", "2 3 0 2", ":19: \"0\": expected the number of a vertex, 1 to"},
      {2, "2 3 5 2", "2 3 6 2", ":19: triangle 2 with nodes 2 3 6 (counted from 1): expected three of the 5 nodes"},
      {2, "End\n", "End\n1", "expected nothing after End"},
      {3, "NDIME= 2", "NDIME= 3", ":1: \"3\": expected 2, the dimension, 2 to 2"},
      {3, "5 1 2 4 1", "8 1 2 4 1", ":4: 8: expected 5 or 9, the type of a triangle or quadrilateral"},
      {3, "5 1 2 4 1", "5 1 2 7 1", ":4: triangle 2 with nodes 2 3 8 (counted from 1): expected three of the 5 nodes"},
      {3, "NMARK= 3", "NMARK= 2", "\"MARKER_TAG\": expected NDIME=, NELEM=, NPOIN= or NMARK="},
      {3, "NMARK= 3", "NMARK= 4", "end of the file: expected MARKER_TAG="},
      {3, "MARKER_TAG= open", "MARKER_TAG=", "end of the line: expected the name of a marker"},
      {3, "NPOIN= 5", "NPOIN= 4", "expected NDIME=, NELEM="},
  };
  for (Wrong const& wrong : all) {
    TextFormat const& format = text_formats[wrong.format];
    Reader reader(format.name);
    std::string const message = reader.refusal(replaced(text_of(sample_mesh(), format), wrong.from, wrong.to));
    EXPECT_TRUE(is_one_line(message)) << format.name << ' ' << wrong.to;
    EXPECT_TRUE(contains(message, wrong.says)) << format.name << ' ' << wrong.to << ": " << message;
  }
}

TEST(MalformedSol, IsRefusedWhereverItIsCut) {
  DamagedFile file("a.sol");
  write_sol(file.path(), {{"1", 1, {0.5, 1, 2}}, {"2", 2, {1, 2, 3, 4, 5, 6}}});
  std::string const text = content(file.path());
  auto const refusal = [&](std::string const& bytes) {
    return file.refusal(bytes, [](auto const& path) { read_fields(path, 3); });
  };
  EXPECT_EQ(refusal(text), "");
  for (std::size_t at = 0; at + 1 < text.size(); ++at) EXPECT_TRUE(is_one_line(refusal(text.substr(0, at)))) << at;
  EXPECT_TRUE(contains(refusal(replaced(text, "2 1 2", "2 1 4")), ":5: \"4\": expected the type of a field"));
  EXPECT_TRUE(contains(refusal(replaced(text, "2 1 2", "3 1 2")), ":"));
  EXPECT_TRUE(contains(refusal(replaced(text, "Dimension 2", "Dimension 3")), ":2: 3: expected dimension 2"));
  EXPECT_TRUE(contains(refusal(replaced(text, "SolAtVertices", "SolAtTriangles")), ":3: \"SolAtTriangles\": expected"));
  EXPECT_TRUE(contains(refusal(replaced(text, "End\n", "End\n7")), "expected nothing after End"));
}

TEST(MalformedMesh, HasAnAreaAboveRounding) {
  // On a line up to rounding: the orientation of such a triangle is random.
  Reader reader("a.mesh");
  std::string const text =
      "MeshVersionFormatted 2\nDimension 2\nVertices\n3\n0 0 0\n0.1 0.1 0\n0.3 0.30000000000000004 0\n"
      "Triangles\n1\n1 2 3 1\nEnd\n";
  EXPECT_TRUE(contains(reader.refusal(text),
                       ":10: triangle 1 with nodes 1 2 3 (counted from 1): expected a triangle with positive area"));
  EXPECT_TRUE(contains(reader.refusal("MeshVersionFormatted 2\nDimension 2\nEnd\n"), "no triangles"));
  // A triangle that passes a reader also has an area for check_mesh(): 6 eps of the product of two sides is none for
  // both.
  std::string const thin = replaced(text, "0.1 0.1 0\n0.3 0.30000000000000004 0", "1 0 0\n1 1.3e-15 0");
  EXPECT_TRUE(contains(reader.refusal(thin), "expected a triangle with positive area"));
  std::string const thicker = replaced(thin, "1.3e-15", "1.9e-15");
  EXPECT_EQ(reader.refusal(thicker), "");
  EXPECT_TRUE(check_mesh(reader.mesh()).good()) << check_mesh(reader.mesh()).text();
}

TEST(MalformedMesh, IsShownInShort) {
  // Words that are as long as the file.
  std::string const word(100'000, 'x');
  for (TextFormat const& format : text_formats) {
    std::string const text = text_of(sample_mesh(), format);
    Reader reader(format.name);
    for (std::size_t at = 0; at < text.size(); at = text.find('\n', at) + 1) {
      EXPECT_TRUE(is_one_line(reader.refusal(text.substr(0, at) + word + text.substr(at)))) << format.name << at;
    }
  }
  Reader reader("a.su2");
  std::string const named = replaced(text_of(sample_mesh(), text_formats[3]), "quay", word);
  EXPECT_EQ(reader.refusal(named), "");
  EXPECT_TRUE(contains(reader.refusal(replaced(named, "3 0 1\n", "3 0\n")), ":16: end of the line: expected"));
  EXPECT_TRUE(contains(reader.refusal(replaced(named, "MARKER_TAG= " + word, "MARKER_TAG= quay " + word)),
                       "xxx...\": expected the end of the line after the name of a marker"));
}

}  // namespace mesh_malformed_test
