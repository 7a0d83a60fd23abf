// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "announcement.hpp"

#include "common/kokkos_runtime.hpp"
#include <karman/io/signals.hpp>

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
  // The needs of a case that does not fit are worth as much as those of one that does.
  if (options.dry_run) std::fputs(dry_run_report(wind_case, need, backend).c_str(), stdout);
  require_memory(need, backend, host);
  return options.dry_run ? std::nullopt : std::optional(need);
}

int stopped_in_set_up() {
  int const number = stop_requested();
  if (number == 0) return 0;
  std::fprintf(stderr, "karman wind: stopped by a signal during the set-up; no results and no checkpoint written\n");
  return 128 + number;
}

}  // namespace karman::wind
