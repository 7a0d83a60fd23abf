// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "mild_slope_system.hpp"

#include "stopwatch.hpp"
#include <karman/core/compat.hpp>
#include <karman/core/host_copy.hpp>

#include <limits>

namespace karman::waves {
namespace {

FemAssemblySetup assembly_setup(AssemblyStrategy strategy, std::size_t value_bytes) {
  FemAssemblySetup setup;
  setup.strategy = strategy;
  setup.value_bytes = value_bytes;
  setup.triangle_numbers = false;
  // An assembly is a small part of a solve. Moving rows would take as much memory as the matrix.
  setup.moved_bytes = std::numeric_limits<std::size_t>::max();
  return setup;
}

}  // namespace

template <ExecutionSpace Exec, class Real>
MildSlopeSystem<Exec, Real>::MildSlopeSystem(Exec const& space, WaveProblem const& problem,
                                             BoundaryTable const& boundary)
    : extended_(problem.extended),
      lumping_(problem.lumping),
      mesh_(make_triangle_mesh(space, problem.mesh)),
      profile_(make_fem_profile(space, mesh_, needs_element_map(problem.assembly))),
      assembly_(space, mesh_, profile_, assembly_setup(problem.assembly, sizeof(Scalar))),
      matrix_(make_csr_matrix<Scalar>(space, profile_.graph)),
      rhs_(Kokkos::view_alloc(space, std::string("karman::waves::rhs")), problem.mesh.nodes.size()),
      solver_(space, matrix_, problem.linear),
      terms_(device_copy(space, boundary.terms, "karman::waves::boundary_terms")),
      places_(device_copy(space, boundary.places, "karman::waves::boundary_places")) {}

template <ExecutionSpace Exec, class Real>
void MildSlopeSystem<Exec, Real>::start(double omega) {
  solver_.forget();
  omega_of_solver_ = omega;
}

template <ExecutionSpace Exec, class Real>
void MildSlopeSystem<Exec, Real>::set_frequency(Member const& m) {
  if (m.omega != omega_of_solver_) solver_.forget(m.report.fell_back);
  omega_of_solver_ = m.omega;
}

template <ExecutionSpace Exec, class Real>
void MildSlopeSystem<Exec, Real>::assemble_into(Exec const& space, CsrMatrix<Exec, Scalar> const& matrix,
                                                double damping, Member const& m) {
  WaveFields<Exec> const& f = m.fields;
  MildSlopeElement<Memory, Real> const plain{f.flux, f.mass, f.losses, lumping_, damping};
  if (extended_) {
    ExtendedMildSlopeElement<Memory, Real> const extended{plain, f.depth, f.slope_flux, f.slope_squared};
    assemble(space, assembly_, extended, matrix, rhs_);
  } else {
    assemble(space, assembly_, plain, matrix, rhs_);
  }
  MildSlopeEdge<Memory, Real> const edge{f.flux, f.mass, f.losses, f.wave_number, terms_, places_, m.edges};
  add_boundary(space, assembly_, edge, matrix, rhs_);
}

template <ExecutionSpace Exec, class Real>
LinearOutcome MildSlopeSystem<Exec, Real>::solve(Exec const& space, Member& m, double tolerance) {
  Stopwatch const watch;
  if (solver_.damped() != nullptr) assemble_into(space, *solver_.damped(), solver_.damping(), m);
  assemble_into(space, matrix_, 0, m);
  compat::fence(space, "karman::waves::assembled");
  m.report.assembly_seconds += watch.seconds();
  return solve_again(space, m, tolerance);
}

template <ExecutionSpace Exec, class Real>
LinearOutcome MildSlopeSystem<Exec, Real>::solve_again(Exec const& space, Member& m, double tolerance) {
  Stopwatch const watch;
  LinearOutcome const outcome = solver_.solve(space, rhs_, m.elevation, tolerance);
  m.report.linear_seconds += watch.seconds();
  m.report.linear_iterations += outcome.iterations;
  m.report.fell_back = m.report.fell_back || outcome.fell_back;
  return outcome;
}

template <ExecutionSpace Exec, class Real>
void MildSlopeSystem<Exec, Real>::save(WaveSnapshot& snapshot) const {
  snapshot.omega = omega_of_solver_;
  snapshot.linear = solver_.memory();
}

template <ExecutionSpace Exec, class Real>
void MildSlopeSystem<Exec, Real>::restore(Exec const& space, WaveSnapshot const& snapshot) {
  omega_of_solver_ = snapshot.omega;
  solver_.restore(space, snapshot.linear);
}

template <ExecutionSpace Exec, class Real>
std::int64_t MildSlopeSystem<Exec, Real>::bytes() const {
  auto const nodes = static_cast<std::int64_t>(rhs_.size());
  auto const triangles = static_cast<std::int64_t>(mesh_.triangle_count());
  auto const entries = static_cast<std::int64_t>(matrix_.values.size());
  auto const scalar = static_cast<std::int64_t>(sizeof(Scalar));
  return nodes * 16 + triangles * 16 + entries * 4 + static_cast<std::int64_t>(profile_.element_entries.size()) * 4 +
         assembly_.workspace_bytes() + (entries + nodes) * scalar + solver_.bytes();
}

#define KARMAN_INSTANTIATE(Exec)               \
  template class MildSlopeSystem<Exec, float>; \
  template class MildSlopeSystem<Exec, double>;
KARMAN_FOR_EACH_BACKEND(KARMAN_INSTANTIATE)
#undef KARMAN_INSTANTIATE

}  // namespace karman::waves
