// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Numbers of slabs in which FastPoisson moves values between processes. No process is needed for them.
#include "grid/fast_poisson/poisson_spectrum.hpp"
#include "grid/fast_poisson/poisson_stages.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <vector>

namespace poisson_slabs_test {

using namespace karman;
using detail::PoissonDivision;
using Slabs = std::vector<int>;

PoissonDivision division(std::array<int, 3> const& cells, BoxDecomposition const& boxes) {
  UniformGrid const grid(cells, {1, 1, 1});
  return {detail::poisson_box(grid, Boundaries::all(Boundary::dirichlet), {1, 1, 1}), boxes, true};
}

/// Of complex values in double precision, y cut.
int automatic(std::array<int, 3> const& cells, int processes) {
  std::vector<int> rows;
  for (int n = 0; n <= processes; ++n) rows.push_back(cells[1] * n / processes);
  return division(cells, BoxDecomposition({Slabs{0, cells[0]}, rows, Slabs{0, cells[2]}})).slabs(0, 16);
}

TEST(PoissonSlabs, FourOfEightMebibytesAndEightOfSixtyFour) {
  // 1024 x 1024 x 513 x 16 B / 16 is 513 MiB to a process: 64.1 MiB in each of eight messages.
  EXPECT_EQ(automatic({1024, 1024, 1024}, 4), 8);
  EXPECT_EQ(automatic({1024, 1024, 1020}, 4), 4);
  EXPECT_EQ(automatic({512, 512, 512}, 4), 4);
  // 256 x 256 x 129 x 16 B: 34 MB of two processes, 8.46 MB of four.
  EXPECT_EQ(automatic({256, 256, 256}, 2), 4);
  EXPECT_EQ(automatic({256, 256, 256}, 4), 1);
  EXPECT_EQ(automatic({256, 1024, 256}, 4), 4);
  EXPECT_EQ(automatic({64, 64, 64}, 2), 1);
  // As many slabs as layers at most.
  EXPECT_EQ(automatic({4096, 4096, 3}, 2), 3);
}

TEST(PoissonSlabs, SmallestPartHasEnoughValuesInEachOfThem) {
  // A row of 512 x 300 values in the first process: 4 slabs of at least 32,768. Of 512 x 200: 3.
  EXPECT_EQ(division({512, 512, 300}, BoxDecomposition({Slabs{0, 512}, Slabs{0, 1, 512}, Slabs{0, 300}})).slabs(0, 16),
            4);
  EXPECT_EQ(division({512, 512, 200}, BoxDecomposition({Slabs{0, 512}, Slabs{0, 1, 512}, Slabs{0, 200}})).slabs(0, 16),
            3);
}

TEST(PoissonSlabs, WantedNumbersAreLimitedByLayers) {
  auto const cut_in_x = division({16, 8, 5}, BoxDecomposition({Slabs{0, 8, 16}, Slabs{0, 8}, Slabs{0, 5}}));
  EXPECT_EQ(cut_in_x.slabs(3, 16), 3);
  EXPECT_EQ(cut_in_x.slabs(9, 16), 5);
  // One row of y: lines along x are divided among the processes by layers.
  EXPECT_EQ(division({16, 1, 5}, BoxDecomposition({Slabs{0, 8, 16}, Slabs{0, 1}, Slabs{0, 5}})).slabs(3, 16), 1);
}

/// Planes of the slabs within each of some parts of a box.
std::vector<Slabs> planes(std::array<int, 3> const& cells, int parts) {
  using Layout = detail::SpectrumLayout<Kokkos::DefaultHostExecutionSpace, double>;
  UniformGrid const grid(cells, {1, 1, 1});
  Layout const layout(detail::poisson_box(grid, Boundaries::all(Boundary::dirichlet), {1, 1, 1}), parts);
  std::vector<Slabs> result(static_cast<std::size_t>(parts));
  for (std::size_t n = 0; n + 1 < layout.edges.size(); ++n) {
    int part = 0;
    while (slab_edge(cells[2], part + 1, parts) <= layout.edges[n]) ++part;
    EXPECT_LE(layout.edges[n + 1], slab_edge(cells[2], part + 1, parts));
    result[static_cast<std::size_t>(part)].push_back(layout.edges[n + 1] - layout.edges[n]);
  }
  EXPECT_LE(layout.sizes().size(), 2u);
  EXPECT_EQ(layout.slab, layout.sizes().front());
  return result;
}

TEST(PoissonSlabs, SpectrumHasSlabsOfTwoSizesWithinThem) {
  EXPECT_EQ(planes({16, 16, 10}, 1), (std::vector<Slabs>{{10}}));
  EXPECT_EQ(planes({16, 16, 10}, 3), (std::vector<Slabs>{{3}, {3}, {4}}));
  // Two planes of 1024 x 1024 values fill the 16 MiB of sorted lines of a host.
  EXPECT_EQ(planes({1024, 1024, 5}, 1), (std::vector<Slabs>{{2, 2, 1}}));
  EXPECT_EQ(planes({1024, 1024, 10}, 2), (std::vector<Slabs>{{1, 2, 2}, {1, 2, 2}}));
}

}  // namespace poisson_slabs_test
