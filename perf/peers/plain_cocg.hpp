// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// COCG with Jacobi's preconditioner in textbook form: one loop per line, scalars on the host.
#pragma once

#include "../waves_problem.hpp"

namespace karman::perf {

template <class Exec>
class PlainCocg {
 public:
  PlainCocg(Exec const& space, CsrMatrix<Exec, Kokkos::complex<double>> const& matrix);

  /// Solves A x = b from x = 0, until |r| <= tolerance |b| or the iteration limit.
  void solve(Exec const& space, WaveNumbers<Exec> const& x, WaveNumbers<Exec> const& b, int iterations,
             double tolerance);

 private:
  CsrMatrix<Exec, Kokkos::complex<double>> matrix_;
  WaveNumbers<Exec> inverse_, r_, z_, p_, q_;
};

#define KARMAN_EXTERN(Exec) extern template class PlainCocg<Exec>;
KARMAN_FOR_EACH_BACKEND(KARMAN_EXTERN)
#undef KARMAN_EXTERN

}  // namespace karman::perf
