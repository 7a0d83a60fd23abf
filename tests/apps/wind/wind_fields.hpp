// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Cases and fields for the tests of the wind model.
#pragma once

#include "backends.hpp"
#include "wind/model/projection.hpp"
#include "wind/model/wind_model.hpp"
#include "wind/model/zone_state.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

namespace karman::test {

/// A field on the host, in its own precision widened to double, indexed (k, j, i).
struct HostValues {
  std::array<int, 3> extents{};
  std::vector<double> values;
  double operator()(int k, int j, int i) const {
    return values[(static_cast<std::size_t>(k) * static_cast<std::size_t>(extents[1]) + static_cast<std::size_t>(j)) *
                      static_cast<std::size_t>(extents[2]) +
                  static_cast<std::size_t>(i)];
  }
  bool operator==(HostValues const&) const = default;
};

template <class T>
HostValues copy(wind::WindModel& model, wind::ModelField field, UniformGrid const& grid) {
  HostValues result;
  result.extents = extents(field, grid);
  std::size_t const count = static_cast<std::size_t>(result.extents[0]) * static_cast<std::size_t>(result.extents[1]) *
                            static_cast<std::size_t>(result.extents[2]);
  if (field == wind::ModelField::flag) {
    std::vector<std::uint8_t> raw(count);
    model.copy(field, {raw.data(), result.extents});
    result.values.assign(raw.begin(), raw.end());
  } else {
    std::vector<T> raw(count);
    model.copy(field, {raw.data(), result.extents});
    result.values.assign(raw.begin(), raw.end());
  }
  return result;
}

/// All fields of a model.
struct WindFields {
  HostValues u, v, w, lambda, flag;
  bool operator==(WindFields const&) const = default;
};

template <class T>
WindFields copy_all(wind::WindModel& model, UniformGrid const& grid) {
  using wind::ModelField;
  return {copy<T>(model, ModelField::u, grid), copy<T>(model, ModelField::v, grid), copy<T>(model, ModelField::w, grid),
          copy<T>(model, ModelField::lambda, grid), copy<T>(model, ModelField::flag, grid)};
}

/// max |div u| over fluid cells, in double from the velocities as they are.
inline double largest_divergence(WindFields const& fields, UniformGrid const& grid) {
  double largest = 0;
  for (int k = 0; k < grid.nz(); ++k) {
    for (int j = 0; j < grid.ny(); ++j) {
      for (int i = 0; i < grid.nx(); ++i) {
        if (wind::is_solid(static_cast<std::uint8_t>(fields.flag(k, j, i)))) continue;
        double const divergence = (fields.u(k, j, i + 1) - fields.u(k, j, i)) / grid.dx() +
                                  (fields.v(k, j + 1, i) - fields.v(k, j, i)) / grid.dy() +
                                  (fields.w(k + 1, j, i) - fields.w(k, j, i)) / grid.dz(k);
        largest = std::fmax(largest, std::abs(divergence));
      }
    }
  }
  return largest;
}

template <class Exec, class T>
struct WindOn {
  static constexpr wind::Precision precision = std::is_same_v<T, float> ? wind::Precision::f32 : wind::Precision::f64;
  static constexpr double tolerance = std::is_same_v<T, float> ? 1e-5 : 1e-10;

  static std::unique_ptr<wind::WindModel> make(wind::WindCase const& wind_case) {
    return wind::make_wind_model(backend_of<Exec>(), wind_case);
  }
  static wind::ProjectionEnd solve(wind::WindModel& model, wind::WindCase const& wind_case,
                                   wind::ProjectionState& state, wind::ProjectionHooks const& hooks = {}) {
    auto const& grid = wind_case.grid;
    return project(model, wind_case.solver, state, hooks, std::max({grid.nx(), grid.ny(), grid.nz()}));
  }
};

/// The fields of a case, solved to its tolerance.
template <class Exec, class T>
WindFields solved(wind::WindCase const& wind_case) {
  auto const model = WindOn<Exec, T>::make(wind_case);
  model->set_initial_field();
  wind::ProjectionState state;
  EXPECT_EQ((WindOn<Exec, T>::solve(*model, wind_case, state)), wind::ProjectionEnd::converged);
  return copy_all<T>(*model, wind_case.grid);
}

inline wind::Building block(double x, double y, double length, double width, double height, double rotation = 0,
                            double base = 0) {
  wind::Building building;
  building.x = x;
  building.y = y;
  building.length = length;
  building.width = width;
  building.height = height;
  building.rotation = rotation;
  building.base = base;
  return building;
}

/// A logarithmic wind from the west over 24 x 20 x 16 cells of 2 m.
template <class Exec, class T>
wind::WindCase small_case(std::vector<wind::Building> buildings) {
  wind::WindCase wind_case;
  wind_case.text = "{}";
  wind_case.grid = UniformGrid({24, 20, 16}, {2, 2, 2});
  wind_case.profile.speed = 5;
  wind_case.profile.height = 10;
  wind_case.profile.roughness = 0.1;
  wind_case.buildings = std::move(buildings);
  wind_case.solver.precision = WindOn<Exec, T>::precision;
  wind_case.solver.tolerance = WindOn<Exec, T>::tolerance;
  wind_case.solver.check_every = 10;
  return wind_case;
}

}  // namespace karman::test
