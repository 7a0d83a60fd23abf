// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// xdmf.org, "XDMF Model and Format": one grid of triangles and quadrilaterals, with the grids of its labels.
#include "mesh_cells.hpp"
#include "xdmf_cells.hpp"
#include "xdmf_items.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

namespace karman::detail {

MeshData read_mesh_group(Hdf5File const& file, std::string const& place, MeshReadOptions const& options);

namespace {

/// The document of a mesh or of fields.
class XdmfReading {
 public:
  XdmfReading(std::filesystem::path const& path, std::size_t most_bytes) : items_(path, most_bytes) {
    pugi::xml_node const root = items_.root();
    std::string const name = root.name();
    if (name != "Xdmf") items_.fail(root, "<" + name + ">", "<Xdmf>");
    grid_ = root.find_node([this](pugi::xml_node const& grid) { return is_mesh(grid); });
    if (!grid_)
      items_.fail(root, "no grid of triangles",
                  "a Grid with a Geometry and a Topology of the type Triangle, Quadrilateral or Mixed");
  }

  MeshData mesh(MeshReadOptions const& options) {
    pugi::xml_node const topology = items_.part(grid_, "Topology");
    pugi::xml_node const item = items_.only_item(topology);
    if (XdmfItems::is_hdf(item)) {
      // Files of Karman have more beside the triangles.
      auto const [file, name] = items_.location(item);
      std::size_t const slash = name.rfind('/');
      std::string const group = name.substr(0, slash);
      Hdf5File const& h5 = items_.open(file);
      if (name.substr(slash) == "/triangles" && !group.empty() && h5.exists(group + "/edge_labels")) {
        return read_mesh_group(h5, group, options);
      }
    }
    FoundMesh found;
    std::vector<std::uint8_t> const corners = add_xdmf_cells(items_, topology, found);
    read_nodes(found);
    if (pugi::xml_node const labels = labels_of_mesh()) assign(labels, corners, found);
    items_.root().find_node([&](pugi::xml_node const& grid) {
      if (std::string_view(grid.name()) != "Grid" || grid == grid_ || !grid.child("Topology")) return false;
      if (is_labels(grid)) add_labels(grid, found);
      else remark(options, "grid \"" + attribute(grid, {"Name"}) + "\" passed over");
      return false;
    });
    read_names(found.mesh);
    return finished(std::move(found), items_.text(), options);
  }

  std::vector<NodalField> fields(std::size_t nodes, std::size_t triangles) {
    std::vector<NodalField> result;
    for (char const* place : {"node", "cell"}) {
      bool const at_nodes = place == std::string_view("node");
      if (!at_nodes && triangles == 0) continue;
      for (pugi::xml_node const& given : grid_.children("Attribute")) {
        if (lower(attribute(given, {"Center"}, "node")) != place || (!at_nodes && given == labels_of_mesh())) continue;
        result.push_back(field(given, at_nodes ? nodes : triangles, at_nodes ? " nodes" : " triangles"));
        result.back().at_triangles = !at_nodes;
      }
    }
    return result;
  }

 private:
  /// A Grid with triangles or quadrilaterals and with nodes of its own.
  bool is_mesh(pugi::xml_node const& grid) const {
    if (std::string_view(grid.name()) != "Grid" || !grid.child("Geometry")) return false;
    pugi::xml_node const topology = items_.part(grid, "Topology");
    return topology && (xdmf_corners(topology) > 2 || is_mixed(topology));
  }

  /// A Grid with cells at the nodes of the mesh, as dolfinx writes tags of facets and cells. It includes the Geometry
  /// of the mesh, refers to it, or names the same dataset.
  bool is_labels(pugi::xml_node const& grid) const {
    auto const place = [&](pugi::xml_node const& of) {
      pugi::xml_node const item = items_.part(items_.part(of, "Geometry"), "DataItem");
      return std::pair(item, text_of(item));
    };
    bool same_nodes = grid.child("xi:include");
    if (!same_nodes && grid.child("Geometry")) {
      auto const here = place(grid), there = place(grid_);
      same_nodes = here.first == there.first || here.second == there.second;
    }
    return same_nodes && xdmf_corners(items_.part(grid, "Topology")) > 1;
  }

  NodalField field(pugi::xml_node const& given, std::size_t places, char const* what) {
    auto data = items_.numbers<double>(items_.only_item(given));
    NodalField field{attribute(given, {"Name"}), 1, std::move(data.values)};
    if (places == 0 || field.values.empty() || field.values.size() % places != 0 || field.values.size() / places > 9) {
      items_.fail(given, std::to_string(field.values.size()) + " values of " + field.name,
                  "a multiple of " + std::to_string(places) + what);
    }
    field.components = static_cast<int>(field.values.size() / places);
    if (!std::all_of(field.values.begin(), field.values.end(), [](double v) { return std::isfinite(v); })) {
      items_.fail(given, "a value of " + field.name + " that is not finite", "finite numbers");
    }
    return field;
  }

