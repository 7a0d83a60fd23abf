// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "base/view_array.hpp"
#include "columns_on_chip.hpp"
#include "common/host_share.hpp"
#include "common/iteration_watch.hpp"
#include "grid/stencil/cut_planes.hpp"
#include "grid/stencil/problem_checks.hpp"
#include "grid/stencil/problem_part.hpp"
#include "poisson_box.hpp"
#include "poisson_columns.hpp"
#include "poisson_residual.hpp"
#include "poisson_spectrum.hpp"
#include "poisson_stages.hpp"
#include "spectrum_stages.hpp"
#include <karman/core/compat.hpp>
#include <karman/core/error.hpp>
#include <karman/core/host_copy.hpp>
#include <karman/core/profiling.hpp>
#include <karman/solvers/grid/fast_poisson.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace karman {

namespace {

template <class Exec, class T>
void copy_cells(Exec const& space, T const* from, T* to, std::int64_t cells) {
  Kokkos::parallel_for(
      "karman::fast_poisson::load", Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::int64_t>>(space, 0, cells),
      KOKKOS_LAMBDA(std::int64_t n) { to[n] = from[n]; });
}

template <class Exec, class T>
void copy_plane(Exec const& space, ConstPlane<Exec, T> const& from,
                Kokkos::View<T*, typename Exec::memory_space> const& to) {
  auto const fast = static_cast<std::int64_t>(from.extent(1));
  Kokkos::parallel_for(
      "karman::fast_poisson::boundary_values",
      Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::int64_t>>(space, 0, static_cast<std::int64_t>(from.size())),
      KOKKOS_LAMBDA(std::int64_t n) { to(n) = from(n / fast, n % fast); });
}

void require_slabs(int slabs) {
  require(slabs >= 0, "FastPoisson: slabs must not be negative, found " + std::to_string(slabs));
}

}  // namespace

template <ExecutionSpace Exec, Real T>
struct FastPoisson<Exec, T>::State {
  using Values = Kokkos::View<T*, typename Exec::memory_space>;
  UniformGrid grid;  ///< of this process
  detail::ProblemPart part;
  detail::PoissonBox box;        ///< of the whole grid
  Box own;                       ///< cells of this process in it
  std::array<bool, 3> periodic;  ///< x, y, z
  bool cyclic = false;
  Box modes;  ///< modes of this process, with all rows of their columns
  std::int64_t columns = 1;
  std::int64_t bytes = 0;

  /// One of them: the spectrum where it holds the modes of both axes, otherwise real transforms; both in stages with
  /// many processes.
  std::optional<detail::BoxSpectrum<Exec, T>> spectrum;
  std::optional<detail::SpectrumStages<Exec, T>> spectrum_stages;
  std::optional<detail::PoissonStages<Exec, T>> stages;
  std::vector<TrigonometricTransform<Exec, T>> transforms;
  double scale = 1, mean_factor = 1;
  int owner_of_constant = 0;  ///< process with the column of the constant mode
  int slabs = 1;

  /// Weights of the differences of row, middle and columns; for the columns also the matrix.
  detail::ViewArray<Values, 3> lower, upper;
  Values coupling_lower, coupling_upper, thickness, mode, kept;
  detail::ViewArray<Values, 6> side_values;
  std::array<bool, 6> has_values{};
  Kokkos::View<double*, typename Exec::memory_space> mean;
  Kokkos::View<double*, Kokkos::HostSpace> mean_on_host;
  /// Cells of neighbouring processes along cut sides.
  detail::CutPlanes planes;
  Values beyond;
  mutable Exchange<Exec, T> halo;

