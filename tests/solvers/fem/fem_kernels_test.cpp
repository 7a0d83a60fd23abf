// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Element kernels against the formulas of shape functions, boundary integrals, fixed values.
#include "backends.hpp"
#include "core/mesh/sample_meshes.hpp"
#include "fem_reference.hpp"
#include <karman/mesh/mesh_generators.hpp>
#include <karman/solvers/fem/fem_assembly.hpp>
#include <karman/solvers/fem/fem_kernels.hpp>
#include <karman/solvers/fem/fixed_values.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <stdexcept>

namespace fem_kernels_test {

using namespace karman;
using namespace karman::test;

/// Gradients of the shape functions of a triangle, from its nodes: grad N_i = (y_j - y_k, x_k - x_j) / (2 A).
struct Shape {
  double area, gx[3], gy[3];
  double longest = 0;  ///< side, squared
  double sides = 0;    ///< squares, summed

  Shape(MeshData const& mesh, int t) {
    double x[3], y[3];
    for (std::size_t m = 0; m < 3; ++m) {
      auto const& node = mesh.nodes[std::size_t(mesh.triangles[std::size_t(t)][m])];
      x[m] = node[0], y[m] = node[1];
    }
    area = ((x[1] - x[0]) * (y[2] - y[0]) - (x[2] - x[0]) * (y[1] - y[0])) / 2;
    for (int i = 0; i < 3; ++i) {
      int const j = (i + 1) % 3, k = (i + 2) % 3;
      gx[i] = (y[j] - y[k]) / (2 * area);
      gy[i] = (x[k] - x[j]) / (2 * area);
      double const square = (x[j] - x[k]) * (x[j] - x[k]) + (y[j] - y[k]) * (y[j] - y[k]);
      longest = std::max(longest, square);
      sides += square;
    }
  }
  double gradients(int i, int j) const { return gx[i] * gx[j] + gy[i] * gy[j]; }
  /// Bound of |grad N . grad N|, and of the amplification of rounding by cancellation in areas and dot products.
  double steepest() const { return longest / (4 * area * area); }
  double condition() const { return longest / area; }
};

/// int N_0^a N_1^b N_2^c = 2 A a! b! c! / (a + b + c + 2)!, for the product of N over the given corners.
double integral(double area, std::vector<int> const& corners) {
  int power[3] = {};
  for (int corner : corners) ++power[corner];
  double value = 2 * area;
  for (int p : power) value *= std::tgamma(p + 1);
  return value / std::tgamma(double(corners.size()) + 3);
}

/// Bounds of the error of each entry. An integral of size s in a triangle of condition c takes, on either side, about
/// 30 roundings in double that c may amplify. Then it is rounded to the scalar and added, each time to a sum of at most
/// `most` others.
template <class T>
struct Allowed {
  std::map<std::pair<int, int>, double> sizes, conditioned;
  double most;

