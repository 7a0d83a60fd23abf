// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Harbour waves: a whole solve, and its parts: assembly of the matrix, iterations of COCG, products.
#include "assembly_traffic.hpp"
#include "peers/plain_cocg.hpp"
#include "traffic.hpp"
#include "waves/model/wave_model.hpp"
#include "waves_harbour.hpp"
#include "waves_problem.hpp"
#include <karman/solvers/sparse/direct_solver.hpp>
#include <karman/solvers/sparse/krylov.hpp>
#include <karman/solvers/sparse/sparse_operator.hpp>
#include <karman/solvers/sparse/sparse_preconditioners.hpp>

#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <string_view>

namespace karman::perf {

namespace {

using Scalar = Kokkos::complex<double>;

/// COCG iterations per operation: enough that start and end of a solve, with one residual check each, hardly count.
constexpr int iterations = 100;
/// Tolerances of a check: |x - w| <= |r| / (the least |eigenvalue|). The least eigenvalue is at least wave_damping
/// times the least entry of the lumped mass. That entry is at least a hundredth of the diagonal on meshes with ten or
/// more nodes per wave. |b| is at most about 1500 times such a diagonal on two million nodes.
constexpr double solver_tolerance = 1e-12, answer_tolerance = 1e-6;
constexpr int most_wave_iterations = 20000;
/// Rows of A w, as for AssemblyWork. The mass subtracts less than a third of the stiffness part.
constexpr double row_tolerance = 75 * std::numeric_limits<double>::epsilon();

// --- a whole solve --------------------------------------------------------------------------------------------------

template <class Exec>
class HarbourSolve final : public SpaceWork<Exec> {
 public:
  HarbourSolve(Exec const& space, waves::LinearSettings const& linear) : SpaceWork<Exec>(space) {
    waves::WaveProblem problem = shipped_harbour().problem;
    problem.linear = linear;
    model_ = waves::make_wave_model(backend_of<Exec>(), problem);
  }

  /// Energy balance: the incident energy leaves through a boundary, or is lost to friction.
  std::string check(bool spoil) override {
    run();
    if (!state_.report.converged) return "no solution: " + state_.report.trouble;
    auto const& energy = state_.energy;
    double const absorbed = (spoil ? 1.05 : 1) * energy.absorbed;
    double const out = energy.reflected + energy.radiated + absorbed + energy.friction + energy.breaking;
    return compare("energy out over energy in", out / energy.incident, 1, 0.01);
  }

 protected:
  void run() override { state_ = model_->solve(shipped_harbour().period, shipped_harbour().incident); }

 private:
  std::unique_ptr<waves::WaveModel> model_;
  waves::WaveState state_;
};

// --- its parts ------------------------------------------------------------------------------------------------------

/// A square of n x n cells with sides of five metres, over an even bed.
struct Basin {
  explicit Basin(int n) : mesh(*assembly_mesh(n, Numbering::ordered)), depth(mesh.nodes.size(), 10) {
    for (auto& node : mesh.nodes) node = {5 * n * node[0], 5 * n * node[1]};
  }
  MeshData mesh;
  std::vector<double> depth;
};

/// Choice of water: the shipped harbour, or a basin with this many cells per side.
struct Place {
  int cells = 0;  ///< 0: the harbour

  template <class Exec>
  WaveSystem<Exec> system(Exec const& space) const {
    if (cells == 0) {
      Harbour const& harbour = shipped_harbour();
      return WaveSystem<Exec>(space, {harbour.problem.mesh, harbour.problem.depth, harbour.period});
    }
    Basin const basin(cells);
    return WaveSystem<Exec>(space, {basin.mesh, basin.depth, 10});
  }

