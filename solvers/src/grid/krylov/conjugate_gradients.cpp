// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "common/device_numbers.hpp"
#include "common/field_checks.hpp"
#include "common/host_share.hpp"
#include "common/iteration_loop.hpp"
#include "common/process_checks.hpp"
#include "common/shared_monitor.hpp"
#include "common/vector_pass.hpp"
#include "conjugate_gradient_passes.hpp"
#include "grid/stencil/divide_by_diagonal.hpp"
#include "sparse/products/krylov_products.hpp"
#include <karman/core/compat.hpp>
#include <karman/core/error.hpp>
#include <karman/core/profiling.hpp>
#include <karman/solvers/grid/conjugate_gradients.hpp>

#include <algorithm>
#include <climits>
#include <cmath>
#include <string>

namespace karman {

template <ExecutionSpace Exec, Real T>
struct ConjugateGradients<Exec, T>::State {
  using Scalar = detail::CgScalar;

  Communicator communicator;
  bool many;  ///< more than one process
  bool takes_preconditioners;
  std::array<int, 3> extents;
  std::int64_t n;
  std::int64_t bytes = 0;
  Field<Exec, T> r, p, q, z;
  Kokkos::View<double*, typename Exec::memory_space> scalars, partials;
  Kokkos::View<int, typename Exec::memory_space> arrivals;
  Kokkos::View<double*, Kokkos::HostSpace> on_host;

  State(Exec const& space, std::array<int, 3> const& extents_, KrylovSetup const& setup)
      : communicator(setup.communicator),
        many(communicator.size() > 1),
        takes_preconditioners(setup.preconditioned),
        extents(extents_) {
    communicator.check_in_all([&] { n = checked_cells(extents, many ? 0 : 1); });
    auto const field = [&](char const* label) {
      bytes += n * static_cast<std::int64_t>(sizeof(T));
      return Field<Exec, T>(Kokkos::view_alloc(space, std::string(label)), extents[0], extents[1], extents[2]);
    };
    r = field("karman::krylov::r");
    p = field("karman::krylov::p");
    q = field("karman::krylov::q");
    if (takes_preconditioners) z = field("karman::krylov::z");
    scalars = numbers(space, Scalar::count, "karman::krylov::scalars");
    partials = numbers(space, partial_numbers(n), "karman::krylov::partials");
    arrivals = Kokkos::View<int, typename Exec::memory_space>(Kokkos::view_alloc(space, "karman::krylov::arrivals"));
    on_host = Kokkos::View<double*, Kokkos::HostSpace>(Kokkos::view_alloc("karman::krylov::scalars_on_host"),
                                                       static_cast<std::size_t>(Scalar::count));
    bytes += sizeof(int) + detail::host_share<Exec>(Scalar::count * sizeof(double));
    // Kokkos allocates workspace at the first team kernel: here, not in solve().
    pass(space, "karman::krylov::norm", detail::NormBody<T>{{r.data()}, {nullptr}}, {nullptr, 1}, {-1, -1});
    compat::fence(space, "karman::krylov::plan");
  }

  static std::int64_t checked_cells(std::array<int, 3> const& extents, int least = 1) {
    for (int extent : extents) {
      require(extent >= least, "ConjugateGradients: every extent must be at least " + std::to_string(least));
    }
    return std::int64_t(extents[0]) * extents[1] * extents[2];
  }
  static int partial_numbers(std::int64_t cells) { return 2 * detail::VectorTable<Exec>::teams(cells); }

  /// Bytes of all that the plan allocates.
  static std::int64_t bytes_of(std::array<int, 3> const& extents, bool preconditioned) {
    constexpr std::int64_t real = sizeof(T), number = sizeof(double), scalars = Scalar::count * number;
    std::int64_t const cells = checked_cells(extents);
    return (preconditioned ? 4 : 3) * cells * real + scalars + partial_numbers(cells) * number +
           static_cast<std::int64_t>(sizeof(int)) + detail::host_share<Exec>(scalars);
  }

  Kokkos::View<double*, typename Exec::memory_space> numbers(Exec const& space, int count, char const* label) {
    bytes += count * static_cast<std::int64_t>(sizeof(double));
    return Kokkos::View<double*, typename Exec::memory_space>(Kokkos::view_alloc(space, std::string(label)),
                                                              static_cast<std::size_t>(count));
  }

