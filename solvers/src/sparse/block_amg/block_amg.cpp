// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "block_aggregates.hpp"
#include "sparse/block/block_checks.hpp"
#include "sparse/block/block_pass.hpp"
#include "sparse/block/block_product.hpp"
#include <karman/core/compat.hpp>
#include <karman/core/detail/pack.hpp>
#include <karman/core/error.hpp>
#include <karman/solvers/sparse/block_amg.hpp>

#include <cstddef>
#include <memory>
#include <string>
#include <utility>

namespace karman {

namespace {

/// Steps of the smoother that solve on the coarsest level.
constexpr int coarsest_steps = 4;
constexpr int most_steps = 8, most_levels = 30;

void require_setup(BlockAmgSetup const& setup) {
  auto const between = [](int value, int least, int most, char const* name) {
    require(value >= least && value <= most, "BlockAmgSetup: " + std::string(name) + " must lie between " +
                                                 std::to_string(least) + " and " + std::to_string(most));
  };
  between(setup.before, 0, most_steps, "before");
  between(setup.after, 1, most_steps, "after");
  between(setup.visits, 1, 2, "visits");
  between(setup.max_levels, 1, most_levels, "max_levels");
  require(setup.coarsest >= 1, "BlockAmgSetup: coarsest must be 1 or more");
}

template <class View>
std::int64_t bytes_of(View const& view) {
  return static_cast<std::int64_t>(view.size() * sizeof(typename View::value_type));
}

}  // namespace

template <ExecutionSpace Exec, Real T, int N>
struct BlockAmg<Exec, T, N>::State {
  using Matrix = BlockCsrMatrix<Exec, T, N>;
  using Range = Kokkos::RangePolicy<Exec>;

  struct Level {
    Matrix a;  ///< of the finest level: shared with the caller from factor() on
    BlockIlu<Exec, T, N> smoother;
    Vector<Exec, T> rest, step;  ///< workspace
    Vector<Exec, T> rhs, x;      ///< of coarser levels
    detail::BlockAggregates<Exec> down = {};
  };

  BlockAmgSetup setup;
  std::vector<Level> levels;
  std::vector<int> rows;

  State(Exec const& space, Graph<Exec> const& graph, BlockAmgSetup const& wanted) : setup(wanted) {
    add_level(space, {graph, {}, graph.rows()});
    while (rows.back() > setup.coarsest && static_cast<int>(rows.size()) < setup.max_levels) {
      Level& fine = levels.back();
      fine.down = detail::aggregate_blocks(space, fine.a.graph, "BlockAmg");
      if (fine.down.count == 0) break;
      add_level(space, make_block_csr_matrix<T, N>(space, fine.down.coarse));
    }
    compat::fence(space, "karman::block_amg::plan");
  }

  void add_level(Exec const& space, Matrix const& a) {
    auto const vector = [&](char const* label) {
      return Vector<Exec, T>(Kokkos::view_alloc(space, Kokkos::WithoutInitializing, std::string(label)),
                             std::size_t(N) * std::size_t(a.rows()));
    };
    Level level{a,
                BlockIlu<Exec, T, N>(space, a.graph, {.order = setup.order}),
                vector("karman::block_amg::rest"),
                vector("karman::block_amg::step"),
                {},
                {}};
    if (!levels.empty()) {
      level.rhs = vector("karman::block_amg::rhs");
      level.x = vector("karman::block_amg::correction");
    }
    rows.push_back(a.rows());
    levels.push_back(std::move(level));
  }

  Range numbers(Exec const& space, Level const& level) const { return Range(space, 0, N * level.a.rows()); }
  Range block_rows(Exec const& space, Level const& level) const { return Range(space, 0, level.a.rows()); }

  void factor(Exec const& space, Matrix const& matrix) {
    levels.front().a = matrix;
    for (std::size_t l = 0; l < levels.size(); ++l) {
      levels[l].smoother.factor(space, levels[l].a);
      if (l + 1 == levels.size()) break;
      auto const& coarse = levels[l + 1].a.values;
      Kokkos::parallel_for(
          "karman::block_amg::sum_blocks",
          Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::int64_t>>(space, 0, std::int64_t(coarse.size())),
          detail::SumBlocks<Exec, T, N>{levels[l].down.blocks, levels[l].a.values.data(), coarse.data()});
    }
  }

  /// rest = r - A x.
  void leave(Exec const& space, Level const& level, T const* r, T const* x) const {
    detail::block_pass<T, N>(space, "karman::block_amg::rest",
                             detail::BlockProduct<Exec, T, N>{level.a, x, level.rest.data(), r}, 0, level.a.rows());
  }

  void smooth(Exec const& space, Level const& level, ConstVector<Exec, T> const& r, Vector<Exec, T> const& x) const {
    leave(space, level, r.data(), x.data());
    level.smoother.apply(space, level.rest, level.step);
    Kokkos::parallel_for(
        "karman::block_amg::add", block_rows(space, level),
        detail::AddStep<T, N>{level.step.data(), x.data(), detail::are_aligned(level.step.data(), x.data())});
  }

