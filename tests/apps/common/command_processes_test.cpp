// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `mpirun -n N karman`: files as of one process, one voice, one end.
#include "apps/common/result_content.hpp"
#include "apps/common/run_command.hpp"
#include "apps/common/small_case.hpp"
#include "apps/turbulence/small_turbulence_case.hpp"
#include "apps/waves/small_wave_case.hpp"
#include <karman/io/hdf5_file.hpp>

#include <gtest/gtest.h>
#include <signal.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <numeric>
#include <regex>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

namespace command_processes_test {

using namespace karman::test;
using Clock = std::chrono::steady_clock;

/// All processes end within this time after the end of one of them.
constexpr auto common_end = std::chrono::seconds(10);

/// The lines of karman, without the launcher's.
std::vector<std::string> own_lines(std::string const& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) {
    auto const begins = [&](char const* word) { return line.starts_with(word); };
    constexpr std::array starts{"karman: ",       "karman list: ",
                                "karman wind: ",  "karman waves: ",
                                "karman euler: ", "karman turbulence: ",
                                "process ",       "case.json",
                                "cannot ",        "file"};
    if (std::any_of(starts.begin(), starts.end(), begins)) lines.push_back(line);
  }
  return lines;
}

std::size_t count_of(std::string const& text, std::string const& word) {
  std::size_t count = 0;
  for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) ++count;
  return count;
}

/// The line after a break and these words, with the words, up to the free memory.
std::string line_at(std::string const& text, std::string const& words) {
  std::size_t const begin = text.find(words);
  EXPECT_NE(begin, std::string::npos) << words << " in " << text;
  if (begin == std::string::npos) return {};
  std::string const line = text.substr(begin + 1, text.find('\n', begin + 1) - begin - 1);
  return line.substr(0, line.find("; free "));
}

/// Whether a run may have more processes than devices.
enum class Share { devices, nothing };

class Processes : public ::testing::Test {
 protected:
  Processes() { place_.write("case.json", small_wind_case); }

  /// Starts `karman` as so many processes. `script`: shell commands of each process before, with its number in $rank.
  pid_t start(int processes, std::vector<std::string> const& words, std::string const& script = {},
              Share share = Share::devices) {
    std::vector<std::string> all{KARMAN_MPIEXEC_COUNT, std::to_string(processes)};
    if (!script.empty()) {
      std::string const shell = "rank=${OMPI_COMM_WORLD_RANK:-$PMI_RANK}; " + script + "; exec \"$0\" \"$@\"";
      all.insert(all.end(), {"sh", "-c", shell});
    }
    all.emplace_back(KARMAN_COMMAND);
    all.insert(all.end(), words.begin(), words.end());
    // The machine may have fewer cards than processes.
    bool const runs = words.size() > 1 && words[1].ends_with(".json");
    if (runs && share == Share::devices) all.emplace_back("--share-devices");
    Conditions conditions;
    conditions.program = KARMAN_MPIEXEC;
    return place_.start(all, conditions);
  }

  Outcome run(int processes, std::vector<std::string> const& words, std::string const& script = {},
              Share share = Share::devices) {
    return place_.wait(start(processes, words, script, share));
  }

  /// A sweep over `count` directions by multigrid.
  static std::vector<std::string> sweep(int count, std::vector<std::string> const& more) {
    std::vector<std::string> words{
        "wind",  "case.json",
        "--set", "/outputs={\"compression\": 0}",
        "--set", "/solver/method=mg_pcg",
        "--set", "/sweep={\"rose\": {\"kind\": \"even\", \"count\": " + std::to_string(count) + "}}"};
    words.insert(words.end(), more.begin(), more.end());
    return words;
  }

  /// Sends a signal to one process, whose number is in `pid.<rank>`, after its checkpoint `file` has appeared.
  Outcome stopped(pid_t launcher, std::string const& file, int rank, int signal_number) {
    auto const begin = Clock::now();
    auto const checkpoint = place_.path(file);
    while (!std::filesystem::exists(checkpoint) && Clock::now() - begin < std::chrono::seconds(30))
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
    EXPECT_TRUE(std::filesystem::exists(checkpoint)) << content(place_.path(".err"));
    auto const sent = Clock::now();
    ::kill(std::stoi(content(place_.path("pid." + std::to_string(rank)))), signal_number);
    Outcome const outcome = place_.wait(launcher);
    EXPECT_LT(Clock::now() - sent, common_end);
    return outcome;
  }

  /// Expects that a run ends in one line with these words and this exit code.
  void ends(Outcome const& outcome, int exit_code, std::string const& words) {
    EXPECT_EQ(outcome.exit_code, exit_code) << outcome.err;
    auto const lines = own_lines(outcome.err);
    ASSERT_EQ(lines.size(), 1u) << outcome.err;
    EXPECT_NE(lines[0].find(words), std::string::npos) << lines[0];
  }

  bool has_device() { return place_.karman({"info"}).out.find("\n  cuda:") != std::string::npos; }

  Workplace place_;
};

/// Expects a report of members: elapsed and summed time where several processes share them.
void expect_times(std::string const& out, int processes, std::string const& members) {
  std::string const number = "\\d[0-9.]* ?[a-z]+";
  std::string const of_all = " of " + std::to_string(processes) + " processes";
  std::regex const alone(" in " + number + " on [a-z]+ \\(");
  std::regex const shared(" in " + number + " elapsed \\(" + number + " summed over the " + members + "\\)" + of_all +
                          " on [a-z]+ \\(");
  EXPECT_EQ(std::regex_search(out, alone), processes == 1) << out;
  EXPECT_EQ(std::regex_search(out, shared), processes > 1) << out;
}

