// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// CGNS files for tests, node by node as the CGNS HDF5 file mapping has them.
#pragma once

#include <karman/io/hdf5_file.hpp>

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace karman::test {

/// A CGNS file under construction.
class CgnsOfTest {
 public:
  explicit CgnsOfTest(std::filesystem::path const& path) : file_(Hdf5File::create(path, Overwrite::yes)) {}

  /// A node without data.
  void node(std::string const& path, char const* label) {
    file_.make_group(path);
    file_.write_attribute(path, "name", path.substr(path.rfind('/') + 1));
    file_.write_attribute(path, "label", label);
  }
  template <class T>
  void node(std::string const& path, char const* label, std::vector<T> const& values) {
    node(path, label);
    file_.write(path + "/ data", values.data(), {values.size()});
  }
  void node(std::string const& path, char const* label, std::string const& words) {
    node(path, label, std::vector<std::int8_t>(words.begin(), words.end()));
  }
  void elements(std::string const& path, int type, int first, int last, std::vector<std::int32_t> const& nodes) {
    node(path, "Elements_t", std::vector<std::int32_t>{type, 0});
    node(path + "/ElementRange", "IndexRange_t", std::vector<std::int32_t>{first, last});
    node(path + "/ElementConnectivity", "DataArray_t", nodes);
  }
  void boundary(std::string const& path, char const* kind, std::vector<std::int32_t> const& numbers,
                std::string const& location) {
    node(path, "BC_t", std::string("BCWall"));
    node(path + '/' + kind, "IndexArray_t", numbers);
    if (!location.empty()) node(path + "/GridLocation", "GridLocation_t", location);
  }
  void commit() { file_.commit(); }

 private:
  Hdf5File file_;
};

/// Changes of the file below.
struct CgnsChanges {
  std::string unit, zone_type = "Unstructured";
  std::string moved_grid;  ///< name of a second grid, if any
  std::vector<std::int32_t> cells{7, 1, 2, 5, 4, 5, 2, 3, 5, 5, 3, 6, 5};
  std::vector<std::int32_t> base{2, 3};
  std::vector<std::int32_t> lines{1, 2, 2, 3, 4, 1, 3, 6};
  std::vector<double> x{0, 1, 2, 0, 1, 2};
  int last_cell = 3;
};

/// The rectangle 2 x 1: a square and two triangles as MIXED, five of its lines; walls as a range of lines, "in" as a
/// list of lines, "top" as a list of nodes; the line on the right belongs to no condition.
inline void write_cgns(std::filesystem::path const& path, CgnsChanges const& changes = {}) {
  CgnsOfTest file(path);
  file.node("/Base", "CGNSBase_t", changes.base);
  std::string const zone = "/Base/blk-1";
  file.node(zone, "Zone_t", std::vector<std::int32_t>{6, 3, 0});
  file.node(zone + "/ZoneType", "ZoneType_t", changes.zone_type);
  if (!changes.unit.empty()) {
    std::string words(160, ' ');
    words.replace(32, changes.unit.size(), changes.unit);
    file.node("/Base/DimensionalUnits", "DimensionalUnits_t", words);
  }
  std::string const grid = zone + "/GridCoordinates";
  file.node(grid, "GridCoordinates_t");
  file.node(grid + "/CoordinateX", "DataArray_t", changes.x);
  file.node(grid + "/CoordinateY", "DataArray_t", std::vector<float>{0, 0, 0, 1, 1, 1});
  file.node(grid + "/CoordinateZ", "DataArray_t", std::vector<double>(6, 0.5));
  file.elements(zone + "/cells", 20, 1, changes.last_cell, changes.cells);
  if (!changes.moved_grid.empty()) {
    file.node(zone + '/' + changes.moved_grid, "GridCoordinates_t");
    for (char const* axis : {"X", "Y"})
      file.node(zone + '/' + changes.moved_grid + "/Coordinate" + axis, "DataArray_t", std::vector<double>(6, 7.0));
  }
  int const last_line = 3 + static_cast<int>(changes.lines.size() / 2);
  file.elements(zone + "/lines", 3, 4, last_line, changes.lines);
  file.node(zone + "/ZoneBC", "ZoneBC_t");
  file.boundary(zone + "/ZoneBC/in", "PointList", {6}, "EdgeCenter");
  file.boundary(zone + "/ZoneBC/top", "PointList", {4, 5, 6}, "");
  file.boundary(zone + "/ZoneBC/walls", "PointRange", {4, 5}, "EdgeCenter");
  file.commit();
}

}  // namespace karman::test
