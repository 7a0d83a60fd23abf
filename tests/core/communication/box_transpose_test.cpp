// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs as any number of processes. Values are global indices, so that a value shows where it came from.
#include "backends.hpp"
#include "random_decomposition.hpp"
#include "refused_calls.hpp"
#include "world.hpp"
#include <karman/core/box_decomposition.hpp>
#include <karman/core/box_transpose.hpp>
#include <karman/core/host_copy.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <random>
#include <string>
#include <vector>

namespace box_transpose_test {

using karman::Box;
using karman::BoxTranspose;
using karman::Communicator;
using karman::test::world;

/// Boxes in random order of the processes, with empty ones; the same in all processes.
std::vector<Box> random_boxes(std::array<int, 3> const& cells, int processes, std::mt19937& random) {
  auto const parts = karman::test::random_parts<3>(processes, random);
  std::array<std::vector<int>, 3> edges;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    edges[axis] = karman::test::random_edges(cells[axis], parts[axis], random);
  }
  karman::BoxDecomposition const decomposition(edges);
  std::vector<Box> boxes;
  for (int rank = 0; rank < processes; ++rank) boxes.push_back(decomposition.box(rank));
  std::shuffle(boxes.begin(), boxes.end(), random);
  return boxes;
}

template <class T>
std::vector<T> global_indices(Box const& box, std::array<int, 3> const& cells) {
  std::vector<T> values;
  for (int k = box.begin[2]; k < box.end[2]; ++k) {
    for (int j = box.begin[1]; j < box.end[1]; ++j) {
      for (int i = box.begin[0]; i < box.end[0]; ++i) {
        values.push_back(static_cast<T>(i + cells[0] * (j + cells[1] * k)));
      }
    }
  }
  return values;
}

template <class Case>
class BoxTransposeOn : public ::testing::Test {};
TYPED_TEST_SUITE(BoxTransposeOn, karman::test::AllBackends, karman::test::BackendNames);

/// The same boxes of cells that were each split into `cells` along x.
std::vector<Box> split_along_x(std::vector<Box> boxes, int cells) {
  for (Box& box : boxes) {
    box.begin[0] *= cells;
    box.end[0] *= cells;
  }
  return boxes;
}

/// There, and back to an array without values. Rows are multiples of 1, 2 or 4 values, and arrays begin at a multiple
/// of 16 bytes or one value beyond. Up to five slabs, also more than planes.
template <class Exec, class T>
void there_and_back(unsigned trial, Communicator const& all = world()) {
  std::mt19937 random(trial);
  Exec const space;
  int const multiple = 1 << trial % 3;
  std::size_t const beyond = trial % 5 == 0 ? 1 : 0;
  std::array<int, 3> cells{};
  for (int& n : cells) n = 1 + static_cast<int>(random() % 11);
  auto const from = split_along_x(random_boxes(cells, all.size(), random), multiple);
  auto const to = split_along_x(random_boxes(cells, all.size(), random), multiple);
  cells[0] *= multiple;
  std::size_t const rank = static_cast<std::size_t>(all.rank());
  std::vector<T> before = global_indices<T>(from[rank], cells), after = global_indices<T>(to[rank], cells);
  std::int64_t const count = static_cast<std::int64_t>(before.size());
  for (auto* values : {&before, &after}) values->insert(values->begin(), beyond, T(-1));
  auto const source = karman::device_copy(space, before, "source");
  auto const target = karman::device_copy(space, std::vector<T>(after.size(), T(-1)), "target");
  auto const returned = karman::device_copy(space, std::vector<T>(before.size(), T(-1)), "returned");
  int const slabs = trial % 2 == 0 ? 1 : 1 + static_cast<int>(trial / 2 % 5);
  BoxTranspose<Exec, T> transpose(space, all, from, to, slabs);
  ASSERT_EQ(transpose.slabs(), slabs);
  for (int repeat = 0; repeat < 2; ++repeat) {
    transpose.forward(space, source.data() + beyond, target.data() + beyond);
    transpose.backward(space, target.data() + beyond, returned.data() + beyond);
  }
  ASSERT_EQ(karman::host_copy(space, target), after) << "trial " << trial;
  ASSERT_EQ(karman::host_copy(space, returned), before) << "trial " << trial;
  ASSERT_EQ(karman::host_copy(space, source), before) << "trial " << trial;

  std::int64_t stays = 1;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    stays *= std::max(
        0, std::min(from[rank].end[axis], to[rank].end[axis]) - std::max(from[rank].begin[axis], to[rank].begin[axis]));
  }
  EXPECT_EQ(transpose.bytes_sent(), static_cast<std::int64_t>(sizeof(T)) * (count - stays));
  // Both buffers, whatever the transport, and a few bytes for each block.
  std::int64_t const received = static_cast<std::int64_t>(sizeof(T)) * (std::int64_t(after.size() - beyond) - stays);
  EXPECT_GE(transpose.workspace_bytes(), transpose.bytes_sent() + received) << "trial " << trial;
  EXPECT_LE(transpose.workspace_bytes(), transpose.bytes_sent() + received + 256 * slabs * all.size())
      << "trial " << trial;
  bool const any = all.sum(transpose.bytes_sent()) > 0;
  EXPECT_EQ(transpose.transport() == karman::Transport::none, !any);
}

