// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Mesh of a case from a file of another program.
#pragma once

#include <karman/mesh/mesh_data.hpp>

#include <filesystem>
#include <string>
#include <vector>

namespace karman {
class Case;
}

namespace karman::app {

/// Nodes of no triangle: values of a file, in the order of the nodes, need them all.
enum class UnusedNodes { drop, keep };

/// Reads the mesh of `/mesh/file` with the other members of `/mesh`: zone, plane, merge, scale and flip. Turns its
/// triangles anticlockwise, and labels boundary edges that the file does not list. They are "unnamed", or "seam" where
/// two of them coincide. Sentences on ignored parts of the file go to `remarks`. Throws CaseError for content that is
/// invalid and for a mesh that solvers cannot use. Throws FileError.
MeshData mesh_of_file(Case const& input, UnusedNodes unused, std::vector<std::string>& remarks);

/// A file of a case. A relative path starts at the folder of the case.
std::filesystem::path file_of(Case const& input, std::string const& pointer);

}  // namespace karman::app
