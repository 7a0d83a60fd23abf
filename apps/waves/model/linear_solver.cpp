// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "linear_solver.hpp"

#include "common/case/cannot_run.hpp"
#include "complex_values.hpp"
#include "waves/case/build_features.hpp"
#include <karman/core/compat.hpp>
#include <karman/core/error.hpp>
#include <karman/core/host_copy.hpp>
#include <karman/solvers/sparse/amg.hpp>
#include <karman/solvers/sparse/direct_solver.hpp>
#include <karman/solvers/sparse/ilu_preconditioner.hpp>
#include <karman/solvers/sparse/krylov.hpp>
#include <karman/solvers/sparse/sparse_operator.hpp>
#include <karman/solvers/sparse/sparse_preconditioners.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <stdexcept>
#include <variant>

namespace karman::waves {
namespace {

/// Limit of unknowns for a direct solver: more make factors of about 10 GB.
int direct_limit(DirectLibrary library) {
  auto const present = direct_libraries();
  if (present.empty()) return 0;
  bool const symmetric = (library == DirectLibrary::automatic ? present.front() : library) == DirectLibrary::mumps;
  return symmetric ? 4'000'000 : 1'000'000;
}

/// Iterations with old factors that cost as much as new ones.
constexpr int patience_with_factors = 12;
/// Damping for one coloured sweep, and for a cycle of multigrid. Less brings the operator nearer to that of the waves,
/// but a cycle then solves it less well: coarse levels have few nodes per wavelength (docs/waves.md).
constexpr double damping_for_sweeps = 0.5, damping_for_multigrid = 1;
/// Unknowns from which multigrid beats the many cheap iterations with the diagonal.
constexpr int least_for_multigrid = 30'000;
/// Mean nodes per wavelength from which it does so. A cycle costs six to eight iterations with the diagonal. It
/// replaces about as many of them as there are nodes per wavelength. Measured in docs/amg.md.
constexpr double least_resolution_for_multigrid = 7;
/// Of factors, per unknown of a mesh in the plane: 0.8 to 1.1 kB with MUMPS, twice that with the other libraries.
constexpr std::int64_t bytes_of_factors = 2200;
constexpr GeneralKrylovSetup refinement_setup{KrylovMethod::cocg, 1};

bool is_direct(LinearMethod const& method) { return std::holds_alternative<DirectMethod>(method); }

bool has_direct() { return !direct_libraries().empty(); }

/// Method and preconditioner of a solver, and why they were chosen; no reason where the case names both.
struct Choice {
  LinearMethod method;
  Preconditioning preconditioner;
  std::string reason;
};

/// True if the factors of so many unknowns fit in half the memory of the host. Its size, not its free part, so that a
/// restart chooses again as before.
template <ExecutionSpace Exec>
bool factors_fit(int unknowns) {
  if constexpr (runs_on_host<Exec>) {
    std::int64_t const memory = describe(backend_of<Exec>()).memory_bytes;
    return memory == 0 || unknowns * bytes_of_factors <= memory / 2;
  }
  return true;
}

/// Without a method of the case: on a host one factorisation costs less than hundreds of iterations, on a device, which
/// would wait for the host, more. The direct solver takes over stalled systems. Measured in docs/waves.md. A case that
/// names a preconditioner asks for iterations.
template <ExecutionSpace Exec>
Choice choose(LinearSettings const& settings, int unknowns) {
  bool const many = unknowns >= least_for_multigrid;
  double const resolution = settings.nodes_per_wavelength;
  bool const resolved = resolution == 0 || resolution >= least_resolution_for_multigrid;
  Choice choice{KrylovMethod::cocg,
                settings.preconditioner.value_or(many && resolved ? Preconditioning::amg : Preconditioning::jacobi),
                {}};
  int const limit = direct_limit(settings.library);
  bool const fit = factors_fit<Exec>(unknowns);
  if (settings.method) choice.method = *settings.method;
  else if (runs_on_host<Exec> && !settings.preconditioner && unknowns <= limit && fit) choice.method = DirectMethod();
  if (settings.preconditioner || (settings.method && is_direct(choice.method))) {
    if (!settings.method) choice.reason = "its preconditioner";
    return choice;
  }
  choice.reason = std::to_string(unknowns) + " unknowns";
  if (many && !is_direct(choice.method) && resolution > 0)
    choice.reason += ", about " + std::to_string(std::lround(resolution)) + " nodes per wavelength,";
  choice.reason += runs_on_host<Exec> ? " on a host" : " on a device";
  if (runs_on_host<Exec> && !settings.method && unknowns <= limit && !fit)
    choice.reason += ", whose memory is too small for factors";
  return choice;
}

/// Second corrections from all levels that resolve the waves.
AmgSetup multigrid_setup() {
  AmgSetup setup;
  setup.cycle = AmgCycle::w;
  return setup;
}

std::string words(Preconditioning preconditioner, int fill_level) {
  switch (preconditioner) {
    case Preconditioning::jacobi: return ", Jacobi";
    case Preconditioning::ssor: return ", coloured SSOR";
    case Preconditioning::ilu: return ", coloured ILU(0)";
    case Preconditioning::ilu_fill: return ", ILU(" + std::to_string(fill_level) + ")";
    case Preconditioning::shifted_laplacian: return ", shifted operator";
    case Preconditioning::amg: return ", algebraic multigrid";
    default: return "";
  }
}

}  // namespace

template <ExecutionSpace Exec, class Real>
struct LinearSolver<Exec, Real>::State {
  using Colored = ColoredPreconditioner<Exec, Scalar>;
  using Filled = IluPreconditioner<Exec, Scalar>;
  using Shifted = ShiftedPreconditioner<Exec, Scalar>;
  using Amg = AmgPreconditioner<Exec, Scalar>;
  using HostValues = Kokkos::View<Scalar*, Kokkos::HostSpace>;

