// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// GMRES(m), preconditioned from the right. The device computes the basis. The host solves the small least-squares
/// problem at each check.
#pragma once

#include "basis_pass.hpp"
#include "krylov_work.hpp"

#include <vector>

namespace karman::detail {

template <class Exec, class Scalar>
class Gmres {
 public:
  using Number = Wide<Scalar>;
  static constexpr int width = parts<Scalar>;

  Gmres(Exec const& space, int n, int restart)
      : restart_(restart),
        work_(space, n, numbers(restart), slots(restart)),
        basis_(work_.vector(space, "karman::krylov::basis", std::int64_t(n) * (restart + 1))),
        w_(work_.vector(space, "karman::krylov::w", n)),
        z_(work_.vector(space, "karman::krylov::z", n)),
        steps_on_host_(Kokkos::view_alloc("karman::krylov::steps_on_host"), std::size_t(width) * (restart + 1)),
        triangle_(std::size_t(restart) * (restart + 1)),
        turned_(std::size_t(restart) + 1),
        cosine_(std::size_t(restart)),
        sine_(std::size_t(restart)) {}

  static std::int64_t bytes(int n, int restart) {
    using Work = KrylovWork<Exec, Scalar>;
    return Work::bytes(n, restart + 3, numbers(restart), slots(restart)) + Work::on_host_bytes(width * (restart + 1));
  }
  KrylovWork<Exec, Scalar> const& work() const { return work_; }
  int norm_place() const { return width * (restart_ * (restart_ + 1) + 3 * (restart_ + 1)) + 1; }
  Scalar* residual() const { return w_.data(); }
  Scalar* product() const { return z_.data(); }

  void start(KrylovSystem<Exec, Scalar> const& system) {
    columns_ = seen_ = 0;
    complete_ = false;
    // The first vector: r / |r|, with |r|^2 from the residual.
    auto pass = blank();
    pass.w = w_.data();
    pass.norm = work_.numbers() + norm_place();
    pass.result = basis_.data();
    pass.column = work_.numbers() + first_length();
    launch(system.space, "karman::krylov::first_vector", pass);
  }

  int room() const { return restart_ - columns_; }

  void advance(KrylovSystem<Exec, Scalar> const& system, int count) {
    for (int k = 0; k < count; ++k, ++columns_) {
      int const j = columns_;
      Scalar* const v = basis_.data() + std::int64_t(j) * work_.n();
      Scalar const* const z = precondition(system, v);
      work_.apply(system.space, system.a, z, w_.data());
      auto pass = blank();
      pass.vectors = j + 1;
      pass.w = pass.result = w_.data();
      pass.products = first_products();
      launch(system.space, "karman::krylov::project", pass);
      pass.coefficients = first_products();
      pass.products = second_products();
      launch(system.space, "karman::krylov::project_again", pass);
      pass.coefficients = second_products();
      pass.norm = second_products() + width * (j + 1);
      pass.products = nullptr;
      pass.result = v + work_.n();
      pass.earlier = first_products();
      pass.column = work_.numbers() + column(j);
      launch(system.space, "karman::krylov::next_vector", pass);
    }
  }

  /// Reduces the new columns to a triangle by rotations.
  KrylovCheck check(KrylovSystem<Exec, Scalar> const& system) {
    auto const& numbers = work_.fetch(system.space);
    if (seen_ == 0) turned_[0] = number_at<Scalar>(numbers.data() + first_length(), 0);
    for (; seen_ < columns_ && !complete_; ++seen_) {
      int const j = seen_;
      Number* const h = triangle_.data() + std::size_t(j) * (restart_ + 1);
      for (int i = 0; i <= j + 1; ++i) h[i] = number_at<Scalar>(numbers.data() + column(j), i);
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
    return {magnitude(turned_[seen_]), complete_ && seen_ > 0 ? "the Krylov space of GMRES is exhausted" : ""};
  }

  /// x += M V y, y from the triangle.
  void conclude(KrylovSystem<Exec, Scalar> const& system) {
    if (seen_ == 0) return;
    std::vector<Number>& y = turned_;
    for (int i = seen_ - 1; i >= 0; --i) {
      Number sum = y[i];
      for (int j = i + 1; j < seen_; ++j) sum -= triangle_[std::size_t(j) * (restart_ + 1) + i] * y[j];
      y[i] = divided(sum, triangle_[std::size_t(i) * (restart_ + 1) + i]);
    }
    // Negative, since the pass subtracts.
    for (int i = 0; i < seen_; ++i) set_number<Scalar>(steps_on_host_.data(), i, -y[i]);
    auto const size = static_cast<std::size_t>(width) * (restart_ + 1);
    std::size_t const begin = static_cast<std::size_t>(steps());
    Kokkos::deep_copy(system.space, Kokkos::subview(work_.all(), Kokkos::make_pair(begin, begin + size)),
                      steps_on_host_);
    auto pass = blank();
    pass.vectors = seen_;
    pass.coefficients = work_.numbers() + steps();
    pass.result = w_.data();
    launch(system.space, "karman::krylov::combine", pass);
    Scalar const* const z = precondition(system, w_.data());
    work_.pass(system.space, "karman::krylov::add", Added<Scalar>{{system.x, z}, {system.x}});
    columns_ = seen_ = 0;
  }

 private:
  int column(int j) const { return width * j * (restart_ + 1); }
  int first_length() const { return width * restart_ * (restart_ + 1) + 2 * width * (restart_ + 1) + 1; }
  int steps() const { return first_length(); }
  double* first_products() const { return work_.numbers() + width * restart_ * (restart_ + 1); }
  double* second_products() const { return first_products() + width * (restart_ + 1); }

  static double magnitude(Number const& a) { return std::sqrt(squared_magnitude(a)); }

  BasisPass<Exec, Scalar> blank() const {
    return {work_.n(),
            0,
            basis_.data(),
            nullptr,
            nullptr,
            nullptr,
            nullptr,
            nullptr,
            work_.partials(),
            work_.arrivals(),
            nullptr,
            nullptr,
            work_.shares().granule};
  }

  void launch(Exec const& space, char const* label, BasisPass<Exec, Scalar> const& pass) const {
    if (pass.n == 0) return;
    using Table = VectorTable<Exec>;
    Kokkos::parallel_for(label, Kokkos::TeamPolicy<Exec>(space, work_.shares().teams(pass.n), Table::threads, 1), pass);
  }

  static int numbers(int restart) { return width * (restart * (restart + 1) + 3 * (restart + 1)) + 2; }
  static int slots(int restart) { return width * (restart + 1) + 1; }

  Scalar const* precondition(KrylovSystem<Exec, Scalar> const& system, Scalar* v) const {
    if (!system.preconditioned()) return v;
    system.precondition(v, z_.data());
    return z_.data();
  }

  int restart_;
  KrylovWork<Exec, Scalar> work_;
  Vector<Exec, Scalar> basis_, w_, z_;
  Kokkos::View<double*, Kokkos::HostSpace> steps_on_host_;
  std::vector<Number> triangle_, turned_, cosine_;
  std::vector<double> sine_;
  int columns_ = 0, seen_ = 0;
  bool complete_ = false;
};

}  // namespace karman::detail
