// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compare_run.hpp"

#include "common/kokkos_runtime.hpp"
#include "common/run_support.hpp"
#include "contest.hpp"
#include "poisson/case/estimate.hpp"
#include <karman/io/config.hpp>
#include <karman/io/error.hpp>
#include <karman/io/output_folder.hpp>
#include <karman/io/progress.hpp>
#include <karman/io/signals.hpp>

#include <algorithm>
#include <array>
#include <cstdio>

namespace karman::poisson {

int compare_methods(app::RunOptions const& options, Case const& input, PoissonCase const& poisson_case) {
  std::filesystem::path const folder = app::output_folder(options);
  FolderLock lock;
  if (!options.dry_run) {
    // A run of the same case may have left its files there. The files of a comparison have other names.
    lock = prepare_output_folder(folder, Overwrite::yes);
    app::require_no_files(folder, std::array{compare_file, compare_json, compare_csv}, options.overwrite);
  }
  app::KokkosRuntime const kokkos(backends_of(options));
  BackendInfo const first = describe(backends_of(options).front());
  Estimate const need =
      estimate(poisson_case, first.backend, options.dry_run ? app::quick_copy_rate(first.backend) : 0);
  BackendInfo const host = describe(enabled_backends().back());
  std::size_t const backends = backends_of(options).size();
  auto const announce = [&](auto const& of_case) {
    std::fputs(dry_run_report(poisson_case, need, first).c_str(), stdout);
    int applicable = 0;
    for (Method method : all_methods) applicable += why_not(method, of_case).empty() ? 1 : 0;
    std::printf("comparison  %d applicable methods, %zu backend%s; at most about %s\n", applicable, backends,
                backends == 1 ? "" : "s",
                duration_text(applicable * double(backends) * *options.compare_budget).c_str());
  };
  bool const fits = app::fits_memory(need.device_bytes, need.host_bytes, first, host);
  if (options.dry_run && (need.cells > quick_cells || !fits)) {
    announce(poisson_case);
    std::fputs(app::sampled_values_line, stdout);
    app::require_memory(need.device_bytes, need.host_bytes, first, host);
    return app::done;
  }
  app::require_memory(need.device_bytes, need.host_bytes, first, host);
  LinearSystem const system = make_linear_system(input, poisson_case);
  for (std::string const& remark : remarks(system)) std::printf("%s\n", remark.c_str());
  if (options.dry_run) {
    announce(system);
    return app::done;
  }
  StopSignals const signals;
  Progress progress({.mode = options.progress,
                     .label = "compare",
                     .unit = "solves",
                     .total = double(all_methods.size() * backends_of(options).size())});
  Contest contest(options, poisson_case, system, make_poisson_solver);
  Comparison const& comparison = contest.run(progress);
  write_comparison(folder, options.overwrite, comparison);
  std::printf("%s\n%s\n%s\n", table(comparison).c_str(), verdict(comparison).c_str(), (folder / compare_file).c_str());
  if (stop_requested() != 0) {
    std::fprintf(stderr, "karman poisson: comparison stopped by a signal; the rows left are marked \"not run\"\n");
    return 128 + stop_requested();
  }
  bool const any = std::any_of(comparison.rows.begin(), comparison.rows.end(),
                               [](ComparisonRow const& row) { return row.fate == Fate::done; });
  if (any) return app::done;
  std::fprintf(stderr, "karman poisson: NOT CONVERGED: no method met the tolerance %.2e within %g s\n",
               comparison.tolerance, comparison.budget);
  return app::not_converged;
}

}  // namespace karman::poisson
