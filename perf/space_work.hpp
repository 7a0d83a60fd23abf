// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Timing on an execution space, and small helpers shared by the families.
#pragma once

#include "row.hpp"
#include <karman/core/backend.hpp>
#include <karman/core/compat.hpp>

#include <Kokkos_Core.hpp>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <string>
#include <type_traits>

namespace karman::perf {

/// Work on one instance of an execution space: run() does the operation once and may omit a fence.
template <ExecutionSpace Exec>
class SpaceWork : public Work {
 public:
  double time(int calls) final {
    compat::fence(space_, "karman::perf::before");
    Kokkos::Timer const timer;
    for (int call = 0; call < calls; ++call) run();
    compat::fence(space_, "karman::perf::after");
    return timer.seconds();
  }

 protected:
  explicit SpaceWork(Exec const& space) : space_(space) {}
  virtual void run() = 0;
  Exec const& space() const { return space_; }
  void fence() const { compat::fence(space_, "karman::perf::check"); }

 private:
  Exec space_;
};

template <Real T>
constexpr char const* precision_name = std::is_same_v<T, float> ? "f32" : "f64";

/// Number of threads of a host execution space, for peers without Kokkos.
template <ExecutionSpace Exec>
int threads_of(Exec const& space) {
  return static_cast<int>(space.concurrency());
}

/// Empty when |found - expected| <= tolerance, otherwise the error message. NaN is never within a tolerance.
inline std::string compare(char const* what, double found, double expected, double tolerance) {
  if (std::abs(found - expected) <= tolerance) return {};
  char line[160];
  std::snprintf(line, sizeof line, "%s is %.9g, expected %.9g (tolerance %.1g)", what, found, expected, tolerance);
  return line;
}

/// The largest of distance(row, worst) over all rows, after spoil(0) on request.
template <ExecutionSpace Exec, class Distance, class Spoil>
double worst_row(Exec const& space, int rows, Distance const& distance, bool spoilt, Spoil const& spoil) {
  using Rows = Kokkos::RangePolicy<Exec>;
  if (spoilt) Kokkos::parallel_for("karman::perf::spoil", Rows(space, 0, 1), spoil);
  double worst = 0;
  Kokkos::parallel_reduce("karman::perf::check", Rows(space, 0, rows), distance, Kokkos::Max<double>(worst));
  return worst;
}

/// Uninitialised memory for benchmark data: the first parallel loop over it determines its NUMA node.
template <class ViewType, ExecutionSpace Exec, class... Extents>
ViewType allocate(Exec const& space, char const* label, Extents... extents) {
  return ViewType(Kokkos::view_alloc(space, Kokkos::WithoutInitializing, std::string(label)), extents...);
}

// One function per family, each in the file of its name.
void append_copy_rows(std::vector<Row>& rows, Selection const& selection);
void append_reduction_rows(std::vector<Row>& rows, Selection const& selection);
void append_sor_rows(std::vector<Row>& rows, Selection const& selection);
void append_poisson_rows(std::vector<Row>& rows, Selection const& selection);
void append_fast_poisson_rows(std::vector<Row>& rows, Selection const& selection);
void append_tridiagonal_rows(std::vector<Row>& rows, Selection const& selection);
void append_assembly_rows(std::vector<Row>& rows, Selection const& selection);
void append_coloring_rows(std::vector<Row>& rows, Selection const& selection);
void append_amg_rows(std::vector<Row>& rows, Selection const& selection);
void append_euler_rows(std::vector<Row>& rows, Selection const& selection);
void append_euler_scaling_rows(std::vector<Row>& rows, Selection const& selection);
void append_vorticity_rows(std::vector<Row>& rows, Selection const& selection);
void append_scaling_rows(std::vector<Row>& rows, Selection const& selection);
void append_wave_rows(std::vector<Row>& rows, Selection const& selection);

}  // namespace karman::perf
