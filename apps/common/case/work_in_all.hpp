// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Work of several processes that succeeds in all of them or ends in all of them.
#pragma once

#include <karman/core/communicator.hpp>

#include <functional>

namespace karman::app {

/// Thrown by a process whose companion has failed and reports it. It is not an error of its own: no handler of
/// std::exception catches it.
struct FailedElsewhere {};

/// Works in every process, without collective calls. Where the work throws in some of them, the others throw
/// FailedElsewhere. Where a signal has ended the work of some by Stopped, and no other fails, all throw Stopped.
/// Collective.
void work_in_all(Communicator const& communicator, std::function<void()> const& work);

/// Whether a signal asks any process to stop; then all processes have it. Collective.
bool any_must_stop(Communicator const& communicator);

}  // namespace karman::app
