// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Two-dimensional turbulence as the model takes it.
#pragma once

#include "common/case/precision.hpp"
#include "common/fields/host_field.hpp"
#include <karman/solvers/spectral/vorticity_options.hpp>
#include <karman/solvers/time/time_integrators_options.hpp>

#include <optional>

namespace karman::turbulence {

struct TurbulenceProblem {
  app::Precision precision = app::Precision::f64;
  VorticitySetup setup;
  StepControl control;
  bool steady_forcing = false;  ///< whether there is a `forcing`, also before it is evaluated
  app::HostField forcing;       ///< (ny, nx), 1/s^2, of the precision; empty: none
  std::optional<RandomForcing> random;
};

}  // namespace karman::turbulence
