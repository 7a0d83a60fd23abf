// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "base/repeat_kernels.hpp"
#include "fused_plane.hpp"
#include "mode_passes.hpp"
#include "mode_sums.hpp"
#include "plane_transform.hpp"
#include "point_passes.hpp"
#include "random_forcing.hpp"
#include "time/runge_kutta_tables.hpp"
#include "time/step_clock.hpp"
#include "time/step_rules.hpp"
#include "vorticity_stages.hpp"
#include <karman/core/compat.hpp>
#include <karman/core/error.hpp>
#include <karman/core/host_copy.hpp>
#include <karman/core/profiling.hpp>
#include <karman/solvers/spectral/vorticity_solver.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <span>
#include <string>
#include <utility>
#include <variant>

namespace karman {

namespace {

using detail::ClockAction;
using detail::ClockNumbers;
using detail::FigureSums;
using detail::SpectralGrid;

void require_setup(VorticitySetup const& setup) {
  auto const bound = [](double value, double least, bool strict, std::string const& what) {
    require(std::isfinite(value) && (strict ? value > least : value >= least),
            "VorticitySetup: " + what + (strict ? " must be above 0" : " must be at least 0") + ", it is " +
                std::to_string(value));
  };
  for (int const n : setup.points) {
    require(n >= 4 && n <= 32768, "VorticitySetup: points must lie between 4 and 32768, one is " + std::to_string(n));
  }
  for (double const length : setup.lengths) bound(length, 0, true, "a length");
  VorticityTerms const& terms = setup.terms;
  bound(terms.viscosity, 0, false, "viscosity");
  bound(terms.friction, 0, false, "friction");
  bound(terms.hypoviscosity, 0, false, "hypoviscosity");
  require(std::isfinite(terms.beta), "VorticitySetup: beta must be finite");
  for (int const order : {terms.viscosity_order, terms.hypoviscosity_order}) {
    require(order >= 1 && order <= 16,
            "VorticitySetup: orders must lie between 1 and 16, one is " + std::to_string(order));
  }
}

std::span<detail::LowStorageStage const> stages_of(VorticityMethod method) {
  if (stages(method) == 5) return detail::low_storage_rk54_stages;
  return detail::low_storage_rk3_stages;
}

bool is_implicit(VorticityMethod method) {
  return method == VorticityMethod::crank_nicolson_rk54 || method == VorticityMethod::crank_nicolson_rk3;
}

/// Spectra of the half plane beside that of the vorticity.
int work_spectra(VorticityMethod method) { return method == VorticityMethod::etdrk4 ? 7 : 1; }

/// The order that a solver takes. On a device fused passes, where lines suit them. Columns pay where a plane is larger
/// than its cache and a third of the columns holds no mode (docs/vorticity.md, "Cost").
template <ExecutionSpace Exec, Real T>
SpectralOrder order_of(VorticitySetup const& setup) {
  bool const suits = detail::FusedPlane<Exec, T>::suits(setup.points);
  require(
      setup.order != SpectralOrder::fused || suits,
      "VorticitySetup: SpectralOrder::fused needs 2^m or 3 * 2^m points along each axis, from 16 to 2048, they are " +
          std::to_string(setup.points[0]) + " and " + std::to_string(setup.points[1]));
  if (setup.order != SpectralOrder::automatic) return setup.order;
  if (runs_on_host<Exec>) return SpectralOrder::rows;
  if (suits) return SpectralOrder::fused;
  constexpr std::int64_t least_bytes = 36 << 20;
  bool const drops = setup.dealiasing == Dealiasing::circular || setup.dealiasing == Dealiasing::square;
  std::int64_t const bytes = std::int64_t(sizeof(Kokkos::complex<T>)) * setup.points[0] * setup.points[1];
  return drops && bytes >= least_bytes ? SpectralOrder::columns : SpectralOrder::rows;
}

/// The grid of that order.
template <ExecutionSpace Exec, Real T>
SpectralGrid grid_of(VorticitySetup const& setup) {
  return SpectralGrid(setup, order_of<Exec, T>(setup) != SpectralOrder::rows);
}

/// Shells of the kept modes, from 0, and the modes of each.
struct Shells {
  std::vector<int> begin, modes;
  double lowest = 0;  ///< wavenumber of shell 1
};

Shells shells_of(SpectralGrid const& grid) {
  Shells shells;
  shells.lowest = std::min(grid.kx1, grid.ky1);
  std::vector<std::pair<int, int>> found;
  int most = 0;
  for (int j = 0; j < grid.ny; ++j) {
    for (int i = 0; i < grid.half(); ++i) {
      if (!grid.keeps(j, i)) continue;
      int const shell = static_cast<int>(std::hypot(grid.kx(i), grid.ky(j)) / shells.lowest + 0.5);
      most = std::max(most, shell);
      found.push_back({shell, j * grid.half() + i});
    }
  }
  shells.begin.assign(static_cast<std::size_t>(most) + 2, 0);
  for (auto const& [shell, place] : found) ++shells.begin[static_cast<std::size_t>(shell) + 1];
  for (std::size_t s = 1; s < shells.begin.size(); ++s) shells.begin[s] += shells.begin[s - 1];
  auto at = shells.begin;
  shells.modes.resize(found.size());
  for (auto const& [shell, place] : found) {
    shells.modes[static_cast<std::size_t>(at[static_cast<std::size_t>(shell)]++)] = place;
  }
  return shells;
}

/// Numbers of kept modes and of shells of shells_of(), without a list of them.
struct ShellCounts {
  std::int64_t modes = 0, shells = 0;
};

ShellCounts count_shells(SpectralGrid const& grid) {
  double const lowest = std::min(grid.kx1, grid.ky1);
  ShellCounts counts;
  int most = 0;
  for (int j = 0; j < grid.ny; ++j) {
    // A row keeps its modes up to some column; the mean is not kept.
    int kept = j == 0 ? 0 : -1, dropped = grid.half();
    while (dropped - kept > 1) {
      int const middle = kept + (dropped - kept) / 2;
      (grid.keeps(j, middle) ? kept : dropped) = middle;
    }
    counts.modes += j == 0 ? kept : kept + 1;
    if (kept >= 0) most = std::max(most, static_cast<int>(std::hypot(grid.kx(kept), grid.ky(j)) / lowest + 0.5));
  }
  counts.shells = most + 1;
  return counts;
}

/// Kept modes of the ring, one of each pair of opposite ones.
std::vector<int> ring_of(SpectralGrid const& grid, RandomForcing const& forcing) {
  std::vector<int> modes;
  for (int j = 0; j < grid.ny; ++j) {
    for (int i = 0; i < grid.half(); ++i) {
      if ((i == 0 && grid.opposite_row(j) < j) || !grid.keeps(j, i)) continue;
      double const k = std::hypot(grid.kx(i), grid.ky(j));
      // Rounding of the width does not decide about modes on the rim.
      if (std::abs(k - forcing.wavenumber) <= forcing.width / 2 * (1 + 1e-12)) modes.push_back(j * grid.half() + i);
    }
  }
  return modes;
}

}  // namespace

template <ExecutionSpace Exec, Real T>
struct VorticitySolver<Exec, T>::State {
  using N = ClockNumbers;
  using Memory = typename Exec::memory_space;
  using Complex = Kokkos::complex<T>;
  using Numbers = Kokkos::View<double*, Memory>;
  using Integers = Kokkos::View<int*, Memory>;
  using Range = Kokkos::RangePolicy<Exec>;

