// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The first session of docs/poisson.md, and runs that must fail.
#include "apps/common/command_of.hpp"
#include "apps/common/run_command.hpp"
#include <karman/io/hdf5_file.hpp>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <string>
#include <utility>

namespace poisson_first_session_test {

using karman::Hdf5File;
using karman::test::content;
using karman::test::Outcome;
using karman::test::Workplace;
using nlohmann::json;

TEST(FirstSession, EveryLineOfTheDocumentationRuns) {
  Workplace const place;
  Outcome const example = place.karman({"poisson", "--example"});
  ASSERT_EQ(example.exit_code, 0);
  place.write("case.json", example.out);
  EXPECT_EQ(place.karman({"poisson", "case.json", "--dry-run"}).exit_code, 0);
  Outcome const solved = place.karman({"poisson", "case.json"});
  EXPECT_EQ(solved.exit_code, 0) << solved.err;
  EXPECT_TRUE(std::filesystem::exists(place.path("results/case/poisson.h5")));
  // As in the page, on a coarse grid and with a shorter time limit.
  Outcome const compared =
      place.karman({"poisson", "case.json", "--compare", "--budget", "4", "--set", "/domain/cells=[24, 16, 12]"});
  EXPECT_EQ(compared.exit_code, 0) << compared.err;
  EXPECT_NE(compared.out.find("\nUse "), std::string::npos) << compared.out;
  json const summary = json::parse(content(place.path("results/case/compare.json")));
  int done = 0;
  for (json const& row : summary.at("rows")) {
    std::string const fate = row.at("fate");
    done += fate == "done" ? 1 : 0;
    if (fate != "done" && fate != "cut off") {
      EXPECT_FALSE(row.at("reason").get<std::string>().empty()) << row;
    }
  }
  EXPECT_GE(done, 1);
}

class SmallNumbers : public karman::test::CommandOf {
 protected:
  SmallNumbers()
      : CommandOf("poisson", R"json({
    "problem": "poisson", "domain": { "cells": [16, 16], "size": [1, 1] }, "coefficient": 1e-24,
    "sides": { "west": { "kind": "dirichlet", "value": 1e-20 } }, "right_hand_side": 0,
    "solver": { "precision": "f32", "max_iterations": 2000 } })json") {}
};

TEST_F(SmallNumbers, NoMethodCallsAWrongResultConverged) {
  for (char const* method :
       {"jacobi", "gauss_seidel", "red_black_gs", "sor", "sor_optimal", "adi", "direct", "multigrid", "cg", "mg_pcg"}) {
    std::string const folder = std::string("f32_") + method;
    std::string const choice = std::string("/solver/method=") + method;
    Outcome const outcome = run({"--output", folder, "--set", choice});
    std::filesystem::path const file = place_.path(folder + "/poisson.h5");
    if (outcome.exit_code == 5) {
      // Conjugate gradients may divide by a product that is zero in this precision.
      EXPECT_NE(outcome.err.find("not finite"), std::string::npos) << outcome.err;
      EXPECT_FALSE(std::filesystem::exists(file)) << method;
      continue;
    }
    EXPECT_EQ(outcome.exit_code, 3) << method << outcome.err;
    EXPECT_NE(outcome.err.find("too small for single precision"), std::string::npos) << outcome.err;
    EXPECT_EQ(Hdf5File::open(file).read_integer("/", "converged"), 0) << method;
  }
  EXPECT_EQ(run({"--output", "f64", "--set", "/solver/precision=f64"}).exit_code, 0);
}

TEST_F(SmallNumbers, AComparisonWithoutASolutionEndsWithThree) {
  Outcome const outcome = run({"--compare", "--budget", "1", "--output", "out"});
  EXPECT_EQ(outcome.exit_code, 3) << outcome.out;
  json const summary = json::parse(content(place_.path("out/compare.json")));
  for (json const& row : summary.at("rows")) EXPECT_NE(row.at("fate"), "done") << row;
}

TEST_F(SmallNumbers, ATimeStepThatPrecisionCannotHoldEndsWithThree) {
  std::string const plate = R"json({
    "problem": "heat", "domain": { "cells": [16, 16], "size": [1, 1] }, "diffusivity": 1, "initial": "1e-42 * (x + y * y)",
    "time": { "step": 0.001, "steps": 20 }, "precision": "f32" })json";
  std::string const columns = R"json({
    "problem": "column_diffusion", "columns": [3, 2], "layers": { "kind": "uniform", "count": 20, "thickness": 1 },
    "diffusivity": "1 + 0.1 * z", "initial": "1e-45 * (1 + z * z)", "ground": { "kind": "flux", "flux": 1e-45 },
    "time": { "step": 1, "steps": 20, "scheme": "crank_nicolson" }, "precision": "f32" })json";
  for (auto const& [text, name] :
       {std::pair(plate, std::string("heat")), std::pair(columns, std::string("column_diffusion"))}) {
    place_.write("case.json", text);
    SCOPED_TRACE(name);
    not_converged({"--output", name});
    EXPECT_EQ(Hdf5File::open(place_.path(name + '/' + name + ".h5")).read_integer("/", "converged"), 0);
    EXPECT_EQ(run({"--output", name + "_f64", "--set", "/precision=f64"}).exit_code, 0);
    // Numbers of the usual size are no trouble.
    Outcome const usual = run(
        {"--output", name + "_usual", "--set", "/initial=2 + sin(7 * " + std::string(name == "heat" ? "x)" : "z)")});
    EXPECT_EQ(usual.exit_code, 0) << usual.err;
    EXPECT_EQ(Hdf5File::open(place_.path(name + "_usual/" + name + ".h5")).read_integer("/", "converged"), 1);
  }
}

}  // namespace poisson_first_session_test