  State(Exec const& space, Matrix const& matrix_, LinearSettings const& settings_)
      : matrix(matrix_),
        settings(settings_),
        choice(choose<Exec>(settings_, matrix_.rows())),
        method(choice.method),
        map(matrix_),
        kind(choice.preconditioner) {
    if (is_direct(method)) return;
    krylov.emplace(space, matrix.rows(), GeneralKrylovSetup{std::get<KrylovMethod>(method), settings.restart});
    ColoredSetup colored;
    switch (kind) {
      case Preconditioning::none: break;
      case Preconditioning::jacobi:
        preconditioner =
            std::make_unique<SparseJacobiPreconditioner<Exec, Scalar>>(space, matrix.graph, matrix.columns);
        break;
      case Preconditioning::ssor:
      case Preconditioning::ilu:
        colored.method = kind == Preconditioning::ssor ? ColoredMethod::ssor : ColoredMethod::ilu;
        preconditioner = std::make_unique<Colored>(space, matrix.graph, matrix.columns, colored);
        break;
      case Preconditioning::ilu_fill: preconditioner = filled(space); break;
      case Preconditioning::amg: damped.emplace(make_csr_matrix<Scalar>(space, matrix.graph)); break;
      default:
        preconditioner = std::make_unique<Shifted>(space, matrix.graph, matrix.columns);
        damped.emplace(make_csr_matrix<Scalar>(space, matrix.graph));
    }
  }

  /// Its limits depend on the build and the mesh numbering, so its errors are errors of the case.
  std::unique_ptr<Filled> filled(Exec const& space) const {
    try {
      IluSetup setup;
      setup.fill_level = settings.fill_level;
      return std::make_unique<Filled>(space, matrix.graph, matrix.columns, setup);
    } catch (std::invalid_argument const& error) {
      throw app::CannotRun(std::string("preconditioner ilu_fill: ") + error.what());
    }
  }

