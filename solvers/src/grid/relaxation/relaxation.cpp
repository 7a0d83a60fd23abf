// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "common/process_checks.hpp"
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
struct Relaxation<Exec, T>::State : detail::SteadyFrame<Exec, T> {
  State(Exec const& space, SevenPoint<Exec, T> const& a, char const* who_, std::string const& module_, double omega_)
      : detail::SteadyFrame<Exec, T>(space, a, module_), who(who_), module(module_), omega(static_cast<T>(omega_)) {}
  virtual ~State() = default;
  virtual void iterate(Exec const& space, Field<Exec, T> const& x, ConstField<Exec, T> const& rhs, int count,
                       T factor) = 0;

  template <class V>
  void check(V const& field, char const* what) const {
    detail::SteadyFrame<Exec, T>::check(field, who, what);
  }

  char const* who;  ///< class, in messages
  std::string module;
  T omega;  ///< of apply()
};

template <ExecutionSpace Exec, Real T>
struct Jacobi<Exec, T>::State final : Relaxation<Exec, T>::State {
  State(Exec const& space, SevenPoint<Exec, T> const& a, double omega)
      : Relaxation<Exec, T>::State(space, a, "Jacobi", "karman::jacobi", omega),
        other(this->field(space, "karman::jacobi::other")) {}
  Field<Exec, T> other;

  void iterate(Exec const& space, Field<Exec, T> const& x, ConstField<Exec, T> const& rhs, int count,
               T factor) override {
    Field<Exec, T> from = x, to = other;
    auto const cells = this->a.cells();
    for (int n = 0; n < count; ++n) {
      this->a.update_halo(space, from);
      auto const values = this->a.with_boundary_values(from);
      detail::JacobiTask<T> const task{rhs.data(), to.data(), factor};
      if (from.size() == 0) continue;  // a part without cells
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
struct GaussSeidel<Exec, T>::State final : Relaxation<Exec, T>::State {
  State(Exec const& space, SevenPoint<Exec, T> const& a, double omega)
      : Relaxation<Exec, T>::State(space, a, "GaussSeidel", "karman::gauss_seidel", omega) {}

  void iterate(Exec const& space, Field<Exec, T> const& x, ConstField<Exec, T> const& rhs, int count,
               T factor) override {
    auto const values = this->a.with_boundary_values(x);
    this->a.cells().with_storage([&](auto const& stored) {
      for (int n = 0; n < count; ++n) {
        detail::gauss_seidel_sweep(space, values, stored, x.data(), rhs.data(), factor);
      }
    });
  }
};

template <ExecutionSpace Exec, Real T>
void Relaxation<Exec, T>::iterate(Exec const& space, Field<Exec, T> const& x, ConstField<Exec, T> const& rhs, int count,
                                  double omega) {
  State& s = *state_;
  require_sweeps(count, omega, s.who);
  s.check(x, "x");
  s.check(rhs, "rhs");
  s.iterate(space, x, rhs, count, static_cast<T>(omega));
}

template <ExecutionSpace Exec, Real T>
SolveReport Relaxation<Exec, T>::solve(Exec const& space, Field<Exec, T> const& x, ConstField<Exec, T> const& rhs,
                                       RelaxationOptions const& options) {
  State& s = *state_;
  Region const region(s.module + "::solve");
  s.communicator().check_in_all([&] {
    detail::require_iteration_options(options, "RelaxationOptions");
    require_sweeps(0, options.omega, s.who);
    s.check(x, "x");
    s.check(rhs, "rhs");
  });
  SolveReport report = s.run(
      space, x, rhs, options,
      [&](ConstField<Exec, T> const& b, int, int count) {
        s.iterate(space, x, b, count, static_cast<T>(options.omega));
      },
      [&](ConstField<Exec, T> const& b) { s.a.residual(space, x, b, s.residual, s.largest()); });
  report.omega = options.omega;
  return report;
}

template <ExecutionSpace Exec, Real T>
std::array<int, 3> Relaxation<Exec, T>::extents() const {
  return state_->a.extents();
}

template <ExecutionSpace Exec, Real T>
Communicator Relaxation<Exec, T>::communicator() const {
  return state_->communicator();
}

template <ExecutionSpace Exec, Real T>
std::int64_t Relaxation<Exec, T>::workspace_bytes() const {
  return state_->bytes();
}

template <ExecutionSpace Exec, Real T>
Jacobi<Exec, T>::Jacobi(Exec const& space, SevenPoint<Exec, T> const& a, double omega) {
  Region const region("karman::jacobi::plan");
  a.communicator().check_in_all([&] { require_sweeps(0, omega, "Jacobi"); });
  this->state_ = {"Jacobi", std::make_unique<State>(space, a, omega)};
}

template <ExecutionSpace Exec, Real T>
void Jacobi<Exec, T>::apply(Exec const& space, ConstField<Exec, T> const& residual,
                            Field<Exec, T> const& correction) const {
  Region const region("karman::jacobi::apply");
  auto const& s = *this->state_;
  s.check(residual, "residual");
  s.check(correction, "correction");
  detail::divide_by_diagonal(space, "karman::jacobi::apply", s.a.cells(), residual, correction, s.omega);
}

template <ExecutionSpace Exec, Real T>
std::int64_t Jacobi<Exec, T>::workspace_bytes(SevenPointShape const& shape) {
  return State::bytes_of(shape, 1);
}

template <ExecutionSpace Exec, Real T>
GaussSeidel<Exec, T>::GaussSeidel(Exec const& space, SevenPoint<Exec, T> const& a, double omega) {
  Region const region("karman::gauss_seidel::plan");
  // A cell follows all cells before it, also in other processes.
  detail::require_one_process(a, "GaussSeidel", "RedBlackSor with omega = 1 or Jacobi");
  require_sweeps(0, omega, "GaussSeidel");
  this->state_ = {"GaussSeidel", std::make_unique<State>(space, a, omega)};
}

template <ExecutionSpace Exec, Real T>
void GaussSeidel<Exec, T>::apply(Exec const& space, ConstField<Exec, T> const& residual,
                                 Field<Exec, T> const& correction) const {
  Region const region("karman::gauss_seidel::apply");
  auto const& s = *this->state_;
  s.check(residual, "residual");
  s.check(correction, "correction");
  require(residual.data() != correction.data(), "GaussSeidel: residual and correction must be two fields, found one");
  set_to_zero<Exec, T>(space, correction);
  auto const values = s.a.with_zeros_beyond(correction);
  s.a.cells().with_storage([&](auto const& stored) {
    for (bool const backward : {false, true}) {
      detail::gauss_seidel_sweep(space, values, stored, correction.data(), residual.data(), s.omega, backward);
    }
  });
}

template <ExecutionSpace Exec, Real T>
std::int64_t GaussSeidel<Exec, T>::workspace_bytes(SevenPointShape const& shape) {
  return State::bytes_of(shape, 0);
}

#define KARMAN_INSTANTIATE(Exec)           \
  template class Relaxation<Exec, float>;  \
  template class Relaxation<Exec, double>; \
  template class Jacobi<Exec, float>;      \
  template class Jacobi<Exec, double>;     \
  template class GaussSeidel<Exec, float>; \
  template class GaussSeidel<Exec, double>;
KARMAN_FOR_EACH_BACKEND(KARMAN_INSTANTIATE)
#undef KARMAN_INSTANTIATE

}  // namespace karman
