// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "gauss_seidel_sweep.hpp"
#include "grid/stencil/divide_by_diagonal.hpp"
#include "grid/stencil/seven_point_sweep.hpp"
#include "grid/stencil/steady_frame.hpp"
#include <karman/core/error.hpp>
#include <karman/core/profiling.hpp>
#include <karman/solvers/grid/relaxation.hpp>

namespace karman {

namespace {

template <class Exec, class T>
void copy_field(Exec const& space, Field<Exec, T> const& from, Field<Exec, T> const& to) {
  T const* const in = from.data();
  T* const out = to.data();
  Kokkos::parallel_for(
      "karman::jacobi::copy",
      Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::int64_t>>(space, 0, static_cast<std::int64_t>(from.size())),
      KOKKOS_LAMBDA(std::int64_t n) { out[n] = in[n]; });
}

template <class Exec, class T>
void set_to_zero(Exec const& space, Field<Exec, T> const& x) {
  T* const out = x.data();
  Kokkos::parallel_for(
      "karman::gauss_seidel::clear",
      Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::int64_t>>(space, 0, static_cast<std::int64_t>(x.size())),
      KOKKOS_LAMBDA(std::int64_t n) { out[n] = T(0); });
}

void require_sweeps(int count, double omega, char const* who) {
  require(count >= 0, std::string(who) + ": the number of sweeps must not be negative");
  require(omega > 0 && omega < 2, std::string(who) + ": omega must lie in (0, 2)");
}

}  // namespace

template <ExecutionSpace Exec, Real T>
struct Jacobi<Exec, T>::State : detail::SteadyFrame<Exec, T> {
  State(Exec const& space, SevenPoint<Exec, T> const& a, T omega_)
      : detail::SteadyFrame<Exec, T>(space, a, "karman::jacobi"),
        other(this->field(space, "karman::jacobi::other")),
        omega(omega_) {}
  Field<Exec, T> other;
  T omega;  ///< of apply()

  void iterate(Exec const& space, Field<Exec, T> const& x, ConstField<Exec, T> const& rhs, int count, T factor) {
    Field<Exec, T> from = x, to = other;
    auto const cells = this->a.cells();
    for (int n = 0; n < count; ++n) {
      auto const values = this->a.with_boundary_values(from);
      detail::JacobiTask<T> const task{rhs.data(), to.data(), factor};
      cells.with_storage([&](auto const& stored) {
        detail::sweep_seven_point<Exec>(space, "karman::jacobi::sweep", values, stored, task, nullptr,
                                        detail::TeamResults<1>{});
      });
      std::swap(from, to);
    }
    if (count % 2 != 0) copy_field<Exec, T>(space, other, x);
  }
};

template <ExecutionSpace Exec, Real T>
struct GaussSeidel<Exec, T>::State : detail::SteadyFrame<Exec, T> {
  State(Exec const& space, SevenPoint<Exec, T> const& a, T omega_)
      : detail::SteadyFrame<Exec, T>(space, a, "karman::gauss_seidel"), omega(omega_) {}
  T omega;  ///< of apply()

  void iterate(Exec const& space, Field<Exec, T> const& x, ConstField<Exec, T> const& rhs, int count, T factor) {
    auto const values = this->a.with_boundary_values(x);
    this->a.cells().with_storage([&](auto const& stored) {
      for (int n = 0; n < count; ++n) {
        detail::gauss_seidel_sweep(space, values, stored, x.data(), rhs.data(), factor);
      }
    });
  }

