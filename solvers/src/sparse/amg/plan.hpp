// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// AmgPreconditioner<Exec, Scalar>: its levels and its calls. Included by the translation units that instantiate it.
#pragma once

#include "aggregation.hpp"
#include "base/repeat_kernels.hpp"
#include "chebyshev.hpp"
#include "common/vector_pass.hpp"
#include "dense_inverse.hpp"
#include "interpolation.hpp"
#include "matrix_product.hpp"
#include "smoother.hpp"
#include "sparse/preconditioners/jacobi_kernels.hpp"
#include "sparse/preconditioners/shifted_values.hpp"
#include "sparse/products/row_pass.hpp"
#include "sparse/products/sparse_checks.hpp"
#include "strength.hpp"
#include "visits.hpp"
#include <karman/core/compat.hpp>
#include <karman/core/error.hpp>
#include <karman/core/profiling.hpp>
#include <karman/solvers/sparse/amg.hpp>

#include <algorithm>
#include <limits>
#include <string>
#include <utility>

namespace karman {

namespace detail::amg {

constexpr int most_levels = 30, most_coarsest = 8192;
/// Levels of at most so many times the rows of a coarsest level get small aggregates. So the coarsest level is not much
/// smaller than it may be: it resolves more, and waves need that.
constexpr int rows_for_small_aggregates = 4;
/// Coarsening that keeps more than this share of the rows ends.
constexpr double least_progress = 0.9;
/// AmgCycle::automatic: the work of second corrections relative to that on the finest level. More gains nothing: 1.05
/// million nodes with cells of 1:100 take 15 iterations in 0.8 s with it, 13 in 0.9 s with 0.6, 13 in 1.1 s with 1.
constexpr double second_corrections = 0.4;
/// Time of the kernels of an empty level in entries of a matrix, each of which is read four times: 5 launches of 5
/// microseconds at 2 TB/s, or 5 parallel regions of some microseconds at 10 GB/s.
template <class Exec>
constexpr double work_of_empty_level = runs_on_host<Exec> ? 1e4 : 1e6;

/// The levels lie in about so many blocks of memory.
constexpr int blocks = 16;
/// Bytes per row of a set-up: in the choice of aggregates three numbers of 8 and two of 4, then fourteen of 4 for the
/// products.
constexpr int scratch_row = 56;

template <class Exec>
int coarsest_rows(AmgSetup const& setup) {
  if (setup.coarsest > 0) return setup.coarsest;
  return runs_on_host<Exec> ? 256 : 1024;
}

inline void require_setup(AmgSetup const& setup) {
  require(setup.strength >= 0 && setup.strength < 1, "AmgSetup: strength must lie in [0, 1)");
  require(setup.smoothing_steps >= 1 && setup.smoothing_steps <= most_smoothing_steps,
          "AmgSetup: smoothing_steps must lie between 1 and " + std::to_string(most_smoothing_steps));
  require(setup.damped_range > 1 && setup.damped_range < 1e6, "AmgSetup: damped_range must lie between 1 and 1e6");
  require(setup.coarsest >= 0 && setup.coarsest <= most_coarsest,
          "AmgSetup: coarsest must lie between 0 and " + std::to_string(most_coarsest));
  require(setup.max_levels >= 1 && setup.max_levels <= most_levels,
          "AmgSetup: max_levels must lie between 1 and " + std::to_string(most_levels));
  require(setup.dense_row >= 0, "AmgSetup: dense_row must not be negative");
}

/// A matrix of the hierarchy, the maps to and from the next coarser one, and memory of a cycle.
template <class Exec, class Scalar>
struct Level {
  CsrMatrix<Exec, Scalar> a, p, r, ap;  ///< P, P^T and A P are empty on the coarsest level
  EntryMarks<Exec> strong;
  Numbers<Exec> aggregate;
  ColumnSets<Exec> sets, coarse_sets;  ///< for A P, and for P^T (A P)
  Vector<Exec, Scalar> scaling, step, first, second, rest;
  Vector<Exec, Scalar> rhs, x;  ///< of levels below the finest
  SmoothingSteps steps;
  bool shifted = false;  ///< most rows belong to a shift, not to derivatives
  bool twice = false;    ///< two corrections from it per visit of the finer level
};

}  // namespace detail::amg

template <ExecutionSpace Exec, SparseScalar Scalar>
struct AmgPreconditioner<Exec, Scalar>::State {
  using Level = detail::amg::Level<Exec, Scalar>;
  using Range = Kokkos::RangePolicy<Exec>;
  using Matrix = CsrMatrix<Exec, Scalar>;

