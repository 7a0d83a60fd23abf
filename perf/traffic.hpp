// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The least traffic with main memory of every operation, in bytes, from which GB/s and percentages are computed.
/// Each array that a pass must read or write counts once; what a cache may serve again counts nothing, and neither does
/// the line that a processor fetches before it overwrites it. A figure of 100 percent therefore means that the
/// operation moves only what it must, as fast as a copy does.
#pragma once

#include <cstddef>

namespace karman::perf::traffic {

/// b = a: one read, one write.
constexpr double copy(double n, std::size_t real) { return n * 2.0 * double(real); }

/// a = b + s c: two reads, one write; 24 bytes in double precision.
constexpr double triad(double n, std::size_t real) { return n * 3.0 * double(real); }

/// A reduction reads every element of its `fields` fields once; what it writes is nothing next to that.
constexpr double reduction(double n, std::size_t real, int fields = 1) { return n * fields * double(real); }

/// The tree that joins pairs in memory, level by level, on a copy. Copy: n read, n written. Level l reads n / 2^l
/// values and writes half as many, in all 2 n read, n written.
constexpr double plain_tree(double n, std::size_t real) { return n * 5.0 * double(real); }

/// Three reductions one after the other read the field three times.
constexpr double three_reductions(double n, std::size_t real) { return n * 3.0 * double(real); }

/// One iteration of red-black relaxation with a separate array for each colour, per cell. The sweep over one colour
/// reads that colour's half of lambda and of the right-hand side, the other colour's half of lambda, and writes its
/// own half: 4 values for half the cells. Two sweeps: 4 values per cell; and each cell's coefficients once.
constexpr double split_colors(double cells, std::size_t real, double coefficient_bytes) {
  return cells * (4.0 * double(real) + coefficient_bytes);
}
constexpr double packed_coefficients = 2.0;  ///< one 16-bit code
/// Six arrays, divided by the cell's own weight or not; own weights, which would be three more, follow from the
/// faces here.
constexpr double coefficient_arrays(std::size_t real) { return 6.0 * double(real); }

/// One iteration with both colours in one array. A sweep over one colour uses every other value, but memory moves whole
/// lines: lambda and the right-hand side are read and lambda is written in full, twice an iteration.
constexpr double interleaved_colors(double cells, std::size_t real) { return cells * 6.0 * double(real); }

/// Minimum of any solver: the right-hand side read, the solution written. The percentage then tells how many such
/// copies a solution takes.
constexpr double read_once_write_once(double n, std::size_t real) { return n * 2.0 * double(real); }

/// Tridiagonal systems: lower, diagonal, upper and right-hand side read, the solution written; 40 bytes per row in
/// double precision. A matrix that all systems share counts nothing. Only an algorithm that keeps a whole system in
/// registers or team scratch can reach it.
constexpr double tridiagonal(double rows, std::size_t real, bool shared) {
  return rows * (shared ? 2.0 : 5.0) * double(real);
}

/// Sizes of an assembly.
struct AssemblyCounts {
  double triangles, nodes, entries;
  double scalar;            ///< bytes of an entry
  double coefficients = 0;  ///< bytes of coefficients a node
};

/// Coordinates and coefficients of the nodes once, and every entry written once.
constexpr double assembly_least(AssemblyCounts const& c) {
  return c.nodes * (16 + c.coefficients) + c.entries * c.scalar;
}
/// Row by row: round every node its neighbours and their places in the row, 4 + 1 bytes each, and where rows begin.
constexpr double row_gather(AssemblyCounts const& c) {
  return assembly_least(c) + (c.entries - c.nodes) * 5 + c.nodes * 4;
}
/// Blocks of rows: local numbers and places of a triangle in 16 bits, 6 + 18 bytes; of a node its number and where its
/// row begins, in scratch and in the matrix: 12. Triangles and nodes that blocks share come again; they are not
/// counted.
constexpr double row_blocks(AssemblyCounts const& c) { return assembly_least(c) + c.triangles * 24 + c.nodes * 12; }
/// Triangle by triangle: nodes, the map of nine entries; entries are set to zero, then read and written.
constexpr double element_atomics(AssemblyCounts const& c) {
  return assembly_least(c) + c.triangles * 48 + 2 * c.entries * c.scalar;
}
/// The same without zeroing.
constexpr double element_colors(AssemblyCounts const& c) {
  return assembly_least(c) + c.triangles * 48 + c.entries * c.scalar;
}
/// Local numbers and places of a triangle, 6 + 9 bytes; of a node its number and where its row begins, in scratch and
/// in the matrix: 12. The nodes that blocks share come again; they are not counted.
constexpr double element_blocks(AssemblyCounts const& c) { return assembly_least(c) + c.triangles * 15 + c.nodes * 12; }
/// Nine values per triangle are written and read again, with one number each, and one per entry, of `index` bytes.
constexpr double element_storage(AssemblyCounts const& c, double index) {
  return assembly_least(c) + c.triangles * (12 + 18 * c.scalar + 9 * index) + c.entries * index;
}
/// y = A x: the matrix with its columns and where rows begin, x and y once.
constexpr double sparse_product(AssemblyCounts const& c) {
  return c.entries * (c.scalar + 4) + c.nodes * (4 + 2 * c.scalar);
}
/// Vectors that an iteration of COCG with a diagonal preconditioner moves, a loop per line or in two passes. These are
/// w = A z with (r, z) and (w, z): z and 1 / d read, w written; the update: z, w, p, s, d read, z, p, s written; and
/// every other time x read and written.
constexpr double plain_cocg = 18, fused_cocg = 12;
constexpr double cocg(AssemblyCounts const& c, double vectors) {
  return c.entries * (c.scalar + 4) + c.nodes * (4 + vectors * c.scalar);
}
/// Minimum of any solver of waves: the mesh and the depth read, the complex elevation written.
constexpr double wave_solve(double nodes, double triangles) { return nodes * (16 + 8 + 16) + triangles * 12; }
/// A colour a triangle, and its nodes read once.
constexpr double coloring(double triangles) { return triangles * 16; }

}  // namespace karman::perf::traffic
