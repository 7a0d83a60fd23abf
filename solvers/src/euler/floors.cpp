// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "plan.hpp"
#include <karman/core/compat.hpp>
#include <karman/core/error.hpp>
#include <karman/core/host_copy.hpp>
#include <karman/core/profiling.hpp>
#include <karman/core/reductions.hpp>
#include <karman/solvers/euler/euler_floors.hpp>

#include <cmath>
#include <cstddef>
#include <string>

namespace karman {

namespace {

/// Per node: number of changes, added mass and added energy.
template <class Exec>
struct FloorRecord {
  detail::EulerArray<Exec, std::int64_t> changes;
  detail::EulerArray<Exec, double> mass, energy;
};

template <class Exec, class T>
struct RaiseToFloors {
  EulerField<Exec, T> u;
  Kokkos::View<T const*, typename Exec::memory_space> inverse_mass, mass_rate;  ///< no rates: nodes at rest
  detail::EulerArray<Exec, int> group;                                          ///< empty: no groups
  FloorRecord<Exec> record;
  T density, thermal;  ///< least density; least thermal energy per volume, 0: none
  double share;
  double const* dt;  ///< null: the masses themselves

  KOKKOS_FUNCTION void operator()(int node) const {
    T const old_rho = u(node, 0), mx = u(node, 1), my = u(node, 2), old_energy = u(node, 3);
    bool const thin = old_rho < density;
    T const rho = thin ? density : old_rho;
    T const least = thermal > 0 ? thermal + T(0.5) * (mx * mx + my * my) / rho : old_energy;
    bool const cold = old_energy < least;
    if (!thin && !cold) return;
    if (thin) u(node, 0) = rho;
    if (cold) u(node, 3) = least;
    // The nodes of a group hold one mass, which its lowest node counts.
    if (group.extent(0) != 0 && group(node) != node) return;
    double mass = 1 / static_cast<double>(inverse_mass(node));
    if (dt != nullptr && mass_rate.extent(0) != 0) mass += *dt * static_cast<double>(mass_rate(node));
    mass *= share;
    ++record.changes(node);
    if (thin) record.mass(node) += mass * (static_cast<double>(rho) - static_cast<double>(old_rho));
    if (cold) record.energy(node) += mass * (static_cast<double>(least) - static_cast<double>(old_energy));
  }
};

template <class Exec>
struct ForgetChanges {
  FloorRecord<Exec> record;
  KOKKOS_FUNCTION void operator()(int node) const {
    record.changes(node) = 0;
    record.mass(node) = record.energy(node) = 0;
  }
};

struct FloorSums {
  std::int64_t changes, nodes, node;
  double mass, energy;
};

struct JoinFloorSums {
  using value_type = FloorSums;
  KOKKOS_FUNCTION static FloorSums identity() { return {0, 0, INT64_MAX, 0, 0}; }
  KOKKOS_FUNCTION static FloorSums join(FloorSums const& a, FloorSums const& b) {
    return {a.changes + b.changes, a.nodes + b.nodes, a.node < b.node ? a.node : b.node, a.mass + b.mass,
            a.energy + b.energy};
  }
};

template <class Exec>
struct NodeSums {
  FloorRecord<Exec> record;
  KOKKOS_FUNCTION FloorSums operator()(std::int64_t node) const {
    std::int64_t const changes = record.changes(node);
    bool const changed = changes > 0;
    return {changes, changed ? 1 : 0, changed ? node : INT64_MAX, record.mass(node), record.energy(node)};
  }
};

void require_floors(EulerFloors const& floors) {
  require(std::isfinite(floors.density) && floors.density >= 0, "EulerFloors: density must not be negative");
  require(std::isfinite(floors.pressure) && floors.pressure >= 0, "EulerFloors: pressure must not be negative");
}

}  // namespace

template <ExecutionSpace Exec, Real T>
struct EulerFloorLimiter<Exec, T>::State {
  EulerRhs<Exec, T> const* rhs;
  EulerFloors floors;
  detail::EulerArray<Exec, int> group = detail::EulerArray<Exec, int>();
  FloorRecord<Exec> record = {};
  Reducer<Exec> reducer;

