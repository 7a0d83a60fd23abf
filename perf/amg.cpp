// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Algebraic multigrid on Laplace matrices of triangles: set-up, new values, one cycle, and solves by conjugate
// gradients. Next to them Jacobi's preconditioner, and the multigrid of other libraries.
#include "amg_problem.hpp"
#include "peers/amg_programs.hpp"
#include "traffic.hpp"
#include <karman/solvers/sparse/amg.hpp>
#include <karman/solvers/sparse/krylov.hpp>
#include <karman/solvers/sparse/sparse_operator.hpp>
#include <karman/solvers/sparse/sparse_preconditioners.hpp>

#include <memory>
#include <utility>
#include <vector>

namespace karman::perf {

namespace {

/// Relative to |b|, in the 2-norm.
template <class T>
constexpr double tolerance = std::is_same_v<T, float> ? 1e-5 : 1e-8;
/// Residual of a check, relative to the tolerance: rounding of the products differs between the two computations.
template <class T>
constexpr double slack = std::is_same_v<T, float> ? 1.2 : 1.05;
constexpr int most_iterations = 50'000;

enum class Step { setup, factor, apply, solve, jacobi };

constexpr char const* name(Step step) {
  switch (step) {
    case Step::setup: return "setup";
    case Step::factor: return "factor";
    case Step::apply: return "apply";
    case Step::solve: return "solve";
    case Step::jacobi: return "jacobi";
  }
  return "";
}

struct MeshCase {
  char const* name;
  bool shuffled;
  double height;
  AmgGrid grid(int cells) const { return {cells, shuffled, height}; }
};
constexpr MeshCase mesh_cases[] = {{"ordered", false, 1}, {"shuffled", true, 1}, {"stretched", false, 0.01}};

traffic::AmgCounts counts_of(AmgLevel const& level, std::size_t real) {
  return {double(level.rows),    double(level.entries),    double(level.interpolation),
          double(level.product), double(level.aggregates), double(real)};
}

/// Rows of factors as they are, and with four times the values.
template <class Exec, class T>
struct DistanceOfScaled {
  Vector<Exec, T> once, quadruple;
  KOKKOS_FUNCTION void operator()(int i, double& worst) const {
    double const distance = compat::math::fabs(double(once(i)) - 4 * double(quadruple(i)));
    if (!(distance <= worst)) worst = distance;
  }
};

template <class Exec, class T>
struct SpoilEntry {
  Vector<Exec, T> values;
  int place;
  KOKKOS_FUNCTION void operator()(int) const { values(place) += T(1); }
};

template <class Exec, class T>
struct Quadruple {
  Vector<Exec, T> from, to;
  KOKKOS_FUNCTION void operator()(int i) const { to(i) = T(4) * from(i); }
};

template <class Exec, class T>
class AmgWork final : public SpaceWork<Exec> {
 public:
  AmgWork(Exec const& space, AmgGrid const& grid, Step step)
      : SpaceWork<Exec>(space),
        step_(step),
        system_(space, grid),
        x_("karman::perf::x", system_.rhs.extent(0)),
        map_(system_.matrix),
        krylov_(space, system_.matrix.rows(), {KrylovMethod::cocg}) {
    if (step == Step::jacobi) {
      jacobi_ =
          std::make_unique<SparseJacobiPreconditioner<Exec, T>>(space, system_.matrix.graph, system_.matrix.columns);
      jacobi_->factor(space, system_.matrix);
    } else {
      make();
    }
    this->fence();
  }

  /// The residual of a solve with the preconditioner of the step.
  std::string check(bool spoil) override {
    auto const& on = this->space();
    if (step_ == Step::factor) {
      std::string const complaint = check_factor();
      if (!complaint.empty()) return complaint;
    }
    run();
    solve();
    if (!report_.converged) return "no solution: " + summary(report_);
    if (spoil) {
      Kokkos::parallel_for("karman::perf::spoil", Kokkos::RangePolicy<Exec>(on, 0, 1),
                           SpoilEntry<Exec, T>{x_, system_.matrix.rows() / 2});
    }
    return compare("|b - A x| / |b|", system_.relative_residual(on, x_), 0, slack<T> * tolerance<T>);
  }

