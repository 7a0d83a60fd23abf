// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A step of a problem in time, judged on the host in double precision.
#pragma once

#include "poisson/model/column_terms.hpp"
#include "poisson/model/linear_system.hpp"
#include "time_case.hpp"

namespace karman::poisson {

/// Judges steps, whatever made them.
class StepCheck {
 public:
  virtual ~StepCheck() = default;
  /// max |residual| of the equation of the step from `time`, relative to what rounding may leave: a step is sound when
  /// that is at most 1. With q the larger of max |before| and max |after|, w the largest sum of the magnitudes of a
  /// row of the implicit matrix and eps of the precision of the case, that is 64 eps (w q + max |terms|). Values are
  /// (nz, ny, nx), as they were rounded. Infinite where a value is not finite.
  virtual double excess(double time, CellValues const& before, CellValues const& after) = 0;
};

/// Of the columns:
///   after - theta dt L after = before + (1 - theta) dt L before + terms of the ends.
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

/// Of heat, with d = after - before, A1 and A2 the differences in x and y, A = A1 + A2, b of the steady system:
///   (1 - dt/2 A1) (1 - dt/2 A2) d = dt (A before - b).
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