  VorticitySetup setup;
  using Modes = Kokkos::View<Complex*, Memory>;  ///< half plane in the order of the grid

  SpectralGrid grid;
  std::variant<detail::PlaneTransform<Exec, T>, detail::FusedPlane<Exec, T>> plane;  ///< u + i v, or its square
  Modes w;                                                                           ///< the vorticity
  std::array<Modes, 7> work;                                                         ///< of the method
  Modes forcing = Modes();                                                           ///< empty: none
  RandomForcing random = {};                                                         ///< energy_rate 0: none
  Integers ring = Integers(), shell_begin, modes;  ///< modes of the random forcing and of the shells
  int ring_columns = 0;                            ///< first ones of the half plane, with all modes of the ring
  double lowest;                                   ///< wavenumber of shell 1
  Numbers numbers, line_sums, sums;                ///< of the clock; per line or shell; totals
  Numbers added;                                   ///< energy and enstrophy by random forcing; dt of coefficients
  StepControl control = {};
  detail::RepeatedKernels<Exec> repeated;  ///< the steps
  bool started = false;

  State(Exec const& space, VorticitySetup const& setup_)
      : setup(checked(setup_)),
        grid(grid_of<Exec, T>(setup)),
        plane(plane_of(space, setup, grid)),
        w(half_plane(space, "karman::vorticity::spectrum")) {
    for (int n = 0; n < work_spectra(setup.method); ++n) {
      work[static_cast<std::size_t>(n)] = half_plane(space, "karman::vorticity::work");
    }
    auto const shells = shells_of(grid);
    lowest = shells.lowest;
    shell_begin = device_copy(space, shells.begin, "karman::vorticity::shell_begin");
    modes = device_copy(space, shells.modes, "karman::vorticity::shell_modes");
    auto const doubles = [&](char const* label, std::size_t n) {
      return Numbers(Kokkos::view_alloc(space, std::string(label)), n);
    };
    numbers = doubles("karman::vorticity::numbers", N::count);
    line_sums = doubles("karman::vorticity::line_sums", sum_places(grid, shells.begin.size() - 1));
    sums = doubles("karman::vorticity::sums", FigureSums::count);
    added = doubles("karman::vorticity::added", 3);
  }

