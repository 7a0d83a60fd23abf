// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A cycle of smoothed aggregation, serial and in double, from its definition.
#pragma once

#include "sparse_cases.hpp"
#include <karman/solvers/sparse/amg_options.hpp>

#include <cmath>
#include <cstdint>
#include <tuple>
#include <utility>
#include <vector>

namespace karman::test {

template <class Number>
class SerialAmg {
 public:
  /// `coarsest`: rows of a level that is solved exactly.
  SerialAmg(HostMatrix<Number> const& finest, karman::AmgSetup const& setup) : setup_(setup) {
    matrices_.push_back(finest);
    while (matrices_.back().n() > setup.coarsest) {
      auto const aggregate = aggregates(matrices_.back());
      int coarse = 0;
      for (int a : aggregate) coarse = std::max(coarse, a + 1);
      auto const p = interpolation(matrices_.back(), aggregate, coarse);
      HostMatrix<Number> product(coarse);
      auto const& a = matrices_.back();
      for (int i = 0; i < a.n(); ++i) {
        for (auto const& [row, left] : p.rows[std::size_t(i)]) {
          for (auto const& [j, value] : a.rows[std::size_t(i)]) {
            for (auto const& [column, right] : p.rows[std::size_t(j)])
              product.rows[std::size_t(row)][column] += left * value * right;
          }
        }
      }
      interpolations_.push_back(p);
      matrices_.push_back(product);
    }
  }

  std::vector<int> sizes() const {
    std::vector<int> found;
    for (auto const& a : matrices_) found.push_back(a.n());
    return found;
  }

  std::vector<Number> operator()(std::vector<Number> const& b) const { return cycle(0, b); }

  /// True if a level is smoothed by the polynomial of a segment.
  bool has_segments() const {
    for (auto const& a : matrices_) {
      if (segment_end(a) != Number(1 / setup_.damped_range)) return true;
    }
    return false;
  }

 private:
  using Key = std::tuple<int, std::uint64_t, int>;

  bool strong(HostMatrix<Number> const& a, int i, int j, Number const& value) const {
    double const limit = std::abs(a.rows[std::size_t(i)].at(i)) * std::abs(a.rows[std::size_t(j)].at(j));
    return i != j && std::norm(value) > setup_.strength * setup_.strength * limit;
  }
  template <class Use>
  void neighbours(HostMatrix<Number> const& a, int i, Use const& use) const {
    for (auto const& [j, value] : a.rows[std::size_t(i)]) {
      if (strong(a, i, j, value)) use(j, value);
    }
  }
  static std::uint64_t scrambled(int row) {
    std::uint64_t x = std::uint64_t(row) + 0x9E3779B97F4A7C15u;
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
    return (x ^ (x >> 31)) >> 34;
  }

  /// Roots by rounds: the row with the largest number within two connections, until all are decided.
  std::vector<int> aggregates(HostMatrix<Number> const& a) const {
    int const n = a.n();
    std::vector<Key> key;
    for (int i = 0; i < n; ++i) {
      int count = 0;
      neighbours(a, i, [&](int, Number const&) { ++count; });
      key.push_back({count > 0 ? 1 : 0, scrambled(i), i});
    }
    auto const spread = [&](std::vector<Key> from) {
      auto to = from;
      for (int i = 0; i < n; ++i)
        neighbours(a, i, [&](int j, Number const&) {
          to[std::size_t(i)] = std::max(to[std::size_t(i)], from[std::size_t(j)]);
        });
      return to;
    };
    for (bool open = true; open;) {
      open = false;
      // The last coarsening before the coarsest level has roots two connections apart.
      auto const far = n <= 4 * setup_.coarsest ? spread(key) : spread(spread(key));
      for (std::size_t i = 0; i < key.size(); ++i) {
        if (std::get<0>(key[i]) != 1) continue;
        if (far[i] == key[i]) std::get<0>(key[i]) = 2;
        else if (std::get<0>(far[i]) == 2) std::get<0>(key[i]) = 0;
        else open = true;
      }
    }
    std::vector<int> first(key.size(), -1);
    int count = 0;
    for (std::size_t i = 0; i < key.size(); ++i) {
      if (std::get<0>(key[i]) == 2) first[i] = count++;
    }
    auto const roots = first;
    for (int i = 0; i < n; ++i) {
      if (roots[std::size_t(i)] < 0)
        neighbours(a, i, [&](int j, Number const&) {
          if (roots[std::size_t(j)] >= 0) first[std::size_t(i)] = roots[std::size_t(j)];
        });
    }
    auto result = first;
    for (int i = 0; i < n; ++i) {
      if (first[std::size_t(i)] >= 0) continue;
      double strongest = 0;
      neighbours(a, i, [&](int j, Number const& value) {
        if (first[std::size_t(j)] < 0 || std::norm(value) <= strongest) return;
        strongest = std::norm(value);
        result[std::size_t(i)] = first[std::size_t(j)];
      });
    }
    return result;
  }