  /// From zero, in one order and in the opposite one: the matrix of the two together is symmetric.
  void apply(Exec const& space, ConstField<Exec, T> const& residual, Field<Exec, T> const& x) const {
    set_to_zero<Exec, T>(space, x);
    auto const values = this->a.with_zeros_beyond(x);
    this->a.cells().with_storage([&](auto const& stored) {
      for (bool const backward : {false, true}) {
        detail::gauss_seidel_sweep(space, values, stored, x.data(), residual.data(), omega, backward);
      }
    });
  }
};

namespace {

/// solve() of both methods.
template <class Exec, class T, class State>
SolveReport solve_by(Exec const& space, State& s, Field<Exec, T> const& x, ConstField<Exec, T> const& rhs,
                     RelaxationOptions const& options, char const* who) {
  detail::require_iteration_options(options, "RelaxationOptions");
  require_sweeps(0, options.omega, who);
  s.check(x, who, "x");
  s.check(rhs, who, "rhs");
  SolveReport report = s.run(
      space, x, rhs, options,
      [&](ConstField<Exec, T> const& b, int, int count) {
        s.iterate(space, x, b, count, static_cast<T>(options.omega));
      },
      [&](ConstField<Exec, T> const& b) { s.a.residual(space, x, b, s.residual, s.largest()); });
  report.omega = options.omega;
  return report;
}

}  // namespace

template <ExecutionSpace Exec, Real T>
Jacobi<Exec, T>::Jacobi(Exec const& space, SevenPoint<Exec, T> const& a, double omega) {
  Region const region("karman::jacobi::plan");
  require_sweeps(0, omega, "Jacobi");
  state_ = {"Jacobi", std::make_unique<State>(space, a, static_cast<T>(omega))};
}
template <ExecutionSpace Exec, Real T>
void Jacobi<Exec, T>::iterate(Exec const& space, Field<Exec, T> const& x, ConstField<Exec, T> const& rhs, int count,
                              double omega) {
  require_sweeps(count, omega, "Jacobi");
  state_->check(x, "Jacobi", "x");
  state_->check(rhs, "Jacobi", "rhs");
  state_->iterate(space, x, rhs, count, static_cast<T>(omega));
}

template <ExecutionSpace Exec, Real T>
SolveReport Jacobi<Exec, T>::solve(Exec const& space, Field<Exec, T> const& x, ConstField<Exec, T> const& rhs,
                                   RelaxationOptions const& options) {
  Region const region("karman::jacobi::solve");
  return solve_by<Exec, T>(space, *state_, x, rhs, options, "Jacobi");
}

template <ExecutionSpace Exec, Real T>
void Jacobi<Exec, T>::apply(Exec const& space, ConstField<Exec, T> const& residual,
                            Field<Exec, T> const& correction) const {
  Region const region("karman::jacobi::apply");
  State const& s = *state_;
  s.check(residual, "Jacobi", "residual");
  s.check(correction, "Jacobi", "correction");
  detail::divide_by_diagonal(space, "karman::jacobi::apply", s.a.cells(), residual, correction, s.omega);
}

template <ExecutionSpace Exec, Real T>
std::array<int, 3> Jacobi<Exec, T>::extents() const {
  return state_->a.extents();
}

template <ExecutionSpace Exec, Real T>
std::int64_t Jacobi<Exec, T>::workspace_bytes() const {
  return state_->bytes();
}

template <ExecutionSpace Exec, Real T>
std::int64_t Jacobi<Exec, T>::workspace_bytes(SevenPointShape const& shape) {
  return State::bytes_of(shape, 1);
}

template <ExecutionSpace Exec, Real T>
GaussSeidel<Exec, T>::GaussSeidel(Exec const& space, SevenPoint<Exec, T> const& a, double omega) {
  Region const region("karman::gauss_seidel::plan");
  require_sweeps(0, omega, "GaussSeidel");
  state_ = {"GaussSeidel", std::make_unique<State>(space, a, static_cast<T>(omega))};
}
template <ExecutionSpace Exec, Real T>
void GaussSeidel<Exec, T>::iterate(Exec const& space, Field<Exec, T> const& x, ConstField<Exec, T> const& rhs,
                                   int count, double omega) {
  require_sweeps(count, omega, "GaussSeidel");
  state_->check(x, "GaussSeidel", "x");
  state_->check(rhs, "GaussSeidel", "rhs");
  state_->iterate(space, x, rhs, count, static_cast<T>(omega));
}

template <ExecutionSpace Exec, Real T>
SolveReport GaussSeidel<Exec, T>::solve(Exec const& space, Field<Exec, T> const& x, ConstField<Exec, T> const& rhs,
                                        RelaxationOptions const& options) {
  Region const region("karman::gauss_seidel::solve");
  return solve_by<Exec, T>(space, *state_, x, rhs, options, "GaussSeidel");
}

template <ExecutionSpace Exec, Real T>
void GaussSeidel<Exec, T>::apply(Exec const& space, ConstField<Exec, T> const& residual,
                                 Field<Exec, T> const& correction) const {
  Region const region("karman::gauss_seidel::apply");
  State const& s = *state_;
  s.check(residual, "GaussSeidel", "residual");
  s.check(correction, "GaussSeidel", "correction");
  require(residual.data() != correction.data(), "GaussSeidel: residual and correction must be two fields, found one");
  s.apply(space, residual, correction);
}

template <ExecutionSpace Exec, Real T>
std::array<int, 3> GaussSeidel<Exec, T>::extents() const {
  return state_->a.extents();
}

template <ExecutionSpace Exec, Real T>
std::int64_t GaussSeidel<Exec, T>::workspace_bytes() const {
  return state_->bytes();
}

template <ExecutionSpace Exec, Real T>
std::int64_t GaussSeidel<Exec, T>::workspace_bytes(SevenPointShape const& shape) {
  return State::bytes_of(shape, 0);
}

#define KARMAN_INSTANTIATE(Exec)           \
  template class Jacobi<Exec, float>;      \
  template class Jacobi<Exec, double>;     \
  template class GaussSeidel<Exec, float>; \
  template class GaussSeidel<Exec, double>;
KARMAN_FOR_EACH_BACKEND(KARMAN_INSTANTIATE)
#undef KARMAN_INSTANTIATE

}  // namespace karman
