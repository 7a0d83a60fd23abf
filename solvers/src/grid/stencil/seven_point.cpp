// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "base/view_array.hpp"
#include "box_modes.hpp"
#include "common/device_numbers.hpp"
#include "common/host_share.hpp"
#include "cut_planes.hpp"
#include "problem_checks.hpp"
#include "problem_part.hpp"
#include "seven_point_sweep.hpp"
#include <karman/core/compat.hpp>
#include <karman/core/error.hpp>
#include <karman/core/exchange.hpp>
#include <karman/core/host_copy.hpp>
#include <karman/core/profiling.hpp>
#include <karman/solvers/grid/seven_point.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

namespace karman {

namespace {

/// Makes the last index the fast one on every backend; the default of a device is the first.
template <class Exec, unsigned rank = 3>
using Cells = Kokkos::MDRangePolicy<Exec, Kokkos::Rank<rank, Kokkos::Iterate::Right, Kokkos::Iterate::Right>,
                                    Kokkos::IndexType<std::int64_t>>;

/// Per row: true if the cells 1 to nx - 2 have equal codes.
template <class Exec>
void mark_uniform_rows(Exec const& space, WallCodes<Exec> const& codes,
                       Kokkos::View<std::uint8_t*, typename Exec::memory_space> const& uniform) {
  auto const ny = static_cast<std::int64_t>(codes.extent(1));
  auto const nx = static_cast<std::int64_t>(codes.extent(2));
  Kokkos::parallel_for(
      "karman::seven_point::uniform_rows",
      Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::int64_t>>(space, 0, static_cast<std::int64_t>(uniform.size())),
      KOKKOS_LAMBDA(std::int64_t row) {
        bool same = true;
        for (std::int64_t i = 2; i < nx - 1; ++i)
          same = same && codes(row / ny, row % ny, i) == codes(row / ny, row % ny, 1);
        uniform(row) = same ? 1 : 0;
      });
}

/// The largest excess of the diagonal over the sum of the faces, relative to the diagonal.
template <class Exec, class T>
double largest_excess(Exec const& space, detail::SevenPointCells<Exec, T> const& cells) {
  double largest = 0;
  Kokkos::parallel_reduce(
      "karman::seven_point::excess",
      Cells<Exec>(space, {0, 0, 0}, {cells.frame().nz, cells.frame().ny, cells.frame().nx}),
      KOKKOS_LAMBDA(int k, int j, int i, double& value) {
        auto const c = cells(k, j, i);
        double const excess = std::fabs(static_cast<double>(c.excess[0] + c.excess[1] + c.excess[2]));
        double const own = static_cast<double>(c.own());
        if (own > 0 && excess / own > value) value = excess / own;
      },
      Kokkos::Max<double>(largest));
  return largest;
}

template <class Exec, class T>
void copy_plane(Exec const& space, ConstPlane<Exec, T> const& from, Plane<Exec, T> const& to) {
  Kokkos::parallel_for(
      "karman::seven_point::boundary_values",
      Cells<Exec, 2>(space, {0, 0}, {static_cast<std::int64_t>(to.extent(0)), static_cast<std::int64_t>(to.extent(1))}),
      KOKKOS_LAMBDA(std::int64_t slow, std::int64_t fast) { to(slow, fast) = from(slow, fast); });
}

/// Subtracts sum / volume from every cell with an equation, and writes it to `mean`.
template <class Exec, class T>
void subtract_mean(Exec const& space, detail::SevenPointCells<Exec, T> const& cells, Field<Exec, T> const& field,
                   DeviceNumber<Exec> const& sum, double inverse_volume, DeviceNumber<Exec> const& mean) {
  Kokkos::parallel_for(
      "karman::seven_point::subtract_mean",
      Cells<Exec>(space, {0, 0, 0}, {cells.frame().nz, cells.frame().ny, cells.frame().nx}),
      KOKKOS_LAMBDA(int k, int j, int i) {
        double const average = sum() * inverse_volume;
        if (cells(k, j, i).own() != T(0)) field(k, j, i) -= static_cast<T>(average);
        if (k == 0 && j == 0 && i == 0) mean() = average;
      });
}

/// Coefficients that a process gives for its cells.
struct GivenCoefficients {
  CoefficientForm form;
  bool own_weights, has_cells;
};

/// Coefficients of all processes. A part without cells has none to give. Throws, in all processes, where they differ.
/// Collective with more than one process.
GivenCoefficients given_in_all(Communicator const& communicator, SevenPointShape const& shape) {
  GivenCoefficients const mine{shape.form, shape.own_weights, shape.grid.cell_count() > 0};
  if (communicator.size() == 1) return mine;
  auto const all = communicator.all_gather(mine);
  auto const first = std::find_if(all.begin(), all.end(), [](auto const& one) { return one.has_cells; });
  for (GivenCoefficients const& one : all) {
    require(
        !one.has_cells || (one.form == first->form && one.own_weights == first->own_weights),
        "SevenPoint: all processes must give coefficients of the same form (sides, walls, or arrays with or without "
        "own weights), found two");
  }
  return *first;
}

}  // namespace

template <ExecutionSpace Exec, Real T>
struct SevenPoint<Exec, T>::State {
  template <class V>
  using Array = Kokkos::View<V*, typename Exec::memory_space>;

