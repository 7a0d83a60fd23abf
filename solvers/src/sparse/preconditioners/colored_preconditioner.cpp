// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "colored_rows.hpp"
#include "sparse/products/sparse_checks.hpp"
#include <karman/core/compat.hpp>
#include <karman/core/error.hpp>
#include <karman/core/host_copy.hpp>
#include <karman/solvers/sparse/sparse_preconditioners.hpp>

#include <string>
#include <vector>

namespace karman {

template <ExecutionSpace Exec, SparseScalar Scalar>
struct ColoredPreconditioner<Exec, Scalar>::State {
  using Memory = typename Exec::memory_space;

  int n;
  ColoredSetup setup;
  int colors = 0;
  std::size_t entries;  ///< of the matrix
  Kokkos::View<int const*, Memory> color;
  std::vector<int> begins;  ///< first place of each colour, and the end
  detail::ColoredRows<Exec> rows;
  Vector<Exec, Scalar> values, inverse;
  Kokkos::View<int, Memory> replaced;

  State(Exec const& space, Graph<Exec> const& profile, ColoredSetup const& setup_)
      : n(profile.rows()), setup(setup_), entries(profile.entries.extent(0)) {
    auto const coloring = detail::color_rows(space, profile, setup.passes, "ColoredPreconditioner");
    colors = coloring.colors;
    color = coloring.color;
    begins = host_copy(space, coloring.classes.offsets);
    if (n == 0) begins.assign(1, 0);
    rows = detail::split_rows(space, profile, coloring, "ColoredPreconditioner");
    values =
        Vector<Exec, Scalar>(Kokkos::view_alloc(space, std::string("karman::colored::values")), rows.columns.extent(0));
    inverse = Vector<Exec, Scalar>(Kokkos::view_alloc(space, std::string("karman::colored::inverse")),
                                   static_cast<std::size_t>(n));
    replaced = Kokkos::View<int, Memory>(Kokkos::view_alloc(space, std::string("karman::colored::replaced")));
    compat::fence(space, "karman::colored::plan");
  }