  /// Takes the values of the damped matrix. The hierarchy is that of the first matrix since forget(), whose values are
  /// kept: a restart makes the same from them.
  void prepare(Exec const& space) {
    if (kind == Preconditioning::amg && !preconditioner) {
      preconditioner = std::make_unique<Amg>(space, *damped, multigrid_setup());
      if (hierarchy_values.extent(0) == 0)
        hierarchy_values = Values(
            Kokkos::view_alloc(space, Kokkos::WithoutInitializing, std::string("karman::waves::hierarchy_values")),
            damped->values.extent(0));
      Kokkos::deep_copy(space, hierarchy_values, damped->values);
    } else {
      preconditioner->factor(space, damped ? *damped : matrix);
    }
  }

  /// COCG with the factors of an earlier matrix as preconditioner.
  void prepare_refinement(Exec const& space) {
    if (!refinement) refinement.emplace(space, matrix.rows(), refinement_setup);
  }

  /// Factors the matrix and keeps a copy of its values, from which a restart makes the same factors.
  FactorReport make_factors(Exec const& space) {
    if (!factors) {
      factors.emplace(settings.library);
      factors->analyse(space, matrix);
      factored_values =
          HostValues(Kokkos::view_alloc(Kokkos::WithoutInitializing, std::string("karman::waves::factored_values")),
                     matrix.values.extent(0));
    }
    FactorReport const made = factors->factor(space, matrix);
    factored = made.ok();
    Kokkos::deep_copy(space, factored_values, matrix.values);
    compat::fence(space, "karman::waves::factored_values");
    return made;
  }

  /// Factors of an earlier matrix may still serve as preconditioner.
  LinearOutcome direct(Exec const& space, Values const& rhs, Values const& x, double tolerance) {
    LinearOutcome outcome;
    if (factored) {
      prepare_refinement(space);
      GeneralKrylovOptions options;
      options.tolerance = tolerance;
      options.max_iterations = patience_with_factors;
      options.check_every = 1;
      SolveReport const report = refinement->solve(space, map, *factors, x, rhs, options);
      outcome.iterations = report.iterations;
      outcome.residual = report.residual;
      outcome.converged = report.converged;
      if (outcome.converged) return outcome;
    }
    FactorReport const made = make_factors(space);
    if (!made.ok()) {
      outcome.trouble = "direct solver: " + std::string(made.breakdown);
      return outcome;
    }
    SolveReport const report = factors->solve(space, x, rhs, tolerance);
    outcome.residual = report.residual;
    outcome.converged = report.converged;
    if (!report.converged)
      outcome.trouble = report.breakdown.empty()
                            ? "direct solver: round-off limits the residual to " + std::to_string(report.residual)
                            : "direct solver: " + std::string(report.breakdown);
    return outcome;
  }

  LinearOutcome iterative(Exec const& space, Values const& rhs, Values const& x, double tolerance) {
    GeneralKrylovOptions options;
    options.tolerance = tolerance;
    options.max_iterations = settings.max_iterations;
    SolveReport report;
    if (kind != Preconditioning::none) {
      prepare(space);
      report = krylov->solve(space, map, *preconditioner, x, rhs, options);
    } else {
      report = krylov->solve(space, map, x, rhs, options);
    }
    LinearOutcome outcome{report.iterations, report.residual, report.converged, false, {}};
    if (!report.converged) {
      outcome.trouble = report.breakdown.empty()
                            ? "no convergence in " + std::to_string(report.iterations) + " iterations"
                            : std::string(report.breakdown);
    }
    return outcome;
  }

