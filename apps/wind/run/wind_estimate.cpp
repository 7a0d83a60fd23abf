// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "wind_estimate.hpp"

#include "common/case/texts.hpp"
#include "wind/model/wind_model.hpp"
#include "wind/output/footprint_output.hpp"
#include "wind/output/probe_output.hpp"
#include "wind/output/sensor_output.hpp"
#include "wind/output/sweep_output.hpp"
#include "wind/output/terrain_output.hpp"
#include "wind/output/wind_output.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <string>

namespace karman::wind {
namespace {

using app::formatted;

std::int64_t real_bytes(WindCase const& wind_case) { return wind_case.solver.precision == Precision::f32 ? 4 : 8; }

std::int64_t count(ModelField field, UniformGrid const& grid) {
  auto const [nz, ny, nx] = extents(field, grid);
  return std::int64_t{nz} * ny * nx;
}

/// Spectral radius of Jacobi's method in the empty domain: lambda = 0 on the sides and the top, free on the ground.
double jacobi_radius(UniformGrid const& grid, std::array<double, 2> const& alpha) {
  double const anisotropy = alpha[0] * alpha[0] / (alpha[1] * alpha[1]);
  double const mean_dz = (grid.z_face(grid.nz()) - grid.z_face(0)) / grid.nz();
  double const x = 1 / (grid.dx() * grid.dx());
  double const y = 1 / (grid.dy() * grid.dy());
  double const z = anisotropy / (mean_dz * mean_dz);
  return (x * std::cos(std::numbers::pi / grid.nx()) + y * std::cos(std::numbers::pi / grid.ny()) +
          z * std::cos(std::numbers::pi / (2 * grid.nz()))) /
         (x + y + z);
}

/// Convergence factor of one iteration (Young 1971): omega - 1 from the optimum on, the larger root of
/// mu - omega rho sqrt(mu) + omega - 1 = 0 below it.
double convergence_factor(double rho, std::optional<double> omega) {
  double const best = 2 / (1 + std::sqrt(std::max(0.0, 1 - rho * rho)));
  double const used = omega.value_or(best);
  if (used >= best) return used - 1;
  double const root = 0.5 * (used * rho + std::sqrt(std::max(0.0, used * used * rho * rho - 4 * (used - 1))));
  return root * root;
}

/// Factor by which one cycle of multigrid lowers the divergence, as measured in the cases that ship.
double cycle_factor(Method method) { return method == Method::mg_pcg ? 0.08 : 0.12; }

/// On a host backend a cycle is bound by its arithmetic and its many small kernels: as measured, it takes this many
/// times as long as its traffic.
constexpr double host_cycle_over_traffic = 25;

std::int64_t expected_iterations(WindCase const& wind_case) {
  if (wind_case.solver.method != Method::sor) {
    double const cycles = std::log(wind_case.solver.tolerance) / std::log(cycle_factor(wind_case.solver.method));
    return static_cast<std::int64_t>(std::clamp(std::ceil(cycles), 1.0, double(wind_case.solver.max_iterations)));
  }
  double const factor =
      convergence_factor(jacobi_radius(wind_case.grid, wind_case.solver.alpha), wind_case.solver.omega);
  double const needed = std::log(wind_case.solver.tolerance) / std::log(std::clamp(factor, 1e-3, 1 - 1e-12));
  return static_cast<std::int64_t>(std::clamp(std::ceil(needed), 1.0, double(wind_case.solver.max_iterations)));
}

/// Traffic of one iteration, per cell. A sweep: the multiplier of both colours read and written, the right-hand side,
/// the coefficients. A cycle: 95 B in float with all its grids, 10.5 values for the vectors of conjugate gradients.
double bytes_a_cell(WindCase const& wind_case) {
  double const real = static_cast<double>(real_bytes(wind_case));
  if (wind_case.solver.method != Method::sor) {
    return 95 + (wind_case.solver.method == Method::mg_pcg ? 10.5 : 3) * real;
  }
  switch (wind_case.solver.storage) {
    case SorStorage::automatic:
    case SorStorage::packed: return 4 * real + 2;
    case SorStorage::folded: return 10 * real;
    case SorStorage::coefficients: return 13 * real;
  }
  return 4 * real;
}

/// A colour has half of the cells of a row, rounded up.
std::int64_t even(std::int64_t cells) { return cells + cells % 2; }

/// Cells of a process.
struct PartSize {
  std::array<std::int64_t, 3> cells{};
  std::array<std::int64_t, 2> across{};  ///< along its cuts across x and across y, in rows of even length
  int cuts = 0;                          ///< number of its faces on cuts

