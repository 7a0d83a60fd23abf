// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The finite-volume scheme of the Euler equations against plain loops and exact solutions.
#include "backends.hpp"
#include "core/mesh/sample_meshes.hpp"
#include "euler_edges.hpp"
#include "euler_march.hpp"
#include <karman/mesh/mesh_generators.hpp>
#include <karman/mesh/periodic_nodes.hpp>
#include <karman/solvers/euler/euler_rhs.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numbers>
#include <string>
#include <vector>

namespace euler_muscl_test {

using namespace karman;
using namespace karman::test;

constexpr double gamma_of_air = 1.4;

template <class Parameter>
class EulerMuscl : public ::testing::Test {
 public:
  using Exec = typename Parameter::execution_space;
  using T = typename Parameter::real;
  Exec space;
  static constexpr double epsilon = std::numeric_limits<T>::epsilon();

  Field4 evaluate(EulerRhs<Exec, T>& rhs, Field4 const& u, DeviceNumber<Exec> const& rate = {}) {
    auto const field = to_device<Exec, T>(space, u);
    EulerField<Exec, T> const result("karman::test::result", u.size());
    rhs.project(space, field);
    rhs.evaluate(space, field, {}, result, rate);
    return to_host(space, result);
  }
};
TYPED_TEST_SUITE(EulerMuscl, karman::test::AllBackends, karman::test::BackendNames);

/// In the given order, and along a curve.
std::vector<EulerRhsSetup> both_orders() {
  return {{.scheme = EulerScheme::muscl, .order = EulerOrder::as_given},
          {.scheme = EulerScheme::muscl, .order = EulerOrder::along_curve, .local_steps = true}};
}

TYPED_TEST(EulerMuscl, EqualsPlainLoops) {
  using Exec = typename TestFixture::Exec;
  using T = typename TestFixture::T;
  for (auto const& [title, mesh] : sample_meshes()) {
    auto const u = random_gas(mesh, gamma_of_air);
    auto const expected = edge_reference(mesh, u, gamma_of_air);
    for (auto const& setup : both_orders()) {
      SCOPED_TRACE(title + ", " + described(setup));
      EulerRhs<Exec, T> rhs(this->space, make_triangle_mesh(this->space, mesh), setup);
      rhs.set_boundary(this->space, everywhere(mesh, {EulerBoundaryKind::outflow}));
      auto const rate = device_number(this->space, -1);
      auto const found = this->evaluate(rhs, u, rate);
      // Rounding of some hundred operations, as for the other scheme; random jumps at the kinks of the limiter.
      double const allowed = 3000 * this->epsilon;
      EXPECT_LE(relative_difference(found, expected.rate_of_change), allowed);
      if (!mesh.triangles.empty()) {
        double const largest = *std::max_element(expected.rates.begin(), expected.rates.end());
        EXPECT_NEAR(to_host(this->space, rate), largest, allowed * largest);
      }
    }
  }
}

TYPED_TEST(EulerMuscl, BoundariesAndPeriodicSidesEqualPlainLoops) {
  using Exec = typename TestFixture::Exec;
  using T = typename TestFixture::T;
  EulerState const wind{1.2, {0.4, -0.3}, 0.9};
  auto const given = conservative_state(gamma_of_air, wind);
  auto const mesh = square(8);
  auto const device_mesh = make_triangle_mesh(this->space, mesh);
  auto conditions = everywhere(mesh, {EulerBoundaryKind::wall});
  for (auto const kind : {EulerBoundaryKind::far_field, EulerBoundaryKind::inflow}) {
    conditions[4] = {kind, wind};
    for (auto const& group : {std::vector<int>(), periodic_groups(mesh, {{1, 3}})}) {
      auto const u = random_gas(mesh, gamma_of_air, group);
      std::set<int> const walls = group.empty() ? std::set<int>{1, 2, 3} : std::set<int>{2};
      auto const expected = edge_reference(mesh, u, gamma_of_air, group, {{4, given}}, walls).rate_of_change;
      for (auto const& setup : both_orders()) {
        SCOPED_TRACE(described(setup) + (group.empty() ? "" : ", periodic"));
        EulerRhs<Exec, T> rhs(this->space, device_mesh, setup, group);
        rhs.set_boundary(this->space, conditions);
        EXPECT_LE(relative_difference(this->evaluate(rhs, u), expected), 1000 * this->epsilon);
      }
    }
  }
}

/// In a strip of two cells a node has the same neighbour on either side; in one of one cell it is its own neighbour.
TYPED_TEST(EulerMuscl, NarrowPeriodicStripsEqualPlainLoops) {
  using Exec = typename TestFixture::Exec;
  using T = typename TestFixture::T;
  for (double const height : {0.2, 0.4}) {
    auto const mesh = mesh_rectangle({.low = {0, 0}, .high = {1, height}, .size = 0.2});
    auto const group = periodic_groups(mesh, {{1, 3}, {2, 4}});
    auto const u = random_gas(mesh, gamma_of_air, group);
    auto const expected = edge_reference(mesh, u, gamma_of_air, group).rate_of_change;
    for (auto const& setup : both_orders()) {
      SCOPED_TRACE(described(setup));
      EulerRhs<Exec, T> rhs(this->space, make_triangle_mesh(this->space, mesh), setup, group);
      EXPECT_LE(relative_difference(this->evaluate(rhs, u), expected), 1000 * this->epsilon);
    }
  }
}

TYPED_TEST(EulerMuscl, LocalRatesAndStagesEqualPlainLoops) {
  using Exec = typename TestFixture::Exec;
  using T = typename TestFixture::T;
  auto const mesh = shuffled(square(9));
  auto const u = random_gas(mesh, gamma_of_air);
  auto const expected = edge_reference(mesh, u, gamma_of_air);
  for (auto setup : both_orders()) {
    SCOPED_TRACE(described(setup));
    setup.local_steps = true;
    EulerRhs<Exec, T> rhs(this->space, make_triangle_mesh(this->space, mesh), setup);
    // Walls add no rate.
    rhs.set_boundary(this->space, everywhere(mesh, {EulerBoundaryKind::wall}));
    auto const field = to_device<Exec, T>(this->space, u);
    Vector<Exec, T> const rates("karman::test::rates", u.size());
    rhs.local_rates(this->space, field, rates);
    auto const found = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), rates);
    for (std::size_t i = 0; i < u.size(); ++i) {
      EXPECT_NEAR(found(i), expected.local_rates[i], 100 * this->epsilon * expected.local_rates[i]) << i;
    }
    auto const change = this->evaluate(rhs, u);
    Vector<Exec, T> const steps("karman::test::steps", u.size());
    auto const host = Kokkos::create_mirror_view(steps);
    for (std::size_t i = 0; i < u.size(); ++i) host(i) = T(1e-3 * double(1 + i % 7));
    Kokkos::deep_copy(steps, host);
    EulerField<Exec, T> const to("karman::test::to", u.size());
    rhs.advance_local(this->space, field, field, 0.5, steps, to);
    Field4 stage = u;
    for (std::size_t i = 0; i < u.size(); ++i) {
      for (std::size_t c = 0; c < 4; ++c) stage[i][c] += 0.5 * double(host(i)) * change[i][c];
    }
    EXPECT_LE(relative_difference(to_host(this->space, to), stage), 10 * this->epsilon);
  }
}

