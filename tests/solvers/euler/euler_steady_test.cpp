// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Parts of a march to a steady state against plain loops: rates and steps of the nodes, smoothing; and the state
// itself.
#include "backends.hpp"
#include "core/mesh/sample_meshes.hpp"
#include "euler_march.hpp"
#include "solvers/common/allocated_bytes.hpp"
#include "solvers/common/recorded_events.hpp"
#include <karman/core/host_copy.hpp>
#include <karman/mesh/flow_mesh_generators.hpp>
#include <karman/mesh/mesh_generators.hpp>
#include <karman/solvers/euler/euler_derivative.hpp>
#include <karman/solvers/euler/euler_fused_stages.hpp>
#include <karman/solvers/euler/residual_smoothing.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace euler_steady_test {

using namespace karman;
using namespace karman::test;

constexpr double gamma_of_air = 1.4;

std::vector<EulerRhsSetup> every_setup() {
  return {{.strategy = EulerStrategy::atomic, .local_steps = true},
          {.strategy = EulerStrategy::atomic, .order = EulerOrder::along_curve, .local_steps = true},
          {.strategy = EulerStrategy::colored, .local_steps = true},
          {.strategy = EulerStrategy::blocks, .local_steps = true},
          {.strategy = EulerStrategy::blocks, .order = EulerOrder::along_curve, .local_steps = true},
          {.strategy = EulerStrategy::blocks, .block_triangles = 7, .local_steps = true},
          {.strategy = EulerStrategy::expanded, .local_steps = true}};
}

template <class Exec, class T>
Vector<Exec, T> numbers_on_device(Exec const& space, std::vector<double> const& values) {
  return device_copy<T>(space, values, "karman::test::numbers");
}

template <class Exec, class T>
std::vector<double> on_host(Exec const& space, Vector<Exec, T> const& numbers) {
  return host_copy<double>(space, numbers);
}

/// Largest rate of the triangles of each node and group, one triangle at a time. Edges with the labels `open` add the
/// rate of the waves through them.
std::vector<double> rates_by_loops(MeshData const& mesh, Field4 const& u, std::vector<int> const& group,
                                   std::set<int> const& open) {
  std::size_t const n = mesh.nodes.size();
  auto const owner = [&](int i) { return std::size_t(group.empty() ? i : group[std::size_t(i)]); };
  std::vector<double> rates(n, 0.0), mass(n, 0.0), through(n, 0.0);
  for (auto const& t : mesh.triangles) {
    MeshData one;
    Field4 corners;
    for (int const node : t) {
      one.nodes.push_back(mesh.nodes[std::size_t(node)]);
      corners.push_back(u[std::size_t(node)]);
    }
    one.triangles = {{0, 1, 2}};
    Field4 const none(3, State4{});
    double const rate = euler_reference(one, corners, &none, gamma_of_air, 1, 0).largest_rate;
    auto const &p = one.nodes[0], &q = one.nodes[1], &r = one.nodes[2];
    double const twice = (q[0] - p[0]) * (r[1] - p[1]) - (r[0] - p[0]) * (q[1] - p[1]);
    for (int const node : t) {
      rates[owner(node)] = std::max(rates[owner(node)], rate);
      mass[owner(node)] += twice / 6;
    }
  }
  for (std::size_t e = 0; e < mesh.edges.size(); ++e) {
    if (!open.contains(mesh.edge_labels[e])) continue;
    auto const &p = mesh.nodes[std::size_t(mesh.edges[e][0])], &q = mesh.nodes[std::size_t(mesh.edges[e][1])];
    for (int const node : mesh.edges[e]) through[owner(node)] += std::hypot(q[0] - p[0], q[1] - p[1]) / 2;
  }
  for (std::size_t i = 0; i < n; ++i) {
    double const speed = std::hypot(u[i][1], u[i][2]) / u[i][0];
    double const sound = std::sqrt(gamma_of_air * pressure_of(u[i]) / u[i][0]);
    if (through[i] > 0) rates[i] += (speed + sound) * through[i] / mass[i];
  }
  for (std::size_t i = 0; i < n; ++i) rates[i] = rates[owner(int(i))];
  return rates;
}

/// Both sweeps and all of a ResidualSmoothing by plain loops.
Field4 smoothed_by_loops(MeshData const& mesh, std::vector<int> const& group, Field4 const& w, double eps, int sweeps) {
  auto const owner = [&](int i) { return group.empty() ? i : group[std::size_t(i)]; };
  std::vector<std::set<int>> around(w.size());
  for (auto const& t : mesh.triangles) {
    for (int const a : t) {
      for (int const b : t) {
        if (owner(a) != owner(b)) around[std::size_t(owner(a))].insert(owner(b));
      }
    }
  }
  Field4 s = w;
  for (int k = 0; k < sweeps; ++k) {
    Field4 next = w;
    for (std::size_t i = 0; i < w.size(); ++i) {
      auto const& near = around[std::size_t(owner(int(i)))];
      for (std::size_t c = 0; c < 4; ++c) {
        double sum = 0;
        for (int const j : near) sum += s[std::size_t(j)][c];
        next[i][c] = (w[i][c] + eps * sum) / (1 + eps * double(near.size()));
      }
    }
    s = next;
  }
  return s;
}

