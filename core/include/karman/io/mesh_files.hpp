// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Files of triangle meshes, and of values at their nodes.
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

/// File format, with its public reference.
enum class MeshFormat {
  by_extension,  ///< .msh (4.1 when written), .mesh, .su2, .xdmf, .xmf, .slf, .14, .grd or .cgns
  gmsh_2_2,      ///< Gmsh reference manual, "MSH file format version 2 (Legacy)": ASCII
  gmsh_4_1,      ///< Gmsh reference manual, "MSH file format": version 4.1, ASCII; binary files are read
  medit,         ///< P. Frey, MEDIT, INRIA technical report 253 (2001): .mesh
  su2,           ///< SU2 documentation, "Mesh File": .su2
  xdmf,          ///< xdmf.org, "XDMF Model and Format": text, with numbers in an HDF5 file or in the text
  freefem,       ///< FreeFEM documentation, "Mesh Generation": .msh of savemesh(); only read
  selafin,       ///< TELEMAC user manual, appendix "SERAFIN format": .slf, with the .cli file beside it
  adcirc,        ///< ADCIRC user's manual, "Grid and Boundary Information File (fort.14)": .14, .grd; only read
  cgns           ///< CGNS, "Standard Interface Data Structures" in HDF5: .cgns; only read
};

/// Plane of a mesh in space.
enum class MeshPlane {
  xy,  ///< the first two coordinates
  xz,  ///< the first and the third one
  yz   ///< the second and the third one
};

/// Values at the nodes, the components of a node side by side.
struct NodalField {
  std::string name;            ///< name of the field
  int components = 1;          ///< components per node
  std::vector<double> values;  ///< node by node
  bool at_triangles = false;   ///< values per triangle instead, triangle by triangle
};

/// Options of read_mesh().
struct MeshReadOptions {
  MeshFormat format = MeshFormat::by_extension;  ///< .msh: the version in the file
  bool orient = false;                           ///< turns clockwise triangles; otherwise they are an error
  bool ignore_z = false;  ///< drops the third coordinate; otherwise it must be constant to 1e-9 of the size of the mesh
  MeshPlane plane = MeshPlane::xy;                ///< coordinates that become x and y; the third is the remaining one
  int zone = 1;                                   ///< zone of an SU2 or CGNS file, from 1
  bool drop_unused = false;                       ///< drops nodes of no triangle; the others keep their order
  std::size_t most_bytes = std::size_t{1} << 36;  ///< greatest size of the file
  std::vector<std::string>* remarks =
      nullptr;  ///< receives one line per kind of content that was passed over or changed
};

/// Options of write_mesh().
struct MeshWriteOptions {
  MeshFormat format = MeshFormat::by_extension;  ///< file format
  Overwrite overwrite = Overwrite::no;           ///< permission to replace an existing file
  bool single_precision = false;                 ///< numbers of SELAFIN as float; other formats keep all digits
};

/// Reads a mesh: triangles, regions, and the listed boundary edges, with labels and names.
///
/// - Gmsh: lines, triangles and quadrangles; points are dropped. Labels are physical groups, the first of several.
/// Names
///   are those of the groups, without blanks at their ends. Where no line (or no triangle) is in a group, labels are
///   the tags of the geometric entities, without names. Version 4.1 is text, or bytes of either order.
/// - FreeFEM: a .msh file that begins with a number; labels, no names.
/// - Medit: `Triangles` and `Edges`, references as labels, no names. Other legal sections are skipped.
/// - SU2: elements of type 5, 9 and 3 of one zone. A boundary takes its tag as number if that is one. Other boundaries
///   take the next free number from 1, in the order of the markers, and their tag as name. The region is 1. Other
///   sections are skipped.
/// - XDMF: the first grid of triangles or quadrilaterals. Labels are attributes of its cells and grids of tags at its
///   nodes. Files of write_mesh() have regions, boundary edges and names beside it.
/// - SELAFIN: boundary edges between nodes of the .cli file, labelled 100 LIHBOR + 10 LIUBOR + LIVBOR. The region is 1.
/// - ADCIRC: boundaries named by kind, open ones each by its number. The region is 1.
/// - CGNS: one unstructured zone of the first base, by name. Boundaries are the conditions of the zone (BC_t), or
///   sections of lines without one, numbered from 1. Coordinates with a stated unit become metres. The region is 1.
///
/// Quadrilaterals become two triangles each, by the diagonal whose triangles are better. Elements of higher order give
/// their linear part; nodes between corners are dropped. Exponents of Fortran are read. Boundary edges are turned
/// so that the domain lies on their left. Listed edges between two triangles are dropped, and those listed before.
/// Edges missing in the file stay missing; complete_boundary() of karman/mesh/mesh_checks.hpp labels them.
///
/// The file is untrusted. Every count is compared with the size of the file before memory is allocated, every number
/// with its range. Coordinates must be finite and below 1e100, and every triangle needs an area, as in check_mesh().
/// All other requirements of check_mesh() remain unchecked.
/// \param path file
/// \param options format and corrections
/// \return the mesh
/// \par Cost
/// The text and the mesh in memory, 5 to 10 ns per byte of text.
/// \throws CaseError (exit code 2) on one line with file, line and requirement
/// \throws FileError (exit code 4) for files that cannot be opened or exceed most_bytes, and for bad content of HDF5
/// files
MeshData read_mesh(std::filesystem::path const& path, MeshReadOptions const& options = {});

