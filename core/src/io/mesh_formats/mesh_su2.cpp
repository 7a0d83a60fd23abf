// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SU2 documentation, "Mesh File": the native format.
#include "mesh_text.hpp"

#include <algorithm>
#include <charconv>
#include <set>
#include <stdexcept>
#include <utility>

namespace karman::detail {
namespace {

/// The label that a tag denotes, or 0.
int label_of(std::string const& tag) {
  int label = 0;
  auto const [end, error] = std::from_chars(tag.data(), tag.data() + tag.size(), label);
  return error == std::errc() && end == tag.data() + tag.size() && label > 0 ? label : 0;
}

/// State of reading one file.
class Su2Reading {
 public:
  explicit Su2Reading(MeshText& text) : text_(text) {}

  MeshData read(MeshReadOptions const& options) {
    while (text_.next_line()) {
      std::string const keyword(text_.key());
      if (!seen_.insert(keyword).second) text_.fail(keyword, "each keyword once");
      if (keyword == "NDIME") close(text_.integer("2, the dimension", 2, 2));
      else if (keyword == "NZONE") close(text_.integer("1, the number of zones", 1, 1));
      else if (keyword == "NELEM") elements();
      else if (keyword == "NPOIN") points();
      else if (keyword == "NMARK") markers();
      else text_.fail('"' + keyword.substr(0, 40) + '"', keywords_);
    }
    for (char const* keyword : {"NDIME", "NELEM", "NPOIN", "NMARK"}) {
      if (seen_.count(keyword) == 0) text_.fail("end of the file", std::string(keyword) + "=");
    }
    // A truncated number would still be a number.
    if (!text_.ends_with_line())
      text_.fail("a last line without its end", "a complete file; this one may be truncated");
    name_markers();
    return finished(std::move(found_), text_, options);
  }

 private:
  void expect_keyword(std::string const& wanted) {
    text_.open_line(wanted + "=");
    if (std::string const found(text_.key()); found != wanted) {
      text_.fail('"' + found.substr(0, 40) + '"', wanted + "=");
    }
  }

  void close(std::int64_t) { text_.close_line("the value"); }

