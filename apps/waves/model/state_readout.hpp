// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Conversion of a solved member into a WaveState.
#pragma once

#include "boundary_table.hpp"
#include "wave_member.hpp"

#include <cstdint>

namespace karman::waves {

/// The triangles around the nodes, and the fields of derive(), reused for each member.
template <ExecutionSpace Exec, class Real>
class StateReadout {
 public:
  /// Problem and boundary must outlive it; `mesh` is that of the problem. Waits.
  StateReadout(Exec const& space, WaveProblem const& problem, BoundaryTable const& boundary,
               TriangleMesh<Exec> const& mesh);

  /// All results for a component whose fields are filled. Waits.
  WaveState state_of(Exec const& space, WaveMember<Exec, Real> const& m) const;

  std::int64_t bytes() const;

 private:
  WaveProblem const& problem_;
  BoundaryTable const& boundary_;
  TriangleMesh<Exec> mesh_;
  Graph<Exec> around_;
  DerivedFields<Exec> derived_;
};

#define KARMAN_EXTERN(Exec)                        \
  extern template class StateReadout<Exec, float>; \
  extern template class StateReadout<Exec, double>;
KARMAN_FOR_EACH_BACKEND(KARMAN_EXTERN)
#undef KARMAN_EXTERN

}  // namespace karman::waves
