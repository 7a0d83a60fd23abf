// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SU2 documentation, "Mesh File": the native format.
#include "mesh_text.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <map>
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

/// "FFD_NBOX, FFD_TAG and 3 more"
std::string listed(std::vector<std::string> const& keys) {
  constexpr std::size_t most_listed = 4;
  std::string text;
  for (std::size_t i = 0; i < std::min(keys.size(), most_listed); ++i) text += (i == 0 ? "" : ", ") + keys[i];
  if (keys.size() > most_listed) text += " and " + std::to_string(keys.size() - most_listed) + " more";
  return text;
}

/// State of reading one file. Sections come in any order; those with other keys than the four are passed over.
class Su2Reading {
 public:
  Su2Reading(MeshText& text, MeshReadOptions const& options) : text_(text), options_(options) {}

  MeshData read() {
    while (!complete_ && text_.next_line()) {
      if (!text_.has_key()) {
        if (!passing_over_) text_.fail(quoted(text_.rest()), keywords_);
        continue;
      }
      std::string const keyword(text_.key());
      passing_over_ = false;
      section(keyword);
    }
    if (options_.zone < 1 || options_.zone > zones_)
      text_.fail(0, "zone " + std::to_string(options_.zone), "a zone of the file, which has one");
    for (char const* keyword : {"NDIME", "NELEM", "NPOIN", "NMARK"}) {
      if (seen_.count(keyword) == 0) text_.fail("end of the file", std::string(keyword) + "=");
    }
    name_markers();
    report();
    return finished(std::move(found_), text_, options_);
  }

 private:
  static std::string quoted(std::string_view words) { return '"' + std::string(words.substr(0, 40)) + '"'; }

  void section(std::string const& keyword) {
    if (keyword == "NZONE") return zones();
    if (keyword == "IZONE") return zone();
    if (zone_ != 0 && zone_ != options_.zone) {
      passing_over_ = true;
      return;
    }
    bool const known = keyword == "NDIME" || keyword == "NELEM" || keyword == "NPOIN" || keyword == "NMARK";
    if (known && !seen_.insert(keyword).second) {
      if (keyword != "NDIME" || zone_ == 0) text_.fail(keyword, "each keyword once");
    }
    if (keyword == "NDIME") {
      text_.integer("2, the dimension", 2, 2);
      close();
    } else if (keyword == "NELEM") {
      elements();
    } else if (keyword == "NPOIN") {
      points();
    } else if (keyword == "NMARK") {
      markers();
    } else {
      pass_over(keyword);
    }
  }

  void pass_over(std::string const& keyword) {
    bool const is_key = !keyword.empty() && std::all_of(keyword.begin(), keyword.end(), [](unsigned char c) {
      return std::isalnum(c) != 0 || c == '_';
    });
    if (!is_key || keyword == "MARKER_TAG" || keyword == "MARKER_ELEMS") text_.fail(quoted(keyword), keywords_);
    passing_over_ = true;
    if (std::find(others_.begin(), others_.end(), keyword) == others_.end()) others_.push_back(keyword);
  }

  void zones() {
    if (!seen_.insert("NZONE").second) text_.fail("NZONE", "each keyword once");
    zones_ = static_cast<int>(text_.integer("the number of zones", 1, most_numbers));
    close();
    if (options_.zone < 1 || options_.zone > zones_)
      text_.fail("zone " + std::to_string(options_.zone), "a zone of the file, 1 to " + std::to_string(zones_));
  }

  void zone() {
    int const next = static_cast<int>(text_.integer("the number of a zone", 1, zones_));
    close();
    if (next == zone_) text_.fail("IZONE= " + std::to_string(next), "each zone once");
    complete_ = zone_ == options_.zone;
    zone_ = next;
  }

  void expect_keyword(std::string const& wanted) {
    text_.open_line(wanted + "=");
    if (std::string const found(text_.key()); found != wanted) text_.fail(quoted(found), wanted + "=");
  }

  /// More numbers may follow in a line, such as that of a point or an element, and counts without neighbours.
  void close() {
    while (text_.more()) text_.real("a number, or the end of the line");
  }

  int node() { return static_cast<int>(text_.integer("the number of a point, from 0", 0, most_numbers)); }

  void elements() {
    std::size_t const count = text_.count("elements", 8);
    close();
    found_.expect_triangles(count);
    std::string const all = std::to_string(count);
    for (std::size_t i = 1; i <= count; ++i) {
      text_.open_line("element", i, all);
      constexpr char const* types = "5 or 9, the type of a triangle or quadrilateral";
      auto const type = text_.integer(types, 5, 9);
      if (type != 5 && type != 9) text_.fail(std::to_string(type), types);
      std::array<int, 4> nodes{};
      for (std::size_t n = 0; n < (type == 5 ? 3 : 4); ++n) nodes[n] = node();
      close();
      if (type == 9) {
        add_quadrilateral(found_, nodes, 1, text_.line());
        continue;
      }
      found_.mesh.triangles.push_back({nodes[0], nodes[1], nodes[2]});
      found_.mesh.regions.push_back(1);
      found_.triangle_lines.push_back(text_.line());
    }
  }

