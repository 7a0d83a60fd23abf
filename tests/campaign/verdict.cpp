// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "verdict.hpp"

#include <cmath>
#include <cstdio>

namespace karman::campaign {

namespace {

std::string with_numbers(char const* text, double a, double b) {
  char line[200];
  std::snprintf(line, sizeof line, text, a, b);
  return line;
}

}  // namespace

Verdict judge(Claim const& claim, Truth const& truth) {
  SolveReport const& report = claim.report;
  auto const wrong = [](std::string reason) { return Verdict{End::wrong, std::move(reason)}; };
  if (report.iterations > claim.max_iterations) {
    return wrong(with_numbers("%g iterations, %g allowed", report.iterations, claim.max_iterations));
  }
  // 1 % for the norm, which the solver computes from rounded numbers.
  double const allowed = 1.01 * claim.tolerance * truth.scale + truth.rounding;
  if (report.converged) {
    if (!truth.finite) return wrong("converged, with a value that is not finite");
    if (!(truth.residual <= allowed)) {
      return wrong(with_numbers("converged with a relative residual of %.3g, %.3g is allowed",
                                truth.residual / truth.scale, allowed / truth.scale));
    }
    if (!(truth.error <= truth.error_bound)) {
      return wrong(with_numbers("converged with an error of %.3g, %.3g is allowed", truth.error, truth.error_bound));
    }
    if (!report.breakdown.empty()) return wrong("converged and broken down");
    if (claim.required > 0 && report.iterations > claim.required) {
      return wrong(with_numbers("converged after %g iterations, theory takes %g", report.iterations, claim.required));
    }
    return {End::converged, {}};
  }
  if (std::isfinite(report.residual) && !report.stopped) {
    if (!truth.finite) return wrong("a finite residual is reported of values that are not finite");
    if (!(truth.residual <= 1.01 * report.residual * truth.scale + truth.rounding)) {
      return wrong(
          with_numbers("relative residual %.3g, reported %.3g", truth.residual / truth.scale, report.residual));
    }
  }
  if (report.breakdown.empty() && report.iterations < claim.max_iterations) {
    return wrong("ended before its limit without a reason: " + summary(report));
  }
  if (claim.required > 0) {
    return wrong(with_numbers("not converged, theory takes %.0f iterations at most; relative residual %.3g; ",
                              claim.required, truth.residual / truth.scale) +
                 summary(report));
  }
  return {End::given_up, {}};
}

}  // namespace karman::campaign