  AmgSetup setup;
  detail::Arena<typename Exec::memory_space> arena;  ///< of all levels; their Views do not own their memory
  std::vector<Level> levels;
  std::vector<AmgLevel> sizes;
  detail::DenseInverse<Exec, Scalar> inverse;  ///< of the coarsest matrix; empty where that is only smoothed
  Kokkos::View<int, typename Exec::memory_space> replaced;
  mutable detail::ReplayedKernels<Exec> applied;

  State(Exec const& space, Matrix const& matrix, AmgSetup const& setup_)
      : setup(setup_),
        arena("karman::amg::levels",
              workspace_bytes(matrix.rows(), static_cast<std::int64_t>(matrix.values.extent(0)), setup) /
                  detail::amg::blocks),
        replaced(Kokkos::view_alloc(space, std::string("karman::amg::replaced"))) {
    int const limit = detail::amg::coarsest_rows<Exec>(setup);
    detail::Arena<typename Exec::memory_space> scratch("karman::amg::scratch",
                                                       std::int64_t(matrix.rows()) * detail::amg::scratch_row);
    levels.push_back(level_of(matrix));
    while (levels.back().a.rows() > limit && static_cast<int>(levels.size()) < setup.max_levels) {
      Level coarse;
      scratch.restart();
      if (!coarsen(space, levels.back(), coarse, detail::amg::rows_for_small_aggregates * limit, scratch)) break;
      levels.push_back(std::move(coarse));
    }
    for (std::size_t n = 0; n < levels.size(); ++n) {
      choose_steps(space, levels[n]);
      allocate(levels[n], n > 0);
    }
    int const coarsest = levels.back().a.rows();
    if (coarsest <= limit) inverse = detail::DenseInverse<Exec, Scalar>::make(space, coarsest);
    for (auto const& level : levels) {
      auto const entries = [](Matrix const& matrix) { return static_cast<std::int64_t>(matrix.values.extent(0)); };
      sizes.push_back({level.a.rows(), entries(level.a), entries(level.p), entries(level.ap), level.p.columns, 1});
    }
    choose_visits();
    finish(space);
    compat::fence(space, "karman::amg::plan");
  }

  Vector<Exec, Scalar> vector(std::size_t n) { return arena.template take<Vector<Exec, Scalar>>(n); }

  Level level_of(Matrix const& matrix) {
    Level level;
    level.a = matrix;
    level.scaling = vector(static_cast<std::size_t>(matrix.rows()));
    return level;
  }

