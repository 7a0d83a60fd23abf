// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "mesh_motion_kernels.hpp"
#include <karman/core/compat.hpp>
#include <karman/core/error.hpp>
#include <karman/core/host_copy.hpp>
#include <karman/core/profiling.hpp>
#include <karman/core/reductions.hpp>
#include <karman/solvers/fem/fem_assembly.hpp>
#include <karman/solvers/mesh_motion/mesh_motion.hpp>
#include <karman/solvers/sparse/amg.hpp>
#include <karman/solvers/sparse/krylov.hpp>
#include <karman/solvers/sparse/sparse_operator.hpp>
#include <karman/solvers/sparse/spmv.hpp>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace karman {

namespace {

template <class Exec>
using Range = Kokkos::RangePolicy<Exec>;

template <class Exec>
NodeVectors<Exec> node_vectors(Exec const& space, std::size_t nodes, char const* label) {
  return NodeVectors<Exec>(Kokkos::view_alloc(space, std::string(label)), nodes);
}

template <class Exec>
Vector<Exec, double> numbers(Exec const& space, std::size_t n, char const* label) {
  return Vector<Exec, double>(Kokkos::view_alloc(space, std::string(label)), n);
}

void require_nodes(std::size_t found, std::size_t nodes, char const* who) {
  require(found == nodes,
          std::string(who) + " have " + std::to_string(found) + " nodes; the mesh has " + std::to_string(nodes));
}

/// Boundary nodes of edges but those with some labels and those that groups join. `joined`: out, marks of the nodes of
/// these.
template <class Exec>
FixedNodes<Exec> open_nodes(Exec const& space, TriangleMesh<Exec> const& mesh, std::vector<int> const& group,
                            std::vector<int> const& without = {}, FixedNodes<Exec> const& joined = {}) {
  auto const labels = host_copy(space, mesh.edge_labels);
  auto const edges = host_copy(space, mesh.edges);
  auto const paired = detail::joined_edges(edges, group);
  std::vector<std::uint8_t> open(mesh.nodes.extent(0), 0), closed(open);
  for (std::size_t e = 0; e < labels.size(); ++e) {
    bool const wanted = std::find(without.begin(), without.end(), labels[e]) == without.end();
    for (std::size_t const place : {2 * e, 2 * e + 1}) {
      auto const node = static_cast<std::size_t>(edges[place]);
      if (paired[e]) closed[node] = 1;
      else if (wanted) open[node] = 1;
    }
  }
  if (joined.data() != nullptr) copy_to_device(space, closed, joined);
  return device_copy(space, open, "karman::mesh_motion::open_nodes");
}

}  // namespace

std::string_view name(MotionWeight weight) {
  switch (weight) {
    case MotionWeight::area: return "area";
    case MotionWeight::inverse_area: return "inverse_area";
    case MotionWeight::quality: break;
  }
  return "quality";
}

template <ExecutionSpace Exec>
struct MeshMotion<Exec>::State {
  MeshMotionSetup setup;
  std::size_t nodes;
  NodeVectors<Exec> reference, points;
  TriangleMesh<Exec> mesh;  ///< with the coordinates of `reference`
  detail::JoinedNodes<Exec> joined;
  FixedNodes<Exec> given;
  FemProfile<Exec> profile;
  FemAssembly<Exec> assembly;
  CsrMatrix<Exec, double> stiffness, free;  ///< before and after displacements are given
  SparseOperator<Exec, double> map;
  detail::JoinedOperator<Exec> joined_map;
  detail::JoinedDiagonal<Exec> diagonal;
  std::optional<AmgPreconditioner<Exec, double>> multigrid;
  GeneralKrylov<Exec, double> krylov;
  Vector<Exec, double> displacement, known, rhs;
  Reducer<Exec> reducer;

