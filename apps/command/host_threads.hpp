// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Threads of the host backends: how many, and how they wait for each other.
#pragma once

#include <string>

namespace karman::app {

/// Settles the environment from which OpenMP's runtime takes its settings, and starts the program anew with it where
/// something has to change (see restart_with()). `threads`: number of threads, 0 to leave it as it is.
///
/// GNU's runtime by default lets a thread that waits at the end of a kernel spin for some 10 ms before it sleeps. Where
/// other programs want the cores too, those that spin keep the ones that still work from them: a kernel of 0.1 ms then
/// takes 17 ms. Karman lets them spin 3000 times, some 0.1 ms, unless OMP_WAIT_POLICY or GOMP_SPINCOUNT is set; on an
/// idle machine that is as fast as spinning without end (docs/command.md).
void settle_host_threads(int threads, char* const* arguments);

/// "GOMP_SPINCOUNT=3000 (karman's default)": how waiting threads wait, and who chose it.
std::string wait_policy_text();

}  // namespace karman::app
