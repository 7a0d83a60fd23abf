// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "mesh_of_file.hpp"

#include "common/case/texts.hpp"
#include "mesh_options_json.hpp"
#include <karman/core/error.hpp>
#include <karman/io/case_options.hpp>
#include <karman/io/config.hpp>
#include <karman/io/error.hpp>
#include <karman/io/mesh_files.hpp>
#include <karman/mesh/coinciding_nodes.hpp>
#include <karman/mesh/mesh_checks.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <limits>
#include <optional>
#include <stdexcept>

namespace karman::app {
namespace {

/// Largest label of the boundaries.
int last_label(MeshData const& mesh) {
  int label = 0;
  for (int const used : mesh.edge_labels) label = std::max(label, used);
  for (auto const& [named, ignored] : mesh.boundary_names) label = std::max(label, named);
  require(label < std::numeric_limits<int>::max() - 1, "mesh_of_file: no free label for unlabelled edges");
  return label;
}

/// Refuses meshes that solvers cannot use, and names boundary edges that the file does not list.
void finish(MeshData& mesh, std::filesystem::path const& file) {
  MeshReport const report = check_mesh(mesh);
  if (!report.good()) {
    std::vector<CaseProblem> problems;
    for (MeshProblem const& problem : report.problems) problems.push_back({"", "", problem.message, "", 0});
    throw CaseError(file.string(), problems);
  }
  if (report.unlisted_edges == 0) return;
  int const unnamed = last_label(mesh) + 1, seam = unnamed + 1;
  complete_boundary(mesh, unnamed);
  std::vector<bool> const coincides = coinciding_edges(mesh, coincidence_tolerance(mesh));
  for (std::size_t e = 0; e < mesh.edges.size(); ++e) {
    int& label = mesh.edge_labels[e];
    if (label == unnamed && coincides[e]) label = seam;
    if (label == unnamed) mesh.boundary_names[unnamed] = "unnamed";
    if (label == seam) mesh.boundary_names[seam] = "seam";
  }
}

/// Tolerance of `/mesh/merge`; empty: none.
std::optional<double> merge_tolerance(Case const& input, MeshData const& mesh) {
  auto const& given = input.json().at("mesh").at("merge");
  if (given.is_number()) return given.get<double>();
  if (given.get<bool>()) return coincidence_tolerance(mesh);
  return {};
}

void merge(Case const& input, UnusedNodes unused, MeshData& mesh, std::vector<std::string>& remarks) {
  std::optional<double> const tolerance = merge_tolerance(input, mesh);
  if (!tolerance) return;
  if (unused == UnusedNodes::keep)
    throw input.error("/mesh/merge", "expected false: values of a file belong to the nodes before they are joined");
  try {
    std::size_t const merged = merge_nodes(mesh, *tolerance);
    remarks.push_back(formatted("mesh: %zu nodes joined with others at the same place, to %.3g", merged, *tolerance));
  } catch (std::invalid_argument const& error) {
    std::string reason = reason_of(error);
    if (auto const begin = reason.find(": "); begin != std::string::npos) reason.erase(0, begin + 2);
    throw input.error("/mesh/merge", "expected a smaller distance: " + reason);
  }
}

/// Applies `/mesh/scale` and `/mesh/flip`.
void transform(Case const& input, MeshData& mesh) {
  auto const& given = input.json().at("mesh").at("scale");
  std::array<double, 2> factor{1, 1};
  if (given.is_number()) factor.fill(given.get<double>());
  else factor = input.get<std::array<double, 2>>("/mesh/scale");
  auto const flip = input.get<std::string>("/mesh/flip");
  if (flip == "x") factor[0] = -factor[0];
  if (flip == "y") factor[1] = -factor[1];
  for (auto& node : mesh.nodes) node = {factor[0] * node[0], factor[1] * node[1]};
  if (flip == "none") return;
  for (auto& triangle : mesh.triangles) std::swap(triangle[1], triangle[2]);
  for (auto& edge : mesh.edges) std::swap(edge[0], edge[1]);
}

}  // namespace

std::filesystem::path file_of(Case const& input, std::string const& pointer) {
  std::filesystem::path const file = input.get<std::string>(pointer);
  return file.is_absolute() ? file : std::filesystem::path(input.source()).parent_path() / file;
}

MeshData mesh_of_file(Case const& input, UnusedNodes unused, std::vector<std::string>& remarks) {
  std::filesystem::path const file = file_of(input, "/mesh/file");
  std::vector<std::string> found;
  MeshReadOptions options;
  options.orient = true;
  options.ignore_z = true;
  options.zone = input.get<int>("/mesh/zone");
  options.plane = read_options<MeshPlane>(input, "/mesh/plane");
  options.drop_unused = unused == UnusedNodes::drop;
  options.remarks = &found;
  MeshData mesh = read_mesh(file, options);
  for (std::string const& remark : found) remarks.push_back("mesh: " + remark);
  merge(input, unused, mesh, remarks);
  transform(input, mesh);
  finish(mesh, file);
  return mesh;
}

}  // namespace karman::app