  /// Collective.
  State(Exec const& space, SevenPointProblem<Exec, T> const& problem, detail::ProblemPart const& part_,
        FastPoissonSetup const& setup)
      : grid(problem.grid),
        part(part_),
        box(detail::poisson_box(problem.grid, problem.sides, problem.weights)),
        own(detail::PoissonDivision::in_roles(box, grid.own_box())),
        periodic(part.periodic),
        modes(detail::PoissonDivision::whole(box)),
        planes(part, grid) {
    cyclic = is_cyclic(box);
    if (part.is_cut()) {
      open_stages(space, setup);
    } else if (has_spectrum(box)) {
      spectrum.emplace(space, box, setup.planning);
      bytes += spectrum->bytes();
      scale = 1 / spectrum->size();
      mean_factor = spectrum->size();
    } else {
      make_transforms(space, setup);
    }
    columns = std::int64_t(modes.end[1] - modes.begin[1]) * (modes.end[0] - modes.begin[0]);
    if (!spectrum && !spectrum_stages) make_modes(space);
    make_matrix(space);
    for (int r = 0; r < 3; ++r) {
      lower[r] = upload(space, box[r].lower, "karman::fast_poisson::lower");
      upper[r] = upload(space, box[r].upper, "karman::fast_poisson::upper");
    }
    thickness = upload(space, box.columns.thickness, "karman::fast_poisson::thickness");
    std::int64_t const kept_size = spectrum          ? kept_values(box, spectrum->columns(scale))
                                   : spectrum_stages ? kept_values(box, spectrum_stages->port(scale))
                                                     : kept_values(box, real_columns({}, {}));
    kept = allocate(space, kept_size, "karman::fast_poisson::kept");
    allocate_sides(space);
    mean = Kokkos::View<double*, typename Exec::memory_space>(
        Kokkos::view_alloc(space, std::string("karman::fast_poisson::mean")), 2);
    bytes += mean_bytes;
    mean_on_host = Kokkos::View<double*, Kokkos::HostSpace>(
        Kokkos::view_alloc(Kokkos::WithoutInitializing, std::string("karman::fast_poisson::mean_on_host")), 2);
    // Kokkos allocates workspace at the first reduction of its size: here, not in solve().
    measure(space, nullptr, nullptr, true);
    compat::fence(space, "karman::fast_poisson::plan");
  }

  void open_stages(Exec const& space, FastPoissonSetup const& setup) {
    if (has_spectrum(box)) {
      spectrum_stages.emplace(space, part.communicator, part.boxes, box, setup.planning, setup.slabs);
      take(*spectrum_stages);
    } else {
      stages.emplace(space, part.communicator, part.boxes, box, setup.planning, setup.slabs);
      take(*stages);
    }
    beyond = allocate(space, planes.size(), "karman::fast_poisson::beyond");
    halo = Exchange<Exec, T>(space, part.communicator, planes.neighbors(part));
    bytes += halo.workspace_bytes();
  }

  template <class Stages>
  void take(Stages const& from) {
    bytes += from.bytes();
    scale = from.scale();
    mean_factor = from.mean_factor();
    modes = from.columns();
    owner_of_constant = from.owner_of_constant();
    slabs = from.slabs();
  }

  /// Of `mean` and `mean_on_host`.
  static constexpr std::int64_t mean_bytes = 2 * sizeof(double) + detail::host_share<Exec>(2 * sizeof(double));

  static bool has_spectrum(detail::PoissonBox const& box) {
    return box.row.present && detail::in_spectrum(box.row) && (!box.middle.present || detail::in_spectrum(box.middle));
  }

  static bool has_values_on(detail::BoxAxis const& axis, bool high) {
    Boundary const boundary = high ? axis.high : axis.low;
    return axis.present && boundary != Boundary::neumann && boundary != Boundary::periodic;
  }

  /// Values of a side of each axis of a part of the box.
  static std::array<std::int64_t, 3> side_sizes(Box const& cells) {
    auto const [columns, middle, row] = detail::PoissonDivision::extents(cells);
    return {std::int64_t(columns) * middle, std::int64_t(columns) * row, std::int64_t(middle) * row};
  }

  /// True where a side of the box, 2 r for the upper and 2 r + 1 for the lower one, is a side of this part.
  bool is_outer(int side) const {
    auto const r = static_cast<std::size_t>(side / 2);
    if (detail::PoissonDivision::is_empty(own)) return false;
    return side % 2 == 0 ? own.end[r] == box[side / 2].cells : own.begin[r] == 0;
  }

  static TrigonometricSetup transform_setup(detail::AxisModes const& modes, FastPoissonSetup const& setup) {
    return {.planning = setup.planning, .reversed = modes.reversed};
  }

