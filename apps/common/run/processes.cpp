// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "processes.hpp"

#include <array>
#include <cstdio>
#include <cstdlib>

namespace karman::app {
namespace {

struct LauncherVariables {
  char const* size;
  char const* rank;
};

/// Open MPI, MPICH's Hydra and Intel MPI, Slurm. A launcher may run inside an allocation of Slurm, so that comes last.
constexpr std::array launchers{LauncherVariables{"OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK"},
                               LauncherVariables{"PMI_SIZE", "PMI_RANK"},
                               LauncherVariables{"SLURM_STEP_NUM_TASKS", "SLURM_PROCID"}};

}  // namespace

std::optional<Launch> launch_of_process() {
  for (LauncherVariables const& variables : launchers) {
    char const* const size = std::getenv(variables.size);
    char const* const rank = std::getenv(variables.rank);
    if (size != nullptr && rank != nullptr) return Launch{variables.size, std::atoi(size), std::atoi(rank)};
  }
  return {};
}

void Processes::abort(int exit_code) {
  std::fflush(stdout);
  std::_Exit(exit_code);
}

}  // namespace karman::app
