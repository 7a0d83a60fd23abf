// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Time and time step of a run in device memory, and the kernel of one thread that chooses them.
#pragma once

#include "adams_weights.hpp"
#include <karman/solvers/time/time_integrators_options.hpp>

#include <Kokkos_Core.hpp>

#include <cmath>

namespace karman::detail {

/// Places of the numbers of a run.
struct ClockNumbers {
  static constexpr int most_stages = 5;
  enum Place {
    end,        ///< end time
    wanted,     ///< dt of the rules, before the end time cuts it; 0 before the first choice
    dt,         ///< dt of the next step
    rate,       ///< written by the derivative, 0 before
    last_rate,  ///< rate of the last choice
    steps,
    idle_steps,                    ///< steps with dt = 0
    trouble,                       ///< ClockTrouble
    not_finite,                    ///< of a check: 1 where a value of u is not finite
    earlier,                       ///< dt of the three steps before, the last first
    weights = earlier + 3,         ///< of adams_bashforth4, the newest derivative first
    moments = weights + 4,         ///< times of the stages; the first is the time of u
    next = moments + most_stages,  ///< time at the end of the step
    count
  };
};

/// Reason why dt is 0.
enum class ClockTrouble { none, bad_rate, too_small, unlimited };

enum class ClockAction {
  reset,     ///< a run begins at `given`
  choose,    ///< its first dt
  finish,    ///< a step is made: time, and the next dt
  set_end,   ///< `given` is the end time
  settle,    ///< a step may be made: its time, for methods that choose dt within the step
  move_end,  ///< the same, and `given` is the end time
  begin      ///< the same, and dt of the step under way
};

struct StepClock {
  using N = ClockNumbers;

  double* numbers;
  StepControl control;
  Kokkos::Array<double, N::most_stages> stage_times;  ///< of the next step, in dt
  int nodes;                                          ///< derivatives of the next step of adams_bashforth4, or 0
  bool local;                                         ///< local steps: the time stays
  ClockAction action;
  double given;

  KOKKOS_FUNCTION void operator()(int) const {
    double* const n = numbers;
    switch (action) {
      case ClockAction::reset:
        for (int place = 0; place < N::count; ++place) n[place] = 0;
        n[N::end] = HUGE_VAL;
        n[N::moments] = given;
        return;
      case ClockAction::choose: choose(control.dt_first); break;
      case ClockAction::finish: finish(); break;
      case ClockAction::set_end: n[N::end] = given; break;
      case ClockAction::settle: return settle();
      case ClockAction::move_end: n[N::end] = given; return settle();
      case ClockAction::begin:
        settle();
        choose(n[N::wanted] == 0 ? control.dt_first : 0);
        break;
    }
    cut();
  }

 private:
  KOKKOS_FUNCTION ClockTrouble trouble() const {
    return static_cast<ClockTrouble>(static_cast<int>(numbers[N::trouble]));
  }
  KOKKOS_FUNCTION void set_trouble(ClockTrouble reason) const {
    numbers[N::trouble] = static_cast<double>(static_cast<int>(reason));
  }
  /// True where no end time and no rate can bring the run on again.
  KOKKOS_FUNCTION bool broken() const {
    return trouble() == ClockTrouble::bad_rate || trouble() == ClockTrouble::too_small;
  }

  KOKKOS_FUNCTION void finish() const {
    double* const n = numbers;
    if (!(n[N::dt] > 0)) {
      n[N::idle_steps] += 1;
      n[N::rate] = 0;
      return;
    }
    pass();
    choose(0);
  }

  KOKKOS_FUNCTION void settle() const {
    if (!(numbers[N::dt] > 0)) return;
    pass();
    numbers[N::dt] = 0;
  }

  /// A step of length dt lies behind.
  KOKKOS_FUNCTION void pass() const {
    double* const n = numbers;
    n[N::steps] += 1;
    n[N::earlier + 2] = n[N::earlier + 1];
    n[N::earlier + 1] = n[N::earlier];
    n[N::earlier] = n[N::dt];
    n[N::moments] = n[N::next];
  }

  KOKKOS_FUNCTION void choose(double first) const {
    double* const n = numbers;
    double const rate = n[N::rate];
    double const before = n[N::wanted];
    n[N::last_rate] = rate;
    n[N::rate] = 0;
    double wanted = HUGE_VAL;
    if (first > 0) {
      wanted = first;
    } else if (control.cfl > 0) {
      if (!(rate >= 0 && rate < HUGE_VAL)) return set_trouble(ClockTrouble::bad_rate);
      if (rate > 0) wanted = control.cfl / rate;
    }
    if (control.dt_max > 0 && wanted > control.dt_max) wanted = control.dt_max;
    if (before > 0 && before < HUGE_VAL) {
      double const change = wanted > before ? wanted - before : before - wanted;
      if (change <= control.hold * before) wanted = before;
      if (wanted > control.growth * before) wanted = control.growth * before;
    }
    n[N::wanted] = wanted;
    if (!(wanted > 0 && wanted >= control.dt_min)) set_trouble(ClockTrouble::too_small);
  }

  /// Cuts dt at the end time, and fills in all that depends on dt.
  KOKKOS_FUNCTION void cut() const {
    double* const n = numbers;
    double const time = n[N::moments], wanted = n[N::wanted], rest = n[N::end] - time;
    if (!broken()) set_trouble(ClockTrouble::none);
    double dt = wanted;
    double next = time + dt;
    if (broken() || !(rest > 0)) {
      dt = 0;
    } else if (rest <= wanted * (1 + 1e-9)) {  // rounding of the time leaves no tiny last step
      dt = rest;
      next = n[N::end];
    } else if (rest < 2 * wanted) {
      dt = rest / 2;
      next = time + dt;
    }
    if (!(dt < HUGE_VAL)) {
      set_trouble(ClockTrouble::unlimited);
      dt = 0;
    } else if (dt > 0 && !(next > time) && !local) {
      set_trouble(ClockTrouble::too_small);
      dt = 0;
    }
    if (dt == 0 || local) next = time;
    n[N::dt] = dt;
    n[N::next] = next;
    for (int stage = 1; stage < N::most_stages; ++stage) {
      n[N::moments + stage] = local ? time : time + stage_times[static_cast<std::size_t>(stage)] * dt;
    }
    if (nodes > 0) adams_weights(dt, n + N::earlier, nodes, n + N::weights);
  }
};

}  // namespace karman::detail
