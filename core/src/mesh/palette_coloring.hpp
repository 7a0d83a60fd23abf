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
inline constexpr int most_palette_colors = 21;
/// Triangles around a node from which on so many colours give too little choice.
inline constexpr int most_palette_valence = 15;

/// Three palettes of a node in one word, since words lie scattered: the colours of its triangles, those chosen in this
/// round, those chosen by more than one triangle.
struct NodePalettes {
  using Word = std::uint64_t;
  static constexpr int taken = 0, claimed = most_palette_colors, clash = 2 * most_palette_colors;
  static constexpr Word all_taken = (Word(1) << most_palette_colors) - 1;

  KOKKOS_FORCEINLINE_FUNCTION static Palette colors(Word word, int palette) {
    return static_cast<Palette>(word >> palette & all_taken);
  }
  KOKKOS_FORCEINLINE_FUNCTION static Word bit(int color, int palette) { return Word(1) << (palette + color); }
};

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
  using Words = Kokkos::View<NodePalettes::Word*, typename Exec::memory_space>;
  Kokkos::View<int const* [3], Kokkos::LayoutRight, typename Exec::memory_space> triangles;
  Graph<Exec> around;      ///< triangles around each node
  Numbers<Exec> state;     ///< PaletteState of each triangle
  Words nodes;             ///< NodePalettes of each node
  Numbers<Exec> lists[2];  ///< triangles without a colour, for even and odd rounds
  Numbers<Exec> counts;    ///< their lengths

  KOKKOS_FORCEINLINE_FUNCTION int left(int round) const { return counts(round % 2); }
  KOKKOS_FORCEINLINE_FUNCTION int triangle(int round, int i) const { return round == 0 ? i : lists[round % 2](i); }
  /// Calls `each` with the triangles of one of `threads` threads that have no colour.
  template <class Each>
  KOKKOS_FORCEINLINE_FUNCTION void for_each_left(int round, int thread, int threads, Each const& each) const {
    for (int i = thread; i < left(round); i += threads) each(triangle(round, i));
  }
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
    work.for_each_left(round, thread, threads, [&](int t) { choose(t); });
  }

 private:
  KOKKOS_FORCEINLINE_FUNCTION void choose(int t) const {
    int const n[3] = {work.triangles(t, 0), work.triangles(t, 1), work.triangles(t, 2)};
    Palette const a = taken(n[0]), b = taken(n[1]), c = taken(n[2]);
    Palette const all = (Palette(1) << colors) - 1;
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
    auto const at_corners = static_cast<int>((a >> color & 1u) | (b >> color & 1u) << 1 | (c >> color & 1u) << 2);
    work.state(t) = PaletteState::choice(color, at_corners);
    auto const claim = NodePalettes::bit(color, NodePalettes::claimed);
    auto const clash = NodePalettes::bit(color, NodePalettes::clash);
    for (int const node : n) {
      if ((Kokkos::atomic_fetch_or(&work.nodes(node), claim) & claim) != 0) Kokkos::atomic_or(&work.nodes(node), clash);
    }
  }

  KOKKOS_FORCEINLINE_FUNCTION Palette taken(int node) const {
    return NodePalettes::colors(work.nodes(node), NodePalettes::taken);
  }
};

/// A triangle takes the colour of its choice where no other triangle at a common node has made the same one.
template <class Exec>
struct KeepChoices {
  PaletteWork<Exec> work;
  int round, threads;

  KOKKOS_FUNCTION void operator()(int thread) const {
    work.for_each_left(round, thread, threads, [&](int t) { keep(t); });
  }

 private:
  KOKKOS_FORCEINLINE_FUNCTION void keep(int t) const {
    int const choice = work.state(t);
    if (choice == PaletteState::none) return;
    int const n[3] = {work.triangles(t, 0), work.triangles(t, 1), work.triangles(t, 2)};
    int const color = PaletteState::color_of_choice(choice);
    auto const clash = NodePalettes::bit(color, NodePalettes::clash);
    if (((work.nodes(n[0]) | work.nodes(n[1]) | work.nodes(n[2])) & clash) != 0) return;
    work.state(t) = PaletteState::won(round, choice);
    for (int const node : n) Kokkos::atomic_or(&work.nodes(node), NodePalettes::bit(color, NodePalettes::taken));
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
          // Other threads may store the same value at once.
          work.nodes(work.triangles(t, corner)) &= NodePalettes::all_taken;
        }
        if (work.state(t) < 0) found[count++] = t;
      }
      int const place = member.team_scan(count, &work.counts((round + 1) % 2));
      for (int k = 0; k < count; ++k) work.lists[(round + 1) % 2](place + k) = found[k];
    }
  }
};

/// Triangles whose colour a neighbour has taken lose it, and are listed. A thread for each corner. The searches read
/// all triangles of a node: loads of a loop that may end early would wait for each other.
template <class Exec>
struct Evict {
  PaletteWork<Exec> work;
  int round, threads;

  KOKKOS_FUNCTION void operator()(int thread) const {
    std::int64_t const corners = 3 * std::int64_t(work.left(round));
    for (std::int64_t i = thread; i < corners; i += threads) {
      int const t = work.triangle(round, static_cast<int>(i / 3)), corner = static_cast<int>(i % 3);
      int const state = work.state(t);
      if (state >= 0 && (PaletteState::taken(state) >> corner & 1) != 0)
        evict(work.triangles(t, corner), PaletteState::color(state));
    }
  }

 private:
  KOKKOS_FORCEINLINE_FUNCTION void evict(int node, int color) const {
    int const t = holder(node, color, false);
    // The same triangle may be found at another node, by another thread.
    if (t < 0) return;
    int const state = work.state(t);
    if (state < 0 || Kokkos::atomic_compare_exchange(&work.state(t), state, int(PaletteState::none)) != state) return;
    int const next = (round + 1) % 2;
    work.lists[next](Kokkos::atomic_fetch_add(&work.counts(next), 1)) = t;
    for (int k = 0; k < 3; ++k) {
      int const corner = work.triangles(t, k);
      if (holder(corner, color, true) < 0)
        Kokkos::atomic_and(&work.nodes(corner), ~NodePalettes::bit(color, NodePalettes::taken));
    }
  }

  /// The triangle at a node that has a colour since this round, or since an earlier one; -1: none.
  KOKKOS_FORCEINLINE_FUNCTION int holder(int node, int color, bool in_round) const {
    int found = -1;
    for (int i = work.around.offsets(node); i < work.around.offsets(node + 1); ++i) {
      int const t = work.around.entries(i), state = work.state(t);
      if (state >= 0 && PaletteState::color(state) == color && PaletteState::in_round(state, round) == in_round)
        found = t;
    }
    return found;
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

/// Colours all triangles into `color` and returns the number of colours; 0 if most_palette_colors do not suffice.
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
  auto const list = [&] { return numbers(space, mesh.triangles.extent(0), "karman::coloring::list"); };
  PaletteWork<Exec> const work{
      mesh.triangles,
      around,
      color,
      typename PaletteWork<Exec>::Words(Kokkos::view_alloc(space, std::string("karman::coloring::node_palettes")),
                                        static_cast<std::size_t>(mesh.node_count())),
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
        Kokkos::parallel_for("karman::coloring::evict", Range(space, 0, 3 * threads),
                             Evict<Exec>{work, round, 3 * threads});
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
