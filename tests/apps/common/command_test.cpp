// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arguments of `karman`, and commands without a case.
#include "run_command.hpp"
#include "small_case.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace command_test {

using namespace karman::test;

TEST(Command, PrintsVersionAndHelp) {
  Workplace const place;
  Outcome const version = place.karman({"--version"});
  EXPECT_EQ(version.exit_code, 0);
  EXPECT_EQ(version.out.rfind("karman ", 0), 0u) << version.out;
  EXPECT_EQ(line_count(version.out), 1);
  EXPECT_EQ(place.karman({"--help"}).exit_code, 0);
  Outcome const help = place.karman({"wind", "--help"});
  EXPECT_EQ(help.exit_code, 0);
  for (char const* option :
       {"--backend", "--output", "--set", "--restart", "--dry-run", "--progress", "--overwrite", "--watch"}) {
    EXPECT_NE(help.out.find(option), std::string::npos) << option;
  }
}

TEST(Command, BareItHelpsANewcomer) {
  Workplace const place;
  Outcome const outcome = place.karman({});
  EXPECT_EQ(outcome.exit_code, 2) << "a script that lost its words is not done";
  EXPECT_TRUE(outcome.out.empty()) << outcome.out;
  std::string const help = place.karman({"--help"}).out;
  EXPECT_EQ(outcome.err, help);
  for (char const* words : {"poisson", "waves", "wind", "karman wind --example > case.json", "karman wind case.json",
                            "karman list", "karman info"}) {
    EXPECT_NE(help.find(words), std::string::npos) << words << '\n' << help;
  }
}

TEST(Command, ExplainsAnOverrideWithoutItsSlash) {
  Workplace const place;
  place.write("case.json", small_wind_case);
  Outcome const outcome = place.karman({"wind", "case.json", "--dry-run", "--set", "solver/omega=1.5"});
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_NE(outcome.err.find("did you mean \"/solver/omega=1.5\"?"), std::string::npos) << outcome.err;
}

TEST(Command, WrongWordsAreOneLineAndTwo) {
  Workplace const place;
  place.write("case.json", small_wind_case);
  for (std::vector<std::string> const& words : std::vector<std::vector<std::string>>{
           {"weather"},
           {"wind"},
           {"wind", "case.json", "--frobnicate"},
           {"wind", "case.json", "other.json"},
           {"wind", "case.json", "--backend", "abacus"},
           {"wind", "case.json", "--progress", "loud"},
           {"wind", "case.json", "--watch", "lambda", "--slice", "q=3"},
           {"wind", "case.json", "--watch", "lambda", "--slice", "z=-3"},
           {"wind", "case.json", "--watch", "lambda", "--slice", "z=99"},
           {"wind", "case.json", "--watch", "pressure", "--slice", "z=3"},
           {"wind", "case.json", "--slice", "z=3"},
           {"wind", "case.json", "--watch", "lambda", "--slice", "z=3", "--every", "0"},
           {"wind", "case.json", "--set", "/solver/omega=3"},
           {"wind", "case.json", "--set", "/solver/omge=1.5"},
           {"wind", "case.json", "--set", "nonsense"},
           {"wind", "--example", "atlantis"},
           {"info", "--yaml"}}) {
    Outcome const outcome = place.karman(words);
    std::string all;
    for (std::string const& word : words) all += word + ' ';
    EXPECT_EQ(outcome.exit_code, 2) << all;
    EXPECT_EQ(line_count(outcome.err), 1) << all << '\n' << outcome.err;
    EXPECT_TRUE(outcome.out.empty()) << all << '\n' << outcome.out;
    EXPECT_FALSE(std::filesystem::exists(place.path("results"))) << all;
  }
}

TEST(Command, NamesAnUnknownCommandAndAllOthers) {
  std::string const line = Workplace().karman({"poison"}).err;
  EXPECT_EQ(line,
            "karman: poison: no command; choose euler, poisson, turbulence, waves, wind, info, list (karman --help)\n");
}

// Several processes that do not find each other would write the same files: a build without MPI, another launcher.
TEST(Command, ProcessesThatAreApartAreRefused) {
  Workplace const place;
  place.write("case.json", small_wind_case);
  for (auto const& [size, rank] :
       {std::pair{"OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK"}, std::pair{"PMI_SIZE", "PMI_RANK"},
        std::pair{"SLURM_STEP_NUM_TASKS", "SLURM_PROCID"}}) {
    Conditions conditions;
    for (char const* variable : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "SLURM_STEP_NUM_TASKS"})
      conditions.environment.emplace_back(variable, std::nullopt);
    conditions.environment.emplace_back(size, "3");
    for (std::string const self : {"0", "1"}) {
      conditions.environment.emplace_back(rank, self);
      Outcome const outcome = place.karman({"wind", "case.json", "--output", "out"}, conditions);
      EXPECT_EQ(outcome.exit_code, 2) << size << outcome.err;
      EXPECT_TRUE(outcome.out.empty()) << outcome.out;
      if (self == "1") {
        EXPECT_TRUE(outcome.err.empty()) << "the first process reports" << outcome.err;
        continue;
      }
      EXPECT_EQ(line_count(outcome.err), 1) << outcome.err;
      std::string const words = std::string("a launcher has started 3 processes (") + size + ")";
      EXPECT_NE(outcome.err.find(words), std::string::npos) << outcome.err;
    }
    conditions.environment.emplace_back(size, "1");
    conditions.environment.emplace_back(rank, "0");
    EXPECT_EQ(place.karman({"wind", "case.json", "--dry-run"}, conditions).exit_code, 0) << size;
  }
  EXPECT_FALSE(std::filesystem::exists(place.path("out")));
}

