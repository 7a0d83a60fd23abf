// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "device_transport.hpp"
#include "exchange_places.hpp"
#include "exchange_traffic.hpp"
#include <karman/core/compat.hpp>
#include <karman/core/detail/process_group.hpp>
#include <karman/core/exchange.hpp>

#include <algorithm>
#include <string>

namespace karman {

template <ExecutionSpace Exec, class T>
struct Exchange<Exec, T>::State {
  detail::ExchangePlaces<Exec> outgoing, incoming;
  detail::ExchangeBuffer<Exec, T> out, in;
  std::unique_ptr<detail::Channel> channel;
  Transport transport = Transport::none;

  template <class Neighbor>
  State(Exec const& space, Communicator const& communicator, std::vector<Neighbor> neighbors) {
    std::sort(neighbors.begin(), neighbors.end(), [](auto const& a, auto const& b) { return a.rank < b.rank; });
    std::vector<detail::Traffic> traffic;
    for (Neighbor const& one : neighbors)
      traffic.push_back({one.rank, detail::count(one.send), detail::count(one.receive)});
    detail::require_agreement(communicator, traffic, "Exchange");
    bool const any = !communicator.agree(neighbors.empty());
    if (!any) return;

    outgoing = {space, detail::joined(neighbors, &Neighbor::send)};
    incoming = {space, detail::joined(neighbors, &Neighbor::receive)};
    transport = detail::choose_transport(space, communicator);
    out = {space, static_cast<std::size_t>(outgoing.size()), transport};
    in = {space, static_cast<std::size_t>(incoming.size()), transport};
    compat::fence(space, "karman::exchange::plan");
    std::vector<detail::Message> messages;
    std::size_t sent = 0, received = 0;
    for (detail::Traffic const& one : traffic) {
      std::size_t const n = static_cast<std::size_t>(one.sent), m = static_cast<std::size_t>(one.received);
      messages.push_back({one.rank, std::as_bytes(std::span(out.data() + sent, n)),
                          std::as_writable_bytes(std::span(in.data() + received, m))});
      sent += n;
      received += m;
    }
    channel = detail::open_channel(communicator, messages, transport);
  }
};

template <ExecutionSpace Exec, class T>
Exchange<Exec, T>::Exchange(Exec const& space, Communicator const& communicator,
                            std::vector<BlockNeighbor> const& neighbors)
    : state_("Exchange", std::make_unique<State>(space, communicator, neighbors)) {}

template <ExecutionSpace Exec, class T>
Exchange<Exec, T>::Exchange(Exec const& space, Communicator const& communicator,
                            std::vector<IndexNeighbor> const& neighbors)
    : state_("Exchange", std::make_unique<State>(space, communicator, neighbors)) {}

template <ExecutionSpace Exec, class T>
void Exchange<Exec, T>::begin(Exec const& space, T const* values) {
  State& s = *state_;
  if (s.channel == nullptr) return;
  detail::pack(space, "karman::exchange::pack", s.outgoing, {0, s.outgoing.size()}, values, s.out.data());
  // A message library outside the stream must not see a buffer before the kernel has filled it. Nor may it fill one
  // that the last kernel still reads.
  if (s.transport != Transport::nccl) compat::fence(space, "karman::exchange::begin");
  s.channel->start(detail::stream_of(space));
}

template <ExecutionSpace Exec, class T>
void Exchange<Exec, T>::end(Exec const& space, T* values) {
  State& s = *state_;
  if (s.channel == nullptr) return;
  s.channel->finish(detail::stream_of(space));
  detail::unpack(space, "karman::exchange::unpack", s.incoming, {0, s.incoming.size()}, s.in.data(), values);
}

template <ExecutionSpace Exec, class T>
Transport Exchange<Exec, T>::transport() const {
  return state_->transport;
}

template <ExecutionSpace Exec, class T>
std::int64_t Exchange<Exec, T>::bytes_sent() const {
  return state_->outgoing.size() * static_cast<std::int64_t>(sizeof(T));
}

template <ExecutionSpace Exec, class T>
std::int64_t Exchange<Exec, T>::workspace_bytes() const {
  State const& s = *state_;
  return s.outgoing.bytes() + s.incoming.bytes() + s.out.bytes() + s.in.bytes();
}

template <ExecutionSpace Exec, class T>
std::int64_t Exchange<Exec, T>::workspace_bytes(std::vector<BlockNeighbor> const& neighbors) {
  std::int64_t values = 0, blocks = 0;
  for (BlockNeighbor const& one : neighbors) {
    values += detail::count(one.send) + detail::count(one.receive);
    blocks += static_cast<std::int64_t>(one.send.size() + one.receive.size());
  }
  return values * static_cast<std::int64_t>(sizeof(T)) +
         blocks * static_cast<std::int64_t>(sizeof(detail::PlacedBlock));
}

#define KARMAN_INSTANTIATE(Exec)               \
  template class Exchange<Exec, float>;        \
  template class Exchange<Exec, double>;       \
  template class Exchange<Exec, std::uint8_t>; \
  template class Exchange<Exec, std::int64_t>;
KARMAN_FOR_EACH_BACKEND(KARMAN_INSTANTIATE)
#undef KARMAN_INSTANTIATE

}  // namespace karman
