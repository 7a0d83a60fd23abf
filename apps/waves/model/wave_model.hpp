// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Solver of the mild-slope equation on one backend, behind an interface without Kokkos.
#pragma once

#include "wave_report.hpp"
#include "wave_snapshot.hpp"
#include "waves/case/wave_problem.hpp"
#include <karman/core/backend_name.hpp>

#include <complex>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace karman::waves {

/// Called after every iteration, with superposed components after each of them; false stops.
using Monitor = std::function<bool(PicardSample const&)>;

/// Energy fluxes through the boundary and losses inside, W (rho = 1000 kg/m^3). The boundary terms are terms of the
/// discrete equation. So incident = reflected + radiated + absorbed + friction + breaking, to the accuracy of the
/// linear and the Picard iteration.
struct EnergyBalance {
  double incident = 0;   ///< brought in by the incident waves
  double reflected = 0;  ///< out through the incident boundary, with the flux along it
  double radiated = 0;   ///< out through open boundaries
  double absorbed = 0;   ///< by reflecting boundaries with R < 1
  double friction = 0, breaking = 0;
  double imbalance = 0;  ///< (incident - all others) / incident; 0 without incident waves
};

/// The waves of one component. Vectors have one value per node. Time runs as e^{-i omega t}:
/// surface(t) = Re(elevation e^{-i omega t}).
struct WaveState {
  double period = 0;                            ///< s
  std::vector<std::complex<double>> elevation;  ///< m
  std::vector<double> wave_number;              ///< rad/m
  std::vector<double> celerity;                 ///< m/s
  std::vector<double> group_celerity;           ///< m/s
  std::vector<double> height;                   ///< 2 |elevation|, m
  std::vector<double> phase;                    ///< arg(elevation), rad, -pi to pi
  std::vector<double> direction;                ///< of the energy flux, rad, anticlockwise from +x; 0 where still
  std::vector<double> flux_x, flux_y;           ///< energy flux, W/m
  std::vector<double> bed_velocity;             ///< amplitude of the orbital velocity at the bed, m/s
  std::vector<double> friction, breaking;       ///< W of each, 1/s
  std::vector<double> dissipation;              ///< energy lost to both, W/m^2
  std::vector<double> breaking_fraction;        ///< Q_b of Battjes and Janssen; 0 or 1 with Dally's law
  std::vector<double> stress_xx, stress_xy, stress_yy;  ///< radiation stress, N/m
  double nodes_per_wavelength = 0;                      ///< the least of wavelength / longest edge over the triangles
  EnergyBalance energy;
  WaveReport report;
};

/// Receives the waves of one component and its number. Returns false to stop.
using WaveReceiver = std::function<bool(std::size_t component, WaveState state)>;

/// A problem with all data kept between solves: mesh, profile, colours, map, workspaces. A solve is one call of solve()
/// or solve_together(). In pieces it is begin(), go_on() until it returns true, and state() of each component.
class WaveModel {
 public:
  virtual ~WaveModel() = default;
  /// Computes the waves of one period, s. Waits. A stalled solver is reported, and the last iterate returned. Throws
  /// std::invalid_argument with the first of problems_of(problem, period, waves).
  WaveState solve(double period, std::vector<IncidentWave> const& waves, Monitor const& monitor = {});
  /// Computes superposed components, with uncorrelated phases. Friction and breaking of each follow from the sum of all
  /// (sea_friction_and_breaking.hpp). So one Picard iteration covers all of them, and either all converge or none. At
  /// its end `take` receives them in order; where the iteration ended in the first pass, only those with a solution. A
  /// single component is solved as by solve(). Needs the memory of sea_bytes(). Otherwise as solve().
  void solve_together(std::vector<WaveComponent> const& components, WaveReceiver const& take,
                      Monitor const& monitor = {});

  /// Prepares the solve of these components, at least one, from still water. Waits. Throws as solve() does.
  virtual void begin(std::vector<WaveComponent> const& components) = 0;
  /// Continues from begin(), from restore(), or from the place where the monitor stopped. Returns false where the
  /// monitor stopped it between two linear systems and the solve is unfinished. Waits.
  virtual bool go_on(Monitor const& monitor) = 0;
  /// True after a solve that ended, not converged, at its largest number of Picard iterations.
  virtual bool at_limit() const = 0;
  /// Number of components that have a solution, counted from the first.
  virtual std::size_t solved() const = 0;
  /// Waves of one of these components. Waits.
  virtual WaveState state(std::size_t component) = 0;

  /// Values of all components from which state() follows. Waits.
  virtual WaveValues values() const = 0;
  /// Restores the values of the components of begin(), for state(). Waits. Throws std::invalid_argument for wrong
  /// sizes.
  virtual void set_values(WaveValues const& values) = 0;
  /// State of a solve that the monitor stopped, or that ended at its largest number of Picard iterations. Cost: a copy
  /// of the fields to the host. Waits.
  virtual WaveSnapshot snapshot() const = 0;
  /// Restores it after begin() with the same components of the same problem. On the same backend go_on() then gives the
  /// bits of a solve that was not stopped. Cost: one factorisation where factors were kept. Waits. Throws
  /// std::invalid_argument for sizes or a position that do not fit.
  virtual void restore(WaveSnapshot const& snapshot) = 0;

  /// Of mesh, fields, matrix and workspace in the memory of the backend.
  virtual std::int64_t memory_bytes() const = 0;
};

/// Makes a model. Kokkos must be initialised, and must not be finalised while the model lives. Throws
/// std::invalid_argument with the first of problems_of(problem), or for a backend that is not part of this build.
std::unique_ptr<WaveModel> make_wave_model(Backend backend, WaveProblem const& problem);

/// Estimated memory of a model on its backend, without linear_solver_bytes().
std::int64_t wave_model_bytes(WaveProblem const& problem);

/// Memory of the solver of linear systems, in that of the backend and on the host. Upper bounds.
struct SolverBytes {
  std::int64_t device = 0;  ///< vectors of the iteration and its preconditioner
  std::int64_t host = 0;    ///< factors of the direct solver and its copies
};

/// For the solver of a model on this backend. Excludes a direct solver that takes over from a stalled iteration: it
/// checks the memory itself. Cost: a direct solver orders the unknowns and counts its fill. Throws std::runtime_error
/// as make_wave_model() does.
SolverBytes linear_solver_bytes(Backend backend, WaveProblem const& problem);

/// Additional memory of solve_together() for this number of components; kept for the next call.
std::int64_t sea_bytes(WaveProblem const& problem, std::size_t components);

}  // namespace karman::waves
