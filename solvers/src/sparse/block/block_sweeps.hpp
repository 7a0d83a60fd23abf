// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Block rows by colour, their set-up for sweeps or as incomplete factors, and the sweeps.
#pragma once

#include "block_checks.hpp"
#include "block_inverse.hpp"
#include "block_pass.hpp"
#include "row_levels.hpp"
#include "sparse/preconditioners/colored_rows.hpp"
#include "sparse/preconditioners/jacobi_kernels.hpp"
#include <karman/core/backend.hpp>
#include <karman/core/compat.hpp>
#include <karman/core/host_copy.hpp>
#include <karman/solvers/sparse/block_csr.hpp>
#include <karman/solvers/sparse/block_preconditioners_options.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <string>
#include <vector>

namespace karman::detail {

/// Block rows by colour. Place p holds row row(p). Its entries in rows of lower colours, ascending in colour, are
/// lower(p) ... lower(p + 1) - 1, those in rows of higher colours upper(p) ... upper(p + 1) - 1. The lower entries of
/// all places come first, then all upper ones: the forward and the backward sweep each read memory in order.
template <class Exec>
struct BlockPlaces {
  using Numbers = typename Graph<Exec>::Numbers;
  // "= Numbers()": see Graph.
  Numbers row = Numbers(), lower = Numbers(), upper = Numbers(), columns = Numbers();
  Numbers source = Numbers();    ///< entry number in the matrix
  Numbers diagonal = Numbers();  ///< of each row, its entry number, or -1
  Numbers place = Numbers();     ///< of each row

  KOKKOS_INLINE_FUNCTION int lower_count(int p) const { return lower(p + 1) - lower(p); }
  KOKKOS_INLINE_FUNCTION int count(int p) const { return lower_count(p) + upper(p + 1) - upper(p); }
  KOKKOS_INLINE_FUNCTION int entry(int p, int k) const {
    int const lowers = lower_count(p);
    return k < lowers ? lower(p) + k : upper(p) + (k - lowers);
  }
};

/// Lower entries of a place.
template <class Exec>
struct CountLower {
  ColoredRows<Exec> rows;
  Numbers<Exec> counts;
  KOKKOS_FUNCTION void operator()(int p) const { counts(p) = rows.middles(p) - rows.offsets(p); }
};

/// Moves the entries of a place.
template <class Exec>
struct PlaceEntries {
  ColoredRows<Exec> rows;
  typename Graph<Exec>::Numbers lower;
  Numbers<Exec> upper, columns, source;
  int lowers;  ///< of all places

  KOKKOS_FUNCTION void operator()(int p) const {
    int const begin = rows.offsets(p), middle = rows.middles(p), end = rows.offsets(p + 1);
    int const low = lower(p), high = lowers + begin - low;
    upper(p) = high;
    if (p + 1 == static_cast<int>(rows.row.extent(0))) upper(p + 1) = lowers + end - lower(p + 1);
    for (int e = begin; e < end; ++e) {
      int const to = e < middle ? low + e - begin : high + e - middle;
      columns(to) = rows.columns(e);
      source(to) = rows.source(e);
    }
  }
};

/// Waits for `space`.
template <class Exec>
BlockPlaces<Exec> place_blocks(Exec const& space, ColoredRows<Exec> const& rows, char const* who) {
  std::size_t const places = rows.row.extent(0), entries = rows.columns.extent(0);
  Kokkos::RangePolicy<Exec> const all(space, 0, static_cast<int>(places));
  auto const lower = zeros(space, places + 1, "karman::block_places::lower");
  auto const upper = zeros(space, places + 1, "karman::block_places::upper");
  auto const columns = numbers(space, entries, "karman::block_places::columns");
  auto const source = numbers(space, entries, "karman::block_places::source");
  Kokkos::parallel_for("karman::block_places::count", all, CountLower<Exec>{rows, lower});
  int const lowers = make_offsets(space, lower, who);
  Kokkos::parallel_for("karman::block_places::place", all,
                       PlaceEntries<Exec>{rows, lower, upper, columns, source, lowers});
  compat::fence(space, "karman::block_places::made");
  return {rows.row, lower, upper, columns, source, rows.diagonal, rows.place};
}

/// Blocks of the places. With the diagonal block D of a row, or its pivot, sweeps need D^-1 and -D^-1 A_ij only: the
/// new numbers of a row are then one sum of products.
template <class Exec, class T, int N>
struct PlacedBlocks {
  using Values = typename BlockCsrMatrix<Exec, T, N>::Values;
  BlockPlaces<Exec> places;
  Values values = Values();   ///< of the entries: -D^-1 A_ij; "= Values()": see Graph
  Values inverse = Values();  ///< of each place: D^-1
  Kokkos::View<int, typename Exec::memory_space> replaced;

