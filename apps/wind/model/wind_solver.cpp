// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "wind_solver.hpp"

#include "common/fields/field_copies.hpp"
#include "cut_walls.hpp"
#include "device_case.hpp"
#include "probe_kernels.hpp"
#include "ring_exchange.hpp"
#include "solver_setup.hpp"
#include "wall_law.hpp"
#include <karman/core/error.hpp>
#include <karman/core/profiling.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <string>

namespace karman::wind {
namespace {

/// The first values of a field with a ring, as many as there are own cells: memory for own values.
template <class FieldWithRing>
FieldWithRing front_of(FieldWithRing const& ringed, DomainPart const& part) {
  if (!part.is_cut()) return ringed;
  auto const extents = part.own.extents(Location::cell);
  return FieldWithRing(ringed.data(), static_cast<std::size_t>(extents[0]), static_cast<std::size_t>(extents[1]),
                       static_cast<std::size_t>(extents[2]));
}

template <class T>
struct Magnitude {
  T const* values;
  KOKKOS_FUNCTION T operator()(std::int64_t n) const { return values[n] < T(0) ? -values[n] : values[n]; }
};

}  // namespace

template <ExecutionSpace Exec, Real T>
WindSolver<Exec, T>::WindSolver(Exec const& space, WindCase const& wind_case, Communicator const& communicator)
    : space_(space),
      case_(wind_case),
      communicator_(communicator),
      part_(wind_case, communicator.size(), communicator.rank()),
      device_grid_(make_grid<T>(space, part_)),
      ground_(make_line(space, "ground", ground_of(wind_case.terrain, part_.ringed))),
      zones_(make_zones(space, wind_case, part_.ringed, ground_)),
      flag_(make_field<std::uint8_t>(space, "flag", part_.ringed.extents(Location::cell))),
      velocity_{make_field<T>(space, "u", part_.ringed.extents(Location::x_face)),
                make_field<T>(space, "v", part_.ringed.extents(Location::y_face)),
                make_field<T>(space, "w", part_.ringed.extents(Location::z_face))},
      ringed_values_(make_field<T>(space, "correction", part_.ringed.extents(Location::cell))),
      lambda_(make_field<T>(space, "lambda", part_.own.extents(Location::cell))),
      correction_(front_of(ringed_values_, part_)),
      right_hand_side_(make_field<T>(space, "right_hand_side", part_.own.extents(Location::cell))),
      divergence_before_(keeps_divergence(wind_case)
                             ? make_field<T>(space, "divergence_before", part_.own.extents(Location::cell))
                             : Field<Exec, T>()),
      reducer_(space),
      conjugate_gradients_(wind_case.solver.method == Method::mg_pcg) {
  if (part_.is_cut()) {
    int const nz = part_.own.nz();
    cell_ring_ = Exchange<Exec, T>(space_, communicator_, ring_of_cells(part_, nz));
    u_ring_ = Exchange<Exec, T>(space_, communicator_, ring_of_faces(part_, 0));
    v_ring_ = Exchange<Exec, T>(space_, communicator_, ring_of_faces(part_, 1));
    w_ring_ = Exchange<Exec, T>(space_, communicator_, ring_of_cells(part_, nz + 1));
  }
  SevenPointProblem<Exec, T> const problem = place_walls(wind_case);
  if (wind_case.solver.method == Method::sor) {
    sor_ = std::make_unique<RedBlackSor<Exec, T>>(space_, problem, SorSetup{sor_storage(wind_case), communicator_});
    omega_ = wind_case.solver.omega.value_or(sor_->optimal_omega());
  } else {
    multigrid_ = std::make_unique<Multigrid<Exec, T>>(space_, problem, multigrid_setup(communicator_));
    omega_ = multigrid_->omega();
  }
  compat::fence(space_, "karman::wind::ready");
}

template <ExecutionSpace Exec, Real T>
SevenPointProblem<Exec, T> WindSolver<Exec, T>::place_walls(WindCase const& wind_case) {
  UniformGrid const& ringed = part_.ringed;
  SevenPointProblem<Exec, T> problem(part_.own, open_above_ground(), equation_weights(alpha_));
  Kokkos::deep_copy(space_, flag_, static_cast<std::uint8_t>(CellFlag::air));
  if (cuts()) {
    if (!wind_case.terrain.empty()) mark_terrain<Exec, T>(space_, device_grid_, ground_, flag_);
    auto const faces = [&](char const* what, Location at) { return make_field<T>(space_, what, ringed.extents(at)); };
    open_ = {faces("open_u", Location::x_face), faces("open_v", Location::y_face), faces("open_w", Location::z_face)};
    auto const cells = [&](char const* what) { return faces(what, Location::cell); };
    problem.coefficients = {cells("east"),  cells("west"), cells("north"),
                            cells("south"), cells("top"),  cells("bottom")};
    DeviceSolids<Exec> const solids = make_solids(space_, plan_solids(wind_case.buildings, wind_case.grid));
    cut_walls<Exec, T>(space_, device_grid_, solids, flag_, open_, problem.coefficients, ringed_values_);
    if (part_.is_cut()) {
      Exchange<Exec, std::uint8_t> flags(space_, communicator_, ring_of_cells(part_, ringed.nz()));
      flags.exchange(space_, flag_.data());
      FaceCoefficients<Exec, T>& c = problem.coefficients;
      // One after the other, so that only one of them exists twice.
      for (Field<Exec, T>* const face : {&c.east, &c.west, &c.north, &c.south, &c.top, &c.bottom}) {
        Field<Exec, T> const own = make_field<T>(space_, "own_coefficients", part_.own.extents(Location::cell));
        copy_from_ringed<Exec, T>(space_, part_.ring, *face, own);
        compat::fence(space_, "karman::wind::own_coefficients");
        *face = own;
      }
    }
    compat::fence(space_, "karman::wind::solids");
  } else if (has_walls(wind_case)) {
    if (!wind_case.buildings.empty()) {
      DeviceSolids<Exec> const solids = make_solids(space_, plan_solids(wind_case.buildings, wind_case.grid));
      mark_solid<Exec, T>(space_, device_grid_, solids, flag_);
      compat::fence(space_, "karman::wind::solids");
    }
    if (!wind_case.terrain.empty()) mark_terrain<Exec, T>(space_, device_grid_, ground_, flag_);
    auto const walls = make_field<std::uint8_t>(space_, "walls", part_.own.extents(Location::cell));
    solid_mask<Exec>(space_, part_.ring, flag_, walls);
    problem.walls = make_wall_codes<Exec>(space_, part_.own, problem.sides, walls, communicator_);
  }
  return problem;
}

template <ExecutionSpace Exec, Real T>
void WindSolver<Exec, T>::close_cut_faces() {
  if (cuts()) close_faces<Exec, T>(space_, open_, velocity_);
}

template <ExecutionSpace Exec, Real T>
void WindSolver<Exec, T>::compute_divergence(double scale, Field<Exec, T> const& out) {
  if (cuts()) {
    divergence_of_cut_cells<Exec, T>(space_, device_grid_, flag_, open_, velocity_, scale, out);
  } else {
    divergence<Exec, T>(space_, device_grid_, flag_, velocity_, scale, out);
  }
}

template <ExecutionSpace Exec, Real T>
void WindSolver<Exec, T>::set_direction(double direction) {
  case_.profile.direction = direction;
  // First without the old zones: the announced memory holds the zones of one direction.
  zones_ = {};
  zones_ = make_zones(space_, case_, part_.ringed, ground_);
}

template <ExecutionSpace Exec, Real T>
void WindSolver<Exec, T>::set_wind(WindCase const& wind_case) {
  case_.profile = wind_case.profile;
  case_.sensors = wind_case.sensors;
  zones_ = {};
  zones_ = make_zones(space_, case_, part_.ringed, ground_);
}

template <ExecutionSpace Exec, Real T>
void WindSolver<Exec, T>::set_initial_field() {
  Kokkos::deep_copy(space_, lambda_, T(0));
  set_initial_field_keeping_lambda();
}

template <ExecutionSpace Exec, Real T>
void WindSolver<Exec, T>::apply_first_guess() {
  add_gradient_of(lambda_, {});
  if (part_.is_cut()) Kokkos::deep_copy(space_, correction_, T(0));
}

template <ExecutionSpace Exec, Real T>
void WindSolver<Exec, T>::add_gradient_of(Field<Exec, T> const& values, Field<Exec, T> const& sum) {
  if (part_.is_cut()) {
    if (sum.size() > 0) add<Exec, T>(space_, values, sum);
    copy_into_ringed<Exec, T>(space_, part_.ring, values, ringed_values_);
    cell_ring_.exchange(space_, ringed_values_.data());
    add_gradient<Exec, T>(space_, device_grid_, flag_, ringed_values_, alpha_, velocity_);
  } else {
    add_gradient<Exec, T>(space_, device_grid_, flag_, values, alpha_, velocity_, sum);
  }
  close_cut_faces();
}

template <ExecutionSpace Exec, Real T>
void WindSolver<Exec, T>::exchange_velocity() {
  if (!part_.is_cut()) return;
  u_ring_.exchange(space_, velocity_.u.data());
  v_ring_.exchange(space_, velocity_.v.data());
  w_ring_.exchange(space_, velocity_.w.data());
}

template <ExecutionSpace Exec, Real T>
void WindSolver<Exec, T>::set_initial_field_keeping_lambda() {
  Region const region("karman::wind::initial_field");
  mark_zones<Exec, T>(space_, device_grid_, zones_, flag_);
  set_initial_velocity<Exec, T>(space_, device_grid_, zones_, flag_, velocity_);
  close_cut_faces();
  Kokkos::deep_copy(space_, correction_, T(0));
  if (divergence_before_.size() > 0) Kokkos::deep_copy(space_, divergence_before_, T(0));
  // The time of the run's parts is measured: this work is not the solve's.
  compat::fence(space_, "karman::wind::initial_field");
}

template <ExecutionSpace Exec, Real T>
double WindSolver<Exec, T>::update_divergence() {
  compute_divergence(right_hand_side_factor(), right_hand_side_);
  T const largest = reducer_.reduce(space_, static_cast<std::int64_t>(right_hand_side_.size()),
                                    Magnitude<T>{right_hand_side_.data()}, MaxOf<T>{});
  return communicator_.largest(static_cast<double>(largest)) / std::abs(right_hand_side_factor());
}

template <ExecutionSpace Exec, Real T>
void WindSolver<Exec, T>::keep_divergence_before() {
  if (divergence_before_.size() == 0) return;
  compute_divergence(1, divergence_before_);
  compat::fence(space_, "karman::wind::divergence_before");
}

template <ExecutionSpace Exec, Real T>
void WindSolver<Exec, T>::begin_pass() {
  Kokkos::deep_copy(space_, correction_, T(0));
  resume_pass();
}

template <ExecutionSpace Exec, Real T>
void WindSolver<Exec, T>::resume_pass() {
  sor_->load(space_, correction_, right_hand_side_);
}

template <ExecutionSpace Exec, Real T>
void WindSolver<Exec, T>::iterate(int count) {
  sor_->iterate(space_, count, omega_);
}

template <ExecutionSpace Exec, Real T>
double WindSolver<Exec, T>::remaining_divergence() {
  return sor_->residual(space_) / std::abs(right_hand_side_factor());
}

template <ExecutionSpace Exec, Real T>
void WindSolver<Exec, T>::store_correction() {
  if (sor_) {
    sor_->store(space_, correction_);
  } else {
    // Between whole passes the correction is zero. They do not read it, so it is cleared here alone.
    Kokkos::deep_copy(space_, correction_, T(0));
  }
}

template <ExecutionSpace Exec, Real T>
void WindSolver<Exec, T>::end_pass() {
  // With several processes the correction goes to the memory of the right-hand side, which the pass needs no longer.
  Field<Exec, T> const found = part_.is_cut() ? right_hand_side_ : correction_;
  if (sor_) sor_->store(space_, found);
  else if (part_.is_cut()) Kokkos::deep_copy(space_, found, correction_);
  add_gradient_of(found, lambda_);
}

template <ExecutionSpace Exec, Real T>
WholePassEnd WindSolver<Exec, T>::solve_pass(WholePass const& pass) {
  MultigridOptions options;
  options.tolerance = pass.target / pass.start;
  options.first_iteration = pass.first_iteration;
  options.max_iterations = pass.last_iteration;
  options.conjugate_gradients = conjugate_gradients_;
  options.zero_guess = true;
  if (pass.checked) {
    options.monitor = [&](ResidualSample const& sample) {
      return sample.iteration == pass.first_iteration || pass.checked(sample.iteration, sample.residual * pass.start);
    };
  }
  SolveReport const report = multigrid_->solve(space_, correction_, ConstField<Exec, T>(right_hand_side_), options);
  // Residuals are relative to the right-hand side, and so to the divergence at the start. False for NaN.
  bool const gained = report.residual < 1;
  if (!report.stopped && gained) end_pass();
  return report.stopped ? WholePassEnd::stopped : WholePassEnd::done;
}

template <ExecutionSpace Exec, Real T>
void WindSolver<Exec, T>::apply_wall_law() {
  wind::apply_wall_law<Exec, T>(space_, device_grid_, flag_, case_.parameterisations.wall_roughness, velocity_,
                                part_.is_cut() ? ringed_values_ : right_hand_side_);
  close_cut_faces();
  exchange_velocity();
}

template <ExecutionSpace Exec, Real T>
Field<Exec, T> WindSolver<Exec, T>::real_field(ModelField field) {
  switch (field) {
    case ModelField::u: return velocity_.u;
    case ModelField::v: return velocity_.v;
    case ModelField::w: return velocity_.w;
    case ModelField::lambda: return lambda_;
    case ModelField::correction: return correction_;
    case ModelField::divergence_before:
      require(keeps_divergence(case_), "the divergence of the initial field is kept for output alone");
      return divergence_before_;
    case ModelField::divergence: compute_divergence(1, right_hand_side_); return right_hand_side_;
    case ModelField::open_u: return open_.u;
    case ModelField::open_v: return open_.v;
    case ModelField::open_w: return open_.w;
    case ModelField::flag: break;
  }
  require(false, "the cell flags are not a field of reals");
  return {};
}

template <ExecutionSpace Exec, Real T>
bool WindSolver<Exec, T>::has_ring(ModelField field) {
  switch (field) {
    case ModelField::lambda:
    case ModelField::correction:
    case ModelField::divergence_before:
    case ModelField::divergence: return false;
    default: return true;
  }
}

template <ExecutionSpace Exec, Real T>
Field<Exec, T> WindSolver<Exec, T>::own_field(ModelField field) {
  Field<Exec, T> const all = real_field(field);
  if (!part_.is_cut() || !has_ring(field)) return all;
  Field<Exec, T> const own = make_field<T>(space_, "own_values", extents(field, part_.own));
  copy_from_ringed<Exec, T>(space_, part_.ring, all, own);
  return own;
}

template <ExecutionSpace Exec, Real T>
void WindSolver<Exec, T>::copy(ModelField field, MutableArray const& destination) {
  if (field != ModelField::flag) {
    app::download(space_, own_field(field), destination);
  } else if (part_.is_cut()) {
    auto const own = make_field<std::uint8_t>(space_, "own_flags", part_.own.extents(Location::cell));
    copy_from_ringed<Exec, std::uint8_t>(space_, part_.ring, flag_, own);
    app::download(space_, own, destination);
  } else {
    app::download(space_, flag_, destination);
  }
}

template <ExecutionSpace Exec, Real T>
void WindSolver<Exec, T>::copy_cell_velocity(Axis component, MutableArray const& destination) {
  auto const axis = static_cast<std::size_t>(component);
  std::array<Field<Exec, T>, 3> const faces{velocity_.u, velocity_.v, velocity_.w};
  average_to_centers<Exec, T>(space_, part_.ring, static_cast<int>(axis), faces[axis], right_hand_side_);
  app::download(space_, right_hand_side_, destination);
}

template <ExecutionSpace Exec, Real T>
void WindSolver<Exec, T>::copy_lambda_slice(Watch const& slice, MutableArray const& destination) {
  store_correction();
  auto const axis = static_cast<std::size_t>(slice.axis);
  // Rows and columns of the slice, by axis.
  std::size_t const rows = slice.axis == Axis::z ? 1 : 2, columns = slice.axis == Axis::x ? 1 : 0;
  auto const count = [&](Box const& box, std::size_t a) { return static_cast<std::size_t>(box.end[a] - box.begin[a]); };
  Box const own = part_.own.own_box();
  auto const make_plane = [&](Box const& box) {
    return Plane<Exec, T>(Kokkos::view_alloc(space_, Kokkos::WithoutInitializing, "karman::wind::slice"),
                          count(box, rows), count(box, columns));
  };
  auto const is_in = [&](Box const& box) { return slice.index >= box.begin[axis] && slice.index < box.end[axis]; };
  std::vector<T> values;
  if (is_in(own)) {
    Plane<Exec, T> const plane = make_plane(own);
    add_on_slice<Exec, T>(space_, static_cast<int>(axis), slice.index - own.begin[axis], lambda_, correction_, plane);
    if (!part_.is_cut()) return app::download(space_, plane, destination);
    values.resize(plane.size());
    app::download(space_, plane, MutableArray(values.data(), {count(own, rows), count(own, columns)}));
  }
  UniformGrid const& whole = case_.grid;
  std::size_t const width = count(whole.own_box(), columns);
  require(destination.type == scalar_type_of<T>() && destination.extents.rank() == 2 &&
              destination.extents[0] == count(whole.own_box(), rows) && destination.extents[1] == width,
          "copy_lambda_slice: expected the extents of the slice and the precision of the case");
  auto const all = communicator_.all_gather_arrays(std::span<T const>(values));
  T* const target = static_cast<T*>(destination.data);
  for (std::size_t rank = 0; rank < all.size(); ++rank) {
    Box const box = part_.boxes.box(static_cast<int>(rank));
    if (!is_in(box)) continue;
    for (std::size_t row = 0; row < count(box, rows); ++row) {
      auto const from = all[rank].begin() + static_cast<std::ptrdiff_t>(row * count(box, columns));
      std::size_t const first_row = static_cast<std::size_t>(box.begin[rows]);
      std::copy_n(from, count(box, columns),
                  target + (first_row + row) * width + static_cast<std::size_t>(box.begin[columns]));
    }
  }
}

template <ExecutionSpace Exec, Real T>
void WindSolver<Exec, T>::sample_velocity(std::span<VelocitySample const> samples,
                                          std::span<std::array<double, 3>> velocity) {
  require(samples.size() == velocity.size(), "sample_velocity: expected one velocity per sample");
  if (samples.empty()) return;
  auto const sample = [&](std::span<VelocitySample const> here, std::array<double, 3>* found) {
    auto const records = make_line<Exec, VelocitySample>(space_, "samples", here);
    SampledVelocity<Exec> const sampled(
        Kokkos::view_alloc(space_, Kokkos::WithoutInitializing, "karman::wind::sampled_velocity"), here.size());
    wind::sample_velocity<Exec, T>(space_, records, flag_, velocity_, sampled);
    app::download(space_, sampled, MutableArray(found->data(), {here.size(), std::size_t{3}}));
  };
  if (!part_.is_cut()) return sample(samples, velocity.data());
  struct Found {
    std::size_t number;
    std::array<double, 3> velocity;
  };
  Box const own = part_.own.own_box(), ringed = part_.ringed.own_box();
  std::vector<Found> mine;
  std::vector<VelocitySample> here;
  for (std::size_t n = 0; n < samples.size(); ++n) {
    VelocitySample at = samples[n];
    if (at.i < own.begin[0] || at.i >= own.end[0] || at.j < own.begin[1] || at.j >= own.end[1]) continue;
    at.i -= ringed.begin[0];
    at.j -= ringed.begin[1];
    at.center_i -= ringed.begin[0];
    at.center_j -= ringed.begin[1];
    here.push_back(at);
    mine.push_back({n, {}});
  }
  std::vector<std::array<double, 3>> found(here.size());
  if (!here.empty()) sample(here, found.data());
  for (std::size_t n = 0; n < mine.size(); ++n) mine[n].velocity = found[n];
  for (auto const& part : communicator_.all_gather_arrays(std::span<Found const>(mine))) {
    for (Found const& one : part) velocity[one.number] = one.velocity;
  }
}

template <ExecutionSpace Exec, Real T>
void WindSolver<Exec, T>::restore(ModelField field, ConstArray const& source) {
  require(field != ModelField::flag && field != ModelField::divergence,
          "restore: flag and divergence are computed, not restored");
  Field<Exec, T> const target = real_field(field);
  if (!part_.is_cut() || !has_ring(field)) return app::upload(space_, source, target);
  Field<Exec, T> const own = make_field<T>(space_, "own_values", extents(field, part_.own));
  app::upload(space_, source, own);
  copy_into_ringed<Exec, T>(space_, part_.ring, own, target);
  exchange_velocity();
  compat::fence(space_, "karman::wind::restore");
}

template <ExecutionSpace Exec, Real T>
std::optional<std::array<int, 3>> WindSolver<Exec, T>::find_not_finite(ModelField field) {
  std::array<int, 3> const own = extents(field, part_.own), whole = extents(field, case_.grid);
  std::array<int, 2> const ring = has_ring(field) ? part_.ring : std::array{0, 0};
  std::int64_t const first = first_not_finite<Exec, T>(space_, ring, own, real_field(field));
  // In the storage order of the whole field, its number of values for none.
  std::int64_t const nx = whole[2], ny = whole[1], size = whole[0] * ny * nx;
  std::int64_t mine = size;
  if (first < std::int64_t{own[0]} * own[1] * own[2]) {
    Box const box = part_.own.own_box();
    std::int64_t const j = first / own[2] % own[1], i = first % own[2];
    mine = (first / own[2] / own[1] * ny + box.begin[1] + j) * nx + box.begin[0] + i;
  }
  std::vector<std::int64_t> const all = communicator_.all_gather(mine);
  std::int64_t const least = *std::min_element(all.begin(), all.end());
  if (least >= size) return std::nullopt;
  return std::array{static_cast<int>(least / nx / ny), static_cast<int>(least / nx % ny), static_cast<int>(least % nx)};
}

std::unique_ptr<WindModel> make_wind_model(Backend backend, WindCase const& wind_case,
                                           Communicator const& communicator) {
  return dispatch(backend, [&](auto const& space) -> std::unique_ptr<WindModel> {
    using Exec = std::decay_t<decltype(space)>;
    if (wind_case.solver.precision == Precision::f32)
      return std::make_unique<WindSolver<Exec, float>>(space, wind_case, communicator);
    return std::make_unique<WindSolver<Exec, double>>(space, wind_case, communicator);
  });
}

#define KARMAN_INSTANTIATE(Exec)          \
  template class WindSolver<Exec, float>; \
  template class WindSolver<Exec, double>;
KARMAN_FOR_EACH_BACKEND(KARMAN_INSTANTIATE)
#undef KARMAN_INSTANTIATE

}  // namespace karman::wind
