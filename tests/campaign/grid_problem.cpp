// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "grid_problem.hpp"

#include "random.hpp"

#include <algorithm>
#include <cstdio>

namespace karman::campaign {

namespace {

std::array<int, 3> random_cells(Random& random) {
  constexpr int most_cells = 1000;
  std::array<int, 3> cells{1, 1, 1};
  switch (random.below(5)) {
    case 0: cells[std::size_t(random.below(3))] = random.extent(1, 200); break;
    case 1: {
      int const missing = random.below(3);
      for (int axis = 0; axis < 3; ++axis) {
        if (axis != missing) cells[std::size_t(axis)] = random.extent(2, 40);
      }
      break;
    }
    case 2:
      for (int& n : cells) n = random.extent(1, 12);
      break;
    case 3: {  // slender
      for (int& n : cells) n = random.extent(1, 4);
      cells[std::size_t(random.below(3))] = random.extent(30, 250);
      break;
    }
    default:  // next to powers of two
      for (int& n : cells) n = std::max(1, (1 << random.below(4)) + random.between(-1, 1));
  }
  while (cells[0] * cells[1] * cells[2] > most_cells) {
    int& longest = *std::max_element(cells.begin(), cells.end());
    longest = std::max(1, longest * 2 / 3);
  }
  return cells;
}

void set_pair(Random& random, Boundary& low, Boundary& high, int style) {
  auto const kind = [&] {
    int const n = random.below(3);
    return n == 0 ? Boundary::dirichlet : n == 1 ? Boundary::neumann : Boundary::fixed;
  };
  switch (style) {
    case 0: low = high = Boundary::dirichlet; break;
    case 1: low = high = Boundary::neumann; break;
    case 2: low = high = Boundary::periodic; break;
    default:
      if (random.chance(0.25)) {
        low = high = Boundary::periodic;
      } else {
        low = kind();
        high = kind();
      }
  }
}

double side_coefficient(Boundary kind) {
  switch (kind) {
    case Boundary::dirichlet: return 2;
    case Boundary::neumann: return 0;
    default: return 1;
  }
}

/// Coefficients of the faces: one number for both cells of a face.
void make_faces(Random& random, GridProblem& p) {
  for (auto& f : p.face) f.assign(p.size(), 0);
  bool const smooth = random.chance(0.4);
  auto const coefficient = [&](int axis, int k, int j, int i) {
    if (p.decades == 0) return 1.0;
    double const at =
        smooth ? std::sin(0.7 * i + 1.1 * axis) * std::cos(0.5 * j) * std::cos(0.9 * k) : random.uniform(-1, 1);
    return static_cast<double>(static_cast<float>(std::pow(10.0, 0.5 * p.decades * at)));
  };
  for (int axis = 0; axis < 3; ++axis) {
    int const n = p.cells[std::size_t(axis)];
    auto const forward = static_cast<Side>(2 * axis), backward = static_cast<Side>(2 * axis + 1);
    for (int k = 0; k < p.cells[2]; ++k)
      for (int j = 0; j < p.cells[1]; ++j)
        for (int i = 0; i < p.cells[0]; ++i) {
          std::array<int, 3> const at{i, j, k};
          std::size_t const here = p.index(k, j, i);
          if (at[std::size_t(axis)] == 0) {  // the lower side, or the seam
            double const c = coefficient(axis, k, j, i);
            std::array<int, 3> last = at;
            last[std::size_t(axis)] = n - 1;
            std::size_t const there = p.index(last[2], last[1], last[0]);
            if (p.sides[backward] == Boundary::periodic) {
              if (n > 1 && p.solid[here] == 0 && p.solid[there] == 0) {
                p.face[std::size_t(2 * axis + 1)][here] = p.face[std::size_t(2 * axis)][there] = c;
              }
            } else if (p.solid[here] == 0) {
              p.face[std::size_t(2 * axis + 1)][here] = side_coefficient(p.sides[backward]) * c;
            }
          }
          if (at[std::size_t(axis)] + 1 < n) {
            double const c = coefficient(axis, k, j, i);
            std::array<int, 3> next = at;
            ++next[std::size_t(axis)];
            std::size_t const there = p.index(next[2], next[1], next[0]);
            if (p.solid[here] == 0 && p.solid[there] == 0) {
              p.face[std::size_t(2 * axis)][here] = p.face[std::size_t(2 * axis + 1)][there] = c;
            }
          } else if (p.sides[forward] != Boundary::periodic && p.solid[here] == 0) {
            p.face[std::size_t(2 * axis)][here] = side_coefficient(p.sides[forward]) * coefficient(axis, k, j, i);
          }
        }
  }
}

}  // namespace

bool GridProblem::uniform_layers() const {
  return std::all_of(layers.begin(), layers.end(), [&](double dz) { return dz == layers[0]; });
}

bool GridProblem::present(int axis) const {
  auto const closed = [&](int side) {
    Boundary const kind = sides[static_cast<Side>(side)];
    return kind == Boundary::neumann || kind == Boundary::periodic;
  };
  return cells[std::size_t(axis)] > 1 || !closed(2 * axis) || !closed(2 * axis + 1);
}

int GridProblem::dimensions() const { return int(present(0)) + int(present(1)) + int(present(2)); }

double GridProblem::anisotropy() const {
  double least = HUGE_VAL, most = 0;
  auto const join = [&](double weight) {
    least = std::min(least, weight);
    most = std::max(most, weight);
  };
  if (present(0)) join(weights[0] / (spacing[0] * spacing[0]));
  if (present(1)) join(weights[1] / (spacing[1] * spacing[1]));
  if (present(2)) {
    for (double dz : layers) join(weights[2] / (dz * dz));
  }
  return most > 0 ? most / least : 1;
}

GridProblem random_grid_problem(std::uint64_t seed) {
  Random random(seed);
  GridProblem p;
  p.seed = seed;
  p.single = random.chance(0.4);
  auto const rounded = [&](double x) { return p.single ? static_cast<double>(static_cast<float>(x)) : x; };
  p.cells = random_cells(random);
  bool const stretched = random.chance(0.3);
  double const reach = random.chance(0.2) ? 2 : 0.5;
  for (double& h : p.spacing) h = stretched ? random.decade(-reach, reach) : 1;
  double dz = stretched ? random.decade(-reach, reach) : 1;
  double const growth = random.chance(0.3) ? random.uniform(0.8, 1.3) : 1;
  for (int k = 0; k < p.cells[2]; ++k) {
    p.layers.push_back(dz);
    dz = std::clamp(dz * growth, 1e-3, 1e3);
  }
  if (random.chance(0.2)) p.weights[2] = random.uniform(0.25, 4);
  int const style = random.below(6);
  set_pair(random, p.sides.west, p.sides.east, style);
  set_pair(random, p.sides.south, p.sides.north, style);
  set_pair(random, p.sides.bottom, p.sides.top, style);
  // In most problems a missing axis is closed.
  for (int axis = 0; axis < 3; ++axis) {
    if (p.cells[std::size_t(axis)] > 1 || random.chance(0.2)) continue;
    (axis == 0 ? p.sides.west : axis == 1 ? p.sides.south : p.sides.bottom) = Boundary::neumann;
    (axis == 0 ? p.sides.east : axis == 1 ? p.sides.north : p.sides.top) = Boundary::neumann;
  }
  p.solid.assign(std::size_t(p.cells[0]) * std::size_t(p.cells[1]) * std::size_t(p.cells[2]), 0);
  if (random.chance(0.5)) p.solid_share = random.uniform(0, 0.4);
  if (p.solid_share > 0) {
    for (auto& cell : p.solid) cell = random.chance(p.solid_share) ? 1 : 0;
  }
  if (random.chance(0.4)) p.decades = random.uniform(0.3, random.chance(0.3) ? 6 : 2);
  make_faces(random, p);

  double const scale = random.chance(0.15) ? random.decade(p.single ? -6 : -40, p.single ? 6 : 40) : 1;
  bool const has_values = random.chance(0.4);
  for (int side = 0; side < 6; ++side) {
    Boundary const kind = p.sides[static_cast<Side>(side)];
    int const axis = side / 2;
    if (!has_values || kind == Boundary::periodic || kind == Boundary::neumann) continue;
    std::size_t const size = p.size() / std::size_t(p.cells[std::size_t(axis)]);
    for (std::size_t n = 0; n < size; ++n) {
      p.side_values[std::size_t(side)].push_back(rounded(scale * random.uniform(-1, 1)));
    }
  }
  double const strength = scale * p.anisotropy();
  p.rhs.assign(p.size(), 0);
  switch (random.below(8)) {
    case 0: p.rhs_kind = "zero"; break;
    case 1:
      p.rhs_kind = "one cell";
      p.rhs[std::size_t(random.below(int(p.size())))] = rounded(strength);
      break;
    case 2:
      p.rhs_kind = "constant";
      std::fill(p.rhs.begin(), p.rhs.end(), rounded(strength));
      break;
    case 3:
      p.rhs_kind = "rough";
      for (double& value : p.rhs) value = rounded(strength * random.uniform(-1, 1));
      break;
    default: {
      p.rhs_kind = "compatible";  // filled by the equations, from a field
      for (double& value : p.rhs) value = rounded(scale * random.uniform(-1, 1));
    }
  }
  p.guess.assign(p.size(), 0);
  if (random.chance(0.4)) {
    for (double& value : p.guess) value = rounded(scale * random.uniform(-1, 1));
  }
  p.tolerance = p.single ? random.decade(-5, -3) : random.decade(-10, -4);
  return p;
}

std::optional<BoxDecomposition> random_parts(GridProblem const& p, int processes, int multiple) {
  Random random(p.seed * 31 + static_cast<std::uint64_t>(processes * 2 + multiple));
  auto const periodic = p.sides.periodic();
  std::array<bool, 2> may_cut{};
  for (std::size_t axis = 0; axis < 2; ++axis)
    may_cut[axis] = multiple == 1 || !periodic[axis] || p.cells[axis] % 2 == 0;
  if (processes > 1 && !may_cut[0] && !may_cut[1]) return {};
  std::array<int, 2> parts{1, 1};
  int left = processes;
  for (int divisor = 2; left > 1; ++divisor) {
    for (; left % divisor == 0; left /= divisor) {
      std::size_t const axis = static_cast<std::size_t>(random.below(2));
      parts[may_cut[axis] ? axis : 1 - axis] *= divisor;
    }
  }
  std::array<std::vector<int>, 3> edges;
  for (std::size_t axis = 0; axis < 2; ++axis) {
    int const cells = p.cells[axis];
    edges[axis] = {0, cells};
    for (int part = 1; part < parts[axis]; ++part) edges[axis].push_back(random.below(cells / multiple + 1) * multiple);
    std::sort(edges[axis].begin(), edges[axis].end());
  }
  edges[2] = {0, p.cells[2]};
  return BoxDecomposition(edges);
}

std::string describe(GridProblem const& p) {
  auto const side = [&](Side s) {
    switch (p.sides[s]) {
      case Boundary::dirichlet: return 'D';
      case Boundary::neumann: return 'N';
      case Boundary::fixed: return 'F';
      case Boundary::periodic: return 'P';
    }
    return '?';
  };
  char line[400];
  std::snprintf(line, sizeof line,
                "%s %d x %d x %d, spacing %.3g %.3g %.3g%s, sides %c%c %c%c %c%c, %.0f %% solid, %.2g decades, rhs %s, "
                "guess %s, tolerance %.2g",
                p.single ? "f32" : "f64", p.cells[0], p.cells[1], p.cells[2], p.spacing[0], p.spacing[1], p.layers[0],
                p.uniform_layers() ? "" : " growing", side(Side::west), side(Side::east), side(Side::south),
                side(Side::north), side(Side::bottom), side(Side::top), 100 * p.solid_share, p.decades, p.rhs_kind,
                std::all_of(p.guess.begin(), p.guess.end(), [](double g) { return g == 0; }) ? "zero" : "rough",
                p.tolerance);
  return line;
}

}  // namespace karman::campaign
