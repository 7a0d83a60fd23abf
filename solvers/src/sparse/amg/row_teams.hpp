// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Teams of a device whose threads take one row each, and whose lanes share the numbers of a row.
#pragma once

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace karman::detail {

template <class Exec>
struct RowTeams {
  using Policy = Kokkos::TeamPolicy<Exec>;
  using Member = typename Policy::member_type;

  /// `numbers`: of all rows, which lanes share.
  static Policy policy(Exec const& space, int rows, std::int64_t numbers) {
    constexpr int most_lanes = 32, threads = 256;
    int lanes = 1;
    while (lanes < most_lanes && std::int64_t(rows) * lanes * 2 < numbers) lanes *= 2;
    return Policy(space, (rows - 1) / (threads / lanes) + 1, threads / lanes, lanes);
  }
  KOKKOS_INLINE_FUNCTION static int row(Member const& member) {
    return member.league_rank() * member.team_size() + member.team_rank();
  }
};

}  // namespace karman::detail
