// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// P. Frey, MEDIT: an interactive mesh visualization software, INRIA technical report 253 (2001).
#include "mesh_text.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <stdexcept>
#include <utility>

namespace karman::detail {
namespace {

/// The head of .mesh and .sol files; the dimension.
int read_head(MeshText& text) {
  auto const word = [&](char const* wanted) {
    std::string const found(text.word());
    if (found != wanted) text.fail(found.empty() ? "end of the file" : '"' + found.substr(0, 40) + '"', wanted);
  };
  text.across_lines();
  word("MeshVersionFormatted");
  text.integer("the version of the format", 0, 4);  // bamg writes 0
  word("Dimension");
  return static_cast<int>(text.integer("the dimension", 2, 3));
}

/// A section without content for a plane mesh of triangles: place of its list, and numbers per entry.
struct OtherSection {
  enum class Kind { list, single, name } kind = Kind::list;
  int numbers = 1, numbers_per_dimension = 0;
};

/// Legal sections that are skipped (M. Loseille, libMeshb, lists them beside the report).
std::map<std::string, OtherSection, std::less<>> const other_sections{
    {"Identifier", {OtherSection::Kind::name}},
    {"Geometry", {OtherSection::Kind::name}},
    {"IncludeFile", {OtherSection::Kind::name}},
    {"AngleOfCornerBound", {OtherSection::Kind::single}},
    {"MaximalEdgeSize", {OtherSection::Kind::single}},
    {"Time", {OtherSection::Kind::single}},
    {"Iterations", {OtherSection::Kind::single}},
    {"BoundingBox", {OtherSection::Kind::single, 0, 2}},
    {"Corners", {}},
    {"Ridges", {}},
    {"RequiredVertices", {}},
    {"RequiredEdges", {}},
    {"RequiredTriangles", {}},
    {"RequiredQuadrilaterals", {}},
    {"Normals", {OtherSection::Kind::list, 0, 1}},
    {"Tangents", {OtherSection::Kind::list, 0, 1}},
    {"NormalAtVertices", {OtherSection::Kind::list, 2}},
    {"TangentAtVertices", {OtherSection::Kind::list, 2}},
    {"NormalAtTriangleVertices", {OtherSection::Kind::list, 3}},
    {"NormalAtQuadrilateralVertices", {OtherSection::Kind::list, 3}},
    {"TangentAtEdges", {OtherSection::Kind::list, 3}},
    {"TangentAtEdgeVertices", {OtherSection::Kind::list, 3}},
    {"CrackedEdges", {OtherSection::Kind::list, 2}},
    {"CrackedTriangles", {OtherSection::Kind::list, 2}},
    {"EquivalentEdges", {OtherSection::Kind::list, 2}},
    {"PhysicsReference", {OtherSection::Kind::list, 1}},
    {"SubDomain", {OtherSection::Kind::list, 4}},
    {"SubDomainFromGeom", {OtherSection::Kind::list, 4}},
    {"SubDomainFromMesh", {OtherSection::Kind::list, 4}},
    {"VertexOnGeometricVertex", {OtherSection::Kind::list, 2}},
    {"VertexOnGeometricEdge", {OtherSection::Kind::list, 3}},
    {"VertexOnGeometricTriangle", {OtherSection::Kind::list, 4}},
    {"VertexOnGeometricQuadrilateral", {OtherSection::Kind::list, 4}},
    {"EdgeOnGeometricEdge", {OtherSection::Kind::list, 2}},
    {"VertexOnSupportVertex", {OtherSection::Kind::list, 2}},
    {"VertexOnSupportEdge", {OtherSection::Kind::list, 3}},
    {"VertexOnSupportTriangle", {OtherSection::Kind::list, 4}}};

void skip(MeshText& text, std::string const& keyword, OtherSection const& section, int dimension) {
  if (section.kind == OtherSection::Kind::name) return text.skip_quoted("a name in quotes after " + keyword);
  std::size_t const entries = section.kind == OtherSection::Kind::list ? text.count("entries of " + keyword, 2) : 1;
  int const numbers = section.numbers + dimension * section.numbers_per_dimension;
  std::string const expected = "a number of " + keyword;
  for (std::size_t i = 0; i < entries * static_cast<std::size_t>(numbers); ++i)
    text.real(expected, std::numeric_limits<double>::infinity());
}

/// Elements that are not read.
std::set<std::string, std::less<>> const other_elements{"Tetrahedra", "Hexahedra",  "Prisms",       "Pyramids",
                                                        "Hexaedra",   "Pentahedra", "TetrahedraP2", "HexahedraQ2",
                                                        "PrismsP2",   "PyramidsP2"};

/// Elements of one section. Nodes between the corners belong to second order.
template <std::size_t corners>
void read_elements(MeshText& text, std::size_t nodes, char const* what, FoundMesh& found,
                   std::vector<std::array<int, corners>>& elements, std::vector<int>& labels, std::vector<int>& lines) {
  std::size_t const count = text.count(std::string(what) + 's', 2 * (nodes + 1));
  elements.reserve(elements.size() + count);
  labels.reserve(elements.size() + count);
  lines.reserve(elements.size() + count);
  std::string reference = corners == 2 ? "the reference of an " : "the reference of a ";
  reference += what;
  for (std::size_t i = 0; i < count; ++i) {
    std::array<int, corners> element{};
    for (std::size_t n = 0; n < nodes; ++n) {
      int const node = static_cast<int>(text.integer("the number of a vertex", 1, most_numbers)) - 1;
      if (n < corners) element[n] = node;
      else found.middle_nodes.push_back(node);
    }
    elements.push_back(element);
    labels.push_back(text.label(reference));
    lines.push_back(text.line());
  }
}

void read_quadrilaterals(MeshText& text, std::size_t nodes, FoundMesh& found) {
  std::vector<std::array<int, 4>> elements;
  std::vector<int> labels, lines;
  read_elements(text, nodes, "quadrilateral", found, elements, labels, lines);
  for (std::size_t i = 0; i < elements.size(); ++i) add_quadrilateral(found, elements[i], labels[i], lines[i]);
}

}  // namespace

MeshData read_medit(MeshText& text, MeshReadOptions const& options) {
  int const dimension = read_head(text);
  FoundMesh found;
  MeshData& mesh = found.mesh;
  std::set<std::string> seen;
  std::string const keywords = "Vertices, Edges, Triangles, Quadrilaterals or End";
  for (;;) {
    std::string const keyword(text.word());
    if (keyword == "End") break;
    if (keyword.empty()) text.fail("end of the file", keywords);
    if (!seen.insert(keyword).second) text.fail(keyword, "each keyword once");
    if (keyword == "Vertices") {
      std::size_t const count = text.count("vertices", 6);
      found.expect_nodes(count);
      for (std::size_t i = 0; i < count; ++i) {
        double const x = text.real("the x of a vertex, a number");
        mesh.nodes.push_back({x, text.real("the y of a vertex, a number")});
        if (dimension == 3) found.z.push_back(text.real("the z of a vertex, a number"));
        found.node_lines.push_back(text.line());
        text.label("the reference of a vertex");
      }
    } else if (keyword == "Triangles" || keyword == "TrianglesP2") {
      read_elements(text, keyword == "Triangles" ? 3 : 6, "triangle", found, mesh.triangles, mesh.regions,
                    found.triangle_lines);
    } else if (keyword == "Quadrilaterals" || keyword == "QuadrilateralsQ2") {
      read_quadrilaterals(text, keyword == "Quadrilaterals" ? 4 : 9, found);
    } else if (keyword == "Edges" || keyword == "EdgesP2") {
      read_elements(text, keyword == "Edges" ? 2 : 3, "edge", found, mesh.edges, mesh.edge_labels, found.edge_lines);
    } else if (auto const other = other_sections.find(keyword); other != other_sections.end()) {
      skip(text, keyword, other->second, dimension);
    } else if (other_elements.count(keyword) > 0) {
      if (text.count(keyword, 2) > 0) text.fail(keyword, "a mesh of triangles");
    } else {
      text.fail('"' + keyword.substr(0, 40) + '"', keywords);
    }
  }
  if (std::string_view const more = text.word(); !more.empty()) {
    text.fail('"' + std::string(more.substr(0, 40)) + '"', "nothing after End");
  }
  return finished(std::move(found), text, options);
}

void write_medit(AtomicFile& file, MeshData const& mesh) {
  TextLine line;
  file.write("MeshVersionFormatted 2\nDimension 2\nVertices\n");
  (line << mesh.nodes.size()).end(file);
  for (auto const& p : mesh.nodes) (line << p[0] << p[1] << 0).end(file);
  file.write("Edges\n");
  (line << mesh.edges.size()).end(file);
  for (std::size_t e = 0; e < mesh.edges.size(); ++e) {
    (line << mesh.edges[e][0] + 1 << mesh.edges[e][1] + 1 << mesh.edge_labels[e]).end(file);
  }
  file.write("Triangles\n");
  (line << mesh.triangles.size()).end(file);
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    for (int const n : mesh.triangles[t]) line << n + 1;
    (line << mesh.regions[t]).end(file);
  }
  file.write("End\n");
}

