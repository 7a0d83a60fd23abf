// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Options and figures of vorticity_solver.hpp. Standard library only.
#pragma once

#include <karman/solvers/transforms/fft_options.hpp>

#include <array>
#include <cstdint>
#include <numbers>
#include <string_view>
#include <vector>

namespace karman {

/// Method in time of a VorticitySolver. The first two integrate the linear terms exactly (integrating factor).
enum class VorticityMethod {
  low_storage_rk54,     ///< Carpenter and Kennedy, five stages, order 4
  low_storage_rk3,      ///< Williamson, three stages, order 3
  crank_nicolson_rk54,  ///< linear terms by Crank-Nicolson in each of the five stages: order 4, with viscosity 2
  crank_nicolson_rk3,   ///< linear terms by Crank-Nicolson in each of the three stages: order 3, with viscosity 2
  etdrk4                ///< exponential time differencing, four stages, order 4; for steps that seldom change
};

/// "low_storage_rk54", ..., "etdrk4".
std::string_view name(VorticityMethod method);

/// Stages of a method.
int stages(VorticityMethod method);

/// Modes that a VorticitySolver keeps. K is the largest whole number below a third of the points along an axis.
enum class Dealiasing {
  circular,     ///< those in the ellipse with the radii K + 0.99: no aliasing, the same in all directions
  square,       ///< up to K along each axis: no aliasing
  exponential,  ///< all but the highest; after each step those near the ends fade, exp(-36 (k / k_max)^36) per axis
  none          ///< all but the highest
};

/// "circular", "square", "exponential" or "none".
std::string_view name(Dealiasing dealiasing);

/// Order of the modes in the memory of a VorticitySolver, and of its passes. Steps differ in rounding alone; all
/// arguments keep their shape.
enum class SpectralOrder {
  automatic,  ///< on a device fused where the points suit it, else columns for planes from 36 MiB on where dealiasing
              ///< is circular or square; otherwise rows
  rows,       ///< both axes transformed at once, by a library
  columns,    ///< each axis by itself, with a transposition; columns without kept modes are left out
  fused       ///< columns; passes over points and over modes transform the lines that they read: 2^m or 3 * 2^m points
              ///< along each axis, from 16 to 2048
};

/// "auto", "rows", "columns" or "fused".
std::string_view name(SpectralOrder order);

/// Linear terms of the equation, each 0 or more except for beta:
///
///     - (nu (-laplacian)^p + mu + alpha (-laplacian)^-m) omega - beta v
struct VorticityTerms {
  double viscosity = 0;         ///< nu, m^(2p)/s
  int viscosity_order = 1;      ///< p, 1 ... 16: 1 is viscosity, more is hyperviscosity
  double friction = 0;          ///< mu, 1/s: Ekman friction
  double hypoviscosity = 0;     ///< alpha, 1/(m^(2m) s)
  int hypoviscosity_order = 1;  ///< m, 1 ... 16
  double beta = 0;              ///< 1/(m s), of the beta plane
};

/// Set-up of a VorticitySolver.
struct VorticitySetup {
  std::array<int, 2> points = {256, 256};                                        ///< nx and ny, 4 or more each
  std::array<double, 2> lengths = {2 * std::numbers::pi, 2 * std::numbers::pi};  ///< of the box, m
  VorticityTerms terms = {};                                                     ///< linear terms
  VorticityMethod method = VorticityMethod::low_storage_rk54;                    ///< method in time
  Dealiasing dealiasing = Dealiasing::circular;                                  ///< modes
  FftPlanning planning = FftPlanning::estimate;                                  ///< of the transforms
  SpectralOrder order = SpectralOrder::automatic;                                ///< of the modes in memory
};

/// Largest cfl of StepControl at which a method is stable: dt (|u| / dx + |v| / dy) of a wave with the largest
/// wavenumber that the mesh keeps lies on the edge of the stability region.
double largest_cfl(VorticitySetup const& setup);

/// Modes that random forcing excites.
enum class RandomModes {
  ring,   ///< in each step all modes with | |k| - wavenumber | <= width / 2
  single  ///< in each step one of those modes, drawn at random
};

/// Forcing with random phases, white in time: after a step of length dt mode k gets sqrt(dt) a_k exp(i phi), less its
/// losses by the linear terms within the step. The amplitudes give an energy that grows at `energy_rate` on
/// average. Phases depend on seed, step and mode alone: they are the same on every backend.
struct RandomForcing {
  RandomModes modes = RandomModes::ring;  ///< modes of a step
  double wavenumber = 10;                 ///< rad/m
  double width = 1;                       ///< of the ring, rad/m
  double energy_rate = 0;                 ///< m^2/s^3, of the energy per mass
  std::uint64_t seed = 1;                 ///< any number
};

/// Place of a run in time, with all that the next steps depend on besides the spectrum.
struct VorticityMoment {
  std::int64_t steps = 0;         ///< since the start; random forcing counts them
  double time = 0;                ///< s
  double dt = 0;                  ///< time step that the rules chose last; 0 before the first step
  double injected_energy = 0;     ///< by random forcing so far, before losses, m^2/s^2
  double injected_enstrophy = 0;  ///< by random forcing so far, before losses, 1/s^2
};

/// Changes per unit of time.
struct VorticityRates {
  double energy = 0;     ///< m^2/s^3
  double enstrophy = 0;  ///< 1/s^3
};

/// Means over the box.
struct VorticityFigures {
  VorticityMoment moment;           ///< when they were formed
  double energy = 0;                ///< of (u^2 + v^2) / 2, m^2/s^2
  double enstrophy = 0;             ///< of omega^2 / 2, 1/s^2
  double palinstrophy = 0;          ///< of |grad omega|^2 / 2, 1/(m^2 s^2)
  double lowest_energy = 0;         ///< in the modes of the lowest wavenumber along each axis, m^2/s^2
  VorticityRates viscosity;         ///< losses, positive
  VorticityRates friction;          ///< losses, positive
  VorticityRates hypoviscosity;     ///< losses, positive
  VorticityRates forcing;           ///< work of the steady forcing
  double rate = 0;                  ///< largest |u| / dx + |v| / dy at the start of the last step, 1/s
  bool finished = false;            ///< the end time is reached
  std::string_view breakdown = {};  ///< reason why no more steps are made; empty without one
};

/// Sums over shells of modes. Shell n holds |k| in [(n - 1/2) k_1, (n + 1/2) k_1), k_1 the lowest wavenumber along the
/// longer side.
struct VorticitySpectra {
  std::vector<double> wavenumber;          ///< n k_1, rad/m
  std::vector<double> energy;              ///< m^2/s^2; their sum is the energy
  std::vector<double> enstrophy;           ///< 1/s^2
  std::vector<double> energy_transfer;     ///< by the nonlinear term into the shell, m^2/s^3
  std::vector<double> enstrophy_transfer;  ///< 1/s^3
  std::vector<double> energy_flux;         ///< through |k| = (n + 1/2) k_1 to higher wavenumbers, m^2/s^3
  std::vector<double> enstrophy_flux;      ///< 1/s^3
};

}  // namespace karman