  /// Inverts D, in every lane, and scales the blocks of the place. `source(e)` is the block that becomes entry e. On a
  /// device each lane takes a column of a block.
  template <class Member, class Source>
  KOKKOS_INLINE_FUNCTION void finish(Member const& member, int place, T const* diagonal, Source const& source) const {
    double d[N][N] = {};
    for (int i = 0; diagonal != nullptr && i < N; ++i) {
      for (int j = 0; j < N; ++j) d[i][j] = double(diagonal[i * N + j]);
    }
    bool const usable = invert_or_replace<T, N>(d);
    int const count = places.count(place);
    if constexpr (runs_on_host<Exec>) {
      for (int k = 0; k < count; ++k) {
        int const e = places.entry(place, k);
        double sums[N][N] = {};
        add_product<T, N>(d, source(e), sums);
        for (int i = 0; i < N; ++i) {
          for (int j = 0; j < N; ++j) values(e, i, j) = static_cast<T>(-sums[i][j]);
        }
      }
    } else {
      Kokkos::parallel_for(Kokkos::ThreadVectorRange(member, N * count), [&](int n) {
        int const e = places.entry(place, n / N), column = n % N;
        T const* const from = source(e) + column;
        double numbers[N];
        for (int k = 0; k < N; ++k) numbers[k] = double(from[N * k]);
        for (int i = 0; i < N; ++i) {
          double sum = 0;
          for (int k = 0; k < N; ++k) sum += d[i][k] * numbers[k];
          values(e, i, column) = static_cast<T>(-sum);
        }
      });
    }
    // After all lanes have read D, which may lie in the same place.
    Kokkos::single(Kokkos::PerThread(member), [&] {
      store_block<T, N>(d, &inverse(place, 0, 0));
      if (!usable) Kokkos::atomic_fetch_add(replaced.data(), 1);
    });
  }
};

/// Takes the blocks of a matrix, scaled for sweeps. In the order of the matrix, which is so read in the order of
/// memory.
template <class Exec, class T, int N>
struct ScaleBlocks {
  using Member = typename Kokkos::TeamPolicy<Exec>::member_type;
  PlacedBlocks<Exec, T, N> blocks;
  typename BlockCsrMatrix<Exec, T, N>::Values values;

  KOKKOS_INLINE_FUNCTION void operator()(Member const& member, int row) const {
    int const place = blocks.places.place(row), entry = blocks.places.diagonal(row);
    T const* const diagonal = entry < 0 ? nullptr : &values(entry, 0, 0);
    blocks.finish(member, place, diagonal, [&](int e) { return &values(blocks.places.source(e), 0, 0); });
  }
};

/// Takes the blocks of a matrix as they are, in the order of the matrix.
template <class Exec, class T, int N>
struct TakeBlocks {
  using Member = typename Kokkos::TeamPolicy<Exec>::member_type;
  PlacedBlocks<Exec, T, N> blocks;
  typename BlockCsrMatrix<Exec, T, N>::Values values;

  KOKKOS_INLINE_FUNCTION void operator()(Member const& member, int row) const {
    int const place = blocks.places.place(row), entry = blocks.places.diagonal(row), count = blocks.places.count(place);
    Kokkos::parallel_for(Kokkos::ThreadVectorRange(member, N * N * (count + 1)), [&](int n) {
      int const k = n / (N * N), i = n % (N * N) / N, j = n % N;
      if (k < count) {
        int const e = blocks.places.entry(place, k);
        blocks.values(e, i, j) = values(blocks.places.source(e), i, j);
      } else {
        blocks.inverse(place, i, j) = entry < 0 ? T(0) : values(entry, i, j);
      }
    });
  }
};

/// Incomplete factors without fill of the rows of one colour, after rows of lower colours. With W_ij below the
/// diagonal, pivots D and U_ij above it, M = (D + W) D^-1 (D + U). On a device each lane updates one number of a block.
template <class Exec, class T, int N>
struct FactorBlocks {
  using Member = typename Kokkos::TeamPolicy<Exec>::member_type;
  PlacedBlocks<Exec, T, N> blocks;

