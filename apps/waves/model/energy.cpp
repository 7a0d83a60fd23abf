// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "energy.hpp"

#include <cmath>

namespace karman::waves {
namespace {

using Host = Kokkos::HostSpace;
template <class T>
using HostValues = Kokkos::View<T const*, Host>;

template <class T>
HostValues<T> view_of(std::vector<T> const& values) {
  return HostValues<T>(values.data(), values.size());
}

Complex at(std::vector<std::complex<double>> const& values, int node) {
  std::complex<double> const v = values[static_cast<std::size_t>(node)];
  return {v.real(), v.imag()};
}

/// Im(eta* (b - A eta)) of an edge: C C_g times the flux of Im(eta* d eta/dn) outwards.
double outward(BoundaryEdge const& edge, MildSlopeEdge<Host, double> const& kernel, WaveState const& state) {
  ElementMatrix<Complex, 2> a;
  ElementVector<Complex, 2> b;
  kernel(edge, a, b);
  double sum = 0;
  for (int i = 0; i < 2; ++i) {
    Complex flow = b(i);
    for (int j = 0; j < 2; ++j) flow -= a(i, j) * at(state.elevation, edge.node[j]);
    Complex const eta = at(state.elevation, edge.node[i]);
    sum += eta.real() * flow.imag() - eta.imag() * flow.real();
  }
  return sum;
}

/// int rate |eta|^2 over the mesh, rate and eta linear over each triangle.
double lost(MeshData const& mesh, double lumping, std::vector<double> const& rate, WaveState const& state) {
  double sum = 0;
  for (auto const& t : mesh.triangles) {
    auto const& p = mesh.nodes[static_cast<std::size_t>(t[0])];
    auto const& q = mesh.nodes[static_cast<std::size_t>(t[1])];
    auto const& r = mesh.nodes[static_cast<std::size_t>(t[2])];
    double const twice_area = (q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0]);
    double w[3];
    Complex eta[3];
    for (std::size_t i = 0; i < 3; ++i) {
      w[i] = rate[static_cast<std::size_t>(t[i])];
      eta[i] = at(state.elevation, t[i]);
    }
    QuadraticMass const mass(w, twice_area / 2, lumping);
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) {
        double const product = eta[i].real() * eta[j].real() + eta[i].imag() * eta[j].imag();
        sum += product * (i == j ? mass.same(w[i]) : mass.different(w[i], w[j]));
      }
    }
  }
  return sum;
}

}  // namespace

EnergyBalance energy_balance(WaveProblem const& problem, BoundaryTable const& boundary, IncidentField const& incident,
                             double omega, WaveState const& state) {
  std::size_t const nodes = state.elevation.size();
  std::vector<double> flux(nodes), mass(nodes), losses(nodes);
  for (std::size_t n = 0; n < nodes; ++n) {
    flux[n] = state.celerity[n] * state.group_celerity[n];
    mass[n] = state.wave_number[n] * omega * state.group_celerity[n];
    losses[n] = omega * (state.friction[n] + state.breaking[n]);
  }
  MildSlopeEdge<Host, double> const kernel{view_of(flux),           view_of(mass),
                                           view_of(losses),         view_of(state.wave_number),
                                           view_of(boundary.terms), view_of(boundary.places),
                                           view_of(incident.edges)};
  double const half_weight = 0.5 * water_density * gravity;
  EnergyBalance balance;
  balance.incident = incident.power;
  balance.reflected = incident.power;
  MeshData const& mesh = problem.mesh;
  for (int e = 0; e < static_cast<int>(mesh.edges.size()); ++e) {
    auto const index = static_cast<std::size_t>(e);
    BoundaryEdge edge;
    edge.number = e;
    edge.label = mesh.edge_labels[index];
    for (int n = 0; n < 2; ++n) {
      edge.node[n] = mesh.edges[index][static_cast<std::size_t>(n)];
      auto const& x = mesh.nodes[static_cast<std::size_t>(edge.node[n])];
      edge.x[n] = x[0];
      edge.y[n] = x[1];
    }
    double const out = half_weight / omega * outward(edge, kernel, state);
    switch (boundary.kinds[static_cast<std::size_t>(boundary.places[index].stretch)]) {
      case BoundaryKind::incident: balance.reflected += out; break;
      case BoundaryKind::open: balance.radiated += out; break;
      case BoundaryKind::reflecting: balance.absorbed += out; break;
    }
  }
  balance.friction = half_weight * lost(mesh, problem.lumping, state.friction, state);
  balance.breaking = half_weight * lost(mesh, problem.lumping, state.breaking, state);
  if (balance.incident > 0) {
    balance.imbalance = (balance.incident - balance.reflected - balance.radiated - balance.absorbed - balance.friction -
                         balance.breaking) /
                        balance.incident;
  }
  return balance;
}

}  // namespace karman::waves
