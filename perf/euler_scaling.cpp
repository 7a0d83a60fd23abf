// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A residual of the Euler equations over the number of triangles, alone and with transfers, and over the number of
// threads.
#include "euler_problem.hpp"

#include <string>
#include <utility>
#include <vector>

namespace karman::perf {

namespace {

#if defined(KOKKOS_ENABLE_CUDA)
constexpr bool has_device = true;
#else
constexpr bool has_device = false;
#endif

#if defined(KOKKOS_ENABLE_SERIAL)
constexpr bool has_serial = true;
#else
constexpr bool has_serial = false;
#endif

/// Cells per side. The same on every backend, so that each size has its time on one thread.
std::vector<int> sides(bool quick) {
  if (quick) return {32, 128, 512};
  std::vector<int> list{32, 64, 128, 256, 512, 1024};
  if (has_device) list.push_back(2048);
  return list;
}

/// One to four threads, then steps of 4/3 and 3/2 in turn, and all of them.
std::vector<int> thread_counts(int all) {
  std::vector<int> counts;
  for (int n = 1; n < all; n = n < 4 ? n + 1 : n % 3 == 0 ? n / 3 * 4 : n / 2 * 3) counts.push_back(n);
  counts.push_back(all);
  return counts;
}

template <class Exec, class T>
void append_size(std::vector<Row>& rows, int cells, EulerTask task, char const* algorithm) {
  Row row = euler_row<Exec, T>(cells, Numbering::renumbered, task);
  row.family = "euler_sizes";
  row.algorithm = algorithm;
  rows.push_back(std::move(row));
}

/// Where a host computes, it computes in the memory of the caller, and no transfers are needed.
template <class Exec, class T>
void append_precision(std::vector<Row>& rows, Selection const& selection) {
  for (int const cells : sides(selection.quick)) {
    append_size<Exec, T>(rows, cells, EulerTask::residual, "residual");
    // Without Serial the time on one thread comes from another program.
    if (runs_on_host<Exec> && !has_serial) rows.push_back(on_threads(rows.back(), "euler_sizes", 1));
    if (runs_on_host<Exec> || selection.quick) continue;
    append_size<Exec, T>(rows, cells, EulerTask::pinned_transfers, "residual_pinned_transfers");
    append_size<Exec, T>(rows, cells, EulerTask::plain_transfers, "residual_plain_transfers");
  }
  if (!runs_on_host<Exec> || backend_of<Exec>() == Backend::serial) return;
  // A size of the rows above, which the other program measures.
  constexpr int cells = 512;
  Row row = euler_row<Exec, T>(cells, Numbering::renumbered, EulerTask::residual);
  row.family = "euler_sizes";
  row.algorithm = "residual";
  for (int const threads : thread_counts(threads_of(Exec()))) {
    rows.push_back(on_threads(row, "euler_threads", threads));
  }
}

template <class Exec>
void append_euler_scaling(std::vector<Row>& rows, Selection const& selection) {
  append_precision<Exec, double>(rows, selection);
  if (!selection.quick) append_precision<Exec, float>(rows, selection);
}

}  // namespace

void append_euler_scaling_rows(std::vector<Row>& rows, Selection const& selection) {
#define KARMAN_APPEND(Exec) append_euler_scaling<Exec>(rows, selection);
  KARMAN_FOR_EACH_BACKEND(KARMAN_APPEND)
#undef KARMAN_APPEND
}

}  // namespace karman::perf
