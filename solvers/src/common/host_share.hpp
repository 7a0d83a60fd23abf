// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Memory of the host as part of the memory of an execution space.
#pragma once

#include <karman/core/backend.hpp>

#include <cstdint>

namespace karman::detail {

/// Bytes in HostSpace that count as memory of `Exec`: all on a host, none on a device.
template <class Exec>
constexpr std::int64_t host_share(std::int64_t bytes) {
  return runs_on_host<Exec> ? bytes : 0;
}

}  // namespace karman::detail
