// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "blocks.hpp"
#include "rows.hpp"
#include "setup.hpp"
#include "sides.hpp"
#include "triangles.hpp"
#include "upload.hpp"
#include <karman/core/compat.hpp>
#include <karman/core/error.hpp>
#include <karman/core/profiling.hpp>
#include <karman/solvers/euler_rhs.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

namespace karman {

namespace {

template <class Exec>
using Range = Kokkos::RangePolicy<Exec>;

template <class T>
struct ZeroNumbers {
  T* to;
  KOKKOS_FUNCTION void operator()(std::int64_t n) const { to[n] = 0; }
};

void require_setup(EulerRhsSetup const& setup) {
  require(std::isfinite(setup.gamma) && setup.gamma > 1, "EulerRhs: gamma must be above 1");
  require(std::isfinite(setup.shock_capturing) && setup.shock_capturing >= 0,
          "EulerRhs: shock_capturing must not be negative");
  require(setup.block_triangles >= 0 && setup.block_triangles <= 20000,
          "EulerRhs: block_triangles must lie between 0 (chosen by the plan) and 20000");
}

template <class View>
std::int64_t bytes_of(View const& view) {
  return static_cast<std::int64_t>(view.span() * sizeof(typename View::value_type));
}

template <class... Views>
std::int64_t bytes_of_all(Views const&... views) {
  return (bytes_of(views) + ...);
}

}  // namespace

template <ExecutionSpace Exec, Real T>
struct EulerRhs<Exec, T>::State {
  EulerRhsSetup setup;
  std::vector<detail::EulerLabel> labels;  ///< of the boundary
  detail::EulerPlan<Exec, T> plan;
  std::vector<detail::EulerSide<T>> sides = {};             ///< condition of each label
  std::vector<ConstEulerStates<Exec, T>> edge_states = {};  ///< of each label, or empty
  bool ready;                                               ///< conditions of all labels are set

  State(Exec const& space, TriangleMesh<Exec> const& mesh, EulerRhsSetup const& wanted, std::vector<int> const& group)
      : setup(resolved(wanted)),
        plan(detail::make_euler_plan<Exec, T>(space, mesh, setup, group, labels)),
        ready(labels.empty()) {}

  static EulerRhsSetup resolved(EulerRhsSetup setup) {
    require_setup(setup);
    if (setup.strategy == EulerStrategy::automatic) setup.strategy = EulerStrategy::blocks;
    return setup;
  }

  using Target = detail::EulerTarget<T>;
  using Source = detail::EulerSource<T>;

  Source source(ConstEulerField<Exec, T> const& u, DeviceNumber<Exec> const& dt) const {
    return {u.data(),
            setup.stabilization ? plan.projection.data() : nullptr,
            dt.data(),
            static_cast<T>(setup.gamma),
            static_cast<T>(setup.shock_capturing),
            plan.nodes()};
  }

  Target target(EulerField<Exec, T> const& result) const {
    return {result.data(), nullptr, nullptr, T(1), plan.inverse_mass.data(), plan.nodes()};
  }

  template <bool stabilized>
  void add_blocks(Exec const& space, Source const& from, Target const& to, double* rate) const {
    using Kernel = detail::EulerBlockKernel<Exec, T, stabilized>;
    auto const& parts = plan.blocks.parts;
    int const stride = Kernel::stride_of(parts.most_nodes);
    if (rate != nullptr) {
      Kokkos::parallel_for("karman::euler::no_rate", Range<Exec>(space, 0, 1), ZeroNumbers<double>{rate});
    }
    typename Kernel::Policy policy(space, parts.count(), Kernel::shape.threads, 1);
    auto const bytes = static_cast<int>(Kernel::scratch_bytes(stride));
    int const level = bytes <= policy.scratch_size_max(0) ? 0 : 1;
    policy.set_scratch_size(level, Kokkos::PerTeam(bytes));
    Kokkos::parallel_for("karman::euler::blocks", policy,
                         Kernel{from, detail::EulerBlockTables(plan.mesh, plan.blocks), plan.partial.data(), plan.slots,
                                to, rate, stride, level});
  }

