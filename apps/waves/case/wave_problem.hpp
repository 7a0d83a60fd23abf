// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Problem of the mild-slope equation: mesh, depth, boundaries, dissipation, method. No Kokkos.
#pragma once

#include "common/case/precision.hpp"
#include <karman/mesh/mesh_data.hpp>
#include <karman/solvers/fem/fem_assembly_options.hpp>
#include <karman/solvers/sparse/direct_solver_options.hpp>
#include <karman/solvers/sparse/krylov_options.hpp>

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace karman::waves {

using app::Precision;

/// Condition on a stretch of boundary.
enum class BoundaryKind {
  incident,   ///< lets incident waves in and all other waves out
  open,       ///< lets waves out
  reflecting  ///< a wall, a beach, a breakwater: reflects R e^{i beta} of the arriving wave
};

/// One stretch of boundary, all edges of one label.
struct WaveBoundary {
  BoundaryKind kind = BoundaryKind::reflecting;
  double reflection = 1;  ///< R, 0 to 1, where reflecting
  double phase = 0;       ///< beta, rad, where reflecting: phase lead of the reflected wave
  /// Waves arrive from unknown directions. Their angle follows from the solution itself, by a second derivative along
  /// the boundary. Otherwise `angle` holds everywhere on this boundary.
  bool unknown_angle = true;
  double angle = 0;  ///< rad from the normal, below pi/2 in magnitude, where known
  /// Radius, m, of an incident or open boundary that is an arc around the origin of the waves; 0: straight.
  double radius = 0;
};

/// A plane wave a cos(k (d, x - x0) - omega t + phase), d = (cos direction, sin direction), x0 the origin of the mesh.
struct IncidentWave {
  double amplitude = 0;  ///< a, m: half the height
  double direction = 0;  ///< rad, of travel, anticlockwise from +x
  double phase = 0;      ///< rad
};

/// Waves of one period that interfere: one linear system.
struct WaveComponent {
  double period = 0;  ///< s
  std::vector<IncidentWave> waves;
  /// Reference of heights, m: that of the wave, 2 sqrt(sum of amplitude^2) of several.
  double height = 0;
  /// Number of waves, the last ones, that are mirror images reflected by a coast.
  std::size_t images = 0;
  /// The band of the spectrum that the component represents, from and to these fractions of the energy below its
  /// frequency; equal: a wave of the period alone.
  double share_from = 0, share_to = 0;
};

/// Refraction of incident waves where the depth varies along the incident boundary.
struct Refraction {
  /// Off: every incident wave keeps its direction and amplitude along the boundary, and its phase follows the local
  /// wave number. On: the waves arrive over straight, parallel contours from water of the depth `depth`, where
  /// direction and amplitude hold. They follow Snell's law, with constant energy flux between two rays.
  bool parallel_contours = false;
  double depth = 0;   ///< m
  double across = 0;  ///< rad from +x, direction of the depth's change
};

enum class FrictionLaw {
  none,
  linear,     ///< W given
  quadratic,  ///< bed stress rho c_f u|u|, u the orbital velocity at the bed
  rough       ///< the same, f_w = 2 c_f from the roughness of the bed and the orbital amplitude (Swart 1974)
};

enum class BreakingLaw { none, battjes_janssen, dally };

/// Dissipation laws. W is the rate: dE/dt = -W E, 1/s.
struct Dissipation {
  FrictionLaw friction = FrictionLaw::none;
  double rate = 0;         ///< W, 1/s, of the linear law
  double coefficient = 0;  ///< c_f of the quadratic law; half of Jonsson's f_w
  double roughness = 0;    ///< k_s, m, of the rough law; 0: no friction
  /// The coefficient of the chosen law at each node; empty: uniform.
  std::vector<double> friction_at_nodes;

  BreakingLaw breaking = BreakingLaw::none;
  double breaking_index = 0.88;  ///< gamma_s of Battjes and Janssen: largest height / depth in shallow water
  double breaking_strength = 1;  ///< alpha of Battjes and Janssen
  double dally_decay = 0.15;     ///< K of Dally, Dean and Dalrymple
  double dally_stable = 0.4;     ///< Gamma: height / depth at which breaking ends
};

/// True if friction or breaking depend on the height of the waves, so that they need an iteration.
bool depends_on_height(Dissipation const& dissipation);

/// Uniform coefficient of the friction law; 0 without friction.
double friction_everywhere(Dissipation const& dissipation);

/// Picard iteration over the terms that depend on the solution: quadratic friction, breaking, dispersion by amplitude.
struct PicardSettings {
  int max_iterations = 50;
  double tolerance = 1e-3;  ///< of max |change of height| / max height
  double relaxation = 0.7;  ///< fraction of the new values that is used, 0 < relaxation <= 1
};

/// Direct solution by sparse factors on the host.
struct DirectMethod {};
/// Solution method of the linear systems.
using LinearMethod = std::variant<KrylovMethod, DirectMethod>;
/// `ilu` takes rows by colour and drops all fill. `ilu_fill` takes them in their order and keeps fill of some levels,
/// in builds with Kokkos Kernels. `shifted_laplacian` is a coloured sweep on the damped operator, `amg` a cycle of
/// algebraic multigrid on it.
enum class Preconditioning { none, jacobi, ssor, ilu, ilu_fill, shifted_laplacian, amg };

struct LinearSettings {
  std::optional<LinearMethod> method;             ///< nothing: by preconditioner, backend and size of the system
  std::optional<Preconditioning> preconditioner;  ///< nothing: by size of the system and nodes per wavelength
  double tolerance = 1e-8;                        ///< of |residual| / |right-hand side|, 2-norms
  int max_iterations = 20000;
  int restart = 100;   ///< of GMRES
  int fill_level = 5;  ///< of Preconditioning::ilu_fill
  DirectLibrary library = DirectLibrary::automatic;
  /// A stalled method is replaced by the direct solver on the host, where the build has one.
  bool fall_back = true;
  /// Mean nodes per wavelength of the mesh, for the preconditioner by size and resolution; 0: unknown, counts as many.
  double nodes_per_wavelength = 0;
};

/// One problem; its periods and incident waves are arguments of each solve.
struct WaveProblem {
  MeshData mesh;                           ///< m
  std::vector<double> depth;               ///< still water with the tide, m, positive, one value per node
  std::map<int, WaveBoundary> boundaries;  ///< by label; every label of the mesh must be here
  Refraction refraction;
  Dissipation dissipation;
  /// Adds the terms of the bed's slope squared and of its curvature to the mild-slope equation.
  bool extended = false;
  /// Higher waves are longer: the wave number depends on the height as well (Kirby and Dalrymple 1986). By Picard
  /// iteration. Each component has the height of its own waves; at the boundary each incident wave has its own.
  bool amplitude_dispersion = false;
  /// Lumped fraction of the mass matrix, 0 to 1. With 1/2, waves on a good mesh have the right speed to fourth order in
  /// the edge length. 0 is the plain Galerkin method.
  double lumping = 0.5;
  PicardSettings picard;
  LinearSettings linear;
  AssemblyStrategy assembly = AssemblyStrategy::automatic;
  Precision precision = Precision::f64;
};

/// Errors of a problem, each a sentence with field, place (node, edge or label), value and requirement; empty if it can
/// be solved. At most `limit` sentences. check_mesh() checks the mesh itself.
std::vector<std::string> problems_of(WaveProblem const& problem, int limit = 10);

/// The same for a period (s) and its incident waves.
std::vector<std::string> problems_of(WaveProblem const& problem, double period, std::vector<IncidentWave> const& waves);

}  // namespace karman::waves
