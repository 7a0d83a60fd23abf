// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <karman/core/compat.hpp>
#include <karman/core/error.hpp>
#include <karman/core/host_copy.hpp>
#include <karman/core/profiling.hpp>
#include <karman/mesh/mesh_connectivity.hpp>
#include <karman/solvers/euler/residual_smoothing.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

namespace karman {

namespace {

/// One sweep: result = base + factor (w + eps sum of `from` at the neighbours) / (1 + eps n). `base` null: zeros.
template <class Exec, class T>
struct SmoothNode {
  Graph<Exec> neighbors;
  T const *base, *w, *from;
  T* result;
  T eps, factor;
  std::int64_t nodes;

  KOKKOS_FUNCTION void operator()(int i) const {
    int const begin = neighbors.offsets(i), end = neighbors.offsets(i + 1);
    T sum[4] = {};
    for (int n = begin; n < end; ++n) {
      int const j = neighbors.entries(n);
      for (int c = 0; c < 4; ++c) sum[c] += from[c * nodes + j];
    }
    T const scale = factor / (1 + eps * static_cast<T>(end - begin));
    for (int c = 0; c < 4; ++c) {
      T const start = base != nullptr ? base[c * nodes + i] : T(0);
      result[c * nodes + i] = start + scale * (w[c * nodes + i] + eps * sum[c]);
    }
  }
};

/// Neighbours of whole groups: every node of a group lists the lowest nodes of the groups around it.
template <class Exec>
Graph<Exec> joined(Exec const& space, Graph<Exec> const& graph, std::vector<int> const& group) {
  auto const n = static_cast<std::size_t>(graph.rows());
  require(group.size() == n, "ResidualSmoothing: " + std::to_string(group.size()) + " periodic groups for " +
                                 std::to_string(n) + " nodes");
  for (int const lowest : group) {
    require(lowest >= 0 && static_cast<std::size_t>(lowest) < n,
            "ResidualSmoothing: group " + std::to_string(lowest) + " is no node");
  }
  auto const offsets = host_copy(space, graph.offsets), entries = host_copy(space, graph.entries);
  std::vector<std::set<int>> around(n);
  for (std::size_t i = 0; i < n; ++i) {
    auto const own = static_cast<std::size_t>(group[i]);
    for (int e = offsets[i]; e < offsets[i + 1]; ++e) {
      int const other = group[static_cast<std::size_t>(entries[static_cast<std::size_t>(e)])];
      if (other != group[i]) around[own].insert(other);
    }
  }
  std::vector<int> begin{0}, values;
  for (std::size_t i = 0; i < n; ++i) {
    auto const& list = around[static_cast<std::size_t>(group[i])];
    values.insert(values.end(), list.begin(), list.end());
    begin.push_back(static_cast<int>(values.size()));
  }
  return {device_copy(space, begin, "karman::euler::neighbors_begin"),
          device_copy(space, values, "karman::euler::neighbors")};
}

}  // namespace

template <ExecutionSpace Exec, Real T>
ResidualSmoothing<Exec, T>::ResidualSmoothing(Exec const& space, TriangleMesh<Exec> const& mesh,
                                              ResidualSmoothingSetup const& setup, std::vector<int> const& group)
    : setup_(setup) {
  Region const region("karman::euler::plan_smoothing");
  require(std::isfinite(setup.factor) && setup.factor >= 0,
          "ResidualSmoothing: factor must be finite and at least 0, it is " + std::to_string(setup.factor));
  require(setup.sweeps >= 1, "ResidualSmoothing: sweeps must be at least 1, it is " + std::to_string(setup.sweeps));
  neighbors_ = node_neighbors(space, mesh);
  if (!group.empty()) neighbors_ = joined(space, neighbors_, group);
  for (int k = 0; k < std::min(setup.sweeps - 1, 2); ++k) {
    work_[k] = EulerField<Exec, T>(
        Kokkos::view_alloc(space, Kokkos::WithoutInitializing, std::string("karman::euler::smoothing")),
        mesh.nodes.extent(0));
  }
  compat::fence(space, "karman::euler::plan_smoothing");
}

template <ExecutionSpace Exec, Real T>
void ResidualSmoothing<Exec, T>::sweep(Exec const& space, T const* base, ConstEulerField<Exec, T> const& w,
                                       double factor, EulerField<Exec, T> const& result) const {
  auto const n = static_cast<std::size_t>(nodes());
  for (auto const extent : {w.extent(0), result.extent(0)}) {
    require(extent == n,
            "ResidualSmoothing: a field has " + std::to_string(extent) + " nodes; the mesh has " + std::to_string(n));
  }
  require(n == 0 || w.data() != result.data(), "ResidualSmoothing: result must not overlap w");
  T const* from = w.data();
  for (int k = 0; k < setup_.sweeps; ++k) {
    bool const last = k + 1 == setup_.sweeps;
    T* const to = last ? result.data() : work_[k % 2].data();
    Kokkos::parallel_for(
        "karman::euler::smooth", Kokkos::RangePolicy<Exec>(space, 0, nodes()),
        SmoothNode<Exec, T>{neighbors_, last ? base : nullptr, w.data(), from, to, static_cast<T>(setup_.factor),
                            last ? static_cast<T>(factor) : T(1), nodes()});
    from = to;
  }
}

template <ExecutionSpace Exec, Real T>
void ResidualSmoothing<Exec, T>::smooth(Exec const& space, ConstEulerField<Exec, T> const& w,
                                        EulerField<Exec, T> const& result) const {
  Region const region("karman::euler::smooth");
  sweep(space, nullptr, w, 1, result);
}

template <ExecutionSpace Exec, Real T>
void ResidualSmoothing<Exec, T>::advance(Exec const& space, ConstEulerField<Exec, T> const& base,
                                         ConstEulerField<Exec, T> const& w, double factor,
                                         EulerField<Exec, T> const& result) const {
  Region const region("karman::euler::smooth");
  require(base.extent(0) == w.extent(0), "ResidualSmoothing: base and w must have the same nodes");
  sweep(space, base.data(), w, factor, result);
}

template <ExecutionSpace Exec, Real T>
std::int64_t ResidualSmoothing<Exec, T>::workspace_bytes() const {
  auto const numbers = neighbors_.offsets.span() + neighbors_.entries.span();
  return static_cast<std::int64_t>(numbers * sizeof(int) + (work_[0].span() + work_[1].span()) * sizeof(T));
}

#define KARMAN_INSTANTIATE(Exec)                 \
  template class ResidualSmoothing<Exec, float>; \
  template class ResidualSmoothing<Exec, double>;
KARMAN_FOR_EACH_BACKEND(KARMAN_INSTANTIATE)
#undef KARMAN_INSTANTIATE

}  // namespace karman