  State(Exec const& space, TriangleMesh<Exec> const& from, MeshMotionSetup const& setup_,
        FixedNodes<Exec> const& given_, std::vector<int> const& group)
      : setup(setup_),
        nodes(from.nodes.extent(0)),
        reference(node_vectors(space, nodes, "karman::mesh_motion::reference")),
        points(node_vectors(space, nodes, "karman::mesh_motion::points")),
        mesh(with_points(from, reference)),
        joined(space, group, from.node_count(), "MeshMotion"),
        given(given_.data() != nullptr ? given_ : open_nodes(space, from, group)),
        profile(make_fem_profile(space, from, needs_element_map(automatic_strategy<Exec>()))),
        assembly(first_assembly(space, from)),
        stiffness(make_csr_matrix<double>(space, profile.graph)),
        free(make_csr_matrix<double>(space, profile.graph)),
        map(free),
        joined_map(free, joined),
        diagonal(space, static_cast<int>(nodes), joined),
        krylov(space, static_cast<int>(nodes), {KrylovMethod::cocg}),
        displacement(numbers(space, 2 * nodes, "karman::mesh_motion::displacement")),
        known(numbers(space, nodes, "karman::mesh_motion::known")),
        rhs(numbers(space, nodes, "karman::mesh_motion::rhs")),
        reducer(space) {
    require_nodes(given.extent(0), nodes, "MeshMotion: marks of given nodes");
    if (joined.groups == 0) return;
    FixedNodes<Exec> const all(
        Kokkos::view_alloc(space, Kokkos::WithoutInitializing, std::string("karman::mesh_motion::marks")), nodes);
    Kokkos::deep_copy(space, all, given);
    given = all;
    Kokkos::parallel_for("karman::mesh_motion::mark_groups", Range<Exec>(space, 0, joined.groups),
                         detail::MarkGroups<Exec>{joined, given});
  }

  static TriangleMesh<Exec> with_points(TriangleMesh<Exec> mesh, NodeVectors<Exec> const& points) {
    mesh.nodes = points;
    return mesh;
  }

  /// The plan orders rows by coordinates.
  FemAssembly<Exec> first_assembly(Exec const& space, TriangleMesh<Exec> const& from) {
    Kokkos::deep_copy(space, reference, from.nodes);
    return FemAssembly<Exec>(space, mesh, profile, {.triangle_numbers = false});
  }

  void take(Exec const& space, ConstNodeVectors<Exec> const& from) {
    Kokkos::parallel_for("karman::mesh_motion::reference", Range<Exec>(space, 0, nodes),
                         detail::TakeReference<Exec>{from, reference, points, displacement.data(), known.data(),
                                                     static_cast<std::int64_t>(nodes)});
    assemble(space, assembly, detail::MotionStiffness{setup.weight}, stiffness);
    Kokkos::deep_copy(space, free.values, stiffness.values);
    // Values of 0: only the matrix changes.
    fix_values<Exec, double>(space, free, rhs, given, ConstVector<Exec, double>(known));
    diagonal.factor(space, free);
    // Again for each reference, so that a solve depends on the reference alone.
    if (joined.groups == 0 && static_cast<std::int64_t>(nodes) >= setup.multigrid_from) multigrid.emplace(space, free);
  }

  SolveReport solve(Exec const& space, ConstNodeVectors<Exec> const& values, int axis,
                    MeshMotionOptions const& options) {
    Vector<Exec, double> const x(displacement.data() + static_cast<std::size_t>(axis) * nodes, nodes);
    Kokkos::parallel_for("karman::mesh_motion::give_values", Range<Exec>(space, 0, nodes),
                         detail::GiveValues<Exec>{given, values, known.data(), x.data(), axis, joined});
    multiply<Exec, double>(space, stiffness, known, rhs, {.alpha = -1});
    detail::take_mean_over_groups(space, joined, rhs);
    Kokkos::parallel_for("karman::mesh_motion::give_rows", Range<Exec>(space, 0, nodes),
                         detail::GiveRows<Exec>{given, known.data(), diagonal.inverse_diagonal().data(), rhs.data()});
    VectorOperator<Exec, double> const* operation = &map;
    if (joined.groups > 0) operation = &joined_map;
    GeneralKrylovOptions const limits{
        .tolerance = options.tolerance, .max_iterations = options.max_iterations, .check_every = options.check_every};
    ConstVector<Exec, double> const b(rhs);
    if (multigrid) return krylov.solve(space, map, *multigrid, x, b, limits);
    return krylov.solve(space, *operation, diagonal, x, b, limits);
  }
};

