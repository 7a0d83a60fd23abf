// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "measurement.hpp"

#include <algorithm>
#include <cmath>
#include <exception>
#include <stdexcept>
#include <utility>

namespace karman::perf {

namespace {
constexpr double shortest_batch = 1e-3;  // seconds: far above the cost of a clock or a fence
constexpr int longest_batch = 1000;
constexpr int most_yardsticks = 100;
constexpr double long_enough = 1.0;  // seconds
}  // namespace

Prepared prepare(Row const& row, bool spoil) {
  Prepared prepared;
  try {
    prepared.work = row.prepare();
    std::string const complaint = prepared.work->check(spoil);
    if (complaint.empty()) {
      prepared.work->time(1);
      double const once = prepared.work->time(1);
      if (row.back_to_back && once < shortest_batch) {
        prepared.batch = std::clamp(int(std::ceil(shortest_batch / std::max(once, 1e-9))), 1, longest_batch);
      }
    } else {
      prepared.failure = "wrong answer: " + complaint;
    }
  } catch (std::exception const& error) {
    prepared.failure = std::string("error: ") + error.what();
  }
  if (!prepared.failure.empty()) prepared.work.reset();
  return prepared;
}

namespace {

/// Seconds of one operation.
double best_time(Row const& row) {
  Prepared prepared = prepare(row, false);
  if (!prepared.failure.empty()) throw std::runtime_error(row.name() + ": " + prepared.failure);
  // The best of many, as in STREAM: a ceiling that a busy machine must not lower.
  double best = prepared.work->time(prepared.batch);
  double total = best;
  for (int repetition = 1; repetition < most_yardsticks && (repetition < 10 || total < long_enough); ++repetition) {
    double const seconds = prepared.work->time(prepared.batch);
    best = std::min(best, seconds);
    total += seconds;
  }
  return best / prepared.batch;
}

}  // namespace

double measure_yardstick(Row const& row) { return row.bytes / best_time(row); }

double measure_peak(Row const& row) { return row.flops / best_time(row); }

double relative_spread(std::vector<double> const& values) {
  if (values.size() < 2) return 0;
  std::vector<double> sorted(values);
  std::sort(sorted.begin(), sorted.end());
  auto const quantile = [&](double part) {
    double const place = part * double(sorted.size() - 1);
    auto const below = static_cast<std::size_t>(place);
    std::size_t const above = std::min(below + 1, sorted.size() - 1);
    return sorted[below] + (place - double(below)) * (sorted[above] - sorted[below]);
  };
  return (quantile(0.75) - quantile(0.25)) / quantile(0.5);
}

Session::Session(Yardsticks yardsticks, bool spoil, double budget, bool share_of_row)
    : yardsticks_(std::move(yardsticks)), spoil_(spoil), budget_(budget), share_of_row_(share_of_row) {}

void Session::add(Row row) {
  ++rows_left_;
  auto const name = row.name();
  benchmark::RegisterBenchmark(name.c_str(), [this, row = std::move(row)](benchmark::State& state) { run(row, state); })
      ->UseManualTime()
      ->Unit(benchmark::kMicrosecond)
      ->ComputeStatistics("spread", relative_spread, benchmark::kPercentage);
}

void Session::finish() {
  current_ = {};
  benchmark::ClearRegisteredBenchmarks();
}

void Session::run(Row const& row, benchmark::State& state) {
  if (current_name_ != row.name()) {
    current_ = {};  // frees the old data before the new ones
    current_name_ = row.name();
    std::chrono::duration<double> const spent = Clock::now() - start_;
    repetitions_ = 0;
    if (budget_ > 0 && share_of_row_) {
      std::chrono::duration<double> const share((budget_ - spent.count()) / rows_left_);
      row_end_ = Clock::now() + std::chrono::duration_cast<Clock::duration>(share);
    }
    --rows_left_;
    if (budget_ > 0 && spent.count() > budget_) {
      current_.failure = "skipped: the time budget is over";
      ++left_out_;
    } else {
      current_ = prepare(row, spoil_);
      if (!current_.failure.empty()) ++failures_;
    }
  }
  if (!current_.failure.empty()) {
    state.SkipWithError(current_.failure.c_str());
    return;
  }
  // Calls with other numbers search for that of the repetitions.
  if (state.max_iterations != iterations_) repetitions_ = 0;
  iterations_ = state.max_iterations;
  if (repetitions_ >= fewest_repetitions && Clock::now() > row_end_) {
    // Statistics need the same number of iterations in all, without the time of this one.
    while (state.KeepRunningBatch(current_.batch)) {
    }
    state.SkipWithError(repetition_left_out);
    return;
  }
  ++repetitions_;
  double seconds = 0;
  while (state.KeepRunningBatch(current_.batch)) {
    double const batch = current_.work->time(current_.batch);
    state.SetIterationTime(batch);
    seconds += batch;
  }
  double const once = seconds / double(state.iterations());
  double const bytes = current_.work->bytes() > 0 ? current_.work->bytes() : row.bytes;
  for (auto const& [name, value] : current_.work->figures()) state.counters["figure_" + name] = value;
  state.counters["bytes"] = bytes;
  state.counters["GB/s"] = bytes * 1e-9 / once;
  state.counters["percent_of_copy"] = 100 * bytes / once / yardsticks_.bandwidth.at(row.backend);
  if (row.flops > 0) {
    state.counters["flops"] = row.flops;
    state.counters["GFlop/s"] = row.flops * 1e-9 / once;
    auto const peak = yardsticks_.peak.find(row.backend + '/' + row.precision);
    if (peak != yardsticks_.peak.end()) state.counters["percent_of_peak"] = 100 * row.flops / once / peak->second;
  }
  state.counters[row.unit + "/s"] = row.units / once;
  state.counters["batch"] = current_.batch;
}

}  // namespace karman::perf
