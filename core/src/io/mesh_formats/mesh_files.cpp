// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "mesh_text.hpp"
#include <karman/io/error.hpp>
#include <karman/io/mesh_files.hpp>

#include <stdexcept>

namespace karman {
namespace {

MeshFormat format_of(std::filesystem::path const& path, MeshFormat asked) {
  if (asked != MeshFormat::by_extension) return asked;
  std::string const extension = path.extension().string();
  if (extension == ".msh") return MeshFormat::gmsh_4_1;
  if (extension == ".mesh") return MeshFormat::medit;
  if (extension == ".su2") return MeshFormat::su2;
  if (extension == ".xdmf" || extension == ".xmf") return MeshFormat::xdmf;
  if (extension == ".slf" || extension == ".sel" || extension == ".srf") return MeshFormat::selafin;
  if (extension == ".14" || extension == ".grd") return MeshFormat::adcirc;
  if (extension == ".cgns") return MeshFormat::cgns;
  CaseProblem problem;
  problem.value = extension.empty() ? "no extension" : extension;
  if (extension == ".vtu" || extension == ".vtk") {
    std::string const stem = path.stem().string();
    problem.expected =
        "files of VTK are not read; convert it: meshio convert " + stem + extension + ' ' + stem + ".xdmf";
    throw CaseError(path.string(), {problem});
  }
  problem.expected =
      "expected a mesh: .msh (Gmsh, FreeFEM), .mesh (Medit), .su2, .xdmf, .xmf, .slf (TELEMAC), .14 or .grd (ADCIRC), "
      ".cgns";
  throw CaseError(path.string(), {problem});
}

}  // namespace

MeshData read_mesh(std::filesystem::path const& path, MeshReadOptions const& options) {
  MeshFormat const format = format_of(path, options.format);
  if (format == MeshFormat::xdmf) return detail::read_xdmf(path, options);
  if (format == MeshFormat::selafin) return detail::read_selafin(path, options);
  if (format == MeshFormat::cgns) return detail::read_cgns(path, options);
  detail::MeshText text(path, options.most_bytes,
                        format == MeshFormat::medit ? '#'
                        : format == MeshFormat::su2 ? '%'
                                                    : '\0');
  if (format == MeshFormat::medit) return detail::read_medit(text, options);
  if (format == MeshFormat::su2) return detail::read_su2(text, options);
  if (format == MeshFormat::adcirc) return detail::read_adcirc(text, options);
  if (format == MeshFormat::freefem || (options.format == MeshFormat::by_extension && detail::is_freefem(text)))
    return detail::read_freefem(text, options);
  return detail::read_gmsh(text, options);
}

void write_mesh(std::filesystem::path const& path, MeshData const& mesh, MeshWriteOptions const& options) {
  detail::require_writable(mesh);
  MeshFormat const format = format_of(path, options.format);
  if (format == MeshFormat::freefem || format == MeshFormat::adcirc || format == MeshFormat::cgns)
    throw std::invalid_argument("write_mesh: this format is only read; write .msh, .mesh, .su2, .xdmf or .slf");
  if (format == MeshFormat::xdmf) return detail::write_xdmf(path, mesh, {}, options.overwrite);
  if (format == MeshFormat::selafin) return detail::write_selafin(path, mesh, {}, options);
  AtomicFile file(path, options.overwrite);
  switch (format) {
    case MeshFormat::gmsh_2_2: detail::write_gmsh_2_2(file, mesh); break;
    case MeshFormat::medit: detail::write_medit(file, mesh); break;
    case MeshFormat::su2: detail::write_su2(file, mesh); break;
    default: detail::write_gmsh_4_1(file, mesh);
  }
  file.commit();
}

void write_mesh(std::filesystem::path const& path, MeshData const& mesh, std::vector<NodalField> const& fields,
                MeshWriteOptions const& options) {
  detail::require_writable(mesh);
  MeshFormat const format = format_of(path, options.format);
  if (format == MeshFormat::selafin) return detail::write_selafin(path, mesh, fields, options);
  if (format != MeshFormat::xdmf)
    throw std::invalid_argument("write_mesh: only XDMF and SELAFIN store fields with a mesh; use write_sol for Medit");
  detail::write_xdmf(path, mesh, fields, options.overwrite);
}

std::vector<NodalField> read_fields(std::filesystem::path const& path, std::size_t nodes, std::size_t triangles) {
  if (path.extension() == ".sol") {
    detail::MeshText text(path, MeshReadOptions{}.most_bytes, '#');
    return detail::read_sol(text, nodes, triangles);
  }
  MeshFormat const format = format_of(path, MeshFormat::by_extension);
  if (format == MeshFormat::xdmf) return detail::read_xdmf_fields(path, nodes, triangles);
  if (format == MeshFormat::selafin) return detail::read_selafin_fields(path, nodes);
  if (format == MeshFormat::adcirc) {
    detail::MeshText text(path, MeshReadOptions{}.most_bytes);
    return detail::read_adcirc_depth(text, nodes);
  }
  CaseProblem problem;
  problem.value = path.extension().string();
  problem.expected = "expected a file of fields: .sol, .xdmf, .xmf, .slf, .14 or .grd";
  throw CaseError(path.string(), {problem});
}

}  // namespace karman
