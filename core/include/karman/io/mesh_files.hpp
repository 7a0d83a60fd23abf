// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Files of meshes of triangles, and of values at their nodes.
#pragma once

#include <karman/io/atomic_file.hpp>
#include <karman/mesh/mesh_data.hpp>

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace karman {

class Hdf5File;

/// The formats, each with its public reference.
enum class MeshFormat {
  by_extension,  ///< .msh (4.1 when written), .mesh, .su2, .xdmf or .xmf
  gmsh_2_2,      ///< Gmsh reference manual, "MSH file format version 2 (Legacy)": ASCII
  gmsh_4_1,      ///< Gmsh reference manual, "MSH file format": version 4.1, ASCII; binary files are read
  medit,         ///< P. Frey, MEDIT, INRIA technical report 253 (2001): .mesh
  su2,           ///< SU2 documentation, "Mesh File": .su2
  xdmf           ///< xdmf.org, "XDMF Model and Format": text, with numbers in an HDF5 file or in the text
};

/// Values at the nodes, `components` side by side a node.
struct NodalField {
  std::string name;
  int components = 1;
  std::vector<double> values;
};

struct MeshReadOptions {
  MeshFormat format = MeshFormat::by_extension;  ///< .msh: whichever of its versions the file says it has
  bool orient = false;                           ///< turn triangles that run clockwise; else they are an error
  bool ignore_z = false;     ///< else third coordinates must be the same for all nodes, to 1e-9 of the mesh's size
  bool drop_unused = false;  ///< leave out nodes of no triangle; the others keep their order
  std::size_t most_bytes = std::size_t{1} << 36;
  std::vector<std::string>* remarks = nullptr;  ///< gets one line where nodes of higher order were left out
};

struct MeshWriteOptions {
  MeshFormat format = MeshFormat::by_extension;
  Overwrite overwrite = Overwrite::no;
};

/// Reads triangles, regions, and the boundary edges that the file lists, with their labels and names:
///
/// - Gmsh: lines, triangles, and points, which are left out. Labels are physical groups, of an entity in several of
///   them the first; names are those of the groups without blanks at their ends. Where no line (or no triangle) is in
///   a group, labels are the tags of the geometric entities, without names. Version 4.1 as text or as bytes of either
///   order.
/// - Medit: `Triangles` and `Edges` with their references as labels; there are no names. Other legal sections are
///   passed over.
/// - SU2: elements of type 5 and 3. A boundary gets the number of its tag when that is one, else the next from 1 on
///   that is free, in the order of the markers; its tag is its name. The region is 1.
/// - XDMF: the first grid of triangles; what Karman has written beside it (regions, boundary edges, names) as well.
///
/// Elements of higher order give their linear part: the nodes between the corners are left out, in all formats but SU2,
/// which has none, and options.remarks gets one line.
///
/// Boundary edges are turned so that the domain lies on their left; listed edges between two triangles are left out.
/// Edges that the file does not list are not made up: complete_boundary() of karman/core/mesh_checks.hpp labels them.
/// Triangles that run clockwise are an error unless options.orient is set.
///
/// The file is untrusted: every count is compared with the size of the file before memory is taken, every number with
/// its range; coordinates must be finite and below 1e100. Every triangle has an area, as check_mesh() sees it; what
/// else that function looks for is left to it. Errors: CaseError (exit code 2) on one line with file, line and what was
/// expected; FileError (4) for files that cannot be opened or are larger than most_bytes, and for what is wrong inside
/// an HDF5 file. Cost: the text and the mesh in memory, 5 to 11 ns a byte of text.
MeshData read_mesh(std::filesystem::path const& path, MeshReadOptions const& options = {});

/// Writes a mesh; text with as many digits as bring every coordinate back bit for bit, the order of nodes, triangles
/// and edges kept. Medit keeps no names; SU2 keeps neither regions nor the numbers of boundaries with names, and lists
/// edges by their labels; the Gmsh formats need labels from 1. XDMF: an HDF5 file of the same stem beside it holds the
/// numbers. Errors: std::invalid_argument for a mesh with indices out of range, or that the format cannot hold, and
/// for an XDMF file whose name ends in .h5; FileError.
void write_mesh(std::filesystem::path const& path, MeshData const& mesh, MeshWriteOptions const& options = {});

/// A mesh and values at its nodes in an XDMF file and its HDF5 file, the fields under /fields. ParaView shows fields of
/// one and three components; those of two are written with a third that is zero. Errors: as above, and
/// std::invalid_argument for fields of other components or lengths, or of the same name.
void write_mesh(std::filesystem::path const& path, MeshData const& mesh, std::vector<NodalField> const& fields,
                MeshWriteOptions const& options = {});

/// The fields at the `nodes` nodes of a mesh: of a Medit .sol file (two dimensions; named "1", "2", ... in their
/// order; tensors have three components), or of an XDMF file (those in its first grid of triangles). Errors as for
/// read_mesh(), values that are not finite among them.
std::vector<NodalField> read_fields(std::filesystem::path const& path, std::size_t nodes);

/// Fields as a Medit .sol file, which keeps no names. One to three components: scalar, vector, symmetric tensor.
/// Errors: std::invalid_argument for other numbers of components, fields of different lengths, values that are not
/// finite.
void write_sol(std::filesystem::path const& path, std::vector<NodalField> const& fields,
               Overwrite overwrite = Overwrite::no);

/// The mesh as datasets in a group of an HDF5 file: nodes (n, 2), triangles (m, 3), regions (m), edges (e, 2),
/// edge_labels (e), all int32 but nodes, which are float64; region_names and boundary_names, texts with a line "label
/// name" for each.
void write_mesh(Hdf5File& file, std::string_view group, MeshData const& mesh);
/// And back, checked like any file, clockwise triangles refused.
MeshData read_mesh(Hdf5File const& file, std::string_view group);

}  // namespace karman
