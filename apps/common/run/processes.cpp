// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "processes.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <map>

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
    if (size == nullptr || rank == nullptr) continue;
    char const* const programs = std::getenv("OMPI_NUM_APP_CTX");
    return Launch{variables.size, std::atoi(size), std::atoi(rank), programs != nullptr ? std::atoi(programs) : 1};
  }
  return {};
}

DeviceShares shares_of(std::vector<DeviceIdentity> const& devices) {
  std::map<DeviceIdentity, int> users;
  for (DeviceIdentity const& device : devices) {
    if (device != DeviceIdentity{}) ++users[device];
  }
  DeviceShares shares;
  shares.devices = static_cast<int>(users.size());
  for (auto const& [device, count] : users) {
    shares.processes += count;
    shares.most = std::max(shares.most, count);
  }
  return shares;
}

int processes_per_memory(DeviceShares const& shares, int local_size) {
  return shares.devices > 0 ? shares.most : local_size;
}

std::string sharing_error(DeviceShares const& shares) {
  if (shares.most <= 1) return {};
  auto const counted = [](int count, char const* one, char const* many) {
    return std::to_string(count) + ' ' + (count == 1 ? one : many);
  };
  return std::to_string(shares.processes) + " processes have " + counted(shares.devices, "device", "devices") +
         ", so that up to " + std::to_string(shares.most) + " share one; start " +
         counted(shares.devices, "process", "processes") + ", or add --share-devices to allow it";
}

void Processes::abort(int exit_code) {
  std::fflush(stdout);
  std::_Exit(exit_code);
}

}  // namespace karman::app