  static VorticitySetup const& checked(VorticitySetup const& setup) {
    require_setup(setup);
    return setup;
  }

  static decltype(plane) plane_of(Exec const& space, VorticitySetup const& setup, SpectralGrid const& grid) {
    if (order_of<Exec, T>(setup) == SpectralOrder::fused) return detail::FusedPlane<Exec, T>(space, grid);
    return detail::PlaneTransform<Exec, T>(space, grid, {setup.planning});
  }

  static std::size_t sum_places(SpectralGrid const& grid, std::size_t shells) {
    return std::max(static_cast<std::size_t>(grid.lines()) * FigureSums::count,
                    shells * detail::SumShell<Exec, T>::count);
  }

  std::size_t points(std::size_t axis) const { return static_cast<std::size_t>(setup.points[axis]); }
  std::int64_t point_count() const { return std::int64_t(setup.points[0]) * setup.points[1]; }
  T scale() const { return static_cast<T>(1 / static_cast<double>(point_count())); }

  Modes half_plane(Exec const& space, char const* label) const {
    return Modes(Kokkos::view_alloc(space, std::string(label)), static_cast<std::size_t>(grid.half_size()));
  }

  double* number(N::Place place) const { return numbers.data() + place; }

  void run_clock(Exec const& space, ClockAction action, double given = 0) const {
    Kokkos::Array<double, N::most_stages> const unused{};
    Kokkos::parallel_for("karman::vorticity::clock", Range(space, 0, 1),
                         detail::StepClock{numbers.data(), control, unused, 0, false, action, given});
  }

  /// use(plane)
  template <class Use>
  void with_plane(Use const& use) const {
    std::visit(use, plane);
  }

  template <class Visit>
  void stage(Exec const& space, Visit const& visit) const {
    with_plane([&](auto const& p) { p.change_modes(space, "karman::vorticity::stage", visit); });
  }

  /// u + i v of the vorticity, in spectral space, where every step begins.
  void prepare(Exec const& space) const {
    with_plane(
        [&](auto const& p) { p.give_modes(space, "karman::vorticity::velocity", detail::GiveVelocity<T>{w.data()}); });
  }

  /// body(point, value) with the real field of a spectrum in the real parts.
  template <class Body>
  void vorticity_at_points(Exec const& space, char const* label, Body const& body) const {
    with_plane([&](auto const& p) {
      p.give_modes(space, "karman::vorticity::real", detail::GiveVorticity<T>{w.data()});
      p.take_points(space, label, body);
    });
  }

  /// Modes of values at the points.
  void transform(Exec const& space, ConstPlane<Exec, T> const& values, Modes const& to) const {
    with_plane([&](auto const& p) {
      p.give_points(space, "karman::vorticity::set_points", detail::SetReal<T>{values.data()});
      p.take_modes(space, "karman::vorticity::take_modes", detail::TakeReal<T>{to.data(), scale()});
    });
  }

  /// From u + i v in spectral space to the transform of its square.
  void square(Exec const& space, bool with_rate) const {
    auto const over = [&](std::size_t axis) { return static_cast<T>(setup.points[axis] / setup.lengths[axis]); };
    detail::SquareVelocityAndRate<T> const both{over(0), over(1), number(N::rate)};
    with_plane([&](auto const& p) {
      if (with_rate) p.change_points(space, "karman::vorticity::square_and_rate", both);
      else p.change_points(space, "karman::vorticity::square", detail::SquareVelocity<T>{});
    });
  }

