// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The quantities of cases, by their names in karman::poisson.
#pragma once

#include "common/case/quantity.hpp"

namespace karman::poisson {

using app::BadValue;
using app::cell_values;
using app::CellValues;
using app::evaluate;
using app::Expression;
using app::ExpressionConstants;
using app::ExpressionError;
using app::Point;
using app::Quantity;
using app::read_quantity;
using app::throw_bad_value;
using app::Variables;

}  // namespace karman::poisson
