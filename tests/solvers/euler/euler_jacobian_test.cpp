// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Jacobian of the Euler residual against differences of residuals: of plain loops for the first-order scheme, of
// EulerRhs for its central part.
#include "backends.hpp"
#include "core/mesh/sample_meshes.hpp"
#include "euler_reference.hpp"
#include "solvers/common/allocated_bytes.hpp"
#include "solvers/common/recorded_events.hpp"
#include <karman/core/host_copy.hpp>
#include <karman/mesh/mesh_generators.hpp>
#include <karman/mesh/periodic_nodes.hpp>
#include <karman/solvers/euler/euler_jacobian.hpp>
#include <karman/solvers/sparse/block_preconditioners.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace euler_jacobian_test {

using namespace karman;
using namespace karman::test;

constexpr double gamma_of_air = 1.4;
using Block = std::array<State4, 4>;

/// A matrix on the host.
struct HostMatrix {
  Rows columns;
  std::vector<std::vector<Block>> blocks = {};

  Field4 times(Field4 const& x) const {
    Field4 product(columns.size(), State4{});
    for (std::size_t i = 0; i < columns.size(); ++i) {
      for (std::size_t n = 0; n < columns[i].size(); ++n) {
        for (std::size_t r = 0; r < 4; ++r) {
          for (std::size_t c = 0; c < 4; ++c) product[i][r] += blocks[i][n][r][c] * x[std::size_t(columns[i][n])][c];
        }
      }
    }
    return product;
  }
};

Block scaled(Block a, double factor) {
  for (auto& row : a) {
    for (double& value : row) value *= factor;
  }
  return a;
}

Block product(Block const& a, Block const& b) {
  Block c{};
  for (std::size_t i = 0; i < 4; ++i) {
    for (std::size_t j = 0; j < 4; ++j) {
      for (std::size_t k = 0; k < 4; ++k) c[i][j] += a[i][k] * b[k][j];
    }
  }
  return c;
}

Block sum(Block a, Block const& b, double factor = 1) {
  for (std::size_t i = 0; i < 4; ++i) {
    for (std::size_t j = 0; j < 4; ++j) a[i][j] += factor * b[i][j];
  }
  return a;
}

Block identity() { return {{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}}}; }

/// Conservative variables of Roe's mean state.
State4 roe_mean(State4 const& a, State4 const& b) {
  double const wa = std::sqrt(a[0]), wb = std::sqrt(b[0]), rho = wa * wb;
  auto const enthalpy = [](State4 const& u) {
    double const p = (gamma_of_air - 1) * (u[3] - 0.5 * (u[1] * u[1] + u[2] * u[2]) / u[0]);
    return (u[3] + p) / u[0];
  };
  double const vx = (wa * a[1] / a[0] + wb * b[1] / b[0]) / (wa + wb);
  double const vy = (wa * a[2] / a[0] + wb * b[2] / b[0]) / (wa + wb);
  double const h = (wa * enthalpy(a) + wb * enthalpy(b)) / (wa + wb), q = vx * vx + vy * vy;
  double const p = (gamma_of_air - 1) / gamma_of_air * rho * (h - 0.5 * q);
  return {rho, rho * vx, rho * vy, p / (gamma_of_air - 1) + 0.5 * rho * q};
}

/// Dissipation of an edge: the function of A . n as its interpolation polynomial at the three eigenvalues.
Block dissipation_of(EulerJacobianOptions const& options, State4 const& a, State4 const& b,
                     std::array<double, 2> const& normal) {
  double const length = std::hypot(normal[0], normal[1]);
  if (options.dissipation == EulerDissipation::none || length == 0) return {};
  auto const mean = roe_mean(a, b);
  double const nx = normal[0] / length, ny = normal[1] / length;
  Block const matrix = sum(scaled(jacobian(gamma_of_air, mean, 0), nx), scaled(jacobian(gamma_of_air, mean, 1), ny));
  double const through = (mean[1] * nx + mean[2] * ny) / mean[0];
  double const p = (gamma_of_air - 1) * (mean[3] - 0.5 * (mean[1] * mean[1] + mean[2] * mean[2]) / mean[0]);
  double const c = std::sqrt(gamma_of_air * p / mean[0]), largest = std::abs(through) + c;
  if (options.dissipation == EulerDissipation::spectral_radius) return scaled(identity(), length * largest);
  double const speeds[3] = {through - c, through, through + c}, least = options.entropy_fix * largest;
  Block result{};
  for (int k = 0; k < 3; ++k) {
    double const size = std::abs(speeds[k]);
    double const value = size < least ? (size * size + least * least) / (2 * least) : size;
    Block term = scaled(identity(), value);
    for (int m = 0; m < 3; ++m) {
      if (m == k) continue;
      term = scaled(product(term, sum(matrix, identity(), -speeds[m])), 1 / (speeds[k] - speeds[m]));
    }
    result = sum(result, term);
  }
  return scaled(result, length);
}