  KOKKOS_INLINE_FUNCTION void operator()(Member const& member, int place) const {
    BlockPlaces<Exec> const& places = blocks.places;
    int const row = places.row(place), lowers = places.lower_count(place), count = places.count(place);
    for (int k = 0; k < lowers; ++k) {
      int const e = places.entry(place, k), other = places.place(places.columns(e));
      for (int f = places.upper(other); f < places.upper(other + 1); ++f) {
        int const column = places.columns(f);
        T* changed = column == row ? &blocks.inverse(place, 0, 0) : nullptr;
        for (int l = k + 1; changed == nullptr && l < count; ++l) {
          int const g = places.entry(place, l);
          if (places.columns(g) == column) changed = &blocks.values(g, 0, 0);
        }
        if (changed != nullptr) update(member, &blocks.values(e, 0, 0), &blocks.values(f, 0, 0), changed);
      }
    }
    blocks.finish(member, place, &blocks.inverse(place, 0, 0), [&](int e) { return &blocks.values(e, 0, 0); });
  }

 private:
  /// A_ik -= W_ij D_j^-1 U_jk, where `upper` is -D_j^-1 U_jk already. The lanes meet at its end: later updates read
  /// numbers of other lanes.
  KOKKOS_INLINE_FUNCTION static void update(Member const& member, T const* lower, T const* upper, T* changed) {
    if constexpr (runs_on_host<Exec>) {
      double factor[N][N], sums[N][N];
      for (int i = 0; i < N; ++i) {
        for (int j = 0; j < N; ++j) {
          factor[i][j] = double(lower[i * N + j]);
          sums[i][j] = double(changed[i * N + j]);
        }
      }
      add_product<T, N>(factor, upper, sums);
      store_block<T, N>(sums, changed);
    } else {
      Kokkos::parallel_for(Kokkos::ThreadVectorRange(member, N * N), [&](int n) {
        int const i = n / N, j = n % N;
        double sum = double(changed[n]);
        for (int k = 0; k < N; ++k) sum += double(lower[i * N + k]) * double(upper[k * N + j]);
        changed[n] = static_cast<T>(sum);
      });
    }
  }
};

/// Runs a body with an operator()(member, place) for places from `first` to `last` - 1, a thread and its lanes for
/// each.
template <int N, class Body>
struct PlaceTeams {
  using Member = typename Body::Member;
  Body body;
  int first, last, places_per_team;

  KOKKOS_FUNCTION void operator()(Member const& member) const {
    int const begin = first + member.league_rank() * places_per_team;
    int const end = last - begin < places_per_team ? last : begin + places_per_team;
    Kokkos::parallel_for(Kokkos::TeamThreadRange(member, begin, end), [&](int place) { body(member, place); });
  }
};

template <int N, class Exec, class Body>
void for_places(Exec const& space, char const* label, Body const& body, int first, int last) {
  constexpr int lanes = runs_on_host<Exec> ? 1 : std::min(32, static_cast<int>(std::bit_ceil(unsigned(N * N))));
  constexpr int threads = runs_on_host<Exec> ? 1 : 128 / lanes, each = runs_on_host<Exec> ? 64 : threads;
  if (first >= last) return;
  Kokkos::parallel_for(label, Kokkos::TeamPolicy<Exec>(space, (last - first - 1) / each + 1, threads, lanes),
                       PlaceTeams<N, Body>{body, first, last, each});
}

/// Which entries of a place a sweep takes.
enum class Taken { lower, upper, all };

/// New numbers of a row: z = kept z + weight (D^-1 r - D^-1 sum A_ij z_j), without D^-1 r for the upper entries, and
/// without kept z for the lower ones.
template <class Exec, class T, int N, Taken taken>
struct SweepBlocks {
  static constexpr bool own = taken != Taken::upper;
  static constexpr int lanes = taken == Taken::all ? 2 * N : N;
  PlacedBlocks<Exec, T, N> blocks;
  T const* r;
  T* z;
  T kept, weight;

