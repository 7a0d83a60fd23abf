// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Stable parallel sort by small integers.
#pragma once

#include "graph_build.hpp"
#include <karman/core/backend.hpp>
#include <karman/core/compat.hpp>

#include <Kokkos_Core.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace karman::detail {

/// Items that one thread counts and places one after the other. A core prefers few long runs, a device many short ones.
template <class Exec>
inline constexpr int items_a_run = runs_on_host<Exec> ? 16384 : 64;

/// Each run of items counts its keys. Counters of one key are adjacent, so that their sums are the places.
template <class Exec, class Key>
struct CountRun {
  Key key;
  Numbers<Exec> counts;
  int n, runs, length;

  KOKKOS_FUNCTION void operator()(int run) const {
    int const first = run * length, last = n - first < length ? n : first + length;
    for (int i = first; i < last; ++i) ++counts(static_cast<std::size_t>(key(i)) * runs + run);
  }
};

template <class Exec, class Key>
struct PlaceRun {
  Key key;
  Numbers<Exec> places, sorted;
  int n, runs, length;

  KOKKOS_FUNCTION void operator()(int run) const {
    int const first = run * length, last = n - first < length ? n : first + length;
    for (int i = first; i < last; ++i) {
      sorted(places(static_cast<std::size_t>(key(i)) * runs + run)++) = key.value(i);
    }
  }
};

template <class Exec>
struct FirstPlaces {
  Numbers<Exec> places, offsets;
  int runs, n;

  KOKKOS_FUNCTION void operator()(int key) const {
    bool const behind = key + 1 == static_cast<int>(offsets.extent(0));
    offsets(key) = behind ? n : places(static_cast<std::size_t>(key) * runs);
  }
};

/// stable_group() by one counting sort. Waits for `space`.
template <class Exec, class Key>
Graph<Exec> group_at_once(Exec const& space, int n, int keys, Key const& key) {
  // limits the number of counters to about that of the items
  int const length = keys > items_a_run<Exec> ? keys : items_a_run<Exec>;
  int const runs = n / length + (n % length > 0);
  auto const each_run = Kokkos::RangePolicy<Exec>(space, 0, runs);
  auto const places = zeros(space, static_cast<std::size_t>(keys) * runs + 1, "karman::stable_group::places");
  auto const sorted = numbers(space, static_cast<std::size_t>(n), "karman::stable_group::sorted");
  auto const offsets = numbers(space, static_cast<std::size_t>(keys) + 1, "karman::stable_group::offsets");
  Kokkos::parallel_for("karman::stable_group::count", each_run, CountRun<Exec, Key>{key, places, n, runs, length});
  make_offsets(space, places, "stable_group");
  Kokkos::parallel_for("karman::stable_group::first_places", Kokkos::RangePolicy<Exec>(space, 0, keys + 1),
                       FirstPlaces<Exec>{places, offsets, runs, n});
  Kokkos::parallel_for("karman::stable_group::place", each_run,
                       PlaceRun<Exec, Key>{key, places, sorted, n, runs, length});
  compat::fence(space, "karman::stable_group::sorted");
  return {offsets, sorted};
}

/// Item i itself, from numbers(i).
template <class Exec>
struct OwnNumber {
  typename Graph<Exec>::Numbers numbers;
  KOKKOS_FUNCTION int operator()(int i) const { return numbers(i); }
  KOKKOS_FUNCTION int value(int i) const { return i; }
};

/// Eight bits of the key of the item in place i.
template <class Exec, class Key>
struct Digit {
  Key key;
  typename Graph<Exec>::Numbers order;
  int shift;
  KOKKOS_FUNCTION int value(int i) const { return order.extent(0) == 0 ? i : order(i); }
  KOKKOS_FUNCTION int operator()(int i) const {
    return static_cast<int>(static_cast<std::uint32_t>(key(value(i))) >> shift & 255u);
  }
};

/// The items 0 ... n - 1 in the order of their keys of `bits` bits, equal ones ascending. Waits for `space`.
/// Method: one counting sort for each digit, the lowest first (Cormen et al., section 8.3).
template <class Exec, class Key>
typename Graph<Exec>::Numbers order_by_digits(Exec const& space, int n, int bits, Key const& key) {
  auto order = typename Graph<Exec>::Numbers();
  for (int shift = 0; shift < bits; shift += 8) {
    order = group_at_once(space, n, 256, Digit<Exec, Key>{key, order, shift}).entries;
  }
  return order;
}

/// Begins the rows between the keys of two neighbors in an order, and replaces the items by their values.
template <class Exec, class Key>
struct CutOrder {
  Key key;
  typename Graph<Exec>::Numbers order;
  Numbers<Exec> offsets, sorted;
  int n;

  KOKKOS_FUNCTION void operator()(int place) const {
    int const last = place < n ? key(order(place)) : static_cast<int>(offsets.extent(0)) - 1;
    for (int row = place > 0 ? key(order(place - 1)) + 1 : 0; row <= last; ++row) offsets(row) = place;
    if (place < n) sorted(place) = key.value(order(place));
  }
};

/// stable_group() for many keys: their order, cut where the key changes. Waits for `space`.
template <class Exec, class Key>
Graph<Exec> group_by_digits(Exec const& space, int n, int keys, Key const& key) {
  auto const order = order_by_digits(space, n, static_cast<int>(std::bit_width(static_cast<unsigned>(keys))), key);
  auto const sorted = numbers(space, static_cast<std::size_t>(n), "karman::stable_group::sorted");
  auto const offsets = numbers(space, static_cast<std::size_t>(keys) + 1, "karman::stable_group::offsets");
  Kokkos::parallel_for("karman::stable_group::cut", Kokkos::RangePolicy<Exec>(space, 0, n + 1),
                       CutOrder<Exec, Key>{key, order, offsets, sorted, n});
  compat::fence(space, "karman::stable_group::cut");
  return {offsets, sorted};
}

/// Row k: key.value(i) of all i < n with key(i) == k, in the order of i; 0 <= key(i) < keys. Waits for `space`.
/// Method: counting sort by runs of consecutive items (Cormen et al., Introduction to Algorithms, section 8.2). With as
/// many keys as items a single run is left, one thread of a device: there digits of the keys are sorted.
template <class Exec, class Key>
Graph<Exec> stable_group(Exec const& space, int n, int keys, Key const& key) {
  constexpr int many_keys = 4096;
  if constexpr (!runs_on_host<Exec>) {
    if (keys > many_keys) return group_by_digits(space, n, keys, key);
  }
  return group_at_once(space, n, keys, key);
}

/// The items 0 ... n - 1 in the order of their keys, equal ones ascending. Waits for `space`.
template <class Exec>
typename Graph<Exec>::Numbers stable_order(
    Exec const& space, Kokkos::View<std::uint32_t const*, typename Exec::memory_space> const& keys) {
  return order_by_digits(space, static_cast<int>(keys.extent(0)), 32, keys);
}

}  // namespace karman::detail
