// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Explicit integration in time of du/dt = r(u, t), with the time step in device memory.
#pragma once

#include <karman/core/backend.hpp>
#include <karman/core/plan_state.hpp>
#include <karman/solvers/linear_operator.hpp>
#include <karman/solvers/sparse/spmv.hpp>
#include <karman/solvers/time/time_integrators_options.hpp>

#include <Kokkos_Core.hpp>

#include <array>
#include <cstdint>
#include <vector>

namespace karman {

/// Rates or time steps in device memory: one number for all unknowns, one value for each of them, or neither.
/// \tparam Exec execution space
/// \tparam T number type of the unknowns
template <ExecutionSpace Exec, Real T>
struct GlobalOrLocal {
  DeviceNumber<Exec> global = {};  ///< the number for all unknowns, or an empty View
  Vector<Exec, T> local = {};      ///< one value per unknown, or an empty View

  /// \return true for one value per unknown
  KOKKOS_FUNCTION bool is_local() const { return local.data() != nullptr; }
  /// \return true for neither
  KOKKOS_FUNCTION bool empty() const { return !is_local() && global.data() == nullptr; }
  /// Value for unknown i, in kernels. Must not be empty.
  KOKKOS_FUNCTION double operator()(std::int64_t i) const {
    return local.data() != nullptr ? static_cast<double>(local.data()[i]) : *global.data();
  }
};

/// One stage of a step:
///
///     to = base_weight * base + from_weight * from + factor * dt * r(from, time).
///
/// `to` may be `base`, and never overlaps `from`. A vector with weight 0 is not read.
template <ExecutionSpace Exec, Real T>
struct TimeStage {
  ConstVector<Exec, T> base;    ///< vector at which the stage begins
  ConstVector<Exec, T> from;    ///< vector at which r is evaluated
  Vector<Exec, T> to;           ///< result
  double base_weight = 1;       ///< weight of base
  double from_weight = 0;       ///< weight of from
  double factor = 1;            ///< factor of dt
  DeviceNumber<Exec> time;      ///< time at which r is evaluated
  GlobalOrLocal<Exec, T> dt;    ///< time step
  GlobalOrLocal<Exec, T> rate;  ///< out: as for TimeDerivative::evaluate()
  /// Share of a change of `to` by TimeDerivative::constrain() in the vector at the end of the step, except for changes
  /// of r.
  double share = 1;
};

/// The right-hand side r of du/dt = r(u, t) for n numbers. Derive from it to integrate an equation of your own.
///
/// All calls are asynchronous on `space`, and must neither allocate nor fence.
/// \tparam Exec execution space
/// \tparam T number type of the unknowns
template <ExecutionSpace Exec, Real T>
class TimeDerivative {
 public:
  virtual ~TimeDerivative() = default;

  /// \return n, the number of unknowns
  virtual std::int64_t size() const = 0;

  /// result = r(u, time).
  /// \param space instance of the kernels
  /// \param u n numbers
  /// \param time time of u
  /// \param result n numbers, apart from u
  /// \param rate out: the largest rate (1/s) that limits the time step, dt = cfl / rate, or one rate per unknown.
  /// Empty: not wanted. A global rate holds 0 before the call. NaN and infinity end the run.
  virtual void evaluate(Exec const& space, ConstVector<Exec, T> const& u, DeviceNumber<Exec> const& time,
                        Vector<Exec, T> const& result, GlobalOrLocal<Exec, T> const& rate) = 0;

  /// The rates of evaluate() alone, before the first step of a run.
  /// \param space instance of the kernels
  /// \param u n numbers
  /// \param time time of u
  /// \param workspace n numbers, apart from u
  /// \param rate out: as for evaluate(), never empty
  virtual void rates(Exec const& space, ConstVector<Exec, T> const& u, DeviceNumber<Exec> const& time,
                     Vector<Exec, T> const& workspace, GlobalOrLocal<Exec, T> const& rate) {
    evaluate(space, u, time, workspace, rate);
  }

  /// A stage whose update is fused into the kernel of r.
  /// \param space instance of the kernels
  /// \param stage vectors, factors, and the wanted rate
  /// \return false, without any work, for a class without such a kernel: evaluate() and one more pass take its place
  virtual bool advance(Exec const& space, TimeStage<Exec, T> const& stage) {
    (void)space;
    (void)stage;
    return false;
  }

