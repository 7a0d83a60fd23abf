// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "mesh_motion_kernels.hpp"
#include <karman/core/compat.hpp>
#include <karman/core/error.hpp>
#include <karman/core/profiling.hpp>
#include <karman/core/reductions.hpp>
#include <karman/solvers/fem_assembly.hpp>
#include <karman/solvers/general_krylov.hpp>
#include <karman/solvers/mesh_motion.hpp>
#include <karman/solvers/sparse_operator.hpp>
#include <karman/solvers/sparse_preconditioners.hpp>
#include <karman/solvers/spmv.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <set>
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

/// Labels of the boundary but these.
template <class Exec>
std::vector<int> other_labels(Exec const& space, TriangleMesh<Exec> const& mesh, std::vector<int> const& labels) {
  Kokkos::View<int*, Kokkos::HostSpace> const own("karman::mesh_motion::labels", mesh.edge_labels.extent(0));
  Kokkos::deep_copy(space, own, mesh.edge_labels);
  compat::fence(space, "karman::mesh_motion::labels");
  std::set<int> others;
  for (std::size_t e = 0; e < own.extent(0); ++e) {
    if (std::find(labels.begin(), labels.end(), own(e)) == labels.end()) others.insert(own(e));
  }
  return {others.begin(), others.end()};
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
  FixedNodes<Exec> given;
  FemProfile<Exec> profile;
  FemAssembly<Exec> assembly;
  CsrMatrix<Exec, double> stiffness, free;  ///< before and after displacements are given
  SparseOperator<Exec, double> map;
  SparseJacobiPreconditioner<Exec, double> diagonal;
  GeneralKrylov<Exec, double> krylov;
  Vector<Exec, double> displacement, known, rhs;
  Reducer<Exec> reducer;

  State(Exec const& space, TriangleMesh<Exec> const& from, MeshMotionSetup const& setup_,
        FixedNodes<Exec> const& given_)
      : setup(setup_),
        nodes(from.nodes.extent(0)),
        reference(node_vectors(space, nodes, "karman::mesh_motion::reference")),
        points(node_vectors(space, nodes, "karman::mesh_motion::points")),
        mesh(with_points(from, reference)),
        given(given_.data() != nullptr ? given_ : boundary_nodes(space, from)),
        profile(make_fem_profile(space, from, needs_element_map(automatic_strategy<Exec>()))),
        assembly(first_assembly(space, from)),
        stiffness(make_csr_matrix<double>(space, profile.graph)),
        free(make_csr_matrix<double>(space, profile.graph)),
        map(free),
        diagonal(space, profile.graph, free.columns),
        krylov(space, static_cast<int>(nodes), {KrylovMethod::cocg}),
        displacement(numbers(space, 2 * nodes, "karman::mesh_motion::displacement")),
        known(numbers(space, nodes, "karman::mesh_motion::known")),
        rhs(numbers(space, nodes, "karman::mesh_motion::rhs")),
        reducer(space) {
    require_nodes(given.extent(0), nodes, "MeshMotion: marks of given nodes");
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
  }

  SolveReport solve(Exec const& space, ConstNodeVectors<Exec> const& values, int axis,
                    MeshMotionOptions const& options) {
    Vector<Exec, double> const x(displacement.data() + static_cast<std::size_t>(axis) * nodes, nodes);
    Kokkos::parallel_for("karman::mesh_motion::give_values", Range<Exec>(space, 0, nodes),
                         detail::GiveValues<Exec>{given, values, known.data(), x.data(), axis});
    multiply<Exec, double>(space, stiffness, known, rhs, {.alpha = -1});
    Kokkos::parallel_for("karman::mesh_motion::give_rows", Range<Exec>(space, 0, nodes),
                         detail::GiveRows<Exec>{given, known.data(), diagonal.inverse_diagonal().data(), rhs.data()});
    return krylov.solve(
        space, map, diagonal, x, ConstVector<Exec, double>(rhs),
        {.tolerance = options.tolerance, .max_iterations = options.max_iterations, .check_every = options.check_every});
  }
};