TYPED_TEST(BoxTransposeOn, MovesRandomBoxesThereAndBack) {
  for (unsigned trial = 0; trial < 80; ++trial) {
    there_and_back<typename TypeParam::execution_space, typename TypeParam::real>(trial);
    if (world().sum(static_cast<int>(this->HasFailure())) > 0) return;
  }
}

/// Values of the planes from `first` to `end` of a box.
template <class T>
std::vector<T> planes_of(std::vector<T> const& values, Box const& box, int first, int end) {
  int const planes = std::max(box.end[2] - box.begin[2], 1);
  auto const at = [&](int plane) {
    int const within = std::clamp(plane - box.begin[2], 0, planes);
    return values.begin() + static_cast<std::ptrdiff_t>(values.size()) / planes * within;
  };
  return {at(first), at(end)};
}

// A slab is written when it ends, others are not. Its source may change after that: here it is written over.
TYPED_TEST(BoxTransposeOn, MovesSlabsOneAfterAnother) {
  using Exec = typename TypeParam::execution_space;
  using T = typename TypeParam::real;
  Exec const space;
  Communicator const all = world();
  std::array<int, 3> const cells{2 * all.size(), 3 * all.size(), 7};
  std::vector<Box> rows, columns;
  for (int rank = 0; rank < all.size(); ++rank) {
    rows.push_back({{0, 3 * rank, 0}, {cells[0], 3 * rank + 3, 7}});
    columns.push_back({{2 * rank, 0, 0}, {2 * rank + 2, cells[1], 7}});
  }
  Box const &own_rows = rows[static_cast<std::size_t>(all.rank())],
            &own_columns = columns[static_cast<std::size_t>(all.rank())];
  auto const before = global_indices<T>(own_rows, cells), after = global_indices<T>(own_columns, cells);
  auto const source = karman::device_copy(space, before, "source");
  auto const target = karman::device_copy(space, std::vector<T>(after.size(), T(-1)), "target");
  constexpr int slabs = 3;
  BoxTranspose<Exec, T> transpose(space, all, rows, columns, slabs);
  auto const edge = [](int slab) { return karman::slab_edge(7, slab, slabs); };
  for (int slab = 0; slab < slabs; ++slab) transpose.begin_forward(space, slab, source.data());
  for (int slab = 0; slab < slabs; ++slab) {
    transpose.end_forward(space, slab, source.data(), target.data());
    auto const arrived = karman::host_copy(space, target);
    EXPECT_EQ(planes_of(arrived, own_columns, 0, edge(slab + 1)), planes_of(after, own_columns, 0, edge(slab + 1)));
    std::vector<T> const later = planes_of(arrived, own_columns, edge(slab + 1), 7);
    EXPECT_EQ(later, std::vector<T>(later.size(), T(-1)));
    std::size_t const plane = before.size() / 7;
    Kokkos::deep_copy(space,
                      Kokkos::subview(source, std::pair(plane * static_cast<std::size_t>(edge(slab)),
                                                        plane * static_cast<std::size_t>(edge(slab + 1)))),
                      T(-2));
  }
  for (int slab = 0; slab < slabs; ++slab) transpose.begin_backward(space, slab, target.data());
  for (int slab = 0; slab < slabs; ++slab) {
    transpose.end_backward(space, slab, target.data(), source.data());
    auto const arrived = karman::host_copy(space, source);
    EXPECT_EQ(planes_of(arrived, own_rows, 0, edge(slab + 1)), planes_of(before, own_rows, 0, edge(slab + 1)));
    std::vector<T> const later = planes_of(arrived, own_rows, edge(slab + 1), 7);
    EXPECT_EQ(later, std::vector<T>(later.size(), T(-2)));
  }
}

