// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "blocks.hpp"
#include "edge_scheme.hpp"
#include "local_rates.hpp"
#include "motion.hpp"
#include "node_order.hpp"
#include "parts.hpp"
#include "rows.hpp"
#include "setup.hpp"
#include "sides.hpp"
#include "triangles.hpp"
#include <karman/core/compat.hpp>
#include <karman/core/error.hpp>
#include <karman/core/host_copy.hpp>
#include <karman/core/profiling.hpp>
#include <karman/solvers/euler/euler_rhs.hpp>

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
  require(!(setup.scheme == EulerScheme::muscl && setup.moving),
          "EulerRhs: nodes that move need EulerScheme::supg; muscl keeps them at rest");
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
  detail::EulerNumbering<Exec, T> numbering;
  std::vector<detail::EulerLabel> labels;                   ///< of the boundary
  detail::EulerPlan<Exec, T> plan;                          ///< in its own numbering
  std::vector<detail::EulerSide<T>> sides = {};             ///< condition of each label
  std::vector<ConstEulerStates<Exec, T>> edge_states = {};  ///< of each label, or empty
  bool ready;                                               ///< conditions of all labels are set

  State(Exec const& space, TriangleMesh<Exec> const& mesh, EulerRhsSetup const& wanted, std::vector<int> const& group)
      : setup(resolved(wanted)),
        numbering(detail::make_numbering<Exec, T>(space, mesh, setup, group)),
        plan(detail::make_euler_plan<Exec, T>(space, numbering.order.mesh, setup, numbering.order.groups, labels)),
        ready(labels.empty()) {
    if (!numbering.changed()) return;
    for (auto& label : labels) {
      for (auto& end : label.ends) end.node = numbering.order.on_host[static_cast<std::size_t>(end.node)];
    }
    publish_geometry(space);
    compat::fence(space, "karman::euler::renumbered");
  }

  static EulerRhsSetup resolved(EulerRhsSetup setup) {
    require_setup(setup);
    if (setup.strategy == EulerStrategy::automatic) setup.strategy = EulerStrategy::blocks;
    if (setup.scheme == EulerScheme::muscl) setup.stabilization = false;
    return setup;
  }

  bool finite_volumes() const { return setup.scheme == EulerScheme::muscl; }

  using Target = detail::EulerTarget<T>;
  using Source = detail::EulerSource<T>;

  /// `u` in the numbering of the plan.
  Source source(T const* u, DeviceNumber<Exec> const& dt) const {
    return {u,
            setup.stabilization ? plan.projection.data() : nullptr,
            setup.step_limits_tau ? dt.data() : nullptr,
            static_cast<T>(setup.gamma),
            static_cast<T>(setup.shock_capturing),
            plan.nodes(),
            plan.motion.velocity.data()};
  }

  /// `result` and `u` in the numbering of the plan.
  Target target(T* result, T const* u) const {
    return {result, nullptr, nullptr, T(1), plan.inverse_mass.data(), plan.nodes(), plan.motion.mass_rate.data(), u};
  }

  T const* inside(Exec const& space, ConstEulerField<Exec, T> const& u) const {
    return numbering.template inside<4>(space, u.data(), numbering.u);
  }

  /// Computes result = base + change, where `to` describes the change: its base, result and u are still missing.
  void run_for(Exec const& space, ConstEulerField<Exec, T> const& u, DeviceNumber<Exec> const& dt, T const* base,
               Target to, EulerField<Exec, T> const& result, DeviceNumber<Exec> const& rate) const {
    auto const from = source(inside(space, u), dt);
    bool const changed = numbering.changed(), moving = plan.motion.moving;
    to.u = from.u;
    to.result = changed ? numbering.result.data() : result.data();
    // A base in another numbering is added on the way out, where the mass does not change.
    if (!changed) to.base = base;
    else if (moving) to.base = numbering.template inside<4>(space, base, numbering.base);
    run(space, from, to, rate);
    if (changed) numbering.template outside<4>(space, moving ? nullptr : base, to.result, result.data());
  }

  /// Masses and points in the numbering of the caller.
  void publish_geometry(Exec const& space) const {
    if (!numbering.changed()) return;
    numbering.template outside<1>(space, nullptr, plan.inverse_mass.data(), numbering.inverse_mass.data());
    if (!plan.motion.possible()) return;
    numbering.template outside<1>(space, nullptr, plan.motion.mass_rate.data(), numbering.mass_rate.data());
    numbering.outside(space, plan.motion.points, numbering.moved_points);
  }

  template <bool stabilized, bool moving>
  void add_blocks(Exec const& space, Source const& from, Target const& to, double* rate) const {
    using Kernel = detail::EulerBlockKernel<Exec, T, stabilized, moving>;
    auto const& parts = plan.blocks.parts;
    int const stride = Kernel::stride_of(parts.most_nodes);
    if (rate != nullptr) {
      Kokkos::parallel_for("karman::euler::no_rate", Range<Exec>(space, 0, 1), ZeroNumbers<double>{rate});
    }
    typename Kernel::Policy policy(space, parts.count(), Kernel::shape.threads, 1);
    auto const bytes = static_cast<int>(Kernel::scratch_bytes(stride));
    int const level = bytes <= policy.scratch_size_max(0) ? 0 : 1;
    policy.set_scratch_size(level, Kokkos::PerTeam(bytes));
    Kokkos::parallel_for(
        "karman::euler::blocks", policy,
        Kernel{from, detail::EulerBlockTables<T>(plan), plan.partial.data(), plan.slots, to, rate, stride, level});
  }

  template <bool stabilized, bool moving>
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
                                detail::AddTriangles<Exec, T, stabilized, moving, true>{
                                    from, plan.motion.points, plan.mesh.triangles, {}, 0, partial.data()},
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
              detail::AddTriangles<Exec, T, stabilized, moving, false>{
                  from, plan.motion.points, plan.mesh.triangles, plan.colors.classes.entries, begin, partial.data()},
              largest(c));
        }
        break;
      default:
        Kokkos::parallel_for("karman::euler::expand", Range<Exec>(space, 0, triangles),
                             detail::ExpandTriangles<Exec, T, stabilized, moving>{
                                 from, plan.motion.points, plan.mesh.triangles, plan.expanded.data()});
        Kokkos::parallel_reduce(
            "karman::euler::integrate", Range<Exec>(space, 0, triangles),
            detail::IntegrateExpanded<Exec, T, stabilized, moving>{from, triangles, plan.expanded.data()}, largest(0));
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

  void upload_sides(Exec const& space) { plan.sides = device_copy(space, sides, "karman::euler::sides"); }

  void zero(Exec const& space) const {
    Kokkos::parallel_for("karman::euler::zero", Range<Exec>(space, 0, 4 * plan.slots),
                         ZeroNumbers<T>{plan.partial.data()});
  }

  template <bool stabilized, bool moving>
  void run(Exec const& space, Source const& from, Target const& to, double* rate) const {
    if (plan.nodes() == 0) return;
    if (finite_volumes()) {
      detail::add_edges<Exec, T>(space, plan, from, to, rate);
    } else if (setup.strategy == EulerStrategy::blocks) {
      add_blocks<stabilized, moving>(space, from, to, rate);
    } else {
      add_triangles<stabilized, moving>(space, from, rate);
    }
    if (plan.rows.count == 0) return;
    Kokkos::parallel_for("karman::euler::finish", Range<Exec>(space, 0, plan.rows.count),
                         detail::FinishRows<Exec, T, moving>{plan.rows, plan.partial.data(), plan.slots, plan.sides,
                                                             from.gamma, from.u, to, from.velocity, rate});
  }

  void check(ConstEulerField<Exec, T> const& field, char const* argument) const {
    require(static_cast<std::int64_t>(field.extent(0)) == plan.nodes(),
            "EulerRhs: " + std::string(argument) + " has " + std::to_string(field.extent(0)) + " nodes; the mesh has " +
                std::to_string(plan.nodes()));
  }

  void check_numbers(ConstVector<Exec, T> const& numbers, char const* argument) const {
    require(static_cast<std::int64_t>(numbers.extent(0)) == plan.nodes(),
            "EulerRhs: " + std::string(argument) + " has " + std::to_string(numbers.extent(0)) +
                " values; the mesh has " + std::to_string(plan.nodes()) + " nodes");
  }

  void check_call(ConstEulerField<Exec, T> const& u, EulerField<Exec, T> const& result) const {
    require(ready, "EulerRhs: the mesh has a boundary; call set_boundary() first");
    check(u, "u");
    check(result, "result");
    require(u.data() != result.data() || plan.nodes() == 0, "EulerRhs: result must not overlap u");
  }

  template <bool stabilized>
  void local_rates(Exec const& space, Source const& from, T* rates) const {
    if (finite_volumes()) {
      detail::edge_rates<Exec, T>(space, plan, from, rates);
    } else {
      Kokkos::parallel_for("karman::euler::triangle_rates", Range<Exec>(space, 0, plan.mesh.triangle_count()),
                           detail::TriangleRates<Exec, T, stabilized>{from, plan.motion.points, plan.mesh.triangles,
                                                                      plan.triangle_rates.data()});
      Kokkos::parallel_for("karman::euler::node_rates", Range<Exec>(space, 0, plan.nodes()),
                           detail::LargestAround<Exec, T>{plan.corners, plan.triangle_rates.data(), rates});
    }
    if (plan.rows.count == 0) return;
    Kokkos::parallel_for("karman::euler::finish_rates", Range<Exec>(space, 0, plan.rows.count),
                         detail::FinishRates<Exec, T>{plan.rows, plan.sides, from.gamma, from.u,
                                                      plan.inverse_mass.data(), plan.nodes(), rates});
  }

  void run(Exec const& space, Source const& from, Target const& to, DeviceNumber<Exec> const& rate) const {
    setup.stabilization ? run_with<true>(space, from, to, rate.data()) : run_with<false>(space, from, to, rate.data());
  }

  template <bool stabilized>
  void run_with(Exec const& space, Source const& from, Target const& to, double* rate) const {
    if (plan.motion.moving) run<stabilized, true>(space, from, to, rate);
    else run<stabilized, false>(space, from, to, rate);
  }

  using Points = typename TriangleMesh<Exec>::template Table<double, 2>;

  void check(Points const& values, char const* argument) const {
    require(static_cast<std::int64_t>(values.extent(0)) == plan.nodes(),
            "EulerRhs: " + std::string(argument) + " have " + std::to_string(values.extent(0)) +
                " nodes; the mesh has " + std::to_string(plan.nodes()));
  }

  /// Points at rest where the velocity is empty.
  void move(Exec const& space, Points const& points, Points const& velocity, DeviceNumber<Exec> const& dt) {
    require(plan.motion.possible() || plan.nodes() == 0, "EulerRhs: moving nodes need EulerRhsSetup::moving");
    check(points, "points");
    require((points.data() != plan.motion.own_points.data() && points.data() != numbering.moved_points.data()) ||
                plan.nodes() == 0,
            "EulerRhs: points must not be the points of the plan");
    detail::refresh_geometry<Exec, T>(space,
                                      {numbering.inside(space, points, numbering.points),
                                       numbering.inside(space, velocity, numbering.velocity), dt.data()},
                                      plan);
    publish_geometry(space);
  }
};

