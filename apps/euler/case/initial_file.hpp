// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Start of a flow from the result or the checkpoint of another run, on any mesh.
#pragma once

#include "euler/case/flow_problem.hpp"
#include "read_state.hpp"
#include <karman/io/checkpoint.hpp>
#include <karman/mesh/mesh_data.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace karman {
class Case;
}

namespace karman::euler {

/// The attribute `format` of results and frames.
inline constexpr char const* result_format = "karman.euler";

/// The attribute of `/history` with the largest residual, earlier runs included.
inline constexpr char const* largest_residual_name = "largest_residual";

/// Of the checkpoints of a march.
CheckpointFormat const& march_format();

/// Hash of the nodes and triangles of a mesh: a mesh file may have changed.
std::uint64_t mesh_hash(MeshData const& mesh);

/// Flow of another run at the nodes of a mesh.
struct StartOfFile {
  std::vector<Conservative> states;
  double largest_residual = 0;  ///< of that run and of those before it
  bool same_flow = false;       ///< that run has the same reference flow
};

/// Flow in `/initial/file`, linear in the triangles of its mesh; nodes outside of that take its nearest point. A flow
/// of another gamma keeps density, velocity and pressure. `remarks` gets lines on nodes outside and on another gamma.
/// Throws CaseError for a file of another kind or without the fields. The same for values that are no gas, and for a
/// domain that does not overlap. Throws FileError.
StartOfFile start_of_file(Case const& input, MeshData const& mesh, Gas const& gas, std::vector<std::string>& remarks);

}  // namespace karman::euler