  explicit Allowed(MeshData const& mesh) : most(3.0 + greatest_valence(mesh)) {}
  void add(int i, int j, double size, double condition) {
    sizes[{i, j}] += size;
    conditioned[{i, j}] += size * condition;
  }
  double operator()(std::pair<int, int> const& place) const {
    double const e = std::numeric_limits<T>::epsilon(), d = std::numeric_limits<double>::epsilon();
    auto const at = [&](auto const& map) { return map.contains(place) ? map.at(place) : 0.0; };
    return most * e * at(sizes) + 30 * d * at(conditioned);
  }
};

template <class Parameter>
class FemKernelsOn : public ::testing::Test {
 public:
  using Exec = typename Parameter::execution_space;
  using T = typename Parameter::real;
  Exec space;
};
TYPED_TEST_SUITE(FemKernelsOn, karman::test::AllBackends, karman::test::BackendNames);

std::vector<MeshData> kernel_meshes() {
  return {one_triangle(), shuffled(mesh_disc({.radius = 3, .size = 0.6})), shuffled(fan(40, true)),
          mesh_rectangle({.high = {3, 0.1}, .size = 0.3})};
}

/// With every strategy.
template <class Exec, class Scalar, class Kernel, class Bound>
void expect_kernel(Exec const& space, MeshData const& data, Kernel const& kernel, HostSystem<Scalar> const& expected,
                   Bound const& bound) {
  FemProblem<Exec, Scalar> problem(space, data);
  for (auto const& setup : every_setup(sizeof(Scalar))) {
    SCOPED_TRACE(described(setup));
    expect_near(problem.assembled(setup, kernel), expected, bound);
  }
}

TYPED_TEST(FemKernelsOn, LaplacianWithEveryWeight) {
  using T = typename TestFixture::T;
  for (auto const& data : kernel_meshes()) {
    for (auto weight : {LaplacianWeight::area, LaplacianWeight::inverse_area, LaplacianWeight::quality}) {
      Allowed<T> allowed(data);
      auto const expected = assemble_on_host<T>(data, [&](int t, auto& a, auto&) {
        Shape const s(data, t);
        double const mu = 4 * std::sqrt(3.) * s.area / s.sides;
        double const kappa = weight == LaplacianWeight::area           ? 1
                             : weight == LaplacianWeight::inverse_area ? 1 / s.area
                                                                       : 1 / (mu * mu * s.area);
        auto const& nodes = data.triangles[std::size_t(t)];
        for (int i = 0; i < 3; ++i) {
          for (int j = 0; j < 3; ++j) {
            a[i][j] = kappa * s.area * s.gradients(i, j);
            allowed.add(nodes[std::size_t(i)], nodes[std::size_t(j)], 2 * kappa * s.area * s.steepest(), s.condition());
          }
        }
      });
      expect_kernel(this->space, data, P1Laplacian<T>{weight}, expected, allowed);
    }
  }
}

TYPED_TEST(FemKernelsOn, MassFullAndLumped) {
  using T = typename TestFixture::T;
  for (auto const& data : kernel_meshes()) {
    for (bool lumped : {false, true}) {
      Allowed<T> allowed(data);
      auto const expected = assemble_on_host<T>(data, [&](int t, auto& a, auto&) {
        Shape const s(data, t);
        auto const& nodes = data.triangles[std::size_t(t)];
        for (int i = 0; i < 3; ++i) {
          for (int j = 0; j < 3; ++j) {
            a[i][lumped ? i : j] += 2.5 * integral(s.area, {i, j});
            allowed.add(nodes[std::size_t(i)], nodes[std::size_t(j)], 2 * 2.5 * s.area / 3, s.condition());
          }
        }
      });
      expect_kernel(this->space, data, P1Mass<T>{T(2.5), lumped}, expected, allowed);
    }
  }
}

/// Values at the nodes, on the device.
template <class Exec, class Scalar, class Function>
Kokkos::View<Scalar const*, typename Exec::memory_space> nodal(MeshData const& data, Function const& function) {
  Kokkos::View<Scalar*, typename Exec::memory_space> const values("nodal", data.nodes.size());
  auto const host = Kokkos::create_mirror_view(values);
  for (std::size_t n = 0; n < data.nodes.size(); ++n) host(n) = function(int(n));
  Kokkos::deep_copy(values, host);
  return values;
}

// Eighths, exact in both precisions.
double alpha(int n) { return 1 + n % 5 / 8.; }
std::complex<double> gamma(int n) { return {n % 7 / 4. - 1, n % 3 / 2.}; }
std::complex<double> load(int n) { return {n % 4 / 2., 1 - n % 6 / 4.}; }

TYPED_TEST(FemKernelsOn, DiffusionReactionAndLoad) {
  using T = typename TestFixture::T;
  using Exec = typename TestFixture::Exec;
  using Scalar = Kokkos::complex<T>;
  auto const scalar = [](std::complex<double> const& z) { return Scalar(T(z.real()), T(z.imag())); };
  for (auto const& data : kernel_meshes()) {
    Allowed<T> allowed(data);
    auto const expected = assemble_on_host<Scalar>(data, [&](int t, auto& a, auto& b) {
      Shape const s(data, t);
      auto const& nodes = data.triangles[std::size_t(t)];
      double mean = 0;
      for (int n : nodes) mean += alpha(n) / 3;
      for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
          a[i][j] = mean * s.area * s.gradients(i, j);
          for (int k = 0; k < 3; ++k) a[i][j] += gamma(nodes[std::size_t(k)]) * integral(s.area, {i, j, k});
          b[i] += load(nodes[std::size_t(j)]) * integral(s.area, {i, j});
          // |alpha| <= 3/2, |gamma|, |load| <= 2; real and imaginary part.
          allowed.add(nodes[std::size_t(i)], nodes[std::size_t(j)], 2 * (1.5 * s.area * s.steepest() + 2 * s.area),
                      s.condition());
        }
      }
    });
    P1Terms<Exec, Scalar> const kernel{nodal<Exec, T>(data, [](int n) { return T(alpha(n)); }),
                                       nodal<Exec, Scalar>(data, [&](int n) { return scalar(gamma(n)); }),
                                       nodal<Exec, Scalar>(data, [&](int n) { return scalar(load(n)); })};
    expect_kernel(this->space, data, kernel, expected, allowed);
  }
}

