// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "edge_scheme.hpp"

#include "edge_flux.hpp"
#include "triangles.hpp"

#include <Kokkos_Core.hpp>

namespace karman::detail {

namespace {

template <class T>
KOKKOS_FORCEINLINE_FUNCTION void read_primitive(EulerSource<T> const& from, int node, T (&w)[4]) {
  T u[4];
  for (int c = 0; c < 4; ++c) u[c] = from.u[c * from.nodes + node];
  primitive(from.gamma, u, w);
}

/// Density, velocity and pressure of each node, and the largest jump of the pressure to a neighbour.
template <class Exec, class T>
struct FindStates {
  EulerSource<T> from;
  EulerDual<Exec, T> dual;

  KOKKOS_FUNCTION void operator()(int node) const {
    T w[4];
    read_primitive(from, node, w);
    T largest = 0;
    for (int n = dual.begin(node); n < dual.begin(node + 1); ++n) {
      T other[4];
      read_primitive(from, dual.neighbors(n), other);
      T const jump = other[3] > w[3] ? quotient(other[3] - w[3], w[3]) : quotient(w[3] - other[3], other[3]);
      largest = jump > largest ? jump : largest;
    }
    for (int c = 0; c < 4; ++c) dual.states(4 * node + c) = w[c];
    dual.jumps(node) = largest;
  }
};

/// Flux through the face of each edge, away from its first node; and the speed of the fastest wave times half the face.
template <class Exec, class T>
struct FindFluxes {
  T gamma;
  EulerDual<Exec, T> dual;

  KOKKOS_FUNCTION void operator()(int e) const {
    EulerDualEdge<T> const edge = dual.edges(e);
    T const smear = smeared_share(dual.jumps(edge.node[0]), dual.jumps(edge.node[1]));
    T w[2][4], behind[2][4], state[2][4];
    for (int side = 0; side < 2; ++side) {
      read(edge.node[side], w[side]);
      T first[4], second[4];
      read(edge.behind[side][0], first);
      read(edge.behind[side][1], second);
      for (int c = 0; c < 4; ++c) {
        behind[side][c] =
            edge.weight[side][0] * (w[side][c] - first[c]) + edge.weight[side][1] * (w[side][c] - second[c]);
      }
      // The jump itself, at the end of the domain, is no limit at a shock.
      if (edge.weight[side][0] == T(-1)) {
        for (int c = 0; c < 4; ++c) behind[side][c] *= 1 - smear;
      }
    }
    edge_state(gamma, w[0], behind[0], w[1], dual.threshold, state[0]);
    edge_state(gamma, w[1], behind[1], w[0], dual.threshold, state[1]);
    T const over_length = inverse_root(edge.nx * edge.nx + edge.ny * edge.ny);
    T const length = (edge.nx * edge.nx + edge.ny * edge.ny) * over_length;
    T flux[4];
    T const fastest =
        upwind_flux(gamma, state[0], state[1], edge.nx * over_length, edge.ny * over_length, T(0), smear, flux);
    for (int c = 0; c < 4; ++c) dual.fluxes(4 * e + c) = length * flux[c];
    dual.speeds(e) = T(0.5) * length * fastest;
  }

 private:
  KOKKOS_FORCEINLINE_FUNCTION void read(int node, T (&w)[4]) const {
    for (int c = 0; c < 4; ++c) w[c] = dual.states(4 * node + c);
  }
};

/// Sums of the fluxes of each node.
template <class Exec, class T>
struct GatherFluxes {
  EulerSource<T> from;
  EulerDual<Exec, T> dual;
  EulerTarget<T> to;
  T* partial;
  std::int64_t slots;

  KOKKOS_FUNCTION void operator()(int node) const {
    int const target = dual.targets(node);
    if (target == dual.other_member) return;
    T sum[4] = {};
    for (int n = dual.begin(node); n < dual.begin(node + 1); ++n) {
      int const end = dual.ends(n), e = end / 2;
      T const sign = end % 2 == 0 ? T(-1) : T(1);
      for (int c = 0; c < 4; ++c) sum[c] += sign * dual.fluxes(4 * e + c);
    }
    if (target == dual.no_row) {
      to.store(node, sum);
      return;
    }
    // Rows expect the flux of the node itself through the boundary among the sums.
    T w[4], own[4];
    for (int c = 0; c < 4; ++c) w[c] = dual.states(4 * node + c);
    primitive_flux(from.gamma, w, dual.closure(2 * target), dual.closure(2 * target + 1), T(0), own);
    for (int c = 0; c < 4; ++c) partial[c * slots + target] = sum[c] + own[c];
  }