/// Expects in /timings the sum of this table, and at least the time of the members of the first process.
void expect_timings(std::filesystem::path const& result, std::string const& table, int processes) {
  karman::Hdf5File const file = karman::Hdf5File::open(result);
  double const elapsed = file.read_double("/timings", "solve"), summed = file.read_double("/timings", "solve_summed");
  std::vector<double> const seconds = file.read_table(table).column("seconds");
  EXPECT_DOUBLE_EQ(summed, std::accumulate(seconds.begin(), seconds.end(), 0.0));
  double of_first = 0;
  for (std::size_t n = 0; n < seconds.size(); n += static_cast<std::size_t>(processes)) of_first += seconds[n];
  EXPECT_GT(of_first, 0);
  EXPECT_GE(elapsed, of_first);
}

std::vector<std::string> names(std::filesystem::path const& folder) {
  std::vector<std::string> found;
  for (auto const& entry : std::filesystem::directory_iterator(folder)) found.push_back(entry.path().filename());
  std::sort(found.begin(), found.end());
  return found;
}

TEST_F(Processes, SweepsHaveTheFilesOfOneProcess) {
  ASSERT_EQ(place_.karman(sweep(5, {"--output", "one"})).exit_code, 0);
  // 7: more processes than directions.
  for (int const processes : {1, 2, 3, 7}) {
    std::string const folder = "of_" + std::to_string(processes);
    Outcome const outcome = run(processes, sweep(5, {"--output", folder}));
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_EQ(count_of(outcome.out, "5 directions, "), 1u) << outcome.out;
    expect_times(outcome.out, processes, "directions");
    expect_timings(place_.path(folder + "/sweep.h5"), "/directions", processes);
    EXPECT_EQ(count_of(outcome.out, "\n2 of 7 processes are idle: 5 directions\n"), processes == 7 ? 1u : 0u)
        << outcome.out;
    EXPECT_TRUE(own_lines(outcome.err).empty()) << outcome.err;
    EXPECT_EQ(names(place_.path(folder)), names(place_.path("one")));
    expect_same_result(place_.path(folder + "/sweep.h5"), place_.path("one/sweep.h5"));
    EXPECT_EQ(content(place_.path(folder + "/sweep.xdmf")), content(place_.path("one/sweep.xdmf")));
  }
}

/// A series of four times; the last one is calm.
std::vector<std::string> series(std::string const& guess, std::string const& method, std::string const& folder,
                                std::vector<std::string> const& more = {}) {
  std::vector<std::string> words{
      "wind",
      "case.json",
      "--output",
      folder,
      "--set",
      "/solver/method=" + method,
      "--set",
      R"(/outputs={"probes": [{"kind": "point", "name": "gap", "position": [130, -20, 2]}]})",
      "--set",
      R"(/wind={"sensors": [{"name": "west", "position": [80, -50], "direction": 270,
            "profile": {"kind": "log", "speed": 5, "height": 10, "roughness": 0.1}}]})",
      "--set",
      "/series={\"first_guess\": \"" + guess + R"(", "height": 3, "times": [{"time": 0, "readings": [[5, 270]]},
            {"time": 0.5, "readings": [[6, 275]]}, {"time": 2, "readings": [[4, 300]]}, {"time": 3, "readings": [[0, 300]]}]})"};
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

TEST_F(Processes, SeriesHaveTheFilesOfOneProcess) {
  ASSERT_EQ(place_.karman(series("zero", "mg_pcg", "one")).exit_code, 0);
  for (int const processes : {2, 3}) {
    std::string const folder = "of_" + std::to_string(processes);
    Outcome const outcome = run(processes, series("zero", "mg_pcg", folder));
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_EQ(names(place_.path(folder)), names(place_.path("one")));
    expect_same_result(place_.path(folder + "/series.h5"), place_.path("one/series.h5"));
    EXPECT_EQ(content(place_.path(folder + "/series.xdmf")), content(place_.path("one/series.xdmf")));
  }
}

TEST_F(Processes, AChainOfTimesOnPartsOfADomainHasTheFilesOfOneProcess) {
  ASSERT_EQ(place_.karman(series("previous", "sor", "one")).exit_code, 0);
  for (int const processes : {2, 3, 4}) {
    std::string const folder = "of_" + std::to_string(processes);
    Outcome const outcome = run(processes, series("previous", "sor", folder));
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_EQ(count_of(outcome.out, "4 times, "), 1u) << outcome.out;
    EXPECT_TRUE(own_lines(outcome.err).empty()) << outcome.err;
    EXPECT_EQ(names(place_.path(folder)), names(place_.path("one")));
    expect_same_result(place_.path(folder + "/series.h5"), place_.path("one/series.h5"));
    EXPECT_EQ(content(place_.path(folder + "/series.xdmf")), content(place_.path("one/series.xdmf")));
  }
  Outcome const cycles = run(3, series("previous", "mg_pcg", "cycles"));
  EXPECT_EQ(cycles.exit_code, 0) << cycles.err;
  // 53 is prime: so many parts of one axis.
  Outcome const many = place_.karman(series("previous", "sor", "many", {"--dry-run", "--ranks", "53"}));
  ends(many, 2,
       "53 processes do not divide the 50 x 48 columns of /domain: parts begin at even cells; take 52 processes");
}

TEST_F(Processes, AnotherNumberContinuesAChainOfTimes) {
  // As slow as possible, with a check after every sweep.
  std::vector<std::string> const slow{
      "--set", "/solver/omega=1", "--set", "/solver/check_every=1", "--set", "/solver/checkpoint_every=1e-6"};
  ASSERT_EQ(place_.karman(series("previous", "sor", "one", slow)).exit_code, 0);
  for (int const processes : {3, 1}) {
    std::string const folder = "stopped_" + std::to_string(processes);
    pid_t const launcher = start(processes, series("previous", "sor", folder, slow), "echo $$ > pid.$rank");
    ends(stopped(launcher, folder + "/series.checkpoint", processes - 1, SIGTERM), 143,
         "--restart " + folder + "/series.checkpoint");
    EXPECT_FALSE(std::filesystem::exists(place_.path(folder + "/series.h5")));
    for (int const others : {2, 1, 4}) {
      auto more = slow;
      more.insert(more.end(), {"--restart", folder + "/series.checkpoint"});
      std::string const rest = folder + "_rest_" + std::to_string(others);
      Outcome const outcome = run(others, series("previous", "sor", rest, more));
      ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
      expect_same_result(place_.path(rest + "/series.h5"), place_.path("one/series.h5"));
    }
  }
}

