// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "flow_model.hpp"

#include "body_motion.hpp"
#include "flow_kernels.hpp"
#include <karman/core/backend.hpp>
#include <karman/core/error.hpp>
#include <karman/core/host_copy.hpp>
#include <karman/core/reductions.hpp>
#include <karman/mesh/mesh_order.hpp>
#include <karman/mesh/periodic_nodes.hpp>
#include <karman/solvers/euler/euler_derivative.hpp>
#include <karman/solvers/euler/euler_floors.hpp>
#include <karman/solvers/euler/euler_implicit.hpp>
#include <karman/solvers/euler/euler_newton.hpp>
#include <karman/solvers/euler/residual_smoothing.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <map>
#include <optional>
#include <utility>

namespace karman::euler {
namespace {

/// Square of the longest side of the triangles of each node, over its mass; about 2 in meshes without long triangles.
std::vector<float> stretches_of(MeshData const& mesh) {
  std::vector<double> masses(mesh.nodes.size(), 0), sides(mesh.nodes.size(), 0);
  for (auto const& t : mesh.triangles) {
    std::array<std::array<double, 2>, 3> x{};
    for (std::size_t m = 0; m < 3; ++m) x[m] = mesh.nodes[static_cast<std::size_t>(t[m])];
    double const twice = (x[1][0] - x[0][0]) * (x[2][1] - x[0][1]) - (x[2][0] - x[0][0]) * (x[1][1] - x[0][1]);
    double longest = 0;
    for (std::size_t m = 0; m < 3; ++m)
      longest = std::max(longest, std::hypot(x[(m + 1) % 3][0] - x[m][0], x[(m + 1) % 3][1] - x[m][1]));
    for (int const node : t) {
      masses[static_cast<std::size_t>(node)] += twice / 6;
      double& side = sides[static_cast<std::size_t>(node)];
      side = std::max(side, longest);
    }
  }
  std::vector<float> stretches;
  for (std::size_t n = 0; n < masses.size(); ++n)
    stretches.push_back(static_cast<float>(sides[n] * sides[n] / masses[n]));
  return stretches;
}

/// Mesh in the numbering of the model.
struct OrderedMesh {
  std::vector<int> number;  ///< in the model, of each node of the problem
  MeshData mesh;
  std::vector<int> group;  ///< empty: no periodic sides

  explicit OrderedMesh(FlowProblem const& problem) {
    MeshOrder const order = hilbert_curve(problem.mesh);
    number = order.nodes;
    mesh = renumbered(problem.mesh, order);
    if (!problem.periodic.empty()) group = periodic_groups(mesh, problem.periodic);
  }
};

/// Ends of edges with a prescribed state, in order.
template <ExecutionSpace Exec>
struct StateEnds {
  using Memory = typename Exec::memory_space;
  Kokkos::View<int*, Memory> nodes = Kokkos::View<int*, Memory>();  ///< where they move
  Kokkos::View<double* [2], Kokkos::LayoutRight, Memory> points =
      Kokkos::View<double* [2], Kokkos::LayoutRight, Memory>();  ///< workspace, where they move
  std::vector<std::array<double, 2>> at;                         ///< their places
};

/// Places of some nodes after half a step.
template <class Exec>
struct HalfStepPlaces {
  Kokkos::View<int*, typename Exec::memory_space> nodes;
  typename NodeMotion<Exec>::ConstPoints points, velocity;
  double half;  ///< of dt
  Kokkos::View<double* [2], Kokkos::LayoutRight, typename Exec::memory_space> places;

  KOKKOS_FUNCTION void operator()(int n) const {
    for (int axis = 0; axis < 2; ++axis) {
      places(n, axis) = points(nodes(n), axis) + half * velocity(nodes(n), axis);
    }
  }
};

/// Its parts refer to each other, so that it must not be moved.
template <ExecutionSpace Exec, class T>
class Model final : public FlowModel {
  using Memory = typename Exec::memory_space;
  using Averages = Kokkos::View<double* [5], Kokkos::LayoutLeft, Memory>;
  template <class Number, int columns>
  using Rows = Kokkos::View<Number const* [columns], Kokkos::LayoutRight, Memory>;
  using Values = Kokkos::View<double* [4], Kokkos::LayoutRight, Memory>;
  using States = Kokkos::View<T* [4], Kokkos::LayoutLeft, Memory>;

 public:
  Model(Exec const& space, FlowProblem const& problem) : Model(space, problem, OrderedMesh(problem)) {}
  Model(Model const&) = delete;
  Model& operator=(Model const&) = delete;

