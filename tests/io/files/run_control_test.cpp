// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "io/child_process.hpp"
#include "io/expect_message.hpp"
#include <karman/io/progress.hpp>
#include <karman/io/signals.hpp>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <pty.h>

#include <sstream>
#include <string>
#include <thread>
#include <vector>

namespace run_control_test {

using karman::Progress;
using karman::ProgressMode;
using namespace karman::test;

/// The output of `use` to a stream that is a plain file.
template <class Use>
std::string written_to_file(Use use) {
  std::FILE* const stream = std::tmpfile();
  use(stream);
  std::rewind(stream);
  std::string text;
  for (int c; (c = std::fgetc(stream)) != EOF;) text += static_cast<char>(c);
  std::fclose(stream);
  return text;
}

/// The output of `use` to a stream that is a terminal of 60 columns.
template <class Use>
std::string written_to_terminal(Use use) {
  int master = -1;
  int terminal = -1;
  winsize const size{24, 60, 0, 0};
  if (openpty(&master, &terminal, nullptr, nullptr, &size) != 0) return "no terminal";
  std::FILE* const stream = fdopen(terminal, "w");
  use(stream);
  std::fclose(stream);
  std::string text;
  char part[1024];
  for (ssize_t count; (count = read(master, part, sizeof part)) > 0;)
    text.append(part, static_cast<std::size_t>(count));
  close(master);
  return text;
}

TEST(Progress, IsQuietWhenNotATerminal) {
  EXPECT_EQ(written_to_file([](std::FILE* stream) {
              Progress progress({.label = "sor", .total = 10, .stream = stream});
              for (int i = 0; i <= 10; ++i) progress.update(i);
              progress.finish(10);
            }),
            "");
}

TEST(Progress, IsQuietWhenOff) {
  EXPECT_EQ(written_to_terminal([](std::FILE* stream) {
              Progress progress({.mode = ProgressMode::off, .label = "sor", .stream = stream});
              progress.update(1);
              progress.finish(10);
              std::fputs("end", stream);
            }),
            "end");
}

TEST(Progress, RewritesOneLineOnATerminal) {
  std::string const text = written_to_terminal([](std::FILE* stream) {
    Progress progress({.label = "sor", .total = 100, .stream = stream, .interval = 1e-9});
    progress.update(0);
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
    progress.update(25);
    progress.update(50, std::string(200, 'x'));
    progress.finish(60, "converged");
  });
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 1) << text;
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line, '\r');) lines.push_back(line);
  ASSERT_GE(lines.size(), 5u);
  EXPECT_TRUE(contains(lines[1], "sor: 0/100 iterations (0 %)")) << text;
  EXPECT_TRUE(contains(lines[2], "sor: 25/100 iterations (25 %), ") && contains(lines[2], "/s, about ")) << text;
  EXPECT_TRUE(contains(text, "sor: 60 iterations, ") && contains(text, ", converged")) << text;
  for (std::string const& line : lines) {
    EXPECT_LT(line.substr(0, line.find('\033')).size(), 60u) << "a line that wraps cannot be rewritten";
  }
}

/// The lines that a terminal of 60 columns shows one after the other.
template <class Use>
std::vector<std::string> lines_on_terminal(Use use) {
  std::istringstream in(written_to_terminal(use));
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line, '\r');)
    if (!line.empty()) lines.push_back(line.substr(0, line.find('\033')));
  return lines;
}