template <ExecutionSpace Exec>
MeshMotion<Exec>::MeshMotion(Exec const& space, TriangleMesh<Exec> const& mesh, MeshMotionSetup const& setup,
                             FixedNodes<Exec> const& given, std::vector<int> const& group) {
  Region const region("karman::mesh_motion::plan");
  state_ = {"MeshMotion", std::make_unique<State>(space, mesh, setup, given, group)};
  state_->take(space, mesh.nodes);
  compat::fence(space, "karman::mesh_motion::plan");
}

template <ExecutionSpace Exec>
MeshMotionReport MeshMotion<Exec>::solve(Exec const& space, ConstNodeVectors<Exec> const& given,
                                         MeshMotionOptions const& options) {
  Region const region("karman::mesh_motion::solve");
  State& s = *state_;
  require_nodes(given.extent(0), s.nodes, "MeshMotion: given displacements");
  MeshMotionReport report;
  for (int axis = 0; axis < 2; ++axis) report.components[std::size_t(axis)] = s.solve(space, given, axis, options);
  Kokkos::parallel_for("karman::mesh_motion::displace", Range<Exec>(space, 0, s.nodes),
                       detail::Displace<Exec>{s.given, given, s.reference, s.displacement.data(),
                                              static_cast<std::int64_t>(s.nodes), s.points, s.joined});
  compat::fence(space, "karman::mesh_motion::solve");
  return report;
}

template <ExecutionSpace Exec>
ConstNodeVectors<Exec> MeshMotion<Exec>::points() const {
  return state_->points;
}

template <ExecutionSpace Exec>
ConstNodeVectors<Exec> MeshMotion<Exec>::reference() const {
  return state_->reference;
}

template <ExecutionSpace Exec>
void MeshMotion<Exec>::set_reference(Exec const& space, ConstNodeVectors<Exec> const& points) {
  Region const region("karman::mesh_motion::set_reference");
  require_nodes(points.extent(0), state_->nodes, "MeshMotion: points");
  state_->take(space, points);
}

template <ExecutionSpace Exec>
MeshState MeshMotion<Exec>::state(Exec const& space, ConstNodeVectors<Exec> const& points) {
  Region const region("karman::mesh_motion::state");
  require_nodes(points.extent(0), state_->nodes, "MeshMotion: points");
  return state_->reducer.reduce(space, state_->mesh.triangle_count(),
                                detail::StateOfTriangle<Exec>{points, state_->mesh.triangles}, detail::JoinStates{});
}

template <ExecutionSpace Exec>
CsrMatrix<Exec, double> MeshMotion<Exec>::matrix() const {
  return state_->stiffness;
}