  /// Improves x on level l; `zero`: x counts as zero, whatever it holds.
  void cycle(Exec const& space, std::size_t l, ConstVector<Exec, T> const& r, Vector<Exec, T> const& x,
             bool zero) const {
    Level const& level = levels[l];
    bool const last = l + 1 == levels.size();
    int const before = !last ? setup.before : l == 0 ? 1 : coarsest_steps;
    for (int n = 0; n < before; ++n, zero = false) {
      if (zero) level.smoother.apply(space, r, x);
      else smooth(space, level, r, x);
    }
    if (last) return;
    Level const& coarse = levels[l + 1];
    if (!zero) leave(space, level, r.data(), x.data());
    Kokkos::parallel_for(
        "karman::block_amg::restrict", numbers(space, coarse),
        detail::RestrictBlocks<Exec, T, N>{level.down.rows, zero ? r.data() : level.rest.data(), coarse.rhs.data()});
    for (int n = 0; n < setup.visits; ++n) cycle(space, l + 1, coarse.rhs, coarse.x, n == 0);
    Kokkos::parallel_for("karman::block_amg::prolong", block_rows(space, level),
                         detail::ProlongBlocks<Exec, T, N>{level.down.of_row, coarse.x.data(), x.data(), !zero,
                                                           detail::are_aligned(coarse.x.data(), x.data())});
    for (int n = 0; n < setup.after; ++n) smooth(space, level, r, x);
  }
};

template <ExecutionSpace Exec, Real T, int N>
BlockAmg<Exec, T, N>::BlockAmg(Exec const& space, Graph<Exec> const& graph, BlockAmgSetup const& setup) {
  require_setup(setup);
  detail::require_block_rows<N>(graph.rows(), "BlockAmg");
  state_ = {"BlockAmg", std::make_unique<State>(space, graph, setup)};
}

template <ExecutionSpace Exec, Real T, int N>
FactorReport BlockAmg<Exec, T, N>::factor(Exec const& space, BlockCsrMatrix<Exec, T, N> const& matrix) {
  auto const& finest = state_->levels.front().a;
  detail::require_profile_of(matrix, finest.rows(), finest.graph.entries.extent(0), "BlockAmg");
  state_->factor(space, matrix);
  return {};
}

template <ExecutionSpace Exec, Real T, int N>
int BlockAmg<Exec, T, N>::size() const {
  return N * state_->rows.front();
}

template <ExecutionSpace Exec, Real T, int N>
void BlockAmg<Exec, T, N>::apply(Exec const& space, ConstVector<Exec, T> const& residual,
                                 Vector<Exec, T> const& correction) const {
  detail::require_length(residual, size(), "BlockAmg", "residual");
  detail::require_length(correction, size(), "BlockAmg", "correction");
  state_->cycle(space, 0, residual, correction, true);
}

template <ExecutionSpace Exec, Real T, int N>
int BlockAmg<Exec, T, N>::singular_blocks(Exec const& space) const {
  int sum = 0;
  for (auto const& level : state_->levels) sum += level.smoother.singular_blocks(space);
  return sum;
}

template <ExecutionSpace Exec, Real T, int N>
std::vector<int> const& BlockAmg<Exec, T, N>::level_rows() const {
  return state_->rows;
}

template <ExecutionSpace Exec, Real T, int N>
std::int64_t BlockAmg<Exec, T, N>::workspace_bytes() const {
  std::int64_t sum = 0;
  for (auto const& level : state_->levels) {
    sum += level.smoother.workspace_bytes() + bytes_of(level.rest) + bytes_of(level.step) + bytes_of(level.rhs) +
           bytes_of(level.x) + bytes_of(level.down.of_row);
    for (auto const* graph : {&level.down.rows, &level.down.coarse, &level.down.blocks})
      sum += bytes_of(graph->offsets) + bytes_of(graph->entries);
    // The values of the finest level are the caller's.
    if (&level != &state_->levels.front()) sum += bytes_of(level.a.values);
  }
  return sum;
}

template <ExecutionSpace Exec, Real T, int N>
std::int64_t BlockAmg<Exec, T, N>::workspace_bytes(int rows, std::int64_t entries) {
  constexpr std::int64_t number = sizeof(int), vector = N * sizeof(T), block = N * N * sizeof(T);
  // Coarser levels have an eighth of the rows and entries in all: each a matrix, its profile and two vectors more.
  std::int64_t const finest =
      BlockIlu<Exec, T, N>::workspace_bytes(rows, entries) + rows * (2 * vector + 2 * number) + entries * number;
  return finest + (finest + rows * (2 * vector + 2 * number) + entries * (block + 2 * number)) / 8;
}

#define KARMAN_INSTANTIATE(Exec)           \
  template class BlockAmg<Exec, float, 4>; \
  template class BlockAmg<Exec, double, 4>;
KARMAN_FOR_EACH_BACKEND(KARMAN_INSTANTIATE)
#undef KARMAN_INSTANTIATE

}  // namespace karman
