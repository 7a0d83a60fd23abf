// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Orders along a Hilbert curve through the bounding box of a mesh, with 2^16 by 2^16 cells, computed on its backend.
#pragma once

#include "hilbert.hpp"
#include "stable_group.hpp"
#include <karman/core/compat.hpp>
#include <karman/mesh/triangle_mesh.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>
#include <string>

namespace karman::detail {

template <class Exec>
using CurvePlaces = Kokkos::View<std::uint32_t*, typename Exec::memory_space>;

template <class Exec>
struct NodeBox {
  typename TriangleMesh<Exec>::template Table<double, 2> nodes;

  KOKKOS_FUNCTION void operator()(int n, double& min_x, double& max_x, double& min_y, double& max_y) const {
    double const x = nodes(n, 0), y = nodes(n, 1);
    if (x < min_x) min_x = x;
    if (x > max_x) max_x = x;
    if (y < min_y) min_y = y;
    if (y > max_y) max_y = y;
  }
};

/// Place of each node along the curve.
template <class Exec>
struct NodePlaces {
  TriangleMesh<Exec> mesh;
  HilbertSquare square;
  CurvePlaces<Exec> places = CurvePlaces<Exec>();

  KOKKOS_FUNCTION void operator()(int i) const { places(i) = square.place(mesh.nodes(i, 0), mesh.nodes(i, 1)); }
};

/// Place of the centroid of each triangle along the curve.
template <class Exec>
struct TrianglePlaces {
  TriangleMesh<Exec> mesh;
  HilbertSquare square;
  CurvePlaces<Exec> places = CurvePlaces<Exec>();

  KOKKOS_FUNCTION void operator()(int t) const {
    double x = 0, y = 0;
    for (int k = 0; k < 3; ++k) {
      int const node = mesh.triangles(t, k);
      x += mesh.nodes(node, 0);
      y += mesh.nodes(node, 1);
    }
    places(t) = square.place(x / 3, y / 3);
  }
};

/// The square that the curve fills. Waits for `space`.
template <class Exec>
HilbertSquare curve_square(Exec const& space, TriangleMesh<Exec> const& mesh) {
  double min_x = 0, max_x = 0, min_y = 0, max_y = 0;
  Kokkos::parallel_reduce("karman::curve_order::box", Kokkos::RangePolicy<Exec>(space, 0, mesh.node_count()),
                          NodeBox<Exec>{mesh.nodes}, Kokkos::Min<double>(min_x), Kokkos::Max<double>(max_x),
                          Kokkos::Min<double>(min_y), Kokkos::Max<double>(max_y));
  compat::fence(space, "karman::curve_order::box");
  return square_around(min_x, max_x, min_y, max_y);
}

/// Sorts n items by places_of(item) along the curve, ascending within a place. Waits for `space`.
template <class Exec, class PlacesOf>
typename Graph<Exec>::Numbers order_along_curve(Exec const& space, std::size_t n, PlacesOf places_of) {
  places_of.places = CurvePlaces<Exec>(
      Kokkos::view_alloc(space, Kokkos::WithoutInitializing, std::string("karman::curve_order::places")), n);
  Kokkos::parallel_for("karman::curve_order::place", Kokkos::RangePolicy<Exec>(space, 0, n), places_of);
  return stable_order<Exec>(space, places_of.places);
}

/// The nodes in their order along the curve.
template <class Exec>
typename Graph<Exec>::Numbers nodes_along_curve(Exec const& space, TriangleMesh<Exec> const& mesh) {
  return order_along_curve(space, mesh.nodes.extent(0), NodePlaces<Exec>{mesh, curve_square(space, mesh)});
}

/// The triangles in the order of their centroids along the curve.
template <class Exec>
typename Graph<Exec>::Numbers triangles_along_curve(Exec const& space, TriangleMesh<Exec> const& mesh) {
  return order_along_curve(space, mesh.triangles.extent(0), TrianglePlaces<Exec>{mesh, curve_square(space, mesh)});
}

}  // namespace karman::detail
