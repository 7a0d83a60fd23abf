// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// BiCGStab with two vector passes per iteration.
#pragma once

#include "krylov_work.hpp"

#include <climits>

namespace karman::detail {

/// Places among the doubles of BiCGStab. r0 is the shadow residual.
template <class Scalar>
struct BicgstabPlace {
  static constexpr int p = parts<Scalar>;
  enum : int { rho = 0, sigma = 2 * p, products = 3 * p, norm = 7 * p, flag = 7 * p + 1, first = 7 * p + 2 };
  enum : int { count = 7 * p + 3 };
  enum : int { ts, tt, r0s, r0t };  ///< among the products
};

/// r0 = p = r, y = M p where M is diagonal, rho = (r0, r).
template <class Scalar, bool diagonal>
struct BicgstabStart {
  using real = Scalar;
  static constexpr int inputs = diagonal ? 2 : 1, outputs = diagonal ? 3 : 2, results = parts<Scalar>;
  Scalar const* in[inputs];  ///< r, 1 / diagonal
  Scalar* out[outputs];      ///< r0, p, y
  KOKKOS_INLINE_FUNCTION static constexpr TeamReduction kind(int) { return TeamReduction::sum; }
  KOKKOS_INLINE_FUNCTION BicgstabStart prepared() const { return *this; }
  KOKKOS_INLINE_FUNCTION void first_thread() const {}
  KOKKOS_INLINE_FUNCTION void operator()(Scalar const (&a)[inputs], Scalar (&b)[outputs], double,
                                         double (&found)[results]) const {
    b[0] = b[1] = a[0];
    if constexpr (diagonal) b[2] = a[1] * a[0];
    set_number<Scalar>(found, 0, Wide<Scalar>(squared_magnitude(widened<Scalar>(a[0]))));
  }
};

/// s = r - alpha v, in the memory of r; z = M s where M is diagonal.
template <class Scalar, bool diagonal>
struct BicgstabHalf {
  using real = Scalar;
  using Place = BicgstabPlace<Scalar>;
  static constexpr int inputs = diagonal ? 3 : 2, outputs = diagonal ? 2 : 1, results = 0;
  Scalar const* in[inputs];  ///< r, v, 1 / diagonal
  Scalar* out[outputs];      ///< s, z
  double const* numbers;
  int turn;
  Scalar alpha = Scalar(0);
  KOKKOS_INLINE_FUNCTION static constexpr TeamReduction kind(int) { return TeamReduction::sum; }
  KOKKOS_INLINE_FUNCTION BicgstabHalf prepared() const {
    BicgstabHalf ready = *this;
    ready.alpha = narrowed<Scalar>(
        divided(number_at<Scalar>(numbers + Place::rho, turn), number_at<Scalar>(numbers + Place::sigma, 0)));
    return ready;
  }
  KOKKOS_INLINE_FUNCTION void first_thread() const {}
  KOKKOS_INLINE_FUNCTION void operator()(Scalar const (&a)[inputs], Scalar (&b)[outputs], double, double (&)[1]) const {
    b[0] = a[0] - alpha * a[1];
    if constexpr (diagonal) b[1] = a[2] * b[0];
  }
};

/// x += alpha y + omega z, r = s - omega t, p = r + beta (p - omega v), y = M p where M is diagonal. The next rho is
/// (r0, s) - omega (r0, t). Where it has vanished it is set to zero, and with it the next alpha and beta.
template <class Scalar, bool diagonal, bool with_norm>
struct BicgstabUpdate {
  using real = Scalar;
  using Place = BicgstabPlace<Scalar>;
  static constexpr int inputs = diagonal ? 8 : 7, outputs = diagonal ? 4 : 3, results = with_norm ? 1 : 0;
  Scalar const* in[inputs];  ///< x, y, z, s, t, p, v, 1 / diagonal
  Scalar* out[outputs];      ///< x, r, p, y
  double* numbers;
  int turn;
  bool first;
  Scalar alpha = Scalar(0), omega = Scalar(0), beta = Scalar(0);

