// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// All processes of a distributed test.
#pragma once

#include <karman/core/mpi.hpp>

namespace karman::test {

/// Collective: a communicator of its own.
inline Communicator world() { return communicator_of(MPI_COMM_WORLD); }

}  // namespace karman::test
