// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Meshes and fields of TELEMAC.
#include "io/damaged_file.hpp"
#include "io/expect_message.hpp"
#include "sample_mesh.hpp"
#include <karman/mesh/mesh_checks.hpp>
#include <karman/mesh/mesh_generators.hpp>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <random>
#include <string>
#include <vector>

namespace mesh_selafin_test {

using namespace karman;
using namespace karman::test;

/// A file by hand: numbers in one of the byte orders, coordinates in one of the precisions.
class File {
 public:
  File(bool big, bool doubles) : big_(big), doubles_(doubles) {}

  template <class T>
  File& put(T value) {
    std::string bytes(reinterpret_cast<char const*>(&value), sizeof value);
    if (big_) std::reverse(bytes.begin(), bytes.end());
    record_ += bytes;
    return *this;
  }
  File& integers(std::vector<std::int32_t> const& values) {
    for (std::int32_t const v : values) put(v);
    return *this;
  }
  File& reals(std::vector<double> const& values) {
    for (double const v : values) doubles_ ? put(v) : put(static_cast<float>(v));
    return *this;
  }
  File& text(std::string text, std::size_t size) {
    text.resize(size, ' ');
    record_ += text;
    return *this;
  }
  File& end() {
    std::string const content = std::move(record_);
    record_.clear();
    put(static_cast<std::int32_t>(content.size()));
    std::string const mark = std::move(record_);
    record_.clear();
    text_ += mark + content + mark;
    return *this;
  }
  std::string const& str() const { return text_; }

