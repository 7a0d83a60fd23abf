// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "common/scalar_parts.hpp"
#include "ilu_factors.hpp"
#include "jacobi_kernels.hpp"
#include "sparse/products/sparse_checks.hpp"
#include <karman/core/compat.hpp>
#include <karman/core/error.hpp>
#include <karman/core/host_copy.hpp>
#include <karman/solvers/sparse/ilu_preconditioner.hpp>

#include <algorithm>
#include <string>
#include <vector>

namespace karman {

namespace {

#if defined(KARMAN_HAVE_KOKKOS_KERNELS)
constexpr bool have_kokkos_kernels = true;
#else
constexpr bool have_kokkos_kernels = false;
#endif

/// Replacement of a zero pivot by Kokkos Kernels.
constexpr double substitute = 1e6;

/// Counts pivots that were replaced or are not finite. A pivot equal to the replacement may be genuine: then it equals
/// a_ii - sum_j l_ij u_ji.
template <class Exec, class Scalar>
struct CountPivots {
  Graph<Exec> profile;
  ConstVector<Exec, Scalar> values;
  CsrMatrix<Exec, Scalar> lower, upper;
  Kokkos::View<int, typename Exec::memory_space> replaced;

  KOKKOS_FUNCTION static detail::Wide<Scalar> value_at(Graph<Exec> const& graph, Scalar const* values, int row,
                                                       int column) {
    int first = graph.offsets(row), last = graph.offsets(row + 1);
    while (first < last) {
      int const middle = first + (last - first) / 2;
      if (graph.entries(middle) < column) {
        first = middle + 1;
      } else {
        last = middle;
      }
    }
    bool const found = first < graph.offsets(row + 1) && graph.entries(first) == column;
    return found ? detail::widened<Scalar>(values[first]) : detail::Wide<Scalar>(0.0);
  }

