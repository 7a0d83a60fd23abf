// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Builds with MPI.
#include "world.hpp"
#include <karman/core/mpi.hpp>

#include <cstdio>
#include <cstdlib>

namespace karman::campaign {

World::World(int& argc, char**& argv) {
  int provided = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
  processes_ = communicator_of(MPI_COMM_WORLD);
}

World::~World() {
  processes_ = {};
  MPI_Finalize();
}

void World::abort() {
  std::fflush(stdout);
  MPI_Abort(MPI_COMM_WORLD, 1);
  std::_Exit(1);
}

}  // namespace karman::campaign
