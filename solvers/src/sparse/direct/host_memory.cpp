// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "host_memory.hpp"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <limits>
#include <stdexcept>

namespace karman::detail {
namespace {

constexpr std::int64_t unknown = std::numeric_limits<std::int64_t>::max();

/// MemAvailable includes memory that the page cache can release.
std::int64_t available_in_system() {
  std::ifstream memory("/proc/meminfo");
  for (std::string key; memory >> key;) {
    if (key == "MemAvailable:") {
      std::int64_t kibibytes = 0;
      if (memory >> kibibytes) return kibibytes * 1024;
      break;
    }
  }
  return unknown;
}

std::int64_t left_of_address_space() {
  rlimit limit{};
  if (::getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return unknown;
  std::int64_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  std::int64_t const used = pages * ::sysconf(_SC_PAGESIZE);
  return std::max<std::int64_t>(0, static_cast<std::int64_t>(limit.rlim_cur) - used);
}

std::string in_gigabytes(std::int64_t bytes) {
  char text[40];
  std::snprintf(text, sizeof text, "%.3g GB", 1e-9 * static_cast<double>(bytes));
  return text;
}

}  // namespace

std::int64_t available_host_memory() { return std::min(available_in_system(), left_of_address_space()); }

void require_host_memory(std::int64_t bytes, std::string const& what) {
  std::int64_t const available = available_host_memory();
  if (bytes <= available) return;
  throw std::runtime_error(what + " need about " + in_gigabytes(bytes) + " of memory; " + in_gigabytes(available) +
                           " are free");
}

}  // namespace karman::detail