template <class Parameter>
class EulerSteadyOn : public ::testing::Test {
 public:
  using Exec = typename Parameter::execution_space;
  using T = typename Parameter::real;
  Exec space;
  static constexpr double epsilon = std::numeric_limits<T>::epsilon();

  std::vector<double> rates(EulerRhs<Exec, T>& rhs, Field4 const& u) {
    Vector<Exec, T> const found("karman::test::rates", u.size());
    rhs.local_rates(space, to_device<Exec, T>(space, u), found);
    return on_host<Exec, T>(space, found);
  }
};
TYPED_TEST_SUITE(EulerSteadyOn, karman::test::AllBackends, karman::test::BackendNames);

TYPED_TEST(EulerSteadyOn, RatesOfNodesEqualPlainLoops) {
  using Exec = typename TestFixture::Exec;
  using T = typename TestFixture::T;
  // Rounding of some hundred operations; the samples have heights down to a hundredth of their edges.
  double const allowed = 3000 * this->epsilon;
  auto const expect_near = [&](std::vector<double> const& found, std::vector<double> const& expected) {
    for (std::size_t i = 0; i < found.size(); ++i) EXPECT_NEAR(found[i], expected[i], allowed * expected[i]) << i;
  };
  for (auto const& setup : every_setup()) {
    for (auto const& [title, mesh] : sample_meshes()) {
      SCOPED_TRACE(title + ", " + std::string(name(setup.strategy)));
      auto const u = random_gas(mesh, gamma_of_air);
      std::map<int, EulerBoundary> conditions;
      for (int const label : mesh.edge_labels) conditions[label] = {};
      EulerRhs<Exec, T> rhs(this->space, make_triangle_mesh(this->space, mesh), setup);
      rhs.set_boundary(this->space, conditions);
      expect_near(this->rates(rhs, u), rates_by_loops(mesh, u, {}, {}));
    }
    SCOPED_TRACE(name(setup.strategy));
    auto const mesh = square(8);
    auto const u = random_gas(mesh, gamma_of_air);
    EulerRhs<Exec, T> open(this->space, make_triangle_mesh(this->space, mesh), setup);
    open.set_boundary(this->space,
                      {{1, {EulerBoundaryKind::far_field}}, {2, {}}, {3, {EulerBoundaryKind::outflow}}, {4, {}}});
    expect_near(this->rates(open, u), rates_by_loops(mesh, u, {}, {1, 3}));
    auto const group = periodic_groups(mesh, {{1, 3}});
    auto const v = random_gas(mesh, gamma_of_air, group);
    EulerRhs<Exec, T> periodic(this->space, make_triangle_mesh(this->space, mesh), setup, group);
    periodic.set_boundary(this->space, {{2, {EulerBoundaryKind::outflow}}, {4, {}}});
    expect_near(this->rates(periodic, v), rates_by_loops(mesh, v, group, {2}));
  }
}

TYPED_TEST(EulerSteadyOn, NoGasGivesInfiniteRatesAroundIt) {
  using Exec = typename TestFixture::Exec;
  using T = typename TestFixture::T;
  auto const mesh = square(6);
  double const nan = std::numeric_limits<double>::quiet_NaN();
  for (auto const& bad : {State4{-9, 0, 0, 1}, State4{1, 0, 0, -9}, State4{nan, 0, 0, 1}, State4{1, 0, 0, nan}}) {
    auto u = random_gas(mesh, gamma_of_air);
    u[24] = bad;  // the middle of 7 by 7 nodes
    for (auto const& setup : every_setup()) {
      EulerRhs<Exec, T> rhs(this->space, make_triangle_mesh(this->space, mesh), setup);
      rhs.set_boundary(this->space, {{1, {}}, {2, {}}, {3, {EulerBoundaryKind::outflow}}, {4, {}}});
      auto const rates = this->rates(rhs, u);
      for (std::size_t const node : {24, 23, 25, 17, 31}) EXPECT_EQ(rates[node], HUGE_VAL) << node;
      EXPECT_LT(rates[0], HUGE_VAL);
    }
  }
}

