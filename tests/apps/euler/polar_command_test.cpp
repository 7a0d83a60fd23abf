// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sweeps of karman euler over Mach numbers and angles, and the search for a lift.
#include "apps/common/command_of.hpp"
#include <karman/io/hdf5_file.hpp>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <filesystem>
#include <numbers>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace polar_command_test {

using namespace karman::test;
using karman::Hdf5File;
using karman::Table;
namespace fs = std::filesystem;

std::string polar_case(std::string const& sweep, std::string const& time = R"("residual": 1e-5, "cfl": 0.5)") {
  return R"({ "mesh": { "kind": "airfoil", "points": 24, "far_radius": 5 },
    "flow": { "density": 1.4, "pressure": 1, "mach": 0.4, "angle": 0 },
    "scheme": { "shock_capturing": 0 }, "boundaries": { "airfoil": { "kind": "wall" }, "farfield": { "kind": "far_field" } },
    "time": { "kind": "steady", )" +
         time + R"( },
    "forces": [{ "name": "wing", "boundaries": ["airfoil"] }],
    "sweep": )" +
         sweep + " }";
}

class Polar : public CommandOf {
 protected:
  Polar() : CommandOf("euler", polar_case(R"({ "mach": [0.3, 0.5], "angle": [0, 2] })")) {}

  Table points(std::string const& folder = "out") const {
    return Hdf5File::open(place_.path(folder + "/polar.h5")).read_table("/polar");
  }
  nlohmann::json case_of(std::string const& point) const {
    return nlohmann::json::parse(content(place_.path("out/" + point + "/case.json")));
  }
  std::vector<double> density(std::string const& folder) const {
    return Hdf5File::open(place_.path(folder + "/euler.h5")).read_vector<double>("/fields/density");
  }
};

