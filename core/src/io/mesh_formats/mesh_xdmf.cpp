// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// xdmf.org, "XDMF Model and Format": one grid of triangles.
#include "io/xdmf/xml_document.hpp"
#include <karman/io/error.hpp>
#include <karman/io/hdf5_file.hpp>
#include <karman/io/xdmf.hpp>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <map>
#include <set>
#include <stdexcept>
#include <utility>

namespace karman::detail {

MeshData read_mesh_group(Hdf5File const& file, std::string const& place, MeshReadOptions const& options);

namespace {

std::string lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return std::tolower(c); });
  return text;
}

/// Nodes per triangle of the topology: 3, or 6 for second order; 0 for other elements.
std::size_t corners_and_middles(pugi::xml_node const& topology) {
  std::string const type = lower(attribute(topology, {"TopologyType", "Type"}));
  return type == "triangle" ? 3 : type == "triangle_6" || type == "tri_6" ? 6 : 0;
}

/// The first uniform grid with a topology of triangles, in the order of the text; null where there is none.
pugi::xml_node triangle_grid(pugi::xml_node const& within) {
  return within.find_node([](pugi::xml_node const& node) {
    pugi::xml_node const topology = node.child("Topology");
    return std::string_view(node.name()) == "Grid" && topology && corners_and_middles(topology) > 0;
  });
}

/// Numbers with the extents of their DataItem.
template <class T>
struct Numbers {
  std::vector<std::size_t> extents;
  std::vector<T> values;
  int line = 0;
};

/// One document and its HDF5 file.
class XdmfReading {
 public:
  XdmfReading(std::filesystem::path const& path, std::size_t most_bytes)
      : path_(path), text_(path, most_bytes), document_(text_) {
    pugi::xml_node const root = document_.root();
    std::string const name = root.name();
    if (name != "Xdmf") fail(root, "<" + name + ">", "<Xdmf>");
    grid_ = triangle_grid(root);
    if (!grid_) fail(root, "no grid of triangles", "a Grid with a Topology of the type Triangle");
  }

  MeshData mesh(MeshReadOptions const& options) {
    pugi::xml_node const topology = grid_.child("Topology");
    pugi::xml_node const item = only_item(topology);
    if (is_hdf(item)) {
      // Files of Karman have more beside the triangles.
      auto const [file, name] = location(item);
      std::size_t const slash = name.rfind('/');
      std::string const group = name.substr(0, slash);
      Hdf5File const& h5 = open(file);
      if (name.substr(slash) == "/triangles" && !group.empty() && h5.exists(group + "/edge_labels")) {
        return read_mesh_group(h5, group, options);
      }
    }
    FoundMesh found;
    auto const triangles = numbers<std::int64_t>(item);
    std::size_t const columns = corners_and_middles(topology);
    require_rows(triangles, columns, std::to_string(columns) + " nodes per triangle");
    std::int64_t const base = base_offset(topology);
    for (std::size_t i = 0; i + columns <= triangles.values.size(); i += columns) {
      std::array<int, 3> nodes{};
      for (std::size_t k = 0; k < columns; ++k) {
        std::int64_t const n = triangles.values[i + k];
        if (n < base || n - base > most_numbers) {
          text_.fail(triangles.line, std::to_string(n), "the number of a node, from " + std::to_string(base));
        }
        if (k < 3) nodes[k] = static_cast<int>(n - base);
        else found.middle_nodes.push_back(static_cast<int>(n - base));
      }
      found.mesh.triangles.push_back(nodes);
    }
    read_nodes(found);
    read_regions(found.mesh);
    found.triangle_lines.assign(found.mesh.triangles.size(), triangles.line);
    return finished(std::move(found), text_, options);
  }

