// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The Euler right-hand side in a user-defined loop over time: a vortex drifts through a wind tunnel with walls and
// leaves it. SSP-RK3 of Shu and Osher, with steps chosen on the device.
#include <karman/core/compat.hpp>
#include <karman/mesh/mesh_generators.hpp>
#include <karman/solvers/euler/euler_rhs.hpp>

#include <Kokkos_Core.hpp>

#include <cmath>
#include <cstdio>
#include <utility>

namespace {

using Exec = Kokkos::DefaultExecutionSpace;
using Field = karman::EulerField<Exec, double>;

constexpr double speed = 0.5;

/// An isentropic vortex at (1, 1) in a uniform flow of density 1 and pressure 1.
struct Vortex {
  karman::TriangleMesh<Exec> mesh;
  Field u;

  KOKKOS_FUNCTION void operator()(int i) const {
    namespace math = karman::compat::math;
    double const x = mesh.nodes(i, 0) - 1, y = mesh.nodes(i, 1) - 1;
    double const swirl = 1.5 * math::exp((1 - 25 * (x * x + y * y)) / 2);
    double const temperature = 1 - 0.4 / 2.8 * swirl * swirl / 25;
    double const rho = math::pow(temperature, 2.5), vx = speed - swirl * y, vy = swirl * x;
    u(i, 0) = rho;
    u(i, 1) = rho * vx;
    u(i, 2) = rho * vy;
    u(i, 3) = rho * temperature / 0.4 + 0.5 * rho * (vx * vx + vy * vy);
  }
};

/// u = a base + (1 - a) stage: the averages of SSP-RK3.
struct Average {
  double a;
  Field base, stage, u;

  KOKKOS_FUNCTION void operator()(int i) const {
    for (int c = 0; c < 4; ++c) u(i, c) = a * base(i, c) + (1 - a) * stage(i, c);
  }
};

/// dt = cfl / rate, on the device.
struct ChooseStep {
  karman::DeviceNumber<Exec> dt, rate;
  KOKKOS_FUNCTION void operator()(int) const { dt() = 0.5 / rate(); }
};

/// Sum of the kinetic energy across the flow: the part of the vortex.
struct CrossFlow {
  Field u;
  Kokkos::View<double const*, Exec::memory_space> inverse_mass;
  KOKKOS_FUNCTION void operator()(int i, double& sum) const {
    sum += 0.5 * u(i, 2) * u(i, 2) / u(i, 0) / inverse_mass(i);
  }
};

}  // namespace

int main(int argc, char** argv) {
  Kokkos::ScopeGuard const guard(argc, argv);
  Exec const space;
  // [plan]
  karman::MeshData const data = karman::mesh_channel({.length = 4, .width = 2, .size = 0.04});
  auto const mesh = karman::make_triangle_mesh(space, data);
  karman::EulerRhs<Exec, double> rhs(space, mesh);
  karman::EulerState const wind{1, {speed, 0}, 1};
  // Labels of mesh_channel: 1 walls, 2 inflow, 3 outflow.
  rhs.set_boundary(space, {{1, {karman::EulerBoundaryKind::wall}},
                           {2, {karman::EulerBoundaryKind::far_field, wind}},
                           {3, {karman::EulerBoundaryKind::far_field, wind}}});
  // [plan]

  auto const n = static_cast<std::size_t>(mesh.node_count());
  Field u("example::u", n), stage("example::stage", n), next("example::next", n);
  karman::DeviceNumber<Exec> const dt("example::dt"), rate("example::rate");
  Kokkos::RangePolicy<Exec> const nodes(space, 0, mesh.node_count()), once(space, 0, 1);
  Kokkos::parallel_for("example::vortex", nodes, Vortex{mesh, u});
  auto const cross_flow = [&] {
    double energy = 0;
    Kokkos::parallel_reduce("example::cross_flow", nodes, CrossFlow{u, rhs.inverse_mass()}, energy);
    return energy;
  };
  double const first = cross_flow();
  std::printf("energy of the cross-flow %.3e in %d triangles\n", first, mesh.triangle_count());

  rhs.project(space, u);
  rhs.evaluate(space, u, {}, next, rate);
  double time = 0, last = first;
  for (int step = 1; time < 8 && step < 4000; ++step) {
    // [step]
    Kokkos::parallel_for("example::step", once, ChooseStep{dt, rate});
    rhs.project(space, u);
    rhs.advance(space, u, u, 1, dt, stage);
    rhs.advance(space, stage, stage, 1, dt, next);
    Kokkos::parallel_for("example::average", nodes, Average{0.75, u, next, stage});
    rhs.advance(space, stage, stage, 1, dt, next, rate);
    Kokkos::parallel_for("example::average", nodes, Average{1.0 / 3, u, next, u});
    // [step]
    double length = 0;
    Kokkos::deep_copy(space, length, dt);
    space.fence();
    time += length;
    if (step % 200 != 0) continue;
    last = cross_flow();
    std::printf("step %4d, time %.2f: %.3e\n", step, time, last);
  }
  last = cross_flow();
  // The vortex has left; the walls and the outflow reflect little of it.
  bool const left = std::isfinite(last) && last < 0.02 * first;
  std::printf("time %.2f: %.1f %% of the cross-flow is left\n", time, 100 * last / first);
  return left ? 0 : 1;
}
