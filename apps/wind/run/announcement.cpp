// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "announcement.hpp"

#include "common/kokkos_runtime.hpp"

#include <cstdio>
#include <string>

namespace karman::wind {

std::optional<WindEstimate> announce(app::RunOptions const& options, WindCase const& wind_case,
                                     BackendInfo const& backend) {
  BackendInfo const host = describe(enabled_backends().back());
  WindEstimate const need =
      estimate(wind_case, backend.backend, options.dry_run ? app::quick_copy_rate(backend.backend) : 0);
  std::printf("%s\n", wind_case.wind_text.c_str());
  for (std::string const& warning : wind_case.warnings) std::fprintf(stderr, "karman wind: %s\n", warning.c_str());
  require_memory(need, backend, host);
  if (!options.dry_run) return need;
  std::fputs(dry_run_report(wind_case, need, backend).c_str(), stdout);
  return std::nullopt;
}

}  // namespace karman::wind