/// Writes a mesh. Text has enough digits to restore every coordinate bit for bit. Nodes, triangles and edges keep their
/// order.
///
/// - Medit has no names.
/// - SU2 has neither regions nor the numbers of named boundaries, and lists edges by their labels.
/// - Gmsh needs labels from 1.
/// - SELAFIN has neither regions nor names, and writes a .cli file beside it. Labels from 100 to 999 are codes of its
///   nodes, all others become 222. A single edge of a wall between open ones becomes open.
/// - XDMF stores the numbers in an HDF5 file of the same stem beside it.
///
/// \param path file
/// \param mesh mesh with indices in range
/// \param options format and permission to overwrite
/// \throws std::invalid_argument for a mesh that the format cannot hold, and for an XDMF file whose name ends in .h5
/// \throws FileError for any failure of the file system
void write_mesh(std::filesystem::path const& path, MeshData const& mesh, MeshWriteOptions const& options = {});

/// Writes a mesh and values at its nodes as an XDMF file and its HDF5 file, the fields under /fields, or as a SELAFIN
/// file. ParaView shows fields of one and three components. Fields of two components get a third one of zeros.
/// \param path XDMF or SELAFIN file
/// \param mesh mesh with indices in range
/// \param fields fields with different names: of one to three components, in SELAFIN of one and names of 16 bytes
/// \param options format and permission to overwrite
/// \throws std::invalid_argument for bad fields, and as above
/// \throws FileError for any failure of the file system
void write_mesh(std::filesystem::path const& path, MeshData const& mesh, std::vector<NodalField> const& fields,
                MeshWriteOptions const& options = {});

/// Reads fields of a mesh. Fields of a Medit .sol file (two dimensions) are named "1", "2", ... in their order; tensors
/// have three components. In an XDMF file they belong to the first grid of triangles. A SELAFIN file gives its last
/// frame, an ADCIRC grid the field "depth".
/// \param path file: .sol, .xdmf, .xmf, .slf, .14 or .grd
/// \param nodes number of nodes of the mesh
/// \param triangles number of its triangles, where fields at triangles are wanted too (.sol, XDMF); 0: none
/// \return the fields; fields of XDMF at triangles follow fields at nodes
/// \throws CaseError as read_mesh(), and for values that are not finite
/// \throws FileError as read_mesh()
std::vector<NodalField> read_fields(std::filesystem::path const& path, std::size_t nodes, std::size_t triangles = 0);

/// Writes fields as a Medit .sol file, which has no names.
/// \param path file
/// \param fields fields of one to three components: scalar, vector, symmetric tensor
/// \param overwrite permission to replace an existing file
/// \throws std::invalid_argument for other numbers of components, different lengths, or values that are not finite
/// \throws FileError for any failure of the file system
void write_sol(std::filesystem::path const& path, std::vector<NodalField> const& fields,
               Overwrite overwrite = Overwrite::no);

/// Writes a mesh as datasets in a group of an HDF5 file. The datasets are nodes (n, 2) of float64, and triangles (m,
/// 3), regions (m), edges (e, 2), edge_labels (e) of int32. The texts region_names and boundary_names have one line
/// "label name" per label.
void write_mesh(Hdf5File& file, std::string_view group, MeshData const& mesh);
/// Reads a mesh from a group of an HDF5 file. Checked as any file; clockwise triangles are an error.
MeshData read_mesh(Hdf5File const& file, std::string_view group);

}  // namespace karman
