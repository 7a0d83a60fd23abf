// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "plain_cocg.hpp"

#include <cmath>
#include <complex>

namespace karman::perf {

namespace {

using Scalar = Kokkos::complex<double>;
using HostScalar = std::complex<double>;

template <class Exec>
using Loop = Kokkos::RangePolicy<Exec>;

template <class Exec>
void take_inverse_diagonal(Exec const& space, CsrMatrix<Exec, Scalar> const& a, WaveNumbers<Exec> const& inverse) {
  Kokkos::parallel_for(
      "karman::perf::diagonal", Loop<Exec>(space, 0, a.rows()), KOKKOS_LAMBDA(int i) {
        for (int n = a.graph.offsets(i); n < a.graph.offsets(i + 1); ++n) {
          if (a.graph.entries(n) == i) inverse(i) = Scalar(1) / a.values(n);
        }
      });
}

template <class Exec>
void product(Exec const& space, CsrMatrix<Exec, Scalar> const& a, WaveNumbers<Exec> const& x,
             WaveNumbers<Exec> const& y) {
  Kokkos::parallel_for(
      "karman::perf::product", Loop<Exec>(space, 0, a.rows()), KOKKOS_LAMBDA(int i) {
        Scalar sum(0);
        for (int n = a.graph.offsets(i); n < a.graph.offsets(i + 1); ++n) sum += a.values(n) * x(a.graph.entries(n));
        y(i) = sum;
      });
}

/// sum x_i y_i, without conjugation.
template <class Exec>
HostScalar sum_of_products(Exec const& space, WaveNumbers<Exec> const& x, WaveNumbers<Exec> const& y) {
  double real = 0, imaginary = 0;
  Kokkos::parallel_reduce(
      "karman::perf::products", Loop<Exec>(space, 0, x.extent(0)),
      KOKKOS_LAMBDA(int i, double& re, double& im) {
        Scalar const term = x(i) * y(i);
        re += term.real();
        im += term.imag();
      },
      real, imaginary);
  return {real, imaginary};
}

template <class Exec>
double norm(Exec const& space, WaveNumbers<Exec> const& x) {
  double sum = 0;
  Kokkos::parallel_reduce(
      "karman::perf::norm", Loop<Exec>(space, 0, x.extent(0)),
      KOKKOS_LAMBDA(int i, double& part) { part += x(i).real() * x(i).real() + x(i).imag() * x(i).imag(); }, sum);
  return std::sqrt(sum);
}

/// y += c x.
template <class Exec>
void add(Exec const& space, HostScalar factor, WaveNumbers<Exec> const& x, WaveNumbers<Exec> const& y) {
  Scalar const c(factor.real(), factor.imag());
  Kokkos::parallel_for(
      "karman::perf::add", Loop<Exec>(space, 0, x.extent(0)), KOKKOS_LAMBDA(int i) { y(i) += c * x(i); });
}

/// y = x + c y.
template <class Exec>
void turn(Exec const& space, HostScalar factor, WaveNumbers<Exec> const& x, WaveNumbers<Exec> const& y) {
  Scalar const c(factor.real(), factor.imag());
  Kokkos::parallel_for(
      "karman::perf::turn", Loop<Exec>(space, 0, x.extent(0)), KOKKOS_LAMBDA(int i) { y(i) = x(i) + c * y(i); });
}

template <class Exec>
void scale(Exec const& space, WaveNumbers<Exec> const& d, WaveNumbers<Exec> const& x, WaveNumbers<Exec> const& y) {
  Kokkos::parallel_for(
      "karman::perf::scale", Loop<Exec>(space, 0, x.extent(0)), KOKKOS_LAMBDA(int i) { y(i) = d(i) * x(i); });
}

template <class Exec>
WaveNumbers<Exec> vector(Exec const& space, char const* label, int n) {
  return WaveNumbers<Exec>(Kokkos::view_alloc(space, std::string(label)), n);
}

}  // namespace

template <class Exec>
PlainCocg<Exec>::PlainCocg(Exec const& space, CsrMatrix<Exec, Scalar> const& matrix)
    : matrix_(matrix),
      inverse_(vector(space, "karman::perf::inverse", matrix.rows())),
      r_(vector(space, "karman::perf::r", matrix.rows())),
      z_(vector(space, "karman::perf::z", matrix.rows())),
      p_(vector(space, "karman::perf::p", matrix.rows())),
      q_(vector(space, "karman::perf::q", matrix.rows())) {
  take_inverse_diagonal(space, matrix, inverse_);
}

template <class Exec>
void PlainCocg<Exec>::solve(Exec const& space, WaveNumbers<Exec> const& x, WaveNumbers<Exec> const& b, int iterations,
                            double tolerance) {
  Kokkos::deep_copy(space, x, Scalar(0));
  Kokkos::deep_copy(space, r_, b);
  Kokkos::deep_copy(space, p_, Scalar(0));
  double const goal = tolerance > 0 ? tolerance * norm(space, r_) : 0;
  HostScalar rho_old(1);
  for (int iteration = 0; iteration < iterations; ++iteration) {
    scale(space, inverse_, r_, z_);
    HostScalar const rho = sum_of_products(space, r_, z_);
    turn(space, iteration == 0 ? HostScalar(0) : rho / rho_old, z_, p_);
    rho_old = rho;
    product(space, matrix_, p_, q_);
    HostScalar const alpha = rho / sum_of_products(space, p_, q_);
    add(space, alpha, p_, x);
    add(space, -alpha, q_, r_);
    if (tolerance > 0 && norm(space, r_) <= goal) break;
  }
}

#define KARMAN_INSTANTIATE(Exec) template class PlainCocg<Exec>;
KARMAN_FOR_EACH_BACKEND(KARMAN_INSTANTIATE)
#undef KARMAN_INSTANTIATE

}  // namespace karman::perf
