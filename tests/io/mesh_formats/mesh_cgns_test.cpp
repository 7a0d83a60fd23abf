// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Files of CGNS in HDF5, also those that the CGNS library writes where it is installed.
#include "cgns_of_test.hpp"
#include "io/damaged_file.hpp"
#include "io/expect_message.hpp"
#include "io/temporary_folder.hpp"
#include "sample_mesh.hpp"
#include <karman/mesh/mesh_checks.hpp>

#ifdef KARMAN_TEST_CGNS
#include <cgnslib.h>
#endif

#include <algorithm>
#include <map>

namespace mesh_cgns_test {

using namespace karman;
using namespace karman::test;

class Cgns : public testing::Test {
 protected:
  TemporaryFolder folder_;
  std::filesystem::path path_ = folder_ / "a.cgns";
  std::vector<std::string> remarks_;

  MeshData read(int zone = 1) {
    MeshReadOptions options;
    options.zone = zone;
    options.remarks = &remarks_;
    remarks_.clear();
    return read_mesh(path_, options);
  }
  std::string refusal(CgnsChanges const& changes) {
    write_cgns(path_, changes);
    return message_of<CaseError>([&] { read(); });
  }
  /// Number of edges of each boundary.
  static std::map<std::string, int> edges_of(MeshData const& mesh) {
    std::map<std::string, int> count;
    for (int const label : mesh.edge_labels) ++count[mesh.boundary_names.at(label)];
    return count;
  }
  static void expect_rectangle(MeshData const& mesh, double unit = 1) {
    EXPECT_TRUE(check_mesh(mesh).good());
    ASSERT_EQ(mesh.nodes.size(), 6U);
    EXPECT_EQ(mesh.nodes[5], (std::array<double, 2>{2 * unit, unit}));
    EXPECT_EQ(mesh.triangles.size(), 4U) << "the square is two of them";
    EXPECT_EQ(mesh.regions, (std::vector<int>(4, 1)));
  }
};

TEST_F(Cgns, ConditionsNameLinesAndNodes) {
  write_cgns(path_);
  MeshData const mesh = read();
  expect_rectangle(mesh);
  EXPECT_EQ(edges_of(mesh), (std::map<std::string, int>{{"in", 1}, {"top", 2}, {"walls", 2}, {"lines", 1}}));
  EXPECT_EQ(remarks_, (std::vector<std::string>{"1 quadrilaterals became two triangles each"}));
}

/// Preprocessors write lines without conditions, and conditions of the nodes of these lines.
TEST_F(Cgns, LinesBetweenListedNodesAreReadOnce) {
  CgnsChanges changes;
  changes.lines = {1, 2, 2, 3, 4, 1, 3, 6, 6, 5, 4, 5};
  write_cgns(path_, changes);
  MeshData const mesh = read();
  expect_rectangle(mesh);
  EXPECT_EQ(mesh.edges.size(), 6U);
  EXPECT_EQ(edges_of(mesh), (std::map<std::string, int>{{"in", 1}, {"top", 2}, {"walls", 2}, {"lines", 1}}));
  EXPECT_EQ(remarks_, (std::vector<std::string>{"1 quadrilaterals became two triangles each"}))
      << "no edge was listed before";
}

TEST_F(Cgns, OfAMovedGridTheOriginalIsRead) {
  CgnsChanges changes;
  changes.moved_grid = "Deformed";
  write_cgns(path_, changes);
  expect_rectangle(read());
}

TEST_F(Cgns, UnitsBecomeMetres) {
  for (auto const& [unit, metres] : {std::pair{"Millimeter", 0.001}, {"Foot", 0.3048}, {"Meter", 1.0}}) {
    CgnsChanges changes;
    changes.unit = unit;
    write_cgns(path_, changes);
    expect_rectangle(read(), metres);
    EXPECT_EQ(std::count(remarks_.begin(), remarks_.end(),
                         "coordinates in the unit " + std::string(unit) + " converted to metres"),
              metres == 1 ? 0 : 1)
        << unit;
  }
}

TEST_F(Cgns, AZoneIsChosenByItsNumber) {
  CgnsOfTest file(path_);
  file.node("/Base", "CGNSBase_t", std::vector<std::int32_t>{2, 2});
  for (char const* name : {"b", "a"}) {
    std::string const zone = std::string("/Base/") + name;
    double const size = name[0] == 'a' ? 1 : 3;
    file.node(zone, "Zone_t", std::vector<std::int64_t>{3, 1, 0});
    file.node(zone + "/ZoneType", "ZoneType_t", std::string("Unstructured"));
    file.node(zone + "/Grid", "GridCoordinates_t");
    file.node(zone + "/Grid/CoordinateX", "DataArray_t", std::vector<double>{0, size, 0});
    file.node(zone + "/Grid/CoordinateY", "DataArray_t", std::vector<double>{0, 0, size});
    file.elements(zone + "/cells", 5, 1, 1, {1, 2, 3});
  }
  file.commit();
  EXPECT_EQ(read(1).nodes[1][0], 1);
  ASSERT_EQ(remarks_.size(), 1U);
  EXPECT_EQ(remarks_.front(), "zone 1 of 2 by name, \"a\"; the option zone reads another");
  EXPECT_EQ(read(2).nodes[1][0], 3);
  EXPECT_TRUE(contains(message_of<CaseError>([&] { read(3); }), "zone 3: expected a zone of the file, which has 2"));
}

TEST_F(Cgns, SaysWhatIsWrong) {
  CgnsChanges changes;
  changes.zone_type = "Structured";
  EXPECT_TRUE(contains(refusal(changes), "a zone of type \"Structured\", /Base/blk-1: expected an unstructured zone"));
  changes = {};
  changes.base = {3, 3};
  EXPECT_TRUE(contains(refusal(changes), "cells of 3 dimensions in /Base: expected cells of 2 dimensions"));
  changes = {};
  changes.x.pop_back();
  EXPECT_TRUE(contains(refusal(changes), "5 numbers in /Base/blk-1/GridCoordinates/CoordinateX: expected 6"));
  changes = {};
  changes.cells[3] = 7;
  EXPECT_TRUE(contains(refusal(changes), "node 7 of element 1: expected a node of the zone, 1 to 6"));
  changes.cells[3] = 0;
  EXPECT_TRUE(contains(refusal(changes), "node 0 of element 1"));
  changes = {};
  changes.cells[0] = 10;
  EXPECT_TRUE(contains(refusal(changes), "elements of type 10 in /Base/blk-1/cells: expected BAR_2"));
  changes = {};
  changes.cells.pop_back();
  EXPECT_TRUE(contains(refusal(changes), "12 numbers in /Base/blk-1/cells: expected nodes for all elements"));
  changes = {};
  changes.last_cell = 2;
  EXPECT_TRUE(contains(refusal(changes),
                       "13 numbers in /Base/blk-1/cells: expected nodes for the elements of its range alone"));
  changes.last_cell = 4;
  EXPECT_TRUE(contains(refusal(changes), "the end of /Base/blk-1/cells: expected an element more"));
  put(path_, "\x89HDF");
  EXPECT_TRUE(is_one_line(message_of<FileError>([&] { read(); })));
  put(path_, "    @(#)ADF Database Version A02011>");
  EXPECT_TRUE(contains(message_of<CaseError>([&] { read(); }), "expected one of HDF5: convert it with adf2hdf"));
}

TEST_F(Cgns, EveryMissingNodeIsOneLine) {
  write_cgns(path_);
  auto const source = content(path_);
  for (char const* name : {"CGNSBase_t", "Zone_t", "ZoneType_t", "GridCoordinates_t", "CoordinateX", "CoordinateY",
                           "ElementRange", "ElementConnectivity"}) {
    std::string damaged = source;
    std::size_t const at = damaged.find(name);
    ASSERT_NE(at, std::string::npos) << name;
    for (std::size_t place = at; place != std::string::npos; place = damaged.find(name, place + 1))
      damaged[place] = 'x';
    put(path_, damaged);
    try {
      read();
      ADD_FAILURE() << name;
    } catch (CaseError const& error) {
      EXPECT_TRUE(is_one_line(error.what())) << error.what();
    } catch (FileError const& error) {
      EXPECT_TRUE(is_one_line(error.what())) << error.what();
    }
  }
}

TEST_F(Cgns, FilesOfVtkNameTheirConversion) {
  for (std::string const name : {"a.vtu", "a.vtk"})
    EXPECT_TRUE(contains(message_of<CaseError>([&] { read_mesh(folder_ / name); }),
                         "files of VTK are not read; convert it: meshio convert " + name + " a.xdmf"));
}

#ifdef KARMAN_TEST_CGNS
/// The same rectangle by the CGNS library.
TEST_F(Cgns, FilesOfTheCgnsLibraryAreRead) {
  ASSERT_EQ(cg_set_file_type(CG_FILE_HDF5), CG_OK);
  int file = 0, base = 0, zone = 0, number = 0;
  ASSERT_EQ(cg_open(path_.c_str(), CG_MODE_WRITE, &file), CG_OK);
  ASSERT_EQ(cg_base_write(file, "Base", 2, 3, &base), CG_OK);
  std::array<cgsize_t, 3> const sizes{6, 3, 0};
  ASSERT_EQ(cg_zone_write(file, base, "blk-1", sizes.data(), CGNS_ENUMV(Unstructured), &zone), CG_OK);
  std::array<std::array<double, 6>, 3> const places{{{0, 1, 2, 0, 1, 2}, {0, 0, 0, 1, 1, 1}, {}}};
  std::array const names{"CoordinateX", "CoordinateY", "CoordinateZ"};
  for (std::size_t n = 0; n < 3; ++n)
    ASSERT_EQ(cg_coord_write(file, base, zone, CGNS_ENUMV(RealDouble), names[n], places[n].data(), &number), CG_OK);
  std::array<cgsize_t, 4> const square{1, 2, 5, 4};
  ASSERT_EQ(cg_section_write(file, base, zone, "squares", CGNS_ENUMV(QUAD_4), 1, 1, 0, square.data(), &number), CG_OK);
  std::array<cgsize_t, 6> const triangles{2, 3, 5, 3, 6, 5};
  ASSERT_EQ(cg_section_write(file, base, zone, "triangles", CGNS_ENUMV(TRI_3), 2, 3, 0, triangles.data(), &number),
            CG_OK);
  std::array<cgsize_t, 8> const lines{1, 2, 2, 3, 4, 1, 3, 6};
  ASSERT_EQ(cg_section_write(file, base, zone, "lines", CGNS_ENUMV(BAR_2), 4, 7, 0, lines.data(), &number), CG_OK);
  std::array<cgsize_t, 3> const walls{4, 5, 0}, in{6, 0, 0}, top{4, 5, 6};
  auto const condition = [&](char const* name, CGNS_ENUMT(PointSetType_t) kind, cgsize_t count, cgsize_t const* points,
                             bool on_lines) {
    ASSERT_EQ(cg_boco_write(file, base, zone, name, CGNS_ENUMV(BCWall), kind, count, points, &number), CG_OK);
    if (on_lines) {
      ASSERT_EQ(cg_boco_gridlocation_write(file, base, zone, number, CGNS_ENUMV(EdgeCenter)), CG_OK);
    }
  };
  condition("walls", CGNS_ENUMV(PointRange), 2, walls.data(), true);
  condition("in", CGNS_ENUMV(PointList), 1, in.data(), true);
  condition("top", CGNS_ENUMV(PointList), 3, top.data(), false);
  ASSERT_EQ(cg_goto(file, base, "end"), CG_OK);
  ASSERT_EQ(cg_units_write(CGNS_ENUMV(Kilogram), CGNS_ENUMV(Centimeter), CGNS_ENUMV(Second), CGNS_ENUMV(Kelvin),
                           CGNS_ENUMV(Degree)),
            CG_OK);
  ASSERT_EQ(cg_close(file), CG_OK);
  MeshData const mesh = read();
  expect_rectangle(mesh, 0.01);
  EXPECT_EQ(edges_of(mesh), (std::map<std::string, int>{{"in", 1}, {"top", 2}, {"walls", 2}, {"lines", 1}}));
}
#endif

}  // namespace mesh_cgns_test
