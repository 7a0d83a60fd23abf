// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whole runs of karman poisson: their files, their exit codes, comparisons of methods.
#include "apps/common/command_of.hpp"
#include "small_poisson_case.hpp"
#include <karman/io/hdf5_file.hpp>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cmath>

namespace poisson_command_test {

using namespace karman::test;
using karman::Hdf5File;
using nlohmann::json;

/// A square with a known solution; any method solves it.
std::string const square = R"json({
  "title": "A square",
  "problem": "poisson",
  "domain": { "cells": [32, 24], "size": [1, 0.75] },
  "sides": {
    "north": { "kind": "dirichlet", "value": "exp(x) * sin(ly)" },
    "south": { "kind": "dirichlet", "value": 0 },
    "west": { "kind": "dirichlet", "value": "sin(y)" },
    "east": { "kind": "neumann", "flux": "e * sin(y)" } },
  "right_hand_side": 0, "exact": "exp(x) * sin(y)" })json";

class PoissonCommand : public CommandOf {
 protected:
  PoissonCommand() : CommandOf("poisson", square) {}
};

TEST_F(PoissonCommand, HasEverythingThatIsPromised) {
  place_.write("case.json", small_poisson_case);
  Outcome const outcome = run({"--output", "out"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_TRUE(outcome.err.empty()) << outcome.err;
  EXPECT_NE(outcome.out.find("out/poisson.h5"), std::string::npos);
  Hdf5File const file = Hdf5File::open(place_.path("out/poisson.h5"));
  EXPECT_EQ(file.read_string("/", "format"), "karman.poisson");
  EXPECT_EQ(file.read_string("/", "method"), "sor");
  EXPECT_EQ(file.read_integer("/", "converged"), 1);
  EXPECT_EQ(file.read_double("/", "omega"), 1.5);
  EXPECT_LE(file.read_double("/", "relative_residual"), 1e-8);
  karman::ArrayExtents const extents(8, 10, 12);
  for (char const* field : {"/cells/p", "/cells/f", "/cells/residual", "/cells/error", "/cells/coefficient"}) {
    EXPECT_EQ(file.info(field).extents, extents) << field;
  }
  auto const solid = file.read_vector<std::uint8_t>("/cells/solid");
  auto const f = file.read_vector<double>("/cells/f");
  auto const p = file.read_vector<double>("/cells/p");
  auto const error = file.read_vector<double>("/cells/error");
  int walls = 0;
  for (std::size_t cell = 0; cell < solid.size(); ++cell) {
    EXPECT_EQ(f[cell], solid[cell] != 0 ? 0 : 2);
    EXPECT_EQ(error[cell], solid[cell] != 0 ? 0 : p[cell] - 0.25);
    walls += solid[cell];
  }
  EXPECT_EQ(walls, file.read_integer("/", "solid_cells"));
  EXPECT_GT(walls, 20);
  EXPECT_EQ(file.read_vector<double>("/grid/z").front(), 2);
  auto const history = file.read_table("/history");
  EXPECT_EQ(history.column("iteration").back(), double(file.read_integer("/", "iterations")));
  EXPECT_LE(history.column("residual").back(), 1e-8);
  EXPECT_NE(content(place_.path("out/poisson.xdmf")).find("poisson.h5:/cells/p"), std::string::npos);
  EXPECT_EQ(content(place_.path("out/history.csv")).rfind("iteration,residual,seconds\n", 0), 0u);
}

/// Contrasts of 10^6 end at round-off, contrasts of 10^8 need double cycles.
TEST_F(PoissonCommand, RoundOffIsARemarkAndStalledCyclesAreReplaced) {
  place_.write("stiff.json", R"json({
    "problem": "poisson", "domain": { "cells": [32, 32], "size": [1, 1] }, "right_hand_side": "sin(3*x)*cos(5*y)",
    "coefficient": "1+1e6*(x>0.3)*(x<0.7)*(y>0.3)*(y<0.7)" })json");
  place_.write("bar.json", R"json({
    "problem": "poisson", "domain": { "cells": [3], "size": [1] }, "sides": { "west": { "kind": "neumann", "flux": 0 } },
    "right_hand_side": "sin(3*x)+0.4", "coefficient": "1+1e8*(x>0.3)*(x<0.7)", "solver": { "method": "mg_pcg" } })json");
  Outcome const stiff = place_.karman({"poisson", "stiff.json", "--output", "stiff"});
  EXPECT_EQ(stiff.exit_code, 0) << stiff.err;
  EXPECT_NE(stiff.out.find("is round-off of double precision"), std::string::npos) << stiff.out;
  Hdf5File const file = Hdf5File::open(place_.path("stiff/poisson.h5"));
  EXPECT_GT(file.read_double("/", "relative_residual"), 1e-10);
  EXPECT_LT(file.read_double("/", "relative_residual"), file.read_double("/", "round_off"));
  Outcome const compared = place_.karman({"poisson", "stiff.json", "--compare", "--budget", "0.2", "--output", "all"});
  EXPECT_EQ(compared.exit_code, 0) << compared.err;
  EXPECT_NE(compared.out.find("\nUse "), std::string::npos) << compared.out;
  Outcome const bar = place_.karman({"poisson", "bar.json", "--output", "bar"});
  EXPECT_EQ(bar.exit_code, 0) << bar.err;
  EXPECT_NE(bar.out.find("/solver/cycle_precision"), std::string::npos) << bar.out;
  Outcome const single =
      place_.karman({"poisson", "bar.json", "--output", "single", "--set", "/solver/cycle_precision=f32"});
  EXPECT_EQ(single.exit_code, 3);
  EXPECT_EQ(single.err.find("raise /solver/tolerance"), std::string::npos) << single.err;
}

