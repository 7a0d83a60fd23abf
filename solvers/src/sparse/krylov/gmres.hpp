// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// GMRES(m), preconditioned from the right. The device computes the basis. The host solves the small least-squares
/// problem at each check.
#pragma once

#include "basis_pass.hpp"
#include "krylov_work.hpp"

#include <vector>

namespace karman::detail {

/// Arnoldi's method with classical Gram-Schmidt done twice, the second time one iteration late. V are the final
/// vectors, p is the next one after its first projection. Iteration j has the sums s = (V, p) and t = (V, q) of q = A M
/// p in one pass. Then
///
///     v_j = (p - V s) / length,  A M v_j = (q - A M V s) / length,  A M V = V H,
///
/// and the remainder of A M v_j, projected once, is the next p. `Stored`: type of the vectors in memory.
template <class Exec, class Scalar, class Stored>
class Gmres {
 public:
  using Number = Wide<Scalar>;
  static constexpr int width = parts<Scalar>;

  Gmres(Exec const& space, int n, int restart)
      : restart_(restart),
        place_{restart},
        work_(space, n, numbers(restart), slots(restart)),
        basis_(Kokkos::view_alloc(space, std::string("karman::krylov::basis")), std::size_t(n) * std::size_t(restart)),
        p_(work_.vector(space, "karman::krylov::p", n)),
        q_(work_.vector(space, "karman::krylov::q", n)),
        z_(work_.vector(space, "karman::krylov::z", n)),
        steps_on_host_(Kokkos::view_alloc("karman::krylov::steps_on_host"), std::size_t(width) * restart),
        hessenberg_(std::size_t(restart) * (restart + 1)),
        triangle_(hessenberg_.size()),
        turned_(std::size_t(restart) + 1),
        cosine_(std::size_t(restart)),
        sine_(std::size_t(restart)) {}

  static std::int64_t bytes(int n, int restart) {
    using Work = KrylovWork<Exec, Scalar>;
    return std::int64_t(n) * restart * std::int64_t(sizeof(Stored)) +
           Work::bytes(n, 3, numbers(restart), slots(restart)) + Work::on_host_bytes(width * restart);
  }
  KrylovWork<Exec, Scalar> const& work() const { return work_; }
  int norm_place() const { return 0; }
  Scalar* residual() const { return p_.data(); }
  Scalar* product() const { return q_.data(); }

  /// The first p is the residual.
  void start(KrylovSystem<Exec, Scalar> const&) {
    columns_ = seen_ = 0;
    complete_ = false;
  }

  int room() const { return restart_ - columns_; }

  void advance(KrylovSystem<Exec, Scalar> const& system, int count) {
    for (int k = 0; k < count; ++k, ++columns_) {
      work_.apply(system.space, system.a, precondition(system, p_.data()), q_.data());
      double* const column = work_.numbers() + column_place(columns_);
      int const granule = work_.shares().granule;
      bool const packed = has_packs<Exec>(work_.n(), basis_.data(), p_.data(), q_.data());
      launch(system.space, "karman::krylov::project", basis_product_shares<Exec>(),
             BasisProducts<Exec, Scalar, Stored>{work_.n(), columns_, basis_.data(), p_.data(), q_.data(), column,
                                                 place_, work_.partials(), work_.arrivals(), granule, packed});
      launch(system.space, "karman::krylov::next_vector", work_.shares(),
             BasisUpdate<Exec, Scalar, Stored>{work_.n(), columns_, basis_.data(), p_.data(), q_.data(), column, place_,
                                               work_.partials(), work_.arrivals(), granule, packed});
    }
  }

  /// Reduces the new columns to a triangle by rotations. The last column lacks the second projection of the next
  /// vector, which adds some rounding: the next check takes it again.
  KrylovCheck check(KrylovSystem<Exec, Scalar> const& system) {
    if (columns_ > seen_ && !complete_) {
      int const from = seen_ > 0 ? seen_ - 1 : 0;
      auto const& numbers = work_.fetch(system.space, column_place(from), place_.size() * (columns_ - from));
      auto const column = [&](int j) { return numbers.data() + column_place(j); };
      turned_[from] = seen_ > 0 ? before_last_ : Number(column(0)[place_.length()]);
      for (int j = from; j < columns_ && !complete_; ++j) {
        if (j == seen_) add_column(seen_++, column(j));
        if (j + 1 < columns_) complete_column(j, column(j + 1));
        before_last_ = turned_[j];
        rotate(j);
      }
    }
    return {magnitude(turned_[seen_]), complete_ && seen_ > 0 ? "the Krylov space of GMRES is exhausted" : ""};
  }

