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

/// Where the values of an attribute sit.
enum class XdmfCentre { node, cell };

/// A dataset in an HDF5 file.
struct XdmfDataset {
  std::filesystem::path file;  ///< as seen from the folder of the XDMF file: "wind.h5"
  std::string name;            ///< absolute, "/velocity/u"
  ScalarType type = ScalarType::float64;
  ArrayExtents extents;
};

/// A field on a grid. A dataset with the grid's extents is a scalar, one with an additional fast extent of 3 a vector
/// with its components (x, y, z) side by side. (Vectors joined from three datasets are left out by ParaView's XDMF 3
/// readers.) On a grid of one layer in z the dataset may also be a plane, without the extent of 1.
struct XdmfAttribute {
  std::string name;
  XdmfCentre centre = XdmfCentre::cell;
  XdmfDataset dataset;
};

/// Cells of equal size. `cells`, `spacing`, `origin` ordered (x, y, z). With cells[2] = 0 the grid is two-dimensional,
/// in the plane z = 0, and its coordinates are listed in the text; a slice of a three-dimensional field belongs on a
/// grid of one layer, which readers show where the slice lies.
struct XdmfUniformGrid {
  std::array<std::size_t, 3> cells{};
  std::array<double, 3> spacing{1, 1, 1};
  std::array<double, 3> origin{};
};

/// Cells between given coordinate planes, as datasets of rank 1 (one value more than cells along that axis). A
/// two-dimensional grid has no `z` and lies in the plane z = 0.
struct XdmfRectilinearGrid {
  XdmfDataset x{}, y{}, z{};
  bool two_dimensional = false;
};

/// Triangles in the plane z = 0: positions (nodes, 2) and node numbers (triangles, 3), counted from 0.
struct XdmfTriangleGrid {
  XdmfDataset nodes{}, triangles{};
};

/// Builds one XDMF document: a single grid, several side by side, or a series in time.
/// XDMF lists extents slowest first (k, j, i), counts nodes in Topology, and gives a uniform grid's origin and
/// spacing as (z, y, x); this class does that from the (x, y, z) of its arguments.
/// An attribute whose extents do not fit its grid, or a control character in a name, throws std::invalid_argument.
/// Cost: a few kilobytes of text a grid.
class XdmfDocument {
 public:
  void add(std::string const& grid_name, XdmfUniformGrid const& grid, std::vector<XdmfAttribute> const& attributes);
  void add(std::string const& grid_name, XdmfRectilinearGrid const& grid, std::vector<XdmfAttribute> const& attributes);
  void add(std::string const& grid_name, XdmfTriangleGrid const& grid, std::vector<XdmfAttribute> const& attributes);
  /// One moment of the series `series_name` (a time in seconds, or an iteration). Series are written as temporal
  /// collections in the order of their first step.
  void add_step(std::string const& series_name, double time, XdmfUniformGrid const& grid,
                std::vector<XdmfAttribute> const& attributes);
  void add_step(std::string const& series_name, double time, XdmfRectilinearGrid const& grid,
                std::vector<XdmfAttribute> const& attributes);
  void add_step(std::string const& series_name, double time, XdmfTriangleGrid const& grid,
                std::vector<XdmfAttribute> const& attributes);

  /// The document.
  std::string text() const;
  /// Writes it (atomically). Errors: FileError.
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
