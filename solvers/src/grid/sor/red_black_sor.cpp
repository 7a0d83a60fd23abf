// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "base/side_instance.hpp"
#include "common/field_checks.hpp"
#include "common/host_share.hpp"
#include "common/iteration_loop.hpp"
#include "common/shared_monitor.hpp"
#include "grid/stencil/box_modes.hpp"
#include "grid/stencil/problem_checks.hpp"
#include "grid/stencil/problem_part.hpp"
#include "sor_halo.hpp"
#include "sor_periodic.hpp"
#include "sor_sweep.hpp"
#include "split_fields.hpp"
#include <karman/core/compat.hpp>
#include <karman/core/error.hpp>
#include <karman/core/host_copy.hpp>
#include <karman/core/profiling.hpp>
#include <karman/solvers/grid/red_black_sor.hpp>

#include <algorithm>
#include <cmath>
#include <string>

namespace karman {

std::string_view name(SorStorage storage) {
  switch (storage) {
    case SorStorage::automatic: return "automatic";
    case SorStorage::coefficients: return "coefficients";
    case SorStorage::folded: return "folded";
    case SorStorage::packed: return "packed";
  }
  return "unknown";
}

namespace {

void require_options(SorOptions const& options) {
  require(options.optimal_omega || (options.omega > 0 && options.omega < 2), "SorOptions: omega must lie in (0, 2)");
  detail::require_iteration_options(options, "SorOptions");
}

}  // namespace

template <ExecutionSpace Exec, Real T>
struct RedBlackSor<Exec, T>::State {
  detail::ProblemPart part;
  UniformGrid grid;
  std::array<double, 3> weights;
  std::array<bool, 3> periodic_axes;  ///< x, y, z, of this part
  SorStorage storage;
  std::array<double, 6> openings{};
  bool planar = false;
  bool given_weights = false;
  detail::SplitLayout layout;
  /// In the axes of the layout: periodic axes, and periodic axes with an odd number of cells (bit 0: x).
  std::array<bool, 3> periodic{};
  unsigned odd_axes = 0;
  T ax = 0, ay = 0;
  detail::SorRows rows{};
  detail::SorTile tile{};
  std::int64_t bytes = 0;

  Kokkos::View<detail::LayerWeights<T>*, typename Exec::memory_space> layers;
  detail::Colors<Exec, T> x, rhs;
  detail::Colors<Exec, WallCode> codes;
  detail::Colors<Exec, detail::OpenRow> open_row;
  Kokkos::Array<detail::ViewArray<detail::Array<Exec, T>, 6>, 2> face;
  Kokkos::Array<detail::ViewArray<detail::Array<Exec, T>, 3>, 2> half_weight;
  detail::Colors<Exec, T> own_weight;
  detail::ViewArray<detail::Array<Exec, T>, 3> seam;
  /// Largest residual of red and black, and of the right-hand side alone.
  detail::ViewArray<Kokkos::View<T, typename Exec::memory_space>, 2> largest_residual, largest_rhs;
  detail::ViewArray<Kokkos::View<T, Kokkos::HostSpace>, 2> largest_on_host;
  std::array<Exchange<Exec, T>, 2> halo;  ///< of the arrays x, where neighbouring processes hold cells
  detail::SideInstance<Exec> side;        ///< for rows along the faces and their exchange

