// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Parameter studies of karman turbulence: members, their table, failures, stops and restarts.
#include "apps/common/command_of.hpp"
#include "apps/common/result_content.hpp"
#include "small_turbulence_case.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <sstream>
#include <string>
#include <vector>

namespace turbulence_study_command_test {

using namespace karman::test;
namespace fs = std::filesystem;

using Row = std::vector<std::string>;

/// Lines of a table without quoted fields.
std::vector<Row> rows_of(std::string const& csv) {
  std::vector<Row> rows;
  std::istringstream lines(csv);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream fields(line);
    rows.emplace_back();
    for (std::string field; std::getline(fields, field, ',');) rows.back().push_back(field);
  }
  return rows;
}

class TurbulenceStudy : public CommandOf {
 protected:
  TurbulenceStudy() : CommandOf("turbulence", small_turbulence_study) {}

  std::vector<Row> table(std::string const& folder = "out") const {
    return rows_of(content(place_.path(folder + "/study.csv")));
  }

  std::size_t column(std::string const& name, std::string const& folder = "out") const {
    Row const names = table(folder).at(0);
    auto const found = std::find(names.begin(), names.end(), name);
    EXPECT_NE(found, names.end()) << name;
    return static_cast<std::size_t>(found - names.begin());
  }

  /// Expects the same files but wall-clock times in both folders.
  void expect_same_study(std::string const& found, std::string const& expected) const {
    EXPECT_EQ(content(place_.path(found + "/study.csv")), content(place_.path(expected + "/study.csv")));
    std::size_t files = 0;
    for (auto const& entry : fs::recursive_directory_iterator(place_.path(expected))) {
      std::string const extension = entry.path().extension();
      fs::path const other = place_.path(found) / fs::relative(entry.path(), place_.path(expected));
      if (entry.is_directory() || extension == ".checkpoint" || extension == ".previous") continue;
      ++files;
      if (extension == ".h5") expect_same_result(other, entry.path());
      else EXPECT_EQ(content(other), content(entry.path())) << other;
    }
    EXPECT_EQ(files, 6 * (7u + 3u) + 1) << "six members with three frames each, and the table";
  }
};