  Kokkos::RangePolicy<Exec> of_color(Exec const& space, int c) const {
    return Kokkos::RangePolicy<Exec>(space, begins[static_cast<std::size_t>(c)],
                                     begins[static_cast<std::size_t>(c) + 1]);
  }
};

template <ExecutionSpace Exec, SparseScalar Scalar>
ColoredPreconditioner<Exec, Scalar>::ColoredPreconditioner(Exec const& space, Graph<Exec> const& profile, int columns,
                                                           ColoredSetup const& setup) {
  require(profile.rows() == columns, "ColoredPreconditioner: the profile must be square");
  require(setup.omega > 0 && setup.omega < 2, "ColoredSetup: omega must lie between 0 and 2");
  require(setup.passes >= 0, "ColoredSetup: passes must not be negative");
  state_ = {"ColoredPreconditioner", std::make_unique<State>(space, profile, setup)};
}

template <ExecutionSpace Exec, SparseScalar Scalar>
FactorReport ColoredPreconditioner<Exec, Scalar>::factor(Exec const& space, CsrMatrix<Exec, Scalar> const& matrix) {
  State const& s = *state_;
  detail::require_square(matrix, "ColoredPreconditioner");
  require(matrix.rows() == s.n && matrix.values.extent(0) == s.entries,
          "ColoredPreconditioner: the matrix has another profile than the one it was made for");
  bool const factors = s.setup.method == ColoredMethod::ilu;
  Kokkos::parallel_for("karman::colored::reset", Kokkos::RangePolicy<Exec>(space, 0, 1),
                       detail::ResetCount<Exec>{s.replaced});
  Kokkos::parallel_for(
      "karman::colored::take_values", Kokkos::RangePolicy<Exec>(space, 0, s.n),
      detail::TakeValues<Exec, Scalar>{s.rows, matrix.values, s.values, s.inverse, s.replaced, factors});
  for (int c = 0; factors && c < s.colors; ++c) {
    Kokkos::parallel_for("karman::colored::factor", s.of_color(space, c),
                         detail::FactorRows<Exec, Scalar>{s.rows, s.values, s.inverse, s.replaced});
  }
  return {};
}

template <ExecutionSpace Exec, SparseScalar Scalar>
int ColoredPreconditioner<Exec, Scalar>::size() const {
  return state_->n;
}

template <ExecutionSpace Exec, SparseScalar Scalar>
void ColoredPreconditioner<Exec, Scalar>::apply(Exec const& space, ConstVector<Exec, Scalar> const& residual,
                                                Vector<Exec, Scalar> const& correction) const {
  State const& s = *state_;
  detail::require_length(residual, size(), "ColoredPreconditioner", "residual");
  detail::require_length(correction, size(), "ColoredPreconditioner", "correction");
  double const omega = s.setup.method == ColoredMethod::ssor ? s.setup.omega : 1;
  using Part = detail::RealPart<Scalar>;
  Scalar const relaxed(static_cast<Part>(omega)), rest(static_cast<Part>(2 - omega)), one(1);
  for (int c = 0; c < s.colors; ++c) {
    Kokkos::parallel_for("karman::colored::sweep_up", s.of_color(space, c),
                         detail::SweepUp<Exec, Scalar>{s.rows, s.values, s.inverse, residual.data(), correction.data(),
                                                       relaxed, c + 1 == s.colors ? rest : one});
  }
  for (int c = s.colors - 2; c >= 0; --c) {
    Kokkos::parallel_for(
        "karman::colored::sweep_down", s.of_color(space, c),
        detail::SweepDown<Exec, Scalar>{s.rows, s.values, s.inverse, correction.data(), relaxed, rest});
  }
}

template <ExecutionSpace Exec, SparseScalar Scalar>
int ColoredPreconditioner<Exec, Scalar>::zero_pivots(Exec const& space) const {
  int count = 0;
  Kokkos::deep_copy(space, count, state_->replaced);
  compat::fence(space, "karman::colored::zero_pivots");
  return count;
}

template <ExecutionSpace Exec, SparseScalar Scalar>
int ColoredPreconditioner<Exec, Scalar>::colors() const {
  return state_->colors;
}

template <ExecutionSpace Exec, SparseScalar Scalar>
Kokkos::View<int const*, typename Exec::memory_space> ColoredPreconditioner<Exec, Scalar>::row_colors() const {
  return state_->color;
}

template <ExecutionSpace Exec, SparseScalar Scalar>
std::int64_t ColoredPreconditioner<Exec, Scalar>::workspace_bytes() const {
  State const& s = *state_;
  // Entries off the diagonal, and the diagonal of each row.
  return workspace_bytes(s.n, static_cast<std::int64_t>(s.values.extent(0)) + s.n);
}

template <ExecutionSpace Exec, SparseScalar Scalar>
std::int64_t ColoredPreconditioner<Exec, Scalar>::workspace_bytes(int rows, std::int64_t entries) {
  constexpr std::int64_t number = sizeof(int), scalar = sizeof(Scalar);
  // Per entry off the diagonal: column, source, value. Per row: colour, row, offset, middle, diagonal, place, pivot.
  // Also one more offset, and the count of replaced pivots.
  return (entries - rows) * (2 * number + scalar) + rows * (6 * number + scalar) + 2 * number;
}

#define KARMAN_INSTANTIATE(Exec)                                      \
  template class ColoredPreconditioner<Exec, float>;                  \
  template class ColoredPreconditioner<Exec, double>;                 \
  template class ColoredPreconditioner<Exec, Kokkos::complex<float>>; \
  template class ColoredPreconditioner<Exec, Kokkos::complex<double>>;
KARMAN_FOR_EACH_BACKEND(KARMAN_INSTANTIATE)
#undef KARMAN_INSTANTIATE

}  // namespace karman
