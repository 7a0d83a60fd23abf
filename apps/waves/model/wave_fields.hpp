// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Nodal fields of one period in the memory of an execution space, and the kernels that fill them.
#pragma once

#include "friction_and_breaking.hpp"
#include "mild_slope_kernels.hpp"
#include "sea_friction_and_breaking.hpp"
#include <karman/core/backend.hpp>
#include <karman/mesh/graph.hpp>
#include <karman/mesh/triangle_mesh.hpp>

#include <cstdint>

namespace karman::waves {

template <ExecutionSpace Exec>
using NodalField = Kokkos::View<double*, typename Exec::memory_space>;
/// Sums over superposed waves, one value per node.
template <ExecutionSpace Exec>
using SeaField = Kokkos::View<LocalSea*, typename Exec::memory_space>;
template <ExecutionSpace Exec, class Real>
using Elevation = Kokkos::View<Kokkos::complex<Real>*, typename Exec::memory_space>;

/// Fields determined by depth and period, and the losses. One value per node.
template <ExecutionSpace Exec>
struct WaveFields {
  /// All values zero. Asynchronous.
  WaveFields(Exec const& space, int nodes, bool extended);

  NodalField<Exec> depth;
  NodalField<Exec> wave_number, celerity, group_celerity;
  NodalField<Exec> flux;                       ///< C C_g, m^2/s^2
  NodalField<Exec> mass;                       ///< k^2 C C_g, 1/s^2
  NodalField<Exec> slope_flux, slope_squared;  ///< SlopeTerms; empty unless extended
  NodalField<Exec> friction, breaking;         ///< W of each, 1/s
  NodalField<Exec> losses;                     ///< omega W, both together, 1/s^2
  NodalField<Exec> share;                      ///< Q_b
  NodalField<Exec> friction_value;             ///< coefficient of the friction law: W, 1/s; c_f, 1; k_s, m
  NodalField<Exec> height;                     ///< 2 |eta| of the previous iteration, m
  NodalField<Exec> amplitude;                  ///< amplitude in the dispersion relation, m; 0: linear

  std::int64_t bytes() const;
};

/// Fields for one component among several. Friction is its own, and so is the amplitude where the dispersion depends on
/// it. The other fields are shared with the active component. Asynchronous.
template <ExecutionSpace Exec>
WaveFields<Exec> fields_of_component(Exec const& space, WaveFields<Exec> const& shared, bool amplitude);

/// Sets losses, heights and amplitudes to zero. Asynchronous.
template <ExecutionSpace Exec>
void clear(Exec const& space, WaveFields<Exec> const& fields);

/// Computes the dispersion relation at every node and all fields that follow from it. Asynchronous.
template <ExecutionSpace Exec>
void set_dispersion(Exec const& space, double omega, WaveFields<Exec> const& fields);

/// amplitude <- (1 - part) amplitude + part |eta|. Asynchronous.
template <ExecutionSpace Exec, class Real>
void update_amplitude(Exec const& space, double part, Elevation<Exec, Real> const& elevation,
                      WaveFields<Exec> const& fields);

/// W <- (1 - part) W + part W(eta), for friction and breaking; omega W. Asynchronous.
template <ExecutionSpace Exec, class Real>
void update_losses(Exec const& space, DissipationLaw const& law, double omega, double part,
                   Elevation<Exec, Real> const& elevation, WaveFields<Exec> const& fields);

/// sea <- sea + this component, whose dispersion is in the fields. Asynchronous.
template <ExecutionSpace Exec, class Real>
void add_to_sea(Exec const& space, double omega, Elevation<Exec, Real> const& elevation, WaveFields<Exec> const& fields,
                SeaField<Exec> const& sea);

/// W <- (1 - part) W + part W(sea) of breaking, which all components of a sea share. Asynchronous.
template <ExecutionSpace Exec>
void update_sea_breaking(Exec const& space, DissipationLaw const& law, double part, SeaField<Exec> const& sea,
                         WaveFields<Exec> const& fields);

/// W <- (1 - part) W + part W(sea, eta) of friction, for one component of a sea; omega W with the present breaking.
/// Asynchronous.
template <ExecutionSpace Exec, class Real>
void update_sea_friction(Exec const& space, DissipationLaw const& law, double omega, double part,
                         SeaField<Exec> const& sea, Elevation<Exec, Real> const& elevation,
                         WaveFields<Exec> const& fields);

/// Change of the heights since the last call.
struct HeightChange {
  double change = 0;   ///< largest |change|, m
  double highest = 0;  ///< largest height, m
  int wrong = 0;       ///< nodes with a NaN elevation
};

/// Computes the heights 2 |eta| and compares them with the heights of the previous call. Waits.
template <ExecutionSpace Exec, class Real>
HeightChange take_heights(Exec const& space, Elevation<Exec, Real> const& elevation, WaveFields<Exec> const& fields);

/// The same for the root mean square heights of a sea, 2 sqrt(sum of |eta|^2). Waits.
template <ExecutionSpace Exec>
HeightChange take_sea_heights(Exec const& space, SeaField<Exec> const& sea, WaveFields<Exec> const& fields);

/// Fields derived from the solution.
template <ExecutionSpace Exec>
struct DerivedFields {
  DerivedFields(Exec const& space, int nodes);