  /// Chooses the aggregates of a level and makes the coarser matrix, values too, since the next choice depends on
  /// them. False where there is nothing to gain.
  bool coarsen(Exec const& space, Level& fine, Level& coarse, int small_rows,
               detail::Arena<typename Exec::memory_space>& scratch) {
    Matrix const& a = fine.a;
    int const rows = a.rows();
    detail::SetupMemory<Exec> const memory{&arena, &scratch};
    auto const size =
        scratch.template take<Kokkos::View<double*, typename Exec::memory_space>>(static_cast<std::size_t>(rows));
    auto const strong = arena.template take<detail::EntryMarks<Exec>>(a.values.extent(0));
    Kokkos::parallel_for("karman::amg::diagonal_sizes", Range(space, 0, rows),
                         detail::DiagonalSizes<Exec, Scalar>{a, size});
    Kokkos::parallel_for("karman::amg::mark_strong", Range(space, 0, rows),
                         detail::MarkStrong<Exec, Scalar>{a, size, setup.strength, strong});
    auto const aggregates = detail::aggregate<Exec, Scalar>(space, a, strong, rows <= small_rows, memory);
    if (aggregates.count == 0 || aggregates.count > detail::amg::least_progress * rows) return false;
    scratch.restart();
    fine.strong = strong;
    fine.aggregate = aggregates.of_row;
    detail::InterpolationRow<Exec> const row{a.graph, strong, aggregates.of_row, most_connections()};
    Graph<Exec> const profile = detail::make_rows(space, rows, row, "AmgPreconditioner", memory);
    Graph<Exec> const transposed = detail::elements_around(space, detail::GraphIncidence<Exec>{profile},
                                                           aggregates.count, "AmgPreconditioner", memory);
    fine.p = {profile, vector(profile.entries.extent(0)), aggregates.count};
    fine.r = {transposed, vector(transposed.entries.extent(0)), rows};
    auto const ap =
        detail::product_profile(space, detail::ProductProfiles<Exec>{a.graph, profile}, aggregates.count, memory);
    auto const rap =
        detail::product_profile(space, detail::ProductProfiles<Exec>{transposed, ap.graph}, aggregates.count, memory);
    fine.ap = {ap.graph, vector(ap.graph.entries.extent(0)), aggregates.count};
    fine.sets = ap.sets;
    fine.coarse_sets = rap.sets;
    coarse = level_of({rap.graph, vector(rap.graph.entries.extent(0)), aggregates.count});
    take_values(space, fine, coarse);
    return true;
  }

  /// Rows with at most so many get a smoothed interpolation.
  int most_connections() const { return setup.smoothed ? setup.dense_row : 0; }

  void choose_visits() {
    std::vector<double> work;
    for (auto const& level : sizes) work.push_back(double(level.entries) + detail::amg::work_of_empty_level<Exec>);
    // A dense inverse is read once, in one kernel.
    double const rows = sizes.back().rows;
    if (inverse.size() > 0) work.back() = (rows * rows + detail::amg::work_of_empty_level<Exec>) / 7;
    double const share = setup.cycle == AmgCycle::v   ? 0
                         : setup.cycle == AmgCycle::w ? std::numeric_limits<double>::infinity()
                                                      : detail::amg::second_corrections;
    // From a level that does not resolve waves a second correction gains nothing.
    auto const visits = detail::level_visits(work, share, [&](std::size_t n) { return !levels[n].shifted; });
    for (std::size_t n = 0; n < sizes.size(); ++n) {
      sizes[n].visits = visits[n];
      levels[n].twice = n > 0 && visits[n] > visits[n - 1];
    }
  }

  /// The steps of its smoother, from the values of now; factor() keeps them.
  void choose_steps(Exec const& space, Level& level) const {
    level.steps = detail::smoothing_steps(setup.smoothing_steps, setup.damped_range);
    int const rows = level.a.rows();
    int shifted = 0;
    double real = 0, imaginary = 0;
    Kokkos::parallel_reduce("karman::amg::sum_of_shifts", Range(space, 0, rows),
                            detail::SumOfShifts<Exec, Scalar>{level.a}, Kokkos::Sum<int>(shifted),
                            Kokkos::Sum<double>(real), Kokkos::Sum<double>(imaginary));
    compat::fence(space, "karman::amg::summed_shifts");
    level.shifted = shifted > rows / 2;
    // The finest level has to be smoothed, whatever a part of its rows is.
    bool const solves = level.shifted || (&level != &levels.front() && shifted > rows / 4);
    if (solves) level.steps = detail::steps_for_shift(level.steps, {real / rows, imaginary / rows});
  }