  /// Triangles, nodes and entries of the matrix: one per node and two per edge.
  traffic::AssemblyCounts counts() const {
    constexpr double coefficients = 3 * sizeof(double);  // flux, mass, losses
    if (cells > 0) {
      double const n = cells, nodes = (n + 1) * (n + 1);
      return {2 * n * n, nodes, nodes + 2 * (3 * n * n + 2 * n), sizeof(Scalar), coefficients};
    }
    MeshData const& mesh = shipped_harbour().problem.mesh;
    double const triangles = double(mesh.triangles.size()), boundary = double(mesh.edges.size());
    return {triangles, double(mesh.nodes.size()), double(mesh.nodes.size()) + 3 * triangles + boundary, sizeof(Scalar),
            coefficients};
  }
};

template <class Exec>
class Reassembly final : public SpaceWork<Exec> {
 public:
  Reassembly(Exec const& space, Place const& place) : SpaceWork<Exec>(space), system_(place.system(space)) {
    this->fence();
  }
  std::string check(bool spoil) override {
    auto const& on = this->space();
    Kokkos::deep_copy(on, system_.matrix.values, Scalar(std::nan("")));
    run();
    double const difference =
        worst_row(on, system_.matrix.rows(), LargestDifference<Exec, Scalar>{system_.matrix, system_.sums(on)}, spoil,
                  SpoilMatrix<Exec, Scalar>{system_.matrix});
    return compare("the largest difference of a row", difference, 0, row_tolerance);
  }

 protected:
  void run() override { system_.assemble(this->space()); }

 private:
  WaveSystem<Exec> system_;
};

/// COCG with Jacobi's preconditioner, by Karman or in textbook form.
template <class Exec>
class CocgWork final : public SpaceWork<Exec> {
 public:
  CocgWork(Exec const& space, Place const& place, bool plain)
      : SpaceWork<Exec>(space),
        system_(place.system(space)),
        rhs_(system_.rhs(space)),
        x_("karman::perf::x", rhs_.extent(0)),
        map_(system_.matrix),
        jacobi_(space, system_.matrix.graph, system_.matrix.columns) {
    system_.assemble(space);
    jacobi_.factor(space, system_.matrix);
    if (plain) plain_ = std::make_unique<PlainCocg<Exec>>(space, system_.matrix);
    else krylov_ = std::make_unique<GeneralKrylov<Exec, Scalar>>(space, system_.matrix.rows());
    this->fence();
  }

  std::string check(bool spoil) override {
    solve(most_wave_iterations, solver_tolerance);
    int const rows = system_.matrix.rows();
    double const error =
        worst_row(this->space(), rows, DistanceFromWeights<Exec>{x_}, spoil, AddOneTo<Exec>{x_, rows / 2});
    return compare("the largest error of the solution", error, 0, answer_tolerance);
  }

 protected:
  void run() override { solve(iterations, 0); }

 private:
  void solve(int most, double tolerance) {
    auto const& on = this->space();
    if (plain_) {
      plain_->solve(on, x_, rhs_, most, tolerance);
      return;
    }
    Kokkos::deep_copy(on, x_, Scalar(0));
    GeneralKrylovOptions options;
    options.tolerance = tolerance;
    options.max_iterations = most;
    options.check_every = iterations;
    krylov_->solve(on, map_, jacobi_, x_, rhs_, options);
  }

  WaveSystem<Exec> system_;
  WaveNumbers<Exec> rhs_, x_;
  SparseOperator<Exec, Scalar> map_;
  SparseJacobiPreconditioner<Exec, Scalar> jacobi_;
  std::unique_ptr<GeneralKrylov<Exec, Scalar>> krylov_;
  std::unique_ptr<PlainCocg<Exec>> plain_;
};

/// y = A x.
template <class Exec>
class ProductWork final : public SpaceWork<Exec> {
 public:
  ProductWork(Exec const& space, Place const& place, SpmvMethod method)
      : SpaceWork<Exec>(space),
        system_(place.system(space)),
        sums_(system_.sums(space)),
        x_("karman::perf::x", system_.matrix.rows()),
        y_("karman::perf::y", system_.matrix.rows()) {
    options_.method = method;
    system_.assemble(space);
    Kokkos::parallel_for("karman::perf::weights", Kokkos::RangePolicy<Exec>(space, 0, system_.matrix.rows()),
                         FillWeights<Exec>{x_});
    this->fence();
  }

  std::string check(bool spoil) override {
    run();
    int const rows = system_.matrix.rows();
    double const difference =
        worst_row(this->space(), rows, DistanceFromSums<Exec>{y_, sums_}, spoil, AddOneTo<Exec>{y_, rows / 2});
    return compare("the largest difference of a row", difference, 0, row_tolerance);
  }

 protected:
  void run() override { multiply(this->space(), system_.matrix, x_, y_, options_); }

