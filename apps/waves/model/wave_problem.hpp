// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Problem of the mild-slope equation: mesh, depth, boundaries, dissipation, method. No Kokkos.
#pragma once

#include "common/precision.hpp"
#include <karman/mesh/mesh_data.hpp>
#include <karman/solvers/fem_assembly_options.hpp>
#include <karman/solvers/general_krylov_options.hpp>

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
  incident,   ///< lets the incident waves in and whatever comes back out
  open,       ///< lets waves out
  reflecting  ///< a wall, a beach, a breakwater: reflects R e^{i beta} of the arriving wave
};

/// One stretch of boundary, all edges of one label.
struct WaveBoundary {
  BoundaryKind kind = BoundaryKind::reflecting;
  double reflection = 1;  ///< R, 0 to 1, where reflecting
  double phase = 0;       ///< beta, rad, where reflecting: the reflected wave leaves with this lead
  /// Waves arrive from directions that are not known: their angle is taken from the solution itself by a second
  /// derivative along the boundary. Otherwise `angle` holds everywhere on this boundary.
  bool unknown_angle = true;
  double angle = 0;  ///< rad from the normal, below pi/2 in magnitude, where known
  /// Radius, m, of an incident or open boundary that is an arc around the place from where waves radiate; 0: straight.
  double radius = 0;
};

/// A plane wave a cos(k (d, x - x0) - omega t + phase), d = (cos direction, sin direction), x0 the origin of the mesh.
struct IncidentWave {
  double amplitude = 0;  ///< a, m: half the height
  double direction = 0;  ///< rad, where it travels to, anticlockwise from +x
  double phase = 0;      ///< rad
};

/// Waves of one period that interfere: one linear system.
struct WaveComponent {
  double period = 0;  ///< s
  std::vector<IncidentWave> waves;
  /// Reference of heights, m: that of the wave, 2 sqrt(sum of amplitude^2) of several.
  double height = 0;
  /// How many of the waves, the last ones, are mirror images that a coast sends back.
  std::size_t images = 0;
};

/// How incident waves follow a depth that varies along the incident boundary.
struct Refraction {
  /// Off: every incident wave has its direction and amplitude all along the boundary; its phase follows the local wave
  /// number. On: the waves come over straight, parallel contours from the water of depth `depth`, where direction and
  /// amplitude hold, by Snell's law and with the energy flux between two rays kept.
  bool parallel_contours = false;
  double depth = 0;   ///< m
  double across = 0;  ///< rad from +x, the direction in which the depth changes
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
  /// The one of these that the law asks for, at each node; empty: the same everywhere.
  std::vector<double> friction_at_nodes;

  BreakingLaw breaking = BreakingLaw::none;
  double breaking_index = 0.88;  ///< gamma_s of Battjes and Janssen: largest height / depth in shallow water
  double breaking_strength = 1;  ///< alpha of Battjes and Janssen
  double dally_decay = 0.15;     ///< K of Dally, Dean and Dalrymple
  double dally_stable = 0.4;     ///< Gamma: height / depth at which breaking ends
};

/// Do friction or breaking follow the height of the waves, so that they are found by iteration?
bool depends_on_height(Dissipation const& dissipation);

/// Uniform coefficient of the friction law; 0 without friction.
double friction_everywhere(Dissipation const& dissipation);

/// Picard iteration over the terms that depend on the solution: quadratic friction, breaking, dispersion by amplitude.
struct PicardSettings {
  int max_iterations = 50;
  double tolerance = 1e-3;  ///< of max |change of height| / max height
  double relaxation = 0.7;  ///< share of the new values that is taken, 0 < relaxation <= 1
};

/// Sparse factors on the host.
struct DirectMethod {};
/// Method for the linear systems.
using LinearMethod = std::variant<KrylovMethod, DirectMethod>;
/// `ilu` takes rows by colour and leaves out all fill, `ilu_fill` takes them as they are numbered and keeps fill of
/// some levels, in builds with Kokkos Kernels.
enum class Preconditioning { none, jacobi, ssor, ilu, ilu_fill, shifted_laplacian };

struct LinearSettings {
  std::optional<LinearMethod> method;             ///< nothing: by backend and size of the system
  std::optional<Preconditioning> preconditioner;  ///< nothing: jacobi
  double tolerance = 1e-8;                        ///< of |residual| / |right-hand side|, 2-norms
  int max_iterations = 20000;
  int restart = 100;   ///< of GMRES
  int fill_level = 5;  ///< of Preconditioning::ilu_fill
  /// A method that stalls hands over to the direct solver on the host, from where it can be had.
  bool fall_back = true;
};

/// One problem; its periods and incident waves come with each solve.
struct WaveProblem {
  MeshData mesh;                           ///< m
  std::vector<double> depth;               ///< still water with the tide, m, positive, one value per node
  std::map<int, WaveBoundary> boundaries;  ///< by label; every label of the mesh must be here
  Refraction refraction;
  Dissipation dissipation;
  /// Adds the terms of the bed's slope squared and of its curvature to the mild-slope equation.
  bool extended = false;
  /// Higher waves are longer: the wave number follows from the height as well (Kirby and Dalrymple 1986). By Picard
  /// iteration. Each component has the height of its own waves there; at the boundary each incident wave has.
  bool amplitude_dispersion = false;
  /// Share of the mass matrix that is lumped, 0 to 1. With 1/2 waves on a good mesh travel at the right speed to the
  /// fourth power of the size of its edges; 0 is the plain Galerkin method.
  double lumping = 0.5;
  PicardSettings picard;
  LinearSettings linear;
  AssemblyStrategy assembly = AssemblyStrategy::automatic;
  Precision precision = Precision::f64;
};

/// Errors of a problem, each a sentence that names the field, the place (node, edge or label), the
/// value and the requirement; empty if it can be solved. At most `limit` sentences. The mesh itself is for
/// check_mesh().
std::vector<std::string> problems_of(WaveProblem const& problem, int limit = 10);

/// The same for a period (s) and its incident waves.
std::vector<std::string> problems_of(WaveProblem const& problem, double period, std::vector<IncidentWave> const& waves);

}  // namespace karman::waves