template <ExecutionSpace Exec>
RigidBodyMotion<Exec>::RigidBodyMotion(Exec const& space, TriangleMesh<Exec> const& mesh,
                                       std::vector<int> const& labels, RigidBodySetup const& setup,
                                       std::vector<int> const& group)
    : setup_(setup) {
  Region const region("karman::mesh_motion::rigid_body");
  std::size_t const nodes = mesh.nodes.extent(0);
  detail::JoinedNodes<Exec> const joined(space, group, mesh.node_count(), "RigidBodyMotion");
  owner_ = joined.groups > 0 ? joined.owner : decltype(owner_)();
  FixedNodes<Exec> const periodic(Kokkos::view_alloc(space, std::string("karman::mesh_motion::periodic")), nodes);
  auto const fixed = open_nodes(space, mesh, group, setup.sliding, periodic);
  auto const body = nodes_with_labels(space, mesh, labels);
  // A body whose edge ends at a periodic side has the partner of that end, too.
  Kokkos::parallel_for("karman::mesh_motion::mark_groups", Range<Exec>(space, 0, joined.groups),
                       detail::MarkGroups<Exec>{joined, body});
  Reducer<Exec> reducer(space);
  require(reducer.max(space, body) == 1, "RigidBodyMotion: no boundary edge has a label of the body");
  auto const given = node_vectors(space, nodes, "karman::mesh_motion::given");
  auto const reference = node_vectors(space, nodes, "karman::mesh_motion::reference");
  Kokkos::deep_copy(space, reference, mesh.nodes);
  reference_ = reference;
  auto const solve = [&](FixedNodes<Exec> const& marks, char const* label) {
    Kokkos::parallel_for("karman::mesh_motion::mark_body", Range<Exec>(space, 0, nodes),
                         detail::MarkBody<Exec>{body, marks, given});
    MeshMotion<Exec> motion(space, mesh, {setup_.weight}, marks, group);
    auto const report = motion.solve(space, given, {.tolerance = 1e-10});
    require(report.converged(), "RigidBodyMotion: the blending field does not converge");
    auto const field = numbers(space, nodes, label);
    Kokkos::parallel_for("karman::mesh_motion::blend", Range<Exec>(space, 0, nodes),
                         detail::TakeBlend<Exec>{reference_, motion.points(), field.data()});
    compat::fence(space, label);
    int const before = report_.components[0].iterations;
    report_ = report;
    report_.components[0].iterations += before;
    return field;
  };
  blend_ = solve(fixed, "karman::mesh_motion::blend");
  if (!setup.turns) return;
  turn_ = blend_;
  if (reducer.max(space, periodic) == 0) return;
  Kokkos::parallel_for("karman::mesh_motion::hold_periodic", Range<Exec>(space, 0, nodes),
                       detail::HoldPeriodic<Exec>{periodic, body, fixed});
  require(reducer.max(space, fixed) == 1, "RigidBodyMotion: a body that turns has nodes in periodic groups");
  turn_ = solve(fixed, "karman::mesh_motion::turn");
}

template <ExecutionSpace Exec>
void RigidBodyMotion<Exec>::place(Exec const& space, ConstPose const& pose, NodeVectors<Exec> const& points) const {
  require_nodes(points.extent(0), reference_.extent(0), "RigidBodyMotion: points");
  Kokkos::parallel_for("karman::mesh_motion::place", Range<Exec>(space, 0, points.extent(0)),
                       detail::PlaceRigid<Exec>{reference_, blend_.data(), turn_.data(), owner_.data(), pose,
                                                setup_.pivot[0], setup_.pivot[1], nullptr, points, points});
}

template <ExecutionSpace Exec>
void RigidBodyMotion<Exec>::velocities(Exec const& space, ConstPose const& pose, DeviceNumber<Exec> const& dt,
                                       ConstNodeVectors<Exec> const& points, NodeVectors<Exec> const& velocity) const {
  require_nodes(points.extent(0), reference_.extent(0), "RigidBodyMotion: points");
  require_nodes(velocity.extent(0), reference_.extent(0), "RigidBodyMotion: velocities");
  require(dt.data() != nullptr, "RigidBodyMotion: velocities need a time step");
  Kokkos::parallel_for("karman::mesh_motion::velocities", Range<Exec>(space, 0, points.extent(0)),
                       detail::PlaceRigid<Exec>{reference_, blend_.data(), turn_.data(), owner_.data(), pose,
                                                setup_.pivot[0], setup_.pivot[1], dt.data(), points, velocity});
}

#define KARMAN_INSTANTIATE(Exec)   \
  template class MeshMotion<Exec>; \
  template class RigidBodyMotion<Exec>;
KARMAN_FOR_EACH_BACKEND(KARMAN_INSTANTIATE)
#undef KARMAN_INSTANTIATE

}  // namespace karman
