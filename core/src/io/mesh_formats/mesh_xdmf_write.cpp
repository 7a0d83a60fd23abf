// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Meshes and fields as XDMF files with an HDF5 file beside them.
#include "mesh_text.hpp"
#include <karman/io/hdf5_file.hpp>
#include <karman/io/xdmf.hpp>

#include <set>
#include <stdexcept>

namespace karman::detail {

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
