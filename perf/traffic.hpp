// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Least traffic of every operation with main memory, in bytes, for GB/s and percentages. Each array that a pass must
/// read or write counts once. Values from a cache count nothing, and neither does the line that a processor fetches
/// before it overwrites it. So 100 percent means that the operation moves only the necessary bytes, at the speed of a
/// copy.
#pragma once

#include <cstddef>

namespace karman::perf::traffic {

/// b = a: one read, one write.
constexpr double copy(double n, std::size_t real) { return n * 2.0 * double(real); }

/// a = b + s c: two reads, one write; 24 bytes in double precision.
constexpr double triad(double n, std::size_t real) { return n * 3.0 * double(real); }

/// A reduction reads every element of its `fields` fields once; its writes are negligible.
constexpr double reduction(double n, std::size_t real, int fields = 1) { return n * fields * double(real); }

/// Tree that joins pairs in memory, level by level, on a copy. Copy: n read, n written. Level l reads n / 2^l values
/// and writes half as many, in all 2 n read, n written.
constexpr double plain_tree(double n, std::size_t real) { return n * 5.0 * double(real); }

/// Three reductions one after the other read the field three times.
constexpr double three_reductions(double n, std::size_t real) { return n * 3.0 * double(real); }

/// One iteration of red-black relaxation with a separate array for each colour, per cell. A sweep over one colour reads
/// both halves of x and its half of the right-hand side, and writes one half. That is 4 values for half the cells, or 4
/// values per cell for two sweeps, and each cell's coefficients once.
constexpr double split_colors(double cells, std::size_t real, double coefficient_bytes) {
  return cells * (4.0 * double(real) + coefficient_bytes);
}
constexpr double packed_coefficients = 2.0;  ///< one 16-bit code
/// Six arrays, divided by the cell's own weight or not. The own weights, which would be three more, follow from the
/// faces here.
constexpr double coefficient_arrays(std::size_t real) { return 6.0 * double(real); }

/// One iteration with both colours in one array. A sweep over one colour uses every other value, but memory moves whole
/// lines. So x and the right-hand side are read and x is written in full, twice per iteration.
constexpr double interleaved_colors(double cells, std::size_t real) { return cells * 6.0 * double(real); }

/// Minimum of any solver: the right-hand side read, the solution written. The percentage then gives the cost of a
/// solution as a number of such copies.
constexpr double read_once_write_once(double n, std::size_t real) { return n * 2.0 * double(real); }

/// Tridiagonal systems: lower, diagonal, upper and right-hand side read, the solution written: 40 bytes per row in
/// double precision. A matrix that all systems share counts nothing. Only an algorithm that keeps a whole system in
/// registers or team scratch can reach it.
constexpr double tridiagonal(double rows, std::size_t real, bool shared) {
  return rows * (shared ? 2.0 : 5.0) * double(real);
}

/// Sizes of an assembly.
struct AssemblyCounts {
  double triangles, nodes, entries;
  double scalar;            ///< bytes per entry
  double coefficients = 0;  ///< bytes of coefficients per node
};

/// Coordinates and coefficients of the nodes once, and every entry written once.
constexpr double assembly_least(AssemblyCounts const& c) {
  return c.nodes * (16 + c.coefficients) + c.entries * c.scalar;
}
/// By rows: per neighbour of a node, its number and its place in the row, 4 + 1 bytes; per node, the begin of its row.
constexpr double row_gather(AssemblyCounts const& c) {
  return assembly_least(c) + (c.entries - c.nodes) * 5 + c.nodes * 4;
}
/// Blocks of rows. Per triangle: local numbers and places in 16 bits, 6 + 18 bytes. Per node: its number and the begin
/// of its row, in scratch and in the matrix, 12 bytes. Triangles and nodes that blocks share are read again, which is
/// not counted.
constexpr double row_blocks(AssemblyCounts const& c) { return assembly_least(c) + c.triangles * 24 + c.nodes * 12; }
/// By triangles: nodes, the map of nine entries. Entries are set to zero, then read and written.
constexpr double element_atomics(AssemblyCounts const& c) {
  return assembly_least(c) + c.triangles * 48 + 2 * c.entries * c.scalar;
}
/// The same without zeroing.
constexpr double element_colors(AssemblyCounts const& c) {
  return assembly_least(c) + c.triangles * 48 + c.entries * c.scalar;
}
/// Local numbers and places of a triangle, 6 + 9 bytes. Per node: its number and the begin of its row, in scratch and
/// in the matrix, 12 bytes. Nodes that blocks share are read again, which is not counted.
constexpr double element_blocks(AssemblyCounts const& c) { return assembly_least(c) + c.triangles * 15 + c.nodes * 12; }
/// Nine values per triangle, each with its number, are written and read again; per entry one number of `index` bytes.
constexpr double element_storage(AssemblyCounts const& c, double index) {
  return assembly_least(c) + c.triangles * (12 + 18 * c.scalar + 9 * index) + c.entries * index;
}
/// y = A x: the matrix with its columns and row begins, x and y once.
constexpr double sparse_product(AssemblyCounts const& c) {
  return c.entries * (c.scalar + 4) + c.nodes * (4 + 2 * c.scalar);
}
/// Vectors that an iteration of COCG with a diagonal preconditioner moves, with one loop per line or in two passes.
/// First w = A z with (r, z) and (w, z): z and 1 / d read, w written. Then the update: z, w, p, s, d read, z, p, s
/// written. In every other iteration, x is read and written.
constexpr double plain_cocg = 18, fused_cocg = 12;
constexpr double cocg(AssemblyCounts const& c, double vectors) {
  return c.entries * (c.scalar + 4) + c.nodes * (4 + vectors * c.scalar);
}
/// Sizes of a level of algebraic multigrid.
struct AmgCounts {
  double rows, entries;
  double interpolation;  ///< entries of the interpolation P from the next coarser level
  double product;        ///< entries of A P
  double coarse_rows;    ///< rows of that level
  double scalar;         ///< bytes per number
};
/// A V-cycle with two steps of the smoother, on one level. Three products with A: one before the coarse correction (the
/// first step starts from zero), the residual, one after it. Then P, P^T, and A P in the first step after the
/// correction. Vectors: 3 and 4 before, 3 for the residual, 1 and one coarse for P^T, then 5 and one coarse, and 5.
constexpr double amg_level(AmgCounts const& c) {
  return (3 * c.entries + c.product + 2 * c.interpolation) * (c.scalar + 4) + (5 * c.rows + c.coarse_rows) * 4 +
         (21 * c.rows + 2 * c.coarse_rows) * c.scalar;
}
/// A second correction starts from the first one: a product more, and two vectors.
constexpr double amg_second_correction(AmgCounts const& c) {
  return amg_level(c) + c.entries * (c.scalar + 4) + c.rows * (4 + 2 * c.scalar);
}
/// The dense inverse of the coarsest level.
constexpr double amg_coarsest(AmgCounts const& c) { return (c.rows + 2) * c.rows * c.scalar; }
/// New values of a level and the next coarser matrix. Interpolation: A with its marks and aggregates read, P written.
/// Transposition: P read, P^T written. Product: P^T, A and P read, the coarse matrix written. Scaling: A read.
constexpr double amg_values(AmgCounts const& c, double coarse_entries) {
  double const number = c.scalar + 4;
  return c.entries * (3 * number + 1) + 5 * c.interpolation * number + coarse_entries * number +
         c.rows * (5 * 4 + c.scalar) + c.coarse_rows * 2 * 4;
}
/// Minimum of any wave solver: the mesh and the depth read, the complex elevation written.
constexpr double wave_solve(double nodes, double triangles) { return nodes * (16 + 8 + 16) + triangles * 12; }
/// A residual of the Euler equations per triangle, half as many nodes: the nodes of the triangle, coordinates, four
/// variables and their projected residuals read, four residuals written.
constexpr double euler_residual(double triangles, std::size_t real) {
  return triangles * (12 + 0.5 * 16 + 0.5 * 12.0 * double(real));
}
/// A step of four stages: one projection (mesh and variables read, four values written), then per stage a residual with
/// the former values read besides.
constexpr double euler_step(double triangles, std::size_t real) {
  double const projection = triangles * (12 + 0.5 * 16 + 0.5 * 8.0 * double(real));
  return projection + 4 * (euler_residual(triangles, real) + triangles * 0.5 * 4.0 * double(real));
}
/// A step of the vorticity equation. A stage has four passes in place over the complex plane: two transforms, the
/// square of the velocity, and the pass over the modes. Each reads and writes one complex number per point. Vorticity
/// and second register are read and written as well, where modes are kept: 0.35 of half a plane each.
constexpr double vorticity_step(double points, std::size_t real, int stages) {
  return points * stages * 2.0 * double(real) * (4 * 2 + 2 * 2 * 0.5 * 0.35);
}
/// A colour per triangle, and its nodes read once.
constexpr double coloring(double triangles) { return triangles * 16; }

}  // namespace karman::perf::traffic
