// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "linear_system.hpp"

#include "common/case/texts.hpp"
#include "common/case/work_in_all.hpp"
#include "face_values.hpp"
#include "solid_cells.hpp"
#include "stencil.hpp"
#include <karman/core/box_decomposition.hpp>
#include <karman/io/config.hpp>
#include <karman/io/error.hpp>

#include <algorithm>
#include <cmath>

namespace karman::poisson {
namespace {

using app::formatted;

double fluid_mean(LinearSystem const& system, CellValues const& values) {
  double sum = 0;
  for_each_fluid_cell(system, [&](int, int, int, std::int64_t cell) { sum += values[static_cast<std::size_t>(cell)]; });
  return system.communicator.sum(sum) / static_cast<double>(system.fluid_cells);
}

/// Adds the boundary values to the right-hand side.
void move_boundary_values(Case const& input, PoissonCase const& poisson_case, LinearSystem& system) {
  Stencil const stencil(system);
  std::array const spacing{system.grid.dx(), system.grid.dy(), system.grid.dz(0)};
  for (int side = 0; side < 2 * system.dimensions; ++side) {
    auto const& condition = poisson_case.sides[static_cast<std::size_t>(side)];
    if (condition.kind == Boundary::periodic || system.is_cut(side)) continue;
    if (condition.value.is_constant() && condition.value.constant == 0) continue;
    CellValues const values = side_values(input, condition.value, system.grid, side);
    auto const extents = side_extents(system.grid, side);
    auto const axis = static_cast<std::size_t>(side / 2);
    int const last = system.cells()[axis] - 1;
    for (int a = 0; a < extents[0]; ++a) {
      for (int c = 0; c < extents[1]; ++c) {
        auto const [k, j, i] = cell_at_side(side, last, a, c);
        auto const cell = static_cast<std::size_t>(stencil.offset(k, j, i));
        if (system.is_solid(cell)) continue;
        Stencil::Face const face = stencil.face(k, j, i, side);
        double const value =
            values[static_cast<std::size_t>(a) * static_cast<std::size_t>(extents[1]) + static_cast<std::size_t>(c)];
        system.b[cell] -= condition.kind == Boundary::dirichlet ? face.coefficient * value : value / spacing[axis];
      }
    }
  }
}

/// Subtracts the mean of a singular problem's right-hand side, or refuses one beyond round-off.
void make_compatible(Case const& input, PoissonCase const& poisson_case, LinearSystem& system) {
  double const mean = fluid_mean(system, system.b);
  double const largest = largest_magnitude(system, system.b);
  constexpr double round_off = 1e-13;
  if (poisson_case.solver.compatibility == Compatibility::require && std::abs(mean) > round_off * largest) {
    throw input.error(
        "/right_hand_side",
        formatted("expected a right-hand side that balances the boundary fluxes, because no side fixes p; found an "
                  "excess mean of %.3g (largest value %.3g); set /solver/compatibility to project",
                  mean, largest));
  }
  system.removed_mean = mean;
  for_each_fluid_cell(system,
                      [&](int, int, int, std::int64_t cell) { system.b[static_cast<std::size_t>(cell)] -= mean; });
}

}  // namespace

double largest_magnitude(LinearSystem const& system, CellValues const& values) {
  double largest = 0;
  for (double value : values) largest = std::max(largest, std::abs(value));
  return system.communicator.largest(largest);
}

BoxDecomposition boxes_of(PoissonCase const& poisson_case, int processes) {
  std::array<int, 3> const cells = poisson_case.grid.global_cells();
  BoxDecomposition const pairs(cells, processes);
  bool const direct = poisson_case.coefficient.is_constant() && poisson_case.solid.empty();
  Method const method = poisson_case.solver.method.value_or(direct ? Method::direct : Method::mg_pcg);
  if (method != Method::multigrid && method != Method::mg_pcg) return pairs;
  // The largest part has an eighth more than its share at most.
  constexpr int blocks_a_part = 8, most = 64;
  auto const parts = pairs.parts();
  auto const fits = [&](int multiple, std::size_t axis) {
    return parts[axis] == 1 || cells[axis] / multiple >= blocks_a_part * parts[axis];
  };
  int multiple = 2;
  while (multiple < most && fits(2 * multiple, 0) && fits(2 * multiple, 1)) multiple *= 2;
  return {cells, processes, {.parts = {parts[0], parts[1]}, .multiple = multiple}};
}

LinearSystem make_linear_system(Case const& input, PoissonCase const& poisson_case, Communicator const& communicator) {
  LinearSystem system;
  system.communicator = communicator;
  system.whole = poisson_case.grid;
  system.grid = poisson_case.grid;
  if (communicator.size() > 1) {
    system.grid = boxes_of(poisson_case, communicator.size()).part(poisson_case.grid, communicator.rank());
  }
  system.dimensions = poisson_case.dimensions;
  for (std::size_t side = 0; side < 6; ++side) system.sides[side] = poisson_case.sides[side].kind;
  system.singular = !poisson_case.in_time &&
                    std::find(system.sides.begin(), system.sides.end(), Boundary::dirichlet) == system.sides.end();

  app::work_in_all(communicator, [&] {
    set_coefficient(input, poisson_case.coefficient, system);
    mark_solid_cells(poisson_case, system);
    if (system.fluid_cells == 0) throw input.error("/solid", "expected at least one cell that is not solid");
    system.f = cell_values(input, poisson_case.right_hand_side, system.grid);
    for (std::size_t cell = 0; system.has_solid() && cell < system.f.size(); ++cell) {
      if (system.solid[cell] != 0) system.f[cell] = 0;
    }
    system.b = system.f;
    move_boundary_values(input, poisson_case, system);
    if (poisson_case.exact) system.exact = cell_values(input, *poisson_case.exact, system.grid);
  });
  system.largest_coefficient = system.coefficient;
  for (CellValues const* faces : {&system.face_x, &system.face_y, &system.face_z}) {
    if (!faces->empty()) {
      double const largest = *std::max_element(faces->begin(), faces->end());
      system.largest_coefficient = faces == &system.face_x ? largest : std::max(system.largest_coefficient, largest);
    }
  }
  system.largest_coefficient = communicator.largest(system.largest_coefficient);
  if (system.singular) make_compatible(input, poisson_case, system);
  system.largest_b = largest_magnitude(system, system.b);
  if (!std::isfinite(system.largest_b)) {
    throw input.error("/right_hand_side", "expected values that remain finite after the boundary values are added");
  }
  return system;
}

double residual(LinearSystem const& system, CellValues const& p, CellValues& r) {
  r.assign(p.size(), 0);
  Stencil const stencil(system);
  PlanesBeyond const planes = planes_beyond(system, p);
  double largest = 0;
  bool finite = true;
  for_each_fluid_cell(system, [&](int k, int j, int i, std::int64_t cell) {
    auto const here = static_cast<std::size_t>(cell);
    double sum = system.b[here];
    for (int side = 0; side < 2 * system.dimensions; ++side) {
      Stencil::Face const face = stencil.face(k, j, i, side);
      if (face.coefficient == 0) continue;
      sum -= face.coefficient * (Stencil::behind(face, side, p, planes) - p[here]);
    }
    r[here] = sum;
    largest = std::max(largest, std::abs(sum));
    finite = finite && std::isfinite(sum);
  });
  return system.communicator.largest(finite ? largest : std::nan(""));
}

void settle_constant(LinearSystem const& system, CellValues& p) {
  if (!system.singular) return;
  double const aim = system.exact.empty() ? 0 : fluid_mean(system, system.exact);
  double const shift = aim - fluid_mean(system, p);
  for_each_fluid_cell(system, [&](int, int, int, std::int64_t cell) { p[static_cast<std::size_t>(cell)] += shift; });
}

ErrorNorms error_norms(LinearSystem const& system, CellValues const& p) {
  ErrorNorms norms;
  double squares = 0;
  for_each_fluid_cell(system, [&](int, int, int, std::int64_t cell) {
    auto const here = static_cast<std::size_t>(cell);
    double const error = std::abs(p[here] - system.exact[here]);
    norms.largest = std::max(norms.largest, error);
    norms.mean += error;
    squares += error * error;
    norms.largest_exact = std::max(norms.largest_exact, std::abs(system.exact[here]));
  });
  auto const count = static_cast<double>(system.fluid_cells);
  Communicator const& all = system.communicator;
  norms.largest = all.largest(norms.largest);
  norms.largest_exact = all.largest(norms.largest_exact);
  norms.mean = all.sum(norms.mean) / count;
  norms.root_mean_square = std::sqrt(all.sum(squares) / count);
  return norms;
}

std::vector<std::string> remarks(LinearSystem const& system) {
  std::vector<std::string> lines;
  if (system.cut_off > 0) {
    lines.push_back(formatted("%lld cells are cut off from %s by walls and count as solid",
                              static_cast<long long>(system.cut_off),
                              system.singular ? "the largest part of the domain" : "every Dirichlet side"));
  }
  constexpr double worth_saying = 1e-12;
  if (system.singular && std::abs(system.removed_mean) > worth_saying * system.largest_b) {
    lines.push_back(
        formatted("no side fixes p: its mean is set to %s; the mean %.3g was subtracted from the right-hand side "
                  "(largest value %.3g)",
                  system.exact.empty() ? "zero" : "that of the exact solution", system.removed_mean, system.largest_b));
  } else if (system.singular) {
    lines.push_back(formatted("no side fixes p: its mean is set to %s",
                              system.exact.empty() ? "zero" : "that of the exact solution"));
  }
  return lines;
}

}  // namespace karman::poisson
