// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Kernels compiled for several vector instructions of x86, one of which is chosen at run time. Independent of Kokkos:
/// the host compiler compiles the sources that include it, also in a build with CUDA.
#pragma once

/// Other processors and compilers leave the work to FFTW, which has vector code for them.
#if defined(__x86_64__) && defined(__GNUC__)
#define KARMAN_VECTOR_TARGETS
#endif

namespace karman::detail {

#if defined(KARMAN_VECTOR_TARGETS)

/// A kernel is a type with a function run(Arguments const&) that is always part of its caller.
template <class Kernel, class Arguments>
__attribute__((target("avx2"))) void run_with_32_bytes(Arguments const& arguments) {
  Kernel::run(arguments);
}
template <class Kernel, class Arguments>
__attribute__((target("avx512f,avx512dq"))) void run_with_64_bytes(Arguments const& arguments) {
  Kernel::run(arguments);
}

/// Vectors of 32 bytes or more; of 64 bytes.
inline bool has_vector_targets() { return __builtin_cpu_supports("avx2"); }

inline bool has_wide_vectors() { return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq"); }

/// The kernel for the widest vectors of this processor. Without fused operations, all give the same bits.
template <class Kernel, class Arguments>
auto vector_kernel() -> void (*)(Arguments const&) {
  return has_wide_vectors() ? run_with_64_bytes<Kernel, Arguments> : run_with_32_bytes<Kernel, Arguments>;
}

#else

inline bool has_vector_targets() { return false; }
inline bool has_wide_vectors() { return false; }

template <class Kernel, class Arguments>
auto vector_kernel() -> void (*)(Arguments const&) {
  return nullptr;
}

#endif

}  // namespace karman::detail
