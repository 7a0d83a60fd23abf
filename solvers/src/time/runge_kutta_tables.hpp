// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Coefficients of the Runge-Kutta methods of time_integrators.hpp.
#pragma once

#include <array>

namespace karman::detail {

/// u_i = base u + from u_(i-1) + factor dt r(u_(i-1), t + time dt), u_0 = u; the last u_i is the new u.
struct RungeKuttaStage {
  double base, from, factor, time;
};

inline constexpr std::array<RungeKuttaStage, 1> euler_stages{{{1, 0, 1, 0}}};
/// Löhner (2008).
inline constexpr std::array<RungeKuttaStage, 4> minimal_storage_rk4_stages{
    {{1, 0, 1.0 / 4, 0}, {1, 0, 1.0 / 3, 1.0 / 4}, {1, 0, 1.0 / 2, 1.0 / 3}, {1, 0, 1, 1.0 / 2}}};
/// Shu and Osher (1988).
inline constexpr std::array<RungeKuttaStage, 3> ssp_rk3_stages{
    {{1, 0, 1, 0}, {3.0 / 4, 1.0 / 4, 1.0 / 4, 1}, {1.0 / 3, 2.0 / 3, 2.0 / 3, 1.0 / 2}}};

/// d <- keep d + dt r(u, t + time dt), u <- u + add d.
struct LowStorageStage {
  double keep, add, time;
};

/// Carpenter and Kennedy (1994), solution 3.
inline constexpr std::array<LowStorageStage, 5> low_storage_rk54_stages{
    {{0, 1432997174477.0 / 9575080441755.0, 0},
     {-567301805773.0 / 1357537059087.0, 5161836677717.0 / 13612068292357.0, 1432997174477.0 / 9575080441755.0},
     {-2404267990393.0 / 2016746695238.0, 1720146321549.0 / 2090206949498.0, 2526269341429.0 / 6820363962896.0},
     {-3550918686646.0 / 2091501179385.0, 3134564353537.0 / 4481467310338.0, 2006345519317.0 / 3224310063776.0},
     {-1275806237668.0 / 842570457699.0, 2277821191437.0 / 14882151754819.0, 2802321613138.0 / 2924317926251.0}}};

/// Williamson (1980).
inline constexpr std::array<LowStorageStage, 3> low_storage_rk3_stages{
    {{0, 1.0 / 3, 0}, {-5.0 / 9, 15.0 / 16, 1.0 / 3}, {-153.0 / 128, 8.0 / 15, 3.0 / 4}}};

}  // namespace karman::detail
