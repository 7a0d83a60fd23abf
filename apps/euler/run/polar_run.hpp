// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// `karman euler` for a case with a sweep.
#pragma once

#include <filesystem>

namespace karman {
class Case;
}
namespace karman::app {
class RunContext;
}

namespace karman::euler {

/// Removes the files of an earlier sweep from the folder of a run, its points included. Throws FileError.
void remove_polar(std::filesystem::path const& folder);

/// Computes the points of a sweep in folders of their own, each from the flow of its neighbour. Writes polar.csv and
/// polar.h5. One process: a point waits for its neighbour. See app::run_study().
int run_polar(app::RunContext& context, Case const& input);

}  // namespace karman::euler
