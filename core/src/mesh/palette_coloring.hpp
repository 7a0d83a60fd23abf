// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Colouring of triangles from a palette that is hardly larger than the most triangles around a node.
#pragma once

#include "parallel_coloring.hpp"
#include <karman/core/backend.hpp>
#include <karman/mesh/triangle_mesh.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

namespace karman::detail {

using Palette = std::uint32_t;  ///< a bit for each colour
inline constexpr int most_palette_colors = 32;
/// Triangles around a node from which on a palette of 32 colours gives too little choice.
inline constexpr int most_palette_valence = 24;

/// State of a triangle. Negative: without a colour; below -1: its choice in this round, a colour with the corners where
/// a neighbour has that colour, a bit each.
struct PaletteState {
  static constexpr int none = -1, corners = 8;

  KOKKOS_FORCEINLINE_FUNCTION static int choice(int color, int taken) { return -2 - (corners * color + taken); }
  KOKKOS_FORCEINLINE_FUNCTION static int color_of_choice(int choice) { return (-2 - choice) / corners; }
  /// The state after a choice that is kept.
  KOKKOS_FORCEINLINE_FUNCTION static int won(int round, int choice) {
    return round * (corners * most_palette_colors) + (-2 - choice);
  }
  KOKKOS_FORCEINLINE_FUNCTION static int color(int won) { return won / corners % most_palette_colors; }
  KOKKOS_FORCEINLINE_FUNCTION static int taken(int won) { return won % corners; }
  KOKKOS_FORCEINLINE_FUNCTION static bool in_round(int won, int round) {
    return won / (corners * most_palette_colors) == round;
  }
};

/// Arrays of all rounds.
template <class Exec>
struct PaletteWork {
  using Words = Kokkos::View<Palette*, typename Exec::memory_space>;
  Kokkos::View<int const* [3], Kokkos::LayoutRight, typename Exec::memory_space> triangles;
  Graph<Exec> around;           ///< triangles around each node
  Numbers<Exec> state;          ///< PaletteState of each triangle
  Words taken, claimed, clash;  ///< of each node: colours of its triangles; chosen in this round; by more than one
  Numbers<Exec> lists[2];       ///< triangles without a colour, for even and odd rounds
  Numbers<Exec> counts;         ///< their lengths

  KOKKOS_FORCEINLINE_FUNCTION int left(int round) const { return counts(round % 2); }
  KOKKOS_FORCEINLINE_FUNCTION int triangle(int round, int i) const { return round == 0 ? i : lists[round % 2](i); }
};

/// A triangle chooses one of its free colours at random. Without a free one it waits, or chooses a colour that not all
/// of its nodes have. With few to choose from, neighbours could repeat the same choices in all rounds: every other one
/// waits.
template <class Exec>
struct ChooseColor {
  PaletteWork<Exec> work;
  int round, colors, threads;
  bool takes;

  KOKKOS_FUNCTION void operator()(int thread) const {
    if (thread == 0) work.counts((round + 1) % 2) = 0;
    for (int i = thread; i < work.left(round); i += threads) choose(work.triangle(round, i));
  }

 private:
  KOKKOS_FORCEINLINE_FUNCTION void choose(int t) const {
    int const n[3] = {work.triangles(t, 0), work.triangles(t, 1), work.triangles(t, 2)};
    Palette const a = work.taken(n[0]), b = work.taken(n[1]), c = work.taken(n[2]);
    Palette const all = ~Palette(0) >> (most_palette_colors - colors);
    Palette open = all & ~(a | b | c);
    if (open == 0 && takes) open = all & ~(a & b & c);
    std::uint32_t const random =
        scrambled(static_cast<std::uint32_t>(t) * 2654435761u + static_cast<std::uint32_t>(round) * 40503u);
    Palette const but_one = open & (open - 1), but_two = but_one & (but_one - 1);
    if (open == 0 || (round > 0 && but_two == 0 && (random >> 20 & 1u) != 0)) {
      work.state(t) = PaletteState::none;
      return;
    }
    auto const first = static_cast<int>(random % static_cast<std::uint32_t>(colors));
    Palette const later = open >> first;
    int const color = later != 0 ? first + lowest_bit(later) : lowest_bit(open);
    auto const taken = static_cast<int>((a >> color & 1u) | (b >> color & 1u) << 1 | (c >> color & 1u) << 2);
    work.state(t) = PaletteState::choice(color, taken);
    Palette const bit = Palette(1) << color;
    for (int const node : n) {
      if ((Kokkos::atomic_fetch_or(&work.claimed(node), bit) & bit) != 0) Kokkos::atomic_or(&work.clash(node), bit);
    }
  }
};

/// A triangle takes the colour of its choice where no other triangle at a common node has made the same one.
template <class Exec>
struct KeepChoices {
  PaletteWork<Exec> work;
  int round, threads;