  void start(FlowTime const& from, app::HostField const& conservative, app::HostField const& former) override {
    app::HostField const ordered = to_model(conservative, 4);
    copy_to_device(space_, std::span(static_cast<T const*>(ordered.array().data), u_.size()), u_);
    std::vector<ConstVector<Exec, T>> derivatives;
    if (!former.empty()) derivatives = uploaded_derivatives(former);
    begin(from, derivatives);
  }

  void restart(FlowTime const& from) override { begin(from, {}); }

  void copy_former(app::HostField& former) const override {
    auto const derivatives = implicit_ ? implicit_->former() : integrator_.former();
    former = app::HostField();
    if (derivatives.empty()) return;
    auto const n = static_cast<std::size_t>(nodes());
    app::HostField ordered(type(), {4 * derivatives.size(), n});
    for (std::size_t j = 0; j < derivatives.size(); ++j) {
      copy_to_host(space_, derivatives[j], {static_cast<T*>(ordered.array().data) + 4 * n * j, 4 * n});
    }
    former = app::HostField(type(), {4 * derivatives.size(), n});
    permute<T>(ordered, former, 4 * derivatives.size(), false);
  }

  void begin(FlowTime const& from, std::vector<ConstVector<Exec, T>> const& derivatives) {
    first_step_ = from.step;
    if (newton_ || implicit_) {
      if (motion_) move_to(from.time);
      set_states(from.time, 0, true);
      if (newton_) {
        EulerNewtonState state = from.newton;
        if (state.cfl == 0) state.largest = reference_residual();
        newton_->start(problem_.newton->options, state);
      } else {
        implicit_->start(space_, problem_.implicit->options,
                         {from.time, from.dt, {from.earlier_dt[0], from.earlier_dt[1]}}, derivatives);
      }
      newton_steps_ = 0;
      newton_figures_ = {};
      return;
    }
    StepControl control = problem_.control;
    if (from.dt > 0 && !problem_.integrator.local_steps) control.dt_first = from.dt;
    if (motion_) move_to(from.time);
    set_states(from.time, 0, true);
    if (motion_ && control.dt_first == 0) control.dt_first = first_step(control);
    integrator_.resume(space_, *derivative_, vector(), from.time, control, derivatives, from.earlier_dt);
  }

  void set_end(double end) override { implicit_ ? implicit_->set_end(end) : integrator_.set_end(space_, end); }

  void advance(int steps) override {
    if (newton_) return advance_newton(steps);
    if (implicit_) return advance_implicit(steps);
    if (sums_.extent(0) == 0 && !varies()) return integrator_.step(space_, *derivative_, vector(), steps);
    for (int n = 0; n < steps; ++n) {
      add_averages(integrator_.time(), integrator_.dt().global);
      if (varies()) set_states_of_step();
      integrator_.step(space_, *derivative_, vector());
    }
  }

  FlowFigures diagnostics() override {
    FlowFigures figures;
    TimeReport report;
    if (newton_ || implicit_) {
      report.steps = newton_steps_;
      figures.newton = newton_figures_;
      newton_figures_ = {};
      if (newton_) figures.newton.state = newton_->state();
      else fill(report, figures.newton);
    } else {
      report = integrator_.diagnostics(space_, vector());
    }
    figures.step = first_step_ + report.steps;
    figures.time = report.time;
    figures.dt = report.dt;
    figures.earlier_dt = report.earlier_dt;
    figures.finished = report.finished;
    figures.breakdown = report.breakdown;
    if (motion_ && implicit_) move_to(report.time);
    if (motion_) {
      // Masses and normals of the end of the last step.
      rhs_.set_points(space_, derivative_->points());
      figures.least_quality = reducer_.reduce(space_, mesh_.triangle_count(),
                                              QualityOfTriangle<Exec>{rhs_.points(), mesh_.triangles}, MinOf<double>());
    }
    if (varies()) set_states(report.time, 0);
    if (limiter_) {
      // Sums from check to check: a run that continues from a checkpoint has sums of the same bits.
      EulerFloorReport const floors = limiter_->report(space_);
      limiter_->reset(space_);
      figures.floor_changes = floors.changes;
      figures.added_mass = floors.mass;
      figures.added_energy = floors.energy;
      if (floors.node >= 0) {
        figures.floor_node = static_cast<int>(std::find(number_.begin(), number_.end(), floors.node) - number_.begin());
      }
    }
    // With the projection of this flow: the residual is a function of flow and time alone.
    rhs_.project(space_, u_);
    // The step before an end time cuts it.
    Kokkos::deep_copy(space_, next_dt_, report.dt);
    rhs_.evaluate(space_, u_, problem_.integrator.local_steps ? DeviceNumber<Exec>() : next_dt_, rate_);
    Totals const totals = reducer_.reduce(
        space_, nodes(), TotalsOfNode<Exec, T>{u_, rate_, rhs_.inverse_mass(), share_, gamma()}, JoinTotals());
    for (std::size_t c = 0; c < 4; ++c) figures.total[c] = totals.total[c];
    figures.residual = std::sqrt(totals.square / area_);
    if (!problem_.scheme.step_limits_tau) {
      double const rounding = reducer_.reduce(
          space_, nodes(), RoundingOfNode<Exec, T>{u_, stretch_, gamma(), double(std::numeric_limits<T>::epsilon())},
          SumOf<double>());
      // Each flux has a few operations, each node about six triangles; tau may amplify their sum, and the state has
      // several roundings too.
      constexpr double roundings = 64;
      figures.round_off = roundings * std::sqrt(rounding / area_);
    }
    figures.least_density = totals.least_density;
    figures.least_pressure = totals.least_pressure;
    figures.largest_mach = totals.largest_mach;
    for (std::size_t g = 0; g < walls_.size(); ++g) {
      auto const& at = problem_.forces[g].moment_at;
      Force const force = reducer_.reduce(
          space_, static_cast<std::int64_t>(walls_[g].extent(0)),
          ForceOfEdge<Exec, T>{u_, rhs_.points(), walls_[g], gamma(), problem_.flow.pressure, at[0], at[1]},
          JoinForces());
      figures.forces.push_back({force.x, force.y, force.moment});
    }
    if (gauge_values_.extent(0) != 0) read_gauges(figures);
    return figures;
  }

