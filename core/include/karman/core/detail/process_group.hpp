// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Interface between a Communicator and the library that carries its messages. Needs no Kokkos and no header of that
/// library.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace karman::detail {

/// Message of an exchange with one process: bytes that go out, and bytes that come in. The buffers stay in place for
/// the life of a channel.
struct Message {
  int rank;  ///< the other process
  std::span<std::byte const> out;
  std::span<std::byte> in;
};

/// Messages that are sent again and again between the same buffers. Messages between a pair of processes arrive in the
/// order in which they were sent.
class Channel {
 public:
  virtual ~Channel() = default;
  /// Starts all messages. Work that `stream` has begun on the outgoing buffers is complete before they leave.
  /// \param stream stream of a device for channels of device memory, otherwise unused
  virtual void start(void* stream) = 0;
  /// Ends the messages of the last start(): work put into `stream` from now on finds the incoming buffers filled. A
  /// channel of host memory waits.
  virtual void finish(void* stream) = 0;
};

/// The way of values between the memories of two devices.
enum class DeviceTransport {
  staged,  ///< through pinned memory of the hosts
  direct,  ///< the message library reads and writes device memory
  nccl     ///< NCCL
};

/// Processes that work together. All members must call every function but rank() and size(), in the same order.
class ProcessGroup {
 public:
  virtual ~ProcessGroup() = default;
  virtual int rank() const = 0;
  virtual int size() const = 0;
  /// Library and version.
  virtual std::string description() const = 0;
  /// Every process gives its bytes and gets the bytes of all, in order of rank. `sizes` has the number of bytes of
  /// each.
  virtual void all_gather(std::span<std::byte const> mine, std::span<std::size_t const> sizes,
                          std::span<std::byte> all) const = 0;
  /// All processes get the bytes of `root`.
  virtual void broadcast(std::span<std::byte> bytes, int root) const = 0;
  /// Processes of one colour form a group, in the order of their ranks here.
  virtual std::shared_ptr<ProcessGroup const> split(int color) const = 0;
  /// The best transport between devices that this group offers; the same in all processes.
  virtual DeviceTransport device_transport() const = 0;
  /// Number of the device whose memory such messages take; -1: any.
  virtual int device() const { return -1; }
  /// Messages between buffers of the host.
  virtual std::unique_ptr<Channel> host_channel(std::vector<Message> const& messages) const = 0;
  /// Messages between buffers of the device, or null where this group has no such transport.
  virtual std::unique_ptr<Channel> device_channel(std::vector<Message> const& messages,
                                                  DeviceTransport transport) const = 0;
};

}  // namespace karman::detail
