// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jacobian_setup.hpp"

#include "lists.hpp"
#include <karman/core/backend.hpp>
#include <karman/core/error.hpp>
#include <karman/core/host_copy.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <utility>
#include <vector>

namespace karman::detail {

namespace {

using Pair = std::array<double, 2>;

/// Mesh on the host, in the numbering of the caller.
struct CallersMesh {
  std::vector<Pair> points;
  std::vector<std::array<int, 3>> triangles;
  std::vector<std::array<int, 2>> edges;
  std::vector<int> lowest;  ///< node of the group of each node
  bool grouped = false;

  int nodes() const { return static_cast<int>(points.size()); }
};

template <class Exec, class T>
CallersMesh callers_mesh(Exec const& space, EulerParts<Exec, T> const& parts,
                         typename TriangleMesh<Exec>::template Table<double, 2> const& points) {
  auto const& mesh = parts.plan.mesh;
  auto const& given = parts.order.on_host;
  CallersMesh found{host_copy<Pair>(space, points),
                    host_copy<std::array<int, 3>>(space, mesh.triangles),
                    host_copy<std::array<int, 2>>(space, mesh.edges),
                    {}};
  auto const number = [&](int node) { return given.empty() ? node : given[at(node)]; };
  for (auto& triangle : found.triangles) {
    for (int& node : triangle) node = number(node);
  }
  for (auto& edge : found.edges) {
    for (int& node : edge) node = number(node);
  }
  auto const& groups = parts.order.groups;
  found.grouped = !groups.empty();
  // Lowest number of the caller in each group of the plan, which the lowest number of the plan identifies.
  found.lowest.assign(found.points.size(), found.nodes());
  std::vector<int> first(found.points.size(), found.nodes());
  auto const group = [&](int node) { return found.grouped ? groups[at(node)] : node; };
  for (int i = 0; i < found.nodes(); ++i) first[at(group(i))] = std::min(first[at(group(i))], number(i));
  for (int i = 0; i < found.nodes(); ++i) found.lowest[at(number(i))] = first[at(group(i))];
  return found;
}

/// Rows of the matrix on the host.
struct HostRows {
  std::vector<int> offsets{0}, entries = {};

