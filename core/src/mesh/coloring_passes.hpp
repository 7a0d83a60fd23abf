// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Improvements of a colouring: fewer colours, and colours of equal size.
#pragma once

#include "parallel_coloring.hpp"
#include <karman/core/compat.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace karman::detail {

/// Largest number of colours that fit into one word per node.
inline constexpr int most_improved_colors = 64;

/// The elements of one colour, none of which share a node, take the lowest free colour.
template <class Exec, class Incidence>
struct RecolorClass {
  Incidence incidence;
  Numbers<Exec> old_color, color;
  Words<Exec> taken;
  int from;

  KOKKOS_FUNCTION void operator()(int element) const {
    if (old_color(element) != from) return;
    int const n = incidence.count(element);
    std::uint64_t used = 0;
    for (int k = 0; k < n; ++k) used |= taken(incidence.node(element, k));
    int const bit = lowest_bit(~used);
    color(element) = bit;
    for (int k = 0; k < n; ++k) taken(incidence.node(element, k)) |= std::uint64_t(1) << bit;
  }
};

/// Visits the colours in another order and gives their elements the lowest free colour again. Repeats this `passes`
/// times or until there are `enough` colours. Never increases their number. Waits for `space`. Method: J. C. Culberson,
/// Iterated greedy graph coloring and the difficulty landscape, University of Alberta, 1992.
template <class Exec, class Incidence>
int recolor(Exec const& space, Incidence const& incidence, int nodes, Numbers<Exec>& color, int colors, int enough,
            int passes) {
  if (colors <= enough || colors > most_improved_colors || passes <= 0) return colors;
  int const elements = incidence.elements();
  Words<Exec> const taken(
      Kokkos::view_alloc(space, Kokkos::WithoutInitializing, std::string("karman::coloring::taken")),
      static_cast<std::size_t>(nodes));
  auto next = numbers(space, static_cast<std::size_t>(elements), "karman::coloring::color");
  std::mt19937 random(2463534242u);
  for (int pass = 0; pass < passes && colors > enough; ++pass) {
    std::vector<int> order(static_cast<std::size_t>(colors));
    std::iota(order.begin(), order.end(), 0);
    for (std::size_t i = order.size() - 1; i > 0; --i) std::swap(order[i], order[random() % (i + 1)]);
    fill(space, taken, 0, "karman::coloring::clear");
    for (int const from : order) {
      Kokkos::parallel_for("karman::coloring::recolor", Kokkos::RangePolicy<Exec>(space, 0, elements),
                           RecolorClass<Exec, Incidence>{incidence, color, next, taken, from});
    }
    std::swap(color, next);
    colors = greatest(space, color, -1) + 1;
  }
  return colors;
}

/// Records the colours at the nodes.
template <class Exec, class Incidence>
struct NoteColors {
  Incidence incidence;
  Numbers<Exec> color;
  Words<Exec> taken;

  KOKKOS_FUNCTION void operator()(int element) const {
    int const n = incidence.count(element);
    for (int k = 0; k < n; ++k) {
      Kokkos::atomic_fetch_or(&taken(incidence.node(element, k)), std::uint64_t(1) << color(element));
    }
  }
};

/// The first `most` elements of colour `from` whose nodes have no element of colour `to` take that colour. Elements of
/// one colour share no node, so a move does not affect the others.
template <class Exec, class Incidence>
struct MoveSome {
  using value_type = int;
  Incidence incidence;
  Numbers<Exec> color;
  Words<Exec> taken;
  int from, to, most;

  KOKKOS_FUNCTION void operator()(int element, int& count, bool last) const {
    if (color(element) != from) return;
    int const n = incidence.count(element);
    std::uint64_t used = 0;
    for (int k = 0; k < n; ++k) used |= taken(incidence.node(element, k));
    if ((used >> to & 1u) != 0) return;
    if (last && count < most) {
      std::uint64_t const change = std::uint64_t(1) << from | std::uint64_t(1) << to;
      for (int k = 0; k < n; ++k) taken(incidence.node(element, k)) ^= change;
      color(element) = to;
    }
    ++count;
  }
};

/// Moves elements from larger to smaller colours, at most half the difference. Ends when no two differ by more than one
/// or by a five-hundredth of the mean. Also ends when nothing can be moved, or after `sweeps`. `sizes` holds the
/// elements of each colour, before and after. Elements that cannot go from the largest colour to the smallest one go
/// there by way of others. Waits for `space`.
template <class Exec, class Incidence>
void balance(Exec const& space, Incidence const& incidence, int nodes, Numbers<Exec> const& color,
             std::vector<int>& sizes) {
  constexpr int sweeps = 8;
  int const elements = incidence.elements(), colors = static_cast<int>(sizes.size());
  if (colors < 2 || colors > most_improved_colors) return;
  auto const all = Kokkos::RangePolicy<Exec>(space, 0, elements);
  Words<Exec> const taken(Kokkos::view_alloc(space, std::string("karman::coloring::taken")),
                          static_cast<std::size_t>(nodes));
  Kokkos::parallel_for("karman::coloring::note", all, NoteColors<Exec, Incidence>{incidence, color, taken});

  int const negligible = elements / colors / 1000;
  std::vector<int> by_size(sizes.size());
  std::iota(by_size.begin(), by_size.end(), 0);
  auto const size = [&](int c) -> int& { return sizes[static_cast<std::size_t>(c)]; };
  for (int sweep = 0, moved = 1; sweep < sweeps && moved > 0; ++sweep) {
    moved = 0;
    std::stable_sort(by_size.begin(), by_size.end(), [&](int a, int b) { return size(a) > size(b); });
    for (int const from : by_size) {
      for (auto to = by_size.rbegin(); to != by_size.rend(); ++to) {
        int const most = (size(from) - size(*to)) / 2;
        if (most <= negligible) continue;
        int able = 0;
        Kokkos::parallel_scan("karman::coloring::move", all,
                              MoveSome<Exec, Incidence>{incidence, color, taken, from, *to, most}, able);
        compat::fence(space, "karman::coloring::moved");
        able = std::min(able, most);
        size(from) -= able;
        size(*to) += able;
        moved += able;
      }
    }
  }
}

}  // namespace karman::detail