  Matrix matrix;
  LinearSettings settings;
  Choice choice;
  LinearMethod method;
  SparseOperator<Exec, Scalar> map;
  std::optional<GeneralKrylov<Exec, Scalar>> krylov, refinement;
  Preconditioning kind;
  std::unique_ptr<karman::Preconditioner<Exec, Scalar>> preconditioner;
  std::optional<Matrix> damped;
  std::optional<DirectSolver<Exec, Scalar>> factors;
  Values hierarchy_values = Values();  ///< of the damped matrix that gave the aggregates; "= Values()": see Graph
  HostValues factored_values = HostValues();  ///< of the factored matrix; "= HostValues()": see Graph
  bool factored = false;
  bool stalled = false;  ///< the iteration failed on a similar system
};

template <ExecutionSpace Exec, class Real>
LinearSolver<Exec, Real>::LinearSolver(Exec const& space, Matrix const& matrix, LinearSettings const& settings)
    : state_(std::make_unique<State>(space, matrix, settings)) {}
template <ExecutionSpace Exec, class Real>
LinearSolver<Exec, Real>::~LinearSolver() = default;

template <ExecutionSpace Exec, class Real>
CsrMatrix<Exec, Kokkos::complex<Real>> const* LinearSolver<Exec, Real>::damped() const {
  return state_->damped ? &*state_->damped : nullptr;
}

template <ExecutionSpace Exec, class Real>
double LinearSolver<Exec, Real>::damping() const {
  return state_->kind == Preconditioning::amg ? damping_for_multigrid : damping_for_sweeps;
}

template <ExecutionSpace Exec, class Real>
void LinearSolver<Exec, Real>::forget(bool stalled) {
  state_->factored = false;
  state_->stalled = stalled;
  if (state_->kind == Preconditioning::amg) state_->preconditioner.reset();
}

template <ExecutionSpace Exec, class Real>
LinearOutcome LinearSolver<Exec, Real>::solve(Exec const& space, Values const& rhs, Values const& x, double tolerance) {
  State& s = *state_;
  if (is_direct(s.method) || s.stalled) return s.direct(space, rhs, x, tolerance);
  LinearOutcome outcome = s.iterative(space, rhs, x, tolerance);
  if (outcome.converged || !s.settings.fall_back || s.matrix.rows() > direct_limit(s.settings.library)) return outcome;
  s.stalled = true;
  LinearOutcome second = s.direct(space, rhs, x, tolerance);
  second.iterations += outcome.iterations;
  second.fell_back = true;
  second.trouble = second.converged ? outcome.trouble : outcome.trouble + "; " + second.trouble;
  return second;
}

template <ExecutionSpace Exec, class Real>
LinearMemory LinearSolver<Exec, Real>::memory() const {
  State const& s = *state_;
  LinearMemory memory{s.stalled, s.refinement.has_value(), {}};
  auto values = typename State::HostValues();
  if (s.factored) values = s.factored_values;
  else if (s.kind == Preconditioning::amg && s.preconditioner)
    values = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), s.hierarchy_values);
  memory.matrix.reserve(2 * values.extent(0));
  for (std::size_t n = 0; n < values.extent(0); ++n)
    memory.matrix.insert(memory.matrix.end(), {double(values(n).real()), double(values(n).imag())});
  return memory;
}

template <ExecutionSpace Exec, class Real>
void LinearSolver<Exec, Real>::restore(Exec const& space, LinearMemory const& memory) {
  State& s = *state_;
  forget(memory.stalled);
  if (memory.refined && has_direct()) s.prepare_refinement(space);
  bool const uses_factors = is_direct(s.method) || (memory.stalled && has_direct());
  bool const uses_hierarchy = !uses_factors && s.kind == Preconditioning::amg;
  if (memory.matrix.empty() || !(uses_factors || uses_hierarchy)) return;
  copy_to_device(space, complex_values<Real>(memory.matrix, s.matrix.values.extent(0), "entries of the matrix"),
                 uses_factors ? s.matrix.values : s.damped->values);
  if (uses_factors) s.make_factors(space);
  else s.prepare(space);
}

template <ExecutionSpace Exec, class Real>
double LinearSolver<Exec, Real>::tolerance() const {
  // |A| |x| / |b| is about 10: the residual of a rounded solution.
  double const reachable = 20 * double(std::numeric_limits<Real>::epsilon());
  return state_->settings.tolerance < reachable ? reachable : state_->settings.tolerance;
}

