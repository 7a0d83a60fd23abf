// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <karman/io/progress.hpp>

#include <nlohmann/json.hpp>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace karman {

/// A part of the line on a terminal.
struct ProgressPart {
  std::string text;
  int rank = 0;  ///< parts of low rank are dropped first where the terminal is narrow
};

namespace {

template <class... Values>
std::string formatted(char const* format, Values... values) {
  char text[64];
  int const length = std::snprintf(text, sizeof text, format, values...);
  return {text, static_cast<std::size_t>(std::clamp(length, 0, static_cast<int>(sizeof text) - 1))};
}

/// Three significant digits with a metric prefix: "12.3 k".
std::string rate_text(double rate) {
  constexpr char const* prefixes[] = {"", " k", " M", " G", " T"};
  std::size_t prefix = 0;
  for (; rate >= 999.5 && prefix < 4; ++prefix) rate /= 1000;
  return formatted("%.3g", rate) + prefixes[prefix];
}

/// Columns of the terminal behind a stream, 80 when unknown.
std::size_t terminal_width(std::FILE* stream) {
  winsize size{};
  if (::ioctl(::fileno(stream), TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return size.ws_col;
  return 80;
}

/// Rank of a part that is never dropped.
constexpr int always = 4;

/// The parts on one line of at most `width` bytes: a line that wraps could not be rewritten. Parts of the lowest rank
/// are dropped first, so that a number at the end is whole. A part that still does not fit is cut between characters.
std::string fitted(std::vector<ProgressPart> const& parts, std::size_t width) {
  std::string text;
  for (int least = 0; least <= always; ++least) {
    text.clear();
    for (ProgressPart const& part : parts)
      if (part.rank >= least) text += part.text;
    if (text.size() <= width) return text;
  }
  std::size_t length = width;
  while (length > 0 && (static_cast<unsigned char>(text[length]) & 0xC0) == 0x80) --length;
  text.resize(length);
  return text;
}

}  // namespace

std::optional<ProgressMode> parse_progress_mode(std::string_view word) {
  if (word == "auto") return ProgressMode::automatic;
  if (word == "json") return ProgressMode::json;
  if (word == "off") return ProgressMode::off;
  return std::nullopt;
}

std::string duration_text(double seconds) {
  if (!std::isfinite(seconds) || seconds < 0) return "?";
  if (seconds < 0.9995) return formatted("%.0f ms", seconds * 1000);
  if (seconds < 9.95) return formatted("%.1f s", seconds);
  if (seconds < 59.5) return formatted("%.0f s", seconds);
  if (seconds < 3599.5) {
    long const whole = std::lround(seconds);
    return formatted("%ld min %02ld s", whole / 60, whole % 60);
  }
  double const minutes = std::floor(seconds / 60 + 0.5);
  return formatted("%.0f h %02.0f min", std::floor(minutes / 60), std::fmod(minutes, 60));
}

std::string bytes_text(double bytes) {
  constexpr char const* units[] = {"B", "kB", "MB", "GB", "TB", "PB"};
  std::size_t unit = 0;
  for (; bytes >= 999.5 && unit < 5; ++unit) bytes /= 1000;
  return formatted(unit == 0 || bytes >= 99.95 ? "%.0f " : bytes >= 9.995 ? "%.1f " : "%.2f ", bytes) + units[unit];
}

Progress::Progress(ProgressOptions options)
    : options_(std::move(options)),
      terminal_(options_.mode == ProgressMode::automatic && ::isatty(::fileno(options_.stream)) == 1),
      start_(Clock::now()),
      next_(start_) {
  if (options_.interval <= 0) options_.interval = options_.mode == ProgressMode::json ? 1.0 : 0.1;
}

Progress::~Progress() {
  if (line_open_) {
    std::fputc('\n', options_.stream);
    std::fflush(options_.stream);
  }
}

void Progress::update(double done, std::string_view note) {
  if (finished_ || (!terminal_ && options_.mode != ProgressMode::json)) return;
  Clock::time_point const now = Clock::now();
  if (now < next_) return;
  next_ = now + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(options_.interval));
  report(done, note, false);
}

void Progress::finish(double done, std::string_view note) {
  if (finished_) return;
  finished_ = true;
  if (terminal_ || options_.mode == ProgressMode::json) report(done, note, true);
}

std::vector<ProgressPart> Progress::parts(double done, std::string_view note, bool last, double elapsed, double rate,
                                          double left) const {
  bool const bounded = options_.total > 0 && !last;
  bool const beyond = bounded && done > options_.total;
  std::string count = options_.label.empty() ? "" : options_.label + ": ";
  count += formatted("%.0f", done);
  if (bounded && !beyond) count += formatted("/%.0f", options_.total);
  std::vector<ProgressPart> result{{count + ' ' + options_.unit, always}};
  if (beyond) result.push_back({formatted(", above the %.0f expected", options_.total), 2});
  else if (bounded) result.push_back({formatted(" (%.0f %%)", 100 * done / options_.total), 2});
  if (rate > 0) result.push_back({", " + rate_text(rate) + "/s", 1});
  if (last) result.push_back({", " + duration_text(elapsed), 3});
  else if (left > 0) result.push_back({", about " + duration_text(left) + " left", 3});
  if (!note.empty()) result.push_back({", " + std::string(note), always});
  return result;
}

void Progress::report(double done, std::string_view note, bool last) {
  double const elapsed = std::chrono::duration<double>(Clock::now() - start_).count();
  double const rate = elapsed > 0 ? done / elapsed : 0;
  bool const within = options_.total > 0 && !last && done <= options_.total;
  double const left = within && rate > 0 ? (options_.total - done) / rate : -1;
  if (options_.mode == ProgressMode::json) {
    nlohmann::ordered_json line{{"label", options_.label}, {"unit", options_.unit}, {"done", done},
                                {"seconds", elapsed},      {"rate", rate},          {"finished", last}};
    if (options_.total > 0) line["total"] = options_.total;
    if (left >= 0) line["seconds_left"] = left;
    if (!note.empty()) line["note"] = note;
    std::string const text = line.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + '\n';
    std::fwrite(text.data(), 1, text.size(), options_.stream);
  } else {
    std::string text = fitted(parts(done, note, last, elapsed, rate, left), terminal_width(options_.stream) - 1);
    text = '\r' + text + "\033[K" + (last ? "\n" : "");
    line_open_ = !last;
    std::fwrite(text.data(), 1, text.size(), options_.stream);
  }
  std::fflush(options_.stream);
}

}  // namespace karman