  SevenPointProblem<Exec, T> problem;
  UniformGrid const& grid = problem.grid;
  detail::ProblemPart part;
  std::array<double, 6> openings{};  ///< of the sides of the whole grid
  std::array<bool, 3> absent{};
  bool is_singular = false;
  double inverse_volume = 0;
  std::int64_t bytes = 0;

  detail::SevenPointCells<Exec, T> cells;
  Array<detail::LayerFaceWeights<T>> layers;
  Array<std::uint8_t> uniform_rows;
  Array<double> layer_weight;
  Array<T> zeros;
  detail::ViewArray<Plane<Exec, T>, 6> beyond;
  Array<double> partials;
  Kokkos::View<int, typename Exec::memory_space> arrivals;
  DeviceNumber<Exec> sum, largest;
  Kokkos::View<double, Kokkos::HostSpace> on_host;
  /// Cells of neighbouring processes. The constant apply() fills them, as it does `partials`.
  detail::CutPlanes cut_planes;
  Array<T> adjacent_cells;
  mutable Exchange<Exec, T> halo;

  State(SevenPointProblem<Exec, T> const& problem_, detail::ProblemPart const& part_)
      : problem(problem_), part(part_), cut_planes(part, grid) {}

  bool has_cells() const { return grid.cell_count() > 0; }

  template <class V>
  Array<V> allocate(Exec const& space, std::int64_t size, std::string const& label) {
    bytes += size * static_cast<std::int64_t>(sizeof(V));
    return Array<V>(Kokkos::view_alloc(space, label), static_cast<std::size_t>(size));
  }

  /// Of `arrivals`, `sum`, `largest` and `on_host`.
  static constexpr std::int64_t number_bytes =
      sizeof(int) + 2 * sizeof(double) + detail::host_share<Exec>(sizeof(double));

  /// Bytes of all that the plan allocates.
  static std::int64_t bytes_of(SevenPointShape const& shape) {
    UniformGrid const& grid = shape.grid;
    std::int64_t const nx = grid.nx(), ny = grid.ny(), nz = grid.nz();
    constexpr std::int64_t real = sizeof(T), number = sizeof(double), layer = sizeof(detail::LayerFaceWeights<T>);
    std::int64_t sum = nz * layer + nx * real + number_bytes;
    if (shape.form == CoefficientForm::walls) sum += detail::host_share<Exec>(nz * ny);
    std::array const plane{ny * nz, nx * nz, nx * ny};
    for (std::size_t side = 0; side < 6; ++side) {
      if (shape.has_values(static_cast<Side>(side))) sum += plane[side / 2] * real;
    }
    sum += detail::seven_point_teams<Exec, T>(grid.nx(), grid.ny(), grid.nz()) * number;
    return sum + (grid.uniform_in_z() ? 0 : nz * number);
  }

