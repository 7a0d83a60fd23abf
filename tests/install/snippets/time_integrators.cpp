// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The code in docs/time_integrators.md, between its marks. Ends with 1 when a result differs from the page.
#include <karman/core/reductions.hpp>
#include <karman/solvers/time/time_integrators.hpp>

#include <Kokkos_Core.hpp>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <string>

using Exec = Kokkos::DefaultExecutionSpace;

// [derivative]
// du/dt = -c du/dx on a ring of length 1 with n cells, upwind
class Advection : public karman::TimeDerivative<Exec, double> {
 public:
  Advection(int n, double c) : n_(n), c_(c) {}
  std::int64_t size() const override { return n_; }
  void evaluate(Exec const& space, karman::ConstVector<Exec, double> const& u, karman::DeviceNumber<Exec> const&,
                karman::Vector<Exec, double> const& result, karman::GlobalOrLocal<Exec, double> const& rate) override {
    double const factor = c_ * n_;
    int const n = n_;
    bool const wanted = !rate.empty();
    Kokkos::parallel_for(
        "my_code::advection", Kokkos::RangePolicy<Exec>(space, 0, n), KOKKOS_LAMBDA(int i) {
          result(i) = -factor * (u(i) - u(i > 0 ? i - 1 : n - 1));
          if (wanted && i == 0) rate.global() = factor;  // dt = cfl / rate
        });
  }

 private:
  int n_;
  double c_;
};
// [derivative]

void pulse(Exec const& space, int n, karman::Vector<Exec, double> const& u) {
  Kokkos::parallel_for(
      "pulse", Kokkos::RangePolicy<Exec>(space, 0, n), KOKKOS_LAMBDA(int i) { u(i) = i < n / 4 ? 1 : 0; });
}

bool advected(Exec const& space) {
  int const n = 200;
  karman::Vector<Exec, double> const u("u", n);
  pulse(space, n, u);
  // [run]
  Advection advection(n, 2.0);
  karman::TimeIntegrator<Exec, double> integrator(space, n, {.method = karman::TimeMethod::ssp_rk3});  // allocates once
  integrator.start(space, advection, u, 0.0, {.cfl = 0.8});
  karman::TimeReport const report = integrator.run_to(space, advection, u, 0.25);
  if (!report.finished) std::fprintf(stderr, "time %g: %s\n", report.time, std::string(report.breakdown).c_str());
  // [run]
  karman::Reducer<Exec> reducer(space);
  auto const found = reducer.min_max_sum(space, u);
  return report.finished && report.time == 0.25 && std::abs(found.sum - n / 4) < 1e-9 && found.min > -1e-12 &&
         found.max < 1 + 1e-12 && found.max > 0.5;
}

int main(int argc, char** argv) {
  Kokkos::ScopeGuard const kokkos(argc, argv);
  bool const right = advected(Exec());
  if (!right) std::fprintf(stderr, "WRONG: time integrators\n");
  return right ? 0 : 1;
}
