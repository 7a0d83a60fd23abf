// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A problem of compressible flow in a program's own types. No Kokkos.
#pragma once

#include "common/case/precision.hpp"
#include "common/mesh/point_finder.hpp"
#include <karman/mesh/mesh_data.hpp>
#include <karman/solvers/euler/euler_boundary.hpp>
#include <karman/solvers/euler/euler_implicit_options.hpp>
#include <karman/solvers/euler/euler_newton_options.hpp>
#include <karman/solvers/euler/euler_rhs_options.hpp>
#include <karman/solvers/mesh_motion/mesh_motion_options.hpp>
#include <karman/solvers/time/time_integrators_options.hpp>

#include <array>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace karman::euler {

using app::Precision;

/// Density, momentum in x and y, total energy, each per volume.
using Conservative = std::array<double, 4>;

/// Walls on which the pressure is summed.
struct ForceGroup {
  std::string name;
  std::set<int> labels;
  double length = 1;                         ///< m, chord of the coefficients
  std::array<double, 2> moment_at{0.25, 0};  ///< m
};

/// State of a boundary that varies along it or in time.
struct PrescribedState {
  std::function<EulerState(double x, double y, double t)> at;
  bool in_time = false;  ///< depends on t
};

/// m + a sin(2 pi f t + phase) + s t.
struct Oscillation {
  double mean = 0, amplitude = 0;
  double frequency = 0;  ///< f, Hz
  double phase = 0;      ///< rad
  double speed = 0;      ///< s, per second

  /// Not 0 at all times.
  bool acts() const { return mean != 0 || amplitude != 0 || speed != 0; }
};

/// Rigid motion of a body.
struct BodyMotion {
  std::set<int> labels;   ///< of the body; empty: nothing moves
  std::set<int> sliding;  ///< straight walls along the motion
  std::array<double, 2> pivot{0.25, 0};
  Oscillation angle;                 ///< rad, anticlockwise
  std::array<Oscillation, 2> shift;  ///< m
  MotionWeight weight = MotionWeight::quality;

  bool moves() const { return !labels.empty(); }
  bool turns() const { return angle.acts(); }
  /// Whether nodes of a label may move.
  bool moves(int label) const { return labels.count(label) != 0 || sliding.count(label) != 0; }
};

/// Residual smoothing of a steady march; a factor of 0: none.
struct Smoothing {
  double factor = 0;
  int sweeps = 2;
};

/// Newton's method towards a steady flow.
struct NewtonMethod {
  EulerNewtonSetup setup;
  EulerNewtonOptions options;
};

/// Implicit steps in time.
struct ImplicitMethod {
  EulerNewtonSetup setup = {};
  EulerImplicitMethod method = EulerImplicitMethod::bdf2;
  EulerImplicitOptions options = {};
};

/// One problem. Units as in the case, SI by default.
struct FlowProblem {
  MeshData mesh;
  std::map<int, EulerBoundary> boundaries;    ///< by label; labels of periodic sides need none
  std::vector<std::array<int, 2>> periodic;   ///< pairs of labels
  std::map<int, PrescribedState> prescribed;  ///< by label, instead of the state of its condition
  BodyMotion motion;
  Smoothing smoothing;
  double density_floor = 0, pressure_floor = 0;  ///< 0: none
  EulerState flow;                               ///< reference state
  EulerRhsSetup scheme;                          ///< with gamma
  TimeIntegratorSetup integrator;
  std::optional<NewtonMethod> newton;      ///< instead of the integrator
  std::optional<ImplicitMethod> implicit;  ///< instead of the integrator
  StepControl control;
  std::vector<ForceGroup> forces;
  std::vector<app::PointInMesh> gauges;
  double averages_from = std::numeric_limits<double>::infinity();  ///< s; infinity: no averages
  Precision precision = Precision::f64;

  /// Set-up of linear systems; null: there are none.
  EulerNewtonSetup const* linear_systems() const {
    return newton ? &newton->setup : implicit ? &implicit->setup : nullptr;
  }
};

/// Mach number of the flow through an edge of a boundary, positive outward, from the mean of its ends. `states` of the
/// nodes of the mesh.
double mach_through(double gamma, MeshData const& mesh, std::vector<Conservative> const& states,
                    std::array<int, 2> const& edge);

/// Pressure of a state.
inline double pressure_of(double gamma, Conservative const& u) {
  return (gamma - 1) * (u[3] - 0.5 * (u[1] * u[1] + u[2] * u[2]) / u[0]);
}

/// Density, velocity and pressure of a state.
inline EulerState state_of(double gamma, Conservative const& u) {
  return {u[0], {u[1] / u[0], u[2] / u[0]}, pressure_of(gamma, u)};
}

}  // namespace karman::euler
