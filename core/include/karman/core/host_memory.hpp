// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Host memory that a process can still allocate. Needs no Kokkos.
#pragma once

#include <cstdint>

namespace karman {

/// Address space that free_host_memory() leaves to libraries below a limit of it: their allocations are unchecked, and
/// one that fails may end the process or wait endlessly.
inline constexpr std::int64_t library_address_space = std::int64_t{64} << 20;

/// Rest of the address space of this process under its limit (`ulimit -v`, RLIMIT_AS), in bytes. The largest integer
/// without a limit.
std::int64_t free_address_space();

/// Host memory that this process can still allocate, in bytes: available in the system, and within the limit of its
/// address space less library_address_space. The largest integer where neither is known.
std::int64_t free_host_memory();

}  // namespace karman
