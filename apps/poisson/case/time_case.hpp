// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Time-dependent problems of `karman poisson`: their cases, checked and in the program's own types.
#pragma once

#include "poisson_case.hpp"
#include <karman/core/communicator.hpp>

#include <array>
#include <optional>
#include <string>
#include <vector>

namespace karman::poisson {

/// Common part of both time-dependent problems.
struct TimeCase {
  std::string problem;  ///< "column_diffusion" or "heat"
  std::string title;
  std::string text;                         ///< the resolved case as JSON
  UniformGrid grid{{1, 1, 1}, {1, 1, 1}};   ///< the cells of this process
  UniformGrid whole{{1, 1, 1}, {1, 1, 1}};  ///< the grid of all processes
  Communicator communicator;
  Quantity initial;
  std::optional<Quantity> exact;
  double step = 0;
  int steps = 0;
  Precision precision = Precision::f64;
  double checkpoint_every = 0;  ///< seconds; 0: only when the run is interrupted
  int frames_every = 0;         ///< steps; 0: the first and the last frame only
  int compression = 0;
};

/// One end of the columns: a flux into them, or a value on the end itself.
struct ColumnEnd {
  bool flux = true;
  Quantity value;
};

/// dq/dt = d/dz (K dq/dz) in each of nx * ny columns.
struct ColumnCase : TimeCase {
  Quantity diffusivity;
  ColumnEnd ground, top;
  double theta = 1;  ///< weight of the new time: 1 implicit Euler, 1/2 Crank-Nicolson
};

/// dT/dt = diffusivity (d2T/dx2 + d2T/dy2).
struct HeatCase : TimeCase {
  double diffusivity = 1;
  /// The operator and its sides as a Poisson case: steady part of the problem.
  PoissonCase steady;
};

/// Reads a case of that problem, which fits the schema, for one process. Throws CaseError with every problem found.
ColumnCase read_column_case(Case const& input);
HeatCase read_heat_case(Case const& input);

}  // namespace karman::poisson
