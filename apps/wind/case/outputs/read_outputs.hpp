// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The outputs of a case.
#pragma once

#include "wind/case/wind_case.hpp"
#include <karman/io/error.hpp>

#include <string>
#include <vector>

namespace karman::wind {

/// Reads /outputs. Adds problems beyond the schema:
/// - a slice outside the grid, of another method than sor, or of a sweep
/// - probes outside the domain or with one name
/// - a region without a cell
/// - a pedestrian height above the domain
OutputSettings read_outputs(Case const& input, UniformGrid const& grid, SolverSettings const& solver,
                            std::vector<CaseProblem>& problems);

/// Adds a problem for each sample above the ground that the terrain lifts over the top of the domain.
void check_below_top(WindCase const& wind_case, Case const& input, std::vector<CaseProblem>& problems);

/// A line about point probes inside buildings, or none.
std::vector<std::string> probe_warnings(WindCase const& wind_case);

}  // namespace karman::wind