 private:
  bool big_, doubles_;
  std::string record_, text_;
};

/// The unit square in two triangles, one clockwise, moved by the origin of the file; two frames of two variables.
std::string square(bool big, bool doubles, int planes = 0, int corners = 3) {
  File file(big, doubles);
  file.text("a square", 72).text(doubles ? "SERAFIND" : "SERAFIN ", 8).end();
  file.integers({2, 0}).end();
  file.text("BOTTOM", 16).text("M", 16).end().text("WAVE HEIGHT", 16).text("M", 16).end();
  file.integers({1, 0, 100, -50, 0, 0, planes, 0, 0, 1}).end();
  file.integers({2026, 11, 27, 0, 0, 0}).end();
  file.integers({2, 4, corners, 1}).end();
  file.integers({1, 2, 3, 1, 4, 3}).end();
  file.integers({1, 2, 3, 4}).end();
  file.reals({0, 1, 1, 0}).end().reals({0, 0, 1, 1}).end();
  file.reals({0}).end().reals({-5, -5, -4, -4}).end().reals({0, 0, 0, 0}).end();
  file.reals({60}).end().reals({-5, -5, -4, -4.5}).end().reals({1, 1.5, 2, 0.25}).end();
  return file.str();
}

/// Open between nodes 1 and 2, solid elsewhere, as a program writes it.
std::string const boundary =
    "5 4 4 0.000 0.000 0.000 0.000 2 0.000 0.000 0.000 1 1 # inflow (1 - 2)\n"
    "5 4 4 0.000 0.000 0.000 0.000 2 0.000 0.000 0.000 2 2\n"
    " 2 2 2 0.0 0.0 0.0 0.1D+00 2 0.0 0.0 0.0 3 3\n2 2 2 0. 0. 0. 0. 2 0. 0. 0. 4 4\n";

MeshReadOptions turning() {
  MeshReadOptions options;
  options.orient = true;
  return options;
}

TEST(Selafin, IsReadInEitherByteOrderAndPrecision) {
  for (bool const big : {true, false}) {
    for (bool const doubles : {true, false}) {
      TemporaryFolder const folder;
      put(folder / "a.slf", square(big, doubles));
      put(folder / "a.cli", boundary);
      MeshData const mesh = read_mesh(folder / "a.slf", turning());
      EXPECT_EQ(mesh.nodes, (std::vector<std::array<double, 2>>{{100, -50}, {101, -50}, {101, -49}, {100, -49}}));
      EXPECT_EQ(mesh.triangles, (std::vector<std::array<int, 3>>{{0, 1, 2}, {0, 2, 3}}));
      EXPECT_EQ(mesh.regions, (std::vector<int>{1, 1}));
      MeshReport const report = check_mesh(mesh);
      EXPECT_TRUE(report.good() && report.unlisted_edges == 0) << report.text();
      for (std::size_t e = 0; e < mesh.edges.size(); ++e) {
        bool const south = mesh.edges[e] == std::array<int, 2>{0, 1};
        EXPECT_EQ(mesh.edge_labels[e], south ? 544 : 222) << "open where both nodes are";
      }
      auto const fields = read_fields(folder / "a.slf", 4);
      ASSERT_EQ(fields.size(), 2u);
      EXPECT_EQ(fields[0].name, "BOTTOM");
      EXPECT_EQ(fields[1].name, "WAVE HEIGHT");
      EXPECT_EQ(fields[0].values, (std::vector<double>{-5, -5, -4, -4.5})) << "the last frame";
      EXPECT_EQ(fields[1].values, (std::vector<double>{1, 1.5, 2, 0.25}));
    }
  }
}

TEST(Selafin, AMissingBoundaryFileIsRemarked) {
  std::vector<std::string> remarks;
  MeshReadOptions options = turning();
  options.remarks = &remarks;
  EXPECT_TRUE(read_text("a.slf", square(true, false), options).edges.empty());
  EXPECT_EQ(remarks, std::vector<std::string>{"no file a.cli beside the mesh: its boundary has no labels"});
}

TEST(Selafin, SaysWhatIsWrong) {
  auto const refusal = [](std::string const& text) {
    return message_of<CaseError>([&] { read_text("a.slf", text, turning()); });
  };
  EXPECT_TRUE(contains(refusal("short"), "a.slf: the first record, at byte 0: "));
  EXPECT_TRUE(contains(refusal(""), "end of the file: expected a record of 80 bytes"));
  EXPECT_TRUE(
      contains(refusal(square(true, false, 6)), "the parameters, at byte 184: 6 planes: expected a mesh in the plane"));
  EXPECT_TRUE(contains(refusal(square(true, false, 0, 4)), "4 nodes per element: expected 3, a mesh of triangles"));
  EXPECT_TRUE(contains(message_of<CaseError>([&] { read_text("a.slf", square(true, false)); }), "runs clockwise"));
  std::string text = square(true, false);
  text[text.find(std::string("\0\0\0\x04\0\0\0\x03", 8)) + 3] = 9;  // a node of the second triangle
  EXPECT_TRUE(contains(refusal(text), "expected the number of a node, 1 to 4") || contains(refusal(text), "9 nodes") ||
              contains(refusal(text), "expected 36"));
  TemporaryFolder const folder;
  put(folder / "a.slf", square(true, false));
  auto const with = [&](std::string const& from, std::string const& to) {
    put(folder / "a.cli", replaced(boundary, from, to));
    return message_of<CaseError>([&] { read_mesh(folder / "a.slf", turning()); });
  };
  EXPECT_TRUE(contains(with(" 3 3\n", " 5 3\n"), "a.cli:3: \"5\": expected the number of a node, 1 to 4"));
  EXPECT_TRUE(contains(with(" 3 3\n", "\n"), "a.cli:3: end of the line: expected the number of a node"));
  EXPECT_TRUE(contains(with(" 2 2 2 0.0", " 2 2 x 0.0"), "a.cli:3: \"x\": expected LIVBOR"));
  EXPECT_TRUE(contains(message_of<CaseError>([&] { read_fields(folder / "a.slf", 5); }), "4 nodes: expected 5"));
}

TEST(Selafin, IsRefusedWhereverItIsCutAndNeverDoesHarm) {
  std::string const whole = square(true, false);
  std::size_t const frames = whole.size() - 2 * (12 + 24 + 24);
  DamagedFile file("a.slf");
  auto const refusal = [&](std::string const& text) {
    return file.refusal(text, [](auto const& path) {
      MeshData const mesh = read_mesh(path, turning());
      EXPECT_EQ(mesh.triangles.size(), 2u);
      read_fields(path, 4);
    });
  };
  EXPECT_EQ(refusal(whole), "");
  for (std::size_t at = 0; at < frames; ++at) {
    std::string const message = refusal(whole.substr(0, at));
    ASSERT_TRUE(is_one_line(message)) << at << ": " << message;
  }
  std::mt19937 random(5);
  for (int i = 0; i < 2000; ++i) {
    std::string text = whole;
    for (int k = 0; k < 2; ++k)
      text[random() % text.size()] = static_cast<char>(random() % 5 == 0 ? 0xff : random() % 8);
    file.refusal(text, [](auto const& path) { read_mesh(path, turning()); });
  }
}

/// A harbour whose labels are codes of TELEMAC.
MeshData harbour() {
  MeshData mesh = mesh_annulus({.inner_radius = 1.0 / 3, .outer_radius = 1, .inner_size = 0.2, .outer_size = 0.3});
  mesh.boundary_names.clear();
  mesh.region_names.clear();
  for (std::size_t e = 0; e < mesh.edges.size(); ++e)
    mesh.edge_labels[e] = mesh.edge_labels[e] == 1                                          ? 222
                          : mesh.nodes[static_cast<std::size_t>(mesh.edges[e][0])][0] > 0.5 ? 544
                                                                                            : 222;
  return mesh;
}

std::vector<std::pair<std::array<int, 2>, int>> sorted_edges(MeshData const& mesh) {
  std::vector<std::pair<std::array<int, 2>, int>> edges;
  for (std::size_t e = 0; e < mesh.edges.size(); ++e) edges.emplace_back(mesh.edges[e], mesh.edge_labels[e]);
  std::sort(edges.begin(), edges.end());
  return edges;
}

TEST(Selafin, RestoresMeshBoundariesAndFieldsBitForBit) {
  MeshData const mesh = harbour();
  std::vector<double> heights(mesh.nodes.size());
  for (std::size_t n = 0; n < heights.size(); ++n) heights[n] = 1.0 / (3.0 + static_cast<double>(n));
  for (bool const single : {false, true}) {
    TemporaryFolder const folder;
    write_mesh(folder / "a.slf", mesh, {{"WAVE HEIGHT", 1, heights}, {"BOTTOM", 1, heights}},
               {.single_precision = single});
    std::string const bytes = content(folder / "a.slf");
    EXPECT_EQ(bytes.substr(0, 4), std::string("\0\0\0\x50", 4)) << "big-endian";
    EXPECT_EQ(bytes.substr(76, 8), single ? "SERAFIN " : "SERAFIND");
    MeshData const again = read_mesh(folder / "a.slf");
    auto const fields = read_fields(folder / "a.slf", mesh.nodes.size());
    EXPECT_EQ(again.triangles, mesh.triangles);
    EXPECT_EQ(sorted_edges(again), sorted_edges(mesh));
    ASSERT_EQ(fields.size(), 2u);
    EXPECT_EQ(fields[1].name, "BOTTOM");
    for (std::size_t n = 0; n < heights.size(); ++n) {
      auto const kept = [&](double v) {
        // Volatile: in the source that nvcc passes on, GCC 12 vectorizes two such conversions and drops the rounding.
        float const volatile rounded = static_cast<float>(v);
        return single ? static_cast<double>(rounded) : v;
      };
      EXPECT_EQ(again.nodes[n], (std::array<double, 2>{kept(mesh.nodes[n][0]), kept(mesh.nodes[n][1])}));
      EXPECT_EQ(fields[0].values[n], kept(heights[n]));
    }
    // Written again, the same bytes.
    TemporaryFolder const second;
    write_mesh(second / "a.slf", again, fields, {.single_precision = single});
    EXPECT_EQ(content(second / "a.slf"), bytes);
    EXPECT_EQ(content(second / "a.cli"), content(folder / "a.cli"));
  }
}

TEST(Selafin, BoundaryNodesGoAroundTheDomainFirst) {
  MeshData const mesh = harbour();
  TemporaryFolder const folder;
  write_mesh(folder / "a.slf", mesh);
  std::string const text = content(folder / "a.cli");
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), static_cast<std::ptrdiff_t>(mesh.edges.size()));
  std::size_t least = 0;
  for (std::size_t n = 0; n < mesh.nodes.size(); ++n) {
    if (mesh.nodes[n][0] + mesh.nodes[n][1] < mesh.nodes[least][0] + mesh.nodes[least][1]) least = n;
  }
  EXPECT_TRUE(contains(text.substr(0, text.find('\n')), " " + std::to_string(least + 1) + " 1")) << text;
}

TEST(Selafin, RefusesWhatItCannotHold) {
  TemporaryFolder const folder;
  MeshData const mesh = sample_mesh();
  std::vector<double> const values(5, 1.0);
  auto const refused = [&](std::vector<NodalField> const& fields) {
    EXPECT_THROW(write_mesh(folder / "a.slf", mesh, fields), std::invalid_argument);
    EXPECT_TRUE(folder.names().empty());
  };
  refused({{"a name of 17 byte", 1, values}});
  refused({{"a", 1, values}, {"a", 1, values}});
  refused({{"a", 2, std::vector<double>(10, 1.0)}});
  refused({{"a", 1, std::vector<double>(4, 1.0)}});
  refused({{"", 1, values}});
  EXPECT_THROW(write_mesh(folder / "a.14", mesh), std::invalid_argument) << "only read";
  write_mesh(folder / "a.slf", mesh);
  EXPECT_THROW(write_mesh(folder / "a.slf", mesh), FileError) << "nothing is overwritten";
}

}  // namespace mesh_selafin_test