  HostMatrix<Number> interpolation(HostMatrix<Number> const& a, std::vector<int> const& aggregate, int coarse) const {
    HostMatrix<Number> p(a.n(), coarse);
    for (int i = 0; i < a.n(); ++i) {
      auto& row = p.rows[std::size_t(i)];
      int const own = aggregate[std::size_t(i)];
      if (own < 0) continue;
      row[own] = 1;
      if (!setup_.smoothed) continue;
      Number pivot = 0;
      double norm = 0;
      for (auto const& [j, value] : a.rows[std::size_t(i)]) {
        if (strong(a, i, j, value)) norm += std::abs(value);
        else pivot += value;
      }
      Number const factor = 4.0 / 3 * std::abs(pivot) / (norm + std::abs(pivot)) / pivot;
      row[own] -= factor * pivot;
      neighbours(a, i, [&](int j, Number const& value) { row[aggregate[std::size_t(j)]] -= factor * value; });
    }
    return p;
  }

  static double row_norm(HostMatrix<Number> const& a, std::size_t i) {
    double norm = 0;
    for (auto const& [j, value] : a.rows[i]) norm += std::abs(value);
    return norm;
  }

  /// One end of the segment of the spectrum that the smoother damps; the other is 1. Not the usual one where waves are
  /// not resolved; the smoother has twice the steps there.
  Number segment_end(HostMatrix<Number> const& a) const {
    Number const usual = 1 / setup_.damped_range;
    if constexpr (!std::is_same_v<Number, double>) {
      int shifted = 0;
      Number mean = 0;
      for (std::size_t i = 0; i < a.rows.size(); ++i) {
        Number sum = 0;
        for (auto const& [j, value] : a.rows[i]) sum += value;
        double const norm = row_norm(a, i);
        if (std::abs(sum) > norm / 5) ++shifted;
        Number const pivot = a.rows[i].at(int(i));
        mean += sum * std::abs(pivot) / norm / pivot / double(a.n());
      }
      if ((&a == &matrices_.front() ? 2 : 4) * shifted <= a.n()) return usual;
      Number const end(std::round(64 * mean.real()) / 64, std::round(64 * mean.imag()) / 64);
      if (end.imag() == 0) return usual;
      // The residual polynomial of the segment has the size 1 / |T(c / h)| at its ends, the usual one this at `end`.
      int const steps = setup_.smoothing_steps;
      double const of_segment = 1 / std::abs(chebyshev(2 * steps, (1.0 + end) / (1.0 - end)));
      double const of_usual = steps == 1 ? std::abs(1.0 - 4.0 / 3 * end)
                                         : std::abs(chebyshev(steps, (1.0 + usual - 2.0 * end) / (1.0 - usual)) /
                                                    chebyshev(steps, (1.0 + usual) / (1.0 - usual)));
      if (of_segment < of_usual) return end;
    }
    return usual;
  }