  double bytes() const override {
    auto const& matrix = system_.matrix;
    double const rows = matrix.rows(), entries = double(matrix.values.extent(0));
    double const iteration = traffic::cocg({0, rows, entries, sizeof(T)}, traffic::fused_cocg);
    if (jacobi_) return report_.iterations * iteration;
    auto const& levels = amg_->levels();
    double cycle = levels.back().visits * traffic::amg_coarsest(counts_of(levels.back(), sizeof(T)));
    double values = 0;
    for (std::size_t n = 0; n + 1 < levels.size(); ++n) {
      auto const counts = counts_of(levels[n], sizeof(T));
      int const first = n > 0 ? levels[n - 1].visits : 1;
      cycle += first * traffic::amg_level(counts) + (levels[n].visits - first) * traffic::amg_second_correction(counts);
      values += traffic::amg_values(counts, double(levels[n + 1].entries));
    }
    switch (step_) {
      case Step::setup: return double(amg_->workspace_bytes()) + entries * (sizeof(T) + 4);
      case Step::factor: return values;
      case Step::apply: return cycle;
      case Step::solve: return report_.iterations * (iteration + cycle);
      case Step::jacobi: break;
    }
    return 0;
  }

  Figures figures() const override {
    Figures result{{"solver_iterations", report_.iterations}};
    if (!amg_) return result;
    result.emplace_back("levels", double(amg_->levels().size()));
    result.emplace_back("complexity", amg_->operator_complexity());
    result.emplace_back("workspace_MB", double(amg_->workspace_bytes()) * 1e-6);
    return result;
  }

 protected:
  void run() override {
    switch (step_) {
      case Step::setup: make(); break;
      case Step::factor: amg_->factor(this->space(), system_.matrix); break;
      case Step::apply: amg_->apply(this->space(), system_.rhs, x_); break;
      case Step::solve:
      case Step::jacobi: solve(); break;
    }
  }

 private:
  void make() {
    amg_.reset();
    amg_ = std::make_unique<AmgPreconditioner<Exec, T>>(this->space(), system_.matrix);
  }

  void solve() {
    auto const& on = this->space();
    Kokkos::deep_copy(on, x_, T(0));
    GeneralKrylovOptions options;
    options.tolerance = tolerance<T>;
    options.max_iterations = most_iterations;
    options.check_every = jacobi_ ? 50 : 1;
    options.stagnation_after = 0;
    report_ = jacobi_ ? krylov_.solve(on, map_, *jacobi_, x_, system_.rhs, options)
                      : krylov_.solve(on, map_, *amg_, x_, system_.rhs, options);
  }

  /// M of 4 A is M / 4, to the last bit: a power of two.
  std::string check_factor() {
    auto const& on = this->space();
    auto const& matrix = system_.matrix;
    CsrMatrix<Exec, T> other = make_csr_matrix<T>(on, matrix.graph);
    Kokkos::parallel_for("karman::perf::quadruple", Kokkos::RangePolicy<Exec>(on, 0, int(matrix.values.extent(0))),
                         Quadruple<Exec, T>{matrix.values, other.values});
    Vector<Exec, T> const once("karman::perf::once", x_.extent(0)), quadruple("karman::perf::quadruple", x_.extent(0));
    amg_->apply(on, system_.rhs, once);
    amg_->factor(on, other);
    amg_->apply(on, system_.rhs, quadruple);
    DistanceOfScaled<Exec, T> const distance{once, quadruple};
    double const found = worst_row(on, matrix.rows(), distance, false, SpoilEntry<Exec, T>{once, 0});
    return compare("the largest difference between cycles of A and 4 A", found, 0, 0);
  }

