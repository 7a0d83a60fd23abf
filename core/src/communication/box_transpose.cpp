// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "device_transport.hpp"
#include "exchange_places.hpp"
#include "exchange_traffic.hpp"
#include <karman/core/box_transpose.hpp>
#include <karman/core/compat.hpp>
#include <karman/core/error.hpp>

#include <algorithm>
#include <array>
#include <limits>
#include <string>

namespace karman {

namespace {

std::int64_t cell_count(Box const& box) {
  std::int64_t cells = 1;
  for (std::size_t axis = 0; axis < 3; ++axis) cells *= std::max(box.end[axis] - box.begin[axis], 0);
  return cells;
}

/// Cells that two boxes have in common.
Box common(Box const& a, Box const& b) {
  Box result;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    result.begin[axis] = std::max(a.begin[axis], b.begin[axis]);
    result.end[axis] = std::min(a.end[axis], b.end[axis]);
  }
  return result;
}

/// The values of a part of a box in the array of the box.
StridedBlock block_of(Box const& part, Box const& box) {
  std::int64_t const row = box.end[0] - box.begin[0], plane = row * (box.end[1] - box.begin[1]);
  StridedBlock result;
  result.strides = {plane, row, 1};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    result.extents[2 - axis] = part.end[axis] - part.begin[axis];
    result.first += (part.begin[axis] - box.begin[axis]) * result.strides[2 - axis];
  }
  return result;
}

/// Throws unless every cell of both divisions lies in exactly one box of each.
void require_divisions(Communicator const& communicator, std::vector<Box> const& from, std::vector<Box> const& to) {
  std::size_t const size = static_cast<std::size_t>(communicator.size());
  for (auto const* boxes : {&from, &to}) {
    require(boxes->size() == size, "BoxTranspose: needs a box for each of " + std::to_string(size) +
                                       " processes, found " + std::to_string(boxes->size()));
  }
  for (auto const* boxes : {&from, &to}) {
    auto const& other_boxes = boxes == &from ? to : from;
    for (std::size_t rank = 0; rank < size; ++rank) {
      std::int64_t covered = 0;
      for (std::size_t other = 0; other < size; ++other) {
        require(other <= rank || cell_count(common((*boxes)[rank], (*boxes)[other])) == 0,
                "BoxTranspose: the boxes of processes " + std::to_string(rank) + " and " + std::to_string(other) +
                    " must not overlap");
        covered += cell_count(common((*boxes)[rank], other_boxes[other]));
      }
      require(covered == cell_count((*boxes)[rank]), "BoxTranspose: both divisions must have the same cells; " +
                                                         std::to_string(cell_count((*boxes)[rank]) - covered) +
                                                         " cells of process " + std::to_string(rank) +
                                                         " are in one of them only");
    }
  }
}

bool same(Box const& a, Box const& b) { return a.begin == b.begin && a.end == b.end; }

/// Throws, in all processes, unless they have the same lists. Collective.
void require_same_lists(Communicator const& communicator, std::vector<Box> const& from, std::vector<Box> const& to) {
  struct Boxes {
    Box from, to;
  };
  std::size_t const rank = static_cast<std::size_t>(communicator.rank());
  std::vector<Boxes> const own = communicator.all_gather(Boxes{from[rank], to[rank]});
  communicator.check_in_all([&] {
    for (std::size_t n = 0; n < own.size(); ++n) {
      require(same(own[n].from, from[n]) && same(own[n].to, to[n]),
              "BoxTranspose: all processes must give the same lists of boxes; the boxes of process " +
                  std::to_string(n) + " differ");
    }
  });
}

/// Copies the values that stay in this process.
template <class Exec, class T, int run>
struct CopyPlaces {
  detail::ExchangePlaces<Exec> from_places, to_places;
  T const* from;
  T* to;
  KOKKOS_FUNCTION void operator()(std::int64_t n) const {
    detail::move_run<Exec, T, run>(from + from_places(n * run), to + to_places(n * run));
  }
};

/// Blocks of the values of some planes that two divisions exchange, one entry for every process with common cells.
std::vector<BlockNeighbor> partners_in(int first, int end, std::size_t own, std::vector<Box> const& from,
                                       std::vector<Box> const& to) {
  auto const in_planes = [&](Box box) {
    box.begin[2] = std::max(box.begin[2], first);
    box.end[2] = std::min(box.end[2], end);
    return box;
  };
  std::vector<BlockNeighbor> partners;
  for (std::size_t other = 0; other < from.size(); ++other) {
    Box const sent = in_planes(common(from[own], to[other])), received = in_planes(common(from[other], to[own]));
    BlockNeighbor partner{static_cast<int>(other), {}, {}};
    if (cell_count(sent) > 0) partner.send.push_back(block_of(sent, from[own]));
    if (cell_count(received) > 0) partner.receive.push_back(block_of(received, to[own]));
    if (!partner.send.empty() || !partner.receive.empty()) partners.push_back(partner);
  }
  return partners;
}

