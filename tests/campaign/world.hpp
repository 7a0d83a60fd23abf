// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The processes of the campaign: all that a launcher has started, or this one in a build without MPI.
#pragma once

#include <karman/core/communicator.hpp>

namespace karman::campaign {

/// Lives longer than Kokkos. One in a program.
class World {
 public:
  World(int& argc, char**& argv);
  ~World();
  World(World const&) = delete;
  World& operator=(World const&) = delete;
  Communicator const& processes() const { return processes_; }
  /// Ends all processes: others may wait for this one.
  [[noreturn]] static void abort();

 private:
  Communicator processes_;
};

}  // namespace karman::campaign
