// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Fewer cases of long tests on devices.
#pragma once

#include <karman/core/backend.hpp>

#include <cstddef>
#include <cstdlib>
#include <string>
#include <vector>

namespace karman::test {

/// Whether a long test takes all of its cases: on hosts always, on devices in nightly entries. Processes that share a
/// device wait for each other at every launch. KARMAN_TEST_CASES=all or few decides for every backend.
template <class Exec>
bool takes_all_cases() {
  char const* const choice = std::getenv("KARMAN_TEST_CASES");
  return choice == nullptr ? runs_on_host<Exec> : std::string(choice) == "all";
}

/// Every case, or every `step`-th one where not all are taken.
template <class Exec, class Case>
std::vector<Case> chosen_cases(std::vector<Case> const& all, std::size_t step) {
  if (takes_all_cases<Exec>()) return all;
  std::vector<Case> chosen;
  for (std::size_t n = 0; n < all.size(); n += step) chosen.push_back(all[n]);
  return chosen;
}

}  // namespace karman::test