TEST_F(TurbulenceStudy, MembersAreRunsOfTheirOwnCases) {
  Outcome const outcome = run({"--output", "out"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_TRUE(outcome.err.empty()) << outcome.err;
  EXPECT_NE(outcome.out.find("member-003 (terms.viscosity 0.1, time.end 1, initial.seed 2): done in "),
            std::string::npos)
      << outcome.out;
  EXPECT_NE(outcome.out.find("\nout/study.csv\n"), std::string::npos) << outcome.out;
  // Each runs alone, from its folder, to the same bits, and so does a case that is written by hand.
  for (int n = 0; n < 6; ++n) {
    std::string const name = "member-00" + std::to_string(n), folder = "out/" + name;
    Outcome const alone = place_.karman({"turbulence", folder + "/case.json", "--output", "alone", "--overwrite"});
    ASSERT_EQ(alone.exit_code, 0) << alone.err;
    expect_same_result(place_.path("alone/turbulence.h5"), place_.path(folder + "/turbulence.h5"));
    for (char const* file : {"history.csv", "spectra.csv", "histogram.csv", "turbulence.xdmf", "frames.xdmf"})
      EXPECT_EQ(content(place_.path("alone") / file), content(place_.path(folder) / file)) << file;
    expect_same_result(place_.path("alone/frames/frame_000001.h5"), place_.path(folder + "/frames/frame_000001.h5"));
  }
  nlohmann::json plain = nlohmann::json::parse(small_turbulence_study);
  plain.erase("study");
  place_.write("plain.json", plain.dump());
  ASSERT_EQ(place_
                .karman({"turbulence", "plain.json", "--output", "plain", "--set", "/terms/viscosity=0.1", "--set",
                         "/initial/seed=2"})
                .exit_code,
            0);
  expect_same_result(place_.path("plain/turbulence.h5"), place_.path("out/member-003/turbulence.h5"));
}

TEST_F(TurbulenceStudy, TheTableHasValuesAndFiguresOfTheEnd) {
  ASSERT_EQ(run({"--output", "out"}).exit_code, 0);
  std::vector<Row> const rows = table();
  ASSERT_EQ(rows.size(), 7u);
  EXPECT_EQ(Row(rows[0].begin(), rows[0].begin() + 5),
            (Row{"member", "outcome", "terms.viscosity", "time.end", "initial.seed"}));
  std::size_t n = 0;
  for (auto const& [viscosity, end] : {std::pair{"0.2", "0.5"}, {"0.1", "1.0"}, {"0.05", "1.5"}}) {
    for (char const* seed : {"1", "2"}) {
      Row const& row = rows.at(n + 1);
      std::string const name = "member-00" + std::to_string(n++);
      EXPECT_EQ(row[0], name);
      EXPECT_EQ(row[1], "done");
      EXPECT_EQ(row[2], viscosity);
      EXPECT_EQ(std::stod(row[3]), std::stod(end));
      EXPECT_EQ(row[4], seed);
      Row const last = rows_of(content(place_.path("out/" + name + "/history.csv"))).back();
      EXPECT_EQ(Row(row.begin() + 5, row.end()), last);
      EXPECT_EQ(std::stod(row[column("time")]), std::stod(end));
    }
  }
  EXPECT_EQ(Row(rows[0].begin() + 5, rows[0].end()),
            rows_of(content(place_.path("out/member-000/history.csv"))).front());
  EXPECT_GT(std::stod(rows[1][column("energy")]), 0);
}

TEST_F(TurbulenceStudy, FilesAreFoundFromTheFolderOfTheCase) {
  fs::create_directories(place_.path("cases"));
  write_small_vorticity_file(place_.path("cases"));
  place_.write("cases/case.json", R"({ "domain": { "points": [32, 24] }, "initial": { "kind": "file",
    "file": "vorticity.h5" }, "time": { "kind": "adaptive", "end": 0.1, "frames": 0 },
    "study": [{ "terms.viscosity": [0.1, 0.2] }] })");
  Outcome const outcome = place_.karman({"turbulence", "cases/case.json", "--output", "out"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  ASSERT_EQ(place_.karman({"turbulence", "out/member-001/case.json", "--output", "alone"}).exit_code, 0);
  expect_same_result(place_.path("alone/turbulence.h5"), place_.path("out/member-001/turbulence.h5"));
  // No such file: the place is that of the case, of both kinds of names.
  Outcome const missing = place_.karman({"turbulence", "cases/case.json", "--output", "none", "--set",
                                         R"(/study=[{"initial.file": ["vorticity.h5", "nowhere.h5"]}])"});
  EXPECT_EQ(missing.exit_code, 4) << missing.err;
  EXPECT_EQ(line_count(missing.err), 1) << missing.err;
  EXPECT_NE(missing.err.find("cases/nowhere.h5"), std::string::npos) << missing.err;
}

TEST_F(TurbulenceStudy, ADryRunListsMembersAndTheirNeeds) {
  Outcome const outcome = run({"--dry-run"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_NE(outcome.out.find("\nmembers     6\n"), std::string::npos) << outcome.out;
  for (char const* line : {"\nmember-000  terms.viscosity 0.2, time.end 0.5, initial.seed 1: about ",
                           "\nmember-005  terms.viscosity 0.05, time.end 1.5, initial.seed 2: about ", " steps, ",
                           "\nmemory ", "\ndisk ", "\ntime "})
    EXPECT_NE(outcome.out.find(line), std::string::npos) << line << '\n' << outcome.out;
  EXPECT_FALSE(fs::exists(place_.path("results")));
  auto const seeds = [](int count) {
    std::string values;
    for (int n = 0; n < count; ++n) values += (n > 0 ? "," : "") + std::to_string(n);
    return "{\"initial.seed\": [" + values + "]}";
  };
  Outcome const many = run({"--dry-run", "--set", "/study=[" + seeds(1001) + "]"});
  EXPECT_EQ(many.exit_code, 2);
  EXPECT_EQ(many.err,
            "case.json: /study/0/initial.seed: an array of 1001 values: expected an array of 1 to 1000 values\n");
  Outcome const product = run({"--dry-run", "--set", "/study=[" + seeds(501) + ", {\"terms.viscosity\": [0.1, 0.2]}]"});
  EXPECT_EQ(product.exit_code, 2);
  EXPECT_EQ(product.err, "case.json: /study: expected at most 1000 members, found 1002\n");
  EXPECT_EQ(run({"--dry-run", "--set", "/study=[" + seeds(500) + ", {\"terms.viscosity\": [0.1, 0.2]}]"}).exit_code, 0);
}

TEST_F(TurbulenceStudy, FailedMembersAreNamedAndTheOthersDone) {
  // The second one breaks down, in the third one the forcing acts at points of time.
  place_.write("case.json",
               R"({ "domain": { "points": [16, 16] }, "initial": { "kind": "random", "peak_wavenumber": 3 },
    "terms": { "viscosity": 0.01 }, "time": { "kind": "fixed", "dt": 0.01, "end": 3, "frames": 0 }, "study": [{
      "time.dt": [0.01, 2.9, 0.3],
      "time.end": [1, 2900, 3],
      "terms.viscosity": [0.2, 0, 50],
      "initial": [{ "kind": "random", "peak_wavenumber": 2 }, { "kind": "random", "peak_wavenumber": 4 }, { "kind": "zero" }],
      "forcing": [{ "kind": "none" }, { "kind": "none" }, { "kind": "kolmogorov", "wavenumber": 3, "amplitude": 0.3 }] }] })");
  Outcome const outcome = run({"--output", "out"});
  EXPECT_EQ(outcome.exit_code, 5) << outcome.err;
  EXPECT_EQ(line_count(outcome.err), 1) << outcome.err;
  EXPECT_TRUE(outcome.err.starts_with("karman turbulence: 2 of 3 members failed: member-001 (")) << outcome.err;
  for (char const* part : {", step ", "; try a smaller /time/dt", "; also member-002; see out/study.csv\n"})
    EXPECT_NE(outcome.err.find(part), std::string::npos) << part << outcome.err;
  std::string const csv = content(place_.path("out/study.csv"));
  for (char const* row : {"\nmember-000,done,", "\nmember-001,broken_down,", "\nmember-002,not_right,"})
    EXPECT_NE(csv.find(row), std::string::npos) << csv;
  EXPECT_TRUE(fs::exists(place_.path("out/member-000/turbulence.h5")));
  EXPECT_FALSE(fs::exists(place_.path("out/member-001/turbulence.h5")));
  EXPECT_TRUE(fs::exists(place_.path("out/member-002/turbulence.h5")));
  // A restart repeats the report, and computes nothing.
  auto const before = fs::last_write_time(place_.path("out/member-002/turbulence.h5"));
  Outcome const again = run({"--output", "out", "--overwrite", "--restart", "out/study.checkpoint"});
  EXPECT_EQ(again.exit_code, 5);
  EXPECT_EQ(again.err, outcome.err);
  EXPECT_EQ(content(place_.path("out/study.csv")), csv);
  EXPECT_EQ(fs::last_write_time(place_.path("out/member-002/turbulence.h5")), before);
}

TEST_F(TurbulenceStudy, WarningsNameTheirMember) {
  Outcome const outcome =
      run({"--output", "out", "--set", "/study=[{\"terms.viscosity\": [0.2, 0]}]", "--set", "/time/end=8"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_EQ(line_count(outcome.err), 1) << outcome.err;
  EXPECT_TRUE(outcome.err.starts_with("karman turbulence: member-001: warning: the flow is under-resolved"))
      << outcome.err;
}

/// Words of a run with many checkpoints in each member.
std::vector<std::string> with_checkpoints(std::vector<std::string> words) {
  words.insert(words.end(), {"--set", "/solver/checkpoint_every=1e-9", "--set", "/time/cfl=0.1"});
  return words;
}

TEST_F(TurbulenceStudy, AStoppedStudyContinuesToTheSameBits) {
  ASSERT_EQ(run(with_checkpoints({"--output", "one"})).exit_code, 0);
  for (int const number : {SIGTERM, SIGKILL}) {
    std::string const folder = "out_" + std::to_string(number);
    // Stopped after the first member.
    Outcome const stopped = interrupted(with_checkpoints({"--output", folder}), number);
    ASSERT_EQ(stopped.exit_code, 128 + number) << stopped.err;
    EXPECT_FALSE(fs::exists(place_.path(folder + "/study.csv")));
    auto const first = fs::last_write_time(place_.path(folder + "/member-000/turbulence.h5"));
    std::string const restart = "--restart " + folder + "/study.checkpoint";
    Outcome outcome;
    if (number == SIGTERM) {
      EXPECT_NE(stopped.err.find("karman turbulence: stopped by a signal after "), std::string::npos) << stopped.err;
      EXPECT_NE(stopped.err.find(" of 6 members; continue with karman turbulence case.json --output " + folder +
                                 " --overwrite " + restart),
                std::string::npos)
          << stopped.err;
      outcome = continued(stopped);
    } else {
      outcome = run(with_checkpoints({"--output", folder, "--overwrite", "--restart", folder + "/study.checkpoint"}));
    }
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_EQ(outcome.out.find("member-000 ("), std::string::npos) << "computed again";
    EXPECT_NE(outcome.out.find("member-005 ("), std::string::npos) << outcome.out;
    EXPECT_EQ(fs::last_write_time(place_.path(folder + "/member-000/turbulence.h5")), first);
    expect_same_study(folder, "one");
  }
  // A member whose result is missing is computed again.
  fs::remove(place_.path("one/member-004/turbulence.h5"));
  std::string const history = content(place_.path("one/member-004/history.csv"));
  Outcome const mended = run(with_checkpoints({"--output", "one", "--overwrite", "--restart", "one/study.checkpoint"}));
  ASSERT_EQ(mended.exit_code, 0) << mended.err;
  EXPECT_NE(mended.out.find("member-004 ("), std::string::npos) << mended.out;
  EXPECT_EQ(mended.out.find("member-003 ("), std::string::npos) << mended.out;
  EXPECT_EQ(content(place_.path("one/member-004/history.csv")), history);
  EXPECT_TRUE(fs::exists(place_.path("one/member-004/turbulence.h5")));
}

TEST_F(TurbulenceStudy, ARestartOfAnotherStudyIsRefused) {
  ASSERT_EQ(run({"--output", "out", "--set", "/solver/checkpoint_every=1e-9"}).exit_code, 0);
  auto const refused = [&](std::vector<std::string> words, std::string const& part) {
    words.insert(words.end(), {"--overwrite", "--restart", "out/study.checkpoint"});
    Outcome const outcome = run(words);
    EXPECT_EQ(outcome.exit_code, 2) << outcome.err;
    EXPECT_EQ(line_count(outcome.err), 1) << outcome.err;
    EXPECT_NE(outcome.err.find(part), std::string::npos) << outcome.err;
  };
  refused({"--output", "out", "--set", "/study/1/initial.seed=[1, 3]"},
          "/study/1/initial.seed/1: 3: expected 2 as in the checkpoint ");
  refused({"--output", "out", "--set", "/terms/friction=1"}, "/terms/friction: 1: expected 0 as in the checkpoint ");
  refused({"--output", "elsewhere"},
          "a study continues in the folder of its checkpoint, beside its members; set --output to out");
  EXPECT_FALSE(fs::exists(place_.path("elsewhere")));
  // Checkpoints of a single run and of a study are no substitutes for each other.
  EXPECT_EQ(
      place_
          .karman({"turbulence", "out/member-000/case.json", "--output", "single", "--restart", "out/study.checkpoint"})
          .exit_code,
      4);
}

TEST_F(TurbulenceStudy, NoFileIsReplacedWithoutWordsAndNoMemberOfALargerStudyStays) {
  overwrites_nothing("study.csv", 4000, {"--set", "/study/1/initial.seed=[3]"});
  EXPECT_TRUE(fs::exists(place_.path("out/member-002")));
  for (char const* name : {"member-003", "member-004", "member-005"})
    EXPECT_FALSE(fs::exists(place_.path("out") / name));
  // Files of others stay.
  ASSERT_EQ(run({"--output", "out", "--overwrite"}).exit_code, 0);
  place_.write("out/member-005/notes", "kept");
  ASSERT_EQ(run({"--output", "out", "--overwrite", "--set", "/study/1/initial.seed=[3]"}).exit_code, 0);
  EXPECT_EQ(content(place_.path("out/member-005/notes")), "kept");
  EXPECT_FALSE(fs::exists(place_.path("out/member-005/turbulence.h5")));
  EXPECT_FALSE(fs::exists(place_.path("out/member-005/frames")));
  refuses_folders();
}

/// The checkpoint of a member in an earlier study of the same folder is not that of this one.
TEST_F(TurbulenceStudy, CheckpointsOfAnEarlierStudyAreNotContinued) {
  ASSERT_EQ(run(with_checkpoints({"--output", "out"})).exit_code, 0);
  EXPECT_TRUE(fs::exists(place_.path("out/member-005/turbulence.checkpoint")));
  Outcome const stopped =
      interrupted(with_checkpoints({"--output", "out", "--overwrite", "--set", "/terms/friction=0.5"}), SIGTERM);
  ASSERT_EQ(stopped.exit_code, 143) << stopped.err;
  Outcome const outcome = continued(stopped);
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
}

TEST_F(TurbulenceStudy, ItsFolderHasOneRun) {
  keeps_its_folder({"--output", "out", "--set", "/study/0/time.end=[1e6, 1e6, 1e6]", "--set", "/time/frames=0"}, false);
}

}  // namespace turbulence_study_command_test
