// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Self-check of a backend: small kernels whose answers are known.
#pragma once

#include <karman/core/backend.hpp>

#include <string>

namespace karman {

/// Verdict of check_backend().
struct BackendVerdict {
  /// Message on one line: backend, wrong kernels, versions of Kokkos and CUDA, fix. Empty when all answers are right.
  std::string problem;
  /// True after a fault in a kernel: the device then refuses all further work. Kokkos ends the process with the next
  /// call that reaches such a device, finalize() included. Report the problem and leave by std::_Exit.
  bool device_lost = false;

  /// True when all answers are right.
  bool sound() const { return problem.empty(); }
};

/// Runs eight small kernels on `space` and compares every value that they write with the exact one. The kernels cover
/// raw memory, Views of rank 1, 2 and 3 in both layouts, and the layout of functor members. They also cover functors
/// with many Views, team scratch, and reductions by range and by team.
///
/// Some pairs of Kokkos and nvcc miscompile kernels without a warning: the kernels do nothing, read wrong members, or
/// fault. Known pairs are the mdspan Views of Kokkos before 4.7.02 with nvcc 12.9 and later (kokkos/kokkos#8126,
/// #9036). Call this once before the first kernel of a program, and refuse to run on a wrong answer.
/// \param space instance under test
/// \return the verdict; a wrong answer throws nothing
/// \pre Kokkos is initialised.
/// \par Cost
/// About 70 KB of memory, ten kernel launches, a few milliseconds the first time.
/// \par Synchrony
/// Fences `space`; touches no other instance.
/// \throws std::exception for a launch or an allocation that Kokkos refuses: its own exception passes through
template <ExecutionSpace Exec>
BackendVerdict check_backend(Exec const& space);

#define KARMAN_EXTERN(Exec) extern template BackendVerdict check_backend(Exec const& space);
KARMAN_FOR_EACH_BACKEND(KARMAN_EXTERN)
#undef KARMAN_EXTERN

}  // namespace karman
