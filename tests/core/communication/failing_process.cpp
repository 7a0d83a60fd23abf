// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// failing_process RANK: three processes or more exchange values without end. Process RANK throws an exception while a
// message is under way, and its main() ends all, as in docs/many_processes.md. karman_processes_test starts it.
#include <karman/core/exchange.hpp>
#include <karman/core/host_copy.hpp>
#include <karman/core/mpi.hpp>

#include <Kokkos_Core.hpp>

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <stdexcept>
#include <vector>

namespace {

using Exec = Kokkos::DefaultExecutionSpace;

void exchange_without_end(karman::Communicator const& processes, int failing) {
  Exec const space;
  int const next = (processes.rank() + 1) % processes.size();
  int const last = (processes.rank() + processes.size() - 1) % processes.size();
  std::vector<karman::IndexNeighbor> const neighbors{{next, {0}, {}}, {last, {}, {1}}};
  karman::Exchange<Exec, double> ring(space, processes, neighbors);
  auto const values = karman::device_copy(space, std::vector<double>{1, 0}, "values");
  for (int n = 0;; ++n) {
    ring.begin(space, values.data());
    if (n == 100 && processes.rank() == failing) throw std::runtime_error("a failure of one process");
    ring.end(space, values.data());
    processes.barrier();
  }
}

}  // namespace

int main(int argc, char** argv) {
  int provided = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
  try {
    Kokkos::ScopeGuard const kokkos(argc, argv);
    karman::Communicator const processes = karman::communicator_of(MPI_COMM_WORLD);
    exchange_without_end(processes, argc > 1 ? std::atoi(argv[1]) : 0);
  } catch (std::exception const& error) {
    std::fprintf(stderr, "process failed: %s\n", error.what());
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
}
