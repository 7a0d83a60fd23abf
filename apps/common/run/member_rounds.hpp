// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Whole members of a run over several processes: directions of a sweep, cases of a study.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace karman::app {

/// Rounds of members: one per process and round, in order. The last round may have fewer.
inline std::vector<std::span<std::size_t const>> member_rounds(std::span<std::size_t const> members, int processes) {
  std::vector<std::span<std::size_t const>> rounds;
  auto const each = static_cast<std::size_t>(processes);
  for (std::size_t begin = 0; begin < members.size(); begin += each)
    rounds.push_back(members.subspan(begin, std::min(each, members.size() - begin)));
  return rounds;
}

/// "2 of 7 processes are idle: 5 directions\n"; empty where every process has a member, or none is left.
inline std::string idle_processes(int processes, std::size_t members, std::string const& counted) {
  auto const all = static_cast<std::size_t>(processes);
  if (members == 0 || members >= all) return {};
  std::size_t const idle = all - members;
  return std::to_string(idle) + " of " + std::to_string(all) + " processes " + (idle == 1 ? "is" : "are") +
         " idle: " + counted + '\n';
}

}  // namespace karman::app