  /// Properties that follow from the openings; before the storages are filled in.
  detail::CellFrame<T> make_frame(Exec const& space) {
    unsigned present = 0xf000u;
    for (int axis = 0; axis < 3; ++axis) {
      bool const closed = openings[2 * axis] == 0 && openings[2 * axis + 1] == 0;
      absent[axis] = grid.global_cells()[static_cast<std::size_t>(axis)] == 1 && (part.periodic[axis] || closed);
      if (!absent[axis]) present |= 0xfu << (4 * axis);
      cells.periodic[axis] = part.sides.periodic()[static_cast<std::size_t>(axis)] && !absent[axis];
    }
    layers = allocate<detail::LayerFaceWeights<T>>(space, grid.nz(), "karman::seven_point::layers");
    std::vector<detail::LayerFaceWeights<T>> host;
    for (int k = 0; k < grid.nz(); ++k) {
      auto const weight = [&](int between) {
        double const distance = detail::layer_distance(grid, between, part.periodic[2]);
        return static_cast<T>(absent[2] ? 0 : problem.weights[2] / (grid.dz(k) * distance));
      };
      host.push_back({weight(k + 1), weight(k)});
    }
    copy_to_device(space, host, layers);
    return {grid.nx(),
            grid.ny(),
            grid.nz(),
            static_cast<T>(absent[0] ? 0 : problem.weights[0] / (grid.dx() * grid.dx())),
            static_cast<T>(absent[1] ? 0 : problem.weights[1] / (grid.dy() * grid.dy())),
            layers.data(),
            present};
  }

  /// Boundary planes, workspace, and measured properties; after the storages are filled in.
  void finish(Exec const& space, bool may_have_excess) {
    zeros = allocate<T>(space, grid.nx(), "karman::seven_point::zeros");
    for (int side = 0; side < 6; ++side) {
      int const axis = side / 2;
      if (openings[side] == 0 || part.periodic[axis] || part.cut[side]) continue;
      beyond[side] = Plane<Exec, T>(Kokkos::view_alloc(space, "karman::seven_point::boundary_values"),
                                    axis == 2 ? grid.ny() : grid.nz(), axis == 0 ? grid.ny() : grid.nx());
      bytes += static_cast<std::int64_t>(beyond[side].size() * sizeof(T));
    }
    if (part.is_cut()) open_halo(space);
    partials =
        allocate<double>(space, has_cells() ? detail::seven_point_teams<Exec, T>(grid.nx(), grid.ny(), grid.nz()) : 0,
                         "karman::seven_point::partials");
    arrivals =
        Kokkos::View<int, typename Exec::memory_space>(Kokkos::view_alloc(space, "karman::seven_point::arrivals"));
    sum = DeviceNumber<Exec>(Kokkos::view_alloc(space, "karman::seven_point::sum"));
    largest = DeviceNumber<Exec>(Kokkos::view_alloc(space, "karman::seven_point::largest"));
    on_host = Kokkos::View<double, Kokkos::HostSpace>(Kokkos::view_alloc("karman::seven_point::on_host"));
    if (!grid.uniform_in_z()) {
      layer_weight = allocate<double>(space, grid.nz(), "karman::seven_point::layer_weight");
      std::vector<double> host;
      double const mean = (grid.z_face(grid.nz()) - grid.z_face(0)) / grid.nz();
      for (int k = 0; k < grid.nz(); ++k) host.push_back(grid.dz(k) / mean);
      copy_to_device(space, host, layer_weight);
    }
    bytes += number_bytes;
    is_singular = true;
    for (int axis = 0; axis < 3; ++axis) {
      bool const closed = openings[2 * axis] == 0 && openings[2 * axis + 1] == 0;
      is_singular = is_singular && (closed || part.periodic[axis]);
    }
    if (is_singular && may_have_excess) {
      double const excess = has_cells() ? largest_excess(space, cells) : 0;
      is_singular = of_all_parts(excess) <= 64 * std::numeric_limits<T>::epsilon();
    }
    // Kokkos allocates workspace at the first team kernel: here in any case, not in the first call.
    live_sum(space, zero_field(), true);
    double const volume = sum_of_all_parts(fetch(space, sum));
    inverse_volume = volume > 0 ? 1 / volume : 0;
    compat::fence(space, "karman::seven_point::plan");
  }

