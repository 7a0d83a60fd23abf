// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What every Krylov method of general_krylov.hpp stands on: its numbers on the device, passes, and the maps.
#pragma once

#include "sparse/products/krylov_products.hpp"
#include <karman/core/compat.hpp>
#include <karman/solvers/general_krylov.hpp>
#include <karman/solvers/sparse_operator.hpp>
#include <karman/solvers/sparse_preconditioners.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

namespace karman::detail {

/// The numbers of a solver in the memory of the device, and the passes that leave sums in them.
template <class Exec, class Scalar>
class KrylovWork {
 public:
  using Memory = typename Exec::memory_space;
  static constexpr int most_results = 8;

  /// `numbers` doubles; sums of at most `slots` doubles a pass.
  KrylovWork(Exec const& space, int n, int numbers, int slots = most_results) : n_(n) {
    int const teams = std::max(RowTable<Exec>::most(n), shares().teams(n));
    numbers_ = doubles(space, "karman::krylov::numbers", numbers);
    partials_ = doubles(space, "karman::krylov::partials", static_cast<std::int64_t>(teams) * slots);
    arrivals_ = Kokkos::View<int, Memory>(Kokkos::view_alloc(space, "karman::krylov::arrivals"));
    on_host_ = Kokkos::View<double*, Kokkos::HostSpace>(Kokkos::view_alloc("karman::krylov::numbers_on_host"),
                                                        static_cast<std::size_t>(numbers));
  }

  int n() const { return n_; }
  std::int64_t bytes() const { return bytes_; }
  double* numbers() const { return numbers_.data(); }
  Kokkos::View<double*, Memory> const& all() const { return numbers_; }
  double* partials() const { return partials_.data(); }
  int* arrivals() const { return arrivals_.data(); }
  static constexpr VectorShares shares() { return VectorTable<Exec>::short_vectors; }

  Vector<Exec, Scalar> vector(Exec const& space, char const* label, std::int64_t length) {
    bytes_ += length * static_cast<std::int64_t>(sizeof(Scalar));
    return Vector<Exec, Scalar>(Kokkos::view_alloc(space, std::string(label)), static_cast<std::size_t>(length));
  }

  /// Copies all numbers to the host.
  Kokkos::View<double*, Kokkos::HostSpace> const& fetch(Exec const& space) const {
    Kokkos::deep_copy(space, on_host_, numbers_);
    compat::fence(space, "karman::krylov::fetch");
    return on_host_;
  }

  /// Runs a body over the n elements; its sums go to the numbers from `place` on.
  template <class Body>
  void pass(Exec const& space, char const* label, Body const& body, int place = 0) const {
    auto out = results<Body::results>(place);
    for (int n = 0; n < Body::results; ++n) out.kind[n] = Body::kind(n);
    vector_pass(space, label, body, n_, {nullptr, 1}, out, shares());
  }

  /// result = A x, and sums in the numbers from `place` on.
  template <class Sums>
  void apply(Exec const& space, LinearOperator<Exec, Scalar>& a, Scalar const* x, Scalar* result, Sums const& sums,
             int place) const {
    if (auto const* sparse = dynamic_cast<SparseOperator<Exec, Scalar> const*>(&a); sparse != nullptr) {
      ProductWithSums<Scalar, Sums> const body{sums, result};
      row_pass(space, "karman::krylov::apply", sparse->matrix(), x, body, results<body.results>(place));
      return;
    }
    a.apply(space, field(x), field(result));
    pass(space, "karman::krylov::products", SumsAlone<Scalar, Sums>(sums, result), place);
  }

  Field<Exec, Scalar> field(Scalar* v) const { return Field<Exec, Scalar>(v, 1, 1, static_cast<std::size_t>(n_)); }
  ConstField<Exec, Scalar> field(Scalar const* v) const {
    return ConstField<Exec, Scalar>(v, 1, 1, static_cast<std::size_t>(n_));
  }

 private:
  template <int count>
  TeamResults<(count > 0 ? count : 1)> results(int place) const {
    TeamResults<(count > 0 ? count : 1)> out{{}, {}, partials_.data(), arrivals_.data()};
    for (int n = 0; n < count; ++n) {
      out.kind[n] = Joined::sum;
      out.result[n] = numbers_.data() + place + n;
    }
    return out;
  }
  Kokkos::View<double*, Memory> doubles(Exec const& space, char const* label, std::int64_t count) {
    bytes_ += count * static_cast<std::int64_t>(sizeof(double));
    return Kokkos::View<double*, Memory>(Kokkos::view_alloc(space, std::string(label)),
                                         static_cast<std::size_t>(count));
  }

  int n_;
  std::int64_t bytes_ = 0;
  Kokkos::View<double*, Memory> numbers_, partials_;
  Kokkos::View<int, Memory> arrivals_;
  Kokkos::View<double*, Kokkos::HostSpace> on_host_;
};

/// One system that is being solved.
template <class Exec, class Scalar>
struct KrylovSystem {
  Exec const& space;
  LinearOperator<Exec, Scalar>& a;
  LinearOperator<Exec, Scalar>* preconditioner;  ///< null without one
  Scalar const* inverse_diagonal;                ///< of a preconditioner of Jacobi, which vector passes apply; or null
  Scalar* x;
  Scalar const* rhs;
};

/// What a look at the numbers tells.
struct KrylovLook {
  double residual;          ///< |r| of the recursion
  std::string_view reason;  ///< why it cannot go on, or empty
};

}  // namespace karman::detail
