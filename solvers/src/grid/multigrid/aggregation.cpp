// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "aggregation.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>

namespace karman::detail {

namespace {

auto at(int n) { return static_cast<std::size_t>(n); }

/// Calls use(entry, column) for the entries of a row.
template <class Use>
void for_row(SparseRows const& a, int row, Use const& use) {
  for (int e = a.start[at(row)]; e < a.start[at(row) + 1]; ++e) use(at(e), a.column[at(e)]);
}

/// Strong couplings. A coupling is strong for one end when it is not much weaker than the strongest of that end.
struct Strength {
  static constexpr double share = 0.25;
  SparseRows const& between;
  std::vector<double> strongest;

  explicit Strength(SparseRows const& b) : between(b), strongest(at(b.rows()), 0.0) {
    for (int i = 0; i < b.rows(); ++i) {
      for_row(b, i, [&](std::size_t e, int) { strongest[at(i)] = std::max(strongest[at(i)], b.value[e]); });
    }
  }
  bool for_row_of(int i, std::size_t e) const {
    return between.value[e] > 0 && between.value[e] >= share * strongest[at(i)];
  }
  bool both_ways(int i, std::size_t e) const {
    return for_row_of(i, e) && between.value[e] >= share * strongest[at(between.column[e])];
  }
};

constexpr int nowhere = -1;

/// The set that each unknown joins, or `nowhere`, and the number of sets.
struct Sets {
  std::vector<int> of;
  int count = 0;
};

Sets joined(MultigridNetwork const& net, Strength const& strength) {
  SparseRows const& between = net.between;
  int const n = between.rows();
  Sets sets{std::vector<int>(at(n), nowhere), 0};
  std::vector<int>& of = sets.of;
  auto const start_set = [&](int i) {
    of[at(i)] = sets.count;
    for_row(between, i, [&](std::size_t e, int j) {
      if (of[at(j)] == nowhere && strength.both_ways(i, e)) of[at(j)] = sets.count;
    });
    ++sets.count;
  };
  // Whole neighbourhoods come first.
  for (int i = 0; i < n; ++i) {
    bool any = false, all_free = of[at(i)] == nowhere;
    for_row(between, i, [&](std::size_t e, int j) {
      if (!strength.both_ways(i, e)) return;
      any = true;
      all_free = all_free && of[at(j)] == nowhere;
    });
    if (any && all_free) start_set(i);
  }
  // Each other unknown joins the set with the strongest coupling to it. An unknown whose couplings are weak for all its
  // neighbours must not join those to each other. So it starts no set as long as there is one.
  for (int round = 0; round < 2; ++round) {
    std::vector<int> const before = of;
    for (int i = 0; i < n; ++i) {
      if (of[at(i)] != nowhere) continue;
      double best = 0;
      for_row(between, i, [&](std::size_t e, int j) {
        if (before[at(j)] == nowhere || between.value[e] <= best || !strength.for_row_of(i, e)) return;
        best = between.value[e];
        of[at(i)] = before[at(j)];
      });
    }
  }
  for (int i = 0; i < n; ++i) {
    if (of[at(i)] == nowhere && strength.strongest[at(i)] > 0) start_set(i);
  }
  return sets;
}

/// Removes the sets without a path to another set or to zero: smoothing leaves only a constant of them.
void drop_isolated(MultigridNetwork const& net, Sets& sets) {
  std::vector<char> tied(at(sets.count), 0);
  for (int i = 0; i < net.between.rows(); ++i) {
    int const own = sets.of[at(i)];
    if (own == nowhere) continue;
    if (net.to_zero[at(i)] != 0) tied[at(own)] = 1;
    for_row(net.between, i, [&](std::size_t e, int j) {
      if (sets.of[at(j)] != own && net.between.value[e] != 0) tied[at(own)] = 1;
    });
  }
  std::vector<int> number(at(sets.count), nowhere);
  int count = 0;
  for (int s = 0; s < sets.count; ++s) {
    if (tied[at(s)] != 0) number[at(s)] = count++;
  }
  for (int& s : sets.of) {
    if (s != nowhere) s = number[at(s)];
  }
  sets.count = count;
}

/// Adds up the entries of one row at a time.
class RowSum {
 public:
  explicit RowSum(int columns) : sum_(at(columns), 0.0), seen_(at(columns), 0) {}
  void add(int column, double value) {
    if (seen_[at(column)] == 0) columns_.push_back(column);
    seen_[at(column)] = 1;
    sum_[at(column)] += value;
  }
  void write(SparseRows& to) {
    std::sort(columns_.begin(), columns_.end());
    for (int const c : columns_) {
      to.add(c, sum_[at(c)]);
      sum_[at(c)] = 0;
      seen_[at(c)] = 0;
    }
    columns_.clear();
    to.end_row();
  }