/// All files of one wind but the names of the parts, and times.
void expect_same_wind(std::filesystem::path const& found, std::filesystem::path const& expected) {
  for (std::string const& name : names(expected)) {
    std::string const extension = std::filesystem::path(name).extension();
    if (extension == ".h5") {
      expect_same_result(found / name, expected / name);
      karman::Hdf5File const one = karman::Hdf5File::open(found / name);
      karman::Hdf5File const other = karman::Hdf5File::open(expected / name);
      EXPECT_EQ(one.read_vector<std::uint8_t>("/cells/flag"), other.read_vector<std::uint8_t>("/cells/flag"));
    } else if (name == "history.csv") {
      EXPECT_EQ(count_of(content(found / name), "\n"), count_of(content(expected / name), "\n"));
    } else if (extension != ".checkpoint") {
      EXPECT_EQ(content(found / name), content(expected / name)) << name;
    }
  }
}

/// Names without the parts of HDF5 files.
std::vector<std::string> names_without_parts(std::filesystem::path const& folder) {
  auto found = names(folder);
  std::erase_if(found, [](std::string const& name) { return name.find(".part-") != std::string::npos; });
  return found;
}

TEST_F(Processes, PartsOfADomainHaveTheFilesOfOneProcess) {
  struct Variant {
    char const* folder;
    std::vector<std::string> words;
  };
  // The region leaves some processes without values.
  for (Variant const& variant :
       {Variant{"all", {}},
        Variant{"region", {"--set", R"(/outputs/region={"x": [90, 126], "y": [-40, -30], "z": [0, 20]})"}},
        Variant{"float", {"--set", "/outputs/precision=f32", "--set", "/solver/walls=cut"}}}) {
    auto const words = [&](std::string const& folder) {
      std::vector<std::string> all{"wind", "case.json", "--output", folder};
      all.insert(all.end(), variant.words.begin(), variant.words.end());
      return all;
    };
    std::string const alone = std::string(variant.folder) + "_alone";
    Outcome const one = place_.karman(words(alone));
    ASSERT_EQ(one.exit_code, 0) << one.err;
    for (int const processes : {2, 4}) {
      std::string const folder = std::string(variant.folder) + std::to_string(processes);
      Outcome const outcome = run(processes, words(folder));
      ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
      EXPECT_EQ(count_of(outcome.out, " of " + std::to_string(processes) + " processes on "), 1u) << outcome.out;
      EXPECT_TRUE(own_lines(outcome.err).empty()) << outcome.err;
      EXPECT_EQ(names_without_parts(place_.path(folder)), names(place_.path(alone)));
      expect_same_wind(place_.path(folder), place_.path(alone));
    }
  }
}

TEST_F(Processes, MultigridSolvesPartsOfADomain) {
  auto const words = [](std::string const& folder) {
    return std::vector<std::string>{"wind",     "case.json",
                                    "--set",    "/solver/method=mg_pcg",
                                    "--set",    R"(/outputs={"fields": ["velocity", "flag"]})",
                                    "--set",    "/parameterisations/wall_law=false",
                                    "--output", folder};
  };
  ASSERT_EQ(place_.karman(words("alone")).exit_code, 0);
  Outcome const outcome = run(3, words("of_3"));
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  karman::Hdf5File const one = karman::Hdf5File::open(place_.path("of_3/wind.h5"));
  karman::Hdf5File const other = karman::Hdf5File::open(place_.path("alone/wind.h5"));
  EXPECT_EQ(one.read_vector<std::uint8_t>("/cells/flag"), other.read_vector<std::uint8_t>("/cells/flag"));
  auto const found = one.read_vector<double>("/cells/velocity"),
             expected = other.read_vector<double>("/cells/velocity");
  ASSERT_EQ(found.size(), expected.size());
  double largest = 0;
  for (std::size_t n = 0; n < found.size(); ++n) largest = std::max(largest, std::abs(found[n] - expected[n]));
  // A divergence r in every cell drives at most a velocity of r times the length of the domain; both have it.
  EXPECT_LE(largest, 2 * 1e-9 * other.read_double("/", "initial_divergence") * 100);
  EXPECT_LE(one.read_double("/", "relative_divergence"), 1e-9);
}

TEST_F(Processes, AnotherNumberContinuesOneWind) {
  std::vector<std::string> const words{"wind", "case.json", "--output"};
  auto const with = [&](std::vector<std::string> const& more) {
    auto all = words;
    all.insert(all.end(), more.begin(), more.end());
    return all;
  };
  ASSERT_EQ(place_.karman(with({"one"})).exit_code, 0);
  ends(run(3, with({"more", "--set", "/solver/max_iterations=40"})), 3, "NOT CONVERGED after 40 iterations");
  for (int const processes : {2, 1, 4}) {
    std::string const folder = "rest_" + std::to_string(processes);
    Outcome const rest = run(processes, with({folder, "--restart", "more/wind.checkpoint"}));
    ASSERT_EQ(rest.exit_code, 0) << rest.err;
    expect_same_wind(place_.path(folder), place_.path("one"));
  }
  ASSERT_EQ(place_.karman(with({"alone", "--set", "/solver/max_iterations=40"})).exit_code, 3);
  ASSERT_EQ(run(3, with({"together", "--restart", "alone/wind.checkpoint"})).exit_code, 0);
  expect_same_wind(place_.path("together"), place_.path("one"));
}

