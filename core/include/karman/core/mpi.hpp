// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Communicators from MPI. The only public header that includes mpi.h; needs the component karman::distributed.
#pragma once

#include <karman/core/communicator.hpp>
#include <karman/core/transport.hpp>

#include <mpi.h>

namespace karman {

/// The processes of an MPI communicator, for plans of Karman.
///
/// A duplicate carries the messages, so that none meets the messages of the caller. It is freed with the last copy of
/// the result and the last plan that uses it; without effect after MPI_Finalize(). Collective over `communicator`, and
/// so is its release. With NCCL each process waits there for all processes of its host. Release several in one order.
/// \param communicator an intracommunicator; MPI is initialised, and the caller is the thread that initialised it
/// \param fastest fastest transport between devices that may be used: Transport::nccl, Transport::direct or
/// Transport::staged. The first of these that works among all processes is taken. NCCL needs a device for each
/// process: where two share one, Transport::direct or Transport::staged is taken, without an error.
/// \return its processes, with the same ranks
/// \throws std::invalid_argument for another transport, before MPI_Init() and after MPI_Finalize(), and for
/// MPI_COMM_NULL
/// \throws std::runtime_error where MPI reports a failure
Communicator communicator_of(MPI_Comm communicator, Transport fastest = Transport::nccl);

}  // namespace karman
