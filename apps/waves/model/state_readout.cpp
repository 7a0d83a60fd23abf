// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "state_readout.hpp"

#include "energy.hpp"
#include "waves/case/mesh_resolution.hpp"
#include <karman/core/host_copy.hpp>
#include <karman/mesh/mesh_connectivity.hpp>

namespace karman::waves {
namespace {

/// Downloads the present fields of a member. Waits.
template <ExecutionSpace Exec, class Real>
void download(Exec const& space, WaveMember<Exec, Real> const& m, WaveState& state) {
  state.elevation = host_copy<std::complex<double>>(space, m.elevation);
  state.wave_number = host_copy<double>(space, m.fields.wave_number);
  state.celerity = host_copy<double>(space, m.fields.celerity);
  state.group_celerity = host_copy<double>(space, m.fields.group_celerity);
  state.friction = host_copy<double>(space, m.fields.friction);
  state.breaking = host_copy<double>(space, m.fields.breaking);
  state.breaking_fraction = host_copy<double>(space, m.fields.share);
}

/// Waits.
template <ExecutionSpace Exec>
void download(Exec const& space, DerivedFields<Exec> const& derived, WaveState& state) {
  state.flux_x = host_copy<double>(space, derived.flux_x);
  state.flux_y = host_copy<double>(space, derived.flux_y);
  state.bed_velocity = host_copy<double>(space, derived.bed_velocity);
  state.dissipation = host_copy<double>(space, derived.dissipation);
  state.stress_xx = host_copy<double>(space, derived.stress_xx);
  state.stress_xy = host_copy<double>(space, derived.stress_xy);
  state.stress_yy = host_copy<double>(space, derived.stress_yy);
}

/// Nodal quantities from elevation and energy flux.
void set_heights_and_angles(WaveState& state) {
  std::size_t const nodes = state.elevation.size();
  state.height.resize(nodes);
  state.phase.resize(nodes);
  state.direction.resize(nodes);
  for (std::size_t n = 0; n < nodes; ++n) {
    state.height[n] = 2 * std::abs(state.elevation[n]);
    state.phase[n] = std::arg(state.elevation[n]);
    state.direction[n] = std::atan2(state.flux_y[n], state.flux_x[n]);
  }
}

}  // namespace

template <ExecutionSpace Exec, class Real>
StateReadout<Exec, Real>::StateReadout(Exec const& space, WaveProblem const& problem, BoundaryTable const& boundary,
                                       TriangleMesh<Exec> const& mesh)
    : problem_(problem),
      boundary_(boundary),
      mesh_(mesh),
      around_(triangles_around_nodes(space, mesh)),
      derived_(space, mesh.node_count()) {}

template <ExecutionSpace Exec, class Real>
WaveState StateReadout<Exec, Real>::state_of(Exec const& space, WaveMember<Exec, Real> const& m) const {
  WaveState state;
  state.period = m.period;
  state.report = m.report;
  derive(space, m.omega, mesh_, around_, m.elevation, m.fields, derived_);
  download(space, m, state);
  download(space, derived_, state);
  set_heights_and_angles(state);
  state.nodes_per_wavelength = mesh_resolution(problem_.mesh, state.wave_number).least;
  state.energy = energy_balance(problem_, boundary_, m.incident, m.omega, state);
  return state;
}

template <ExecutionSpace Exec, class Real>
std::int64_t StateReadout<Exec, Real>::bytes() const {
  auto const nodes = static_cast<std::int64_t>(mesh_.node_count());
  auto const triangles = static_cast<std::int64_t>(mesh_.triangle_count());
  return triangles * 12 + nodes * 4 + 7 * nodes * 8;
}

#define KARMAN_INSTANTIATE(Exec)            \
  template class StateReadout<Exec, float>; \
  template class StateReadout<Exec, double>;
KARMAN_FOR_EACH_BACKEND(KARMAN_INSTANTIATE)
#undef KARMAN_INSTANTIATE

}  // namespace karman::waves
