// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// XDMF 3 descriptions of fields in HDF5 files, on structured grids and on triangles, for ParaView and VisIt.
#pragma once

#include <karman/io/array.hpp>
#include <karman/io/atomic_file.hpp>

#include <array>
#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

namespace karman {

/// Place of the values of an attribute.
enum class XdmfCenter { node, cell };

/// Dataset in an HDF5 file.
struct XdmfDataset {
  std::filesystem::path file;             ///< path from the folder of the XDMF file: "wind.h5"
  std::string name;                       ///< absolute name, "/velocity/u"
  ScalarType type = ScalarType::float64;  ///< number type
  ArrayExtents extents;                   ///< extents
};

/// Field on a grid. A dataset with the extents of the grid is a scalar. One with an additional fast extent of 3 is a
/// vector with its components (x, y, z) side by side. Vectors joined from three datasets are not used: the XDMF 3
/// readers of ParaView drop them. On a grid of one layer in z the dataset may be a plane, without the extent of 1.
struct XdmfAttribute {
  std::string name;                      ///< name in the viewer
  XdmfCenter center = XdmfCenter::cell;  ///< place of the values
  XdmfDataset dataset;                   ///< values
};

/// Cells of equal size. With cells[2] = 0 the grid is two-dimensional, in the plane z = 0, with its coordinates listed
/// in the text. A slice of a three-dimensional field belongs on a grid of one layer: readers then show it in its place.
struct XdmfUniformGrid {
  std::array<std::size_t, 3> cells{};      ///< number of cells (x, y, z)
  std::array<double, 3> spacing{1, 1, 1};  ///< size of a cell (x, y, z)
  std::array<double, 3> origin{};          ///< lowest corner (x, y, z)
};

/// Cells between coordinate planes, given as datasets of rank 1, one value more than cells along each axis. A
/// two-dimensional grid has no `z` and lies in the plane z = 0.
struct XdmfRectilinearGrid {
  XdmfDataset x{},               ///< planes normal to x
      y{},                       ///< planes normal to y
      z{};                       ///< planes normal to z
  bool two_dimensional = false;  ///< grid without `z`
};

/// Triangles in the plane z = 0: positions (nodes, 2) and node numbers (triangles, 3), counted from 0.
struct XdmfTriangleGrid {
  XdmfDataset nodes{},  ///< positions (x, y)
      triangles{};      ///< node numbers
};

/// Builds one XDMF document: a single grid, several side by side, or a series in time. XDMF lists extents slowest first
/// (k, j, i), counts nodes in Topology, and gives origin and spacing as (z, y, x). The arguments here are (x, y, z).
/// \par Cost
/// A few kilobytes of text per grid.
/// \throws std::invalid_argument for an attribute whose extents do not fit its grid, and for a control character in a
/// name
class XdmfDocument {
 public:
  /// Adds a grid with its fields.
  void add(std::string const& grid_name, XdmfUniformGrid const& grid, std::vector<XdmfAttribute> const& attributes);
  /// Adds a grid with its fields.
  void add(std::string const& grid_name, XdmfRectilinearGrid const& grid, std::vector<XdmfAttribute> const& attributes);
  /// Adds a grid with its fields.
  void add(std::string const& grid_name, XdmfTriangleGrid const& grid, std::vector<XdmfAttribute> const& attributes);
  /// Adds one step of a series. Series are temporal collections in the order of their first step.
  /// \param series_name name of the series
  /// \param time time in seconds, or an iteration
  /// \param grid grid of this step
  /// \param attributes fields of this step
  void add_step(std::string const& series_name, double time, XdmfUniformGrid const& grid,
                std::vector<XdmfAttribute> const& attributes);
  /// Adds one step of a series.
  void add_step(std::string const& series_name, double time, XdmfRectilinearGrid const& grid,
                std::vector<XdmfAttribute> const& attributes);
  /// Adds one step of a series.
  void add_step(std::string const& series_name, double time, XdmfTriangleGrid const& grid,
                std::vector<XdmfAttribute> const& attributes);

  /// Text of the document.
  std::string text() const;
  /// Writes the document atomically.
  /// \param path file
  /// \param overwrite permission to replace an existing file
  /// \throws FileError for any failure of the file system
  void write(std::filesystem::path const& path, Overwrite overwrite = Overwrite::no) const;

 private:
  struct Series {
    std::string name;
    std::vector<std::string> grids;
  };
  Series& series(std::string const& name);
  std::vector<std::string> grids_;
  std::vector<Series> series_;
};

}  // namespace karman
