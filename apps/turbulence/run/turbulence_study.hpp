// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A parameter study of `karman turbulence`.
#pragma once

#include "common/run/run_context.hpp"

namespace karman {
class Case;
}

namespace karman::turbulence {

/// Runs a case with `/study`; returns its exit code. Several processes take whole members. Throws as run_turbulence(),
/// which calls it.
int run_turbulence_study(app::RunContext& context, Case const& input);

}  // namespace karman::turbulence
