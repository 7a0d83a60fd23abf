// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <karman/core/compat.hpp>
#include <karman/core/error.hpp>
#include <karman/core/profiling.hpp>
#include <karman/solvers/adi.hpp>
#include <karman/solvers/detail/adi_lines.hpp>
#include <karman/solvers/detail/box_modes.hpp>
#include <karman/solvers/detail/field_checks.hpp>
#include <karman/solvers/detail/steady_frame.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>

namespace karman {

namespace {

/// Largest sum of the magnitudes in a row of one axis, and its smallest open face relative to the weight of the axis.
template <class Exec, class T>
std::array<double, 2> axis_bounds(Exec const& space, detail::SevenPointCells<Exec, T> const& cells, int axis) {
  // The last index is the fast one on every backend.
  using Order = Kokkos::Rank<3, Kokkos::Iterate::Right, Kokkos::Iterate::Right>;
  using Policy = Kokkos::MDRangePolicy<Exec, Order, Kokkos::IndexType<std::int64_t>>;
  auto const& frame = cells.frame();
  int const n = axis == 0 ? frame.nx : axis == 1 ? frame.ny : frame.nz;
  double largest = 0;
  double smallest = 0;
  Kokkos::parallel_reduce(
      "karman::adi::bounds", Policy(space, {0, 0, 0}, {frame.nz, frame.ny, frame.nx}),
      KOKKOS_LAMBDA(int k, int j, int i, double& most, double& least) {
        auto const c = cells(k, j, i);
        auto const w = cells.frame().weights(k);
        int const at = axis == 0 ? i : axis == 1 ? j : k;
        double row = static_cast<double>(c.own(axis));
        for (int side = 0; side < 2; ++side) {
          double const face = static_cast<double>(c.face[2 * axis + side]);
          T const weight = axis == 0 ? w.x : axis == 1 ? w.y : side == 0 ? w.up : w.down;
          bool const inside = cells.periodic[axis] || at != (side == 0 ? n - 1 : 0);
          if (inside) row += face;
          double const open = face / static_cast<double>(weight);
          if (open > 0 && open < least) least = open;
        }
        if (row > most) most = row;
      },
      Kokkos::Max<double>(largest), Kokkos::Min<double>(smallest));
  return {largest, smallest};
}

/// The largest |product of (r - x) / (r + x)| over [a, b]: what a cycle leaves of an error in one axis.
double left_by_cycle(std::vector<double> const& parameters, double a, double b) {
  double largest = 0;
  constexpr int points = 400;
  for (int n = 0; n <= points; ++n) {
    double const x = a * std::pow(b / a, double(n) / points);
    double product = 1;
    for (double r : parameters) product *= (r - x) / (r + x);
    largest = std::max(largest, std::abs(product));
  }
  return largest;
}

/// As few parameters as reduce the error a thousandfold in a cycle: more of them gain little an iteration.
std::vector<double> cycle_for(double a, double b) {
  constexpr int most = 16;
  for (int count = 1;; ++count) {
    auto parameters = wachspress_parameters(a, b, count);
    double const left = left_by_cycle(parameters, a, b);
    if (left * left <= 1e-3 || count == most) return parameters;
  }
}

}  // namespace

std::vector<double> wachspress_parameters(double a, double b, int count) {
  require(a > 0 && a <= b && std::isfinite(b), "wachspress_parameters: 0 < a <= b must hold");
  require(count >= 1, "wachspress_parameters: at least one parameter is needed");
  // dn(u, k) by the arithmetic-geometric mean, Abramowitz and Stegun 16.4, with k' = a / b. Of the mean with (1, k', k)
  // K = pi / (2 mean), so that u is an angle's share of K.
  double const complement = a / b;
  std::vector<double> means{1}, differences{std::sqrt(1 - complement * complement)};
  double lower = complement;
  while (differences.back() > 1e-16 * means.back()) {
    double const mean = 0.5 * (means.back() + lower);
    differences.push_back(0.5 * (means.back() - lower));
    lower = std::sqrt(means.back() * lower);
    means.push_back(mean);
  }
  std::vector<double> parameters;
  for (int j = 1; j <= count; ++j) {
    constexpr double quarter = 0.5 * std::numbers::pi;  // K of the last, circular mean
    double angle = std::ldexp(quarter * (2 * j - 1) / (2 * count), static_cast<int>(means.size()) - 1);
    for (std::size_t n = means.size() - 1; n > 0; --n) {
      angle = 0.5 * (angle + std::asin(differences[n] / means[n] * std::sin(angle)));
    }
    double const cosine = std::cos(angle), sine = std::sin(angle);
    parameters.push_back(b * std::sqrt(cosine * cosine + complement * complement * sine * sine));
  }
  return parameters;
}

template <ExecutionSpace Exec, Real T>
struct Adi<Exec, T>::State : detail::SteadyFrame<Exec, T> {
  detail::AdiLines<Exec, T> lines;
  std::array<double, 2> bounds{};
  std::vector<double> parameters;