  State(Exec const& space, SevenPointProblem<Exec, T> const& problem, detail::ProblemPart const& part_,
        SorStorage storage_, std::array<double, 6> const& openings_)
      : part(part_),
        grid(problem.grid),
        weights(problem.weights),
        periodic_axes(part.sides.periodic()),
        storage(storage_),
        openings(openings_) {
    planar = grid.nz() == 1 && (periodic_axes[2] || (openings[4] == 0 && openings[5] == 0));
    layout = layout_of(grid, planar);
    ax = static_cast<T>(axis_weight(0));
    double const y_weight = axis_weight(1);
    ay = planar ? T(0) : static_cast<T>(y_weight);
    rows = {0, layout.ny, 0, layout.nz};
    tile = detail::sor_tile<Exec>(layout, rows);

    layers = allocate<detail::LayerWeights<T>>(space, layout.nz, "karman::sor::layers");
    std::vector<detail::LayerWeights<T>> host;
    for (int k = 0; k < layout.nz; ++k) {
      double const up = planar ? y_weight : weights[2] / (grid.dz(k) * distance(k + 1));
      double const down = planar ? y_weight : weights[2] / (grid.dz(k) * distance(k));
      T const own = T(2) * ax + T(2) * ay + T(up) + T(down);
      host.push_back({static_cast<T>(up), static_cast<T>(down), own > T(0) ? T(1) / own : T(0)});
    }
    copy_to_device(space, host, layers);
    periodic = periodic_in(layout, periodic_axes);
    for (int axis = 0; axis < 3; ++axis) {
      if (!has_seam(layout, periodic, axis)) continue;
      odd_axes |= 1u << axis;
      seam[axis] = allocate<T>(space, seam_cells(layout, axis), "karman::sor::seam");
    }
    for (int color = 0; color < 2; ++color) {
      x[color] = allocate<T>(space, layout.ghosted_size(), "karman::sor::x");
      rhs[color] = allocate<T>(space, layout.inner_size(), "karman::sor::rhs");
      auto const scalar = [&] {
        return Kokkos::View<T, typename Exec::memory_space>(Kokkos::view_alloc(space, "karman::sor::largest"));
      };
      largest_residual[color] = scalar();
      largest_rhs[color] = scalar();
      largest_on_host[color] = Kokkos::View<T, Kokkos::HostSpace>(
          Kokkos::view_alloc(Kokkos::WithoutInitializing, "karman::sor::largest_on_host"));
    }
    bytes += number_bytes;
    if (part.is_cut()) open_halo(space);
  }

  void open_halo(Exec const& space) {
    for (int color = 0; color < 2; ++color) {
      auto const cells = [&](BoxFace face) {
        if (planar && face.axis == 1) face.axis = 2;
        return detail::sor_face_cells(layout, color, face);
      };
      halo[color] = Exchange<Exec, T>(space, part.communicator,
                                      halo_neighbors(part.boxes, part.communicator.rank(), part.periodic, cells));
      bytes += halo[color].workspace_bytes();
    }
    if (overlaps()) {  // makes the instance here, not in solve()
      side.fork(space);
      side.join(space);
    }
  }

  /// Of the largest residuals.
  static constexpr std::int64_t number_bytes = 4 * sizeof(T) + detail::host_share<Exec>(2 * sizeof(T));

  static detail::SplitLayout layout_of(UniformGrid const& grid, bool planar) {
    return planar ? detail::SplitLayout(grid.nx(), 1, grid.ny(), true)
                  : detail::SplitLayout(grid.nx(), grid.ny(), grid.nz(), false);
  }
  /// In the axes of the layout: which of more than one cell are periodic.
  static std::array<bool, 3> periodic_in(detail::SplitLayout const& layout, std::array<bool, 3> const& axes) {
    auto result = layout.ghost_rows == 0 ? std::array{axes[0], false, axes[1]} : axes;
    for (int axis = 0; axis < 3; ++axis) result[axis] = result[axis] && detail::cells_along(layout, axis) > 1;
    return result;
  }
  /// Two cells of one colour are neighbours across the seam of a periodic axis.
  static bool has_seam(detail::SplitLayout const& layout, std::array<bool, 3> const& periodic, int axis) {
    return periodic[static_cast<std::size_t>(axis)] && detail::cells_along(layout, axis) % 2 != 0;
  }
  static std::int64_t seam_cells(detail::SplitLayout const& layout, int axis) {
    return std::int64_t(axis == 2 ? layout.ny : layout.nz) * (axis == 0 ? layout.ny : layout.nx);
  }

