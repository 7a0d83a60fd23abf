// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Sparse matrices of dense 4 x 4 blocks for the tests, made and multiplied serially on the host.
#pragma once

#include "sparse_cases.hpp"
#include <karman/core/host_copy.hpp>
#include <karman/solvers/sparse/block_csr.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <map>
#include <numeric>
#include <vector>

namespace karman::test {

/// A dense block, row by row.
using Block = std::array<std::array<double, 4>, 4>;

inline Block operator*(Block const& a, Block const& b) {
  Block c{};
  for (std::size_t i = 0; i < 4; ++i) {
    for (std::size_t j = 0; j < 4; ++j) {
      for (std::size_t k = 0; k < 4; ++k) c[i][j] += a[i][k] * b[k][j];
    }
  }
  return c;
}

inline Block operator-(Block a, Block const& b) {
  for (std::size_t i = 0; i < 4; ++i) {
    for (std::size_t j = 0; j < 4; ++j) a[i][j] -= b[i][j];
  }
  return a;
}

inline Block operator*(double factor, Block a) {
  for (auto& row : a) {
    for (double& value : row) value *= factor;
  }
  return a;
}

inline Block unit_block() { return {{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}}}; }

/// Inverse by cofactors, another method than that of the library.
inline Block inverse_of(Block const& a) {
  auto const minor = [&](std::size_t row, std::size_t column) {
    std::array<std::array<double, 3>, 3> m{};
    for (std::size_t i = 0, y = 0; i < 4; ++i) {
      if (i == row) continue;
      for (std::size_t j = 0, x = 0; j < 4; ++j) {
        if (j != column) m[y][x++] = a[i][j];
      }
      ++y;
    }
    return m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) - m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0]) +
           m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]);
  };
  Block inverse{};
  double determinant = 0;
  for (std::size_t i = 0; i < 4; ++i) {
    for (std::size_t j = 0; j < 4; ++j) inverse[j][i] = ((i + j) % 2 == 0 ? 1 : -1) * minor(i, j);
    determinant += a[0][i] * inverse[i][0];
  }
  return (1 / determinant) * inverse;
}

/// Block rows on the host.
struct HostBlocks {
  std::vector<std::map<int, Block>> rows;

  explicit HostBlocks(int n) : rows(static_cast<std::size_t>(n)) {}
  int n() const { return static_cast<int>(rows.size()); }

  std::vector<double> operator*(std::vector<double> const& x) const {
    std::vector<double> y(4 * rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i) {
      for (auto const& [j, block] : rows[i]) {
        for (std::size_t r = 0; r < 4; ++r) {
          for (std::size_t c = 0; c < 4; ++c) y[4 * i + r] += block[r][c] * x[4 * std::size_t(j) + c];
        }
      }
    }
    return y;
  }

  /// Sums of the magnitudes of the products of each row.
  std::vector<double> magnitudes(std::vector<double> const& x) const {
    std::vector<double> y(4 * rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i) {
      for (auto const& [j, block] : rows[i]) {
        for (std::size_t m = 0; m < 16; ++m) {
          y[4 * i + m / 4] += std::abs(block[m / 4][m % 4] * x[4 * std::size_t(j) + m % 4]);
        }
      }
    }
    return y;
  }

  /// The same matrix number by number.
  HostMatrix<double> numbers() const {
    HostMatrix<double> a(4 * n());
    for (std::size_t i = 0; i < rows.size(); ++i) {
      for (auto const& [j, block] : rows[i]) {
        for (std::size_t r = 0; r < 4; ++r) {
          for (int c = 0; c < 4; ++c) a.rows[4 * i + r][4 * j + c] = block[r][std::size_t(c)];
        }
      }
    }
    return a;
  }
};

