// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "hypre_rows.hpp"

#include "child_program.hpp"
#include "program_work.hpp"

#include <cstdlib>
#include <stdexcept>
#include <vector>

namespace karman::perf {

namespace {

[[maybe_unused]] std::string hypre_program(HypreBuild build, std::string const& name) {
  return build == HypreBuild::cuda ? name + "-cuda" : name;
}

}  // namespace

ProgramCommand hypre_command([[maybe_unused]] HypreBuild build, [[maybe_unused]] std::string const& program,
                             [[maybe_unused]] int processes) {
#if defined(KARMAN_PERF_MPIEXEC)
  // In a container the benchmark may run as root, which Open MPI otherwise refuses. Open MPI also counts a hyper-thread
  // as no slot of its own.
  ::setenv("OMPI_ALLOW_RUN_AS_ROOT", "1", 0);
  ::setenv("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1", 0);
  ::setenv("OMPI_MCA_rmaps_base_oversubscribe", "1", 0);
  // Variables that bind the threads of OpenMP. Its library, which Debian's hypre loads, would bind each process to the
  // first core that the process may use. That is one core for all where MPI itself binds none.
  return {{KARMAN_PERF_MPIEXEC, KARMAN_PERF_MPIEXEC_PROCESSES, std::to_string(processes),
           own_folder() + '/' + hypre_program(build, program)},
          {"OMP_PROC_BIND", "OMP_PLACES", "GOMP_CPU_AFFINITY"}};
#else
  throw std::runtime_error("this build has no hypre");
#endif
}

std::unique_ptr<Work> hypre_poisson(HypreBuild build, std::string const& solver, std::array<int, 3> const& cells,
                                    double tolerance, int processes) {
  ProgramCommand command = hypre_command(build, "karman-perf-hypre", processes);
  command.words.push_back(solver);
  for (int n : cells) command.words.push_back(std::to_string(n));
  command.words.push_back(digits(tolerance));
  return program_work("hypre", command, tolerance);
}

bool has_hypre([[maybe_unused]] HypreBuild build) {
#if defined(KARMAN_PERF_MPIEXEC)
  return has_program(hypre_program(build, "karman-perf-hypre"));
#else
  return false;
#endif
}

}  // namespace karman::perf