TYPED_TEST(EulerSteadyOn, LocalStagesEqualTheirParts) {
  using Exec = typename TestFixture::Exec;
  using T = typename TestFixture::T;
  auto const mesh = shuffled(square(10));
  auto const u = random_gas(mesh, gamma_of_air), base = random_gas(square(10), gamma_of_air);
  double const factor = 1.0 / 3;
  std::vector<double> dt(u.size());
  for (std::size_t i = 0; i < dt.size(); ++i) dt[i] = 0.001 * double(1 + i % 7);
  auto const steps = numbers_on_device<Exec, T>(this->space, dt);
  for (auto const& setup : every_setup()) {
    SCOPED_TRACE(name(setup.strategy));
    EulerRhs<Exec, T> rhs(this->space, make_triangle_mesh(this->space, mesh), setup);
    rhs.set_boundary(this->space, {{1, {}}, {2, {}}, {3, {}}, {4, {}}});
    auto const from = to_device<Exec, T>(this->space, u), start = to_device<Exec, T>(this->space, base);
    EulerField<Exec, T> const to("karman::test::to", u.size());
    rhs.project(this->space, from);
    rhs.evaluate(this->space, from, {}, to);
    auto const change = to_host(this->space, to);
    double largest = 0;
    Field4 expected = base, alone = base;
    for (std::size_t i = 0; i < u.size(); ++i) {
      for (std::size_t c = 0; c < 4; ++c) {
        alone[i][c] = factor * dt[i] * change[i][c];
        expected[i][c] += alone[i][c];
        largest = std::max({largest, std::abs(alone[i][c]), std::abs(expected[i][c])});
      }
    }
    rhs.advance_local(this->space, start, from, factor, steps, to);
    EXPECT_LE(difference(to_host(this->space, to), expected), 10 * this->epsilon * largest);
    rhs.advance_local(this->space, {}, from, factor, steps, to);
    EXPECT_LE(difference(to_host(this->space, to), alone), 10 * this->epsilon * largest);
    rhs.advance_local(this->space, start, from, factor, steps, start);
    EXPECT_LE(difference(to_host(this->space, start), expected), 10 * this->epsilon * largest);
  }
}

TYPED_TEST(EulerSteadyOn, SmoothingEqualsPlainLoops) {
  using Exec = typename TestFixture::Exec;
  using T = typename TestFixture::T;
  auto meshes = sample_meshes();
  meshes.push_back({"periodic square", square(7)});
  meshes.push_back({"periodic strip", mesh_rectangle({.low = {0, 0}, .high = {1, 0.2}, .size = 0.2})});
  for (auto const& [title, mesh] : meshes) {
    auto const group = title.starts_with("periodic") ? periodic_groups(mesh, {{1, 3}}) : std::vector<int>();
    auto const w = random_gas(mesh, gamma_of_air, group), base = random_gas(mesh, gamma_of_air);
    for (int const sweeps : {1, 2, 3, 4}) {
      SCOPED_TRACE(title + ", sweeps " + std::to_string(sweeps));
      ResidualSmoothing<Exec, T> const smoothing(this->space, make_triangle_mesh(this->space, mesh),
                                                 {.factor = 0.7, .sweeps = sweeps}, group);
      auto const from = to_device<Exec, T>(this->space, w), start = to_device<Exec, T>(this->space, base);
      EulerField<Exec, T> const to("karman::test::to", w.size());
      smoothing.smooth(this->space, from, to);
      auto expected = smoothed_by_loops(mesh, group, w, 0.7, sweeps);
      // Values of a few units; each sweep adds the values of all neighbours, about ten, and divides by about as much.
      double const allowed = 100 * sweeps * this->epsilon;
      EXPECT_LE(difference(to_host(this->space, to), expected), allowed);
      for (std::size_t i = 0; i < w.size(); ++i) {
        for (std::size_t c = 0; c < 4; ++c) expected[i][c] = base[i][c] + 0.25 * expected[i][c];
      }
      smoothing.advance(this->space, start, from, 0.25, start);
      EXPECT_LE(difference(to_host(this->space, start), expected), allowed);
    }
  }
}

/// A mesh with its groups and conditions, for stages.
struct StageSample {
  std::string title;
  MeshData mesh;
  std::vector<int> group;
  std::map<int, EulerBoundary> conditions;
};

std::vector<StageSample> stage_samples() {
  EulerState const wind{1, {0.5, 0.1}, 1};
  std::map<int, EulerBoundary> const walls{{1, {}}, {2, {}}, {3, {}}, {4, {}}};
  std::map<int, EulerBoundary> const open{
      {1, {EulerBoundaryKind::far_field, wind}}, {2, {}}, {3, {EulerBoundaryKind::outflow}}, {4, {}}};
  std::vector<StageSample> samples{{"square", square(10), {}, open},
                                   {"shuffled square", shuffled(square(12)), {}, open}};
  for (auto const& mesh : {square(9), mesh_rectangle({.low = {0, 0}, .high = {1, 0.2}, .size = 0.2})}) {
    samples.push_back({"periodic", mesh, periodic_groups(mesh, {{1, 3}}), walls});
    samples.push_back({"periodic twice", mesh, periodic_groups(mesh, {{1, 3}, {2, 4}}), walls});
  }
  return samples;
}

