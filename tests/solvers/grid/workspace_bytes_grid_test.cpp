// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The announced memory of solvers on grids equals the memory that they keep.
#include "backends.hpp"
#include "fields.hpp"
#include "solvers/common/workspace_case.hpp"
#include <karman/solvers/grid/adi.hpp>
#include <karman/solvers/grid/conjugate_gradients.hpp>
#include <karman/solvers/grid/fast_poisson.hpp>
#include <karman/solvers/grid/multigrid.hpp>
#include <karman/solvers/grid/red_black_sor.hpp>
#include <karman/solvers/grid/relaxation.hpp>

#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace workspace_bytes_grid_test {

using namespace karman;
using karman::test::HostField;
using karman::test::to_device;

template <class Parameter>
class GridWorkspaceOn : public karman::test::WorkspaceCase<Parameter> {
 public:
  using Exec = typename Parameter::execution_space;
  using T = typename Parameter::real;

  struct Problem {
    std::string name;
    SevenPointProblem<Exec, T> equation;
  };

  /// Extents of one, two and three dimensions, odd and even, with axes of one cell, and layers of different thickness.
  static std::vector<UniformGrid> grids() {
    return {UniformGrid({1, 1, 1}, {1, 1, 1}),
            UniformGrid({37, 1, 1}, {1, 1, 1}),
            UniformGrid({1, 24, 1}, {1, 1, 1}),
            UniformGrid({1, 1, 9}, {1, 1, 1}),
            UniformGrid({17, 12, 1}, {1, 0.5, 1}),
            UniformGrid({6, 1, 11}, {1, 1, 1}),
            UniformGrid({13, 10, 9}, {1, 1, 1}),
            UniformGrid({40, 33, 20}, {1, 1.1, 0.9}),
            UniformGrid::with_layers({12, 11}, {1, 1}, {0.1, 0.2, 0.3, 0.5, 1, 1.5, 3})};
  }

  static std::vector<Boundaries> sides(UniformGrid const& grid) {
    Boundaries mixed = Boundaries::all(Boundary::dirichlet);
    mixed.west = mixed.north = mixed.bottom = Boundary::neumann;
    mixed.top = Boundary::fixed;
    Boundaries channel = Boundaries::all(Boundary::neumann);
    channel.east = channel.west = Boundary::periodic;
    channel.top = Boundary::dirichlet;
    std::vector<Boundaries> all{Boundaries::all(Boundary::dirichlet), Boundaries::all(Boundary::neumann),
                                Boundaries::all(Boundary::periodic), mixed, channel};
    if (grid.nz() == 1) all.push_back(Boundaries::planar(Boundary::fixed));
    return all;
  }

  /// Every form of coefficients, with a solid cell in the middle where that leaves cells on every side.
  std::vector<Problem> problems() const {
    std::vector<Problem> all;
    for (UniformGrid const& grid : grids()) {
      for (Boundaries const& s : sides(grid)) {
        std::string const name = std::to_string(grid.nx()) + " x " + std::to_string(grid.ny()) + " x " +
                                 std::to_string(grid.nz()) + ", sides " + std::to_string(all.size());
        all.push_back({name + ", open", {grid, s}});
        if (grid.nx() < 6 || grid.ny() < 6) continue;
        HostField<std::uint8_t> solid(grid.extents(Location::cell));
        solid(grid.nz() / 2, grid.ny() / 2, grid.nx() / 2) = 1;
        SevenPointProblem<Exec, T> const walls(this->space, grid, s,
                                               ConstField<Exec, std::uint8_t>(to_device(this->space, solid)));
        all.push_back({name + ", walls", walls});
        auto arrays = unpack<Exec, T>(this->space, grid, walls.walls);
        all.push_back({name + ", arrays", {grid, s, arrays}});
        auto const two =
            to_device(this->space, HostField<T>(grid.extents(Location::cell)).fill([](int, int, int) { return T(2); }));
        arrays.own_x = arrays.own_y = arrays.own_z = two;
        all.push_back({name + ", own weights", {grid, s, arrays}});
      }
    }
    return all;
  }
};
TYPED_TEST_SUITE(GridWorkspaceOn, karman::test::AllBackends, karman::test::BackendNames);

