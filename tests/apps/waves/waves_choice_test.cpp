// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The automatic preconditioner by size and resolution, and the resolution itself.
#include "waves/case/mesh_resolution.hpp"
#include "waves_support.hpp"
#include <karman/core/backend_name.hpp>

namespace karman::waves::test {
namespace {

/// Name of the solver of one short, unfinished iteration.
std::string solver_of(Backend backend, WaveProblem const& problem) {
  return make_wave_model(backend, problem)->solve(8, {{1, 0, 0}}).report.solver;
}

TEST(WaveChoice, TakesMultigridForManyNodesOfResolvedWaves) {
  for (Backend const backend : enabled_backends()) {
    WaveProblem problem = flume(300, 100, 1, 5);
    ASSERT_GT(problem.mesh.nodes.size(), 30'000u);
    problem.linear.method = KrylovMethod::cocg;
    problem.linear.max_iterations = 1;
    problem.linear.fall_back = false;
    for (auto const& [nodes_per_wavelength, multigrid] : {std::pair{0.0, true}, {6.9, false}, {7.1, true}}) {
      problem.linear.nodes_per_wavelength = nodes_per_wavelength;
      std::string const name = solver_of(backend, problem);
      EXPECT_EQ(name.find("algebraic multigrid") != std::string::npos, multigrid) << name;
      EXPECT_EQ(name.find("Jacobi") == std::string::npos, multigrid) << name;
      EXPECT_EQ(name.find("about 7 nodes per wavelength") != std::string::npos, nodes_per_wavelength > 0) << name;
    }
    problem.linear.preconditioner = Preconditioning::jacobi;
    EXPECT_EQ(solver_of(backend, problem), "COCG, Jacobi") << "named by the user";
    WaveProblem few = flume(30, 10, 1, 5);
    few.linear = problem.linear;
    few.linear.preconditioner.reset();
    EXPECT_NE(solver_of(backend, few).find("Jacobi"), std::string::npos);
    few.linear.method.reset();
    few.linear.preconditioner = Preconditioning::ssor;
    EXPECT_EQ(solver_of(backend, few), "COCG, coloured SSOR (chosen for its preconditioner)");
  }
}

TEST(WaveChoice, ResolutionIsTheWavelengthOverTheLongestEdge) {
  MeshData const mesh = mesh_rectangle({{0, 0}, {20, 10}, 2, DiagonalPattern::alternating});
  double const wavelength = 2 * pi / dispersion(angular_frequency(6), 3).wave_number, diagonal = 2 * std::sqrt(2.0);
  MeshResolution const even = mesh_resolution(mesh, std::vector<double>(mesh.nodes.size(), 3), 6);
  EXPECT_NEAR(even.least, wavelength / diagonal, 1e-10);
  EXPECT_NEAR(even.mean, wavelength / diagonal, 1e-10);

  // Waves of half the length at one corner, which one or two of 100 triangles have.
  std::vector<double> wave_number(mesh.nodes.size(), 2 * pi / wavelength);
  std::size_t corner = 0;
  for (std::size_t n = 0; n < mesh.nodes.size(); ++n)
    if (mesh.nodes[n][0] + mesh.nodes[n][1] > 29.9) corner = n;
  wave_number[corner] *= 2;
  auto const at_corner = std::count_if(mesh.triangles.begin(), mesh.triangles.end(), [&](auto const& triangle) {
    return std::find(triangle.begin(), triangle.end(), static_cast<int>(corner)) != triangle.end();
  });
  ASSERT_EQ(mesh.triangles.size(), 100u);
  MeshResolution const uneven = mesh_resolution(mesh, wave_number);
  EXPECT_NEAR(uneven.least, wavelength / diagonal / 2, 1e-10);
  EXPECT_NEAR(uneven.mean, wavelength / diagonal / (1 + 0.01 * double(at_corner)), 1e-10);
  EXPECT_NEAR(uneven.coarsest[0], 19, 1);
  EXPECT_NEAR(uneven.coarsest[1], 9, 1);
}

}  // namespace
}  // namespace karman::waves::test