TYPED_TEST(EulerSteadyOn, FusedStagesEqualTheirParts) {
  using Exec = typename TestFixture::Exec;
  using T = typename TestFixture::T;
  double const factor = 1.0 / 3;
  for (auto const& [title, mesh, group, conditions] : stage_samples()) {
    auto const device_mesh = make_triangle_mesh(this->space, mesh);
    auto const u = random_gas(mesh, gamma_of_air, group), base = random_gas(mesh, gamma_of_air, group);
    std::size_t const n = u.size();
    std::vector<double> dt(n);
    for (std::size_t i = 0; i < n; ++i) dt[i] = 0.001 * double(1 + (group.empty() ? int(i) : group[i]) % 7);
    auto const steps = numbers_on_device<Exec, T>(this->space, dt);
    auto const from = to_device<Exec, T>(this->space, u), start = to_device<Exec, T>(this->space, base);
    for (auto const& setup : every_setup()) {
      for (int const sweeps : {0, 1, 2}) {
        for (int const patch_nodes : {1, 17, 1000}) {
          SCOPED_TRACE(title + ", " + std::string(name(setup.strategy)) + ", sweeps " + std::to_string(sweeps) +
                       ", nodes " + std::to_string(patch_nodes));
          EulerRhs<Exec, T> rhs(this->space, device_mesh, setup, group);
          rhs.set_boundary(this->space, conditions);
          ResidualSmoothing<Exec, T> const smoothing(this->space, device_mesh,
                                                     {.factor = 0.7, .sweeps = std::max(sweeps, 1)}, group);
          EulerField<Exec, T> const change("karman::test::change", n), to("karman::test::to", n),
              projection("karman::test::projection", n), plain("karman::test::plain", n);
          rhs.project(this->space, from);
          rhs.advance_local(this->space, {}, from, 1, steps, change);
          if (sweeps > 0) smoothing.advance(this->space, start, change, factor, to);
          else rhs.advance_local(this->space, start, from, factor, steps, to);
          auto const expected = to_host(this->space, to);
          Vector<Exec, T> const rates("karman::test::rates", n), found_rates("karman::test::found_rates", 4 * n);
          rhs.local_rates(this->space, from, rates);

          EulerFusedStages<Exec, T> const fused(this->space, rhs, sweeps > 0 ? &smoothing : nullptr, patch_nodes);
          rhs.project(this->space, start);  // so that a projection is missed
          fused.project(this->space, from);
          fused.advance(this->space, start, from, factor, steps, to, found_rates);
          double largest = 0;
          for (auto const& node : expected) {
            for (double const value : node) largest = std::max(largest, std::abs(value));
          }
          EXPECT_LE(difference(to_host(this->space, to), expected), 50 * this->epsilon * largest);
          auto const each = on_host<Exec, T>(this->space, rates), four = on_host<Exec, T>(this->space, found_rates);
          for (std::size_t i = 0; i < 4 * n; ++i) EXPECT_NEAR(four[i], each[i % n], 50 * this->epsilon * each[i % n]);
          auto const own = to_device<Exec, T>(this->space, base);
          fused.advance(this->space, own, from, factor, steps, own, {});
          EXPECT_TRUE(to_host(this->space, own) == to_host(this->space, to)) << "over the base";
        }
      }
    }
  }
}

TYPED_TEST(EulerSteadyOn, FusedStagesOfNoGasHaveInfiniteRates) {
  using Exec = typename TestFixture::Exec;
  using T = typename TestFixture::T;
  auto const mesh = square(6);
  auto u = random_gas(mesh, gamma_of_air);
  u[24] = {1, 0, 0, -9};  // the middle of 7 by 7 nodes
  u[3] = {1, 0, 0, -9};   // on an open side
  EulerRhs<Exec, T> rhs(this->space, make_triangle_mesh(this->space, mesh), {.local_steps = true});
  rhs.set_boundary(this->space, {{1, {EulerBoundaryKind::outflow}}, {2, {}}, {3, {}}, {4, {}}});
  EulerFusedStages<Exec, T> const fused(this->space, rhs, nullptr, 10);
  auto const field = to_device<Exec, T>(this->space, u);
  EulerField<Exec, T> const to("karman::test::to", u.size());
  Vector<Exec, T> const found("karman::test::rates", 4 * u.size()), steps("karman::test::steps", u.size());
  fused.advance(this->space, field, field, 1, steps, to, found);
  auto const rates = on_host<Exec, T>(this->space, found);
  for (std::size_t const node : {3, 24, 23, 25, 17, 31}) EXPECT_EQ(rates[node], HUGE_VAL) << node;
  EXPECT_LT(rates[48], HUGE_VAL);
}

