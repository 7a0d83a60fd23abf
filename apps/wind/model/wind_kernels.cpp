// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "wind_kernels.hpp"

#include "common/fields/field_loops.hpp"
#include "solid_columns.hpp"

namespace karman::wind {

using app::cells;
using app::cells_of;
using app::for_each_cell;
namespace {

/// True if the cell is inside the domain and solid. Outside there is air.
template <class Flags>
KOKKOS_INLINE_FUNCTION bool is_solid(Flags const& flag, std::int64_t k, std::int64_t j, std::int64_t i) {
  if (k < 0 || j < 0 || i < 0) return false;
  if (k >= std::int64_t(flag.extent(0)) || j >= std::int64_t(flag.extent(1)) || i >= std::int64_t(flag.extent(2)))
    return false;
  return wind::is_solid(flag(k, j, i));
}

/// Difference of the multiplier across a face between the cells `low` and `high` along one axis. Where one of them is
/// outside of the domain: twice the difference to the zero on the face itself.
template <Real T>
KOKKOS_INLINE_FUNCTION T step_over_face(bool has_low, bool has_high, T low, T high) {
  if (!has_low) return 2 * high;
  if (!has_high) return -2 * low;
  return high - low;
}

}  // namespace

template <ExecutionSpace Exec, Real T>
void mark_solid(Exec const& space, DeviceGrid<Exec, T> const& grid, DeviceSolids<Exec> const& solids,
                Field<Exec, std::uint8_t> const& flag) {
  double const dx = grid.dx;
  double const dy = grid.dy;
  std::int64_t const first_x = grid.first_x;
  std::int64_t const first_y = grid.first_y;
  for_solid_columns(
      space, "karman::wind::mark_solid", grid, solids, flag,
      KOKKOS_LAMBDA(SolidColumns const& building, std::int64_t j, std::int64_t i) {
        if (!building.test.holds_point((first_x + i + 0.5) * dx, (first_y + j + 0.5) * dy)) return;
        for (int k = building.first_layer; k < building.last_layer; ++k)
          flag(k, j, i) = static_cast<std::uint8_t>(CellFlag::solid);
      });
}

template <ExecutionSpace Exec, Real T>
void mark_terrain(Exec const& space, DeviceGrid<Exec, T> const& grid, Line<Exec, double> const& ground,
                  Field<Exec, std::uint8_t> const& flag) {
  auto const z_center = grid.z_center;
  std::int64_t const nx = static_cast<std::int64_t>(flag.extent(2));
  std::int64_t const columns = static_cast<std::int64_t>(flag.extent(1)) * nx;
  std::int64_t const nz = static_cast<std::int64_t>(flag.extent(0));
  Kokkos::parallel_for(
      "karman::wind::mark_terrain", Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::int64_t>>(space, 0, columns),
      KOKKOS_LAMBDA(std::int64_t column) {
        for (std::int64_t k = 0; k < nz && z_center(k) < ground(column); ++k)
          flag(k, column / nx, column % nx) = static_cast<std::uint8_t>(CellFlag::terrain);
      });
}

template <ExecutionSpace Exec>
void interpolate_sensors(Exec const& space, BarnesTable const& sensors, UniformGrid const& grid,
                         Line<Exec, double> const& weights) {
  double const dx = grid.dx();
  double const dy = grid.dy();
  std::int64_t const nx = grid.nx();
  std::int64_t const columns = nx * grid.ny();
  std::int64_t const first_x = grid.own_box().begin[0];
  std::int64_t const first_y = grid.own_box().begin[1];
  Kokkos::parallel_for(
      "karman::wind::interpolate_sensors",
      Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::int64_t>>(space, 0, columns),
      KOKKOS_LAMBDA(std::int64_t column) {
        double const x = (static_cast<double>(first_x + column % nx) + 0.5) * dx;
        double const y = (static_cast<double>(first_y + column / nx) + 0.5) * dy;
        sensors.at(x, y, weights.data() + column, columns);
      });
}

template <ExecutionSpace Exec, Real T>
void mark_zones(Exec const& space, DeviceGrid<Exec, T> const& grid, DeviceZones<Exec> const& zones,
                Field<Exec, std::uint8_t> const& flag) {
  auto const z_center = grid.z_center;
  double const dx = grid.dx;
  double const dy = grid.dy;
  std::int64_t const first_x = grid.first_x;
  std::int64_t const first_y = grid.first_y;
  ZoneTable const table = zones.table;
  UndisturbedWind const wind = zones.wind;
  Kokkos::parallel_for(
      "karman::wind::mark_zones", cells_of(space, flag), KOKKOS_LAMBDA(std::int64_t k, std::int64_t j, std::int64_t i) {
        if (!is_solid(flag(k, j, i))) {
          double const speed =
              wind.in_cell(static_cast<int>(k), z_center(k), static_cast<int>(j), static_cast<int>(i)).speed;
          PointState const state = table.at((first_x + i + 0.5) * dx, (first_y + j + 0.5) * dy, z_center(k), speed);
          flag(k, j, i) = static_cast<std::uint8_t>(state.flag);
        }
      });
}

template <ExecutionSpace Exec>
void solid_mask(Exec const& space, std::array<int, 2> const& ring, ConstField<Exec, std::uint8_t> const& flag,
                Field<Exec, std::uint8_t> const& walls) {
  std::int64_t const ring_x = ring[0];
  std::int64_t const ring_y = ring[1];
  Kokkos::parallel_for(
      "karman::wind::solid_mask", cells_of(space, walls),
      KOKKOS_LAMBDA(std::int64_t k, std::int64_t j, std::int64_t i) {
        walls(k, j, i) = is_solid(flag(k, ring_y + j, ring_x + i)) ? 1 : 0;
      });
}

template <ExecutionSpace Exec, Real T>
void set_initial_velocity(Exec const& space, DeviceGrid<Exec, T> const& grid, DeviceZones<Exec> const& zones,
                          ConstField<Exec, std::uint8_t> const& flag, FaceVelocity<Exec, T> const& velocity) {
  auto const z_center = grid.z_center;
  auto const z_face = grid.z_face;
  double const dx = grid.dx;
  double const dy = grid.dy;
  std::int64_t const first_x = grid.first_x;
  std::int64_t const first_y = grid.first_y;
  ZoneTable const table = zones.table;
  UndisturbedWind const wind = zones.wind;
  auto const u = velocity.u;
  auto const v = velocity.v;
  auto const w = velocity.w;
  Kokkos::parallel_for(
      "karman::wind::initial_u", cells_of(space, u), KOKKOS_LAMBDA(std::int64_t k, std::int64_t j, std::int64_t i) {
        WindAt const here = wind.on_x_face(static_cast<int>(k), z_center(k), static_cast<int>(j), static_cast<int>(i));
        PointState state;
        if (!is_solid(flag, k, j, i - 1) && !is_solid(flag, k, j, i))
          state = table.at((first_x + i) * dx, (first_y + j + 0.5) * dy, z_center(k), here.speed);
        u(k, j, i) = static_cast<T>(component_x(state, here.heading_x, here.heading_y));
      });
  Kokkos::parallel_for(
      "karman::wind::initial_v", cells_of(space, v), KOKKOS_LAMBDA(std::int64_t k, std::int64_t j, std::int64_t i) {
        WindAt const here = wind.on_y_face(static_cast<int>(k), z_center(k), static_cast<int>(j), static_cast<int>(i));
        PointState state;
        if (!is_solid(flag, k, j - 1, i) && !is_solid(flag, k, j, i))
          state = table.at((first_x + i + 0.5) * dx, (first_y + j) * dy, z_center(k), here.speed);
        v(k, j, i) = static_cast<T>(component_y(state, here.heading_x, here.heading_y));
      });
  if (!table.settings.vertical) {
    Kokkos::deep_copy(space, w, T(0));
    return;
  }
  // The undisturbed wind is horizontal, and vertical velocities of zones do not depend on it.
  Kokkos::parallel_for(
      "karman::wind::initial_w", cells_of(space, w), KOKKOS_LAMBDA(std::int64_t k, std::int64_t j, std::int64_t i) {
        bool const wall = k == 0 || is_solid(flag, k - 1, j, i) || is_solid(flag, k, j, i);
        double const vertical =
            wall ? 0.0 : table.at((first_x + i + 0.5) * dx, (first_y + j + 0.5) * dy, z_face(k), 0).vertical;
        w(k, j, i) = static_cast<T>(vertical);
      });
}

template <ExecutionSpace Exec, Real T>
void divergence(Exec const& space, DeviceGrid<Exec, T> const& grid, ConstField<Exec, std::uint8_t> const& flag,
                FaceVelocity<Exec, T> const& velocity, double scale, Field<Exec, T> const& out) {
  auto const inverse_dz = grid.inverse_dz;
  T const inverse_dx = static_cast<T>(1 / grid.dx);
  T const inverse_dy = static_cast<T>(1 / grid.dy);
  T const factor = static_cast<T>(scale);
  std::int64_t const ring_x = grid.ring_x;
  std::int64_t const ring_y = grid.ring_y;
  auto const u = velocity.u;
  auto const v = velocity.v;
  auto const w = velocity.w;
  for_each_cell(
      space, "karman::wind::divergence", out, KOKKOS_LAMBDA(std::int64_t k, std::int64_t row, std::int64_t column) {
        std::int64_t const j = ring_y + row;
        std::int64_t const i = ring_x + column;
        T const sum = (u(k, j, i + 1) - u(k, j, i)) * inverse_dx + (v(k, j + 1, i) - v(k, j, i)) * inverse_dy +
                      (w(k + 1, j, i) - w(k, j, i)) * inverse_dz(k);
        out(k, row, column) = is_solid(flag(k, j, i)) ? T(0) : factor * sum;
      });
}

template <ExecutionSpace Exec, Real T>
void add_gradient(Exec const& space, DeviceGrid<Exec, T> const& grid, ConstField<Exec, std::uint8_t> const& flag,
                  ConstField<Exec, T> const& lambda, std::array<double, 2> const& alpha,
                  FaceVelocity<Exec, T> const& velocity, Field<Exec, T> const& sum) {
  double const horizontal = 1 / (2 * alpha[0] * alpha[0]);
  T const factor_x = static_cast<T>(horizontal / grid.dx);
  T const factor_y = static_cast<T>(horizontal / grid.dy);
  T const factor_z = static_cast<T>(1 / (2 * alpha[1] * alpha[1]));
  auto const inverse_dz_face = grid.inverse_dz_face;
  auto const u = velocity.u;
  auto const v = velocity.v;
  auto const w = velocity.w;
  std::int64_t const nx = static_cast<std::int64_t>(lambda.extent(2));
  std::int64_t const ny = static_cast<std::int64_t>(lambda.extent(1));
  std::int64_t const nz = static_cast<std::int64_t>(lambda.extent(0));
  bool const sums = sum.size() > 0;
  // Each cell takes its lower faces, the last cell of a line the upper one too: lambda and the flags are read once.
  for_each_cell(
      space, "karman::wind::gradient", lambda, KOKKOS_LAMBDA(std::int64_t k, std::int64_t j, std::int64_t i) {
        // All values are read before any of them decides, so that a thread waits for memory once. On a side the cell
        // itself is its neighbor: its flag is the same, its lambda does not count.
        std::int64_t const west = i > 0 ? i - 1 : 0;
        std::int64_t const south = j > 0 ? j - 1 : 0;
        std::int64_t const below = k > 0 ? k - 1 : 0;
        bool const fluid = !is_solid(flag(k, j, i));
        bool const open_x = fluid && !is_solid(flag(k, j, west));
        bool const open_y = fluid && !is_solid(flag(k, south, i));
        bool const open_z = fluid && !is_solid(flag(below, j, i)) && k > 0;
        T const here = lambda(k, j, i);
        T const step_x = step_over_face(i > 0, true, lambda(k, j, west), here);
        T const step_y = step_over_face(j > 0, true, lambda(k, south, i), here);
        T const step_z = here - lambda(below, j, i);
        T const old_u = u(k, j, i);
        T const old_v = v(k, j, i);
        T const old_w = w(k, j, i);
        if (sums) sum(k, j, i) += here;
        if (open_x) u(k, j, i) = old_u + factor_x * step_x;
        if (open_y) v(k, j, i) = old_v + factor_y * step_y;
        if (open_z) w(k, j, i) = old_w + factor_z * inverse_dz_face(k) * step_z;
        if (!fluid) return;
        if (i == nx - 1) u(k, j, nx) += factor_x * step_over_face(true, false, here, T(0));
        if (j == ny - 1) v(k, ny, i) += factor_y * step_over_face(true, false, here, T(0));
        if (k == nz - 1) w(nz, j, i) += factor_z * inverse_dz_face(nz) * step_over_face(true, false, here, T(0));
      });
}

template <ExecutionSpace Exec, Real T>
void add(Exec const& space, ConstField<Exec, T> const& values, Field<Exec, T> const& to) {
  for_each_cell(
      space, "karman::wind::add", to,
      KOKKOS_LAMBDA(std::int64_t k, std::int64_t j, std::int64_t i) { to(k, j, i) += values(k, j, i); });
}

template <ExecutionSpace Exec, class T>
void copy_into_ringed(Exec const& space, std::array<int, 2> const& ring, ConstField<Exec, T> const& own,
                      Field<Exec, T> const& ringed) {
  std::int64_t const ring_x = ring[0];
  std::int64_t const ring_y = ring[1];
  Kokkos::parallel_for(
      "karman::wind::copy_into_ringed", cells_of(space, own),
      KOKKOS_LAMBDA(std::int64_t k, std::int64_t j, std::int64_t i) {
        ringed(k, ring_y + j, ring_x + i) = own(k, j, i);
      });
}

template <ExecutionSpace Exec, class T>
void copy_from_ringed(Exec const& space, std::array<int, 2> const& ring, ConstField<Exec, T> const& ringed,
                      Field<Exec, T> const& own) {
  std::int64_t const ring_x = ring[0];
  std::int64_t const ring_y = ring[1];
  Kokkos::parallel_for(
      "karman::wind::copy_from_ringed", cells_of(space, own),
      KOKKOS_LAMBDA(std::int64_t k, std::int64_t j, std::int64_t i) {
        own(k, j, i) = ringed(k, ring_y + j, ring_x + i);
      });
}

template <ExecutionSpace Exec, Real T>
void average_to_centers(Exec const& space, std::array<int, 2> const& ring, int axis, ConstField<Exec, T> const& face,
                        Field<Exec, T> const& out) {
  std::int64_t const ring_x = ring[0];
  std::int64_t const ring_y = ring[1];
  int const di = axis == 0 ? 1 : 0;
  int const dj = axis == 1 ? 1 : 0;
  int const dk = axis == 2 ? 1 : 0;
  Kokkos::parallel_for(
      "karman::wind::average", cells_of(space, out),
      KOKKOS_LAMBDA(std::int64_t k, std::int64_t row, std::int64_t column) {
        std::int64_t const j = ring_y + row;
        std::int64_t const i = ring_x + column;
        out(k, row, column) = T(0.5) * (face(k, j, i) + face(k + dk, j + dj, i + di));
      });
}

template <ExecutionSpace Exec, Real T>
void add_on_slice(Exec const& space, int axis, int index, ConstField<Exec, T> const& a, ConstField<Exec, T> const& b,
                  Plane<Exec, T> const& out) {
  std::int64_t const columns = static_cast<std::int64_t>(out.extent(1));
  std::int64_t const size = static_cast<std::int64_t>(out.extent(0)) * columns;
  Kokkos::parallel_for(
      "karman::wind::slice", Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::int64_t>>(space, 0, size),
      KOKKOS_LAMBDA(std::int64_t n) {
        std::int64_t const row = n / columns;
        std::int64_t const column = n % columns;
        std::int64_t const k = axis == 2 ? index : row;
        std::int64_t const j = axis == 2 ? row : axis == 1 ? index : column;
        std::int64_t const i = axis == 0 ? index : column;
        out(row, column) = a(k, j, i) + b(k, j, i);
      });
}

template <ExecutionSpace Exec, Real T>
std::int64_t first_not_finite(Exec const& space, std::array<int, 2> const& ring, std::array<int, 3> const& own,
                              ConstField<Exec, T> const& field) {
  std::int64_t const ring_x = ring[0];
  std::int64_t const ring_y = ring[1];
  std::int64_t const ny = own[1];
  std::int64_t const nx = own[2];
  std::int64_t const size = own[0] * ny * nx;
  std::int64_t first = size;
  Kokkos::parallel_reduce(
      "karman::wind::first_not_finite", Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::int64_t>>(space, 0, size),
      KOKKOS_LAMBDA(std::int64_t n, std::int64_t& least) {
        // The difference of a value that is not finite with itself is NaN.
        T const value = field(n / nx / ny, ring_y + n / nx % ny, ring_x + n % nx);
        if (!(value - value == T(0)) && n < least) least = n;
      },
      Kokkos::Min<std::int64_t>(first));
  return first < size ? first : size;
}

#define KARMAN_INSTANTIATE_COPIES(Exec, T)                                                                    \
  template void copy_into_ringed<Exec, T>(Exec const&, std::array<int, 2> const&, ConstField<Exec, T> const&, \
                                          Field<Exec, T> const&);                                             \
  template void copy_from_ringed<Exec, T>(Exec const&, std::array<int, 2> const&, ConstField<Exec, T> const&, \
                                          Field<Exec, T> const&);
#define KARMAN_INSTANTIATE_REAL(Exec, T)                                                                              \
  template void mark_solid<Exec, T>(Exec const&, DeviceGrid<Exec, T> const&, DeviceSolids<Exec> const&,               \
                                    Field<Exec, std::uint8_t> const&);                                                \
  template void mark_terrain<Exec, T>(Exec const&, DeviceGrid<Exec, T> const&, Line<Exec, double> const&,             \
                                      Field<Exec, std::uint8_t> const&);                                              \
  template void mark_zones<Exec, T>(Exec const&, DeviceGrid<Exec, T> const&, DeviceZones<Exec> const&,                \
                                    Field<Exec, std::uint8_t> const&);                                                \
  template void set_initial_velocity<Exec, T>(Exec const&, DeviceGrid<Exec, T> const&, DeviceZones<Exec> const&,      \
                                              ConstField<Exec, std::uint8_t> const&, FaceVelocity<Exec, T> const&);   \
  template void divergence<Exec, T>(Exec const&, DeviceGrid<Exec, T> const&, ConstField<Exec, std::uint8_t> const&,   \
                                    FaceVelocity<Exec, T> const&, double, Field<Exec, T> const&);                     \
  template void add_gradient<Exec, T>(Exec const&, DeviceGrid<Exec, T> const&, ConstField<Exec, std::uint8_t> const&, \
                                      ConstField<Exec, T> const&, std::array<double, 2> const&,                       \
                                      FaceVelocity<Exec, T> const&, Field<Exec, T> const&);                           \
  KARMAN_INSTANTIATE_COPIES(Exec, T)                                                                                  \
  template void add<Exec, T>(Exec const&, ConstField<Exec, T> const&, Field<Exec, T> const&);                         \
  template void average_to_centers<Exec, T>(Exec const&, std::array<int, 2> const&, int, ConstField<Exec, T> const&,  \
                                            Field<Exec, T> const&);                                                   \
  template void add_on_slice<Exec, T>(Exec const&, int, int, ConstField<Exec, T> const&, ConstField<Exec, T> const&,  \
                                      Plane<Exec, T> const&);                                                         \
  template std::int64_t first_not_finite<Exec, T>(Exec const&, std::array<int, 2> const&, std::array<int, 3> const&,  \
                                                  ConstField<Exec, T> const&);
#define KARMAN_INSTANTIATE(Exec)                                                                                \
  template void interpolate_sensors<Exec>(Exec const&, BarnesTable const&, UniformGrid const&,                  \
                                          Line<Exec, double> const&);                                           \
  template void solid_mask<Exec>(Exec const&, std::array<int, 2> const&, ConstField<Exec, std::uint8_t> const&, \
                                 Field<Exec, std::uint8_t> const&);                                             \
  KARMAN_INSTANTIATE_COPIES(Exec, std::uint8_t)                                                                 \
  KARMAN_INSTANTIATE_REAL(Exec, float)                                                                          \
  KARMAN_INSTANTIATE_REAL(Exec, double)
KARMAN_FOR_EACH_BACKEND(KARMAN_INSTANTIATE)
#undef KARMAN_INSTANTIATE
#undef KARMAN_INSTANTIATE_REAL
#undef KARMAN_INSTANTIATE_COPIES

}  // namespace karman::wind