  /// The third number of a line is z, or the number of the point: the last one in every line, and whole.
  void points() {
    std::size_t const count = text_.count("points", 4);
    close();
    std::string const all = std::to_string(count);
    found_.expect_nodes(count);
    std::vector<double> third;
    bool numbered = true;
    for (std::size_t i = 1; i <= count; ++i) {
      text_.open_line("point", i, all);
      double const x = text_.real("the x of a point, a number");
      found_.mesh.nodes.push_back({x, text_.real("the y of a point, a number")});
      found_.node_lines.push_back(text_.line());
      if (!text_.more()) continue;
      third.push_back(text_.real("the z or the number of a point, or the end of the line"));
      numbered = numbered && third.back() >= 0 && third.back() == std::floor(third.back()) && !text_.more();
      close();
    }
    if (third.size() == count && !numbered) found_.z = std::move(third);
  }

  void markers() {
    std::size_t const count = text_.count("markers", 8);
    close();
    for (std::size_t m = 0; m < count; ++m) {
      expect_keyword("MARKER_TAG");
      std::string const tag(text_.word());
      if (tag.empty()) text_.fail("end of the line", "the name of a marker");
      text_.close_line("the name of a marker");
      expect_keyword("MARKER_ELEMS");
      std::size_t const edges = text_.count("edges of a marker", 4);
      close();
      if (tag == "SEND_RECEIVE") halo(edges);
      else marker(tag, edges);
    }
  }

  void marker(std::string const& tag, std::size_t edges) {
    auto const [place, is_new] = places_.emplace(tag, static_cast<int>(tags_.size()));
    if (is_new) tags_.push_back(tag);
    else joined_.insert(tag);
    std::string const all = std::to_string(edges) + " of marker " + tag;
    for (std::size_t i = 1; i <= edges; ++i) {
      text_.open_line("edge", i, all);
      text_.integer("3, the type of a line", 3, 3);
      int const from = node();
      found_.mesh.edges.push_back({from, node()});
      close();
      found_.mesh.edge_labels.push_back(place->second);
      found_.edge_lines.push_back(text_.line());
    }
  }

  /// Copies of points of neighbouring processes, which files of parallel runs have.
  void halo(std::size_t points) {
    expect_keyword("SEND_RECV");
    text_.integer("the number of a process", -most_numbers, most_numbers);
    close();
    std::string const all = std::to_string(points) + " of marker SEND_RECEIVE";
    for (std::size_t i = 1; i <= points; ++i) {
      text_.open_line("point", i, all);
      text_.integer("1, the type of a point", 1, 1);
      node();
      close();
    }
    has_halo_ = true;
  }

  /// Assigns numbers to the markers, which so far are only counted.
  void name_markers() {
    std::set<int> used;
    std::vector<int> labels;
    for (std::string const& tag : tags_) {
      labels.push_back(label_of(tag));
      used.insert(labels.back());
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

  void report() {
    if (zones_ > 1)
      remark(options_, "zone " + std::to_string(options_.zone) + " of " + std::to_string(zones_) +
                           "; the option zone reads another");
    if (has_halo_) others_.push_back("SEND_RECEIVE");
    if (!others_.empty()) remark(options_, "sections without a meaning here passed over: " + listed(others_));
    for (std::string const& tag : joined_) remark(options_, "several blocks of marker " + tag + " joined");
    // A truncated number would still be a number.
    if (!text_.ends_with_line() && !complete_)
      remark(options_, "the last line has no end; all counts are met, but its last number could be truncated");
  }

  MeshText& text_;
  MeshReadOptions const& options_;
  FoundMesh found_;
  std::vector<std::string> tags_;
  std::map<std::string, int> places_;  ///< of the tags
  std::set<std::string> joined_, seen_;
  std::vector<std::string> others_;  ///< keys that were passed over
  int zones_ = 1, zone_ = 0;         ///< 0: before the first zone
  bool complete_ = false;            ///< the next zone has begun
  bool passing_over_ = false, has_halo_ = false;
  std::string const keywords_ = "NDIME=, NELEM=, NPOIN= or NMARK=";
};

}  // namespace

MeshData read_su2(MeshText& text, MeshReadOptions const& options) { return Su2Reading(text, options).read(); }

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