TYPED_TEST(EulerSteadyOn, SmoothingDampsWhatTheMeshHardlyResolves) {
  using Exec = typename TestFixture::Exec;
  using T = typename TestFixture::T;
  auto const mesh = square(16);
  ResidualSmoothing<Exec, T> const smoothing(this->space, make_triangle_mesh(this->space, mesh));
  Field4 uniform(mesh.nodes.size(), State4{1, -2, 3, 4}), rough = uniform;
  for (std::size_t i = 0; i < rough.size(); ++i) {
    double const sign = std::lround(16 * mesh.nodes[i][0]) % 2 == 0 ? 1 : -1;
    rough[i] = {sign, sign, sign, sign};
  }
  EulerField<Exec, T> const to("karman::test::to", rough.size());
  smoothing.smooth(this->space, to_device<Exec, T>(this->space, uniform), to);
  EXPECT_LE(difference(to_host(this->space, to), uniform), 50 * this->epsilon);
  smoothing.smooth(this->space, to_device<Exec, T>(this->space, rough), to);
  // Inside, 2 of 6 neighbours have the same sign: 1 -> (1 - 1) / 4 = 0 -> 1 / 4.
  auto const damped = to_host(this->space, to);
  EXPECT_NEAR(std::abs(damped[8 * 17 + 8][0]), 0.25, 10 * this->epsilon);
}

TYPED_TEST(EulerSteadyOn, StepsLaunchKernelsAndDoNothingElse) {
  using Exec = typename TestFixture::Exec;
  using T = typename TestFixture::T;
  auto const mesh = square(20);
  auto const u = random_gas(mesh, gamma_of_air);
  for (auto const& space : instances(this->space)) {
    auto const device_mesh = make_triangle_mesh(space, mesh);
    EulerRhs<Exec, T> rhs(space, device_mesh, {.local_steps = true});
    rhs.set_boundary(space, {{1, {}}, {2, {}}, {3, {}}, {4, {}}});
    ResidualSmoothing<Exec, T> const smoothing(space, device_mesh);
    EulerDerivative<Exec, T> plain(space, rhs), smoothed(space, rhs, smoothing);
    for (auto* derivative : {&plain, &smoothed}) {
      for (auto const method : {TimeMethod::minimal_storage_rk4, TimeMethod::ssp_rk3}) {
        auto const field = to_device<Exec, T>(space, u);
        Vector<Exec, T> const unknowns(field.data(), field.size());
        TimeIntegrator<Exec, T> integrator(space, derivative->size(), {.method = method, .local_steps = true});
        integrator.start(space, *derivative, unknowns, 0, {.cfl = 0.1});
        integrator.step(space, *derivative, unknowns);  // Kokkos makes scratch memory for the first teams
        expect_kernels_only(space, record([&] { integrator.step(space, *derivative, unknowns); }), 7);
        space.fence();
      }
    }
  }
}

TYPED_TEST(EulerSteadyOn, ManyStepsHaveTheBitsOfSingleOnes) {
  using Exec = typename TestFixture::Exec;
  using T = typename TestFixture::T;
  auto const mesh = square(20);
  auto const device_mesh = make_triangle_mesh(this->space, mesh);
  ResidualSmoothing<Exec, T> const smoothing(this->space, device_mesh);
  for (auto setup : every_setup()) {
    if (setup.strategy == EulerStrategy::atomic) setup = {.scheme = EulerScheme::muscl, .local_steps = true};
    EulerRhs<Exec, T> rhs(this->space, device_mesh, setup);
    EulerState const wind{1, {0.5, 0.1}, 1};
    rhs.set_boundary(
        this->space,
        {{1, {}}, {2, {EulerBoundaryKind::far_field, wind}}, {3, {}}, {4, {EulerBoundaryKind::far_field, wind}}});
    EulerFloorLimiter<Exec, T> floors(this->space, rhs, {0.01, 0.01});
    for (bool const smooth : {false, true}) {
      for (bool const local : {false, true}) {
        Field4 found[2];
        for (bool const together : {false, true}) {
          EulerDerivative<Exec, T> plain(this->space, rhs), smoothed(this->space, rhs, smoothing);
          plain.set_floors(&floors);
          auto* const derivative = smooth ? &smoothed : &plain;
          auto const field = to_device<Exec, T>(this->space, random_gas(mesh, gamma_of_air));
          Vector<Exec, T> const u(field.data(), field.size());
          TimeIntegrator<Exec, T> integrator(this->space, derivative->size(),
                                             {.method = TimeMethod::minimal_storage_rk4, .local_steps = local});
          integrator.start(this->space, *derivative, u, 0, {.cfl = 0.3});
          if (together) integrator.step(this->space, *derivative, u, 21);
          for (int n = 0; !together && n < 21; ++n) integrator.step(this->space, *derivative, u);
          EXPECT_EQ(integrator.diagnostics(this->space, u).breakdown, "");
          found[together] = karman::test::to_host(this->space, field);
        }
        EXPECT_TRUE(found[0] == found[1]) << static_cast<int>(setup.strategy) << (local ? ", local" : ", global");
      }
    }
  }
}