  /// Bytes of all that the plan keeps.
  static std::int64_t bytes_of(SevenPointShape const& shape, SorStorage storage) {
    constexpr std::int64_t real = sizeof(T), layer = sizeof(detail::LayerWeights<T>), row = sizeof(detail::OpenRow);
    auto const layout = layout_of(shape.grid, shape.is_absent(2));
    auto const periodic = periodic_in(layout, shape.sides.periodic());
    std::int64_t const inner = 2 * layout.inner_size();
    std::int64_t sum = layout.nz * layer + (2 * layout.ghosted_size() + inner) * real + number_bytes;
    for (int axis = 0; axis < 3; ++axis) sum += has_seam(layout, periodic, axis) ? seam_cells(layout, axis) * real : 0;
    switch (storage) {
      case SorStorage::automatic:
      case SorStorage::packed:
        return sum + inner * static_cast<std::int64_t>(sizeof(WallCode)) +
               detail::host_share<Exec>(2 * std::int64_t(layout.nz) * layout.ny * row);
      case SorStorage::folded: return sum + 7 * inner * real;
      case SorStorage::coefficients: return sum + (shape.own_weights ? 9 : 6) * inner * real;
    }
    return sum;
  }

  /// Weight of a second difference in x or y; zero on a periodic axis with one cell.
  double axis_weight(int axis) const {
    double const spacing = axis == 0 ? grid.dx() : grid.dy();
    int const cells = axis == 0 ? grid.nx() : grid.ny();
    return periodic_axes[axis] && cells == 1 ? 0 : weights[axis] / (spacing * spacing);
  }
  double distance(int k) const { return detail::layer_distance(grid, k, periodic_axes[2]); }

  /// Throws unless the extents fit.
  void require_fields(ConstField<Exec, T> const& values, ConstField<Exec, T> const& b) const {
    detail::require_extents(values, grid.extents(Location::cell), "RedBlackSor", "x");
    detail::require_extents(b, grid.extents(Location::cell), "RedBlackSor", "rhs");
  }

  void load(Exec const& space, ConstField<Exec, T> const& values, ConstField<Exec, T> const& b) {
    detail::split_inner(space, layout, planar, b, rhs, detail::AsIs());
    if (storage == SorStorage::folded) {
      for (int color = 0; color < 2; ++color) detail::fold_rhs(space, rhs[color], own_weight[color]);
    }
    // b is the residual at x = 0: the right-hand side and the boundary values.
    for (bool as_zero : {true, false}) {
      detail::split_ghosted(space, layout, planar, as_zero, values, x);
      for (int color = 0; color < 2; ++color) wrap(space, color, as_zero);
      if (as_zero) measure(space, largest_rhs);
    }
  }

  /// Updates the ghosts after a change of one colour.
  void wrap(Exec const& space, int color, bool as_zero = false) {
    wrap_own(space, color, as_zero);
    if (part.is_cut()) halo[color].exchange(space, x[color].data());
  }

  /// The ghosts of periodic axes within this part.
  void wrap_own(Exec const& space, int color, bool as_zero = false) const {
    for (int axis = 0; axis < 3; ++axis) {
      if (periodic[axis]) detail::wrap_ghosts<Exec, T>(space, layout, axis, color, as_zero, x);
    }
  }

  /// True where rows along the faces can be relaxed and travel while the others are relaxed. A face in x is no row of
  /// its own, and odd seams relax some cells twice.
  bool overlaps() const { return part.is_cut() && !part.cut[0] && !part.cut[1] && odd_axes == 0 && grid.ny() > 2; }

  /// relax() with rows along the faces and their exchange beside the inner rows. Both read the other colour alone.
  void relax_beside_exchange(Exec const& space, int color, double omega) {
    detail::SorRows inner = rows, south = rows, north = rows;
    bool const from_north = part.cut[2], from_south = part.cut[3];
    auto const begin = planar ? &detail::SorRows::k_begin : &detail::SorRows::j_begin;
    auto const end = planar ? &detail::SorRows::k_end : &detail::SorRows::j_end;
    south.*end = rows.*begin + 1;
    north.*begin = rows.*end - 1;
    if (from_south) inner.*begin += 1;
    if (from_north) inner.*end -= 1;
    Exec const& beside = side.fork(space);
    with_sweep(color, omega, [&](auto const& sweep) {
      if (from_south) sweep.of(south).relax(beside);
      if (from_north) sweep.of(north).relax(beside);
      if constexpr (runs_on_host<Exec>) halo[color].begin(beside, x[color].data());
      sweep.of(inner).relax(space);
    });
    // On a device the inner rows go first: a transport may wait for the kernel that packs.
    if constexpr (!runs_on_host<Exec>) halo[color].begin(beside, x[color].data());
    halo[color].end(beside, x[color].data());
    side.join(space);
    wrap_own(space, color);
  }