  KOKKOS_FUNCTION void operator()(int row) const {
    detail::Wide<Scalar> const pivot = detail::widened<Scalar>(upper.values(upper.graph.offsets(row)));
    bool counts = !detail::is_finite(pivot);
    if (pivot == detail::Wide<Scalar>(substitute)) {
      detail::Wide<Scalar> sum = value_at(profile, values.data(), row, row);
      for (int e = lower.graph.offsets(row); e + 1 < lower.graph.offsets(row + 1); ++e) {
        int const above = lower.graph.entries(e);
        sum -= detail::widened<Scalar>(lower.values(e)) * value_at(upper.graph, upper.values.data(), above, row);
      }
      counts = !(detail::squared_magnitude(sum) > 0.25 * substitute * substitute);
    }
    if (counts) Kokkos::atomic_fetch_add(replaced.data(), 1);
  }
};

/// A profile on the host.
struct HostProfile {
  std::vector<int> offsets, entries;
};

void require_rows(HostProfile const& profile, int n) {
  detail::require_profile(profile.offsets, profile.entries, n, "IluPreconditioner");
  for (int row = 0; row < n; ++row) {
    auto const begin = profile.entries.begin();
    require(std::binary_search(begin + profile.offsets[std::size_t(row)], begin + profile.offsets[std::size_t(row) + 1],
                               row),
            "IluPreconditioner: row " + std::to_string(row) +
                " of the profile has no diagonal entry; add one, zero if need be");
  }
}

/// Rows of the widest level of the lower triangle. As a rule, fill narrows levels: it only adds dependencies of rows.
int widest_level(HostProfile const& profile, int n) {
  std::vector<int> level(static_cast<std::size_t>(n)), rows(static_cast<std::size_t>(n));
  for (int row = 0; row < n; ++row) {
    int mine = 0;
    for (int e = profile.offsets[std::size_t(row)]; e < profile.offsets[std::size_t(row) + 1]; ++e) {
      int const column = profile.entries[std::size_t(e)];
      if (column < row) mine = std::max(mine, level[std::size_t(column)] + 1);
    }
    level[std::size_t(row)] = mine;
    ++rows[std::size_t(mine)];
  }
  return n == 0 ? 0 : *std::max_element(rows.begin(), rows.end());
}

}  // namespace

template <ExecutionSpace Exec, SparseScalar Scalar>
struct IluPreconditioner<Exec, Scalar>::State {
  int n;
  Graph<Exec> profile;
  std::unique_ptr<detail::IluFactors<Exec, Scalar>> factors;  ///< null without rows
  Kokkos::View<int, typename Exec::memory_space> replaced;
};

template <ExecutionSpace Exec, SparseScalar Scalar>
bool IluPreconditioner<Exec, Scalar>::available() {
  return have_kokkos_kernels;
}

template <ExecutionSpace Exec, SparseScalar Scalar>
IluPreconditioner<Exec, Scalar>::IluPreconditioner(Exec const& space, Graph<Exec> const& profile, int columns,
                                                   IluSetup const& setup) {
  require(available(),
          "IluPreconditioner: ilu_fill needs Kokkos Kernels; this build has none: install it (4.4 or later, or 3.4 "
          "with Kokkos "
          "3.4) for the Kokkos of this build and configure with -DKARMAN_KOKKOS_KERNELS=ON");
  require(setup.fill_level >= 0, "IluSetup: fill_level must be 0 or more, found " + std::to_string(setup.fill_level));
  require(profile.rows() == columns, "IluPreconditioner: the profile must be square");
  HostProfile const host{host_copy(space, profile.offsets), host_copy(space, profile.entries)};
  require_rows(host, columns);
  std::int64_t const widest = widest_level(host, columns);
  require(4 * widest * columns <= setup.table_limit,
          "IluPreconditioner: Kokkos Kernels needs a table of " + std::to_string((4 * widest * columns) >> 20) +
              " MiB, for " + std::to_string(widest) + " of " + std::to_string(columns) +
              " rows at once; number the unknowns along fronts (reverse Cuthill-McKee), or raise "
              "IluSetup::table_limit, which is " +
              std::to_string(setup.table_limit >> 20) + " MiB");
  state_ = {"IluPreconditioner",
            std::make_unique<State>(State{columns, profile, nullptr,
                                          Kokkos::View<int, typename Exec::memory_space>(
                                              Kokkos::view_alloc(space, std::string("karman::ilu::replaced")))})};
#if defined(KARMAN_HAVE_KOKKOS_KERNELS)
  if (columns > 0) state_->factors = detail::make_kokkos_kernels_ilu<Exec, Scalar>(space, profile, setup.fill_level);
#endif
}

template <ExecutionSpace Exec, SparseScalar Scalar>
FactorReport IluPreconditioner<Exec, Scalar>::factor(Exec const& space, CsrMatrix<Exec, Scalar> const& matrix) {
  State const& s = *state_;
  detail::require_square(matrix, "IluPreconditioner");
  require(matrix.rows() == s.n && matrix.values.extent(0) == s.profile.entries.extent(0),
          "IluPreconditioner: the matrix has another profile than the one it was made for");
  if (!s.factors) return {};
  s.factors->factor(space, matrix.values);
  Kokkos::parallel_for("karman::ilu::reset", Kokkos::RangePolicy<Exec>(space, 0, 1),
                       detail::ResetCount<Exec>{s.replaced});
  Kokkos::parallel_for(
      "karman::ilu::count_pivots", Kokkos::RangePolicy<Exec>(space, 0, s.n),
      CountPivots<Exec, Scalar>{s.profile, matrix.values, s.factors->lower(), s.factors->upper(), s.replaced});
  return {};
}

template <ExecutionSpace Exec, SparseScalar Scalar>
int IluPreconditioner<Exec, Scalar>::size() const {
  return state_->n;
}

template <ExecutionSpace Exec, SparseScalar Scalar>
void IluPreconditioner<Exec, Scalar>::apply(Exec const& space, ConstVector<Exec, Scalar> const& residual,
                                            Vector<Exec, Scalar> const& correction) const {
  detail::require_length(residual, size(), "IluPreconditioner", "residual");
  detail::require_length(correction, size(), "IluPreconditioner", "correction");
  if (state_->factors) state_->factors->solve(space, residual.data(), correction.data());
}

template <ExecutionSpace Exec, SparseScalar Scalar>
int IluPreconditioner<Exec, Scalar>::zero_pivots(Exec const& space) const {
  int count = 0;
  Kokkos::deep_copy(space, count, state_->replaced);
  compat::fence(space, "karman::ilu::zero_pivots");
  return count;
}

template <ExecutionSpace Exec, SparseScalar Scalar>
std::array<int, 2> IluPreconditioner<Exec, Scalar>::levels() const {
  return state_->factors ? state_->factors->levels() : std::array<int, 2>{0, 0};
}

template <ExecutionSpace Exec, SparseScalar Scalar>
CsrMatrix<Exec, Scalar> IluPreconditioner<Exec, Scalar>::lower() const {
  return state_->factors ? state_->factors->lower() : CsrMatrix<Exec, Scalar>();
}

template <ExecutionSpace Exec, SparseScalar Scalar>
CsrMatrix<Exec, Scalar> IluPreconditioner<Exec, Scalar>::upper() const {
  return state_->factors ? state_->factors->upper() : CsrMatrix<Exec, Scalar>();
}

template <ExecutionSpace Exec, SparseScalar Scalar>
std::int64_t IluPreconditioner<Exec, Scalar>::workspace_bytes() const {
  return state_->factors ? state_->factors->bytes() : 0;
}

template <ExecutionSpace Exec, SparseScalar Scalar>
std::int64_t IluPreconditioner<Exec, Scalar>::workspace_bytes(std::vector<int> const& offsets,
                                                              std::vector<int> const& columns, IluSetup const& setup) {
  auto const n = static_cast<std::int64_t>(offsets.size()) - 1;
  if (n <= 0) return 0;
  std::int64_t const widest = widest_level({offsets, columns}, static_cast<int>(n));
  std::int64_t const reach = setup.fill_level + 1;
  // Nodes of a mesh of equilateral triangles within that many edges. Both factors have the diagonal.
  std::int64_t const a_row = std::min(2 + 3 * reach * (reach + 1), n + 1);
  constexpr std::int64_t scalar = sizeof(Scalar);
  return n * (a_row * (4 + scalar) + 2 * 4 + scalar + 4 * (3 + 2 * 4)) + 4 * n * widest;
}

#define KARMAN_INSTANTIATE(Exec)                                  \
  template class IluPreconditioner<Exec, float>;                  \
  template class IluPreconditioner<Exec, double>;                 \
  template class IluPreconditioner<Exec, Kokkos::complex<float>>; \
  template class IluPreconditioner<Exec, Kokkos::complex<double>>;
KARMAN_FOR_EACH_BACKEND(KARMAN_INSTANTIATE)
#undef KARMAN_INSTANTIATE

}  // namespace karman
