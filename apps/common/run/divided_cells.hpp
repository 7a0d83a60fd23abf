// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "common/case/cannot_run.hpp"
#include <karman/core/box_decomposition.hpp>

#include <array>
#include <functional>
#include <optional>

namespace karman::app {

/// The boxes of so many processes, with edges at even cells; empty where the columns are too few for them.
std::optional<BoxDecomposition> divided_cells(std::array<int, 3> const& cells, int processes);

/// The error of a domain that so many processes do not divide. It names the largest smaller number that divides it.
/// `fits`: another condition for the boxes of several processes; `pointer`: place of the cells in the case.
CannotRun not_divided(std::array<int, 3> const& cells, int processes,
                      std::function<bool(BoxDecomposition const&)> const& fits = {}, char const* pointer = "/domain");

}  // namespace karman::app
