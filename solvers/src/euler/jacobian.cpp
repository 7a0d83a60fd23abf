// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jacobian_rows.hpp"
#include "jacobian_setup.hpp"
#include "jacobian_triangles.hpp"
#include "parts.hpp"
#include <karman/core/error.hpp>
#include <karman/core/profiling.hpp>
#include <karman/solvers/euler/euler_jacobian.hpp>

#include <Kokkos_Core.hpp>

#include <cmath>
#include <cstdint>
#include <memory>
#include <string>

namespace karman {

template <ExecutionSpace Exec, Real T>
struct EulerJacobian<Exec, T>::State {
  EulerRhs<Exec, T> const& rhs;
  EulerJacobianOptions options;
  detail::JacobianPlan<Exec, T> plan;

  template <EulerDissipation dissipation>
  void run(Exec const& space, detail::JacobianSource<T> const& from, T const* inverse_dt, T* blocks) const {
    Kokkos::parallel_for("karman::euler::jacobian", Kokkos::RangePolicy<Exec>(space, 0, plan.graph.rows()),
                         detail::AssembleRows<Exec, T, dissipation>{
                             from, plan.graph, plan.normals, plan.lowest, static_cast<T>(options.entropy_fix),
                             static_cast<T>(1 - options.streamline), inverse_dt, blocks});
  }

  void check(std::size_t found, char const* argument) const {
    require(static_cast<std::int64_t>(found) == rhs.nodes(), "EulerJacobian: " + std::string(argument) + " has " +
                                                                 std::to_string(found) + " nodes; the mesh has " +
                                                                 std::to_string(rhs.nodes()));
  }
};

template <ExecutionSpace Exec, Real T>
EulerJacobian<Exec, T>::EulerJacobian(Exec const& space, EulerRhs<Exec, T> const& rhs,
                                      EulerJacobianOptions const& options) {
  Region const region("karman::euler::plan_jacobian");
  double const fix = options.entropy_fix;
  require(fix >= 0 && fix <= 1, "EulerJacobian: entropy_fix must lie between 0 and 1, it is " + std::to_string(fix));
  require(options.streamline >= 0 && options.streamline <= 1,
          "EulerJacobian: streamline must lie between 0 and 1, it is " + std::to_string(options.streamline));
  require(!rhs.may_move() || options.keeps_normals,
          "EulerJacobian: the nodes must rest; set EulerRhsSetup::moving to false");
  auto plan =
      detail::make_jacobian_plan<Exec, T>(space, rhs.parts(), rhs.points(), rhs.inverse_mass(), options.streamline > 0);
  state_ = {"EulerJacobian", std::unique_ptr<State>(new State{rhs, options, plan})};
}

template <ExecutionSpace Exec, Real T>
Graph<Exec> const& EulerJacobian<Exec, T>::graph() const {
  return state_->plan.graph;
}

template <ExecutionSpace Exec, Real T>
void EulerJacobian<Exec, T>::assemble(Exec const& space, ConstEulerField<Exec, T> const& u,
                                      ConstVector<Exec, T> const& inverse_dt,
                                      BlockCsrMatrix<Exec, T, 4> const& matrix) const {
  Region const region("karman::euler::jacobian");
  State const& s = *state_;
  auto const parts = s.rhs.parts();
  auto const& plan = s.plan;
  require(parts.ready, "EulerJacobian: the mesh has a boundary; call EulerRhs::set_boundary() first");
  s.check(u.extent(0), "u");
  if (inverse_dt.data() != nullptr) s.check(inverse_dt.extent(0), "inverse_dt");
  require(matrix.graph.entries.data() == plan.graph.entries.data() &&
              matrix.graph.offsets.data() == plan.graph.offsets.data(),
          "EulerJacobian: the matrix must have the graph of this plan; see make_block_csr_matrix()");
  require(matrix.values.extent(0) == plan.graph.entries.extent(0),
          "EulerJacobian: the matrix has " + std::to_string(matrix.values.extent(0)) + " blocks; its graph has " +
              std::to_string(plan.graph.entries.extent(0)));
  require(reinterpret_cast<std::uintptr_t>(matrix.values.data()) % 16 == 0,
          "EulerJacobian: the values of the matrix must begin at a multiple of 16 bytes");
  if (plan.graph.rows() == 0) return;
  detail::JacobianSource<T> const from{u.data(), s.rhs.nodes(), static_cast<T>(parts.setup.gamma)};
  T* const blocks = matrix.values.data();
  switch (s.options.dissipation) {
    case EulerDissipation::roe: s.template run<EulerDissipation::roe>(space, from, inverse_dt.data(), blocks); break;
    case EulerDissipation::spectral_radius:
      s.template run<EulerDissipation::spectral_radius>(space, from, inverse_dt.data(), blocks);
      break;
    case EulerDissipation::none: s.template run<EulerDissipation::none>(space, from, inverse_dt.data(), blocks); break;
  }
  if (s.options.streamline > 0) {
    Kokkos::parallel_for(
        "karman::euler::jacobian_triangles", Kokkos::RangePolicy<Exec>(space, 0, plan.graph.rows()),
        detail::AddJacobianTriangles<Exec, T>{from, plan.graph, plan.triangle_begin, plan.triangles,
                                              s.rhs.inverse_mass(), static_cast<T>(s.options.streamline), blocks});
  }
  auto const boundary_rows = static_cast<std::int64_t>(plan.rows.extent(0));
  if (boundary_rows == 0) return;
  Kokkos::parallel_for(
      "karman::euler::jacobian_boundary", Kokkos::RangePolicy<Exec>(space, 0, boundary_rows),
      detail::AddJacobianBoundary<Exec, T>{from, plan.graph, plan.rows, plan.corrections, parts.plan.rows.half_edges,
                                           parts.plan.sides, s.rhs.inverse_mass(), blocks});
}

template <ExecutionSpace Exec, Real T>
EulerJacobianOptions const& EulerJacobian<Exec, T>::options() const {
  return state_->options;
}

template <ExecutionSpace Exec, Real T>
int EulerJacobian<Exec, T>::nodes() const {
  return state_->plan.graph.rows();
}

template <ExecutionSpace Exec, Real T>
std::int64_t EulerJacobian<Exec, T>::workspace_bytes() const {
  return state_->plan.bytes();
}

#define KARMAN_INSTANTIATE(Exec)             \
  template class EulerJacobian<Exec, float>; \
  template class EulerJacobian<Exec, double>;
KARMAN_FOR_EACH_BACKEND(KARMAN_INSTANTIATE)
#undef KARMAN_INSTANTIATE

}  // namespace karman