  KOKKOS_INLINE_FUNCTION int count(int place) const {
    BlockPlaces<Exec> const& places = blocks.places;
    if constexpr (taken == Taken::lower) return places.lower_count(place);
    else if constexpr (taken == Taken::upper) return places.upper(place + 1) - places.upper(place);
    else return places.count(place);
  }
  KOKKOS_INLINE_FUNCTION int entry(int place, int k) const {
    if constexpr (taken == Taken::lower) return blocks.places.lower(place) + k;
    else if constexpr (taken == Taken::upper) return blocks.places.upper(place) + k;
    else return blocks.places.entry(place, k);
  }
  KOKKOS_INLINE_FUNCTION T const* block(int e) const { return &blocks.values(e, 0, 0); }
  KOKKOS_INLINE_FUNCTION T const* factor(int e) const { return z + N * blocks.places.columns(e); }
  KOKKOS_INLINE_FUNCTION T const* own_block(int place) const { return &blocks.inverse(place, 0, 0); }
  KOKKOS_INLINE_FUNCTION T const* own_factor(int place) const { return r + N * blocks.places.row(place); }
  bool aligned() const { return are_aligned(blocks.values.data(), blocks.inverse.data(), r, z); }
  KOKKOS_INLINE_FUNCTION void store(int place, int i, T sum) const {
    T& number = z[N * blocks.places.row(place) + i];
    number = taken == Taken::lower ? weight * sum : kept * number + weight * sum;
  }
};

/// A symmetric sweep from z = 0 by one team, which waits after each colour: for few rows, whose colours are shorter
/// than the launch of a kernel.
template <class Exec, class T, int N>
struct SweepByOneTeam {
  template <Taken taken>
  using Pass = BlockPass<Exec, T, N, SweepBlocks<Exec, T, N, taken>>;
  using Member = typename Pass<Taken::lower>::Member;
  static constexpr int lanes = Pass<Taken::lower>::lanes, threads = 1024 / lanes;
  /// More colours would make the arguments too large for a launch that does not wait for the one before. More rows take
  /// longer than a kernel for each colour, measured on an H200.
  static constexpr int most_colors = 15, most_rows = 1536;

  SweepBlocks<Exec, T, N, Taken::lower> forward;
  std::uint16_t begins[most_colors + 1];  ///< first place of each colour, and the end
  int colors;
  T last_weight;  ///< of the last colour: both its sweeps
  T kept;         ///< by the backward sweep
  bool aligned;

  KOKKOS_FUNCTION void operator()(Member const& member) const {
    auto down = forward;
    for (int c = 0; c < colors; ++c) {
      if (c + 1 == colors) down.weight = last_weight;
      sweep_color<Taken::lower>(member, down, c);
    }
    // Made here: a second body among the arguments would make them too large, too.
    SweepBlocks<Exec, T, N, Taken::upper> const up{forward.blocks, forward.r, forward.z, kept, forward.weight};
    for (int c = colors - 2; c >= 0; --c) sweep_color<Taken::upper>(member, up, c);
  }

 private:
  template <Taken taken>
  KOKKOS_FUNCTION void sweep_color(Member const& member, SweepBlocks<Exec, T, N, taken> const& body, int c) const {
    int const last = begins[c + 1];
    for (int place = begins[c] + member.team_rank(); place < last; place += member.team_size())
      Pass<taken>::add_row(member, body, place, aligned);
    member.team_barrier();
  }
};

/// Block rows by colour or by level, and the values of a matrix in that order.
template <class Exec, class T, int N>
struct BlockSweeps {
  using Memory = typename Exec::memory_space;
  using Values = typename BlockCsrMatrix<Exec, T, N>::Values;

  int rows;
  std::size_t entries;  ///< of the matrix
  int colors = 0;
  Kokkos::View<int const*, Memory> color;
  std::vector<int> begins;  ///< first place of each colour, and the end
  PlacedBlocks<Exec, T, N> blocks;

  BlockSweeps(Exec const& space, Graph<Exec> const& graph, SweepOrder order, int passes, char const* who)
      : rows(graph.rows()), entries(graph.entries.extent(0)) {
    auto const coloring =
        order == SweepOrder::rows ? level_rows(space, graph, who) : color_rows(space, graph, passes, who);
    colors = coloring.colors;
    color = coloring.color;
    begins = host_copy(space, coloring.classes.offsets);
    if (rows == 0) begins.assign(1, 0);
    blocks.places = place_blocks(space, split_rows(space, graph, coloring, who), who);
    blocks.values =
        Values(Kokkos::view_alloc(space, std::string("karman::block_sweeps::values")), blocks.places.columns.extent(0));
    blocks.inverse =
        Values(Kokkos::view_alloc(space, std::string("karman::block_sweeps::inverse")), static_cast<std::size_t>(rows));
    blocks.replaced =
        Kokkos::View<int, Memory>(Kokkos::view_alloc(space, std::string("karman::block_sweeps::replaced")));
    compat::fence(space, "karman::block_sweeps::plan");
  }

  int begin_of(int c) const { return begins[static_cast<std::size_t>(c)]; }