  /// Bytes of all that the plan allocates.
  static std::int64_t bytes_of(SevenPointShape const& shape, FastPoissonSetup const& setup) {
    constexpr std::int64_t real = sizeof(T);
    auto const box = detail::poisson_box(shape.grid, shape.sides, shape.weights);
    std::int64_t const columns = std::int64_t(box.middle.cells) * box.row.cells;
    std::int64_t values = 3 * box.columns.cells;  // couplings and thickness
    std::int64_t sum = mean_bytes;
    if (has_spectrum(box)) {
      detail::SpectrumLayout<Exec, T> const spectrum(box);
      sum += spectrum.bytes();
      detail::SpectrumColumns<Exec, T> port{};
      port.ny = spectrum.y.n;
      port.half = spectrum.half;
      values += kept_values(box, port);
    } else {
      for (int r = 0; r < 2; ++r) {
        if (!box[r].present) continue;
        auto const modes = detail::modes_of(box[r].low, box[r].high);
        sum += TrigonometricTransform<Exec, T>::workspace_bytes(box.extents(), r == 0 ? Axis::x : Axis::y, modes.kind,
                                                                transform_setup(modes, setup));
      }
      detail::RealColumns<Exec, T> const port{nullptr, nullptr, nullptr, columns, T(1)};
      values += columns + kept_values(box, port);
    }
    auto const sides = side_sizes(detail::PoissonDivision::whole(box));
    for (int r = 0; r < 3; ++r) {
      values += 2 * box[r].cells;  // weights of the differences
      for (bool const high : {false, true}) {
        if (has_values_on(box[r], high)) values += sides[static_cast<std::size_t>(r)];
      }
    }
    return sum + values * real;
  }

  /// Most bytes of the plan of one of many processes.
  static std::int64_t most_bytes_of(detail::PoissonBox const& box, detail::PoissonDivision const& division,
                                    std::size_t rank, FftPlanning planning, int wanted_slabs) {
    Box const& modes = division.columns[rank];
    std::int64_t values = 3 * box.columns.cells, sum = mean_bytes;
    int slabs = 1;
    if (has_spectrum(box)) {
      slabs = detail::SpectrumStages<Exec, T>::slabs_of(division, wanted_slabs);
      sum += detail::SpectrumStages<Exec, T>::most_bytes(division, rank, box, planning, wanted_slabs);
      detail::SpectrumColumns<Exec, T, true> port{};
      port.ny = box.middle.cells;
      port.half = modes.end[0] - modes.begin[0];
      values += kept_values(box, port);
    } else {
      slabs = detail::PoissonStages<Exec, T>::slabs_of(division, wanted_slabs);
      sum += detail::PoissonStages<Exec, T>::most_bytes(division, rank, box, planning, wanted_slabs);
      std::int64_t const columns = std::int64_t(modes.end[1] - modes.begin[1]) * (modes.end[0] - modes.begin[0]);
      detail::RealColumns<Exec, T> const port{nullptr, nullptr, nullptr, columns, T(1)};
      values += columns + kept_values(box, port);
    }
    // Boundary values of all sides, and of two in x and y the cells beyond, sent and received.
    auto const sides = side_sizes(division.given[rank]);
    constexpr std::int64_t granules = 4 * 16;
    for (int r = 0; r < 3; ++r) {
      values += 2 * box[r].cells + (box[r].present ? 8 * sides[static_cast<std::size_t>(r)] : 0);
    }
    // Of all transpositions with one process: six blocks per slab. And of the planes beyond.
    std::int64_t const block_bytes = 384 * std::int64_t(slabs) + 640;
    return sum + (values + granules) * static_cast<std::int64_t>(sizeof(T)) +
           block_bytes * static_cast<std::int64_t>(division.given.size());
  }

  Values allocate(Exec const& space, std::int64_t size, char const* label) {
    bytes += size * static_cast<std::int64_t>(sizeof(T));
    return Values(Kokkos::view_alloc(space, Kokkos::WithoutInitializing, std::string(label)),
                  static_cast<std::size_t>(size));
  }

  Values upload(Exec const& space, std::vector<double> const& from, char const* label) {
    bytes += static_cast<std::int64_t>(from.size() * sizeof(T));
    return device_copy<T>(space, from, label);
  }

  void allocate_sides(Exec const& space) {
    auto const sizes = side_sizes(own);
    for (int side = 0; side < 6; ++side) {
      if (!has_values_on(box[side / 2], side % 2 == 0) || !is_outer(side)) continue;
      side_values[side] = allocate(space, sizes[static_cast<std::size_t>(side / 2)], "karman::fast_poisson::side");
    }
  }