  void allocate(Level& level, bool coarser) {
    auto const n = static_cast<std::size_t>(level.a.rows());
    level.first = vector(n);
    level.second = vector(n);
    if (level.steps.count > 1) level.step = vector(n);
    if (level.p.columns > 0) level.rest = vector(n);
    if (!coarser) return;
    level.rhs = vector(n);
    level.x = vector(n);
  }

  /// Values of the interpolation and of the coarser matrix, and the rounding errors of its diagonal. These are in the
  /// memory of the scaling until finish().
  void take_values(Exec const& space, Level const& fine, Level const& coarse) const {
    bool const carries = &fine != &levels.front();
    Kokkos::parallel_for("karman::amg::interpolation", Range(space, 0, fine.a.rows()),
                         detail::InterpolationValues<Exec, Scalar>{fine.a, fine.strong, fine.aggregate, fine.p,
                                                                   most_connections(), carries, fine.scaling});
    detail::transpose_values(space, fine.p, fine.r);
    detail::multiply_matrices(space, "karman::amg::half_product", fine.a, fine.p, fine.ap, fine.sets);
    detail::multiply_matrices(space, "karman::amg::product", fine.r, fine.ap, coarse.a, fine.coarse_sets);
    Kokkos::parallel_for("karman::amg::carry_rounding", Range(space, 0, coarse.a.rows()),
                         detail::CarryRounding<Exec, Scalar>{fine.r, fine.scaling, coarse.scaling});
  }

  /// Smoothers and the coarsest solution, once the values of all matrices are there.
  void finish(Exec const& space) {
    Kokkos::parallel_for("karman::amg::reset", Range(space, 0, 1), detail::ResetCount<Exec>{replaced});
    for (auto const& level : levels) {
      if (inverse.size() > 0 && level.p.columns == 0) continue;
      Kokkos::parallel_for(
          "karman::amg::scaling", Range(space, 0, level.a.rows()),
          detail::ScalingByNorms<Exec, Scalar>{level.a, level.scaling, &level != &levels.front(), replaced.data()});
    }
    if (inverse.size() == 0) return;
    auto const rounding = levels.size() > 1 ? levels.back().scaling : Vector<Exec, Scalar>();
    detail::invert<Exec, Scalar>(space, levels.back().a, inverse, rounding, replaced.data());
  }

  /// Where a smoother begins: `done` of its steps led to `x` by `before`, the last one. Null: from zero.
  struct Start {
    int done = 0;
    Scalar const *x = nullptr, *before = nullptr;
  };

  /// Where the first of the steps to `out` may write.
  static Scalar* first_target(Level const& level, Scalar* out) {
    return level.steps.count == 1 ? out : level.first.data();
  }
  static Scalar first_across(Level const& level) { return detail::coefficient<Scalar>(level.steps.step[0].across); }

  Start first_step(Exec const& space, Level const& level, Scalar const* b, Scalar* out) const {
    Scalar* const to = first_target(level, out);
    detail::vector_pass(space, "karman::amg::first_step",
                        detail::FirstStep<Scalar>{{level.scaling.data(), b}, {to}, first_across(level)},
                        static_cast<std::int64_t>(level.a.rows()), {nullptr, 1}, {},
                        detail::VectorTable<Exec>::short_vectors);
    return {1, to, to};
  }

  /// The right-hand side of the coarser level, and its first step.
  Start restrict_residual(Exec const& space, Level const& level, Level const& coarser) const {
    bool const solved = inverse.size() > 0 && coarser.p.columns == 0;
    Scalar* const to = solved ? nullptr : first_target(coarser, coarser.x.data());
    detail::row_pass(
        space, "karman::amg::restrict", level.r, static_cast<Scalar const*>(level.rest.data()),
        detail::RestrictedStep<Scalar>{coarser.scaling.data(), first_across(coarser), coarser.rhs.data(), to}, {});
    return solved ? Start() : Start{1, to, to};
  }

