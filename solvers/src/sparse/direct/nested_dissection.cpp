// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "nested_dissection.hpp"

#include <metis.h>
#include <signal.h>

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <stdexcept>
#include <string>

namespace karman::detail {
namespace {

/// Restores the handlers that METIS replaces, with their flags.
class HandlersOfSignals {
 public:
  HandlersOfSignals() {
    ::sigaction(SIGTERM, nullptr, &terminate_);
    ::sigaction(SIGABRT, nullptr, &abort_);
  }
  ~HandlersOfSignals() {
    ::sigaction(SIGTERM, &terminate_, nullptr);
    ::sigaction(SIGABRT, &abort_, nullptr);
  }
  HandlersOfSignals(HandlersOfSignals const&) = delete;
  HandlersOfSignals& operator=(HandlersOfSignals const&) = delete;

 private:
  struct sigaction terminate_{};
  struct sigaction abort_{};
};

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
  std::vector<idx_t> order(place.size()), places(place.size());
  // The first SIGTERM ends METIS, and a second one may.
  constexpr int attempts = 3;
  int status = METIS_ERROR;
  for (int attempt = 0; attempt < attempts && status == METIS_ERROR; ++attempt) {
    idx_t rows = n;
    {
      HandlersOfSignals const handlers;
      status =
          METIS_NodeND(&rows, graph.offsets.data(), graph.nodes.data(), nullptr, options, order.data(), places.data());
    }
    if (status == METIS_ERROR) ::raise(SIGTERM);
  }
  if (status == METIS_ERROR_MEMORY) throw std::runtime_error("DirectSolver: METIS has not enough memory for the order");
  if (status != METIS_OK) throw std::runtime_error("DirectSolver: METIS failed with status " + std::to_string(status));
  std::copy(places.begin(), places.end(), place.begin());
  return place;
}

}  // namespace karman::detail
