// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Host memory of the direct solvers and of their libraries.
#pragma once

#include <cstdint>
#include <string>

namespace karman::detail {

/// Throws std::runtime_error in one line, "<what> need about 1.2 GB of memory, 0.8 GB are free", when `bytes` exceed
/// free_host_memory().
void require_host_memory(std::int64_t bytes, std::string const& what);

/// Makes BLAS allocate its buffers, once, after a check that they fit. OpenBLAS waits endlessly for a
/// buffer that it does not get, and no signal that the program handles ends this. Throws std::runtime_error in one
/// line.
void acquire_blas_buffers();

}  // namespace karman::detail
