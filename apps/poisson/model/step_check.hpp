// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Check of a time step, on the host in double precision.
#pragma once

#include "poisson/case/time_case.hpp"
#include "poisson/model/column_terms.hpp"
#include "poisson/model/linear_system.hpp"

namespace karman::poisson {

/// Checks a step, independent of the code that made it.
class StepCheck {
 public:
  virtual ~StepCheck() = default;
  /// max |residual| of the step's equation from `time`, relative to the largest residual that rounding may leave. A
  /// step is sound when the ratio is at most 1. That bound is 64 eps (w q + max |terms|). q is the larger of max
  /// |before| and max |after|. w is the largest sum of magnitudes of a row of the implicit matrix. eps is that of the
  /// precision of the case. Values are (nz, ny, nx), as rounded. Infinite where a value is not finite. With several
  /// processes each has its cells, and the ratio is that of all. Collective.
  virtual double excess(double time, CellValues const& before, CellValues const& after) = 0;
};

/// Columns: after - theta dt L after = before + (1 - theta) dt L before + terms of the ends.
class ColumnStepCheck final : public StepCheck {
 public:
  /// Case and input must outlive it.
  ColumnStepCheck(Case const& input, ColumnCase const& column_case);
  double excess(double time, CellValues const& before, CellValues const& after) override;

 private:
  ColumnCase const& case_;
  ColumnCoefficients coefficients_;
  EndTerms ground_, top_;
};

/// Heat: (1 - dt/2 A1) (1 - dt/2 A2) d = dt (A before - b) with d = after - before. A1 and A2 are the differences in x
/// and y, A = A1 + A2, and b is that of the steady system.
class HeatStepCheck final : public StepCheck {
 public:
  /// Both must outlive it.
  HeatStepCheck(HeatCase const& heat_case, LinearSystem const& steady) : case_(heat_case), steady_(steady) {}
  double excess(double time, CellValues const& before, CellValues const& after) override;

 private:
  /// sum = shift * p + factor * A_axis p, sides with p = 0.
  void along(int axis, double shift, double factor, CellValues const& p, CellValues& sum) const;
  HeatCase const& case_;
  LinearSystem const& steady_;
};

}  // namespace karman::poisson
