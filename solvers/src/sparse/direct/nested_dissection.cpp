// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "nested_dissection.hpp"

#include "host_memory.hpp"

#include <metis.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <stdexcept>
#include <string>

namespace karman::detail {
namespace {

/// Neighbours in A + A^T: ascending, each once, without the row itself.
struct Neighbors {
  std::vector<idx_t> offsets{0}, nodes;

  Neighbors(int n, std::vector<int> const& begin, std::vector<int> const& columns) {
    auto const rows = static_cast<std::size_t>(n);
    std::vector<std::size_t> next(rows + 1, 0);
    auto const for_each_entry = [&](auto const& action) {
      for (std::size_t row = 0; row < rows; ++row) {
        for (auto e = static_cast<std::size_t>(begin[row]); e < static_cast<std::size_t>(begin[row + 1]); ++e) {
          auto const column = static_cast<std::size_t>(columns[e]);
          if (row == column) continue;
          action(row, column);
          action(column, row);
        }
      }
    };
    for_each_entry([&](std::size_t row, std::size_t) { ++next[row + 1]; });
    std::partial_sum(next.begin(), next.end(), next.begin());
    std::vector<std::size_t> const start = next;
    std::vector<idx_t> twice(start[rows]);
    for_each_entry([&](std::size_t row, std::size_t column) { twice[next[row]++] = static_cast<idx_t>(column); });
    offsets.reserve(rows + 1);
    nodes.reserve(twice.size() / 2);
    for (std::size_t row = 0; row < rows; ++row) {
      auto const first = twice.begin() + static_cast<std::ptrdiff_t>(start[row]);
      auto const last = twice.begin() + static_cast<std::ptrdiff_t>(start[row + 1]);
      std::sort(first, last);
      nodes.insert(nodes.end(), first, std::unique(first, last));
      offsets.push_back(static_cast<idx_t>(nodes.size()));
    }
  }
};

}  // namespace

std::vector<int> nested_dissection(int n, std::vector<int> const& offsets, std::vector<int> const& columns) {
  std::vector<int> place(static_cast<std::size_t>(std::max(n, 0)));
  std::iota(place.begin(), place.end(), 0);
  // Nothing to gain by an order of so few.
  constexpr int few = 8;
  if (n <= few) return place;
  Neighbors graph(n, offsets, columns);
  if (graph.nodes.empty()) return place;
  idx_t options[METIS_NOPTIONS];
  METIS_SetDefaultOptions(options);
  options[METIS_OPTION_NUMBERING] = 0;
  options[METIS_OPTION_SEED] = 1;
  // METIS ends the program where it gets no memory. It took up to 9/10 of this on grids of 10,000 to 2.6 million nodes.
  std::size_t const integers = 24 * place.size() + 4 * graph.nodes.size();
  require_host_memory(static_cast<std::int64_t>(integers * sizeof(idx_t)), "DirectSolver: the arrays of METIS");
  std::vector<idx_t> order(place.size()), places(place.size());
  // METIS_NodeND is the same algorithm, but catches SIGTERM in every thread of the process and jumps out of the call.
  constexpr idx_t processes = 1;
  idx_t sizes[2 * processes];
  int const status = METIS_NodeNDP(n, graph.offsets.data(), graph.nodes.data(), nullptr, processes, options,
                                   order.data(), places.data(), sizes);
  if (status != METIS_OK) throw std::runtime_error("DirectSolver: METIS failed with status " + std::to_string(status));
  std::copy(places.begin(), places.end(), place.begin());
  return place;
}

}  // namespace karman::detail