  void copy(app::HostField& conservative) const override {
    app::HostField ordered(type(), {4, std::size_t(nodes())});
    copy_to_host(space_, u_, {static_cast<T*>(ordered.array().data), u_.size()});
    conservative = app::HostField(type(), {4, std::size_t(nodes())});
    permute<T>(ordered, conservative, 4, false);
  }

  std::vector<std::array<double, 2>> points() const override {
    typename NodeMotion<Exec>::ConstPoints const source = motion_ ? derivative_->points() : mesh_.nodes;
    auto const ordered = host_copy<std::array<double, 2>>(space_, source);
    std::vector<std::array<double, 2>> result(ordered.size());
    for (std::size_t i = 0; i < result.size(); ++i) result[i] = ordered[static_cast<std::size_t>(number_[i])];
    return result;
  }

  int motion_iterations() const override { return motion_ ? motion_->iterations() : 0; }

  double copy_averages(app::HostField& sums) const override {
    sums = app::HostField(ScalarType::float64, {5, std::size_t(nodes())});
    if (sums_.extent(0) == 0) return 0;
    app::HostField ordered = sums;
    copy_to_host(space_, sums_, {static_cast<double*>(ordered.array().data), sums_.size()});
    double seconds = 0;
    Kokkos::deep_copy(space_, seconds, seconds_);
    compat::fence(space_, "karman::euler::copy_averages");
    permute<double>(ordered, sums, 5, false);
    return seconds;
  }

  void set_averages(double seconds, app::HostField const& sums) override {
    if (sums_.extent(0) == 0) return;
    app::HostField ordered(ScalarType::float64, {5, std::size_t(nodes())});
    permute<double>(sums, ordered, 5, true);
    copy_to_device(space_, std::span(static_cast<double const*>(ordered.array().data), sums_.size()), sums_);
    Kokkos::deep_copy(space_, seconds_, seconds);
    compat::fence(space_, "karman::euler::set_averages");
  }

  std::int64_t memory_bytes() const override {
    auto const bytes = [](auto const& view) {
      return static_cast<std::int64_t>(view.span() * sizeof(typename std::decay_t<decltype(view)>::value_type));
    };
    std::int64_t sum = rhs_.workspace_bytes() + integrator_.workspace_bytes() + bytes(u_) + bytes(rate_) +
                       bytes(sums_) + bytes(share_) + bytes(stretch_) + bytes(mesh_.nodes) + bytes(mesh_.triangles) +
                       bytes(mesh_.regions) + bytes(mesh_.edges) + bytes(mesh_.edge_labels);
    for (auto const& wall : walls_) sum += bytes(wall);
    for (auto const& [label, states] : states_) sum += bytes(states);
    if (smoothing_) sum += smoothing_->workspace_bytes();
    if (limiter_) sum += limiter_->workspace_bytes();
    if (derivative_) sum += derivative_->fused_bytes();
    if (newton_) sum += newton_->workspace_bytes();
    if (implicit_) sum += implicit_->workspace_bytes();
    for (auto const& [label, ends] : state_ends_) sum += bytes(ends.nodes) + bytes(ends.points);
    // Reference and blending fields of the motion; points and velocities of the derivative, places; smoothed changes.
    if (motion_) sum += motion_->workspace_bytes() + (32 + 16) * std::int64_t(nodes());
    if (smoothing_) sum += std::int64_t(4 * sizeof(T)) * nodes();
    sum += bytes(velocities_);
    return sum;
  }

