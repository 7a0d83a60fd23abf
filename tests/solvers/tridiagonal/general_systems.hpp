// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Nonsingular tridiagonal systems on which elimination in order fails, and the accuracy of partial pivoting for them.
#pragma once

#include "tridiagonal_cases.hpp"

#include <algorithm>
#include <cmath>
#include <random>
#include <string>
#include <vector>

namespace karman::test {

/// General matrices; every one is nonsingular.
enum class General {
  random,        ///< all entries random in [-1, 1]
  sparse,        ///< random, half of the diagonal zero
  no_diagonal,   ///< diagonal zero everywhere, the others one: nonsingular for an even number of rows
  small_pivots,  ///< diagonal of order eps
  rows_scaled,   ///< random, rows multiplied by powers of two from 2^-30 to 2^30
  dominant       ///< matrices that the other algorithms solve, too
};
inline constexpr General every_kind[] = {General::random,       General::sparse,      General::no_diagonal,
                                         General::small_pivots, General::rows_scaled, General::dominant};

inline char const* name(General kind) {
  switch (kind) {
    case General::random: return "random";
    case General::sparse: return "sparse";
    case General::no_diagonal: return "no diagonal";
    case General::small_pivots: return "small pivots";
    case General::rows_scaled: return "rows scaled";
    case General::dominant: return "dominant";
  }
  return "";
}

template <class T>
using GeneralSystem = SerialTridiagonal<typename Scalar<T>::wide>;

template <class T>
GeneralSystem<T> general_system(General kind, std::int64_t rows, bool periodic, unsigned seed) {
  using S = Scalar<T>;
  using R = typename S::real;
  GeneralSystem<T> system = make_system<T>(Matrix::dominant, rows, periodic, seed);
  if (kind == General::dominant) return system;
  std::mt19937 random(seed * 100003u + unsigned(rows));
  for (std::size_t k = 0; k < system.size(); ++k) {
    T lower = random_value<T>(random), diagonal = random_value<T>(random), upper = random_value<T>(random);
    if (kind == General::sparse) {
      // A zero beside the diagonal could cut off a piece that is singular.
      if (lower == T(0)) lower = T(R(1));
      if (upper == T(0)) upper = T(R(1));
      // One entry that is not: an odd number of rows without a diagonal is singular.
      if (k == 0) diagonal = T(R(1));
      else if (random() % 2 == 0) diagonal = T(0);
    }
    if (kind == General::no_diagonal) {
      diagonal = T(0);
      lower = upper = T(R(1));
    }
    if (kind == General::small_pivots) diagonal *= std::numeric_limits<R>::epsilon();
    R const scale = kind == General::rows_scaled ? std::ldexp(R(1), int(random() % 61) - 30) : R(1);
    system.lower[k] = S::widen(lower * scale);
    system.diagonal[k] = S::widen(diagonal * scale);
    system.upper[k] = S::widen(upper * scale);
    system.rhs[k] *= typename S::wide(scale);
  }
  return system;
}

/// The kind has a nonsingular matrix of this size.
inline bool exists(General kind, std::int64_t rows, bool periodic) {
  if (kind == General::no_diagonal) return !periodic && rows % 2 == 0;
  if (kind == General::small_pivots) return !periodic && rows % 2 == 0;
  return true;
}

/// Expects the accuracy of partial pivoting for every system. A row is combined about log2 n times, each with a handful
/// of roundings. Growth by exchanges of rows is at most a factor of order one in practice.
template <class Exec, class T>
void expect_pivoted(PlacedBatch<Exec, T> const& batch, std::vector<std::vector<typename Scalar<T>::wide>> const& found,
                    std::string const& what) {
  for (std::size_t s = 0; s < found.size(); ++s) {
    double const levels = std::ceil(std::log2(double(found[s].size()) + 1));
    double const bound = 16 * Scalar<T>::roundings * (2 + levels) * epsilon<T>;
    EXPECT_LE(rowwise_backward_error(batch.systems[s], found[s]), bound)
        << what << ", " << found[s].size() << " rows, system " << s;
  }
}

/// Random systems whose rows, or columns, differ in size by up to 2^52.
template <class T>
std::vector<GeneralSystem<T>> scaled_systems(unsigned systems, std::int64_t rows, bool columns) {
  using S = Scalar<T>;
  using R = typename S::real;
  std::mt19937 random(7);
  auto const n = std::size_t(rows);
  std::vector<GeneralSystem<T>> all;
  for (unsigned s = 0; s < systems; ++s) {
    auto& system = all.emplace_back(general_system<T>(General::random, rows, false, s));
    std::vector<R> row(n, R(1)), column(n, R(1));
    for (R& scale : columns ? column : row) scale = std::ldexp(R(1), int(random() % 53) - 26);
    auto const scale = [&](auto& entry, std::size_t k, std::size_t to) {
      if (to < n) entry = S::widen(S::narrow(entry) * T(row[k] * column[to]));
    };
    for (std::size_t k = 0; k < n; ++k) {
      scale(system.lower[k], k, k - 1);
      scale(system.diagonal[k], k, k);
      scale(system.upper[k], k, k + 1);
      system.rhs[k] = S::widen(S::narrow(system.rhs[k]) * T(row[k]));
    }
  }
  return all;
}

/// Expects accurate solutions of scaled_systems(). With few rows it is unclear whether rows or columns differ in size.
/// The error of each row is compared with the sizes of its terms, which neither changes.
template <class Exec, class T>
void expect_scaled_solved(PlacedBatch<Exec, T> const& batch,
                          std::vector<std::vector<typename Scalar<T>::wide>> const& found, bool columns) {
  using W = typename Scalar<T>::wide;
  auto const& all = batch.systems;
  std::size_t const rows = all[0].size();
  double worst = 0;
  for (std::size_t s = 0; s < all.size(); ++s) {
    auto const x = [&](std::size_t n) { return n < rows ? found[s][n] : W(0); };
    long double residual = 0, terms = 0;
    // The largest residual and the largest terms of any row, in units of its scale.
    for (std::size_t k = 0; k < rows; ++k) {
      auto const lower = k > 0 ? all[s].lower[k] * x(k - 1) : W(0);
      auto const upper = k + 1 < rows ? all[s].upper[k] * x(k + 1) : W(0);
      auto const middle = all[s].diagonal[k] * x(k);
      long double const factor = columns ? 1
                                         : 1 / std::max({(long double)std::abs(all[s].diagonal[k]),
                                                         k > 0 ? (long double)std::abs(all[s].lower[k]) : 0.0L,
                                                         k + 1 < rows ? (long double)std::abs(all[s].upper[k]) : 0.0L});
      residual = std::max(residual, factor * std::abs(all[s].rhs[k] - lower - middle - upper));
      terms =
          std::max(terms, factor * (std::abs(all[s].rhs[k]) + std::abs(lower) + std::abs(middle) + std::abs(upper)));
    }
    // NaN is the worst.
    if (!(double(residual / terms) <= worst)) worst = double(residual / terms);
  }
  EXPECT_LE(worst, 64 * Scalar<T>::roundings * epsilon<T>) << rows << " rows, " << (columns ? "columns" : "rows");
}

}  // namespace karman::test
