// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../arguments.hpp"
#include "processes.hpp"
#include <karman/core/mpi.hpp>

#include <mpi.h>

#include <cstdio>
#include <cstdlib>
#include <stdexcept>

namespace karman::perf {

Processes::Processes() {
  int provided = 0;
  if (MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &provided) != MPI_SUCCESS)
    throw std::runtime_error("MPI_Init_thread failed");
}

Processes::~Processes() { MPI_Finalize(); }

Communicator Processes::communicator(std::string const& transport) const {
  for (Transport const fastest : {Transport::nccl, Transport::direct, Transport::staged}) {
    if (transport.empty() || transport == name(fastest)) return communicator_of(MPI_COMM_WORLD, fastest);
  }
  throw UsageError("--transport " + transport + ": expected one of nccl, direct, staged");
}

void abandon(int exit_code) {
  std::fflush(stdout);
  std::fflush(stderr);
  MPI_Abort(MPI_COMM_WORLD, exit_code);
  std::_Exit(exit_code);
}

}  // namespace karman::perf
