// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <karman/io/xdmf.hpp>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <stdexcept>
#include <string_view>

namespace karman {
namespace {

/// Text for an XML attribute or element.
std::string escaped(std::string_view text) {
  std::string result;
  for (char c : text) {
    switch (c) {
      case '&': result += "&amp;"; break;
      case '<': result += "&lt;"; break;
      case '>': result += "&gt;"; break;
      case '"': result += "&quot;"; break;
      default:
        if (static_cast<unsigned char>(c) < 0x20) throw std::invalid_argument("XDMF: control character in a string");
        result += c;
    }
  }
  return result;
}

std::string number(double value) {
  if (!std::isfinite(value)) throw std::invalid_argument("XDMF: coordinates and times must be finite");
  char digits[32];
  return {digits, std::to_chars(digits, digits + sizeof digits, value).ptr};
}

std::string list(ArrayExtents const& extents) {
  std::string text;
  for (std::size_t extent : extents) {
    if (!text.empty()) text += ' ';
    text += std::to_string(extent);
  }
  return text.empty() ? "1" : text;
}

/// NumberType and Precision of the XDMF type system. The small integers are called char and short.
std::string number_type(ScalarType type) {
  switch (type) {
    case ScalarType::float32: return R"(NumberType="Float" Precision="4")";
    case ScalarType::float64: return R"(NumberType="Float" Precision="8")";
    case ScalarType::int8: return R"(NumberType="Char" Precision="1")";
    case ScalarType::uint8: return R"(NumberType="UChar" Precision="1")";
    case ScalarType::int16: return R"(NumberType="Short" Precision="2")";
    case ScalarType::uint16: return R"(NumberType="UShort" Precision="2")";
    case ScalarType::int32: return R"(NumberType="Int" Precision="4")";
    case ScalarType::uint32: return R"(NumberType="UInt" Precision="4")";
    case ScalarType::int64: return R"(NumberType="Int" Precision="8")";
    case ScalarType::uint64: return R"(NumberType="UInt" Precision="8")";
  }
  throw std::invalid_argument("invalid ScalarType");
}

/// A dataset. The described extents may include layers of a single plane that the dataset lacks.
std::string data_item(XdmfDataset const& dataset, ArrayExtents const& extents) {
  if (dataset.file.is_absolute() || dataset.file.empty()) {
    throw std::invalid_argument("XDMF: the HDF5 file needs a relative path");
  }
  if (!dataset.name.starts_with('/')) throw std::invalid_argument("XDMF: dataset names must be absolute");
  return "<DataItem Format=\"HDF\" Dimensions=\"" + list(extents) + "\" " + number_type(dataset.type) + '>' +
         escaped(dataset.file.generic_string()) + ':' + escaped(dataset.name) + "</DataItem>\n";
}

std::string inline_item(std::vector<double> const& values) {
  std::string text = "        <DataItem Format=\"XML\" Dimensions=\"" + std::to_string(values.size()) +
                     "\" NumberType=\"Float\" Precision=\"8\">";
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (i > 0) text += ' ';
    text += number(values[i]);
  }
  return text + "</DataItem>\n";
}

ArrayExtents with_components(ArrayExtents extents) {
  extents.append(3);
  return extents;
}

/// Extents of values at the nodes or cells, slowest first; two of them when there are no cells along z.
ArrayExtents value_extents(std::array<std::size_t, 3> const& cells, bool two_dimensional, std::size_t more) {
  ArrayExtents extents;
  if (!two_dimensional) extents.append(cells[2] + more);
  extents.append(cells[1] + more);
  extents.append(cells[0] + more);
  return extents;
}

/// True for the extents of a dataset on a grid with `expected` values, or of the one plane of such a grid.
bool fits(ArrayExtents const& extents, ArrayExtents const& expected) {
  return extents == expected ||
         (expected[0] == 1 && std::equal(extents.begin(), extents.end(), expected.begin() + 1, expected.end()));
}

std::string attribute_text(XdmfAttribute const& attribute, ArrayExtents const& values) {
  ArrayExtents const& stored = attribute.dataset.extents;
  bool const scalar = fits(stored, values);
  if (!scalar && !fits(stored, with_components(values))) {
    throw std::invalid_argument("the XDMF attribute \"" + attribute.name + "\" of " + stored.text() +
                                " values does not fit the grid of " + values.text());
  }
  return "      <Attribute Name=\"" + escaped(attribute.name) + "\" Center=\"" +
         (attribute.center == XdmfCenter::cell ? "Cell" : "Node") + "\" AttributeType=\"" +
         (scalar ? "Scalar" : "Vector") + "\">\n        " +
         data_item(attribute.dataset, scalar ? values : with_components(values)) + "      </Attribute>\n";
}

std::string grid_head(std::string const& name, double const* time) {
  std::string text = "    <Grid Name=\"" + escaped(name) + "\" GridType=\"Uniform\">\n";
  if (time != nullptr) text += "      <Time Value=\"" + number(*time) + "\"/>\n";
  return text;
}

std::string grid_text(std::string const& name, double const* time, std::string const& mesh,
                      std::array<std::size_t, 3> const& cells, bool two_dimensional,
                      std::vector<XdmfAttribute> const& attributes) {
  std::string text = grid_head(name, time) + mesh;
  for (XdmfAttribute const& attribute : attributes) {
    std::size_t const more = attribute.center == XdmfCenter::node ? 1 : 0;
    text += attribute_text(attribute, value_extents(cells, two_dimensional, more));
  }
  return text + "    </Grid>\n";
}

std::string grid_text(std::string const& name, double const* time, XdmfUniformGrid const& grid,
                      std::vector<XdmfAttribute> const& attributes) {
  bool const two_dimensional = grid.cells[2] == 0;
  if (grid.cells[0] == 0 || grid.cells[1] == 0) throw std::invalid_argument("XDMF: the grid needs cells");
  std::string const dimensions = list(value_extents(grid.cells, two_dimensional, 1));
  std::string mesh;
  if (two_dimensional) {
    // Readers put a 2DCoRectMesh into the plane of y and z, but a 2DRectMesh into the right one.
    mesh = "      <Topology TopologyType=\"2DRectMesh\" Dimensions=\"" + dimensions +
           "\"/>\n      <Geometry GeometryType=\"VXVY\">\n";
    for (std::size_t axis : {0, 1}) {
      std::vector<double> nodes(grid.cells[axis] + 1);
      for (std::size_t i = 0; i < nodes.size(); ++i)
        nodes[i] = grid.origin[axis] + static_cast<double>(i) * grid.spacing[axis];
      mesh += inline_item(nodes);
    }
  } else {
    mesh = "      <Topology TopologyType=\"3DCoRectMesh\" Dimensions=\"" + dimensions +
           "\"/>\n      <Geometry GeometryType=\"ORIGIN_DXDYDZ\">\n" +
           inline_item({grid.origin[2], grid.origin[1], grid.origin[0]}) +
           inline_item({grid.spacing[2], grid.spacing[1], grid.spacing[0]});
  }
  return grid_text(name, time, mesh + "      </Geometry>\n", grid.cells, two_dimensional, attributes);
}

std::string grid_text(std::string const& name, double const* time, XdmfRectilinearGrid const& grid,
                      std::vector<XdmfAttribute> const& attributes) {
  auto const cells = [](XdmfDataset const& axis) {
    if (axis.extents.rank() != 1 || axis.extents.count() < 2) {
      throw std::invalid_argument("XDMF: an axis needs at least two coordinates");
    }
    return axis.extents.count() - 1;
  };
  std::array<std::size_t, 3> const count{cells(grid.x), cells(grid.y), grid.two_dimensional ? 0 : cells(grid.z)};
  std::string mesh = std::string("      <Topology TopologyType=\"") + (grid.two_dimensional ? "2" : "3") +
                     "DRectMesh\" Dimensions=\"" + list(value_extents(count, grid.two_dimensional, 1)) +
                     "\"/>\n      <Geometry GeometryType=\"" + (grid.two_dimensional ? "VXVY" : "VXVYVZ") +
                     "\">\n        " + data_item(grid.x, grid.x.extents) + "        " +
                     data_item(grid.y, grid.y.extents);
  if (!grid.two_dimensional) mesh += "        " + data_item(grid.z, grid.z.extents);
  return grid_text(name, time, mesh + "      </Geometry>\n", count, grid.two_dimensional, attributes);
}

std::string grid_text(std::string const& name, double const* time, XdmfTriangleGrid const& grid,
                      std::vector<XdmfAttribute> const& attributes) {
  ArrayExtents const& nodes = grid.nodes.extents;
  ArrayExtents const& triangles = grid.triangles.extents;
  if (nodes.rank() != 2 || nodes[1] != 2 || triangles.rank() != 2 || triangles[1] != 3) {
    throw std::invalid_argument("XDMF: triangles need positions (nodes, 2) and node numbers (triangles, 3)");
  }
  std::string text = grid_head(name, time) + "      <Topology TopologyType=\"Triangle\" NumberOfElements=\"" +
                     std::to_string(triangles[0]) + "\">\n        " + data_item(grid.triangles, triangles) +
                     "      </Topology>\n      <Geometry GeometryType=\"XY\">\n        " +
                     data_item(grid.nodes, nodes) + "      </Geometry>\n";
  for (XdmfAttribute const& attribute : attributes) {
    text += attribute_text(attribute, attribute.center == XdmfCenter::node ? nodes[0] : triangles[0]);
  }
  return text + "    </Grid>\n";
}

}  // namespace

