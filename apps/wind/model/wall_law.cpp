// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "wall_law.hpp"

#include "common/fields/field_loops.hpp"
#include <karman/core/compat.hpp>

#include <array>
#include <cstddef>

namespace karman::wind {
namespace {

using app::cells;

/// Cells (k, j, i), or steps between them, by axis: 0 for x, 1 for y, 2 for z.
struct CellIndex {
  std::int64_t at[3];
  KOKKOS_INLINE_FUNCTION CellIndex moved(int axis, std::int64_t by) const {
    CellIndex result = *this;
    result.at[axis] += by;
    return result;
  }
};

/// The law for the faces across one axis.
template <ExecutionSpace Exec, Real T>
struct WallLaw {
  ConstField<Exec, std::uint8_t> flag;
  Field<Exec, T> velocity;  ///< on the faces across `axis`
  Line<Exec, double> z_face;
  double dx, dy, roughness;
  int axis;

  KOKKOS_INLINE_FUNCTION bool inside(CellIndex const& cell) const {
    for (int a = 0; a < 3; ++a) {
      if (cell.at[a] < 0 || cell.at[a] >= static_cast<std::int64_t>(flag.extent(2 - a))) return false;
    }
    return true;
  }
  KOKKOS_INLINE_FUNCTION std::uint8_t flag_of(CellIndex const& cell) const {
    return flag(cell.at[2], cell.at[1], cell.at[0]);
  }
  KOKKOS_INLINE_FUNCTION bool solid(CellIndex const& cell) const { return is_solid(flag_of(cell)); }
  KOKKOS_INLINE_FUNCTION bool building(CellIndex const& cell) const {
    return flag_of(cell) == static_cast<std::uint8_t>(CellFlag::solid);
  }
  KOKKOS_INLINE_FUNCTION double thickness(int a, CellIndex const& cell) const {
    return a == 0 ? dx : a == 1 ? dy : z_face(cell.at[2] + 1) - z_face(cell.at[2]);
  }

  /// Velocity on the face between the cell and the one below it along the axis.
  KOKKOS_INLINE_FUNCTION T at(CellIndex const& high) const {
    namespace math = compat::math;
    CellIndex const low = high.moved(axis, -1);
    T result = velocity(high.at[2], high.at[1], high.at[0]);
    if (solid(low) || solid(high)) return result;
    bool found = false;
    for (int a = 0; a < 3; ++a) {
      if (a == axis) continue;
      for (int side = -1; side <= 1; side += 2) {
        CellIndex const wall = high.moved(a, side), away = high.moved(a, -side);
        if (!inside(wall) || !inside(away)) continue;
        if (!building(wall) || !building(low.moved(a, side)) || solid(away) || solid(low.moved(a, -side))) continue;
        double const near = thickness(a, high) / 2, far = thickness(a, high) + thickness(a, away) / 2;
        double const factor = near > roughness ? math::log(near / roughness) / math::log(far / roughness) : 0.0;
        T const value = static_cast<T>(factor * velocity(away.at[2], away.at[1], away.at[0]));
        if (!found || math::fabs(value) < math::fabs(result)) result = value;
        found = true;
      }
    }
    return result;
  }
};

template <ExecutionSpace Exec, Real T>
void apply_along(Exec const& space, WallLaw<Exec, T> const& law, Field<Exec, T> const& scratch) {
  std::array<int, 3> begin{0, 0, 0};
  begin[static_cast<std::size_t>(2 - law.axis)] = 1;
  std::array<int, 3> const end{static_cast<int>(scratch.extent(0)), static_cast<int>(scratch.extent(1)),
                               static_cast<int>(scratch.extent(2))};
  Kokkos::parallel_for(
      "karman::wind::wall_law", cells(space, begin, end),
      KOKKOS_LAMBDA(std::int64_t k, std::int64_t j, std::int64_t i) { scratch(k, j, i) = law.at({{i, j, k}}); });
  auto const velocity = law.velocity;
  Kokkos::parallel_for(
      "karman::wind::take_wall_law", cells(space, begin, end),
      KOKKOS_LAMBDA(std::int64_t k, std::int64_t j, std::int64_t i) { velocity(k, j, i) = scratch(k, j, i); });
}

}  // namespace

template <ExecutionSpace Exec, Real T>
void apply_wall_law(Exec const& space, DeviceGrid<Exec, T> const& grid, ConstField<Exec, std::uint8_t> const& flag,
                    double roughness, FaceVelocity<Exec, T> const& velocity, Field<Exec, T> const& scratch) {
  Field<Exec, T> const faces[3] = {velocity.u, velocity.v, velocity.w};
  for (int axis = 0; axis < 3; ++axis) {
    apply_along<Exec, T>(space, {flag, faces[axis], grid.z_face, grid.dx, grid.dy, roughness, axis}, scratch);
  }
}

#define KARMAN_INSTANTIATE_REAL(Exec, T)                                                                             \
  template void apply_wall_law<Exec, T>(Exec const&, DeviceGrid<Exec, T> const&,                                     \
                                        ConstField<Exec, std::uint8_t> const&, double, FaceVelocity<Exec, T> const&, \
                                        Field<Exec, T> const&);
#define KARMAN_INSTANTIATE(Exec)       \
  KARMAN_INSTANTIATE_REAL(Exec, float) \
  KARMAN_INSTANTIATE_REAL(Exec, double)
KARMAN_FOR_EACH_BACKEND(KARMAN_INSTANTIATE)
#undef KARMAN_INSTANTIATE
#undef KARMAN_INSTANTIATE_REAL

}  // namespace karman::wind