  static Number chebyshev(int degree, Number const& x) {
    Number before = 1, now = x;
    for (int n = 1; n < degree; ++n) before = std::exchange(now, 2.0 * x * now - before);
    return now;
  }

  /// x += q(D A) D (b - A x), D the scaling by l1 norms: Chebyshev's iteration in its three-term form.
  std::vector<Number> smooth(HostMatrix<Number> const& a, std::vector<Number> const& b, std::vector<Number> x) const {
    Number const low = segment_end(a), centre = (1.0 + low) / 2.0, half = (1.0 - low) / 2.0;
    bool const usual = low == Number(1 / setup_.damped_range);
    int const steps = usual ? setup_.smoothing_steps : 2 * setup_.smoothing_steps;
    std::vector<Number> step(x.size());
    Number rho = half / centre;
    for (int s = 0; s < steps; ++s) {
      auto const product = a * x;
      Number const next = s == 0 ? rho : 1.0 / (2.0 * centre / half - rho);
      for (std::size_t i = 0; i < x.size(); ++i) {
        Number const pivot = a.rows[i].at(int(i));
        Number const rest = (b[i] - product[i]) * (std::abs(pivot) / row_norm(a, i) / pivot);
        if (steps == 1) step[i] = 4.0 / 3 * rest;
        else step[i] = s == 0 ? rest / centre : next * rho * step[i] + 2.0 * next / half * rest;
      }
      rho = next;
      for (std::size_t i = 0; i < x.size(); ++i) x[i] += step[i];
    }
    return x;
  }

  static std::vector<Number> solved(HostMatrix<Number> const& a, std::vector<Number> b) {
    auto const n = b.size();
    std::vector<std::vector<Number>> m(n, std::vector<Number>(n));
    for (std::size_t i = 0; i < n; ++i) {
      for (auto const& [j, value] : a.rows[i]) m[i][std::size_t(j)] = value;
    }
    for (std::size_t k = 0; k < n; ++k) {
      for (std::size_t i = k + 1; i < n; ++i) {
        Number const factor = m[i][k] / m[k][k];
        for (std::size_t j = k; j < n; ++j) m[i][j] -= factor * m[k][j];
        b[i] -= factor * b[k];
      }
    }
    for (std::size_t k = n; k-- > 0;) {
      for (std::size_t j = k + 1; j < n; ++j) b[k] -= m[k][j] * b[j];
      b[k] /= m[k][k];
    }
    return b;
  }

  std::vector<Number> cycle(std::size_t level, std::vector<Number> const& b) const {
    auto const& a = matrices_[level];
    if (level + 1 == matrices_.size()) return solved(a, b);
    auto const& p = interpolations_[level];
    auto x = smooth(a, b, std::vector<Number>(b.size()));
    auto const product = a * x;
    std::vector<Number> rest(std::size_t(p.columns));
    for (std::size_t i = 0; i < b.size(); ++i) {
      for (auto const& [c, value] : p.rows[i]) rest[std::size_t(c)] += value * (b[i] - product[i]);
    }
    auto coarse = cycle(level + 1, rest);
    if (setup_.cycle == karman::AmgCycle::w && level + 2 < matrices_.size()) {
      auto const left = matrices_[level + 1] * coarse;
      auto defect = rest;
      for (std::size_t i = 0; i < left.size(); ++i) defect[i] -= left[i];
      auto const second = cycle(level + 1, defect);
      for (std::size_t i = 0; i < left.size(); ++i) coarse[i] += second[i];
    }
    auto const correction = p * coarse;
    for (std::size_t i = 0; i < x.size(); ++i) x[i] += correction[i];
    return smooth(a, b, x);
  }

  karman::AmgSetup setup_;
  std::vector<HostMatrix<Number>> matrices_, interpolations_;
};

}  // namespace karman::test
