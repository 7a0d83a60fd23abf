// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Velocity at arbitrary points.
#pragma once

#include "velocity_sample.hpp"
#include "wind_kernels.hpp"

namespace karman::wind {

/// Velocities of samples in the memory of `Exec`, (n, 3), m/s.
template <ExecutionSpace Exec>
using SampledVelocity = Kokkos::View<double* [3], Kokkos::LayoutRight, typename Exec::memory_space>;

/// out(n, :) = velocity at sample n, interpolated in double precision; NaN where its cell is solid. Traffic per sample:
/// 24 scattered reals, a flag, and the record. Asynchronous on `space`.
template <ExecutionSpace Exec, Real T>
void sample_velocity(Exec const& space, Line<Exec, VelocitySample> const& samples,
                     ConstField<Exec, std::uint8_t> const& flag, FaceVelocity<Exec, T> const& velocity,
                     SampledVelocity<Exec> const& out);

}  // namespace karman::wind
