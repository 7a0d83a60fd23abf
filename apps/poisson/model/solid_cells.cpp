// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "solid_cells.hpp"

#include "stencil.hpp"
#include <karman/solvers/grid/multigrid_options.hpp>

#include <algorithm>
#include <cmath>
#include <random>

namespace karman::poisson {
namespace {

/// The cells along one axis whose centres lie in [low, high), half-open.
std::array<int, 2> cells_between(LinearSystem const& system, int axis, double low, double high) {
  UniformGrid const& grid = system.grid;
  std::array const spacing{grid.dx(), grid.dy(), grid.dz(0)};
  auto const slot = static_cast<std::size_t>(axis);
  int const n = system.cells()[slot];
  auto const first = [&](double position) {
    double const at = std::ceil((position - grid.origin()[slot]) / spacing[slot] - 0.5);
    return static_cast<int>(std::clamp(at, 0.0, double(n)));
  };
  return {first(low), first(high)};
}

/// Marks a box; returns how many cells became solid.
std::int64_t mark(LinearSystem& system, SolidBox const& box) {
  std::array<std::array<int, 2>, 3> ranges{};
  for (int axis = 0; axis < 3; ++axis) {
    auto const slot = static_cast<std::size_t>(axis);
    ranges[slot] = axis < system.dimensions ? cells_between(system, axis, box.low[slot], box.high[slot])
                                            : std::array<int, 2>{0, 1};
  }
  Stencil const stencil(system);
  std::int64_t changed = 0;
  for (int k = ranges[2][0]; k < ranges[2][1]; ++k)
    for (int j = ranges[1][0]; j < ranges[1][1]; ++j)
      for (int i = ranges[0][0]; i < ranges[0][1]; ++i) {
        std::uint8_t& cell = system.solid[static_cast<std::size_t>(stencil.offset(k, j, i))];
        changed += cell == 0 ? 1 : 0;
        cell = 1;
      }
  return changed;
}

/// In [0, 1), with equal values on every machine.
double unit(std::mt19937_64& generator) { return static_cast<double>(generator() >> 11) * 0x1p-53; }

void mark_random(LinearSystem& system, RandomBoxes const& boxes) {
  UniformGrid const& grid = system.grid;
  std::array const size{grid.nx() * grid.dx(), grid.ny() * grid.dy(), grid.nz() * grid.dz(0)};
  std::mt19937_64 generator(boxes.seed);
  auto const wanted = static_cast<std::int64_t>(boxes.fraction * static_cast<double>(grid.cell_count()));
  constexpr int most_boxes = 100000;
  std::int64_t marked = 0;
  for (int box = 0; box < most_boxes && marked < wanted; ++box) {
    SolidBox place;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      double const edge = size[axis] * (boxes.size[0] + (boxes.size[1] - boxes.size[0]) * unit(generator));
      place.low[axis] = grid.origin()[axis] + (size[axis] - edge) * unit(generator);
      place.high[axis] = place.low[axis] + edge;
    }
    marked += mark(system, place);
  }
}

/// Labels the connected parts of the cells that are not solid, with a stack of cells to visit.
class Parts {
 public:
  explicit Parts(LinearSystem const& system) : system_(system), stencil_(system), part_(system.solid.size(), -1) {
    for_each_fluid_cell(system, [&](int, int, int, std::int64_t cell) {
      if (part_[static_cast<std::size_t>(cell)] < 0) visit(cell);
    });
  }

  /// Part of a cell, -1 in solid ones.
  int of(std::size_t cell) const { return part_[cell]; }
  /// The parts that a solve can keep: all that reach a Dirichlet side, or the largest where no side is Dirichlet.
  std::vector<bool> kept() const {
    if (!system_.singular) return reaches_;
    std::vector<bool> keep(size_.size(), false);
    if (!size_.empty()) {
      keep[static_cast<std::size_t>(std::max_element(size_.begin(), size_.end()) - size_.begin())] = true;
    }
    return keep;
  }

 private:
  void visit(std::int64_t start) {
    int const part = static_cast<int>(size_.size());
    size_.push_back(0);
    reaches_.push_back(false);
    std::vector<std::int64_t> open{start};
    part_[static_cast<std::size_t>(start)] = part;
    std::int64_t const nx = system_.grid.nx();
    std::int64_t const ny = system_.grid.ny();
    while (!open.empty()) {
      std::int64_t const cell = open.back();
      open.pop_back();
      ++size_.back();
      for (int side = 0; side < 2 * system_.dimensions; ++side) {
        auto const face = stencil_.face(static_cast<int>(cell / nx / ny), static_cast<int>(cell / nx % ny),
                                        static_cast<int>(cell % nx), side);
        if (face.on_side && face.side == Boundary::dirichlet) reaches_.back() = true;
        if (face.neighbor < 0 || face.coefficient == 0) continue;
        int& neighbor = part_[static_cast<std::size_t>(face.neighbor)];
        if (neighbor >= 0) continue;
        neighbor = part;
        open.push_back(face.neighbor);
      }
    }
  }