 private:
  Model(Exec const& space, FlowProblem const& problem, OrderedMesh const& ordered)
      : space_(space),
        problem_(problem),
        number_(ordered.number),
        mesh_(make_triangle_mesh(space, ordered.mesh)),
        rhs_(space, mesh_, problem.scheme, ordered.group),
        integrator_(space, problem.linear_systems() != nullptr ? 0 : 4 * std::int64_t(ordered.mesh.nodes.size()),
                    problem.integrator),
        reducer_(space),
        u_(Kokkos::view_alloc(space, std::string("karman::euler::u")), ordered.mesh.nodes.size()),
        rate_(Kokkos::view_alloc(space, std::string("karman::euler::rate")), ordered.mesh.nodes.size()),
        next_dt_(Kokkos::view_alloc(space, std::string("karman::euler::next_dt"))),
        now_(Kokkos::view_alloc(space, std::string("karman::euler::now"))) {
    rhs_.set_boundary(space_, problem.boundaries);
    if (problem.motion.moves()) {
      motion_.emplace(space_, mesh_, problem.motion, ordered.group);
      places_ = typename NodeMotion<Exec>::Points(Kokkos::view_alloc(space_, std::string("karman::euler::places")),
                                                  u_.extent(0));
      if (problem.implicit)
        velocities_ = typename NodeMotion<Exec>::Points(
            Kokkos::view_alloc(space_, std::string("karman::euler::node_velocities")), u_.extent(0));
    }
    if (problem.smoothing.factor > 0)
      smoothing_.emplace(space_, mesh_, ResidualSmoothingSetup{problem.smoothing.factor, problem.smoothing.sweeps},
                         ordered.group);
    if (problem.density_floor > 0 || problem.pressure_floor > 0)
      limiter_.emplace(space_, rhs_, EulerFloors{problem.density_floor, problem.pressure_floor}, ordered.group);
    if (!ordered.group.empty()) share_ = device_copy(space_, group_shares(ordered.group), "karman::euler::share");
    if (!problem.scheme.step_limits_tau)
      stretch_ = device_copy(space_, stretches_of(ordered.mesh), "karman::euler::stretch");
    if (std::isfinite(problem.averages_from)) {
      sums_ = Averages(Kokkos::view_alloc(space_, std::string("karman::euler::averages")), u_.extent(0));
      seconds_ = DeviceNumber<Exec>(Kokkos::view_alloc(space_, std::string("karman::euler::averaged_time")));
    }
    for (ForceGroup const& group : problem.forces) walls_.push_back(wall_of(ordered.mesh, group));
    make_gauges();
    make_states(ordered.mesh);
    if (motion_ || problem.linear_systems() == nullptr) make_derivative();
    if (problem.newton) newton_.emplace(space_, rhs_, problem.newton->setup, ordered.group);
    if (problem.implicit)
      implicit_.emplace(space_, rhs_, problem.implicit->method, problem.implicit->setup, ordered.group);
    compat::fence(space_, "karman::euler::model");
    for (auto const& t : ordered.mesh.triangles) {
      auto const& a = ordered.mesh.nodes[std::size_t(t[0])];
      auto const& b = ordered.mesh.nodes[std::size_t(t[1])];
      auto const& c = ordered.mesh.nodes[std::size_t(t[2])];
      area_ += 0.5 * ((b[0] - a[0]) * (c[1] - a[1]) - (c[0] - a[0]) * (b[1] - a[1]));
    }
  }

  /// Derivatives in the memory of the backend and the numbering of the model.
  std::vector<ConstVector<Exec, T>> uploaded_derivatives(app::HostField const& former) const {
    auto const n = static_cast<std::size_t>(nodes());
    std::size_t const fields = former.array().extents[0];
    app::HostField const ordered = to_model(former, fields);
    std::vector<ConstVector<Exec, T>> derivatives;
    for (std::size_t first = 0; first < fields; first += 4) {
      std::span const values(static_cast<T const*>(ordered.array().data) + first * n, 4 * n);
      derivatives.push_back(device_copy(space_, values, "karman::euler::former"));
    }
    return derivatives;
  }