/// A mesh with its groups and conditions, for plain loops.
struct Case {
  MeshData mesh;
  std::vector<int> group = {};
  std::map<int, State4> inflow = {};
  std::set<int> walls = {};
  EulerScheme scheme = EulerScheme::supg;

  int lowest(int node) const { return group.empty() ? node : group[std::size_t(node)]; }
};

/// Normals of the dual cells between nodes (lowest of their groups), from the first to the second.
std::map<std::pair<int, int>, std::array<double, 2>> dual_normals(Case const& given) {
  std::map<std::pair<int, int>, std::array<double, 2>> normals;
  for (auto const& t : given.mesh.triangles) {
    std::array<double, 2> centre{};
    for (int const node : t) {
      for (std::size_t axis = 0; axis < 2; ++axis) centre[axis] += given.mesh.nodes[std::size_t(node)][axis] / 3;
    }
    for (std::size_t m = 0; m < 3; ++m) {
      int const i = t[m], j = t[(m + 1) % 3];
      auto const &p = given.mesh.nodes[std::size_t(i)], &q = given.mesh.nodes[std::size_t(j)];
      double const x = centre[0] - 0.5 * (p[0] + q[0]), y = centre[1] - 0.5 * (p[1] + q[1]);
      int const from = given.lowest(i), to = given.lowest(j);
      if (from == to) continue;
      normals[{from, to}][0] += y;
      normals[{from, to}][1] -= x;
      normals[{to, from}][0] -= y;
      normals[{to, from}][1] += x;
    }
  }
  return normals;
}

/// d(M U)/dt of finite volumes with central fluxes, at the lowest node of each group. Sides are walls, joined or open.
Field4 central_volumes(Case const& given, Field4 const& u) {
  Field4 change(u.size(), State4{});
  auto const flux = [&](std::size_t node, std::array<double, 2> const& normal, std::size_t c) {
    return flux_of(gamma_of_air, u[node], 0)[c] * normal[0] + flux_of(gamma_of_air, u[node], 1)[c] * normal[1];
  };
  for (auto const& [edge, normal] : dual_normals(given)) {
    auto const i = std::size_t(edge.first), j = std::size_t(edge.second);
    for (std::size_t c = 0; c < 4; ++c) change[i][c] -= 0.5 * (flux(i, normal, c) + flux(j, normal, c));
  }
  for (std::size_t e = 0; e < given.mesh.edges.size(); ++e) {
    bool const wall = given.walls.contains(given.mesh.edge_labels[e]);
    if (!wall && !given.group.empty()) continue;
    auto const [first, second] = given.mesh.edges[e];
    auto const &p = given.mesh.nodes[std::size_t(first)], &q = given.mesh.nodes[std::size_t(second)];
    std::array<double, 2> const normal{0.5 * (q[1] - p[1]), 0.5 * (p[0] - q[0])};
    double const length = std::hypot(normal[0], normal[1]);
    for (int const node : {first, second}) {
      State4 const& v = u[std::size_t(node)];
      double const into = (v[1] * normal[0] + v[2] * normal[1]) / (v[0] * length);
      double const pressure = (gamma_of_air - 1) * (v[3] - 0.5 * (v[1] * v[1] + v[2] * v[2]) / v[0]);
      double const met = std::max(pressure + v[0] * into * std::abs(into), 0.0);
      State4 const at_wall{0, met * normal[0], met * normal[1], 0};
      for (std::size_t c = 0; c < 4; ++c) {
        change[std::size_t(given.lowest(node))][c] -= wall ? at_wall[c] : flux(std::size_t(node), normal, c);
      }
    }
  }
  return change;
}

