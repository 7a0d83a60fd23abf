// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// COCG with one pass of sums per iteration.
#pragma once

#include "krylov_work.hpp"

#include <climits>

namespace karman::detail {

/// Places among the doubles of COCG. Places of this iteration and of the last one alternate.
template <class Scalar>
struct CocgPlace {
  static constexpr int p = parts<Scalar>;
  enum : int { products = 0, alpha = 4 * p, norm = 6 * p, flag = 6 * p + 1, first = 6 * p + 2, count = 6 * p + 3 };
  /// gamma, then delta.
  KOKKOS_INLINE_FUNCTION static constexpr int products_of(int turn) { return products + 2 * p * turn; }
};

/// z = d r, and 1 / d in the memory of r.
template <class Scalar>
struct CocgStart {
  using real = Scalar;
  static constexpr int inputs = 2, outputs = 2, results = 0;
  Scalar const* in[2];  ///< d, r
  Scalar* out[2];       ///< z, 1 / d
  KOKKOS_INLINE_FUNCTION static constexpr TeamReduction kind(int) { return TeamReduction::sum; }
  KOKKOS_INLINE_FUNCTION CocgStart prepared() const { return *this; }
  KOKKOS_INLINE_FUNCTION void first_thread() const {}
  KOKKOS_INLINE_FUNCTION void operator()(Scalar const (&a)[2], Scalar (&b)[2], double, double (&)[1]) const {
    b[0] = a[0] * a[1];
    b[1] = narrowed<Scalar>(divided(Wide<Scalar>(1.0), widened<Scalar>(a[0])));
  }
};

/// gamma = (r, z), delta = (w, z).
template <class Scalar, bool diagonal>
struct CocgSums {
  static constexpr int inputs = 2, count = 2;
  Scalar const* in[2];  ///< z, r or 1 / d
  KOKKOS_INLINE_FUNCTION void operator()(Scalar const (&a)[2], Scalar const& w, Wide<Scalar> (&terms)[2]) const {
    Wide<Scalar> const z = widened<Scalar>(a[0]), other = widened<Scalar>(a[1]);
    terms[0] = diagonal ? other * (z * z) : other * z;
    terms[1] = widened<Scalar>(w) * z;
  }
};

/// p = z + beta p, s = w + beta s, r -= alpha s, and on request x += alpha p and |r|^2. Once the products have
/// vanished, alpha and beta are zero. Where M is diagonal, z = d r replaces r: z -= alpha d s. An x that is one step
/// behind takes that step too, with the p of that step.
template <class Scalar, bool diagonal, bool with_x, bool with_norm>
struct CocgUpdate {
  using real = Scalar;
  using Place = CocgPlace<Scalar>;
  static constexpr int x_place = 5, diagonal_place = with_x ? 6 : 5;
  static constexpr int inputs = diagonal_place + (diagonal && with_norm ? 1 : 0), outputs = with_x ? 4 : 3,
                       results = with_norm ? 1 : 0;
  Scalar const* in[inputs];  ///< z, w, p, s, r or d; x, 1 / d
  Scalar* out[outputs];      ///< p, s, r or z; x
  double* numbers;
  int turn;
  bool first, behind;
  Scalar alpha = Scalar(0), beta = Scalar(0), last_alpha = Scalar(0);

