// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// How far a run is, for people and for programs.
#pragma once

#include <chrono>
#include <cstdio>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace karman {

/// automatic: one line, rewritten, when the stream is a terminal, nothing otherwise; json: one JSON object a line;
/// off: nothing.
enum class ProgressMode { automatic, json, off };

/// "auto", "json" or "off"; nothing for any other word.
std::optional<ProgressMode> parse_progress_mode(std::string_view word);

struct ProgressPart;

struct ProgressOptions {
  ProgressMode mode = ProgressMode::automatic;
  std::string label{};              ///< what is being done: "sor"
  std::string unit = "iterations";  ///< what is counted
  double total = 0;                 ///< how many are expected; 0 when not known: no percentage, no ETA
  std::FILE* stream = stderr;       ///< not owned
  double interval = 0;              ///< seconds between two reports; 0: 0.1 on a terminal, 1 in JSON
};

/// Reports progress with rate and estimated time to the end (from the mean rate since the start). Beyond the expected
/// total it gives neither percentage nor time. On a narrow terminal the rate is left out first, then the percentage,
/// then the time; only what still does not fit is cut. Cheap enough to be called every iteration: between reports it
/// only reads the clock. Failing to write is ignored: a closed terminal does not end a run.
class Progress {
 public:
  explicit Progress(ProgressOptions options);
  /// Ends the line on a terminal.
  ~Progress();
  Progress(Progress const&) = delete;
  Progress& operator=(Progress const&) = delete;

  /// `done` units are complete; `note` is shown beside ("divergence 3.1e-04").
  void update(double done, std::string_view note = {});
  /// The last report, whatever the interval.
  void finish(double done, std::string_view note = {});

 private:
  using Clock = std::chrono::steady_clock;
  std::vector<ProgressPart> parts(double done, std::string_view note, bool last, double elapsed, double rate,
                                  double left) const;
  void report(double done, std::string_view note, bool last);
  ProgressOptions options_;
  bool terminal_ = false;
  bool line_open_ = false;
  bool finished_ = false;
  Clock::time_point start_;
  Clock::time_point next_;
};

/// "950 ms", "12 s", "3 min 20 s", "2 h 05 min".
std::string duration_text(double seconds);
/// "512 B", "3.4 MB", "1.2 GB" (powers of ten).
std::string bytes_text(double bytes);

}  // namespace karman