/// A matrix of the device with these blocks, and the blocks as they were rounded.
template <class T, class Exec>
BlockCsrMatrix<Exec, T, 4> to_blocks_on(Exec const& space, HostBlocks& host) {
  std::vector<int> offsets{0}, entries;
  std::vector<T> numbers;
  for (auto& row : host.rows) {
    for (auto& [j, block] : row) {
      entries.push_back(j);
      for (auto& block_row : block) {
        for (double& value : block_row) {
          numbers.push_back(static_cast<T>(value));
          value = double(numbers.back());
        }
      }
    }
    offsets.push_back(static_cast<int>(entries.size()));
  }
  Graph<Exec> graph;
  graph.offsets = device_copy(space, offsets, "karman::test::offsets");
  graph.entries = device_copy(space, entries, "karman::test::entries");
  auto const matrix = make_block_csr_matrix<T, 4>(space, graph);
  auto const all = device_copy(space, numbers, "karman::test::numbers");
  Kokkos::deep_copy(space, Vector<Exec, T>(matrix.values.data(), numbers.size()), all);
  space.fence();
  return matrix;
}

inline Block random_block(RandomNumbers<double>& random) {
  Block block{};
  for (auto& row : block) {
    for (double& value : row) value = random();
  }
  return block;
}

/// A random block that dominates by rows: its inverse is at most 1 / (size - 3) in the norm of maxima.
inline Block dominant_block(RandomNumbers<double>& random, double size) {
  Block block = random_block(random);
  for (std::size_t i = 0; i < 4; ++i) block[i][i] = size;
  return block;
}

/// About `mean` random blocks per block row with a symmetric profile; each scalar row dominates by `dominance`.
inline HostBlocks random_dominant_blocks(int n, int mean, double dominance, unsigned seed) {
  RandomNumbers<double> random(seed);
  HostBlocks a(n);
  for (int i = 0; i < n; ++i) {
    for (int m = 0; m < mean / 2; ++m) {
      int const j = random.below(n);
      if (j == i) continue;
      a.rows[std::size_t(i)][j] = random_block(random);
      a.rows[std::size_t(j)][i] = random_block(random);
    }
    a.rows[std::size_t(i)][i] = random_block(random);
  }
  for (int i = 0; i < n; ++i) {
    for (std::size_t r = 0; r < 4; ++r) {
      double sum = 1;
      for (auto const& [j, block] : a.rows[std::size_t(i)]) {
        for (std::size_t c = 0; c < 4; ++c) sum += j == i && c == r ? 0 : std::abs(block[r][c]);
      }
      a.rows[std::size_t(i)][i][r][r] = dominance * sum;
    }
  }
  return a;
}

/// The block rows by colour, and within a colour by number.
inline std::vector<int> order_of_colors(std::vector<int> const& color) {
  std::vector<int> order(color.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](int a, int b) { return color[std::size_t(a)] < color[std::size_t(b)]; });
  return order;
}

/// D^-1 (r - sum of the blocks of row i off the diagonal).
inline std::array<double, 4> solved_row(HostBlocks const& a, int i, std::vector<double> const& r,
                                        std::vector<double> const& z) {
  std::array<double, 4> rest{}, solved{};
  for (std::size_t n = 0; n < 4; ++n) rest[n] = r[4 * std::size_t(i) + n];
  for (auto const& [j, block] : a.rows[std::size_t(i)]) {
    if (j == i) continue;
    for (std::size_t n = 0; n < 16; ++n) rest[n / 4] -= block[n / 4][n % 4] * z[4 * std::size_t(j) + n % 4];
  }
  Block const inverse = inverse_of(a.rows[std::size_t(i)].at(i));
  for (std::size_t n = 0; n < 16; ++n) solved[n / 4] += inverse[n / 4][n % 4] * rest[n % 4];
  return solved;
}

/// Symmetric sweeps from zero, row by row in the order given and back.
inline std::vector<double> serial_sweeps(HostBlocks const& a, std::vector<int> const& order,
                                         std::vector<double> const& r, double omega, int sweeps) {
  std::vector<double> z(r.size());
  auto const relax = [&](int i) {
    auto const solved = solved_row(a, i, r, z);
    for (std::size_t n = 0; n < 4; ++n) {
      double& number = z[4 * std::size_t(i) + n];
      number = (1 - omega) * number + omega * solved[n];
    }
  };
  for (int sweep = 0; sweep < sweeps; ++sweep) {
    std::for_each(order.begin(), order.end(), relax);
    std::for_each(order.rbegin(), order.rend(), relax);
  }
  return z;
}