// Messages of some megabytes pass in several stages.
TYPED_TEST(BoxTransposeOn, MovesLargeMessagesInStages) {
  using Exec = typename TypeParam::execution_space;
  using T = typename TypeParam::real;
  Exec const space;
  Communicator const all = world();
  int const processes = all.size();
  int const half = (6 << 20) / static_cast<int>(sizeof(T)) / (62 * 11) + 1;  // messages of a little more than 6 MiB
  std::array<int, 3> const cells{62, 2 * half * processes, 11};
  std::vector<Box> slabs, shifted;  // half of a slab passes to the process before
  for (int other = 0; other < processes; ++other) {
    int const shift = other + 1 < processes ? half : 0;
    slabs.push_back({{0, 2 * half * other, 0}, {62, 2 * half * (other + 1), 11}});
    shifted.push_back({{0, other > 0 ? slabs.back().begin[1] + half : 0, 0}, {62, slabs.back().end[1] + shift, 11}});
  }
  auto const own = [&](std::vector<Box> const& boxes) {
    return global_indices<T>(boxes[static_cast<std::size_t>(all.rank())], cells);
  };
  auto const source = karman::device_copy(space, own(slabs), "source");
  auto const target = karman::device_copy(space, own(shifted), "target");
  auto const arrived = karman::device_copy(space, std::vector<T>(target.size(), T(-1)), "arrived");
  auto const returned = karman::device_copy(space, std::vector<T>(source.size(), T(-1)), "returned");
  BoxTranspose<Exec, T> transpose(space, all, slabs, shifted);
  transpose.forward(space, source.data(), arrived.data());
  transpose.backward(space, target.data(), returned.data());
  EXPECT_TRUE(karman::host_copy(space, arrived) == karman::host_copy(space, target));
  EXPECT_TRUE(karman::host_copy(space, returned) == karman::host_copy(space, source));
}

TYPED_TEST(BoxTransposeOn, CountsTheMemoryOfMessagesThroughTheHost) {
  Communicator const staged = communicator_of(MPI_COMM_WORLD, karman::Transport::staged);
  for (unsigned trial = 0; trial < 10; ++trial)
    there_and_back<typename TypeParam::execution_space, typename TypeParam::real>(trial, staged);
}

TYPED_TEST(BoxTransposeOn, RefusesInAllProcesses) {
  using Exec = typename TypeParam::execution_space;
  using T = typename TypeParam::real;
  Exec const space;
  Communicator const all = world();
  auto const refused = [&](std::vector<Box> const& from, std::vector<Box> const& to, std::string const& words) {
    karman::test::expect_refused(words, [&] { BoxTranspose<Exec, T> const transpose(space, all, from, to); });
  };
  std::vector<Box> slabs;
  for (int rank = 0; rank < all.size(); ++rank) slabs.push_back({{0, rank, 0}, {4, rank + 1, 3}});
  refused({}, slabs, "a box for each of");
  refused(slabs, {}, "a box for each of");
  karman::test::expect_refused("one slab at least, found 0",
                               [&] { BoxTranspose<Exec, T> const transpose(space, all, slabs, slabs, 0); });
  auto larger = slabs;
  larger.back().end[0] = 5;
  refused(slabs, larger, "3 cells of process " + std::to_string(all.size() - 1));
  refused(larger, slabs, "3 cells of process " + std::to_string(all.size() - 1));
  if (all.size() == 1) return;
  auto overlapping = slabs;
  overlapping.front().end[1] = 2;
  refused(overlapping, slabs, "processes 0 and 1 must not overlap");
  bool const last = all.rank() == all.size() - 1;
  karman::test::expect_refused("as many slabs",
                               [&] { BoxTranspose<Exec, T> const transpose(space, all, slabs, slabs, last ? 3 : 2); });
  // Another list in one process alone.
  auto swapped = slabs;
  if (last) std::swap(swapped[0], swapped[1]);
  refused(slabs, swapped, "the same lists of boxes");
}

}  // namespace box_transpose_test
