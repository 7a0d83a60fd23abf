// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Measures the free memory of the host, for karman::core and karman::io, neither of which needs the other.
#pragma once

#include <karman/core/host_memory.hpp>

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <limits>
#include <string>

namespace karman::detail {

inline constexpr std::int64_t unknown_memory = std::numeric_limits<std::int64_t>::max();

/// MemAvailable includes memory that the page cache can release; _SC_AVPHYS_PAGES does not.
inline std::int64_t available_in_system() {
  std::ifstream memory("/proc/meminfo");
  for (std::string key; memory >> key;) {
    if (key == "MemAvailable:") {
      std::int64_t kibibytes = 0;
      if (memory >> kibibytes) return kibibytes * 1024;
      break;
    }
    memory.ignore(256, '\n');
  }
  return unknown_memory;
}

/// See free_address_space().
inline std::int64_t measure_free_address_space() {
  rlimit limit{};
  if (::getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return unknown_memory;
  std::int64_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  std::int64_t const used = pages * static_cast<std::int64_t>(sysconf(_SC_PAGESIZE));
  return std::max<std::int64_t>(0, static_cast<std::int64_t>(limit.rlim_cur) - used);
}

/// See free_host_memory().
inline std::int64_t measure_free_host_memory() {
  std::int64_t const space = measure_free_address_space();
  if (space == unknown_memory) return available_in_system();
  return std::min(available_in_system(), std::max<std::int64_t>(0, space - library_address_space));
}

}  // namespace karman::detail
