// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "result_checks.hpp"

#include "common/case/texts.hpp"
#include "turbulence/case/kept_modes.hpp"

#include <cmath>
#include <cstddef>

namespace karman::turbulence {
namespace {

using app::formatted;

/// Share of the enstrophy beyond this share of the largest wavenumber that is kept in all directions.
double enstrophy_beyond(double share, VorticitySetup const& setup, VorticitySpectra const& spectra) {
  double const limit = share * KeptModes(setup).largest();
  double beyond = 0, all = 0;
  for (std::size_t n = 0; n < spectra.wavenumber.size(); ++n) {
    all += spectra.enstrophy[n];
    if (spectra.wavenumber[n] > limit) beyond += spectra.enstrophy[n];
  }
  return all > 0 ? beyond / all : 0;
}

void check_balance(TurbulenceProblem const& problem, History const& history, ResultChecks& found) {
  constexpr double warned = 0.05, refused = 0.5;
  double const open = history.relative_imbalance(0);
  if (std::abs(open) <= warned) return;
  bool const filtered = open < 0 && problem.setup.dealiasing == Dealiasing::exponential;
  std::string const cause = filtered ? "the exponential filter takes it: add /domain/points, or viscosity in /terms"
                                     : formatted("the time steps are too long: try a smaller /time/%s",
                                                 problem.control.cfl > 0 ? "dt_max" : "dt");
  std::string const text = formatted("%.3g %% of the energy that came in or went out %s; ", 100 * std::abs(open),
                                     open < 0 ? "is missing" : "comes from nowhere") +
                           cause;
  if (std::abs(open) > refused) found.wrong = text;
  else found.warnings.push_back(text);
}

void check_small_scales(TurbulenceProblem const& problem, VorticitySpectra const& last, ResultChecks& found) {
  // A cascade of enstrophy has less than 10 % there, equal enstrophy in all shells 20 %, in all modes 36 %.
  constexpr double outer = 0.8, warned = 0.15;
  double const beyond = enstrophy_beyond(outer, problem.setup, last);
  if (beyond <= warned) return;
  found.warnings.push_back(
      formatted("the flow is under-resolved: %.3g %% of its enstrophy lie in the last fifth of the kept wavenumbers; "
                "add /domain/points, or viscosity in /terms",
                100 * beyond));
}

}  // namespace

ResultChecks check_result(TurbulenceProblem const& problem, History const& history, VorticitySpectra const& last) {
  ResultChecks found;
  check_balance(problem, history, found);
  check_small_scales(problem, last, found);
  return found;
}

}  // namespace karman::turbulence
