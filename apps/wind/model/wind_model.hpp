// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Wind field of one case in the memory of one backend, behind an interface without Kokkos and precision. During a run
/// only scalars cross it; fields cross for output, checkpoints and slices.
#pragma once

#include "domain_part.hpp"
#include "velocity_sample.hpp"
#include "wind/case/wind_case.hpp"
#include <karman/core/backend_name.hpp>
#include <karman/core/communicator.hpp>
#include <karman/io/array.hpp>

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string_view>

namespace karman::wind {

/// The fields of a model. Reals are float or double, flags std::uint8_t.
///   u (nz, ny, nx + 1), v (nz, ny + 1, nx), w (nz + 1, ny, nx): velocity on faces, m/s
///   lambda (nz, ny, nx): sum of the Lagrange multiplier over the finished passes, m^2/s times alpha_1^2
///   correction (nz, ny, nx): the multiplier of the present pass
///   flag (nz, ny, nx): CellFlag
///   divergence_before, divergence (nz, ny, nx): of the initial and of the present field, 1/s, 0 in solid cells;
///     the former only where keeps_divergence()
enum class ModelField {
  u,
  v,
  w,
  lambda,
  correction,
  flag,
  divergence_before,
  divergence,
  open_u,  ///< open fractions of the faces, where walls cut cells
  open_v,
  open_w
};

/// "u", "v", "w", "lambda", ...
std::string_view name(ModelField field);

/// Extents in index order (k, j, i).
std::array<int, 3> extents(ModelField field, UniformGrid const& grid);

/// A pass of a method that makes its passes as a whole.
struct WholePass {
  double target = 0;        ///< largest remaining max |div u|, 1/s
  double start = 0;         ///< max |div u| at the start, as update_divergence() gave it, 1/s
  int first_iteration = 0;  ///< number of the first cycle
  int last_iteration = 0;   ///< number of the last cycle allowed
  /// Called after every cycle with its number and the divergence that the field would have; false stops.
  std::function<bool(int iteration, double remaining)> checked;
};

/// How a whole pass ended.
enum class WholePassEnd { done, stopped };

/// Mass-consistent adjustment of a wind field (Sasaki 1970): the field without divergence that is closest to the
/// initial field u0 in the sense of
///   integral alpha_1^2 ((u - u0)^2 + (v - v0)^2) + alpha_2^2 (w - w0)^2,
/// which is u = u0 + grad_x lambda / (2 alpha_1^2), w = w0 + grad_z lambda / (2 alpha_2^2) with
///   d2/dx2 lambda + d2/dy2 lambda + (alpha_1 / alpha_2)^2 d2/dz2 lambda = -2 alpha_1^2 div u0.
/// lambda = 0 on the sides and the top, where air may pass. d lambda / dn = 0 on the ground and on walls, where the
/// normal velocity is zero.
///
/// Works in passes. Each takes the present field as its u0 and solves for a correction of lambda from zero. In exact
/// arithmetic the passes change nothing, as the relaxation is linear. In floating point they remove the lower limit
/// that a large lambda sets on the divergence (iterative refinement).
///
/// With over-relaxation a pass can be left at any iteration and taken up again: begin_pass(), iterate(), end_pass().
/// With multigrid a pass is made as a whole by solve_pass(): a few cycles, whose recursion lives in the solver.
///
/// Many processes: each has a part of the domain, and all make the same calls. Divergences, slices, samples and the
/// first value that is not finite refer to the whole domain, in every process. Copied and restored fields have the
/// own cells, with the faces on both sides of them.
class WindModel {
 public:
  virtual ~WindModel() = default;

  /// The cells of this process.
  virtual DomainPart const& part() const = 0;

  /// Turns the undisturbed wind to another direction, in degrees, where it comes from. Buildings and solver stay
  /// unchanged; set_initial_field() comes next. Waits.
  virtual void set_direction(double direction) = 0;
  /// Takes profile and sensors of another wind, as many sensors at the same places. The rest as set_direction().
  virtual void set_wind(WindCase const& wind_case) = 0;

  /// Cell flags and the initial field: profile, parameterised zones, zero on walls and ground. Waits.
  virtual void set_initial_field() = 0;
  /// The same, but lambda stays as a first guess for apply_first_guess(). Waits.
  virtual void set_initial_field_keeping_lambda() = 0;
  /// Adds the gradient of lambda to the initial velocity, as if a pass had found it. Asynchronous.
  virtual void apply_first_guess() = 0;

