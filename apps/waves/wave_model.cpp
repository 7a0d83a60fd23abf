// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "wave_model.hpp"

#include "boundary_table.hpp"
#include "energy.hpp"
#include "incident_field.hpp"
#include "linear_solver.hpp"
#include "mild_slope_kernels.hpp"
#include "transfer.hpp"
#include "wave_fields.hpp"
#include <karman/core/compat.hpp>
#include <karman/core/error.hpp>
#include <karman/core/mesh_connectivity.hpp>
#include <karman/core/triangle_mesh.hpp>
#include <karman/solvers/fem_assembly.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <stdexcept>
#include <utility>

namespace karman::waves {
namespace {

class Clock {
 public:
  double seconds() const { return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count(); }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

/// Of a first solution that serves to find the losses, and of later ones relative to the change of the heights.
constexpr double first_tolerance = 1e-4, share_of_change = 1e-3;

/// Of the shifted operator: waves fall to e^{-pi/2} in a wavelength.
constexpr double preconditioner_damping = 0.5;

AssemblyStrategy strategy_of(AssemblyMethod method) {
  switch (method) {
    case AssemblyMethod::atomic: return AssemblyStrategy::atomic;
    case AssemblyMethod::colours: return AssemblyStrategy::coloured;
    case AssemblyMethod::blocks: return AssemblyStrategy::coloured_blocks;
    case AssemblyMethod::gather: return AssemblyStrategy::row_gather;
    case AssemblyMethod::row_blocks: return AssemblyStrategy::row_blocks;
    case AssemblyMethod::expanded: return AssemblyStrategy::expanded;
    case AssemblyMethod::automatic: break;
  }
  return AssemblyStrategy::automatic;
}

FemAssemblySetup assembly_setup(AssemblyMethod method, std::size_t value_bytes) {
  FemAssemblySetup setup;
  setup.strategy = strategy_of(method);
  setup.value_bytes = value_bytes;
  setup.triangle_numbers = false;
  return setup;
}

template <ExecutionSpace Exec, class Real>
class Model final : public WaveModel {
  using Memory = typename Exec::memory_space;
  using Scalar = Kokkos::complex<Real>;

 public:
  Model(Exec const& space, WaveProblem const& problem)
      : space_(space),
        problem_(problem),
        law_(problem.dissipation),
        mesh_(make_triangle_mesh(space, problem.mesh)),
        around_(triangles_around_nodes(space, mesh_)),
        profile_(make_fem_profile(space, mesh_, needs_map(problem.assembly))),
        assembly_(space, mesh_, profile_, assembly_setup(problem.assembly, sizeof(Scalar))),
        matrix_(make_csr_matrix<Scalar>(space, profile_.graph)),
        rhs_(Kokkos::view_alloc(space, std::string("karman::waves::rhs")), problem.mesh.nodes.size()),
        elevation_(Kokkos::view_alloc(space, std::string("karman::waves::elevation")), problem.mesh.nodes.size()),
        fields_(space, mesh_.node_count(), problem.extended),
        derived_(space, mesh_.node_count()),
        boundary_(problem),
        solver_(space, matrix_, problem.linear) {
    upload(space_, problem.depth, fields_.depth);
    std::vector<double> const& friction = problem.dissipation.friction_at_nodes;
    if (friction.empty()) Kokkos::deep_copy(space_, fields_.friction_value, friction_everywhere(problem.dissipation));
    else upload(space_, friction, fields_.friction_value);
    terms_ = uploaded(space_, boundary_.terms, "karman::waves::boundary_terms");
    places_ = uploaded(space_, boundary_.places, "karman::waves::boundary_places");
  }

  WaveState solve(double period, std::vector<IncidentWave> const& waves, Monitor const& monitor) override {
    WaveState solution;
    auto const take = [&](std::size_t, WaveState state) {
      solution = std::move(state);
      return true;
    };
    solve_together({{period, waves}}, take, monitor);
    return solution;
  }