  template <bool stabilized>
  void add_triangles(Exec const& space, Source const& from, double* rate) const {
    using Number = Kokkos::View<double, typename Exec::memory_space, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
    auto const largest = [&](int launch) {
      return Kokkos::Max<double, typename Exec::memory_space>(Number(plan.launch_rates.data() + launch));
    };
    auto const partial = plan.partial;
    int const triangles = plan.mesh.triangle_count();
    int launches = 1;
    switch (setup.strategy) {
      case EulerStrategy::atomic:
        zero(space);
        Kokkos::parallel_reduce("karman::euler::atomic", Range<Exec>(space, 0, triangles),
                                detail::AddTriangles<Exec, T, stabilized, true>{
                                    from, plan.mesh.nodes, plan.mesh.triangles, {}, 0, partial.data()},
                                largest(0));
        break;
      case EulerStrategy::colored:
        zero(space);
        launches = static_cast<int>(plan.colors.begin.size()) - 1;
        for (int c = 0; c < launches; ++c) {
          int const begin = plan.colors.begin[static_cast<std::size_t>(c)];
          int const end = plan.colors.begin[static_cast<std::size_t>(c) + 1];
          Kokkos::parallel_reduce(
              "karman::euler::colored", Range<Exec>(space, 0, end - begin),
              detail::AddTriangles<Exec, T, stabilized, false>{from, plan.mesh.nodes, plan.mesh.triangles,
                                                               plan.colors.classes.entries, begin, partial.data()},
              largest(c));
        }
        break;
      default:
        Kokkos::parallel_for("karman::euler::expand", Range<Exec>(space, 0, triangles),
                             detail::ExpandTriangles<Exec, T, stabilized>{from, plan.mesh.nodes, plan.mesh.triangles,
                                                                          plan.expanded.data()});
        Kokkos::parallel_reduce("karman::euler::integrate", Range<Exec>(space, 0, triangles),
                                detail::IntegrateExpanded<Exec, T, stabilized>{from, triangles, plan.expanded.data()},
                                largest(0));
        Kokkos::parallel_for("karman::euler::collect", Range<Exec>(space, 0, plan.nodes()),
                             detail::CollectExpanded<Exec, T>{plan.corners, triangles, plan.nodes(),
                                                              plan.expanded.data(), partial.data()});
    }
    if (rate != nullptr) {
      Kokkos::parallel_for("karman::euler::join_rates", Range<Exec>(space, 0, 1),
                           detail::JoinRates<Exec>{plan.launch_rates, launches, rate});
    }
  }

  /// Place of a label; that of the end where the mesh does not have it.
  std::size_t place_of(int label) const {
    auto const found = std::find_if(labels.begin(), labels.end(), [&](auto const& l) { return l.label == label; });
    return static_cast<std::size_t>(found - labels.begin());
  }

  void upload_sides(Exec const& space) { plan.sides = detail::upload(space, sides, "karman::euler::sides"); }

  void zero(Exec const& space) const {
    Kokkos::parallel_for("karman::euler::zero", Range<Exec>(space, 0, 4 * plan.slots),
                         ZeroNumbers<T>{plan.partial.data()});
  }

  template <bool stabilized>
  void run(Exec const& space, Source const& from, Target const& to, double* rate) const {
    if (plan.nodes() == 0) return;
    if (setup.strategy == EulerStrategy::blocks) {
      add_blocks<stabilized>(space, from, to, rate);
    } else {
      add_triangles<stabilized>(space, from, rate);
    }
    if (plan.rows.count == 0) return;
    Kokkos::parallel_for(
        "karman::euler::finish", Range<Exec>(space, 0, plan.rows.count),
        detail::FinishRows<Exec, T>{plan.rows, plan.partial.data(), plan.slots, plan.sides, from.gamma, from.u, to});
  }

