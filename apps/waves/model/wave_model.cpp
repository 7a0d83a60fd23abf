// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "wave_model.hpp"

#include "boundary_table.hpp"
#include "mild_slope_system.hpp"
#include "picard_iteration.hpp"
#include "state_readout.hpp"
#include <karman/core/error.hpp>

#include <algorithm>
#include <cstddef>
#include <stdexcept>
#include <utility>
#include <vector>

namespace karman::waves {
namespace {

/// Its parts refer to each other, so that it must not be moved.
template <ExecutionSpace Exec, class Real>
class Model final : public WaveModel {
 public:
  Model(Exec const& space, WaveProblem const& problem)
      : space_(space),
        problem_(problem),
        boundary_(problem_),
        system_(space_, problem_, boundary_),
        picard_(space_, problem_, boundary_, system_),
        readout_(space_, problem_, boundary_, system_.mesh()) {}
  Model(Model const&) = delete;
  Model& operator=(Model const&) = delete;

  void begin(std::vector<WaveComponent> const& components) override {
    require(!components.empty(), "solve_together: no components; at least one is needed");
    for (WaveComponent const& component : components) {
      auto const wrong = problems_of(problem_, component.period, component.waves);
      if (!wrong.empty()) throw std::invalid_argument(wrong.front());
    }
    picard_.prepare(space_, components);
  }

  bool go_on(Monitor const& monitor) override { return picard_.run(space_, monitor); }
  bool at_limit() const override { return picard_.at_limit(); }
  std::size_t solved() const override { return picard_.solved(); }
  WaveState state(std::size_t component) override {
    return readout_.state_of(space_, picard_.member(space_, component));
  }

  WaveValues values() const override { return picard_.values(space_); }
  void set_values(WaveValues const& values) override { picard_.set_values(space_, values); }
  WaveSnapshot snapshot() const override { return picard_.snapshot(space_); }
  void restore(WaveSnapshot const& snapshot) override { picard_.restore(space_, snapshot); }

  std::int64_t memory_bytes() const override { return system_.bytes() + picard_.bytes() + readout_.bytes(); }

 private:
  Exec space_;
  WaveProblem problem_;
  BoundaryTable boundary_;
  MildSlopeSystem<Exec, Real> system_;
  PicardIteration<Exec, Real> picard_;
  StateReadout<Exec, Real> readout_;
};

/// Nodes that share a triangle, including the node itself, by node and ascending.
struct NodeProfile {
  std::vector<int> offsets, columns;
};

NodeProfile node_profile(MeshData const& mesh) {
  std::size_t const nodes = mesh.nodes.size();
  std::vector<std::size_t> begin(nodes + 1, 0);
  for (auto const& triangle : mesh.triangles) {
    for (int const node : triangle) begin[static_cast<std::size_t>(node) + 1] += 3;
  }
  for (std::size_t node = 0; node < nodes; ++node) begin[node + 1] += begin[node];
  std::vector<int> all(begin[nodes]);
  std::vector<std::size_t> next(begin.begin(), begin.end() - 1);
  for (auto const& triangle : mesh.triangles) {
    for (int const node : triangle) {
      for (int const other : triangle) all[next[static_cast<std::size_t>(node)]++] = other;
    }
  }
  NodeProfile profile{{0}, {}};
  for (std::size_t node = 0; node < nodes; ++node) {
    auto const first = all.begin() + static_cast<std::ptrdiff_t>(begin[node]);
    auto const last = all.begin() + static_cast<std::ptrdiff_t>(begin[node + 1]);
    std::sort(first, last);
    profile.columns.insert(profile.columns.end(), first, std::unique(first, last));
    profile.offsets.push_back(static_cast<int>(profile.columns.size()));
  }
  return profile;
}

}  // namespace

WaveState WaveModel::solve(double period, std::vector<IncidentWave> const& waves, Monitor const& monitor) {
  begin({{period, waves}});
  go_on(monitor);
  return state(0);
}

void WaveModel::solve_together(std::vector<WaveComponent> const& components, WaveReceiver const& take,
                               Monitor const& monitor) {
  begin(components);
  go_on(monitor);
  for (std::size_t n = 0, count = solved(); n < count; ++n) {
    if (!take(n, state(n))) return;
  }
}

std::unique_ptr<WaveModel> make_wave_model(Backend backend, WaveProblem const& problem) {
  auto const wrong = problems_of(problem, 1);
  if (!wrong.empty()) throw std::invalid_argument(wrong.front());
  return dispatch(backend, [&](auto const& space) -> std::unique_ptr<WaveModel> {
    using Exec = std::decay_t<decltype(space)>;
    if (problem.precision == Precision::f32) return std::make_unique<Model<Exec, float>>(space, problem);
    return std::make_unique<Model<Exec, double>>(space, problem);
  });
}

SolverBytes linear_solver_bytes(Backend backend, WaveProblem const& problem) {
  NodeProfile const profile = node_profile(problem.mesh);
  // Uses the types alone: an estimate of memory works before Kokkos is initialised.
#define KARMAN_CASE(Exec)                                                                                       \
  if (backend == backend_of<Exec>()) {                                                                          \
    return problem.precision == Precision::f32                                                                  \
               ? LinearSolver<Exec, float>::workspace_bytes(profile.offsets, profile.columns, problem.linear)   \
               : LinearSolver<Exec, double>::workspace_bytes(profile.offsets, profile.columns, problem.linear); \
  }
  KARMAN_FOR_EACH_BACKEND(KARMAN_CASE)
#undef KARMAN_CASE
  throw std::invalid_argument("this build has no backend " + std::string(name(backend)));
}

std::int64_t wave_model_bytes(WaveProblem const& problem) {
  // Seven entries per row, and the plan of a host, which is the larger one; see bytes() of the parts of a model.
  auto const nodes = static_cast<std::int64_t>(problem.mesh.nodes.size());
  auto const triangles = static_cast<std::int64_t>(problem.mesh.triangles.size());
  std::int64_t const scalar = problem.precision == Precision::f32 ? 8 : 16;
  return nodes * (16 + 7 * (4 + scalar) + 4 + 2 * scalar + 22 * 8) + triangles * (16 + 12 + 31);
}

std::int64_t sea_bytes(WaveProblem const& problem, std::size_t components) {
  std::int64_t const scalar = problem.precision == Precision::f32 ? 8 : 16;
  std::int64_t const component = scalar + 8 + (problem.amplitude_dispersion ? 8 : 0);
  return static_cast<std::int64_t>(problem.mesh.nodes.size()) *
         (component * static_cast<std::int64_t>(components) + 2 * static_cast<std::int64_t>(sizeof(LocalSea)));
}

}  // namespace karman::waves
