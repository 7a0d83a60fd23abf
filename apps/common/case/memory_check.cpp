// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "memory_check.hpp"

#include "cannot_run.hpp"
#include <karman/core/host_memory.hpp>
#include <karman/io/progress.hpp>

#include <malloc.h>

#include <algorithm>
#include <limits>
#include <stdexcept>

namespace karman::app {

namespace {

/// Refuses a need of host memory that exceeds a limit of the address space of this process.
void require_address_space(std::int64_t bytes) {
  std::int64_t const free = free_address_space();
  if (free == std::numeric_limits<std::int64_t>::max() || bytes <= free - library_address_space) return;
  throw std::runtime_error("out of memory: this case needs " + bytes_text(static_cast<double>(bytes)) +
                           "; the limit of the address space (ulimit -v) leaves " +
                           bytes_text(std::max(0.0, static_cast<double>(free - library_address_space))) + " for it");
}

}  // namespace

void require_memory(std::int64_t device_bytes, std::int64_t host_bytes, BackendInfo const& backend,
                    BackendInfo const& host) {
  auto const check = [](std::int64_t needed, BackendInfo const& where, char const* what) {
    if (where.free_memory_bytes <= 0 || needed <= where.free_memory_bytes) return;
    throw CannotRun("this case needs " + bytes_text(static_cast<double>(needed)) + " of " + what + " memory; " +
                    bytes_text(static_cast<double>(where.free_memory_bytes)) + " are free on " + where.device +
                    "; reduce the case");
  };
  bool const device = backend.backend == Backend::cuda;
  if (device) check(device_bytes, backend, "device");
  std::int64_t const on_host = device ? host_bytes : device_bytes + host_bytes;
  require_address_space(on_host);
  check(on_host, host, "host");
}

bool fits_memory(std::int64_t device_bytes, std::int64_t host_bytes, BackendInfo const& backend,
                 BackendInfo const& host) {
  try {
    require_memory(device_bytes, host_bytes, backend, host);
    return true;
  } catch (std::runtime_error const&) {
    return false;
  }
}

void require_host_memory(double bytes, std::string const& of_what) {
  constexpr double most = 0x1p62;
  require_address_space(static_cast<std::int64_t>(std::min(bytes, most)));
  auto const free = static_cast<double>(free_host_memory());
  if (bytes <= free) return;
  throw CannotRun("this case needs at least " + bytes_text(bytes) + " of host memory for " + of_what + "; " +
                  bytes_text(free) + " are free; reduce the case");
}

void require_program_memory(std::int64_t more) {
  std::int64_t const free = free_address_space();
  if (free == std::numeric_limits<std::int64_t>::max()) return;
#if defined(M_ARENA_MAX)
  // The allocator of the C library would reserve 64 MB for each thread.
  ::mallopt(M_ARENA_MAX, 1);
#endif
  std::int64_t const least = library_address_space + least_case_bytes + more;
  if (free >= least) return;
  throw std::runtime_error("out of memory: the limit of the address space (ulimit -v) leaves " +
                           bytes_text(static_cast<double>(free)) + "; a run needs at least " +
                           bytes_text(static_cast<double>(least)));
}

}  // namespace karman::app