  State(Exec const& space, SevenPoint<Exec, T> const& a)
      : detail::SteadyFrame<Exec, T>(space, a, "karman::adi"), lines(space, a, "karman::adi") {
    find_bounds(space);
    double const lowest = bounds[0], highest = bounds[1];
    if (lines.dimensions() == 1) {
      // A direct solve; where the matrix is singular, one that leaves a thousandth of the error.
      parameters = {a.singular() ? 1e-3 * lowest : 0.0};
    } else if (lowest > 0 && lowest <= highest) {
      parameters = cycle_for(lowest, highest);
    } else {
      parameters = {1.0};  // no open face: every parameter leaves a zero residual zero
    }
  }

  void find_bounds(Exec const& space) {
    auto const& a = this->a;
    UniformGrid const& grid = a.grid();
    std::array<int, 3> const cells{grid.nx(), grid.ny(), grid.nz()};
    double const mean_dz = (grid.z_face(grid.nz()) - grid.z_face(0)) / grid.nz();
    std::array<double, 3> const spacing{grid.dx(), grid.dy(), mean_dz};
    bounds = {HUGE_VAL, 0};
    for (std::size_t axis = 0; axis < 3; ++axis) {
      if (a.axis_is_absent(static_cast<int>(axis))) continue;
      auto const [largest, open] = axis_bounds(space, a.cells(), static_cast<int>(axis));
      double const mode =
          detail::smallest_eigenvalue(cells[axis], spacing[axis], a.opening(static_cast<Side>(2 * axis)),
                                      a.opening(static_cast<Side>(2 * axis + 1)), a.setup().periodic[axis])
              .after_constant;
      bounds[1] = std::max(bounds[1], largest);
      if (largest > 0) bounds[0] = std::min(bounds[0], a.setup().weights[axis] * mode * open);
    }
    if (!std::isfinite(bounds[0])) bounds[0] = 0;
    bounds[0] = std::min(bounds[0], bounds[1]);
  }

  void correct(Exec const& space, Field<Exec, T> const& lambda, double r) const {
    if (lines.dimensions() == 1) {
      lines.step(space, lambda, this->residual, r, 1, 1);
    } else {
      lines.step(space, lambda, this->residual, 1, 1 / r, 2 / r);
    }
  }

