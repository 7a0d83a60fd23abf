// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Common parts of the iterations for A x = b on a SevenPoint: the right-hand side of a singular problem less its mean,
/// norms on the host, and the loop.
#pragma once

#include "common/field_checks.hpp"
#include "common/host_share.hpp"
#include "common/iteration_loop.hpp"
#include "common/shared_monitor.hpp"
#include <karman/core/compat.hpp>
#include <karman/solvers/grid/seven_point.hpp>

#include <Kokkos_Core.hpp>

#include <array>
#include <cmath>
#include <cstdint>
#include <string>

namespace karman::detail {

template <class Exec, class T>
class SteadyFrame {
 public:
  SevenPoint<Exec, T> a;
  Field<Exec, T> residual;  ///< also scratch

  SteadyFrame(Exec const& space, SevenPoint<Exec, T> const& op, std::string const& module)
      : a(op), communicator_(op.communicator()) {
    residual = field(space, module + "::residual");
    if (a.singular()) balanced_ = field(space, module + "::rhs");
    auto const number = [&](char const* what) {
      return DeviceNumber<Exec>(Kokkos::view_alloc(space, module + "::" + what));
    };
    largest_ = number("largest");
    mean_ = number("mean");
    on_host_ = Kokkos::View<double, Kokkos::HostSpace>(Kokkos::view_alloc(module + "::on_host"));
    bytes_ += number_bytes;
  }

  Field<Exec, T> field(Exec const& space, std::string const& label) {
    auto const extents = a.extents();
    Field<Exec, T> const made(Kokkos::view_alloc(space, label), extents[0], extents[1], extents[2]);
    bytes_ += static_cast<std::int64_t>(made.size() * sizeof(T));
    return made;
  }
  std::int64_t bytes() const { return bytes_; }
  /// The same before it is made, with `more` fields beside the residual.
  static std::int64_t bytes_of(SevenPointShape const& shape, int more) {
    int const fields = 1 + more + (shape.is_singular() ? 1 : 0);
    return fields * shape.grid.cell_count() * static_cast<std::int64_t>(sizeof(T)) + number_bytes;
  }
  DeviceNumber<Exec> const& largest() const { return largest_; }
  bool is_cut() const { return communicator_.size() > 1; }
  Communicator const& communicator() const { return communicator_; }

  double fetch(Exec const& space, DeviceNumber<Exec> const& number) const {
    Kokkos::deep_copy(space, on_host_, number);
    compat::fence(space, "karman::iteration::fetch");
    return on_host_();
  }
  /// largest() of all processes.
  double fetch_largest(Exec const& space) const {
    double const mine = fetch(space, largest_);
    return is_cut() ? communicator_.largest(mine) : mine;
  }

  template <class V>
  void check(V const& f, char const* solver, char const* what) const {
    require_field(f, a.extents(), solver, what);
  }

  /// Runs `iterate(rhs, number, count)` until the residual is small enough; `number` is that of the first of `count`
  /// iterations. `measure(rhs)` stores max |residual| for largest().
  template <class Options, class Iterate, class Measure>
  SolveReport run(Exec const& space, Field<Exec, T> const& x, ConstField<Exec, T> const& given, Options const& options,
                  Iterate const& iterate, Measure const& measure) {
    a.right_hand_side(space, given, residual, largest_);
    double const norm = fetch_largest(space);
    double imbalance = 0;
    ConstField<Exec, T> rhs = given;
    if (a.singular()) {
      a.right_hand_side(space, given, balanced_, largest_);
      a.remove_mean(space, balanced_, mean_);
      imbalance = norm > 0 ? std::abs(fetch(space, mean_)) / norm : 0;
      rhs = balanced_;
    }
    measure(rhs);
    double const first = fetch_largest(space);
    StationaryMethod method([&](int number, int count) { iterate(rhs, number, count); },
                            [&] {
                              measure(rhs);
                              return fetch_largest(space);
                            });
    Options shared = options;
    if (is_cut()) shared.monitor = shared_monitor(options.monitor, communicator_);
    SolveReport report = run_iterations(method, shared, norm, first);
    report.imbalance = imbalance;
    if (a.singular() && has_ended(report)) a.remove_mean(space, x, mean_);
    compat::fence(space, "karman::iteration::solve");
    return report;
  }

 private:
  /// Of `largest_`, `mean_` and `on_host_`.
  static constexpr std::int64_t number_bytes = 2 * sizeof(double) + host_share<Exec>(sizeof(double));

  Communicator communicator_;
  Field<Exec, T> balanced_;
  DeviceNumber<Exec> largest_, mean_;
  Kokkos::View<double, Kokkos::HostSpace> on_host_;
  std::int64_t bytes_ = 0;
};

}  // namespace karman::detail
