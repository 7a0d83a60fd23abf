// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Plans move. A plan that was moved from throws with the name of its class, until another one is assigned to it.
#include "backends.hpp"
#include <karman/mesh/mesh_generators.hpp>
#include <karman/mesh/triangle_mesh.hpp>
#include <karman/solvers/euler/euler_floors.hpp>
#include <karman/solvers/euler/euler_rhs.hpp>
#include <karman/solvers/grid/adi.hpp>
#include <karman/solvers/grid/conjugate_gradients.hpp>
#include <karman/solvers/grid/fast_poisson.hpp>
#include <karman/solvers/grid/multigrid.hpp>
#include <karman/solvers/grid/red_black_sor.hpp>
#include <karman/solvers/grid/relaxation.hpp>
#include <karman/solvers/grid/seven_point.hpp>
#include <karman/solvers/mesh_motion/mesh_motion.hpp>
#include <karman/solvers/sparse/amg.hpp>
#include <karman/solvers/sparse/block_amg.hpp>
#include <karman/solvers/sparse/block_preconditioners.hpp>
#include <karman/solvers/sparse/direct_solver.hpp>
#include <karman/solvers/sparse/ilu_preconditioner.hpp>
#include <karman/solvers/sparse/krylov.hpp>
#include <karman/solvers/sparse/sparse_preconditioners.hpp>
#include <karman/solvers/spectral/vorticity_solver.hpp>
#include <karman/solvers/time/time_integrators.hpp>
#include <karman/solvers/transforms/fft.hpp>
#include <karman/solvers/tridiagonal/tridiagonal.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace moved_plans_test {

using namespace karman;

template <class Parameter>
class MovedPlansOn : public ::testing::Test {
 public:
  using Exec = typename Parameter::execution_space;
  using T = typename Parameter::real;
  Exec space;
};
TYPED_TEST_SUITE(MovedPlansOn, karman::test::AllBackends, karman::test::BackendNames);

/// Reads a number from a constant plan. Pointers without a type keep the checks out of the templates: they are compiled
/// once, and not for every plan.
using Read = std::int64_t (*)(void const* plan);

void expect_moved(std::string const& name, Read read, void const* from, void const* to, std::int64_t expected) {
  EXPECT_EQ(read(to), expected) << name;
  try {
    read(from);
    ADD_FAILURE() << name << " works after a move";
  } catch (std::logic_error const& error) {
    std::string const message = error.what();
    EXPECT_EQ(message.find(name + ": "), 0U) << message;
    EXPECT_EQ(message.find('\n'), std::string::npos) << message;
  }
}

template <class Plan>
std::int64_t bytes_of(void const* plan) {
  return static_cast<Plan const*>(plan)->workspace_bytes();
}

/// `copies`: the plan may be copied as well.
template <bool copies = false, class Plan>
void expect_moves(std::string const& name, Plan plan, Read read = bytes_of<Plan>) {
  static_assert(std::is_nothrow_move_constructible_v<Plan> && std::is_nothrow_move_assignable_v<Plan>);
  static_assert(std::is_copy_constructible_v<Plan> == copies);
  std::int64_t const before = read(&plan);
  Plan other(std::move(plan));
  expect_moved(name, read, &plan, &other, before);
  plan = std::move(other);
  expect_moved(name, read, &other, &plan, before);
}

/// Tridiagonal, two on the diagonal.
template <class Exec, class T>
CsrMatrix<Exec, T> chain(Exec const& space, int n) {
  std::vector<int> offsets{0}, columns;
  std::vector<T> values;
  for (int row = 0; row < n; ++row) {
    for (int column = std::max(row - 1, 0); column <= std::min(row + 1, n - 1); ++column) {
      columns.push_back(column);
      values.push_back(column == row ? T(2) : T(-1));
    }
    offsets.push_back(static_cast<int>(columns.size()));
  }
  return {space, offsets, columns, values};
}