/// The same for every slab. Collective.
std::vector<std::vector<BlockNeighbor>> partners_of(Communicator const& communicator, std::vector<Box> const& from,
                                                    std::vector<Box> const& to, int slabs) {
  communicator.check_in_all([&] {
    require_divisions(communicator, from, to);
    require(slabs >= 1, "BoxTranspose: needs one slab at least, found " + std::to_string(slabs));
  });
  require_same_lists(communicator, from, to);
  int lowest = std::numeric_limits<int>::max(), end = std::numeric_limits<int>::min();
  for (Box const& box : from) {
    if (cell_count(box) == 0) continue;
    lowest = std::min(lowest, box.begin[2]);
    end = std::max(end, box.end[2]);
  }
  int const planes = end > lowest ? end - lowest : 0;
  std::vector<std::vector<BlockNeighbor>> result;
  for (int slab = 0; slab < slabs; ++slab) {
    result.push_back(partners_in(lowest + slab_edge(planes, slab, slabs), lowest + slab_edge(planes, slab + 1, slabs),
                                 static_cast<std::size_t>(communicator.rank()), from, to));
  }
  return result;
}

/// Most stages of a transposition, and the least mean size of their messages. A stage is packed and unpacked while
/// another one is under way. Smaller messages would cost more time to start than the kernels take.
constexpr int most_stages = 4;
constexpr std::int64_t least_stage_bytes = std::int64_t(2) << 20;

/// The same number in all processes. Collective.
int stage_count(Communicator const& communicator, std::vector<detail::Traffic> const& traffic, std::size_t value) {
  std::int64_t sent = 0, messages = 0;
  for (detail::Traffic const& one : traffic) {
    sent += one.sent * static_cast<std::int64_t>(value);
    messages += one.sent > 0 ? 1 : 0;
  }
  std::int64_t const mean = communicator.largest(messages > 0 ? sent / messages : 0);
  return static_cast<int>(std::clamp<std::int64_t>(mean / least_stage_bytes, 1, most_stages));
}

/// The values of a stage in a message that begins at `first` in its buffer.
detail::BufferRange stage_of(std::int64_t first, std::int64_t values, int stage, int stages) {
  auto const edge = [&](int n) { return n == stages ? values : values / stages * n / 4 * 4; };
  return {first + edge(stage), first + edge(stage + 1)};
}

}  // namespace

template <ExecutionSpace Exec, class T>
struct BoxTranspose<Exec, T>::State {
  using Buffer = detail::ExchangeBuffer<Exec, T>;
  /// Values of a slab in one of the two arrays: those that pass, in order of rank, and those that stay.
  struct Side {
    detail::ExchangePlaces<Exec> passing, staying;
    std::int64_t first = 0;                                ///< of its values in the buffer
    std::vector<std::vector<detail::BufferRange>> stages;  ///< parts of all messages, counted from there
  };
  using Channels = std::vector<std::unique_ptr<detail::Channel>>;  ///< of all stages
  struct Slab {
    Side from, to;
    Channels forward, backward;
    std::vector<detail::Traffic> traffic;
  };
  std::vector<Slab> slabs;
  Buffer from_buffer, to_buffer;
  Transport transport = Transport::none;

  State(Exec const& space, Communicator const& communicator, std::vector<std::vector<BlockNeighbor>> const& partners)
      : slabs(partners.size()) {
    require_same_number(communicator, partners.size());
    std::int64_t sent = 0, received = 0;
    for (std::size_t n = 0; n < slabs.size(); ++n) {
      find_places(space, communicator, partners[n], slabs[n]);
      slabs[n].from.first = sent;
      slabs[n].to.first = received;
      sent += slabs[n].from.passing.size();
      received += slabs[n].to.passing.size();
    }
    bool const alone = communicator.agree(sent == 0 && received == 0);
    if (!alone) {
      transport = detail::choose_transport(space, communicator);
      from_buffer = {space, static_cast<std::size_t>(sent), transport};
      to_buffer = {space, static_cast<std::size_t>(received), transport};
    }
    compat::fence(space, "karman::box_transpose::plan");
    if (alone) return;
    for (Slab& slab : slabs) {
      // Slabs take the place of stages.
      int const stages = slabs.size() > 1 ? 1 : stage_count(communicator, slab.traffic, sizeof(T));
      for (int stage = 0; stage < stages; ++stage) open_stage(communicator, slab, stage, stages);
    }
  }