  void read_nodes(FoundMesh& found) {
    pugi::xml_node const geometry = items_.part(grid_, "Geometry");
    std::string const type = lower(attribute(geometry, {"GeometryType", "Type"}, "xyz"));
    if (type != "xy" && type != "xyz") items_.fail(geometry, type, "a Geometry of the type XY or XYZ");
    std::size_t const columns = type == "xy" ? 2 : 3;
    auto const data = items_.numbers<double>(items_.only_item(geometry));
    items_.require_rows(data, columns, std::to_string(columns) + " coordinates for each node");
    for (std::size_t i = 0; i + columns <= data.values.size(); i += columns) {
      found.mesh.nodes.push_back({data.values[i], data.values[i + 1]});
      if (columns == 3) found.z.push_back(data.values[i + 2]);
    }
    found.node_lines.assign(found.mesh.nodes.size(), data.line);
  }

  /// The attribute of cells with labels, by its usual names; null where there is none.
  pugi::xml_node labels_of_mesh() const {
    for (char const* name : {"region", "regions", "subdomains", "cell_tags", "cell tags", "gmsh:physical", "medit:ref",
                             "gmsh:geometrical"}) {
      for (pugi::xml_node const& given : grid_.children("Attribute")) {
        if (lower(attribute(given, {"Name"})) == name) return given;
      }
    }
    return {};
  }

  std::vector<int> labels(pugi::xml_node const& given, std::size_t cells) {
    auto const data = items_.numbers<std::int64_t>(items_.only_item(given));
    if (data.values.size() != cells) {
      items_.text().fail(data.line, std::to_string(data.values.size()) + " labels",
                         "one per cell, " + std::to_string(cells));
    }
    std::vector<int> result;
    result.reserve(cells);
    for (std::int64_t const value : data.values) {
      if (value < -most_numbers || value > most_numbers)
        items_.text().fail(data.line, std::to_string(value), "labels up to 2^31 - 1");
      result.push_back(static_cast<int>(value));
    }
    return result;
  }

  /// Gives cells the labels of an attribute. They are the last edges and the first triangles of the mesh.
  void assign(pugi::xml_node const& given, std::vector<std::uint8_t> const& corners, FoundMesh& found) {
    std::vector<int> const all = labels(given, corners.size());
    auto const lines = std::count(corners.begin(), corners.end(), std::uint8_t{2});
    auto edge = found.mesh.edge_labels.end() - lines;
    auto triangle = found.mesh.regions.begin();
    for (std::size_t cell = 0; cell < corners.size(); ++cell) {
      if (corners[cell] == 2) *edge++ = all[cell];
      if (corners[cell] > 2) *triangle++ = all[cell];
      if (corners[cell] > 3) *triangle++ = all[cell];
    }
  }

  /// Labels of edges, or of triangles and quadrilaterals, in a grid of their own.
  void add_labels(pugi::xml_node const& grid, FoundMesh& found) {
    pugi::xml_node given;
    for (pugi::xml_node const& attribute_node : grid.children("Attribute")) {
      if (!given && lower(attribute(attribute_node, {"Center"}, "node")) == "cell") given = attribute_node;
    }
    pugi::xml_node const topology = items_.part(grid, "Topology");
    if (xdmf_corners(topology) == 2) {
      std::vector<std::uint8_t> const corners = add_xdmf_cells(items_, topology, found);
      if (given) assign(given, corners, found);
    } else if (given) {
      FoundMesh labelled;
      assign(given, add_xdmf_cells(items_, topology, labelled), labelled);
      label_cells(found, labelled);
    }
  }

  /// Copies regions between meshes with the same cells in any order. Cells without a label keep theirs.
  static void label_cells(FoundMesh& found, FoundMesh const& labelled) {
    std::vector<FileCell> cells = cells_of(labelled);
    std::sort(cells.begin(), cells.end());
    for (FileCell const& cell : cells_of(found)) {
      auto const same = std::lower_bound(cells.begin(), cells.end(), FileCell{cell.nodes, 0});
      if (same == cells.end() || same->nodes != cell.nodes) continue;
      std::fill_n(found.mesh.regions.begin() + static_cast<std::ptrdiff_t>(cell.triangle), cell.triangles(),
                  labelled.mesh.regions[same->triangle]);
    }
  }

  /// Names that meshio stores as a document of its own: <main><map key="quay" dim="1">3</map></main>.
  void read_names(MeshData& mesh) const {
    std::string const inner = text_of(grid_.child("Information"));
    if (inner.find("<map") == std::string::npos) return;
    MeshText const text(items_.text().source(), inner, items_.line(grid_.child("Information")));
    XmlDocument const document(text);
    for (pugi::xml_node const& map : document.root().children("map")) {
      MeshText words(text.source(), attribute(map, {"dim"}, "-1") + ' ' + text_of(map),
                     items_.line(grid_.child("Information")));
      words.across_lines();
      std::int64_t const dimension = words.integer("the dimension of a group", 0, 3);
      int const label = words.label("the label of a group");
      if (dimension == 1) mesh.boundary_names.emplace(label, attribute(map, {"key"}));
      if (dimension == 2) mesh.region_names.emplace(label, attribute(map, {"key"}));
    }
  }

  XdmfItems items_;
  pugi::xml_node grid_;
};

}  // namespace

MeshData read_xdmf(std::filesystem::path const& path, MeshReadOptions const& options) {
  return XdmfReading(path, options.most_bytes).mesh(options);
}

std::vector<NodalField> read_xdmf_fields(std::filesystem::path const& path, std::size_t nodes, std::size_t triangles) {
  return XdmfReading(path, MeshReadOptions{}.most_bytes).fields(nodes, triangles);
}

}  // namespace karman::detail
