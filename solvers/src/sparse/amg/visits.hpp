// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Visits of the levels in one cycle of multigrid.
#pragma once

#include <cstddef>
#include <vector>

namespace karman::detail {

/// Visits of each level per cycle, the finest first. A level with second corrections is visited twice per visit of the
/// finer one. From the second level down each has them where `gains(level)` holds and the work suffices: at most
/// `share` of that on the finest level, for all second corrections and the levels below them. Never the coarsest level.
/// \param work work of one visit of each level, in one unit
/// \param share 0: a V-cycle; infinite: a W-cycle
/// \param gains called only for levels that are cheap enough
template <class Gains>
std::vector<int> level_visits(std::vector<double> const& work, double share, Gains const& gains) {
  std::vector<int> visits(work.size(), 1);
  double left = work.empty() ? 0 : share * work[0];
  for (std::size_t n = 1; n < work.size(); ++n) {
    visits[n] = visits[n - 1];
    if (n + 1 == work.size()) break;
    double below = 0;
    for (std::size_t m = n; m < work.size(); ++m) below += work[m];
    double const added = visits[n] * below;
    if (added > left || !gains(n)) continue;
    left -= added;
    visits[n] *= 2;
  }
  return visits;
}

}  // namespace karman::detail