TYPED_TEST(FemKernelsOn, EmptyCoefficientsAreOneAndZero) {
  using T = typename TestFixture::T;
  using Exec = typename TestFixture::Exec;
  FemProblem<Exec, T> problem(this->space, mesh_disc({.size = 0.3}));
  FemAssembly<Exec> const plan(this->space, problem.mesh, problem.profile);
  auto const expected = problem.assembled(plan, P1Laplacian<T>());
  // A device may contract a product and a sum in one kernel and not in the other. The difference is some roundings of
  // parts that are at most the diagonal entries of their two nodes.
  double largest = 0;
  for (auto const& [place, value] : expected.matrix) largest = std::max(largest, std::abs(value));
  double const bound = 16 * std::numeric_limits<T>::epsilon() * largest;
  expect_near(problem.assembled(plan, P1Terms<Exec, T>()), expected, [bound](auto const&) { return bound; });
}

TYPED_TEST(FemKernelsOn, BoundaryTermsOfOneLabel) {
  using T = typename TestFixture::T;
  using Exec = typename TestFixture::Exec;
  using Scalar = Kokkos::complex<T>;
  std::complex<double> const mass(2, -1), stiffness(0.5, 3), constant(-1, 0.25);
  auto const scalar = [](std::complex<double> const& z) { return Scalar(T(z.real()), T(z.imag())); };
  MeshData const data = mesh_rectangle({.high = {2, 1}, .size = 0.25});
  for (int label : {0, 1, 3}) {
    auto expected = tagged_on_host<Scalar>(data);
    double shortest = 1, perimeter = 0;
    for (std::size_t e = 0; e < data.edges.size(); ++e) {
      if (label != 0 && data.edge_labels[e] != label) continue;
      auto const [p, q] = data.edges[e];
      double const length = std::hypot(data.nodes[std::size_t(p)][0] - data.nodes[std::size_t(q)][0],
                                       data.nodes[std::size_t(p)][1] - data.nodes[std::size_t(q)][1]);
      shortest = std::min(shortest, length);
      perimeter += length;
      for (int i : {p, q}) {
        for (int j : {p, q}) {
          expected.matrix[{i, j}] +=
              mass * length * (i == j ? 1 / 3. : 1 / 6.) + stiffness / length * (i == j ? 1. : -1.);
        }
        expected.vector[std::size_t(i)] += constant * length / 2.;
      }
    }
    EXPECT_DOUBLE_EQ(perimeter, label == 0 ? 6 : 2);
    FemProblem<Exec, Scalar> problem(this->space, data);
    for (auto const& setup : every_setup(sizeof(Scalar))) {
      SCOPED_TRACE(described(setup));
      FemAssembly<Exec> const plan(this->space, problem.mesh, problem.profile, setup);
      problem.assembled(plan, TaggedKernel<Scalar>());
      add_boundary(this->space, plan,
                   EdgeTerms<Scalar>{scalar(mass), scalar(stiffness), scalar(constant), label == 0, label},
                   problem.matrix, problem.vector);
      // Two edges at a node, sums of up to 8 x 2 x 227 from the triangles, some six roundings each.
      double const bound = 8 * double(std::numeric_limits<T>::epsilon()) * (8 * 2 * 227 + 2 * (3 + 4 / shortest));
      expect_near(on_host<Scalar>(this->space, problem.matrix, problem.vector), expected,
                  [&](auto const&) { return bound; });
    }
  }
}

TYPED_TEST(FemKernelsOn, FixedValuesKeepTheSystemSymmetric) {
  using T = typename TestFixture::T;
  using Exec = typename TestFixture::Exec;
  MeshData const data = shuffled(squares(7, 6));
  FemProblem<Exec, T> problem(this->space, data);
  FemAssembly<Exec> const plan(this->space, problem.mesh, problem.profile);
  // Integers: every sum is exact.
  auto const before = problem.assembled(plan, TaggedKernel<T>());
  auto const fixed = boundary_nodes(this->space, problem.mesh);
  auto const given = [](int n) { return T(n % 5 - 2); };
  fix_values<Exec, T>(this->space, problem.matrix, problem.vector, fixed, nodal<Exec, T>(data, given));
  auto const after = on_host<T>(this->space, problem.matrix, problem.vector);
  std::vector<bool> on_boundary(data.nodes.size());
  for (auto const& edge : data.edges) on_boundary[std::size_t(edge[0])] = on_boundary[std::size_t(edge[1])] = true;
  auto expected = before;
  for (auto& [place, value] : expected.matrix) {
    auto const [i, j] = place;
    bool const row = on_boundary[std::size_t(i)], column = on_boundary[std::size_t(j)];
    if (row && i == j) expected.vector[std::size_t(i)] = value * double(given(i));
    if (!row && column) expected.vector[std::size_t(i)] -= value * double(given(j));
    if ((row || column) && i != j) value = 0;
  }
  expect_equal(after, expected);
}

