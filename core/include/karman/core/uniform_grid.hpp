// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Structured grid of the solvers: cells of equal size in x and y, layers of equal or given thickness in z.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace karman {

/// Place of a value on a cell: its centre, or the faces normal to an axis (marker-and-cell staggering).
enum class Location { cell, x_face, y_face, z_face };

/// Half-open range of cell indices in each direction, ordered (x, y, z).
struct Box {
  std::array<int, 3> begin{};  ///< first cell
  std::array<int, 3> end{};    ///< one past the last cell
};

/// Block of nx * ny * nz cells. Cell (k, j, i) has its centre at
///
///     (x0 + (i + 1/2) dx, y0 + (j + 1/2) dy, z_center(k)).
///
/// The grid holds the global extents and the box of cells of this process. With one process the two are the same.
/// Indices of fields, and i and j of x_center() and y_center(), count from the first own cell; layers are never cut.
/// \par Units
/// Lengths are in the unit of the caller, metres in the applications.
class UniformGrid {
 public:
  /// Makes a grid of equal layers.
  /// \param cells number of cells (x, y, z), each at least 1
  /// \param spacing size of a cell (x, y, z), positive and finite
  /// \param origin lowest corner (x, y, z)
  /// \throws std::invalid_argument for an extent or a spacing out of range
  UniformGrid(std::array<int, 3> cells, std::array<double, 3> spacing, std::array<double, 3> origin = {0, 0, 0});

  /// Makes a grid of layers of given thickness in z.
  /// \param cells number of cells (x, y), each at least 1
  /// \param spacing size of a cell (x, y), positive and finite
  /// \param layers thickness of each layer from the lowest up, positive and finite
  /// \param origin lowest corner (x, y, z)
  /// \return the grid
  /// \throws std::invalid_argument for an extent, a spacing or a thickness out of range
  static UniformGrid with_layers(std::array<int, 2> cells, std::array<double, 2> spacing, std::vector<double> layers,
                                 std::array<double, 3> origin = {0, 0, 0});

  /// The same grid, of which this process holds a part.
  /// \param box own cells, among the cells of the whole grid; all layers. Without cells along x or y it is empty.
  /// \throws std::invalid_argument for a box that leaves the grid or cuts the layers
  UniformGrid part(Box const& box) const;

  /// Number of own cells in x.
  int nx() const { return own_.end[0] - own_.begin[0]; }
  /// Number of own cells in y.
  int ny() const { return own_.end[1] - own_.begin[1]; }
  /// Number of own cells in z.
  int nz() const { return own_.end[2] - own_.begin[2]; }
  /// Size of a cell in x.
  double dx() const { return spacing_[0]; }
  /// Size of a cell in y.
  double dy() const { return spacing_[1]; }
  /// Thickness of layer k.
  double dz(int k) const { return layers_[static_cast<std::size_t>(k)]; }
  /// Distance between the centres of the layers k - 1 and k, for k from 0 to nz. Beyond the lowest and the highest
  /// layer the grid continues with a layer of the same thickness.
  double dz_between(int k) const;
  /// Coordinate of the centres of own column i: the same bits in every decomposition.
  double x_center(int i) const { return origin_[0] + (own_.begin[0] + i + 0.5) * spacing_[0]; }
  /// Coordinate of the centres of own row j.
  double y_center(int j) const { return origin_[1] + (own_.begin[1] + j + 0.5) * spacing_[1]; }
  /// Height of the centre of layer k.
  double z_center(int k) const {
    return 0.5 * (faces_[static_cast<std::size_t>(k)] + faces_[static_cast<std::size_t>(k) + 1]);
  }
  /// Height of the lower face of layer k, for k from 0 to nz.
  double z_face(int k) const { return faces_[static_cast<std::size_t>(k)]; }
  /// True when all layers have the same thickness.
  bool uniform_in_z() const { return uniform_in_z_; }
  /// Lowest corner (x, y, z).
  std::array<double, 3> const& origin() const { return origin_; }
  /// Number of cells of the whole grid (x, y, z).
  std::array<int, 3> const& global_cells() const { return global_; }
  /// Cells of this process.
  Box const& own_box() const { return own_; }
  /// Number of own cells.
  std::int64_t cell_count() const;
  /// Number of cells of the whole grid.
  std::int64_t global_cell_count() const;
  /// True where other processes hold the rest of the grid.
  bool is_part() const { return own_.begin != std::array{0, 0, 0} || own_.end != global_; }

  /// Extents of a field in index order (k, j, i). Face fields have one value more than cells along their normal.
  std::array<int, 3> extents(Location location) const;

 private:
  UniformGrid() = default;
  void check_and_finish();
  std::array<int, 3> global_{};
  std::array<double, 2> spacing_{};
  std::array<double, 3> origin_{};
  std::vector<double> layers_;
  std::vector<double> faces_;
  Box own_{};
  bool uniform_in_z_ = true;
};

}  // namespace karman