  void relax(Exec const& space, int color, double omega) {
    if (overlaps()) return relax_beside_exchange(space, color, omega);
    keep_seams(space, color, false);
    with_sweep(color, omega, [&](auto const& sweep) { sweep.relax(space); });
    keep_seams(space, color, true);
    wrap(space, color);
    for (unsigned chosen = 1; chosen < 8; ++chosen) {
      if ((chosen & odd_axes) != chosen) continue;
      with_sweep(color, omega, [&](auto const& sweep) { detail::relax_seam(space, sweep, odd_axes, chosen); });
      wrap(space, color);
    }
  }

  void keep_seams(Exec const& space, int color, bool put_back) const {
    for (int axis = 0; axis < 3; ++axis) {
      if ((odd_axes >> axis & 1u) != 0) {
        detail::keep_seam<Exec, T>(space, layout, axis, color, put_back, x, seam[axis]);
      }
    }
  }

  /// Initialised with zeros, so that ghosts and padding hold numbers.
  template <class Value>
  detail::Array<Exec, Value> allocate(Exec const& space, std::int64_t size, std::string const& label) {
    bytes += size * static_cast<std::int64_t>(sizeof(Value));
    return detail::Array<Exec, Value>(Kokkos::view_alloc(space, label), static_cast<std::size_t>(size));
  }

  void take(Exec const& space, WallCodes<Exec> const& walls) {
    for (int color = 0; color < 2; ++color) {
      codes[color] = allocate<WallCode>(space, layout.inner_size(), "karman::sor::codes");
    }
    // A periodic axis with one cell has weight zero: a cell with no other open face has no equation.
    unsigned present = 0xffff;
    std::array<int, 3> const cells{grid.nx(), grid.ny(), grid.nz()};
    for (int axis = 0; axis < 3; ++axis) {
      if (periodic_axes[axis] && cells[axis] == 1) present &= ~(0xfu << (4 * axis));
    }
    if (planar) {
      detail::split_inner(space, layout, planar, walls, codes, detail::ToPlanarCode{present});
    } else {
      detail::split_inner(space, layout, planar, walls, codes, detail::ToPresentCode{present});
    }
    if constexpr (runs_on_host<Exec>) {
      for (int color = 0; color < 2; ++color) {
        open_row[color] =
            allocate<detail::OpenRow>(space, std::int64_t(layout.nz) * layout.ny, "karman::sor::open_rows");
        detail::mark_open_rows(space, layout, codes[color], color, open_row[color]);
      }
    }
  }

  void take(Exec const& space, FaceCoefficients<Exec, T> const& c) {
    using Fields = std::array<Field<Exec, T>, 6>;
    Fields const faces = planar ? Fields{c.east, c.west, c.top, c.bottom, c.north, c.south} : c.faces();
    for (std::size_t n = 0; n < 6; ++n) split_coefficient(space, faces[n], face, n);
    given_weights = c.has_own_weights();
    if (given_weights) {
      split_coefficient(space, c.own_x, half_weight, 0);
      split_coefficient(space, planar ? c.own_z : c.own_y, half_weight, 1);
      split_coefficient(space, planar ? c.own_y : c.own_z, half_weight, 2);
    }
    if (storage == SorStorage::folded) {
      for (int color = 0; color < 2; ++color) {
        own_weight[color] = allocate<T>(space, layout.inner_size(), "karman::sor::own_weight");
        detail::fold<Exec, T>(space, layout, color, ax, ay, layers, face[color], half_weight[color], own_weight[color]);
      }
      compat::fence(space, "karman::sor::fold");
      half_weight = {};
      if (given_weights) bytes -= 6 * layout.inner_size() * static_cast<std::int64_t>(sizeof(T));
    }
  }

  template <class Split>
  void split_coefficient(Exec const& space, Field<Exec, T> const& field, Split& split, std::size_t n) {
    detail::Colors<Exec, T> colors;
    for (int color = 0; color < 2; ++color) {
      colors[color] = allocate<T>(space, layout.inner_size(), "karman::sor::coefficient");
      split[color][n] = colors[color];
    }
    detail::split_inner(space, layout, planar, field, colors, detail::AsIs());
  }

