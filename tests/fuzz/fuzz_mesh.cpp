// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Mesh files. The first byte of an input chooses the format, the second the options. A boundary file of TELEMAC is read
// beside a fixed mesh.
#include "fuzz_target.hpp"
#include "io/hdf5_leaks.hpp"
#include "io/mesh_formats/cgns_of_test.hpp"
#include "io/temporary_folder.hpp"
#include <karman/io/error.hpp>
#include <karman/io/mesh_files.hpp>
#include <karman/mesh/coinciding_nodes.hpp>
#include <karman/mesh/mesh_checks.hpp>
#include <karman/mesh/mesh_generators.hpp>

#include <algorithm>
#include <array>
#include <filesystem>
#include <stdexcept>
#include <string_view>

namespace {

using namespace karman;

constexpr std::array<char const*, 9> names{"a.msh", "a.mesh", "a.su2", "a.xdmf", "a.sol",
                                           "a.slf", "a.14",   "b.cli", "a.cgns"};
constexpr std::size_t xdmf_format = 3, sol_format = 4, boundary_format = 7;

void require_sound(MeshData const& mesh) {
  auto const inside = [&](int n) { return n >= 0 && static_cast<std::size_t>(n) < mesh.nodes.size(); };
  bool sound = mesh.regions.size() == mesh.triangles.size() && mesh.edge_labels.size() == mesh.edges.size();
  for (auto const& t : mesh.triangles) sound = sound && std::all_of(t.begin(), t.end(), inside);
  for (auto const& e : mesh.edges) sound = sound && std::all_of(e.begin(), e.end(), inside);
  if (!sound) throw std::logic_error("a mesh was read whose indices lead out of it");
}

std::string const other_sections =
    "MeshVersionFormatted 2\nDimension 3\nIdentifier \"a b\"\nGeometry \"c\"\nVertices 3\n0 0 1 0\n1 0 1 0\n0 1 1 0\n"
    "Corners 1\n1\nNormals 1\n0 0 1\nTriangles 1\n1 2 3 4\nSubDomainFromMesh 1\n3 1 1 4\nEdges 1\n1 2 9\nEnd\n";

std::string const su2_quadrilaterals =
    "NDIME= 2\nNELEM= 2\n9 0 1 2 3 0\n5 1 4 2 1\nNPOIN= 5\n0 0\n1 0\n1 1\n0 1\n2 0\nNMARK= 1\nMARKER_TAG= wall\n"
    "MARKER_ELEMS= 1\n3 0 1\n";
std::string const medit_quadrilaterals =
    "MeshVersionFormatted 2\nDimension 2\nVertices 4\n0 0 1\n1 0 1\n1 1 1\n0 1 1\nQuadrilaterals 1\n1 2 3 4 5\nEnd\n";
std::string const gmsh_quadrilaterals =
    "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n4\n1 0 0 0\n2 1 0 0\n3 1 1 0\n4 0 1 0\n$EndNodes\n$Elements\n2\n"
    "1 3 2 7 1 1 2 3 4\n2 3 2 8 1 1 2 3 4\n$EndElements\n";

std::string const second_order =
    "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n6\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 .5 0 0\n5 .5 .5 0\n6 0 .5 0\n"
    "$EndNodes\n$Elements\n2\n1 9 2 7 1 1 2 3 4 5 6\n2 8 2 1 1 1 2 4\n$EndElements\n";

/// The format of the manual in bytes: one triangle.
std::string binary_triangle() {
  std::string text = "$MeshFormat\n4.1 1 8\n";
  auto const put = [&](auto... values) { (text.append(reinterpret_cast<char const*>(&values), sizeof values), ...); };
  put(1);
  text += "\n$EndMeshFormat\n$Entities\n";
  put(0UL, 0UL, 1UL, 0UL, 1, 0.0, 0.0, 0.0, 1.0, 1.0, 0.0, 1UL, 7, 0UL);
  text += "\n$EndEntities\n$Nodes\n";
  put(1UL, 3UL, 1UL, 3UL, 2, 1, 0, 3UL, 1UL, 2UL, 3UL, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0);
  text += "\n$EndNodes\n$Elements\n";
  put(1UL, 1UL, 1UL, 1UL, 2, 1, 2, 1UL, 1UL, 1UL, 2UL, 3UL);
  return text + "\n$EndElements\n";
}

std::string const freefem = "4 2 2\n0 0 1\n1 0 1\n1 1 2\n0 1 2\n1 2 3 5\n1 3 4 5\n1 2 1\n3 4 2\n";
std::string const adcirc =
    "bay\n2 4\n1 0 0 5.0\n2 1 0 5\n3 1 1 1.D0\n4 0 1 2\n1 3 1 2 3\n2 3 1 3 4\n1 = open\n2\n2 0\n1\n2\n2\n7\n3 "
    "21\n2\n3\n4\n"
    "1 24\n1 4 1 1 1\n";
std::string const su2_zones =
    "NZONE= 2\nIZONE= 1\nAOA_OFFSET= 1\n7 7\nNDIME= 2\nNELEM= 1\n5 0 1 2\nNPOIN= 3 3\n0 0 0. 0\n1 0 0. 1\n0 1 0. "
    "2\nNMARK= 2\n"
    "MARKER_TAG= a\nMARKER_ELEMS= 1\n3 0 1\nMARKER_TAG= SEND_RECEIVE\nMARKER_ELEMS= 1\nSEND_RECV= 1\n1 0 0\nIZONE= "
    "2\nNDIME= 2\n"
    "NELEM= 1\n5 0 1 2\nNPOIN= 3\n0 0\n1 0\n0 1\nNMARK= 0\n";
std::string const xdmf_grids =
    "<?xml version=\"1.0\"?>\n<!DOCTYPE Xdmf SYSTEM \"Xdmf.dtd\" []>\n<Xdmf><Domain><Grid><Geometry "
    "GeometryType=\"XY\">"
    "<DataItem Dimensions=\"4 2\">0 0 1 0 1 1 0 1</DataItem></Geometry><Topology TopologyType=\"Mixed\"><DataItem "
    "Dimensions=\"12\">2 2 0 1 4 0 1 2 4 0 2 3</DataItem></Topology><Attribute Name=\"gmsh:physical\" "
    "Center=\"Cell\">"
    "<DataItem Dimensions=\"3\">1 2 3</DataItem></Attribute><Information><![CDATA[<main><map dim=\"1\" "
    "key=\"a\">1</map>"
    "</main>]]></Information></Grid><Grid Name=\"f\"><xi:include/><Topology TopologyType=\"PolyLine\"><DataItem "
    "Dimensions=\"1 2\">1 2</DataItem></Topology><Attribute Center=\"Cell\"><DataItem Dimensions=\"1\">4</DataItem>"
    "</Attribute></Grid></Domain></Xdmf>\n";

std::string const xdmf_references =
    "<Xdmf><Domain><DataItem Name=\"c\" Dimensions=\"1 3\">0 1 2</DataItem><Grid><Topology TopologyType=\"Triangle\">"
    "<DataItem Reference=\"XML\">/Xdmf/Domain/DataItem[@Name='c']</DataItem></Topology><Geometry GeometryType=\"XY\">"
    "<DataItem Dimensions=\"3 2\">0 0 1 0 0 1</DataItem></Geometry></Grid><Grid><Topology "
    "Reference=\"/Xdmf/Domain/Grid[1]/Topology\"/></Grid></Domain></Xdmf>\n";

std::string const xdmf =
    "<?xml version=\"1.0\"?>\n<Xdmf Version=\"3.0\"><Domain><Grid Name=\"g\"><Geometry GeometryType=\"XY\">"
    "<DataItem Dimensions=\"3 2\" Format=\"XML\">0 0 1 0 0 1</DataItem></Geometry><Topology TopologyType=\"Triangle\">"
    "<DataItem Dimensions=\"1 3\" Format=\"XML\">0 1 2</DataItem></Topology><Attribute Name=\"h\" Center=\"Node\">"
    "<DataItem Dimensions=\"3\" Format=\"XML\">1 2 3</DataItem></Attribute></Grid></Domain></Xdmf>\n";

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
  static test::TemporaryFolder const folder;
  if (size < 2) return 0;
  static bool const written = [&] {
    write_mesh(folder / "b.slf", mesh_rectangle({{0, 0}, {2, 1}, 1, DiagonalPattern::alternating}));
    return true;
  }();
  if (!written) return 0;
  std::size_t const format = data[0] % names.size();
  auto const path = folder / names[format];
  std::filesystem::remove(path);  // some file systems wait for the disk where a file is replaced
  test::put(path, std::string(reinterpret_cast<char const*>(data) + 2, size - 2));
  MeshReadOptions options;
  options.orient = (data[1] & 1) != 0;
  options.ignore_z = (data[1] & 2) != 0;
  options.drop_unused = (data[1] & 4) != 0;
  options.plane = static_cast<MeshPlane>((data[1] >> 3) % 3);
  options.zone = 1 + (data[1] >> 5) % 3;
  std::vector<std::string> remarks;
  options.remarks = &remarks;
  try {
    bool const has_fields = format >= xdmf_format && format < boundary_format;
    if (has_fields) {
      try {
        read_fields(path, 3, 1);
      } catch (CaseError const&) {
      }
    }
    if (format == sol_format) return 0;
    MeshData mesh = read_mesh(format == boundary_format ? folder / "b.slf" : path, options);
    require_sound(mesh);
    check_mesh(mesh);
    coinciding_edges(mesh, coincidence_tolerance(mesh));
    try {
      merge_nodes(mesh, coincidence_tolerance(mesh));
    } catch (std::invalid_argument const&) {
    }
    require_sound(mesh);
  } catch (CaseError const&) {
  } catch (FileError const&) {
  }
  return 0;
}