  static void require_same_number(Communicator const& communicator, std::size_t slabs) {
    std::vector<std::size_t> const all = communicator.all_gather(slabs);
    communicator.check_in_all([&] {
      for (std::size_t rank = 0; rank < all.size(); ++rank) {
        require(all[rank] == all[0] && all[rank] > 0,
                "BoxTranspose: all processes must have as many slabs, at least one; found " + std::to_string(all[0]) +
                    " in process 0 and " + std::to_string(all[rank]) + " in process " + std::to_string(rank));
      }
    });
  }

  static void find_places(Exec const& space, Communicator const& communicator, std::vector<BlockNeighbor> partners,
                          Slab& slab) {
    std::sort(partners.begin(), partners.end(), [](auto const& a, auto const& b) { return a.rank < b.rank; });
    auto& traffic = slab.traffic;
    for (BlockNeighbor const& one : partners) {
      traffic.push_back({one.rank, detail::count(one.send), detail::count(one.receive)});
    }
    detail::require_agreement(communicator, traffic, "BoxTranspose");
    auto const own = std::find_if(partners.begin(), partners.end(),
                                  [&](BlockNeighbor const& one) { return one.rank == communicator.rank(); });
    if (own != partners.end()) {
      traffic.erase(traffic.begin() + (own - partners.begin()));
      slab.from.staying = {space, own->send};
      slab.to.staying = {space, own->receive};
      partners.erase(own);
    }
    slab.from.passing = {space, detail::joined(partners, &BlockNeighbor::send)};
    slab.to.passing = {space, detail::joined(partners, &BlockNeighbor::receive)};
  }

  void open_stage(Communicator const& communicator, Slab& slab, int stage, int stages) const {
    std::vector<detail::Message> there, back;
    std::vector<detail::BufferRange> sent, received;
    std::int64_t first_out = 0, first_in = 0;
    auto const values = [](Buffer const& buffer, Side const& side, detail::BufferRange range) {
      return std::span(buffer.data() + side.first + range.begin, static_cast<std::size_t>(range.end - range.begin));
    };
    for (detail::Traffic const& one : slab.traffic) {
      sent.push_back(stage_of(first_out, one.sent, stage, stages));
      received.push_back(stage_of(first_in, one.received, stage, stages));
      auto const out = values(from_buffer, slab.from, sent.back()), in = values(to_buffer, slab.to, received.back());
      there.push_back({one.rank, std::as_bytes(out), std::as_writable_bytes(in)});
      back.push_back({one.rank, std::as_bytes(in), std::as_writable_bytes(out)});
      first_out += one.sent;
      first_in += one.received;
    }
    if (stages == 1) {
      sent = {{0, first_out}};
      received = {{0, first_in}};
    }
    slab.from.stages.push_back(sent);
    slab.to.stages.push_back(received);
    slab.forward.push_back(detail::open_channel(communicator, there, transport));
    slab.backward.push_back(detail::open_channel(communicator, back, transport));
  }

  void begin(Exec const& space, Side const& source, Buffer const& buffer, Channels const& channels, T const* in) const {
    for (std::size_t stage = 0; stage < channels.size(); ++stage) {
      for (detail::BufferRange const range : source.stages[stage])
        detail::pack(space, "karman::box_transpose::pack", source.passing, range, in, buffer.data() + source.first);
      // As in Exchange::begin().
      if (transport != Transport::nccl) compat::fence(space, "karman::box_transpose::begin");
      channels[stage]->start(detail::stream_of(space));
    }
  }

  void end(Exec const& space, Side const& source, Side const& target, Buffer const& buffer, Channels const& channels,
           T const* in, T* out) const {
    if (source.staying.size() > 0) {
      detail::with_run<T>(std::min(source.staying.run(), target.staying.run()), {in, out}, [&](auto run) {
        Kokkos::parallel_for("karman::box_transpose::copy",
                             detail::ValuePolicy<Exec>(space, 0, source.staying.size() / run()),
                             CopyPlaces<Exec, T, run()>{source.staying, target.staying, in, out});
      });
    }
    for (std::size_t stage = 0; stage < channels.size(); ++stage) {
      channels[stage]->finish(detail::stream_of(space));
      for (detail::BufferRange const range : target.stages[stage])
        detail::unpack(space, "karman::box_transpose::unpack", target.passing, range, buffer.data() + target.first,
                       out);
    }
  }