/// The jumps of the vortex are smooth: the limiter is on, and leaves the order alone, in the maximum norm.
TYPED_TEST(EulerMuscl, VortexIsOfSecondOrder) {
  using Exec = typename TestFixture::Exec;
  using T = typename TestFixture::T;
  auto const error = [&](int n) {
    auto const mesh =
        mesh_rectangle({.low = {-5, -5}, .high = {5, 5}, .size = 10.0 / n, .diagonals = DiagonalPattern::right});
    auto const at = [](double x, double y) {
      double const swirl = 5 / (2 * std::numbers::pi) * std::exp((1 - x * x - y * y) / 2);
      double const temperature = 1 - 0.4 / 2.8 * swirl * swirl, rho = std::pow(temperature, 2.5);
      return air(rho, 1 - swirl * y, 1 + swirl * x, rho * temperature);
    };
    Field4 start;
    for (auto const& [x, y] : mesh.nodes) start.push_back(at(x, y));
    EulerRhs<Exec, T> rhs(this->space, make_triangle_mesh(this->space, mesh), {.scheme = EulerScheme::muscl},
                          periodic_groups(mesh, {{1, 3}, {2, 4}}));
    auto const end = march(this->space, rhs, start, 1, 1);
    double largest = 0;
    for (std::size_t i = 0; i < end.size(); ++i) {
      auto const [x, y] = mesh.nodes[i];
      auto const wrapped = [](double s) { return s < -5 ? s + 10 : s; };
      largest = std::max(largest, std::abs(end[i][0] - at(wrapped(x - 1), wrapped(y - 1))[0]));
    }
    return largest;
  };
  EXPECT_GE(std::log2(error(64) / error(128)), 1.9);
}

TYPED_TEST(EulerMuscl, RefusesNodesThatMove) {
  using Exec = typename TestFixture::Exec;
  using T = typename TestFixture::T;
  auto const mesh = make_triangle_mesh(this->space, square(3));
  EXPECT_THROW((EulerRhs<Exec, T>(this->space, mesh, {.scheme = EulerScheme::muscl, .moving = true})),
               std::invalid_argument);
}

}  // namespace euler_muscl_test