TYPED_TEST(MovedPlansOn, ThrowOnGrids) {
  using Exec = typename TestFixture::Exec;
  using T = typename TestFixture::T;
  Exec const& space = this->space;
  std::array<int, 3> const cells{4, 6, 8};
  FftAxes const axes{true, true, false};
  expect_moves("ComplexFft", ComplexFft<Exec, T>(space, cells, axes));
  expect_moves("RealFft", RealFft<Exec, T>(space, cells, axes));
  expect_moves("TrigonometricTransform", TrigonometricTransform<Exec, T>(space, cells, Axis::x, Trigonometric::dct2));
  expect_moves("Tridiagonal", Tridiagonal<Exec, T>(space, TridiagonalShape::along(1, {7, 5})));
  VorticitySetup setup;
  setup.points = {8, 8};
  expect_moves("VorticitySolver", VorticitySolver<Exec, T>(space, setup));
  expect_moves("TimeIntegrator", TimeIntegrator<Exec, T>(space, 12));

  SevenPointProblem<Exec, T> const problem(UniformGrid({8, 6, 4}, {1, 1, 1}), Boundaries::all(Boundary::dirichlet));
  SevenPoint<Exec, T> const a(space, problem);
  expect_moves<true>("SevenPoint", SevenPoint<Exec, T>(space, problem));
  expect_moves("Jacobi", Jacobi<Exec, T>(space, a));
  expect_moves("GaussSeidel", GaussSeidel<Exec, T>(space, a));
  expect_moves("Adi", Adi<Exec, T>(space, a));
  expect_moves("HeatAdi", HeatAdi<Exec, T>(space, a));
  expect_moves("RedBlackSor", RedBlackSor<Exec, T>(space, problem));
  expect_moves("Multigrid", Multigrid<Exec, T>(space, problem));
  expect_moves("FastPoisson", FastPoisson<Exec, T>(space, problem));
  expect_moves("ConjugateGradients", ConjugateGradients<Exec, T>(space, cells));
}

TYPED_TEST(MovedPlansOn, ThrowOnMatricesAndMeshes) {
  using Exec = typename TestFixture::Exec;
  using T = typename TestFixture::T;
  Exec const& space = this->space;
  auto const matrix = chain<Exec, T>(space, 20);
  expect_moves("GeneralKrylov", GeneralKrylov<Exec, T>(space, 20));
  expect_moves("ColoredPreconditioner", ColoredPreconditioner<Exec, T>(space, matrix.graph, 20));
  expect_moves("BlockJacobi", BlockJacobi<Exec, T, 4>(space, matrix.graph));
  expect_moves("BlockGaussSeidel", BlockGaussSeidel<Exec, T, 4>(space, matrix.graph));
  expect_moves("BlockAmg", BlockAmg<Exec, T, 4>(space, matrix.graph));
  expect_moves("BlockIlu", BlockIlu<Exec, T, 4>(space, matrix.graph));
  expect_moves("AmgPreconditioner", AmgPreconditioner<Exec, T>(space, matrix));
  if (IluPreconditioner<Exec, T>::available()) {
    expect_moves("IluPreconditioner", IluPreconditioner<Exec, T>(space, matrix.graph, 20));
  }
  if (!direct_libraries().empty()) expect_moves("DirectSolver", DirectSolver<Exec, T>());

  auto const mesh = make_triangle_mesh(space, mesh_rectangle({.low = {0, 0}, .high = {1, 1}, .size = 0.5}));
  EulerRhs<Exec, T> const rhs(space, mesh);
  expect_moves("EulerRhs", EulerRhs<Exec, T>(space, mesh));
  expect_moves("EulerFloorLimiter", EulerFloorLimiter<Exec, T>(space, rhs, EulerFloors{0.1, 0.1}));
  expect_moves("MeshMotion", MeshMotion<Exec>(space, mesh), [](void const* plan) {
    return static_cast<std::int64_t>(static_cast<MeshMotion<Exec> const*>(plan)->points().extent(0));
  });
}

}  // namespace moved_plans_test
