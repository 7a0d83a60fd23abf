// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Whole runs of problems that march in equal steps on the cells of a uniform grid. An application adds its case and
/// its model.
#pragma once

#include "common/case/precision.hpp"
#include "common/fields/cell_model.hpp"
#include "run_context.hpp"
#include <karman/core/backend_name.hpp>
#include <karman/core/uniform_grid.hpp>

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace karman {
class Case;
}

namespace karman::app {

/// A problem. Its case has /title, /time/step, /time/steps, /time/frames_every (steps) and /time/checkpoint_every
/// (seconds).
struct CellProblem {
  struct Field {
    std::string name, units;
  };

  std::string name;  ///< of the series of frames, and of the checkpoint: NAME.checkpoint
  UniformGrid grid{{1, 1, 1}, {1, 1, 1}};
  std::vector<Field> fields;
  Precision precision = Precision::f64;
  double values_a_step = 0;            ///< that a step moves per cell, for the estimate of the time
  std::int64_t host_bytes = 0;         ///< of the coefficients, beside the fields
  std::int64_t quick_cells = 1000000;  ///< up to which a dry run evaluates the case
  std::function<std::int64_t(Backend)> model_bytes;
  /// Evaluates the case: the fields at the start, after the coefficients that make_model needs.
  std::function<std::vector<std::vector<double>>()> evaluate;
  std::function<std::unique_ptr<CellModel>(Backend)> make_model;
};

/// Runs a problem: needs, dry run, frames in HDF5 and XDMF, checkpoints, restart, signals, values that are not finite.
/// A restarted run has the bits of an undisturbed one. Returns the exit code. Throws CaseError, FileError, CannotRun.
int run_cells(RunContext& context, Case const& input, CellProblem const& problem);

}  // namespace karman::app