  LinearSystem const& system_;
  Stencil stencil_;
  std::vector<int> part_;
  std::vector<std::int64_t> size_;
  std::vector<bool> reaches_;
};

}  // namespace

namespace {

/// Takes the cells of a part, and the planes beyond its cut sides, from the solid cells of the whole grid.
void take_part(LinearSystem const& whole, LinearSystem& system) {
  system.fluid_cells = whole.fluid_cells;
  system.cut_off = whole.cut_off;
  if (whole.solid.empty()) return;
  auto const [nx, ny, nz] = whole.cells();
  Box const& box = system.grid.own_box();
  auto const of_whole = [&](std::int64_t k, std::int64_t j, std::int64_t i) {
    return whole.solid[static_cast<std::size_t>((k * ny + (j + ny) % ny) * nx + (i + nx) % nx)];
  };
  auto const take = [&](Box const& from, std::vector<std::uint8_t>& to) {
    for (int k = from.begin[2]; k < from.end[2]; ++k)
      for (int j = from.begin[1]; j < from.end[1]; ++j)
        for (int i = from.begin[0]; i < from.end[0]; ++i) to.push_back(of_whole(k, j, i));
  };
  take(box, system.solid);
  for (int side = 0; side < 4; ++side) {
    if (!system.is_cut(side)) continue;
    auto const axis = static_cast<std::size_t>(side / 2);
    Box plane = box;
    plane.begin[axis] = side % 2 == 0 ? box.end[axis] : box.begin[axis] - 1;
    plane.end[axis] = plane.begin[axis] + 1;
    take(plane, system.solid_beyond[static_cast<std::size_t>(side)]);
  }
}

}  // namespace

void mark_solid_cells(PoissonCase const& poisson_case, LinearSystem& system) {
  if (system.grid.is_part()) {
    // Which cells are cut off follows from all of them. A byte and a number each, until the end of this block.
    LinearSystem whole;
    whole.grid = whole.whole = system.whole;
    whole.dimensions = system.dimensions;
    whole.sides = system.sides;
    whole.singular = system.singular;
    mark_solid_cells(poisson_case, whole);
    return take_part(whole, system);
  }
  system.fluid_cells = system.grid.cell_count();
  if (poisson_case.solid.empty()) return;
  system.solid.assign(static_cast<std::size_t>(system.grid.cell_count()), 0);
  for (auto const& entry : poisson_case.solid) {
    if (auto const* box = std::get_if<SolidBox>(&entry)) {
      mark(system, *box);
    } else {
      mark_random(system, std::get<RandomBoxes>(entry));
    }
  }
  Parts const parts(system);
  std::vector<bool> const kept = parts.kept();
  system.fluid_cells = 0;
  for (std::size_t cell = 0; cell < system.solid.size(); ++cell) {
    if (system.solid[cell] != 0) continue;
    if (kept[static_cast<std::size_t>(parts.of(cell))]) {
      ++system.fluid_cells;
    } else {
      system.solid[cell] = 1;
      ++system.cut_off;
    }
  }
  if (system.fluid_cells == system.grid.cell_count()) system.solid.clear();
}

double blocked_share(LinearSystem const& system) {
  Stencil const stencil(system);
  auto const [nx, ny, nz] = system.cells();
  auto const whole = system.grid.global_cells();
  std::int64_t inner = 0, blocked = 0;
  for (int k = 0; k < nz; ++k)
    for (int j = 0; j < ny; ++j)
      for (int i = 0; i < nx; ++i) {
        if (system.is_solid(static_cast<std::size_t>(stencil.offset(k, j, i)))) continue;
        std::array<double, 6> open{};
        double widest = 0;
        for (int side = 0; side < 2 * system.dimensions; ++side) {
          auto const face = stencil.face(k, j, i, side);
          double const on_face = face.on_side ? 2 * face.face_value : face.face_value;
          open[static_cast<std::size_t>(side)] = face.coefficient == 0 ? 0 : on_face;
          widest = std::max(widest, open[static_cast<std::size_t>(side)]);
        }
        if (widest == 0) continue;
        for (int side = 0; side < 2 * system.dimensions; ++side) {
          if (whole[static_cast<std::size_t>(side / 2)] == 1 || stencil.face(k, j, i, side).on_side) continue;
          ++inner;
          if (open[static_cast<std::size_t>(side)] < nearly_closed_face * widest) ++blocked;
        }
      }
  inner = system.communicator.sum(inner);
  blocked = system.communicator.sum(blocked);
  return inner > 0 ? static_cast<double>(blocked) / static_cast<double>(inner) : 0;
}

}  // namespace karman::poisson
