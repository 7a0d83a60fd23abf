// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Shared parts of the mesh generators.
#pragma once

#include <karman/mesh/mesh_data.hpp>
#include <karman/mesh/mesh_generators.hpp>

#include <array>
#include <cstddef>
#include <functional>
#include <limits>
#include <string>
#include <vector>

namespace karman::detail {

constexpr double most_nodes = std::numeric_limits<int>::max();

/// A node number from an index below a checked count.
inline int node_number(std::size_t index) { return static_cast<int>(index); }

/// Numbers in messages, with six digits: "0.001", "1e-09"; and a place: "(0.001, 2)".
std::string number_text(double value);
std::string place_text(std::array<double, 2> const& place);

/// Throws std::invalid_argument unless a length is positive and finite.
void require_length(double value, std::string const& who, std::string const& what);

/// Throws std::invalid_argument when the nodes or triangles would outnumber int.
void require_countable(double nodes, std::string const& who);

void add_edge(MeshData& mesh, int from, int to, int label);

/// Number of steps of at most `size` on a side, as an integer in a double.
double steps_along(double from, double to, double size, std::string const& who);

/// n + 1 coordinates at equal distances; the first and the last are exact.
std::vector<double> equal_steps(double from, double to, double steps);

/// Adds the triangles of a cell of four corners, anticlockwise. Even and odd cells of an alternating pattern differ; a
/// crossed one gets a node in its middle.
void add_cell(MeshData& mesh, std::array<int, 4> const& corners, DiagonalPattern diagonals, bool even);

/// Adds the triangles of a cell as in an alternating pattern. Takes the other diagonal if that makes the smallest angle
/// at least 1.4 times as large.
void add_better_cut(MeshData& mesh, std::array<int, 4> const& corners, bool even);

/// Nodes on an arc, anticlockwise; a closed ring ends with its first node again.
using Ring = std::vector<int>;
using SizeAt = std::function<double(double radius)>;

/// Fills the strip between two rings with triangles of the least diagonals.
void fill_strip(MeshData& mesh, Ring const& inner, Ring const& outer, int region);

/// Radii of rings from `first` to `last`, with steps for equilateral triangles of the local size.
std::vector<double> ring_radii(double first, double last, SizeAt const& size, std::string const& who);

/// Nodes on an arc of a length, at least `least`.
int nodes_along(double length, double size, int least);

/// The edges along a ring, the domain on its inside, or outside with `reversed`.
void add_ring_edges(MeshData& mesh, Ring const& ring, int label, bool reversed);

}  // namespace karman::detail