TYPED_TEST(EulerSteadyOn, PlansAnnounceTheirMemory) {
  using Exec = typename TestFixture::Exec;
  using T = typename TestFixture::T;
  auto const data = square(30);
  auto const mesh = make_triangle_mesh(this->space, data);
  for (int const sweeps : {1, 2, 5}) {
    std::unique_ptr<ResidualSmoothing<Exec, T>> smoothing;
    auto const found = allocated_bytes<Exec>([&] {
      smoothing = std::make_unique<ResidualSmoothing<Exec, T>>(this->space, mesh, ResidualSmoothingSetup{0.5, sweeps});
    });
    std::int64_t const beyond = found.beyond(smoothing->workspace_bytes());
    EXPECT_GE(beyond, 0);
    EXPECT_LE(beyond, 7 * found.views);
  }
  EulerRhs<Exec, T> const global(this->space, mesh), local(this->space, mesh, {.local_steps = true});
  auto const n = static_cast<std::int64_t>(data.triangles.size()), nodes = static_cast<std::int64_t>(data.nodes.size());
  EXPECT_EQ(local.workspace_bytes() - global.workspace_bytes(), n * (12 + std::int64_t(sizeof(T))) + 4 * (nodes + 1));
}

TYPED_TEST(EulerSteadyOn, WrongInputIsRefused) {
  using Exec = typename TestFixture::Exec;
  using T = typename TestFixture::T;
  auto const mesh = make_triangle_mesh(this->space, square(3));
  using Smoothing = ResidualSmoothing<Exec, T>;
  EXPECT_THROW(Smoothing(this->space, mesh, {.factor = -1}), std::invalid_argument);
  EXPECT_THROW(Smoothing(this->space, mesh, {.factor = HUGE_VAL}), std::invalid_argument);
  EXPECT_THROW(Smoothing(this->space, mesh, {.sweeps = 0}), std::invalid_argument);
  EXPECT_THROW(Smoothing(this->space, mesh, {}, {0, 1}), std::invalid_argument) << "too few groups";
  EXPECT_THROW(Smoothing(this->space, mesh, {}, std::vector<int>(16, 16)), std::invalid_argument) << "no node";
  Smoothing const smoothing(this->space, mesh);
  EulerField<Exec, T> const u("karman::test::u", 16), to("karman::test::to", 16), small("karman::test::small", 9);
  EXPECT_THROW(smoothing.smooth(this->space, u, u), std::invalid_argument);
  EXPECT_THROW(smoothing.smooth(this->space, small, to), std::invalid_argument);
  EXPECT_THROW(smoothing.advance(this->space, small, u, 1, to), std::invalid_argument);
  Vector<Exec, T> const rates("karman::test::rates", 16), few("karman::test::few", 15);
  EulerRhs<Exec, T> rhs(this->space, mesh, {.local_steps = true}), global(this->space, mesh);
  EXPECT_THROW(rhs.local_rates(this->space, u, rates), std::invalid_argument) << "no boundary";
  for (auto* each : {&rhs, &global}) each->set_boundary(this->space, {{1, {}}, {2, {}}, {3, {}}, {4, {}}});
  EXPECT_THROW(rhs.local_rates(this->space, u, few), std::invalid_argument);
  EXPECT_THROW(rhs.local_rates(this->space, small, rates), std::invalid_argument);
  EXPECT_THROW(global.local_rates(this->space, u, rates), std::invalid_argument) << "no memory for it";
  EXPECT_THROW(rhs.advance_local(this->space, u, u, 1, few, to), std::invalid_argument);
  EXPECT_THROW(rhs.advance_local(this->space, small, u, 1, rates, to), std::invalid_argument);
  EXPECT_THROW(rhs.advance_local(this->space, {}, u, 1, rates, u), std::invalid_argument);
  auto const other = make_triangle_mesh(this->space, square(4));
  Smoothing const elsewhere(this->space, other);
  using Derivative = EulerDerivative<Exec, T>;
  EXPECT_THROW(Derivative(this->space, rhs, elsewhere), std::invalid_argument);
  using Fused = EulerFusedStages<Exec, T>;
  Smoothing const thrice(this->space, mesh, {.sweeps = 3});
  EulerRhs<Exec, T> const muscl(this->space, mesh, {.scheme = EulerScheme::muscl, .local_steps = true});
  EulerRhs<Exec, T> const moving(this->space, mesh, {.local_steps = true, .moving = true});
  EulerRhs<Exec, T> const closed(this->space, mesh, {.local_steps = true});
  for (EulerRhs<Exec, T> const* refused : {&std::as_const(global), &muscl, &moving}) {
    EXPECT_THROW(Fused(this->space, *refused, nullptr), std::invalid_argument);
  }
  EXPECT_THROW(Fused(this->space, rhs, &thrice), std::invalid_argument);
  EXPECT_THROW(Fused(this->space, rhs, &elsewhere), std::invalid_argument);
  EXPECT_THROW(Fused(this->space, rhs, nullptr, -1), std::invalid_argument);
  EXPECT_THROW(Fused(this->space, closed, nullptr).project(this->space, u), std::invalid_argument) << "no boundary";
  Fused const fused(this->space, rhs, nullptr);
  EXPECT_THROW(fused.project(this->space, small), std::invalid_argument);
  EXPECT_THROW(fused.advance(this->space, u, u, 1, few, to, {}), std::invalid_argument);
  EXPECT_THROW(fused.advance(this->space, small, u, 1, rates, to, {}), std::invalid_argument);
  EXPECT_THROW(fused.advance(this->space, u, u, 1, rates, small, {}), std::invalid_argument);
  EXPECT_THROW(fused.advance(this->space, to, u, 1, rates, u, {}), std::invalid_argument) << "result over u";
  EXPECT_THROW(fused.advance(this->space, u, u, 1, rates, to, rates), std::invalid_argument) << "rates of one variable";
  EulerRhs<Exec, T> const empty(this->space, make_triangle_mesh(this->space, MeshData{}), {.local_steps = true});
  Fused const none(this->space, empty, nullptr);
  EXPECT_EQ(none.patches(), 0);
  none.project(this->space, {});
  none.advance(this->space, {}, {}, 1, {}, {}, {});
}