  void make_transforms(Exec const& space, FastPoissonSetup const& setup) {
    for (int r = 0; r < 2; ++r) {
      detail::BoxAxis const& axis = box[r];
      if (!axis.present) continue;
      auto const modes = detail::modes_of(axis.low, axis.high);
      transforms.emplace_back(space, box.extents(), r == 0 ? Axis::x : Axis::y, modes.kind,
                              transform_setup(modes, setup));
      bytes += transforms.back().workspace_bytes();
      scale /= transforms.back().size();
      mean_factor *= detail::constant_in_first_mode(axis);
    }
  }

  static double eigenvalue(detail::BoxAxis const& axis, std::int64_t k) {
    return axis.present ? -axis.upper[0] * detail::mode_eigenvalue(axis.low, axis.high, k, axis.cells) : 0;
  }

  void make_modes(Exec const& space) {
    std::vector<double> row, values;
    for (int i = modes.begin[0]; i < modes.end[0]; ++i) row.push_back(eigenvalue(box.row, i));
    values.reserve(static_cast<std::size_t>(columns));
    for (int j = modes.begin[1]; j < modes.end[1]; ++j) {
      double const middle = eigenvalue(box.middle, j);
      for (double r : row) values.push_back(r + middle);
    }
    mode = upload(space, values, "karman::fast_poisson::modes");
  }

  void make_matrix(Exec const& space) {
    detail::BoxAxis const& axis = box.columns;
    bool const periodic = axis.low == Boundary::periodic;
    std::vector<double> down = axis.lower, up = axis.upper;
    if (!axis.present) {
      std::fill(down.begin(), down.end(), 0);
      std::fill(up.begin(), up.end(), 0);
    }
    if (!periodic) {
      down.front() *= detail::side_coefficient(axis.low);
      up.back() *= detail::side_coefficient(axis.high);
    }
    if (periodic && axis.cells == 2) {
      // The other cell is the neighbour on both sides, and there are no side values.
      up[0] += std::exchange(down[0], 0);
      down[1] += std::exchange(up[1], 0);
    }
    coupling_lower = upload(space, down, "karman::fast_poisson::lower");
    coupling_upper = upload(space, up, "karman::fast_poisson::upper");
  }

  template <bool Cut>
  detail::BoxEquation<T, Cut> equation() const {
    detail::BoxEquation<T, Cut> result;
    for (int r = 0; r < 3; ++r) {
      detail::BoxAxis const& axis = box[r];
      auto const a = static_cast<std::size_t>(r);
      auto const values = [&](int side) {
        return has_values[static_cast<std::size_t>(side)] ? side_values[side].data() : nullptr;
      };
      result.axes[r] = {lower[r].data() + own.begin[a],
                        upper[r].data() + own.begin[a],
                        static_cast<T>(detail::side_coefficient(axis.low)),
                        static_cast<T>(detail::side_coefficient(axis.high)),
                        values(2 * r + 1),
                        values(2 * r),
                        own.end[a] - own.begin[a],
                        axis.present,
                        axis.low == Boundary::periodic,
                        nullptr,
                        nullptr};
    }
    for (std::size_t side = 0; side < 4; ++side) {
      if (!part.cut[side]) continue;
      auto& axis = result.axes[box.role[side / 2]];
      (side % 2 == 0 ? axis.cells_above : axis.cells_below) = beyond.data() + planes.begin(side);
    }
    return result;
  }

  /// Of all processes. Collective.
  auto measure(Exec const& space, T const* x, T const* rhs, bool dry) const {
    if (!part.is_cut()) return detail::MeasureBox<Exec, T, false>{equation<false>(), x, rhs, dry}.run(space);
    if (!dry) {
      halo.begin(space, x);
      halo.end(space, beyond.data());
    }
    auto const here = detail::MeasureBox<Exec, T, true>{equation<true>(), x, rhs, dry}.run(space);
    detail::LargestOfBox largest;
    for (auto const& one : part.communicator.all_gather(here)) largest.join(one);
    return largest;
  }

