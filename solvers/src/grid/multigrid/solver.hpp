// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The solver behind Multigrid: fields in one precision, cycles in the same or another.
#pragma once

#include "boxes.hpp"
#include "geometry.hpp"
#include "grid/stencil/problem_part.hpp"
#include "purpose.hpp"
#include <karman/solvers/grid/multigrid.hpp>

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

namespace karman::detail {

/// Input of a plan: the problem, with codes or arrays, and the properties found in its coefficients.
template <class Exec, class T>
struct MultigridInput {
  SevenPointProblem<Exec, T> problem;
  MultigridSetup setup;
  bool planar = false;
  bool codes = false;    ///< the coefficients come as wall codes
  bool regular = false;  ///< all faces inside are open
  bool weighted = false;
  double blocked_share = 0;                 ///< fraction of the faces inside
  std::array<double, 3> scale = {1, 1, 1};  ///< of the axes of the layout, like the other members
  std::array<double, 6> side_value = {1, 1, 1, 1, 1, 1};
  MultigridAxes axes;    ///< of the whole grid
  MultigridBoxes boxes;  ///< of the processes

  ProblemPart part;

  MultigridInput(SevenPointProblem<Exec, T> const& p, MultigridSetup const& s, ProblemPart const& part_)
      : problem(p), setup(s), part(part_) {}
};

template <class Exec, class T>
class MultigridPlan {
 public:
  virtual ~MultigridPlan() = default;
  /// Without `values` in a process whose part does not touch the side: all processes make the call.
  virtual void set_boundary_values(Exec const& space, int side, ConstPlane<Exec, T> const& values) = 0;
  virtual SolveReport solve(Exec const& space, Field<Exec, T> const& x, ConstField<Exec, T> const& rhs,
                            MultigridOptions const& options) = 0;
  virtual void apply(Exec const& space, ConstField<Exec, T> const& residual,
                     Field<Exec, T> const& correction) const = 0;
  virtual std::vector<std::array<int, 3>> const& extents() const = 0;
  virtual int levels_in_parts() const = 0;
  virtual std::vector<int> const& parts() const = 0;
  virtual bool singular() const = 0;
  virtual bool lines() const = 0;
  virtual bool aggregates() const = 0;
  virtual double omega() const = 0;
  virtual std::int64_t bytes() const = 0;
};

/// Cycles in precision S. Each combination is compiled in a source file of its own. An solver for
/// MultigridPurpose::counting answers bytes() alone.
template <class Exec, class T, class S>
std::unique_ptr<MultigridPlan<Exec, T>> make_multigrid_solver(Exec const& space, MultigridInput<Exec, T> const& input,
                                                              MultigridPurpose purpose);

}  // namespace karman::detail