  /// Residual of the reference flow at all nodes, from which a flow is far or near; 0 where it is none.
  double reference_residual() {
    EulerState const& flow = problem_.flow;
    auto const [vx, vy] = flow.velocity;
    double const energy = flow.pressure / (gamma() - 1) + 0.5 * flow.density * (vx * vx + vy * vy);
    std::vector<T> values;
    for (double const value : {flow.density, flow.density * vx, flow.density * vy, energy})
      values.insert(values.end(), u_.extent(0), static_cast<T>(value));
    copy_to_device(space_, std::span<T const>(values), rate_);
    double const residual = newton_->residual(space_, rate_);
    return std::isfinite(residual) ? residual : 0;
  }

  void advance_newton(int steps) {
    for (int n = 0; n < steps && newton_figures_.stall.empty(); ++n) {
      EulerNewtonStep const step = newton_->step(space_, u_);
      newton_figures_.linear_iterations += step.linear_iterations;
      newton_figures_.evaluations += step.evaluations;
      newton_figures_.stall = step.stall;
      if (step.stall.empty()) ++newton_steps_;
    }
  }

  void advance_implicit(int steps) {
    auto const at = [this](double time) { set_geometry(time); };
    for (int n = 0; n < steps && newton_figures_.stall.empty(); ++n) {
      double const before = implicit_->state().time;
      EulerImplicitStep const step = implicit_->step(space_, u_, at);
      newton_figures_.iterations += step.newton_iterations;
      newton_figures_.linear_iterations += step.linear_iterations;
      newton_figures_.evaluations += step.evaluations;
      newton_figures_.stall = step.stall;
      if (step.dt == 0) return;
      ++newton_steps_;
      if (sums_.extent(0) == 0) continue;
      Kokkos::deep_copy(space_, now_, before);
      Kokkos::deep_copy(space_, next_dt_, step.dt);
      add_averages(now_, next_dt_);
    }
  }

  /// States of the boundary, places and velocities of the nodes at a time.
  void set_geometry(double time) {
    if (motion_) {
      // Differences over a short part of a step: round-off and curvature are both small.
      double const short_time = 1e-4 * problem_.implicit->options.dt;
      Kokkos::deep_copy(space_, now_, time - 0.5 * short_time);
      Kokkos::deep_copy(space_, next_dt_, short_time);
      motion_->place(space_, now_, places_);
      motion_->choose(space_, now_, next_dt_, places_, velocities_);
      move_to(time);
      Kokkos::deep_copy(space_, next_dt_, 0.0);
      rhs_.set_motion(space_, places_, velocities_, next_dt_);
    }
    if (varies()) set_states(time, 0);
  }

  /// Time of implicit steps.
  void fill(TimeReport& report, NewtonFigures const& figures) const {
    EulerImplicitState const state = implicit_->state();
    report.time = state.time;
    report.dt = state.dt;
    report.earlier_dt = {state.earlier_dt[0], state.earlier_dt[1]};
    report.breakdown = figures.stall;
  }

  /// Adds the flow, over a step from `time` on, to the averages.
  void add_averages(DeviceNumber<Exec> const& time, DeviceNumber<Exec> const& dt) {
    if (sums_.extent(0) == 0) return;
    Kokkos::parallel_for("karman::euler::averages", Kokkos::RangePolicy<Exec>(space_, 0, nodes()),
                         AddAverages<Exec, T>{u_, sums_, time, dt, seconds_, problem_.averages_from, gamma()});
  }

  /// Places the nodes where the body is at a time.
  void move_to(double time) {
    Kokkos::deep_copy(space_, now_, time);
    motion_->place(space_, now_, places_);
    derivative_->set_points(space_, places_);
  }

  /// First step of moving nodes, which may start faster than the gas: that of the rates with their mean velocities
  /// during the step that suits nodes at rest. 0 where none can be found.
  double first_step(StepControl const& control) {
    DeviceNumber<Exec> const found(Kokkos::view_alloc(space_, std::string("karman::euler::first_rate")));
    auto const step = [&] {
      double rate = 0;
      rhs_.project(space_, u_);
      rhs_.evaluate(space_, u_, {}, rate_, found);
      Kokkos::deep_copy(space_, rate, found);
      compat::fence(space_, "karman::euler::first_step");
      double const dt = control.cfl / rate;
      if (!(dt > 0) || !std::isfinite(dt)) return 0.0;
      return control.dt_max > 0 ? std::min(dt, control.dt_max) : dt;
    };
    double const at_rest = step();
    if (at_rest == 0) return 0;
    Kokkos::deep_copy(space_, next_dt_, at_rest);
    motion_->choose(space_, now_, next_dt_, derivative_->points(), places_);
    rhs_.set_motion(space_, derivative_->points(), places_, next_dt_);
    double const moving = step();
    rhs_.set_points(space_, derivative_->points());
    return std::min(at_rest, moving);
  }