  /// Called before the first evaluation of each step, for quantities that stay frozen during the step.
  /// \param space instance of the kernels
  /// \param u vector at the start of the step
  /// \param time its time
  /// \param dt time step; 0 where the end time is reached already
  virtual void begin_step(Exec const& space, ConstVector<Exec, T> const& u, DeviceNumber<Exec> const& time,
                          GlobalOrLocal<Exec, T> const& dt) {
    (void)space;
    (void)u;
    (void)time;
    (void)dt;
  }

  /// Called with each new vector, for boundary values that it must have. Twice must give the same as once.
  /// \param space instance of the kernels
  /// \param u vector of a stage or of a whole step
  /// \param time its time
  virtual void constrain(Exec const& space, Vector<Exec, T> const& u, DeviceNumber<Exec> const& time) {
    (void)space;
    (void)u;
    (void)time;
  }

  /// Whether the calls above launch the same kernels of `space` with the same arguments in every step, and do nothing
  /// else. Then TimeIntegrator::step() may call them for one of many steps. Time and dt are no arguments: they vary in
  /// device memory.
  virtual bool repeats() const { return false; }

 protected:
  TimeDerivative() = default;
  TimeDerivative(TimeDerivative const&) = default;
  TimeDerivative(TimeDerivative&&) noexcept = default;
  TimeDerivative& operator=(TimeDerivative const&) = default;
  TimeDerivative& operator=(TimeDerivative&&) noexcept = default;
};

/// Integrates du/dt = r(u, t) by an explicit method. Time, time step and rate stay in device memory.
///
/// With k(u) = dt r(u, t), t the time of the stage:
///
/// - euler: u += k(u).
/// - minimal_storage_rk4: u_i = u + a_i k(u_(i-1)), a = 1/4, 1/3, 1/2, 1, u_0 = u. Every stage is evaluated at the one
///   before it.
/// - ssp_rk3: u_1 = u + k(u), u_2 = 3/4 u + 1/4 (u_1 + k(u_1)), u <- 1/3 u + 2/3 (u_2 + k(u_2)).
/// - low_storage_rk54: d <- A_i d + k(u), u <- u + B_i d in five stages.
/// - adams_bashforth4: u += sum over j of w_j r(t_(n-j)), j = 0 ... 3. The weights integrate the cubic polynomial
///   through these four derivatives over the step, whatever the lengths of the steps. Equal steps give 55, -59, 37, -9
///   of dt / 24. A start takes two steps of low_storage_rk54, and one through three derivatives.
///
/// The end time is met exactly. The last two steps share the rest of the time where it is less than two steps.
///
/// With local steps every number i has dt_i = cfl / rate_i of its own, limited by local_ratio times the smallest.
/// Results are the same bits from run to run and for any number of threads, if r is. Plans may be moved, not copied;
/// one plan serves one run and one instance at a time.
///
/// \tparam Exec execution space
/// \tparam T float or double
/// \par Cost
/// Evaluations per step: euler 1, minimal_storage_rk4 4, ssp_rk3 3, low_storage_rk54 5, adams_bashforth4 1. Besides
/// them a step moves 3, 12, 11, 24, 6 numbers per unknown. Local steps move 4 more, and 1 per stage. With a fused
/// advance() minimal_storage_rk4 and ssp_rk3 move none, low_storage_rk54 15. One small kernel per step chooses dt.
/// Memory, in vectors: 1, 2, 2, 2, 4, local steps 2 more.
/// \par Synchrony
/// start(), step(), set_end() and restart() are asynchronous; resume(), diagnostics() and run_to() have fenced `space`.
/// Only the constructor allocates.
/// \par Source
/// R. Löhner, Applied CFD Techniques, 2nd ed., Wiley (2008), minimal storage; C.-W. Shu, S. Osher, J. Comput. Phys. 77
/// (1988); M. H. Carpenter, C. A. Kennedy, NASA TM-109112 (1994); E. Hairer, S. P. Nørsett, G. Wanner, Solving Ordinary
/// Differential Equations I, Springer (1993), III.5, Adams methods for variable steps.
template <ExecutionSpace Exec, Real T>
class TimeIntegrator {
 public:
  using execution_space = Exec;
  using real = T;

  /// \param space instance on which the kernels run
  /// \param n number of unknowns
  /// \param setup method
  /// \throws std::invalid_argument for a negative n, and for local steps of adams_bashforth4
  TimeIntegrator(Exec const& space, std::int64_t n, TimeIntegratorSetup const& setup = {});

