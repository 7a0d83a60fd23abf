// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Refinement of a whole mesh, made on the host without Kokkos.
#pragma once

#include <karman/mesh/mesh_data.hpp>

#include <array>
#include <vector>

namespace karman {

/// Mesh with four triangles for each of another mesh.
struct RefinedMesh {
  MeshData mesh;                            ///< the finer mesh
  std::vector<std::array<int, 2>> parents;  ///< nodes of the edge halved by each new node, the lower one first
};

/// Splits every triangle into four at the midpoints of its edges.
///
/// Nodes keep their numbers; new ones follow in the order of parents, ascending. The triangles of triangle t are 4 t to
/// 4 t + 3: those at its three nodes, then the middle one. All four inherit its region. The halves of boundary edge e
/// are 2 e and 2 e + 1, with its label. Angles stay the same. New nodes of a curved boundary lie on its chords. Unused
/// nodes stay unused.
/// \param mesh mesh without faults, unused nodes excepted (check_mesh())
/// \return the finer mesh
/// \par Cost
/// About 0.5 us and 150 bytes per new triangle.
/// \throws std::invalid_argument for node numbers out of range, a listed edge that is no side of a triangle, and more
/// than 2^31 - 1 nodes or triangles
RefinedMesh refine_mesh(MeshData const& mesh);

/// Values at the nodes of the finer mesh, linear along the edges of the coarser one.
/// \param values one per node of the coarser mesh
/// \param parents RefinedMesh::parents
/// \return one value per node of the finer mesh
/// \throws std::invalid_argument for parents without a value
std::vector<double> refined_values(std::vector<double> values, std::vector<std::array<int, 2>> const& parents);

}  // namespace karman
