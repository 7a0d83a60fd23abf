// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Large systems on a device: chunks reduced to one row each, and substituted when those are solved.
#pragma once

#include "interface.hpp"
#include "layout.hpp"

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstdint>

namespace karman::detail {

/// The system with one row per chunk, as arrays of the workspace. The right-hand side becomes the solution.
template <class T>
struct CoarseSystems {
  T *lower, *diagonal, *upper, *rhs;
  std::int64_t row_stride;
  std::int64_t stride[2];

  StridedSystems<T> array(T* data) const { return {data, row_stride, {stride[0], stride[1]}}; }
  StridedRows<T> rows() const {
    return {{read_only(array(lower)), T(0)}, {read_only(array(diagonal)), T(0)}, {read_only(array(upper)), T(0)}};
  }
};

/// Tag: from chunks to rows. The last lane of a team only gives its chunk's first unknown to the chunk before.
struct ReduceChunks {};
/// Tag: the unknowns of the chunks, from those at their ends.
struct SubstituteChunks {};

template <class Exec, class T, class Rows, int K, int width, class Bounds>
struct PartitionKernel {
  template <class Tag>
  using Policy = Kokkos::TeamPolicy<Exec, typename Bounds::type, Tag>;
  using Member = typename Kokkos::TeamPolicy<Exec>::member_type;
  using Mover = StagedMover<T, K, width == 0 ? K : width, 4>;

  Rows rows;
  StridedSystems<T const> rhs;
  StridedSystems<T> x;
  ChunkShape cut;
  CoarseSystems<T> coarse;
  std::int64_t tiles;  ///< teams along a system

  KOKKOS_INLINE_FUNCTION static constexpr int scratch_bytes(int threads) {
    int const staging = width > 0 ? Mover::scratch_bytes(threads) : 0;
    int const exchanged = Exchange<T>::scratch_bytes(threads);
    return (staging > exchanged ? staging : exchanged) + 16;
  }

  KOKKOS_FUNCTION void operator()(ReduceChunks, Member const& member) const {
    int const thread = member.team_rank();
    int const threads = cut.threads();
    void* const scratch = member.team_scratch(0).get_shmem_aligned(scratch_bytes(threads) - 16, 16);
    std::int64_t const group = quotient(member.league_rank(), tiles);
    std::int64_t const first_chunk = (member.league_rank() - group * tiles) * (cut.lanes - 1);
    ChunkPlace const place = place_of(cut, group, thread);
    std::int64_t number = first_chunk + place.lane;
    bool const owner = place.active && place.lane < cut.lanes - 1 && number < cut.chunks;
    if (cyclic(cut.shape) && number >= cut.chunks) number -= cut.chunks;
    bool const there = place.active && number < cut.chunks;
    std::int64_t const begin = number * K - cut.padding;

    RowChunk<T, K> chunk;
    load(member, thread, group, first_chunk * K - cut.padding, scratch, place, begin, chunk);
    fill_outside(cut.shape, there, begin, chunk);
    Eliminated<T> last;
    FirstUnknown<T> first;
    eliminate_chunk(chunk, begin, last, first);
    if constexpr (width > 0) member.team_barrier();
    first = first_below(member, Exchange<T>{static_cast<T*>(scratch), threads}, thread,
                        place.lane + 1 < cut.lanes ? thread + cut.lane_stride() : thread, first);
    if (!owner) return;
    InterfaceRow<T> const row = interface_row(chunk, last, first);
    std::int64_t const at =
        number * coarse.row_stride + place.system0 * coarse.stride[0] + place.system1 * coarse.stride[1];
    coarse.lower[at] = row.lower;
    coarse.diagonal[at] = row.diagonal;
    coarse.upper[at] = row.upper;
    coarse.rhs[at] = row.rhs;
  }

  KOKKOS_FUNCTION void operator()(SubstituteChunks, Member const& member) const {
    int const thread = member.team_rank();
    void* const scratch = member.team_scratch(0).get_shmem_aligned(scratch_bytes(cut.threads()) - 16, 16);
    std::int64_t const group = quotient(member.league_rank(), tiles);
    std::int64_t const first_chunk = (member.league_rank() - group * tiles) * cut.lanes;
    ChunkPlace const place = place_of(cut, group, thread);
    std::int64_t const number = first_chunk + place.lane;
    bool const there = place.active && number < cut.chunks;
    std::int64_t const begin = number * K - cut.padding;
    T above = T(0);
    T own = T(0);
    if (there) {
      T const* const solved = coarse.rhs + place.system0 * coarse.stride[0] + place.system1 * coarse.stride[1];
      own = solved[number * coarse.row_stride];
      if (number > 0) above = solved[(number - 1) * coarse.row_stride];
      if (number == 0 && cyclic(cut.shape)) above = solved[(cut.chunks - 1) * coarse.row_stride];
    }

    RowChunk<T, K> chunk;
    std::int64_t const tile_begin = first_chunk * K - cut.padding;
    load(member, thread, group, tile_begin, scratch, place, begin, chunk);
    fill_outside(cut.shape, there, begin, chunk);
    chunk.rhs[0] -= chunk.lower[0] * above;
    T u = T(0);
    T r = T(0);
    KARMAN_UNROLL
    for (int i = 0; i < K - 1; ++i) {
      T const lower = i == 0 ? T(0) : chunk.lower[i];
      T const inverse = reciprocal(T(chunk.diagonal[i] - lower * u));
      u = chunk.upper[i] * inverse;
      r = (chunk.rhs[i] - lower * r) * inverse;
      chunk.upper[i] = u;
      chunk.rhs[i] = r;
    }
    chunk.rhs[K - 1] = own;
    KARMAN_UNROLL
    for (int i = K - 2; i >= 0; --i) chunk.rhs[i] -= chunk.upper[i] * chunk.rhs[i + 1];
    if constexpr (width > 0) {
      auto mover = mover_of<Mover>(cut, thread, place, group, tile_begin, scratch);
      mover.period = 0;
      member.team_barrier();
      mover.store(member, chunk.rhs, x);
    } else {
      store_direct(x, cut.shape, place, begin, chunk.rhs);
    }
  }