TEST(Progress, BeyondTheExpectedCountItShowsNeitherShareNorTime) {
  auto const use = [](std::FILE* stream, ProgressMode mode) {
    Progress progress({.mode = mode, .label = "sor", .total = 449, .stream = stream, .interval = 1e-9});
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
    progress.update(449);
    progress.update(540);
  };
  auto const lines = lines_on_terminal([&](std::FILE* stream) { use(stream, ProgressMode::automatic); });
  ASSERT_GE(lines.size(), 2u);
  EXPECT_TRUE(contains(lines[0], "sor: 449/449 iterations (100 %), ")) << lines[0];
  EXPECT_FALSE(contains(lines[0], "left")) << lines[0];
  EXPECT_TRUE(contains(lines[1], "sor: 540 iterations, above the 449 expected")) << lines[1];
  EXPECT_FALSE(contains(lines[1], "%") || contains(lines[1], "left")) << lines[1];
  std::istringstream json(written_to_file([&](std::FILE* stream) { use(stream, ProgressMode::json); }));
  std::string line;
  std::getline(json, line);
  std::getline(json, line);
  EXPECT_EQ(nlohmann::json::parse(line).at("total"), 449);
  EXPECT_FALSE(nlohmann::json::parse(line).contains("seconds_left")) << line;
}

TEST(Progress, ANarrowTerminalKeepsTheExponent) {
  std::string const note = "divergence 3.12e-04";
  auto const lines = lines_on_terminal([&](std::FILE* stream) {
    Progress progress({.label = "sor", .total = 100000, .stream = stream, .interval = 1e-9});
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
    progress.update(25000, note);
    progress.update(25000, note + ", pass 2");
    progress.update(25000, std::string(50, '-') + note);
  });
  ASSERT_GE(lines.size(), 3u);
  EXPECT_TRUE(lines[0].ends_with(note)) << lines[0];
  EXPECT_TRUE(contains(lines[0], "sor: 25000/100000 iterations")) << lines[0];
  EXPECT_TRUE(lines[1].ends_with(note + ", pass 2")) << lines[1];
  for (std::string const& line : lines) EXPECT_LT(line.size(), 60u) << line;
}

TEST(Progress, EndsItsLineWhenItIsDropped) {
  std::string const text = written_to_terminal([](std::FILE* stream) {
    Progress progress({.label = "sor", .stream = stream});
    progress.update(3);
  });
  EXPECT_TRUE(contains(text, "sor: 3 iterations")) << text;
  EXPECT_EQ(text.back(), '\n');
}

TEST(Progress, WritesJsonLines) {
  std::string const text = written_to_file([](std::FILE* stream) {
    Progress progress({.mode = ProgressMode::json, .label = "so\"r", .total = 4, .stream = stream, .interval = 1e-9});
    progress.update(1);
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
    progress.update(2, "half\nway \xff");
    progress.finish(3);
    progress.finish(4);
    progress.update(4);
  });
  std::vector<nlohmann::json> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(nlohmann::json::parse(line));
  ASSERT_EQ(lines.size(), 3u) << text;
  EXPECT_EQ(lines[0]["label"], "so\"r");
  EXPECT_EQ(lines[1]["done"], 2);
  EXPECT_EQ(lines[1]["total"], 4);
  EXPECT_NEAR(lines[1]["rate"].get<double>() * lines[1]["seconds"].get<double>(), 2, 1e-9);
  EXPECT_NEAR(lines[1]["seconds_left"].get<double>(), lines[1]["seconds"].get<double>(), 1e-9);
  EXPECT_EQ(lines[1]["finished"], false);
  EXPECT_EQ(lines[2]["finished"], true);
  EXPECT_FALSE(lines[2].contains("seconds_left"));
}

TEST(Progress, KeepsToItsInterval) {
  std::string const text = written_to_file([](std::FILE* stream) {
    Progress progress({.mode = ProgressMode::json, .stream = stream, .interval = 3600});
    for (int i = 0; i < 1000; ++i) progress.update(i);
    progress.finish(1000);
  });
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 2) << "the first and the last";
}

TEST(Progress, ParsesItsModes) {
  EXPECT_EQ(karman::parse_progress_mode("auto"), ProgressMode::automatic);
  EXPECT_EQ(karman::parse_progress_mode("json"), ProgressMode::json);
  EXPECT_EQ(karman::parse_progress_mode("off"), ProgressMode::off);
  EXPECT_FALSE(karman::parse_progress_mode("on"));
}

