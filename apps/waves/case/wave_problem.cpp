// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "wave_problem.hpp"

#include "dispersion.hpp"

#include <cmath>
#include <set>
#include <sstream>

namespace karman::waves {
namespace {

/// Sentences, up to a limit.
class Sentences {
 public:
  explicit Sentences(int limit) : limit_(limit) {}

  template <class... Parts>
  void require(bool holds, Parts const&... parts) {
    if (holds || full()) return;
    std::ostringstream text;
    text.precision(10);
    (text << ... << parts);
    list_.push_back(text.str());
  }

  bool full() const { return static_cast<int>(list_.size()) >= limit_; }
  std::vector<std::string> take() { return std::move(list_); }

 private:
  int limit_;
  std::vector<std::string> list_;
};

bool is_positive(double value) { return std::isfinite(value) && value > 0; }
bool is_not_negative(double value) { return std::isfinite(value) && value >= 0; }

std::string named(MeshData const& mesh, int label) {
  auto const name = mesh.boundary_names.find(label);
  std::string const number = std::to_string(label);
  return name == mesh.boundary_names.end() ? "boundary " + number : "boundary " + number + " (" + name->second + ")";
}

void check_depth(WaveProblem const& problem, Sentences& sentences) {
  sentences.require(problem.depth.size() == problem.mesh.nodes.size(), "depth: ", problem.depth.size(), " values for ",
                    problem.mesh.nodes.size(), " nodes; one per node is needed");
  for (std::size_t n = 0; n < problem.depth.size() && !sentences.full(); ++n) {
    double const h = problem.depth[n];
    if (is_positive(h)) continue;
    if (n < problem.mesh.nodes.size()) {
      sentences.require(false, "depth: ", h, " m at node ", n, " (", problem.mesh.nodes[n][0], ", ",
                        problem.mesh.nodes[n][1], "); every node must be wet: above 0 and finite");
    }
  }
}

void check_boundaries(WaveProblem const& problem, Sentences& sentences) {
  MeshData const& mesh = problem.mesh;
  std::set<int> const labels(mesh.edge_labels.begin(), mesh.edge_labels.end());
  bool lets_out = false;
  for (int const label : labels) {
    auto const found = problem.boundaries.find(label);
    sentences.require(found != problem.boundaries.end(), "boundaries: no condition for ", named(mesh, label));
    if (found == problem.boundaries.end()) continue;
    WaveBoundary const& b = found->second;
    lets_out = lets_out || b.kind != BoundaryKind::reflecting;
    sentences.require(std::isfinite(b.reflection) && b.reflection >= 0 && b.reflection <= 1, named(mesh, label),
                      ": reflection ", b.reflection, "; 0 to 1 is allowed");
    sentences.require(std::isfinite(b.phase), named(mesh, label), ": phase ", b.phase, " rad; it must be finite");
    sentences.require(std::hypot(1 + b.reflection * std::cos(b.phase), b.reflection * std::sin(b.phase)) > 1e-3,
                      named(mesh, label), ": reflection ", b.reflection, " with phase ", b.phase,
                      " rad gives zero elevation; 1 + R e^{i phase} must not vanish");
    sentences.require(b.unknown_angle || (std::isfinite(b.angle) && std::cos(b.angle) > 1e-3), named(mesh, label),
                      ": angle ", b.angle, " rad from the normal; less than pi/2 is allowed");
    sentences.require(std::isfinite(b.radius) && b.radius >= 0, named(mesh, label), ": radius ", b.radius,
                      " m; 0 (straight) or more is allowed");
  }
  for (auto const& [label, boundary] : problem.boundaries) {
    sentences.require(labels.count(label) == 1, "boundaries: the mesh has no ", named(mesh, label));
  }
  sentences.require(lets_out, "boundaries: at least one must be open or incident");
}

void check_dissipation(Dissipation const& d, std::size_t nodes, Sentences& sentences) {
  std::string const value = d.friction == FrictionLaw::linear      ? "rate"
                            : d.friction == FrictionLaw::quadratic ? "coefficient"
                                                                   : "roughness";
  std::string const unit = d.friction == FrictionLaw::linear ? " 1/s" : d.friction == FrictionLaw::rough ? " m" : "";
  sentences.require(is_not_negative(friction_everywhere(d)), "friction: ", value, ' ', friction_everywhere(d), unit,
                    "; 0 or more is allowed");
  std::vector<double> const& at_nodes = d.friction_at_nodes;
  sentences.require(at_nodes.empty() || at_nodes.size() == nodes, "friction: values at ", at_nodes.size(), " of ",
                    nodes, " nodes; all or none are needed");
  for (std::size_t n = 0; n < at_nodes.size() && !sentences.full(); ++n)
    sentences.require(is_not_negative(at_nodes[n]), "friction: ", value, ' ', at_nodes[n], unit, " at node ", n,
                      "; 0 or more is allowed");
  if (d.breaking == BreakingLaw::battjes_janssen) {
    sentences.require(is_positive(d.breaking_index), "breaking: index ", d.breaking_index, "; above 0 is allowed");
    sentences.require(is_not_negative(d.breaking_strength), "breaking: strength ", d.breaking_strength,
                      "; 0 or more is allowed");
  }
  if (d.breaking == BreakingLaw::dally) {
    sentences.require(is_not_negative(d.dally_decay), "breaking: decay ", d.dally_decay, "; 0 or more is allowed");
    sentences.require(is_positive(d.dally_stable), "breaking: stable height / depth ", d.dally_stable,
                      "; above 0 is allowed");
  }
}

}  // namespace

bool depends_on_height(Dissipation const& dissipation) {
  return dissipation.friction == FrictionLaw::quadratic || dissipation.friction == FrictionLaw::rough ||
         dissipation.breaking != BreakingLaw::none;
}

double friction_everywhere(Dissipation const& dissipation) {
  switch (dissipation.friction) {
    case FrictionLaw::linear: return dissipation.rate;
    case FrictionLaw::quadratic: return dissipation.coefficient;
    case FrictionLaw::rough: return dissipation.roughness;
    case FrictionLaw::none: break;
  }
  return 0;
}

std::vector<std::string> problems_of(WaveProblem const& problem, int limit) {
  Sentences sentences(limit);
  check_depth(problem, sentences);
  check_boundaries(problem, sentences);
  check_dissipation(problem.dissipation, problem.mesh.nodes.size(), sentences);
  Refraction const& r = problem.refraction;
  if (r.parallel_contours) {
    sentences.require(is_positive(r.depth), "refraction: depth ", r.depth, " m; above 0 is allowed");
    sentences.require(std::isfinite(r.across), "refraction: direction ", r.across, " rad; it must be finite");
  }
  sentences.require(problem.lumping >= 0 && problem.lumping <= 1, "lumping: ", problem.lumping, "; 0 to 1 is allowed");
  PicardSettings const& p = problem.picard;
  sentences.require(p.max_iterations >= 1, "picard: ", p.max_iterations, " iterations; at least 1 is allowed");
  sentences.require(is_positive(p.tolerance), "picard: tolerance ", p.tolerance, "; above 0 is allowed");
  sentences.require(p.relaxation > 0 && p.relaxation <= 1, "picard: relaxation ", p.relaxation,
                    "; above 0 up to 1 is allowed");
  LinearSettings const& l = problem.linear;
  sentences.require(is_positive(l.tolerance), "linear solver: tolerance ", l.tolerance, "; above 0 is allowed");
  sentences.require(l.max_iterations >= 1, "linear solver: ", l.max_iterations, " iterations; at least 1 is allowed");
  sentences.require(l.restart >= 1, "linear solver: restart after ", l.restart, " iterations; at least 1 is allowed");
  sentences.require(l.fill_level >= 0, "linear solver: fill of level ", l.fill_level, "; 0 or more is allowed");
  return sentences.take();
}

std::vector<std::string> problems_of(WaveProblem const& problem, double period,
                                     std::vector<IncidentWave> const& waves) {
  Sentences sentences(10);
  sentences.require(is_positive(period), "period: ", period, " s; above 0 is allowed");
  for (std::size_t n = 0; n < waves.size(); ++n) {
    sentences.require(is_not_negative(waves[n].amplitude), "incident wave ", n, ": amplitude ", waves[n].amplitude,
                      " m; 0 or more is allowed");
    sentences.require(std::isfinite(waves[n].direction), "incident wave ", n, ": direction ", waves[n].direction,
                      " rad; it must be finite");
    sentences.require(std::isfinite(waves[n].phase), "incident wave ", n, ": phase ", waves[n].phase,
                      " rad; it must be finite");
  }
  if (!is_positive(period)) return sentences.take();
  // The range of kh. Outside only rounding would fail, but no sea is like that, and a wrong unit is likely. kh grows
  // with omega^2 h / g = kh tanh kh, which needs no dispersion relation.
  constexpr double least = 1e-6, most = 1e4;
  double const omega = angular_frequency(period);
  double const from = least * std::tanh(least), to = most * std::tanh(most);
  for (std::size_t n = 0; n < problem.depth.size() && !sentences.full(); ++n) {
    double const depth = problem.depth[n], y = omega * omega * depth / gravity;
    if (y >= from && y <= to) continue;
    sentences.require(false, "depth: ", depth, " m at node ", n, " with a period of ", period,
                      " s gives k h = ", dispersion(omega, depth).wave_number * depth, "; 1e-6 to 1e4 is allowed");
  }
  return sentences.take();
}

}  // namespace karman::waves