namespace karman::fuzz {

std::vector<std::string> seeds() {
  MeshData const mesh = mesh_rectangle({{0, 0}, {2, 1}, 1, DiagonalPattern::alternating});
  test::TemporaryFolder const folder;
  std::vector<std::string> all;
  auto const add = [&](char format, std::string const& text) { all.push_back(std::string{format, '\7'} + text); };
  for (MeshFormat const format : {MeshFormat::gmsh_2_2, MeshFormat::gmsh_4_1, MeshFormat::medit, MeshFormat::su2}) {
    char const kind = format == MeshFormat::medit ? '\1' : format == MeshFormat::su2 ? '\2' : '\0';
    write_mesh(folder / "seed", mesh, {format, Overwrite::yes});
    add(kind, test::content(folder / "seed"));
  }
  write_sol(folder / "seed", {{"1", 1, {0.5, 1, 2}}, {"2", 2, {1, 2, 3, 4, 5, 6}}}, Overwrite::yes);
  add('\4', test::content(folder / "seed"));
  add('\0', second_order);
  add('\0', gmsh_quadrilaterals);
  add('\1', medit_quadrilaterals);
  add('\2', su2_quadrilaterals);
  add('\0', binary_triangle());
  add('\1', other_sections);
  add('\3', xdmf);
  add('\3', xdmf_grids);
  add('\3', xdmf_references);
  add('\0', freefem);
  add('\2', su2_zones);
  add('\6', adcirc);
  for (bool const single : {false, true}) {
    write_mesh(folder / "seed.slf", mesh, {{"BOTTOM", 1, std::vector<double>(mesh.nodes.size(), -5)}},
               {.overwrite = Overwrite::yes, .single_precision = single});
    add('\5', test::content(folder / "seed.slf"));
  }
  add('\7', test::content(folder / "seed.cli"));
  test::write_cgns(folder / "seed.cgns");
  add('\10', test::content(folder / "seed.cgns"));
  return all;
}

std::vector<std::string> words() {
  return {"$Nodes\n",
          "$EndNodes\n",
          "$Elements\n",
          "$Entities\n",
          "$Periodic\n",
          "Vertices\n",
          "Triangles\n",
          "TrianglesP2\n",
          "Edges\n",
          "End\n",
          "Geometry\n",
          "\"",
          "#",
          "NELEM= ",
          "NMARK= ",
          "MARKER_TAG= ",
          "<Grid>",
          "</Grid>",
          "<!--",
          "&amp;",
          "Dimensions=",
          "Format=\"HDF\"",
          "a.h5:/mesh",
          "NZONE= 2\n",
          "IZONE= 2\n",
          "SEND_RECV= 1\n",
          "1.0D+00",
          "<xi:include/>",
          "Reference=\"XML\"",
          "/Xdmf/Domain/Grid[1]/Geometry",
          "[@Name='c']",
          "PolyLine",
          "Mixed",
          std::string("\0\0\0\x50", 4)};
}

}  // namespace karman::fuzz