  Step step_;
  AmgSystem<Exec, T> system_;
  Vector<Exec, T> x_;
  SparseOperator<Exec, T> map_;
  GeneralKrylov<Exec, T> krylov_;
  std::unique_ptr<AmgPreconditioner<Exec, T>> amg_;
  std::unique_ptr<SparseJacobiPreconditioner<Exec, T>> jacobi_;
  SolveReport report_;
};

template <class Exec, class T>
Row amg_row(MeshCase const& mesh, int cells, Step step, std::string const& peer) {
  AmgGrid const grid = mesh.grid(cells);
  double const nodes = grid.nodes(), n = cells, entries = nodes + 2 * (3 * n * n + 2 * n);
  Row row;
  row.family = "amg";
  row.algorithm = std::string(name(step)) + '_' + mesh.name;
  row.backend = karman::name(backend_of<Exec>());
  row.precision = precision_name<T>;
  row.size = std::to_string(grid.triangles());
  row.peer = peer;
  row.unit = "nodes";
  row.units = nodes;
  // The matrix once: the work itself is known when the levels are.
  row.bytes = entries * (sizeof(T) + 4) + nodes * (4 + 2 * sizeof(T));
  row.memory_bytes = nodes * 1000;
  row.back_to_back = step == Step::factor || step == Step::apply;
  return row;
}

template <class Exec, class T>
void append_steps(std::vector<Row>& rows, MeshCase const& mesh, int cells, bool with_jacobi) {
  for (Step step : {Step::setup, Step::factor, Step::apply, Step::solve, Step::jacobi}) {
    if (step == Step::jacobi && !with_jacobi) continue;
    Row row = amg_row<Exec, T>(mesh, cells, step, "");
    row.prepare = [grid = mesh.grid(cells), step] { return std::make_unique<AmgWork<Exec, T>>(Exec(), grid, step); };
    rows.push_back(std::move(row));
  }
}

template <class Exec>
void append_peers(std::vector<Row>& rows, MeshCase const& mesh, int cells) {
  for (Step step : {Step::setup, Step::solve}) {
    for (AmgPeer const& peer : amg_peers(!runs_on_host<Exec>, threads_of(Exec()))) {
      Row row = amg_row<Exec, double>(mesh, cells, step, peer.name);
      row.prepare = [peer, grid = mesh.grid(cells), operation = std::string(name(step))] {
        return amg_program(peer, operation, grid, tolerance<double>);
      };
      rows.push_back(std::move(row));
    }
  }
}

template <class Exec>
void append_amg(std::vector<Row>& rows, Selection const& selection) {
  bool const one_thread = runs_on_host<Exec> && !std::is_same_v<Exec, Kokkos::DefaultHostExecutionSpace>;
  std::vector<int> sizes{724, 1024, 2048};
  if (runs_on_host<Exec>) sizes = {256, 512, 1024};
  if (one_thread) sizes = {256};
  if (selection.quick) sizes = {runs_on_host<Exec> ? 128 : 1024};
  // Jacobi takes 27 000 iterations on 131 072 stretched triangles: too many to repeat.
  int const most_for_jacobi = runs_on_host<Exec> ? 256 : 1024;
  for (int const cells : sizes) {
    for (MeshCase const& mesh : mesh_cases) {
      append_steps<Exec, double>(rows, mesh, cells, cells <= most_for_jacobi && mesh.height == 1);
      if (!one_thread) append_peers<Exec>(rows, mesh, cells);
      if (!selection.quick) append_steps<Exec, float>(rows, mesh, cells, false);
    }
  }
}

}  // namespace

void append_amg_rows(std::vector<Row>& rows, Selection const& selection) {
#define KARMAN_APPEND(Exec) append_amg<Exec>(rows, selection);
  KARMAN_FOR_EACH_BACKEND(KARMAN_APPEND)
#undef KARMAN_APPEND
}

}  // namespace karman::perf
