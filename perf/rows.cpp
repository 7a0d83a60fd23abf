// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "space_work.hpp"

namespace karman::perf {

std::vector<Row> all_rows(Selection const& selection) {
  std::vector<Row> rows;
  append_copy_rows(rows, selection);
  append_reduction_rows(rows, selection);
  append_sor_rows(rows, selection);
  append_poisson_rows(rows, selection);
  append_fast_poisson_rows(rows, selection);
  append_tridiagonal_rows(rows, selection);
  append_assembly_rows(rows, selection);
  append_coloring_rows(rows, selection);
  append_amg_rows(rows, selection);
  append_euler_rows(rows, selection);
  append_euler_scaling_rows(rows, selection);
  append_vorticity_rows(rows, selection);
#ifdef KARMAN_PERF_WAVES
  append_wave_rows(rows, selection);
#endif
  append_scaling_rows(rows, selection);
  return rows;
}

}  // namespace karman::perf