  int entry(int row, int column) const {
    auto const first = entries.begin() + offsets[at(row)], last = entries.begin() + offsets[at(row) + 1];
    return static_cast<int>(std::lower_bound(first, last, column) - entries.begin());
  }
};

HostRows rows_of(CallersMesh const& mesh) {
  std::vector<std::size_t> begin(at(mesh.nodes()) + 1, 0);
  for (auto const& triangle : mesh.triangles) {
    for (int const node : triangle) begin[at(mesh.lowest[at(node)]) + 1] += 2;
  }
  for (std::size_t i = 1; i < begin.size(); ++i) begin[i] += begin[i - 1];
  std::vector<int> around(begin.back());
  auto next = begin;
  for (auto const& triangle : mesh.triangles) {
    for (std::size_t m = 0; m < 3; ++m) {
      std::size_t& place = next[at(mesh.lowest[at(triangle[m])])];
      around[place++] = mesh.lowest[at(triangle[(m + 1) % 3])];
      around[place++] = mesh.lowest[at(triangle[(m + 2) % 3])];
    }
  }
  // The row of a lowest node has a place for the others of its group, so that the profile is symmetric.
  std::vector<std::vector<int>> others(mesh.grouped ? at(mesh.nodes()) : 0);
  for (int i = 0; mesh.grouped && i < mesh.nodes(); ++i) {
    if (mesh.lowest[at(i)] != i) others[at(mesh.lowest[at(i)])].push_back(i);
  }
  HostRows rows;
  rows.offsets.reserve(begin.size());
  std::vector<int> row;
  for (int i = 0; i < mesh.nodes(); ++i) {
    row.assign(around.begin() + static_cast<std::ptrdiff_t>(begin[at(i)]),
               around.begin() + static_cast<std::ptrdiff_t>(begin[at(i) + 1]));
    row.push_back(i);
    if (mesh.lowest[at(i)] != i) row.push_back(mesh.lowest[at(i)]);
    else if (mesh.grouped) row.insert(row.end(), others[at(i)].begin(), others[at(i)].end());
    std::sort(row.begin(), row.end());
    row.erase(std::unique(row.begin(), row.end()), row.end());
    rows.entries.insert(rows.entries.end(), row.begin(), row.end());
    require(rows.entries.size() <= at(std::numeric_limits<int>::max()),
            "EulerJacobian: the matrix has more than 2^31 - 1 blocks");
    rows.offsets.push_back(static_cast<int>(rows.entries.size()));
  }
  return rows;
}

/// Coefficients of the entries, and how large the terms of their sums were.
struct Coefficients {
  std::vector<Pair> normals;       ///< half the normals of the dual cells
  std::vector<Pair> corrections;   ///< coefficients of the central fluxes less those normals
  std::vector<double> magnitudes;  ///< sums of the absolute terms of the corrections
};

void add(Pair& sum, Pair const& value, double factor = 1) {
  for (std::size_t axis = 0; axis < 2; ++axis) sum[axis] += factor * value[axis];
}

void add_correction(Coefficients& to, int entry, Pair const& value, double factor) {
  add(to.corrections[at(entry)], value, factor);
  to.magnitudes[at(entry)] += std::abs(factor) * (std::abs(value[0]) + std::abs(value[1]));
}

/// Gradients of the shape functions times twice the area: the sides, turned.
std::array<Pair, 3> slopes_of(CallersMesh const& mesh, std::array<int, 3> const& triangle) {
  std::array<Pair, 3> slopes;
  for (std::size_t m = 0; m < 3; ++m) {
    Pair const &p = mesh.points[at(triangle[(m + 1) % 3])], &q = mesh.points[at(triangle[(m + 2) % 3])];
    slopes[m] = {p[1] - q[1], q[0] - p[0]};
  }
  return slopes;
}

template <class Exec, class T>
Coefficients coefficients(CallersMesh const& mesh, HostRows const& rows, EulerParts<Exec, T> const& parts) {
  Coefficients found{std::vector<Pair>(rows.entries.size(), Pair{}), std::vector<Pair>(rows.entries.size(), Pair{}),
                     std::vector<double>(rows.entries.size(), 0.0)};
  bool const galerkin = parts.setup.scheme == EulerScheme::supg;
  for (auto const& triangle : mesh.triangles) {
    auto const slope = slopes_of(mesh, triangle);
    for (std::size_t m = 0; m < 3; ++m) {
      int const row = mesh.lowest[at(triangle[m])], diagonal = rows.entry(row, row);
      if (galerkin) add_correction(found, diagonal, slope[m], 1.0 / 6);
      for (std::size_t k = 1; k < 3; ++k) {
        std::size_t const other = (m + k) % 3;
        int const entry = rows.entry(row, mesh.lowest[at(triangle[other])]);
        // Normals from a group to itself cancel.
        Pair const normal{(slope[other][0] - slope[m][0]) / 12, (slope[other][1] - slope[m][1]) / 12};
        add(found.normals[at(entry)], normal);
        // Galerkin: the flux has the coefficient slope / 6 of the other corner. Its antisymmetric part is the normal.
        // The rest belongs to the side between both: the triangle beyond it has the opposite one.
        // Finite volumes: the flux of the node itself leaves through the faces, whose sum is not zero at the boundary.
        if (galerkin) add_correction(found, entry, slope[3 - m - other], -1.0 / 12);
        else add_correction(found, diagonal, normal, -1);
      }
    }
  }
  // Conditions replace the flux of the flow through the boundary.
  for (auto const& label : parts.labels) {
    for (auto const& end : label.ends) {
      auto const& edge = mesh.edges[at(end.edge)];
      Pair const &p = mesh.points[at(edge[0])], &q = mesh.points[at(edge[1])];
      int const row = mesh.lowest[at(end.node)];
      add_correction(found, rows.entry(row, row), {q[1] - p[1], p[0] - q[0]}, -0.5);
    }
  }
  return found;
}

/// Ranges of the half edges of each node.
template <class Exec, class T>
std::vector<std::array<int, 2>> half_edges_of(Exec const& space, CallersMesh const& mesh,
                                              EulerParts<Exec, T> const& parts) {
  std::vector<std::array<int, 2>> ranges(mesh.points.size(), {0, 0});
  auto const& rows = parts.plan.rows;
  if (rows.half_edge_begin.extent(0) == 0) return ranges;
  auto const begin = host_copy(space, rows.half_edge_begin);
  bool const listed = rows.node_begin.extent(0) != 0;
  auto const node_begin = listed ? host_copy(space, rows.node_begin) : std::vector<int>();
  auto const nodes = listed ? host_copy(space, rows.nodes) : std::vector<int>();
  auto const& given = parts.order.on_host;
  for (int row = 0; row < rows.count; ++row) {
    int const node = listed ? nodes[at(node_begin[at(row)])] : row;
    int const own = given.empty() ? node : given[at(node)];
    ranges[at(mesh.lowest[at(own)])] = {begin[at(row)], begin[at(row) + 1]};
  }
  return ranges;
}

/// Triangles of each node, of a group at its lowest one, in the order of the mesh.
template <class Exec, class T>
void list_triangles(Exec const& space, CallersMesh const& mesh, HostRows const& rows, JacobianPlan<Exec, T>& plan) {
  std::vector<int> begin(at(mesh.nodes()) + 1, 0);
  for (auto const& triangle : mesh.triangles) {
    for (int const node : triangle) ++begin[at(mesh.lowest[at(node)]) + 1];
  }
  for (std::size_t i = 1; i < begin.size(); ++i) begin[i] += begin[i - 1];
  std::vector<JacobianTriangle<T>> around(at(begin.back()));
  auto next = begin;
  for (auto const& triangle : mesh.triangles) {
    auto const slope = slopes_of(mesh, triangle);
    for (std::size_t m = 0; m < 3; ++m) {
      int const row = mesh.lowest[at(triangle[m])];
      JacobianTriangle<T>& own = around[at(next[at(row)]++)];
      for (std::size_t k = 0; k < 2; ++k) {
        std::size_t const other = (m + 1 + k) % 3;
        own.x[k] = static_cast<T>(slope[other][0]);
        own.y[k] = static_cast<T>(slope[other][1]);
        own.entry[k] = rows.entry(row, mesh.lowest[at(triangle[other])]);
      }
    }
  }
  plan.triangle_begin = device_copy(space, begin, "karman::euler::jacobian_triangle_begin");
  plan.triangles = device_copy(space, around, "karman::euler::jacobian_triangles");
}

}  // namespace

template <class Exec, class T>
JacobianPlan<Exec, T> make_jacobian_plan(Exec const& space, EulerParts<Exec, T> const& parts,
                                         typename TriangleMesh<Exec>::template Table<double, 2> const& points,
                                         Kokkos::View<T const*, typename Exec::memory_space> const& inverse_mass,
                                         bool with_triangles) {
  auto const mesh = callers_mesh(space, parts, points);
  auto const rows = rows_of(mesh);
  auto const found = coefficients(mesh, rows, parts);
  auto const half_edges = half_edges_of(space, mesh, parts);
  auto const inverse = host_copy(space, inverse_mass);
  std::vector<std::array<T, 2>> normals(rows.entries.size());
  std::vector<JacobianBoundaryRow> boundary;
  std::vector<JacobianCorrection<T>> corrections;
  for (int i = 0; i < mesh.nodes(); ++i) {
    int const first = static_cast<int>(corrections.size());
    for (int n = rows.offsets[at(i)]; n < rows.offsets[at(i) + 1]; ++n) {
      auto const over_mass = [&](double length) { return static_cast<T>(length * double(inverse[at(i)])); };
      auto const &normal = found.normals[at(n)], &lacking = found.corrections[at(n)];
      normals[at(n)] = {over_mass(normal[0]), over_mass(normal[1])};
      // Inside of the mesh and at periodic sides they cancel to round-off.
      if (std::abs(lacking[0]) + std::abs(lacking[1]) <= 1e-9 * found.magnitudes[at(n)]) continue;
      corrections.push_back({over_mass(lacking[0]), over_mass(lacking[1]), n});
    }
    int const last = static_cast<int>(corrections.size());
    auto const [begin, end] = half_edges[at(i)];
    if (first < last || begin < end) boundary.push_back({i, rows.entry(i, i), begin, end, first, last});
  }
  JacobianPlan<Exec, T> plan;
  plan.graph = {device_copy(space, rows.offsets, "karman::euler::jacobian_offsets"),
                device_copy(space, rows.entries, "karman::euler::jacobian_columns")};
  plan.normals = device_copy(space, normals, "karman::euler::jacobian_normals");
  if (mesh.grouped) plan.lowest = device_copy(space, mesh.lowest, "karman::euler::jacobian_groups");
  plan.rows = device_copy(space, boundary, "karman::euler::jacobian_boundary");
  plan.corrections = device_copy(space, corrections, "karman::euler::jacobian_corrections");
  if (with_triangles) list_triangles(space, mesh, rows, plan);
  return plan;
}

#define KARMAN_INSTANTIATE(Exec)                                                                                   \
  template JacobianPlan<Exec, float> make_jacobian_plan(                                                           \
      Exec const&, EulerParts<Exec, float> const&, typename TriangleMesh<Exec>::template Table<double, 2> const&,  \
      Kokkos::View<float const*, typename Exec::memory_space> const&, bool);                                       \
  template JacobianPlan<Exec, double> make_jacobian_plan(                                                          \
      Exec const&, EulerParts<Exec, double> const&, typename TriangleMesh<Exec>::template Table<double, 2> const&, \
      Kokkos::View<double const*, typename Exec::memory_space> const&, bool);
KARMAN_FOR_EACH_BACKEND(KARMAN_INSTANTIATE)
#undef KARMAN_INSTANTIATE

}  // namespace karman::detail