  /// max |div u| over fluid cells of the present field, in 1/s; NaN when a velocity is not finite. Also makes the
  /// right-hand side of the next pass. Waits.
  virtual double update_divergence() = 0;
  /// Saves the present divergence as that of the initial field, where keeps_divergence(). Waits.
  virtual void keep_divergence_before() = 0;

  /// Starts a pass with the last right-hand side, from correction = 0.
  virtual void begin_pass() = 0;
  /// Continues a pass whose correction was restored.
  virtual void resume_pass() = 0;
  /// `count` sweeps. Asynchronous.
  virtual void iterate(int count) = 0;
  /// max |div u| that the field would have if the pass ended now, up to round-off, in 1/s. Waits.
  virtual double remaining_divergence() = 0;
  /// Updates the correction for copy(). Asynchronous.
  virtual void store_correction() = 0;
  /// Ends a pass: adds the correction to velocity and lambda. Asynchronous.
  virtual void end_pass() = 0;

  /// True if passes are made by solve_pass(), not by begin_pass(), iterate() and end_pass().
  virtual bool has_whole_passes() const = 0;
  /// One pass. When stopped, or when its correction would not lower the divergence, the fields stay as they were;
  /// else velocity and lambda have their correction. Waits.
  virtual WholePassEnd solve_pass(WholePass const& pass) = 0;

  /// True if the case asks for the logarithmic law next to walls.
  virtual bool has_wall_law() const = 0;
  /// Applies that law to the present field (wall_law.hpp), which then has divergence near walls. Uses the memory of the
  /// right-hand side. Asynchronous.
  virtual void apply_wall_law() = 0;

  /// The relaxation factor in use.
  virtual double omega() const = 0;

  /// Copies a field to host memory: extents(field, part().own), uint8 for flags and the precision of the case
  /// otherwise. Waits. Like all copies, throws std::invalid_argument for another number type or other extents.
  virtual void copy(ModelField field, MutableArray const& destination) = 0;
  /// Copies one component of the velocity at cell centres, the mean of the two faces, extents (nz, ny, nx). Uses the
  /// memory of the right-hand side. Waits.
  virtual void copy_cell_velocity(Axis component, MutableArray const& destination) = 0;
  /// Copies lambda + correction on one slice of cells into host memory, rows and columns in index order. Waits.
  virtual void copy_lambda_slice(Watch const& slice, MutableArray const& destination) = 0;
  /// Interpolates the present velocity to points; NaN where the cell of a point is solid. `velocity`: one (u, v, w) per
  /// sample, m/s. Allocates sample_bytes per sample. Waits.
  virtual void sample_velocity(std::span<VelocitySample const> samples, std::span<std::array<double, 3>> velocity) = 0;
  /// Copies a field from host memory. Waits.
  virtual void restore(ModelField field, ConstArray const& source) = 0;

  /// Indices (k, j, i) of the first value of a field, in storage order, that is not finite. Waits.
  virtual std::optional<std::array<int, 3>> find_not_finite(ModelField field) = 0;
};

/// True if the model of a case keeps the divergence of the initial field: for output alone.
bool keeps_divergence(WindCase const& wind_case);

/// Makes the model of a case on a backend of this build, in the precision of the case. Allocates all its memory. Kokkos
/// must be initialised, and must not be finalised while the model lives. With several processes: collective. Throws
/// std::invalid_argument for more processes than parts.
std::unique_ptr<WindModel> make_wind_model(Backend backend, WindCase const& wind_case,
                                           Communicator const& communicator = {});

/// Number of samples that the output asks for at a time, and the device memory of each.
inline constexpr std::int64_t most_samples = std::int64_t{1} << 16;
inline constexpr std::int64_t sample_bytes = sizeof(VelocitySample) + 3 * sizeof(double);

/// Upper bound of the bytes of the model in the memory of a backend of this build: fields, zones, solver, and temporary
/// memory of the set-up and of probes. Excludes some kilobytes of reductions. With several processes: of the largest
/// part. Kokkos must be initialised.
std::int64_t model_bytes(Backend backend, WindCase const& wind_case, int processes = 1);

}  // namespace karman::wind
