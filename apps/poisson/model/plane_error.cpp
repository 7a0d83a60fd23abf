// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "plane_error.hpp"

#include "stencil.hpp"

#include <algorithm>
#include <cmath>
#include <span>

namespace karman::poisson {
namespace {

/// Sums over the planes across an axis. Face n lies between plane n and the next; the last one joins both ends.
struct PlaneSums {
  std::vector<double> face;      ///< coefficients of the faces
  std::vector<double> own;       ///< coefficients of Dirichlet sides
  std::vector<double> residual;  ///< b - A p
  std::vector<double> cells;     ///< that are not solid

  explicit PlaneSums(std::size_t planes) : face(planes), own(planes), residual(planes), cells(planes) {}
};

/// Adds a cell (i, j, k) of this process. Planes have the numbers of the whole grid.
void add_cell(LinearSystem const& system, Stencil const& stencil, CellValues const& p, PlanesBeyond const& planes,
              std::array<int, 3> const& own, std::int64_t cell, std::vector<PlaneSums>& sums) {
  auto const here = static_cast<std::size_t>(cell);
  std::array<int, 3> at = own;
  for (std::size_t axis = 0; axis < 3; ++axis) at[axis] += system.grid.own_box().begin[axis];
  for (std::size_t axis = 0; axis < sums.size(); ++axis) {
    auto const plane = static_cast<std::size_t>(at[axis]);
    sums[axis].cells[plane] += 1;
    sums[axis].residual[plane] += system.b[here];
  }
  for (int side = 0; side < 2 * system.dimensions; ++side) {
    Stencil::Face const face = stencil.face(own[2], own[1], own[0], side);
    if (face.coefficient == 0) continue;
    auto const along = static_cast<std::size_t>(side / 2);
    if (face.on_side) {
      for (std::size_t axis = 0; axis < sums.size(); ++axis) {
        auto const plane = static_cast<std::size_t>(at[axis]);
        sums[axis].own[plane] += face.coefficient;
        sums[axis].residual[plane] += face.coefficient * p[here];
      }
      continue;
    }
    auto const plane = static_cast<std::size_t>(at[along]);
    sums[along].residual[plane] -= face.coefficient * (Stencil::behind(face, side, p, planes) - p[here]);
    if (side % 2 == 0) sums[along].face[plane] += face.coefficient;
  }
}

/// Adds the sums of all processes, in order of rank.
void join(Communicator const& communicator, std::vector<double>& values) {
  if (communicator.size() == 1) return;
  auto const all = communicator.all_gather_arrays(std::span<double const>(values));
  std::fill(values.begin(), values.end(), 0);
  for (auto const& others : all)
    for (std::size_t n = 0; n < values.size(); ++n) values[n] += others[n];
}

/// Solves the planes 1 to n - 1 for fixed values of plane 0, by elimination. A plane without a pivot gets 0.
std::vector<double> solve_beyond_first(PlaneSums const& sums, std::vector<double> values) {
  std::size_t const n = values.size();
  constexpr double round_off = 1e-14;
  std::vector<double> pivots(n);
  for (std::size_t i = 1; i < n; ++i) {
    double const whole = sums.face[i - 1] + sums.face[i] + sums.own[i];
    pivots[i] = whole;
    if (i > 1 && pivots[i - 1] > 0) {
      double const factor = sums.face[i - 1] / pivots[i - 1];
      pivots[i] -= factor * sums.face[i - 1];
      values[i] += factor * values[i - 1];
    }
    if (!(pivots[i] > round_off * whole)) pivots[i] = 0;
  }
  values[0] = 0;
  for (std::size_t i = n; i-- > 1;) {
    double const next = i + 1 < n ? sums.face[i] * values[i + 1] : 0;
    values[i] = pivots[i] > 0 ? (values[i] + next) / pivots[i] : 0;
  }
  return values;
}

/// The error of every plane. Plane 0 is 0 where p has a constant to choose.
std::vector<double> errors(PlaneSums const& sums, bool singular) {
  std::size_t const n = sums.face.size();
  std::vector<double> found = solve_beyond_first(sums, sums.residual);
  if (singular || n == 1) {
    if (!singular && sums.own[0] > 0) found[0] = sums.residual[0] / sums.own[0];
    return found;
  }
  std::vector<double> of_first(n);
  of_first[1] += sums.face[0];
  of_first[n - 1] += sums.face[n - 1];
  of_first = solve_beyond_first(sums, std::move(of_first));
  double const left =
      sums.face[0] + sums.face[n - 1] + sums.own[0] - sums.face[0] * of_first[1] - sums.face[n - 1] * of_first[n - 1];
  double const first =
      left > 0 ? (sums.residual[0] + sums.face[0] * found[1] + sums.face[n - 1] * found[n - 1]) / left : 0;
  for (std::size_t i = 1; i < n; ++i) found[i] += first * of_first[i];
  found[0] = first;
  return found;
}

}  // namespace

double plane_error(LinearSystem const& system, CellValues const& p) {
  std::vector<PlaneSums> sums;
  for (int axis = 0; axis < system.dimensions; ++axis)
    sums.emplace_back(static_cast<std::size_t>(system.grid.global_cells()[static_cast<std::size_t>(axis)]));
  Stencil const stencil(system);
  PlanesBeyond const planes = planes_beyond(system, p);
  double total = 0;
  for_each_fluid_cell(system, [&](int k, int j, int i, std::int64_t cell) {
    add_cell(system, stencil, p, planes, {i, j, k}, cell, sums);
    total += p[static_cast<std::size_t>(cell)];
  });
  for (PlaneSums& of_axis : sums)
    for (std::vector<double>* const values : {&of_axis.face, &of_axis.own, &of_axis.residual, &of_axis.cells})
      join(system.communicator, *values);
  total = system.communicator.sum(total);
  double const mean = system.singular ? total / static_cast<double>(system.fluid_cells) : 0;
  double largest_p = 0;
  for_each_fluid_cell(system, [&](int, int, int, std::int64_t cell) {
    largest_p = std::fmax(largest_p, std::abs(p[static_cast<std::size_t>(cell)] - mean));
  });
  largest_p = system.communicator.largest(largest_p);
  if (!(largest_p > 0 && system.largest_b > 0)) return 0;
  double largest_error = 0;
  for (PlaneSums const& of_axis : sums) {
    std::vector<double> const found = errors(of_axis, system.singular);
    double sum = 0;
    for (std::size_t n = 0; n < found.size(); ++n) sum += of_axis.cells[n] * found[n];
    double const shift = system.singular ? sum / static_cast<double>(system.fluid_cells) : 0;
    for (std::size_t n = 0; n < found.size(); ++n) {
      if (of_axis.cells[n] > 0) largest_error = std::fmax(largest_error, std::abs(found[n] - shift));
    }
  }
  return largest_error / largest_p;
}

}  // namespace karman::poisson
