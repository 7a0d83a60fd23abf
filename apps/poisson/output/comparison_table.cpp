// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "comparison_table.hpp"

#include "common/case/texts.hpp"
#include "common/fields/provenance.hpp"
#include <karman/io/hdf5_file.hpp>
#include <karman/io/progress.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <sstream>

namespace karman::poisson {
namespace {

using app::formatted;
using Json = nlohmann::ordered_json;

Json row_json(ComparisonRow const& row) {
  Json json{{"method", name(row.method)}, {"backend", name(row.backend)}, {"fate", words(row.fate)}};
  if (!row.reason.empty()) json["reason"] = row.reason;
  if (!row.ran()) return json;
  json["iterations"] = row.iterations;
  json["residual"] = row.residual;
  json["seconds"] = row.seconds;
  json["set_up_seconds"] = row.set_up_seconds;
  if (row.expected_seconds) json["expected_seconds"] = *row.expected_seconds;
  json["memory_bytes"] = row.memory_bytes;
  if (row.largest_error) json["largest_error"] = *row.largest_error;
  json["solves"] = row.solves;
  return json;
}

Json summary_json(Comparison const& comparison) {
  BuildInfo const build = build_info();
  Json json{{"title", comparison.title},
            {"karman_version", build.karman_version},
            {"commit", build.commit},
            {"kokkos_version", build.kokkos_version},
            {"compiler", build.compiler},
            {"cells", comparison.cells},
            {"precision", name(comparison.precision)},
            {"tolerance", comparison.tolerance},
            {"budget_seconds", comparison.budget},
            {"processes", comparison.processes}};
  json["backends"] = Json::array();
  for (BackendInfo const& backend : comparison.backends) {
    json["backends"].push_back(
        {{"name", name(backend.backend)}, {"device", backend.device}, {"concurrency", backend.concurrency}});
  }
  json["rows"] = Json::array();
  for (ComparisonRow const& row : comparison.rows) json["rows"].push_back(row_json(row));
  json["verdict"] = verdict(comparison);
  return json;
}

/// A field of a CSV file; empty stays empty.
std::string quoted(std::string const& text) {
  if (text.empty()) return {};
  std::string field = "\"";
  for (char const c : text) field += c == '"' ? "\"\"" : std::string(1, c);
  return field + '"';
}

std::string csv(Comparison const& comparison) {
  std::string text =
      "method,backend,fate,iterations,residual,seconds,set_up_seconds,expected_seconds,memory_bytes,largest_error,"
      "reason\n";
  auto const number = [](double value) { return formatted("%.9g", value); };
  for (ComparisonRow const& row : comparison.rows) {
    text += std::string(name(row.method)) + ',' + std::string(name(row.backend)) + ',' + std::string(words(row.fate));
    if (row.ran()) {
      text += ',' + std::to_string(row.iterations) + ',' + number(row.residual) + ',' + number(row.seconds) + ',' +
              number(row.set_up_seconds) + ',' + (row.expected_seconds ? number(*row.expected_seconds) : "") + ',' +
              std::to_string(row.memory_bytes) + ',' + (row.largest_error ? number(*row.largest_error) : "");
    } else {
      text += ",,,,,,,";
    }
    text += ',' + quoted(row.reason) + '\n';
  }
  return text;
}

void write_hdf5(std::filesystem::path const& path, Overwrite overwrite, Comparison const& comparison) {
  Hdf5File file = Hdf5File::create(path, overwrite);
  app::write_provenance(file, {"karman.poisson.compare", 1, comparison.title, comparison.backends.front(),
                               comparison.precision, comparison.case_text});
  file.write_text("/summary", summary_json(comparison).dump(1));
  for (ComparisonRow const& row : comparison.rows) {
    if (!row.ran()) continue;
    std::string const table = "/runs/" + std::string(name(row.backend)) + '/' + std::string(name(row.method));
    file.create_table(table, {"iteration", "residual", "seconds"});
    for (SolveSample const& sample : row.history) {
      file.append_row(table, std::array{double(sample.iteration), sample.residual, sample.seconds});
    }
  }
  file.commit();
}

}  // namespace

std::string_view words(Fate fate) {
  switch (fate) {
    case Fate::done: return "done";
    case Fate::cut_off: return "cut off";
    case Fate::not_converged: return "not converged";
    case Fate::no_room: return "not enough memory";
    case Fate::not_applicable: return "does not apply";
    case Fate::failed: return "failed";
    case Fate::not_run: return "not run";
  }
  return "";
}

std::optional<double> expected_seconds(std::vector<SolveSample> const& history, double tolerance) {
  if (history.size() < 3) return std::nullopt;
  SolveSample const& last = history.back();
  SolveSample const& middle = history[history.size() / 2];
  if (!(last.residual > tolerance) || !(middle.residual > last.residual) || !(last.seconds > middle.seconds)) {
    return std::nullopt;
  }
  double const rate = std::log(middle.residual / last.residual) / (last.seconds - middle.seconds);
  return last.seconds + std::log(last.residual / tolerance) / rate;
}

std::string table(Comparison const& comparison) {
  std::vector<ComparisonRow const*> order;
  for (ComparisonRow const& row : comparison.rows) order.push_back(&row);
  auto const rank = [](ComparisonRow const& row) {
    return std::pair(row.fate == Fate::done ? 0
                     : row.ran()            ? 1
                                            : 2,
                     row.fate == Fate::done     ? row.seconds
                     : !row.ran()               ? 0.0
                     : std::isnan(row.residual) ? std::numeric_limits<double>::infinity()
                                                : row.residual);
  };
  std::stable_sort(order.begin(), order.end(), [&](auto const* a, auto const* b) { return rank(*a) < rank(*b); });
  std::ostringstream text;
  text << formatted("%-13s %-8s %10s %10s %11s %11s %10s %11s  %s\n", "method", "backend", "iterations", "residual",
                    "solve", "set-up", "memory", "error", "");
  for (ComparisonRow const* row : order) {
    text << formatted("%-13s %-8s ", std::string(name(row->method)).c_str(), std::string(name(row->backend)).c_str());
    if (!row->ran()) {
      text << words(row->fate) << (row->reason.empty() ? "" : ": ") << row->reason << '\n';
      continue;
    }
    std::string remark = row->fate != Fate::done ? std::string(words(row->fate))
                         : row->reason.empty()   ? ""
                                                 : "round-off";
    if (row->expected_seconds) remark += ", about " + app::measured_time_text(*row->expected_seconds) + " at this rate";
    if (row->fate == Fate::not_converged) remark += ": " + row->reason;
    text << formatted("%10d %10.2e %11s %11s %10s %11s  %s\n", row->iterations, row->residual,
                      app::measured_time_text(row->seconds).c_str(),
                      app::measured_time_text(row->set_up_seconds).c_str(),
                      bytes_text(double(row->memory_bytes)).c_str(),
                      row->largest_error ? formatted("%.3e", *row->largest_error).c_str() : "", remark.c_str());
  }
  return text.str();
}

void write_comparison(std::filesystem::path const& folder, Overwrite overwrite, Comparison const& comparison) {
  write_hdf5(folder / compare_file, overwrite, comparison);
  write_text_file(folder / compare_json, summary_json(comparison).dump(2) + '\n', overwrite);
  write_text_file(folder / compare_csv, csv(comparison), overwrite);
}

}  // namespace karman::poisson
