// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Messages of MPI between buffers that stay in place.
#pragma once

#include <karman/core/detail/process_group.hpp>

#include <mpi.h>

#include <vector>

namespace karman::detail {

/// Persistent requests. MPI reads and writes the buffers itself, buffers of a device only where it can.
class MpiChannel final : public Channel {
 public:
  /// \param communicator lives longer than the channel
  /// \param messages one for each other process; parts of at most 1 GiB become requests of their own
  MpiChannel(MPI_Comm communicator, std::vector<Message> const& messages);
  ~MpiChannel() override;
  MpiChannel(MpiChannel const&) = delete;
  MpiChannel& operator=(MpiChannel const&) = delete;
  void start(void* stream) override;
  void finish(void* stream) override;

 private:
  std::vector<MPI_Request> requests_;
};

}  // namespace karman::detail
