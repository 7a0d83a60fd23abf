// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Host memory that is available to this process.
#pragma once

#include <cstdint>
#include <string>

namespace karman::detail {

/// Bytes of host memory that this process can still allocate: those available in the system, limited by the rest of its
/// address space (RLIMIT_AS). The largest integer where neither is known.
std::int64_t available_host_memory();

/// Throws std::runtime_error in one line, "<what> need about 1.2 GB of memory, 0.8 GB are free", when `bytes` exceed
/// it.
void require_host_memory(std::int64_t bytes, std::string const& what);

}  // namespace karman::detail