  std::vector<NodalField> fields(std::size_t nodes) {
    std::vector<NodalField> result;
    for (pugi::xml_node const& given : grid_.children("Attribute")) {
      if (lower(attribute(given, {"Center"}, "node")) != "node") continue;
      auto data = numbers<double>(only_item(given));
      NodalField field{attribute(given, {"Name"}), 1, std::move(data.values)};
      if (nodes == 0 || field.values.empty() || field.values.size() % nodes != 0 || field.values.size() / nodes > 9) {
        fail(given, std::to_string(field.values.size()) + " values of " + field.name,
             "a multiple of " + std::to_string(nodes) + " nodes");
      }
      field.components = static_cast<int>(field.values.size() / nodes);
      if (!std::all_of(field.values.begin(), field.values.end(), [](double v) { return std::isfinite(v); })) {
        fail(given, "a value of " + field.name + " that is not finite", "finite numbers");
      }
      result.push_back(std::move(field));
    }
    return result;
  }

 private:
  [[noreturn]] void fail(pugi::xml_node const& element, std::string_view found, std::string_view expected) const {
    text_.fail(document_.line(element), found, expected);
  }

  pugi::xml_node only_item(pugi::xml_node const& parent) const {
    pugi::xml_node const item = parent.child("DataItem");
    if (!item) fail(parent, "<" + std::string(parent.name()) + "> without a DataItem", "a DataItem with its numbers");
    return item;
  }

  static bool is_hdf(pugi::xml_node const& item) { return lower(attribute(item, {"Format"}, "xml")) == "hdf"; }

  /// File and dataset of "waves.h5:/mesh/nodes".
  std::pair<std::filesystem::path, std::string> location(pugi::xml_node const& item) const {
    std::string const whole = text_of(item);
    std::size_t const first = whole.find_first_not_of(" \t\r\n");
    std::size_t const last = whole.find_last_not_of(" \t\r\n");
    std::string const text = first == std::string::npos ? "" : whole.substr(first, last - first + 1);
    std::size_t const colon = text.find(":/");
    std::filesystem::path const file = text.substr(0, std::min(colon, text.size()));
    bool const above = std::any_of(file.begin(), file.end(), [](auto const& part) { return part == ".."; });
    if (colon == std::string::npos || file.empty() || file.is_absolute() || above) {
      fail(item, '"' + text.substr(0, 60) + '"',
           "an HDF5 file in the folder of this one, and a dataset: file.h5:/name");
    }
    std::string const name = text.substr(colon + 1);
    if (name.find("//") != std::string::npos || (name + '/').find("/./") != std::string::npos ||
        (name + '/').find("/../") != std::string::npos || name.back() == '/' || name.find('\0') != std::string::npos) {
      fail(item, '"' + name.substr(0, 60) + '"', "a name in an HDF5 file");
    }
    return {file, name};
  }

  Hdf5File const& open(std::filesystem::path const& name) {
    auto found = files_.find(name);
    if (found == files_.end()) found = files_.emplace(name, Hdf5File::open(path_.parent_path() / name)).first;
    return found->second;
  }

  template <class T, class Stored>
  static std::vector<T> converted(Hdf5File const& file, std::string const& name) {
    auto const stored = file.read_vector<Stored>(name);
    return std::vector<T>(stored.begin(), stored.end());
  }

  template <class T>
  std::vector<T> dataset(Hdf5File const& file, std::string const& name, int line) const {
    ScalarType const type = file.info(name).type;
    if constexpr (std::is_same_v<T, double>) {
      if (type == ScalarType::float64) return file.read_vector<double>(name);
      if (type == ScalarType::float32) return converted<T, float>(file, name);
    }
    switch (type) {
      case ScalarType::int8: return converted<T, std::int8_t>(file, name);
      case ScalarType::int16: return converted<T, std::int16_t>(file, name);
      case ScalarType::int32: return converted<T, std::int32_t>(file, name);
      case ScalarType::int64: return converted<T, std::int64_t>(file, name);
      case ScalarType::uint8: return converted<T, std::uint8_t>(file, name);
      case ScalarType::uint16: return converted<T, std::uint16_t>(file, name);
      case ScalarType::uint32: return converted<T, std::uint32_t>(file, name);
      // Numbers beyond 2^63 become negative, and are then refused as numbers of nodes.
      case ScalarType::uint64: return converted<T, std::uint64_t>(file, name);
      default: text_.fail(line, name + " of " + std::string(scalar_name(type)), "whole numbers");
    }
  }