  void solve_together(std::vector<WaveComponent> const& components, WaveReceiver const& take,
                      Monitor const& monitor) override {
    require(!components.empty(), "solve_together: no components; at least one is needed");
    for (WaveComponent const& component : components) {
      auto const wrong = problems_of(problem_, component.period, component.waves);
      if (!wrong.empty()) throw std::invalid_argument(wrong.front());
    }
    prepare(components);
    std::size_t const solved = iterate(monitor);
    for (std::size_t n = 0; n < solved; ++n) {
      if (!take(n, state_of(members_[n]))) return;
    }
  }

  std::int64_t memory_bytes() const override {
    auto const nodes = static_cast<std::int64_t>(elevation_.size());
    auto const triangles = static_cast<std::int64_t>(mesh_.triangle_count());
    auto const entries = static_cast<std::int64_t>(matrix_.values.size());
    return nodes * 16 + triangles * 16 + triangles * 12 + nodes * 4 + entries * 4 +
           static_cast<std::int64_t>(profile_.element_entries.size()) * 4 + assembly_.workspace_bytes() +
           entries * static_cast<std::int64_t>(sizeof(Scalar)) + 2 * nodes * static_cast<std::int64_t>(sizeof(Scalar)) +
           fields_.bytes() + 7 * nodes * 8 + solver_.bytes() + (several() ? sea_bytes(problem_, members_.size()) : 0);
  }

 private:
  using Terms = Kokkos::View<BoundaryTerms const*, Memory>;
  using Places = Kokkos::View<EdgePlace const*, Memory>;
  using Incident = Kokkos::View<IncidentEdge const*, Memory>;

  /// A component at work.
  struct Member {
    Elevation<Exec, Real> elevation;
    WaveFields<Exec> fields;
    double period = 0, omega = 0;
    IncidentField incident = {};
    Incident edges = Incident();  // "= Incident()": see Graph
    WaveReport report = {};
  };

  /// One Picard iteration: a pass over the components.
  struct Pass {
    std::size_t done = 0;  ///< components whose systems were solved
    HeightChange heights;
    double change = 0;    ///< see PicardSample
    double loosest = 0;   ///< tolerance to which a system was solved
    bool go_on = true;    ///< says the monitor
    std::string stalled;  ///< what is said of a linear system that was not solved
  };

  /// Do components come together?
  bool several() const { return members_.size() > 1; }

  /// Members for these components, without waves. Waits.
  void prepare(std::vector<WaveComponent> const& components) {
    if (members_.size() != components.size()) resize(components.size());
    for (std::size_t n = 0; n < components.size(); ++n) {
      Member& m = members_[n];
      m.period = components[n].period;
      m.omega = angular_frequency(m.period);
      m.incident = incident_field(problem_, boundary_, m.omega, components[n].waves);
      m.edges = uploaded(space_, m.incident.edges, "karman::waves::incident");
      m.report = {};
      clear(space_, m.fields);
      Kokkos::deep_copy(space_, m.elevation, Scalar(0));
    }
    if (several()) Kokkos::deep_copy(space_, sea_, LocalSea{});
    solver_.forget();
    omega_of_solver_ = members_.front().omega;
  }

  /// One member works with what the model has, several have each their own waves and friction.
  void resize(std::size_t count) {
    members_.clear();
    sea_ = sea_before_ = SeaField<Exec>();
    if (count == 1) {
      members_.push_back({elevation_, fields_});
      return;
    }
    for (std::size_t n = 0; n < count; ++n) {
      members_.push_back({Elevation<Exec, Real>(Kokkos::view_alloc(space_, std::string("karman::waves::elevation")),
                                                elevation_.size()),
                          fields_of_component(space_, fields_, problem_.amplitude_dispersion)});
    }
    sea_ = SeaField<Exec>(Kokkos::view_alloc(space_, std::string("karman::waves::sea")), elevation_.size());
    sea_before_ =
        SeaField<Exec>(Kokkos::view_alloc(space_, std::string("karman::waves::sea_before")), elevation_.size());
  }

  static bool needs_map(AssemblyMethod method) {
    return method != AssemblyMethod::gather && method != AssemblyMethod::row_blocks &&
           method != AssemblyMethod::automatic;
  }

