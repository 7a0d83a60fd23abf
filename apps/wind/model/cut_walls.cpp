// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cut_walls.hpp"

#include "common/fields/field_loops.hpp"
#include "cut_cell.hpp"
#include "solid_columns.hpp"

namespace karman::wind {
namespace {

using app::cells_of;

/// Open fraction of a face from the parts that its two cells see covered.
template <Real T>
KOKKOS_INLINE_FUNCTION T opening(T one, T other) {
  T const open = T(1) - (one > other ? one : other);
  if (open < T(least_opening)) return T(0);
  return open > T(0.99999) ? T(1) : open;  // rounding
}

/// Parts of a cell that are covered, by face, and of its volume.
template <ExecutionSpace Exec, Real T>
struct Covered {
  FaceCoefficients<Exec, T> faces;
  Field<Exec, T> volume;
  Field<Exec, std::uint8_t> flag;

  KOKKOS_INLINE_FUNCTION bool solid(std::int64_t k, std::int64_t j, std::int64_t i) const {
    return is_solid(flag(k, j, i)) || volume(k, j, i) > T(1 - least_opening);
  }
};

/// The covered parts of all cells.
template <ExecutionSpace Exec, Real T>
void cover(Exec const& space, DeviceGrid<Exec, T> const& grid, DeviceSolids<Exec> const& solids,
           Covered<Exec, T> const& covered) {
  auto const z_face = grid.z_face;
  double const dx = grid.dx;
  double const dy = grid.dy;
  int const nz = static_cast<int>(covered.volume.extent(0));
  auto const faces = covered.faces;
  auto const volume = covered.volume;
  std::int64_t const first_x = grid.first_x;
  std::int64_t const first_y = grid.first_y;
  for_solid_columns(
      space, "karman::wind::cover", grid, solids, volume,
      KOKKOS_LAMBDA(SolidColumns const& building, std::int64_t j, std::int64_t i) {
        CutCell const cut = cut_cell(building.test, (first_x + i) * dx, (first_y + j) * dy, dx, dy);
        // Layers with their centre inside, and the ones that the building enters.
        int const first = building.first_layer > 0 ? building.first_layer - 1 : 0;
        int const last = building.last_layer < nz ? building.last_layer + 1 : nz;
        for (int k = first; k < last; ++k) {
          double const low = z_face(k), high = z_face(k + 1), inset = 1e-6 * (high - low);
          double const bottom = building.test.bottom, top = building.test.top;
          double const from = bottom > low ? bottom : low, to = top < high ? top : high;
          if (!(to > from)) continue;
          double const part = (to - from) / (high - low);
          faces.west(k, j, i) += static_cast<T>(part * cut.west);
          faces.east(k, j, i) += static_cast<T>(part * cut.east);
          faces.south(k, j, i) += static_cast<T>(part * cut.south);
          faces.north(k, j, i) += static_cast<T>(part * cut.north);
          volume(k, j, i) += static_cast<T>(part * cut.area);
          if (bottom < low + inset && top > low + inset) faces.bottom(k, j, i) += static_cast<T>(cut.area);
          if (bottom < high - inset && top > high - inset) faces.top(k, j, i) += static_cast<T>(cut.area);
        }
      });
}

/// Open fractions of the faces across one axis. `low` and `high`: parts covered on that side of a cell.
template <ExecutionSpace Exec, Real T>
void open_across(Exec const& space, int axis, Covered<Exec, T> const& covered, Field<Exec, T> const& low,
                 Field<Exec, T> const& high, Field<Exec, T> const& open) {
  std::int64_t const di = axis == 0 ? 1 : 0, dj = axis == 1 ? 1 : 0, dk = axis == 2 ? 1 : 0;
  std::int64_t const cells_along = static_cast<std::int64_t>(covered.volume.extent(static_cast<std::size_t>(2 - axis)));
  Kokkos::parallel_for(
      "karman::wind::open_faces", cells_of(space, open), KOKKOS_LAMBDA(std::int64_t k, std::int64_t j, std::int64_t i) {
        std::int64_t const at = axis == 0 ? i : axis == 1 ? j : k;
        bool const has_low = at > 0, has_high = at < cells_along;
        bool const closed = (has_low && covered.solid(k - dk, j - dj, i - di)) ||
                            (has_high && covered.solid(k, j, i)) || (axis == 2 && k == 0);
        T const below = has_low ? high(k - dk, j - dj, i - di) : T(0);
        T const above = has_high ? low(k, j, i) : T(0);
        open(k, j, i) = closed ? T(0) : opening(below, above);
      });
}

}  // namespace

template <ExecutionSpace Exec, Real T>
void cut_walls(Exec const& space, DeviceGrid<Exec, T> const& grid, DeviceSolids<Exec> const& solids,
               Field<Exec, std::uint8_t> const& flag, FaceVelocity<Exec, T> const& open,
               FaceCoefficients<Exec, T> const& coefficients, Field<Exec, T> const& scratch) {
  Covered<Exec, T> const covered{coefficients, scratch, flag};
  for (auto const& face : coefficients.faces()) Kokkos::deep_copy(space, face, T(0));
  Kokkos::deep_copy(space, scratch, T(0));
  if (solids.buildings.size() > 0) cover<Exec, T>(space, grid, solids, covered);
  open_across<Exec, T>(space, 0, covered, coefficients.west, coefficients.east, open.u);
  open_across<Exec, T>(space, 1, covered, coefficients.south, coefficients.north, open.v);
  open_across<Exec, T>(space, 2, covered, coefficients.bottom, coefficients.top, open.w);
  auto const u = open.u, v = open.v, w = open.w;
  auto const faces = coefficients;
  std::int64_t const nx = static_cast<std::int64_t>(flag.extent(2));
  std::int64_t const ny = static_cast<std::int64_t>(flag.extent(1));
  std::int64_t const nz = static_cast<std::int64_t>(flag.extent(0));
  Kokkos::parallel_for(
      "karman::wind::cut_coefficients", cells_of(space, flag),
      KOKKOS_LAMBDA(std::int64_t k, std::int64_t j, std::int64_t i) {
        // The zero beyond an open side lies on the face, half a cell away.
        T const west = u(k, j, i) * T(i == 0 ? 2 : 1), east = u(k, j, i + 1) * T(i == nx - 1 ? 2 : 1);
        T const south = v(k, j, i) * T(j == 0 ? 2 : 1), north = v(k, j + 1, i) * T(j == ny - 1 ? 2 : 1);
        T const bottom = w(k, j, i), top = w(k + 1, j, i) * T(k == nz - 1 ? 2 : 1);
        faces.west(k, j, i) = west;
        faces.east(k, j, i) = east;
        faces.south(k, j, i) = south;
        faces.north(k, j, i) = north;
        faces.bottom(k, j, i) = bottom;
        faces.top(k, j, i) = top;
        bool const closed = (west + east) + (south + north) + (bottom + top) == T(0);
        if (closed && !is_solid(flag(k, j, i))) flag(k, j, i) = static_cast<std::uint8_t>(CellFlag::solid);
      });
}

template <ExecutionSpace Exec, Real T>
void close_faces(Exec const& space, FaceVelocity<Exec, T> const& open, FaceVelocity<Exec, T> const& velocity) {
  Field<Exec, T> const opened[3] = {open.u, open.v, open.w}, faces[3] = {velocity.u, velocity.v, velocity.w};
  for (int axis = 0; axis < 3; ++axis) {
    auto const part = opened[axis], values = faces[axis];
    Kokkos::parallel_for(
        "karman::wind::close_faces", cells_of(space, values),
        KOKKOS_LAMBDA(std::int64_t k, std::int64_t j, std::int64_t i) {
          if (part(k, j, i) == T(0)) values(k, j, i) = T(0);
        });
  }
}

template <ExecutionSpace Exec, Real T>
void divergence_of_cut_cells(Exec const& space, DeviceGrid<Exec, T> const& grid,
                             ConstField<Exec, std::uint8_t> const& flag, FaceVelocity<Exec, T> const& open,
                             FaceVelocity<Exec, T> const& velocity, double scale, Field<Exec, T> const& out) {
  auto const inverse_dz = grid.inverse_dz;
  T const inverse_dx = static_cast<T>(1 / grid.dx);
  T const inverse_dy = static_cast<T>(1 / grid.dy);
  T const factor = static_cast<T>(scale);
  std::int64_t const ring_x = grid.ring_x;
  std::int64_t const ring_y = grid.ring_y;
  auto const u = velocity.u, v = velocity.v, w = velocity.w, a = open.u, b = open.v, c = open.w;
  Kokkos::parallel_for(
      "karman::wind::divergence_of_cut_cells", cells_of(space, out),
      KOKKOS_LAMBDA(std::int64_t k, std::int64_t row, std::int64_t column) {
        std::int64_t const j = ring_y + row;
        std::int64_t const i = ring_x + column;
        T const sum = (a(k, j, i + 1) * u(k, j, i + 1) - a(k, j, i) * u(k, j, i)) * inverse_dx +
                      (b(k, j + 1, i) * v(k, j + 1, i) - b(k, j, i) * v(k, j, i)) * inverse_dy +
                      (c(k + 1, j, i) * w(k + 1, j, i) - c(k, j, i) * w(k, j, i)) * inverse_dz(k);
        out(k, row, column) = is_solid(flag(k, j, i)) ? T(0) : factor * sum;
      });
}

#define KARMAN_INSTANTIATE_REAL(Exec, T)                                                                              \
  template void cut_walls<Exec, T>(Exec const&, DeviceGrid<Exec, T> const&, DeviceSolids<Exec> const&,                \
                                   Field<Exec, std::uint8_t> const&, FaceVelocity<Exec, T> const&,                    \
                                   FaceCoefficients<Exec, T> const&, Field<Exec, T> const&);                          \
  template void close_faces<Exec, T>(Exec const&, FaceVelocity<Exec, T> const&, FaceVelocity<Exec, T> const&);        \
  template void divergence_of_cut_cells<Exec, T>(Exec const&, DeviceGrid<Exec, T> const&,                             \
                                                 ConstField<Exec, std::uint8_t> const&, FaceVelocity<Exec, T> const&, \
                                                 FaceVelocity<Exec, T> const&, double, Field<Exec, T> const&);
#define KARMAN_INSTANTIATE(Exec)       \
  KARMAN_INSTANTIATE_REAL(Exec, float) \
  KARMAN_INSTANTIATE_REAL(Exec, double)
KARMAN_FOR_EACH_BACKEND(KARMAN_INSTANTIATE)
#undef KARMAN_INSTANTIATE
#undef KARMAN_INSTANTIATE_REAL

}  // namespace karman::wind
