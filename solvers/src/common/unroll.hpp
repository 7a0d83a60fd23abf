// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Unrolled loops over small arrays. Only with constant indices do these stay in registers of a device.
#pragma once

/// Makes a device's compiler unroll the next loop.
#if defined(__CUDA_ARCH__)
#define KARMAN_UNROLL _Pragma("unroll")
#else
#define KARMAN_UNROLL
#endif
