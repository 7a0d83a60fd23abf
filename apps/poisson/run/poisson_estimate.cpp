// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "poisson_estimate.hpp"

#include "common/case/texts.hpp"
#include "poisson/model/solver.hpp"
#include "poisson/model/time_model.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <string>

namespace karman::poisson {
namespace {

/// Spectrum of minus the operator with a = 1: the smallest nonzero eigenvalue, and the weight of a cell itself, which
/// is about half of the largest eigenvalue.
struct Spectrum {
  double least = 0;
  double own_weight = 0;
};

Spectrum spectrum(PoissonCase const& poisson_case) {
  UniformGrid const& grid = poisson_case.grid;
  std::array const cells{grid.nx(), grid.ny(), grid.nz()};
  std::array const spacing{grid.dx(), grid.dy(), grid.dz(0)};
  Spectrum result;
  double smallest = 0;
  bool singular = true;
  for (std::size_t axis = 0; axis < static_cast<std::size_t>(poisson_case.dimensions); ++axis) {
    Boundary const high = poisson_case.sides[2 * axis].kind;
    Boundary const low = poisson_case.sides[2 * axis + 1].kind;
    bool const both = high == Boundary::dirichlet && low == Boundary::dirichlet;
    bool const one = (high == Boundary::dirichlet) != (low == Boundary::dirichlet);
    double const waves = high == Boundary::periodic ? 2 : one ? 0.5 : 1;
    double const s = std::sin(0.5 * waves * std::numbers::pi / cells[axis]) / spacing[axis];
    double const eigenvalue = 4 * s * s;
    result.own_weight += 2 / (spacing[axis] * spacing[axis]);
    if (both || one) {
      result.least += eigenvalue;
      singular = false;
    }
    if (eigenvalue > 0) smallest = smallest > 0 ? std::min(smallest, eigenvalue) : eigenvalue;
  }
  if (singular) result.least = smallest;
  return result;
}

/// Convergence factor of over-relaxation (Young 1971): omega - 1 from the optimum on, the larger root of
/// mu - omega rho sqrt(mu) + omega - 1 = 0 below it.
double over_relaxation_factor(double rho, double omega) {
  if (omega >= 2 / (1 + std::sqrt(std::max(0.0, 1 - rho * rho)))) return omega - 1;
  double const root = 0.5 * (omega * rho + std::sqrt(std::max(0.0, omega * omega * rho * rho - 4 * (omega - 1))));
  return root * root;
}

double expected_iterations(PoissonCase const& poisson_case, Method method) {
  Spectrum const found = spectrum(poisson_case);
  double const rho = std::clamp(1 - found.least / found.own_weight, 0.0, 1 - 1e-15);
  double const ratio = std::max(2 * found.own_weight / std::max(found.least, 1e-300), 1.0);
  double const digits = -std::log(poisson_case.solver.tolerance);
  auto const with_factor = [&](double factor) { return digits / -std::log(std::clamp(factor, 1e-3, 1 - 1e-12)); };
  switch (method) {
    case Method::jacobi: return with_factor(rho);
    case Method::gauss_seidel:
    case Method::red_black_gs: return with_factor(rho * rho);
    case Method::sor: return with_factor(over_relaxation_factor(rho, poisson_case.solver.omega));
    case Method::sor_optimal: return with_factor(2 / (1 + std::sqrt(std::max(1e-15, 1 - rho * rho))) - 1);
    case Method::cg: return 0.5 * std::sqrt(ratio) * (digits + std::log(2.0));
    case Method::adi: return std::log(4 * ratio) * (digits + std::log(4.0)) / (std::numbers::pi * std::numbers::pi);
    // Measured: 0.14 per V(2,2) cycle in an open box. With walls, the automatic method needs 1.6 times the cycles.
    case Method::multigrid: return with_factor(poisson_case.solid.empty() ? 0.14 : 0.5);
    case Method::mg_pcg: return with_factor(poisson_case.solid.empty() ? 0.1 : 0.24);
    case Method::tridiagonal:
    case Method::direct: return 1;
  }
  return 1;
}

/// Bytes that one iteration moves per cell.
double bytes_a_cell(PoissonCase const& poisson_case, Method method) {
  double const real = app::real_size(poisson_case.solver.precision);
  bool const constant = poisson_case.coefficient.is_constant();
  double const coefficients = constant ? 2 : 6 * real;
  int const axes = poisson_case.dimensions;
  switch (method) {
    case Method::jacobi:
    case Method::gauss_seidel: return 3 * real + coefficients;
    case Method::red_black_gs:
    case Method::sor:
    case Method::sor_optimal: return 4 * real + coefficients;
    case Method::adi: return (3 + 3 * axes) * real + (axes + 1) * coefficients;
    case Method::cg: return 10 * real + coefficients;
    case Method::tridiagonal: return 5 * real;
    case Method::direct: return 24 * real;
    case Method::multigrid: return 120 + 2 * coefficients;
    case Method::mg_pcg: return 120 + 10 * real + 2 * coefficients;
  }
  return 4 * real;
}

/// Bytes of alternating directions: parts move to whole lines of each cut axis and back.
std::int64_t sent_for_lines(SystemShape const& shape, std::int64_t real) {
  auto const parts = shape.boxes->parts();
  int const cut_axes = (parts[0] > 1 ? 1 : 0) + (parts[1] > 1 ? 1 : 0);
  return (2 * cut_axes * largest_part(shape).cell_count() + cells_at_cuts(shape)) * real;
}

/// Bytes that a process sends in an iteration.
std::int64_t sent_bytes(PoissonCase const& poisson_case, Method method, SystemShape const& shape) {
  std::int64_t const real = app::real_size(poisson_case.solver.precision);
  std::int64_t const cells = largest_part(shape).cell_count();
  switch (method) {
    // Parts move to whole lines and back; where x is cut also to whole rows.
    case Method::direct: return (shape.boxes->parts()[0] > 1 ? 4 : 2) * cells * real;
    case Method::adi: return sent_for_lines(shape, real);
    // Ten exchanges of half the cells at the cuts on each grid, and one of the direction. From grid to grid they are
    // halved in planes, quartered in boxes.
    case Method::multigrid:
    case Method::mg_pcg: {
      bool const single = poisson_case.solver.cycle_precision != Precision::f64;
      double const grids = poisson_case.dimensions == 2 ? 2 : 4.0 / 3, of_cycle = single ? 4 : double(real);
      return std::llround(double(cells_at_cuts(shape)) * (5 * grids + 1) * of_cycle);
    }
    default: return cells_at_cuts(shape) * real;
  }
}

/// Lines of a dry run.
std::string about(PoissonCase const& poisson_case, Method method) {
  UniformGrid const& grid = poisson_case.grid;
  std::string text = "cells       " + std::to_string(grid.nx());
  if (poisson_case.dimensions > 1) text += " x " + std::to_string(grid.ny());
  if (poisson_case.dimensions > 2) text += " x " + std::to_string(grid.nz());
  if (poisson_case.dimensions > 1) text += " = " + std::to_string(grid.cell_count());
  return text + "\nmethod      " + std::string(name(method)) + (poisson_case.solver.method ? ", " : " (chosen), ") +
         std::string(description(method)) + '\n';
}

}  // namespace

Estimate estimate(PoissonCase const& poisson_case, Backend backend, double copy_rate, int processes) {
  Estimate result;
  result.method = poisson_case.solver.method ? *poisson_case.solver.method : automatic_method(poisson_case);
  SystemShape shape = shape_of(poisson_case, processes);
  UniformGrid const part = largest_part(shape);
  result.part_cells = part.cell_count();
  if (processes > 1) result.sent_bytes = sent_bytes(poisson_case, result.method, shape);
  result.cells = poisson_case.grid.cell_count();
  result.title = poisson_case.title;
  result.lines = about(poisson_case, result.method);
  result.precision = poisson_case.solver.precision;
  result.is_large = result.cells > quick_cells;
  bool const constant = poisson_case.coefficient.is_constant();
  bool const solid = !poisson_case.solid.empty();
  result.device_bytes = plan_bytes(backend, result.method, poisson_case.solver, shape);
  if (processes > 1 && solid) {
    // Walls that are not evaluated may call for aggregates of multigrid, which keep more whole grids.
    shape.blocked_share = 1;
    result.device_bytes = std::max(result.device_bytes, plan_bytes(backend, result.method, poisson_case.solver, shape));
  }
  // Each cell of a line has ghosts beside it.
  std::int64_t const doubles = 5 + (poisson_case.exact ? 2 : 0) + (constant ? 0 : 4);
  // Solid cells are marked in the whole grid.
  result.host_bytes = part.cell_count() * 8 * doubles + (solid ? 6 * result.cells : 0);
  std::int64_t const real = app::real_size(poisson_case.solver.precision);
  OutputSettings const& out = poisson_case.outputs;
  std::int64_t const fields = (out.p ? 1 : 0) + (out.f ? 1 : 0) + (out.residual ? 1 : 0) + (out.coefficient ? 1 : 0) +
                              (out.error && poisson_case.exact ? 1 : 0);
  double const iterations = std::ceil(expected_iterations(poisson_case, result.method));
  result.iterations = static_cast<int>(std::clamp(iterations, 1.0, double(poisson_case.solver.max_iterations)));
  result.expected_iterations = "about " + std::to_string(result.iterations);
  UniformGrid const& grid = poisson_case.grid;
  std::int64_t const grid_lines = 16 * (std::int64_t{grid.nx()} + grid.ny() + grid.nz() + 3);
  // A row of the history for every check; more iterations than expected are few unless the method fails.
  double const checks = poisson_case.solver.check_every.value_or(usual_check_every(result.method));
  double const rows = std::min(double(poisson_case.solver.max_iterations), 4.0 * result.iterations + 1000) / checks + 1;
  constexpr std::size_t columns = 3;
  constexpr std::int64_t texts = std::int64_t{1} << 15;
  auto const case_text = static_cast<std::int64_t>(poisson_case.text.size());
  std::int64_t const checkpoint =
      result.cells * real + static_cast<std::int64_t>(8 * rows * columns) + 2 * case_text + app::hdf5_overhead;
  result.disk_bytes = result.cells * (fields * real + (solid ? 1 : 0)) + grid_lines +
                      app::hdf5_table_bytes(rows, columns) + app::csv_bytes(rows, columns) + 2 * checkpoint +
                      case_text + texts + app::hdf5_overhead;
  if (copy_rate > 0) {
    result.seconds = result.iterations * static_cast<double>(part.cell_count()) *
                     bytes_a_cell(poisson_case, result.method) / copy_rate;
  }
  return result;
}

std::int64_t sent_bytes(HeatCase const& heat_case, int processes) {
  return processes == 1 ? 0
                        : sent_for_lines(shape_of(heat_case.steady, processes), app::real_size(heat_case.precision));
}

app::Needs estimate(TimeCase const& time_case, std::int64_t model_bytes, std::int64_t sent_bytes, double copy_rate,
                    int processes) {
  // Values that a step moves per cell: two passes of a factored tridiagonal solve, or the sweeps of two directions.
  constexpr double values_a_step = 10;
  UniformGrid const& grid = time_case.whole;
  std::int64_t const cells = grid.cell_count(), frame = cells * app::real_size(time_case.precision);
  std::int64_t const part_cells = largest_part(shape_of(time_case, processes)).cell_count();
  std::int64_t const frames = time_case.frames_every > 0 ? time_case.steps / time_case.frames_every + 2 : 2;
  // Each frame is a dataset with attributes, a grid of the XDMF file and a row of two tables.
  constexpr std::int64_t text_of_frame = 3000;
  constexpr std::size_t facts = 7;
  std::int64_t const grid_lines = 8 * (grid.nx() + grid.ny() + grid.nz() + 3);
  std::int64_t const tables = app::hdf5_table_bytes(double(frames), facts) + app::csv_bytes(double(frames), facts);
  // With several processes each has a file with its part of every frame.
  std::int64_t const files = processes == 1 ? 1 : 1 + processes;
  std::int64_t const texts =
      files * frames * text_of_frame + 4 * files * (std::int64_t(time_case.text.size()) + app::hdf5_overhead);
  // After a checkpoint, frames lie in files of their own until they are joined. With several processes they always do.
  bool const joined = processes > 1 || (time_case.checkpoint_every > 0 && time_case.frames_every > 0);
  std::int64_t const copies = joined ? 2 : 1;
  app::Needs needs;
  needs.title = time_case.title;
  needs.lines = app::formatted("problem     %s\ncells       %d x %d x %d = %lld\nsteps       %d of %g\n",
                               time_case.problem.c_str(), grid.nx(), grid.ny(), grid.nz(),
                               static_cast<long long>(cells), time_case.steps, time_case.step);
  needs.precision = time_case.precision;
  needs.device_bytes = model_bytes;
  needs.host_bytes = (8 * (time_case.exact ? 8 : 7) + app::real_size(time_case.precision)) * part_cells;
  needs.part_cells = part_cells;
  needs.sent_bytes = sent_bytes;
  needs.sent_in = "a step";
  needs.disk_bytes = copies * (frames * frame + texts + grid_lines) + 2 * frame + tables;
  needs.is_large = cells > quick_cells;
  if (copy_rate > 0) {
    needs.seconds = time_case.steps * values_a_step * static_cast<double>(part_cells) *
                    static_cast<double>(app::real_size(time_case.precision)) / copy_rate;
  }
  return needs;
}

}  // namespace karman::poisson