 private:
  std::vector<double> sum_;
  std::vector<char> seen_;
  std::vector<int> columns_;
};

SparseRows interpolation(MultigridNetwork const& net, Strength const& strength, Sets const& sets) {
  constexpr double damping = 2.0 / 3.0;
  SparseRows result;
  result.columns = sets.count;
  RowSum row(sets.count);
  for (int i = 0; i < net.between.rows(); ++i) {
    if (sets.of[at(i)] != nowhere) {
      double weight = net.to_zero[at(i)];
      for_row(net.between, i, [&](std::size_t e, int) {
        if (strength.for_row_of(i, e)) weight += net.between.value[e];
      });
      double own = 1;
      for_row(net.between, i, [&](std::size_t e, int j) {
        if (!strength.for_row_of(i, e) || sets.of[at(j)] == nowhere) return;
        double const part = damping * net.between.value[e] / weight;
        row.add(sets.of[at(j)], part);
        own -= part;
      });
      row.add(sets.of[at(i)], own);
    }
    row.write(result);
  }
  return result;
}

/// P^T A P as a network.
MultigridNetwork coarsened(MultigridNetwork const& net, SparseRows const& prolongation) {
  SparseRows minus_laplacian;
  minus_laplacian.columns = net.between.rows();
  for (int i = 0; i < net.between.rows(); ++i) {
    double sum = 0;
    for_row(net.between, i, [&](std::size_t e, int j) {
      minus_laplacian.add(j, net.between.value[e]);
      sum += net.between.value[e];
    });
    minus_laplacian.add(i, -sum);
    minus_laplacian.end_row();
  }
  SparseRows const whole = product(transposed(prolongation), product(minus_laplacian, prolongation));
  MultigridNetwork coarse;
  coarse.between.columns = whole.columns;
  for (int i = 0; i < whole.rows(); ++i) {
    for_row(whole, i, [&](std::size_t e, int j) {
      if (j != i && whole.value[e] != 0) coarse.between.add(j, whole.value[e]);
    });
    coarse.between.end_row();
  }
  coarse.to_zero.assign(at(prolongation.columns), 0.0);
  for (int i = 0; i < net.between.rows(); ++i) {
    for_row(prolongation, i,
            [&](std::size_t e, int j) { coarse.to_zero[at(j)] += prolongation.value[e] * net.to_zero[at(i)]; });
  }
  return coarse;
}

/// The largest eigenvalue of diagonal^-1 * matrix: 1.1 times the result of some steps of the power method, limited to
/// the largest row sum.
double spectral_radius(MultigridNetwork const& net) {
  constexpr int steps = 12;
  constexpr double margin = 1.1;
  int const n = net.between.rows();
  std::vector<double> const diagonal = net.diagonal();
  double bound = 1;
  std::vector<double> v(at(n)), w(at(n));
  for (int i = 0; i < n; ++i) {
    double sum = 0;
    for_row(net.between, i, [&](std::size_t e, int) { sum += std::abs(net.between.value[e]); });
    if (diagonal[at(i)] > 0) bound = std::max(bound, 1 + sum / diagonal[at(i)]);
    // A pseudo-random start, the same every time.
    v[at(i)] = static_cast<double>((static_cast<std::uint32_t>(i) * 2654435761u) >> 8) / double(1 << 23) - 1;
  }
  double found = 1;
  for (int step = 0; step < steps; ++step) {
    double before = 0, after = 0;
    for (int i = 0; i < n; ++i) {
      double sum = net.to_zero[at(i)] * v[at(i)];
      for_row(net.between, i, [&](std::size_t e, int j) { sum += net.between.value[e] * (v[at(i)] - v[at(j)]); });
      w[at(i)] = diagonal[at(i)] > 0 ? sum / diagonal[at(i)] : 0;
      before += diagonal[at(i)] * v[at(i)] * v[at(i)];
      after += diagonal[at(i)] * w[at(i)] * w[at(i)];
    }
    if (!(before > 0) || !(after > 0)) return bound;
    found = std::sqrt(after / before);
    for (int i = 0; i < n; ++i) v[at(i)] = w[at(i)] / found;
  }
  return std::min(bound, margin * found);
}

}  // namespace

SparseRows transposed(SparseRows const& a) {
  SparseRows t;
  t.columns = a.rows();
  t.start.assign(at(a.columns) + 1, 0);
  for (int const c : a.column) ++t.start[at(c) + 1];
  for (std::size_t n = 1; n < t.start.size(); ++n) t.start[n] += t.start[n - 1];
  t.column.resize(a.column.size());
  t.value.resize(a.value.size());
  std::vector<int> next(t.start.begin(), t.start.end() - 1);
  for (int i = 0; i < a.rows(); ++i) {
    for_row(a, i, [&](std::size_t e, int j) {
      auto const to = at(next[at(j)]++);
      t.column[to] = i;
      t.value[to] = a.value[e];
    });
  }
  return t;
}

SparseRows product(SparseRows const& a, SparseRows const& b) {
  SparseRows result;
  result.columns = b.columns;
  RowSum row(b.columns);
  for (int i = 0; i < a.rows(); ++i) {
    for_row(a, i, [&](std::size_t e, int k) {
      for_row(b, k, [&](std::size_t f, int j) { row.add(j, a.value[e] * b.value[f]); });
    });
    row.write(result);
  }
  return result;
}

std::vector<double> MultigridNetwork::diagonal() const {
  std::vector<double> result = to_zero;
  for (int i = 0; i < between.rows(); ++i) {
    for_row(between, i, [&](std::size_t e, int) { result[at(i)] += between.value[e]; });
  }
  return result;
}

std::vector<MultigridAggregates> aggregate(MultigridNetwork finest) {
  constexpr double worth_it = 0.9;
  std::vector<MultigridAggregates> levels(1);
  levels[0].network = std::move(finest);
  while (true) {
    MultigridAggregates& fine = levels.back();
    fine.radius = spectral_radius(fine.network);
    int const n = fine.network.between.rows();
    if (n <= coarsest_aggregates && levels.size() > 1) return levels;
    Strength const strength(fine.network.between);
    Sets sets = joined(fine.network, strength);
    drop_isolated(fine.network, sets);
    if (sets.count == 0 || sets.count > worth_it * n) return levels;
    fine.prolongation = interpolation(fine.network, strength, sets);
    MultigridAggregates coarse;
    coarse.network = coarsened(fine.network, fine.prolongation);
    levels.push_back(std::move(coarse));
  }
}

}  // namespace karman::detail
