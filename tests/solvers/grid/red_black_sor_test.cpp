// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "backends.hpp"
#include "fields.hpp"
#include "grid/sor/split_fields.hpp"
#include "serial_sor.hpp"
#include "solvers/common/bits_on_threads.hpp"
#include <karman/core/compat.hpp>
#include <karman/solvers/grid/red_black_sor.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>
#include <random>
#include <string>

namespace red_black_sor_test {

using namespace karman;
using karman::test::HostField;
using karman::test::in_precision;
using karman::test::make_plane;
using karman::test::SerialSor;
using karman::test::to_device;
using karman::test::to_host;
using std::numbers::pi;

template <class Parameter>
class RedBlackSorOn : public ::testing::Test {
 public:
  using Exec = typename Parameter::execution_space;
  using T = typename Parameter::real;
  Exec space;
};
TYPED_TEST_SUITE(RedBlackSorOn, karman::test::AllBackends, karman::test::BackendNames);

/// Faces of a random problem: any coefficient, coefficients that codes hold, all open, all open but those in x on the
/// sides.
enum class Faces { any, coded, open, open_between_sides };

std::vector<double> allowed_coefficients(Faces faces) {
  if (faces == Faces::any) return {0, 0.25, 0.6875, 1};
  if (faces == Faces::coded) return {0, 0.5, 1, 1, 1, 2};
  return {1};
}

/// A random problem: values in [-1, 1], exactly representable in float.
SerialSor random_problem(UniformGrid const& grid, Faces faces, bool half_weights, bool planar, unsigned seed) {
  auto const allowed = allowed_coefficients(faces);
  std::mt19937 random(seed);
  auto const draw = [&](std::size_t n) { return std::size_t(random() % n); };
  auto const value = [&](int, int, int) { return (int(random() % 2049) - 1024) / 1024.0; };
  auto const extents = grid.extents(Location::cell);
  SerialSor problem{grid, {1, 1, 0.5}, {}, {}, HostField<double>(extents), HostField<double>(extents)};
  problem.lambda.fill(value);
  problem.rhs.fill(value);
  for (std::size_t n = 0; n < 6; ++n) {
    problem.face[n] = HostField<double>(extents);
    bool const closed = planar && n >= 4;
    problem.face[n].fill([&](int, int, int) { return closed ? 0.0 : allowed[draw(allowed.size())]; });
  }
  if (half_weights) {
    for (auto& weight : problem.half_weight) {
      weight = HostField<double>(extents);
      weight.fill([&](int, int, int) { return draw(2) == 0 ? 0.5 : 1.0; });
    }
  }
  if (faces == Faces::open_between_sides) {
    for (int k = 0; k < grid.nz(); ++k)
      for (int j = 0; j < grid.ny(); ++j) problem.face[0](k, j, grid.nx() - 1) = problem.face[1](k, j, 0) = 0;
  }
  if (allowed.size() == 1) return problem;
  // Some isolated cells, which must keep their values.
  for (int k = 0; k < grid.nz(); ++k)
    for (int j = 0; j < grid.ny(); ++j)
      for (int i = 0; i < grid.nx(); ++i)
        if (draw(7) == 0)
          for (auto& face : problem.face) face(k, j, i) = 0;
  return problem;
}

template <class Fixture>
void compare_with_reference(Fixture& fixture, UniformGrid const& grid, SorStorage storage, Faces faces,
                            bool half_weights, bool planar) {
  using Exec = typename Fixture::Exec;
  using T = typename Fixture::T;
  SerialSor reference = random_problem(grid, faces, half_weights, planar, 7u + unsigned(grid.cell_count()));
  auto const device = [&](HostField<double> const& field) {
    return field.values.empty() ? Field<Exec, T>() : to_device(fixture.space, in_precision<T>(field));
  };
  FaceCoefficients<Exec, T> const coefficients{
      device(reference.face[0]),        device(reference.face[1]),        device(reference.face[2]),
      device(reference.face[3]),        device(reference.face[4]),        device(reference.face[5]),
      device(reference.half_weight[0]), device(reference.half_weight[1]), device(reference.half_weight[2])};
  RedBlackSor<Exec, T> sor(fixture.space, {grid, Boundaries(), coefficients, reference.weights}, {storage});
  if (planar) reference.weights[2] = 0;  // nothing of z enters the two-dimensional form, q neither
  auto const lambda = device(reference.lambda);
  sor.load(fixture.space, lambda, device(reference.rhs));

  // Own weights are at least half a face of the others', so that the error grows little in so few iterations. The rest
  // is the rounding of some fifteen operations per cell and iteration.
  double const eps = std::numeric_limits<T>::epsilon();
  double const scale = 1 + reference.residual();
  EXPECT_NEAR(sor.residual(fixture.space), reference.residual(), 64 * eps * scale);
  int const iterations = 3;
  sor.iterate(fixture.space, iterations, 1.25);
  reference.iterate(iterations, 1.25);
  sor.store(fixture.space, lambda);
  auto const result = to_host(fixture.space, lambda);
  double largest = 0;
  double error = 0;
  for (std::size_t n = 0; n < result.values.size(); ++n) {
    largest = std::max(largest, std::abs(reference.lambda.values[n]));
    error = std::max(error, std::abs(reference.lambda.values[n] - double(result.values[n])));
  }
  EXPECT_LE(error, 64 * iterations * eps * largest)
      << name(storage) << " on " << grid.nx() << " x " << grid.ny() << " x " << grid.nz();
  EXPECT_TRUE(std::isfinite(largest));
}

std::vector<UniformGrid> grids_around_every_edge() {
  std::vector<UniformGrid> grids;
  for (auto const& cells : std::vector<std::array<int, 3>>{{1, 1, 2},
                                                           {2, 1, 3},
                                                           {1, 5, 4},
                                                           {3, 3, 3},
                                                           {31, 9, 2},
                                                           {32, 8, 33},
                                                           {33, 7, 5},
                                                           {63, 17, 3},
                                                           {65, 16, 34},
                                                           {130, 3, 2}}) {
    grids.emplace_back(cells, std::array<double, 3>{1, 0.5, 2});
  }
  return grids;
}

TYPED_TEST(RedBlackSorOn, SweepsAsTheReferenceWithAnyCoefficients) {
  for (auto const& grid : grids_around_every_edge()) {
    for (bool half_weights : {false, true}) {
      compare_with_reference(*this, grid, SorStorage::coefficients, Faces::any, half_weights, false);
      compare_with_reference(*this, grid, SorStorage::folded, Faces::any, half_weights, false);
    }
  }
}

TYPED_TEST(RedBlackSorOn, SweepsAsTheReferenceWithCodes) {
  for (auto const& grid : grids_around_every_edge()) {
    for (auto storage : {SorStorage::packed, SorStorage::folded, SorStorage::coefficients}) {
      compare_with_reference(*this, grid, storage, Faces::coded, false, false);
      compare_with_reference(*this, grid, storage, Faces::coded, true, false);
    }
  }
}

TYPED_TEST(RedBlackSorOn, SweepsPlanarProblemsAsTheReference) {
  for (auto const& cells :
       std::vector<std::array<int, 3>>{{1, 1, 1}, {2, 3, 1}, {33, 65, 1}, {257, 66, 1}, {300, 2, 1}}) {
    UniformGrid const grid(cells, {1, 0.5, 1});
    for (auto storage : {SorStorage::packed, SorStorage::folded, SorStorage::coefficients}) {
      compare_with_reference(*this, grid, storage, Faces::coded, false, true);
      compare_with_reference(*this, grid, storage, Faces::coded, true, true);
    }
  }
}

TYPED_TEST(RedBlackSorOn, SweepsOpenRowsAsTheReference) {
  for (auto faces : {Faces::open, Faces::open_between_sides}) {
    for (auto const& grid : grids_around_every_edge()) {
      compare_with_reference(*this, grid, SorStorage::packed, faces, false, false);
    }
    for (auto const& cells : std::vector<std::array<int, 3>>{{3, 2, 1}, {33, 65, 1}, {257, 66, 1}, {300, 2, 1}}) {
      compare_with_reference(*this, UniformGrid(cells, {1, 0.5, 1}), SorStorage::packed, faces, false, true);
    }
  }
}

// Kernels take a short cut for open_cell_code: an open cell of a plane must have it too.
/// Indices of the last cells of a grid with more than 2^32 of them, and the numbers of its teams.
TEST(SplitLayout, NumbersMoreCellsThanAnIntHolds) {
  detail::SplitLayout const layout(4096, 2048, 1024, false);
  std::int64_t const last = layout.inner(1023, 2047, 2047);
  EXPECT_EQ(last, std::int64_t{2048} * 2048 * 1024 - 1);
  EXPECT_EQ(layout.inner_size(), last + 1);
  std::int64_t const pitch = 2048 + 32, plane = 2050 * pitch;
  EXPECT_EQ(layout.ghosted(1023, 2047, 2047), 1024 * plane + 2048 * pitch + 32 + 2047);
  EXPECT_GT(layout.ghosted(1023, 2047, 2047), std::int64_t{1} << 31);
  EXPECT_GT(layout.ghosted_size(), layout.ghosted(1024, 2048, 2048));
}

TEST(PlanarCode, OfAnOpenCellIsTheOneInSpace) {
  EXPECT_EQ(detail::planar_code(open_cell_code & 0xf0ffu), open_cell_code);
  EXPECT_EQ(detail::planar_code(0), 0) << "a closed cell stays closed";
  EXPECT_EQ(detail::planar_code(0x0082u), 0x08a2u) << "open toward +x and -y: now +x and -z";
  EXPECT_EQ(detail::planar_code(0xb0aau), 0xdaaau) << "given weights: own_y takes the place of own_z";
}

TEST(OpenRow, TellsRowsWhoseEndsAreOpenFromThoseWhoseEndsAreNot) {
  using Exec = Kokkos::DefaultHostExecutionSpace;
  detail::SplitLayout const layout(8, 1, 4, true);
  detail::Array<Exec, WallCode> const codes("codes", layout.inner_size());
  detail::Array<Exec, detail::OpenRow> const rows("rows", 4);
  Kokkos::deep_copy(codes, open_cell_code);
  codes(layout.inner(1, 0, 0)) = codes(layout.inner(2, 0, 3)) = codes(layout.inner(3, 0, 1)) = 0;
  detail::mark_open_rows<Exec>(Exec(), layout, codes, 0, rows);
  compat::fence(Exec(), "rows");
  EXPECT_EQ(rows(0), detail::OpenRow::whole);
  EXPECT_EQ(rows(1), detail::OpenRow::inner);
  EXPECT_EQ(rows(2), detail::OpenRow::inner);
  EXPECT_EQ(rows(3), detail::OpenRow::no);
}

TYPED_TEST(RedBlackSorOn, SweepsStretchedLayersAsTheReference) {
  auto const grid = UniformGrid::with_layers({17, 6}, {1, 2}, {0.5, 0.75, 1, 1.5, 2});
  for (auto storage : {SorStorage::packed, SorStorage::folded, SorStorage::coefficients}) {
    compare_with_reference(*this, grid, storage, Faces::coded, false, false);
  }
}

/// u = sin(ax) cos(by) sin(cz) + a linear part, with its Laplacian; none of the sides is a special place of it.
struct Manufactured {
  double operator()(double x, double y, double z) const {
    return std::sin(2 * x + 0.3) * std::cos(1.5 * y) * std::cos(z) + 0.5 * x - 0.25 * y;
  }
  double laplacian(double x, double y, double z) const {
    return -(4 + 2.25 + 1) * std::sin(2 * x + 0.3) * std::cos(1.5 * y) * std::cos(z);
  }
};

template <class Fixture>
double manufactured_error(Fixture& fixture, UniformGrid const& grid, Boundaries const& sides, SorStorage storage) {
  using Exec = typename Fixture::Exec;
  using T = typename Fixture::T;
  Manufactured const exact;
  auto const extents = grid.extents(Location::cell);
  auto const x = [&](double i) { return (i + 0.5) * grid.dx(); };
  auto const y = [&](double j) { return (j + 0.5) * grid.dy(); };
  HostField<double> rhs(extents);
  rhs.fill([&](int k, int j, int i) { return exact.laplacian(x(i), y(j), grid.z_center(k)); });
  auto const device_rhs = to_device(fixture.space, in_precision<typename Fixture::T>(rhs));
  auto const lambda = to_device(fixture.space, HostField<T>(extents));
  RedBlackSor<Exec, T> sor(fixture.space, {grid, sides}, {storage});
  // Half a spacing beyond the outermost centre for values on the side, a whole one for ghost centres.
  auto const beyond = [&](Side side) { return sides[side] == Boundary::fixed ? 1.0 : 0.5; };
  int const nx = grid.nx(), ny = grid.ny(), nz = grid.nz();
  auto const z_above = grid.z_center(nz - 1) + beyond(Side::top) * grid.dz_between(nz);
  sor.set_boundary_values(fixture.space, Side::east, make_plane<T>(fixture.space, nz, ny, [&](int k, int j) {
                            return exact(x(nx - 1 + beyond(Side::east)), y(j), grid.z_center(k));
                          }));
  sor.set_boundary_values(fixture.space, Side::west, make_plane<T>(fixture.space, nz, ny, [&](int k, int j) {
                            return exact(x(-beyond(Side::west)), y(j), grid.z_center(k));
                          }));
  sor.set_boundary_values(fixture.space, Side::north, make_plane<T>(fixture.space, nz, nx, [&](int k, int i) {
                            return exact(x(i), y(ny - 1 + beyond(Side::north)), grid.z_center(k));
                          }));
  sor.set_boundary_values(fixture.space, Side::south, make_plane<T>(fixture.space, nz, nx, [&](int k, int i) {
                            return exact(x(i), y(-beyond(Side::south)), grid.z_center(k));
                          }));
  sor.set_boundary_values(fixture.space, Side::top, make_plane<T>(fixture.space, ny, nx, [&](int j, int i) {
                            return exact(x(i), y(j), z_above);
                          }));
  // The bottom is at z = 0, where d/dz of the exact solution vanishes: Neumann without flux.
  auto const report =
      sor.solve(fixture.space, lambda, device_rhs, {.optimal_omega = true, .tolerance = 1e-10, .max_iterations = 5000});
  EXPECT_TRUE(report.converged) << summary(report);
  auto const result = to_host(fixture.space, lambda);
  double error = 0;
  for (int k = 0; k < nz; ++k)
    for (int j = 0; j < ny; ++j)
      for (int i = 0; i < nx; ++i)
        error = std::max(error, std::abs(double(result(k, j, i)) - exact(x(i), y(j), grid.z_center(k))));
  return error;
}

template <class Parameter>
class RedBlackSorInDoubleOn : public RedBlackSorOn<Parameter> {};
TYPED_TEST_SUITE(RedBlackSorInDoubleOn, karman::test::AllBackendsDouble, karman::test::BackendNames);

TYPED_TEST(RedBlackSorInDoubleOn, IsOfSecondOrder) {
  for (Boundary kind : {Boundary::fixed, Boundary::dirichlet}) {
    Boundaries sides = Boundaries::all(kind);
    sides.bottom = Boundary::neumann;
    std::vector<double> errors;
    for (int n : {8, 16, 32}) {
      UniformGrid const grid({n, n, n}, {1.0 / n, 1.0 / n, 1.0 / n});
      errors.push_back(manufactured_error(*this, grid, sides, SorStorage::packed));
    }
    // Ghost centres lie outside the unit cube, by less and less: the order is approached from below.
    for (std::size_t n = 1; n < errors.size(); ++n) {
      EXPECT_NEAR(std::log2(errors[n - 1] / errors[n]), 2.0, kind == Boundary::fixed ? 0.25 : 0.1)
          << "errors " << errors[n - 1] << " and " << errors[n];
    }
  }
}

TYPED_TEST(RedBlackSorInDoubleOn, IsOfSecondOrderOnSmoothlyStretchedLayers) {
  Boundaries sides = Boundaries::all(Boundary::dirichlet);
  sides.bottom = Boundary::neumann;
  std::vector<double> errors;
  for (int n : {8, 16, 32}) {
    // z(s) = (s + s^2) / 2 on [0, 1]: layers grow threefold from the ground to the top.
    std::vector<double> layers;
    auto const z = [](double s) { return 0.5 * (s + s * s); };
    for (int k = 0; k < n; ++k) layers.push_back(z((k + 1.0) / n) - z(double(k) / n));
    auto const grid = UniformGrid::with_layers({n, n}, {1.0 / n, 1.0 / n}, layers);
    errors.push_back(manufactured_error(*this, grid, sides, SorStorage::folded));
  }
  EXPECT_NEAR(std::log2(errors[1] / errors[2]), 2.0, 0.15) << errors[1] << ' ' << errors[2];
}

TYPED_TEST(RedBlackSorOn, ReturnsALinearFieldExactlyFromItsBoundaryValues) {
  using Exec = typename TestFixture::Exec;
  using T = typename TestFixture::T;
  UniformGrid const grid({7, 6, 5}, {1, 1, 1});
  auto const linear = [](double i, double j, double k) { return 1 + 2 * i - 3 * j + 0.5 * k; };
  for (Boundary kind : {Boundary::fixed, Boundary::dirichlet}) {
    double const d = kind == Boundary::fixed ? 1.0 : 0.5;
    RedBlackSor<Exec, T> sor(this->space, {grid, Boundaries::all(kind)});
    auto& space = this->space;
    sor.set_boundary_values(space, Side::east,
                            make_plane<T>(space, 5, 6, [&](int k, int j) { return linear(6 + d, j, k); }));
    sor.set_boundary_values(space, Side::west,
                            make_plane<T>(space, 5, 6, [&](int k, int j) { return linear(-d, j, k); }));
    sor.set_boundary_values(space, Side::north,
                            make_plane<T>(space, 5, 7, [&](int k, int i) { return linear(i, 5 + d, k); }));
    sor.set_boundary_values(space, Side::south,
                            make_plane<T>(space, 5, 7, [&](int k, int i) { return linear(i, -d, k); }));
    sor.set_boundary_values(space, Side::top,
                            make_plane<T>(space, 6, 7, [&](int j, int i) { return linear(i, j, 4 + d); }));
    sor.set_boundary_values(space, Side::bottom,
                            make_plane<T>(space, 6, 7, [&](int j, int i) { return linear(i, j, -d); }));
    auto const lambda = to_device(space, HostField<T>(grid.extents(Location::cell)));
    auto const rhs = to_device(space, HostField<T>(grid.extents(Location::cell)));
    double const tolerance = 8 * std::numeric_limits<T>::epsilon();
    auto const report = sor.solve(space, lambda, rhs, {.optimal_omega = true, .tolerance = tolerance});
    EXPECT_TRUE(report.converged) << summary(report);
    auto const result = to_host(space, lambda);
    for (int k = 0; k < 5; ++k)
      for (int j = 0; j < 6; ++j)
        for (int i = 0; i < 7; ++i)
          EXPECT_NEAR(result(k, j, i), linear(i, j, k), 100 * 20 * std::numeric_limits<T>::epsilon());
  }
}

TYPED_TEST(RedBlackSorInDoubleOn, PlanarFormIsOfSecondOrder) {
  using Exec = typename TestFixture::Exec;
  using T = typename TestFixture::T;
  std::vector<double> errors;
  for (int n : {16, 32, 64}) {
    UniformGrid const grid({n, n, 1}, {1.0 / n, 1.0 / n, 1});
    RedBlackSor<Exec, T> sor(this->space, {grid, Boundaries::planar(Boundary::dirichlet)});
    auto const center = [&](int i) { return (i + 0.5) / n; };
    auto const exact = [&](int j, int i) { return std::sin(pi * center(i)) * std::sin(2 * pi * center(j)); };
    auto const rhs = make_plane<T>(this->space, n, n, [&](int j, int i) { return -5 * pi * pi * exact(j, i); });
    auto const lambda = make_plane<T>(this->space, n, n, [](int, int) { return 0.0; });
    auto const report = sor.solve(this->space, lambda, rhs, {.optimal_omega = true, .tolerance = 1e-10});
    EXPECT_TRUE(report.converged) << summary(report);
    auto const result = to_host(this->space, Field<Exec, T>(lambda.data(), 1, n, n));
    double error = 0;
    for (int j = 0; j < n; ++j)
      for (int i = 0; i < n; ++i) error = std::max(error, std::abs(double(result(0, j, i)) - exact(j, i)));
    errors.push_back(error);
  }
  EXPECT_NEAR(std::log2(errors[0] / errors[1]), 2.0, 0.1);
  EXPECT_NEAR(std::log2(errors[1] / errors[2]), 2.0, 0.1);
}

TYPED_TEST(RedBlackSorInDoubleOn, PlanarBoundaryValuesReachEverySide) {
  using Exec = typename TestFixture::Exec;
  using T = typename TestFixture::T;
  UniformGrid const grid({9, 6, 1}, {1, 1, 1});
  auto const linear = [](double j, double i) { return 2 - i + 4 * j; };
  RedBlackSor<Exec, T> sor(this->space, {grid, Boundaries::planar(Boundary::fixed)});
  auto& space = this->space;
  sor.set_boundary_values(space, Side::east, make_plane<T>(space, 1, 6, [&](int, int j) { return linear(j, 9); }));
  sor.set_boundary_values(space, Side::west, make_plane<T>(space, 1, 6, [&](int, int j) { return linear(j, -1); }));
  sor.set_boundary_values(space, Side::north, make_plane<T>(space, 1, 9, [&](int, int i) { return linear(6, i); }));
  sor.set_boundary_values(space, Side::south, make_plane<T>(space, 1, 9, [&](int, int i) { return linear(-1, i); }));
  auto const lambda = to_device(space, HostField<T>({1, 6, 9}));
  auto const rhs = to_device(space, HostField<T>({1, 6, 9}));
  EXPECT_TRUE(sor.solve(space, lambda, rhs, {.optimal_omega = true, .tolerance = 1e-13}).converged);
  auto const result = to_host(space, lambda);
  for (int j = 0; j < 6; ++j)
    for (int i = 0; i < 9; ++i) EXPECT_NEAR(result(0, j, i), linear(j, i), 1e-11);
}

TYPED_TEST(RedBlackSorOn, LeavesAZeroProblemUntouched) {
  using Exec = typename TestFixture::Exec;
  using T = typename TestFixture::T;
  UniformGrid const grid({12, 11, 10}, {1, 1, 1});
  RedBlackSor<Exec, T> sor(this->space, {grid, Boundaries::all(Boundary::fixed)});
  auto const zero = to_device(this->space, HostField<T>(grid.extents(Location::cell)));
  auto const lambda = to_device(this->space, HostField<T>(grid.extents(Location::cell)));
  auto const report = sor.solve(this->space, lambda, zero);
  EXPECT_TRUE(report.converged);
  EXPECT_EQ(report.iterations, 0);
  for (T value : to_host(this->space, lambda).values) EXPECT_EQ(value, T(0));
}

TYPED_TEST(RedBlackSorInDoubleOn, OptimalOmegaIsNearTheBest) {
  using Exec = typename TestFixture::Exec;
  using T = typename TestFixture::T;
  int const n = 24;
  UniformGrid const grid({n, n, n}, {1, 1, 1});
  Boundaries sides = Boundaries::all(Boundary::fixed);
  sides.bottom = Boundary::neumann;
  RedBlackSor<Exec, T> sor(this->space, {grid, sides});
  HostField<T> source(grid.extents(Location::cell));
  source(n / 2, n / 3, n / 2) = 1;
  auto const rhs = to_device(this->space, source);
  auto const iterations = [&](SorOptions options) {
    options.tolerance = 1e-6;
    options.check_every = 1;
    auto const lambda = to_device(this->space, HostField<T>(grid.extents(Location::cell)));
    return sor.solve(this->space, lambda, rhs, options).iterations;
  };
  int best = 100000;
  for (double omega = 1.72; omega < 1.95; omega += 0.02) best = std::min(best, iterations({.omega = omega}));
  int const found = iterations({.optimal_omega = true});
  EXPECT_LE(found, 1.25 * best) << "omega " << sor.optimal_omega();
  EXPECT_LT(found, iterations({.omega = 1.78}));
}

TYPED_TEST(RedBlackSorOn, ReportsHistoryAndObeysTheMonitor) {
  using Exec = typename TestFixture::Exec;
  using T = typename TestFixture::T;
  UniformGrid const grid({20, 20, 20}, {1, 1, 1});
  RedBlackSor<Exec, T> sor(this->space, {grid, Boundaries::all(Boundary::fixed)});
  auto const rhs = to_device(this->space, HostField<T>(grid.extents(Location::cell), T(1)));
  auto const solve = [&](Field<Exec, T> const& lambda, SorOptions const& options) {
    return sor.solve(this->space, lambda, rhs, options);
  };
  auto const whole = to_device(this->space, HostField<T>(grid.extents(Location::cell)));
  auto const uninterrupted = solve(whole, {.tolerance = 0, .max_iterations = 50, .check_every = 7});
  EXPECT_FALSE(uninterrupted.converged);
  EXPECT_FALSE(uninterrupted.stopped);
  EXPECT_EQ(uninterrupted.iterations, 50);
  ASSERT_EQ(uninterrupted.history.size(), 9u);
  EXPECT_EQ(uninterrupted.history.front().iteration, 0);
  EXPECT_EQ(uninterrupted.history[1].iteration, 7);
  EXPECT_EQ(uninterrupted.history.back().iteration, 50);
  EXPECT_NE(summary(uninterrupted).find("DID NOT CONVERGE"), std::string::npos);

  // Stopped after 21 and continued: the same bits and the same history from there.
  auto const parts = to_device(this->space, HostField<T>(grid.extents(Location::cell)));
  auto const first =
      solve(parts, {.tolerance = 0, .max_iterations = 50, .check_every = 7, .monitor = [](auto const& s) {
                      return s.iteration < 21;
                    }});
  EXPECT_TRUE(first.stopped);
  EXPECT_EQ(first.iterations, 21);
  auto const second =
      solve(parts, {.tolerance = 0, .max_iterations = 50, .check_every = 7, .first_iteration = first.iterations});
  EXPECT_EQ(second.iterations, 50);
  EXPECT_EQ(second.history.back().residual, uninterrupted.history.back().residual);
  EXPECT_EQ(to_host(this->space, whole).values, to_host(this->space, parts).values);
}

TYPED_TEST(RedBlackSorOn, StopsAtOnceWhenAValueIsNoNumber) {
  using Exec = typename TestFixture::Exec;
  using T = typename TestFixture::T;
  UniformGrid const grid({40, 5, 5}, {1, 1, 1});
  RedBlackSor<Exec, T> sor(this->space, {grid, Boundaries::all(Boundary::fixed)});
  HostField<T> bad(grid.extents(Location::cell), T(1));
  bad(2, 2, 37) = std::numeric_limits<T>::quiet_NaN();
  auto const lambda = to_device(this->space, HostField<T>(grid.extents(Location::cell)));
  auto const report = sor.solve(this->space, lambda, to_device(this->space, bad));
  EXPECT_FALSE(report.converged);
  EXPECT_EQ(report.iterations, 0);
  EXPECT_FALSE(std::isfinite(report.residual));
}

TYPED_TEST(RedBlackSorOn, RefusesWrongArguments) {
  using Exec = typename TestFixture::Exec;
  using T = typename TestFixture::T;
  UniformGrid const grid({4, 4, 4}, {1, 1, 1});
  RedBlackSor<Exec, T> sor(this->space, {grid, Boundaries::all(Boundary::fixed)});
  auto const field = to_device(this->space, HostField<T>({4, 4, 4}));
  auto const wrong = to_device(this->space, HostField<T>({4, 4, 5}));
  double const nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW(sor.solve(this->space, wrong, field), std::invalid_argument);
  EXPECT_THROW(sor.solve(this->space, field, wrong), std::invalid_argument);
  EXPECT_THROW(sor.solve(this->space, field, field, {.omega = 2}), std::invalid_argument);
  EXPECT_THROW(sor.solve(this->space, field, field, {.omega = nan}), std::invalid_argument);
  EXPECT_THROW(sor.solve(this->space, field, field, {.tolerance = -1}), std::invalid_argument);
  EXPECT_THROW(sor.solve(this->space, field, field, {.tolerance = nan}), std::invalid_argument);
  EXPECT_THROW(sor.solve(this->space, field, field, {.check_every = 0}), std::invalid_argument);
  auto const sides = Boundaries::all(Boundary::fixed);
  auto const codes = make_wall_codes<Exec>(this->space, grid, sides);
  EXPECT_THROW((RedBlackSor<Exec, T>(this->space, {UniformGrid({4, 4, 5}, {1, 1, 1}), sides, codes})),
               std::invalid_argument);
  EXPECT_THROW((RedBlackSor<Exec, T>(this->space, {grid, sides, codes, {1, 0, 1}})), std::invalid_argument);
}

template <class Exec>
HostField<float> some_iterations(Exec const& space, SorStorage storage) {
  UniformGrid const grid({67, 33, 21}, {1, 1, 1});
  HostField<std::uint8_t> solid(grid.extents(Location::cell));
  solid.fill([](int k, int j, int i) { return k < 9 && j / 8 % 2 == 1 && i / 11 % 2 == 1; });
  RedBlackSor<Exec, float> sor(space, {space, grid, Boundaries::all(Boundary::fixed), to_device(space, solid)},
                               {storage});
  HostField<float> rhs(grid.extents(Location::cell));
  rhs.fill([](int k, int j, int i) { return std::sin(0.1 * k + 0.7 * j + 1.3 * i); });
  auto const lambda = to_device(space, HostField<float>(grid.extents(Location::cell)));
  sor.solve(space, lambda, to_device(space, rhs), {.tolerance = 0, .max_iterations = 40});
  return to_host(space, lambda);
}

TEST(RedBlackSor, GivesTheSameBitsForAnyNumberOfThreads) {
  Kokkos::DefaultHostExecutionSpace const host;
  std::string bits;
  for (auto storage : {SorStorage::packed, SorStorage::folded, SorStorage::coefficients}) {
    auto const many = some_iterations(host, storage);
    EXPECT_EQ(some_iterations(host, storage).values, many.values) << name(storage);
#if defined(KOKKOS_ENABLE_SERIAL)
    EXPECT_EQ(some_iterations(Kokkos::Serial(), storage).values, many.values) << name(storage);
#endif
    bits += std::string(name(storage)) + ' ' + karman::test::bits_of(many.values) + ' ';
  }
  karman::test::expect_bits_on_any_threads(bits);
}

}  // namespace red_black_sor_test