  void make_derivative() {
    if (motion_) derivative_.emplace(space_, rhs_, *motion_);
    else if (smoothing_) derivative_.emplace(space_, rhs_, *smoothing_);
    else derivative_.emplace(space_, rhs_);
    if (limiter_) derivative_->set_floors(&*limiter_);
  }

  /// Whether a prescribed state varies from step to step.
  bool varies(int label, PrescribedState const& state) const { return state.in_time || problem_.motion.moves(label); }
  bool varies() const {
    auto const& all = problem_.prescribed;
    return std::any_of(all.begin(), all.end(), [&](auto const& entry) { return varies(entry.first, entry.second); });
  }

  /// Places and memory of all prescribed states.
  void make_states(MeshData const& mesh) {
    for (auto const& [label, prescribed] : problem_.prescribed) {
      auto const& ends = rhs_.boundary_ends(label);
      StateEnds<Exec> own;
      std::vector<int> nodes;
      for (EulerBoundaryEnd const& end : ends) {
        nodes.push_back(end.node);
        own.at.push_back(mesh.nodes[static_cast<std::size_t>(end.node)]);
      }
      if (problem_.motion.moves(label)) {
        own.nodes = device_copy(space_, nodes, "karman::euler::state_nodes");
        own.points =
            decltype(own.points)(Kokkos::view_alloc(space_, std::string("karman::euler::state_points")), nodes.size());
      }
      States const states(Kokkos::view_alloc(space_, std::string("karman::euler::states")), ends.size());
      state_ends_.emplace(label, std::move(own));
      states_.emplace(label, states);
      rhs_.set_edge_states(space_, label, states);
    }
  }

  /// Evaluates prescribed states halfway through the next step, where the scheme has its fluxes; at its start for
  /// Adams-Bashforth methods, which extrapolate. Waits.
  void set_states_of_step() {
    double time = 0, dt = 0;
    Kokkos::deep_copy(space_, time, integrator_.time());
    if (!problem_.integrator.local_steps) Kokkos::deep_copy(space_, dt, integrator_.dt().global);
    compat::fence(space_, "karman::euler::time_of_states");
    if (motion_) {
      motion_->choose(space_, integrator_.time(), integrator_.dt().global, derivative_->points(), places_);
    }
    set_states(time, problem_.integrator.method == TimeMethod::adams_bashforth4 ? 0 : 0.5 * dt);
  }

  /// Evaluates prescribed states some time after `time`: those that vary, or all. Nodes move with the velocities in
  /// `places_` until then. Waits where there are some.
  void set_states(double time, double later, bool all = false) {
    for (auto const& [label, prescribed] : problem_.prescribed) {
      StateEnds<Exec>& ends = state_ends_.at(label);
      if (ends.at.empty() || !(all || varies(label, prescribed))) continue;
      States const& states = states_.at(label);
      std::size_t const count = ends.at.size();
      if (ends.nodes.extent(0) != 0) {
        Kokkos::parallel_for("karman::euler::state_places", Kokkos::RangePolicy<Exec>(space_, 0, count),
                             HalfStepPlaces<Exec>{ends.nodes, derivative_->points(), places_, later, ends.points});
        ends.at = host_copy<std::array<double, 2>>(space_, ends.points);
      }
      std::vector<T> values(4 * count);
      for (std::size_t n = 0; n < count; ++n) {
        EulerState const state = prescribed.at(ends.at[n][0], ends.at[n][1], time + later);
        double const row[4] = {state.density, state.velocity[0], state.velocity[1], state.pressure};
        for (std::size_t c = 0; c < 4; ++c) values[c * count + n] = static_cast<T>(row[c]);
      }
      copy_to_device(space_, values, states);
    }
  }

  /// Edges with the labels of a group.
  Rows<int, 2> wall_of(MeshData const& mesh, ForceGroup const& group) const {
    std::vector<int> found;
    for (std::size_t n = 0; n < mesh.edges.size(); ++n) {
      if (group.labels.count(mesh.edge_labels[n]) == 0) continue;
      found.insert(found.end(), mesh.edges[n].begin(), mesh.edges[n].end());
    }
    return rows<2>(found, "karman::euler::wall");
  }