  /// Values of a matrix and of the right-hand side from the losses as they are. Asynchronous.
  void assemble_into(CsrMatrix<Exec, Scalar> const& matrix, double damping, Incident const& incident) {
    MildSlopeElement<Memory, Real> const plain{fields_.flux, fields_.mass, fields_.losses, problem_.lumping, damping};
    if (problem_.extended) {
      ExtendedMildSlopeElement<Memory, Real> const extended{plain, fields_.depth, fields_.slope_flux,
                                                            fields_.slope_squared};
      assemble(space_, assembly_, extended, matrix, rhs_);
    } else {
      assemble(space_, assembly_, plain, matrix, rhs_);
    }
    MildSlopeEdge<Memory, Real> const edge{fields_.flux, fields_.mass, fields_.losses, fields_.wave_number,
                                           terms_,       places_,      incident};
    add_boundary(space_, assembly_, edge, matrix, rhs_);
  }

  /// Assembles and solves once. Waits.
  LinearOutcome solve_system(Member& m, double tolerance) {
    Clock const clock;
    if (solver_.damped() != nullptr) assemble_into(*solver_.damped(), preconditioner_damping, m.edges);
    assemble_into(matrix_, 0, m.edges);
    compat::fence(space_, "karman::waves::assembled");
    m.report.assembly_seconds += clock.seconds();
    return solve_again(m, tolerance);
  }

  /// Solves the system that was assembled last. Waits.
  LinearOutcome solve_again(Member& m, double tolerance) {
    Clock const clock;
    LinearOutcome const outcome = solver_.solve(space_, rhs_, m.elevation, tolerance);
    m.report.linear_seconds += clock.seconds();
    m.report.linear_iterations += outcome.iterations;
    m.report.fell_back = m.report.fell_back || outcome.fell_back;
    return outcome;
  }

  /// The coefficients of a component's system, `part` of the way to what the waves ask for as they are. Asynchronous.
  void renew(Member const& m, bool first, double part) {
    bool const by_amplitude = problem_.amplitude_dispersion;
    if (by_amplitude && !first) update_amplitude(space_, part, m.elevation, m.fields);
    if (several() || by_amplitude || first) set_dispersion(space_, m.omega, m.fields);
    if (several()) update_sea_friction(space_, law_, m.omega, part, sea_before_, m.elevation, m.fields);
    else update_losses(space_, law_, m.omega, part, m.elevation, m.fields);
  }

  /// Solves the systems of all components once, with the losses of the waves of the pass before. Components of one
  /// period that follow each other have nearly the same matrix: factors serve all of them. Waits.
  Pass pass_over(int iteration, double part, double tolerance, double change_before, Clock const& clock,
                 Monitor const& monitor) {
    Pass pass;
    pass.change = change_before;
    if (several()) {
      std::swap(sea_, sea_before_);
      Kokkos::deep_copy(space_, sea_, LocalSea{});
      update_sea_breaking(space_, law_, part, sea_before_, fields_);
    }
    for (Member& m : members_) {
      Clock const own;
      renew(m, iteration == 1, part);
      if (m.omega != omega_of_solver_) solver_.forget(m.report.fell_back);
      omega_of_solver_ = m.omega;
      int const counted = m.report.linear_iterations;
      double reached = tolerance;
      LinearOutcome linear = solve_system(m, reached);
      if (linear.converged && linear.iterations == 0 && reached > solver_.tolerance()) {
        // What the last system gave, or a direct solver, is good enough already. To stay there would look as if nothing
        // changed any more.
        reached = solver_.tolerance();
        linear = solve_again(m, reached);
      }
      pass.loosest = std::fmax(pass.loosest, reached);
      if (several()) add_to_sea(space_, m.omega, m.elevation, m.fields, sea_);
      if (++pass.done == members_.size()) {
        pass.heights =
            several() ? take_sea_heights(space_, sea_, fields_) : take_heights(space_, m.elevation, m.fields);
        // What a whole step would have changed: of one with a part of the new losses only that part shows.
        HeightChange const& h = pass.heights;
        pass.change = h.highest == 0 ? 0 : (iteration == 1 ? 1 : h.change / h.highest / part);
      }
      m.report.seconds += own.seconds();
      m.report.history.push_back({iteration, pass.change, m.report.linear_iterations - counted, linear.residual,
                                  clock.seconds(), pass.done - 1});
      pass.go_on = !monitor || monitor(m.report.history.back());
      if (!linear.converged) {
        pass.stalled = (several() ? "component " + std::to_string(pass.done - 1) + ", " : std::string()) +
                       "iteration " + std::to_string(iteration) + ": the linear solver did not converge (" +
                       linear.trouble + ")";
      }
      if (!linear.converged || !pass.go_on) break;
    }
    for (std::size_t n = 0; n < pass.done; ++n) members_[n].report.history.back().change = pass.change;
    return pass;
  }