  /// x += M V y, y from the triangle.
  void conclude(KrylovSystem<Exec, Scalar> const& system) {
    if (seen_ == 0) return;
    std::vector<Number>& y = turned_;
    for (int i = seen_ - 1; i >= 0; --i) {
      Number sum = y[i];
      for (int j = i + 1; j < seen_; ++j) sum -= triangle_[entry(i, j)] * y[j];
      y[i] = divided(sum, triangle_[entry(i, i)]);
    }
    for (int i = 0; i < seen_; ++i) set_number<Scalar>(steps_on_host_.data(), i, y[i]);
    auto const begin = static_cast<std::size_t>(steps());
    Kokkos::deep_copy(system.space,
                      Kokkos::subview(work_.all(), Kokkos::make_pair(begin, begin + steps_on_host_.extent(0))),
                      steps_on_host_);
    launch(system.space, "karman::krylov::combine", work_.shares(),
           BasisSum<Exec, Scalar, Stored>{work_.n(), seen_, basis_.data(), work_.numbers() + steps(), q_.data(),
                                          work_.shares().granule});
    work_.pass(system.space, "karman::krylov::add",
               Added<Scalar>{{system.x, precondition(system, q_.data())}, {system.x}});
    columns_ = seen_ = 0;
  }

 private:
  static constexpr int steps() { return 1; }
  int column_place(int j) const { return steps() + width * restart_ + j * place_.size(); }
  std::size_t entry(int i, int j) const { return std::size_t(j) * std::size_t(restart_ + 1) + std::size_t(i); }

  static double magnitude(Number const& a) { return std::sqrt(squared_magnitude(a)); }

  /// H_ij = (t_i - (H s)_i) / length: of A M v_j after one projection.
  void add_column(int j, double const* sums) {
    double const length = sums[place_.length()];
    for (int i = 0; i <= j; ++i) {
      Number number = number_at<Scalar>(sums + place_.t(), i);
      for (int k = i > 0 ? i - 1 : 0; k < j; ++k) number -= hessenberg_[entry(i, k)] * number_at<Scalar>(sums, k);
      hessenberg_[entry(i, j)] = length == 0 ? Number(0.0) : number * (1 / length);
    }
    hessenberg_[entry(j + 1, j)] = Number(std::sqrt(sums[place_.next()]));
  }

  /// Adds the second projection, from the sums of the iteration after it.
  void complete_column(int j, double const* next) {
    for (int i = 0; i <= j; ++i) hessenberg_[entry(i, j)] += number_at<Scalar>(next, i);
    hessenberg_[entry(j + 1, j)] = Number(next[place_.length()]);
  }

  void rotate(int j) {
    Number* const h = triangle_.data() + entry(0, j);
    for (int i = 0; i <= j + 1; ++i) h[i] = hessenberg_[entry(i, j)];
    for (int i = 0; i < j; ++i) {
      Number const upper = conjugated(cosine_[i]) * h[i] + sine_[i] * h[i + 1];
      h[i + 1] = cosine_[i] * h[i + 1] - sine_[i] * h[i];
      h[i] = upper;
    }
    double const below = magnitude(h[j + 1]);
    double const length = std::hypot(magnitude(h[j]), below);
    cosine_[j] = length == 0 ? Number(1.0) : h[j] * (1 / length);
    sine_[j] = length == 0 ? 0.0 : below / length;
    h[j] = Number(length);
    // A column of zeros does not reduce the residual.
    turned_[j + 1] = length == 0 ? turned_[j] : -sine_[j] * turned_[j];
    turned_[j] = conjugated(cosine_[j]) * turned_[j];
    // The Krylov space is complete: all further vectors are zero.
    if (below == 0) complete_ = true;
  }

  template <class Pass>
  void launch(Exec const& space, char const* label, VectorShares const& shares, Pass const& pass) const {
    if (pass.n == 0) return;
    using Table = VectorTable<Exec>;
    Kokkos::parallel_for(label, typename Pass::Policy(space, shares.teams(pass.n), Table::threads, 1), pass);
  }

  static int numbers(int restart) { return steps() + (width + ArnoldiColumn<Scalar>{restart}.size()) * restart; }
  static int slots(int restart) { return 2 * width * restart + 1 + width; }

  Scalar const* precondition(KrylovSystem<Exec, Scalar> const& system, Scalar* v) const {
    if (!system.preconditioned()) return v;
    system.precondition(v, z_.data());
    return z_.data();
  }

  int restart_;
  ArnoldiColumn<Scalar> place_;
  KrylovWork<Exec, Scalar> work_;
  Vector<Exec, Stored> basis_;
  Vector<Exec, Scalar> p_, q_, z_;
  Kokkos::View<double*, Kokkos::HostSpace> steps_on_host_;
  std::vector<Number> hessenberg_, triangle_;
  std::vector<Number> turned_;  ///< right-hand side of the least-squares problem after the rotations
  std::vector<Number> cosine_;
  std::vector<double> sine_;
  Number before_last_{};  ///< of `turned_`, before the last rotation
  int columns_ = 0, seen_ = 0;
  bool complete_ = false;
};

}  // namespace karman::detail