TYPED_TEST(GridWorkspaceOn, OperatorsAndMethodsOnThem) {
  using Exec = typename TestFixture::Exec;
  using T = typename TestFixture::T;
  for (auto const& [name, equation] : this->problems()) {
    SevenPointShape const shape(equation);
    auto const& problem = equation;
    this->expect_kept(name + ", SevenPoint", SevenPoint<Exec, T>::workspace_bytes(shape),
                      [&] { return std::make_unique<SevenPoint<Exec, T>>(this->space, problem); });
    SevenPoint<Exec, T> const a(this->space, problem);
    this->expect_kept(name + ", Jacobi", Jacobi<Exec, T>::workspace_bytes(shape),
                      [&] { return std::make_unique<Jacobi<Exec, T>>(this->space, a); });
    this->expect_kept(name + ", GaussSeidel", GaussSeidel<Exec, T>::workspace_bytes(shape),
                      [&] { return std::make_unique<GaussSeidel<Exec, T>>(this->space, a); });
    this->expect_kept(name + ", Adi", Adi<Exec, T>::workspace_bytes(this->space, shape),
                      [&] { return std::make_unique<Adi<Exec, T>>(this->space, a); });
    this->expect_kept(name + ", HeatAdi", HeatAdi<Exec, T>::workspace_bytes(this->space, shape),
                      [&] { return std::make_unique<HeatAdi<Exec, T>>(this->space, a); });
    for (bool const preconditioned : {false, true}) {
      this->expect_kept(
          name + ", ConjugateGradients", ConjugateGradients<Exec, T>::workspace_bytes(a.extents(), preconditioned),
          [&] { return std::make_unique<ConjugateGradients<Exec, T>>(this->space, a.extents(), preconditioned); });
    }
  }
}

TYPED_TEST(GridWorkspaceOn, RedBlackSorInEveryStorage) {
  using Exec = typename TestFixture::Exec;
  using T = typename TestFixture::T;
  for (auto const& [name, equation] : this->problems()) {
    auto const& problem = equation;
    for (SorStorage const storage :
         {SorStorage::automatic, SorStorage::coefficients, SorStorage::folded, SorStorage::packed}) {
      // A code holds own weights of 1/2 and 1.
      if (storage == SorStorage::packed && problem.coefficients.has_own_weights()) continue;
      SorSetup const setup{storage};
      this->expect_kept(name + ", " + std::string(karman::name(storage)),
                        RedBlackSor<Exec, T>::workspace_bytes(problem, setup),
                        [&] { return std::make_unique<RedBlackSor<Exec, T>>(this->space, problem, setup); });
    }
  }
}

TYPED_TEST(GridWorkspaceOn, FastPoissonWithEverySide) {
  using Exec = typename TestFixture::Exec;
  using T = typename TestFixture::T;
  for (UniformGrid const& grid : TestFixture::grids()) {
    auto sides = TestFixture::sides(grid);
    for (Boundary const low : {Boundary::dirichlet, Boundary::fixed, Boundary::neumann})
      for (Boundary const high : {Boundary::dirichlet, Boundary::fixed, Boundary::neumann})
        sides.push_back({high, low, low, high, high, low});
    for (Boundaries const& s : sides) {
      SevenPointProblem<Exec, T> const problem(grid, s);
      this->expect_kept("FastPoisson on " + std::to_string(grid.cell_count()),
                        FastPoisson<Exec, T>::workspace_bytes(problem),
                        [&] { return std::make_unique<FastPoisson<Exec, T>>(this->space, problem); });
    }
  }
}

TYPED_TEST(GridWorkspaceOn, MultigridWithEveryCycleAndSmoother) {
  using Exec = typename TestFixture::Exec;
  using T = typename TestFixture::T;
  using Smoother = MultigridSmoother;
  std::vector<MultigridSetup> const setups{
      {},
      {.cycle = MultigridCycle::w, .smoother = Smoother::red_black, .pre = 1, .single_precision_cycles = false},
      {.cycle = MultigridCycle::f, .smoother = Smoother::line, .symmetric = true}};
  for (auto const& [name, equation] : this->problems()) {
    auto const& problem = equation;
    for (MultigridSetup setup : setups) {
      if (setup.smoother == Smoother::line && problem.sides.periodic()[2]) continue;
      if (problem.has_walls() || problem.has_coefficients()) setup.coarsening = MultigridCoarsening::pairs;
      this->expect_kept(name + ", " + std::string(karman::name(setup.cycle)),
                        Multigrid<Exec, T>::workspace_bytes(this->space, problem, setup),
                        [&] { return std::make_unique<Multigrid<Exec, T>>(this->space, problem, setup); });
    }
  }
}

