// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Restriction and prolongation of devices, in packs of cells, give the bits of those cell by cell.
#include "grid/multigrid/cell_loop.hpp"
#include "grid/multigrid/transfer.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstdlib>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace multigrid_transfer_test {

using namespace karman::detail;

/// A grid with random values, tables and walls, and the memory of its arrays.
template <class T>
class RandomGrid {
 public:
  RandomGrid(std::array<int, 3> const& cells, std::array<bool, 3> const& joined, MultigridWalls walls) {
    grid.layout = SplitLayout(cells[0], cells[1], cells[2], cells[1] == 1);
    grid.walls = walls;
    SplitLayout const& layout = grid.layout;
    for (std::size_t a = 0; a < 3; ++a) {
      grid.coarsened[a] = joined[a];
      grid.share[a] = shares(cells[a], joined[a]);
      T* const pull = values(cells[a]);
      for (int n = 0; n < cells[a] && !joined[a]; ++n) pull[n] = T(0);
      grid.pull[a] = pull;
    }
    grid.along_x = positive(4 * layout.inner_pitch);
    grid.along_y = positive(2 * layout.ny);
    grid.along_z = positive(2 * layout.nz);
    for (int color = 0; color < 2; ++color) {
      grid.x[color] = values(layout.ghosted_size());
      grid.rhs[color] = values(layout.inner_size());
      for (auto& face : grid.face[color]) face = values(layout.inner_size());
      codes_[color].resize(size_of(layout.inner_size() + 64));
      // Mostly open cells, walls, and cells that keep their values.
      for (karman::WallCode& code : codes_[color])
        code = random_() % 3 == 0 ? static_cast<karman::WallCode>(random_() & 0x0fffu) : karman::open_cell_code;
      if (!codes_[color].empty()) codes_[color].front() = 0;
      grid.codes[color] = aligned(codes_[color]);
      reach_[color].resize(size_of(layout.inner_size() + 8));
      for (std::uint64_t& reach : reach_[color]) reach = random_() | std::uint64_t(random_()) << 32;
      if (walls != MultigridWalls::none) grid.reach[color] = aligned(reach_[color]);
    }
  }

  MultigridGrid<T> grid;

 private:
  static std::size_t size_of(std::int64_t count) { return static_cast<std::size_t>(count); }

  template <class Value>
  static Value* aligned(std::vector<Value>& memory) {
    void* start = memory.data();
    std::size_t space = memory.size() * sizeof(Value);
    return static_cast<Value*>(std::align(64, sizeof(Value), start, space));
  }

  T* values(std::int64_t count) {
    arrays_.emplace_back(size_of(count + 64));
    for (T& value : arrays_.back()) value = static_cast<T>(int(random_() % 2001) - 1000) / T(1024);
    return aligned(arrays_.back());
  }

  T* positive(std::int64_t count) {
    T* const result = values(count);
    for (std::int64_t n = 0; n < count; ++n) result[n] = T(1) + std::abs(result[n]);
    return result;
  }

  T* shares(int cells, bool joined) {
    T* const share = values(cells);
    for (int n = 0; n < cells; ++n) share[n] = joined ? (n % 2 == 0 ? T(0.4375) : T(0.5625)) : T(1);
    // The last pair is another one.
    if (joined && cells % 2 != 0) share[cells - 1] = T(1);
    if (joined && cells % 2 == 0) share[cells - 2] = T(0.625), share[cells - 1] = T(0.375);
    return share;
  }

  std::mt19937 random_{7};
  std::vector<std::vector<T>> arrays_;
  std::vector<karman::WallCode> codes_[2];
  std::vector<std::uint64_t> reach_[2];
};

/// A class, since nvcc lets no plain lambda be called in averaged().
template <class T>
struct ResidualsOf {
  MultigridGrid<T> const& grid;
  KOKKOS_FUNCTION T operator()(int color, int k, int j, int h) const { return residual_at(grid, color, k, j, h); }
};