  void require_parameter(double r) const {
    require(std::isfinite(r) && (r > 0 || (r == 0 && lines.dimensions() == 1)),
            "Adi: a parameter must be positive, or zero in one dimension");
  }
};

template <ExecutionSpace Exec, Real T>
Adi<Exec, T>::Adi(Exec const& space, SevenPoint<Exec, T> const& a) {
  Region const region("karman::adi::plan");
  state_ = std::make_unique<State>(space, a);
  compat::fence(space, "karman::adi::plan");
}
template <ExecutionSpace Exec, Real T>
Adi<Exec, T>::Adi(Adi&&) noexcept = default;
template <ExecutionSpace Exec, Real T>
Adi<Exec, T>& Adi<Exec, T>::operator=(Adi&&) noexcept = default;
template <ExecutionSpace Exec, Real T>
Adi<Exec, T>::~Adi() = default;

template <ExecutionSpace Exec, Real T>
void Adi<Exec, T>::iterate(Exec const& space, Field<Exec, T> const& lambda, ConstField<Exec, T> const& rhs, double r) {
  State& s = *state_;
  s.check(lambda, "Adi", "lambda");
  s.check(rhs, "Adi", "rhs");
  s.require_parameter(r);
  s.lines.rate(space, lambda, rhs.data(), -1, s.residual, nullptr);
  s.correct(space, lambda, r);
}

template <ExecutionSpace Exec, Real T>
SolveReport Adi<Exec, T>::solve(Exec const& space, Field<Exec, T> const& lambda, ConstField<Exec, T> const& rhs,
                                AdiOptions const& options) {
  Region const region("karman::adi::solve");
  State& s = *state_;
  detail::require_iteration_options(options, "AdiOptions");
  s.check(lambda, "Adi", "lambda");
  s.check(rhs, "Adi", "rhs");
  auto const& cycle = options.parameters.empty() ? s.parameters : options.parameters;
  for (double r : cycle) s.require_parameter(r);
  auto const measure = [&](ConstField<Exec, T> const& b) {
    s.lines.rate(space, lambda, b.data(), -1, s.residual, s.largest().data());
  };
  return s.run(
      space, lambda, rhs, options,
      [&](ConstField<Exec, T> const& b, int number, int count) {
        for (int n = 0; n < count; ++n) {
          if (n > 0) measure(b);  // the first residual is there already
          s.correct(space, lambda, cycle[static_cast<std::size_t>(number + n) % cycle.size()]);
        }
      },
      measure);
}

template <ExecutionSpace Exec, Real T>
std::array<double, 2> Adi<Exec, T>::eigenvalue_bounds() const {
  return state_->bounds;
}

template <ExecutionSpace Exec, Real T>
std::vector<double> const& Adi<Exec, T>::parameters() const {
  return state_->parameters;
}

template <ExecutionSpace Exec, Real T>
std::int64_t Adi<Exec, T>::workspace_bytes() const {
  return state_->bytes() + state_->lines.bytes();
}

template <ExecutionSpace Exec, Real T>
struct HeatAdi<Exec, T>::State {
  detail::AdiLines<Exec, T> lines;
  std::array<int, 3> extents;
  Field<Exec, T> d;
  State(Exec const& space, SevenPoint<Exec, T> const& a)
      : lines(space, a, "karman::heat"),
        extents(a.extents()),
        d(Kokkos::view_alloc(space, std::string("karman::heat::change")), extents[0], extents[1], extents[2]) {}
};

template <ExecutionSpace Exec, Real T>
HeatAdi<Exec, T>::HeatAdi(Exec const& space, SevenPoint<Exec, T> const& a) {
  Region const region("karman::heat::plan");
  state_ = std::make_unique<State>(space, a);
  compat::fence(space, "karman::heat::plan");
}
template <ExecutionSpace Exec, Real T>
HeatAdi<Exec, T>::HeatAdi(HeatAdi&&) noexcept = default;
template <ExecutionSpace Exec, Real T>
HeatAdi<Exec, T>& HeatAdi<Exec, T>::operator=(HeatAdi&&) noexcept = default;
template <ExecutionSpace Exec, Real T>
HeatAdi<Exec, T>::~HeatAdi() = default;

template <ExecutionSpace Exec, Real T>
void HeatAdi<Exec, T>::step(Exec const& space, double dt, Field<Exec, T> const& u, ConstField<Exec, T> const& source) {
  Region const region("karman::heat::step");
  State const& s = *state_;
  require(dt > 0 && std::isfinite(dt), "HeatAdi: dt must be positive and finite");
  detail::require_field(u, s.extents, "HeatAdi", "u");
  bool const has_source = source.size() != 0;
  if (has_source) detail::require_field(source, s.extents, "HeatAdi", "source");
  s.lines.rate(space, u, has_source ? source.data() : u.data(), has_source ? 1 : 0, s.d, nullptr);
  s.lines.step(space, u, s.d, 1, 0.5 * dt, dt);
}

template <ExecutionSpace Exec, Real T>
std::int64_t HeatAdi<Exec, T>::workspace_bytes() const {
  return static_cast<std::int64_t>(state_->d.size() * sizeof(T)) + state_->lines.bytes();
}

#define KARMAN_INSTANTIATE(Exec)       \
  template class Adi<Exec, float>;     \
  template class Adi<Exec, double>;    \
  template class HeatAdi<Exec, float>; \
  template class HeatAdi<Exec, double>;
KARMAN_FOR_EACH_BACKEND(KARMAN_INSTANTIATE)
#undef KARMAN_INSTANTIATE

}  // namespace karman
