// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Vertical diffusion: one tridiagonal system per column and step, factored once.
#include "column_terms.hpp"
#include "common/fields/field_copies.hpp"
#include "common/fields/field_loops.hpp"
#include <karman/core/backend.hpp>
#include <karman/core/compat.hpp>
#include <karman/core/host_copy.hpp>
#include <karman/core/types.hpp>
#include <karman/solvers/tridiagonal/tridiagonal.hpp>

namespace karman::poisson {
namespace {

/// Coefficients of all cells: arrays, or one profile that all columns share (strides 0 in y and x).
template <ExecutionSpace Exec, Real T>
using ColumnView = Kokkos::View<T const***, Kokkos::LayoutStride, typename Exec::memory_space,
                                Kokkos::MemoryTraits<Kokkos::Unmanaged>>;

/// rhs = q + weight * L q, with L of ColumnCoefficients without the terms of the ends.
template <ExecutionSpace Exec, Real T>
void explicit_part(Exec const& space, Field<Exec, T> const& q, ColumnView<Exec, T> const& low,
                   ColumnView<Exec, T> const& high, double weight, Field<Exec, T> const& rhs) {
  std::int64_t const nz = static_cast<std::int64_t>(q.extent(0));
  T const w = static_cast<T>(weight);
  Kokkos::parallel_for(
      "karman::poisson::column_explicit", app::cells_of(space, q),
      KOKKOS_LAMBDA(std::int64_t k, std::int64_t j, std::int64_t i) {
        T const here = q(k, j, i);
        T const below = k > 0 ? q(k - 1, j, i) : T(0);
        T const above = k < nz - 1 ? q(k + 1, j, i) : T(0);
        rhs(k, j, i) = here + w * (low(k, j, i) * (below - here) + high(k, j, i) * (above - here));
      });
}

/// Adds the terms of an end to its layer.
template <ExecutionSpace Exec, Real T>
void add_plane(Exec const& space, Plane<Exec, T> const& terms, std::int64_t layer, Field<Exec, T> const& rhs) {
  Kokkos::parallel_for(
      "karman::poisson::column_end", app::cells_of_plane(space, terms),
      KOKKOS_LAMBDA(std::int64_t j, std::int64_t i) { rhs(layer, j, i) += terms(j, i); });
}

template <ExecutionSpace Exec, Real T>
class ColumnModel final : public TimeModel {
  using Values = Kokkos::View<T*, typename Exec::memory_space>;

 public:
  ColumnModel(Exec const& space, Case const& input, ColumnCase const& column_case)
      : ColumnModel(space, input, column_case, column_coefficients(input, column_case)) {}

  void set(ConstArray const& values) override { app::upload(space_, values, q_); }

  void advance(double time) override {
    if (ground_.update(time)) copy_to_device(space_, ground_.values(), ground_plane_);
    if (top_.update(time)) copy_to_device(space_, top_.values(), top_plane_);
    Field<Exec, T> target = q_;
    if (theta_ < 1) {
      explicit_part<Exec, T>(space_, q_, low_, high_, dt_ * (1 - theta_), rhs_);
      target = rhs_;
    }
    add_plane<Exec, T>(space_, ground_plane_, 0, target);
    add_plane<Exec, T>(space_, top_plane_, static_cast<std::int64_t>(q_.extent(0)) - 1, target);
    plan_.solve(space_, target, q_);
  }

  double inflow() const override { return ground_.mean_flux() + top_.mean_flux(); }

  void copy(MutableArray const& values) override { app::download(space_, q_, values); }

  std::int64_t memory_bytes() const override {
    auto const values = q_.size() + rhs_.size() + 2 * low_values_.size() + 2 * ground_plane_.size();
    return static_cast<std::int64_t>(values * sizeof(T)) + plan_.workspace_bytes();
  }

  std::string algorithm() const override { return "tridiagonal, " + std::string(name(plan_.algorithm())); }

 private:
  ColumnModel(Exec const& space, Case const& input, ColumnCase const& column_case,
              ColumnCoefficients const& coefficients)
      : space_(space),
        dt_(column_case.step),
        theta_(column_case.theta),
        ground_(input, column_case, coefficients, false),
        top_(input, column_case, coefficients, true),
        q_(field(column_case.grid, "karman::poisson::column_q")),
        low_values_(upload(coefficients.low)),
        high_values_(upload(coefficients.high)),
        ground_plane_(Kokkos::view_alloc(space_, std::string("karman::poisson::column_ground")), q_.extent(1),
                      q_.extent(2)),
        top_plane_(Kokkos::view_alloc(space_, std::string("karman::poisson::column_top")), q_.extent(1), q_.extent(2)),
        plan_(space_, TridiagonalShape::along(
                          0, {static_cast<std::int64_t>(q_.extent(0)), static_cast<std::int64_t>(q_.extent(1)),
                              static_cast<std::int64_t>(q_.extent(2))})) {
    if (theta_ < 1) rhs_ = field(column_case.grid, "karman::poisson::column_rhs");
    low_ = view(low_values_, coefficients.shared);
    high_ = view(high_values_, coefficients.shared);
    factor(coefficients);
    compat::fence(space_, "karman::poisson::column_ready");
  }