  /// Moves the boundary values of every side to the right-hand side.
  void subtract_boundary_values(Exec const& space, T* field) const {
    auto const e = detail::PoissonDivision::extents(own);
    std::int64_t const nx = e[2], ny = e[1], nz = e[0];
    std::array<std::int64_t, 3> const strides{1, nx, nx * ny};
    for (int side = 0; side < 6; ++side) {
      if (!has_values[static_cast<std::size_t>(side)]) continue;
      int const r = side / 2;
      bool const high = side % 2 == 0;
      detail::BoxAxis const& axis = box[r];
      double const coefficient = detail::side_coefficient(high ? axis.high : axis.low);
      double const weight = coefficient * (high ? axis.upper.back() : axis.lower.front());
      detail::SubtractSide<Exec, T> subtract{};
      subtract.field = field;
      subtract.values = side_values[side].data();
      subtract.weight = static_cast<T>(weight);
      subtract.first = high ? (e[static_cast<std::size_t>(2 - r)] - 1) * strides[static_cast<std::size_t>(r)] : 0;
      subtract.slow_stride = r == 2 ? strides[1] : strides[2];
      subtract.fast_stride = r == 0 ? strides[1] : strides[0];
      subtract.slow = static_cast<int>(r == 2 ? ny : nz);
      subtract.fast = static_cast<int>(r == 0 ? ny : nx);
      subtract.run(space);
    }
  }

  void run(Exec const& space, T const* rhs, T* x, bool with_boundary_values) const {
    auto const e = box.extents();
    T const* from = rhs;
    if (with_boundary_values && std::any_of(has_values.begin(), has_values.end(), [](bool b) { return b; })) {
      if (rhs != x) copy_cells(space, rhs, x, grid.cell_count());
      subtract_boundary_values(space, x);
      from = x;
    }
    if (stages) {
      stages->forward(space, from, x);
      solve_columns(space, real_columns(stages->values(), stages->values()), stages->values(), columns);
      stages->backward(space, x);
      return;
    }
    if (spectrum_stages) {
      spectrum_stages->forward(space, from);
      solve_columns(space, spectrum_stages->port(scale), spectrum_stages->constant_mode(),
                    spectrum_stages->constant_stride());
      spectrum_stages->backward(space, x);
      return;
    }
    if (spectrum) {
      spectrum->forward(space, from);
      solve_columns(space, spectrum->columns(scale), spectrum->constant_mode(), spectrum->constant_stride());
      spectrum->backward(space, x);
      return;
    }
    Field<Exec, T> const field(x, e[0], e[1], e[2]);
    for (auto const& transform : transforms) {
      transform.forward(space, ConstField<Exec, T>(from, e[0], e[1], e[2]), field);
      from = x;
    }
    if (box.singular() && from != x) {
      // The mean is subtracted in place.
      copy_cells(space, from, x, grid.cell_count());
      from = x;
    }
    solve_columns(space, real_columns(from, x), x, columns);
    for (auto transform = transforms.rbegin(); transform != transforms.rend(); ++transform) {
      transform->backward(space, field, field);
    }
  }

  detail::RealColumns<Exec, T> real_columns(T const* from, T* to) const {
    return {from, to, mode.data(), columns, static_cast<T>(scale)};
  }

  static bool is_cyclic(detail::PoissonBox const& box) {
    return box.columns.present && box.columns.low == Boundary::periodic && box.columns.cells > 2;
  }

  template <class Port>
  static constexpr bool is_spectrum = requires(Port const& port) { port.complex_columns(); };

  template <class Port>
  static std::int64_t kept_values(detail::PoissonBox const& box, Port const& port) {
    if (is_spectrum<Port> && detail::columns_on_chip<Exec, T>(box)) return 0;
    int const rows = box.columns.cells;
    return is_cyclic(box) ? detail::ColumnSweep<Exec, T, true, Port>::kept_values(port.columns(), rows)
                          : detail::ColumnSweep<Exec, T, false, Port>::kept_values(port.columns(), rows);
  }

  /// `constant_mode`: start of the column of the constant mode.
  template <class Port>
  void solve_columns(Exec const& space, Port const& port, T* constant_mode, std::int64_t constant_stride) const {
    bool const has_constant = box.singular() && owner_of_constant == part.communicator.rank();
    int const rows = box.columns.cells;
    detail::RemoveColumnMean<Exec, T> remove{constant_mode, constant_stride, thickness.data(), rows, mean.data()};
    if (has_constant) remove.run(space);
    detail::ColumnCouplings<T> const row{coupling_lower.data(), coupling_upper.data()};
    eliminate(space, port, row);
    if (has_constant) {
      remove.mean = mean.data() + 1;
      remove.run(space);
    }
  }

