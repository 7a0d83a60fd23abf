// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Console and file output of karman-perf from Google Benchmark's results.
#pragma once

#include <benchmark/benchmark.h>

#include <string>
#include <vector>

namespace karman::perf {

/// Reason why a row has no time; null for one that has. Google Benchmark 1.8 has other names for both entries.
template <class Run>
std::string const* failure_of(Run const& run) {
  if constexpr (requires { run.error_occurred; }) {
    return run.error_occurred ? &run.error_message : nullptr;
  } else {
    return run.skipped != 0 ? &run.skip_message : nullptr;
  }
}

/// One line per row on the terminal: median time, spread over the repetitions, bandwidth, share of the yardstick.
class Table : public benchmark::BenchmarkReporter {
 public:
  bool ReportContext(Context const& context) override;
  void ReportRuns(std::vector<Run> const& runs) override;

 private:
  std::size_t width_ = 0;
};

/// Restores the comparison's own names in the file, to which Google Benchmark appends suffixes such as "/manual_time".
class BareJson : public benchmark::JSONReporter {
 public:
  void ReportRuns(std::vector<Run> const& runs) override;
};

}  // namespace karman::perf