  void make_gauges() {
    std::vector<int> corners;
    std::vector<double> weights;
    for (app::PointInMesh const& point : problem_.gauges) {
      for (std::size_t m = 0; m < 3; ++m) {
        int const node = problem_.mesh.triangles[static_cast<std::size_t>(point.triangle)][m];
        corners.push_back(number_[static_cast<std::size_t>(node)]);
        weights.push_back(point.weights[m]);
      }
    }
    gauge_corners_ = rows<3>(corners, "karman::euler::gauge_corners");
    gauge_weights_ = rows<3>(weights, "karman::euler::gauge_weights");
    gauge_values_ =
        Values(Kokkos::view_alloc(space_, std::string("karman::euler::gauge_values")), problem_.gauges.size());
  }

  void read_gauges(FlowFigures& figures) const {
    Kokkos::parallel_for("karman::euler::gauges",
                         Kokkos::RangePolicy<Exec>(space_, 0, static_cast<int>(gauge_values_.extent(0))),
                         ReadGauges<Exec, T>{u_, gauge_corners_, gauge_weights_, gauge_values_, gamma()});
    figures.gauges = host_copy<std::array<double, 4>>(space_, gauge_values_);
  }

  template <int columns, class Number>
  Rows<Number, columns> rows(std::vector<Number> const& values, char const* label) const {
    using Table = Kokkos::View<Number* [columns], Kokkos::LayoutRight, Memory>;
    Table const target(Kokkos::view_alloc(space_, Kokkos::WithoutInitializing, std::string(label)),
                       values.size() / columns);
    copy_to_device(space_, values, target);
    return target;
  }

  /// Values in the numbering of the model.
  app::HostField to_model(app::HostField const& values, std::size_t fields) const {
    require(values.array().type == type() && values.array().extents == ArrayExtents({fields, std::size_t(nodes())}),
            "FlowModel: a field has another precision or other extents");
    app::HostField ordered(type(), {fields, std::size_t(nodes())});
    permute<T>(values, ordered, fields, true);
    return ordered;
  }

  template <class Number>
  void permute(app::HostField const& from, app::HostField& to, std::size_t fields, bool into_model) const {
    auto const* const source = static_cast<Number const*>(from.array().data);
    auto* const target = static_cast<Number*>(to.array().data);
    std::size_t const n = number_.size();
    for (std::size_t c = 0; c < fields; ++c) {
      for (std::size_t i = 0; i < n; ++i) {
        auto const other = static_cast<std::size_t>(number_[i]);
        if (into_model) target[c * n + other] = source[c * n + i];
        else target[c * n + i] = source[c * n + other];
      }
    }
  }

  static constexpr ScalarType type() { return scalar_type_of<T>(); }
  int nodes() const { return static_cast<int>(u_.extent(0)); }
  double gamma() const { return problem_.scheme.gamma; }
  Vector<Exec, T> vector() const { return Vector<Exec, T>(u_.data(), u_.size()); }

