// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Properties of given coefficients that a multigrid plan depends on.
/// Functions with a device lambda are static: nvcc keeps the parts of such a lambda separate for each translation unit.
/// A linker that joined the functions of two of them would mix the parts.
#pragma once

#include "grid/sor/split_fields.hpp"
#include <karman/solvers/detail/wall_code_bits.hpp>
#include <karman/solvers/grid/multigrid_options.hpp>
#include <karman/solvers/grid/wall_codes.hpp>

#include <Kokkos_Core.hpp>

#include <array>
#include <cmath>
#include <cstdint>

namespace karman::detail {

/// Twice the coefficients of the faces of a cell, from codes or from arrays.
template <class Exec>
struct DoubledCodes {
  WallCodes<Exec> codes;
  KOKKOS_INLINE_FUNCTION double operator()(std::int64_t k, std::int64_t j, std::int64_t i, int face) const {
    return doubled_face(codes(k, j, i), face);
  }
  KOKKOS_INLINE_FUNCTION bool has_given_weight(std::int64_t k, std::int64_t j, std::int64_t i) const {
    return (codes(k, j, i) & half_weights_flag) != 0 && !keeps_its_value(codes(k, j, i));
  }
};

template <class Exec, class T>
struct DoubledArrays {
  ViewArray<Field<Exec, T>, 6> face;
  bool given_weights;
  KOKKOS_INLINE_FUNCTION double operator()(std::int64_t k, std::int64_t j, std::int64_t i, int f) const {
    return 2 * static_cast<double>(face[f](k, j, i));
  }
  KOKKOS_INLINE_FUNCTION bool has_given_weight(std::int64_t, std::int64_t, std::int64_t) const { return given_weights; }
};

struct MultigridFindings {
  std::int64_t irregular = 0;  ///< cells whose faces differ from open inside and from the coefficients of the sides
  std::int64_t weighted = 0;   ///< cells with given own weights
  std::int64_t bad = 0;        ///< cells with a coefficient that is negative or not finite
  std::int64_t inner = 0;      ///< inner faces of cells with an open face
  std::int64_t blocked = 0;    ///< inner faces that are closed, or nearly so relative to the others of their cell

  double blocked_share() const { return inner > 0 ? static_cast<double>(blocked) / static_cast<double>(inner) : 0; }
};

/// Inspects every cell. `cells`: of this process; `whole`: of the grid; `sides`: twice the coefficient of
/// each side; `beyond`: sides with cells beyond them, across a periodic seam or in another process. Fences.
template <class Exec, class Doubled>
static MultigridFindings inspect(Exec const& space, std::array<int, 3> const& cells, std::array<int, 3> const& whole,
                                 std::array<double, 6> const& sides, std::array<bool, 6> const& beyond,
                                 Doubled const& doubled) {
  using Order = Kokkos::Rank<3, Kokkos::Iterate::Right, Kokkos::Iterate::Right>;
  using Policy = Kokkos::MDRangePolicy<Exec, Order, Kokkos::IndexType<std::int64_t>>;
  Kokkos::Array<double, 6> expected{};
  Kokkos::Array<bool, 6> goes_on{};
  Kokkos::Array<bool, 3> single{};
  Kokkos::Array<std::int64_t, 3> n{};
  for (std::size_t f = 0; f < 6; ++f) {
    expected[f] = sides[f];
    goes_on[f] = beyond[f];
  }
  for (std::size_t a = 0; a < 3; ++a) {
    single[a] = whole[a] == 1;
    n[a] = cells[a];
  }
  MultigridFindings found;
  Kokkos::parallel_reduce(
      "karman::multigrid::inspect", Policy(space, {0, 0, 0}, {n[2], n[1], n[0]}),
      KOKKOS_LAMBDA(std::int64_t k, std::int64_t j, std::int64_t i, std::int64_t& irregular, std::int64_t& weighted,
                    std::int64_t& bad, std::int64_t& inner, std::int64_t& blocked) {
        std::int64_t const at[3] = {i, j, k};
        bool plain = true;
        bool sound = true;
        double widest = 0;
        for (int f = 0; f < 6; ++f) {
          double const value = doubled(k, j, i, f);
          if (value > widest) widest = value;
        }
        for (int f = 0; f < 6; ++f) {
          int const axis = f / 2;
          bool const outermost = at[axis] == (f % 2 == 0 ? n[axis] - 1 : 0) && !goes_on[f];
          double const value = doubled(k, j, i, f);
          plain = plain && value == (outermost ? expected[f] : 2.0);
          sound = sound && value >= 0 && value <= 1e300;
          if (!outermost && !single[axis] && widest > 0) {
            ++inner;
            if (value < nearly_closed_face * widest) ++blocked;
          }
        }
        bool const weight = doubled.has_given_weight(k, j, i);
        if (!plain || weight) ++irregular;
        if (weight) ++weighted;
        if (!sound) ++bad;
      },
      found.irregular, found.weighted, found.bad, found.inner, found.blocked);
  space.fence();
  return found;
}

/// Sums of doubled face coefficients of one direction, and of the opposite faces where the former are open. Over all
/// cells or those at the side of that direction.
struct MultigridFaceSums {
  double toward = 0, opposite = 0;
};

template <class Exec, class Doubled>
static MultigridFaceSums sum_faces(Exec const& space, std::array<int, 3> const& cells, int face, bool at_side,
                                   Doubled const& doubled) {
  using Order = Kokkos::Rank<3, Kokkos::Iterate::Right, Kokkos::Iterate::Right>;
  using Policy = Kokkos::MDRangePolicy<Exec, Order, Kokkos::IndexType<std::int64_t>>;
  Kokkos::Array<std::int64_t, 3> begin{0, 0, 0};
  Kokkos::Array<std::int64_t, 3> end{cells[0], cells[1], cells[2]};
  int const axis = face / 2;
  if (at_side) {
    if (face % 2 == 0) {
      begin[axis] = end[axis] - 1;
    } else {
      end[axis] = 1;
    }
  }
  MultigridFaceSums sums;
  Kokkos::parallel_reduce(
      "karman::multigrid::sum_faces", Policy(space, {begin[2], begin[1], begin[0]}, {end[2], end[1], end[0]}),
      KOKKOS_LAMBDA(std::int64_t k, std::int64_t j, std::int64_t i, double& toward, double& opposite) {
        double const value = doubled(k, j, i, face);
        toward += value;
        opposite += value > 0 ? doubled(k, j, i, face ^ 1) : 0.0;
      },
      sums.toward, sums.opposite);
  space.fence();
  return sums;
}

}  // namespace karman::detail
