// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Poisson's equation on a mesh of triangles, with a user-defined element kernel. A metal ring produces heat; its two
// rims are kept at 0:
//   -div grad u = 4 in a < r < b,  u = 0 at r = a and r = b:
//   u = a^2 - r^2 + (b^2 - a^2) ln(r / a) / ln(b / a).
#include <karman/core/host_copy.hpp>
#include <karman/mesh/mesh_generators.hpp>
#include <karman/solvers/fem/fem_assembly.hpp>
#include <karman/solvers/fem/fixed_values.hpp>
#include <karman/solvers/sparse/krylov.hpp>
#include <karman/solvers/sparse/sparse_operator.hpp>
#include <karman/solvers/sparse/sparse_preconditioners.hpp>

#include <Kokkos_Core.hpp>

#include <cmath>
#include <cstddef>
#include <cstdio>

namespace {

using Exec = Kokkos::DefaultExecutionSpace;
using Vector = Kokkos::View<double*, Exec::memory_space>;

// [kernel]
/// Integrals over one triangle: a(i, j) = int grad N_i . grad N_j, b(i) = int source N_i.
struct HeatedMetal {
  double source;

  KOKKOS_FORCEINLINE_FUNCTION void operator()(karman::Triangle const& t, karman::ElementMatrix<double, 3>& a,
                                              karman::ElementVector<double, 3>& b) const {
    double const twice_area = (t.x[1] - t.x[0]) * (t.y[2] - t.y[0]) - (t.x[2] - t.x[0]) * (t.y[1] - t.y[0]);
    for (int i = 0; i < 3; ++i) {
      int const k = (i + 1) % 3, l = (i + 2) % 3;
      for (int j = 0; j < 3; ++j) {
        int const m = (j + 1) % 3, n = (j + 2) % 3;
        a(i, j) = ((t.x[l] - t.x[k]) * (t.x[n] - t.x[m]) + (t.y[l] - t.y[k]) * (t.y[n] - t.y[m])) / (2 * twice_area);
      }
      b(i) = source * twice_area / 6;
    }
  }
};
// [kernel]

/// The largest difference from the exact solution, at the nodes.
double largest_error(Exec const& space, karman::MeshData const& mesh, Vector const& u, double a, double b) {
  auto const found = karman::host_copy(space, u);
  double largest = 0;
  for (std::size_t n = 0; n < mesh.nodes.size(); ++n) {
    double const r = std::hypot(mesh.nodes[n][0], mesh.nodes[n][1]);
    double const exact = a * a - r * r + (b * b - a * a) * std::log(r / a) / std::log(b / a);
    largest = std::fmax(largest, std::abs(found[n] - exact));
  }
  return largest;
}

double solve(double size) {
  double const a = 0.5, b = 1;
  karman::MeshData const data =
      karman::mesh_annulus({.inner_radius = a, .outer_radius = b, .inner_size = size, .outer_size = size});
  // [assemble]
  Exec const space;
  auto const mesh = karman::make_triangle_mesh(space, data);  // or read with karman/io/mesh_files.hpp
  auto const profile = karman::make_fem_profile(space, mesh);
  karman::FemAssembly<Exec> const plan(space, mesh, profile);  // once per mesh
  auto const matrix = karman::make_csr_matrix<double>(space, profile.graph);
  Vector const rhs("rhs", data.nodes.size()), u("u", data.nodes.size()), rim("rim", data.nodes.size());

  karman::assemble(space, plan, HeatedMetal{4}, matrix, rhs);  // any number of times: allocates nothing
  karman::fix_values<Exec, double>(space, matrix, rhs, karman::boundary_nodes(space, mesh), rim);
  // [assemble]

  karman::SparseOperator<Exec, double> map(matrix);
  karman::SparseJacobiPreconditioner<Exec, double> preconditioner(space, profile.graph, matrix.columns);
  preconditioner.factor(space, matrix);
  karman::GeneralKrylov<Exec, double> solver(space, matrix.rows(), {karman::KrylovMethod::cocg});
  auto const report = solver.solve(space, map, preconditioner, u, rhs, {.tolerance = 1e-10});
  double const error = largest_error(space, data, u, a, b);
  std::printf("%zu nodes: %s, largest error %.2e\n", data.nodes.size(), karman::summary(report).c_str(), error);
  return report.converged ? error : 1;
}

bool run() {
  // Halving the size of the triangles quarters the error. The largest error of all nodes does so less smoothly.
  double const coarse = solve(0.04), fine = solve(0.02);
  double const order = std::log2(coarse / fine);
  bool const right = std::abs(order - 2) < 0.3 && fine < 1e-4;
  std::printf("order %.2f  %s\n", order, right ? "ok" : "WRONG");
  return right;
}

}  // namespace

int main(int argc, char** argv) {
  Kokkos::ScopeGuard const kokkos(argc, argv);
  return run() ? 0 : 1;
}
