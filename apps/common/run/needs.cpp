// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "needs.hpp"

#include "common/case/cannot_run.hpp"
#include "common/case/texts.hpp"
#include <karman/core/host_memory.hpp>
#include <karman/io/progress.hpp>

#include <malloc.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace karman::app {

std::string needs_report(Needs const& needs, BackendInfo const& backend) {
  std::string text = needs.title.empty() ? std::string() : needs.title + '\n';
  text += needs.lines;
  text += formatted("backend     %s, %s\nprecision   %s\n", std::string(name(backend.backend)).c_str(),
                    backend.device.c_str(), std::string(name(needs.precision)).c_str());
  text += formatted("memory      about %s, plus %s on the host; free %s\ndisk        %s at most\n",
                    need_text(needs.device_bytes).c_str(), need_text(needs.host_bytes).c_str(),
                    bytes_text(static_cast<double>(backend.free_memory_bytes)).c_str(),
                    need_text(needs.disk_bytes).c_str());
  if (!needs.expected_iterations.empty()) text += "iterations  " + needs.expected_iterations + '\n';
  text += "time        about " + duration_text(needs.seconds) + '\n';
  if (needs.is_large) text += "values      not all checked: the case is large; its run checks them\n";
  return text;
}

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

void require_program_memory() {
  std::int64_t const free = free_address_space();
  if (free == std::numeric_limits<std::int64_t>::max()) return;
#if defined(M_ARENA_MAX)
  // The allocator of the C library would reserve 64 MB for each thread.
  ::mallopt(M_ARENA_MAX, 1);
#endif
  if (free >= library_address_space + least_case_bytes) return;
  throw std::runtime_error("out of memory: the limit of the address space (ulimit -v) leaves " +
                           bytes_text(static_cast<double>(free)) + "; a run needs at least " +
                           bytes_text(static_cast<double>(library_address_space + least_case_bytes)));
}

std::string need_text(std::int64_t bytes) {
  // Three digits: the unit of the last one, in powers of ten.
  double unit = 1;
  for (auto rest = static_cast<double>(bytes); rest >= 1000; rest /= 10) unit *= 10;
  return bytes_text(unit * std::ceil(static_cast<double>(bytes) / unit));
}

std::int64_t hdf5_table_bytes(double rows, std::size_t columns) {
  constexpr double block = 1 << 16, of_index = 64, of_column = 64, of_description = 1024;
  auto const width = static_cast<double>(columns * sizeof(double));
  double const rows_a_block = std::fmax(1, std::floor(block / width)), blocks = std::ceil(rows / rows_a_block);
  return static_cast<std::int64_t>(blocks * (rows_a_block * width + of_index) +
                                   of_column * static_cast<double>(columns) + of_description);
}

std::int64_t csv_bytes(double rows, std::size_t columns) {
  // Up to 24 digits with sign, point and exponent, and a comma; most numbers take fewer.
  constexpr double of_number = 22, of_name = 32;
  return static_cast<std::int64_t>((of_number * rows + of_name) * static_cast<double>(columns));
}

}  // namespace karman::app