  KOKKOS_INLINE_FUNCTION static constexpr TeamReduction kind(int) { return TeamReduction::sum; }
  KOKKOS_INLINE_FUNCTION Wide<Scalar> rho(int which) const { return number_at<Scalar>(numbers + Place::rho, which); }
  KOKKOS_INLINE_FUNCTION Wide<Scalar> product(int which) const {
    return number_at<Scalar>(numbers + Place::products, which);
  }
  KOKKOS_INLINE_FUNCTION Wide<Scalar> sigma() const { return number_at<Scalar>(numbers + Place::sigma, 0); }
  KOKKOS_INLINE_FUNCTION Wide<Scalar> wide_omega() const { return divided(product(Place::ts), product(Place::tt)); }
  KOKKOS_INLINE_FUNCTION Wide<Scalar> next_rho() const {
    return product(Place::r0s) - wide_omega() * product(Place::r0t);
  }
  KOKKOS_INLINE_FUNCTION BicgstabUpdate prepared() const {
    BicgstabUpdate ready = *this;
    Wide<Scalar> const wide_alpha = divided(rho(turn), sigma());
    ready.alpha = narrowed<Scalar>(wide_alpha);
    ready.omega = narrowed<Scalar>(wide_omega());
    ready.beta = narrowed<Scalar>(divided(next_rho(), rho(turn)) * divided(wide_alpha, wide_omega()));
    return ready;
  }
  KOKKOS_INLINE_FUNCTION void first_thread() const {
    if (first) numbers[Place::flag] = 0;
    if (first) numbers[Place::first] = size_of_number(rho(turn));
    bool const vanished = has_vanished(size_of_number(next_rho()), numbers[Place::first]);
    set_number<Scalar>(numbers + Place::rho, 1 - turn, vanished ? Wide<Scalar>(0.0) : next_rho());
    if (vanished) numbers[Place::flag] = 1;
    if (wide_omega() == Wide<Scalar>(0.0)) numbers[Place::flag] = 3;
    if (sigma() == Wide<Scalar>(0.0)) numbers[Place::flag] = 2;
  }
  KOKKOS_INLINE_FUNCTION void operator()(Scalar const (&a)[inputs], Scalar (&b)[outputs], double,
                                         double (&found)[1]) const {
    b[0] = a[0] + alpha * a[1] + omega * a[2];
    b[1] = a[3] - omega * a[4];
    b[2] = b[1] + beta * (a[5] - omega * a[6]);
    if constexpr (diagonal) b[3] = a[7] * b[2];
    if constexpr (with_norm) found[0] = squared_magnitude(widened<Scalar>(b[1]));
  }
};

/// (r0, v)
template <class Scalar>
struct BicgstabSigma {
  static constexpr int inputs = 1, count = 1;
  Scalar const* in[1];  ///< r0
  KOKKOS_INLINE_FUNCTION void operator()(Scalar const (&a)[1], Scalar const& v, Wide<Scalar> (&terms)[1]) const {
    terms[0] = conjugated(widened<Scalar>(a[0])) * widened<Scalar>(v);
  }
};

/// (t, r), (t, t), (r0, r), (r0, t)
template <class Scalar>
struct BicgstabSums {
  static constexpr int inputs = 2, count = 4;
  Scalar const* in[2];  ///< r0, r
  KOKKOS_INLINE_FUNCTION void operator()(Scalar const (&a)[2], Scalar const& value, Wide<Scalar> (&terms)[4]) const {
    Wide<Scalar> const t = widened<Scalar>(value), r = widened<Scalar>(a[1]);
    Wide<Scalar> const left = conjugated(t), shadow = conjugated(widened<Scalar>(a[0]));
    terms[0] = left * r;
    terms[1] = left * t;
    terms[2] = shadow * r;
    terms[3] = shadow * t;
  }
};

template <class Exec, class Scalar>
class Bicgstab {
 public:
  using Place = BicgstabPlace<Scalar>;

  Bicgstab(Exec const& space, int n)
      : work_(space, n, Place::count),
        r_(work_.vector(space, "karman::krylov::r", n)),
        shadow_(work_.vector(space, "karman::krylov::shadow", n)),
        p_(work_.vector(space, "karman::krylov::p", n)),
        v_(work_.vector(space, "karman::krylov::v", n)),
        t_(work_.vector(space, "karman::krylov::t", n)),
        y_(work_.vector(space, "karman::krylov::y", n)),
        z_(work_.vector(space, "karman::krylov::z", n)) {}

