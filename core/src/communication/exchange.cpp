// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "device_transport.hpp"
#include "exchange_places.hpp"
#include <karman/core/compat.hpp>
#include <karman/core/detail/process_group.hpp>
#include <karman/core/error.hpp>
#include <karman/core/exchange.hpp>

#include <algorithm>
#include <string>

namespace karman {

namespace {

/// Number of values that pass between two processes, as one of them sees it.
struct Traffic {
  int rank;
  std::int64_t sent, received;
};

std::int64_t count(std::vector<StridedBlock> const& blocks) {
  std::int64_t sum = 0;
  for (StridedBlock const& block : blocks) sum += block.size();
  return sum;
}
std::int64_t count(std::vector<std::int64_t> const& indices) { return static_cast<std::int64_t>(indices.size()); }

/// Throws, in all processes, unless every process sends as many values as the other one expects.
void require_agreement(Communicator const& communicator, std::vector<Traffic> const& mine) {
  auto const all = communicator.all_gather_arrays(std::span<Traffic const>(mine));
  auto const find = [&](int rank, int other) {
    auto const& list = all[static_cast<std::size_t>(rank)];
    return std::find_if(list.begin(), list.end(), [&](Traffic const& one) { return one.rank == other; });
  };
  for (int rank = 0; rank < communicator.size(); ++rank) {
    for (Traffic const& one : all[static_cast<std::size_t>(rank)]) {
      std::string const from = "Exchange: process " + std::to_string(rank);
      require(one.rank >= 0 && one.rank < communicator.size(), from + " names process " + std::to_string(one.rank) +
                                                                   ", but there are " +
                                                                   std::to_string(communicator.size()));
      require(&*find(rank, one.rank) == &one, from + " names process " + std::to_string(one.rank) + " twice");
      auto const back = find(one.rank, rank);
      bool const known = back != all[static_cast<std::size_t>(one.rank)].end();
      std::int64_t const expected = known ? back->received : 0;
      require(one.sent == expected, from + " sends " + std::to_string(one.sent) + " values to process " +
                                        std::to_string(one.rank) + ", which expects " + std::to_string(expected));
      require(known || one.received == 0, from + " expects " + std::to_string(one.received) + " values of process " +
                                              std::to_string(one.rank) + ", which sends none");
    }
  }
}

/// Joins the parts of all neighbours, in their order.
template <class Neighbor, class Part>
auto joined(std::vector<Neighbor> const& neighbors, Part Neighbor::* part) {
  Part all;
  for (Neighbor const& neighbor : neighbors) {
    all.insert(all.end(), (neighbor.*part).begin(), (neighbor.*part).end());
  }
  return all;
}

}  // namespace

template <ExecutionSpace Exec, class T>
struct Exchange<Exec, T>::State {
  detail::ExchangePlaces<Exec> outgoing, incoming;
  detail::ExchangeBuffer<Exec, T> out, in;
  std::unique_ptr<detail::Channel> channel;
  Transport transport = Transport::none;

  template <class Neighbor>
  State(Exec const& space, Communicator const& communicator, std::vector<Neighbor> neighbors) {
    std::sort(neighbors.begin(), neighbors.end(), [](auto const& a, auto const& b) { return a.rank < b.rank; });
    std::vector<Traffic> traffic;
    for (Neighbor const& one : neighbors) traffic.push_back({one.rank, count(one.send), count(one.receive)});
    require_agreement(communicator, traffic);
    bool const any = !communicator.agree(neighbors.empty());
    if (!any) return;

    outgoing = {space, joined(neighbors, &Neighbor::send)};
    incoming = {space, joined(neighbors, &Neighbor::receive)};
    transport = detail::choose_transport(space, communicator);
    out = {space, static_cast<std::size_t>(outgoing.size()), transport};
    in = {space, static_cast<std::size_t>(incoming.size()), transport};
    compat::fence(space, "karman::exchange::plan");
    std::vector<detail::Message> messages;
    std::size_t sent = 0, received = 0;
    for (Traffic const& one : traffic) {
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
  if (s.outgoing.size() > 0) {
    Kokkos::parallel_for("karman::exchange::pack",
                         Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::int64_t>>(space, 0, s.outgoing.size()),
                         detail::PackValues<Exec, T>{s.outgoing, values, s.out.data()});
  }
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
  if (s.incoming.size() == 0) return;
  Kokkos::parallel_for("karman::exchange::unpack",
                       Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::int64_t>>(space, 0, s.incoming.size()),
                       detail::UnpackValues<Exec, T>{s.incoming, s.in.data(), values});
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
  bool const on_device = runs_on_host<Exec> || s.transport != Transport::staged;
  std::int64_t const buffers = (s.outgoing.size() + s.incoming.size()) * static_cast<std::int64_t>(sizeof(T));
  return s.outgoing.bytes() + s.incoming.bytes() + (on_device ? buffers : 0);
}

#define KARMAN_INSTANTIATE(Exec)               \
  template class Exchange<Exec, float>;        \
  template class Exchange<Exec, double>;       \
  template class Exchange<Exec, std::uint8_t>; \
  template class Exchange<Exec, std::int64_t>;
KARMAN_FOR_EACH_BACKEND(KARMAN_INSTANTIATE)
#undef KARMAN_INSTANTIATE

}  // namespace karman
