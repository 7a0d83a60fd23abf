// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Copies from the memory of a device to team scratch that no thread waits for. Elsewhere plain assignments.
#pragma once

#include <Kokkos_Core.hpp>

#if defined(__NVCC__)
#include <cuda_pipeline_primitives.h>
#endif

namespace karman::detail {

/// Begins to copy a value of 4, 8 or 16 bytes to team scratch of level 0. The destination is not to be used before
/// await_copies().
template <class V>
KOKKOS_FORCEINLINE_FUNCTION void copy_to_scratch(V* to, V const* from) {
  static_assert(sizeof(V) == 4 || sizeof(V) == 8 || sizeof(V) == 16);
#if defined(__CUDA_ARCH__)
  __pipeline_memcpy_async(to, from, sizeof(V));
#else
  *to = *from;
#endif
}

/// Waits for all copies of the calling thread, which then may use the values; its team may after a barrier.
KOKKOS_FORCEINLINE_FUNCTION void await_copies() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  // __pipeline_wait_prior() would let the compiler move reads before it.
  asm volatile("cp.async.wait_all;" ::: "memory");
#endif
}

}  // namespace karman::detail
