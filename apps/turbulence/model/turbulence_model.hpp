// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Two-dimensional turbulence on one backend, behind an interface without Kokkos.
#pragma once

#include "common/fields/host_field.hpp"
#include "turbulence/case/turbulence_problem.hpp"
#include <karman/core/backend_name.hpp>

#include <cstdint>
#include <memory>
#include <vector>

namespace karman::turbulence {

/// Fields at the points are tables (ny, nx), modes tables (ny, nx / 2 + 1, 2) of real and imaginary parts, both of the
/// precision of the problem.
class TurbulenceModel {
 public:
  virtual ~TurbulenceModel() = default;

  /// Begins a run at a vorticity at the points, at time 0. Waits.
  virtual void start(app::HostField const& vorticity) = 0;
  /// Begins a run at the modes and the moment of another one: the next steps have the same bits. Waits.
  virtual void restart(app::HostField const& modes, VorticityMoment const& moment) = 0;
  /// Sets the end time of the following steps. Asynchronous.
  virtual void set_end(double end) = 0;
  /// Sets the largest time step, s, of the following steps. Not for steps of fixed length.
  virtual void set_dt_max(double dt_max) = 0;
  /// Makes steps. Asynchronous.
  virtual void advance(int steps) = 0;
  /// Figures of the flow: one pass over the modes. Waits.
  virtual VorticityFigures diagnostics() = 0;
  /// Spectra and fluxes: the work of a stage. Waits.
  virtual VorticitySpectra spectra() = 0;
  /// Points per interval of the vorticity between -largest and largest. Waits.
  virtual std::vector<std::int64_t> histogram(double largest, int bins) = 0;

  /// Copies the vorticity. Waits.
  virtual void copy_vorticity(app::HostField& vorticity) = 0;
  /// Copies the velocity, (ny, nx, 3) with a third component of 0. Waits.
  virtual void copy_velocity(app::HostField& velocity) = 0;
  /// Copies the modes of the vorticity. Waits.
  virtual void copy_modes(app::HostField& modes) const = 0;

  /// Of plan and fields, in the memory of the backend.
  virtual std::int64_t memory_bytes() const = 0;
};

/// Makes a model. Kokkos must be initialised, and must not be finalised while the model lives. Throws
/// std::invalid_argument for a problem that the solver refuses.
std::unique_ptr<TurbulenceModel> make_turbulence_model(Backend backend, TurbulenceProblem const& problem);

/// Estimated memory of a model on a backend.
std::int64_t turbulence_model_bytes(Backend backend, TurbulenceProblem const& problem);

}  // namespace karman::turbulence
