// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Numbers of the values that pass between processes, and their check.
#pragma once

#include <karman/core/communicator.hpp>
#include <karman/core/error.hpp>
#include <karman/core/exchange.hpp>

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace karman::detail {

/// Number of values that pass between two processes, as one of them sees it.
struct Traffic {
  int rank;
  std::int64_t sent, received;
};

inline std::int64_t count(std::vector<StridedBlock> const& blocks) {
  std::int64_t sum = 0;
  for (StridedBlock const& block : blocks) sum += block.size();
  return sum;
}
inline std::int64_t count(std::vector<std::int64_t> const& indices) {
  return static_cast<std::int64_t>(indices.size());
}

/// Throws, in all processes, unless every process sends as many values as the other one expects.
inline void require_agreement(Communicator const& communicator, std::vector<Traffic> const& mine, char const* plan) {
  auto const all = communicator.all_gather_arrays(std::span<Traffic const>(mine));
  auto const find = [&](int rank, int other) {
    auto const& list = all[static_cast<std::size_t>(rank)];
    return std::find_if(list.begin(), list.end(), [&](Traffic const& one) { return one.rank == other; });
  };
  for (int rank = 0; rank < communicator.size(); ++rank) {
    for (Traffic const& one : all[static_cast<std::size_t>(rank)]) {
      std::string const from = std::string(plan) + ": process " + std::to_string(rank);
      require(one.rank >= 0 && one.rank < communicator.size(), from + " names process " + std::to_string(one.rank) +
                                                                   ", but there are " +
                                                                   std::to_string(communicator.size()));
      require(&*find(rank, one.rank) == &one, from + " names process " + std::to_string(one.rank) + " twice");
      auto const back = find(one.rank, rank);
      bool const known = back != all[static_cast<std::size_t>(one.rank)].end();
      std::int64_t const expected = known ? back->received : 0;
      require(one.sent == expected, from + " sends " + std::to_string(one.sent) + " values to process " +
                                        std::to_string(one.rank) + ", which expects " + std::to_string(expected));
      require(known || one.received == 0, from + " expects " + std::to_string(one.received) + " values of process " +
                                              std::to_string(one.rank) + ", which sends none");
    }
  }
}

/// Joins the parts of all neighbours, in their order.
template <class Neighbor, class Part>
auto joined(std::vector<Neighbor> const& neighbors, Part Neighbor::* part) {
  Part all;
  for (Neighbor const& neighbor : neighbors) {
    all.insert(all.end(), (neighbor.*part).begin(), (neighbor.*part).end());
  }
  return all;
}

}  // namespace karman::detail