  /// x += P e, and the first step after it.
  Start correct(Exec const& space, Level const& level, Scalar const* e, Scalar* x) const {
    Scalar* const to = first_target(level, x);
    Scalar* const step = level.steps.count > 1 ? level.step.data() : nullptr;
    detail::row_pass(space, "karman::amg::correct", level.ap, e,
                     detail::CorrectedStep<Exec, Scalar>{level.rest.data(), level.scaling.data(), x, level.p, e,
                                                         first_across(level), step, to},
                     {});
    return {1, to, step};
  }

  /// The other steps of the smoother of A x = b; the result is in `out`, which may be `start.x` but not b.
  void smooth(Exec const& space, Level const& level, Scalar const* b, Start const& start, Scalar* out) const {
    int const count = level.steps.count;
    auto [done, x, before] = start.x == nullptr ? first_step(space, level, b, out) : start;
    for (; done < count; ++done) {
      auto const& s = level.steps.step[static_cast<std::size_t>(done)];
      // A pass reads all of x, so it cannot overwrite it.
      Scalar* const free = x == level.first.data() ? level.second.data() : level.first.data();
      Scalar* const to = done + 1 == count && out != x ? out : free;
      Scalar* const step = done + 1 < count ? level.step.data() : nullptr;
      detail::row_pass(space, "karman::amg::step", level.a, x,
                       detail::RowStep<Scalar>{b, level.scaling.data(), x, before, detail::coefficient<Scalar>(s.along),
                                               detail::coefficient<Scalar>(s.across), step, to},
                       {});
      x = to;
      before = step;
    }
    if (x != out) copy(space, x, out, static_cast<std::int64_t>(level.a.rows()));
  }

  void copy(Exec const& space, Scalar const* from, Scalar* to, std::int64_t rows) const {
    using Source = Kokkos::View<Scalar const*, typename Exec::memory_space, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
    using Target = Kokkos::View<Scalar*, typename Exec::memory_space, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
    auto const n = static_cast<std::size_t>(rows);
    Kokkos::deep_copy(space, Target(to, n), Source(from, n));
  }

