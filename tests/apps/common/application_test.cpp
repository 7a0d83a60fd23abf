// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs of every application: files that they leave alone, folders, stored cases, progress, wrong words, shipped cases.
#include "application_record.hpp"
#include "command_of.hpp"
#include "result_content.hpp"
#include <karman/io/map_system.hpp>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <sstream>
#include <string>
#include <vector>

namespace application_test {

using namespace karman::test;
using karman::Hdf5File;
using nlohmann::json;

class Application : public CommandOf, public ::testing::WithParamInterface<ApplicationRecord> {
 protected:
  Application() : CommandOf(GetParam().application, GetParam().text), record_(GetParam()) {}
  ApplicationRecord const& record_;
};

TEST_P(Application, StoresItsOriginAndACaseThatGivesTheSameBits) {
  Outcome const outcome = run({"--output", "out"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_TRUE(outcome.err.empty()) << outcome.err;
  EXPECT_NE(outcome.out.find(record_.file("out") + '\n'), std::string::npos) << outcome.out;
  Hdf5File const file = Hdf5File::open(place_.path(record_.file("out")));
  EXPECT_EQ(file.read_string("/", "format"), "karman." + record_.stem);
  for (char const* attribute : {"karman_version", "commit", "kokkos_version", "backend", "device", "compiler"})
    EXPECT_FALSE(file.read_string("/", attribute).empty()) << attribute;
  place_.write("again.json", file.read_text("/case"));
  EXPECT_EQ(place_.karman({record_.application, "again.json", "--output", "again"}).exit_code, 0);
  expect_same_result(place_.path(record_.file("again")), place_.path(record_.file("out")));
}

TEST_P(Application, OverwritesFilesOnlyOnRequestAndLeavesThemOnAFullDisk) {
  overwrites_nothing(record_.stem + ".h5", record_.small_disk, set({record_.change}));
}

TEST_P(Application, ReportsAnUnwritableFolderBeforeTheRun) { refuses_folders(); }

TEST_P(Application, RefusesWrongWordsInOneLine) { refuses_words(record_.wrong_words); }

TEST_P(Application, ReportsItsProgressToPrograms) {
  Outcome const outcome = run({"--output", "out", "--progress", "json"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  std::istringstream lines(outcome.err);
  json last;
  double before = 0;
  for (std::string line; std::getline(lines, line);) {
    last = json::parse(line);
    EXPECT_GE(last.at("done").get<double>(), before) << line;
    before = last.at("done").get<double>();
  }
  EXPECT_TRUE(last.at("finished").get<bool>()) << outcome.err;
  EXPECT_GT(before, 0);
  Hdf5File const file = Hdf5File::open(place_.path(record_.file("out")));
  if (file.has_attribute("/", "iterations")) {
    EXPECT_EQ(before, static_cast<double>(file.read_integer("/", "iterations")));
  } else if (record_.stem == "waves") {
    EXPECT_EQ(before, file.read_table("/summary").column("picard_iterations")[0]);
  }
}

INSTANTIATE_TEST_SUITE_P(Applications, Application, ::testing::ValuesIn(application_records()),
                         [](auto const& info) { return info.param.stem; });

/// The cases in apps/<application>/cases, which may have files beside them.
class Cases : public ::testing::TestWithParam<std::pair<std::string, std::size_t>> {};

TEST_P(Cases, ThatShipAreListedAndValid) {
  Workplace const place;
  auto const& [application, fewest] = GetParam();
  std::string const list = place.karman({"list"}).out;
  std::size_t cases = 0;
  for (auto const& entry : std::filesystem::directory_iterator(KARMAN_CASES "/" + application + "/cases")) {
    if (entry.path().extension() != ".json") continue;
    std::string const name = entry.path().stem().string();
    EXPECT_NE(list.find("\n  " + name + ' '), std::string::npos) << name;
    EXPECT_EQ(place.karman({application, "--example", name}).out, content(entry.path())) << name;
    Outcome const dry = place.karman({application, entry.path().string(), "--dry-run"});
    bool const is_city = name == "city" || name == "city_rose";
    ++cases;
    if (is_city && !karman::built_with_proj()) {
      EXPECT_EQ(dry.exit_code, 2) << name << " has a map";
      EXPECT_NE(dry.err.find("KARMAN_PROJ"), std::string::npos) << dry.err;
      continue;
    }
    EXPECT_EQ(dry.exit_code, 0) << name << dry.err;
    // Meshes are fine enough as they ship. Streets of a town reach to its sides; an export has sheds and overlaps.
    EXPECT_TRUE(dry.err.empty() || name == "downtown" || is_city) << name << dry.err;
    EXPECT_NE(dry.out.find("\nmemory "), std::string::npos) << name << dry.out;
  }
  EXPECT_GE(cases, fewest);
  place.write("example.json", place.karman({application, "--example"}).out);
  EXPECT_EQ(place.karman({application, "example.json", "--dry-run"}).exit_code, 0);
  EXPECT_FALSE(std::filesystem::exists(place.path("results"))) << "a dry run leaves nothing";
  Outcome const schema = place.karman({application, "--schema"});
  EXPECT_EQ(schema.exit_code, 0);
  EXPECT_TRUE(json::parse(schema.out).is_object());
}

INSTANTIATE_TEST_SUITE_P(Applications, Cases,
                         ::testing::Values(std::pair("wind", 10), std::pair("poisson", 9), std::pair("waves", 8),
                                           std::pair("euler", 11), std::pair("turbulence", 6)),
                         [](auto const& info) { return info.param.first; });

}  // namespace application_test
