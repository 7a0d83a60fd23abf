// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// COCG with one pass of sums an iteration.
#pragma once

#include <karman/solvers/detail/krylov_work.hpp>

#include <climits>

namespace karman::detail {

/// Places among the doubles of COCG. Those of this iteration and of the last one take turns.
template <class Scalar>
struct CocgPlace {
  static constexpr int p = parts<Scalar>;
  enum : int { products = 0, alpha = 4 * p, norm = 6 * p, flag = 6 * p + 1, count = 6 * p + 2 };
  /// gamma, then delta.
  KOKKOS_INLINE_FUNCTION static constexpr int products_of(int turn) { return products + 2 * p * turn; }
};

/// p = z + beta p, s = w + beta s, x += alpha p, r -= alpha s; |r|^2 where it is asked for, z where M is diagonal.
template <class Scalar, bool diagonal, bool with_norm>
struct CocgUpdate {
  using real = Scalar;
  using Place = CocgPlace<Scalar>;
  static constexpr int inputs = diagonal ? 7 : 6, outputs = diagonal ? 5 : 4, results = with_norm ? 1 : 0;
  Scalar const* in[inputs];  ///< z, w, p, s, x, r, 1 / diagonal
  Scalar* out[outputs];      ///< p, s, x, r, z
  double* numbers;
  int turn;
  bool first;
  Scalar alpha = Scalar(0), beta = Scalar(0);

  KOKKOS_INLINE_FUNCTION static constexpr Joined kind(int) { return Joined::sum; }
  KOKKOS_INLINE_FUNCTION Wide<Scalar> gamma(int which) const {
    return number_at<Scalar>(numbers + Place::products_of(which), 0);
  }
  KOKKOS_INLINE_FUNCTION Wide<Scalar> wide_beta() const {
    return first ? Wide<Scalar>(0.0) : divided(gamma(turn), gamma(1 - turn));
  }
  /// (p, A p)
  KOKKOS_INLINE_FUNCTION Wide<Scalar> denominator() const {
    Wide<Scalar> const delta = number_at<Scalar>(numbers + Place::products_of(turn), 1);
    if (first) return delta;
    return delta - wide_beta() * divided(gamma(turn), number_at<Scalar>(numbers + Place::alpha, 1 - turn));
  }
  KOKKOS_INLINE_FUNCTION Wide<Scalar> wide_alpha() const { return divided(gamma(turn), denominator()); }
  KOKKOS_INLINE_FUNCTION CocgUpdate prepared() const {
    CocgUpdate ready = *this;
    ready.alpha = narrowed<Scalar>(wide_alpha());
    ready.beta = narrowed<Scalar>(wide_beta());
    return ready;
  }
  KOKKOS_INLINE_FUNCTION void first_thread() const {
    set_number<Scalar>(numbers + Place::alpha, turn, wide_alpha());
    if (first) numbers[Place::flag] = 0;
    if (gamma(turn) == Wide<Scalar>(0.0)) numbers[Place::flag] = 1;
    if (denominator() == Wide<Scalar>(0.0)) numbers[Place::flag] = 2;
  }
  KOKKOS_INLINE_FUNCTION void operator()(Scalar const (&a)[inputs], Scalar (&b)[outputs], double,
                                         double (&found)[1]) const {
    b[0] = first ? a[0] : a[0] + beta * a[2];
    b[1] = first ? a[1] : a[1] + beta * a[3];
    b[2] = a[4] + alpha * b[0];
    b[3] = a[5] - alpha * b[1];
    if constexpr (diagonal) b[4] = a[6] * b[3];
    if constexpr (with_norm) found[0] = squared_magnitude(widened<Scalar>(b[3]));
  }
};

template <class Exec, class Scalar>
class Cocg {
 public:
  using Place = CocgPlace<Scalar>;

  Cocg(Exec const& space, int n)
      : work_(space, n, Place::count),
        r_(work_.vector(space, "karman::krylov::r", n)),
        z_(work_.vector(space, "karman::krylov::z", n)),
        w_(work_.vector(space, "karman::krylov::w", n)),
        p_(work_.vector(space, "karman::krylov::p", n)),
        s_(work_.vector(space, "karman::krylov::s", n)) {}

  KrylovWork<Exec, Scalar> const& work() const { return work_; }
  int norm_place() const { return Place::norm; }
  Scalar* residual() const { return r_.data(); }
  Scalar* product() const { return w_.data(); }

  void start(KrylovSystem<Exec, Scalar> const& system) {
    iteration_ = 0;
    if (system.inverse_diagonal != nullptr) {
      work_.pass(system.space, "karman::krylov::precondition",
                 Scaled<Scalar>{{system.inverse_diagonal, r_.data()}, {z_.data()}});
    } else {
      precondition(system);
    }
  }

  int room() const { return INT_MAX; }

  void advance(KrylovSystem<Exec, Scalar> const& system, int count) {
    for (int k = 1; k <= count; ++k, ++iteration_) {
      int const turn = iteration_ % 2;
      Scalar* const z = preconditioned(system);
      work_.template apply<2>(system.space, system.a, z, w_.data(), {{r_.data(), z}, {z, nullptr}, false},
                              Place::products_of(turn));
      if (system.inverse_diagonal != nullptr) {
        if (k == count) update<true, true>(system, z, turn);
        if (k != count) update<true, false>(system, z, turn);
      } else {
        if (k == count) update<false, true>(system, z, turn);
        if (k != count) update<false, false>(system, z, turn);
        precondition(system);
      }
    }
  }

  KrylovLook look(KrylovSystem<Exec, Scalar> const& system) const {
    auto const& numbers = work_.fetch(system.space);
    int const flag = static_cast<int>(numbers(Place::flag));
    return {std::sqrt(numbers(Place::norm)), flag == 1   ? "the product (r, M r) of COCG vanishes"
                                             : flag == 2 ? "the product (p, A p) of COCG vanishes"
                                                         : ""};
  }

  void conclude(KrylovSystem<Exec, Scalar> const&) {}

 private:
  Scalar* preconditioned(KrylovSystem<Exec, Scalar> const& system) const {
    return system.preconditioner == nullptr ? r_.data() : z_.data();
  }
  void precondition(KrylovSystem<Exec, Scalar> const& system) const {
    if (system.preconditioner == nullptr) return;
    system.preconditioner->apply(system.space, work_.field(static_cast<Scalar const*>(r_.data())),
                                 work_.field(z_.data()));
  }
  template <bool diagonal, bool with_norm>
  void update(KrylovSystem<Exec, Scalar> const& system, Scalar* z, int turn) const {
    CocgUpdate<Scalar, diagonal, with_norm> body{{z, w_.data(), p_.data(), s_.data(), system.x, r_.data()},
                                                 {p_.data(), s_.data(), system.x, r_.data()},
                                                 work_.numbers(),
                                                 turn,
                                                 iteration_ == 0};
    if constexpr (diagonal) {
      body.in[6] = system.inverse_diagonal;
      body.out[4] = z;
    }
    work_.pass(system.space, "karman::krylov::update", body, Place::norm);
  }

  KrylovWork<Exec, Scalar> work_;
  Vector<Exec, Scalar> r_, z_, w_, p_, s_;
  int iteration_ = 0;
};

}  // namespace karman::detail