  /// Old versions of the format number points and elements at the end of the line.
  void close_numbered(std::string const& what) {
    if (std::string_view const word = text_.word(); !word.empty()) {
      std::int64_t number = 0;
      auto const [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
      if (error != std::errc() || end != word.data() + word.size() || number < 0) {
        text_.fail('"' + std::string(word.substr(0, 40)) + '"', "the number of " + what + ", or the end of the line");
      }
    }
    text_.close_line(what);
  }

  int node() { return static_cast<int>(text_.integer("the number of a point, from 0", 0, most_numbers)); }

  void elements() {
    std::size_t const count = text_.count("elements", 8);
    text_.close_line("the number of elements");
    std::string const all = std::to_string(count);
    for (std::size_t i = 1; i <= count; ++i) {
      text_.open_line("element", i, all);
      constexpr char const* types = "5 or 9, the type of a triangle or quadrilateral";
      auto const type = text_.integer(types, 5, 9);
      if (type != 5 && type != 9) text_.fail(std::to_string(type), types);
      std::array<int, 4> nodes{};
      for (std::size_t n = 0; n < (type == 5 ? 3 : 4); ++n) nodes[n] = node();
      close_numbered(type == 5 ? "a triangle" : "a quadrilateral");
      if (type == 9) {
        add_quadrilateral(found_, nodes, 1, text_.line());
        continue;
      }
      found_.mesh.triangles.push_back({nodes[0], nodes[1], nodes[2]});
      found_.mesh.regions.push_back(1);
      found_.triangle_lines.push_back(text_.line());
    }
  }

  void points() {
    std::size_t const count = text_.count("points", 4);
    // Files of parallel runs: number of points without points of neighbours.
    if (!text_.rest().empty()) text_.fail("more", "one number of points");
    std::string const all = std::to_string(count);
    for (std::size_t i = 1; i <= count; ++i) {
      text_.open_line("point", i, all);
      double const x = text_.real("the x of a point, a number");
      found_.mesh.nodes.push_back({x, text_.real("the y of a point, a number")});
      close_numbered("a point");
    }
  }

  void markers() {
    std::size_t const count = text_.count("markers", 8);
    text_.close_line("the number of markers");
    for (std::size_t m = 0; m < count; ++m) {
      expect_keyword("MARKER_TAG");
      std::string const tag(text_.word());
      if (tag.empty()) text_.fail("end of the line", "the name of a marker");
      text_.close_line("the name of a marker");
      if (!seen_tags_.insert(tag).second) text_.fail(tag, "each marker once");
      tags_.push_back(tag);
      expect_keyword("MARKER_ELEMS");
      std::size_t const edges = text_.count("edges of a marker", 5);
      text_.close_line("the number of edges of a marker");
      std::string const all = std::to_string(edges) + " of marker " + tag;
      for (std::size_t i = 1; i <= edges; ++i) {
        text_.open_line("edge", i, all);
        text_.integer("3, the type of a line", 3, 3);
        int const from = node();
        found_.mesh.edges.push_back({from, node()});
        close_numbered("an edge");
        found_.mesh.edge_labels.push_back(static_cast<int>(m));
        found_.edge_lines.push_back(text_.line());
      }
    }
  }

  /// Assigns numbers to the markers, which so far are only counted.
  void name_markers() {
    std::set<int> used;
    std::vector<int> labels;
    for (std::string const& tag : tags_) {
      labels.push_back(label_of(tag));
      if (labels.back() > 0 && !used.insert(labels.back()).second) text_.fail(tag, "each marker once");
    }
    int next = 1;
    for (std::size_t m = 0; m < tags_.size(); ++m) {
      if (labels[m] > 0) continue;
      while (!used.insert(next).second) ++next;
      labels[m] = next;
      found_.mesh.boundary_names[next] = tags_[m];
    }
    for (int& label : found_.mesh.edge_labels) label = labels[static_cast<std::size_t>(label)];
  }

  MeshText& text_;
  FoundMesh found_;
  std::vector<std::string> tags_;
  std::set<std::string> seen_tags_;
  std::set<std::string> seen_;
  std::string const keywords_ = "NDIME=, NELEM=, NPOIN= or NMARK=";
};

}  // namespace

MeshData read_su2(MeshText& text, MeshReadOptions const& options) { return Su2Reading(text).read(options); }

void write_su2(AtomicFile& file, MeshData const& mesh) {
  std::map<int, std::vector<std::size_t>> boundaries;
  for (std::size_t e = 0; e < mesh.edges.size(); ++e) boundaries[mesh.edge_labels[e]].push_back(e);
  std::map<int, std::string> tags;
  std::set<std::string> used;
  for (auto const& [label, edges] : boundaries) {
    auto const named = mesh.boundary_names.find(label);
    if (named == mesh.boundary_names.end() && label < 1) {
      throw std::invalid_argument("write_mesh: SU2 needs names for boundaries with labels below 1");
    }
    tags[label] = named != mesh.boundary_names.end() ? named->second : std::to_string(label);
    require_name(tags[label], " \t%=", "SU2's format");
    if (!used.insert(tags[label]).second) {
      throw std::invalid_argument("write_mesh: SU2 needs different names, found \"" + tags[label] + "\" twice");
    }
  }
  TextLine line;
  (line << "NDIME=" << 2).end(file);
  (line << "NELEM=" << mesh.triangles.size()).end(file);
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    (line << 5 << mesh.triangles[t][0] << mesh.triangles[t][1] << mesh.triangles[t][2] << t).end(file);
  }
  (line << "NPOIN=" << mesh.nodes.size()).end(file);
  for (std::size_t n = 0; n < mesh.nodes.size(); ++n) (line << mesh.nodes[n][0] << mesh.nodes[n][1] << n).end(file);
  (line << "NMARK=" << boundaries.size()).end(file);
  for (auto const& [label, edges] : boundaries) {
    (line << "MARKER_TAG=" << tags[label]).end(file);
    (line << "MARKER_ELEMS=" << edges.size()).end(file);
    for (std::size_t const e : edges) (line << 3 << mesh.edges[e][0] << mesh.edges[e][1]).end(file);
  }
}

}  // namespace karman::detail
