// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "host_threads.hpp"

#include <karman/core/backend_name.hpp>
#include <karman/io/process.hpp>

#include <algorithm>
#include <cstdlib>
#include <string_view>

namespace karman::app {
namespace {

constexpr char const* spin_count = "GOMP_SPINCOUNT";
/// Measured on 16 cores of an Intel Xeon: two sweeps and a tenth of a reduction over 128 x 128 x 32 cells. On an idle
/// machine: 150 us with this count and with the runtime's own, 220 us without spinning. With four other busy threads:
/// 0.55, 17 and 0.33 ms. With sixteen: 0.26, 17 and 1.4 ms.
constexpr char const* default_spin_count = "3000";

/// Any of these variables is a choice of the caller. The last one is that of LLVM's runtime.
constexpr char const* wait_variables[] = {"OMP_WAIT_POLICY", spin_count, "KMP_BLOCKTIME"};

}  // namespace

void settle_host_threads(int threads, char* const* arguments) {
  std::vector<EnvironmentVariable> variables;
  if (threads > 0) {
    std::string const count = std::to_string(threads);
    variables = {{"OMP_NUM_THREADS", count}, {"KOKKOS_NUM_THREADS", count}};
  }
  auto const backends = enabled_backends();
  bool const has_openmp = std::find(backends.begin(), backends.end(), Backend::openmp) != backends.end();
  bool const chosen = std::any_of(std::begin(wait_variables), std::end(wait_variables),
                                  [](char const* name) { return std::getenv(name) != nullptr; });
  if (has_openmp && !chosen) variables.emplace_back(spin_count, default_spin_count);
  restart_with(variables, arguments);
}

std::string wait_policy_text() {
  char const* const restarted = std::getenv(restarted_variable);
  bool const ours = restarted != nullptr && std::string_view(restarted).find(spin_count) != std::string_view::npos;
  for (char const* name : wait_variables) {
    if (char const* const value = std::getenv(name); value != nullptr)
      return std::string(name) + '=' + value + (ours ? " (karman's default)" : " (set by the caller)");
  }
  return "default of the OpenMP runtime";
}

}  // namespace karman::app
