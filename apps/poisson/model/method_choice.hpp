// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Which methods solve a linear system. automatic_method() chooses among them.
#pragma once

#include "poisson/case/method.hpp"

#include <string>

namespace karman::poisson {

struct LinearSystem;

/// The reason why a method cannot solve this system; empty when it can.
std::string why_not(Method method, LinearSystem const& system);

}  // namespace karman::poisson
