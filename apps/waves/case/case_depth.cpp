// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "case_depth.hpp"

#include "common/case/texts.hpp"
#include "common/mesh/mesh_of_file.hpp"
#include "nodal_values.hpp"
#include "scattered_depth.hpp"
#include <karman/io/config.hpp>
#include <karman/io/error.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <limits>

namespace karman::waves {
namespace {

using app::formatted;

constexpr char const* depth_pointer = "/bathymetry/depth";

std::vector<double> from_soundings(Case const& input, CaseMesh const& mesh, std::vector<std::string>& remarks) {
  auto const file = app::file_of(input, std::string(depth_pointer) + "/file");
  Soundings soundings = read_soundings(file);
  for (auto& point : soundings.points) point = mesh.map(point);
  std::size_t const count = soundings.values.size();
  ScatteredDepth const between(std::move(soundings));
  bool const refuse = input.get<std::string>(std::string(depth_pointer) + "/outside") == "refuse";
  std::vector<double> depth;
  depth.reserve(mesh.mesh.nodes.size());
  std::size_t outside = 0;
  double farthest = 0, nearest = std::numeric_limits<double>::infinity();
  for (std::size_t n = 0; n < mesh.mesh.nodes.size(); ++n) {
    auto const& node = mesh.mesh.nodes[n];
    auto const value = between.at(node);
    depth.push_back(value.depth);
    if (!value.outside) continue;
    if (refuse) {
      throw input.error(
          std::string(depth_pointer) + "/outside",
          formatted("node %zu at ", n) + app::place_text(node[0], node[1]) +
              formatted(" lies outside the soundings, %.3g m from the nearest; add soundings or set \"nearest\"",
                        value.distance));
    }
    ++outside;
    farthest = std::max(farthest, value.distance);
    nearest = std::min(nearest, value.distance);
  }
  if (outside == depth.size()) {
    throw input.error(
        std::string(depth_pointer) + "/file",
        formatted("none of %zu nodes lies between the %zu soundings, all at least %.4g m away; use the same "
                  "coordinates for mesh and soundings",
                  depth.size(), count, nearest));
  }
  remarks.push_back(
      formatted("depth: interpolated from %zu soundings (weighted plane through the nearest twelve)", count));
  if (outside > 0) {
    remarks.push_back(
        formatted("depth: %zu of %zu nodes lie outside the soundings (at most %.4g m) and take the nearest depth",
                  outside, depth.size(), farthest));
  }
  return depth;
}

}  // namespace

std::vector<double> case_depth(Case const& input, CaseMesh const& mesh, std::vector<std::string>& remarks) {
  nlohmann::json const& given = input.json().at(nlohmann::json::json_pointer(depth_pointer));
  bool const soundings =
      given.is_object() && input.get<std::string>(std::string(depth_pointer) + "/kind") == "soundings";
  std::vector<double> depth =
      soundings ? from_soundings(input, mesh, remarks) : nodal_values(input, depth_pointer, mesh, "depth", remarks);
  bool const from_file = given.is_object();
  bool const upward = from_file && input.get<std::string>(std::string(depth_pointer) + "/positive") == "up";
  if (upward) {
    for (double& value : depth) value = -value;
  }
  double const tide = input.get<double>("/bathymetry/tide");
  double const least = input.has("/bathymetry/least_depth") ? input.get<double>("/bathymetry/least_depth") : 0;
  std::size_t raised = 0, dry = 0, first = 0;
  for (std::size_t n = 0; n < depth.size(); ++n) {
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
    // Surveys have depths or heights; with the wrong sign the sea is land.
    bool const mostly = 2 * dry > depth.size();
    char const* const hint = !from_file || !mostly ? ""
                             : upward              ? "; leave \"positive\" out if the file has depths"
                                                   : "; set \"positive\": \"up\" if the file has heights";
    throw input.error(
        depth_pointer,
        formatted("expected positive depths; %zu of %zu nodes are dry with the tide, first node %zu: %.6g m at "
                  "(x, y) = ",
                  dry, depth.size(), first, depth[first]) +
            app::place_text(node[0], node[1]) + "; raise /bathymetry/tide or set /bathymetry/least_depth" + hint);
  }
  if (raised > 0) {
    remarks.push_back(
        formatted("depth: %zu of %zu nodes raised to the least depth of %g m", raised, depth.size(), least));
  }
  return depth;
}

}  // namespace karman::waves