  detail::StageInput<T> input() const { return {scale(), setup.terms, forcing.data(), number(N::dt)}; }

  template <bool implicit>
  void low_storage_step(Exec const& space) const {
    auto const all = stages_of(setup.method);
    for (std::size_t s = 0; s < all.size(); ++s) {
      bool const first = s == 0, last = s + 1 == all.size();
      square(space, first && control.cfl > 0);
      if (first) run_clock(space, ClockAction::begin);
      double const part = (last ? 1 : all[s + 1].time) - all[s].time;
      stage(space, detail::LowStorageMode<T, implicit>{input(), w.data(), work[0].data(), grid, all[s].keep, all[s].add,
                                                       part, first, last});
    }
  }

  void etd_step(Exec const& space) const {
    detail::EtdCoefficients<T> const coefficients{work[3].data(), work[4].data(), work[5].data(), work[6].data()};
    double* const dt_of_coefficients = added.data() + 2;
    for (int s = 0; s < 4; ++s) {
      square(space, s == 0 && control.cfl > 0);
      if (s == 0) {
        run_clock(space, ClockAction::begin);
        Kokkos::parallel_for(
            "karman::vorticity::coefficients",
            Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::int64_t>>(space, 0, grid.half_size()),
            detail::FillEtdCoefficients<T>{grid, setup.terms, coefficients, number(N::dt), dt_of_coefficients});
        Kokkos::parallel_for("karman::vorticity::keep_dt", Range(space, 0, 1),
                             detail::KeepEtdStep{number(N::dt), dt_of_coefficients});
      }
      stage(space, detail::EtdMode<T>{input(), w.data(), work[0].data(), work[1].data(), work[2].data(), coefficients,
                                      grid, s});
    }
  }

  void kick(Exec const& space) const {
    using Kernel = detail::KickModes<Exec, T>;
    auto const count = static_cast<int>(ring.extent(0));
    bool const single = random.modes == RandomModes::single;
    auto const* const library = std::get_if<detail::PlaneTransform<Exec, T>>(&plane);
    Kokkos::parallel_for("karman::vorticity::kick", typename Kernel::Policy(space, 1, Kernel::threads),
                         Kernel{grid,
                                w.data(),
                                {library != nullptr ? library->modes() : nullptr},
                                ring.data(),
                                count,
                                single,
                                random.energy_rate / (single ? 1 : count),
                                setup.terms,
                                random.seed,
                                number(N::dt),
                                number(N::steps),
                                added.data()});
    if (library != nullptr) return;
    std::get<detail::FusedPlane<Exec, T>>(plane).give_first_columns(space, "karman::vorticity::velocity",
                                                                    detail::GiveVelocity<T>{w.data()}, ring_columns);
  }

  void step(Exec const& space) const {
    if (setup.method == VorticityMethod::etdrk4) etd_step(space);
    else if (is_implicit(setup.method)) low_storage_step<true>(space);
    else low_storage_step<false>(space);
    if (random.energy_rate > 0) kick(space);
  }

  void begin_run(Exec const& space, double time, StepControl const& rules) {
    control = rules;
    started = true;
    run_clock(space, ClockAction::reset, time);
    Kokkos::deep_copy(space, added, 0.0);
    prepare(space);
  }

  void require_rules(StepControl const& rules) const {
    detail::require_control(rules);
    double const most = largest_cfl(setup);
    require(rules.cfl <= most, "VorticitySolver: cfl " + std::to_string(rules.cfl) + " is beyond the stability limit " +
                                   std::to_string(most) + " of " + std::string(name(setup.method)) + " with " +
                                   std::string(name(setup.dealiasing)) + " dealiasing");
  }

  void check_started() const { require(started, "VorticitySolver: call start() first"); }

  template <class Values>
  void check_points(Values const& values, char const* what) const {
    require(values.extent(0) == points(1) && values.extent(1) == points(0),
            std::string("VorticitySolver: ") + what + " has " + std::to_string(values.extent(0)) + " rows of " +
                std::to_string(values.extent(1)) + " points, expected " + std::to_string(points(1)) + " of " +
                std::to_string(points(0)));
  }

  void check_modes(ConstSpectrum const& modes) const {
    auto const rows = points(1), length = static_cast<std::size_t>(grid.half());
    require(modes.extent(0) == rows && modes.extent(1) == length,
            "VorticitySolver: the spectrum has " + std::to_string(modes.extent(0)) + " rows of " +
                std::to_string(modes.extent(1)) + " modes, expected " + std::to_string(rows) + " of " +
                std::to_string(length));
  }

