// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "mesh_text.hpp"
#include <karman/io/error.hpp>
#include <karman/io/hdf5_file.hpp>

#include <stdexcept>
#include <utility>

namespace karman {
namespace {

using detail::MeshText;

std::string names_text(std::map<int, std::string> const& names) {
  std::string text;
  for (auto const& [label, name] : names) {
    detail::require_name(name, "", "a text of names");
    text += std::to_string(label) + ' ' + name + '\n';
  }
  return text;
}

std::map<int, std::string> names_of(Hdf5File const& file, std::string const& dataset) {
  std::map<int, std::string> names;
  if (!file.exists(dataset)) return names;
  MeshText text(file.path().string() + ':' + dataset, file.read_text(dataset));
  while (text.next_line()) {
    int const label = text.label("a label");
    std::string_view const name = text.rest();
    if (name.empty()) text.fail("end of the line", "the name of a label");
    if (!names.emplace(label, name).second) text.fail(std::to_string(label), "one name per label");
  }
  return names;
}

/// Rows of `columns` numbers each.
template <std::size_t columns, class T>
std::vector<std::array<T, columns>> rows_of(Hdf5File const& file, std::string const& dataset) {
  ArrayExtents const extents = file.info(dataset).extents;
  if (extents.rank() != 2 || extents[1] != columns) {
    throw FileError(file.path().string(), "read " + dataset + " in",
                    "expected the extents n x " + std::to_string(columns) + ", found " + extents.text());
  }
  if (extents[0] > static_cast<std::size_t>(detail::most_numbers))
    throw FileError(file.path().string(), "read " + dataset + " in", "expected at most 2^31 - 1 rows");
  // The extents are no larger than the file allows: info() has compared them.
  std::vector<std::array<T, columns>> rows(extents[0]);
  file.read(dataset, rows.data()->data(), extents);
  return rows;
}

std::vector<int> labels_of(Hdf5File const& file, std::string const& dataset, std::size_t count) {
  std::vector<std::int32_t> values(count);
  if (ArrayExtents const extents = file.info(dataset).extents; extents != ArrayExtents(count)) {
    throw FileError(file.path().string(), "read " + dataset + " in",
                    "expected the extent " + std::to_string(count) + ", found " + extents.text());
  }
  file.read(dataset, values.data(), {count});
  return values;
}

}  // namespace

void write_mesh(Hdf5File& file, std::string_view group, MeshData const& mesh) {
  detail::require_writable(mesh);
  std::string const place(group);
  std::string const boundaries = names_text(mesh.boundary_names), regions = names_text(mesh.region_names);
  auto const table = [&](char const* name, auto const& rows) {
    using Row = typename std::decay_t<decltype(rows)>::value_type;
    std::vector<typename Row::value_type> values;
    values.reserve(rows.size() * std::tuple_size_v<Row>);
    for (auto const& row : rows) values.insert(values.end(), row.begin(), row.end());
    file.write(place + name, values.data(), {rows.size(), std::tuple_size_v<Row>});
  };
  table("/nodes", mesh.nodes);
  table("/triangles", mesh.triangles);
  table("/edges", mesh.edges);
  file.write(place + "/regions", mesh.regions.data(), {mesh.regions.size()});
  file.write(place + "/edge_labels", mesh.edge_labels.data(), {mesh.edge_labels.size()});
  file.write_text(place + "/boundary_names", boundaries);
  file.write_text(place + "/region_names", regions);
}

namespace detail {

MeshData read_mesh_group(Hdf5File const& file, std::string const& place, MeshReadOptions const& options) {
  FoundMesh found;
  MeshData& mesh = found.mesh;
  mesh.nodes = rows_of<2, double>(file, place + "/nodes");
  mesh.triangles = rows_of<3, std::int32_t>(file, place + "/triangles");
  mesh.edges = rows_of<2, std::int32_t>(file, place + "/edges");
  mesh.regions = labels_of(file, place + "/regions", mesh.triangles.size());
  mesh.edge_labels = labels_of(file, place + "/edge_labels", mesh.edges.size());
  mesh.boundary_names = names_of(file, place + "/boundary_names");
  mesh.region_names = names_of(file, place + "/region_names");
  MeshText const text(file.path().string() + ':' + place, "");
  return finished(std::move(found), text, options);
}

}  // namespace detail

MeshData read_mesh(Hdf5File const& file, std::string_view group) {
  return detail::read_mesh_group(file, std::string(group), {});
}

}  // namespace karman