/// Adds the SUPG terms of the triangles to d(M U)/dt, with A and tau of `frozen`. A reference on each triangle gives
/// them alone, with the projection A . grad u.
void add_streamline_terms(Case const& given, Field4 const& u, Field4 const& frozen, double share, Field4& change) {
  for (auto const& t : given.mesh.triangles) {
    MeshData alone;
    Field4 state, field;
    State4 mean{};
    for (int const node : t) {
      alone.nodes.push_back(given.mesh.nodes[std::size_t(node)]);
      state.push_back(frozen[std::size_t(given.lowest(node))]);
      field.push_back(u[std::size_t(given.lowest(node))]);
      for (std::size_t c = 0; c < 4; ++c) mean[c] += state.back()[c] / 3;
    }
    alone.triangles = {{0, 1, 2}};
    auto const &a = alone.nodes[0], &b = alone.nodes[1], &c = alone.nodes[2];
    double const twice = (b[0] - a[0]) * (c[1] - a[1]) - (c[0] - a[0]) * (b[1] - a[1]);
    auto const along_x = jacobian(gamma_of_air, mean, 0), along_y = jacobian(gamma_of_air, mean, 1);
    State4 carried{};
    for (std::size_t k = 0; k < 4; ++k) {
      double const d1 = field[1][k] - field[0][k], d2 = field[2][k] - field[0][k];
      double const ux = (d1 * (c[1] - a[1]) - d2 * (b[1] - a[1])) / twice;
      double const uy = (d2 * (b[0] - a[0]) - d1 * (c[0] - a[0])) / twice;
      for (std::size_t r = 0; r < 4; ++r) carried[r] += along_x[r][k] * ux + along_y[r][k] * uy;
    }
    Field4 const projection(3, carried), none(3, State4{});
    auto const with = euler_reference(alone, state, &projection, gamma_of_air, 0, 0);
    auto const without = euler_reference(alone, state, &none, gamma_of_air, 0, 0);
    for (std::size_t m = 0; m < 3; ++m) {
      for (std::size_t k = 0; k < 4; ++k) {
        change[std::size_t(given.lowest(t[m]))][k] +=
            share * with.mass[m] * (with.rate_of_change[m][k] - without.rate_of_change[m][k]);
      }
    }
  }
}

/// du/dt of the first-order scheme, with the dissipation at the field `frozen`.
Field4 first_order(Case const& given, EulerJacobianOptions const& options, Field4 const& u, Field4 const& frozen) {
  auto const central =
      euler_reference(given.mesh, u, nullptr, gamma_of_air, 0, 0, given.group, given.inflow, given.walls);
  auto result = central.rate_of_change;
  if (given.scheme == EulerScheme::muscl) {
    result = central_volumes(given, u);
    for (std::size_t i = 0; i < u.size(); ++i) {
      for (double& value : result[i]) value /= given.lowest(int(i)) == int(i) ? central.mass[i] : 1;
    }
  }
  for (auto const& [edge, normal] : dual_normals(given)) {
    auto const i = std::size_t(edge.first), j = std::size_t(edge.second);
    auto const damping = dissipation_of(options, frozen[i], frozen[j], normal);
    for (std::size_t r = 0; r < 4; ++r) {
      for (std::size_t c = 0; c < 4; ++c) {
        result[i][r] += (1 - options.streamline) * damping[r][c] * (u[j][c] - u[i][c]) / (2 * central.mass[i]);
      }
    }
  }
  if (options.streamline > 0) {
    Field4 change(u.size(), State4{});
    add_streamline_terms(given, u, frozen, options.streamline, change);
    for (std::size_t i = 0; i < u.size(); ++i) {
      for (std::size_t c = 0; c < 4 && given.lowest(int(i)) == int(i); ++c)
        result[i][c] += change[i][c] / central.mass[i];
    }
  }
  for (std::size_t i = 0; i < u.size(); ++i) result[i] = result[std::size_t(given.lowest(int(i)))];
  return result;
}

/// Numbers in [-1, 1], equal in the nodes of a group.
Field4 random_direction(std::size_t nodes, std::vector<int> const& group, unsigned seed) {
  std::mt19937 generator(seed);
  Field4 x(nodes);
  for (std::size_t i = 0; i < nodes; ++i) {
    for (double& value : x[i]) value = double(generator() % 4096) / 2048 - 1;
    if (!group.empty()) x[i] = x[std::size_t(group[i])];
  }
  return x;
}

Field4 moved(Field4 u, Field4 const& x, double step) {
  for (std::size_t i = 0; i < u.size(); ++i) {
    for (std::size_t c = 0; c < 4; ++c) u[i][c] += step * x[i][c];
  }
  return u;
}

