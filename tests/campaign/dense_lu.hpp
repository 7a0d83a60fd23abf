// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Dense elimination with partial pivoting on the host, the reference for small sparse systems.
#pragma once

#include <cmath>
#include <complex>
#include <cstddef>
#include <utility>
#include <vector>

namespace karman::campaign {

class DenseLu {
 public:
  using Number = std::complex<long double>;

  /// n rows of n numbers.
  explicit DenseLu(std::vector<std::vector<Number>> rows) : lu_(std::move(rows)), order_(lu_.size()) {
    std::size_t const n = lu_.size();
    for (std::size_t k = 0; k < n; ++k) order_[k] = k;
    for (std::size_t k = 0; k < n; ++k) {
      std::size_t best = k;
      for (std::size_t i = k + 1; i < n; ++i) {
        if (std::abs(lu_[i][k]) > std::abs(lu_[best][k])) best = i;
      }
      std::swap(lu_[k], lu_[best]);
      std::swap(order_[k], order_[best]);
      if (lu_[k][k] == Number(0)) {
        singular_ = true;
        return;
      }
      for (std::size_t i = k + 1; i < n; ++i) {
        if (lu_[i][k] == Number(0)) continue;
        Number const factor = lu_[i][k] /= lu_[k][k];
        for (std::size_t j = k + 1; j < n; ++j) lu_[i][j] -= factor * lu_[k][j];
      }
    }
  }

  bool singular() const { return singular_; }

  std::vector<Number> solve(std::vector<Number> const& b) const {
    std::size_t const n = lu_.size();
    std::vector<Number> x(n);
    for (std::size_t i = 0; i < n; ++i) {
      x[i] = b[order_[i]];
      for (std::size_t j = 0; j < i; ++j) x[i] -= lu_[i][j] * x[j];
    }
    for (std::size_t i = n; i-- > 0;) {
      for (std::size_t j = i + 1; j < n; ++j) x[i] -= lu_[i][j] * x[j];
      x[i] /= lu_[i][i];
    }
    return x;
  }

  /// Lower bound of the inverse's 2-norm, by a few steps of the power method on A^-1 A^-H, with A^-1 applied twice: for
  /// nearly normal matrices. Times two it serves as a bound.
  long double inverse_norm() const {
    std::size_t const n = lu_.size();
    std::vector<Number> x(n);
    for (std::size_t i = 0; i < n; ++i) x[i] = Number(1.0L + 0.3L * std::sin(1.0L + 2.7L * (long double)(i)));
    long double growth = 0;
    constexpr int steps = 8;
    for (int step = 0; step < steps; ++step) {
      long double norm = 0;
      for (auto const& value : x) norm += std::norm(value);
      norm = std::sqrt(norm);
      for (auto& value : x) value = std::conj(value / norm);
      x = solve(x);
      long double after = 0;
      for (auto const& value : x) after += std::norm(value);
      growth = std::max(growth, std::sqrt(after));
    }
    return growth;
  }

 private:
  std::vector<std::vector<Number>> lu_;
  std::vector<std::size_t> order_;
  bool singular_ = false;
};

}  // namespace karman::campaign