template <ExecutionSpace Exec>
MeshMotion<Exec>::MeshMotion(Exec const& space, TriangleMesh<Exec> const& mesh, MeshMotionSetup const& setup,
                             FixedNodes<Exec> const& given) {
  Region const region("karman::mesh_motion::plan");
  state_ = std::make_unique<State>(space, mesh, setup, given);
  state_->take(space, mesh.nodes);
  compat::fence(space, "karman::mesh_motion::plan");
}
template <ExecutionSpace Exec>
MeshMotion<Exec>::MeshMotion(MeshMotion&&) noexcept = default;
template <ExecutionSpace Exec>
MeshMotion<Exec>& MeshMotion<Exec>::operator=(MeshMotion&&) noexcept = default;
template <ExecutionSpace Exec>
MeshMotion<Exec>::~MeshMotion() = default;

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
                                              static_cast<std::int64_t>(s.nodes), s.points});
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
                                       std::vector<int> const& labels, RigidBodySetup const& setup)
    : setup_(setup) {
  Region const region("karman::mesh_motion::rigid_body");
  std::size_t const nodes = mesh.nodes.extent(0);
  auto const body = nodes_with_labels(space, mesh, labels);
  require(Reducer<Exec>(space).max(space, body) == 1, "RigidBodyMotion: no boundary edge has a label of the body");
  auto const given = node_vectors(space, nodes, "karman::mesh_motion::given");
  Kokkos::parallel_for("karman::mesh_motion::mark_body", Range<Exec>(space, 0, nodes),
                       detail::MarkBody<Exec>{body, given});
  MeshMotion<Exec> motion(space, mesh, {setup.weight},
                          setup.sliding.empty()
                              ? FixedNodes<Exec>()
                              : nodes_with_labels(space, mesh, other_labels(space, mesh, setup.sliding)));
  report_ = motion.solve(space, given, {.tolerance = 1e-10});
  require(report_.converged(), "RigidBodyMotion: the blending field does not converge");
  auto const reference = node_vectors(space, nodes, "karman::mesh_motion::reference");
  Kokkos::deep_copy(space, reference, mesh.nodes);
  reference_ = reference;
  blend_ = numbers(space, nodes, "karman::mesh_motion::blend");
  Kokkos::parallel_for("karman::mesh_motion::blend", Range<Exec>(space, 0, nodes),
                       detail::TakeBlend<Exec>{reference_, motion.points(), blend_.data()});
  compat::fence(space, "karman::mesh_motion::rigid_body");
}

template <ExecutionSpace Exec>
void RigidBodyMotion<Exec>::place(Exec const& space, ConstPose const& pose, NodeVectors<Exec> const& points) const {
  require_nodes(points.extent(0), reference_.extent(0), "RigidBodyMotion: points");
  Kokkos::parallel_for("karman::mesh_motion::place", Range<Exec>(space, 0, points.extent(0)),
                       detail::PlaceRigid<Exec>{reference_, blend_.data(), pose, setup_.pivot[0], setup_.pivot[1],
                                                nullptr, points, points});
}

template <ExecutionSpace Exec>
void RigidBodyMotion<Exec>::velocities(Exec const& space, ConstPose const& pose, DeviceNumber<Exec> const& dt,
                                       ConstNodeVectors<Exec> const& points, NodeVectors<Exec> const& velocity) const {
  require_nodes(points.extent(0), reference_.extent(0), "RigidBodyMotion: points");
  require_nodes(velocity.extent(0), reference_.extent(0), "RigidBodyMotion: velocities");
  require(dt.data() != nullptr, "RigidBodyMotion: velocities need a time step");
  Kokkos::parallel_for("karman::mesh_motion::velocities", Range<Exec>(space, 0, points.extent(0)),
                       detail::PlaceRigid<Exec>{reference_, blend_.data(), pose, setup_.pivot[0], setup_.pivot[1],
                                                dt.data(), points, velocity});
}

#define KARMAN_INSTANTIATE(Exec)   \
  template class MeshMotion<Exec>; \
  template class RigidBodyMotion<Exec>;
KARMAN_FOR_EACH_BACKEND(KARMAN_INSTANTIATE)
#undef KARMAN_INSTANTIATE

}  // namespace karman