/// The march of a supersonic flow around a corner to its steady state.
template <class Exec>
class Corner {
 public:
  using T = double;
  explicit Corner(Exec const& space)
      : mesh_(mesh_wedge({.length = 1, .height = 0.6, .corner = 0.3, .angle = -8, .size = 0.05})),
        device_mesh_(make_triangle_mesh(space, mesh_)),
        rhs_(space, device_mesh_, {.local_steps = true, .step_limits_tau = false}),
        smoothing_(space, device_mesh_) {
    rhs_.set_boundary(space, {{1, {EulerBoundaryKind::inflow, wind_}},
                              {2, {EulerBoundaryKind::outflow}},
                              {3, {}},
                              {4, {EulerBoundaryKind::far_field, wind_}}});
  }

  struct Result {
    Field4 u;
    int steps;
    double first, last;  ///< largest du/dt at the start and at the end
  };

  Result march(Exec const& space, bool local, bool smoothed, TimeMethod method, double cfl) {
    auto const u = to_device<Exec, T>(space, Field4(mesh_.nodes.size(), conservative_state(1.4, wind_)));
    Vector<Exec, T> const unknowns(u.data(), u.size());
    EulerDerivative<Exec, T> plain(space, rhs_), smooth(space, rhs_, smoothing_);
    auto& derivative = smoothed ? smooth : plain;
    TimeIntegrator<Exec, T> integrator(space, derivative.size(), {.method = method, .local_steps = local});
    integrator.start(space, derivative, unknowns, 0, {.cfl = cfl, .local_ratio = 1000});
    double const first = largest_change(space, u);
    Result result{{}, 0, first, first};
    while (result.steps < 2000 && result.last > 1e-9 * first) {
      integrator.step(space, derivative, unknowns, 20);
      result.steps += 20;
      result.last = largest_change(space, u);
    }
    EXPECT_EQ(integrator.diagnostics(space, unknowns).breakdown, "");
    result.u = karman::test::to_host(space, u);
    return result;
  }

 private:
  static double largest_of(State4 const& u) {
    double largest = 0;
    for (double const value : u) largest = std::max(largest, std::abs(value));
    return largest;
  }

  double largest_change(Exec const& space, EulerField<Exec, T> const& u) {
    EulerField<Exec, T> const change("karman::test::change", u.extent(0));
    rhs_.project(space, u);
    rhs_.evaluate(space, u, {}, change);
    double largest = 0;
    for (auto const& node : karman::test::to_host(space, change)) largest = std::max(largest, largest_of(node));
    return largest;
  }

  EulerState wind_{1, {2, 0}, 1 / 1.4};
  MeshData mesh_;
  TriangleMesh<Exec> device_mesh_;
  EulerRhs<Exec, T> rhs_;
  ResidualSmoothing<Exec, T> smoothing_;
};

template <class Parameter>
class EulerSteadyStateOn : public ::testing::Test {
 public:
  using Exec = typename Parameter::execution_space;
  Exec space;
};
TYPED_TEST_SUITE(EulerSteadyStateOn, karman::test::AllBackendsDouble, karman::test::BackendNames);

