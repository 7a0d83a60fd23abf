// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs as any number of processes. Values are global indices, so that a value shows where it came from.
#include "backends.hpp"
#include "random_decomposition.hpp"
#include "refused_calls.hpp"
#include "world.hpp"
#include <karman/core/box_halo.hpp>
#include <karman/core/host_copy.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace {

using karman::BlockNeighbor;
using karman::Box;
using karman::BoxDecomposition;
using karman::Communicator;
using karman::IndexNeighbor;

using karman::test::world;

/// Extents of the boxes of a decomposition along each axis.
enum class Boxes {
  any,        ///< also none
  one_or_two  ///< both faces of a box may have the same cell, or the same neighbor
};

/// Numbers of parts along x, y, z whose product is the number of processes, and edges; the same in all processes.
BoxDecomposition random_decomposition(int processes, std::mt19937& random, Boxes boxes = Boxes::any) {
  auto const parts = karman::test::random_parts<3>(processes, random);
  std::array<std::vector<int>, 3> edges;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    if (boxes == Boxes::one_or_two) {
      edges[axis] = {0};
      for (int part = 0; part < parts[axis]; ++part)
        edges[axis].push_back(edges[axis].back() + 1 + static_cast<int>(random() % 2));
      continue;
    }
    int const cells = 1 + static_cast<int>(random() % 9);
    edges[axis] = karman::test::random_edges(cells, parts[axis], random);
  }
  return BoxDecomposition(edges);
}

template <class Case>
class ExchangeOn : public ::testing::Test {};
TYPED_TEST_SUITE(ExchangeOn, karman::test::AllBackends, karman::test::BackendNames);

template <class Exec, class T>
void fill_halos(int trial, Boxes boxes, Communicator const& all = world()) {
  std::mt19937 random(static_cast<unsigned>(trial));
  Exec const space;
  BoxDecomposition const decomposition = random_decomposition(all.size(), random, boxes);
  // Of the smallest boxes most axes are periodic.
  unsigned const kinds = boxes == Boxes::any ? 2 : 4;
  std::array<bool, 3> const periodic{random() % kinds != 1, random() % kinds != 1, random() % kinds != 1};
  auto const cells = decomposition.cells();
  Box const box = decomposition.box(all.rank());
  std::array<int, 3> own{};
  for (std::size_t axis = 0; axis < 3; ++axis) own[axis] = box.end[axis] - box.begin[axis];
  std::int64_t const row = own[0] + 2, plane = row * (own[1] + 2);
  karman::BoxLayout const layout{1 + row + plane, {1, row, plane}};

  /// Global index of a cell; -1 for one that no other process owns.
  auto const value = [&](int k, int j, int i) {
    std::array<int, 3> at{box.begin[0] + i, box.begin[1] + j, box.begin[2] + k};
    for (std::size_t axis = 0; axis < 3; ++axis) {
      if (periodic[axis]) at[axis] = (at[axis] + cells[axis]) % cells[axis];
      if (at[axis] < 0 || at[axis] >= cells[axis]) return T(-1);
    }
    return static_cast<T>(at[0] + cells[0] * (at[1] + cells[1] * at[2]));
  };
  std::vector<T> host(static_cast<std::size_t>(plane * (own[2] + 2)), T(-2));
  auto const index = [&](int k, int j, int i) {
    return static_cast<std::size_t>(layout.first + k * plane + j * row + i);
  };
  for (int k = 0; k < own[2]; ++k) {
    for (int j = 0; j < own[1]; ++j) {
      for (int i = 0; i < own[0]; ++i) host[index(k, j, i)] = value(k, j, i);
    }
  }
  auto const field = karman::device_copy(space, host, "field");
  auto const neighbors = halo_neighbors(decomposition, all.rank(), periodic, layout);
  karman::Exchange<Exec, T> exchange(space, all, neighbors);
  EXPECT_EQ((karman::Exchange<Exec, T>::workspace_bytes(neighbors)), exchange.workspace_bytes()) << "trial " << trial;
  exchange.exchange(space, field.data());
  auto const filled = karman::host_copy(space, field);

  bool const empty = own[0] == 0 || own[1] == 0 || own[2] == 0;
  for (int k = -1; !empty && k <= own[2]; ++k) {
    for (int j = -1; j <= own[1]; ++j) {
      for (int i = -1; i <= own[0]; ++i) {
        std::array<int, 3> const at{i, j, k};
        int beyond = 0;
        T expected = value(k, j, i);
        for (std::size_t axis = 0; axis < 3; ++axis) {
          bool const above = at[axis] == own[axis], outside = above || at[axis] < 0;
          if (!outside) continue;
          ++beyond;
          int const neighbor =
              decomposition.neighbor(all.rank(), static_cast<int>(axis), above ? 1 : -1, periodic[axis]);
          if (neighbor < 0 || neighbor == all.rank()) expected = T(-2);
        }
        if (beyond > 1) expected = T(-2);
        ASSERT_EQ(filled[index(k, j, i)], expected) << "trial " << trial << ", cell " << k << ' ' << j << ' ' << i;
      }
    }
  }
}