TYPED_TEST(FemKernelsOn, LabelsChooseNodes) {
  MeshData const data = mesh_rectangle({.high = {1, 1}, .size = 0.2});
  auto const mesh = make_triangle_mesh(this->space, data);
  auto const fixed = host_copy(this->space, nodes_with_labels(this->space, mesh, {1, 4}));
  int count = 0;
  for (std::size_t n = 0; n < data.nodes.size(); ++n) {
    bool const expected = data.nodes[n][1] == 0 || data.nodes[n][0] == 0;
    EXPECT_EQ(fixed[n] != 0, expected) << n;
    count += expected;
  }
  EXPECT_EQ(count, 11);
  auto const matrix = make_csr_matrix<double>(this->space, make_fem_profile(this->space, mesh).graph);
  using Exec = typename TestFixture::Exec;
  Kokkos::View<double*, typename Exec::memory_space> const short_one("short", 3);
  EXPECT_THROW((fix_values<Exec, double>(this->space, matrix, short_one, boundary_nodes(this->space, mesh), short_one)),
               std::invalid_argument);
}

// --- order of accuracy ---------------------------------------------------------------------------------------------

/// x of A x = b by conjugate gradients on the host, to rounding.
std::vector<double> solved(HostSystem<double> const& system) {
  auto const n = system.vector.size();
  std::vector<double> x(n, 0), r = system.vector, p = r, q(n);
  auto const dot = [](auto const& u, auto const& v) {
    double sum = 0;
    for (std::size_t i = 0; i < u.size(); ++i) sum += u[i] * v[i];
    return sum;
  };
  double rr = dot(r, r);
  double const goal = 1e-24 * rr;
  for (int iteration = 0; iteration < 2000 && rr > goal; ++iteration) {
    std::fill(q.begin(), q.end(), 0.0);
    for (auto const& [place, value] : system.matrix)
      q[std::size_t(place.first)] += value * p[std::size_t(place.second)];
    double const alpha_k = rr / dot(p, q);
    for (std::size_t i = 0; i < n; ++i) {
      x[i] += alpha_k * p[i];
      r[i] -= alpha_k * q[i];
    }
    double const next = dot(r, r);
    for (std::size_t i = 0; i < n; ++i) p[i] = r[i] + next / rr * p[i];
    rr = next;
  }
  EXPECT_LE(rr, goal);
  return x;
}

/// u = sin(pi x) sin(pi y) + x on the unit square, with values fixed on its boundary; returns the L2 norm
/// of the nodal error, every node with the area of a cell.
template <class Exec>
double poisson_error(Exec const& space, double size) {
  constexpr double pi = std::numbers::pi;
  MeshData const data = mesh_rectangle({.size = size, .diagonals = DiagonalPattern::right});
  auto const exact = [&](int n) {
    auto const [x, y] = data.nodes[std::size_t(n)];
    return std::sin(pi * x) * std::sin(pi * y) + x;
  };
  FemProblem<Exec, double> problem(space, data);
  FemAssembly<Exec> const plan(space, problem.mesh, problem.profile);
  P1Terms<Exec, double> kernel;
  kernel.load =
      nodal<Exec, double>(data, [&](int n) { return 2 * pi * pi * (exact(n) - data.nodes[std::size_t(n)][0]); });
  assemble(space, plan, kernel, problem.matrix, problem.vector);
  fix_values<Exec, double>(space, problem.matrix, problem.vector, boundary_nodes(space, problem.mesh),
                           nodal<Exec, double>(data, exact));
  auto const x = solved(on_host<double>(space, problem.matrix, problem.vector));
  double sum = 0;
  for (std::size_t n = 0; n < x.size(); ++n) sum += (x[n] - exact(int(n))) * (x[n] - exact(int(n)));
  return size * std::sqrt(sum);
}

TYPED_TEST(FemKernelsOn, PoissonIsOfSecondOrder) {
  if (!std::is_same_v<typename TestFixture::T, double>) return;  // once per backend: the problem is in double
  double const coarse = poisson_error(this->space, 1 / 8.), middle = poisson_error(this->space, 1 / 16.),
               fine = poisson_error(this->space, 1 / 32.);
  EXPECT_NEAR(std::log2(coarse / middle), 2, 0.1);
  EXPECT_NEAR(std::log2(middle / fine), 2, 0.05);
}

}  // namespace fem_kernels_test
