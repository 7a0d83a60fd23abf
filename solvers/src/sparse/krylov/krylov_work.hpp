// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Common parts of the methods of sparse/krylov.hpp: numbers on the device, vector passes, and the linear maps.
#pragma once

#include "sparse/products/krylov_products.hpp"
#include <karman/core/compat.hpp>
#include <karman/solvers/sparse/krylov.hpp>
#include <karman/solvers/sparse/sparse_operator.hpp>
#include <karman/solvers/sparse/sparse_preconditioners.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

namespace karman::detail {

/// Numbers of a solver in device memory, and the passes that store sums in them.
template <class Exec, class Scalar>
class KrylovWork {
 public:
  using Memory = typename Exec::memory_space;
  static constexpr int most_results = 8;

  /// `numbers` doubles; at most `slots` doubles summed per pass.
  KrylovWork(Exec const& space, int n, int numbers, int slots = most_results) : n_(n) {
    numbers_ = doubles(space, "karman::krylov::numbers", numbers);
    partials_ = doubles(space, "karman::krylov::partials", partials(n, slots));
    arrivals_ = Kokkos::View<int, Memory>(Kokkos::view_alloc(space, "karman::krylov::arrivals"));
    on_host_ = Kokkos::View<double*, Kokkos::HostSpace>(Kokkos::view_alloc("karman::krylov::numbers_on_host"),
                                                        static_cast<std::size_t>(numbers));
  }

  int n() const { return n_; }
  /// Bytes in the memory of `Exec`: an object for n unknowns, and `vectors` vectors of n.
  static std::int64_t bytes(int n, std::int64_t vectors, int numbers, int slots = most_results) {
    constexpr std::int64_t number = sizeof(double), count = sizeof(int), scalar = sizeof(Scalar);
    return vectors * n * scalar + (numbers + partials(n, slots)) * number + count + on_host_bytes(numbers);
  }
  /// Bytes of the host copy of `numbers` doubles where that lies in the memory of `Exec`.
  static std::int64_t on_host_bytes(int numbers) {
    return runs_on_host<Exec> ? numbers * static_cast<std::int64_t>(sizeof(double)) : 0;
  }
  double* numbers() const { return numbers_.data(); }
  Kokkos::View<double*, Memory> const& all() const { return numbers_; }
  double* partials() const { return partials_.data(); }
  int* arrivals() const { return arrivals_.data(); }
  static constexpr VectorShares shares() { return VectorTable<Exec>::short_vectors; }

  Vector<Exec, Scalar> vector(Exec const& space, char const* label, std::int64_t length) const {
    return Vector<Exec, Scalar>(Kokkos::view_alloc(space, std::string(label)), static_cast<std::size_t>(length));
  }

  /// Copies `count` numbers to their places on the host.
  Kokkos::View<double*, Kokkos::HostSpace> const& fetch(Exec const& space, int begin, int count) const {
    auto const range = Kokkos::make_pair(std::size_t(begin), std::size_t(begin + count));
    Kokkos::deep_copy(space, Kokkos::subview(on_host_, range), Kokkos::subview(numbers_, range));
    compat::fence(space, "karman::krylov::fetch");
    return on_host_;
  }

  /// Runs a body over the n elements; its sums go to the numbers from `place` onwards.
  template <class Body>
  void pass(Exec const& space, char const* label, Body const& body, int place = 0) const {
    auto out = results<Body::results>(place);
    for (int n = 0; n < Body::results; ++n) out.kind[n] = Body::kind(n);
    vector_pass(space, label, body, n_, {nullptr, 1}, out, shares());
  }

  /// result = A x, and sums in the numbers from `place` onwards.
  template <class Sums>
  void apply(Exec const& space, LinearOperator<Exec, Scalar> const& a, Scalar const* x, Scalar* result,
             Sums const& sums, int place) const {
    if (auto const* sparse = dynamic_cast<SparseOperator<Exec, Scalar> const*>(&a); sparse != nullptr) {
      ProductWithSums<Scalar, Sums> const body{sums, result};
      row_pass(space, "karman::krylov::apply", sparse->matrix(), x, body, results<body.results>(place));
      return;
    }
    apply(space, a, x, result);
    pass(space, "karman::krylov::products", SumsAlone<Scalar, Sums>(sums, result), place);
  }

  /// result = A x.
  static void apply(Exec const& space, LinearOperator<Exec, Scalar> const& a, Scalar const* x, Scalar* result) {
    auto const [nz, ny, nx] = a.extents();
    a.apply(space, ConstField<Exec, Scalar>(x, nz, ny, nx), Field<Exec, Scalar>(result, nz, ny, nx));
  }

 private:
  template <int count>
  TeamResults<(count > 0 ? count : 1)> results(int place) const {
    TeamResults<(count > 0 ? count : 1)> out{{}, {}, partials_.data(), arrivals_.data()};
    for (int n = 0; n < count; ++n) {
      out.kind[n] = TeamReduction::sum;
      out.result[n] = numbers_.data() + place + n;
    }
    return out;
  }
  static std::int64_t partials(int n, int slots) {
    return static_cast<std::int64_t>(std::max(RowTable<Exec>::most(n), shares().teams(n))) * slots +
           VectorTable<Exec>::threads;
  }
  static Kokkos::View<double*, Memory> doubles(Exec const& space, char const* label, std::int64_t count) {
    return Kokkos::View<double*, Memory>(Kokkos::view_alloc(space, std::string(label)),
                                         static_cast<std::size_t>(count));
  }

  int n_;
  Kokkos::View<double*, Memory> numbers_, partials_;
  Kokkos::View<int, Memory> arrivals_;
  Kokkos::View<double*, Kokkos::HostSpace> on_host_;
};

/// The system of a running solve.
template <class Exec, class Scalar>
struct KrylovSystem {
  Exec const& space;
  int length;  ///< of x
  LinearOperator<Exec, Scalar> const& a;
  LinearOperator<Exec, Scalar> const* map;             ///< preconditioner on a grid, or null
  Preconditioner<Exec, Scalar> const* preconditioner;  ///< of a sparse matrix, or null
  Scalar const* inverse_diagonal;                      ///< of a diagonal M, which vector passes apply; or null
  Scalar* x;
  Scalar const* rhs;

  bool preconditioned() const { return map != nullptr || preconditioner != nullptr; }
  /// z = M r.
  void precondition(Scalar const* r, Scalar* z) const {
    auto const n = static_cast<std::size_t>(length);
    if (preconditioner != nullptr) {
      preconditioner->apply(space, ConstVector<Exec, Scalar>(r, n), Vector<Exec, Scalar>(z, n));
    } else if (map != nullptr) {
      KrylovWork<Exec, Scalar>::apply(space, *map, r, z);
    }
  }
};

/// Result of a check of the numbers.
struct KrylovCheck {
  double residual;          ///< |r| of the recursion
  std::string_view reason;  ///< the reason why it cannot continue, or empty
};

}  // namespace karman::detail