  /// Takes a matrix: scaled for sweeps, or as incomplete factors.
  void take(Exec const& space, BlockCsrMatrix<Exec, T, N> const& matrix, bool factors) const {
    Kokkos::parallel_for("karman::block_sweeps::reset", Kokkos::RangePolicy<Exec>(space, 0, 1),
                         ResetCount<Exec>{blocks.replaced});
    if (!factors) {
      for_places<N>(space, "karman::block_sweeps::scale", ScaleBlocks<Exec, T, N>{blocks, matrix.values}, 0, rows);
      return;
    }
    for_places<N>(space, "karman::block_sweeps::take", TakeBlocks<Exec, T, N>{blocks, matrix.values}, 0, rows);
    for (int c = 0; c < colors; ++c) {
      for_places<N>(space, "karman::block_sweeps::factor", FactorBlocks<Exec, T, N>{blocks}, begin_of(c),
                    begin_of(c + 1));
    }
  }

  template <Taken taken>
  void sweep_color(Exec const& space, char const* label, int c, T const* r, T* z, double kept, double weight) const {
    block_pass<T, N>(space, label,
                     SweepBlocks<Exec, T, N, taken>{blocks, r, z, static_cast<T>(kept), static_cast<T>(weight)},
                     begin_of(c), begin_of(c + 1));
  }

  /// A symmetric sweep from z = 0, with one read of every entry. Also the solution with the factors, with omega = 1.
  void first_sweep(Exec const& space, T const* r, T* z, double omega) const {
    if constexpr (!runs_on_host<Exec>) {
      using OneTeam = SweepByOneTeam<Exec, T, N>;
      if (rows <= OneTeam::most_rows && colors <= OneTeam::most_colors) return sweep_by_one_team(space, r, z, omega);
    }
    for (int c = 0; c < colors; ++c) {
      // The last colour has no upper entries: its backward sweep is a factor.
      double const weight = c + 1 == colors ? omega * (2 - omega) : omega;
      sweep_color<Taken::lower>(space, "karman::block_sweeps::forward", c, r, z, 0, weight);
    }
    for (int c = colors - 2; c >= 0; --c) {
      sweep_color<Taken::upper>(space, "karman::block_sweeps::backward", c, r, z, 2 - omega, omega);
    }
  }

  /// The same with one kernel.
  void sweep_by_one_team(Exec const& space, T const* r, T* z, double omega) const {
    using Kernel = SweepByOneTeam<Exec, T, N>;
    if (rows == 0) return;
    SweepBlocks<Exec, T, N, Taken::lower> const forward{blocks, r, z, T(0), static_cast<T>(omega)};
    auto const last = static_cast<T>(omega * (2 - omega)), kept = static_cast<T>(2 - omega);
    Kernel kernel{forward, {}, colors, last, kept, forward.aligned()};
    std::transform(begins.begin(), begins.end(), kernel.begins, [](int place) { return std::uint16_t(place); });
    Kokkos::parallel_for("karman::block_sweeps::both",
                         Kokkos::TeamPolicy<Exec>(space, 1, Kernel::threads, Kernel::lanes), kernel);
  }

  /// A symmetric sweep from any z.
  void next_sweep(Exec const& space, T const* r, T* z, double omega) const {
    double const kept = 1 - omega;
    for (int c = 0; c < colors; ++c) {
      // The last colour is taken twice in a row, with the same sum.
      bool const last = c + 1 == colors;
      sweep_color<Taken::all>(space, "karman::block_sweeps::relax", c, r, z, last ? kept * kept : kept,
                              last ? omega * (2 - omega) : omega);
    }
    for (int c = colors - 2; c >= 0; --c) {
      sweep_color<Taken::all>(space, "karman::block_sweeps::relax", c, r, z, kept, omega);
    }
  }

  int singular_blocks(Exec const& space) const {
    int count = 0;
    Kokkos::deep_copy(space, count, blocks.replaced);
    compat::fence(space, "karman::block_sweeps::singular_blocks");
    return count;
  }

  /// Entries off the diagonal, and the diagonal of each row.
  std::int64_t all_entries() const { return static_cast<std::int64_t>(blocks.values.extent(0)) + rows; }

  static std::int64_t bytes(int rows, std::int64_t entries) {
    constexpr std::int64_t number = sizeof(int), block = N * N * sizeof(T);
    // Per entry off the diagonal: column, source, block. Per row: colour, row, offset, middle, diagonal, place,
    // inverse. Also one more offset, and the count of replaced blocks.
    return (entries - rows) * (2 * number + block) + rows * (6 * number + block) + 2 * number;
  }
};

}  // namespace karman::detail
