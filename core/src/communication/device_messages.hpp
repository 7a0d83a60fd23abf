// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Messages between memories of devices, as far as this build has them.
#pragma once

#include <karman/core/detail/process_group.hpp>

#include <mpi.h>

#include <memory>
#include <vector>

namespace karman::detail {

/// True where the MPI library claims to read and write device memory itself. Another one may crash at the attempt. The
/// claim is checked by a message before it is used.
bool mpi_takes_device_memory();

/// NCCL among the devices of some processes.
class NcclGroup {
 public:
  virtual ~NcclGroup() = default;
  virtual std::unique_ptr<Channel> channel(std::vector<Message> const& messages) const = 0;
  /// Number of the device of this process.
  virtual int device() const = 0;
};

/// Collective over `communicator`: the same answer in all processes.
/// \return null in a build without NCCL, where a process has no device, and where two processes share one
std::shared_ptr<NcclGroup const> open_nccl(MPI_Comm communicator);

}  // namespace karman::detail
