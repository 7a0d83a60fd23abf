// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Checks of a colouring.
#pragma once

#include "graph_build.hpp"
#include <karman/core/compat.hpp>
#include <karman/core/host_copy.hpp>
#include <karman/mesh/coloring.hpp>

#include <Kokkos_Core.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace karman::detail {

/// Counts errors at place `first` + i of the classes. Either the element belongs to another colour or place, or one of
/// its nodes has met this colour before.
template <class Exec, class Incidence>
struct CheckClass {
  Incidence incidence;
  typename Graph<Exec>::Numbers color, entries;
  Numbers<Exec> last_color;
  int expected, first;

  KOKKOS_FUNCTION void operator()(int i, int& wrong) const {
    int const element = entries(first + i);
    if (element < 0 || element >= incidence.elements() || color(element) != expected ||
        (i > 0 && entries(first + i - 1) >= element)) {
      ++wrong;
      return;
    }
    int const n = incidence.count(element);
    for (int k = 0; k < n; ++k) {
      if (Kokkos::atomic_exchange(&last_color(incidence.node(element, k)), expected) == expected) ++wrong;
    }
  }
};

template <class Exec, class Incidence>
bool is_valid_coloring(Exec const& space, Incidence const& incidence, int nodes, Coloring<Exec> const& coloring) {
  auto const offsets = host_copy(space, coloring.classes.offsets);
  auto const elements = static_cast<std::size_t>(incidence.elements());
  if (coloring.color.extent(0) != elements || coloring.classes.entries.extent(0) != elements) return false;
  if (coloring.classes.rows() != coloring.colors || (coloring.colors == 0) != (elements == 0)) return false;
  if (elements == 0) return true;
  if (offsets.front() != 0 || offsets.back() != incidence.elements()) return false;
  auto const last_color = numbers(space, static_cast<std::size_t>(nodes), "karman::coloring::last_color");
  fill(space, last_color, -1, "karman::coloring::forget");
  // Ascending rows, each of its own colour, contain no element twice. With the right number of entries they contain
  // all.
  for (std::size_t c = 0; c + 1 < offsets.size(); ++c) {
    if (offsets[c] > offsets[c + 1] || offsets[c] < 0) return false;
    int wrong = 0;
    Kokkos::parallel_reduce("karman::coloring::check", Kokkos::RangePolicy<Exec>(space, 0, offsets[c + 1] - offsets[c]),
                            CheckClass<Exec, Incidence>{incidence, coloring.color, coloring.classes.entries, last_color,
                                                        static_cast<int>(c), offsets[c]},
                            wrong);
    compat::fence(space, "karman::coloring::checked");
    if (wrong > 0) return false;
  }
  return true;
}

}  // namespace karman::detail
