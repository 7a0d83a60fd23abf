// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "solver_impl.hpp"

namespace karman::detail {

#define KARMAN_INSTANTIATE(Exec)                                                                    \
  template std::unique_ptr<MultigridPlan<Exec, double>> make_multigrid_solver<Exec, double, float>( \
      Exec const&, MultigridInput<Exec, double> const&, MultigridPurpose);
KARMAN_FOR_EACH_BACKEND(KARMAN_INSTANTIATE)
#undef KARMAN_INSTANTIATE

}  // namespace karman::detail