  /// The Picard iteration; once for a linear problem. Systems whose losses are still to change are solved only so far
  /// as the change deserves; what is taken for converged was solved to the tolerance that was asked. Returns how many
  /// components have a solution.
  std::size_t iterate(Monitor const& monitor) {
    Clock const clock;
    PicardSettings const& picard = problem_.picard;
    bool const nonlinear = depends_on_height(problem_.dissipation) || problem_.amplitude_dispersion;
    double part = 1;  // of the losses that the last solution asks for
    double tolerance = nonlinear ? first_tolerance : solver_.tolerance();
    double change = 1;
    std::size_t solved = 0;
    WaveReport end;  // of all components
    for (int iteration = 1; iteration <= picard.max_iterations; ++iteration) {
      Pass const pass = pass_over(iteration, part, tolerance, change, clock, monitor);
      change = pass.change;
      solved = std::max(solved, pass.done);
      bool const whole = pass.done == members_.size();
      bool const small = iteration > 1 && change <= picard.tolerance;
      bool const settled = whole && (!nonlinear || (small && pass.loosest == solver_.tolerance()));
      if (pass.heights.wrong > 0) {
        end.trouble = "the elevation is not a number at " + std::to_string(pass.heights.wrong) + " nodes";
        break;
      }
      if (!pass.stalled.empty()) {
        end.trouble = pass.stalled;
        break;
      }
      if (settled) {
        end.converged = true;
        break;
      }
      if (!pass.go_on) {
        end.stopped = true;
        end.trouble = "stopped after iteration " + std::to_string(iteration);
        break;
      }
      if (iteration == picard.max_iterations) {
        end.trouble =
            "the iteration over what depends on the waves themselves did not converge: the heights still "
            "change by " +
            std::to_string(change) + " of the largest after " + std::to_string(iteration) + " iterations";
        break;
      }
      part = iteration == 1 ? 1 : picard.relaxation;
      tolerance = small ? solver_.tolerance()
                        : std::fmax(solver_.tolerance(), std::fmin(first_tolerance, change * share_of_change));
    }
    for (Member& m : members_) {
      m.report.converged = end.converged;
      m.report.stopped = end.stopped;
      m.report.trouble = end.trouble;
      m.report.solver = solver_.name();
    }
    return solved;
  }

  /// All that is known of a component. Waits.
  WaveState state_of(Member const& m) {
    WaveState state;
    state.period = m.period;
    state.report = m.report;
    if (several()) set_dispersion(space_, m.omega, m.fields);
    derive(space_, m.omega, mesh_, around_, m.elevation, m.fields, derived_);
    download(m, state);
    state.energy = energy_balance(problem_, boundary_, m.incident, m.omega, state);
    return state;
  }

  void download(Member const& m, WaveState& state) {
    state.elevation = downloaded<std::complex<double>>(space_, m.elevation);
    state.wave_number = downloaded<double>(space_, m.fields.wave_number);
    state.celerity = downloaded<double>(space_, m.fields.celerity);
    state.group_celerity = downloaded<double>(space_, m.fields.group_celerity);
    state.friction = downloaded<double>(space_, m.fields.friction);
    state.breaking = downloaded<double>(space_, m.fields.breaking);
    state.breaking_fraction = downloaded<double>(space_, m.fields.share);
    state.flux_x = downloaded<double>(space_, derived_.flux_x);
    state.flux_y = downloaded<double>(space_, derived_.flux_y);
    state.bed_velocity = downloaded<double>(space_, derived_.bed_velocity);
    state.dissipation = downloaded<double>(space_, derived_.dissipation);
    state.stress_xx = downloaded<double>(space_, derived_.stress_xx);
    state.stress_xy = downloaded<double>(space_, derived_.stress_xy);
    state.stress_yy = downloaded<double>(space_, derived_.stress_yy);
    std::size_t const nodes = state.elevation.size();
    state.height.resize(nodes);
    state.phase.resize(nodes);
    state.direction.resize(nodes);
    for (std::size_t n = 0; n < nodes; ++n) {
      state.height[n] = 2 * std::abs(state.elevation[n]);
      state.phase[n] = std::arg(state.elevation[n]);
      state.direction[n] = std::atan2(state.flux_y[n], state.flux_x[n]);
    }
    state.nodes_per_wavelength = coarsest(state.wave_number);
  }

