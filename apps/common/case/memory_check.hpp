// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Checks of free memory and address space, before anything of the size of a case is made.
#pragma once

#include <karman/core/backend_name.hpp>

#include <cstdint>
#include <string>

namespace karman::app {

/// Throws CannotRun with needed and free memory, in one line, if memory is too small. `device_bytes`: in the memory of
/// the backend. `host_bytes`: in host memory, which is the same memory for host backends. Throws std::runtime_error
/// where a limit of the address space is too small.
void require_memory(std::int64_t device_bytes, std::int64_t host_bytes, BackendInfo const& backend,
                    BackendInfo const& host);

/// Whether require_memory() passes.
bool fits_memory(std::int64_t device_bytes, std::int64_t host_bytes, BackendInfo const& backend,
                 BackendInfo const& host);

/// As require_memory() for the least host memory of a case, before anything of its size is computed. `of_what`:
/// "6.9e+07 nodes". Needs no Kokkos.
void require_host_memory(double bytes, std::string const& of_what);

/// Throws std::runtime_error in one line if a limit of the address space leaves too little for the libraries of a run.
/// `more`: bytes of address space beside them.
void require_program_memory(std::int64_t more = 0);

/// Memory of the smallest cases beside that of the libraries.
inline constexpr std::int64_t least_case_bytes = std::int64_t{32} << 20;

}  // namespace karman::app