/// inverse_dt x - dr/dU x by central differences. Nodes of a group that are not its lowest: 0.
template <class Residual>
Field4 product_by_differences(Residual const& residual, Field4 const& u, Field4 const& x,
                              std::vector<double> const& inverse_dt, std::vector<int> const& group) {
  constexpr double step = 1e-5;
  auto const above = residual(moved(u, x, step)), below = residual(moved(u, x, -step));
  Field4 result(u.size(), State4{});
  for (std::size_t i = 0; i < u.size(); ++i) {
    if (!group.empty() && group[i] != int(i)) continue;
    for (std::size_t c = 0; c < 4; ++c)
      result[i][c] = inverse_dt[i] * x[i][c] - (above[i][c] - below[i][c]) / (2 * step);
  }
  return result;
}

/// 1 / step of each node, no two neighbours alike.
std::vector<double> varied_rates(std::size_t nodes) {
  std::vector<double> rates(nodes);
  for (std::size_t i = 0; i < nodes; ++i) rates[i] = 0.5 + 0.125 * double(i % 7);
  return rates;
}

template <class Exec, class T>
HostMatrix assembled(Exec const& space, EulerJacobian<Exec, T> const& jacobian, Field4 const& u,
                     std::vector<double> const& inverse_dt) {
  auto const matrix = make_block_csr_matrix<T, 4>(space, jacobian.graph());
  // Every value must be written.
  Kokkos::deep_copy(space, matrix.values, std::numeric_limits<T>::quiet_NaN());
  Vector<Exec, T> const rates = device_copy<T>(space, inverse_dt, "karman::test::rates");
  jacobian.assemble(space, to_device<Exec, T>(space, u), rates, matrix);
  auto const values = host_copy<double>(space, matrix.values);
  HostMatrix host{test::rows_of(space, jacobian.graph())};
  std::size_t at = 0;
  for (auto const& row : host.columns) {
    host.blocks.emplace_back(row.size());
    for (auto& block : host.blocks.back()) {
      for (auto& line : block) {
        for (double& value : line) value = values[at++];
      }
    }
  }
  return host;
}

std::vector<EulerJacobianOptions> every_dissipation() {
  return {{},
          {.entropy_fix = 0},
          {.entropy_fix = 1},
          {EulerDissipation::spectral_radius},
          {EulerDissipation::none},
          {.streamline = 0.5},
          {.streamline = 1}};
}

std::vector<EulerRhsSetup> every_setup() {
  std::vector<EulerRhsSetup> setups;
  for (auto const strategy : {EulerStrategy::blocks, EulerStrategy::atomic}) {
    for (auto const order : {EulerOrder::as_given, EulerOrder::along_curve}) {
      setups.push_back({.strategy = strategy, .order = order, .stabilization = false});
    }
  }
  setups.push_back({.strategy = EulerStrategy::blocks, .block_triangles = 7});
  return setups;
}

/// Conditions of a case; labels without one let the flow out.
std::map<int, EulerBoundary> conditions_of(Case const& given, EulerState const& wind) {
  std::map<int, EulerBoundary> conditions;
  for (int const label : given.mesh.edge_labels) {
    conditions[label] = {EulerBoundaryKind::outflow};
    if (given.walls.contains(label)) conditions[label] = {EulerBoundaryKind::wall};
    if (given.inflow.contains(label)) conditions[label] = {EulerBoundaryKind::inflow, wind};
  }
  return conditions;
}

template <class Parameter>
class EulerJacobianOn : public ::testing::Test {
 public:
  using Exec = typename Parameter::execution_space;
  using T = typename Parameter::real;
  Exec space;
  static constexpr double epsilon = std::numeric_limits<T>::epsilon();
  /// Of differences with steps of 1e-5: 1e-10 of truncation, 1e-11 of rounding, each times the second derivatives of
  /// thin triangles. And of the rounding of some hundred operations.
  static constexpr double allowed = 1e-7 + 300 * epsilon;

  void expect_first_order(Case const& given) {
    EulerState const wind{1.2, {0.4, -0.3}, 0.9};
    auto const u = random_gas(given.mesh, gamma_of_air, given.group);
    auto const rates = varied_rates(u.size());
    auto const x = random_direction(u.size(), given.group, 3);
    for (auto const& options : every_dissipation()) {
      auto const residual = [&](Field4 const& v) { return first_order(given, options, v, u); };
      auto const expected = product_by_differences(residual, u, x, rates, given.group);
      for (auto setup : every_setup()) {
        setup.scheme = given.scheme;
        SCOPED_TRACE(described(setup) + ", " + std::string(name(options.dissipation)) + " " +
                     std::to_string(options.entropy_fix) + " " + std::to_string(options.streamline));
        EulerRhs<Exec, T> rhs(space, make_triangle_mesh(space, given.mesh), setup, given.group);
        rhs.set_boundary(space, conditions_of(given, wind));
        EulerJacobian<Exec, T> const jacobian(space, rhs, options);
        EXPECT_LE(relative_difference(assembled(space, jacobian, u, rates).times(x), expected), allowed);
      }
    }
  }
};
TYPED_TEST_SUITE(EulerJacobianOn, karman::test::AllBackends, karman::test::BackendNames);