template <ExecutionSpace Exec, class Real>
std::string LinearSolver<Exec, Real>::name() const {
  State const& s = *state_;
  std::string const reason = s.choice.reason.empty() ? std::string() : " (chosen for " + s.choice.reason + ")";
  if (is_direct(s.method))
    return (s.factors ? std::string(karman::name(s.factors->library())) + " (direct)" : std::string("direct")) +
           (s.refinement ? ", factors reused as COCG preconditioner" : "") + reason;
  auto const method = std::get<KrylovMethod>(s.method);
  std::string text(karman::name(method));
  if (method == KrylovMethod::gmres) text += "(" + std::to_string(s.settings.restart) + ")";
  return text + words(s.kind, s.settings.fill_level) + reason;
}

template <ExecutionSpace Exec, class Real>
std::int64_t LinearSolver<Exec, Real>::bytes() const {
  State const& s = *state_;
  std::int64_t sum = 0;
  if (s.krylov) sum += s.krylov->workspace_bytes();
  if (s.refinement) sum += s.refinement->workspace_bytes();
  auto const scalar = static_cast<std::int64_t>(sizeof(Scalar));
  if (s.preconditioner) sum += s.preconditioner->workspace_bytes();
  if (s.damped) sum += static_cast<std::int64_t>(s.damped->values.size()) * scalar;
  sum += static_cast<std::int64_t>(s.hierarchy_values.size()) * scalar;
  return sum;
}

template <ExecutionSpace Exec, class Real>
SolverBytes LinearSolver<Exec, Real>::workspace_bytes(std::vector<int> const& offsets, std::vector<int> const& columns,
                                                      LinearSettings const& settings) {
  auto const rows = static_cast<int>(offsets.size()) - 1;
  auto const entries = static_cast<std::int64_t>(columns.size());
  constexpr std::int64_t scalar = sizeof(Scalar);
  auto const [method, kind, reason] = choose<Exec>(settings, rows);
  SolverBytes result;
  if (is_direct(method)) {
    result.device = GeneralKrylov<Exec, Scalar>::workspace_bytes(rows, refinement_setup);
    result.host = DirectSolver<Exec, Scalar>::workspace_bytes(rows, offsets, columns, settings.library);
    result.host += entries * scalar;  // the factored values
    return result;
  }
  result.device = GeneralKrylov<Exec, Scalar>::workspace_bytes(
      rows, GeneralKrylovSetup{std::get<KrylovMethod>(method), settings.restart});
  switch (kind) {
    case Preconditioning::none: break;
    case Preconditioning::jacobi:
      result.device += SparseJacobiPreconditioner<Exec, Scalar>::workspace_bytes(rows);
      break;
    case Preconditioning::ilu_fill: {
      IluSetup setup;
      setup.fill_level = settings.fill_level;
      result.device += State::Filled::workspace_bytes(offsets, columns, setup);
      break;
    }
    case Preconditioning::shifted_laplacian:
      // Also the values of the damped matrix.
      result.device += State::Shifted::workspace_bytes(rows, entries) + entries * scalar;
      break;
    case Preconditioning::amg:
      // Also the values of the damped matrix, of now and of the hierarchy's making.
      result.device += State::Amg::workspace_bytes(rows, entries, multigrid_setup()) + 2 * entries * scalar;
      break;
    default: result.device += State::Colored::workspace_bytes(rows, entries);
  }
  return result;
}

bool has_library(DirectLibrary library) {
  auto const present = direct_libraries();
  return library == DirectLibrary::automatic || std::find(present.begin(), present.end(), library) != present.end();
}

bool has_ilu_fill() {
  return IluPreconditioner<Kokkos::DefaultHostExecutionSpace, Kokkos::complex<double>>::available();
}

#define KARMAN_INSTANTIATE(Exec)            \
  template class LinearSolver<Exec, float>; \
  template class LinearSolver<Exec, double>;
KARMAN_FOR_EACH_BACKEND(KARMAN_INSTANTIATE)
#undef KARMAN_INSTANTIATE

}  // namespace karman::waves