  NodalField<Exec> flux_x, flux_y;                   ///< W/m
  NodalField<Exec> bed_velocity;                     ///< m/s
  NodalField<Exec> dissipation;                      ///< W/m^2
  NodalField<Exec> stress_xx, stress_xy, stress_yy;  ///< N/m
};

/// The gradient of the elevation at a node is the mean of the gradients of its triangles, weighted by their areas. From
/// it follow:
///   energy flux  rho g / (2 omega) C C_g Im(eta* grad eta);
///   orbital velocity at the bed, amplitude  g |grad eta| / (omega cosh kh);
///   radiation stress, n = C_g / C:
///     S_ij = rho g / 2 { n Re(eta_i eta_j*) / k^2 + delta_ij [ (n - 1/2) |eta|^2
///            + (kh coth kh - n) (|grad eta|^2 / k^2 - |eta|^2) / 2 ] },
///     whose last term is zero in a single progressive wave (Longuet-Higgins and Stewart 1964; for any sum of waves of
///     one period Mei, Stiassnie and Yue, Theory and Applications of Ocean Surface Waves, part 2).
/// `around` is triangles_around_nodes(). Asynchronous.
template <ExecutionSpace Exec, class Real>
void derive(Exec const& space, double omega, TriangleMesh<Exec> const& mesh, Graph<Exec> const& around,
            Elevation<Exec, Real> const& elevation, WaveFields<Exec> const& fields, DerivedFields<Exec> const& derived);

#define KARMAN_EXTERN_REAL(Exec, Real)                                                                                 \
  extern template void update_losses(Exec const&, DissipationLaw const&, double, double, Elevation<Exec, Real> const&, \
                                     WaveFields<Exec> const&);                                                         \
  extern template void update_amplitude(Exec const&, double, Elevation<Exec, Real> const&, WaveFields<Exec> const&);   \
  extern template HeightChange take_heights(Exec const&, Elevation<Exec, Real> const&, WaveFields<Exec> const&);       \
  extern template void add_to_sea(Exec const&, double, Elevation<Exec, Real> const&, WaveFields<Exec> const&,          \
                                  SeaField<Exec> const&);                                                              \
  extern template void update_sea_friction(Exec const&, DissipationLaw const&, double, double, SeaField<Exec> const&,  \
                                           Elevation<Exec, Real> const&, WaveFields<Exec> const&);                     \
  extern template void derive(Exec const&, double, TriangleMesh<Exec> const&, Graph<Exec> const&,                      \
                              Elevation<Exec, Real> const&, WaveFields<Exec> const&, DerivedFields<Exec> const&);
#define KARMAN_EXTERN(Exec)                                                                                   \
  extern template struct WaveFields<Exec>;                                                                    \
  extern template struct DerivedFields<Exec>;                                                                 \
  extern template WaveFields<Exec> fields_of_component(Exec const&, WaveFields<Exec> const&, bool);           \
  extern template void clear(Exec const&, WaveFields<Exec> const&);                                           \
  extern template void set_dispersion(Exec const&, double, WaveFields<Exec> const&);                          \
  extern template HeightChange take_sea_heights(Exec const&, SeaField<Exec> const&, WaveFields<Exec> const&); \
  extern template void update_sea_breaking(Exec const&, DissipationLaw const&, double, SeaField<Exec> const&, \
                                           WaveFields<Exec> const&);                                          \
  KARMAN_EXTERN_REAL(Exec, float)                                                                             \
  KARMAN_EXTERN_REAL(Exec, double)
KARMAN_FOR_EACH_BACKEND(KARMAN_EXTERN)
#undef KARMAN_EXTERN
#undef KARMAN_EXTERN_REAL

}  // namespace karman::waves
