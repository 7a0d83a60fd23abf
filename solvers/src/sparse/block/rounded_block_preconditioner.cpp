// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "block_checks.hpp"
#include <karman/core/detail/pack.hpp>
#include <karman/core/error.hpp>
#include <karman/solvers/sparse/rounded_block_preconditioner.hpp>

#include <cstddef>
#include <memory>
#include <string>
#include <utility>

namespace karman {

namespace detail {

/// Numbers 4 n to 4 n + 3 of `from` in the precision of `to`: a device moves them in packs.
template <class From, class To>
struct ConvertNumbers {
  static constexpr int width = 4;
  From const* from;
  To* to;
  bool aligned;
  KOKKOS_FUNCTION void operator()(std::int64_t n) const {
    From values[width];
    To converted[width];
    load_values(from + width * n, aligned, values);
    for (int i = 0; i < width; ++i) converted[i] = static_cast<To>(values[i]);
    store_values(to + width * n, aligned, converted);
  }
};

/// \param count a multiple of four
template <class Exec, class From, class To>
void convert_numbers(Exec const& space, char const* label, std::size_t count, From const* from, To* to) {
  using Convert = ConvertNumbers<From, To>;
  auto const threads = static_cast<std::int64_t>(count) / Convert::width;
  Kokkos::parallel_for(label, Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::int64_t>>(space, 0, threads),
                       Convert{from, to, are_aligned(from, to)});
}

}  // namespace detail

template <ExecutionSpace Exec, int N>
struct RoundedBlockPreconditioner<Exec, N>::State {
  std::unique_ptr<Inner> inner;
  BlockCsrMatrix<Exec, float, N> matrix;
  Vector<Exec, float> residual, correction;
};

template <ExecutionSpace Exec, int N>
RoundedBlockPreconditioner<Exec, N>::RoundedBlockPreconditioner(Exec const& space, Graph<Exec> const& graph,
                                                                std::unique_ptr<Inner> inner) {
  require(inner != nullptr, "RoundedBlockPreconditioner: there is no inner preconditioner");
  detail::require_block_rows<N>(graph.rows(), "RoundedBlockPreconditioner");
  require(inner->size() == N * graph.rows(), "RoundedBlockPreconditioner: the inner preconditioner is for " +
                                                 std::to_string(inner->size()) + " unknowns, the profile has " +
                                                 std::to_string(N * graph.rows()));
  auto const vector = [&](char const* label) {
    return Vector<Exec, float>(Kokkos::view_alloc(space, Kokkos::WithoutInitializing, std::string(label)),
                               std::size_t(N) * std::size_t(graph.rows()));
  };
  using Values = typename BlockCsrMatrix<Exec, float, N>::Values;
  Values const values(Kokkos::view_alloc(space, Kokkos::WithoutInitializing, std::string("karman::rounded_blocks")),
                      graph.entries.extent(0));
  state_ = {"RoundedBlockPreconditioner", std::make_unique<State>(State{std::move(inner),
                                                                        {graph, values, graph.rows()},
                                                                        vector("karman::rounded_blocks::residual"),
                                                                        vector("karman::rounded_blocks::correction")})};
}

template <ExecutionSpace Exec, int N>
FactorReport RoundedBlockPreconditioner<Exec, N>::factor(Exec const& space,
                                                         BlockCsrMatrix<Exec, double, N> const& matrix) {
  auto const& rounded = state_->matrix;
  detail::require_profile_of(matrix, rounded.rows(), rounded.graph.entries.extent(0), "RoundedBlockPreconditioner");
  detail::convert_numbers(space, "karman::rounded_blocks::round", rounded.values.size(), matrix.values.data(),
                          rounded.values.data());
  return state_->inner->factor(space, rounded);
}

template <ExecutionSpace Exec, int N>
int RoundedBlockPreconditioner<Exec, N>::size() const {
  return N * state_->matrix.rows();
}

template <ExecutionSpace Exec, int N>
void RoundedBlockPreconditioner<Exec, N>::apply(Exec const& space, ConstVector<Exec, double> const& residual,
                                                Vector<Exec, double> const& correction) const {
  detail::require_length(residual, size(), "RoundedBlockPreconditioner", "residual");
  detail::require_length(correction, size(), "RoundedBlockPreconditioner", "correction");
  auto const& s = *state_;
  detail::convert_numbers(space, "karman::rounded_blocks::residual", s.residual.extent(0), residual.data(),
                          s.residual.data());
  s.inner->apply(space, s.residual, s.correction);
  detail::convert_numbers(space, "karman::rounded_blocks::correction", s.correction.extent(0), s.correction.data(),
                          correction.data());
}

template <ExecutionSpace Exec, int N>
int RoundedBlockPreconditioner<Exec, N>::singular_blocks(Exec const& space) const {
  return state_->inner->singular_blocks(space);
}

template <ExecutionSpace Exec, int N>
std::int64_t RoundedBlockPreconditioner<Exec, N>::workspace_bytes() const {
  auto const& matrix = state_->matrix;
  return state_->inner->workspace_bytes() +
         workspace_bytes(matrix.rows(), static_cast<std::int64_t>(matrix.graph.entries.extent(0)));
}

template <ExecutionSpace Exec, int N>
std::int64_t RoundedBlockPreconditioner<Exec, N>::workspace_bytes(int rows, std::int64_t entries) {
  return std::int64_t(sizeof(float)) * (N * N * entries + std::int64_t{2} * N * rows);
}

#define KARMAN_INSTANTIATE(Exec) template class RoundedBlockPreconditioner<Exec, 4>;
KARMAN_FOR_EACH_BACKEND(KARMAN_INSTANTIATE)
#undef KARMAN_INSTANTIATE

}  // namespace karman
