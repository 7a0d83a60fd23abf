// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A block in a logarithmic wind with a crude cavity behind it, relaxed as in the urban wind codes of the QUIC line:
// omega fixed, stop on the largest change. Iteration counts of an independent serial program in double precision.
#include "backends.hpp"
#include "fields.hpp"
#include <karman/core/reductions.hpp>
#include <karman/solvers/grid/red_black_sor.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cmath>

namespace wind_block_test {

using namespace karman;
using karman::test::HostField;
using karman::test::to_device;

/// The case with its layer of ghosts on every side: cell (k, j, i) of `solid` is cell (k - 1, j - 1, i - 1) of the
/// grid.
struct BlockCase {
  int nx, ny, nz;
  double d = 2;
  HostField<std::uint8_t> solid;
  HostField<double> divergence;  ///< of the first guess, on the cells of the grid
  double largest_divergence = 0;

  BlockCase(int nx_, int ny_, int nz_)
      : nx(nx_), ny(ny_), nz(nz_), solid({nz, ny, nx}), divergence({nz - 2, ny - 2, nx - 2}) {
    int const i0 = nx / 3;
    int const j0 = ny / 2 - 5;
    auto const block_row = [&](int j) { return j >= j0 && j < j0 + 10; };
    solid.fill([&](int k, int j, int i) { return k == 0 || (k <= 10 && block_row(j) && i >= i0 && i < i0 + 10); });
    HostField<double> u({nz, ny, nx + 1});
    u.fill([&](int k, int j, int i) {
      double const z = (k - 0.5) * d;
      double const wind = z > 0 ? 5 * std::log((z + 0.1) / 0.1) / std::log(201.0) : 0;
      bool const cavity = k <= 10 && block_row(j) && i >= i0 + 10 && i < i0 + 30;
      bool const wall = (i < nx && solid(k, j, i) != 0) || (i > 0 && solid(k, j, i - 1) != 0);
      return wall ? 0 : cavity ? -0.3 * wind : wind;
    });
    divergence.fill([&](int k, int j, int i) { return (u(k + 1, j + 1, i + 2) - u(k + 1, j + 1, i + 1)) / d; });
    for (int k = 2; k < nz - 2; ++k)
      for (int j = 2; j < ny - 2; ++j)
        for (int i = 2; i < nx - 2; ++i)
          if (solid(k, j, i) == 0) {
            largest_divergence = std::max(largest_divergence, std::abs(divergence(k - 1, j - 1, i - 1)));
          }
  }

  UniformGrid grid() const { return UniformGrid({nx - 2, ny - 2, nz - 2}, {d, d, d}); }

  /// Faces as in those codes: closed toward solid cells, but open all around the solid cells themselves.
  template <class Exec>
  FaceCoefficients<Exec, double> faces(Exec const& space) const {
    std::array<std::array<int, 3>, 6> const step{{{0, 0, 1}, {0, 0, -1}, {0, 1, 0}, {0, -1, 0}, {1, 0, 0}, {-1, 0, 0}}};
    std::array<Field<Exec, double>, 6> fields;
    for (std::size_t n = 0; n < 6; ++n) {
      HostField<double> face({nz - 2, ny - 2, nx - 2});
      face.fill([&](int k, int j, int i) {
        bool const from_solid = solid(k + 1, j + 1, i + 1) != 0;
        bool const to_solid = solid(k + 1 + step[n][0], j + 1 + step[n][1], i + 1 + step[n][2]) != 0;
        return to_solid && !from_solid ? 0.0 : 1.0;
      });
      fields[n] = to_device(space, face);
    }
    return {fields[0], fields[1], fields[2], fields[3], fields[4], fields[5]};
  }
};

struct Expected {
  int nx, ny, nz;
  double omega;
  int iterations;
  double divergence_at_500;  ///< relative; 0 where none is on record
};

using Exec = Kokkos::DefaultExecutionSpace;

int iterations_until(double change, int unchecked, Expected const& e, double& divergence_at_500) {
  Exec const space;
  BlockCase const block(e.nx, e.ny, e.nz);
  auto const grid = block.grid();
  RedBlackSor<Exec, double> sor(space, {grid, Boundaries::all(Boundary::fixed), block.faces(space)},
                                {SorStorage::packed});
  HostField<double> rhs(grid.extents(Location::cell));
  rhs.fill([&](int k, int j, int i) { return block.solid(k + 1, j + 1, i + 1) ? 0 : -2 * block.divergence(k, j, i); });
  auto before = to_device(space, HostField<double>(grid.extents(Location::cell)));
  auto after = to_device(space, HostField<double>(grid.extents(Location::cell)));
  sor.load(space, before, to_device(space, rhs));
  Reducer<Exec> reducer(space);
  for (int n = 1; n <= 4000; ++n) {
    sor.iterate(space, 1, e.omega);
    if (n == 500) divergence_at_500 = sor.residual(space) / 2 / block.largest_divergence;
    // Those codes copy the lowest layer to the ghosts below it after each iteration, which the block's cells then use.
    sor.store(space, after);
    sor.set_boundary_values(space, Side::bottom, ConstPlane<Exec, double>(after.data(), grid.ny(), grid.nx()));
    if (n > unchecked && reducer.max_abs_difference(space, after, before) <= change) return n;
    std::swap(before, after);
  }
  return -1;
}

class WindBlock : public ::testing::TestWithParam<Expected> {};

TEST_P(WindBlock, TakesAsManyIterationsAsTheReference) {
  Expected const& expected = GetParam();
  double divergence_at_500 = 0;
  int const found = iterations_until(1e-9, expected.iterations * 9 / 10, expected, divergence_at_500);
  EXPECT_NEAR(found, expected.iterations, 0.02 * expected.iterations);
  if (expected.divergence_at_500 > 0) {
    EXPECT_NEAR(divergence_at_500 / expected.divergence_at_500, 1.0, 0.1);
  }
}

INSTANTIATE_TEST_SUITE_P(Cases, WindBlock,
                         ::testing::Values(Expected{64, 64, 32, 1.78, 776, 7e-8}, Expected{64, 64, 32, 1.95, 441, 0},
                                           Expected{128, 128, 48, 1.78, 2467, 7e-5},
                                           Expected{128, 128, 48, 1.95, 422, 0}));

}  // namespace wind_block_test
