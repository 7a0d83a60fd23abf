// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Steady flow around NACA 0012 with local steps and smoothing: lift and drag.
#include "backends.hpp"
#include "solvers/euler/euler_march.hpp"
#include <karman/mesh/flow_mesh_generators.hpp>
#include <karman/mesh/mesh_order.hpp>
#include <karman/solvers/euler/euler_derivative.hpp>
#include <karman/solvers/euler/residual_smoothing.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace airfoil_test {

using namespace karman;
using namespace karman::test;
using Exec = Kokkos::DefaultExecutionSpace;

struct Flow {
  double mach, degrees;
};

/// March of the flow around the airfoil. Twice the points halve all edges: the growth of the layers follows.
class Airfoil {
 public:
  Airfoil(int points, Flow const& flow)
      : flow_(flow),
        mesh_(made(points)),
        device_mesh_(make_triangle_mesh(space_, mesh_)),
        rhs_(space_, device_mesh_, {.local_steps = true, .step_limits_tau = false}),
        smoothing_(space_, device_mesh_),
        derivative_(space_, rhs_, smoothing_),
        integrator_(space_, derivative_.size(), {.local_steps = true}) {
    double const angle = flow.degrees * std::numbers::pi / 180;
    cosine_ = std::cos(angle);
    sine_ = std::sin(angle);
    // Speed of sound 1.
    EulerState const wind{1, {flow.mach * cosine_, flow.mach * sine_}, 1 / 1.4};
    rhs_.set_boundary(space_, {{1, {EulerBoundaryKind::wall}}, {2, {EulerBoundaryKind::far_field, wind}}});
    u_ = to_device<Exec, double>(space_, Field4(mesh_.nodes.size(), conservative_state(1.4, wind)));
    unknowns_ = Vector<Exec, double>(u_.data(), u_.size());
    change_ = EulerField<Exec, double>("karman::test::change", u_.extent(0));
    auto const inverse = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), rhs_.inverse_mass());
    for (std::size_t i = 0; i < inverse.extent(0); ++i) mass_.push_back(1 / inverse(i));
    integrator_.start(space_, derivative_, unknowns_, 0, {.cfl = 3, .local_ratio = 1e9});
    first_ = residual();
  }

  std::size_t triangles() const { return mesh_.triangles.size(); }

  /// Steps until the residual has dropped by these orders; false where it has not after `most` steps.
  bool march(double orders, int most) {
    while (std::log10(first_ / residual()) < orders) {
      if (steps_ >= most) return false;
      for (int n = 0; n < 100; ++n) integrator_.step(space_, derivative_, unknowns_);
      steps_ += 100;
    }
    return integrator_.diagnostics(space_, unknowns_).breakdown.empty();
  }

  struct Forces {
    double lift, drag;  ///< coefficients, chord 1
  };

  Forces forces() const {
    auto const u = karman::test::to_host(space_, u_);
    double fx = 0, fy = 0;
    for (std::size_t e = 0; e < mesh_.edges.size(); ++e) {
      if (mesh_.edge_labels[e] != 1) continue;
      auto const a = std::size_t(mesh_.edges[e][0]), b = std::size_t(mesh_.edges[e][1]);
      // The flow lies on the left of an edge, the airfoil on the right.
      double const p = (pressure_of(u[a]) + pressure_of(u[b])) / 2 - 1 / 1.4;
      fx += p * (mesh_.nodes[b][1] - mesh_.nodes[a][1]);
      fy -= p * (mesh_.nodes[b][0] - mesh_.nodes[a][0]);
    }
    double const dynamic = 0.5 * flow_.mach * flow_.mach;
    return {(fy * cosine_ - fx * sine_) / dynamic, (fx * cosine_ + fy * sine_) / dynamic};
  }

 private:
  static MeshData made(int points) {
    auto const mesh = mesh_airfoil({.points = points, .growth = 1 + 0.08 * 128 / points});
    return renumbered(mesh, hilbert_curve(mesh));
  }

  /// Root mean square over the nodes of mass times d rho / dt.
  double residual() {
    rhs_.evaluate(space_, u_, {}, change_);
    auto const change = karman::test::to_host(space_, change_);
    double sum = 0;
    for (std::size_t i = 0; i < change.size(); ++i) sum += std::pow(mass_[i] * change[i][0], 2);
    return std::sqrt(sum / double(change.size()));
  }

  Exec space_;
  Flow flow_;
  MeshData mesh_;
  TriangleMesh<Exec> device_mesh_;
  EulerRhs<Exec, double> rhs_;
  ResidualSmoothing<Exec, double> smoothing_;
  EulerDerivative<Exec, double> derivative_;
  TimeIntegrator<Exec, double> integrator_;
  EulerField<Exec, double> u_, change_;
  Vector<Exec, double> unknowns_;
  std::vector<double> mass_;
  double cosine_, sine_, first_;
  int steps_ = 0;
};

/// SU2's regression test has lift 0.335 and drag 0.0222.
TEST(Airfoil, TransonicFlowHasTheLiftAndDragOfOthers) {
  Airfoil flow(128, {0.8, 1.25});
  EXPECT_GE(flow.triangles(), 10'000U);
  ASSERT_TRUE(flow.march(4, 6000));
  auto const early = flow.forces();
  ASSERT_TRUE(flow.march(4.7, 6000));
  auto const late = flow.forces();
  EXPECT_GE(late.lift, 0.33);
  EXPECT_LE(late.lift, 0.37);
  EXPECT_GE(late.drag, 0.021);
  EXPECT_LE(late.drag, 0.025);
  EXPECT_NEAR(late.lift, early.lift, 1e-4);
  EXPECT_NEAR(late.drag, early.drag, 1e-5);
}

/// Without a shock and without viscosity all drag is an error of the mesh.
TEST(Airfoil, SubsonicDragVanishesWithTheMesh) {
  Airfoil coarse(64, {0.5, 0}), fine(128, {0.5, 0});
  ASSERT_TRUE(coarse.march(3, 6000));
  ASSERT_TRUE(fine.march(3, 6000));
  EXPECT_GE(std::log2(coarse.forces().drag / fine.forces().drag), 1.8);
  EXPECT_LE(fine.forces().drag, 0.0008);
  for (auto* flow : {&coarse, &fine}) EXPECT_NEAR(flow->forces().lift, 0, 1e-4);
}

}  // namespace airfoil_test