  /// One of the scalars as a View.
  DeviceNumber<Exec> number(int place) const { return DeviceNumber<Exec>(scalars.data() + place); }

  void fetch(Exec const& space) const {
    Kokkos::deep_copy(space, on_host, scalars);
    compat::fence(space, "karman::krylov::fetch");
  }
  double fetched(Exec const& space, int place) const {
    fetch(space);
    return on_host(place);
  }

  /// Replaces the terms of this process by the sums, or the largest, of all processes: one collective message. Without
  /// effect with one process.
  template <std::size_t count>
  void join(Exec const& space, std::array<int, count> const& places) const {
    if (!many) return;
    fetch(space);
    std::array<double, count> mine{};
    for (std::size_t t = 0; t < count; ++t) mine[t] = on_host(places[t]);
    detail::NumbersToDevice<static_cast<int>(count)> joined{scalars.data(), {}, {}};
    for (std::size_t t = 0; t < count; ++t) joined.place[t] = places[t];
    for (auto const& terms : communicator.all_gather(mine)) {
      for (std::size_t t = 0; t < count; ++t) {
        auto const kind = places[t] == Scalar::largest ? detail::TeamReduction::maximum : detail::TeamReduction::sum;
        joined.value[t] = detail::combine(kind, joined.value[t], terms[t]);
      }
    }
    detail::set_numbers(space, "karman::krylov::join", joined);
  }

  /// Throws, in all processes, unless the arguments of solve() fit.
  void require_arguments(SelfAdjointOperator<Exec, T> const& a, LinearOperator<Exec, T> const* preconditioner,
                         Field<Exec, T> const& x, ConstField<Exec, T> const& rhs, KrylovOptions const& options) const {
    communicator.check_in_all([&] {
      detail::require_iteration_options(options, "KrylovOptions");
      detail::require_field(x, extents, "ConjugateGradients", "x");
      detail::require_field(rhs, extents, "ConjugateGradients", "rhs");
      require(a.extents() == extents, "ConjugateGradients: the operator has other extents than the plan");
      auto const processes = [&](LinearOperator<Exec, T> const& map, char const* what) {
        int const size = map.communicator().size();
        require(size == communicator.size(),
                "ConjugateGradients: the " + std::string(what) + " works on " + detail::process_count(size) +
                    ", the plan on " + std::to_string(communicator.size()) + "; make both with the same communicator");
      };
      processes(a, "operator");
      if (preconditioner == nullptr) return;
      require(preconditioner->extents() == extents,
              "ConjugateGradients: the preconditioner has other extents than the plan");
      require(takes_preconditioners, "ConjugateGradients: the plan was made without a preconditioner");
      processes(*preconditioner, "preconditioner");
    });
  }

  template <class Body>
  void pass(Exec const& space, char const* label, Body const& body, detail::ElementWeight const& weight,
            std::array<int, 2> const& places) const {
    constexpr int count = Body::results > 0 ? Body::results : 1;
    detail::TeamResults<count> out{{}, {}, partials.data(), arrivals.data()};
    for (int s = 0; s < count; ++s) {
      out.kind[s] = Body::kind(s);
      out.result[s] =
          places[static_cast<std::size_t>(s)] < 0 ? nullptr : scalars.data() + places[static_cast<std::size_t>(s)];
    }
    detail::vector_pass(space, label, body, n, weight, out);
  }

  /// One solve, in the form that run_iterations() requires.
  struct Run {
    static constexpr bool carries = true;
    static constexpr double gain = 0.5;
    static constexpr std::string_view used_up = {};

    State& s;
    Exec const& space;
    SelfAdjointOperator<Exec, T> const& a;
    LinearOperator<Exec, T> const* preconditioner;
    Field<Exec, T> const& x;
    ConstField<Exec, T> const& rhs;
    bool flexible;
    detail::ElementWeight weight;
    int iteration = 0;  ///< since the start of the recursion
    double unit = 1;    ///< unit of x and of all other vectors while the recursion runs

    Field<Exec, T> const& preconditioned() const { return preconditioner != nullptr ? s.z : s.r; }

