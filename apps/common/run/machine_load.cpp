// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "machine_load.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>

namespace karman::app {

double load_average() {
  double load = 0;
  return ::getloadavg(&load, 1) == 1 ? load : 0;
}

int online_cores() { return static_cast<int>(std::max(0L, ::sysconf(_SC_NPROCESSORS_ONLN))); }

std::string load_warning(double load, int cores, int threads) {
  if (cores <= 0 || !(load > cores)) return {};
  char text[160];
  std::snprintf(text, sizeof text, "the load average is %.1f on %d core%s: other programs slow this run down%s", load,
                cores, cores == 1 ? "" : "s", threads > 1 ? "; reduce --threads" : "");
  return text;
}

}  // namespace karman::app
