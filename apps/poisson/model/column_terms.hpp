// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Terms of the column ends in a step, evaluated on the host.
#pragma once

#include "time_model.hpp"

#include <limits>

namespace karman::poisson {

/// The terms of one end, (ny, nx), to be added to the outermost layer in a step. Each process has its own columns;
/// update() is collective.
class EndTerms {
 public:
  /// `at_top`: of the upper end.
  EndTerms(Case const& input, ColumnCase const& column_case, ColumnCoefficients const& coefficients, bool at_top);

  /// Evaluates the terms of the step from `time`, unless the terms of the last step still hold. Returns true when they
  /// changed.
  bool update(double time);
  CellValues const& values() const { return values_; }
  /// Mean flux into the columns of all processes in the step of the last update(); NaN where a value is given.
  double mean_flux() const { return mean_flux_; }

 private:
  CellValues plane(double time) const;
  Case const& input_;
  ColumnCase const& case_;
  ColumnEnd const& end_;
  int side_;
  CellValues coupling_;  ///< of a given value: low of the lowest layer or high of the highest, (ny, nx)
  CellValues values_;
  double mean_flux_ = std::numeric_limits<double>::quiet_NaN();
  bool known_ = false;
};

}  // namespace karman::poisson
