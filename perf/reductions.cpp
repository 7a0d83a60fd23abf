// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reductions of a field to one or a few numbers.
#include "karman_reductions.hpp"
#include "peers/reduction_peers.hpp"
#include "traffic.hpp"

namespace karman::perf {

namespace {

/// Largest field on which the naive variants are measured.
constexpr std::int64_t largest_variant = 1 << 20;

/// Task of a row, with its name and counts.
struct ReductionKind {
  Task task;
  char const* algorithm;
  std::vector<Quantity> quantities;
  int components;
};

std::vector<ReductionKind> kinds() {
  return {{Task::max, "max", {Quantity::max}, 1},
          {Task::max_on_device, "max_on_device", {Quantity::max}, 1},
          {Task::sum, "sum", {Quantity::sum}, 1},
          {Task::min_max_sum, "min_max_sum", {Quantity::min, Quantity::max, Quantity::sum}, 1},
          {Task::max_speed, "max_speed", {Quantity::speed}, 3}};
}

template <class Exec, class T>
Row make_row(ReductionKind const& kind, std::int64_t n, char const* peer, double bytes,
             ReductionMaker<Exec, T> const& make) {
  Row row;
  row.family = "reductions";
  row.algorithm = kind.algorithm;
  row.backend = name(backend_of<Exec>());
  row.precision = precision_name<T>;
  row.size = std::to_string(n);
  row.peer = peer;
  row.unit = "elements";
  row.units = double(n);
  row.bytes = bytes;
  row.memory_bytes = traffic::reduction(double(n), sizeof(T), kind.components);
  row.back_to_back = kind.task == Task::max_on_device;
  row.prepare = [n, make, quantities = kind.quantities] {
    return std::make_unique<ReductionWork<Exec, T>>(Exec(), n, quantities, make);
  };
  return row;
}

template <class Exec, class T>
void append_kind(std::vector<Row>& rows, ReductionKind const& kind, std::int64_t n) {
  double const bytes = traffic::reduction(double(n), sizeof(T), kind.components);
  double const elements = double(n);
  auto const add = [&](char const* peer, double moved, ReductionMaker<Exec, T> const& make) {
    rows.push_back(make_row<Exec, T>(kind, n, peer, moved, make));
  };
  add("", bytes, karman_reduction<Exec, T>(kind.task));
  add("kokkos", bytes, kokkos_reduction<Exec, T>(kind.task));
  if (kind.task == Task::max) {
    add("kokkos_team", bytes, kokkos_team_reduction<Exec, T>());
    // Naive variants; on large fields they would only take time.
    if constexpr (std::is_same_v<T, double>) {
      if (n <= largest_variant) {
        add("plain_tree", traffic::plain_tree(elements, sizeof(T)), plain_tree_reduction<Exec, T>());
        add("copy_to_host", bytes, copy_to_host_reduction<Exec, T>());
      }
    }
  }
  if constexpr (runs_on_host<Exec>) {
    add("openmp_simd", bytes, host_simd_reduction<Exec, T>(kind.task));
  } else {
    bool const fused = kind.task == Task::min_max_sum;
    if (kind.task != Task::max_speed) {
      add(fused ? "cub_three_calls" : "cub", fused ? traffic::three_reductions(elements, sizeof(T)) : bytes,
          cub_reduction<Exec, T>(kind.task));
    }
    if (kind.task != Task::max_on_device) add("thrust", bytes, thrust_reduction<Exec, T>(kind.task));
  }
}

template <class Exec>
void append_reductions(std::vector<Row>& rows, Selection const& selection) {
  std::int64_t const k = 1024, m = k * k;
  std::vector<std::int64_t> sizes{64 * k, m, 16 * m, 256 * m};
  if constexpr (runs_on_host<Exec>) sizes = {64 * k, m, 64 * m};
  if (selection.quick) {
    sizes = runs_on_host<Exec> ? std::vector<std::int64_t>{m, 16 * m} : std::vector<std::int64_t>{m, 256 * m};
  }
  for (ReductionKind const& kind : kinds()) {
    // A host has no other memory for a result.
    if (runs_on_host<Exec> && kind.task == Task::max_on_device) continue;
    for (std::int64_t n : sizes) append_kind<Exec, double>(rows, kind, n);
    bool const both = kind.task == Task::max || kind.task == Task::min_max_sum;
    if (both) append_kind<Exec, float>(rows, kind, sizes.back());
  }
}

}  // namespace

void append_reduction_rows(std::vector<Row>& rows, Selection const& selection) {
#define KARMAN_APPEND(Exec) append_reductions<Exec>(rows, selection);
  KARMAN_FOR_EACH_BACKEND(KARMAN_APPEND)
#undef KARMAN_APPEND
}

}  // namespace karman::perf