  Field<Exec, T> field(UniformGrid const& grid, std::string const& label) const {
    return Field<Exec, T>(Kokkos::view_alloc(space_, Kokkos::WithoutInitializing, label),
                          static_cast<std::size_t>(grid.nz()), static_cast<std::size_t>(grid.ny()),
                          static_cast<std::size_t>(grid.nx()));
  }

  Values upload(CellValues const& values) const {
    return device_copy<T>(space_, values, "karman::poisson::column_coefficients");
  }

  ColumnView<Exec, T> view(Values const& values, bool shared) const {
    std::size_t const nz = q_.extent(0), ny = q_.extent(1), nx = q_.extent(2);
    Kokkos::LayoutStride const layout =
        shared ? Kokkos::LayoutStride(nz, 1, ny, 0, nx, 0) : Kokkos::LayoutStride(nz, ny * nx, ny, nx, nx, 1);
    return ColumnView<Exec, T>(values.data(), layout);
  }

  /// 1 - theta dt L, computed in double precision and rounded once.
  void factor(ColumnCoefficients const& coefficients) {
    double const weight = theta_ * dt_;
    CellValues lower = coefficients.low, diagonal = coefficients.low, upper = coefficients.high;
    for (std::size_t n = 0; n < diagonal.size(); ++n) {
      diagonal[n] = 1 + weight * (coefficients.low[n] + coefficients.high[n]);
      lower[n] *= -weight;
      upper[n] *= -weight;
    }
    Values const l = upload(lower), d = upload(diagonal), u = upload(upper);
    if (coefficients.shared) {
      plan_.factor(space_, l, d, u);
    } else {
      auto const whole = [&](Values const& values) {
        return Field<Exec, T>(values.data(), q_.extent(0), q_.extent(1), q_.extent(2));
      };
      plan_.factor(space_, whole(l), whole(d), whole(u));
    }
    // Waits: the copies of the factors are made asynchronously.
    compat::fence(space_, "karman::poisson::column_factor");
  }

  Exec space_;
  double dt_, theta_;
  EndTerms ground_, top_;
  Field<Exec, T> q_, rhs_;
  Values low_values_, high_values_;
  ColumnView<Exec, T> low_, high_;
  Plane<Exec, T> ground_plane_, top_plane_;
  Tridiagonal<Exec, T> plan_;
};

/// Bytes of the members of ColumnModel.
template <ExecutionSpace Exec, Real T>
std::int64_t bytes_of_columns(Exec const& space, ColumnCase const& column_case, UniformGrid const& part) {
  Quantity const& diffusivity = column_case.diffusivity;
  bool const shared = !diffusivity.depends_on('x') && !diffusivity.depends_on('y');
  std::int64_t const fields = column_case.theta < 1 ? 2 : 1, planes = 2;
  std::int64_t const nx = part.nx(), ny = part.ny(), nz = part.nz();
  // Two coefficients, three matrices, and three factors of these.
  constexpr std::int64_t coefficients = 8;
  std::int64_t const values =
      fields * part.cell_count() + planes * nx * ny + coefficients * (shared ? nz : part.cell_count());
  return values * static_cast<std::int64_t>(sizeof(T)) +
         Tridiagonal<Exec, T>::workspace_bytes(space, TridiagonalShape::along(0, {nz, ny, nx}));
}

}  // namespace

std::int64_t column_model_bytes(Backend backend, ColumnCase const& column_case, int processes) {
  UniformGrid const part = largest_part(shape_of(column_case, processes));
  return dispatch(backend, [&](auto const& space) {
    using Exec = std::decay_t<decltype(space)>;
    return column_case.precision == Precision::f32 ? bytes_of_columns<Exec, float>(space, column_case, part)
                                                   : bytes_of_columns<Exec, double>(space, column_case, part);
  });
}

std::unique_ptr<TimeModel> make_column_model(Backend backend, Case const& input, ColumnCase const& column_case) {
  return dispatch(backend, [&](auto const& space) -> std::unique_ptr<TimeModel> {
    using Exec = std::decay_t<decltype(space)>;
    if (column_case.precision == Precision::f32)
      return std::make_unique<ColumnModel<Exec, float>>(space, input, column_case);
    return std::make_unique<ColumnModel<Exec, double>>(space, input, column_case);
  });
}

}  // namespace karman::poisson