  void begin_forward(Exec const& space, Slab const& slab, T const* from) const {
    begin(space, slab.from, from_buffer, slab.forward, from);
  }
  void end_forward(Exec const& space, Slab const& slab, T const* from, T* to) const {
    end(space, slab.from, slab.to, to_buffer, slab.forward, from, to);
  }
  void begin_backward(Exec const& space, Slab const& slab, T const* to) const {
    begin(space, slab.to, to_buffer, slab.backward, to);
  }
  void end_backward(Exec const& space, Slab const& slab, T const* to, T* from) const {
    end(space, slab.to, slab.from, from_buffer, slab.backward, to, from);
  }

  Slab const& slab(int number) const {
    require(number >= 0 && static_cast<std::size_t>(number) < slabs.size(),
            "BoxTranspose: slab " + std::to_string(number) + " of " + std::to_string(slabs.size()));
    return slabs[static_cast<std::size_t>(number)];
  }

  std::int64_t bytes() const {
    std::int64_t sum = from_buffer.bytes() + to_buffer.bytes();
    for (Slab const& one : slabs) {
      for (Side const* side : {&one.from, &one.to}) sum += side->passing.bytes() + side->staying.bytes();
    }
    return sum;
  }
};

template <ExecutionSpace Exec, class T>
BoxTranspose<Exec, T>::BoxTranspose(Exec const& space, Communicator const& communicator, std::vector<Box> const& from,
                                    std::vector<Box> const& to, int slabs)
    : BoxTranspose(space, communicator, partners_of(communicator, from, to, slabs)) {}

template <ExecutionSpace Exec, class T>
BoxTranspose<Exec, T>::BoxTranspose(Exec const& space, Communicator const& communicator,
                                    std::vector<BlockNeighbor> const& partners)
    : BoxTranspose(space, communicator, std::vector<std::vector<BlockNeighbor>>{partners}) {}

template <ExecutionSpace Exec, class T>
BoxTranspose<Exec, T>::BoxTranspose(Exec const& space, Communicator const& communicator,
                                    std::vector<std::vector<BlockNeighbor>> const& slabs)
    : state_("BoxTranspose", std::make_unique<State>(space, communicator, slabs)) {}

template <ExecutionSpace Exec, class T>
void BoxTranspose<Exec, T>::forward(Exec const& space, T const* from, T* to) {
  for (auto const& slab : state_->slabs) state_->begin_forward(space, slab, from);
  for (auto const& slab : state_->slabs) state_->end_forward(space, slab, from, to);
}

template <ExecutionSpace Exec, class T>
void BoxTranspose<Exec, T>::backward(Exec const& space, T const* to, T* from) {
  for (auto const& slab : state_->slabs) state_->begin_backward(space, slab, to);
  for (auto const& slab : state_->slabs) state_->end_backward(space, slab, to, from);
}

template <ExecutionSpace Exec, class T>
void BoxTranspose<Exec, T>::begin_forward(Exec const& space, int slab, T const* from) {
  state_->begin_forward(space, state_->slab(slab), from);
}

template <ExecutionSpace Exec, class T>
void BoxTranspose<Exec, T>::end_forward(Exec const& space, int slab, T const* from, T* to) {
  state_->end_forward(space, state_->slab(slab), from, to);
}

template <ExecutionSpace Exec, class T>
void BoxTranspose<Exec, T>::begin_backward(Exec const& space, int slab, T const* to) {
  state_->begin_backward(space, state_->slab(slab), to);
}

template <ExecutionSpace Exec, class T>
void BoxTranspose<Exec, T>::end_backward(Exec const& space, int slab, T const* to, T* from) {
  state_->end_backward(space, state_->slab(slab), to, from);
}

template <ExecutionSpace Exec, class T>
int BoxTranspose<Exec, T>::slabs() const {
  return static_cast<int>(state_->slabs.size());
}

template <ExecutionSpace Exec, class T>
Transport BoxTranspose<Exec, T>::transport() const {
  return state_->transport;
}

template <ExecutionSpace Exec, class T>
std::int64_t BoxTranspose<Exec, T>::bytes_sent() const {
  std::int64_t values = 0;
  for (auto const& slab : state_->slabs) values += slab.from.passing.size();
  return values * static_cast<std::int64_t>(sizeof(T));
}

template <ExecutionSpace Exec, class T>
std::int64_t BoxTranspose<Exec, T>::workspace_bytes() const {
  return state_->bytes();
}

#define KARMAN_INSTANTIATE(Exec)            \
  template class BoxTranspose<Exec, float>; \
  template class BoxTranspose<Exec, double>;
KARMAN_FOR_EACH_BACKEND(KARMAN_INSTANTIATE)
#undef KARMAN_INSTANTIATE

}  // namespace karman
