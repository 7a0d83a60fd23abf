// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Reductions by other libraries and by naive loops.
#pragma once

#include "../reduction_problem.hpp"

namespace karman::perf {

/// Tasks of the peers. `max_on_device` leaves its result in device memory and does not wait.
enum class Task { max, max_on_device, sum, min_max_sum, max_speed };

/// Kokkos::parallel_reduce over a range.
template <class Exec, class T>
ReductionMaker<Exec, T> kokkos_reduction(Task task);

/// Kokkos::parallel_reduce over teams, each reducing a contiguous piece; the maximum only.
template <class Exec, class T>
ReductionMaker<Exec, T> kokkos_team_reduction();

/// The naive tree: all n elements take part in every level, O(n log n) work, log2 n kernels. The maximum in double
/// precision only, on a copy of the field.
template <class Exec, class T>
ReductionMaker<Exec, T> plain_tree_reduction();

/// Copies the field to the host and runs a plain loop there. The maximum in double precision only.
template <class Exec, class T>
ReductionMaker<Exec, T> copy_to_host_reduction();

/// OpenMP threads and SIMD (host_simd.hpp). Host backends.
template <class Exec, class T>
ReductionMaker<Exec, T> host_simd_reduction(Task task);

/// CUB's DeviceReduce with workspace allocated in advance; min_max_sum is three calls. CUDA.
template <class Exec, class T>
ReductionMaker<Exec, T> cub_reduction(Task task);

/// thrust::reduce and thrust::transform_reduce. CUDA.
template <class Exec, class T>
ReductionMaker<Exec, T> thrust_reduction(Task task);

}  // namespace karman::perf
