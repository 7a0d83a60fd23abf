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
#include <karman/core/mesh_connectivity.hpp>
#include <karman/core/triangle_mesh.hpp>
#include <karman/solvers/fem_assembly.hpp>

#include <chrono>
#include <cmath>
#include <stdexcept>

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
    auto const wrong = problems_of(problem_, period, waves);
    if (!wrong.empty()) throw std::invalid_argument(wrong.front());
    double const omega = angular_frequency(period);
    IncidentField const incident = incident_field(problem_, boundary_, omega, waves);
    incident_ = uploaded(space_, incident.edges, "karman::waves::incident");
    clear(space_, fields_);
    set_dispersion(space_, omega, fields_);
    Kokkos::deep_copy(space_, elevation_, Scalar(0));
    update_losses(space_, law_, omega, 1, elevation_, fields_);
    solver_.forget();
    WaveState state;
    state.period = period;
    iterate(omega, monitor, state.report);
    derive(space_, omega, mesh_, around_, elevation_, fields_, derived_);
    download(state);
    state.energy = energy_balance(problem_, boundary_, incident, omega, state);
    return state;
  }

  std::int64_t memory_bytes() const override {
    auto const nodes = static_cast<std::int64_t>(elevation_.size());
    auto const triangles = static_cast<std::int64_t>(mesh_.triangle_count());
    auto const entries = static_cast<std::int64_t>(matrix_.values.size());
    return nodes * 16 + triangles * 16 + triangles * 12 + nodes * 4 + entries * 4 +
           static_cast<std::int64_t>(profile_.element_entries.size()) * 4 + assembly_.workspace_bytes() +
           entries * static_cast<std::int64_t>(sizeof(Scalar)) + 2 * nodes * static_cast<std::int64_t>(sizeof(Scalar)) +
           fields_.bytes() + 7 * nodes * 8 + solver_.bytes();
  }

 private:
  static bool needs_map(AssemblyMethod method) {
    return method != AssemblyMethod::gather && method != AssemblyMethod::row_blocks &&
           method != AssemblyMethod::automatic;
  }

  /// Values of a matrix and of the right-hand side from the losses as they are. Asynchronous.
  void assemble_into(CsrMatrix<Exec, Scalar> const& matrix, double damping) {
    MildSlopeElement<Memory, Real> const plain{fields_.flux, fields_.mass, fields_.losses, problem_.lumping, damping};
    if (problem_.extended) {
      ExtendedMildSlopeElement<Memory, Real> const extended{plain, fields_.depth, fields_.slope_flux,
                                                            fields_.slope_squared};
      assemble(space_, assembly_, extended, matrix, rhs_);
    } else {
      assemble(space_, assembly_, plain, matrix, rhs_);
    }
    MildSlopeEdge<Memory, Real> const edge{fields_.flux, fields_.mass, fields_.losses, fields_.wave_number,
                                           terms_,       places_,      incident_};
    add_boundary(space_, assembly_, edge, matrix, rhs_);
  }

  /// Assembles and solves once. Waits.
  LinearOutcome solve_system(double tolerance, WaveReport& report) {
    Clock const clock;
    if (solver_.damped() != nullptr) assemble_into(*solver_.damped(), preconditioner_damping);
    assemble_into(matrix_, 0);
    compat::fence(space_, "karman::waves::assembled");
    report.assembly_seconds += clock.seconds();
    return solve_again(tolerance, report);
  }

  /// Solves the system that was assembled last. Waits.
  LinearOutcome solve_again(double tolerance, WaveReport& report) {
    Clock const clock;
    LinearOutcome const outcome = solver_.solve(space_, rhs_, elevation_, tolerance);
    report.linear_seconds += clock.seconds();
    report.linear_iterations += outcome.iterations;
    report.fell_back = report.fell_back || outcome.fell_back;
    return outcome;
  }

  /// The Picard iteration; once for a linear problem. A system whose losses are still to change is solved only so far
  /// as the change deserves; what is taken for converged was solved to the tolerance that was asked.
  void iterate(double omega, Monitor const& monitor, WaveReport& report) {
    Clock const clock;
    PicardSettings const& picard = problem_.picard;
    int counted = 0;
    bool const nonlinear = depends_on_height(problem_.dissipation) || problem_.amplitude_dispersion;
    double part = 1;  // of the losses that the last solution asks for
    double tolerance = nonlinear ? first_tolerance : solver_.tolerance();
    for (int iteration = 1; iteration <= picard.max_iterations; ++iteration) {
      LinearOutcome linear = solve_system(tolerance, report);
      if (linear.converged && linear.iterations == 0 && tolerance > solver_.tolerance()) {
        // What the last system gave, or a direct solver, is good enough already. To stay there would look as if nothing
        // changed any more.
        tolerance = solver_.tolerance();
        linear = solve_again(tolerance, report);
      }
      HeightChange const heights = take_heights(space_, elevation_, fields_);
      // What a whole step would have changed: of one with a part of the new losses only that part shows.
      double const change = heights.highest == 0 ? 0 : (iteration == 1 ? 1 : heights.change / heights.highest / part);
      bool const small = iteration > 1 && change <= picard.tolerance;
      bool const settled = !nonlinear || (small && tolerance == solver_.tolerance());
      report.history.push_back(
          {iteration, change, report.linear_iterations - counted, linear.residual, clock.seconds()});
      counted = report.linear_iterations;
      bool const go_on = !monitor || monitor(report.history.back());
      if (heights.wrong > 0) {
        report.trouble = "the elevation is not a number at " + std::to_string(heights.wrong) + " nodes";
        break;
      }
      if (!linear.converged) {
        report.trouble =
            "iteration " + std::to_string(iteration) + ": the linear solver did not converge (" + linear.trouble + ")";
        break;
      }
      if (settled) {
        report.converged = true;
        break;
      }
      if (!go_on) {
        report.stopped = true;
        report.trouble = "stopped after iteration " + std::to_string(iteration);
        break;
      }
      if (iteration == picard.max_iterations) {
        report.trouble =
            "the iteration over what depends on the waves themselves did not converge: the heights still "
            "change by " +
            std::to_string(change) + " of the largest after " + std::to_string(iteration) + " iterations";
        break;
      }
      part = iteration == 1 ? 1 : picard.relaxation;
      tolerance = small ? solver_.tolerance()
                        : std::fmax(solver_.tolerance(), std::fmin(first_tolerance, change * share_of_change));
      if (problem_.amplitude_dispersion) {
        update_amplitude(space_, part, elevation_, fields_);
        set_dispersion(space_, omega, fields_);
      }
      update_losses(space_, law_, omega, part, elevation_, fields_);
    }
    report.solver = solver_.name();
    report.seconds = clock.seconds();
  }

  void download(WaveState& state) {
    state.elevation = downloaded<std::complex<double>>(space_, elevation_);
    state.wave_number = downloaded<double>(space_, fields_.wave_number);
    state.celerity = downloaded<double>(space_, fields_.celerity);
    state.group_celerity = downloaded<double>(space_, fields_.group_celerity);
    state.friction = downloaded<double>(space_, fields_.friction);
    state.breaking = downloaded<double>(space_, fields_.breaking);
    state.breaking_fraction = downloaded<double>(space_, fields_.share);
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
  using Terms = Kokkos::View<BoundaryTerms const*, Memory>;
  using Places = Kokkos::View<EdgePlace const*, Memory>;
  using Incident = Kokkos::View<IncidentEdge const*, Memory>;
  Terms terms_ = Terms();  // "= Terms()": see Graph
  Places places_ = Places();
  Incident incident_ = Incident();
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

}  // namespace karman::waves
