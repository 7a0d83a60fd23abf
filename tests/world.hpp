// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// All processes of a distributed test.
#pragma once

#include <karman/core/mpi.hpp>

#include <memory>

namespace karman::test {

/// All processes; null before the first test and after the last one.
inline std::unique_ptr<Communicator>& world_of_tests() {
  static std::unique_ptr<Communicator> world;
  return world;
}

/// Collective at the first call. One communicator for all tests: with NCCL each takes half a second.
inline Communicator world() {
  auto& all = world_of_tests();
  if (all == nullptr) all = std::make_unique<Communicator>(communicator_of(MPI_COMM_WORLD));
  return *all;
}

}  // namespace karman::test