  KOKKOS_FUNCTION void operator()(int thread) const {
    for (int i = thread; i < work.left(round); i += threads) {
      int const t = work.triangle(round, i), choice = work.state(t);
      if (choice == PaletteState::none) continue;
      int const n[3] = {work.triangles(t, 0), work.triangles(t, 1), work.triangles(t, 2)};
      Palette const bit = Palette(1) << PaletteState::color_of_choice(choice);
      if (((work.clash(n[0]) | work.clash(n[1]) | work.clash(n[2])) & bit) != 0) continue;
      work.state(t) = PaletteState::won(round, choice);
      for (int const node : n) Kokkos::atomic_or(&work.taken(node), bit);
    }
  }
};

/// Clears the choices and lists the triangles that have no colour, in the order of the teams: no result depends on it.
template <class Exec>
struct ListUncolored {
  using Policy = Kokkos::TeamPolicy<Exec>;
  using Member = typename Policy::member_type;
  static constexpr int threads = runs_on_host<Exec> ? 1 : 256;
  static constexpr int each = runs_on_host<Exec> ? 256 : 1;  ///< triangles of a thread between two sums over the team
  static constexpr int tile = threads * each;

  PaletteWork<Exec> work;
  int round, teams;

  KOKKOS_FUNCTION void operator()(Member const& member) const {
    int const left = work.left(round);
    for (std::int64_t begin = std::int64_t(member.league_rank()) * tile; begin < left;
         begin += std::int64_t(teams) * tile) {
      int found[each], count = 0;
      for (int k = 0; k < each; ++k) {
        std::int64_t const i = begin + member.team_rank() * each + k;
        if (i >= left) break;
        int const t = work.triangle(round, static_cast<int>(i));
        for (int corner = 0; corner < 3; ++corner) {
          int const node = work.triangles(t, corner);
          work.claimed(node) = work.clash(node) = 0;
        }
        if (work.state(t) < 0) found[count++] = t;
      }
      int const place = member.team_scan(count, &work.counts((round + 1) % 2));
      for (int k = 0; k < count; ++k) work.lists[(round + 1) % 2](place + k) = found[k];
    }
  }
};

/// Triangles whose colour a neighbour has taken lose it, and are listed.
template <class Exec>
struct Evict {
  PaletteWork<Exec> work;
  int round, threads;

  KOKKOS_FUNCTION void operator()(int thread) const {
    for (int i = thread; i < work.left(round); i += threads) {
      int const t = work.triangle(round, i), state = work.state(t);
      if (state < 0) continue;
      for (int corner = 0; corner < 3; ++corner) {
        if ((PaletteState::taken(state) >> corner & 1) != 0)
          evict(work.triangles(t, corner), PaletteState::color(state));
      }
    }
  }

 private:
  KOKKOS_FORCEINLINE_FUNCTION void evict(int node, int color) const {
    for (int i = work.around.offsets(node); i < work.around.offsets(node + 1); ++i) {
      int const t = work.around.entries(i), state = work.state(t);
      if (state < 0 || PaletteState::color(state) != color || PaletteState::in_round(state, round)) continue;
      // The same triangle may be found at another node, by another thread.
      if (Kokkos::atomic_compare_exchange(&work.state(t), state, int(PaletteState::none)) != state) continue;
      int const next = (round + 1) % 2;
      work.lists[next](Kokkos::atomic_fetch_add(&work.counts(next), 1)) = t;
      for (int k = 0; k < 3; ++k) {
        int const corner = work.triangles(t, k);
        if (!now_taken(corner, color)) Kokkos::atomic_and(&work.taken(corner), ~(Palette(1) << color));
      }
    }
  }

  KOKKOS_FORCEINLINE_FUNCTION bool now_taken(int node, int color) const {
    for (int i = work.around.offsets(node); i < work.around.offsets(node + 1); ++i) {
      int const state = work.state(work.around.entries(i));
      if (state >= 0 && PaletteState::color(state) == color && PaletteState::in_round(state, round)) return true;
    }
    return false;
  }
};

template <class Exec>
struct UsedColors {
  Numbers<Exec> state;
  KOKKOS_FUNCTION void operator()(int t, Palette& used) const { used |= Palette(1) << PaletteState::color(state(t)); }
};

/// Numbers the used colours without gaps.
template <class Exec>
struct NumberColors {
  Numbers<Exec> state;
  Palette used;

  KOKKOS_FUNCTION void operator()(int t) const {
    int number = 0;
    for (Palette below = used & ((Palette(1) << PaletteState::color(state(t))) - 1); below != 0; below &= below - 1)
      ++number;
    state(t) = number;
  }
};

/// Size of the palette, chosen between periods of rounds. It has as many colours as a node has triangles at most. After
/// the first round it has half more than a node has on average, if that is more. It grows where a period leaves more
/// than four fifths of the triangles. Where few are left, they wander for long before they find their places, so that
/// it waits for 64 rounds.
class PaletteGrowth {
 public:
  static constexpr int period = 3;

