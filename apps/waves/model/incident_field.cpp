// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "incident_field.hpp"

#include "waves/case/snell.hpp"

#include <cmath>
#include <unordered_map>

namespace karman::waves {
namespace {

/// A wave at a node.
struct Ray {
  double kx = 0, ky = 0;  ///< wave number vector, 1/m
  double k = 0;
  double amplitude = 0;  ///< m
  double group_celerity = 0;
};

Ray ray_at(WaveProblem const& problem, IncidentWave const& wave, double omega, double depth) {
  Refraction const& refraction = problem.refraction;
  double const amplitude = problem.amplitude_dispersion ? wave.amplitude : 0;
  Dispersion const here = dispersion(omega, depth, amplitude);
  Ray ray{0, 0, here.wave_number, wave.amplitude, here.group_celerity};
  double direction = wave.direction;
  if (refraction.parallel_contours) {
    Dispersion const there = dispersion(omega, refraction.depth, amplitude);
    RefractedWave const turned = refracted(wave.direction, refraction.across, there.wave_number / here.wave_number);
    direction = turned.direction;
    double const flux = std::fmax(here.group_celerity * turned.cosine, 1e-3 * here.group_celerity);
    double const cosine_there = std::fabs(std::cos(wave.direction - refraction.across));
    ray.amplitude *= std::sqrt(there.group_celerity * cosine_there / flux);
  }
  ray.kx = ray.k * std::cos(direction);
  ray.ky = ray.k * std::sin(direction);
  return ray;
}

/// Incident edges, each behind its predecessor along the boundary where there is one.
std::vector<int> edges_in_order(MeshData const& mesh, std::map<int, WaveBoundary> const& boundaries) {
  std::vector<int> incident;
  std::unordered_map<int, int> starting, ending;
  for (int e = 0; e < static_cast<int>(mesh.edges.size()); ++e) {
    auto const at = static_cast<std::size_t>(e);
    if (boundaries.at(mesh.edge_labels[at]).kind != BoundaryKind::incident) continue;
    incident.push_back(e);
    starting.emplace(mesh.edges[at][0], e);
    ending.emplace(mesh.edges[at][1], e);
  }
  std::vector<int> ordered;
  std::vector<char> taken(mesh.edges.size(), 0);
  auto const follow = [&](int e) {
    while (!taken[static_cast<std::size_t>(e)]) {
      taken[static_cast<std::size_t>(e)] = 1;
      ordered.push_back(e);
      auto const next = starting.find(mesh.edges[static_cast<std::size_t>(e)][1]);
      if (next == starting.end()) break;
      e = next->second;
    }
  };
  for (int const e : incident)
    if (ending.count(mesh.edges[static_cast<std::size_t>(e)][0]) == 0) follow(e);
  for (int const e : incident) follow(e);  // the rest are closed rings
  return ordered;
}

/// Phases of a wave at the nodes of incident edges.
class Phases {
 public:
  Phases(WaveProblem const& problem, IncidentWave const& wave, double omega, std::vector<int> const& order) {
    MeshData const& mesh = problem.mesh;
    auto const place = [&](int node) { return mesh.nodes[static_cast<std::size_t>(node)]; };
    double const dx = std::cos(wave.direction), dy = std::sin(wave.direction);
    int last = -1, anchor = -1;
    Ray before;
    double phase = 0, anchor_phase = 0, best_depth = HUGE_VAL, best_way = HUGE_VAL;
    for (int const e : order) {
      for (int const node : mesh.edges[static_cast<std::size_t>(e)]) {
        double const depth = problem.depth[static_cast<std::size_t>(node)];
        Ray const ray = ray_at(problem, wave, omega, depth);
        auto const x = place(node);
        if (last >= 0 && node != last) {
          auto const from = place(last);
          phase += 0.5 * ((before.kx + ray.kx) * (x[0] - from[0]) + (before.ky + ray.ky) * (x[1] - from[1]));
        }
        phase = phases_.emplace(node, phase).first->second;  // a closed ring keeps that of its first node
        last = node;
        before = ray;
        // The phase is exact at the wave's point of origin: at the given depth, then furthest back along its direction.
        double const off = problem.refraction.parallel_contours ? std::fabs(depth - problem.refraction.depth) : 0;
        double const way = x[0] * dx + x[1] * dy;
        if (off < best_depth || (off == best_depth && way < best_way)) {
          best_depth = off;
          best_way = way;
          anchor = node;
          anchor_phase = wave.phase + ray.kx * x[0] + ray.ky * x[1];
        }
      }
    }
    shift_ = anchor_phase - phases_.at(anchor);
  }

