// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compare_run.hpp"

#include "common/case/texts.hpp"
#include "comparison_run.hpp"
#include "poisson/model/method_choice.hpp"
#include "poisson_estimate.hpp"
#include <karman/io/config.hpp>
#include <karman/io/progress.hpp>
#include <karman/io/signals.hpp>

#include <algorithm>
#include <cstdio>
#include <optional>

namespace karman::poisson {

int compare_methods(app::RunContext& context, Case const& input, PoissonCase const& poisson_case) {
  app::RunOptions const& options = context.options();
  std::vector<Backend> const backends = backends_of(options);
  // A run of the same case may have left its files there. The files of a comparison have other names.
  if (auto const end =
          context.prepare({.names = {compare_file, compare_json, compare_csv}, .beside_others = true}, backends)) {
    return *end;
  }
  Estimate need = estimate(poisson_case, backends.front(), context.copy_rate());
  std::optional<LinearSystem> system;
  if (context.evaluates(need)) {
    system = make_linear_system(input, poisson_case);
    need.is_large = false;
    for (std::string const& remark : remarks(*system)) std::printf("%s\n", remark.c_str());
  }
  auto const applicable = std::count_if(all_methods.begin(), all_methods.end(), [&](Method method) {
    return (system ? why_not(method, *system) : why_not(method, poisson_case)).empty();
  });
  need.lines +=
      app::formatted("comparison  %d applicable methods, %zu backend%s; at most about %s\n",
                     static_cast<int>(applicable), backends.size(), backends.size() == 1 ? "" : "s",
                     duration_text(double(applicable) * double(backends.size()) * *options.compare_budget).c_str());
  if (auto const end = context.open(need)) return *end;
  Progress progress({.mode = options.progress,
                     .label = "compare",
                     .unit = "solves",
                     .total = double(all_methods.size() * backends.size())});
  Contest contest(options, poisson_case, *system, make_poisson_solver);
  Comparison const& comparison = contest.run(progress);
  write_comparison(context.folder(), options.overwrite, comparison);
  std::printf("%s\n%s\n%s\n", table(comparison).c_str(), verdict(comparison).c_str(),
              (context.folder() / compare_file).c_str());
  if (stop_requested() != 0) {
    context.report().warn("comparison stopped by a signal; the rows left are marked \"not run\"");
    return 128 + stop_requested();
  }
  bool const any = std::any_of(comparison.rows.begin(), comparison.rows.end(),
                               [](ComparisonRow const& row) { return row.fate == Fate::done; });
  if (any) return app::done;
  return context.report().not_converged(
      app::formatted(": no method met the tolerance %.2e within %g s", comparison.tolerance, comparison.budget));
}

}  // namespace karman::poisson
