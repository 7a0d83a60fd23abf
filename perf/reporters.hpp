// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Google Benchmark appends "/manual_time" and the like to every name; the comparison's names are shown as they are.
#pragma once

#include <benchmark/benchmark.h>

#include <vector>

namespace karman::perf {

/// A reporter of Google Benchmark that shows the bare names.
template <class Reporter>
class BareNames : public Reporter {
 public:
  using Reporter::Reporter;

  void ReportRuns(std::vector<benchmark::BenchmarkReporter::Run> const& runs) override {
    std::vector<benchmark::BenchmarkReporter::Run> bare = runs;
    for (auto& run : bare) {
      auto const name = run.run_name.function_name;
      run.run_name = {};
      run.run_name.function_name = name;
    }
    Reporter::ReportRuns(bare);
  }
};

}  // namespace karman::perf
