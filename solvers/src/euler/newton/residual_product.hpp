// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Product with the Jacobian of the residual by differences.
#pragma once

#include "newton_kernels.hpp"
#include <karman/core/reductions.hpp>
#include <karman/solvers/vector_operator.hpp>

#include <Kokkos_Core.hpp>

namespace karman::detail {

/// Scaled 1/dt - dr/dU at a flow u, whose residual is given. One difference per product, with its own projection.
template <ExecutionSpace Exec, class T>
class ResidualProduct final : public VectorOperator<Exec, T> {
 public:
  /// All Views are shared: new values count from the next product on.
  struct Views {
    NewtonScales<Exec, T> scales;
    EulerField<Exec, T> rate, trial, displaced;  ///< r(u), and workspace
    Vector<Exec, T> inverse_dt;
    DeviceNumber<Exec> largest;  ///< workspace
  };

  /// `relative`: step of the difference over the reference values.
  ResidualProduct(EulerRhs<Exec, T>& rhs, Reducer<Exec>& reducer, Views const& views, double relative)
      : rhs_(rhs), reducer_(reducer), views_(views), relative_(relative) {}

  using VectorOperator<Exec, T>::apply;
  int size() const override { return 4 * rhs_.nodes(); }

  /// The flow of the following products.
  void at(ConstEulerField<Exec, T> const& u) { u_ = u; }
  /// Products since the last call.
  int take_count() {
    int const count = count_;
    count_ = 0;
    return count;
  }

  void apply(Exec const& space, ConstVector<Exec, T> const& x, Vector<Exec, T> const& result) const override {
    ++count_;
    Views const& v = views_;
    auto const nodes = Kokkos::RangePolicy<Exec>(space, 0, rhs_.nodes());
    reducer_.reduce(space, rhs_.nodes(), LargestChange<Exec, T>{v.scales, x}, MaxOf<double>(), v.largest);
    DifferenceStep const step{relative_, v.largest.data()};
    Kokkos::parallel_for("karman::euler::displace", nodes,
                         Displace<Exec, T, DifferenceStep>{v.scales, u_, x, step, v.trial});
    rhs_.project(space, v.trial);
    rhs_.evaluate(space, v.trial, {}, v.displaced);
    Kokkos::parallel_for("karman::euler::difference", nodes,
                         DifferenceProduct<Exec, T>{v.scales, v.rate, v.displaced, v.inverse_dt, x, step, result});
  }

 private:
  EulerRhs<Exec, T>& rhs_;
  Reducer<Exec>& reducer_;
  Views views_;
  double relative_;
  ConstEulerField<Exec, T> u_ = ConstEulerField<Exec, T>();
  mutable int count_ = 0;
};

}  // namespace karman::detail
