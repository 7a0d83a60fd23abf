// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "problem_checks.hpp"

#include <cmath>
#include <cstdint>
#include <sstream>

namespace karman::detail {

void require_weights(std::array<double, 3> const& weights, char const* solver) {
  for (double const weight : weights) {
    if (weight > 0 && std::isfinite(weight)) continue;
    std::ostringstream message;
    message << solver << ": weights must be positive and finite, found " << weight;
    require(false, message.str());
  }
}

void require_size(UniformGrid const& grid, char const* solver) {
  constexpr std::int64_t most = std::int64_t{1} << 30;
  std::int64_t const rows = std::int64_t{grid.ny()} * grid.nz();
  if (grid.nx() <= most && rows <= most) return;
  std::ostringstream message;
  message << solver << ": a grid has at most " << most << " cells along x and as many rows ny * nz, found " << grid.nx()
          << " cells and " << rows << " rows; give the longest axis to x, or divide the grid";
  require(false, message.str());
}

void require_sides(std::array<double, 6> const& openings, Boundaries const& sides, bool codes, char const* solver) {
  constexpr std::array names{"east", "west", "north", "south", "top", "bottom"};
  for (std::size_t side = 0; side < 6; ++side) {
    Boundary const kind = sides[static_cast<Side>(side)];
    bool const closed = kind == Boundary::neumann;
    double const largest = closed ? 0 : kind == Boundary::dirichlet ? 2 : 1;
    double const found = openings[side] / 2;
    if (found <= largest || !(closed || codes)) continue;
    std::ostringstream message;
    message << solver << ": the " << names[side] << " side is Boundary::"
            << (closed                       ? "neumann"
                : kind == Boundary::periodic ? "periodic"
                                             : "fixed")
            << ", its face coefficients must be at most " << largest << ", found " << found
            << "; give the sides that the coefficients were made for";
    require(false, message.str());
  }
}

}  // namespace karman::detail