  void open_halo(Exec const& space) {
    adjacent_cells = allocate<T>(space, cut_planes.size(), "karman::seven_point::adjacent_cells");
    halo = Exchange<Exec, T>(space, part.communicator, cut_planes.neighbors(part));
    bytes += halo.workspace_bytes();
  }

  /// Fills the planes of neighbouring processes.
  void update_halo(Exec const& space, ConstField<Exec, T> const& x) const {
    if (!part.is_cut()) return;
    halo.begin(space, x.data());
    halo.end(space, adjacent_cells.data());
  }

  double of_all_parts(double largest_here) const {
    return part.is_cut() ? part.communicator.largest(largest_here) : largest_here;
  }
  double sum_of_all_parts(double here) const { return part.is_cut() ? part.communicator.sum(here) : here; }

  /// Takes the openings of the sides of this part. Collective with more than one process.
  void join_openings(std::array<double, 6> const& own) {
    openings = own;
    if (!part.is_cut()) return;
    Box const box = grid.own_box();
    for (std::size_t side = 0; side < 6; ++side) {
      std::size_t const axis = side / 2;
      bool const at_end = side % 2 == 0 ? box.end[axis] == grid.global_cells()[axis] : box.begin[axis] == 0;
      openings[side] = of_all_parts(at_end && has_cells() ? own[side] : 0);
    }
  }

  double fetch(Exec const& space, DeviceNumber<Exec> const& number) const {
    Kokkos::deep_copy(space, on_host, number);
    compat::fence(space, "karman::seven_point::fetch");
    return on_host();
  }

  detail::TeamResults<1> results(detail::TeamReduction kind, double* result) const {
    return {{kind}, {result}, partials.data(), arrivals.data()};
  }

  detail::SevenPointValues<T> frame_of(T const* values, std::int64_t pitch) const {
    detail::SevenPointValues<T> field{values, pitch, {}, {}, grid.nx(), grid.ny(), grid.nz()};
    for (int axis = 0; axis < 3; ++axis) field.periodic[axis] = cells.periodic[axis];
    for (int side = 0; side < 6; ++side) field.beyond[side] = {zeros.data(), 0, 0};
    return field;
  }
  detail::SevenPointValues<T> zero_field() const { return frame_of(zeros.data(), 0); }
  detail::SevenPointValues<T> linear(ConstField<Exec, T> const& x) const {
    auto field = frame_of(x.data(), grid.nx());
    for (std::size_t side = 0; side < 4; ++side) {
      if (!part.cut[side]) continue;
      field.beyond[side] = {adjacent_cells.data() + cut_planes.begin(side), cut_planes.fast(side), 1};
    }
    return field;
  }
  detail::SevenPointValues<T> with_values(detail::SevenPointValues<T> field) const {
    for (int side = 0; side < 6; ++side) {
      auto const& plane = beyond[side];
      if (plane.size() == 0) continue;
      field.beyond[side] = {plane.data(), static_cast<std::int64_t>(plane.extent(1)), 1};
    }
    return field;
  }

  template <class Task>
  void sweep(Exec const& space, char const* label, detail::SevenPointValues<T> const& field, Task const& task,
             double* result) const {
    if (!has_cells()) return no_cells(space, result);
    cells.with_storage([&](auto const& stored) {
      detail::sweep_seven_point<Exec>(space, label, field, stored, task, layer_weight.data(),
                                      results(Task::kind, result));
    });
  }