TYPED_TEST(ExchangeOn, FillsTheHalosOfRandomBoxes) {
  for (Boxes const boxes : {Boxes::any, Boxes::one_or_two}) {
    for (int trial = 0; trial < 60; ++trial) {
      fill_halos<typename TypeParam::execution_space, typename TypeParam::real>(trial, boxes);
      if (world().sum(static_cast<int>(this->HasFailure())) > 0) return;
    }
  }
}

TYPED_TEST(ExchangeOn, AnnouncesTheMemoryOfMessagesThroughTheHost) {
  Communicator const staged = communicator_of(MPI_COMM_WORLD, karman::Transport::staged);
  for (int trial = 0; trial < 10; ++trial)
    fill_halos<typename TypeParam::execution_space, typename TypeParam::real>(trial, Boxes::one_or_two, staged);
}

/// Random values go from random places to random places.
template <class Exec, class T>
void send_lists(int trial) {
  std::mt19937 random(static_cast<unsigned>(trial));  // the same numbers in all processes
  Exec const space;
  Communicator const all = world();
  std::int64_t const size = 40;
  std::vector<std::vector<std::int64_t>> places;  // shuffled places of each process, to receive
  for (int rank = 0; rank < all.size(); ++rank) {
    std::vector<std::int64_t> order(static_cast<std::size_t>(size));
    for (std::size_t n = 0; n < order.size(); ++n) order[n] = static_cast<std::int64_t>(n);
    std::shuffle(order.begin(), order.end(), random);
    places.push_back(order);
  }
  std::vector<IndexNeighbor> neighbors;
  for (int other = 0; other < all.size(); ++other) neighbors.push_back({other, {}, {}});
  std::vector<T> expected(static_cast<std::size_t>(size), T(-1));
  for (int from = 0; from < all.size(); ++from) {
    for (int to = 0; to < all.size(); ++to) {
      for (int count = static_cast<int>(random() % 5); count > 0 && !places[static_cast<std::size_t>(to)].empty();
           --count) {
        std::int64_t const source = static_cast<std::int64_t>(random() % 40);
        std::int64_t const target = places[static_cast<std::size_t>(to)].back();
        places[static_cast<std::size_t>(to)].pop_back();
        if (from == all.rank()) neighbors[static_cast<std::size_t>(to)].send.push_back(source);
        if (to != all.rank()) continue;
        neighbors[static_cast<std::size_t>(from)].receive.push_back(target);
        expected[static_cast<std::size_t>(target)] = static_cast<T>(from * size + source);
      }
    }
  }
  std::vector<T> values(static_cast<std::size_t>(size));
  for (std::size_t n = 0; n < values.size(); ++n)
    values[n] = static_cast<T>(all.rank() * size + static_cast<std::int64_t>(n));
  auto const source = karman::device_copy(space, values, "source");
  auto const target = karman::device_copy(space, std::vector<T>(values.size(), T(-1)), "target");
  karman::Exchange<Exec, T> exchange(space, all, neighbors);
  for (int repeat = 0; repeat < 3; ++repeat) {
    exchange.begin(space, source.data());
    exchange.end(space, target.data());
  }
  EXPECT_EQ(karman::host_copy(space, target), expected) << "trial " << trial;
}