  void copy_modes(Exec const& space, Complex const* from, Complex* to, bool to_rows) const {
    Kokkos::parallel_for(
        "karman::vorticity::copy_modes",
        Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::int64_t>>(space, 0, std::int64_t(grid.ny) * grid.half()),
        detail::CopyModes<T>{grid, from, to, to_rows});
  }

  VorticityMoment moment(std::vector<double> const& clock, std::vector<double> const& by_forcing) const {
    return {static_cast<std::int64_t>(clock[N::steps]), clock[N::moments], clock[N::wanted], by_forcing[0],
            by_forcing[1]};
  }
};

template <ExecutionSpace Exec, Real T>
VorticitySolver<Exec, T>::VorticitySolver(Exec const& space, VorticitySetup const& setup) {
  Region const region("karman::vorticity::plan");
  state_ = {"VorticitySolver", std::make_unique<State>(space, setup)};
  compat::fence(space, "karman::vorticity::plan");
}

template <ExecutionSpace Exec, Real T>
void VorticitySolver<Exec, T>::set_forcing(Exec const& space, ConstPlane<Exec, T> const& forcing) {
  Region const region("karman::vorticity::set_forcing");
  State& s = *state_;
  s.forcing = typename State::Modes();
  if (forcing.data() == nullptr) return;
  s.check_points(forcing, "forcing");
  s.forcing = s.half_plane(space, "karman::vorticity::forcing");
  s.transform(space, forcing, s.forcing);
  if (s.started) s.prepare(space);
  compat::fence(space, "karman::vorticity::set_forcing");
}

template <ExecutionSpace Exec, Real T>
void VorticitySolver<Exec, T>::set_random_forcing(Exec const& space, RandomForcing const& forcing) {
  Region const region("karman::vorticity::set_random_forcing");
  State& s = *state_;
  for (double const value : {forcing.wavenumber, forcing.width, forcing.energy_rate}) {
    require(std::isfinite(value) && value >= 0, "RandomForcing: numbers must be at least 0");
  }
  auto const modes = ring_of(s.grid, forcing);
  require(forcing.energy_rate == 0 || !modes.empty(), "VorticitySolver: no kept mode has a wavenumber within " +
                                                          std::to_string(forcing.width / 2) + " of " +
                                                          std::to_string(forcing.wavenumber));
  s.random = forcing;
  s.ring = device_copy(space, modes, "karman::vorticity::ring");
  s.ring_columns = 0;
  for (int const mode : modes) s.ring_columns = std::max(s.ring_columns, mode % s.grid.half() + 1);
}

template <ExecutionSpace Exec, Real T>
void VorticitySolver<Exec, T>::start(Exec const& space, ConstPlane<Exec, T> const& vorticity, double time,
                                     StepControl const& control) {
  Region const region("karman::vorticity::start");
  State& s = *state_;
  s.check_points(vorticity, "vorticity");
  require(std::isfinite(time), "VorticitySolver: the time of start() must be finite");
  s.require_rules(control);
  s.transform(space, vorticity, s.w);
  s.begin_run(space, time, control);
  compat::fence(space, "karman::vorticity::start");
}

template <ExecutionSpace Exec, Real T>
void VorticitySolver<Exec, T>::restart(Exec const& space, ConstSpectrum const& spectrum, VorticityMoment const& moment,
                                       StepControl const& control) {
  Region const region("karman::vorticity::restart");
  State& s = *state_;
  s.check_modes(spectrum);
  require(std::isfinite(moment.time), "VorticitySolver: the time of restart() must be finite");
  s.require_rules(control);
  s.copy_modes(space, spectrum.data(), s.w.data(), false);
  s.begin_run(space, moment.time, control);
  auto clock = host_copy(space, s.numbers);
  clock[ClockNumbers::steps] = static_cast<double>(moment.steps);
  clock[ClockNumbers::wanted] = moment.dt;
  copy_to_device(space, clock, s.numbers);
  copy_to_device(space, std::array{moment.injected_energy, moment.injected_enstrophy, 0.0}, s.added);
}

template <ExecutionSpace Exec, Real T>
void VorticitySolver<Exec, T>::set_end(Exec const& space, double end) {
  State& s = *state_;
  s.check_started();
  require(!std::isnan(end), "VorticitySolver: the end time must be a number");
  s.run_clock(space, ClockAction::move_end, end);
}

template <ExecutionSpace Exec, Real T>
void VorticitySolver<Exec, T>::set_dt_max(double dt_max) {
  State& s = *state_;
  s.check_started();
  StepControl control = s.control;
  control.dt_max = dt_max;
  s.require_rules(control);
  s.control = control;
}

template <ExecutionSpace Exec, Real T>
void VorticitySolver<Exec, T>::step(Exec const& space, int count) {
  Region const region("karman::vorticity::step");
  State& s = *state_;
  s.check_started();
  require(count >= 0, "VorticitySolver: the number of steps must not be negative, it is " + std::to_string(count));
  s.repeated.run(space, count, [&] { s.step(space); });
}

template <ExecutionSpace Exec, Real T>
VorticityFigures VorticitySolver<Exec, T>::figures(Exec const& space) {
  Region const region("karman::vorticity::figures");
  using N = ClockNumbers;
  using F = FigureSums;
  State& s = *state_;
  s.check_started();
  s.run_clock(space, ClockAction::settle);
  using Line = detail::SumLine<Exec, T>;
  using Lines = detail::SumLines<Exec>;
  Kokkos::parallel_for("karman::vorticity::sum_line", typename Line::Policy(space, s.grid.lines(), Line::threads),
                       Line{s.grid, s.setup.terms, s.w.data(), s.forcing.data(), s.line_sums.data()});
  Kokkos::parallel_for("karman::vorticity::sum_lines", typename Lines::Policy(space, F::count, Lines::threads),
                       Lines{s.line_sums.data(), s.grid.lines(), s.sums.data()});
  auto const sums = host_copy(space, s.sums);
  auto const clock = host_copy(space, s.numbers);
  VorticityFigures figures;
  figures.moment = s.moment(clock, host_copy(space, s.added));
  figures.energy = sums[F::energy];
  figures.enstrophy = sums[F::enstrophy];
  figures.palinstrophy = sums[F::palinstrophy];
  figures.lowest_energy = sums[F::lowest_energy];
  double const friction = 2 * s.setup.terms.friction;
  figures.viscosity = {sums[F::viscous_energy], sums[F::viscous_enstrophy]};
  figures.friction = {friction * figures.energy, friction * figures.enstrophy};
  figures.hypoviscosity = {sums[F::hypoviscous_energy], sums[F::hypoviscous_enstrophy]};
  figures.forcing = {sums[F::forced_energy], sums[F::forced_enstrophy]};
  figures.rate = clock[N::last_rate];
  figures.finished = clock[N::moments] >= clock[N::end];
  figures.breakdown = detail::breakdown_of(clock[N::trouble]);
  if (!std::isfinite(figures.enstrophy)) figures.breakdown = "a value is not a number";
  return figures;
}

template <ExecutionSpace Exec, Real T>
VorticitySpectra VorticitySolver<Exec, T>::spectra(Exec const& space) {
  Region const region("karman::vorticity::spectra");
  State& s = *state_;
  s.check_started();
  s.run_clock(space, ClockAction::settle);
  s.square(space, false);
  s.with_plane([&](auto const& p) {
    p.take_modes(space, "karman::vorticity::keep_term", detail::KeepNonlinearTerm<T>{s.work[0].data(), s.scale()});
  });
  s.prepare(space);
  using Shell = detail::SumShell<Exec, T>;
  std::size_t const shells = s.shell_begin.extent(0) - 1;
  Kokkos::parallel_for(
      "karman::vorticity::sum_shell", typename Shell::Policy(space, static_cast<int>(shells), Shell::threads),
      Shell{s.grid, s.w.data(), s.work[0].data(), s.shell_begin.data(), s.modes.data(), s.line_sums.data()});
  auto const sums = host_copy(space, s.line_sums);
  VorticitySpectra spectra;
  double energy_flux = 0, enstrophy_flux = 0;
  for (std::size_t n = 0; n < shells; ++n) {
    double const* const own = sums.data() + n * Shell::count;
    spectra.wavenumber.push_back(s.lowest * static_cast<double>(n));
    spectra.energy.push_back(own[0]);
    spectra.enstrophy.push_back(own[1]);
    spectra.energy_transfer.push_back(own[2]);
    spectra.enstrophy_transfer.push_back(own[3]);
    spectra.energy_flux.push_back(energy_flux -= own[2]);
    spectra.enstrophy_flux.push_back(enstrophy_flux -= own[3]);
  }
  return spectra;
}

template <ExecutionSpace Exec, Real T>
void VorticitySolver<Exec, T>::histogram(Exec const& space, double largest, std::vector<std::int64_t>& counts) {
  Region const region("karman::vorticity::histogram");
  State& s = *state_;
  s.check_started();
  require(std::isfinite(largest) && largest > 0, "VorticitySolver: largest must be above 0");
  require(!counts.empty(), "VorticitySolver: counts must have at least one interval");
  Kokkos::View<long long*, typename Exec::memory_space> const found(
      Kokkos::view_alloc(space, std::string("karman::vorticity::counts")), counts.size());
  s.vorticity_at_points(space, "karman::vorticity::count",
                        detail::CountValues<T>{largest, static_cast<int>(counts.size()), found.data()});
  s.prepare(space);
  counts = host_copy<std::int64_t>(space, found);
}

template <ExecutionSpace Exec, Real T>
void VorticitySolver<Exec, T>::copy_vorticity(Exec const& space, Plane<Exec, T> const& vorticity) {
  Region const region("karman::vorticity::copy_vorticity");
  State& s = *state_;
  s.check_started();
  s.check_points(vorticity, "vorticity");
  s.vorticity_at_points(space, "karman::vorticity::split", detail::SplitParts<T>{vorticity.data(), nullptr});
  s.prepare(space);
}

template <ExecutionSpace Exec, Real T>
void VorticitySolver<Exec, T>::copy_velocity(Exec const& space, Plane<Exec, T> const& u, Plane<Exec, T> const& v) {
  Region const region("karman::vorticity::copy_velocity");
  State& s = *state_;
  s.check_started();
  s.check_points(u, "u");
  s.check_points(v, "v");
  s.with_plane([&](auto const& p) {
    p.take_points(space, "karman::vorticity::split", detail::SplitParts<T>{u.data(), v.data()});
  });
  s.prepare(space);
}

template <ExecutionSpace Exec, Real T>
void VorticitySolver<Exec, T>::copy_spectrum(Exec const& space, Spectrum const& spectrum) const {
  Region const region("karman::vorticity::copy_spectrum");
  State const& s = *state_;
  s.check_started();
  s.check_modes(spectrum);
  s.copy_modes(space, s.w.data(), spectrum.data(), true);
}

template <ExecutionSpace Exec, Real T>
VorticitySetup const& VorticitySolver<Exec, T>::setup() const {
  return state_->setup;
}

template <ExecutionSpace Exec, Real T>
std::int64_t VorticitySolver<Exec, T>::workspace_bytes() const {
  State const& s = *state_;
  return workspace_bytes(s.setup) + static_cast<std::int64_t>(s.forcing.size() * sizeof(Kokkos::complex<T>)) +
         static_cast<std::int64_t>(s.ring.size() * sizeof(int));
}

template <ExecutionSpace Exec, Real T>
std::int64_t VorticitySolver<Exec, T>::workspace_bytes(VorticitySetup const& setup) {
  require_setup(setup);
  SpectralGrid const grid = grid_of<Exec, T>(setup);
  ShellCounts const counts = count_shells(grid);
  std::int64_t const complex = sizeof(Kokkos::complex<T>);
  std::int64_t const fields = complex * grid.half_size() * (1 + work_spectra(setup.method));
  std::int64_t const integers = counts.shells + 1 + counts.modes;
  auto const doubles = static_cast<std::int64_t>(State::sum_places(grid, static_cast<std::size_t>(counts.shells))) +
                       ClockNumbers::count + FigureSums::count + 3;
  return fields + integers * static_cast<std::int64_t>(sizeof(int)) +
         doubles * static_cast<std::int64_t>(sizeof(double)) +
         (order_of<Exec, T>(setup) == SpectralOrder::fused ? detail::FusedPlane<Exec, T>::workspace_bytes(grid)
                                                           : detail::PlaneTransform<Exec, T>::workspace_bytes(grid));
}

#define KARMAN_INSTANTIATE(Exec)               \
  template class VorticitySolver<Exec, float>; \
  template class VorticitySolver<Exec, double>;
KARMAN_FOR_EACH_BACKEND(KARMAN_INSTANTIATE)
#undef KARMAN_INSTANTIATE

}  // namespace karman
