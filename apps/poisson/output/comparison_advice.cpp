// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Recommendation of a comparison, in sentences.
#include "common/case/texts.hpp"
#include "comparison_table.hpp"
#include <karman/io/progress.hpp>

#include <algorithm>
#include <map>

namespace karman::poisson {
namespace {

using app::formatted;
using Rows = std::vector<ComparisonRow const*>;

std::string called(ComparisonRow const& row) {
  return std::string(name(row.method)) + " on " + std::string(name(row.backend));
}

/// "3.1 times", "12 times".
std::string times(double ratio) { return formatted(ratio < 9.95 ? "%.1f times" : "%.0f times", ratio); }

Rows finished(Comparison const& comparison) {
  Rows rows;
  for (ComparisonRow const& row : comparison.rows) {
    if (row.fate == Fate::done) rows.push_back(&row);
  }
  std::stable_sort(rows.begin(), rows.end(), [](auto const* a, auto const* b) { return a->seconds < b->seconds; });
  return rows;
}

/// The fastest row with another method than the winner's.
std::string runner_up(Rows const& rows) {
  for (ComparisonRow const* row : rows) {
    if (row->method == rows.front()->method) continue;
    return formatted("Second: %s, %s (%s slower).\n", called(*row).c_str(),
                     app::measured_time_text(row->seconds).c_str(),
                     times(row->seconds / rows.front()->seconds).c_str());
  }
  return {};
}

/// Direct solvers have limits that iterations do not have: the fastest iteration.
std::string general(Rows const& rows) {
  if (!is_direct(rows.front()->method)) return {};
  for (ComparisonRow const* row : rows) {
    if (is_direct(row->method)) continue;
    return formatted("With solid cells or a variable coefficient: %s, %s.\n", called(*row).c_str(),
                     app::measured_time_text(row->seconds).c_str());
  }
  return {};
}

/// Names the fastest choice for a single solve where plans cost more than solves.
std::string for_one_solve(Rows const& rows) {
  auto const whole = [](ComparisonRow const* row) { return row->seconds + row->set_up_seconds; };
  ComparisonRow const* const best =
      *std::min_element(rows.begin(), rows.end(), [&](auto const* a, auto const* b) { return whole(a) < whole(b); });
  if (best == rows.front()) return {};
  return formatted("For a single solve including set-up: %s, %s instead of %s.\n", called(*best).c_str(),
                   app::measured_time_text(whole(best)).c_str(), app::measured_time_text(whole(rows.front())).c_str());
}

std::string least_memory(Rows const& rows) {
  ComparisonRow const* const least = *std::min_element(
      rows.begin(), rows.end(), [](auto const* a, auto const* b) { return a->memory_bytes < b->memory_bytes; });
  constexpr double worth_saying = 0.8;
  if (double(least->memory_bytes) > worth_saying * double(rows.front()->memory_bytes)) return {};
  return formatted("Least memory: %s, %s instead of %s, in %s the time.\n", called(*least).c_str(),
                   bytes_text(double(least->memory_bytes)).c_str(),
                   bytes_text(double(rows.front()->memory_bytes)).c_str(),
                   times(least->seconds / rows.front()->seconds).c_str());
}

std::string backends(Rows const& rows) {
  std::string text;
  for (ComparisonRow const* row : rows) {
    if (row->method != rows.front()->method || row->backend == rows.front()->backend) continue;
    text +=
        formatted("Same method on %s: %s, %s as long.\n", std::string(name(row->backend)).c_str(),
                  app::measured_time_text(row->seconds).c_str(), times(row->seconds / rows.front()->seconds).c_str());
  }
  return text;
}

std::string unfinished(Comparison const& comparison) {
  std::map<Method, std::string> late;
  for (ComparisonRow const& row : comparison.rows) {
    if (row.fate == Fate::cut_off && late.count(row.method) == 0)
      late[row.method] = formatted("%s (%.1e)", called(row).c_str(), row.residual);
  }
  if (late.empty()) return {};
  std::string list;
  for (auto const& [method, text] : late) list += (list.empty() ? "" : ", ") + text;
  return formatted("Stopped after %g s each: ", comparison.budget) + list + ".\n";
}

}  // namespace

std::string verdict(Comparison const& comparison) {
  Rows const rows = finished(comparison);
  if (rows.empty()) {
    return formatted("No method met the tolerance %.1e within %g s.\n", comparison.tolerance, comparison.budget) +
           unfinished(comparison);
  }
  ComparisonRow const& best = *rows.front();
  return formatted("Use %s: %s to a residual of %.1e in %d iteration%s.\n", called(best).c_str(),
                   app::measured_time_text(best.seconds).c_str(), best.residual, best.iterations,
                   best.iterations == 1 ? "" : "s") +
         (best.reason.empty() ? "" : "Remark: " + best.reason + ".\n") + runner_up(rows) + general(rows) +
         for_one_solve(rows) + least_memory(rows) + backends(rows) + unfinished(comparison);
}

}  // namespace karman::poisson