TYPED_TEST(EulerSteadyStateOn, EveryMarchEndsInTheSameState) {
  Corner<typename TestFixture::Exec> corner(this->space);
  using enum TimeMethod;
  auto const global = corner.march(this->space, false, false, minimal_storage_rk4, 0.8);
  ASSERT_LE(global.last, 1e-9 * global.first);
  struct March {
    bool local, smoothed;
    TimeMethod method;
    double cfl;
    int steps;  ///< at most, measured with a margin of a fifth
  };
  for (auto const& [local, smoothed, method, cfl, steps] :
       {March{true, false, minimal_storage_rk4, 0.8, 660}, March{true, true, minimal_storage_rk4, 3, 540},
        March{false, true, minimal_storage_rk4, 2, 880}, March{true, false, ssp_rk3, 0.6, 900},
        March{true, true, ssp_rk3, 1.5, 1060}, March{true, true, low_storage_rk54, 2, 800}}) {
    SCOPED_TRACE(std::string(name(method)) + (local ? ", local" : ", global") + (smoothed ? ", smoothed" : ""));
    auto const found = corner.march(this->space, local, smoothed, method, cfl);
    EXPECT_LE(found.last, 1e-9 * found.first);
    EXPECT_LE(found.steps, steps);
    // The rest of the changes leaves the domain with the waves, in a time of about length / (v - c) = 1.
    EXPECT_LE(difference(found.u, global.u), found.last + global.last);
  }
}

/// A march from a uniform flow around a cylinder: the largest change of the pressure over the undisturbed pressure. All
/// heights are `flat` times the heights of a round one.
template <class Exec>
double change_of_pressure(Exec const& space, double mach, bool local, int steps, double flat = 1) {
  using T = double;
  MeshData mesh = mesh_annulus({.inner_radius = 1, .outer_radius = 3, .inner_size = 0.2, .outer_size = 0.4});
  for (auto& node : mesh.nodes) node[1] *= flat;
  auto const device_mesh = make_triangle_mesh(space, mesh);
  EulerRhs<Exec, T> rhs(space, device_mesh, {.local_steps = true, .step_limits_tau = false});
  double const pressure = 1 / gamma_of_air;  // the speed of sound is 1
  EulerState const flow{1, {mach, 0}, pressure};
  rhs.set_boundary(space, {{1, {}}, {2, {EulerBoundaryKind::far_field, flow}}});
  auto const u = to_device<Exec, T>(space, Field4(mesh.nodes.size(), conservative_state(gamma_of_air, flow)));
  Vector<Exec, T> const unknowns(u.data(), u.size());
  EulerDerivative<Exec, T> derivative(space, rhs);
  TimeIntegrator<Exec, T> integrator(space, derivative.size(),
                                     {.method = TimeMethod::minimal_storage_rk4, .local_steps = local});
  integrator.start(space, derivative, unknowns, 0, {.cfl = 0.8});
  for (int n = 0; n < steps; ++n) integrator.step(space, derivative, unknowns);
  EXPECT_EQ(integrator.diagnostics(space, unknowns).breakdown, "");
  double largest = 0;
  for (auto const& [rho, mx, my, energy] : karman::test::to_host(space, u)) {
    double const found = (gamma_of_air - 1) * (energy - 0.5 * (mx * mx + my * my) / rho);
    largest = std::max(largest, std::abs(found / pressure - 1));
  }
  return largest;
}

TYPED_TEST(EulerSteadyStateOn, GasAtRestStaysAtRest) {
  for (bool const local : {true, false}) {
    // Each of four stages adds a few roundings of energy and pressure.
    constexpr int steps = 100;
    double const found = change_of_pressure(this->space, 0, local, steps);
    EXPECT_LE(found, 4 * steps * 4 * std::numeric_limits<double>::epsilon()) << (local ? "local" : "global");
    // Long triangles amplify it no more.
    double const flat = change_of_pressure(this->space, 0, local, steps, 1e-3);
    EXPECT_LE(flat, 4 * steps * 4 * std::numeric_limits<double>::epsilon()) << (local ? "local" : "global");
  }
}

/// The wave of a wall that starts to move has the pressure rho c v, a share gamma Mach of the pressure; waves that meet
/// may add up to twice that.
TYPED_TEST(EulerSteadyStateOn, SlowFlowsMakeWavesOfTheirSpeed) {
  for (double const mach : {1e-8, 1e-5, 1e-2}) {
    for (bool const local : {true, false}) {
      double const found = change_of_pressure(this->space, mach, local, 100);
      EXPECT_LE(found, 2 * gamma_of_air * mach) << "Mach " << mach << (local ? ", local" : ", global");
    }
  }
}

}  // namespace euler_steady_test