    /// b - A x, without its mean in singular problems, its largest magnitude, and <r, r>.
    double exact_residual() {
      if (unit != 1) scale(x, unit);
      unit = 1;
      a.residual(space, x, rhs, s.r, s.number(Scalar::largest));
      if (a.singular()) a.remove_mean(space, s.r, s.number(Scalar::mean));
      norm();
      return s.fetched(space, Scalar::largest);
    }
    void norm() const {
      s.pass(space, "karman::krylov::norm", detail::NormBody<T>{{s.r.data()}, {nullptr}}, weight,
             {Scalar::rz(0), Scalar::largest});
      s.join(space, std::array<int, 2>{Scalar::rz(0), Scalar::largest});
    }

    /// z = M r with <r, z>, and <q, z> on request. Joins them, and the largest residual, over all processes.
    void precondition(int rz, bool with_qz) const {
      if (preconditioner == nullptr) return;
      preconditioner->apply(space, s.r, s.z);
      if (with_qz) {
        s.pass(space, "karman::krylov::products",
               detail::ProductBody<T, true>{{s.z.data(), s.r.data(), s.q.data()}, {nullptr}}, weight, {rz, Scalar::qz});
        s.join(space, std::array<int, 3>{rz, Scalar::qz, Scalar::largest});
      } else {
        s.pass(space, "karman::krylov::products", detail::ProductBody<T, false>{{s.z.data(), s.r.data()}, {nullptr}},
               weight, {rz, -1});
        s.join(space, std::array<int, 2>{rz, Scalar::largest});
      }
    }

    int room() const { return INT_MAX; }

    /// Sets the first direction from r.
    void start(double residual) {
      iteration = 0;
      unit = detail::residual_unit(residual);
      if (unit != 1) {
        scale(x, 1 / unit);
        scale(s.r, 1 / unit);
        norm();
      }
      precondition(Scalar::rz(0), false);
      s.pass(space, "karman::krylov::first_direction",
             detail::CopyBody<T>{{preconditioned().data()}, {s.p.data()}, s.scalars.data()}, weight, {-1, -1});
    }

    void advance(int, int count) {
      for (int n = 0; n < count; ++n) iterate(iteration++);
    }

    detail::IterationCheck check() const {
      s.fetch(space);
      double const carried = unit * s.on_host(Scalar::largest);
      switch (static_cast<detail::CgFlag>(static_cast<int>(s.on_host(Scalar::flag)))) {
        case detail::CgFlag::operator_indefinite: return {carried, "the operator is not definite", false, true};
        case detail::CgFlag::preconditioner_indefinite:
          return {carried, "the preconditioner is not definite", false, true};
        case detail::CgFlag::exhausted: return {carried, {}, true, false};
        case detail::CgFlag::none: break;
      }
      return {carried};
    }

   private:
    void scale(Field<Exec, T> const& v, double factor) const {
      s.pass(space, "karman::krylov::scale", detail::ScaledInPlace<T>{{v.data()}, {v.data()}, static_cast<T>(factor)},
             weight, {-1, -1});
    }

    void iterate(int iteration) const {
      int const rz = Scalar::rz(iteration), next = Scalar::rz(iteration + 1);
      a.apply_dot(space, s.p, s.q, s.number(Scalar::pq));
      s.join(space, std::array<int, 1>{Scalar::pq});
      s.pass(space, "karman::krylov::step",
             detail::StepBody<T>{{x.data(), s.p.data(), s.r.data(), s.q.data()},
                                 {x.data(), s.r.data()},
                                 s.scalars.data(),
                                 rz,
                                 iteration == 0},
             weight, {preconditioner == nullptr ? next : -1, Scalar::largest});
      if (preconditioner == nullptr) s.join(space, std::array<int, 2>{next, Scalar::largest});
      precondition(next, flexible);
      s.pass(space, "karman::krylov::direction",
             detail::DirectionBody<T>{{preconditioned().data(), s.p.data()},
                                      {s.p.data()},
                                      s.scalars.data(),
                                      rz,
                                      next,
                                      flexible,
                                      iteration == 0},
             weight, {-1, -1});
    }
  };

