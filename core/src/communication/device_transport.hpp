// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Choice of a transport, and the buffers that it needs.
#pragma once

#include <karman/core/backend.hpp>
#include <karman/core/compat.hpp>
#include <karman/core/detail/process_group.hpp>
#include <karman/core/error.hpp>
#include <karman/core/exchange.hpp>
#include <karman/core/host_copy.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace karman::detail {

/// Stream of an instance, for transports that put messages into it; null on a host.
template <class Exec>
void* stream_of(Exec const& space) {
#if defined(KOKKOS_ENABLE_CUDA)
  if constexpr (std::is_same_v<Exec, Kokkos::Cuda>) return space.cuda_stream();
#endif
  (void)space;
  return nullptr;
}

/// Number of the device of an instance; -1 on a host.
template <class Exec>
int device_of(Exec const& space) {
#if defined(KOKKOS_ENABLE_CUDA)
  if constexpr (std::is_same_v<Exec, Kokkos::Cuda>) return space.cuda_device();
#endif
  (void)space;
  return -1;
}

/// Throws, in all processes, where an instance works on another device than the messages of a communicator.
template <class Exec>
void require_same_device(Exec const& space, Communicator const& communicator) {
  communicator.check_in_all([&] {
    int const own = device_of(space), of_messages = communicator.group().device();
    require(of_messages < 0 || of_messages == own,
            "Exchange: the execution space works on device " + std::to_string(own) + ", the communicator on device " +
                std::to_string(of_messages) + "; select the device of Kokkos before the first exchange");
  });
}

/// Values of messages in the memory that a transport reads: that of `Exec`, or pinned memory of the host.
template <class Exec, class T>
class ExchangeBuffer {
 public:
  ExchangeBuffer() = default;
  ExchangeBuffer(Exec const& space, std::size_t size, Transport transport) {
    if (transport == Transport::staged) {
      pinned_ = decltype(pinned_)("karman::exchange::pinned", size);
    } else {
      own_ = allocate<Exec, T>(space, size, "karman::exchange::buffer");
    }
  }
  T* data() const { return pinned_.size() != 0 ? pinned_.data() : own_.data(); }
  /// The same for every transport: before an exchange is made, its transport is not known.
  std::int64_t bytes() const { return static_cast<std::int64_t>((own_.size() + pinned_.size()) * sizeof(T)); }

 private:
  Kokkos::View<T*, typename Exec::memory_space> own_;
  Kokkos::View<T*, compat::PinnedSpace<Exec>> pinned_;
};

/// True in all processes where values sent from device memory to the next process arrive as they are.
template <class Exec>
bool device_messages_arrive(Exec const& space, Communicator const& communicator) {
  constexpr std::size_t count = 4096;
  int const next = (communicator.rank() + 1) % communicator.size();
  int const last = (communicator.rank() + communicator.size() - 1) % communicator.size();
  auto const value = [](int rank, std::size_t n) { return std::int64_t(rank + 1) * 1000003 + std::int64_t(n); };
  std::vector<std::int64_t> sent(count);
  for (std::size_t n = 0; n < count; ++n) sent[n] = value(communicator.rank(), n);
  auto const out = device_copy(space, sent, "karman::exchange::probe");
  auto const in = device_copy(space, std::vector<std::int64_t>(count), "karman::exchange::probe");
  auto const outgoing = std::as_bytes(std::span(out.data(), count));
  auto const incoming = std::as_writable_bytes(std::span(in.data(), count));
  std::vector<Message> messages{{next, outgoing, {}}, {last, {}, incoming}};
  auto const channel = communicator.group().device_channel(messages, DeviceTransport::direct);
  if (!communicator.agree(channel != nullptr)) return false;
  channel->start(stream_of(space));
  channel->finish(stream_of(space));
  std::vector<std::int64_t> const received = host_copy(space, in);
  bool arrived = true;
  for (std::size_t n = 0; n < count; ++n) arrived = arrived && received[n] == value(last, n);
  return communicator.agree(arrived);
}

/// The transport of an exchange among these processes. Collective: all processes get the same.
template <class Exec>
Transport choose_transport(Exec const& space, Communicator const& communicator) {
  if constexpr (runs_on_host<Exec>) {
    (void)space;
    (void)communicator;
    return Transport::host;
  } else {
    DeviceTransport const offered = communicator.group().device_transport();
    if (offered == DeviceTransport::nccl) {
      require_same_device(space, communicator);
      return Transport::nccl;
    }
    bool const direct = offered == DeviceTransport::direct && device_messages_arrive(space, communicator);
    return direct ? Transport::direct : Transport::staged;
  }
}

/// Messages by that transport.
inline std::unique_ptr<Channel> open_channel(Communicator const& communicator, std::vector<Message> const& messages,
                                             Transport transport) {
  switch (transport) {
    case Transport::nccl: return communicator.group().device_channel(messages, DeviceTransport::nccl);
    case Transport::direct: return communicator.group().device_channel(messages, DeviceTransport::direct);
    case Transport::none:
    case Transport::host:
    case Transport::staged: break;
  }
  return communicator.group().host_channel(messages);
}

}  // namespace karman::detail
