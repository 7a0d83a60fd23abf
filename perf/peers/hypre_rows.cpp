// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "hypre_rows.hpp"

#include "child_program.hpp"
#include "program_work.hpp"

#include <cstdlib>
#include <stdexcept>
#include <vector>

namespace karman::perf {

namespace {

std::string hypre_program(HypreBuild build, std::string const& name) {
  return build == HypreBuild::cuda ? name + "-cuda" : name;
}

/// The command that starts a program of ours with its arguments.
std::vector<std::string> hypre_command([[maybe_unused]] std::string const& program, [[maybe_unused]] int processes,
                                       [[maybe_unused]] std::vector<std::string> const& arguments) {
#if defined(KARMAN_PERF_MPIEXEC)
  // In a container the benchmark may run as root, which Open MPI otherwise refuses. Open MPI also counts a hyper-thread
  // as no slot of its own.
  ::setenv("OMPI_ALLOW_RUN_AS_ROOT", "1", 0);
  ::setenv("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1", 0);
  ::setenv("OMPI_MCA_rmaps_base_oversubscribe", "1", 0);
  std::vector<std::string> words{KARMAN_PERF_MPIEXEC, KARMAN_PERF_MPIEXEC_PROCESSES, std::to_string(processes),
                                 own_folder() + '/' + program};
  words.insert(words.end(), arguments.begin(), arguments.end());
  return words;
#else
  throw std::runtime_error("this build has no hypre");
#endif
}

}  // namespace

std::unique_ptr<Work> hypre_poisson(HypreBuild build, std::string const& solver, std::array<int, 3> const& cells,
                                    double tolerance, int processes) {
  std::vector<std::string> arguments{solver};
  for (int n : cells) arguments.push_back(std::to_string(n));
  arguments.push_back(digits(tolerance));
  std::string const program = hypre_program(build, "karman-perf-hypre");
  return program_work("hypre", hypre_command(program, processes, arguments), tolerance);
}

std::unique_ptr<Work> hypre_amg(HypreBuild build, std::string const& operation, AmgGrid const& grid, int aggressive,
                                double tolerance, int processes) {
  std::vector<std::string> const arguments{operation,           std::to_string(grid.cells), grid.shuffled ? "1" : "0",
                                           digits(grid.height), std::to_string(aggressive), digits(tolerance)};
  std::string const program = hypre_program(build, "karman-perf-hypre-amg");
  return program_work("hypre", hypre_command(program, processes, arguments), tolerance);
}

bool has_hypre([[maybe_unused]] HypreBuild build) {
#if defined(KARMAN_PERF_MPIEXEC)
  return has_program(hypre_program(build, "karman-perf-hypre"));
#else
  return false;
#endif
}

}  // namespace karman::perf
