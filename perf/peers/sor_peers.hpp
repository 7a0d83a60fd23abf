// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Red-black relaxation with constant coefficients, as in code of a user.
#pragma once

#include "../sor_problem.hpp"

#include <memory>

namespace karman::perf {

/// Both colours in one array with ghost cells, swept with Kokkos' MDRangePolicy; i is recovered from the colour.
template <class Exec, class T>
std::unique_ptr<SorImplementation<Exec, T>> kokkos_mdrange_sor(Exec const& space, SorProblem const& problem);

/// A separate array per colour. Host: OpenMP threads and SIMD (host_simd.hpp).
template <class Exec, class T>
std::unique_ptr<SorImplementation<Exec, T>> host_simd_sor(Exec const& space, SorProblem const& problem);

/// A separate array per colour, a plain CUDA kernel with one thread per cell.
template <class Exec, class T>
std::unique_ptr<SorImplementation<Exec, T>> cuda_sor(Exec const& space, SorProblem const& problem);

}  // namespace karman::perf
