// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Start of a flow from the result or the checkpoint of another run, on any mesh.
#pragma once

#include "flow_case.hpp"
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

/// Operation of errors on the mesh of a checkpoint, which is made again.
inline constexpr char const* mesh_of_checkpoint = "make the mesh of";

/// Of the checkpoints of a march.
CheckpointFormat const& march_format();

/// Hash of the nodes and triangles of a mesh: a mesh file may have changed.
std::uint64_t mesh_hash(MeshData const& mesh);

/// Flow of another run at the nodes of a mesh.
struct StartOfFile {
  std::vector<Conservative> states;
  EarlierRun run;
};

/// Flow in `/initial/file`, linear in the triangles of its mesh; nodes outside of that take its nearest point. A flow
/// of another gamma keeps density, velocity and pressure. Remarks on nodes outside, on another gamma and on the
/// residual of that run. Throws CaseError for a file of another kind or without the fields. The same for values that
/// are no gas, and for a domain that does not overlap. Throws FileError.
StartOfFile start_of_file(Case const& input, MeshData const& mesh, Gas const& gas);

}  // namespace karman::euler
