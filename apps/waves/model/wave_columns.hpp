// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Common names of the HDF5 file and the files beside it.
#pragma once

#include "common/case/texts.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace karman::waves {

inline std::vector<std::string> const summary_columns{"component",         "period",    "height",
                                                      "direction",         "converged", "picard_iterations",
                                                      "linear_iterations", "seconds",   "nodes_per_wavelength",
                                                      "largest_height",    "incident",  "reflected",
                                                      "radiated",          "absorbed",  "friction",
                                                      "breaking",          "imbalance"};
inline constexpr std::size_t summary_converged = 4, summary_seconds = 7, summary_incident = 10, summary_imbalance = 16;
inline std::vector<std::string> const history_columns{"component",         "iteration",       "change",
                                                      "linear_iterations", "linear_residual", "seconds"};

inline std::vector<std::string> const section_columns{"section", "distance",     "x", "y", "depth",
                                                      "height",  "amplification"};

/// Group of the fields of a component.
inline std::string group_of(std::size_t component) { return app::formatted("/components/%04zu", component); }

}  // namespace karman::waves
