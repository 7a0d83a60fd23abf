// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "shifted_values.hpp"
#include "sparse/products/krylov_products.hpp"
#include "sparse/products/row_pass.hpp"
#include "sparse/products/sparse_checks.hpp"
#include <karman/core/error.hpp>
#include <karman/solvers/sparse/sparse_preconditioners.hpp>

#include <string>

namespace karman {

namespace {

template <class Exec, class Body>
void pass(Exec const& space, char const* label, Body const& body, std::size_t n) {
  detail::vector_pass(space, label, body, static_cast<std::int64_t>(n), {nullptr, 1}, {},
                      detail::VectorTable<Exec>::short_vectors);
}

}  // namespace

template <ExecutionSpace Exec, SparseScalar Scalar>
ShiftedPreconditioner<Exec, Scalar>::ShiftedPreconditioner(Exec const& space, Graph<Exec> const& profile, int columns,
                                                           ShiftedSetup const& setup)
    : setup_(setup), colored_(space, profile, columns, setup.colored) {
  require(setup.steps >= 1, "ShiftedSetup: steps must be at least 1");
  auto const vector = [&](char const* label, std::size_t n) {
    return Vector<Exec, Scalar>(Kokkos::view_alloc(space, std::string(label)), n);
  };
  shifted_ = {profile, vector("karman::shifted::values", profile.entries.extent(0)), columns};
  if (setup.steps == 1) return;
  rest_ = vector("karman::shifted::rest", static_cast<std::size_t>(columns));
  step_ = vector("karman::shifted::step", static_cast<std::size_t>(columns));
}

template <ExecutionSpace Exec, SparseScalar Scalar>
FactorReport ShiftedPreconditioner<Exec, Scalar>::factor(Exec const& space, CsrMatrix<Exec, Scalar> const& a,
                                                         ConstVector<Exec, Scalar> const& b, Scalar shift) {
  int const entries = static_cast<int>(shifted_.values.extent(0));
  detail::require_length(a.values, entries, "ShiftedPreconditioner", "the values of A");
  detail::require_length(b, entries, "ShiftedPreconditioner", "the values of B");
  pass(space, "karman::shifted::shift",
       detail::ShiftedValues<Scalar>{{a.values.data(), b.data()}, {shifted_.values.data()}, shift},
       shifted_.values.extent(0));
  return colored_.factor(space, shifted_);
}

template <ExecutionSpace Exec, SparseScalar Scalar>
FactorReport ShiftedPreconditioner<Exec, Scalar>::factor(Exec const& space, CsrMatrix<Exec, Scalar> const& shifted) {
  detail::require_square(shifted, "ShiftedPreconditioner");
  detail::require_length(shifted.values, static_cast<int>(shifted_.values.extent(0)), "ShiftedPreconditioner",
                         "the values of S");
  pass(space, "karman::shifted::shift",
       detail::ShiftedValues<Scalar>{
           {shifted.values.data(), shifted.values.data()}, {shifted_.values.data()}, Scalar(0)},
       shifted_.values.extent(0));
  return colored_.factor(space, shifted_);
}

template <ExecutionSpace Exec, SparseScalar Scalar>
void ShiftedPreconditioner<Exec, Scalar>::apply(Exec const& space, ConstVector<Exec, Scalar> const& residual,
                                                Vector<Exec, Scalar> const& correction) const {
  colored_.apply(space, residual, correction);
  auto const n = rest_.extent(0);
  for (int step = 1; step < setup_.steps; ++step) {
    detail::row_pass(space, "karman::shifted::residual", shifted_, static_cast<Scalar const*>(correction.data()),
                     detail::RowResidual<Scalar>{residual.data(), rest_.data()}, {});
    colored_.apply(space, ConstVector<Exec, Scalar>(rest_), step_);
    pass(space, "karman::shifted::add", detail::Added<Scalar>{{correction.data(), step_.data()}, {correction.data()}},
         n);
  }
}

template <ExecutionSpace Exec, SparseScalar Scalar>
std::int64_t ShiftedPreconditioner<Exec, Scalar>::workspace_bytes() const {
  constexpr std::int64_t scalar = sizeof(Scalar);
  auto const values = static_cast<std::int64_t>(shifted_.values.extent(0) + rest_.extent(0) + step_.extent(0));
  return colored_.workspace_bytes() + values * scalar;
}

template <ExecutionSpace Exec, SparseScalar Scalar>
std::int64_t ShiftedPreconditioner<Exec, Scalar>::workspace_bytes(int rows, std::int64_t entries,
                                                                  ShiftedSetup const& setup) {
  constexpr std::int64_t scalar = sizeof(Scalar);
  std::int64_t const vectors = setup.steps == 1 ? 0 : 2;
  return ColoredPreconditioner<Exec, Scalar>::workspace_bytes(rows, entries) + (entries + vectors * rows) * scalar;
}

#define KARMAN_INSTANTIATE(Exec)                                      \
  template class ShiftedPreconditioner<Exec, float>;                  \
  template class ShiftedPreconditioner<Exec, double>;                 \
  template class ShiftedPreconditioner<Exec, Kokkos::complex<float>>; \
  template class ShiftedPreconditioner<Exec, Kokkos::complex<double>>;
KARMAN_FOR_EACH_BACKEND(KARMAN_INSTANTIATE)
#undef KARMAN_INSTANTIATE

}  // namespace karman
