// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Progress of a run, for people and for programs.
#pragma once

#include <chrono>
#include <cstdio>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace karman {

/// Form of the reports. automatic: one line, rewritten, on a terminal, nothing elsewhere. json: one JSON object per
/// line. off: nothing.
enum class ProgressMode { automatic, json, off };

/// Mode of a word: "auto", "json" or "off"; empty for any other.
std::optional<ProgressMode> parse_progress_mode(std::string_view word);

struct ProgressPart;

/// Options of Progress.
struct ProgressOptions {
  ProgressMode mode = ProgressMode::automatic;  ///< form of the reports
  std::string label{};                          ///< name of the work: "sor"
  std::string unit = "iterations";              ///< counted unit
  double total = 0;                             ///< expected number of units; 0 when unknown: no percentage, no ETA
  std::FILE* stream = stderr;                   ///< not owned
  double interval = 0;                          ///< seconds between two reports; 0: 0.1 on a terminal, 1 in JSON
};

/// Reports progress with rate and estimated time to the end, from the mean rate since the start. Beyond the expected
/// total it gives neither percentage nor time. A narrow terminal drops the rate first, then the percentage, then the
/// time, before it cuts text. A failed write is ignored: a closed terminal does not end a run.
/// \par Cost
/// Reads the clock between reports: cheap enough for every iteration.
class Progress {
 public:
  /// Starts the clock.
  explicit Progress(ProgressOptions options);
  ~Progress();  // ends the line on a terminal
  Progress(Progress const&) = delete;
  Progress& operator=(Progress const&) = delete;

  /// Reports the state of the work.
  /// \param done number of finished units
  /// \param note text beside it ("divergence 3.1e-04")
  void update(double done, std::string_view note = {});
  /// Reports the end of the work, at any interval.
  /// \param done number of finished units
  /// \param note text beside it
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

/// Duration as text: "950 ms", "12 s", "3 min 20 s", "2 h 05 min".
std::string duration_text(double seconds);
/// Size as text: "512 B", "3.4 MB", "1.2 GB" (powers of ten).
std::string bytes_text(double bytes);

}  // namespace karman