 private:
  KOKKOS_FORCEINLINE_FUNCTION void load(Member const& member, int thread, std::int64_t group, std::int64_t tile_begin,
                                        void* scratch, ChunkPlace const& place, std::int64_t begin,
                                        RowChunk<T, K>& chunk) const {
    if constexpr (width > 0) {
      load_staged(mover_of<Mover>(cut, thread, place, group, tile_begin, scratch), member, rows, rhs, cut.shape, place,
                  begin, chunk);
    } else {
      load_direct(rows, rhs, cut.shape, place, begin, chunk);
    }
  }
};

/// Chunks of a system in a partition into K rows each: a whole number of units of 16 bytes where the rows are.
template <class T>
std::int64_t partition_chunks(SystemShape const& shape, int K, int unit) {
  std::int64_t const chunks = (shape.rows + K - 1) / K;
  if (unit <= 1 || cyclic(shape)) return chunks;
  return (chunks + unit - 1) / unit * unit;
}

/// One level: from chunks to rows of the coarse system, `solve_coarse` for those, and back.
template <int K, int width, class Bounds, class Exec, class T, class Rows, class SolveCoarse>
void launch_partition(Exec const& space, Rows const& rows, StridedSystems<T const> const& rhs,
                      StridedSystems<T> const& x, SystemShape const& shape, BatchLayout const& layout, int threads,
                      T* workspace, SolveCoarse const& solve_coarse) {
  using Kernel = PartitionKernel<Exec, T, Rows, K, width, Bounds>;
  std::int64_t const chunks = partition_chunks<T>(shape, K, width);
  std::int64_t const all = chunks * shape.systems();
  CoarseSystems<T> coarse{workspace, workspace + all, workspace + 2 * all, workspace + 3 * all, 1, {}};
  // The coarse rows have the layout of the fine ones.
  coarse.row_stride = layout.systems_fastest ? shape.systems() : 1;
  std::int64_t const system_stride = layout.systems_fastest ? 1 : chunks;
  coarse.stride[layout.axis0_fastest ? 0 : 1] = system_stride;
  coarse.stride[layout.axis0_fastest ? 1 : 0] = system_stride * shape.batch[layout.axis0_fastest ? 0 : 1];

  int const side_by_side = layout.systems_fastest ? static_cast<int>(std::min<std::int64_t>(32, shape.systems())) : 1;
  int const lanes = std::max(2, static_cast<int>(std::min<std::int64_t>(threads / side_by_side, chunks + 1)));
  ChunkShape const cut{shape,
                       chunks,
                       static_cast<int>(chunks * K - shape.rows),
                       lanes,
                       side_by_side,
                       layout.systems_fastest,
                       layout.axis0_fastest};
  std::int64_t const groups = (shape.systems() + side_by_side - 1) / side_by_side;
  auto const launch = [&](auto tag, char const* label, std::int64_t lanes_used) {
    using Tag = decltype(tag);
    std::int64_t const tiles = (chunks + lanes_used - 1) / lanes_used;
    typename Kernel::template Policy<Tag> policy(space, static_cast<int>(groups * tiles), cut.threads(), 1);
    policy.set_scratch_size(0, Kokkos::PerTeam(Kernel::scratch_bytes(cut.threads())));
    if constexpr (width > 0) {
      Kokkos::parallel_for(
          label, policy,
          Kernel{flattened_rows(rows, shape), flattened(rhs, shape), flattened(x, shape), cut, coarse, tiles});
    } else {
      Kokkos::parallel_for(label, policy, Kernel{rows, rhs, x, cut, coarse, tiles});
    }
  };
  launch(ReduceChunks(), "karman::tridiagonal::reduce_chunks", lanes - 1);
  solve_coarse(coarse, chunks);
  launch(SubstituteChunks(), "karman::tridiagonal::substitute_chunks", lanes);
}

}  // namespace karman::detail