  void no_cells(Exec const& space, double* result) const {
    if (result != nullptr) detail::set_number(space, "karman::seven_point::no_cells", result, 0);
  }

  void live_sum(Exec const& space, detail::SevenPointValues<T> const& field, bool count) const {
    if (!has_cells()) return no_cells(space, sum.data());
    detail::sweep_seven_point<Exec>(space, "karman::seven_point::live_sum", field, cells,
                                    detail::LiveSumTask<T>{nullptr, nullptr, count}, layer_weight.data(),
                                    results(detail::TeamReduction::sum, sum.data()));
  }

  void residual(Exec const& space, detail::SevenPointValues<T> const& field, ConstField<Exec, T> const& rhs,
                Field<Exec, T> const& result, double* most) const {
    sweep(space, "karman::seven_point::residual", field, detail::ResidualTask<T>{rhs.data(), result.data()}, most);
  }

  void take_box(Exec const& space) {
    detail::BoxCells<T> box{};
    auto const opening_of = [](Boundary kind) {
      return kind == Boundary::neumann ? 0.0 : kind == Boundary::dirichlet ? 4.0 : 2.0;
    };
    for (int side = 0; side < 6; ++side) {
      openings[side] = opening_of(problem.sides[static_cast<Side>(side)]);
      box.sides[side] = detail::face_bits(opening_of(part.sides[static_cast<Side>(side)])) << (2 * side);
    }
    box.frame = make_frame(space);
    cells.storage = detail::CellStorage::box;
    cells.box = box;
    finish(space, false);
  }

  void take_codes(Exec const& space) {
    auto const& walls = problem.walls;
    std::array<double, 6> own{};
    part.communicator.check_in_all([&] {
      if (has_cells()) check(walls, "walls");
      own = detail::checked_openings(space, walls, part.sides, "SevenPoint");
    });
    join_openings(own);
    cells.storage = detail::CellStorage::packed;
    cells.packed = {make_frame(space), walls.data(), nullptr};
    if constexpr (runs_on_host<Exec>) {
      uniform_rows =
          allocate<std::uint8_t>(space, std::int64_t(grid.nz()) * grid.ny(), "karman::seven_point::uniform_rows");
      mark_uniform_rows(space, walls, uniform_rows);
      cells.packed.uniform_rows = uniform_rows.data();
    }
    finish(space, true);
  }

  void take_arrays(Exec const& space, bool given) {
    auto const faces = problem.coefficients.faces();
    auto const own = problem.coefficients.own_weights();
    std::array<double, 6> own_openings{};
    part.communicator.check_in_all([&] {
      for (auto const& face : faces) {
        if (has_cells()) check(face, "face coefficients");
      }
      for (auto const& weight : own) {
        if (given && has_cells()) check(weight, "own_x, own_y, own_z");
      }
      own_openings = detail::checked_openings(space, problem.coefficients, part.sides, "SevenPoint");
    });
    join_openings(own_openings);
    detail::ArrayCells<T> arrays{};
    for (std::size_t side = 0; side < 6; ++side) arrays.face[side] = faces[side].data();
    for (std::size_t axis = 0; axis < 3; ++axis) {
      arrays.half_weight[axis] = given ? own[axis].data() : arrays.face[2 * axis];
    }
    arrays.given = T(given ? 1 : 0);
    arrays.frame = make_frame(space);
    cells.storage = detail::CellStorage::arrays;
    cells.arrays = arrays;
    finish(space, given);
  }