TYPED_TEST(EulerJacobianOn, ProductsEqualDifferencesOfPlainLoops) {
  for (auto const& [title, mesh] : sample_meshes()) {
    SCOPED_TRACE(title);
    this->expect_first_order({mesh});
    this->expect_first_order({.mesh = mesh, .scheme = EulerScheme::muscl});
  }
}

TYPED_TEST(EulerJacobianOn, BoundariesAndPeriodicSidesEqualDifferencesOfPlainLoops) {
  auto const given = conservative_state(gamma_of_air, {1.2, {0.4, -0.3}, 0.9});
  auto const mesh = square(6);
  this->expect_first_order({mesh, {}, {{4, given}}, {1, 2}});
  this->expect_first_order({mesh, periodic_groups(mesh, {{1, 3}}), {{4, given}}, {2}});
  for (auto const scheme : {EulerScheme::supg, EulerScheme::muscl}) {
    SCOPED_TRACE(name(scheme));
    this->expect_first_order({mesh, {}, {}, {1, 2, 3, 4}, scheme});
    this->expect_first_order({mesh, periodic_groups(mesh, {{1, 3}, {2, 4}}), {}, {}, scheme});
    // Strips of one and of two cells: edges from a group to itself, and two edges between the same groups.
    for (double const height : {0.2, 0.4}) {
      auto const strip = mesh_rectangle({.low = {0, 0}, .high = {1, height}, .size = 0.2});
      this->expect_first_order({strip, periodic_groups(strip, {{1, 3}}), {}, {2, 4}, scheme});
    }
  }
}

/// Without dissipation the matrix is the derivative of EulerRhs::evaluate() without stabilisation.
TYPED_TEST(EulerJacobianOn, CentralPartEqualsDifferencesOfResiduals) {
  using Exec = typename TestFixture::Exec;
  using T = typename TestFixture::T;
  auto const mesh = square(6);
  auto const device_mesh = make_triangle_mesh(this->space, mesh);
  EulerRhsSetup const central{.stabilization = false, .shock_capturing = 0};
  EulerState const wind{1.2, {0.4, -0.3}, 0.9};
  auto const rates = varied_rates(mesh.nodes.size());
  auto const wild = random_gas(mesh, gamma_of_air);
  // Also near the given state, where waves of an open boundary leave and enter.
  auto const mild = moved(Field4(wild.size(), conservative_state(gamma_of_air, wind)), wild, 0.02);
  for (auto const kind : {EulerBoundaryKind::wall, EulerBoundaryKind::far_field, EulerBoundaryKind::inflow,
                          EulerBoundaryKind::outflow, EulerBoundaryKind::inlet, EulerBoundaryKind::outlet}) {
    auto conditions = everywhere(mesh, {EulerBoundaryKind::wall});
    conditions[2] = conditions[4] = {kind, wind};
    for (auto const& u : {wild, mild}) {
      for (bool const varied : {false, true}) {
        if (varied && (kind == EulerBoundaryKind::wall || kind == EulerBoundaryKind::outflow)) continue;
        SCOPED_TRACE(std::string(name(kind)) + (varied ? ", varied" : ""));
        // Residuals in double: differences in float have no digits.
        EulerRhs<Exec, double> exact(this->space, device_mesh, central);
        EulerRhs<Exec, T> rhs(this->space, device_mesh, central);
        exact.set_boundary(this->space, conditions);
        rhs.set_boundary(this->space, conditions);
        if (varied) {
          auto const ends = rhs.boundary_ends(4).size();
          Field4 states(ends);
          for (std::size_t n = 0; n < ends; ++n) {
            states[n] = {1 + 0.03 * double(n), 0.4 - 0.01 * double(n), 0.02 * double(n) - 0.3, 0.9 + 0.005 * double(n)};
          }
          exact.set_edge_states(this->space, 4, to_device<Exec, double>(this->space, states));
          rhs.set_edge_states(this->space, 4, to_device<Exec, T>(this->space, states));
        }
        EulerField<Exec, double> const change("karman::test::change", u.size());
        auto const residual = [&](Field4 const& v) {
          exact.evaluate(this->space, to_device<Exec, double>(this->space, v), {}, change);
          return to_host(this->space, change);
        };
        EulerJacobian<Exec, T> const jacobian(this->space, rhs, {EulerDissipation::none});
        auto const matrix = assembled(this->space, jacobian, u, rates);
        for (unsigned seed = 1; seed <= 4; ++seed) {
          auto const x = random_direction(u.size(), {}, seed);
          auto const expected = product_by_differences(residual, u, x, rates, {});
          EXPECT_LE(relative_difference(matrix.times(x), expected), this->allowed);
        }
      }
    }
  }
}

