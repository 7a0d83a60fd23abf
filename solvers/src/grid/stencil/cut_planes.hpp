// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Planes for the cells of neighbouring processes along the faces of a part.
#pragma once

#include "problem_part.hpp"
#include <karman/core/box_halo.hpp>
#include <karman/core/uniform_grid.hpp>

#include <array>
#include <cstdint>
#include <vector>

namespace karman::detail {

/// Places of the planes, one after another in one array; z is never cut. Value (slow, fast) of a side lies at
/// begin + slow * (number of fast ones) + fast, in the order of boundary values.
class CutPlanes {
 public:
  CutPlanes(ProblemPart const& part, UniformGrid const& grid) : grid_(&grid) {
    for (std::size_t side = 0; side < 4; ++side) {
      begin_[side] = size_;
      if (part.cut[side]) size_ += (grid.nz() * fast(side) + granule - 1) / granule * granule;
    }
  }

  /// Number of values of all planes.
  std::int64_t size() const { return size_; }
  std::int64_t begin(std::size_t side) const { return begin_[side]; }
  /// Cells along the fast direction of a side.
  std::int64_t fast(std::size_t side) const { return side < 2 ? grid_->ny() : grid_->nx(); }

  /// Entries of an Exchange from a field in natural order to the planes.
  std::vector<BlockNeighbor> neighbors(ProblemPart const& part) const {
    auto const cells = [&](BoxFace const& face) -> std::vector<StridedBlock> {
      std::int64_t const nx = grid_->nx(), ny = grid_->ny(), nz = grid_->nz();
      std::size_t const side = static_cast<std::size_t>(2 * face.axis + (face.step > 0 ? 0 : 1));
      if (face.beyond) return {{begin(side), {1, nz, fast(side)}, {0, fast(side), 1}}};
      bool const in_x = face.axis == 0;
      std::int64_t const last = face.step > 0 ? (in_x ? nx : ny) - 1 : 0;
      return {{last * (in_x ? 1 : nx), {1, nz, fast(side)}, {0, nx * ny, in_x ? nx : 1}}};
    };
    return halo_neighbors(part.boxes, part.communicator.rank(), part.periodic, cells);
  }

 private:
  /// Planes begin at multiples of this: packs of values stay aligned.
  static constexpr std::int64_t granule = 16;

  UniformGrid const* grid_;
  std::array<std::int64_t, 4> begin_{};
  std::int64_t size_ = 0;
};

}  // namespace karman::detail
