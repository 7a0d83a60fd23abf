// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "mesh_of_file.hpp"

#include <karman/core/error.hpp>
#include <karman/io/config.hpp>
#include <karman/io/error.hpp>
#include <karman/io/mesh_files.hpp>
#include <karman/mesh/mesh_checks.hpp>

#include <algorithm>
#include <limits>

namespace karman::app {
namespace {

/// Refuses meshes that solvers cannot use, and names boundary edges that the file does not list.
void finish(MeshData& mesh, std::filesystem::path const& file) {
  MeshReport const report = check_mesh(mesh);
  if (!report.good()) {
    std::vector<CaseProblem> problems;
    for (MeshProblem const& problem : report.problems) problems.push_back({"", "", problem.message, "", 0});
    throw CaseError(file.string(), problems);
  }
  if (report.unlisted_edges == 0) return;
  int label = 0;
  for (int used : mesh.edge_labels) label = std::max(label, used);
  for (auto const& [named, ignored] : mesh.boundary_names) label = std::max(label, named);
  require(label < std::numeric_limits<int>::max(), "mesh_of_file: no free label for unlabelled edges");
  complete_boundary(mesh, label + 1);
  mesh.boundary_names[label + 1] = "unnamed";
}

}  // namespace

std::filesystem::path file_of(Case const& input, std::string const& pointer) {
  std::filesystem::path const file = input.get<std::string>(pointer);
  return file.is_absolute() ? file : std::filesystem::path(input.source()).parent_path() / file;
}

MeshData mesh_of_file(std::filesystem::path const& file, UnusedNodes unused, std::vector<std::string>& remarks) {
  std::vector<std::string> found;
  MeshReadOptions options;
  options.orient = true;
  options.ignore_z = true;
  options.drop_unused = unused == UnusedNodes::drop;
  options.remarks = &found;
  MeshData mesh = read_mesh(file, options);
  for (std::string const& remark : found) remarks.push_back("mesh: " + remark);
  finish(mesh, file);
  return mesh;
}

}  // namespace karman::app