  template <class T>
  Numbers<T> numbers(pugi::xml_node const& item) {
    Numbers<T> result;
    result.line = document_.line(item);
    if (lower(attribute(item, {"ItemType"}, "uniform")) != "uniform" || !attribute(item, {"Reference"}).empty()) {
      fail(item, "a DataItem that refers to others", "one with numbers, or with the name of a dataset");
    }
    MeshText sizes(text_.source(), attribute(item, {"Dimensions"}), document_.line(item));
    sizes.across_lines();
    double product = 1;
    while (sizes.more()) {
      if (result.extents.size() == 4) fail(item, attribute(item, {"Dimensions"}), "four Dimensions at most");
      result.extents.push_back(static_cast<std::size_t>(sizes.integer("Dimensions, whole numbers", 0, most_numbers)));
      product *= static_cast<double>(result.extents.back());
    }
    if (result.extents.empty()) fail(item, "no Dimensions", "Dimensions, whole numbers");
    if (is_hdf(item)) {
      auto const [file, name] = location(item);
      result.values = dataset<T>(open(file), name, document_.line(item));
    } else if (lower(attribute(item, {"Format"}, "xml")) == "xml") {
      std::string text = text_of(item);
      if (product > static_cast<double>(text.size())) {
        fail(item, attribute(item, {"Dimensions"}), "Dimensions within the number of values");
      }
      MeshText words(text_.source(), std::move(text), document_.text_line(item));
      words.across_lines("end of the DataItem");
      for (double i = 0; i < product; ++i) {
        if constexpr (std::is_same_v<T, double>) result.values.push_back(words.real("a number"));
        else result.values.push_back(words.integer("a whole number", -most_numbers, most_numbers));
      }
      if (!words.word().empty()) fail(item, "more numbers", "the count in Dimensions");
    } else {
      fail(item, attribute(item, {"Format"}), "Format HDF or XML");
    }
    if (static_cast<double>(result.values.size()) != product) {
      fail(item, std::to_string(result.values.size()) + " numbers", "the count in Dimensions");
    }
    return result;
  }

  /// n rows of `columns`, or all in one row.
  template <class T>
  void require_rows(Numbers<T> const& data, std::size_t columns, std::string const& expected) const {
    bool const table = data.extents.size() == 2 && data.extents[1] == columns;
    bool const flat = data.extents.size() == 1 && data.extents[0] % columns == 0;
    if (!table && !flat) text_.fail(data.line, std::to_string(data.values.size()) + " numbers", expected);
  }

  std::int64_t base_offset(pugi::xml_node const& topology) const {
    MeshText text(text_.source(), attribute(topology, {"BaseOffset"}, "0"), document_.line(topology));
    text.next_line();
    return text.integer("BaseOffset 0 or 1", 0, 1);
  }

  void read_nodes(FoundMesh& found) {
    pugi::xml_node const geometry = grid_.child("Geometry");
    if (!geometry) fail(grid_, "a Grid without Geometry", "a Geometry of the type XY or XYZ");
    std::string const type = lower(attribute(geometry, {"GeometryType", "Type"}, "xyz"));
    if (type != "xy" && type != "xyz") fail(geometry, type, "a Geometry of the type XY or XYZ");
    std::size_t const columns = type == "xy" ? 2 : 3;
    auto const data = numbers<double>(only_item(geometry));
    require_rows(data, columns, std::to_string(columns) + " coordinates for each node");
    for (std::size_t i = 0; i + columns <= data.values.size(); i += columns) {
      found.mesh.nodes.push_back({data.values[i], data.values[i + 1]});
      if (columns == 3) found.z.push_back(data.values[i + 2]);
    }
    found.node_lines.assign(found.mesh.nodes.size(), data.line);
  }

