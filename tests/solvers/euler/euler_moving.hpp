// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Flows on moving meshes, with motions computed on the host.
#pragma once

#include "euler_march.hpp"
#include <karman/core/compat.hpp>
#include <karman/core/host_copy.hpp>
#include <karman/solvers/euler/euler_derivative.hpp>

#include <functional>
#include <random>
#include <vector>

namespace karman::test {

using Places = std::vector<std::array<double, 2>>;

template <class Exec>
using DevicePlaces = Kokkos::View<double* [2], Kokkos::LayoutRight, typename Exec::memory_space>;

template <class Exec>
DevicePlaces<Exec> places_on(Exec const& space, Places const& places) {
  return device_copy(space, places, "karman::test::places");
}

/// Vectors with components in [-size, size], equal in the nodes of a group.
inline Places random_vectors(std::size_t nodes, double size, unsigned seed, std::vector<int> const& group = {}) {
  std::mt19937 generator(seed);
  Places vectors(nodes);
  for (std::size_t i = 0; i < nodes; ++i) {
    for (double& value : vectors[i]) value = size * (double(generator() % 4096) / 2048 - 1);
    if (!group.empty()) vectors[i] = vectors[std::size_t(group[i])];
  }
  return vectors;
}

/// Where the nodes shall be at a time.
using PathOfNodes = std::function<Places(double time)>;

/// March on a moving mesh: conservative state and places at its end.
struct Moved {
  Field4 u;
  Places places;
  int steps = 0;
};

/// Advances u from the places at time 0 with steps of cfl / rate, all of first_dt for a cfl of 0. Each node moves along
/// its path.
template <class Exec, class T>
Moved march_moving(Exec const& space, EulerRhs<Exec, T>& rhs, PathOfNodes const& path, Field4 const& start, double end,
                   double cfl, double first_dt) {
  auto u = to_device<Exec, T>(space, start);
  EulerField<Exec, T> a("karman::test::a", u.extent(0)), b("karman::test::b", u.extent(0));
  auto const dt = device_number(space, first_dt), rate = device_number(space, 0);
  Moved result{{}, path(0)};
  double step = first_dt;
  for (double time = 0; time < end * (1 - 1e-12); ++result.steps) {
    step = std::min(step, end - time);
    Kokkos::deep_copy(space, dt, step);
    auto const next = path(time + step);
    Places velocity(next.size());
    for (std::size_t i = 0; i < next.size(); ++i) {
      for (std::size_t axis = 0; axis < 2; ++axis) velocity[i][axis] = (next[i][axis] - result.places[i][axis]) / step;
    }
    rhs.set_motion(space, places_on(space, result.places), places_on(space, velocity), dt);
    rhs.project(space, u);
    rhs.advance(space, u, u, 1.0 / 4, dt, a);
    rhs.advance(space, u, a, 1.0 / 3, dt, b);
    rhs.advance(space, u, b, 1.0 / 2, dt, a);
    rhs.advance(space, u, a, 1, dt, b, rate);
    std::swap(u, b);
    time += step;
    for (std::size_t i = 0; i < next.size(); ++i) {
      for (std::size_t axis = 0; axis < 2; ++axis) result.places[i][axis] += step * velocity[i][axis];
    }
    double const fastest = to_host(space, rate);
    if (!std::isfinite(fastest)) throw std::runtime_error("no gas at time " + std::to_string(time));
    if (cfl > 0) step = cfl / fastest;
  }
  result.u = to_host(space, u);
  return result;
}

/// Velocities that lead the nodes to x + 0.02 sin(2 pi x) sin(30 t).
template <class Exec>
struct SwingVelocities {
  DevicePlaces<Exec> first;
  Kokkos::View<int*, typename Exec::memory_space> group;
  typename NodeMotion<Exec>::ConstPoints points;
  typename NodeMotion<Exec>::Points velocity;
  DeviceNumber<Exec> time, dt;

  KOKKOS_FUNCTION void operator()(int i) const {
    namespace math = karman::compat::math;
    int const own = group(i);
    double const x = first(own, 0);
    double const place = x + 0.02 * math::sin(2 * 3.14159265358979 * x) * math::sin(30 * (time() + dt()));
    velocity(i, 0) = dt() > 0 ? (place - points(own, 0)) / dt() : 0;
    velocity(i, 1) = 0;
  }
};

/// A mesh of the unit length with periodic sides, whose nodes swing in x.
template <class Exec>
class SwingMotion final : public NodeMotion<Exec> {
 public:
  SwingMotion(Exec const& space, MeshData const& mesh, std::vector<int> const& group)
      : first_(places_on(space, mesh.nodes)), group_("karman::test::group", group.size()) {
    auto const host = Kokkos::create_mirror_view(Kokkos::HostSpace(), group_);
    for (std::size_t i = 0; i < group.size(); ++i) host(i) = group[i];
    Kokkos::deep_copy(space, group_, host);
    space.fence();
  }

  void choose(Exec const& space, DeviceNumber<Exec> const& time, DeviceNumber<Exec> const& dt,
              typename NodeMotion<Exec>::ConstPoints const& points,
              typename NodeMotion<Exec>::Points const& velocity) override {
    Kokkos::parallel_for("karman::test::swing", Kokkos::RangePolicy<Exec>(space, 0, points.extent(0)),
                         SwingVelocities<Exec>{first_, group_, points, velocity, time, dt});
  }

 private:
  DevicePlaces<Exec> first_;
  Kokkos::View<int*, typename Exec::memory_space> group_;
};

/// Sum of M U over the nodes, one per group, by the areas of a mesh.
inline State4 total(MeshData const& mesh, Field4 const& u) {
  State4 sum{};
  for (auto const& t : mesh.triangles) {
    auto const &p = mesh.nodes[std::size_t(t[0])], &q = mesh.nodes[std::size_t(t[1])],
               &r = mesh.nodes[std::size_t(t[2])];
    double const sixth = ((q[0] - p[0]) * (r[1] - p[1]) - (r[0] - p[0]) * (q[1] - p[1])) / 6;
    for (int const node : t) {
      for (std::size_t c = 0; c < 4; ++c) sum[c] += sixth * u[std::size_t(node)][c];
    }
  }
  return sum;
}

/// The mesh with its nodes at other places.
inline MeshData at_places(MeshData mesh, Places const& places) {
  mesh.nodes = places;
  return mesh;
}

/// Gas at rest of density 1 and sound speed 1 in a tube from x = 0 to 1, whose left end moves with a constant speed.
/// The nodes move in proportion to their distance from the right end.
struct Piston {
  double speed;
  MeshData mesh;
  std::vector<int> group;

  Piston(double speed_, int n)
      : speed(speed_),
        mesh(mesh_rectangle({.low = {0, 0}, .high = {1, 4.0 / n}, .size = 1.0 / n})),
        group(periodic_groups(mesh, {{1, 3}})) {}

  Field4 start() const { return Field4(mesh.nodes.size(), air(1, 0, 0, 1 / 1.4)); }

  Places places(double time) const {
    Places places = mesh.nodes;
    for (auto& [x, y] : places) x += (1 - x) * speed * time;
    return places;
  }
};

}  // namespace karman::test