std::vector<NodalField> read_sol(MeshText& text, std::size_t nodes, std::size_t triangles) {
  if (int const dimension = read_head(text); dimension != 2) {
    text.fail(std::to_string(dimension), "dimension 2");
  }
  std::string const keyword(text.word());
  bool const at_triangles = keyword == "SolAtTriangles" && triangles > 0;
  if (keyword != "SolAtVertices" && !at_triangles) {
    text.fail(keyword.empty() ? "end of the file" : '"' + keyword.substr(0, 40) + '"',
              triangles > 0 ? "SolAtVertices or SolAtTriangles" : "SolAtVertices");
  }
  char const* const places = at_triangles ? "triangles" : "vertices";
  std::size_t const wanted = at_triangles ? triangles : nodes;
  std::size_t const count = text.count(places, 2);
  if (count != wanted)
    text.fail(std::to_string(count) + " values",
              "one for each of the " + std::to_string(wanted) + ' ' + places + " of the mesh");
  std::size_t const types = text.count("fields", 2);
  std::vector<NodalField> fields(types);
  for (std::size_t f = 0; f < types; ++f) {
    fields[f].name = std::to_string(f + 1);
    fields[f].at_triangles = at_triangles;
    fields[f].components =
        static_cast<int>(text.integer("the type of a field: 1 (scalar), 2 (vector) or 3 (symmetric tensor)", 1, 3));
  }
  for (std::size_t n = 0; n < count; ++n) {
    for (NodalField& field : fields) {
      for (int c = 0; c < field.components; ++c) {
        field.values.push_back(text.real("a finite number", std::numeric_limits<double>::infinity()));
      }
    }
  }
  std::string const end(text.word());
  if (end != "End") text.fail(end.empty() ? "end of the file" : '"' + end.substr(0, 40) + '"', "End");
  if (!text.word().empty()) text.fail("more", "nothing after End");
  return fields;
}

}  // namespace karman::detail