  KOKKOS_FUNCTION void operator()(int node, double& fastest) const {
    (*this)(node);
    if (dual.targets(node) == dual.other_member) return;
    T sum = 0;
    for (int n = dual.begin(node); n < dual.begin(node + 1); ++n) sum += dual.speeds(dual.ends(n) / 2);
    bool const gas = dual.states(4 * node) > 0 && dual.states(4 * node + 3) > 0;
    T const rate = valid_rate(gas ? sum * to.inverse_mass[node] : T(-1));
    fastest = double(rate) > fastest ? double(rate) : fastest;
  }
};

/// Rate of each node, from the faster one of both ends of each edge.
template <class Exec, class T>
struct FindEdgeRates {
  EulerSource<T> from;
  EulerDual<Exec, T> dual;
  T const* inverse_mass;
  T* rates;

  KOKKOS_FUNCTION void operator()(int node) const {
    if (dual.targets(node) == dual.other_member) {
      rates[node] = 0;
      return;
    }
    T w[4];
    read_primitive(from, node, w);
    T const own = root(quotient(from.gamma * w[3], w[0]));
    T sum = 0;
    for (int n = dual.begin(node); n < dual.begin(node + 1); ++n) {
      EulerDualEdge<T> const edge = dual.edges(dual.ends(n) / 2);
      T other[4];
      read_primitive(from, dual.neighbors(n), other);
      T const a = wave(w, own, edge), b = wave(other, root(quotient(from.gamma * other[3], other[0])), edge);
      sum += T(0.5) * (a > b ? a : b);
    }
    rates[node] = valid_rate(w[0] > 0 && w[3] > 0 ? sum * inverse_mass[node] : T(-1));
  }

 private:
  /// Speed of the fastest wave through a face, times its length.
  KOKKOS_FORCEINLINE_FUNCTION T wave(T const (&w)[4], T sound, EulerDualEdge<T> const& edge) const {
    namespace math = karman::compat::math;
    return math::fabs(w[1] * edge.nx + w[2] * edge.ny) + sound * root(edge.nx * edge.nx + edge.ny * edge.ny);
  }
};

}  // namespace

template <class Exec, class T>
void add_edges(Exec const& space, EulerPlan<Exec, T> const& plan, EulerSource<T> const& from, EulerTarget<T> const& to,
               double* rate) {
  using Range = Kokkos::RangePolicy<Exec>;
  auto const& dual = plan.dual;
  Kokkos::parallel_for("karman::euler::find_states", Range(space, 0, plan.nodes()), FindStates<Exec, T>{from, dual});
  Kokkos::parallel_for("karman::euler::find_fluxes", Range(space, 0, dual.count()),
                       FindFluxes<Exec, T>{from.gamma, dual});
  GatherFluxes<Exec, T> const gather{from, dual, to, plan.partial.data(), plan.slots};
  if (rate == nullptr) {
    Kokkos::parallel_for("karman::euler::gather_fluxes", Range(space, 0, plan.nodes()), gather);
    return;
  }
  using Number = Kokkos::View<double, typename Exec::memory_space, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
  Kokkos::parallel_reduce("karman::euler::gather_fluxes", Range(space, 0, plan.nodes()), gather,
                          Kokkos::Max<double, typename Exec::memory_space>(Number(plan.launch_rates.data())));
  Kokkos::parallel_for("karman::euler::join_rates", Range(space, 0, 1), JoinRates<Exec>{plan.launch_rates, 1, rate});
}

template <class Exec, class T>
void edge_rates(Exec const& space, EulerPlan<Exec, T> const& plan, EulerSource<T> const& from, T* rates) {
  Kokkos::parallel_for("karman::euler::edge_rates", Kokkos::RangePolicy<Exec>(space, 0, plan.nodes()),
                       FindEdgeRates<Exec, T>{from, plan.dual, plan.inverse_mass.data(), rates});
}

#define KARMAN_INSTANTIATE(Exec)                                                                           \
  template void add_edges(Exec const&, EulerPlan<Exec, float> const&, EulerSource<float> const&,           \
                          EulerTarget<float> const&, double*);                                             \
  template void add_edges(Exec const&, EulerPlan<Exec, double> const&, EulerSource<double> const&,         \
                          EulerTarget<double> const&, double*);                                            \
  template void edge_rates(Exec const&, EulerPlan<Exec, float> const&, EulerSource<float> const&, float*); \
  template void edge_rates(Exec const&, EulerPlan<Exec, double> const&, EulerSource<double> const&, double*);
KARMAN_FOR_EACH_BACKEND(KARMAN_INSTANTIATE)
#undef KARMAN_INSTANTIATE

}  // namespace karman::detail
