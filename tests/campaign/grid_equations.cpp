// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "grid_equations.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <string_view>

namespace karman::campaign {

GridEquations::GridEquations(GridProblem& problem) : problem_(problem) {
  assemble();
  find_pieces();
  std::size_t const n = size();
  if (std::string_view(problem.rhs_kind) == "compatible") {
    auto const field = problem.rhs;
    std::vector<double> const nothing(n, 0.0);
    auto image = residual(field, nothing);
    for (std::size_t c = 0; c < n; ++c) {
      problem.rhs[c] = problem.single ? static_cast<double>(static_cast<float>(image[c])) : image[c];
    }
  }
  b_.resize(n);
  double sum = 0, volume = 0;
  for (std::size_t c = 0; c < n; ++c) {
    b_[c] = has_equation(c) ? problem.rhs[c] - to_sides_[c] : 0;
    norm_ = std::max(norm_, std::abs(b_[c]));
    if (has_equation(c)) {
      sum += volume_[c] * b_[c];
      volume += volume_[c];
    }
  }
  balanced_ = b_;
  if (singular_) {
    for (std::size_t c = 0; c < n; ++c) {
      if (has_equation(c)) balanced_[c] -= sum / volume;
    }
  }
  auto without_means = balanced_;
  remove_means(without_means, volume_);
  for (std::size_t c = 0; c < n; ++c) {
    if (norm_ > 0) imbalance_ = std::max(imbalance_, std::abs(balanced_[c] - without_means[c]) / norm_);
  }
  order();
  factor();
  solution_ = solve(balanced_);

  std::vector<double> ones(n, 0.0);
  for (std::size_t c = 0; c < n; ++c) ones[c] = has_equation(c) && is_held_[std::size_t(piece_[c])] ? 1 : 0;
  for (double x : solve(ones)) inverse_norm_ = std::max(inverse_norm_, std::abs(x));
  double largest = 0;
  std::vector<double> weighted(n);
  for (std::size_t c = 0; c < n; ++c) {
    largest = std::max(largest, 2 * diagonal_[c]);
    weighted[c] = volume_[c] * diagonal_[c];
  }
  double const lowest = smallest(volume_);
  smallest_by_diagonal_ = smallest(weighted);
  if (lowest > 0) condition_ = largest / lowest;
  if (smallest_by_diagonal_ > 0) condition_by_diagonal_ = 2 / smallest_by_diagonal_;
}

void GridEquations::assemble() {
  GridProblem const& p = problem_;
  std::size_t const n = p.size();
  neighbors_.resize(n);
  diagonal_.assign(n, 0);
  to_sides_.assign(n, 0);
  volume_.assign(n, 0);
  singular_ = true;
  auto const weight = [&](int side, int k) {
    int const axis = side / 2;
    if (axis < 2) return p.weights[std::size_t(axis)] / (p.spacing[std::size_t(axis)] * p.spacing[std::size_t(axis)]);
    int const nz = p.cells[2];
    int const other = side % 2 == 0 ? k + 1 : k - 1;
    // Beyond the grid comes a layer of the same thickness; across a seam, the layer at the other side.
    bool const outside = other < 0 || other >= nz;
    int const beyond = !outside ? other : p.sides.top == Boundary::periodic ? (other + nz) % nz : k;
    double const distance = 0.5 * (p.layers[std::size_t(k)] + p.layers[std::size_t(beyond)]);
    return p.weights[2] / (p.layers[std::size_t(k)] * distance);
  };
  for (int k = 0; k < p.cells[2]; ++k)
    for (int j = 0; j < p.cells[1]; ++j)
      for (int i = 0; i < p.cells[0]; ++i) {
        std::size_t const here = p.index(k, j, i);
        volume_[here] = p.layers[std::size_t(k)];
        for (int side = 0; side < 6; ++side) {
          double const a = p.face[std::size_t(side)][here] * weight(side, k);
          if (a == 0) continue;
          diagonal_[here] += a;
          int const axis = side / 2;
          std::array<int, 3> at{i, j, k};
          int& moved = at[std::size_t(axis)];
          moved += side % 2 == 0 ? 1 : -1;
          int const extent = p.cells[std::size_t(axis)];
          bool const outside = moved < 0 || moved >= extent;
          if (outside && p.sides[static_cast<Side>(side)] != Boundary::periodic) {
            singular_ = false;
            auto const& values = p.side_values[std::size_t(side)];
            std::size_t const on_side = axis == 0   ? std::size_t(k * p.cells[1] + j)
                                        : axis == 1 ? std::size_t(k * p.cells[0] + i)
                                                    : std::size_t(j * p.cells[0] + i);
            if (!values.empty()) to_sides_[here] += a * values[on_side];
            continue;
          }
          moved = (moved + extent) % extent;
          neighbors_[here].push_back({p.index(at[2], at[1], at[0]), a});
        }
      }
}

void GridEquations::find_pieces() {
  piece_.assign(size(), -1);
  for (std::size_t start = 0; start < size(); ++start) {
    if (!has_equation(start) || piece_[start] >= 0) continue;
    int const number = static_cast<int>(is_held_.size());
    bool held = false;
    std::vector<std::size_t> front{start};
    piece_[start] = number;
    while (!front.empty()) {
      std::size_t const c = front.back();
      front.pop_back();
      double inner = 0;
      for (auto const& neighbor : neighbors_[c]) {
        inner += neighbor.weight;
        if (piece_[neighbor.cell] >= 0) continue;
        piece_[neighbor.cell] = number;
        front.push_back(neighbor.cell);
      }
      // Both sums contain the same numbers except numbers of a side.
      held = held || diagonal_[c] > inner * (1 + 1e-12);
    }
    is_held_.push_back(held);
    if (!held) pinned_.push_back(start);
  }
}

void GridEquations::order() {
  GridProblem const& p = problem_;
  std::array<int, 3> axes{0, 1, 2};
  std::sort(axes.begin(), axes.end(), [&](int a, int b) { return p.cells[std::size_t(a)] < p.cells[std::size_t(b)]; });
  // Along a periodic axis cells from both ends in turn, so that neighbours across the seam are near.
  auto const place = [&](int axis, int at) {
    int const extent = p.cells[std::size_t(axis)];
    bool const periodic = p.sides[static_cast<Side>(2 * axis)] == Boundary::periodic;
    if (!periodic) return at;
    return at < (extent + 1) / 2 ? 2 * at : 2 * (extent - 1 - at) + 1;
  };
  std::vector<std::int64_t> key(size());
  for (int k = 0; k < p.cells[2]; ++k)
    for (int j = 0; j < p.cells[1]; ++j)
      for (int i = 0; i < p.cells[0]; ++i) {
        std::array<int, 3> const at{i, j, k};
        std::int64_t number = 0;
        for (int n = 2; n >= 0; --n) {
          int const axis = axes[std::size_t(n)];
          number = number * p.cells[std::size_t(axis)] + place(axis, at[std::size_t(axis)]);
        }
        key[p.index(k, j, i)] = number;
      }
  cell_.resize(size());
  std::iota(cell_.begin(), cell_.end(), std::size_t(0));
  std::sort(cell_.begin(), cell_.end(), [&](std::size_t a, std::size_t b) { return key[a] < key[b]; });
  row_.resize(size());
  for (std::size_t r = 0; r < size(); ++r) row_[cell_[r]] = r;
}

/// L D L^T of the symmetric matrix -volume * A within its envelope. Rows without an equation, and one row of each
/// floating piece, are rows of the identity.
void GridEquations::factor() {
  std::size_t const n = size();
  factors_.resize(n);
  first_.resize(n);
  std::vector<bool> left_out(n, false);
  for (std::size_t c = 0; c < n; ++c) left_out[c] = !has_equation(c);
  for (std::size_t c : pinned_) left_out[c] = true;
  for (std::size_t r = 0; r < n; ++r) {
    std::size_t const c = cell_[r];
    std::size_t first = r;
    if (!left_out[c]) {
      for (auto const& neighbor : neighbors_[c]) {
        if (!left_out[neighbor.cell]) first = std::min(first, row_[neighbor.cell]);
      }
    }
    first_[r] = first;
    auto& row = factors_[r];
    row.assign(r - first + 1, 0.0);
    row.back() = left_out[c] ? 1 : volume_[c] * diagonal_[c];
    if (!left_out[c]) {
      for (auto const& neighbor : neighbors_[c]) {
        std::size_t const s = row_[neighbor.cell];
        if (!left_out[neighbor.cell] && s < r) row[s - first] -= volume_[c] * neighbor.weight;
      }
    }
    // row holds a(r, s); u(r, s) = a(r, s) - sum u(r, t) l(s, t), l(r, s) = u(r, s) / d(s).
    for (std::size_t s = first; s < r; ++s) {
      std::size_t const begin = std::max(first, first_[s]);
      double sum = row[s - first];
      for (std::size_t t = begin; t < s; ++t) sum -= row[t - first] * factors_[s][t - first_[s]];
      row[s - first] = sum;
    }
    for (std::size_t s = first; s < r; ++s) {
      double const u = row[s - first];
      row[s - first] = u / factors_[s].back();
      row.back() -= u * row[s - first];
    }
  }
}

/// Solves -volume A x = b; x is zero in the excluded rows.
std::vector<double> GridEquations::substitute(std::vector<double> b) const {
  std::size_t const n = size();
  for (std::size_t c = 0; c < n; ++c) {
    if (!has_equation(c)) b[c] = 0;
  }
  for (std::size_t c : pinned_) b[c] = 0;
  std::vector<double> y(n);
  for (std::size_t r = 0; r < n; ++r) {
    double sum = b[cell_[r]];
    for (std::size_t s = first_[r]; s < r; ++s) sum -= factors_[r][s - first_[r]] * y[s];
    y[r] = sum;
  }
  for (std::size_t r = 0; r < n; ++r) y[r] /= factors_[r].back();
  for (std::size_t r = n; r-- > 0;) {
    for (std::size_t s = first_[r]; s < r; ++s) y[s] -= factors_[r][s - first_[r]] * y[r];
  }
  std::vector<double> x(n);
  for (std::size_t c = 0; c < n; ++c) x[c] = y[row_[c]];
  return x;
}

void GridEquations::remove_means(std::vector<double>& x, std::vector<double> const& mass) const {
  std::vector<double> sum(is_held_.size(), 0.0), total(is_held_.size(), 0.0);
  for (std::size_t c = 0; c < size(); ++c) {
    if (piece_[c] < 0) continue;
    sum[std::size_t(piece_[c])] += mass[c] * x[c];
    total[std::size_t(piece_[c])] += mass[c];
  }
  for (std::size_t c = 0; c < size(); ++c) {
    if (piece_[c] >= 0 && !is_held_[std::size_t(piece_[c])]) {
      x[c] -= sum[std::size_t(piece_[c])] / total[std::size_t(piece_[c])];
    }
  }
}

void GridEquations::balance(std::vector<double>& x) const { remove_means(x, volume_); }

std::vector<double> GridEquations::solve(std::vector<double> b) const {
  remove_means(b, volume_);
  for (std::size_t c = 0; c < size(); ++c) b[c] *= -volume_[c];
  auto x = substitute(std::move(b));
  balance(x);
  return x;
}

std::vector<double> GridEquations::residual(std::vector<double> const& x, std::vector<double> const& b) const {
  std::vector<double> r(size(), 0.0);
  for (std::size_t c = 0; c < size(); ++c) {
    if (!has_equation(c)) continue;
    double sum = 0, inner = 0;
    for (auto const& neighbor : neighbors_[c]) {
      sum += neighbor.weight * (x[neighbor.cell] - x[c]);
      inner += neighbor.weight;
    }
    // The rest of the diagonal belongs to sides.
    bool const beside_side = diagonal_[c] > inner * (1 + 1e-12);
    if (beside_side) sum -= (diagonal_[c] - inner) * x[c];
    r[c] = sum - b[c];
  }
  return r;
}

double GridEquations::magnitude(std::vector<double> const& x) const {
  double most = 0;
  for (std::size_t c = 0; c < size(); ++c) {
    if (!has_equation(c)) continue;
    double sum = diagonal_[c] * std::abs(x[c]) + std::abs(b_[c]) + std::abs(problem_.rhs[c]);
    for (auto const& neighbor : neighbors_[c]) sum += neighbor.weight * std::abs(x[neighbor.cell]);
    most = std::max(most, sum);
  }
  return most;
}

double GridEquations::greatest_magnitude(std::vector<double> const& x) const {
  double own = 0, largest = 0;
  for (std::size_t c = 0; c < size(); ++c) {
    own = std::max(own, diagonal_[c]);
    if (has_equation(c)) largest = std::max(largest, std::abs(x[c]));
  }
  return norm_ + own * largest;
}

/// Smallest eigenvalue of -volume A x = e mass x.
double GridEquations::smallest(std::vector<double> const& mass) const {
  std::size_t const n = size();
  std::vector<double> x(n);
  for (std::size_t c = 0; c < n; ++c) x[c] = has_equation(c) ? 1 + 0.3 * std::sin(1.0 + 2.7 * double(c)) : 0;
  double value = 0;
  constexpr int steps = 12;
  for (int step = 0; step < steps; ++step) {
    remove_means(x, mass);
    double norm = 0;
    for (std::size_t c = 0; c < n; ++c) norm += has_equation(c) ? mass[c] * x[c] * x[c] : 0;
    if (!(norm > 0)) return 0;
    std::vector<double> b(n);
    for (std::size_t c = 0; c < n; ++c) b[c] = has_equation(c) ? mass[c] * x[c] : 0;
    auto y = substitute(b);
    remove_means(y, mass);
    double product = 0, square = 0;
    for (std::size_t c = 0; c < n; ++c) {
      product += y[c] * b[c];
      square += has_equation(c) ? mass[c] * y[c] * y[c] : 0;
    }
    if (!(square > 0)) return 0;
    value = product / square;
    double const scale = 1 / std::sqrt(square);
    for (std::size_t c = 0; c < n; ++c) x[c] = y[c] * scale;
  }
  return value;
}

}  // namespace karman::campaign