  KOKKOS_INLINE_FUNCTION static constexpr TeamReduction kind(int) { return TeamReduction::sum; }
  KOKKOS_INLINE_FUNCTION Wide<Scalar> gamma(int which) const {
    return number_at<Scalar>(numbers + Place::products_of(which), 0);
  }
  KOKKOS_INLINE_FUNCTION Wide<Scalar> wide_beta() const {
    return first ? Wide<Scalar>(0.0) : divided_products<Scalar>(gamma(turn), gamma(1 - turn));
  }
  KOKKOS_INLINE_FUNCTION Wide<Scalar> wide_last_alpha() const {
    return number_at<Scalar>(numbers + Place::alpha, 1 - turn);
  }
  /// (p, A p)
  KOKKOS_INLINE_FUNCTION Wide<Scalar> denominator() const {
    Wide<Scalar> const delta = number_at<Scalar>(numbers + Place::products_of(turn), 1);
    return first ? delta : delta - wide_beta() * divided(gamma(turn), wide_last_alpha());
  }
  KOKKOS_INLINE_FUNCTION Wide<Scalar> wide_alpha() const {
    return divided_products<Scalar>(gamma(turn), denominator());
  }
  KOKKOS_INLINE_FUNCTION CocgUpdate prepared() const {
    CocgUpdate ready = *this;
    ready.alpha = narrowed<Scalar>(wide_alpha());
    ready.beta = narrowed<Scalar>(wide_beta());
    if (behind) ready.last_alpha = narrowed<Scalar>(wide_last_alpha());
    return ready;
  }
  KOKKOS_INLINE_FUNCTION void first_thread() const {
    set_number<Scalar>(numbers + Place::alpha, turn, wide_alpha());
    if (first) numbers[Place::flag] = 0;
    if (first) numbers[Place::first] = size_of_number(gamma(turn));
    double const size = size_of_number(gamma(turn));
    if (size <= least_product<Scalar> || has_vanished(size, numbers[Place::first])) {
      numbers[Place::flag] = 1;
    } else if (denominator() == Wide<Scalar>(0.0)) {
      numbers[Place::flag] = 2;
    }
  }
  KOKKOS_INLINE_FUNCTION void operator()(Scalar const (&a)[inputs], Scalar (&b)[outputs], double,
                                         double (&found)[1]) const {
    b[0] = first ? a[0] : a[0] + beta * a[2];
    b[1] = first ? a[1] : a[1] + beta * a[3];
    if constexpr (diagonal) {
      b[2] = a[0] - alpha * (a[4] * b[1]);
    } else {
      b[2] = a[4] - alpha * b[1];
    }
    if constexpr (with_x) b[3] = (behind ? a[x_place] + last_alpha * a[2] : a[x_place]) + alpha * b[0];
    if constexpr (with_norm) {
      Wide<Scalar> residual = widened<Scalar>(b[2]);
      if constexpr (diagonal) residual = widened<Scalar>(a[diagonal_place]) * residual;
      found[0] = squared_magnitude(residual);
    }
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

  static std::int64_t bytes(int n) { return KrylovWork<Exec, Scalar>::bytes(n, 5, Place::count); }
  KrylovWork<Exec, Scalar> const& work() const { return work_; }
  int norm_place() const { return Place::norm; }
  Scalar* residual() const { return r_.data(); }
  Scalar* product() const { return w_.data(); }

  void start(KrylovSystem<Exec, Scalar> const& system) {
    iteration_ = 0;
    if (system.inverse_diagonal != nullptr) {
      work_.pass(system.space, "karman::krylov::precondition",
                 CocgStart<Scalar>{{system.inverse_diagonal, r_.data()}, {z_.data(), r_.data()}});
    } else {
      precondition(system);
    }
  }

  int room() const { return INT_MAX; }

  void advance(KrylovSystem<Exec, Scalar> const& system, int count) {
    if (system.inverse_diagonal != nullptr) {
      iterate<true>(system, count);
    } else {
      iterate<false>(system, count);
    }
  }

  KrylovCheck check(KrylovSystem<Exec, Scalar> const& system) const {
    auto const& numbers = work_.fetch(system.space, 0, Place::count);
    int const flag = static_cast<int>(numbers(Place::flag));
    return {std::sqrt(numbers(Place::norm)), flag == 1   ? "the product (r, M r) of COCG vanishes"
                                             : flag == 2 ? "the product (p, A p) of COCG vanishes"
                                                         : ""};
  }

  void conclude(KrylovSystem<Exec, Scalar> const&) {}

 private:
  Scalar* preconditioned(KrylovSystem<Exec, Scalar> const& system) const {
    return system.preconditioned() ? z_.data() : r_.data();
  }
  void precondition(KrylovSystem<Exec, Scalar> const& system) const {
    if (system.preconditioned()) system.precondition(r_.data(), z_.data());
  }
  /// Updates x every other time, and at the end.
  template <bool diagonal>
  void iterate(KrylovSystem<Exec, Scalar> const& system, int count) {
    bool behind = false;
    for (int k = 1; k <= count; ++k, ++iteration_) {
      int const place = Place::products_of(iteration_ % 2);
      Scalar* const z = preconditioned(system);
      work_.apply(system.space, system.a, z, w_.data(), CocgSums<Scalar, diagonal>{{z, r_.data()}}, place);
      if (k == count) {
        update<diagonal, true, true>(system, z, behind);
      } else if (behind) {
        update<diagonal, true, false>(system, z, behind);
      } else {
        update<diagonal, false, false>(system, z, behind);
      }
      behind = !behind;
      if constexpr (!diagonal) precondition(system);
    }
  }
  template <bool diagonal, bool with_x, bool with_norm>
  void update(KrylovSystem<Exec, Scalar> const& system, Scalar* z, bool behind) const {
    using Body = CocgUpdate<Scalar, diagonal, with_x, with_norm>;
    Scalar* const carried = diagonal ? z : r_.data();
    Body body{{z, w_.data(), p_.data(), s_.data(), diagonal ? system.inverse_diagonal : carried},
              {p_.data(), s_.data(), carried},
              work_.numbers(),
              iteration_ % 2,
              iteration_ == 0,
              behind};
    if constexpr (with_x) body.in[Body::x_place] = body.out[3] = system.x;
    if constexpr (diagonal && with_norm) body.in[Body::diagonal_place] = r_.data();
    work_.pass(system.space, "karman::krylov::update", body, Place::norm);
  }

  KrylovWork<Exec, Scalar> work_;
  Vector<Exec, Scalar> r_;  // 1 / d while it iterates with a diagonal M, since z then determines r
  Vector<Exec, Scalar> z_, w_, p_, s_;
  int iteration_ = 0;
};

}  // namespace karman::detail
