// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "coarsest.hpp"

#include <cstddef>
#include <numeric>
#include <utility>

namespace karman::detail {

namespace {

constexpr std::size_t excess = 6;
constexpr std::size_t volume = 7;

/// The cell beyond face `face`, or -1 outside.
int neighbor(MultigridCoarsest const& grid, int cell, int face) {
  auto const& n = grid.extents;
  std::array<int, 3> at{cell % n[0], cell / n[0] % n[1], cell / n[0] / n[1]};
  auto const axis = static_cast<std::size_t>(face / 2);
  at[axis] += face % 2 == 0 ? 1 : -1;
  if (at[axis] < 0 || at[axis] >= n[axis]) {
    if (!grid.periodic[axis]) return -1;
    at[axis] = (at[axis] + n[axis]) % n[axis];
  }
  return (at[2] * n[1] + at[1]) * n[0] + at[0];
}

/// Dense square matrices, row by row.
struct Matrix {
  std::size_t n;
  std::vector<double> values;
  explicit Matrix(std::size_t size) : n(size), values(size * size, 0.0) {}
  double& operator()(std::size_t row, std::size_t column) { return values[row * n + column]; }
  double operator()(std::size_t row, std::size_t column) const { return values[row * n + column]; }
};

/// The equations, times the volumes, as conductances between cells and from each cell to the places where x is zero.
struct DenseNetwork {
  Matrix between;
  std::vector<double> to_zero;
};

DenseNetwork network_of(MultigridCoarsest const& grid) {
  std::size_t const n = grid.cells.size();
  DenseNetwork net{Matrix(n), std::vector<double>(n, 0.0)};
  for (std::size_t cell = 0; cell < n; ++cell) {
    auto const& row = grid.cells[cell];
    net.to_zero[cell] += row[volume] * row[excess];
    for (int face = 0; face < 6; ++face) {
      double const conductance = row[volume] * row[static_cast<std::size_t>(face)];
      int const next = neighbor(grid, static_cast<int>(cell), face);
      if (next < 0) {
        net.to_zero[cell] += conductance;
      } else if (static_cast<std::size_t>(next) != cell) {
        // Both cells of a face contribute its coefficient. Their mean is symmetric to the last bit.
        net.between(cell, static_cast<std::size_t>(next)) += 0.5 * conductance;
        net.between(static_cast<std::size_t>(next), cell) += 0.5 * conductance;
      }
    }
  }
  return net;
}

/// The connected set of each cell, given as the number of one of its cells.
std::vector<std::size_t> connected_sets(DenseNetwork const& net) {
  std::vector<std::size_t> set(net.to_zero.size());
  std::iota(set.begin(), set.end(), std::size_t(0));
  auto const root = [&](std::size_t cell) {
    while (set[cell] != cell) cell = set[cell];
    return cell;
  };
  for (std::size_t a = 0; a < set.size(); ++a) {
    for (std::size_t b = 0; b < a; ++b) {
      if (net.between(a, b) != 0) set[root(a)] = root(b);
    }
  }
  for (std::size_t cell = 0; cell < set.size(); ++cell) set[cell] = root(cell);
  return set;
}

/// The inverse of a network in which every set has a path to zero. The rows of cells without any conductance are zero.
/// Pivots are sums of conductances, never differences: exact to rounding however weak the path to zero is.
Matrix inverse_of(DenseNetwork net) {
  std::size_t const n = net.to_zero.size();
  Matrix& c = net.between;
  std::vector<double> gain(n, 0);
  Matrix inverse(n);
  for (std::size_t i = 0; i < n; ++i) inverse(i, i) = 1;
  for (std::size_t p = 0; p < n; ++p) {
    double pivot = net.to_zero[p];
    for (std::size_t j = p + 1; j < n; ++j) pivot += c(p, j);
    gain[p] = pivot > 0 ? 1 / pivot : 0;
    for (std::size_t i = p + 1; i < n; ++i) {
      double const factor = c(i, p) * gain[p];
      if (factor == 0) continue;
      for (std::size_t j = p + 1; j < n; ++j) {
        if (j != i) c(i, j) += factor * c(p, j);
      }
      for (std::size_t j = 0; j <= p; ++j) inverse(i, j) += factor * inverse(p, j);
      net.to_zero[i] += factor * net.to_zero[p];
    }
  }
  for (std::size_t p = n; p-- > 0;) {
    for (std::size_t j = 0; j < n; ++j) {
      double sum = inverse(p, j);
      for (std::size_t i = p + 1; i < n; ++i) sum += c(p, i) * inverse(i, j);
      inverse(p, j) = gain[p] * sum;
    }
  }
  return inverse;
}

/// The inverse on sets with a path to zero, the pseudo-inverse on floating ones.
Matrix pseudo_inverse_of(DenseNetwork net, std::vector<double> const& volumes) {
  std::size_t const n = volumes.size();
  std::vector<std::size_t> const set = connected_sets(net);
  std::vector<double> weight(n, 0), volume_of(n, 0);
  std::vector<bool> floats(n, true);
  for (std::size_t i = 0; i < n; ++i) {
    if (net.to_zero[i] != 0) floats[set[i]] = false;
    for (std::size_t j = 0; j < n; ++j) weight[set[i]] += net.between(i, j);
    volume_of[set[i]] += volumes[i];
  }
  // Ties one cell of a floating set to zero. A right-hand side without a mean puts no load on that tie, and the
  // constant that it fixes is subtracted below.
  for (std::size_t s = 0; s < n; ++s) {
    if (set[s] == s && floats[s]) net.to_zero[s] = weight[s];
  }
  Matrix b = inverse_of(std::move(net));
  // Subtracts the means of x, then the means of the right-hand side.
  for (std::size_t s = 0; s < n; ++s) {
    if (set[s] != s || !floats[s]) continue;
    for (std::size_t j = 0; j < n; ++j) {
      double mean = 0;
      for (std::size_t i = 0; i < n; ++i) mean += set[i] == s ? volumes[i] / volume_of[s] * b(i, j) : 0;
      for (std::size_t i = 0; i < n; ++i) b(i, j) -= set[i] == s ? mean : 0;
    }
    for (std::size_t i = 0; i < n; ++i) {
      double mean = 0;
      for (std::size_t j = 0; j < n; ++j) mean += set[j] == s ? volumes[j] / volume_of[s] * b(i, j) : 0;
      for (std::size_t j = 0; j < n; ++j) b(i, j) -= set[j] == s ? mean : 0;
    }
  }
  return b;
}

}  // namespace

std::vector<double> inverse_of(MultigridCoarsest const& grid) {
  std::size_t const n = grid.cells.size();
  std::vector<double> volumes;
  for (auto const& cell : grid.cells) volumes.push_back(cell[volume]);
  Matrix b = pseudo_inverse_of(network_of(grid), volumes);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) b(i, j) *= -volumes[j];
  }
  return b.values;
}