  /// From a cell attribute of that name, else 1.
  void read_regions(MeshData& mesh) {
    mesh.regions.assign(mesh.triangles.size(), 1);
    for (pugi::xml_node const& given : grid_.children("Attribute")) {
      std::string const name = lower(attribute(given, {"Name"}));
      if (name != "region" && name != "regions") continue;
      auto const data = numbers<std::int64_t>(only_item(given));
      if (data.values.size() != mesh.triangles.size()) {
        text_.fail(data.line, std::to_string(data.values.size()) + " regions",
                   "one per triangle, " + std::to_string(mesh.triangles.size()));
      }
      for (std::size_t t = 0; t < data.values.size(); ++t) {
        if (std::abs(static_cast<double>(data.values[t])) > static_cast<double>(most_numbers)) {
          text_.fail(data.line, std::to_string(data.values[t]), "regions up to 2^31 - 1");
        }
        mesh.regions[t] = static_cast<int>(data.values[t]);
      }
      return;
    }
  }

  std::filesystem::path path_;
  MeshText text_;
  XmlDocument document_;
  pugi::xml_node grid_;
  std::map<std::filesystem::path, Hdf5File> files_;
};

}  // namespace

MeshData read_xdmf(std::filesystem::path const& path, MeshReadOptions const& options) {
  return XdmfReading(path, options.most_bytes).mesh(options);
}

std::vector<NodalField> read_xdmf_fields(std::filesystem::path const& path, std::size_t nodes) {
  return XdmfReading(path, MeshReadOptions{}.most_bytes).fields(nodes);
}

void write_xdmf(std::filesystem::path const& path, MeshData const& mesh, std::vector<NodalField> const& fields,
                Overwrite overwrite) {
  std::size_t const nodes = mesh.nodes.size(), triangles = mesh.triangles.size();
  std::filesystem::path h5 = path;
  h5.replace_extension(".h5");
  if (h5 == path) throw std::invalid_argument("write_mesh: an XDMF file ends in .xdmf: its HDF5 file ends in .h5");
  std::filesystem::path const name = h5.filename();
  XdmfTriangleGrid const grid{{name, "/mesh/nodes", ScalarType::float64, {nodes, 2}},
                              {name, "/mesh/triangles", ScalarType::int32, {triangles, 3}}};
  std::vector<XdmfAttribute> attributes{
      {"region", XdmfCenter::cell, {name, "/mesh/regions", ScalarType::int32, {triangles}}}};
  std::set<std::string> names;
  for (NodalField const& field : fields) {
    require_name(field.name, "/", "XDMF");
    if (!names.insert(field.name).second) {
      throw std::invalid_argument("write_mesh: two fields of the name \"" + field.name + '"');
    }
    bool const vector = field.components == 2 || field.components == 3;
    if ((field.components != 1 && !vector) ||
        field.values.size() != nodes * static_cast<std::size_t>(field.components)) {
      throw std::invalid_argument("write_mesh: the field \"" + field.name +
                                  "\" needs one, two or three values per node");
    }
    attributes.push_back(
        {field.name,
         XdmfCenter::node,
         {name, "/fields/" + field.name, ScalarType::float64, vector ? ArrayExtents{nodes, 3} : ArrayExtents{nodes}}});
  }
  XdmfDocument document;
  document.add("mesh", grid, attributes);

  AtomicFile text(path, overwrite);  // created first, to find out early whether it may be written
  Hdf5File file = Hdf5File::create(h5, overwrite);
  write_mesh(file, "/mesh", mesh);
  for (NodalField const& field : fields) {
    if (field.components != 2) {
      file.write("/fields/" + field.name, field.values.data(),
                 field.components == 1 ? ArrayExtents{nodes} : ArrayExtents{nodes, 3});
      continue;
    }
    std::vector<double> values(3 * nodes, 0.0);
    for (std::size_t n = 0; n < nodes; ++n) {
      values[3 * n] = field.values[2 * n];
      values[3 * n + 1] = field.values[2 * n + 1];
    }
    file.write("/fields/" + field.name, values.data(), {nodes, std::size_t{3}});
  }
  text.write(document.text());
  file.commit();
  text.commit();
}

}  // namespace karman::detail
