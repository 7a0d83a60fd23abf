// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Periodic groups of nodes as one unknown each.
///
/// Vectors hold the unknown of a group at all its nodes. For x = P z, P the copy of the unknowns z to the nodes, the
/// mean of K x over each group is D^-1 P^T K P z, D the sizes of the groups: symmetric in the plain inner product of
/// such vectors. So conjugate gradients solve P^T K P z = P^T b without a matrix of their own.
#pragma once

#include "mesh/periodic_groups.hpp"
#include <karman/core/host_copy.hpp>
#include <karman/solvers/fem/fixed_values.hpp>
#include <karman/solvers/sparse/preconditioner.hpp>
#include <karman/solvers/sparse/sparse_operator.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace karman::detail {

/// Groups of more than one node, in device memory. Empty: no groups.
template <class Exec>
struct JoinedNodes {
  using Numbers = Kokkos::View<int*, typename Exec::memory_space>;
  Numbers owner = Numbers();                     ///< lowest node of the group of each node
  Numbers begin = Numbers(), nodes = Numbers();  ///< nodes of each group of more than one
  int groups = 0;

  JoinedNodes() = default;
  JoinedNodes(Exec const& space, std::vector<int> const& group, int mesh_nodes, char const* who) {
    if (group.empty()) return;
    require_groups(group, mesh_nodes, who);
    std::map<int, std::vector<int>> members;
    for (int i = 0; i < mesh_nodes; ++i) {
      int const lowest = group[static_cast<std::size_t>(i)];
      if (lowest != i) members[lowest].push_back(i);
    }
    std::vector<int> begins{0}, list;
    for (auto const& [lowest, others] : members) {
      list.push_back(lowest);
      list.insert(list.end(), others.begin(), others.end());
      begins.push_back(static_cast<int>(list.size()));
    }
    groups = static_cast<int>(members.size());
    owner = device_copy(space, group, "karman::mesh_motion::owner");
    begin = device_copy(space, begins, "karman::mesh_motion::group_begin");
    nodes = device_copy(space, list, "karman::mesh_motion::group_nodes");
  }

  /// Lowest node of the group of a node.
  KOKKOS_FORCEINLINE_FUNCTION int owner_of(int node) const { return owner.extent(0) != 0 ? owner(node) : node; }
};

/// Mean over each group, at all its nodes.
template <class Exec>
struct MeanOverGroups {
  JoinedNodes<Exec> joined;
  double* values;

  KOKKOS_FUNCTION void operator()(int group) const {
    int const begin = joined.begin(group), end = joined.begin(group + 1);
    double sum = 0;
    for (int n = begin; n < end; ++n) sum += values[joined.nodes(n)];
    for (int n = begin; n < end; ++n) values[joined.nodes(n)] = sum / (end - begin);
  }
};

template <class Exec>
void take_mean_over_groups(Exec const& space, JoinedNodes<Exec> const& joined, Vector<Exec, double> const& values) {
  if (joined.groups == 0) return;
  Kokkos::parallel_for("karman::mesh_motion::join", Kokkos::RangePolicy<Exec>(space, 0, joined.groups),
                       MeanOverGroups<Exec>{joined, values.data()});
}

/// Marks all nodes of a group of which one is marked.
template <class Exec>
struct MarkGroups {
  JoinedNodes<Exec> joined;
  FixedNodes<Exec> marks;

  KOKKOS_FUNCTION void operator()(int group) const {
    int const begin = joined.begin(group), end = joined.begin(group + 1);
    bool any = false;
    for (int n = begin; n < end; ++n) any = any || marks(joined.nodes(n)) != 0;
    for (int n = begin; any && n < end; ++n) marks(joined.nodes(n)) = 1;
  }
};

/// A matrix on vectors of joined nodes: D^-1 P^T K P.
template <ExecutionSpace Exec>
class JoinedOperator final : public VectorOperator<Exec, double> {
 public:
  JoinedOperator(CsrMatrix<Exec, double> const& matrix, JoinedNodes<Exec> const& joined)
      : map_(matrix), joined_(joined) {}

  using VectorOperator<Exec, double>::apply;
  int size() const override { return map_.size(); }
  void apply(Exec const& space, ConstVector<Exec, double> const& x, Vector<Exec, double> const& result) const override {
    map_.apply(space, x, result);
    take_mean_over_groups(space, joined_, result);
  }

 private:
  SparseOperator<Exec, double> map_;
  JoinedNodes<Exec> joined_;
};

template <class Exec>
struct ReadDiagonal {
  CsrMatrix<Exec, double> matrix;
  double* diagonal;

  KOKKOS_FUNCTION void operator()(int row) const {
    double value = 0;
    for (int n = matrix.graph.offsets(row); n < matrix.graph.offsets(row + 1); ++n) {
      if (matrix.graph.entries(n) == row) value = matrix.values(n);
    }
    diagonal[row] = value;
  }
};

struct Invert {
  double* values;
  /// A node without triangles has a 0.
  KOKKOS_FUNCTION void operator()(int row) const { values[row] = values[row] > 0 ? 1 / values[row] : 1; }
};

/// Inverse diagonal, of the mean of each group.
template <ExecutionSpace Exec>
class JoinedDiagonal final : public Preconditioner<Exec, double> {
 public:
  JoinedDiagonal(Exec const& space, int size, JoinedNodes<Exec> const& joined)
      : inverse_(Kokkos::view_alloc(space, Kokkos::WithoutInitializing, std::string("karman::mesh_motion::diagonal")),
                 static_cast<std::size_t>(size)),
        joined_(joined) {}

  using Preconditioner<Exec, double>::apply;
  int size() const override { return static_cast<int>(inverse_.extent(0)); }
  FactorReport factor(Exec const& space, CsrMatrix<Exec, double> const& matrix) override {
    Kokkos::parallel_for("karman::mesh_motion::diagonal", Kokkos::RangePolicy<Exec>(space, 0, size()),
                         ReadDiagonal<Exec>{matrix, inverse_.data()});
    take_mean_over_groups(space, joined_, inverse_);
    Kokkos::parallel_for("karman::mesh_motion::invert_diagonal", Kokkos::RangePolicy<Exec>(space, 0, size()),
                         Invert{inverse_.data()});
    return {};
  }
  void apply(Exec const& space, ConstVector<Exec, double> const& residual,
             Vector<Exec, double> const& correction) const override;
  ConstVector<Exec, double> inverse_diagonal() const override { return inverse_; }
  std::int64_t workspace_bytes() const override { return 8 * std::int64_t{size()}; }

 private:
  Vector<Exec, double> inverse_;
  JoinedNodes<Exec> joined_;
};

template <class Exec>
struct ScaleBy {
  double const *scale, *from;
  double* to;
  KOKKOS_FUNCTION void operator()(int row) const { to[row] = scale[row] * from[row]; }
};

template <ExecutionSpace Exec>
void JoinedDiagonal<Exec>::apply(Exec const& space, ConstVector<Exec, double> const& residual,
                                 Vector<Exec, double> const& correction) const {
  Kokkos::parallel_for("karman::mesh_motion::scale", Kokkos::RangePolicy<Exec>(space, 0, size()),
                       ScaleBy<Exec>{inverse_.data(), residual.data(), correction.data()});
}

}  // namespace karman::detail
