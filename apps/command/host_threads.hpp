// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Number of threads of the host backends, and their way to wait for each other.
#pragma once

#include <string>

namespace karman::app {

/// Sets the environment that configures OpenMP's runtime, and restarts the program with it where something changes (see
/// restart_with()). `threads`: number of threads, 0 to keep it.
///
/// By default GNU's runtime lets a thread that waits at the end of a kernel spin for about 10 ms before it sleeps.
/// Where other programs need the cores too, spinning threads take them from working ones: a kernel of 0.1 ms then takes
/// 17 ms. Karman limits spinning to 3000 times, about 0.1 ms, unless OMP_WAIT_POLICY or GOMP_SPINCOUNT is set. On an
/// idle machine that is as fast as endless spinning (docs/command.md).
void settle_host_threads(int threads, char* const* arguments);

/// "GOMP_SPINCOUNT=3000 (karman's default)": wait policy, and its origin.
std::string wait_policy_text();

}  // namespace karman::app