  PartSize(BoxDecomposition const& boxes, int rank) {
    Box const box = boxes.box(rank);
    for (std::size_t axis = 0; axis < 3; ++axis) cells[axis] = box.end[axis] - box.begin[axis];
    for (std::size_t axis = 0; axis < 2; ++axis) {
      int const faces = (box.begin[axis] > 0 ? 1 : 0) + (box.end[axis] < boxes.cells()[axis] ? 1 : 0);
      cuts += faces;
      across[axis] = faces * even(cells[1 - axis]) * even(cells[2]);
    }
  }
  std::int64_t at_cuts() const { return across[0] + across[1]; }
  std::int64_t count() const { return cells[0] * cells[1] * cells[2]; }
};

/// The largest power of two, up to a limit, of which the edges between all parts are multiples.
int common_block(BoxDecomposition const& boxes) {
  int block = 1 << 16;
  for (int rank = 0; rank < boxes.processes(); ++rank) {
    Box const box = boxes.box(rank);
    for (std::size_t axis = 0; axis < 2; ++axis)
      while (box.begin[axis] % block != 0) block /= 2;
  }
  return block;
}

/// Upper bound of the cells of a process on the grid that multigrid gathers: one of few cells, or the first one that
/// is not cut between pairs of cells.
double gathered_cells(PartSize const& part, BoxDecomposition const& boxes, int block, Backend backend,
                      bool equal_spacing) {
  double const per_process = backend == Backend::cuda ? 64. * 64 * 64 : 16. * 16 * 16;
  std::array<int, 3> const whole = boxes.cells();
  double const share = double(part.count()) / (double(whole[0]) * whole[1] * whole[2]);
  // Halves that are rounded up make a share up to twice as large.
  double const few = 2 * share * per_process * boxes.processes();
  auto const blocks = [&](std::size_t axis) { return std::ceil(double(part.cells[axis]) / block); };
  double const x = double(part.cells[0]), y = double(part.cells[1]);
  double const columns = equal_spacing ? blocks(0) * blocks(1) : std::fmax(blocks(0) * y, x * blocks(1));
  return std::fmin(double(part.count()) + double(part.cells[1] * part.cells[2]),
                   std::fmax(few, columns * double(part.cells[2])));
}

/// Upper bound of the bytes that a process sends in a sweep or a cycle, beside numbers for all.
/// \param block common_block()
std::int64_t sent_bytes(WindCase const& wind_case, Backend backend, BoxDecomposition const& boxes, int block,
                        PartSize const& part) {
  if (wind_case.solver.method == Method::sor || boxes.processes() == 1) return part.at_cuts() * real_bytes(wind_case);
  // Of two sweeps before and two after each coarser grid. Lines exchange both colours after each; one more after the
  // correction, and the direction of the finest grid. All are in float.
  constexpr double exchanges = 2 * (2 + 2) + 1, real = 4;
  // Each coarser grid has half of the cells of a face or fewer: in all, with odd numbers rounded up, at most three
  // times the cells of the finest. More where x or y has one cell. The smaller spacing is first doubled until it is
  // near the other; a face across that axis then keeps its cells.
  UniformGrid const& grid = wind_case.grid;
  bool const equal_spacing = grid.dx() == grid.dy();
  double const doublings = equal_spacing ? 0 : std::ceil(std::abs(std::log2(grid.dx() / grid.dy()))) + 1;
  double const levels = std::ceil(std::log2(std::max(grid.nx(), grid.ny())));
  double const doubled = doublings * double(part.across[grid.dx() < grid.dy() ? 0 : 1]);
  double const at_cuts = 3 * double(part.at_cuts()) + doubled + part.cuts * levels * double(part.cells[2]);
  double const gathered = gathered_cells(part, boxes, block, backend, equal_spacing) * (boxes.processes() - 1);
  return static_cast<std::int64_t>(std::ceil(real * (double(part.at_cuts()) + exchanges * at_cuts + gathered)));
}

std::int64_t slice_cells(Watch const& watch, UniformGrid const& grid) {
  switch (watch.axis) {
    case Axis::x: return std::int64_t{grid.ny()} * grid.nz();
    case Axis::y: return std::int64_t{grid.nx()} * grid.nz();
    case Axis::z: return std::int64_t{grid.nx()} * grid.ny();
  }
  return 0;
}

/// Lines of a dry run.
std::string about(WindCase const& wind_case) {
  UniformGrid const& grid = wind_case.grid;
  std::string text =
      formatted("cells       %d x %d x %d = %lld\ndomain      %g x %g x %g m\nbuildings   %zu\n", grid.nx(), grid.ny(),
                grid.nz(), static_cast<long long>(grid.cell_count()), grid.nx() * grid.dx(), grid.ny() * grid.dy(),
                grid.z_face(grid.nz()), wind_case.buildings.size());
  if (!wind_case.terrain.empty())
    text += formatted("terrain     %g to %g m\n", wind_case.terrain.lowest(), wind_case.terrain.highest());
  return text;
}

}  // namespace

WindEstimate estimate(WindCase const& wind_case, Backend backend, double copy_rate, int processes) {
  UniformGrid const& grid = wind_case.grid;
  int const parts = divides_domain(wind_case) ? processes : 1;
  DomainPart const largest = largest_part(wind_case, parts);
  UniformGrid const& own = largest.own;
  OutputSettings const& outputs = wind_case.outputs;
  std::int64_t const real = real_bytes(wind_case);
  WindEstimate result;
  result.title = wind_case.title;
  result.lines = about(wind_case);
  result.precision = wind_case.solver.precision;
  result.cells = grid.cell_count();
  result.device_bytes = model_bytes(backend, wind_case, parts);
  int const block = common_block(largest.boxes);
  for (int rank = 0; parts > 1 && rank < parts; ++rank) {
    PartSize const part(largest.boxes, rank);
    result.part_cells = std::max(result.part_cells, part.count());
    result.sent_bytes = std::max(result.sent_bytes, sent_bytes(wind_case, backend, largest.boxes, block, part));
  }
  result.iterations = expected_iterations(wind_case);
  std::int64_t const faces = count(ModelField::u, grid) + count(ModelField::v, grid) + count(ModelField::w, grid);
  std::int64_t slices = 0;
  if (outputs.watch) {
    slices = (result.iterations / outputs.watch->every + 1) * slice_cells(*outputs.watch, grid) * real;
  }
  // One field at a time, and beside it its written part where that is smaller or of another number type. The written
  // part of the velocity at cell centres is beside one component.
  Box const region = written_cells(wind_case);
  auto const extent = [&](std::size_t axis) { return std::int64_t{region.end[axis]} - region.begin[axis]; };
  std::int64_t const part = extent(0) * extent(1) * extent(2);
  // A component has one more face than cells along its axis.
  std::int64_t const part_faces = 3 * part + extent(1) * extent(2) + extent(0) * extent(2) + extent(0) * extent(1);
  // Of one process.
  auto const own_extent = [&](std::size_t axis) {
    return std::min<std::int64_t>(extent(axis), std::array{own.nx(), own.ny(), own.nz()}[axis]);
  };
  std::int64_t const own_part = own_extent(0) * own_extent(1) * own_extent(2);
  std::int64_t const written = static_cast<std::int64_t>(scalar_size(written_type(wind_case)));
  // A part of the domain has a face on each cut that another process writes.
  bool const apart = outputs.region || written != real || parts > 1;
  // A checkpoint holds five fields.
  std::int64_t const checkpoint = (faces + 2 * result.cells) * real + slices;
  SampleNeed const samples = sample_need(wind_case);
  std::int64_t const field =
      std::max({count(ModelField::u, own), count(ModelField::v, own), count(ModelField::w, own)}) * real;
  std::int64_t const widest =
      std::max({own_extent(1) * own_extent(2), own_extent(0) * own_extent(2), own_extent(0) * own_extent(1)});
  result.host_bytes = std::max(field + (apart ? (own_part + widest) * written : 0),
                               outputs.velocity ? own.cell_count() * real + 3 * own_part * written : 0) +
                      slices + samples.host_bytes;
  std::int64_t fields = 0;
  if (outputs.faces) fields += part_faces * written * (cuts_cells(wind_case) ? 2 : 1);
  if (outputs.velocity) fields += 3 * part * written;
  if (outputs.flag) fields += part;
  if (outputs.lambda) fields += part * written;
  if (outputs.divergence) fields += 2 * part * written;
  constexpr std::int64_t tables_and_text = std::int64_t{1} << 20;
  result.disk_bytes = fields + samples.disk_bytes + slices + 2 * checkpoint + tables_and_text +
                      building_bytes(wind_case) + terrain_bytes(wind_case) + sensor_table_bytes(wind_case);
  if (wind_case.sweep || wind_case.series) {
    result.iterations *=
        static_cast<std::int64_t>(wind_case.series ? wind_case.series->times.size() : wind_case.sweep->sectors.size());
    result.host_bytes = sweep_host_bytes(wind_case, own.cell_count());
    result.disk_bytes = sweep_disk_bytes(wind_case);
  }
  result.expected_iterations = "about " + std::to_string(result.iterations);
  if (copy_rate > 0) {
    result.seconds = static_cast<double>(result.iterations) * static_cast<double>(result.cells) *
                     bytes_a_cell(wind_case) / copy_rate;
    result.seconds /= parts;
    if (wind_case.solver.method != Method::sor && backend != Backend::cuda) result.seconds *= host_cycle_over_traffic;
  }
  return result;
}

}  // namespace karman::wind
