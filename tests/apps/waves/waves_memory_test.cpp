// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The memory that `karman waves --dry-run` announces, against the peak of the run.
#include "apps/common/run_command.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

namespace waves_memory_test {

using karman::test::Outcome;
using karman::test::Workplace;

/// Peak of the command with these arguments, in MB. Its exit code must be that of a run with output.
double peak_megabytes(Workplace const& place, std::vector<std::string> const& words) {
  pid_t const process = place.start(words);
  int status = 0;
  rusage usage{};
  EXPECT_EQ(::wait4(process, &status, 0, &usage), process);
  int const code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  EXPECT_TRUE(code == 0 || code == 3) << code << karman::test::content(place.path(".err"));
  return 1.024e-3 * static_cast<double>(usage.ru_maxrss);
}

/// "memory      about 54.6 MB, plus 307 MB on the host; ..." in MB, both together.
double announced_megabytes(std::string const& report) {
  auto const at = report.find("memory      about ");
  double device = 0, host = 0;
  char unit[2][3] = {};
  int const found = at == std::string::npos ? 0
                                            : std::sscanf(report.c_str() + at, "memory about %lf %2s, plus %lf %2s",
                                                          &device, unit[0], &host, unit[1]);
  EXPECT_EQ(found, 4) << report;
  auto const megabytes = [](double value, std::string const& name) {
    return value * (name == "GB" ? 1e3 : name == "MB" ? 1 : 1e-3);
  };
  return megabytes(device, unit[0]) + megabytes(host, unit[1]);
}

TEST(WavesMemory, TheEstimateIsAtLeastThePeakAndAtMostTwiceThat) {
#if defined(__SANITIZE_ADDRESS__)
  GTEST_SKIP() << "an address sanitizer adds its own memory to the peak";
#endif
  ::setenv("OMP_WAIT_POLICY", "passive", 0);
  Workplace const place;
  place.write("case.json", R"json({
    "mesh": { "kind": "rectangular_harbour", "length": 0.3111, "width": 0.0604, "sea_radius": 0.9,
      "mouth_size": 0.0015, "back_size": 0.003, "sea_size": 0.006 },
    "bathymetry": { "depth": 0.2572 },
    "boundaries": { "open": { "kind": "incident", "radius": 0.9 }, "coast": { "kind": "reflecting" },
      "quay": { "kind": "reflecting" }, "back": { "kind": "reflecting" } },
    "waves": { "kind": "regular", "period": 1, "height": 0.01, "direction": 180,
      "coast": { "kind": "straight", "along": 90 } },
    "solver": { "max_iterations": 110, "fall_back": false } })json");
  // One thread: the stacks and heaps of others are no part of the estimate.
  // The program itself, its libraries, Kokkos.
  double const program = peak_megabytes(place, {"info", "--threads", "1"});
  for (char const* solver : {R"("direct")", R"("gmres")", R"("bicgstab")"}) {
    std::vector<std::string> words{"waves",     "case.json", "--backend", karman::test::host_backend(),
                                   "--threads", "1",         "--set",     std::string("/solver/method=") + solver};
    std::vector<std::string> dry = words;
    dry.emplace_back("--dry-run");
    double const announced = announced_megabytes(place.karman(dry).out);
    words.insert(words.end(), {"--output", "out", "--overwrite"});
    double const taken = peak_megabytes(place, words) - program;
    std::printf("%s: %.0f MB announced, %.0f MB taken\n", solver, announced, taken);
    EXPECT_GE(announced, taken) << solver;
    EXPECT_LE(announced, 2 * taken) << solver;
  }
}

}  // namespace waves_memory_test
