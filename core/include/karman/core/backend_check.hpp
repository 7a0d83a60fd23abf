// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Self-check of a backend: small kernels whose answers are known.
#pragma once

#include <karman/core/backend.hpp>

#include <string>

namespace karman {

/// Verdict of check_backend().
struct BackendVerdict {
  /// One line for people: the backend, the wrong kernels, the versions of Kokkos and CUDA, the cure. Empty when all
  /// answers are right.
  std::string problem;
  /// The device refuses all further work after a fault in a kernel. Kokkos ends the process with the next call that
  /// reaches such a device, finalize() included: report the problem and leave by std::_Exit.
  bool device_lost = false;

  bool sound() const { return problem.empty(); }
};

/// Runs eight small kernels on `space` and compares every value that they write with the exact one: raw memory, Views
/// of rank 1, 2 and 3 in both layouts, the members of a functor as host and device lay them out, a functor with many
/// Views, team scratch, reductions by range and by team.
///
/// Some pairs of Kokkos and nvcc compile without a warning into kernels that do nothing, read other members than the
/// host wrote, or fault: the mdspan Views of Kokkos before 4.7.02 with nvcc 12.9 and later (kokkos/kokkos#8126, #9036).
/// A program that calls this once before its first kernel cannot return fields from such a build.
///
/// Preconditions: Kokkos is initialised. Cost: about 70 KB of memory, ten kernel launches, a few milliseconds the first
/// time. Synchrony: has fenced `space`; touches no other instance. Errors: none is thrown for a wrong answer; a launch
/// or an allocation that Kokkos refuses passes through as its exception.
template <ExecutionSpace Exec>
BackendVerdict check_backend(Exec const& space);

#define KARMAN_EXTERN(Exec) extern template BackendVerdict check_backend(Exec const& space);
KARMAN_FOR_EACH_BACKEND(KARMAN_EXTERN)
#undef KARMAN_EXTERN

}  // namespace karman