  /// Calls `use(sweep)` with the kernel of one colour for the storage of this plan.
  template <class Use>
  void with_sweep(int color, double omega, Use const& use) const {
    switch (storage) {
      case SorStorage::automatic:  // chosen by the constructor
      case SorStorage::packed: return with_walls(detail::PackedWalls<Exec, T>{codes[color], ax, ay}, color, omega, use);
      case SorStorage::folded: {
        detail::FoldedWalls<Exec, T> walls{{}, own_weight[color]};
        for (int n = 0; n < 6; ++n) walls.face[n] = face[color][n];
        return with_walls(walls, color, omega, use);
      }
      case SorStorage::coefficients:
        return given_weights ? with_coefficients<true>(color, omega, use) : with_coefficients<false>(color, omega, use);
    }
  }

  template <bool GivenWeights, class Use>
  void with_coefficients(int color, double omega, Use const& use) const {
    detail::CoefficientWalls<Exec, T, GivenWeights> walls{{}, {}, ax, ay};
    for (int n = 0; n < 6; ++n) walls.face[n] = face[color][n];
    if constexpr (GivenWeights) {
      for (int n = 0; n < 3; ++n) walls.half_weight[n] = half_weight[color][n];
    }
    with_walls(walls, color, omega, use);
  }

  template <class Walls, class Use>
  void with_walls(Walls const& walls, int color, double omega, Use const& use) const {
    detail::SorFields<Exec, T> const fields{x[color], x[1 - color], rhs[color], open_row[color]};
    if (planar) {
      use(detail::SorSweep<Exec, T, Walls, true>{fields, walls, layers, ax, ay, layout, color, T(omega), rows, tile});
    } else {
      use(detail::SorSweep<Exec, T, Walls, false>{fields, walls, layers, ax, ay, layout, color, T(omega), rows, tile});
    }
  }

  void measure(Exec const& space,
               detail::ViewArray<Kokkos::View<T, typename Exec::memory_space>, 2> const& largest) const {
    for (int color = 0; color < 2; ++color) {
      with_sweep(color, 1, [&](auto const& sweep) { sweep.residual(space, largest[color]); });
    }
  }

