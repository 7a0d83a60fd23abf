// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "initial_file.hpp"

#include "common/case/texts.hpp"
#include "common/fields/host_field.hpp"
#include "common/mesh/mesh_of_file.hpp"
#include "common/mesh/mesh_transfer.hpp"
#include "file_faults.hpp"
#include <karman/io/config.hpp>
#include <karman/io/content_hash.hpp>
#include <karman/io/error.hpp>
#include <karman/io/hdf5_file.hpp>
#include <karman/io/mesh_files.hpp>
#include <karman/mesh/plane_box.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <utility>

namespace karman::euler {
namespace {

using app::formatted;
using nlohmann::json;
namespace fs = std::filesystem;

constexpr char const* pointer = "/initial/file";

/// Density, velocity and pressure of the nodes of another mesh.
struct OtherFlow {
  MeshData mesh;
  std::vector<EulerState> states;
  double gamma = 0;
  double largest_residual = 0;
  json reference = {};  ///< /flow of a march to a steady flow
};

/// The file, in messages.
struct Source {
  Case const& input;
  fs::path path;

  CaseError error(std::string const& expected) const {
    return input.error(pointer, "expected " + expected + ", in " + path.string());
  }
};

std::vector<double> read_field(Source const& source, Hdf5File const& file, std::string const& name,
                               ArrayExtents const& extents) {
  std::string const dataset = "/fields/" + name;
  if (!file.exists(dataset)) throw source.error("the field " + dataset + ", which /outputs/fields of that case keeps");
  DatasetInfo const info = file.info(dataset);
  if (info.extents != extents)
    throw source.error("extents " + extents.text() + " of " + dataset + ", found " + info.extents.text());
  if (info.type == ScalarType::float64) return file.read_vector<double>(dataset);
  if (info.type != ScalarType::float32) throw source.error("numbers of float32 or float64 as " + dataset);
  auto const values = file.read_vector<float>(dataset);
  return {values.begin(), values.end()};
}

/// Whether a case is a march to a steady flow: of residuals that fall.
bool is_steady(json const& other) {
  return other.is_object() && other.contains("time") && other.at("time").value("kind", "") == "steady";
}

OtherFlow of_result(Source const& source, Hdf5File const& file) {
  if (!file.exists("/mesh")) throw source.error("a result with its /mesh, euler.h5");
  OtherFlow flow;
  flow.gamma = file.read_double("/", "gamma");
  flow.mesh = read_mesh(file, "/mesh");
  std::size_t const nodes = flow.mesh.nodes.size();
  auto const density = read_field(source, file, "density", nodes),
             pressure = read_field(source, file, "pressure", nodes);
  auto const velocity = read_field(source, file, "velocity", {nodes, std::size_t{3}});
  flow.states.reserve(nodes);
  for (std::size_t n = 0; n < nodes; ++n)
    flow.states.push_back({density[n], {velocity[3 * n], velocity[3 * n + 1]}, pressure[n]});
  json const other = file.exists("/case") ? json::parse(file.read_text("/case"), nullptr, false) : json();
  if (is_steady(other) && file.exists("/history") && file.has_attribute("/history", largest_residual_name)) {
    flow.largest_residual = file.read_double("/history", largest_residual_name);
    flow.reference = other.value("flow", json());
  }
  return flow;
}

/// A checkpoint has no mesh: that of its case is made again. Its mesh file is looked for as that of the present case.
OtherFlow of_checkpoint(Source const& source, std::vector<std::string>& remarks) {
  Checkpoint const checkpoint = Checkpoint::open_latest(source.path, march_format());
  if (!checkpoint.warning().empty()) remarks.push_back(checkpoint.warning());
  std::string const path = checkpoint.path().string();
  OtherFlow flow;
  try {
    json const metadata = json::parse(checkpoint.metadata());
    json other = metadata.at("case");
    if (other.contains("motion")) throw source.error("a mesh at rest, or the result euler.h5 of a moving mesh");
    flow.gamma = other.at("gas").at("gamma").get<double>();
    if (is_steady(other)) flow.largest_residual = metadata.value(largest_residual_name, 0.0);
    flow.reference = other.value("flow", json());
    std::vector<std::string> of_other;
    try {
      if (other.at("time").value("sequencing", false)) other["mesh"]["refine"] = metadata.at("level");
      flow.mesh = mesh_of_case(Case::parse(other.dump(), source.input.source(), schema()), of_other);
    } catch (CaseError const& error) {
      throw FileError(path, mesh_of_checkpoint, app::reason_of(error));
    }
    if (metadata.at("mesh").get<std::uint64_t>() != mesh_hash(flow.mesh))
      throw source.error("the mesh of that run, found one with other nodes or triangles");
  } catch (json::exception const& error) {
    throw FileError(path, "read the metadata of", error.what());
  }
  std::size_t const nodes = flow.mesh.nodes.size();
  ScalarType const type = checkpoint.info("conservative").type;
  if (type != ScalarType::float32 && type != ScalarType::float64)
    throw source.error("numbers of float32 or float64 as conservative");
  app::HostField conservative(type, {std::size_t{4}, nodes});
  checkpoint.read("conservative", conservative.array());
  auto const value = [&](std::size_t c, std::size_t n) {
    std::size_t const place = c * nodes + n;
    void const* const data = conservative.array().data;
    return conservative.array().type == ScalarType::float32 ? double(static_cast<float const*>(data)[place])
                                                            : static_cast<double const*>(data)[place];
  };
  for (std::size_t n = 0; n < nodes; ++n) {
    Conservative const u{value(0, n), value(1, n), value(2, n), value(3, n)};
    flow.states.push_back(state_of(flow.gamma, u));
  }
  return flow;
}

OtherFlow read_content(Source const& source, std::vector<std::string>& remarks) {
  Hdf5File const file = Hdf5File::open(source.path);
  std::string const format = file.has_attribute("/", "format") ? file.read_string("/", "format") : std::string();
  if (format != result_format) {
    throw source.error("a result or a checkpoint of karman euler, found " +
                       (format.empty() ? "a file of another program" : "one of " + format));
  }
  return file.exists("/fields") ? of_result(source, file) : of_checkpoint(source, remarks);
}

OtherFlow read_flow(Source const& source, std::vector<std::string>& remarks) {
  try {
    return read_content(source, remarks);
  } catch (FileError const& error) {
    throw start_fault(source.path, error);
  }
}

std::string box_text(std::vector<std::array<double, 2>> const& points) {
  PlaneBox const box(points);
  return app::place_text(box.low[0], box.low[1]) + " to " + app::place_text(box.high[0], box.high[1]);
}

bool overlap(PlaneBox const& a, PlaneBox const& b) {
  auto const along = [&](std::size_t axis) { return a.low[axis] <= b.high[axis] && b.low[axis] <= a.high[axis]; };
  return along(0) && along(1);
}

double longest_side(MeshData const& mesh, std::array<int, 3> const& corners) {
  double longest = 0;
  for (std::size_t k = 0; k < 3; ++k) {
    auto const& a = mesh.nodes[static_cast<std::size_t>(corners[k])];
    auto const& b = mesh.nodes[static_cast<std::size_t>(corners[(k + 1) % 3])];
    longest = std::max(longest, std::hypot(b[0] - a[0], b[1] - a[1]));
  }
  return longest;
}

/// Lines on the nodes outside of the other mesh. Nodes of curved boundaries lie outside by far less than a cell.
void report_outside(MeshData const& mesh, MeshData const& other, app::PlacesInMesh const& found,
                    std::string const& file, std::vector<std::string>& remarks) {
  if (found.outside.empty()) return;
  std::vector<double> sizes(mesh.nodes.size(), 0);
  for (auto const& corners : mesh.triangles) {
    double const side = longest_side(mesh, corners);
    for (int const node : corners) {
      double& size = sizes[static_cast<std::size_t>(node)];
      size = std::max(size, side);
    }
  }
  auto const farther = [](app::PointOutside const& a, app::PointOutside const& b) { return a.distance < b.distance; };
  auto const farthest = std::max_element(found.outside.begin(), found.outside.end(), farther);
  remarks.push_back(formatted("start: %zu of %zu nodes lie up to %.3g m outside of the mesh of ", found.outside.size(),
                              mesh.nodes.size(), farthest->distance) +
                    file + "; they take its nearest point");
  std::size_t far = 0, first = 0;
  for (app::PointOutside const& outside : found.outside) {
    auto const& corners = other.triangles[static_cast<std::size_t>(found.places[outside.point].triangle)];
    if (outside.distance <= std::max(sizes[outside.point], longest_side(other, corners))) continue;
    if (far++ == 0) first = outside.point;
  }
  if (far == 0) return;
  auto const& at = mesh.nodes[first];
  remarks.push_back(formatted("start: %zu of them lie outside by more than a cell, the first at (x, y) = ", far) +
                    app::place_text(at[0], at[1]));
}

}  // namespace

CheckpointFormat const& march_format() {
  static CheckpointFormat const format{result_format, 1};
  return format;
}

std::uint64_t mesh_hash(MeshData const& mesh) {
  std::array const parts{content_hash(mesh.nodes.data(), mesh.nodes.size() * sizeof mesh.nodes.front()),
                         content_hash(mesh.triangles.data(), mesh.triangles.size() * sizeof mesh.triangles.front())};
  return content_hash(parts.data(), sizeof parts);
}

StartOfFile start_of_file(Case const& input, MeshData const& mesh, Gas const& gas) {
  Source const source{input, app::file_of(input, pointer)};
  StartOfFile result;
  std::vector<std::string>& remarks = result.run.remarks;
  OtherFlow const other = read_flow(source, remarks);
  if (other.gamma != gas.gamma) {
    remarks.push_back(formatted("start: gamma is %.10g in the case and %.10g in ", gas.gamma, other.gamma) +
                      source.path.string() + "; density, velocity and pressure are kept");
  }
  std::vector<Conservative> states;
  states.reserve(other.states.size());
  for (std::size_t n = 0; n < other.states.size(); ++n) {
    if (auto const fault = fault_of(other.states[n])) {
      throw source.error(
          formatted("%s values of the %s, found %g at node %zu", fault->wanted, fault->member, fault->value, n));
    }
    states.push_back(conservative_state(gas.gamma, other.states[n]));
  }
  bool const meets = overlap(PlaneBox(mesh.nodes), PlaneBox(other.mesh.nodes));
  app::PlacesInMesh const found = meets ? app::places_in(other.mesh, mesh.nodes) : app::PlacesInMesh();
  if (found.outside.size() == found.places.size()) {
    throw source.error("a mesh around nodes of this one, " + box_text(mesh.nodes) + ", found one of " +
                       box_text(other.mesh.nodes));
  }
  report_outside(mesh, other.mesh, found, source.path.string(), remarks);
  result.run.largest_residual = std::isfinite(other.largest_residual) ? other.largest_residual : 0;
  result.run.same_flow = other.reference == input.json().at("flow");
  if (input.get<std::string>("/time/kind") == "steady" && result.run.largest_residual > 0) {
    remarks.push_back(formatted("start: the largest residual of that run, %.3g kg/(m^3 s), counts as one of this march",
                                result.run.largest_residual));
  }
  result.states.reserve(found.places.size());
  for (app::PointInMesh const& place : found.places) {
    Conservative u{};
    auto const& corners = other.mesh.triangles[static_cast<std::size_t>(place.triangle)];
    for (std::size_t k = 0; k < 3; ++k) {
      for (std::size_t c = 0; c < 4; ++c) u[c] += place.weights[k] * states[static_cast<std::size_t>(corners[k])][c];
    }
    result.states.push_back(u);
  }
  return result;
}

}  // namespace karman::euler
