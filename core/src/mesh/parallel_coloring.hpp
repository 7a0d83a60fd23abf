// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Parallel, reproducible colouring of elements: those that share a node differ.
#pragma once

#include "graph_build.hpp"
#include <karman/core/compat.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

namespace karman::detail {

template <class Exec>
using Words = Kokkos::View<std::uint64_t*, typename Exec::memory_space>;

/// A pseudo-random number, different for every item because each step is invertible.
KOKKOS_INLINE_FUNCTION std::uint32_t scrambled(std::uint32_t item) {
  item = (item ^ item >> 16) * 0x7feb352du;
  item = (item ^ item >> 15) * 0x846ca68bu;
  return item ^ item >> 16;
}

/// Place of the lowest set bit; `bits` is not 0.
KOKKOS_INLINE_FUNCTION int lowest_bit(std::uint64_t bits) {
  int place = 0;
  for (int width = 32; width > 0; width /= 2) {
    if ((bits & ((std::uint64_t(1) << width) - 1)) == 0) {
      bits >>= width;
      place += width;
    }
  }
  return place;
}

inline constexpr int uncolored = -1;
inline constexpr int postponed = -2;  // no free colour among the 64 of this window

/// An element claims its nodes; the greatest key wins a node. The round in the upper half makes the keys of earlier
/// rounds lose.
template <class Exec, class Incidence>
struct Claim {
  Incidence incidence;
  Numbers<Exec> list;
  Words<Exec> keys;
  std::uint64_t round;

  KOKKOS_FUNCTION void operator()(int i) const {
    int const element = list.extent(0) == 0 ? i : list(i);
    std::uint64_t const key = round << 32 | scrambled(static_cast<std::uint32_t>(element));
    int const n = incidence.count(element);
    for (int k = 0; k < n; ++k) Kokkos::atomic_fetch_max(&keys(incidence.node(element, k)), key);
  }
};

/// An element that won all its nodes takes the lowest colour that none of them has yet. No other element works at its
/// nodes.
template <class Exec, class Incidence>
struct ColorWinners {
  Incidence incidence;
  Numbers<Exec> list, color;
  Words<Exec> keys, taken;
  std::uint64_t round;
  int first_color;

  KOKKOS_FUNCTION void operator()(int i) const {
    int const element = list.extent(0) == 0 ? i : list(i);
    std::uint64_t const key = round << 32 | scrambled(static_cast<std::uint32_t>(element));
    int const n = incidence.count(element);
    std::uint64_t used = 0;
    for (int k = 0; k < n; ++k) {
      int const node = incidence.node(element, k);
      if (keys(node) != key) return;
      used |= taken(node);
    }
    if (~used == 0) {
      color(element) = postponed;
      return;
    }
    int const bit = lowest_bit(~used);
    color(element) = first_color + bit;
    for (int k = 0; k < n; ++k) taken(incidence.node(element, k)) |= std::uint64_t(1) << bit;
  }
};

/// Lists the elements in a state, in their order, and marks them as uncoloured.
template <class Exec>
struct KeepState {
  using value_type = int;
  Numbers<Exec> list, color, kept;
  int state;

  KOKKOS_FUNCTION void operator()(int i, int& count, bool last) const {
    int const element = list.extent(0) == 0 ? i : list(i);
    if (color(element) != state) return;
    if (last) {
      kept(count) = element;
      color(element) = uncolored;
    }
    ++count;
  }
};

template <class Exec>
struct GreatestNumber {
  typename Graph<Exec>::Numbers values;
  KOKKOS_FUNCTION void operator()(int i, int& greatest) const {
    if (values(i) > greatest) greatest = values(i);
  }
};

/// The greatest of `values`, or `least` if that is greater; has fenced `space`.
template <class Exec>
int greatest(Exec const& space, typename Graph<Exec>::Numbers const& values, int least) {
  int result = least;
  if (values.extent(0) > 0) {
    Kokkos::parallel_reduce("karman::coloring::greatest",
                            Kokkos::RangePolicy<Exec>(space, 0, static_cast<std::int64_t>(values.extent(0))),
                            GreatestNumber<Exec>{values}, Kokkos::Max<int>(result));
  }
  compat::fence(space, "karman::coloring::greatest");
  return result < least ? least : result;
}

/// Gives every element the lowest colour that no element with a common node and a greater scrambled number has. The
/// result equals a sequential pass in that order. Returns the number of colours. Waits for `space`.
///
/// Method: M. T. Jones and P. E. Plassmann, A parallel graph coloring heuristic, SIAM J. Sci. Comput. 14 (1993), on the
/// nodes instead of the dual graph, which is never built. A round visits each node of the remaining elements twice. One
/// word per node holds 64 colours; triangles without a free one wait for the next 64.
template <class Exec, class Incidence>
int color_in_parallel(Exec const& space, Incidence const& incidence, int nodes, Numbers<Exec> const& color) {
  int const elements = incidence.elements();
  auto const words = [&](char const* label) {
    return Words<Exec>(Kokkos::view_alloc(space, std::string(label)), static_cast<std::size_t>(nodes));
  };
  auto const keys = words("karman::coloring::keys"), taken = words("karman::coloring::taken");
  auto kept = numbers(space, static_cast<std::size_t>(elements), "karman::coloring::left");
  auto spare = numbers(space, static_cast<std::size_t>(elements), "karman::coloring::left");
  auto list = Numbers<Exec>();  // empty: all of them
  fill(space, color, uncolored, "karman::coloring::uncolor");

  std::uint64_t round = 0;
  for (int first_color = 0, left = elements; left > 0; first_color += 64) {
    while (left > 0) {
      ++round;
      auto const all = Kokkos::RangePolicy<Exec>(space, 0, left);
      Kokkos::parallel_for("karman::coloring::claim", all, Claim<Exec, Incidence>{incidence, list, keys, round});
      Kokkos::parallel_for("karman::coloring::color_winners", all,
                           ColorWinners<Exec, Incidence>{incidence, list, color, keys, taken, round, first_color});
      Kokkos::parallel_scan("karman::coloring::keep_uncolored", all, KeepState<Exec>{list, color, kept, uncolored},
                            left);
      compat::fence(space, "karman::coloring::round");
      list = kept;
      std::swap(kept, spare);
    }
    Kokkos::parallel_scan("karman::coloring::keep_postponed", Kokkos::RangePolicy<Exec>(space, 0, elements),
                          KeepState<Exec>{Numbers<Exec>(), color, kept, postponed}, left);
    compat::fence(space, "karman::coloring::window");
    list = kept;
    std::swap(kept, spare);
    fill(space, taken, 0, "karman::coloring::clear");
  }
  return greatest(space, color, -1) + 1;
}

}  // namespace karman::detail
