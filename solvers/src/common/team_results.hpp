// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Sums and largest values that the teams of a kernel compute besides their other work. The team that finishes last
/// joins them, in an order that depends on the number of teams alone.
#pragma once

#include <karman/core/backend.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace karman::detail {

/// Operation that joins two numbers.
enum class TeamReduction { sum, maximum };

KOKKOS_INLINE_FUNCTION constexpr double combine(TeamReduction kind, double a, double b) {
  return kind == TeamReduction::sum ? a + b : (b > a ? b : a);
}

/// `count` numbers of a kernel. For `maximum` none may be negative or NaN.
template <int count>
struct TeamResults {
  TeamReduction kind[count];
  double* result[count];  ///< one number each; null for an unwanted one
  double* partials;       ///< `count` per team
  int* arrivals;          ///< 0 before and after every kernel
};

/// Several numbers that a team joins in one reduction.
template <int count>
struct ReductionValues {
  double value[count];
};

/// The reduction of Kokkos that joins each number in its own way. For devices.
template <int count>
struct NumbersReducer {
  using reducer = NumbersReducer;
  using value_type = ReductionValues<count>;
  using result_view_type = Kokkos::View<value_type, Kokkos::AnonymousSpace, Kokkos::MemoryUnmanaged>;

  value_type& numbers;
  TeamReduction const* kind;

  KOKKOS_FUNCTION void join(value_type& all, value_type const& more) const {
    for (int n = 0; n < count; ++n) all.value[n] = combine(kind[n], all.value[n], more.value[n]);
  }
  KOKKOS_FUNCTION void init(value_type& empty) const {
    for (int n = 0; n < count; ++n) empty.value[n] = 0;
  }
  KOKKOS_FUNCTION value_type& reference() const { return numbers; }
  KOKKOS_FUNCTION result_view_type view() const { return result_view_type(&numbers); }
  KOKKOS_FUNCTION bool references_scalar() const { return true; }
};

/// Hands in a thread's numbers. Every thread of every team must call it exactly once. True in one thread of the last
/// team, which has written the results.
template <class Exec, int count, class Member>
KOKKOS_FUNCTION bool reduce_across_teams(Member const& member, TeamResults<count> const& out,
                                         double const (&found)[count]) {
  int const team = member.league_rank();
  int const teams = member.league_size();
  if constexpr (runs_on_host<Exec>) {
    for (int n = 0; n < count; ++n) out.partials[team * count + n] = found[n];
    Kokkos::memory_fence();
    if (Kokkos::atomic_fetch_add(out.arrivals, 1) != teams - 1) return false;
    *out.arrivals = 0;
    Kokkos::memory_fence();
    for (int n = 0; n < count; ++n) {
      double all = 0;
      for (int t = 0; t < teams; ++t) all = combine(out.kind[n], all, out.partials[t * count + n]);
      if (out.result[n] != nullptr) *out.result[n] = all;
    }
    return true;
  } else {
    ReductionValues<count> own;
    for (int n = 0; n < count; ++n) own.value[n] = found[n];
    member.team_reduce(NumbersReducer<count>{own, out.kind});
    int last = 0;
    Kokkos::single(
        Kokkos::PerTeam(member),
        [&](int& is_last) {
          for (int n = 0; n < count; ++n) out.partials[team * count + n] = own.value[n];
          Kokkos::memory_fence();
          is_last = Kokkos::atomic_fetch_add(out.arrivals, 1) == teams - 1 ? 1 : 0;
        },
        last);
    if (last == 0) return false;
    Kokkos::memory_fence();
    ReductionValues<count> all{};
    for (int t = member.team_rank(); t < teams; t += member.team_size()) {
      for (int n = 0; n < count; ++n) {
        all.value[n] = combine(out.kind[n], all.value[n], out.partials[t * count + n]);
      }
    }
    member.team_reduce(NumbersReducer<count>{all, out.kind});
    for (int n = 0; n < count; ++n) {
      if (member.team_rank() == 0 && out.result[n] != nullptr) *out.result[n] = all.value[n];
    }
    if (member.team_rank() != 0) return false;
    *out.arrivals = 0;
    return true;
  }
}

}  // namespace karman::detail
