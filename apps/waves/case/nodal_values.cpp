// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "nodal_values.hpp"

#include "common/case/expression.hpp"
#include "common/case/texts.hpp"
#include "common/mesh/mesh_of_file.hpp"
#include "common/mesh/named_labels.hpp"
#include <karman/io/hdf5_file.hpp>
#include <karman/io/mesh_files.hpp>
#include <karman/mesh/mesh_refinement.hpp>
#include <karman/mesh/plane_box.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>
#include <stdexcept>
#include <utility>

namespace karman::waves {
namespace {

using app::formatted;

nlohmann::json const& member(Case const& input, std::string const& pointer) {
  return input.json().at(nlohmann::json::json_pointer(pointer));
}

std::vector<double> from_formula(Case const& input, std::string const& pointer, MeshData const& mesh) {
  PlaneBox const box(mesh.nodes);
  std::optional<app::Expression> formula;
  try {
    formula.emplace(input.get<std::string>(pointer), "xy", app::ExpressionConstants{{box.width(), box.height(), 0}});
  } catch (app::ExpressionError const& error) {
    std::string const where =
        error.position() > 0 ? " (character " + std::to_string(error.position()) + ")" : std::string();
    throw input.error(pointer, app::allowed_words("xy") + ": " + error.what() + where);
  }
  std::vector<double> values;
  values.reserve(mesh.nodes.size());
  for (auto const& node : mesh.nodes) values.push_back((*formula)({node[0], node[1], 0, 0}));
  return values;
}

/// Values of triangles at the nodes: the mean over the triangles around a node, by area.
std::vector<double> averaged(MeshData const& mesh, std::vector<double> const& values) {
  std::vector<double> sum(mesh.nodes.size(), 0), weight(mesh.nodes.size(), 0);
  for (std::size_t n = 0; n < mesh.triangles.size(); ++n) {
    auto const& triangle = mesh.triangles[n];
    auto const& a = mesh.nodes[static_cast<std::size_t>(triangle[0])];
    auto const& b = mesh.nodes[static_cast<std::size_t>(triangle[1])];
    auto const& c = mesh.nodes[static_cast<std::size_t>(triangle[2])];
    double const area = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
    for (int node : triangle) {
      sum[static_cast<std::size_t>(node)] += area * values[n];
      weight[static_cast<std::size_t>(node)] += area;
    }
  }
  for (std::size_t n = 0; n < sum.size(); ++n) sum[n] /= weight[n];
  return sum;
}

/// False for a name that HDF5 cannot have, too.
bool has_dataset(Hdf5File const& file, std::string const& name) {
  try {
    return file.exists(name);
  } catch (std::invalid_argument const&) {
    return false;
  }
}

std::vector<double> dataset_values(Case const& input, std::string const& pointer, std::filesystem::path const& path) {
  auto const name = input.get<std::string>(pointer);
  Hdf5File const file = Hdf5File::open(path);
  if (!has_dataset(file, name))
    throw input.error(pointer, "expected the absolute name of a dataset in " + path.string() + ", such as /depth");
  DatasetInfo const info = file.info(name);
  if (info.type == ScalarType::float64) return file.read_vector<double>(name);
  if (info.type == ScalarType::float32) {
    auto const values = file.read_vector<float>(name);
    return {values.begin(), values.end()};
  }
  throw input.error(pointer, "expected float32 or float64, found " + std::string(scalar_name(info.type)));
}

/// The field of a file that `dataset` names, else the depth of one of TELEMAC, else the first.
std::vector<double> field_values(Case const& input, std::string const& at, std::filesystem::path const& path,
                                 MeshData const& mesh) {
  auto fields = read_fields(path, mesh.nodes.size(), mesh.triangles.size());
  if (fields.empty()) throw input.error(at + "/file", "expected a file with a field");
  std::string name = input.get<std::string>(at + "/dataset");
  name.erase(0, name.find_first_not_of('/'));
  auto const called = [&](std::string const& wanted) {
    return std::find_if(fields.begin(), fields.end(), [&](NodalField const& field) { return field.name == wanted; });
  };
  auto chosen = called(name);
  std::map<std::string, std::vector<std::string>> const usual{
      {"depth", {"WATER DEPTH", "HAUTEUR D'EAU", "BOTTOM", "FOND"}}, {"friction", {"BOTTOM FRICTION", "FROTTEMENT"}}};
  if (auto const names = usual.find(name); names != usual.end()) {
    for (std::string const& wanted : names->second) {
      if (chosen == fields.end()) chosen = called(wanted);
    }
  }
  if (chosen == fields.end() && usual.count(name) == 0) {
    std::string known;
    for (NodalField const& field : fields) known += (known.empty() ? "" : ", ") + field.name;
    throw input.error(at + "/dataset", "expected a field of " + path.string() + ": " + known);
  }
  if (chosen == fields.end()) chosen = fields.begin();
  bool const is_bottom = chosen->name == "BOTTOM" || chosen->name == "FOND";
  if (is_bottom && input.has(at + "/positive") && input.get<std::string>(at + "/positive") == "down")
    throw input.error(at + "/positive", "expected \"up\" for the field " + chosen->name + " of TELEMAC, an elevation");
  if (chosen->components != 1)
    throw input.error(at + "/file", "expected a field with one value per node, found " + chosen->name);
  return std::move(chosen->values);
}

std::vector<double> from_file(Case const& input, std::string const& at, MeshData const& mesh, std::string const& what,
                              std::vector<std::string>& remarks) {
  std::string const pointer = at + "/file";
  auto const path = app::file_of(input, pointer);
  auto const extension = path.extension().string();
  constexpr std::array kinds{".sol", ".xdmf", ".xmf", ".slf", ".sel", ".srf", ".14", ".grd"};
  std::vector<double> values;
  if (extension == ".h5" || extension == ".hdf5") {
    values = dataset_values(input, at + "/dataset", path);
  } else if (std::find(kinds.begin(), kinds.end(), extension) != kinds.end()) {
    values = field_values(input, at, path, mesh);
  } else {
    throw input.error(pointer, "expected a .sol, .xdmf, .h5, .slf, .14 or .grd file");
  }
  if (values.size() == mesh.nodes.size()) return values;
  if (values.size() == mesh.triangles.size()) {
    remarks.push_back(what + ": triangle values averaged to the nodes by area");
    return averaged(mesh, values);
  }
  throw input.error(pointer, formatted("expected %zu values (one per node) or %zu (one per triangle), found %zu",
                                       mesh.nodes.size(), mesh.triangles.size(), values.size()));
}

std::vector<double> refined_from_file(Case const& input, std::string const& at, CaseMesh const& mesh,
                                      std::string const& what, std::vector<std::string>& remarks) {
  bool const refined = !mesh.parents.empty();
  auto values = from_file(input, at, refined ? mesh.unrefined : mesh.mesh, what, remarks);
  for (auto const& parents : mesh.parents) values = refined_values(std::move(values), parents);
  return values;
}

std::vector<double> from_regions(Case const& input, std::string const& pointer, MeshData const& mesh) {
  std::vector<CaseProblem> problems;
  auto const members =
      app::members_of_labels(input, pointer + "/values", {mesh.regions, mesh.region_names, "region"}, problems);
  if (!problems.empty()) throw CaseError(input.source(), problems);
  std::map<int, double> value;
  for (auto const& [region, given] : members) value[region] = input.get<double>(given);
  std::vector<double> of_triangles;
  of_triangles.reserve(mesh.regions.size());
  for (int const region : mesh.regions) of_triangles.push_back(value.at(region));
  return averaged(mesh, of_triangles);
}

}  // namespace

bool has_values_of_file(Case const& input, std::string const& pointer) {
  return input.has(pointer) && member(input, pointer).is_object() &&
         input.get<std::string>(pointer + "/kind") == "file";
}

std::vector<double> nodal_values(Case const& input, std::string const& pointer, CaseMesh const& case_mesh,
                                 std::string const& what, std::vector<std::string>& remarks) {
  nlohmann::json const& given = member(input, pointer);
  MeshData const& mesh = case_mesh.mesh;
  std::vector<double> values;
  if (given.is_number()) values.assign(mesh.nodes.size(), given.get<double>());
  else if (given.is_string()) values = from_formula(input, pointer, mesh);
  else if (has_values_of_file(input, pointer)) values = refined_from_file(input, pointer, case_mesh, what, remarks);
  else values = from_regions(input, pointer, mesh);
  for (std::size_t n = 0; n < values.size(); ++n) {
    if (std::isfinite(values[n])) continue;
    throw input.error(pointer, formatted("expected finite values, found %g at node %zu, (x, y) = ", values[n], n) +
                                   app::place_text(mesh.nodes[n][0], mesh.nodes[n][1]));
  }
  return values;
}

}  // namespace karman::waves
