// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Laplace problem for algebraic multigrid, in one header for Karman and for peers in separate programs.
///
/// A rectangle of n x n cells with two triangles each. Interior nodes are moved by up to a fifth of the shorter side,
/// and one diagonal in eight is flipped. Values are given at x = 0, the other sides are natural.
#pragma once

#include <cstdint>

#if defined(__CUDACC__)
#define KARMAN_PERF_FUNCTION __host__ __device__ inline
#else
#define KARMAN_PERF_FUNCTION inline
#endif

namespace karman::perf {

/// Hash of a number (the finaliser of MurmurHash3). Independent of the machine.
KARMAN_PERF_FUNCTION std::uint32_t amg_hash(std::uint32_t bits) {
  bits = (bits ^ (bits >> 16)) * 0x85ebca6bU;
  bits = (bits ^ (bits >> 13)) * 0xc2b2ae35U;
  return bits ^ (bits >> 16);
}

/// Noise in [-1, 1).
KARMAN_PERF_FUNCTION double amg_noise(std::uint32_t number, std::uint32_t which) {
  return double(amg_hash(4 * number + which) >> 8) * 0x1p-23 - 1;
}

/// Random order of 0, 1, ..., count - 1 without a table: four Feistel rounds on the next power of 4, repeated until
/// the number is below `count`.
struct AmgShuffle {
  std::uint32_t count, half, key;

  KARMAN_PERF_FUNCTION AmgShuffle(int n, std::uint32_t key_) : count(std::uint32_t(n)), half(1), key(key_) {
    while ((std::uint64_t(1) << (2 * half)) < count) ++half;
  }
  KARMAN_PERF_FUNCTION int place(int number) const {
    std::uint32_t const mask = (1U << half) - 1;
    auto value = std::uint32_t(number);
    do {
      std::uint32_t left = value >> half, right = value & mask;
      for (std::uint32_t round = 0; round < 4; ++round) {
        std::uint32_t const next = left ^ (amg_hash(right + 0x9e3779b9U * (4 * key + round + 1)) & mask);
        left = right;
        right = next;
      }
      value = left << half | right;
    } while (value >= count);
    return int(value);
  }
};

/// The mesh. Grid numbers count nodes and triangles row by row, x fastest; place() gives the numbers of the mesh.
struct AmgGrid {
  int cells;
  bool shuffled;  ///< nodes and triangles in random order
  double height;  ///< of the rectangle, relative to its length 1

  KARMAN_PERF_FUNCTION int side() const { return cells + 1; }
  KARMAN_PERF_FUNCTION int nodes() const { return side() * side(); }
  KARMAN_PERF_FUNCTION int triangles() const { return 2 * cells * cells; }

  KARMAN_PERF_FUNCTION int node_place(int node) const { return shuffled ? AmgShuffle(nodes(), 1).place(node) : node; }
  KARMAN_PERF_FUNCTION int triangle_place(int triangle) const {
    return shuffled ? AmgShuffle(triangles(), 2).place(triangle) : triangle;
  }

  KARMAN_PERF_FUNCTION bool fixed(int node) const { return node % side() == 0; }

  KARMAN_PERF_FUNCTION void position(int node, double& x, double& y) const {
    int const i = node % side(), j = node / side();
    double const shift = 0.2 * (height < 1 ? height : 1);
    x = (i + (i > 0 && i < cells ? shift * amg_noise(std::uint32_t(node), 0) : 0)) / cells;
    y = (j * height + (j > 0 && j < cells ? shift * amg_noise(std::uint32_t(node), 1) : 0)) / cells;
  }

  /// Nodes of a triangle by grid numbers, anticlockwise.
  KARMAN_PERF_FUNCTION void corners(int triangle, int (&corner)[3]) const {
    int const cell = triangle / 2, a = cell / cells * side() + cell % cells;
    int const b = a + 1, c = a + side() + 1, d = a + side();
    bool const flipped = amg_hash(std::uint32_t(a)) % 8 == 0, second = triangle % 2 == 1;
    corner[0] = flipped && second ? b : a;
    corner[1] = second ? c : b;
    corner[2] = flipped || second ? d : c;
  }

  /// Noise of a node in [-1, 1), zero where the value is given: every wave length that the mesh can hold.
  KARMAN_PERF_FUNCTION double source(int node) const { return fixed(node) ? 0 : amg_noise(std::uint32_t(node), 2); }
};

}  // namespace karman::perf

#undef KARMAN_PERF_FUNCTION
