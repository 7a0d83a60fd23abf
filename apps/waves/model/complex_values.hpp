// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Complex numbers from the values of snapshots.
#pragma once

#include <karman/core/error.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <string>
#include <vector>

namespace karman::waves {

/// Complex numbers from pairs of real and imaginary parts. Throws std::invalid_argument unless there are `count` pairs.
template <class Real>
std::vector<Kokkos::complex<Real>> complex_values(std::vector<double> const& parts, std::size_t count,
                                                  char const* what) {
  require(parts.size() == 2 * count,
          "wave snapshot: " + std::to_string(parts.size() / 2) + " " + what + ", expected " + std::to_string(count));
  std::vector<Kokkos::complex<Real>> values;
  values.reserve(count);
  for (std::size_t n = 0; n < count; ++n)
    values.emplace_back(static_cast<Real>(parts[2 * n]), static_cast<Real>(parts[2 * n + 1]));
  return values;
}

}  // namespace karman::waves