  /// One cycle for A x = b from level n on.
  void cycle(Exec const& space, std::size_t n, Scalar const* b, Start const& start, Scalar* x) const {
    Level const& level = levels[n];
    if (n + 1 == levels.size()) {
      if (inverse.size() > 0) detail::apply_inverse<Exec, Scalar>(space, inverse, b, x);
      else smooth(space, level, b, start, x);
      return;
    }
    Level const& coarser = levels[n + 1];
    Scalar* const e = coarser.x.data();
    smooth(space, level, b, start, x);
    detail::row_pass(space, "karman::amg::residual", level.a, static_cast<Scalar const*>(x),
                     detail::RowResidual<Scalar>{b, level.rest.data()}, {});
    cycle(space, n + 1, coarser.rhs.data(), restrict_residual(space, level, coarser), e);
    if (coarser.twice) cycle(space, n + 1, coarser.rhs.data(), {0, e, nullptr}, e);
    smooth(space, level, b, correct(space, level, e, x), x);
  }
};

template <ExecutionSpace Exec, SparseScalar Scalar>
AmgPreconditioner<Exec, Scalar>::AmgPreconditioner(Exec const& space, CsrMatrix<Exec, Scalar> const& matrix,
                                                   AmgSetup const& setup) {
  Region const region("karman::amg::plan");
  detail::amg::require_setup(setup);
  detail::require_square(matrix, "AmgPreconditioner");
  state_ = {"AmgPreconditioner", std::make_unique<State>(space, matrix, setup)};
}

template <ExecutionSpace Exec, SparseScalar Scalar>
FactorReport AmgPreconditioner<Exec, Scalar>::factor(Exec const& space, CsrMatrix<Exec, Scalar> const& matrix) {
  Region const region("karman::amg::factor");
  State& s = *state_;
  detail::require_square(matrix, "AmgPreconditioner");
  auto& finest = s.levels.front().a;
  require(matrix.rows() == finest.rows() && matrix.values.extent(0) == finest.values.extent(0),
          "AmgPreconditioner: the matrix has another profile than the one it was made for");
  finest.values = matrix.values;
  for (std::size_t n = 0; n + 1 < s.levels.size(); ++n) s.take_values(space, s.levels[n], s.levels[n + 1]);
  s.finish(space);
  return FactorReport();
}

template <ExecutionSpace Exec, SparseScalar Scalar>
int AmgPreconditioner<Exec, Scalar>::size() const {
  return state_->levels.front().a.rows();
}

template <ExecutionSpace Exec, SparseScalar Scalar>
void AmgPreconditioner<Exec, Scalar>::apply(Exec const& space, ConstVector<Exec, Scalar> const& residual,
                                            Vector<Exec, Scalar> const& correction) const {
  detail::require_length(residual, size(), "AmgPreconditioner", "residual");
  detail::require_length(correction, size(), "AmgPreconditioner", "correction");
  if (size() == 0) return;
  State const& s = *state_;
  s.applied.run(space, {residual.data(), correction.data(), s.levels.front().a.values.data()},
                [&] { s.cycle(space, 0, residual.data(), {}, correction.data()); });
}

template <ExecutionSpace Exec, SparseScalar Scalar>
std::vector<AmgLevel> const& AmgPreconditioner<Exec, Scalar>::levels() const {
  return state_->sizes;
}

template <ExecutionSpace Exec, SparseScalar Scalar>
double AmgPreconditioner<Exec, Scalar>::operator_complexity() const {
  double sum = 0;
  for (auto const& level : state_->sizes) sum += double(level.entries);
  double const finest = double(state_->sizes.front().entries);
  return finest > 0 ? sum / finest : 1;
}

template <ExecutionSpace Exec, SparseScalar Scalar>
int AmgPreconditioner<Exec, Scalar>::zero_pivots(Exec const& space) const {
  int count = 0;
  Kokkos::deep_copy(space, count, state_->replaced);
  compat::fence(space, "karman::amg::zero_pivots");
  return count;
}

template <ExecutionSpace Exec, SparseScalar Scalar>
std::int64_t AmgPreconditioner<Exec, Scalar>::workspace_bytes() const {
  State const& s = *state_;
  return s.inverse.bytes() + s.arena.bytes() + static_cast<std::int64_t>(sizeof(int));
}

template <ExecutionSpace Exec, SparseScalar Scalar>
std::int64_t AmgPreconditioner<Exec, Scalar>::workspace_bytes(int rows, std::int64_t entries, AmgSetup const& setup) {
  detail::amg::require_setup(setup);
  constexpr std::int64_t scalar = sizeof(Scalar), number = sizeof(int);
  std::int64_t const limit = detail::amg::coarsest_rows<Exec>(setup);
  // Measured on triangles: levels shrink by 3.6 to 9, rows of P have 1.5 to 3.3 entries, rows of A P 5 to 6. In
  // between.
  constexpr double shrink = 6;
  double const each = setup.smoothed ? 2.2 : 1, half = setup.smoothed ? 5.5 : 3;
  double sum = 0;
  double n = rows, m = double(entries);
  bool coarser = false;
  while (n > double(limit)) {
    sum += m + n * double(number) + n * double(5 + (coarser ? 2 : 0)) * double(scalar);
    sum += n * (2 * each + half) * double(scalar + number) + n * (2 + 1 / shrink) * double(number);
    sum += 2 * double(detail::ColumnSets<Exec>::host_bytes(static_cast<int>(n), detail::first_set_capacity));
    n /= shrink;
    m /= shrink * 0.8;
    sum += m * double(scalar + number) + n * double(number);
    coarser = true;
  }
  double const dense = n * n + 2 * n * detail::inverse_block;
  // Ends of blocks stay free.
  return static_cast<std::int64_t>(sum * (1 + 1.0 / detail::amg::blocks) + (dense + 7 * n) * double(scalar));
}

}  // namespace karman