TEST_F(PoissonCommand, SinglePrecisionMeetsItsTolerance) {
  Outcome const outcome = run({"--output", "out", "--set", "/solver/precision=f32", "--set", "/solver/method=mg_pcg"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  Hdf5File const file = Hdf5File::open(place_.path("out/poisson.h5"));
  EXPECT_EQ(file.info("/cells/p").type, karman::ScalarType::float32);
  EXPECT_LT(file.read_double("/", "largest_error"), 1e-3);
}

TEST_F(PoissonCommand, AnEarlierResultIsAFirstGuess) {
  std::vector<std::string> const method{"--set", "/solver/method=cg"};
  auto const with = [&](std::vector<std::string> words) {
    words.insert(words.end(), method.begin(), method.end());
    return run(words);
  };
  ASSERT_EQ(with({"--output", "first"}).exit_code, 0);
  ASSERT_EQ(with({"--output", "second", "--restart", "first/poisson.h5"}).exit_code, 0);
  auto const iterations = [&](char const* folder) {
    return Hdf5File::open(place_.path(std::string(folder) + "/poisson.h5")).read_integer("/", "iterations");
  };
  EXPECT_LT(iterations("second"), iterations("first") / 4);
  Outcome const other = with({"--output", "third", "--restart", "first/poisson.h5", "--set", "/domain/cells=[16, 24]"});
  EXPECT_EQ(other.exit_code, 4) << other.err;
  EXPECT_EQ(line_count(other.err), 1);
  place_.write("rubbish", "no result");
  EXPECT_EQ(with({"--output", "fourth", "--restart", "rubbish"}).exit_code, 4);
}

TEST_F(PoissonCommand, AComparisonSolvesWithEverythingAndSaysWhichToUse) {
  Outcome const outcome = run({"--compare", "--budget", "0.5", "--output", "out"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_NE(outcome.out.find("\nUse "), std::string::npos) << outcome.out;
  json const summary = json::parse(content(place_.path("out/compare.json")));
  auto const info = json::parse(place_.karman({"info", "--json"}).out);
  EXPECT_EQ(summary.at("backends").size(), info.at("backends").size());
  EXPECT_EQ(summary.at("rows").size(), 11 * info.at("backends").size());
  Hdf5File const file = Hdf5File::open(place_.path("out/compare.h5"));
  int done = 0;
  double least = 1e300, most = 0;
  for (json const& row : summary.at("rows")) {
    auto const fate = row.at("fate").get<std::string>();
    if (row.at("method") == "tridiagonal") {
      EXPECT_EQ(fate, "does not apply");
      EXPECT_NE(row.at("reason").get<std::string>().find("one dimension"), std::string::npos);
      continue;
    }
    EXPECT_TRUE(fate == "done" || fate == "cut off") << row;
    if (fate != "done") continue;
    ++done;
    EXPECT_GT(row.at("memory_bytes").get<double>(), 2 * 8 * 32 * 24);
    // All of them have the error of the grid, because all of them solved the problem.
    least = std::min(least, row.at("largest_error").get<double>());
    most = std::max(most, row.at("largest_error").get<double>());
    std::string const table =
        "/runs/" + row.at("backend").get<std::string>() + '/' + row.at("method").get<std::string>();
    EXPECT_LE(file.read_table(table).column("residual").back(), 1e-9);
  }
  EXPECT_GE(done, 5);
  EXPECT_LT(most - least, 1e-6);
  EXPECT_EQ(static_cast<std::size_t>(line_count(content(place_.path("out/compare.csv")))),
            1 + summary.at("rows").size());
}

TEST_F(PoissonCommand, OneComparisonAtATimeWritesIntoAFolder) {
  keeps_its_folder({"--output", "out", "--compare", "--budget", "100", "--set", "/domain/cells=[512, 384]"}, false);
}

TEST_F(PoissonCommand, WhatCannotBeSolvedInTimeIsCutOff) {
  Outcome const outcome = run({"--compare", "--budget", "0.05", "--output", "out", "--set", "/domain/cells=[512, 384]",
                               "--set", "/solver/tolerance=1e-11"});
  json const summary = json::parse(content(place_.path("out/compare.json")));
  int cut_off = 0;
  for (json const& row : summary.at("rows")) {
    if (row.at("fate") != "cut off") continue;
    ++cut_off;
    EXPECT_GT(row.at("residual").get<double>(), 1e-11);
    EXPECT_GE(row.at("seconds").get<double>(), 0.05);
  }
  EXPECT_GT(cut_off, 0);
  EXPECT_NE(outcome.out.find("cut off"), std::string::npos);
}

TEST_F(PoissonCommand, ColumnsKeepTheirContent) {
  place_.write("case.json", R"json({
  "problem": "column_diffusion", "columns": [5, 4], "size": [50, 40],
  "layers": { "kind": "stretched", "count": 30, "thickness": 2, "ratio": 1.08 },
  "diffusivity": "0.3 + 0.02 * z * (1 + x / lx)", "initial": "290 + 5 * exp(-z / 20)",
  "ground": { "kind": "flux", "flux": "0.05 * sin(t / 3000) * (1 + y / ly)" },
  "time": { "step": 50, "steps": 60, "scheme": "crank_nicolson" },
  "outputs": {
  "frames_every" : 20 } })json");
  Outcome const outcome = run({"--output", "out"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  Hdf5File const file = Hdf5File::open(place_.path("out/column_diffusion.h5"));
  EXPECT_EQ(file.list("/frames").size(), 4u);
  auto const history = file.read_table("/history");
  EXPECT_EQ(history.column("step"), (std::vector<double>{0, 20, 40, 60}));
  // 60 steps, each of them exact except for rounding.
  for (double error : history.column("balance_error")) EXPECT_LT(std::abs(error), 60 * 1e-15);
  EXPECT_NE(content(place_.path("out/column_diffusion.xdmf")).find("Temporal"), std::string::npos);
}

TEST_F(PoissonCommand, ColumnsDecayAsTheyMustWithTheOrderOfTheirScheme) {
  // The slowest mode of an insulated column of height 1.
  std::string const text = R"json({
  "problem": "column_diffusion", "columns": [2, 1],
  "layers": { "kind": "uniform", "count": 400, "thickness": 0.0025 },
  "diffusivity": 0.2, "initial": "cos(pi * z)", "exact": "exp(-0.2 * pi^2 * t) * cos(pi * z)",
  "time": { "step": 0.1, "steps": 10, "scheme": "SCHEME" } })json";
  auto const error = [&](std::string const& scheme, int refine) {
    std::string own = text;
    own.replace(own.find("SCHEME"), 6, scheme);
    place_.write("case.json", own);
    std::string const folder = scheme + std::to_string(refine);
    EXPECT_EQ(run({"--output", folder, "--set", "/time/step=" + std::to_string(0.1 / refine), "--set",
                   "/time/steps=" + std::to_string(10 * refine)})
                  .exit_code,
              0);
    return Hdf5File::open(place_.path(folder + "/column_diffusion.h5"))
        .read_table("/history")
        .column("largest_error")
        .back();
  };
  EXPECT_NEAR(std::log2(error("implicit_euler", 2) / error("implicit_euler", 4)), 1, 0.1);
  EXPECT_NEAR(std::log2(error("crank_nicolson", 1) / error("crank_nicolson", 2)), 2, 0.1);
}

TEST_F(PoissonCommand, HeatDecaysAsItMust) {
  place_.write("case.json", R"json({
  "problem": "heat", "domain": { "cells": [48, 48], "size": [1, 1] }, "diffusivity": 0.1,
  "initial": "sin(pi * x) * sin(2 * pi * y)", "exact": "exp(-0.5 * pi^2 * t) * sin(pi * x) * sin(2 * pi * y)",
  "time": { "step": 0.02, "steps": 20 }, "outputs": {
  "frames_every" : 5 } })json");
  auto const error = [&](char const* folder, std::vector<std::string> words) {
    words.insert(words.end(), {"--output", folder});
    Outcome const outcome = run(words);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    return Hdf5File::open(place_.path(std::string(folder) + "/heat.h5"))
        .read_table("/history")
        .column("largest_error")
        .back();
  };
  double const coarse = error("coarse", {});
  double const fine =
      error("fine", {"--set", "/domain/cells=[96, 96]", "--set", "/time/step=0.01", "--set", "/time/steps=40"});
  EXPECT_LT(coarse, 2e-3);
  EXPECT_NEAR(std::log2(coarse / fine), 2, 0.1);
}

}  // namespace poisson_command_test