namespace karman {

void write_sol(std::filesystem::path const& path, std::vector<NodalField> const& fields, Overwrite overwrite) {
  auto const refuse = [](std::string const& what) { throw std::invalid_argument("write_sol: " + what); };
  if (fields.empty()) refuse("no fields");
  std::size_t const nodes =
      fields.front().values.size() / static_cast<std::size_t>(std::max(1, fields.front().components));
  for (NodalField const& field : fields) {
    if (field.components < 1 || field.components > 3) refuse("a field has one, two or three components");
    if (field.values.size() != nodes * static_cast<std::size_t>(field.components))
      refuse("fields of different lengths");
    for (double const v : field.values) {
      if (!std::isfinite(v)) refuse("the field \"" + field.name + "\" has a value that is not finite");
    }
  }
  AtomicFile file(path, overwrite);
  detail::TextLine line;
  file.write("MeshVersionFormatted 2\nDimension 2\nSolAtVertices\n");
  (line << nodes).end(file);
  line << fields.size();
  for (NodalField const& field : fields) line << field.components;
  line.end(file);
  for (std::size_t n = 0; n < nodes; ++n) {
    for (NodalField const& field : fields) {
      auto const width = static_cast<std::size_t>(field.components);
      for (std::size_t c = 0; c < width; ++c) line << field.values[n * width + c];
    }
    line.end(file);
  }
  file.write("End\n");
  file.commit();
}

}  // namespace karman
