// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Blocks of triangles on a device: the nodes of a block in team scratch, and one triangle per thread. Copies from
/// memory run while the threads compute.
#pragma once

#include "common/async_copy.hpp"
#include "device_math.hpp"
#include "element.hpp"
#include "plan.hpp"

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>

namespace karman::detail {

/// Values of a node that a thread of a device loads at once.
template <class T, int count>
struct alignas(count * sizeof(T)) EulerTuple {
  T v[count];
};

/// Team scratch of a block. Nodes: the first tuple of all nodes, then the second, and so on; then their targets.
/// Triangles of the next batch: one per thread, its edges in pieces of 16 bytes.
template <class T, bool with_stabilization, bool moving, int threads>
struct EulerDeviceScratch {
  static constexpr int together = 16 / static_cast<int>(sizeof(T));  ///< values of a tuple
  static constexpr int place_of_sums = 4;
  static constexpr int place_of_projection = 8;
  static constexpr int place_of_velocity = with_stabilization ? 12 : 8;
  static constexpr int place_of_volume = place_of_velocity + (moving ? 2 : 0);
  static constexpr int place_of_mass = place_of_volume + 1;
  static constexpr int arrays = place_of_mass + 1;
  using Piece = EulerEdgePiece<T>;

  T* base;
  int stride;  ///< nodes for which there is room

  static KOKKOS_INLINE_FUNCTION std::size_t bytes(int stride) {
    return std::size_t(stride) * (arrays * sizeof(T) + sizeof(int)) +
           threads * (sizeof(EulerEdges<T>) + sizeof(EulerBlockTriangle));
  }

  /// Reads `count` values, the first of them at a place.
  template <int count>
  KOKKOS_FORCEINLINE_FUNCTION void read(int place, int l, T (&values)[count]) const {
    constexpr int width = together < count ? together : count;
    for (int part = 0; part < count; part += width) {
      auto const tuple = reinterpret_cast<EulerTuple<T, width> const*>(base + (place + part) * stride)[l];
      for (int n = 0; n < width; ++n) values[part + n] = tuple.v[n];
    }
  }
  template <int count>
  KOKKOS_FORCEINLINE_FUNCTION void write(int place, int l, T const (&values)[count]) const {
    constexpr int width = together < count ? together : count;
    for (int part = 0; part < count; part += width) {
      EulerTuple<T, width> tuple;
      for (int n = 0; n < width; ++n) tuple.v[n] = values[part + n];
      reinterpret_cast<EulerTuple<T, width>*>(base + (place + part) * stride)[l] = tuple;
    }
  }
  KOKKOS_FORCEINLINE_FUNCTION T& volume(int l) const { return base[place_of_volume * stride + l]; }
  KOKKOS_FORCEINLINE_FUNCTION T& inverse_mass(int l) const { return base[place_of_mass * stride + l]; }
  KOKKOS_FORCEINLINE_FUNCTION int& target(int l) const { return reinterpret_cast<int*>(&triangle(threads))[l]; }
  KOKKOS_FORCEINLINE_FUNCTION Piece& piece(int n, int thread) const {
    return reinterpret_cast<Piece*>(base + arrays * stride)[n * threads + thread];
  }
  KOKKOS_FORCEINLINE_FUNCTION EulerBlockTriangle& triangle(int thread) const {
    return reinterpret_cast<EulerBlockTriangle*>(&piece(Piece::count, 0))[thread];
  }

  /// Begins to copy a node to place l.
  KOKKOS_FORCEINLINE_FUNCTION void fetch_node(EulerSource<T> const& from, T const* inverse_masses, int const* targets,
                                              int node, int l) const {
    fetch<4>(0, l, from.u + node, from.nodes);
    if constexpr (with_stabilization) fetch<4>(place_of_projection, l, from.projection + node, from.nodes);
    if constexpr (moving) fetch<2>(place_of_velocity, l, from.velocity + node, from.nodes);
    copy_to_scratch(&inverse_mass(l), inverse_masses + node);
    copy_to_scratch(&target(l), targets + l);
  }
  /// Completes a node whose copies have ended: its volume, and zeros for its sums.
  KOKKOS_FORCEINLINE_FUNCTION void complete_node(int l) const {
    T const zeros[4] = {0, 0, 0, 0};
    volume(l) = quotient(T(1), base[l * together]);
    write(place_of_sums, l, zeros);
  }

  /// Begins to copy a triangle for a thread.
  KOKKOS_FORCEINLINE_FUNCTION void fetch_triangle(EulerBlockTriangle const* from, int thread) const {
    copy_to_scratch(&triangle(thread), from);
  }
  /// Begins to copy its edges, whose pieces lie at a distance.
  KOKKOS_FORCEINLINE_FUNCTION void fetch_edges(Piece const* from, std::int64_t distance, int thread) const {
    for (int n = 0; n < Piece::count; ++n) copy_to_scratch(&piece(n, thread), from + n * distance);
  }
  KOKKOS_FORCEINLINE_FUNCTION void read_edges(int thread, EulerTriangle<T>& t) const {
    T edges[4];
    for (int n = 0; n < Piece::count; ++n) {
      Piece const found = piece(n, thread);
      for (int k = 0; k < Piece::length; ++k) edges[n * Piece::length + k] = found.v[k];
    }
    t.x1 = edges[0];
    t.y1 = edges[1];
    t.x2 = edges[2];
    t.y2 = edges[3];
  }

 private:
  template <int count>
  KOKKOS_FORCEINLINE_FUNCTION void fetch(int place, int l, T const* from, std::int64_t distance) const {
    constexpr int width = together < count ? together : count;
    for (int c = 0; c < count; ++c)
      copy_to_scratch(base + (place + c / width * width) * stride + l * width + c % width, from + c * distance);
  }
};

}  // namespace karman::detail