TEST(Texts, OfDurationsAndSizes) {
  EXPECT_EQ(karman::duration_text(0.012), "12 ms");
  EXPECT_EQ(karman::duration_text(0.9999), "1.0 s");
  EXPECT_EQ(karman::duration_text(12.4), "12 s");
  EXPECT_EQ(karman::duration_text(59.7), "1 min 00 s");
  EXPECT_EQ(karman::duration_text(200), "3 min 20 s");
  EXPECT_EQ(karman::duration_text(3599.9), "1 h 00 min");
  EXPECT_EQ(karman::duration_text(7500), "2 h 05 min");
  EXPECT_EQ(karman::duration_text(1e300 * 1e300), "?");
  EXPECT_EQ(karman::bytes_text(0), "0 B");
  EXPECT_EQ(karman::bytes_text(512), "512 B");
  EXPECT_EQ(karman::bytes_text(999.6), "1.00 kB");
  EXPECT_EQ(karman::bytes_text(3.4e6), "3.40 MB");
  EXPECT_EQ(karman::bytes_text(12.34e9), "12.3 GB");
}

TEST(StopSignals, TheFirstSetsAFlag) {
  for (int const number : {SIGINT, SIGTERM, SIGHUP}) {
    EXPECT_EQ(in_child([number] {
                karman::StopSignals const signals;
                if (karman::stop_requested() != 0) return 1;
                std::raise(number);
                return 128 + karman::stop_requested();
              }),
              128 + number);
  }
}

TEST(StopSignals, TheSecondKills) {
  for (int const second : {SIGINT, SIGTERM}) {
    EXPECT_EQ(in_child([second] {
                karman::StopSignals const signals;
                std::raise(SIGINT);
                std::raise(second);
                return 0;
              }),
              -second);
  }
}

TEST(StopSignals, ATerminalThatGoesMaySayItTwice) {
  EXPECT_EQ(in_child([] {
              karman::StopSignals const signals;
              std::raise(SIGHUP);
              std::raise(SIGHUP);
              return 128 + karman::stop_requested();
            }),
            128 + SIGHUP);
  EXPECT_EQ(in_child([] {
              karman::StopSignals const signals;
              std::raise(SIGHUP);
              std::raise(SIGTERM);
              return 0;
            }),
            -SIGTERM);
}

TEST(StopSignals, LeaveAHangupThatIsIgnored) {
  EXPECT_EQ(in_child([] {
              std::signal(SIGHUP, SIG_IGN);  // as nohup does
              karman::StopSignals const signals;
              std::raise(SIGHUP);
              return 7 + karman::stop_requested();
            }),
            7);
  EXPECT_EQ(in_child([] {
              {
                karman::StopSignals const signals;
              }
              std::raise(SIGHUP);
              return 0;
            }),
            -SIGHUP)
      << "what was there before is back";
}

TEST(StopSignals, GoWithTheirGuard) {
  EXPECT_EQ(in_child([] {
              {
                karman::StopSignals const signals;
              }
              std::raise(SIGTERM);
              return 0;
            }),
            -SIGTERM);
  EXPECT_EQ(in_child([] {
              std::signal(SIGINT, SIG_IGN);
              {
                karman::StopSignals const signals;
                std::raise(SIGINT);
              }
              std::raise(SIGINT);
              karman::StopSignals const again;
              return 7 + karman::stop_requested();
            }),
            7)
      << "what was there before is back, and a new guard begins without a request";
  EXPECT_THROW(({
                 karman::StopSignals const one;
                 karman::StopSignals const two;
               }),
               std::logic_error);
}

TEST(StopSignals, AFileSizeLimitIsAnErrorNotADeath) {
  EXPECT_EQ(in_child([] {
              karman::StopSignals const signals;
              rlimit const limit{10, 10};
              setrlimit(RLIMIT_FSIZE, &limit);
              std::FILE* const file = std::tmpfile();
              std::fputs("more than ten bytes", file);
              return std::fflush(file) != 0 && errno == EFBIG ? 5 : 6;
            }),
            5);
}

}  // namespace run_control_test