/// Constant changes of a uniform flow change the fluxes of the boundary alone, whatever the scheme inside.
TYPED_TEST(EulerJacobianOn, ConstantsMeetTheBoundaryOfEachScheme) {
  using Exec = typename TestFixture::Exec;
  using T = typename TestFixture::T;
  auto const mesh = square(5);
  auto const device_mesh = make_triangle_mesh(this->space, mesh);
  EulerState const wind{1.2, {0.4, -0.3}, 0.9};
  Field4 const u(mesh.nodes.size(), conservative_state(gamma_of_air, {1.1, {0.5, 0.1}, 1}));
  Field4 const x(mesh.nodes.size(), State4{0.3, -0.5, 0.25, 0.7});
  auto const rates = varied_rates(u.size());
  for (auto const scheme : {EulerScheme::supg, EulerScheme::muscl}) {
    for (auto const kind : {EulerBoundaryKind::wall, EulerBoundaryKind::far_field, EulerBoundaryKind::inflow,
                            EulerBoundaryKind::outflow, EulerBoundaryKind::inlet, EulerBoundaryKind::outlet}) {
      SCOPED_TRACE(std::string(name(scheme)) + ", " + std::string(name(kind)));
      EulerRhs<Exec, double> exact(this->space, device_mesh, {.scheme = scheme, .stabilization = false});
      EulerRhs<Exec, T> rhs(this->space, device_mesh, {.scheme = scheme, .stabilization = false});
      exact.set_boundary(this->space, everywhere(mesh, {kind, wind}));
      rhs.set_boundary(this->space, everywhere(mesh, {kind, wind}));
      EulerField<Exec, double> const change("karman::test::change", u.size());
      auto const residual = [&](Field4 const& v) {
        auto const field = to_device<Exec, double>(this->space, v);
        exact.project(this->space, field);
        exact.evaluate(this->space, field, {}, change);
        return to_host(this->space, change);
      };
      auto const expected = product_by_differences(residual, u, x, rates, {});
      EulerJacobian<Exec, T> const jacobian(this->space, rhs);
      EXPECT_LE(relative_difference(assembled(this->space, jacobian, u, rates).times(x), expected), this->allowed);
    }
  }
}

/// A constant change of a uniform flow has no fluxes inside of the mesh.
TYPED_TEST(EulerJacobianOn, ConstantsOfAUniformFlowStay) {
  using Exec = typename TestFixture::Exec;
  using T = typename TestFixture::T;
  auto const wind = conservative_state(gamma_of_air, {1, {0.6, 0.2}, 1});
  auto const mesh = square(9);
  for (auto const& group : {std::vector<int>(), periodic_groups(mesh, {{1, 3}, {2, 4}})}) {
    EulerRhs<Exec, T> rhs(this->space, make_triangle_mesh(this->space, mesh), {}, group);
    rhs.set_boundary(this->space, everywhere(mesh, {EulerBoundaryKind::outflow}));
    EulerJacobian<Exec, T> const jacobian(this->space, rhs);
    auto const rates = varied_rates(mesh.nodes.size());
    Field4 const u(mesh.nodes.size(), wind), x(mesh.nodes.size(), State4{1, -0.5, 0.25, 2});
    auto const found = assembled(this->space, jacobian, u, rates).times(x);
    for (std::size_t i = 0; i < u.size(); ++i) {
      auto const& [px, py] = mesh.nodes[i];
      bool const inner = px > 0 && px < 1 && py > 0 && py < 1;
      if (!inner && (group.empty() || group[i] != int(i))) continue;
      // Blocks of some tens: speeds of 2 over 1/9.
      for (std::size_t c = 0; c < 4; ++c) EXPECT_NEAR(found[i][c], rates[i] * x[i][c], 1000 * this->epsilon) << i;
    }
  }
}