  State(Exec const& space, EulerRhs<Exec, T> const& of, EulerFloors const& wanted, std::vector<int> const& groups)
      : rhs(&of), floors(wanted), reducer(space) {
    require_floors(floors);
    auto const n = static_cast<std::size_t>(rhs->nodes());
    require(groups.empty() || groups.size() == n, "EulerFloorLimiter: " + std::to_string(groups.size()) +
                                                      " periodic groups for " + std::to_string(n) + " nodes");
    if (!active()) return;
    if (!groups.empty()) group = device_copy(space, groups, "karman::euler::floor_group");
    record = {detail::allocate<Exec, std::int64_t>(space, n, "karman::euler::floor_changes"),
              detail::allocate<Exec, double>(space, n, "karman::euler::floor_mass"),
              detail::allocate<Exec, double>(space, n, "karman::euler::floor_energy")};
    reset(space);
    compat::fence(space, "karman::euler::floors");
  }

  bool active() const { return floors.density > 0 || floors.pressure > 0; }

  void reset(Exec const& space) const {
    if (!active()) return;
    Kokkos::parallel_for("karman::euler::reset_floors", Kokkos::RangePolicy<Exec>(space, 0, rhs->nodes()),
                         ForgetChanges<Exec>{record});
  }
};

template <ExecutionSpace Exec, Real T>
EulerFloorLimiter<Exec, T>::EulerFloorLimiter(Exec const& space, EulerRhs<Exec, T> const& rhs,
                                              EulerFloors const& floors, std::vector<int> const& group)
    : state_("EulerFloorLimiter", std::make_unique<State>(space, rhs, floors, group)) {}
template <ExecutionSpace Exec, Real T>
void EulerFloorLimiter<Exec, T>::apply(Exec const& space, EulerField<Exec, T> const& u, double share,
                                       DeviceNumber<Exec> const& dt) {
  State const& s = *state_;
  require(static_cast<std::int64_t>(u.extent(0)) == s.rhs->nodes(),
          "EulerFloorLimiter: u has " + std::to_string(u.extent(0)) + " nodes; the mesh has " +
              std::to_string(s.rhs->nodes()));
  if (!s.active()) return;
  Region const region("karman::euler::floors");
  Kokkos::parallel_for(
      "karman::euler::raise_to_floors", Kokkos::RangePolicy<Exec>(space, 0, s.rhs->nodes()),
      RaiseToFloors<Exec, T>{u, s.rhs->inverse_mass(), s.rhs->mass_rate(), s.group, s.record,
                             static_cast<T>(s.floors.density),
                             static_cast<T>(s.floors.pressure / (s.rhs->setup().gamma - 1)), share, dt.data()});
}

template <ExecutionSpace Exec, Real T>
EulerFloorReport EulerFloorLimiter<Exec, T>::report(Exec const& space) {
  State& s = *state_;
  if (!s.active()) return {};
  Region const region("karman::euler::floor_report");
  auto const sums = s.reducer.reduce(space, s.rhs->nodes(), NodeSums<Exec>{s.record}, JoinFloorSums{});
  return {sums.changes, sums.nodes, sums.nodes > 0 ? static_cast<int>(sums.node) : -1, sums.mass, sums.energy};
}

template <ExecutionSpace Exec, Real T>
void EulerFloorLimiter<Exec, T>::reset(Exec const& space) {
  state_->reset(space);
}

template <ExecutionSpace Exec, Real T>
std::int64_t EulerFloorLimiter<Exec, T>::workspace_bytes() const {
  State const& s = *state_;
  return static_cast<std::int64_t>(24 * s.record.changes.extent(0) + sizeof(int) * s.group.extent(0));
}

#define KARMAN_INSTANTIATE(Exec)                 \
  template class EulerFloorLimiter<Exec, float>; \
  template class EulerFloorLimiter<Exec, double>;
KARMAN_FOR_EACH_BACKEND(KARMAN_INSTANTIATE)
#undef KARMAN_INSTANTIATE

}  // namespace karman
