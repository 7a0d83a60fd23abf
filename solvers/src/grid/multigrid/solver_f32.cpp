// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "solver_impl.hpp"

namespace karman::detail {

#define KARMAN_INSTANTIATE(Exec)                                                                  \
  template std::unique_ptr<MultigridPlan<Exec, float>> make_multigrid_solver<Exec, float, float>( \
      Exec const&, MultigridInput<Exec, float> const&, MultigridPurpose);
KARMAN_FOR_EACH_BACKEND(KARMAN_INSTANTIATE)
#undef KARMAN_INSTANTIATE

}  // namespace karman::detail
