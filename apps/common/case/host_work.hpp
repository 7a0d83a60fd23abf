// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Work on the host beside kernels, by several threads.
#pragma once

#include <cstdint>
#include <functional>

namespace karman::app {

/// Number of threads of such work: OMP_NUM_THREADS, which --threads sets; else the cores that this process may use, at
/// most its share of the machine.
int work_threads();

/// Number of processes of this run on this machine, for their shares of its cores; 1 before the first call.
void share_machine(int processes);

/// Calls work(begin, end) for parts of the numbers from 0 to count - 1, one part in each of at most work_threads()
/// threads. Every part has at least `least` numbers: fewer do not pay for the start of a thread, about 20 us. Threads
/// that cannot start, at a limit of processes or memory, leave their parts to this one.
/// \par Errors
/// Of the exceptions of several parts the one of the first part.
/// \par Synchrony
/// Waits. `work` may run in several threads at once.
void for_parts(std::int64_t count, std::int64_t least,
               std::function<void(std::int64_t begin, std::int64_t end)> const& work);

}  // namespace karman::app