  double larger_of(Exec const& space,
                   detail::ViewArray<Kokkos::View<T, typename Exec::memory_space>, 2> const& largest) const {
    for (int color = 0; color < 2; ++color) Kokkos::deep_copy(space, largest_on_host[color], largest[color]);
    compat::fence(space, "karman::sor::residual");
    double const mine = std::max(static_cast<double>(largest_on_host[0]()), static_cast<double>(largest_on_host[1]()));
    return part.communicator.largest(mine);
  }
};

namespace {

/// Throws, in all processes, unless a cell has the same colour in its part and in the whole grid.
void require_parts(detail::ProblemPart const& part, std::string const& solver) {
  auto const cells = part.boxes.cells();
  auto const parts = part.boxes.parts();
  for (std::size_t axis = 0; axis < 2; ++axis) {
    std::string const name(1, "xy"[axis]);
    require(parts[axis] == 1 || !part.periodic[axis] || cells[axis] % 2 == 0,
            solver + ": " + name + " is periodic with the odd number of " + std::to_string(cells[axis]) +
                " cells, across whose seam two cells of one colour are neighbours; do not cut it");
    for (int rank = 0; rank < part.boxes.processes(); ++rank) {
      int const begin = part.boxes.box(rank).begin[axis];
      require(begin % 2 == 0,
              solver + ": parts begin at even cells, found one that begins at " + name + " = " + std::to_string(begin));
    }
  }
}

SorStorage chosen(SorStorage asked, bool arrays) {
  if (asked != SorStorage::automatic) return asked;
  return arrays ? SorStorage::folded : SorStorage::packed;
}

}  // namespace

template <ExecutionSpace Exec, Real T>
RedBlackSor<Exec, T>::RedBlackSor(Exec const& space, SevenPointProblem<Exec, T> const& problem, SorSetup const& setup) {
  Region const region("karman::sor::plan");
  auto const& communicator = setup.communicator;
  communicator.check_in_all([&] { detail::require_problem(problem, "RedBlackSor"); });
  detail::ProblemPart const part(communicator, problem.grid, problem.sides, "RedBlackSor");
  require_parts(part, "RedBlackSor");
  SevenPointProblem<Exec, T> own = problem;
  own.sides = part.sides;
  bool const arrays = detail::any_gives(communicator, problem.has_coefficients());
  SorStorage const storage = chosen(setup.storage, arrays);
  WallCodes<Exec> walls;
  if (!arrays) walls = detail::codes_of(space, problem, communicator);
  std::array<double, 6> openings{};
  communicator.check_in_all([&] {
    if (!arrays) {
      openings = detail::checked_openings(space, walls, own.sides, "RedBlackSor");
    } else {
      openings = detail::checked_openings(space, problem.coefficients, own.sides, "RedBlackSor");
      if (storage == SorStorage::packed) walls = pack(space, problem.grid, problem.coefficients);
    }
  });
  state_ = {"RedBlackSor", std::make_unique<State>(space, own, part, storage, part.joined(openings))};
  if (storage == SorStorage::packed) {
    state_->take(space, walls);
  } else if (arrays) {
    state_->take(space, problem.coefficients);
  } else {
    state_->take(space, unpack<Exec, T>(space, problem.grid, walls));
  }
  // Kokkos allocates workspace at the first reduction of its size: here, not in solve().
  state_->measure(space, state_->largest_residual);
  compat::fence(space, "karman::sor::plan");
}

template <ExecutionSpace Exec, Real T>
void RedBlackSor<Exec, T>::set_boundary_values(Exec const& space, Side side, ConstPlane<Exec, T> const& values) {
  State& s = *state_;
  int const number = static_cast<int>(side);
  int const axis = number / 2;
  detail::require_side_values(values, s.grid, side, "RedBlackSor");
  detail::require_not_periodic(s.part.periodic[axis], "RedBlackSor");
  if (s.openings[number] == 0 || s.part.cut[number]) return;
  if (!s.planar) {
    detail::set_ghosts(space, s.layout, number, values, s.x);
    return;
  }
  // In the layout of a planar problem y takes the place of z, and a side in x is one column (ny, 1).
  if (axis == 1) {
    detail::set_ghosts(space, s.layout, number + 2, values, s.x);
  } else {
    detail::set_ghosts(space, s.layout, number, ConstPlane<Exec, T>(values.data(), values.extent(1), 1), s.x);
  }
}

template <ExecutionSpace Exec, Real T>
void RedBlackSor<Exec, T>::load(Exec const& space, ConstField<Exec, T> const& x, ConstField<Exec, T> const& rhs) {
  state_->part.communicator.check_in_all([&] { state_->require_fields(x, rhs); });
  state_->load(space, x, rhs);
}

template <ExecutionSpace Exec, Real T>
void RedBlackSor<Exec, T>::iterate(Exec const& space, int count, double omega) {
  for (int n = 0; n < count; ++n) {
    for (int color = 0; color < 2; ++color) {
      state_->relax(space, color, omega);
    }
  }
}

template <ExecutionSpace Exec, Real T>
double RedBlackSor<Exec, T>::residual(Exec const& space) {
  state_->measure(space, state_->largest_residual);
  return state_->larger_of(space, state_->largest_residual);
}

template <ExecutionSpace Exec, Real T>
double RedBlackSor<Exec, T>::right_hand_side_norm(Exec const& space) {
  return state_->larger_of(space, state_->largest_rhs);
}

template <ExecutionSpace Exec, Real T>
void RedBlackSor<Exec, T>::store(Exec const& space, Field<Exec, T> const& x) {
  State const& s = *state_;
  detail::require_extents(x, s.grid.extents(Location::cell), "RedBlackSor", "x");
  detail::merge(space, s.layout, s.planar, s.x, x);
}

template <ExecutionSpace Exec, Real T>
SolveReport RedBlackSor<Exec, T>::solve(Exec const& space, Field<Exec, T> const& x, ConstField<Exec, T> const& rhs,
                                        SorOptions const& options) {
  Region const region("karman::sor::solve");
  state_->part.communicator.check_in_all([&] {
    require_options(options);
    state_->require_fields(x, rhs);
  });
  state_->load(space, x, rhs);

  double const omega = options.optimal_omega ? optimal_omega() : options.omega;
  double const first = residual(space);
  double const norm = right_hand_side_norm(space);
  detail::StationaryMethod method([&](int, int count) { iterate(space, count, omega); },
                                  [&] { return residual(space); });
  SorOptions shared = options;
  if (state_->part.is_cut()) shared.monitor = detail::shared_monitor(options.monitor, state_->part.communicator);
  SolveReport report = detail::run_iterations(method, shared, norm, first);
  report.omega = omega;
  store(space, x);
  compat::fence(space, "karman::sor::solve");
  return report;
}

template <ExecutionSpace Exec, Real T>
SolveReport RedBlackSor<Exec, T>::solve(Exec const& space, Plane<Exec, T> const& x, ConstPlane<Exec, T> const& rhs,
                                        SorOptions const& options) {
  require(state_->grid.nz() == 1, "RedBlackSor: the two-dimensional form needs a grid of one layer");
  return solve(space, Field<Exec, T>(x.data(), 1, x.extent(0), x.extent(1)),
               ConstField<Exec, T>(rhs.data(), 1, rhs.extent(0), rhs.extent(1)), options);
}

template <ExecutionSpace Exec, Real T>
double RedBlackSor<Exec, T>::optimal_omega() const {
  State const& s = *state_;
  auto const& open = s.openings;
  auto const& weights = s.weights;
  UniformGrid const& grid = s.grid;
  auto const& cells = grid.global_cells();
  double const mean_dz = (grid.z_face(grid.nz()) - grid.z_face(0)) / grid.nz();
  auto const& periodic = s.part.periodic;
  std::array const modes{detail::smallest_eigenvalue(cells[0], grid.dx(), open[0], open[1], periodic[0]),
                         detail::smallest_eigenvalue(cells[1], grid.dy(), open[2], open[3], periodic[1]),
                         detail::smallest_eigenvalue(cells[2], mean_dz, open[4], open[5], periodic[2])};
  double smallest = 0;
  double after_constant = HUGE_VAL;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    smallest += weights[axis] * modes[axis].value;
    after_constant = std::min(after_constant, weights[axis] * modes[axis].after_constant);
  }
  // With all sides closed, the constant is no mode of the error; the next mode counts.
  if (smallest == 0) smallest = after_constant;
  // An axis of one cell between closed sides has no flux and is excluded.
  auto const share = [&](std::size_t axis) {
    bool const closed = cells[axis] == 1 && open[2 * axis] == 0 && open[2 * axis + 1] == 0;
    return closed ? 0 : 2 * s.axis_weight(static_cast<int>(axis));
  };
  double const in_plane = share(0) + share(1);
  double own = 0;
  for (int k = 0; k < grid.nz(); ++k) {
    double const z = s.planar ? 0 : (1 / s.distance(k + 1) + 1 / s.distance(k)) / grid.dz(k);
    own = std::max(own, in_plane + weights[2] * z);
  }
  double const rho = std::isfinite(smallest) ? std::clamp(1 - smallest / own, 0.0, 1.0) : 0.0;
  return 2 / (1 + std::sqrt(1 - rho * rho));
}

template <ExecutionSpace Exec, Real T>
std::int64_t RedBlackSor<Exec, T>::workspace_bytes() const {
  return state_->bytes;
}

template <ExecutionSpace Exec, Real T>
std::int64_t RedBlackSor<Exec, T>::workspace_bytes(SevenPointShape const& shape, SorSetup const& setup) {
  return State::bytes_of(shape, chosen(setup.storage, shape.form == CoefficientForm::arrays));
}

#define KARMAN_INSTANTIATE(Exec)           \
  template class RedBlackSor<Exec, float>; \
  template class RedBlackSor<Exec, double>;
KARMAN_FOR_EACH_BACKEND(KARMAN_INSTANTIATE)
#undef KARMAN_INSTANTIATE

}  // namespace karman