  template <class Port>
  void eliminate(Exec const& space, Port const& port, detail::ColumnCouplings<T> const& row) const {
    bool const singular = box.singular();
    int const rows = box.columns.cells;
    if constexpr (is_spectrum<Port> && !runs_on_host<Exec>) {
      if (detail::columns_on_chip<Exec, T>(box)) {
        return detail::solve_columns_on_chip(space, port.complex_columns(), row, rows, cyclic, singular);
      }
    }
    if (cyclic) {
      detail::ColumnSweep<Exec, T, true, Port>{port, row, kept.data(), rows, singular}.run(space);
    } else {
      detail::ColumnSweep<Exec, T, false, Port>{port, row, kept.data(), rows, singular}.run(space);
    }
  }
};

template <ExecutionSpace Exec, Real T>
FastPoisson<Exec, T>::FastPoisson(Exec const& space, SevenPointProblem<Exec, T> const& problem,
                                  FastPoissonSetup const& setup) {
  Region const region("karman::fast_poisson::plan");
  setup.communicator.check_in_all([&] {
    detail::require_problem(problem, "FastPoisson");
    require(!problem.has_walls() && !problem.has_coefficients(),
            "FastPoisson: the problem must have no walls and constant coefficients, found wall codes or arrays; take "
            "Multigrid");
    require_slabs(setup.slabs);
  });
  detail::ProblemPart const part(setup.communicator, problem.grid, problem.sides, "FastPoisson");
  state_ = {"FastPoisson", std::make_unique<State>(space, problem, part, setup)};
}

template <ExecutionSpace Exec, Real T>
void FastPoisson<Exec, T>::set_boundary_values(Exec const& space, Side side, ConstPlane<Exec, T> const& values) {
  State& s = *state_;
  int const number = static_cast<int>(side);
  int const axis = number / 2;
  detail::require_side_values(values, s.grid, side, "FastPoisson");
  detail::require_not_periodic(s.periodic[static_cast<std::size_t>(axis)], "FastPoisson");
  int const role = s.box.role[static_cast<std::size_t>(axis)];
  bool const closed = role < 0 || (number % 2 == 0 ? s.box[role].high : s.box[role].low) == Boundary::neumann;
  int const slot = 2 * role + number % 2;
  // A closed side ignores them, and so does one towards another process.
  if (closed || !s.is_outer(slot)) return;
  auto& kept = s.side_values[slot];
  copy_plane(space, values, kept);
  s.has_values[static_cast<std::size_t>(slot)] = true;
}

template <ExecutionSpace Exec, Real T>
SolveReport FastPoisson<Exec, T>::solve(Exec const& space, Field<Exec, T> const& x, ConstField<Exec, T> const& rhs,
                                        FastPoissonOptions const& options) {
  Region const region("karman::fast_poisson::solve");
  State const& s = *state_;
  s.part.communicator.check_in_all([&] {
    detail::require_field(x, s.grid.extents(Location::cell), "FastPoisson", "x");
    detail::require_field(rhs, s.grid.extents(Location::cell), "FastPoisson", "rhs");
    require(!options.check || x.size() == 0 || x.data() != rhs.data(),
            "FastPoisson: in-place solves overwrite the right-hand side; set check = false");
  });
  s.run(space, rhs.data(), x.data(), true);
  SolveReport report;
  report.iterations = 1;
  report.residual = std::numeric_limits<double>::quiet_NaN();
  if (!options.check) return report;
  auto const largest = s.measure(space, x.data(), rhs.data(), false);
  report.residual = largest.right > 0 ? largest.residual / largest.right : largest.residual;
  double const reachable = 32 * double(std::numeric_limits<T>::epsilon()) * (largest.right + largest.size);
  report.converged = largest.residual <= reachable && std::isfinite(largest.size);
  if (s.box.singular()) report.imbalance = largest.right > 0 ? std::abs(imbalance(space)) / largest.right : 0;
  if (!std::isfinite(largest.residual) || !std::isfinite(largest.size)) {
    report.converged = false;
    report.breakdown = detail::not_finite;
  }
  report.history.push_back({report.iterations, report.residual});
  return report;
}