  double at(int node) const { return phases_.at(node) + shift_; }

 private:
  std::unordered_map<int, double> phases_;
  double shift_ = 0;
};

}  // namespace

IncidentField incident_field(WaveProblem const& problem, BoundaryTable const& boundary, double omega,
                             std::vector<IncidentWave> const& waves) {
  MeshData const& mesh = problem.mesh;
  std::vector<int> const order = edges_in_order(mesh, problem.boundaries);
  IncidentField field;
  if (order.empty() || waves.empty()) return field;
  field.edges.resize(mesh.edges.size());
  std::vector<std::array<Complex, 2>> tangential(mesh.edges.size());  // d eta_I/dt over i p, t out of the edge
  for (IncidentWave const& wave : waves) {
    Phases const phases(problem, wave, omega, order);
    for (int const e : order) {
      auto const& nodes = mesh.edges[static_cast<std::size_t>(e)];
      auto const& a = mesh.nodes[static_cast<std::size_t>(nodes[0])];
      auto const& b = mesh.nodes[static_cast<std::size_t>(nodes[1])];
      double const dx = b[0] - a[0], dy = b[1] - a[1], length = std::hypot(dx, dy);
      double const nx = dy / length, ny = -dx / length;  // outward: the domain is on the left
      IncidentEdge& edge = field.edges[static_cast<std::size_t>(e)];
      double inward[2];
      double phase[2];
      for (int n = 0; n < 2; ++n) {
        int const node = nodes[static_cast<std::size_t>(n)];
        Ray const ray = ray_at(problem, wave, omega, problem.depth[static_cast<std::size_t>(node)]);
        phase[n] = phases.at(node);
        Complex const elevation(ray.amplitude * std::cos(phase[n]), ray.amplitude * std::sin(phase[n]));
        double const along_normal = (ray.kx * nx + ray.ky * ny) / ray.k;
        edge.elevation[n] += elevation;
        edge.normal[n] += along_normal * elevation;
        double const outwards = n == 0 ? -1 : 1;
        tangential[static_cast<std::size_t>(e)][static_cast<std::size_t>(n)] +=
            outwards * (ray.kx * -ny + ray.ky * nx) / ray.k * elevation;
        inward[n] = std::fmax(0.0, -along_normal) * ray.group_celerity * ray.amplitude * ray.amplitude;
      }
      // Derivative of the interpolated eta_I along the edge, as in the discrete equation: a little less than the wave's
      // own.
      double const interpolation = (2 + std::cos(phase[1] - phase[0])) / 3;
      field.power += 0.5 * water_density * gravity * length * 0.5 * (inward[0] + inward[1]) * interpolation;
    }
  }
  for (std::size_t e = 0; e < field.edges.size(); ++e) {
    for (std::size_t n = 0; n < 2; ++n) {
      auto const& [neighbor, sine] = boundary.corners[e][n];
      if (neighbor < 0) continue;
      auto const kind_of = [&](std::size_t edge) {
        return boundary.kinds[static_cast<std::size_t>(boundary.places[edge].stretch)];
      };
      auto const next = static_cast<std::size_t>(neighbor);
      Complex const factor = boundary.places[e].corner[n];
      if (kind_of(e) != BoundaryKind::incident) {
        field.edges[e].corner[n] = factor * field.edges[next].elevation[1 - n] - sine * field.edges[next].normal[1 - n];
      } else if (kind_of(next) == BoundaryKind::reflecting) {
        field.edges[e].corner[n] = tangential[e][n];
      } else {  // the incident waves pass through the other side unchanged
        field.edges[e].corner[n] = factor * field.edges[e].elevation[n];
      }
    }
  }
  return field;
}

}  // namespace karman::waves