MultigridNetwork sparse_network_of(MultigridCoarsest const& grid, std::vector<double> const& volumes) {
  MultigridNetwork net;
  int const n = static_cast<int>(grid.cells.size());
  net.between.columns = n;
  for (int cell = 0; cell < n; ++cell) {
    auto const& row = grid.cells[static_cast<std::size_t>(cell)];
    double const own = volumes[static_cast<std::size_t>(cell)];
    double to_zero = own * row[excess];
    for (int face = 0; face < 6; ++face) {
      double const conductance = own * row[static_cast<std::size_t>(face)];
      int const next = neighbor(grid, cell, face);
      if (next < 0) to_zero += conductance;
      if (next < 0 || next == cell) continue;
      auto const there = static_cast<std::size_t>(next);
      double const mean = 0.5 * (conductance + volumes[there] * grid.cells[there][static_cast<std::size_t>(face ^ 1)]);
      if (mean != 0) net.between.add(next, mean);
    }
    net.to_zero.push_back(to_zero);
    net.between.end_row();
  }
  return net;
}

std::vector<double> inverse_of(MultigridNetwork const& network) {
  std::size_t const n = network.to_zero.size();
  DenseNetwork dense{Matrix(n), network.to_zero};
  SparseRows const& rows = network.between;
  for (std::size_t i = 0; i < n; ++i) {
    for (auto e = static_cast<std::size_t>(rows.start[i]); e < static_cast<std::size_t>(rows.start[i + 1]); ++e) {
      dense.between(i, static_cast<std::size_t>(rows.column[e])) += rows.value[e];
    }
  }
  return pseudo_inverse_of(std::move(dense), std::vector<double>(n, 1.0)).values;
}

}  // namespace karman::detail
