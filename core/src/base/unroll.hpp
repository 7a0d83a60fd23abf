// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Unrolled loops of kernels.
#pragma once

/// Unrolls the loop that follows, on a device: only with constant indices do small arrays stay in registers.
#ifdef __CUDA_ARCH__
#define KARMAN_UNROLL _Pragma("unroll")
#else
#define KARMAN_UNROLL
#endif
