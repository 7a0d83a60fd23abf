// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "case_depth.hpp"

#include "../expression.hpp"
#include "../run_support.hpp"
#include "scattered_depth.hpp"
#include <karman/io/config.hpp>
#include <karman/io/error.hpp>
#include <karman/io/hdf5_file.hpp>
#include <karman/io/mesh_files.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <optional>

namespace karman::waves {
namespace {

using app::formatted;

constexpr char const* depth_pointer = "/bathymetry/depth";

std::vector<double> from_formula(Case const& input, MeshData const& mesh) {
  auto low = mesh.nodes.front(), high = low;
  for (auto const& node : mesh.nodes) {
    for (std::size_t axis = 0; axis < 2; ++axis) {
      low[axis] = std::min(low[axis], node[axis]);
      high[axis] = std::max(high[axis], node[axis]);
    }
  }
  std::optional<app::Expression> formula;
  try {
    formula.emplace(input.get<std::string>(depth_pointer), "xy",
                    app::ExpressionConstants{{high[0] - low[0], high[1] - low[1], 0}});
  } catch (app::ExpressionError const& error) {
    std::string const where =
        error.position() > 0 ? " (character " + std::to_string(error.position()) + ")" : std::string();
    throw input.error(depth_pointer, app::allowed_words("xy") + ": " + error.what() + where);
  }
  std::vector<double> depth;
  depth.reserve(mesh.nodes.size());
  for (auto const& node : mesh.nodes) depth.push_back((*formula)({node[0], node[1], 0, 0}));
  return depth;
}

std::vector<double> from_soundings(Case const& input, CaseMesh const& mesh, std::vector<std::string>& remarks) {
  auto const file = file_of(input, std::string(depth_pointer) + "/file");
  Soundings soundings = read_soundings(file);
  for (auto& point : soundings.points) point = mesh.map(point);
  std::size_t const count = soundings.values.size();
  ScatteredDepth const between(std::move(soundings));
  bool const refuse = input.get<std::string>(std::string(depth_pointer) + "/outside") == "refuse";
  std::vector<double> depth;
  depth.reserve(mesh.mesh.nodes.size());
  std::size_t outside = 0;
  double farthest = 0;
  for (std::size_t n = 0; n < mesh.mesh.nodes.size(); ++n) {
    auto const& node = mesh.mesh.nodes[n];
    auto const value = between.at(node);
    depth.push_back(value.depth);
    if (!value.outside) continue;
    if (refuse) {
      throw input.error(
          std::string(depth_pointer) + "/outside",
          formatted("expected soundings around all nodes: node %zu at (%.10g, %.10g) lies outside, %.3g m "
                    "from the nearest",
                    n, node[0], node[1], value.distance));
    }
    ++outside;
    farthest = std::max(farthest, value.distance);
  }
  remarks.push_back(
      formatted("depth: interpolated between %zu soundings (weighted plane through the nearest twelve)", count));
  if (outside > 0) {
    remarks.push_back(
        formatted("depth: %zu of %zu nodes lie outside the soundings, at most %.4g m from one, and have the "
                  "depth of the nearest",
                  outside, depth.size(), farthest));
  }
  return depth;
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

std::vector<double> dataset_values(Case const& input, std::filesystem::path const& path) {
  std::string const pointer = std::string(depth_pointer) + "/dataset";
  auto const name = input.get<std::string>(pointer);
  Hdf5File const file = Hdf5File::open(path);
  if (name.front() != '/' || !file.exists(name)) throw input.error(pointer, "expected a dataset of " + path.string());
  DatasetInfo const info = file.info(name);
  if (info.type == ScalarType::float64) return file.read_vector<double>(name);
  if (info.type == ScalarType::float32) {
    auto const values = file.read_vector<float>(name);
    return {values.begin(), values.end()};
  }
  throw input.error(pointer, "expected float32 or float64, the dataset holds " + std::string(scalar_name(info.type)));
}

std::vector<double> from_file(Case const& input, MeshData const& mesh, std::vector<std::string>& remarks) {
  std::string const pointer = std::string(depth_pointer) + "/file";
  auto const path = file_of(input, pointer);
  auto const extension = path.extension().string();
  std::vector<double> values;
  if (extension == ".h5" || extension == ".hdf5") {
    values = dataset_values(input, path);
  } else if (extension == ".sol" || extension == ".xdmf" || extension == ".xmf") {
    auto fields = read_fields(path, mesh.nodes.size());
    if (fields.empty() || fields.front().components != 1)
      throw input.error(pointer, "expected a file whose first field has one value a node");
    values = std::move(fields.front().values);
  } else {
    throw input.error(pointer, "expected a file .sol, .xdmf or .h5");
  }
  if (values.size() == mesh.nodes.size()) return values;
  if (values.size() == mesh.triangles.size()) {
    remarks.push_back("depth: given for triangles, averaged to the nodes by area");
    return averaged(mesh, values);
  }
  throw input.error(pointer, formatted("expected %zu values, one a node, or %zu, one a triangle; the file has %zu",
                                       mesh.nodes.size(), mesh.triangles.size(), values.size()));
}

}  // namespace

std::vector<double> case_depth(Case const& input, CaseMesh const& mesh, std::vector<std::string>& remarks) {
  nlohmann::json const& given = input.json().at(nlohmann::json::json_pointer(depth_pointer));
  std::vector<double> depth;
  if (given.is_number()) {
    depth.assign(mesh.mesh.nodes.size(), given.get<double>());
  } else if (given.is_string()) {
    depth = from_formula(input, mesh.mesh);
  } else {
    bool const soundings = input.get<std::string>(std::string(depth_pointer) + "/kind") == "soundings";
    depth = soundings ? from_soundings(input, mesh, remarks) : from_file(input, mesh.mesh, remarks);
    if (input.get<std::string>(std::string(depth_pointer) + "/positive") == "up") {
      for (double& value : depth) value = -value;
    }
  }
  double const tide = input.get<double>("/bathymetry/tide");
  double const least = input.has("/bathymetry/least_depth") ? input.get<double>("/bathymetry/least_depth") : 0;
  std::size_t raised = 0, dry = 0, first = 0;
  for (std::size_t n = 0; n < depth.size(); ++n) {
    auto const& node = mesh.mesh.nodes[n];
    if (!std::isfinite(depth[n])) {
      throw input.error(depth_pointer,
                        formatted("expected finite depths, found %g at node %zu, (x, y) = (%.10g, %.10g)", depth[n], n,
                                  node[0], node[1]));
    }
    depth[n] += tide;
    if (least > 0 && depth[n] < least) {
      depth[n] = least;
      ++raised;
    } else if (!(depth[n] > 0) && dry++ == 0) {
      first = n;
    }
  }
  if (dry > 0) {
    auto const& node = mesh.mesh.nodes[first];
    throw input.error(
        depth_pointer,
        formatted("expected water everywhere; %zu of %zu nodes are dry with the tide, the first node %zu, "
                  "%.6g m at (x, y) = (%.10g, %.10g); /bathymetry/least_depth would make them wet",
                  dry, depth.size(), first, depth[first], node[0], node[1]));
  }
  if (raised > 0) {
    remarks.push_back(formatted("depth: %zu of %zu nodes were shallower than %g m and were made that deep", raised,
                                depth.size(), least));
  }
  return depth;
}

}  // namespace karman::waves