template <MultigridWalls walls, bool joined, class T>
void expect_same_bits(MultigridGrid<T> const& g) {
  constexpr int width = sor_width<T>;
  int const ny = parent_of(g.layout.ny - 1, g.coarsened[1]) + 1, nz = parent_of(g.layout.nz - 1, g.coarsened[2]) + 1;
  for (int k = 0; k < nz; ++k) {
    for (int j = 0; j < ny; ++j) {
      for (int h = 0; h < g.layout.half; h += width) {
        Pack<T, width> sum[joined ? 1 : 2];
        average_residuals<walls, joined>(g, k, j, h, sum);
        for (int n = 0; n < width; ++n) {
          for (int s = 0; s < (joined ? 1 : 2); ++s) {
            int const i = joined ? h + n : 2 * (h + n) + s;
            if (first_child(i, joined) >= g.layout.nx) continue;
            T const one = averaged(g, k, j, i, ResidualsOf<T>{g});
            ASSERT_EQ(sum[s][n], one) << "cell " << k << ' ' << j << ' ' << i;
          }
        }
      }
    }
  }
}

template <class T>
std::vector<T> copy_of(T const* values, std::int64_t count) {
  return {values, values + count};
}

/// Prolongation from a random coarse grid; ghosts and padding keep their values.
template <class T>
void expect_same_prolongation(RandomGrid<T> const& random, std::array<bool, 3> const& joined) {
  constexpr int width = sor_width<T>;
  MultigridGrid<T> const& fine = random.grid;
  SplitLayout const& layout = fine.layout;
  std::array<int, 3> const cells{parent_of(layout.nx - 1, joined[0]) + 1, parent_of(layout.ny - 1, joined[1]) + 1,
                                 parent_of(layout.nz - 1, joined[2]) + 1};
  RandomGrid<T> const random_coarse(cells, {}, fine.walls);
  MultigridGrid<T> const& coarse = random_coarse.grid;
  std::vector<T> expected[2];
  for (int color = 0; color < 2; ++color) expected[color] = copy_of(fine.x[color], layout.ghosted_size());
  for (int k = 0; k < layout.nz; ++k) {
    for (int j = 0; j < layout.ny; ++j) {
      for (int i = 0; i < layout.nx; ++i) {
        expected[color_of(k, j, i)][static_cast<std::size_t>(layout.ghosted(k, j, i >> 1))] +=
            prolonged(fine, coarse, k, j, i);
      }
    }
  }
  for (int k = 0; k < cells[2]; ++k) {
    for (int j = 0; j < cells[1]; ++j) {
      for (int h = 0; h < layout.half; h += width) prolong_blocks<width>(fine, coarse, k, j, h);
    }
  }
  for (int color = 0; color < 2; ++color)
    EXPECT_EQ(copy_of(fine.x[color], layout.ghosted_size()), expected[color]) << "colour " << color;
}

template <class T>
void expect_same_bits_on_all_grids() {
  std::vector<std::array<int, 3>> const grids{{1, 1, 1},  {2, 3, 4},  {7, 6, 5},  {8, 8, 8},
                                              {33, 5, 3}, {64, 2, 7}, {65, 1, 9}, {66, 4, 2}};
  for (std::array<int, 3> const& cells : grids) {
    for (int bits = 1; bits < 8; ++bits) {
      std::array<bool, 3> joined{};
      for (std::size_t a = 0; a < 3; ++a) joined[a] = cells[a] > 1 && (bits >> a & 1) != 0;
      for (MultigridWalls const walls : {MultigridWalls::none, MultigridWalls::codes, MultigridWalls::arrays}) {
        RandomGrid<T> const random(cells, joined, walls);
        SCOPED_TRACE(std::to_string(cells[0]) + " cells along x, joined " + std::to_string(bits));
        with_walls_of(random.grid, [&](auto kind) {
          if (joined[0]) expect_same_bits<decltype(kind)::value, true>(random.grid);
          else expect_same_bits<decltype(kind)::value, false>(random.grid);
        });
        if (joined[0]) expect_same_prolongation(random, joined);
        if (::testing::Test::HasFailure()) return;
      }
    }
  }
}

TEST(MultigridTransfer, InPacksGivesTheBitsOfSingleCells) {
  expect_same_bits_on_all_grids<float>();
  expect_same_bits_on_all_grids<double>();
}

}  // namespace multigrid_transfer_test