TEST_F(Processes, ASignalAtAnyOfThemStopsOneWind) {
  // As slow as possible, with a check after every sweep.
  auto const words = [](std::string const& folder) {
    return std::vector<std::string>{"wind",     "case.json",
                                    "--output", folder,
                                    "--set",    "/solver/omega=1",
                                    "--set",    "/solver/check_every=1",
                                    "--set",    "/solver/checkpoint_every=1e-6"};
  };
  for (int rank = 0; rank < 3; ++rank) {
    std::string const folder = "of_" + std::to_string(rank);
    pid_t const launcher = start(3, words(folder), "echo $$ > pid.$rank");
    ends(stopped(launcher, folder + "/wind.checkpoint", rank, SIGTERM), 143,
         "--restart " + folder + "/wind.checkpoint");
    EXPECT_FALSE(std::filesystem::exists(place_.path(folder + "/wind.h5")));
  }
  ASSERT_EQ(run(2, {"wind", "case.json", "--output", "rest", "--restart", "of_1/wind.checkpoint", "--set",
                    "/solver/omega=1", "--set", "/solver/check_every=1", "--set", "/solver/tolerance=0.1"})
                .exit_code,
            0);
}

TEST_F(Processes, AnotherNumberContinuesASweep) {
  ASSERT_EQ(place_.karman(sweep(5, {"--output", "one"})).exit_code, 0);
  std::string const limit = "/solver/max_iterations=";
  Outcome const few = run(3, sweep(5, {"--output", "more", "--set", limit + "12"}));
  ends(few, 3, "NOT CONVERGED in ");
  Outcome const rest = run(2, sweep(5, {"--output", "more", "--overwrite", "--restart", "more/sweep.checkpoint"}));
  ASSERT_EQ(rest.exit_code, 0) << rest.err;
  expect_same_result(place_.path("more/sweep.h5"), place_.path("one/sweep.h5"));
}

TEST_F(Processes, ASignalAtAnyOfThemStopsAll) {
  std::vector<std::string> const slow{"--set", "/solver/method=sor", "--set", "/solver/checkpoint_every=1e-6",
                                      "--output"};
  auto const words = [&](std::string const& folder) {
    auto more = slow;
    more.push_back(folder);
    return sweep(60, more);
  };
  ASSERT_EQ(place_.karman(words("one")).exit_code, 0);
  for (int rank = 0; rank < 3; ++rank) {
    int const number = rank == 1 ? SIGINT : SIGTERM;
    std::string const folder = "of_" + std::to_string(rank);
    pid_t const launcher = start(3, words(folder), "echo $$ > pid.$rank");
    Outcome const outcome = stopped(launcher, folder + "/sweep.checkpoint", rank, number);
    ends(outcome, 128 + number, "--restart " + folder + "/sweep.checkpoint");
    EXPECT_EQ(count_of(outcome.err, " with mpirun -n 3 karman wind "), 1u) << outcome.err;
    EXPECT_FALSE(std::filesystem::exists(place_.path(folder + "/sweep.h5")));
    auto rest = words(folder);
    rest.insert(rest.end(), {"--restart", folder + "/sweep.checkpoint"});
    Outcome const end = run(2, rest);
    ASSERT_EQ(end.exit_code, 0) << end.err;
    expect_same_result(place_.path(folder + "/sweep.h5"), place_.path("one/sweep.h5"));
  }
}

