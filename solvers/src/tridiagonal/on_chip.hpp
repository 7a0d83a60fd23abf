// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// PCR-Thomas on a device: systems that fit into a team, read once and written once.
#pragma once

#include "interface.hpp"
#include "layout.hpp"

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstdint>

namespace karman::detail {

/// Every thread eliminates the inner rows of its chunk of K. The chunks' last rows form a system of one row per thread,
/// which parallel cyclic reduction solves. Then every thread substitutes. `width` as for StagedMover. With 0 every
/// thread moves its own values with any strides.
template <class Exec, class T, class Rows, int K, int width, int buffers, class Bounds>
struct OnChipKernel {
  using Policy = Kokkos::TeamPolicy<Exec, typename Bounds::type>;
  using Member = typename Policy::member_type;
  using Mover = StagedMover<T, K, width == 0 ? K : width, buffers>;

  Rows rows;
  StridedSystems<T const> rhs;
  StridedSystems<T> x;
  ChunkShape cut;

  KOKKOS_INLINE_FUNCTION static constexpr int scratch_bytes(int threads) {
    int const staging = width > 0 ? Mover::scratch_bytes(threads) : 0;
    int const exchanged = Exchange<T>::scratch_bytes(threads);
    return (staging > exchanged ? staging : exchanged) + 16;
  }

  KOKKOS_FUNCTION void operator()(Member const& member) const {
    int const thread = member.team_rank();
    int const threads = cut.threads();
    void* const scratch = member.team_scratch(0).get_shmem_aligned(scratch_bytes(threads) - 16, 16);
    std::int64_t const group = member.league_rank();
    ChunkPlace const place = place_of(cut, group, thread);
    std::int64_t const begin = std::int64_t(place.lane) * K - cut.padding;
    Mover const mover = mover_of<Mover>(cut, thread, place, group, -std::int64_t(cut.padding), scratch);

    RowChunk<T, K> chunk;
    if constexpr (width > 0) {
      load_staged(mover, member, rows, rhs, cut.shape, place, begin, chunk);
    } else {
      load_direct(rows, rhs, cut.shape, place, begin, chunk);
    }
    fill_outside(cut.shape, place.active, begin, chunk);

    Eliminated<T> last;
    FirstUnknown<T> first;
    eliminate_chunk(chunk, begin, last, first);

    if constexpr (width > 0) member.team_barrier();
    Exchange<T> const exchange{static_cast<T*>(scratch), threads};
    if (cut.chunks > 1) {
      first = first_below(
          member, exchange, thread,
          place.lane + 1 < cut.lanes ? thread + cut.lane_stride() : thread - place.lane * cut.lane_stride(), first);
    }
    InterfaceRow<T> const row = interface_row(chunk, last, first);
    T above;
    T const own = solve_interface(member, exchange, cut, thread, place.lane, row, above);
    substitute_chunk(chunk, above, own);
    if constexpr (width > 0) {
      member.team_barrier();
      mover.store(member, chunk.rhs, x);
    } else {
      store_direct(x, cut.shape, place, begin, chunk.rhs);
    }
  }
};

/// One kernel for all systems; their rows must fit into Bounds::threads chunks of K.
template <int K, int width, int buffers, class Bounds, class Exec, class T, class Rows>
void launch_on_chip(Exec const& space, Rows const& rows, StridedSystems<T const> const& rhs, StridedSystems<T> const& x,
                    SystemShape const& shape, BatchLayout const& layout, int threads) {
  using Kernel = OnChipKernel<Exec, T, Rows, K, width, buffers, Bounds>;
  std::int64_t const chunks = (shape.rows + K - 1) / K;
  auto const lanes = static_cast<int>(chunks);
  auto const systems = static_cast<int>(std::min<std::int64_t>(std::max(1, threads / lanes), shape.systems()));
  ChunkShape const cut{shape,
                       chunks,
                       static_cast<int>(chunks * K - shape.rows),
                       lanes,
                       systems,
                       layout.systems_fastest,
                       layout.axis0_fastest};
  auto const teams = static_cast<int>((shape.systems() + systems - 1) / systems);
  typename Kernel::Policy policy(space, teams, cut.threads(), 1);
  policy.set_scratch_size(0, Kokkos::PerTeam(Kernel::scratch_bytes(cut.threads())));
  if constexpr (width > 0) {
    Kokkos::parallel_for("karman::tridiagonal::on_chip", policy,
                         Kernel{flattened_rows(rows, shape), flattened(rhs, shape), flattened(x, shape), cut});
  } else {
    Kokkos::parallel_for("karman::tridiagonal::on_chip", policy, Kernel{rows, rhs, x, cut});
  }
}

}  // namespace karman::detail