  template <class V>
  void check(V const& field, char const* what) const {
    detail::require_field(field, grid.extents(Location::cell), "SevenPoint", what);
  }
};

template <ExecutionSpace Exec, Real T>
SevenPoint<Exec, T>::SevenPoint(Exec const& space, SevenPointProblem<Exec, T> const& problem,
                                SevenPointSetup const& setup) {
  Region const region("karman::seven_point::plan");
  auto const& communicator = setup.communicator;
  communicator.check_in_all([&] { detail::require_problem(problem, "SevenPoint"); });
  detail::ProblemPart const part(communicator, problem.grid, problem.sides, "SevenPoint");
  GivenCoefficients const given = given_in_all(communicator, problem);
  state_ = {"SevenPoint", std::make_unique<State>(problem, part)};
  switch (given.form) {
    case CoefficientForm::open: state_->take_box(space); break;
    case CoefficientForm::walls: state_->take_codes(space); break;
    case CoefficientForm::arrays: state_->take_arrays(space, given.own_weights); break;
  }
}

template <ExecutionSpace Exec, Real T>
void SevenPoint<Exec, T>::set_boundary_values(Exec const& space, Side side, ConstPlane<Exec, T> const& values) {
  State const& s = *state_;
  int const number = static_cast<int>(side);
  int const axis = number / 2;
  detail::require_side_values(values, s.grid, side, "SevenPoint");
  detail::require_not_periodic(s.part.periodic[axis], "SevenPoint");
  // A closed side ignores them, and so does one towards another process.
  if (s.beyond[number].size() != 0) copy_plane<Exec, T>(space, values, s.beyond[number]);
}

template <ExecutionSpace Exec, Real T>
std::array<int, 3> SevenPoint<Exec, T>::extents() const {
  return state_->grid.extents(Location::cell);
}

template <ExecutionSpace Exec, Real T>
Communicator SevenPoint<Exec, T>::communicator() const {
  return state_->part.communicator;
}

template <ExecutionSpace Exec, Real T>
void SevenPoint<Exec, T>::apply(Exec const& space, ConstField<Exec, T> const& x, Field<Exec, T> const& result) const {
  State const& s = *state_;
  s.check(x, "x");
  s.check(result, "result");
  require(x.data() != result.data(), "SevenPoint: x and result must not be the same field");
  s.update_halo(space, x);
  s.sweep(space, "karman::seven_point::apply", s.linear(x), detail::ApplyTask<T, false>{nullptr, result.data()},
          nullptr);
}

template <ExecutionSpace Exec, Real T>
void SevenPoint<Exec, T>::apply_dot(Exec const& space, ConstField<Exec, T> const& x, Field<Exec, T> const& result,
                                    DeviceNumber<Exec> const& product) const {
  State const& s = *state_;
  s.check(x, "x");
  s.check(result, "result");
  require(x.data() != result.data(), "SevenPoint: x and result must not be the same field");
  s.update_halo(space, x);
  s.sweep(space, "karman::seven_point::apply_dot", s.linear(x), detail::ApplyTask<T, true>{nullptr, result.data()},
          product.data());
}

template <ExecutionSpace Exec, Real T>
void SevenPoint<Exec, T>::residual(Exec const& space, ConstField<Exec, T> const& x, ConstField<Exec, T> const& rhs,
                                   Field<Exec, T> const& result, DeviceNumber<Exec> const& largest) const {
  State const& s = *state_;
  s.check(x, "x");
  s.check(rhs, "rhs");
  s.check(result, "result");
  require(x.data() != result.data(), "SevenPoint: x and result must not be the same field");
  s.update_halo(space, x);
  s.residual(space, s.with_values(s.linear(x)), rhs, result, largest.data());
}

template <ExecutionSpace Exec, Real T>
void SevenPoint<Exec, T>::right_hand_side(Exec const& space, ConstField<Exec, T> const& rhs,
                                          Field<Exec, T> const& result, DeviceNumber<Exec> const& largest) const {
  State const& s = *state_;
  s.check(rhs, "rhs");
  s.check(result, "result");
  s.residual(space, s.with_values(s.zero_field()), rhs, result, largest.data());
}

template <ExecutionSpace Exec, Real T>
void SevenPoint<Exec, T>::residual(Exec const& space, ConstField<Exec, T> const& x, ConstField<Exec, T> const& rhs,
                                   Field<Exec, T> const& result) const {
  residual(space, x, rhs, result, state_->largest);
}

template <ExecutionSpace Exec, Real T>
double SevenPoint<Exec, T>::largest_residual(Exec const& space, ConstField<Exec, T> const& x,
                                             ConstField<Exec, T> const& rhs, Field<Exec, T> const& scratch) const {
  residual(space, x, rhs, scratch, state_->largest);
  return state_->of_all_parts(state_->fetch(space, state_->largest));
}

template <ExecutionSpace Exec, Real T>
auto SevenPoint<Exec, T>::layer_weight() const -> LayerWeight {
  return state_->layer_weight;
}

template <ExecutionSpace Exec, Real T>
bool SevenPoint<Exec, T>::singular() const {
  return state_->is_singular;
}

template <ExecutionSpace Exec, Real T>
void SevenPoint<Exec, T>::remove_mean(Exec const& space, Field<Exec, T> const& x,
                                      DeviceNumber<Exec> const& mean) const {
  State const& s = *state_;
  s.check(x, "x");
  require(s.is_singular, "SevenPoint: the mean has a meaning for singular problems only");
  s.live_sum(space, s.linear(x), false);
  if (s.part.is_cut()) {
    double const total = s.sum_of_all_parts(s.fetch(space, s.sum));
    detail::set_number(space, "karman::seven_point::sum_of_all", s.sum.data(), total);
    if (!s.has_cells()) {
      return detail::set_number(space, "karman::seven_point::mean", mean.data(), total * s.inverse_volume);
    }
  }
  subtract_mean(space, s.cells, x, s.sum, s.inverse_volume, mean);
}

template <ExecutionSpace Exec, Real T>
UniformGrid const& SevenPoint<Exec, T>::grid() const {
  return state_->grid;
}

template <ExecutionSpace Exec, Real T>
SevenPointProblem<Exec, T> const& SevenPoint<Exec, T>::problem() const {
  return state_->problem;
}

template <ExecutionSpace Exec, Real T>
double SevenPoint<Exec, T>::opening(Side side) const {
  return state_->openings[static_cast<std::size_t>(side)];
}

template <ExecutionSpace Exec, Real T>
bool SevenPoint<Exec, T>::axis_is_absent(int axis) const {
  return state_->absent[static_cast<std::size_t>(axis)];
}

template <ExecutionSpace Exec, Real T>
detail::SevenPointCells<Exec, T> SevenPoint<Exec, T>::cells() const {
  return state_->cells;
}

template <ExecutionSpace Exec, Real T>
void SevenPoint<Exec, T>::update_halo(Exec const& space, ConstField<Exec, T> const& x) const {
  state_->check(x, "x");
  state_->update_halo(space, x);
}

template <ExecutionSpace Exec, Real T>
detail::SevenPointValues<T> SevenPoint<Exec, T>::with_boundary_values(ConstField<Exec, T> const& x) const {
  return state_->with_values(state_->linear(x));
}

template <ExecutionSpace Exec, Real T>
detail::SevenPointValues<T> SevenPoint<Exec, T>::with_zeros_beyond(ConstField<Exec, T> const& x) const {
  return state_->linear(x);
}

template <ExecutionSpace Exec, Real T>
std::int64_t SevenPoint<Exec, T>::workspace_bytes() const {
  return state_->bytes;
}

template <ExecutionSpace Exec, Real T>
std::int64_t SevenPoint<Exec, T>::workspace_bytes(SevenPointShape const& shape) {
  return State::bytes_of(shape);
}

#define KARMAN_INSTANTIATE(Exec)          \
  template class SevenPoint<Exec, float>; \
  template class SevenPoint<Exec, double>;
KARMAN_FOR_EACH_BACKEND(KARMAN_INSTANTIATE)
#undef KARMAN_INSTANTIATE

}  // namespace karman
