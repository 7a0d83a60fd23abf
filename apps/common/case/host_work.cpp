// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "host_work.hpp"

#include <sched.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <exception>
#include <system_error>
#include <thread>
#include <vector>

namespace karman::app {
namespace {

std::atomic<int> processes_here{1};

/// Cores that this process may use: a launcher may have bound it to some of them.
int usable_cores(int online) {
  cpu_set_t set;
  CPU_ZERO(&set);
  return ::sched_getaffinity(0, sizeof set, &set) == 0 ? std::min(CPU_COUNT(&set), online) : online;
}

}  // namespace

int work_threads() {
  // A list has one number per level of nested regions.
  char const* const chosen = std::getenv("OMP_NUM_THREADS");
  if (int const threads = chosen == nullptr ? 0 : std::atoi(chosen); threads > 0) return threads;
  int const online = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  return std::max(1, std::min(usable_cores(online), online / processes_here));
}

void share_machine(int processes) { processes_here = std::max(1, processes); }

void for_parts(std::int64_t count, std::int64_t least,
               std::function<void(std::int64_t begin, std::int64_t end)> const& work) {
  if (count <= 0) return;
  std::int64_t const parts = std::clamp<std::int64_t>(count / std::max<std::int64_t>(1, least), 1, work_threads());
  if (parts == 1) return work(0, count);
  std::vector<std::exception_ptr> failures(static_cast<std::size_t>(parts));
  auto const work_on = [&](std::int64_t part) {
    try {
      work(count * part / parts, count * (part + 1) / parts);
    } catch (...) {
      failures[static_cast<std::size_t>(part)] = std::current_exception();
    }
  };
  std::vector<std::jthread> others;
  std::int64_t started = 1;
  try {
    for (; started < parts; ++started) others.emplace_back(work_on, started);
  } catch (std::system_error const&) {
    // Limit of processes or of memory: this thread does the rest.
  }
  work_on(0);
  for (std::int64_t part = started; part < parts; ++part) work_on(part);
  others.clear();  // waits for them
  for (std::exception_ptr const& failure : failures) {
    if (failure) std::rethrow_exception(failure);
  }
}

}  // namespace karman::app