void XdmfDocument::add(std::string const& grid_name, XdmfUniformGrid const& grid,
                       std::vector<XdmfAttribute> const& attributes) {
  grids_.push_back(grid_text(grid_name, nullptr, grid, attributes));
}

void XdmfDocument::add(std::string const& grid_name, XdmfRectilinearGrid const& grid,
                       std::vector<XdmfAttribute> const& attributes) {
  grids_.push_back(grid_text(grid_name, nullptr, grid, attributes));
}

void XdmfDocument::add(std::string const& grid_name, XdmfTriangleGrid const& grid,
                       std::vector<XdmfAttribute> const& attributes) {
  grids_.push_back(grid_text(grid_name, nullptr, grid, attributes));
}

void XdmfDocument::add_step(std::string const& series_name, double time, XdmfUniformGrid const& grid,
                            std::vector<XdmfAttribute> const& attributes) {
  std::string text = grid_text(series_name, &time, grid, attributes);
  series(series_name).grids.push_back(std::move(text));
}

void XdmfDocument::add_step(std::string const& series_name, double time, XdmfRectilinearGrid const& grid,
                            std::vector<XdmfAttribute> const& attributes) {
  std::string text = grid_text(series_name, &time, grid, attributes);
  series(series_name).grids.push_back(std::move(text));
}

void XdmfDocument::add_step(std::string const& series_name, double time, XdmfTriangleGrid const& grid,
                            std::vector<XdmfAttribute> const& attributes) {
  std::string text = grid_text(series_name, &time, grid, attributes);
  series(series_name).grids.push_back(std::move(text));
}

XdmfDocument::Series& XdmfDocument::series(std::string const& name) {
  auto const found = std::find_if(series_.begin(), series_.end(), [&](Series const& s) { return s.name == name; });
  return found != series_.end() ? *found : series_.emplace_back(Series{name, {}});
}

std::string XdmfDocument::text() const {
  std::string text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<Xdmf Version=\"3.0\">\n  <Domain>\n";
  for (std::string const& grid : grids_) text += grid;
  for (Series const& steps : series_) {
    text += "    <Grid Name=\"" + escaped(steps.name) + "\" GridType=\"Collection\" CollectionType=\"Temporal\">\n";
    for (std::string const& grid : steps.grids) text += grid;
    text += "    </Grid>\n";
  }
  return text + "  </Domain>\n</Xdmf>\n";
}

void XdmfDocument::write(std::filesystem::path const& path, Overwrite overwrite) const {
  write_text_file(path, text(), overwrite);
}

}  // namespace karman