template <ExecutionSpace Exec, Real T>
SolveReport FastPoisson<Exec, T>::solve(Exec const& space, Plane<Exec, T> const& x, ConstPlane<Exec, T> const& rhs,
                                        FastPoissonOptions const& options) {
  require(state_->grid.nz() == 1, "FastPoisson: the two-dimensional form needs a grid of one layer");
  return solve(space, Field<Exec, T>(x.data(), 1, x.extent(0), x.extent(1)),
               ConstField<Exec, T>(rhs.data(), 1, rhs.extent(0), rhs.extent(1)), options);
}

template <ExecutionSpace Exec, Real T>
void FastPoisson<Exec, T>::apply(Exec const& space, ConstField<Exec, T> const& residual,
                                 Field<Exec, T> const& correction) const {
  Region const region("karman::fast_poisson::apply");
  state_->part.communicator.check_in_all([&] {
    detail::require_field(residual, state_->grid.extents(Location::cell), "FastPoisson", "residual");
    detail::require_field(correction, state_->grid.extents(Location::cell), "FastPoisson", "correction");
  });
  state_->run(space, residual.data(), correction.data(), false);
}

template <ExecutionSpace Exec, Real T>
std::array<int, 3> FastPoisson<Exec, T>::extents() const {
  return state_->grid.extents(Location::cell);
}

template <ExecutionSpace Exec, Real T>
Communicator FastPoisson<Exec, T>::communicator() const {
  return state_->part.communicator;
}

template <ExecutionSpace Exec, Real T>
bool FastPoisson<Exec, T>::singular() const {
  return state_->box.singular();
}

template <ExecutionSpace Exec, Real T>
double FastPoisson<Exec, T>::imbalance(Exec const& space) const {
  State const& s = *state_;
  if (!s.box.singular()) return 0;
  Kokkos::deep_copy(space, s.mean_on_host, s.mean);
  compat::fence(space, "karman::fast_poisson::imbalance");
  double const mean = s.mean_on_host(0) / s.mean_factor;
  return s.part.communicator.broadcast(mean, s.owner_of_constant);
}

template <ExecutionSpace Exec, Real T>
int FastPoisson<Exec, T>::slabs() const {
  return state_->slabs;
}

template <ExecutionSpace Exec, Real T>
std::int64_t FastPoisson<Exec, T>::workspace_bytes() const {
  return state_->bytes;
}

template <ExecutionSpace Exec, Real T>
std::int64_t FastPoisson<Exec, T>::workspace_bytes(SevenPointShape const& shape, FastPoissonSetup const& setup) {
  require(shape.form == CoefficientForm::open, "FastPoisson: the shape must be CoefficientForm::open");
  require_slabs(setup.slabs);
  Communicator const& communicator = setup.communicator;
  if (communicator.size() == 1) return State::bytes_of(shape, setup);
  auto const boxes = BoxDecomposition::gathered(communicator, shape.grid);
  auto const box = detail::poisson_box(shape.grid, shape.sides, shape.weights);
  return State::most_bytes_of(box, detail::PoissonDivision(box, boxes, State::has_spectrum(box)),
                              static_cast<std::size_t>(communicator.rank()), setup.planning, setup.slabs);
}

template <ExecutionSpace Exec, Real T>
std::int64_t FastPoisson<Exec, T>::workspace_bytes(SevenPointShape const& shape, BoxDecomposition const& boxes,
                                                   FftPlanning planning, int slabs) {
  require_slabs(slabs);
  require(shape.form == CoefficientForm::open, "FastPoisson: the shape must be CoefficientForm::open");
  require(boxes.cells() == shape.grid.global_cells(), "FastPoisson: the boxes must divide the grid");
  if (boxes.processes() == 1) return State::bytes_of(shape, {.planning = planning});
  auto const box = detail::poisson_box(shape.grid, shape.sides, shape.weights);
  detail::PoissonDivision const division(box, boxes, State::has_spectrum(box));
  std::int64_t most = 0;
  for (std::size_t rank = 0; rank < division.given.size(); ++rank) {
    most = std::max(most, State::most_bytes_of(box, division, rank, planning, slabs));
  }
  return most;
}

#define KARMAN_INSTANTIATE(Exec)           \
  template class FastPoisson<Exec, float>; \
  template class FastPoisson<Exec, double>;
KARMAN_FOR_EACH_BACKEND(KARMAN_INSTANTIATE)
#undef KARMAN_INSTANTIATE

}  // namespace karman