TEST_F(Polar, PointsStartFromTheirNeighbors) {
  Outcome const outcome = run({"--output", "out"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_EQ(outcome.err, "");
  EXPECT_NE(outcome.out.find("\npoint-003 (mach 0.5, angle 2): done in "), std::string::npos) << outcome.out;
  EXPECT_FALSE(case_of("point-000").at("initial").contains("file"));
  EXPECT_EQ(case_of("point-001").at("/initial/file"_json_pointer), "../point-000/euler.h5");
  EXPECT_EQ(case_of("point-002").at("/initial/file"_json_pointer), "../point-000/euler.h5") << "the row before";
  EXPECT_EQ(case_of("point-003").at("/initial/file"_json_pointer), "../point-002/euler.h5");
  // Each is a case of its own.
  Outcome const alone = place_.karman({"euler", "out/point-003/case.json", "--output", "alone"});
  ASSERT_EQ(alone.exit_code, 0) << alone.err;
  EXPECT_EQ(density("alone"), density("out/point-003"));
  Table const table = points();
  EXPECT_EQ(table.columns, (std::vector<std::string>{"mach", "angle", "converged", "solves", "steps", "residual",
                                                     "wing.drag", "wing.lift", "wing.moment"}));
  EXPECT_EQ(table.column("mach"), (std::vector<double>{0.3, 0.3, 0.5, 0.5}));
  EXPECT_EQ(table.column("angle"), (std::vector<double>{0, 2, 0, 2}));
  EXPECT_EQ(table.column("converged"), std::vector<double>(4, 1.0));
  auto const& lift = table.column("wing.lift");
  // Symmetric as far as they are converged. Else the lift of a thin airfoil with the rule of Prandtl and Glauert. The
  // thick one with 24 points comes this near.
  for (std::size_t n = 0; n < 4; ++n) {
    double const mach = table.column("mach")[n], angle = table.column("angle")[n] * std::numbers::pi / 180;
    EXPECT_NEAR(lift[n], 2 * std::numbers::pi * angle / std::sqrt(1 - mach * mach), n % 2 == 0 ? 1e-3 : 0.03);
  }
  // A flow of its own from the undisturbed one; both are converged to 1e-5 of the first residual.
  nlohmann::json cold = nlohmann::json::parse(content(place_.path("case.json")));
  cold.erase("sweep");
  cold["flow"]["mach"] = 0.5;
  cold["flow"]["angle"] = 2;
  place_.write("case.json", cold.dump());
  ASSERT_EQ(run({"--output", "cold"}).exit_code, 0);
  auto const history = Hdf5File::open(place_.path("cold/euler.h5")).read_table("/history");
  EXPECT_NEAR(history.column("wing.lift").back(), lift[3], 1e-3);
  EXPECT_LT(table.column("steps")[3], history.column("step").back()) << "it starts nearer";
  // The text has the same numbers.
  std::istringstream csv(content(place_.path("out/polar.csv")));
  std::string line;
  std::getline(csv, line);
  EXPECT_EQ(line, "point,outcome,mach,angle,converged,solves,steps,residual,wing.drag,wing.lift,wing.moment");
  for (std::size_t n = 0; std::getline(csv, line); ++n) {
    std::istringstream cells(line);
    std::string cell;
    std::getline(cells, cell, ',');
    EXPECT_EQ(cell, "point-00" + std::to_string(n));
    std::getline(cells, cell, ',');
    EXPECT_EQ(cell, "done");
    for (auto const& values : table.values) {
      std::getline(cells, cell, ',');
      EXPECT_EQ(std::stod(cell), values[n]);
    }
  }
}

/// Flows that begin almost steady: their residuals never drop far below the first one with the first-order products.
TEST_F(Polar, NewtonsMethodConvergesFromNeighbors) {
  place_.write("case.json", place_.karman({"euler", "--example", "polar_naca0012"}).out);
  Outcome const outcome = run({"--output", "out", "--set", R"(/sweep={"mach":[0.8],"angle":[3,4]})", "--set",
                               R"(/time={"kind":"steady","method":"newton","residual":1e-8,"max_steps":100})"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err << outcome.out;
  EXPECT_EQ(points().column("converged"), std::vector<double>(2, 1.0));
  auto const steps = points().column("steps");
  EXPECT_LE(steps[1], 0.85 * steps[0]) << "it starts nearer";
}

TEST_F(Polar, RangesListTheirEnds) {
  place_.write("case.json", polar_case(R"({ "mach_range": { "from": 0.5, "to": 0.3, "step": -0.1 },
    "angle_range": { "from": -0.3, "to": 0.3, "step": 0.1 } })"));
  Outcome const outcome = run({"--dry-run"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_NE(outcome.out.find("\npoints      21\n"), std::string::npos) << outcome.out;
  EXPECT_NE(outcome.out.find("\npoint-003  mach 0.5, angle 0: 20000 steps at most, "), std::string::npos)
      << outcome.out;
  EXPECT_NE(outcome.out.find("\npoint-020  mach 0.3, angle 0.3: "), std::string::npos) << outcome.out;
  EXPECT_FALSE(fs::exists(place_.path("results")));
  Outcome const twice = run({"--dry-run", "--set", R"(/sweep={"mach":[0.3,0.5,0.3]})"});
  EXPECT_EQ(twice.exit_code, 2) << twice.out;
  EXPECT_NE(twice.err.find("/sweep/mach/2: 0.3: expected each value once"), std::string::npos) << twice.err;
}

TEST_F(Polar, FindsTheAngleOfALift) {
  place_.write("case.json", polar_case(R"({ "mach": [0.3, 0.4], "target_lift": 0.2, "lift_tolerance": 1e-4 })"));
  Outcome const outcome = run({"--output", "out"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  Table const table = points();
  for (std::size_t n = 0; n < 2; ++n) {
    EXPECT_NEAR(table.column("wing.lift")[n], 0.2, 1e-4);
    EXPECT_GT(table.column("angle")[n], 1);
    EXPECT_GE(table.column("solves")[n], 2);
    EXPECT_EQ(case_of("point-00" + std::to_string(n)).at("/flow/angle"_json_pointer), table.column("angle")[n]);
  }
  // The first angle has another lift.
  Outcome const few = run({"--output", "few", "--set", "/sweep/lift_solves=1"});
  EXPECT_EQ(few.exit_code, 3);
  EXPECT_NE(few.err.find("2 of 2 points failed: point-000 (mach 0.3): NOT CONVERGED: after 1 flow the lift is "),
            std::string::npos)
      << few.err;
  EXPECT_EQ(points("few").column("converged"), std::vector<double>(2, 0.0));
  // Without Mach numbers it is a single flow.
  ASSERT_EQ(run({"--output", "single", "--set", R"(/sweep={"target_lift":0.2})"}).exit_code, 0);
  EXPECT_EQ(points("single").column("mach"), std::vector<double>{0.4});
}

TEST_F(Polar, RecordsThePointsThatDoNotConverge) {
  place_.write("case.json", polar_case(R"({ "angle": [0, 1, 2] })", R"("max_steps": 40)"));
  Outcome const outcome = run({"--output", "out"});
  EXPECT_EQ(outcome.exit_code, 3);
  EXPECT_NE(outcome.err.find("3 of 3 points failed: point-000 (angle 0): NOT CONVERGED: after 40 steps"),
            std::string::npos)
      << outcome.err;
  EXPECT_EQ(points().column("converged"), std::vector<double>(3, 0.0));
  EXPECT_NE(content(place_.path("out/polar.csv")).find("point-002,not_converged,0.4,2,0,1,40,"), std::string::npos);
}

/// Points that break down are no neighbours of others, also where an earlier sweep has left a result.
TEST_F(Polar, GoesOnAfterABreakdown) {
  ASSERT_EQ(run({"--output", "out"}).exit_code, 0);
  place_.write("case.json", polar_case(R"({ "mach": [0.3], "angle": [0, 1] })", R"("cfl": 10, "growth": 10)"));
  Outcome const outcome = run({"--output", "out", "--overwrite"});
  EXPECT_EQ(outcome.exit_code, 5) << outcome.out;
  EXPECT_NE(outcome.err.find("2 of 2 points failed: point-000 (mach 0.3, angle 0): "), std::string::npos)
      << outcome.err;
  EXPECT_FALSE(fs::exists(place_.path("out/point-000/euler.h5")));
  EXPECT_FALSE(case_of("point-001").at("initial").contains("file"));
  EXPECT_FALSE(fs::exists(place_.path("out/point-002"))) << "of the larger sweep";
  Table const table = points();
  for (double const lift : table.column("wing.lift")) EXPECT_TRUE(std::isnan(lift));
  EXPECT_EQ(table.column("angle"), (std::vector<double>{0, 1}));
}

TEST_F(Polar, SweepsAndRunsLeaveNoFilesOfEachOther) {
  auto const files_in = [&](std::string const& name) {
    std::set<std::string> names;
    for (auto const& entry : fs::directory_iterator(place_.path(name))) {
      std::string const file = entry.path().filename();
      if (file.front() != '.') names.insert(file);
    }
    return names;
  };
  place_.write("case.json", polar_case(R"({ "angle": [0, 1] })", R"("max_steps": 20)"));
  ASSERT_EQ(run({"--output", "sweep"}).exit_code, 3);
  ASSERT_EQ(run({"--output", "out"}).exit_code, 3);
  nlohmann::json single = nlohmann::json::parse(content(place_.path("case.json")));
  single.erase("sweep");
  place_.write("single.json", single.dump());
  ASSERT_EQ(place_.karman({"euler", "single.json", "--output", "single"}).exit_code, 3);
  place_.write("out/notes.txt", "of the user");
  ASSERT_EQ(place_.karman({"euler", "single.json", "--output", "out", "--overwrite"}).exit_code, 3);
  std::set<std::string> expected = files_in("single");
  expected.insert("notes.txt");
  EXPECT_EQ(files_in("out"), expected);
  ASSERT_EQ(run({"--output", "out", "--overwrite"}).exit_code, 3);
  expected = files_in("sweep");
  expected.insert("notes.txt");
  EXPECT_EQ(files_in("out"), expected);
}

TEST_F(Polar, AStoppedSweepContinuesToTheSameBits) {
  // Points of 500 steps that converge to nothing.
  std::string const time = R"("residual": 1e-14, "max_steps": 500, "cfl": 0.5)";
  for (std::string const& sweep :
       {std::string(R"({ "mach": [0.3, 0.5], "angle": [0, 1, 2] })"),
        std::string(R"({ "mach": [0.3, 0.35, 0.4, 0.45], "target_lift": 0.2, "lift_solves": 2 })")}) {
    place_.write("case.json", polar_case(sweep, time));
    EXPECT_EQ(run({"--output", "whole", "--overwrite"}).exit_code, 3);
    place_.write(".err", "");
    fs::remove_all(place_.path("out"));
    Outcome outcome = interrupted({"--output", "out"});
    ASSERT_EQ(outcome.exit_code, 130) << outcome.err;
    EXPECT_NE(outcome.err.find(": stopped by a signal after "), std::string::npos) << outcome.err;
    EXPECT_TRUE(fs::exists(place_.path("out/polar.checkpoint")));
    EXPECT_FALSE(fs::exists(place_.path("out/polar.csv")));
    auto const first = fs::last_write_time(place_.path("out/point-000/euler.h5"));
    outcome = continued(outcome);
    EXPECT_EQ(outcome.exit_code, 3) << outcome.err;
    EXPECT_EQ(fs::last_write_time(place_.path("out/point-000/euler.h5")), first) << "finished points are kept";
    EXPECT_EQ(content(place_.path("out/polar.csv")), content(place_.path("whole/polar.csv")));
    for (auto const& entry : fs::directory_iterator(place_.path("whole"))) {
      std::string const name = entry.path().filename().string();
      if (!name.starts_with("point-")) continue;
      EXPECT_EQ(density("out/" + name), density("whole/" + name)) << name;
    }
  }
  Outcome const other =
      run({"--output", "out", "--overwrite", "--restart", "out/polar.checkpoint", "--set", "/flow/pressure=2"});
  EXPECT_EQ(other.exit_code, 2);
  EXPECT_NE(other.err.find("/flow/pressure: 2: expected 1 as in the checkpoint "), std::string::npos) << other.err;
}

}  // namespace polar_command_test