/// The sizes of aggregates depend on the walls: the announcement is an estimate.
TYPED_TEST(GridWorkspaceOn, MultigridOverAggregatesWithinAQuarter) {
  using Exec = typename TestFixture::Exec;
  using T = typename TestFixture::T;
  MultigridSetup const setup{.coarsening = MultigridCoarsening::aggregates};
  for (auto const& cells : std::vector<std::array<int, 3>>{{4000, 1, 1}, {90, 80, 1}, {24, 22, 20}}) {
    UniformGrid const grid(cells, {1, 1, 1});
    HostField<std::uint8_t> solid(grid.extents(Location::cell));
    std::uint32_t state = 1;
    solid.fill([&](int, int, int) {
      state = state * 1664525u + 1013904223u;
      return static_cast<std::uint8_t>((state >> 16) % 10 == 0 ? 1 : 0);
    });
    Boundaries const sides = cells[2] == 1 ? Boundaries::planar(Boundary::dirichlet) : Boundaries{};
    SevenPointProblem<Exec, T> const problem(this->space, grid, sides,
                                             ConstField<Exec, std::uint8_t>(to_device(this->space, solid)));
    Multigrid<Exec, T> const plan(this->space, problem, setup);
    ASSERT_EQ(plan.coarsening(), MultigridCoarsening::aggregates);
    auto const announced = double(Multigrid<Exec, T>::workspace_bytes(this->space, problem, setup));
    EXPECT_NEAR(announced / double(plan.workspace_bytes()), 1, 0.25) << cells[0] << " x " << cells[1];
  }
}

TYPED_TEST(GridWorkspaceOn, Transforms) {
  using Exec = typename TestFixture::Exec;
  using T = typename TestFixture::T;
  for (std::array<int, 3> const& extents :
       std::vector<std::array<int, 3>>{{1, 1, 2}, {3, 5, 9}, {1, 64, 30}, {8, 12, 17}}) {
    std::string const name = std::to_string(extents[0]) + " x " + std::to_string(extents[1]);
    for (FftAxes const& axes :
         {FftAxes{}, FftAxes::only(Axis::x), FftAxes::only(Axis::y), FftAxes{true, false, true}}) {
      this->expect_kept(name + ", complex", ComplexFft<Exec, T>::workspace_bytes(extents, axes),
                        [&] { return std::make_unique<ComplexFft<Exec, T>>(this->space, extents, axes); });
      this->expect_kept(name + ", real", RealFft<Exec, T>::workspace_bytes(extents, axes),
                        [&] { return std::make_unique<RealFft<Exec, T>>(this->space, extents, axes); });
    }
    for (int number = 0; number <= static_cast<int>(Trigonometric::halfcomplex); ++number) {
      auto const kind = static_cast<Trigonometric>(number);
      for (Axis const axis : {Axis::x, Axis::y, Axis::z}) {
        int const n = extents[axis == Axis::x ? 2 : axis == Axis::y ? 1 : 0];
        if (kind == Trigonometric::dct1 && n < 2) continue;
        for (TrigonometricEngine const engine : {TrigonometricEngine::automatic, TrigonometricEngine::padded}) {
          for (bool const reversed : {false, true}) {
            TrigonometricSetup const setup{.engine = engine, .reversed = reversed};
            using Plan = TrigonometricTransform<Exec, T>;
            this->expect_kept(name + ", " + std::string(karman::name(kind)),
                              Plan::workspace_bytes(extents, axis, kind, setup),
                              [&] { return std::make_unique<Plan>(this->space, extents, axis, kind, setup); });
          }
        }
      }
    }
  }
}

}  // namespace workspace_bytes_grid_test