  Exec space_;
  FlowProblem const& problem_;
  std::vector<int> number_;
  TriangleMesh<Exec> mesh_;
  EulerRhs<Exec, T> rhs_;
  std::optional<PrescribedMotion<Exec>> motion_;
  std::optional<ResidualSmoothing<Exec, T>> smoothing_;
  std::optional<EulerFloorLimiter<Exec, T>> limiter_;
  std::optional<EulerDerivative<Exec, T>> derivative_;
  std::optional<EulerNewton<Exec, T>> newton_;
  std::optional<EulerImplicit<Exec, T>> implicit_;
  NewtonFigures newton_figures_;  ///< since the last check
  std::int64_t newton_steps_ = 0;
  TimeIntegrator<Exec, T> integrator_;
  Reducer<Exec> reducer_;
  EulerField<Exec, T> u_, rate_;
  DeviceNumber<Exec> next_dt_;
  DeviceNumber<Exec> now_;
  typename NodeMotion<Exec>::Points places_;      ///< of moving nodes: workspace for places and velocities
  typename NodeMotion<Exec>::Points velocities_;  ///< of moving nodes, in implicit steps
  std::map<int, StateEnds<Exec>> state_ends_;
  std::map<int, States> states_;
  Averages sums_;
  DeviceNumber<Exec> seconds_;
  Kokkos::View<float*, Memory> share_, stretch_;
  std::vector<Rows<int, 2>> walls_;
  Rows<int, 3> gauge_corners_;
  Rows<double, 3> gauge_weights_;
  Values gauge_values_;
  std::int64_t first_step_ = 0;
  double area_ = 0;
};

}  // namespace

std::unique_ptr<FlowModel> make_flow_model(Backend backend, FlowProblem const& problem) {
  return dispatch(backend, [&](auto const& space) -> std::unique_ptr<FlowModel> {
    using Exec = std::decay_t<decltype(space)>;
    if (problem.precision == Precision::f32) return std::make_unique<Model<Exec, float>>(space, problem);
    return std::make_unique<Model<Exec, double>>(space, problem);
  });
}

namespace {

/// Estimated memory of Newton's method.
std::int64_t newton_bytes(EulerNewtonSetup const& setup, std::int64_t nodes, std::int64_t real) {
  // Blocks of the matrix in a row: a node and its neighbors, six on average. The preconditioner in float holds as many.
  // For a matrix in double it has a copy of that in float, too, and of both its vectors.
  constexpr std::int64_t row = 7, single = sizeof(float);
  auto const matrices = [](std::int64_t bytes) { return 16 * bytes * row + 4 * (3 * row + 4); };
  std::int64_t const blocks = matrices(2 * real) + (real == single ? 0 : 8 * single);
  // Coarser levels have an eighth of the nodes; maps, two vectors, on coarser levels four.
  std::int64_t const levels = setup.preconditioner == EulerPreconditioner::block_amg
                                  ? matrices(2 * single) / 8 + 8 * single + (16 * single + 9 * 4 * (2 + row)) / 8
                                  : 0;
  // Normals of the edges and their places in the matrix.
  std::int64_t const edges = 16 * row;
  // Triangles of each node, and their ranges.
  std::int64_t const triangles = setup.streamline > 0 ? 6 * (4 * real + 8) + 4 : 0;
  // Basis of GMRES, in float; its workspace, fields, right-hand side and step; rates and scales.
  std::int64_t const basis = std::int64_t(setup.restart) * 4 * std::int64_t(sizeof(float));
  constexpr std::int64_t vectors = 3 + 3 + 2;
  return nodes * (blocks + levels + edges + triangles + basis + real * (4 * vectors + 2));
}

}  // namespace

std::int64_t flow_model_bytes(FlowProblem const& problem, Backend backend) {
  auto const nodes = static_cast<std::int64_t>(problem.mesh.nodes.size());
  auto const triangles = static_cast<std::int64_t>(problem.mesh.triangles.size());
  std::int64_t const real = app::real_size(problem.precision);
  bool const local = problem.integrator.local_steps, smoothed = problem.smoothing.factor > 0;
  // The flow, its rate of change, the vectors of the method, the projection.
  std::int64_t vectors = 2 + 1 + (smoothed ? 1 : 0) + (local ? 2 : 0);
  switch (problem.integrator.method) {
    case TimeMethod::euler: vectors += 1; break;
    case TimeMethod::adams_bashforth4: vectors += 4; break;
    default: vectors += 2;
  }
  std::int64_t const floors = problem.density_floor > 0 || problem.pressure_floor > 0 ? 24 : 0;
  std::int64_t const averages = std::isfinite(problem.averages_from) ? 40 : 0;
  // The documented sizes of the plans in double; less in float.
  std::int64_t plan = problem.scheme.strategy == EulerStrategy::expanded ? 27 * real : 24 + 3 * real;
  if (problem.scheme.local_steps) plan += 14 + real;
  if (problem.scheme.scheme == EulerScheme::muscl) plan = 66 + 20 * real;
  if (smoothed) plan += 14 + 4 * real;
  if (problem.motion.moves()) plan += 24 + 3 * real / 2;
  // Stages as one kernel each, on a device: patches of 20 nodes have five times the triangles.
  bool const fused = backend == Backend::cuda && local && triangles <= euler_fused_most_triangles &&
                     problem.scheme.scheme == EulerScheme::supg;
  if (fused) plan += 100 + 22 * real;
  std::int64_t const standing =
      nodes * (16 + 4 * real * vectors + floors + averages + (problem.motion.moves() ? 72 : 0) +
               (problem.motion.moves() && problem.implicit ? 16 : 0) + (problem.scheme.step_limits_tau ? 0 : 4)) +
      triangles * (16 + plan);
  std::int64_t newton = 0;
  if (auto const* setup = problem.linear_systems()) newton = newton_bytes(*setup, nodes, real);
  // Right-hand side, flow before the step, two stages, two former flows.
  if (problem.implicit) newton += nodes * 4 * real * (problem.implicit->method == EulerImplicitMethod::bdf2 ? 6 : 4);
  // Partial sums of launches and reductions on a device.
  constexpr std::int64_t partial_sums = std::int64_t{1} << 16;
  // The solve for the blending field of a moving mesh, before the march.
  std::int64_t const solve = problem.motion.moves() ? nodes * 400 : 0;
  return standing + newton + partial_sums + solve;
}

}  // namespace karman::euler