  /// Begins a run at u, without an end time. Constrains u and evaluates r once for the first rate, unless
  /// control.dt_first makes that needless.
  /// \param space instance on which the kernels run
  /// \param derivative r
  /// \param u vector at that time
  /// \param time time of u
  /// \param control rules for dt
  /// \throws std::invalid_argument for another size, a time that is not finite, and rules out of range
  void start(Exec const& space, TimeDerivative<Exec, T>& derivative, Vector<Exec, T> const& u, double time,
             StepControl const& control);

  /// Derivatives of the last steps that adams_bashforth4 holds after diagnostics(), the newest first: at most three.
  /// With TimeReport::earlier_dt they let a run continue elsewhere, to the same bits.
  std::vector<ConstVector<Exec, T>> former() const;

  /// Begins a run as start() does, with derivatives of earlier steps. Fences.
  /// \param space instance on which the kernels run
  /// \param derivative r
  /// \param u vector at that time
  /// \param time time of u
  /// \param control rules for dt
  /// \param former derivatives as former() has them, in memory of `Exec`
  /// \param earlier_dt lengths of the steps before, the last first
  /// \throws std::invalid_argument as start(), and for derivatives of another size, more than three, or another method
  /// \throws std::invalid_argument for lengths that are not positive
  void resume(Exec const& space, TimeDerivative<Exec, T>& derivative, Vector<Exec, T> const& u, double time,
              StepControl const& control, std::vector<ConstVector<Exec, T>> const& former,
              std::array<double, 3> const& earlier_dt);

  /// Sets the end time, which no step passes. Steps at or beyond it have dt = 0 and leave u as it is, except for the
  /// rounding of a fused advance(). adams_bashforth4 restarts, unless the last step was followed by diagnostics().
  /// \param space instance on which the kernel runs
  /// \param end end time; infinity: none
  /// \throws std::invalid_argument before start(), for NaN, and with local steps
  void set_end(Exec const& space, double end);

  /// Steps, one by default. With CUDA 16 steps or more of a derivative that repeats() are recorded once and launched as
  /// a graph, unless a tool of Kokkos listens: small fields take less time then.
  /// \param space instance on which the kernels run
  /// \param derivative r
  /// \param u in: vector at the start of the first step, out: at the end of the last one
  /// \param count number of steps
  /// \throws std::invalid_argument before start(), for another size, and for a negative count
  void step(Exec const& space, TimeDerivative<Exec, T>& derivative, Vector<Exec, T> const& u, int count = 1);

  /// State of the run. Reads u once, for values that are not finite, and copies some numbers to the host. Fences.
  /// \param space instance on which the kernel runs
  /// \param u vector of the last step
  /// \return the report
  /// \throws std::invalid_argument before start(), and for another size
  TimeReport diagnostics(Exec const& space, Vector<Exec, T> const& u);

  /// Sets the end time and makes steps until it is reached or the run breaks down. Fences.
  /// \param space instance on which the kernels run
  /// \param derivative r
  /// \param u in: vector at the start, out: at the end time
  /// \param end end time
  /// \param check_every most steps between two checks; the host estimates how many are needed at least
  /// \return the report of the last check
  /// \throws std::invalid_argument as set_end() and step(), and for a check_every below 1
  TimeReport run_to(Exec const& space, TimeDerivative<Exec, T>& derivative, Vector<Exec, T> const& u, double end,
                    int check_every = 100);

  /// Makes adams_bashforth4 restart. Call it after u was changed in another way than by steps.
  void restart();

  /// \return time of u, in device memory
  DeviceNumber<Exec> time() const;
  /// \return dt of the next step, cut at the end time, in device memory
  GlobalOrLocal<Exec, T> dt() const;

  /// \return bytes that the plan has allocated in the memory of `Exec`
  std::int64_t workspace_bytes() const;
  /// \param n number of unknowns
  /// \param setup set-up of the plan
  /// \return bytes that such a plan allocates in the memory of `Exec`
  /// \throws std::invalid_argument as the constructor
  static std::int64_t workspace_bytes(std::int64_t n, TimeIntegratorSetup const& setup = {});

 private:
  struct State;
  detail::PlanState<State> state_;
};

#define KARMAN_EXTERN(Exec)                          \
  extern template class TimeIntegrator<Exec, float>; \
  extern template class TimeIntegrator<Exec, double>;
KARMAN_FOR_EACH_BACKEND(KARMAN_EXTERN)
#undef KARMAN_EXTERN

}  // namespace karman
