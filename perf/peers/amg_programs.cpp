// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "amg_programs.hpp"

#include "child_program.hpp"
#include "hypre_rows.hpp"

namespace karman::perf {

std::vector<AmgPeer> amg_peers(bool on_device, int threads) {
  std::vector<AmgPeer> result;
  HypreBuild const build = on_device ? HypreBuild::cuda : HypreBuild::processors;
  if (has_hypre(build)) {
    ProgramCommand const command = hypre_command(build, "karman-perf-hypre-amg", on_device ? 1 : threads);
    result.push_back({"hypre_boomeramg", "hypre", command, "0"});
    result.push_back({"hypre_boomeramg_aggressive", "hypre", command, "1"});
  }
  auto const add = [&](AmgPeer peer) {
    std::string& program = peer.command.words.front();
    if (!has_program(program)) return;
    program.insert(0, own_folder() + '/');
    result.push_back(std::move(peer));
  };
  if (on_device) {
    add({"amgx_classical", "AmgX", {{"karman-perf-amgx"}}, "classical"});
    add({"amgx_aggregation", "AmgX", {{"karman-perf-amgx"}}, "aggregation"});
    add({"ginkgo_multigrid", "Ginkgo", {{"karman-perf-ginkgo-cuda"}}, "cuda"});
  } else {
    add({"ginkgo_multigrid", "Ginkgo", {{"karman-perf-ginkgo"}}, "omp", {"threads=" + std::to_string(threads)}});
  }
  return result;
}

std::unique_ptr<Work> amg_program(AmgPeer const& peer, std::string const& operation, AmgGrid const& grid,
                                  double tolerance) {
  ProgramCommand command = peer.command;
  auto& words = command.words;
  words.insert(words.end(), {operation, std::to_string(grid.cells), grid.shuffled ? "1" : "0", digits(grid.height),
                             peer.variant, digits(tolerance)});
  words.insert(words.end(), peer.settings.begin(), peer.settings.end());
  return program_work(peer.library, command, tolerance);
}

}  // namespace karman::perf