  /// Wavelength over the longest edge, the least of all triangles.
  double coarsest(std::vector<double> const& wave_number) const {
    double least = HUGE_VAL;
    for (auto const& t : problem_.mesh.triangles) {
      double longest = 0, k = 0;
      for (std::size_t i = 0; i < 3; ++i) {
        auto const& a = problem_.mesh.nodes[static_cast<std::size_t>(t[i])];
        auto const& b = problem_.mesh.nodes[static_cast<std::size_t>(t[(i + 1) % 3])];
        longest = std::fmax(longest, std::hypot(b[0] - a[0], b[1] - a[1]));
        k = std::fmax(k, wave_number[static_cast<std::size_t>(t[i])]);
      }
      least = std::fmin(least, 2 * std::numbers::pi / (k * longest));
    }
    return least;
  }

  Exec space_;
  WaveProblem problem_;
  DissipationLaw law_;
  TriangleMesh<Exec> mesh_;
  Graph<Exec> around_;
  FemProfile<Exec> profile_;
  FemAssembly<Exec> assembly_;
  CsrMatrix<Exec, Scalar> matrix_;
  Elevation<Exec, Real> rhs_, elevation_;
  WaveFields<Exec> fields_;
  DerivedFields<Exec> derived_;
  BoundaryTable boundary_;
  LinearSolver<Exec, Real> solver_;
  Terms terms_ = Terms();  // "= Terms()": see Graph
  Places places_ = Places();
  std::vector<Member> members_;
  SeaField<Exec> sea_ = SeaField<Exec>(), sea_before_ = SeaField<Exec>();  ///< of the pass at work, and of the last
  double omega_of_solver_ = 0;  ///< of the system that the linear solver did last
};

}  // namespace

std::unique_ptr<WaveModel> make_wave_model(Backend backend, WaveProblem const& problem) {
  auto const wrong = problems_of(problem, 1);
  if (!wrong.empty()) throw std::invalid_argument(wrong.front());
  return dispatch(backend, [&](auto const& space) -> std::unique_ptr<WaveModel> {
    using Exec = std::decay_t<decltype(space)>;
    if (problem.precision == Precision::f32) return std::make_unique<Model<Exec, float>>(space, problem);
    return std::make_unique<Model<Exec, double>>(space, problem);
  });
}

std::int64_t wave_model_bytes(WaveProblem const& problem) {
  // Seven entries a row; see Model::memory_bytes().
  auto const nodes = static_cast<std::int64_t>(problem.mesh.nodes.size());
  auto const triangles = static_cast<std::int64_t>(problem.mesh.triangles.size());
  std::int64_t const scalar = problem.precision == Precision::f32 ? 8 : 16;
  return nodes * (16 + 7 * (4 + scalar) + 4 + 2 * scalar + 22 * 8) + triangles * (16 + 12 + 15);
}

std::int64_t sea_bytes(WaveProblem const& problem, std::size_t components) {
  std::int64_t const scalar = problem.precision == Precision::f32 ? 8 : 16;
  std::int64_t const component = scalar + 8 + (problem.amplitude_dispersion ? 8 : 0);
  return static_cast<std::int64_t>(problem.mesh.nodes.size()) *
         (component * static_cast<std::int64_t>(components) + 2 * static_cast<std::int64_t>(sizeof(LocalSea)));
}

}  // namespace karman::waves
