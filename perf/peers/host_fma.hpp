// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Peak rate of fused multiply-additions of a processor, without Kokkos.
#pragma once

#include <cstdint>

namespace karman::perf::simd {

/// Flops of one step of fma_chains() on one thread.
template <class T>
std::int64_t fma_flops_per_step();

/// On every thread, `steps` steps x <- a x + b of independent vectors in registers, enough to hide their latency.
/// Returns the sum of all elements, which start at `start`. Cost: fma_flops_per_step() times steps times threads.
template <class T>
T fma_chains(std::int64_t steps, T start, T a, T b, int threads);

}  // namespace karman::perf::simd