  PaletteGrowth(int lower_bound, int triangles, int nodes)
      : triangles_(triangles),
        before_(triangles),
        first_(lower_bound),
        colors_(std::max(lower_bound,
                         static_cast<int>((std::int64_t(9) * triangles + nodes) / (2 * std::int64_t(nodes))))) {}

  int colors(int round) const { return round == 0 ? first_ : colors_; }
  int most_colors() const { return colors_; }
  /// Colours are taken from neighbours once a choice of free ones has left few triangles.
  bool takes() const { return before_ <= triangles_ / 16; }

  /// After every period.
  void after(int round, int left) {
    int const patience = left > triangles_ / 64 ? period : 64;
    if (round - checked_ < patience) return;
    if (std::int64_t(5) * left > std::int64_t(4) * before_) ++colors_;
    checked_ = round;
    before_ = left;
  }

 private:
  int triangles_, before_, first_, colors_, checked_ = 0;
};

/// Colours all triangles into `color` and returns the number of colours; 0 if a palette of 32 colours does not suffice.
/// Waits for `space`. The same bits on every backend.
///
/// Method: in each round every triangle without a colour chooses one of its free ones at random. It keeps that one if
/// no neighbour has chosen it as well. O. Johansson, Simple distributed (Delta + 1)-coloring of graphs, Inform.
/// Process. Lett. 70 (1999). Where none is free it takes the colour of a neighbour, which must choose again: heuristic
/// repair (S. Minton, M. D. Johnston, A. B. Philips, P. Laird, Artificial Intelligence 58 (1992)). Three rounds run
/// between two waits for the device.
template <class Exec>
int color_from_palette(Exec const& space, TriangleMesh<Exec> const& mesh, Graph<Exec> const& around, int lower_bound,
                       Numbers<Exec> const& color) {
  using Range = Kokkos::RangePolicy<Exec>;
  using List = ListUncolored<Exec>;
  int const triangles = mesh.triangle_count();
  auto const nodes = static_cast<std::size_t>(mesh.node_count());
  auto const words = [&](char const* label) {
    return typename PaletteWork<Exec>::Words(Kokkos::view_alloc(space, std::string(label)), nodes);
  };
  auto const list = [&] { return numbers(space, mesh.triangles.extent(0), "karman::coloring::list"); };
  PaletteWork<Exec> const work{mesh.triangles,
                               around,
                               color,
                               words("karman::coloring::taken"),
                               words("karman::coloring::claimed"),
                               words("karman::coloring::clash"),
                               {list(), list()},
                               numbers(space, 2, "karman::coloring::counts")};
  fill(space, work.counts, triangles, "karman::coloring::count_all");
  Kokkos::View<int, Kokkos::HostSpace> const left("karman::coloring::left");
  left() = triangles;
  PaletteGrowth growth(lower_bound, triangles, std::max(mesh.node_count(), 1));
  for (int round = 0; left() > 0 && growth.most_colors() <= most_palette_colors;) {
    // Lists may grow between two waits: the threads take further triangles in turn.
    int const threads = left(), teams = threads / List::tile + 1;
    for (int end = round + PaletteGrowth::period; round < end; ++round) {
      Kokkos::parallel_for("karman::coloring::choose", Range(space, 0, threads),
                           ChooseColor<Exec>{work, round, growth.colors(round), threads, growth.takes()});
      Kokkos::parallel_for("karman::coloring::keep_choices", Range(space, 0, threads),
                           KeepChoices<Exec>{work, round, threads});
      Kokkos::parallel_for("karman::coloring::list_uncolored", typename List::Policy(space, teams, List::threads),
                           List{work, round, teams});
      if (growth.takes())
        Kokkos::parallel_for("karman::coloring::evict", Range(space, 0, threads), Evict<Exec>{work, round, threads});
    }
    Kokkos::deep_copy(space, left, Kokkos::subview(work.counts, round % 2));
    compat::fence(space, "karman::coloring::rounds");
    growth.after(round, left());
  }
  if (left() > 0) return 0;
  Palette used = 0;
  auto const all = Range(space, 0, triangles);
  Kokkos::parallel_reduce("karman::coloring::used", all, UsedColors<Exec>{color}, Kokkos::BOr<Palette>(used));
  compat::fence(space, "karman::coloring::used");
  Kokkos::parallel_for("karman::coloring::number", all, NumberColors<Exec>{color, used});
  compat::fence(space, "karman::coloring::numbered");
  return std::popcount(used);
}

}  // namespace karman::detail