template <ExecutionSpace Exec, Real T>
EulerRhs<Exec, T>::EulerRhs(Exec const& space, TriangleMesh<Exec> const& mesh, EulerRhsSetup const& setup,
                            std::vector<int> const& group) {
  Region const region("karman::euler::plan");
  state_ = {"EulerRhs", std::make_unique<State>(space, mesh, setup, group)};
}

template <ExecutionSpace Exec, Real T>
void EulerRhs<Exec, T>::set_boundary(Exec const& space, std::map<int, EulerBoundary> const& conditions) {
  Region const region("karman::euler::boundary");
  State& s = *state_;
  std::vector<detail::EulerSide<T>> sides;
  for (auto const& [label, ends] : s.labels) {
    auto const found = conditions.find(label);
    require(found != conditions.end(), "EulerRhs: boundary label " + std::to_string(label) + " has no condition");
    sides.push_back(detail::as_side<T>(s.setup.gamma, label, found->second));
    if (s.finite_volumes()) detail::make_upwind(sides.back());
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
void EulerRhs<Exec, T>::set_points(Exec const& space, Points const& points) {
  Region const region("karman::euler::set_points");
  state_->move(space, points, {}, {});
}

template <ExecutionSpace Exec, Real T>
void EulerRhs<Exec, T>::set_motion(Exec const& space, Points const& points, Points const& velocity,
                                   DeviceNumber<Exec> const& dt) {
  Region const region("karman::euler::set_motion");
  require(dt.data() != nullptr, "EulerRhs: set_motion needs a time step");
  state_->check(velocity, "velocities");
  state_->move(space, points, velocity, dt);
}

template <ExecutionSpace Exec, Real T>
bool EulerRhs<Exec, T>::may_move() const {
  return state_->setup.moving;
}

template <ExecutionSpace Exec, Real T>
typename EulerRhs<Exec, T>::Points EulerRhs<Exec, T>::points() const {
  State const& s = *state_;
  return s.numbering.changed() ? s.numbering.given_points() : s.plan.motion.points;
}

template <ExecutionSpace Exec, Real T>
void EulerRhs<Exec, T>::project(Exec const& space, ConstEulerField<Exec, T> const& u) {
  Region const region("karman::euler::project");
  State& s = *state_;
  if (!s.setup.stabilization) return;
  EulerField<Exec, T> const projection(s.plan.projection.data(), std::size_t(s.plan.nodes()));
  s.check_call(u, projection);
  T const* const inside = s.inside(space, u);
  s.template run_with<false>(space, s.source(inside, {}), s.target(projection.data(), inside), nullptr);
}

template <ExecutionSpace Exec, Real T>
void EulerRhs<Exec, T>::evaluate(Exec const& space, ConstEulerField<Exec, T> const& u, DeviceNumber<Exec> const& dt,
                                 EulerField<Exec, T> const& result, DeviceNumber<Exec> const& rate) {
  Region const region("karman::euler::evaluate");
  State const& s = *state_;
  s.check_call(u, result);
  s.run_for(space, u, dt, nullptr, s.target(nullptr, nullptr), result, rate);
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
  auto to = s.target(nullptr, nullptr);
  to.dt = dt.data();
  to.factor = static_cast<T>(factor);
  s.run_for(space, u, dt, base.data(), to, result, rate);
}

template <ExecutionSpace Exec, Real T>
void EulerRhs<Exec, T>::local_rates(Exec const& space, ConstEulerField<Exec, T> const& u,
                                    Vector<Exec, T> const& rates) {
  Region const region("karman::euler::local_rates");
  State const& s = *state_;
  require(s.ready, "EulerRhs: the mesh has a boundary; call set_boundary() first");
  require(s.setup.local_steps, "EulerRhs: local_rates() needs EulerRhsSetup::local_steps");
  s.check(u, "u");
  s.check_numbers(rates, "rates");
  if (s.plan.nodes() == 0) return;
  auto const from = s.source(s.inside(space, u), {});
  bool const changed = s.numbering.changed();
  T* const inside = changed ? s.numbering.numbers.data() : rates.data();
  s.setup.stabilization ? s.template local_rates<true>(space, from, inside)
                        : s.template local_rates<false>(space, from, inside);
  if (changed) s.numbering.template outside<1>(space, nullptr, inside, rates.data());
}

template <ExecutionSpace Exec, Real T>
void EulerRhs<Exec, T>::advance_local(Exec const& space, ConstEulerField<Exec, T> const& base,
                                      ConstEulerField<Exec, T> const& u, double factor, ConstVector<Exec, T> const& dt,
                                      EulerField<Exec, T> const& result) {
  Region const region("karman::euler::advance_local");
  State const& s = *state_;
  s.check_call(u, result);
  if (base.data() != nullptr) s.check(base, "base");
  s.check_numbers(dt, "dt");
  require(!s.plan.motion.moving, "EulerRhs: moving nodes have no local steps");
  auto to = s.target(nullptr, nullptr);
  to.local_dt = s.numbering.template inside<1>(space, dt.data(), s.numbering.numbers);
  to.factor = static_cast<T>(factor);
  s.run_for(space, u, {}, base.data(), to, result, {});
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
  State const& s = *state_;
  return s.numbering.changed() ? s.numbering.inverse_mass : s.plan.inverse_mass;
}

template <ExecutionSpace Exec, Real T>
Kokkos::View<T const*, typename Exec::memory_space> EulerRhs<Exec, T>::mass_rate() const {
  State const& s = *state_;
  return s.numbering.changed() ? s.numbering.mass_rate : s.plan.motion.mass_rate;
}

template <ExecutionSpace Exec, Real T>
detail::EulerParts<Exec, T> EulerRhs<Exec, T>::parts() const {
  State const& s = *state_;
  return {s.setup, s.numbering.order, s.labels, s.plan, s.ready};
}

template <ExecutionSpace Exec, Real T>
std::int64_t EulerRhs<Exec, T>::workspace_bytes() const {
  auto const& p = state_->plan;
  auto const& parts = p.blocks.parts;
  return bytes_of_all(p.rows.node_begin, p.rows.nodes, p.rows.slot_begin, p.rows.slots, p.rows.half_edge_begin,
                      p.rows.half_edges, p.colors.classes.offsets, p.colors.classes.entries, p.blocks.targets,
                      p.blocks.triangles, p.edges, parts.triangles.offsets, parts.triangles.entries, parts.local_nodes,
                      parts.inner_colors.offsets, parts.inner_colors.entries, parts.nodes.offsets, parts.nodes.entries,
                      parts.own_nodes, parts.blocks.color, parts.blocks.classes.offsets, parts.blocks.classes.entries,
                      p.corners.begin, p.corners.corners, p.partial, p.expanded, p.inverse_mass, p.projection, p.sides,
                      p.launch_rates, p.triangle_rates, p.rows.half_edge_ends, p.motion.own_points, p.motion.velocity,
                      p.motion.mass_rate, p.motion.owner, p.motion.rings.begin, p.motion.rings.nodes,
                      p.motion.corners.begin, p.motion.corners.corners, p.dual.edges, p.dual.begin, p.dual.ends,
                      p.dual.neighbors, p.dual.targets, p.dual.closure, p.dual.states, p.dual.jumps, p.dual.fluxes,
                      p.dual.speeds) +
         state_->numbering.bytes();
}

#define KARMAN_INSTANTIATE(Exec)        \
  template class EulerRhs<Exec, float>; \
  template class EulerRhs<Exec, double>;
KARMAN_FOR_EACH_BACKEND(KARMAN_INSTANTIATE)
#undef KARMAN_INSTANTIATE

}  // namespace karman
