// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Heat by alternating directions.
#include "common/fields/field_copies.hpp"
#include "device_system.hpp"
#include "time_model.hpp"
#include <karman/core/compat.hpp>
#include <karman/solvers/grid/adi.hpp>

#include <algorithm>
#include <limits>
#include <numeric>

namespace karman::poisson {
namespace {

/// The boundary values of the steady system are in its b; their term in dT/dt is -b.
template <ExecutionSpace Exec, Real T>
class HeatModel final : public TimeModel {
 public:
  HeatModel(Exec const& space, HeatCase const& heat_case, LinearSystem const& steady)
      : system_(space, with_source(steady)),
        operator_(space, system_.problem, {.communicator = steady.communicator}),
        plan_(space, operator_),
        dt_(heat_case.step),
        has_source_(steady.largest_b > 0),
        inflow_(closed(steady) ? -steady.communicator.sum(std::accumulate(steady.b.begin(), steady.b.end(), 0.0)) *
                                     (steady.grid.nz() * steady.grid.dz(0)) / double(steady.whole.cell_count())
                               : std::numeric_limits<double>::quiet_NaN()) {}

  void set(ConstArray const& values) override { app::upload(system_.space, values, system_.solution); }

  void advance(double) override {
    if (has_source_) {
      plan_.step(system_.space, system_.solution, ConstField<Exec, T>(system_.right_hand_side), dt_);
    } else {
      plan_.step(system_.space, system_.solution, {}, dt_);
    }
  }

  double inflow() const override { return inflow_; }

  void copy(MutableArray const& values) override { app::download(system_.space, system_.solution, values); }

  std::int64_t memory_bytes() const override {
    return system_.bytes() + operator_.workspace_bytes() + plan_.workspace_bytes();
  }

  std::string algorithm() const override { return "alternating directions"; }

 private:
  static LinearSystem with_source(LinearSystem system) {
    for (double& value : system.b) value = -value;
    return system;
  }

  static bool closed(LinearSystem const& system) {
    return std::find(system.sides.begin(), system.sides.end(), Boundary::dirichlet) == system.sides.end();
  }

  DeviceSystem<Exec, T> system_;
  SevenPoint<Exec, T> operator_;
  HeatAdi<Exec, T> plan_;
  double dt_;
  bool has_source_;
  double inflow_;
};

template <ExecutionSpace Exec, Real T>
std::int64_t bytes_of_heat(Exec const& space, SystemShape const& shape) {
  SevenPointShape const whole = equation_shape(shape);
  SystemShape of_part = shape;
  of_part.grid = largest_part(shape);
  // Ghosts, their indices and messages along the cuts.
  constexpr std::int64_t values_along_cuts = 10;
  return DeviceSystem<Exec, T>::bytes(of_part) + SevenPoint<Exec, T>::workspace_bytes(equation_shape(of_part)) +
         values_along_cuts * cells_at_cuts(shape) * static_cast<std::int64_t>(sizeof(T)) +
         (shape.boxes ? HeatAdi<Exec, T>::workspace_bytes(space, whole, *shape.boxes)
                      : HeatAdi<Exec, T>::workspace_bytes(space, whole));
}

}  // namespace

std::int64_t heat_model_bytes(Backend backend, HeatCase const& heat_case, int processes) {
  SystemShape const shape = shape_of(heat_case.steady, processes);
  return dispatch(backend, [&](auto const& space) {
    using Exec = std::decay_t<decltype(space)>;
    return heat_case.precision == Precision::f32 ? bytes_of_heat<Exec, float>(space, shape)
                                                 : bytes_of_heat<Exec, double>(space, shape);
  });
}

std::unique_ptr<TimeModel> make_heat_model(Backend backend, HeatCase const& heat_case, LinearSystem const& steady) {
  return dispatch(backend, [&](auto const& space) -> std::unique_ptr<TimeModel> {
    using Exec = std::decay_t<decltype(space)>;
    if (heat_case.precision == Precision::f32)
      return std::make_unique<HeatModel<Exec, float>>(space, heat_case, steady);
    return std::make_unique<HeatModel<Exec, double>>(space, heat_case, steady);
  });
}

}  // namespace karman::poisson
