// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A tracer in a flow that turns back, d theta/dt + u . grad theta = 0 in a periodic box: derivatives by Fourier
// transforms, SSP-RK3 of Shu and Osher, time steps from a reduction over the velocity. The device chooses every step;
// the host reads one number every ten steps. The flow u = a(t) (-sin x cos y, cos x sin y), a = 3 cos(pi t / 4), brings
// the tracer back to its start at t = 4.
#include <karman/core/compat.hpp>
#include <karman/core/reductions.hpp>
#include <karman/solvers/transforms/fft.hpp>

#include <Kokkos_Core.hpp>

#include <cmath>
#include <cstdio>
#include <numbers>

namespace {

using Exec = Kokkos::DefaultExecutionSpace;
using Complex = Kokkos::complex<double>;
using Field = karman::Field<Exec, double>;
using Spectrum = karman::Field<Exec, Complex>;
using Number = Kokkos::View<double, Exec::memory_space>;

constexpr int n = 128;
constexpr double end = 4, spacing = 2 * std::numbers::pi / n;

/// Places (0, j, i) of a plane, from a running number.
KOKKOS_FUNCTION constexpr int row(int place) { return place / n; }
KOKKOS_FUNCTION constexpr int column(int place) { return place % n; }

/// Two patches of tracer.
struct Patches {
  Field theta;
  KOKKOS_FUNCTION void operator()(int place) const {
    namespace math = karman::compat::math;
    double const x = spacing * column(place), y = spacing * row(place);
    theta(0, row(place), column(place)) = math::exp(3 * (math::cos(x - 2) + math::cos(y - 2) - 2)) -
                                          math::exp(3 * (math::cos(x - 4) + math::cos(y - 5) - 2));
  }
};

/// Velocity at the time of a stage.
struct Flow {
  Field u, v;
  Number time, dt;
  double part;  ///< of dt
  KOKKOS_FUNCTION void operator()(int place) const {
    namespace math = karman::compat::math;
    double const x = spacing * column(place), y = spacing * row(place);
    double const a = 3 * math::cos(std::numbers::pi / end * (time() + part * dt()));
    u(0, row(place), column(place)) = -a * math::sin(x) * math::cos(y);
    v(0, row(place), column(place)) = a * math::cos(x) * math::sin(y);
  }
};

/// Spectra of d/dx and d/dy of a field, divided by the factor of the transforms. The highest mode has no derivative.
struct Derivatives {
  Spectrum modes, along_x, along_y;
  KOKKOS_FUNCTION void operator()(int place) const {
    int const j = place / (n / 2 + 1), i = place % (n / 2 + 1);
    double const kx = i < n / 2 ? i : 0, ky = j < n / 2 ? j : j > n / 2 ? j - n : 0;
    Complex const value = modes(0, j, i) / double(n * n);
    along_x(0, j, i) = Complex(0, kx) * value;
    along_y(0, j, i) = Complex(0, ky) * value;
  }
};

/// stage = a base + (1 - a) (stage - dt u . grad stage): a stage of SSP-RK3.
struct Advance {
  Field base, stage, u, v, along_x, along_y;
  Number dt;
  double a;
  KOKKOS_FUNCTION void operator()(int place) const {
    int const j = row(place), i = column(place);
    double const change = -u(0, j, i) * along_x(0, j, i) - v(0, j, i) * along_y(0, j, i);
    stage(0, j, i) = a * base(0, j, i) + (1 - a) * (stage(0, j, i) + dt() * change);
  }
};

/// dt = 0.35 spacing / speed, at most 1.1 times the last one, up to the end. The limit of stability is sqrt(3) over the
/// largest |u| kx + |v| ky, up to sqrt(2) pi speed / spacing.
struct ChooseStep {
  Number speed, dt;
  Number time;
  KOKKOS_FUNCTION void operator()(int) const {
    double const fastest = speed() > 0.1 ? speed() : 0.1;
    double const wanted = 0.35 * spacing / fastest, most = dt() > 0 ? 1.1 * dt() : wanted, rest = end - time();
    dt() = wanted < most ? wanted : most;
    if (dt() > rest) dt() = rest > 0 ? rest : 0;
  }
};

/// time += dt.
struct Pass {
  Number time, dt;
  KOKKOS_FUNCTION void operator()(int) const { time() += dt(); }
};

}  // namespace

int main(int argc, char** argv) {
  Kokkos::ScopeGuard const guard(argc, argv);
  Exec const space;
  karman::RealFft<Exec, double> const fft(space, {1, n, n}, {true, true, false});
  karman::Reducer<Exec> reducer(space);
  Field const theta("example::theta", 1, n, n), stage("example::stage", 1, n, n), start("example::start", 1, n, n);
  Field const u("example::u", 1, n, n), v("example::v", 1, n, n), dx("example::dx", 1, n, n),
      dy("example::dy", 1, n, n);
  Spectrum const modes("example::modes", 1, n, n / 2 + 1), modes_x("example::modes_x", 1, n, n / 2 + 1),
      modes_y("example::modes_y", 1, n, n / 2 + 1);
  Number const time("example::time"), dt("example::dt"), speed("example::speed");
  Kokkos::RangePolicy<Exec> const points(space, 0, n * n), half(space, 0, n * (n / 2 + 1)), once(space, 0, 1);
  Kokkos::parallel_for("example::patches", points, Patches{theta});
  Kokkos::deep_copy(space, start, theta);

  double now = 0;
  int steps = 0;
  while (now < end && steps < 5000) {
    // [step]
    Kokkos::parallel_for("example::flow", points, Flow{u, v, time, dt, 0});
    reducer.max_speed(space, u, v, speed);  // the result stays on the device
    Kokkos::parallel_for("example::choose", once, ChooseStep{speed, dt, time});
    Kokkos::deep_copy(space, stage, theta);
    double const weight[] = {0, 0.75, 1.0 / 3}, moment[] = {0, 1, 0.5};
    for (int s = 0; s < 3; ++s) {
      if (s > 0) Kokkos::parallel_for("example::flow", points, Flow{u, v, time, dt, moment[s]});
      fft.forward(space, stage, modes);
      Kokkos::parallel_for("example::derivatives", half, Derivatives{modes, modes_x, modes_y});
      fft.backward(space, modes_x, dx);
      fft.backward(space, modes_y, dy);
      Kokkos::parallel_for("example::advance", points, Advance{theta, stage, u, v, dx, dy, dt, weight[s]});
    }
    Kokkos::deep_copy(space, theta, stage);
    Kokkos::parallel_for("example::pass", once, Pass{time, dt});
    // [step]
    if (++steps % 10 != 0) continue;
    Kokkos::deep_copy(space, now, time);
    space.fence();
    if (steps % 50 == 0) std::printf("step %4d, time %.3f\n", steps, now);
  }
  double const difference = reducer.relative_difference_l2(space, theta, start);
  bool const right = difference < 1e-3;
  std::printf("%d steps to %.3f; the tracer differs from its start by %.1e: %s\n", steps, now, difference,
              right ? "ok" : "WRONG");
  return right ? 0 : 1;
}