TYPED_TEST(EulerJacobianOn, GroupsAreOneUnknown) {
  using Exec = typename TestFixture::Exec;
  using T = typename TestFixture::T;
  auto const mesh = shuffled(square(5));
  // Groups without geometry: the labels of a shuffled mesh are one.
  auto const pairs = [&] {
    std::vector<int> group(mesh.nodes.size());
    for (std::size_t i = 0; i < group.size(); ++i) {
      group[i] = int(i);
      for (std::size_t j = 0; j < i; ++j) {
        auto const same = [&](std::size_t axis) {
          double const distance = std::abs(mesh.nodes[i][axis] - mesh.nodes[j][axis]);
          return distance < 1e-9 || std::abs(distance - 1) < 1e-9;
        };
        if (same(0) && same(1)) group[i] = std::min(group[i], group[j]);
      }
    }
    return group;
  };
  auto const group = pairs();
  auto const u = random_gas(mesh, gamma_of_air, group);
  std::vector<std::set<int>> expected(mesh.nodes.size());
  for (auto const& t : mesh.triangles) {
    for (int const i : t) {
      for (int const j : t) expected[std::size_t(group[std::size_t(i)])].insert(group[std::size_t(j)]);
      if (group[std::size_t(i)] == i) continue;
      expected[std::size_t(i)] = {group[std::size_t(i)], i};
      expected[std::size_t(group[std::size_t(i)])].insert(i);
    }
  }
  for (auto const order : {EulerOrder::as_given, EulerOrder::along_curve}) {
    EulerRhs<Exec, T> const rhs(this->space, make_triangle_mesh(this->space, mesh), {.order = order}, group);
    EulerJacobian<Exec, T> const jacobian(this->space, rhs);
    auto const matrix = assembled(this->space, jacobian, u, varied_rates(u.size()));
    for (std::size_t i = 0; i < group.size(); ++i) {
      EXPECT_EQ(matrix.columns[i], std::vector<int>(expected[i].begin(), expected[i].end())) << i;
      if (group[i] == int(i)) continue;
      EXPECT_EQ(matrix.blocks[i][0], scaled(identity(), -1)) << i;
      EXPECT_EQ(matrix.blocks[i][1], identity()) << i;
      auto const& row = matrix.columns[std::size_t(group[i])];
      auto const place = std::size_t(std::find(row.begin(), row.end(), int(i)) - row.begin());
      EXPECT_EQ(matrix.blocks[std::size_t(group[i])][place], scaled(identity(), 0)) << i;
    }
    // They refuse a profile that is not symmetric.
    EXPECT_NO_THROW((BlockIlu<Exec, T, 4>(this->space, jacobian.graph())));
  }
}

TYPED_TEST(EulerJacobianOn, RepeatedRunsAndHostsHaveTheSameBits) {
  using T = typename TestFixture::T;
  auto const mesh = shuffled(square(40));
  auto const u = random_gas(mesh, gamma_of_air);
  auto const rates = varied_rates(u.size());
  auto const on = [&]<class Other>(Other const& other) {
    EulerRhs<Other, T> rhs(other, make_triangle_mesh(other, mesh));
    rhs.set_boundary(other, everywhere(mesh, {EulerBoundaryKind::far_field, {1.2, {0.4, -0.3}, 0.9}}));
    return assembled(other, EulerJacobian<Other, T>(other, rhs), u, rates).blocks;
  };
  auto const first = on(this->space);
  for (int n = 0; n < 3; ++n) EXPECT_EQ(on(this->space), first);
#if defined(KOKKOS_ENABLE_SERIAL)
  if constexpr (runs_on_host<typename TestFixture::Exec>) EXPECT_EQ(on(Kokkos::Serial()), first);
#endif
}

TYPED_TEST(EulerJacobianOn, AssemblyOnlyLaunchesKernels) {
  using Exec = typename TestFixture::Exec;
  using T = typename TestFixture::T;
  auto const mesh = square(5);
  for (auto const& space : instances(this->space)) {
    EulerRhs<Exec, T> rhs(space, make_triangle_mesh(space, mesh), {.order = EulerOrder::along_curve});
    rhs.set_boundary(space, everywhere(mesh, {}));
    auto const u = to_device<Exec, T>(space, random_gas(mesh, gamma_of_air));
    for (int const more : {0, 1}) {
      EulerJacobian<Exec, T> const jacobian(space, rhs, {.streamline = 0.5 * more});
      auto const matrix = make_block_csr_matrix<T, 4>(space, jacobian.graph());
      expect_kernels_only(space, record([&] { jacobian.assemble(space, u, {}, matrix); }), 2 + more);
    }
  }
}