  SolveReport solve(Run run, KrylovOptions const& options);
};

template <ExecutionSpace Exec, Real T>
SolveReport ConjugateGradients<Exec, T>::State::solve(Run run, KrylovOptions const& options) {
  auto const& space = run.space;
  run.a.right_hand_side(space, run.rhs, q, number(Scalar::largest));
  if (run.a.singular()) run.a.remove_mean(space, q, number(Scalar::mean));
  fetch(space);
  double const norm = many ? communicator.largest(on_host(Scalar::largest)) : on_host(Scalar::largest);
  double const mean = run.a.singular() ? on_host(Scalar::mean) : 0;
  KrylovOptions shared = options;
  if (many) shared.monitor = detail::shared_monitor(options.monitor, communicator);
  SolveReport report = detail::run_iterations(run, shared, norm, run.exact_residual());
  report.imbalance = norm > 0 ? std::abs(mean) / norm : 0;
  if (run.a.singular() && detail::has_ended(report)) run.a.remove_mean(space, run.x, number(Scalar::mean));
  compat::fence(space, "karman::krylov::solve");
  return report;
}

template <ExecutionSpace Exec, Real T>
ConjugateGradients<Exec, T>::ConjugateGradients(Exec const& space, std::array<int, 3> const& extents,
                                                bool preconditioned)
    : ConjugateGradients(space, extents, KrylovSetup{preconditioned, {}}) {}

template <ExecutionSpace Exec, Real T>
ConjugateGradients<Exec, T>::ConjugateGradients(Exec const& space, std::array<int, 3> const& extents,
                                                KrylovSetup const& setup) {
  Region const region("karman::krylov::plan");
  state_ = {"ConjugateGradients", std::make_unique<State>(space, extents, setup)};
}

template <ExecutionSpace Exec, Real T>
SolveReport ConjugateGradients<Exec, T>::solve(Exec const& space, SelfAdjointOperator<Exec, T> const& a,
                                               Field<Exec, T> const& x, ConstField<Exec, T> const& rhs,
                                               KrylovOptions const& options) {
  Region const region("karman::krylov::solve");
  State& s = *state_;
  s.require_arguments(a, nullptr, x, rhs, options);
  return s.solve(
      {s, space, a, nullptr, x, rhs, false, {a.layer_weight().data(), std::int64_t(s.extents[1]) * s.extents[2]}},
      options);
}

template <ExecutionSpace Exec, Real T>
SolveReport ConjugateGradients<Exec, T>::solve(Exec const& space, SelfAdjointOperator<Exec, T> const& a,
                                               LinearOperator<Exec, T> const& preconditioner, Field<Exec, T> const& x,
                                               ConstField<Exec, T> const& rhs, KrylovOptions const& options) {
  Region const region("karman::krylov::solve");
  State& s = *state_;
  s.require_arguments(a, &preconditioner, x, rhs, options);
  return s.solve({s,
                  space,
                  a,
                  &preconditioner,
                  x,
                  rhs,
                  options.flexible,
                  {a.layer_weight().data(), std::int64_t(s.extents[1]) * s.extents[2]}},
                 options);
}

template <ExecutionSpace Exec, Real T>
std::int64_t ConjugateGradients<Exec, T>::workspace_bytes() const {
  return state_->bytes;
}

template <ExecutionSpace Exec, Real T>
std::int64_t ConjugateGradients<Exec, T>::workspace_bytes(std::array<int, 3> const& extents, bool preconditioned) {
  return State::bytes_of(extents, preconditioned);
}

template <ExecutionSpace Exec, Real T>
void DiagonalPreconditioner<Exec, T>::apply(Exec const& space, ConstField<Exec, T> const& residual,
                                            Field<Exec, T> const& correction) const {
  detail::divide_by_diagonal(space, "karman::krylov::diagonal", a_.cells(), residual, correction, T(1));
}

#define KARMAN_INSTANTIATE(Exec)                      \
  template class ConjugateGradients<Exec, float>;     \
  template class ConjugateGradients<Exec, double>;    \
  template class DiagonalPreconditioner<Exec, float>; \
  template class DiagonalPreconditioner<Exec, double>;
KARMAN_FOR_EACH_BACKEND(KARMAN_INSTANTIATE)
#undef KARMAN_INSTANTIATE

}  // namespace karman