/// Periods, each with its own friction and breaking.
std::vector<std::string> scan(int count, std::string const& folder, std::vector<std::string> const& more = {}) {
  std::vector<std::string> words{
      "waves",
      "waves.json",
      "--output",
      folder,
      "--set",
      R"(/waves={"kind": "period_scan", "from": 6, "to": 9, "height": 0.5, "direction": 270, "count": )" +
          std::to_string(count) + "}",
      "--set",
      R"(/outputs={"components": "all", "compression": 0})"};
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

TEST_F(Processes, WavesHaveTheFilesOfOneProcess) {
  place_.write("waves.json", small_wave_case);
  for (std::string const components : {"all", "largest"}) {
    std::vector<std::string> const kept{"--set", "/outputs/components=" + components};
    ASSERT_EQ(place_.karman(scan(5, "one_" + components, kept)).exit_code, 0);
    for (int const processes : {2, 3, 7}) {
      std::string const folder = "of_" + std::to_string(processes) + components;
      Outcome const outcome = run(processes, scan(5, folder, kept));
      ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
      EXPECT_EQ(count_of(outcome.out, "5 components, "), 1u) << outcome.out;
      expect_times(outcome.out, processes, "components");
      expect_timings(place_.path(folder + "/waves.h5"), "/summary", processes);
      EXPECT_EQ(count_of(outcome.out, "\n2 of 7 processes are idle: 5 components\n"), processes == 7 ? 1u : 0u)
          << outcome.out;
      EXPECT_EQ(names(place_.path(folder)), names(place_.path("one_" + components)));
      expect_same_result(place_.path(folder + "/waves.h5"), place_.path("one_" + components + "/waves.h5"));
      EXPECT_EQ(content(place_.path(folder + "/gauges.csv")),
                content(place_.path("one_" + components + "/gauges.csv")));
    }
  }
  ends(run(2, {"waves", "waves.json"}), 2, "a case of one component takes one process");
}

TEST_F(Processes, ASignalStopsWavesAndAnotherNumberContinues) {
  place_.write("waves.json", small_wave_case);
  ASSERT_EQ(place_.karman(scan(90, "one")).exit_code, 0);
  pid_t const launcher = start(3, scan(90, "out", {"--set", "/solver/checkpoint_every=1e-6"}), "echo $$ > pid.$rank");
  ends(stopped(launcher, "out/waves.checkpoint", 2, SIGTERM), 143, "--restart out/waves.checkpoint");
  EXPECT_FALSE(std::filesystem::exists(place_.path("out/waves.h5")));
  for (int const processes : {2, 1}) {
    std::string const folder = "rest_" + std::to_string(processes);
    ASSERT_EQ(run(processes, scan(90, folder, {"--restart", "out/waves.checkpoint"})).exit_code, 0);
    expect_same_result(place_.path(folder + "/waves.h5"), place_.path("one/waves.h5"));
  }
}

/// Words of a study of six members.
std::vector<std::string> study(std::string const& folder, std::vector<std::string> const& more = {}) {
  std::vector<std::string> words{"turbulence", "study.json", "--output", folder};
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

/// All files of a folder but checkpoints, by their names from there.
std::vector<std::string> all_names(std::filesystem::path const& folder) {
  std::vector<std::string> found;
  for (auto const& entry : std::filesystem::recursive_directory_iterator(folder)) {
    std::string const extension = entry.path().extension();
    if (extension != ".checkpoint" && extension != ".previous")
      found.push_back(std::filesystem::relative(entry.path(), folder));
  }
  std::sort(found.begin(), found.end());
  return found;
}

/// The same bytes, except for times in HDF5 files.
void expect_same_study(std::filesystem::path const& found, std::filesystem::path const& expected) {
  auto const files = all_names(expected);
  EXPECT_EQ(all_names(found), files);
  EXPECT_GT(files.size(), 60u);
  for (std::string const& name : files) {
    if (std::filesystem::is_directory(expected / name)) continue;
    if (name.ends_with(".h5")) expect_same_result(found / name, expected / name);
    else EXPECT_EQ(content(found / name), content(expected / name)) << name;
  }
}

TEST_F(Processes, StudiesHaveTheFilesOfOneProcess) {
  place_.write("study.json", small_turbulence_study);
  ASSERT_EQ(place_.karman(study("one")).exit_code, 0);
  // 7: more processes than members.
  for (int const processes : {2, 4, 7}) {
    std::string const folder = "of_" + std::to_string(processes);
    Outcome const outcome = run(processes, study(folder));
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_EQ(count_of(outcome.out, "6 members in "), 1u) << outcome.out;
    expect_times(outcome.out, processes, "members");
    EXPECT_EQ(count_of(outcome.out, "1 of 7 processes is idle: 6 members\n"), processes == 7 ? 1u : 0u) << outcome.out;
    EXPECT_TRUE(own_lines(outcome.err).empty()) << outcome.err;
    expect_same_study(place_.path(folder), place_.path("one"));
  }
  Outcome const dry = run(4, study("dry", {"--dry-run"}));
  EXPECT_EQ(dry.exit_code, 0) << dry.err;
  EXPECT_EQ(count_of(dry.out, "processes   4; memory is that of each"), 1u) << dry.out;
  EXPECT_EQ(count_of(dry.out, "\nmember-00"), 6u) << dry.out;
  place_.write("study.json", small_turbulence_case);
  ends(run(2, study("single")), 2, "a case without a study takes one process, found 2");
}

TEST_F(Processes, ASignalAtAnyOfThemStopsAStudyAndAnotherNumberContinues) {
  place_.write("study.json", small_turbulence_study);
  // A second or so for each member, and checkpoints within it.
  std::vector<std::string> const slow{
      "--set", "/time/end=30",  "--set", "/study/0={\"terms.viscosity\": [0.05, 0.04, 0.03]}",
      "--set", "/time/cfl=0.1", "--set", "/solver/checkpoint_every=1e-6"};
  ASSERT_EQ(place_.karman(study("one", slow)).exit_code, 0);
  for (int rank = 0; rank < 3; ++rank) {
    int const number = rank == 1 ? SIGINT : SIGTERM;
    std::string const folder = "of_" + std::to_string(rank);
    pid_t const launcher = start(3, study(folder, slow), "echo $$ > pid.$rank");
    // In the second round.
    std::string const member = "/member-00" + std::to_string(3 + rank) + "/turbulence.checkpoint";
    Outcome const outcome = stopped(launcher, folder + member, rank, number);
    ends(outcome, 128 + number, "stopped by a signal after 3 of 6 members");
    EXPECT_EQ(count_of(outcome.err, " with mpirun -n 3 karman turbulence "), 1u) << outcome.err;
    EXPECT_FALSE(std::filesystem::exists(place_.path(folder + "/study.csv")));
    auto more = slow;
    more.insert(more.end(), {"--overwrite", "--restart", folder + "/study.checkpoint"});
    Outcome const rest = run(rank == 0 ? 1 : 2, study(folder, more));
    ASSERT_EQ(rest.exit_code, 0) << rest.err;
    EXPECT_EQ(count_of(rest.out, "member-002 ("), 0u) << rest.out;
    EXPECT_EQ(count_of(rest.out, "member-003 ("), 1u) << rest.out;
    expect_same_study(place_.path(folder), place_.path("one"));
  }
}

TEST_F(Processes, AMemberThatFailsInAnyOfThemIsNamed) {
  place_.write("study.json", small_turbulence_study);
  for (int const failing : {0, 1, 2}) {
    std::string dt[] = {"0.01", "0.02", "0.01"};
    dt[failing] = "5";
    std::string const folder = "of_" + std::to_string(failing);
    Outcome const outcome =
        run(3, study(folder, {"--set", R"(/time={"kind": "fixed", "dt": 1, "end": 5000, "frames": 0})", "--set",
                              "/terms/viscosity=0", "--set",
                              "/study=[{\"time.dt\": [" + dt[0] + ", " + dt[1] + ", " + dt[2] + "], \"time.end\": [" +
                                  (failing == 0   ? "5000, 1, 1"
                                   : failing == 1 ? "1, 5000, 1"
                                                  : "1, 1, 5000") +
                                  "]}]"}));
    EXPECT_EQ(outcome.exit_code, 5) << outcome.err;
    auto const lines = own_lines(outcome.err);
    ASSERT_FALSE(lines.empty()) << outcome.err;
    EXPECT_TRUE(lines.back().starts_with("karman turbulence: 1 of 3 members failed: member-00" +
                                         std::to_string(failing) + " (time.dt 5, time.end 5000): "))
        << lines.back();
    EXPECT_EQ(count_of(content(place_.path(folder + "/study.csv")), ",done,"), 2u);
  }
  // An error of files in one of them ends all.
  for (int const failing : {0, 1, 2}) {
    std::string const folder = "blocked_" + std::to_string(failing), member = "/member-00" + std::to_string(failing);
    std::filesystem::create_directories(place_.path(folder + member + "/turbulence.h5/content"));
    auto const begin = Clock::now();
    ends(run(3, study(folder, {"--overwrite"})), 4, folder + member + "/turbulence.h5");
    EXPECT_LT(Clock::now() - begin, common_end);
  }
}

TEST_F(Processes, AnErrorOfAllIsOneLine) {
  ends(run(3, sweep(5, {"--set", "/solver/method=none", "--output", "out"})), 2, "/solver/method");
  ends(run(4, {"wind", "case.json", "--output", "out", "--set", "/domain/cells=[2, 4]", "--set", "/buildings=[]",
               "--set", "/outputs={}"}),
       2, "4 processes do not divide the 2 x 4 columns of /domain: parts begin at even cells; take 2 processes");
  ends(run(2, {"euler", "case.json", "--output", "out"}), 2, "runs as one process, found 2");
  EXPECT_FALSE(std::filesystem::exists(place_.path("out")));
  ends(run(3, {"wind"}), 2, "CASE is required");
}

TEST_F(Processes, AnErrorOfOneEndsAll) {
  std::filesystem::create_directories(place_.path("elsewhere"));
  for (int rank = 0; rank < 3; ++rank) {
    std::string const self = std::to_string(rank);
    auto const begin = Clock::now();
    Outcome const unread = run(3, sweep(5, {"--output", "out"}), "[ $rank != " + self + " ] || cd elsewhere");
    ends(unread, 4, "process " + self + ": cannot read case.json");
    EXPECT_LT(Clock::now() - begin, common_end);
    EXPECT_FALSE(std::filesystem::exists(place_.path("out/sweep.h5")));
  }
  // Kokkos does not start.
  for (int rank = 0; rank < 3; ++rank) {
    std::string const self = std::to_string(rank);
    auto const begin = Clock::now();
    ends(run(3, sweep(5, {"--output", "out"}), "[ $rank != " + self + " ] || export KOKKOS_NUM_THREADS=word"), 5,
         "process " + self + ": karman wind: the environment variable KOKKOS_NUM_THREADS must be a whole number");
    EXPECT_LT(Clock::now() - begin, common_end);
  }
  // The first process alone writes.
  place_.write("file", "in the way");
  ends(run(3, sweep(5, {"--output", "file"})), 4, "file");
  std::filesystem::create_directories(place_.path("blocked/sweep.h5/content"));
  ends(run(3, sweep(5, {"--output", "blocked", "--overwrite"})), 4, "blocked/sweep.h5");
}

// An address sanitizer needs more address space than any limit allows.
#if !defined(__SANITIZE_ADDRESS__)
TEST_F(Processes, TooLittleMemoryOfOneEndsAll) {
  if (place_.karman({"info"}).out.find("Open MPI") == std::string::npos)
    GTEST_SKIP() << "other message libraries end all themselves, with a trace";
  if (has_device()) GTEST_SKIP() << "the libraries of a device need more address space than these limits";
  // With so little the message library starts without part of its memory, and waits without end.
  for (int const rank : {0, 2}) {
    auto const begin = Clock::now();
    ends(run(3, sweep(5, {"--output", "out"}), "[ $rank != " + std::to_string(rank) + " ] || ulimit -v 150000"), 5,
         (rank == 0 ? "karman wind: " : "process 2: karman wind: ") + std::string("out of memory"));
    EXPECT_LT(Clock::now() - begin, common_end);
  }
  ends(run(3, sweep(5, {"--output", "out"}), "ulimit -v 300000"), 5, "out of memory");
  // Between two collective calls: the needs of the case.
  auto const begin = Clock::now();
  ends(run(3, sweep(5, {"--output", "out", "--set", "/domain/cells=[500,480]"}), "[ $rank != 1 ] || ulimit -v 600000"),
       5, "process 1: karman wind: out of memory: this case needs");
  EXPECT_LT(Clock::now() - begin, common_end);
}
#endif

TEST_F(Processes, AFullDiskKeepsEarlierResults) {
  if (place_.karman({"info"}).out.find("Open MPI") == std::string::npos)
    GTEST_SKIP() << "files of other message libraries cannot be moved out of the way";
  ASSERT_EQ(run(3, sweep(5, {"--output", "out"})).exit_code, 0);
  std::string const earlier = content(place_.path("out/sweep.h5"));
  // Messages of Open MPI through sockets: those through memory take files.
  auto const limited = [&](int rank, std::vector<std::string> const& words) {
    return run(3, sweep(5, words),
               "export OMPI_MCA_btl=self,tcp; [ $rank != " + std::to_string(rank) + " ] || ulimit -f 10");
  };
  ends(limited(0, {"--output", "out", "--overwrite"}), 4, "out/sweep.h5: File too large");
  ends(limited(0, {"--output", "out", "--overwrite", "--set", "/solver/checkpoint_every=1e-6"}), 4, "File too large");
  EXPECT_EQ(content(place_.path("out/sweep.h5")), earlier);
  Outcome const other = limited(2, {"--output", "out", "--overwrite"});
  EXPECT_EQ(other.exit_code, 0) << "the first process alone writes" << other.err;
  ends(run(2, sweep(5, {"--output", "full"}), "[ $rank != 0 ] || exec > /dev/full"), 4, "cannot write to stdout");
  EXPECT_TRUE(std::filesystem::exists(place_.path("full/sweep.h5")));
}

TEST_F(Processes, ALostProcessEndsAll) {
  auto const words = [](std::string const& folder) {
    return sweep(60, {"--set", "/solver/method=sor", "--set", "/solver/checkpoint_every=1e-6", "--output", folder});
  };
  for (int rank = 0; rank < 3; ++rank) {
    std::string const folder = "of_" + std::to_string(rank);
    pid_t const launcher = start(3, words(folder), "echo $$ > pid.$rank");
    Outcome const outcome = stopped(launcher, folder + "/sweep.checkpoint", rank, SIGKILL);
    // MPICH's launcher reports the bare number.
    EXPECT_TRUE(outcome.exit_code == 128 + SIGKILL || outcome.exit_code == SIGKILL) << outcome.exit_code;
    EXPECT_TRUE(own_lines(outcome.err).empty()) << outcome.err;
  }
  // The process that writes checkpoints is lost: the last one continues.
  auto rest = words("of_0");
  rest.insert(rest.end(), {"--restart", "of_0/sweep.checkpoint"});
  Outcome const end = run(2, rest);
  EXPECT_EQ(end.exit_code, 0) << end.err;
}

TEST_F(Processes, ASignalAtTheLauncherStopsAll) {
  Conditions patient;
  patient.program = KARMAN_MPIEXEC;
  patient.environment = {{"OMPI_MCA_odls_base_sigkill_timeout", "3"}};
  for (int const number : {SIGINT, SIGTERM}) {
    std::string const folder = "of_" + std::to_string(number);
    std::vector<std::string> all{KARMAN_MPIEXEC_COUNT, "3", KARMAN_COMMAND};
    auto const words = sweep(360, {"--set", "/solver/method=sor", "--set", "/solver/checkpoint_every=1e-6",
                                   "--share-devices", "--output", folder});
    all.insert(all.end(), words.begin(), words.end());
    pid_t const launcher = place_.start(all, patient);
    place_.write("pid.0", std::to_string(launcher));
    Outcome const outcome = stopped(launcher, folder + "/sweep.checkpoint", 0, number);
    EXPECT_NE(outcome.exit_code, 0);  // the launcher's own
    auto const lines = own_lines(outcome.err);
    ASSERT_EQ(lines.size(), 1u) << outcome.err;
    EXPECT_NE(lines[0].find("--restart " + folder + "/sweep.checkpoint"), std::string::npos) << lines[0];
    EXPECT_FALSE(std::filesystem::exists(place_.path(folder + "/sweep.h5")));
  }
}

// As Kokkos does where a device is lost.
TEST_F(Processes, AnAbortOfOneEndsAll) {
  if (host_backend() == "serial") GTEST_SKIP() << "the hook counts kernels of OpenMP";
  for (int rank = 0; rank < 3; ++rank) {
    std::string const self = std::to_string(rank);
    auto const begin = Clock::now();
    Outcome const outcome =
        run(3, sweep(5, {"--backend", host_backend(), "--output", "of_" + self}),
            "[ $rank != " + self + " ] || export LD_PRELOAD=" KARMAN_SIGNAL_HOOK " KARMAN_HOOK_EVENT=kernel" +
                " KARMAN_HOOK_COUNT=300 KARMAN_HOOK_SIGNAL=" + std::to_string(SIGABRT));
    EXPECT_LT(Clock::now() - begin, common_end);
    ends(outcome, 1, "process " + self + ": karman wind: aborted by an error in a library");
    EXPECT_FALSE(std::filesystem::exists(place_.path("of_" + self + "/sweep.h5")));
  }
  // All of them, so that one speaks for all.
  ends(run(3, sweep(5, {"--backend", host_backend(), "--output", "of_all"}),
           "export LD_PRELOAD=" KARMAN_SIGNAL_HOOK
           " KARMAN_HOOK_EVENT=kernel KARMAN_HOOK_COUNT=300 KARMAN_HOOK_SIGNAL=" +
               std::to_string(SIGABRT)),
       1, "karman wind: aborted by an error in a library");
}

// A user's own program.
TEST_F(Processes, AnExceptionOfOneEndsAProgramOfTheLibrary) {
  for (int rank = 0; rank < 3; ++rank) {
    Conditions conditions;
    conditions.program = KARMAN_MPIEXEC;
    auto const begin = Clock::now();
    Outcome const outcome = place_.wait(
        place_.start({KARMAN_MPIEXEC_COUNT, "3", KARMAN_FAILING_PROCESS, std::to_string(rank)}, conditions));
    EXPECT_LT(Clock::now() - begin, common_end);
    EXPECT_EQ(outcome.exit_code, 1) << outcome.err;
    EXPECT_EQ(count_of(outcome.err, "process failed: a failure of one process\n"), 1u) << outcome.err;
    EXPECT_EQ(count_of(outcome.err, "process failed"), 1u) << outcome.err;
  }
}

TEST_F(Processes, OtherCasesInOneOfThemAreRefused) {
  std::string const other = "[ $rank != 1 ] || set -- \"$@\" --set /solver/tolerance=1e-6";
  ends(run(3, sweep(5, {"--output", "out"}), other), 2, "process 1 has another case");
}

TEST_F(Processes, OtherCommandsInOneOfThemAreRefused) {
  for (std::string const other : {"--dry-run", "--overwrite", "--restart other"}) {
    ends(run(3, sweep(5, {"--output", "out"}), "[ $rank != 2 ] || set -- \"$@\" " + other), 2,
         "process 2 has another command than process 0");
  }
  for (std::string const other : {"info", "waves case.json --output out"}) {
    ends(run(3, sweep(5, {"--output", "out"}), "[ $rank != 1 ] || set -- " + other), 2,
         "process 1 has another command than process 0");
  }
  for (int rank = 0; rank < 3; ++rank) {
    std::string const self = std::to_string(rank);
    auto const begin = Clock::now();
    ends(run(3, sweep(5, {"--output", "out"}), "[ $rank != " + self + " ] || set -- \"$@\" --wrong"), 2,
         "process " + self + ": karman wind: The following argument was not expected: --wrong");
    EXPECT_LT(Clock::now() - begin, common_end);
  }
  EXPECT_FALSE(std::filesystem::exists(place_.path("out")));
}

// Commands that only print do not start MPI: a script may have another one to follow.
TEST_F(Processes, TextsOfTheCommandArePrintedOnce) {
  for (std::vector<std::string> const& words :
       {std::vector<std::string>{"list"}, {"--help"}, {"--version"}, {"wind", "--help"}, {"wind", "--schema"}}) {
    Outcome const alone = place_.karman(words);
    Outcome const all = run(3, words);
    EXPECT_EQ(all.exit_code, 0) << all.err;
    EXPECT_EQ(all.out, alone.out);
    EXPECT_EQ(all.err, "");
  }
  ends(run(3, {"poison"}), 2, "karman: poison: no command");
  Outcome const first = run(3, sweep(5, {"--output", "out"}), "[ $rank != 0 ] || \"$0\" --version");
  EXPECT_EQ(first.exit_code, 0) << first.err;
  EXPECT_EQ(first.out.find("karman "), 0u) << first.out;
}

TEST_F(Processes, ATextInOneOfThemEndsARunOfTheOthers) {
  bool const counts = place_.karman({"info"}).out.find("Open MPI") != std::string::npos;
  if (!counts) GTEST_SKIP() << "other launchers do not count their programs";
  for (bool const first : {true, false}) {
    std::vector<std::string> const text{KARMAN_MPIEXEC_COUNT, "1", KARMAN_COMMAND, "list"};
    std::vector<std::string> all{KARMAN_MPIEXEC_COUNT, "2", KARMAN_COMMAND};
    auto const words = sweep(5, {"--output", "out", "--share-devices"});
    all.insert(all.end(), words.begin(), words.end());
    all.insert(first ? all.begin() : all.end(), text.begin(), text.end());
    all.insert(first ? all.begin() + 4 : all.end() - 4, ":");
    Conditions conditions;
    conditions.program = KARMAN_MPIEXEC;
    auto const begin = Clock::now();
    Outcome const outcome = place_.wait(place_.start(all, conditions));
    EXPECT_LT(Clock::now() - begin, common_end);
    ends(outcome, 2, first ? "process 1 has another command than process 0" : "process 2 has another command");
    EXPECT_EQ(count_of(outcome.out, "wind: mass-consistent"), first ? 1u : 0u) << outcome.out;
    EXPECT_FALSE(std::filesystem::exists(place_.path("out")));
  }
}

// Longer than StartWatch allows.
TEST_F(Processes, AWaitForTheStartOfAllIsALine) {
  Outcome const outcome = run(3, sweep(5, {"--output", "out"}), "[ $rank != 0 ] || sleep 11");
  ends(outcome, 0, "process 2: still in MPI_Init after 10 s: others have not called it; start the same command in all");
}

TEST_F(Processes, OtherBuildsInOneOfThemAreRefused) {
  std::string const version = place_.karman({"--version"}).out;
  auto const begin = version.find('('), end = version.find(')');
  ASSERT_LT(begin, end) << version;
  // Compilers keep longer texts in pieces of eight characters.
  std::string const commit = version.substr(begin + 1, std::min<std::size_t>(end - begin - 1, 8));
  std::string program = content(KARMAN_COMMAND);
  std::size_t count = 0;
  for (std::size_t at = program.find(commit); at != std::string::npos; at = program.find(commit, at + 1), ++count)
    program[at] = program[at] == 'f' ? 'e' : 'f';
  if (count == 0 || commit.size() < 7) GTEST_SKIP() << "a build of no commit";
  std::filesystem::permissions(place_.write("karman", program), std::filesystem::perms::owner_all);
  ends(run(2, sweep(5, {"--output", "out"}), "[ $rank != 1 ] || exec ./karman \"$@\""), 2,
       "process 1 has another build of karman than process 0");
}

// The message is that of karman::app::sharing_error(), see machine_load_test.cpp.
TEST_F(Processes, ShareADeviceWhereTheyAreToldTo) {
  Outcome const hosts = run(2, sweep(2, {"--backend", host_backend(), "--output", "out"}), {}, Share::nothing);
  EXPECT_EQ(hosts.exit_code, 0) << hosts.err;
  if (!has_device()) return;
  // More than the cards of any machine of the tests.
  ends(run(9, sweep(2, {"--output", "more"}), {}, Share::nothing), 2, "or add --share-devices to allow it");
  EXPECT_FALSE(std::filesystem::exists(place_.path("more")));
}

TEST_F(Processes, DryRunAndInfoCountThem) {
  Outcome const dry = run(2, sweep(5, {"--dry-run"}));
  ASSERT_EQ(dry.exit_code, 0) << dry.err;
  EXPECT_EQ(count_of(dry.out, "processes   2; memory is that of each"), 1u) << dry.out;
  EXPECT_EQ(count_of(dry.out, "part  "), 0u) << dry.out;
  // The same needs without a launcher as with one.
  for (auto const& words : {std::vector<std::string>{"wind", "case.json", "--dry-run"},
                            series("previous", "mg_pcg", "dry", {"--dry-run"})}) {
    Outcome const launched = run(3, words);
    auto announced = words;
    announced.insert(announced.end(), {"--ranks", "3"});
    Outcome const alone = place_.karman(announced);
    ASSERT_EQ(launched.exit_code, 0) << launched.err;
    ASSERT_EQ(alone.exit_code, 0) << alone.err;
    for (std::string const line :
         {"\nprocesses   3; memory is that of each\n", "\npart        at most ", "\nmemory      "})
      EXPECT_EQ(line_at(alone.out, line), line_at(launched.out, line));
  }
  auto const refused = place_.karman({"wind", "case.json", "--dry-run", "--ranks", "53"});
  ends(refused, 2, "53 processes do not divide the ");
  Outcome const info = run(2, {"info"});
  ASSERT_EQ(info.exit_code, 0) << info.err;
  EXPECT_EQ(count_of(info.out, ", 2 processes, transport "), 1u) << info.out;
  EXPECT_EQ(count_of(info.out, "\t"), 0u) << info.out;
}

}  // namespace command_processes_test
