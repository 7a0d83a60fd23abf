// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The loop of every iterative solver: tolerance, limits, monitor, history, restarts, stagnation and breakdown. The
/// rules for users are in docs/stopping.md.
#pragma once

#include "iteration_watch.hpp"

#include <algorithm>
#include <climits>
#include <string_view>
#include <utility>

namespace karman::detail {

/// Result of a check of a running method.
struct IterationCheck {
  double residual = 0;            ///< |b - A x| as the method computes it, absolute
  std::string_view trouble = {};  ///< the reason why its recursion cannot continue; empty where it can
  bool exhausted = false;         ///< the recursion has converged in its own numbers and must restart from x
  bool hopeless = false;          ///< the trouble lies in A or M: a restart does not help
};

/// Runs a method until it meets the tolerance, a limit or trouble. A Method has
///   static constexpr bool carries;      true if its residual comes from a recursion that may drift away from b - A x
///   void advance(int number, int count) makes `count` iterations; `number` is that of the first of them
///   IterationCheck check()                the residual after them; the only call that waits for the device
/// and, if it carries,
///   static constexpr double gain;       a restart is worth it where the last run left less than this fraction
///   static constexpr std::string_view used_up;  trouble of a recursion whose memory is used up
///   void start(double residual)         begins the recursion at x, whose b - A x has just been computed
///   int room() const                    iterations for which the recursion has room
///   double exact_residual()             completes x, computes b - A x, returns its norm
/// `norm` is |b|, `first` the residual of the first guess. Adds no kernel and no wait to the method.
template <class Method, class Options>
SolveReport run_iterations(Method& method, Options const& options, double norm, double first) {
  IterationWatch<Options> watch(options, norm, first);
  watch.check(first);
  if constexpr (!Method::carries) {
    while (watch.goes_on()) {
      int const count = watch.next_count();
      method.advance(watch.report.iterations, count);
      watch.report.iterations += count;
      watch.check(method.check().residual);
    }
  } else {
    LackOfProgress progress(options, watch.report.residual);
    double exact = first;
    bool is_exact = true;
    while (watch.goes_on()) {
      // From here the recursion counts. It ends when it meets the tolerance, fails, has used up its memory, or is due
      // for a restart.
      double const at_start = exact;
      method.start(at_start);
      std::string_view trouble;
      bool met = false, planned = false;
      for (bool ends = false; watch.goes_on() && !ends;) {
        int const count = std::min(watch.next_count(), method.room());
        method.advance(watch.report.iterations, count);
        watch.report.iterations += count;
        IterationCheck const check = method.check();
        met = watch.meets_tolerance(check.residual);
        planned = !met && watch.restarts();
        bool const no_room = method.room() <= 0;
        trouble = met ? std::string_view{} : check.trouble.empty() && no_room ? Method::used_up : check.trouble;
        is_exact = ends = met || planned || check.exhausted || (!trouble.empty() && !check.hopeless);
        if (ends) exact = method.exact_residual();
        watch.check(ends ? exact : check.residual);
        bool const undecided = !watch.report.converged && watch.report.breakdown.empty();
        if (undecided && check.hopeless && !met) watch.report.breakdown = trouble;
        if (watch.goes_on() && progress.lacks(watch.report)) watch.report.breakdown = "the residual has stagnated";
      }
      if (!is_exact || (planned && trouble.empty()) || !watch.goes_on()) continue;
      // A recursion that gained nothing will not gain the next time either.
      if (!(exact < (trouble.empty() ? Method::gain : 0.999) * at_start)) {
        watch.report.breakdown = trouble.empty() ? "rounding keeps the residual above the tolerance" : trouble;
      }
    }
    if (!is_exact) watch.correct(method.exact_residual());
  }
  return std::move(watch.report);
}

/// A method without memory beyond x, made of two functions: advance(number, count) and measure(). measure() returns the
/// norm of b - A x.
template <class Advance, class Measure>
class StationaryMethod {
 public:
  static constexpr bool carries = false;
  StationaryMethod(Advance advance, Measure measure) : advance_(std::move(advance)), measure_(std::move(measure)) {}
  void advance(int number, int count) { advance_(number, count); }
  IterationCheck check() { return {measure_()}; }

 private:
  Advance advance_;
  Measure measure_;
};

}  // namespace karman::detail
