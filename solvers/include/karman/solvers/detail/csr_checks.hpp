// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Checks of a sparse profile on the host. Needs no Kokkos.
#pragma once

#include <karman/core/error.hpp>

#include <cstddef>
#include <span>
#include <string>

namespace karman::detail {

/// Throws std::invalid_argument, with the name of the caller, for wrong offsets of compressed rows. Also for columns
/// that are out of range or do not ascend. Libraries of others do not check.
inline void require_profile(std::span<int const> offsets, std::span<int const> entries, int columns, char const* who) {
  auto const expect = [&](bool good, std::size_t row, char const* what) {
    if (!good) require(false, std::string(who) + ": row " + std::to_string(row) + " of the profile has " + what);
  };
  std::size_t const rows = offsets.empty() ? 0 : offsets.size() - 1;
  std::size_t const last = offsets.empty() ? 0 : static_cast<std::size_t>(offsets.back());
  require((rows == 0 || offsets.front() == 0) && last == entries.size(),
          std::string(who) + ": offsets must begin with 0 and end with the " + std::to_string(entries.size()) +
              " entries of the profile");
  for (std::size_t row = 0; row < rows; ++row) expect(offsets[row] <= offsets[row + 1], row, "offsets that descend");
  for (std::size_t row = 0; row < rows; ++row) {
    int before = -1;
    for (auto e = static_cast<std::size_t>(offsets[row]); e < static_cast<std::size_t>(offsets[row + 1]); ++e) {
      expect(entries[e] > before && entries[e] < columns, row, "columns that are out of range or not ascending");
      before = entries[e];
    }
  }
}

}  // namespace karman::detail