  void check(ConstEulerField<Exec, T> const& field, char const* argument) const {
    require(static_cast<std::int64_t>(field.extent(0)) == plan.nodes(),
            "EulerRhs: " + std::string(argument) + " has " + std::to_string(field.extent(0)) + " nodes; the mesh has " +
                std::to_string(plan.nodes()));
  }

  void check_call(ConstEulerField<Exec, T> const& u, EulerField<Exec, T> const& result) const {
    require(ready, "EulerRhs: the mesh has a boundary; call set_boundary() first");
    check(u, "u");
    check(result, "result");
    require(u.data() != result.data() || plan.nodes() == 0, "EulerRhs: result must not overlap u");
  }

  void run(Exec const& space, Source const& from, Target const& to, DeviceNumber<Exec> const& rate) const {
    setup.stabilization ? run<true>(space, from, to, rate.data()) : run<false>(space, from, to, rate.data());
  }
};

template <ExecutionSpace Exec, Real T>
EulerRhs<Exec, T>::EulerRhs(Exec const& space, TriangleMesh<Exec> const& mesh, EulerRhsSetup const& setup,
                            std::vector<int> const& group) {
  Region const region("karman::euler::plan");
  state_ = std::make_unique<State>(space, mesh, setup, group);
}
template <ExecutionSpace Exec, Real T>
EulerRhs<Exec, T>::EulerRhs(EulerRhs&&) noexcept = default;
template <ExecutionSpace Exec, Real T>
EulerRhs<Exec, T>& EulerRhs<Exec, T>::operator=(EulerRhs&&) noexcept = default;
template <ExecutionSpace Exec, Real T>
EulerRhs<Exec, T>::~EulerRhs() = default;

template <ExecutionSpace Exec, Real T>
void EulerRhs<Exec, T>::set_boundary(Exec const& space, std::map<int, EulerBoundary> const& conditions) {
  Region const region("karman::euler::boundary");
  State& s = *state_;
  std::vector<detail::EulerSide<T>> sides;
  for (auto const& [label, ends] : s.labels) {
    auto const found = conditions.find(label);
    require(found != conditions.end(), "EulerRhs: boundary label " + std::to_string(label) + " has no condition");
    sides.push_back(detail::as_side<T>(s.setup.gamma, label, found->second));
  }
  s.sides = sides;
  s.edge_states.assign(sides.size(), {});
  s.upload_sides(space);
  s.ready = true;
}

template <ExecutionSpace Exec, Real T>
std::vector<EulerBoundaryEnd> const& EulerRhs<Exec, T>::boundary_ends(int label) const {
  static std::vector<EulerBoundaryEnd> const none;
  std::size_t const place = state_->place_of(label);
  return place < state_->labels.size() ? state_->labels[place].ends : none;
}

template <ExecutionSpace Exec, Real T>
void EulerRhs<Exec, T>::set_edge_states(Exec const& space, int label, ConstEulerStates<Exec, T> const& states) {
  Region const region("karman::euler::edge_states");
  State& s = *state_;
  std::string const who = "EulerRhs: states of boundary label " + std::to_string(label) + ": ";
  std::size_t const place = s.place_of(label);
  require(place < s.labels.size(), who + "the mesh has no such edges");
  require(s.ready, who + "call set_boundary() first");
  auto& side = s.sides[place];
  require(side.kind != EulerBoundaryKind::wall && side.kind != EulerBoundaryKind::outflow,
          who + std::string(name(side.kind)) + " has no state");
  std::size_t const rows = states.extent(0), ends = s.labels[place].ends.size();
  require(rows == 0 || rows == ends,
          who + std::to_string(rows) + " rows for " + std::to_string(ends) + " ends of edges; see boundary_ends()");
  s.edge_states[place] = states;
  side.states = rows == 0 ? nullptr : states.data();
  side.ends = static_cast<std::int64_t>(rows);
  s.upload_sides(space);
}

template <ExecutionSpace Exec, Real T>
void EulerRhs<Exec, T>::project(Exec const& space, ConstEulerField<Exec, T> const& u) {
  Region const region("karman::euler::project");
  State& s = *state_;
  if (!s.setup.stabilization) return;
  EulerField<Exec, T> const projection(s.plan.projection.data(), std::size_t(s.plan.nodes()));
  s.check_call(u, projection);
  s.template run<false>(space, s.source(u, {}), s.target(projection), nullptr);
}

template <ExecutionSpace Exec, Real T>
void EulerRhs<Exec, T>::evaluate(Exec const& space, ConstEulerField<Exec, T> const& u, DeviceNumber<Exec> const& dt,
                                 EulerField<Exec, T> const& result, DeviceNumber<Exec> const& rate) {
  Region const region("karman::euler::evaluate");
  State const& s = *state_;
  s.check_call(u, result);
  s.run(space, s.source(u, dt), s.target(result), rate);
}

template <ExecutionSpace Exec, Real T>
void EulerRhs<Exec, T>::advance(Exec const& space, ConstEulerField<Exec, T> const& base,
                                ConstEulerField<Exec, T> const& u, double factor, DeviceNumber<Exec> const& dt,
                                EulerField<Exec, T> const& result, DeviceNumber<Exec> const& rate) {
  Region const region("karman::euler::advance");
  State const& s = *state_;
  s.check_call(u, result);
  s.check(base, "base");
  require(dt.data() != nullptr, "EulerRhs: advance needs a time step");
  auto to = s.target(result);
  to.base = base.data();
  to.dt = dt.data();
  to.factor = static_cast<T>(factor);
  s.run(space, s.source(u, dt), to, rate);
}

template <ExecutionSpace Exec, Real T>
EulerStrategy EulerRhs<Exec, T>::strategy() const {
  return state_->setup.strategy;
}

template <ExecutionSpace Exec, Real T>
EulerRhsSetup const& EulerRhs<Exec, T>::setup() const {
  return state_->setup;
}

template <ExecutionSpace Exec, Real T>
int EulerRhs<Exec, T>::nodes() const {
  return state_->plan.nodes();
}

template <ExecutionSpace Exec, Real T>
Kokkos::View<T const*, typename Exec::memory_space> EulerRhs<Exec, T>::inverse_mass() const {
  return state_->plan.inverse_mass;
}

template <ExecutionSpace Exec, Real T>
std::int64_t EulerRhs<Exec, T>::workspace_bytes() const {
  auto const& p = state_->plan;
  auto const& parts = p.blocks.parts;
  return bytes_of_all(p.rows.node_begin, p.rows.nodes, p.rows.slot_begin, p.rows.slots, p.rows.half_edge_begin,
                      p.rows.half_edges, p.colors.classes.offsets, p.colors.classes.entries, p.blocks.targets,
                      p.blocks.colors, parts.triangles.offsets, parts.triangles.entries, parts.local_nodes,
                      parts.inner_colors.offsets, parts.inner_colors.entries, parts.nodes.offsets, parts.nodes.entries,
                      parts.own_nodes, parts.blocks.color, parts.blocks.classes.offsets, parts.blocks.classes.entries,
                      p.corners.begin, p.corners.corners, p.partial, p.expanded, p.inverse_mass, p.projection, p.sides,
                      p.launch_rates);
}

#define KARMAN_INSTANTIATE(Exec)        \
  template class EulerRhs<Exec, float>; \
  template class EulerRhs<Exec, double>;
KARMAN_FOR_EACH_BACKEND(KARMAN_INSTANTIATE)
#undef KARMAN_INSTANTIATE

}  // namespace karman
