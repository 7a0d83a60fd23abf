// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Right-hand side of the Euler equations: the plan's own choice against the usual ways to sum over triangles, and a
// whole Runge-Kutta step.
#include "euler_problem.hpp"

#include <string>
#include <utility>
#include <vector>

namespace karman::perf {

namespace {

template <class Exec, class T>
void append_row(std::vector<Row>& rows, int cells, Numbering numbering, EulerTask task, EulerStrategy strategy,
                char const* peer) {
  // Peers sum on the mesh as it is.
  Row row =
      euler_row<Exec, T>(cells, numbering, task,
                         {.strategy = strategy, .order = *peer != '\0' ? EulerOrder::as_given : EulerOrder::automatic});
  row.family = "euler";
  row.algorithm = std::string(task == EulerTask::step ? "rk4_step_" : "residual_") + name(numbering);
  row.peer = peer;
  rows.push_back(std::move(row));
}

template <class Exec, class T>
void append_precision(std::vector<Row>& rows, int cells, Numbering numbering) {
  append_row<Exec, T>(rows, cells, numbering, EulerTask::residual, EulerStrategy::automatic, "");
  append_row<Exec, T>(rows, cells, numbering, EulerTask::residual, EulerStrategy::atomic, "atomics");
  append_row<Exec, T>(rows, cells, numbering, EulerTask::residual, EulerStrategy::colored, "colors");
  append_row<Exec, T>(rows, cells, numbering, EulerTask::residual, EulerStrategy::expanded, "expanded_arrays");
  append_row<Exec, T>(rows, cells, numbering, EulerTask::step, EulerStrategy::automatic, "");
}

template <class Exec>
void append_euler(std::vector<Row>& rows, Selection const& selection) {
  int const cells = runs_on_host<Exec> ? (selection.quick ? 256 : 512) : 2048;
  append_precision<Exec, double>(rows, cells, Numbering::renumbered);
  if (selection.quick) return;
  append_precision<Exec, float>(rows, cells, Numbering::renumbered);
  append_precision<Exec, double>(rows, cells, Numbering::shuffled);
  append_precision<Exec, float>(rows, cells, Numbering::shuffled);
}

}  // namespace

void append_euler_rows(std::vector<Row>& rows, Selection const& selection) {
#define KARMAN_APPEND(Exec) append_euler<Exec>(rows, selection);
  KARMAN_FOR_EACH_BACKEND(KARMAN_APPEND)
#undef KARMAN_APPEND
}

}  // namespace karman::perf
