// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Which methods solve a linear system, and the choice of `auto`.
#pragma once

#include "poisson/case/method.hpp"

#include <string>

namespace karman::poisson {

struct LinearSystem;

/// The reason why a method cannot solve this system; empty when it can.
std::string why_not(Method method, LinearSystem const& system);

/// Method of `auto`: the direct ones where they apply, else conjugate gradients with multigrid.
Method automatic_method(LinearSystem const& system);

}  // namespace karman::poisson