  static std::int64_t bytes(int n) { return KrylovWork<Exec, Scalar>::bytes(n, 7, Place::count); }
  KrylovWork<Exec, Scalar> const& work() const { return work_; }
  int norm_place() const { return Place::norm; }
  Scalar* residual() const { return r_.data(); }
  Scalar* product() const { return t_.data(); }

  void start(KrylovSystem<Exec, Scalar> const& system) {
    iteration_ = 0;
    if (system.inverse_diagonal != nullptr) {
      BicgstabStart<Scalar, true> const body{{r_.data(), system.inverse_diagonal},
                                             {shadow_.data(), p_.data(), y_.data()}};
      work_.pass(system.space, "karman::krylov::start", body, Place::rho);
    } else {
      BicgstabStart<Scalar, false> const body{{r_.data()}, {shadow_.data(), p_.data()}};
      work_.pass(system.space, "karman::krylov::start", body, Place::rho);
      precondition(system, p_, y_);
    }
  }

  int room() const { return INT_MAX; }

  void advance(KrylovSystem<Exec, Scalar> const& system, int count) {
    bool const plain = !system.preconditioned();
    Scalar* const y = plain ? p_.data() : y_.data();
    Scalar* const z = plain ? r_.data() : z_.data();
    for (int k = 1; k <= count; ++k, ++iteration_) {
      int const turn = iteration_ % 2;
      work_.apply(system.space, system.a, y, v_.data(), BicgstabSigma<Scalar>{{shadow_.data()}}, Place::sigma);
      if (system.inverse_diagonal != nullptr) {
        half<true>(system, turn);
      } else {
        half<false>(system, turn);
        precondition(system, r_, z_);
      }
      work_.apply(system.space, system.a, z, t_.data(), BicgstabSums<Scalar>{{shadow_.data(), r_.data()}},
                  Place::products);
      if (system.inverse_diagonal != nullptr) {
        if (k == count) update<true, true>(system, y, z, turn);
        if (k != count) update<true, false>(system, y, z, turn);
      } else {
        if (k == count) update<false, true>(system, y, z, turn);
        if (k != count) update<false, false>(system, y, z, turn);
        precondition(system, p_, y_);
      }
    }
  }

  KrylovCheck check(KrylovSystem<Exec, Scalar> const& system) const {
    auto const& numbers = work_.fetch(system.space, 0, Place::count);
    int const flag = static_cast<int>(numbers(Place::flag));
    return {std::sqrt(numbers(Place::norm)), flag == 1   ? "the residual of BiCGStab is orthogonal to the first one"
                                             : flag == 2 ? "the product (r0, A p) of BiCGStab vanishes"
                                             : flag == 3 ? "the step omega of BiCGStab vanishes"
                                                         : ""};
  }

  void conclude(KrylovSystem<Exec, Scalar> const&) {}

 private:
  void precondition(KrylovSystem<Exec, Scalar> const& system, Vector<Exec, Scalar> const& from,
                    Vector<Exec, Scalar> const& to) const {
    if (system.preconditioned()) system.precondition(from.data(), to.data());
  }
  template <bool diagonal>
  void half(KrylovSystem<Exec, Scalar> const& system, int turn) const {
    BicgstabHalf<Scalar, diagonal> body{{r_.data(), v_.data()}, {r_.data()}, work_.numbers(), turn};
    if constexpr (diagonal) {
      body.in[2] = system.inverse_diagonal;
      body.out[1] = z_.data();
    }
    work_.pass(system.space, "karman::krylov::half", body);
  }
  template <bool diagonal, bool with_norm>
  void update(KrylovSystem<Exec, Scalar> const& system, Scalar const* y, Scalar const* z, int turn) const {
    BicgstabUpdate<Scalar, diagonal, with_norm> body{{system.x, y, z, r_.data(), t_.data(), p_.data(), v_.data()},
                                                     {system.x, r_.data(), p_.data()},
                                                     work_.numbers(),
                                                     turn,
                                                     iteration_ == 0};
    if constexpr (diagonal) {
      body.in[7] = system.inverse_diagonal;
      body.out[3] = y_.data();
    }
    work_.pass(system.space, "karman::krylov::update", body, Place::norm);
  }

  KrylovWork<Exec, Scalar> work_;
  Vector<Exec, Scalar> r_, shadow_, p_, v_, t_, y_, z_;
  int iteration_ = 0;
};

}  // namespace karman::detail