TYPED_TEST(EulerJacobianOn, MemoryIsThatOfItsViews) {
  using Exec = typename TestFixture::Exec;
  using T = typename TestFixture::T;
  auto const mesh = square(9);
  for (auto const& group : {std::vector<int>(), periodic_groups(mesh, {{1, 3}})}) {
    EulerRhs<Exec, T> const rhs(this->space, make_triangle_mesh(this->space, mesh), {}, group);
    for (double const streamline : {0.0, 0.5}) {
      EulerJacobianOptions const options{.streamline = streamline};
      std::unique_ptr<EulerJacobian<Exec, T>> jacobian;
      auto const found = allocated_bytes<Exec>(
          [&] { jacobian = std::make_unique<EulerJacobian<Exec, T>>(this->space, rhs, options); });
      std::int64_t const beyond = found.beyond(jacobian->workspace_bytes());
      EXPECT_GE(beyond, 0);
      EXPECT_LE(beyond, 7 * found.views);
    }
  }
}

TYPED_TEST(EulerJacobianOn, WrongInputIsRefused) {
  using Exec = typename TestFixture::Exec;
  using T = typename TestFixture::T;
  auto const mesh = square(3);
  auto const device_mesh = make_triangle_mesh(this->space, mesh);
  EulerRhs<Exec, T> rhs(this->space, device_mesh);
  for (double const fix : {-0.1, 1.1, std::numeric_limits<double>::quiet_NaN()}) {
    EXPECT_THROW((EulerJacobian<Exec, T>(this->space, rhs, {.entropy_fix = fix})), std::invalid_argument) << fix;
    EXPECT_THROW((EulerJacobian<Exec, T>(this->space, rhs, {.streamline = fix})), std::invalid_argument) << fix;
  }
  EulerRhs<Exec, T> const moving(this->space, device_mesh, {.moving = true});
  EXPECT_THROW((EulerJacobian<Exec, T>(this->space, moving)), std::invalid_argument);
  EulerJacobian<Exec, T> const jacobian(this->space, rhs), other(this->space, rhs);
  EXPECT_EQ(jacobian.nodes(), 16);
  EXPECT_EQ(jacobian.options().entropy_fix, 0.1);
  auto const matrix = make_block_csr_matrix<T, 4>(this->space, jacobian.graph());
  auto const foreign = make_block_csr_matrix<T, 4>(this->space, other.graph());
  EulerField<Exec, T> const u = to_device<Exec, T>(this->space, random_gas(mesh, gamma_of_air));
  EulerField<Exec, T> const short_field("karman::test::u", 15);
  Vector<Exec, T> const rates("karman::test::rates", 16), short_rates("karman::test::rates", 15);
  auto const expect_refused = [&](ConstEulerField<Exec, T> const& field, ConstVector<Exec, T> const& inverse_dt,
                                  BlockCsrMatrix<Exec, T, 4> const& to) {
    EXPECT_THROW(jacobian.assemble(this->space, field, inverse_dt, to), std::invalid_argument);
  };
  expect_refused(u, rates, matrix);  // without conditions
  rhs.set_boundary(this->space, everywhere(mesh, {}));
  EXPECT_NO_THROW(jacobian.assemble(this->space, u, rates, matrix));
  EXPECT_NO_THROW(jacobian.assemble(this->space, u, {}, matrix));
  expect_refused(short_field, rates, matrix);
  expect_refused(u, short_rates, matrix);
  expect_refused(u, rates, foreign);
  auto const hollow = BlockCsrMatrix<Exec, T, 4>{jacobian.graph(), {}, 16};
  expect_refused(u, rates, hollow);
  // Values of a caller, 8 bytes beyond a multiple of 16.
  using Values = Kokkos::View<T* [4][4], Kokkos::LayoutRight, typename Exec::memory_space>;
  auto const blocks = matrix.values.extent(0);
  Vector<Exec, T> const memory("karman::test::memory", 16 * blocks + 2);
  expect_refused(u, rates, {jacobian.graph(), Values(memory.data() + 8 / sizeof(T), blocks), 16});
}

TEST(EulerDissipation, HasNames) {
  EXPECT_EQ(name(EulerDissipation::roe), "roe");
  EXPECT_EQ(name(EulerDissipation::spectral_radius), "spectral_radius");
  EXPECT_EQ(name(EulerDissipation::none), "none");
}

}  // namespace euler_jacobian_test