TYPED_TEST(ExchangeOn, SendsListsOfIndices) {
  for (int trial = 0; trial < 20; ++trial) {
    send_lists<typename TypeParam::execution_space, typename TypeParam::real>(trial);
  }
}

/// Two exchanges under way at a time do not take each other's values.
template <class Exec, class T>
void overlap_two() {
  Exec const space;
  Communicator const all = world();
  int const next = (all.rank() + 1) % all.size(), last = (all.rank() + all.size() - 1) % all.size();
  std::vector<IndexNeighbor> ring;
  if (next == last) {
    ring = {{next, {0}, {1}}};
  } else {
    ring = {{next, {0}, {}}, {last, {}, {1}}};
  }
  karman::Exchange<Exec, T> first(space, all, ring), second(space, all, ring);
  auto const a = karman::device_copy(space, std::vector<T>{T(all.rank()), T(-1)}, "a");
  auto const b = karman::device_copy(space, std::vector<T>{T(100 + all.rank()), T(-1)}, "b");
  first.begin(space, a.data());
  second.begin(space, b.data());
  second.end(space, b.data());
  first.end(space, a.data());
  EXPECT_EQ(karman::host_copy(space, a)[1], T(last));
  EXPECT_EQ(karman::host_copy(space, b)[1], T(100 + last));
}

TYPED_TEST(ExchangeOn, TwoMayBeUnderWay) {
  overlap_two<typename TypeParam::execution_space, typename TypeParam::real>();
}

template <class Exec, class T>
void refuse(std::vector<IndexNeighbor> const& neighbors, std::string const& part) {
  Exec const space;
  Communicator const all = world();
  karman::test::expect_refused(part, [&] { karman::Exchange<Exec, T> const exchange(space, all, neighbors); });
}

TYPED_TEST(ExchangeOn, RefusesNumbersThatDiffer) {
  using Exec = typename TypeParam::execution_space;
  using T = typename TypeParam::real;
  Communicator const all = world();
  refuse<Exec, T>({{all.size(), {0}, {0}}}, "but there are");
  refuse<Exec, T>({{0, {0}, {0}}, {0, {0}, {0}}}, "twice");
  if (all.size() == 1) return refuse<Exec, T>({{0, {0, 1}, {0}}}, "sends 2 values to process 0, which expects 1");
  std::vector<IndexNeighbor> one_sided;
  if (all.rank() == 0) one_sided = {{1, {0, 1}, {}}};
  refuse<Exec, T>(one_sided, "process 0 sends 2 values to process 1, which expects 0");
  one_sided.clear();
  if (all.rank() == 1) one_sided = {{0, {}, {3}}};
  refuse<Exec, T>(one_sided, "expects 1 values of process 0, which sends none");
}

TEST(BoxDecompositionGathered, IsTheOneThatTheProcessesHold) {
  Communicator const all = world();
  std::mt19937 random(1);
  for (int trial = 0; trial < 100; ++trial) {
    auto decomposition = random_decomposition(all.size(), random);
    if (decomposition.parts()[2] > 1) continue;  // grids keep all layers
    karman::UniformGrid const grid(decomposition.cells(), {1, 1, 1});
    auto const found = BoxDecomposition::gathered(all, decomposition.part(grid, all.rank()));
    for (int rank = 0; rank < all.size(); ++rank) {
      EXPECT_EQ(found.box(rank).begin, decomposition.box(rank).begin) << "trial " << trial;
      EXPECT_EQ(found.box(rank).end, decomposition.box(rank).end) << "trial " << trial;
    }
  }
  if (all.size() == 1) return;
  karman::UniformGrid const whole({4, 4, 4}, {1, 1, 1});
  EXPECT_THROW(BoxDecomposition::gathered(all, whole), std::invalid_argument);
  karman::UniformGrid const other({all.rank() + 1, 4, 4}, {1, 1, 1});
  EXPECT_THROW(BoxDecomposition::gathered(all, other), std::invalid_argument);
}

}  // namespace
