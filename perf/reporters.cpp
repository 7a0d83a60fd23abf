// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "reporters.hpp"

#include "measurement.hpp"

#include <algorithm>
#include <cstdio>
#include <iterator>
#include <string>

namespace karman::perf {

namespace {

double counter(benchmark::BenchmarkReporter::Run const& run, char const* name) {
  auto const found = run.counters.find(name);
  return found == run.counters.end() ? 0.0 : double(found->second);
}

bool is_left_out(benchmark::BenchmarkReporter::Run const& run) {
  std::string const* const failure = failure_of(run);
  return failure != nullptr && *failure == repetition_left_out;
}

/// Counted items per second.
double rate(benchmark::BenchmarkReporter::Run const& run) {
  for (auto const& [name, value] : run.counters) {
    if (name != "GB/s" && name != "GFlop/s" && name.size() > 2 && name.compare(name.size() - 2, 2, "/s") == 0)
      return value;
  }
  return 0;
}

}  // namespace

bool Table::ReportContext(Context const& context) {
  width_ = context.name_field_width;
  std::printf("%-*s %14s %8s %10s %9s %12s\n", int(width_), "row (median of the repetitions)", "time (us)", "spread",
              "GB/s", "of copy", "10^6 units/s");
  return true;
}

void Table::ReportRuns(std::vector<Run> const& runs) {
  // Google Benchmark reports the repetitions first and their statistics in a second call.
  Run const* shown = nullptr;
  double spread = 0;
  for (Run const& run : runs) {
    if (is_left_out(run)) continue;
    if (std::string const* const failure = failure_of(run)) {
      std::printf("%-*s no time: %s\n", int(width_), run.run_name.function_name.c_str(), failure->c_str());
      return;
    }
    if (run.aggregate_name == "median" || run.repetitions <= 1) shown = &run;
    if (run.aggregate_name == "spread") spread = run.real_accumulated_time;
  }
  if (shown == nullptr) return;
  std::printf("%-*s %14.3f %7.1f%% %10.2f %8.1f%% %12.1f", int(width_), shown->run_name.function_name.c_str(),
              shown->GetAdjustedRealTime(), 100 * spread, counter(*shown, "GB/s"), counter(*shown, "percent_of_copy"),
              rate(*shown) * 1e-6);
  if (double const flops = counter(*shown, "GFlop/s"); flops > 0) {
    std::printf("  %.1f GFlop/s", flops);
    if (double const share = counter(*shown, "percent_of_peak"); share > 0) std::printf(", %.1f%% of peak", share);
  }
  for (auto const& [name, value] : shown->counters) {
    if (name.starts_with("figure_")) std::printf("  %s %.4g", name.substr(7).c_str(), double(value));
  }
  std::printf("\n");
  std::fflush(stdout);
}

void BareJson::ReportRuns(std::vector<Run> const& runs) {
  std::vector<Run> bare;
  std::copy_if(runs.begin(), runs.end(), std::back_inserter(bare), [](Run const& run) { return !is_left_out(run); });
  if (bare.empty()) return;
  for (Run& run : bare) {
    std::string const name = run.run_name.function_name;
    run.run_name = {};
    run.run_name.function_name = name;
  }
  benchmark::JSONReporter::ReportRuns(bare);
}

}  // namespace karman::perf
