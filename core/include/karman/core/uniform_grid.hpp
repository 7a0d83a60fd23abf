// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The structured grid of the solvers: cells of equal size in x and y, layers of equal or given thickness in z.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace karman {

/// Where on a cell a value lives: its centre, or the faces normal to an axis (marker-and-cell staggering).
enum class Location { cell, x_face, y_face, z_face };

/// A half-open range of cell indices in each direction, ordered (x, y, z).
struct Box {
  std::array<int, 3> begin{};
  std::array<int, 3> end{};
};

/// A block of nx * ny * nz cells. Cell (k, j, i) has its centre at
///   (x0 + (i + 1/2) dx, y0 + (j + 1/2) dy, z_centre(k)).
/// All lengths in the caller's unit, metres in the applications. The grid knows the global extents and the box of
/// cells that this process holds; with one process the two are the same.
class UniformGrid {
 public:
  /// `cells` and `spacing` ordered (x, y, z); every extent at least 1, every spacing positive and finite, otherwise
  /// std::invalid_argument.
  UniformGrid(std::array<int, 3> cells, std::array<double, 3> spacing, std::array<double, 3> origin = {0, 0, 0});

  /// Layers of given thickness in z instead (all positive and finite), from the lowest up.
  static UniformGrid with_layers(std::array<int, 2> cells, std::array<double, 2> spacing, std::vector<double> layers,
                                 std::array<double, 3> origin = {0, 0, 0});

  int nx() const { return own_.end[0] - own_.begin[0]; }
  int ny() const { return own_.end[1] - own_.begin[1]; }
  int nz() const { return own_.end[2] - own_.begin[2]; }
  double dx() const { return spacing_[0]; }
  double dy() const { return spacing_[1]; }
  /// Thickness of layer k.
  double dz(int k) const { return layers_[static_cast<std::size_t>(k)]; }
  /// Distance between the centres of the layers k - 1 and k, for k from 0 to nz; beyond the lowest and the highest
  /// layer the grid is continued by a layer of the same thickness.
  double dz_between(int k) const;
  /// Height of the centre of layer k.
  double z_centre(int k) const {
    return 0.5 * (faces_[static_cast<std::size_t>(k)] + faces_[static_cast<std::size_t>(k) + 1]);
  }
  /// Height of the lower face of layer k, for k from 0 to nz.
  double z_face(int k) const { return faces_[static_cast<std::size_t>(k)]; }
  bool uniform_in_z() const { return uniform_in_z_; }
  std::array<double, 3> const& origin() const { return origin_; }
  std::array<int, 3> const& global_cells() const { return global_; }
  Box const& own_box() const { return own_; }
  std::int64_t cell_count() const;

  /// Extents of a field in index order (k, j, i): one more than the cells along the normal of a face field.
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
