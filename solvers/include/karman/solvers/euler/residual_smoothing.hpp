// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Implicit smoothing of the changes of a march to a steady state.
#pragma once

#include <karman/core/backend.hpp>
#include <karman/mesh/graph.hpp>
#include <karman/mesh/triangle_mesh.hpp>
#include <karman/solvers/euler/euler_rhs.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <vector>

namespace karman {

/// Options of a ResidualSmoothing.
struct ResidualSmoothingSetup {
  double factor = 0.5;  ///< eps, 0 or more
  int sweeps = 2;       ///< Jacobi sweeps, at least 1
};

/// Smooths the changes w of a march, dt_i du_i/dt with the local step of each node, over the edges of the mesh. Node i
/// has n_i neighbours j:
///
///     s_i <- (w_i + eps sum_j s_j) / (1 + eps n_i),   s = w before the first sweep.
///
/// These are Jacobi sweeps for s - eps sum_j (s_j - s_i) = w. Larger steps are then stable, and the steady state stays:
/// where w is zero, s is zero. Uniform fields stay. Smooth w, not du/dt or the integrals of the residual: with local
/// steps on a stretched mesh those make the march unstable.
///
/// \pre The mesh has no faults (check_mesh()). Nodes of a periodic group have equal values.
/// \par Cost
/// Per sweep and node: 12 numbers and 7 whole numbers, from memory if neighbours have near numbers. Memory per
/// triangle: 14 bytes, and 2 numbers with two sweeps, 4 with more.
/// \par Synchrony
/// The constructor fences. All else is asynchronous and allocates nothing. A plan serves one instance at a time.
/// \par Reproducibility
/// The same bits from run to run and for any number of threads.
/// \par Source
/// A. Jameson, D. Mavriplis, Finite volume solution of the two-dimensional Euler equations on a regular triangular
/// mesh, AIAA J. 24 (1986).
/// \tparam Exec execution space
/// \tparam T float or double
template <ExecutionSpace Exec, Real T>
class ResidualSmoothing {
 public:
  /// \param space instance of the kernels
  /// \param mesh mesh without faults
  /// \param setup factor and sweeps
  /// \param group periodic groups, as for EulerRhs
  /// \throws std::invalid_argument for options out of range, and for groups of another length or with numbers that are
  /// no nodes
  ResidualSmoothing(Exec const& space, TriangleMesh<Exec> const& mesh, ResidualSmoothingSetup const& setup = {},
                    std::vector<int> const& group = {});

  /// result = smoothed w.
  /// \param space instance of the kernels
  /// \param w changes
  /// \param result must not overlap w
  /// \throws std::invalid_argument for fields of another size, and for the same field twice
  void smooth(Exec const& space, ConstEulerField<Exec, T> const& w, EulerField<Exec, T> const& result) const;

  /// result = base + factor times smoothed w: a stage of a Runge-Kutta method.
  /// \param space instance of the kernels
  /// \param base former values; may be result
  /// \param w changes of a whole step
  /// \param factor of the changes
  /// \param result must not overlap w
  /// \throws std::invalid_argument as smooth()
  void advance(Exec const& space, ConstEulerField<Exec, T> const& base, ConstEulerField<Exec, T> const& w,
               double factor, EulerField<Exec, T> const& result) const;

  /// Options of the plan.
  ResidualSmoothingSetup const& setup() const { return setup_; }
  /// Number of nodes.
  int nodes() const { return neighbors_.rows(); }
  /// Bytes of the plan in the memory of `Exec`.
  std::int64_t workspace_bytes() const;

 private:
  void sweep(Exec const& space, T const* base, ConstEulerField<Exec, T> const& w, double factor,
             EulerField<Exec, T> const& result) const;

  ResidualSmoothingSetup setup_;
  Graph<Exec> neighbors_;
  EulerField<Exec, T> work_[2] = {EulerField<Exec, T>(), EulerField<Exec, T>()};
};

#define KARMAN_EXTERN(Exec)                             \
  extern template class ResidualSmoothing<Exec, float>; \
  extern template class ResidualSmoothing<Exec, double>;
KARMAN_FOR_EACH_BACKEND(KARMAN_EXTERN)
#undef KARMAN_EXTERN

}  // namespace karman
