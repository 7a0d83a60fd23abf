// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Assembly of finite-element matrices. Compares the plan's own choice with methods of other codes, and every strategy
// on every numbering.
#include "assembly_problem.hpp"
#include "assembly_traffic.hpp"
#include "peers/assembly_peers.hpp"
#include "traffic.hpp"

namespace karman::perf {

namespace {

template <class Exec, Equation equation, class T>
class KarmanAssembly final : public AssemblyImplementation<Exec, equation, T> {
 public:
  using Problem = AssemblyProblem<Exec, equation, T>;
  KarmanAssembly(Exec const& space, Problem const& problem, AssemblyStrategy strategy)
      : plan_(space, problem.mesh, problem.profile,
              {.strategy = strategy, .value_bytes = sizeof(typename Problem::Scalar), .triangle_numbers = false}) {}
  void run(Exec const& space, Problem const& problem) override {
    assemble(space, plan_, problem.kernel, problem.matrix);
  }

 private:
  FemAssembly<Exec> plan_;
};

/// Name and task of a row.
struct AssemblyKind {
  std::string family, algorithm;
  int cells;
  Numbering numbering;
};

template <Equation equation, class T>
traffic::AssemblyCounts counts_of(int cells) {
  double const n = cells;
  // entries: one per node and two per edge
  double const nodes = (n + 1) * (n + 1), edges = 3 * n * n + 2 * n;
  double const coefficients = equation == Equation::mild_slope ? 3 * sizeof(T) : 0;
  return {2 * n * n, nodes, nodes + 2 * edges, sizeof(AssemblyScalar<equation, T>), coefficients};
}

template <class Exec, Equation equation, class T>
void append_row(std::vector<Row>& rows, AssemblyKind const& kind, char const* peer, double bytes,
                AssemblyMaker<Exec, equation, T> const& make) {
  auto const counts = counts_of<equation, T>(kind.cells);
  Row row;
  row.family = kind.family;
  row.algorithm = kind.algorithm + '_' + name(kind.numbering);
  row.backend = name(backend_of<Exec>());
  row.precision = precision_name<T>;
  row.size = std::to_string(static_cast<std::int64_t>(counts.triangles));
  row.peer = peer;
  row.unit = "triangles";
  row.units = counts.triangles;
  row.bytes = bytes;
  // Mesh, profile, plan and matrix, and temporary memory of the set-up; coordinate form is the largest.
  row.memory_bytes = counts.triangles * (300 + 18 * counts.scalar);
  row.back_to_back = true;
  row.prepare = [kind, make] {
    return std::make_unique<AssemblyWork<Exec, equation, T>>(Exec(), *assembly_mesh(kind.cells, kind.numbering), make);
  };
  rows.push_back(std::move(row));
}

template <class Exec, Equation equation, class T>
void append_own(std::vector<Row>& rows, AssemblyKind const& kind, AssemblyStrategy strategy) {
  append_row<Exec, equation, T>(rows, kind, "", assembly_traffic<Exec>(strategy, counts_of<equation, T>(kind.cells)),
                                [strategy](Exec const& space, AssemblyProblem<Exec, equation, T> const& problem) {
                                  return std::make_unique<KarmanAssembly<Exec, equation, T>>(space, problem, strategy);
                                });
}

template <class Exec, class T>
void append_peers(std::vector<Row>& rows, AssemblyKind const& kind) {
  constexpr auto laplacian = Equation::laplacian;
  auto const counts = counts_of<laplacian, T>(kind.cells);
  auto const add = [&](char const* peer, double bytes, AssemblyMaker<Exec, laplacian, T> const& make) {
    append_row<Exec, laplacian, T>(rows, kind, peer, bytes, make);
  };
  add("element_atomics", traffic::element_atomics(counts), element_atomics<Exec, laplacian, T>());
  add("colors_with_gaps", traffic::element_atomics(counts), colors_with_gaps<Exec, laplacian, T>());
  add("coordinate_form", traffic::element_storage(counts, 8), coordinate_form<Exec, laplacian, T>());
  add("scatter_view", traffic::element_atomics(counts), scatter_view<Exec, laplacian, T>());
}

template <class Exec>
void append_assembly(std::vector<Row>& rows, Selection const& selection) {
  int const cells = runs_on_host<Exec> ? (selection.quick ? 512 : 1024) : 2048;
  std::vector<Numbering> numberings{Numbering::ordered, Numbering::shuffled, Numbering::renumbered};
  if (selection.quick) numberings.pop_back();
  // The shape of that picture depends on the machine: one host backend is enough.
  using S = AssemblyStrategy;
  std::vector<S> strategies{S::atomic, S::colored, S::colored_blocks, S::row_gather, S::row_blocks, S::expanded};
  if (runs_on_host<Exec> && !std::is_same_v<Exec, Kokkos::DefaultHostExecutionSpace>) strategies.clear();
  for (Numbering numbering : numberings) {
    AssemblyKind const laplacian{"assembly", "laplacian", cells, numbering};
    append_own<Exec, Equation::laplacian, double>(rows, laplacian, S::automatic);
    append_peers<Exec, double>(rows, laplacian);
    if (!selection.quick) {
      append_own<Exec, Equation::laplacian, float>(rows, laplacian, S::automatic);
      append_peers<Exec, float>(rows, laplacian);
    }
    append_own<Exec, Equation::mild_slope, double>(rows, {"assembly", "mild_slope", cells, numbering}, S::automatic);
    for (S strategy : strategies) {
      std::string const text(karman::name(strategy));
      AssemblyKind const each{"assembly_strategies", text, cells, numbering};
      append_own<Exec, Equation::laplacian, double>(rows, each, strategy);
      if (selection.quick) continue;
      append_own<Exec, Equation::laplacian, float>(rows, each, strategy);
      append_own<Exec, Equation::mild_slope, double>(
          rows, {"assembly_strategies", text + "_mild_slope", cells, numbering}, strategy);
    }
  }
}

}  // namespace

void append_assembly_rows(std::vector<Row>& rows, Selection const& selection) {
#define KARMAN_APPEND(Exec) append_assembly<Exec>(rows, selection);
  KARMAN_FOR_EACH_BACKEND(KARMAN_APPEND)
#undef KARMAN_APPEND
}

}  // namespace karman::perf
