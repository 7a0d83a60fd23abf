// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Marks small functions that kernels call and that code without Kokkos calls as well.
#pragma once

#if defined(__CUDACC__)
#define KARMAN_HOST_DEVICE __host__ __device__
#else
#define KARMAN_HOST_DEVICE
#endif