/// M^-1 r with incomplete factors without fill, M = (I + L) (D + U), row by row in the order given.
inline std::vector<double> serial_ilu(HostBlocks a, std::vector<int> const& order, std::vector<double> const& r) {
  std::vector<int> place(order.size());
  for (std::size_t p = 0; p < order.size(); ++p) place[std::size_t(order[p])] = static_cast<int>(p);
  auto const before = [&](int i, int j) { return place[std::size_t(i)] < place[std::size_t(j)]; };
  std::vector<double> z = r;
  for (int const i : order) {
    auto& row = a.rows[std::size_t(i)];
    std::vector<int> lower;
    for (auto const& [j, block] : row) {
      if (before(j, i)) lower.push_back(j);
    }
    std::sort(lower.begin(), lower.end(), before);
    for (int const j : lower) {
      row[j] = row[j] * inverse_of(a.rows[std::size_t(j)][j]);
      for (auto const& [k, upper] : a.rows[std::size_t(j)]) {
        if (before(j, k) && row.count(k) > 0) row[k] = row[k] - row[j] * upper;
      }
      for (std::size_t n = 0; n < 16; ++n)
        z[4 * std::size_t(i) + n / 4] -= row[j][n / 4][n % 4] * z[4 * std::size_t(j) + n % 4];
    }
  }
  for (auto i = order.rbegin(); i != order.rend(); ++i) {
    HostBlocks upper(a.n());
    for (auto const& [j, block] : a.rows[std::size_t(*i)]) {
      if (!before(j, *i)) upper.rows[std::size_t(*i)][j] = block;
    }
    auto const solved = solved_row(upper, *i, z, z);
    std::copy(solved.begin(), solved.end(), z.begin() + 4 * *i);
  }
  return z;
}

/// Implicit step of waves that a flow carries along: linear Euler equations in symmetric variables. The mesh is a
/// square of n x n nodes and their triangles. Over an edge with matrix A and greatest speed s = |u_n| + c flows
/// (A + s) / 2 u_i + (A - s) / 2 u_j. Neighbours outside are zero. `step` is the time step in units of the spacing over
/// the speed of sound. Every block row has a random scale between 1 and 100, as with cells of many sizes.
inline HostBlocks carried_waves(int n, double step) {
  double const u = 0.4, v = 0.2, c = 1;
  RandomNumbers<double> random(8);
  HostBlocks matrix(n * n);
  for (int y = 0; y < n; ++y) {
    for (int x = 0; x < n; ++x) {
      int const i = y * n + x;
      Block own = (1 / step) * unit_block();
      for (auto const [dx, dy] : {std::array{1, 0}, {0, 1}, {1, 1}, {-1, 0}, {0, -1}, {-1, -1}}) {
        double const length = std::hypot(dx, dy), a = dx / length, b = dy / length, normal = u * a + v * b;
        Block const flux{{{normal, c * a, c * b, 0}, {c * a, normal, 0, 0}, {c * b, 0, normal, 0}, {0, 0, 0, normal}}};
        Block const limit = (std::abs(normal) + c) * unit_block();
        own = own - -0.5 * (flux - -1.0 * limit);
        if (x + dx < 0 || x + dx >= n || y + dy < 0 || y + dy >= n) continue;
        matrix.rows[std::size_t(i)][(y + dy) * n + x + dx] = 0.5 * (flux - limit);
      }
      matrix.rows[std::size_t(i)][i] = own;
      double const size = std::pow(10.0, 1 + random.real());
      for (auto& [j, block] : matrix.rows[std::size_t(i)]) block = size * block;
    }
  }
  return matrix;
}

}  // namespace karman::test