TEST(Command, ABackendThatThisBuildLacksIsOneLineWithItsSource) {
  Workplace const place;
  place.write("case.json", small_wind_case);
  std::string const present = nlohmann::json::parse(place.karman({"info", "--json"}).out).at("backends").dump();
  int lacking = 0;
  for (auto const& [word, title] : std::vector<std::pair<std::string, std::string>>{
           {"serial", "Serial"}, {"openmp", "OpenMP"}, {"threads", "Threads"}, {"cuda", "CUDA"}}) {
    if (present.find("\"name\":\"" + word + '"') != std::string::npos) continue;
    ++lacking;
    Outcome const outcome = place.karman({"wind", "case.json", "--backend", word, "--dry-run"});
    EXPECT_EQ(outcome.exit_code, 2) << word;
    EXPECT_EQ(line_count(outcome.err), 1) << outcome.err;
    EXPECT_NE(outcome.err.find("this build has no backend " + word + "; choose one of: "), std::string::npos)
        << outcome.err;
    EXPECT_NE(outcome.err.find(". A build on a Kokkos with " + title + " has it"), std::string::npos) << outcome.err;
    EXPECT_EQ(outcome.err.find("--threads 1 runs") != std::string::npos, word == "serial") << outcome.err;
  }
  EXPECT_GT(lacking, 0) << "no Kokkos has both OpenMP and Threads";
  Outcome const unknown = place.karman({"wind", "case.json", "--backend", "abacus"});
  EXPECT_EQ(unknown.err.find("Kokkos"), std::string::npos) << unknown.err;
}

TEST(Command, ACaseThatIsNotThereIsFileTrouble) {
  Workplace const place;
  Outcome const outcome = place.karman({"wind", "nowhere.json"});
  EXPECT_EQ(outcome.exit_code, 4);
  EXPECT_EQ(line_count(outcome.err), 1) << outcome.err;
  EXPECT_NE(outcome.err.find("nowhere.json"), std::string::npos);
}

TEST(Command, InfoIsForPeopleAndForPrograms) {
  Workplace const place;
  Outcome const outcome = place.karman({"info", "--json"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  auto const info = nlohmann::json::parse(outcome.out);
  for (char const* key : {"karman", "commit", "kokkos", "hdf5", "compiler"}) {
    EXPECT_FALSE(info.at("versions").at(key).get<std::string>().empty()) << key;
  }
  for (char const* library : {"gdal", "proj"}) {
    char const* const words =
        info.at("libraries").at(library).get<bool>() ? "      in this build" : "      not in this build";
    EXPECT_NE(place.karman({"info"}).out.find(library + std::string(words)), std::string::npos) << library;
  }
  ASSERT_FALSE(info.at("backends").empty());
  for (auto const& backend : info.at("backends")) {
    EXPECT_GE(backend.at("concurrency").get<int>(), 1);
    EXPECT_FALSE(backend.at("device").get<std::string>().empty());
    EXPECT_GT(backend.at("memory_bytes").get<double>(), 0);
    EXPECT_TRUE(backend.at("check").at("sound").get<bool>()) << backend.at("check").at("problem");
  }
  Outcome const text = place.karman({"info"});
  EXPECT_EQ(text.exit_code, 0);
  EXPECT_NE(text.out.find("self-check: all kernels correct"), std::string::npos) << text.out;
  EXPECT_NE(text.out.find(info.at("backends")[0].at("device").get<std::string>()), std::string::npos);
}

TEST(Command, ReportsADomainTooLargeForMemoryAtOnce) {
  Workplace const place;
  place.write("case.json", small_wind_case);
  Outcome const outcome =
      place.karman({"wind", "case.json", "--set", "/domain/cells=[32768, 32768]", "--set", "/domain/layers/count=4",
                    "--set", "/buildings=[]", "--set", "/solver/storage=coefficients"});
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_EQ(line_count(outcome.err), 1) << outcome.err;
  EXPECT_NE(outcome.err.find("memory"), std::string::npos) << outcome.err;
  EXPECT_NE(outcome.err.find("free"), std::string::npos) << outcome.err;
  Outcome const more = place.karman({"wind", "case.json", "--set", "/domain/cells=[32768, 32768]"});
  EXPECT_EQ(more.exit_code, 2);
  EXPECT_NE(more.err.find("/domain/cells"), std::string::npos) << more.err;
}

}  // namespace command_test