 private:
  WaveSystem<Exec> system_;
  RowSums<Exec> sums_;
  WaveNumbers<Exec> x_, y_;
  SpmvOptions<Scalar> options_;
};

// --- rows -----------------------------------------------------------------------------------------------------------

template <class Exec>
Row wave_row(std::string const& algorithm, double size, char const* peer, char const* unit, double units,
             double bytes) {
  Row row;
  row.family = "waves";
  row.algorithm = algorithm;
  row.backend = name(backend_of<Exec>());
  row.precision = precision_name<double>;
  row.size = std::to_string(static_cast<std::int64_t>(size));
  row.peer = peer;
  row.unit = unit;
  row.units = units;
  row.bytes = bytes;
  return row;
}

template <class Exec>
void append_solves(std::vector<Row>& rows, bool quick) {
  MeshData const& mesh = shipped_harbour().problem.mesh;
  double const nodes = double(mesh.nodes.size()), triangles = double(mesh.triangles.size());
  struct Choice {
    char const* algorithm;
    std::optional<waves::LinearMethod> method;
  };
  std::vector<Choice> choices{{"harbour", std::nullopt}};
  if (!quick) choices.push_back({"harbour_cocg", KrylovMethod::cocg});
  if (!quick && runs_on_host<Exec> && !direct_libraries().empty())
    choices.push_back({"harbour_direct", waves::DirectMethod()});
  for (Choice const& choice : choices) {
    Row row = wave_row<Exec>(choice.algorithm, nodes, "", "nodes", nodes, traffic::wave_solve(nodes, triangles));
    row.memory_bytes = nodes * 4000;  // the factors, in host memory
    waves::LinearSettings linear = shipped_harbour().problem.linear;
    linear.method = choice.method;
    if (choice.algorithm == std::string_view("harbour_cocg")) linear.preconditioner = waves::Preconditioning::jacobi;
    row.prepare = [linear] { return std::make_unique<HarbourSolve<Exec>>(Exec(), linear); };
    rows.push_back(std::move(row));
  }
}

template <class Exec>
void append_parts(std::vector<Row>& rows, Place const& place) {
  auto const counts = place.counts();
  double const memory = counts.triangles * (300 + 18 * counts.scalar);
  auto const add = [&rows, memory](Row row, std::function<std::unique_ptr<Work>()> make) {
    row.memory_bytes = memory;
    row.prepare = std::move(make);
    rows.push_back(std::move(row));
  };
  if (place.cells == 0) {
    Row row = wave_row<Exec>("reassembly", counts.triangles, "", "triangles", counts.triangles,
                             assembly_traffic<Exec>(AssemblyStrategy::automatic, counts));
    row.back_to_back = true;
    add(row, [place] { return std::make_unique<Reassembly<Exec>>(Exec(), place); });
  }
  for (bool plain : {false, true}) {
    add(wave_row<Exec>("cocg", counts.nodes, plain ? "plain_kokkos" : "", "unknown-iterations",
                       iterations * counts.nodes,
                       iterations * traffic::cocg(counts, plain ? traffic::plain_cocg : traffic::fused_cocg)),
        [place, plain] { return std::make_unique<CocgWork<Exec>>(Exec(), place, plain); });
  }
  for (SpmvMethod method : {SpmvMethod::own, SpmvMethod::kokkos_kernels}) {
    bool const own = method == SpmvMethod::own;
    if (!own && !has_kokkos_kernels()) continue;
    Row row = wave_row<Exec>("product", counts.nodes, own ? "" : "kokkos_kernels", "entries", counts.entries,
                             traffic::sparse_product(counts));
    row.back_to_back = true;
    add(row, [place, method] { return std::make_unique<ProductWork<Exec>>(Exec(), place, method); });
  }
}

template <class Exec>
void append_waves(std::vector<Row>& rows, Selection const& selection) {
  bool const fast = !runs_on_host<Exec> || std::is_same_v<Exec, Kokkos::DefaultHostExecutionSpace>;
  if (fast || !selection.quick) append_solves<Exec>(rows, selection.quick);
  append_parts<Exec>(rows, {});
  // Two million nodes, whose matrix exceeds all caches. One processor thread would take minutes.
  if (fast && !(selection.quick && runs_on_host<Exec>)) append_parts<Exec>(rows, {1448});
}

}  // namespace

void append_wave_rows(std::vector<Row>& rows, Selection const& selection) {
#define KARMAN_APPEND(Exec) append_waves<Exec>(rows, selection);
  KARMAN_FOR_EACH_BACKEND(KARMAN_APPEND)
#undef KARMAN_APPEND
}

}  // namespace karman::perf
