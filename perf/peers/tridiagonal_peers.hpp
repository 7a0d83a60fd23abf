// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Solvers of other libraries for batches of tridiagonal systems.
#pragma once

#include "../tridiagonal_problem.hpp"

namespace karman::perf {

/// The routines of cuSPARSE.
enum class Cusparse {
  strided_batch,       ///< gtsv2StridedBatch: contiguous systems, cyclic and parallel cyclic reduction
  interleaved_thomas,  ///< gtsvInterleavedBatch, Thomas
  interleaved_lu,      ///< gtsvInterleavedBatch, LU with partial pivoting
  interleaved_qr,      ///< gtsvInterleavedBatch, QR
  no_pivoting,         ///< gtsv2_nopivot: one matrix
  pivoting             ///< gtsv2: one matrix, partial pivoting
};

/// cuSPARSE with workspace allocated in advance. It solves in place, over a copy of the right-hand side that load()
/// makes. The interleaved routines may overwrite the matrix, too. CUDA.
template <class Exec, class T>
TridiagonalMaker<Exec, T> cusparse_tridiagonal(Cusparse routine);

/// LAPACK's gtsv, system after system, in an OpenMP loop. It overwrites its arguments. So each thread copies a system
/// into arrays of its own, which stay in its cache. Host backends.
template <class Exec, class T>
TridiagonalMaker<Exec, T> lapack_tridiagonal();

/// LAPACK's gtsv with many right-hand sides per call, for interleaved systems with one matrix. Each thread copies
/// blocks of systems into arrays of its own, which are made in advance. Host backends.
template <class Exec, class T>
TridiagonalMaker<Exec, T> lapack_shared_matrix();

/// True if this build has LAPACK.
bool has_lapack();

}  // namespace karman::perf
