// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whole runs of karman euler: their files, their exit codes, exact flows.
#include "apps/common/command_of.hpp"
#include "small_flow_case.hpp"
#include <karman/io/hdf5_file.hpp>

#include <gtest/gtest.h>
#include <signal.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace flow_command_test {

using namespace karman::test;
using karman::Hdf5File;

class FlowCommand : public CommandOf {
 protected:
  FlowCommand() : CommandOf("euler", small_flow_case) {}
  Hdf5File result(std::string const& folder = "out") const { return Hdf5File::open(place_.path(folder + "/euler.h5")); }

  /// Runs the case; SIGINT comes when the checkpoint of this number is published, with 0 never.
  Outcome run_to(int checkpoint, std::vector<std::string> words) const {
    words.insert(words.begin(), {"euler", "case.json"});
    if (checkpoint > 0) words.insert(words.end(), {"--set", "/solver/checkpoint_every=1e-9"});
    Conditions conditions;
    conditions.environment = {{"LD_PRELOAD", KARMAN_SIGNAL_HOOK},
                              {"ASAN_OPTIONS", "verify_asan_link_order=0"},
                              {"OMP_WAIT_POLICY", "passive"},
                              {"KARMAN_HOOK_EVENT", "publish"},
                              {"KARMAN_HOOK_NAME", "/euler.checkpoint"},
                              {"KARMAN_HOOK_COUNT", std::to_string(checkpoint)},
                              {"KARMAN_HOOK_SIGNAL", std::to_string(checkpoint > 0 ? SIGINT : 0)}};
    return place_.karman(words, conditions);
  }
};

TEST_F(FlowCommand, HasEverythingThatIsPromised) {
  Outcome const outcome = run({"--output", "out"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_TRUE(outcome.err.empty()) << outcome.err;
  EXPECT_NE(outcome.out.find("out/euler.h5"), std::string::npos);
  EXPECT_NE(outcome.out.find("gauge middle: density "), std::string::npos) << outcome.out;
  EXPECT_NE(outcome.out.find("floor: drag "), std::string::npos) << outcome.out;
  Hdf5File const file = result();
  EXPECT_EQ(file.read_string("/", "format"), "karman.euler");
  EXPECT_EQ(file.read_integer("/", "converged"), 1);
  EXPECT_EQ(file.read_double("/", "time"), 0.4);
  std::size_t const nodes = 21 * 11;
  auto const field = [&](char const* name) { return file.read_vector<double>(std::string("/fields/") + name); };
  auto const density = field("density"), pressure = field("pressure"), velocity = field("velocity");
  auto const mach = field("mach"), temperature = field("temperature"), entropy = field("entropy");
  auto const energy = field("energy"), schlieren = field("schlieren");
  ASSERT_EQ(density.size(), nodes);
  EXPECT_EQ(file.info("/fields/velocity").extents, karman::ArrayExtents(nodes, 3));
  for (std::size_t n = 0; n < nodes; ++n) {
    double const speed = std::hypot(velocity[3 * n], velocity[3 * n + 1]);
    EXPECT_EQ(velocity[3 * n + 2], 0) << "a vector in the plane";
    EXPECT_NEAR(mach[n], speed / std::sqrt(1.4 * pressure[n] / density[n]), 1e-13);
    EXPECT_NEAR(temperature[n], pressure[n] / density[n] / 287.05, 1e-15);
    EXPECT_NEAR(entropy[n], pressure[n] * std::pow(1.4 / density[n], 1.4) - 1, 1e-13);
    EXPECT_NEAR(energy[n], pressure[n] / 0.4 + 0.5 * density[n] * speed * speed, 1e-13);
    EXPECT_GE(schlieren[n], 0);
  }
  // Walls and periodic sides keep mass and energy to round-off.
  auto const history = file.read_table("/history");
  EXPECT_LE(history.column("step")[1], 5);
  EXPECT_EQ(history.column("time").back(), 0.4);
  for (char const* kept : {"mass", "energy"}) {
    auto const& values = history.column(kept);
    EXPECT_NEAR(values.front() / values.back(), 1, 1e-13) << kept;
  }
  EXPECT_NEAR(history.column("mass").front(), 2.8, 1e-12);
  // The gauge at a node reads its values; the last row is that of the fields.
  EXPECT_NEAR(history.column("corner.pressure").back(), pressure[0], 1e-14);
  EXPECT_NEAR(history.column("corner.velocity_x").front(), 0, 1e-15);
  // The floor: pressure over its length of 2 m, beyond that of the flow, over gamma p / 2.
  double lift = 0;
  for (std::size_t i = 0; i < 20; ++i) lift += -0.1 * (0.5 * (pressure[i] + pressure[i + 1]) - 1);
  EXPECT_NEAR(history.column("floor.lift").back(), lift / (0.7 * 2), 1e-13);
  EXPECT_NEAR(history.column("floor.drag").back(), 0, 1e-15);
  auto const walls = file.read_table("/walls");
  EXPECT_EQ(walls.column("x").size(), 42u) << "two runs of 21 nodes";
  EXPECT_NEAR(walls.column("cp")[0], (walls.column("pressure")[0] - 1) / 0.7, 1e-15);
  // Averages from 0.1 to 0.4.
  EXPECT_NEAR(file.read_double("/averages", "seconds"), 0.3, 0.05);
  auto const mean = file.read_vector<double>("/averages/density");
  EXPECT_NEAR(std::accumulate(mean.begin(), mean.end(), 0.0) / double(nodes), 1.4, 0.02);
  auto const loudness = file.read_vector<double>("/averages/pressure_rms");
  EXPECT_GT(*std::max_element(loudness.begin(), loudness.end()), 0.01);
  // Frames: the start and four.
  for (int n = 0; n <= 4; ++n) {
    auto const frame = Hdf5File::open(place_.path("out/frames/frame_00000" + std::to_string(n) + ".h5"));
    EXPECT_NEAR(frame.read_double("/", "time"), 0.1 * n, 1e-15);
    EXPECT_EQ(frame.read_vector<double>("/fields/density").size(), nodes);
  }
  std::string const xdmf = content(place_.path("out/frames.xdmf"));
  EXPECT_NE(xdmf.find("CollectionType=\"Temporal\""), std::string::npos);
  EXPECT_NE(xdmf.find("frames/frame_000004.h5:/fields/density"), std::string::npos) << xdmf;
  EXPECT_NE(content(place_.path("out/euler.xdmf")).find("euler.h5:/fields/velocity"), std::string::npos);
  EXPECT_EQ(content(place_.path("out/gauges.csv")).rfind("step,time,middle.density,", 0), 0u);
  EXPECT_EQ(line_count(content(place_.path("out/walls.csv"))), 43);
  EXPECT_EQ(line_count(content(place_.path("out/history.csv"))), static_cast<int>(history.column("step").size()) + 1);
}

TEST_F(FlowCommand, StrategiesAndPrecisionsAgree) {
  ASSERT_EQ(run({"--output", "out"}).exit_code, 0);
  auto const density = result().read_vector<double>("/fields/density");
  for (char const* strategy : {"atomic", "colored", "expanded"}) {
    ASSERT_EQ(run({"--output", strategy, "--set", std::string("/scheme/strategy=") + strategy}).exit_code, 0);
    auto const other = result(strategy).read_vector<double>("/fields/density");
    for (std::size_t n = 0; n < density.size(); ++n) EXPECT_NEAR(other[n], density[n], 1e-11) << strategy;
  }
  ASSERT_EQ(run({"--output", "f32", "--set", "/solver/precision=f32"}).exit_code, 0);
  auto const rounded = result("f32").read_vector<float>("/fields/density");
  for (std::size_t n = 0; n < density.size(); ++n) EXPECT_NEAR(rounded[n], density[n], 1e-4);
}

TEST_F(FlowCommand, AUniformFlowStaysOnAnyMesh) {
  // All conditions let it pass: to round-off nothing happens.
  place_.write("case.json", R"({ "mesh": { "kind": "airfoil", "points": 32, "far_radius": 5 },
    "flow": { "pressure": 1, "density": 1.4, "mach": 0.5, "angle": 30 }, "boundaries": { "others": { "kind": "far_field" } },
    "time": { "kind": "transient", "end": 0.02, "frames": 1 }, "outputs": { "fields": ["pressure", "velocity"] } })");
  Outcome const outcome = run({"--output", "out"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  for (double const p : result().read_vector<double>("/fields/pressure")) EXPECT_NEAR(p, 1, 1e-12);
}

TEST_F(FlowCommand, SodsTubeHasItsStates) {
  place_.write("case.json", place_.karman({"euler", "--example", "sod_tube"}).out);
  Outcome const outcome = run({"--output", "out"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  auto const file = result();
  auto const nodes = file.read_vector<double>("/mesh/nodes"), density = file.read_vector<double>("/fields/density");
  auto const pressure = file.read_vector<double>("/fields/pressure");
  auto const mean = [&](std::vector<double> const& values, double from, double to) {
    double sum = 0, count = 0;
    for (std::size_t n = 0; n < values.size(); ++n) {
      if (nodes[2 * n] > from && nodes[2 * n] < to) sum += values[n], ++count;
    }
    return sum / count;
  };
  EXPECT_NEAR(mean(density, 0, 0.22), 1, 1e-3);
  EXPECT_NEAR(mean(density, 0.52, 0.65), 0.42631943, 0.01 * 0.42631943);
  EXPECT_NEAR(mean(density, 0.72, 0.83), 0.26557371, 0.01 * 0.26557371);
  EXPECT_NEAR(mean(pressure, 0.52, 0.83), 0.30313018, 0.01 * 0.30313018);
  EXPECT_NEAR(mean(density, 0.88, 1), 0.125, 1e-4);
  // The shock: halfway between the densities on both sides.
  double shock = 0;
  for (std::size_t n = 0; n < density.size(); ++n) {
    if (density[n] > 0.5 * (0.125 + 0.26557371)) shock = std::max(shock, nodes[2 * n]);
  }
  EXPECT_NEAR(shock, 0.85043, 0.01);
}

TEST_F(FlowCommand, MusclCapturesShocksWithoutWaves) {
  place_.write("case.json", place_.karman({"euler", "--example", "sod_tube"}).out);
  Outcome const outcome = run({"--output", "out", "--set", "/scheme/kind=muscl"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  auto const file = result();
  auto const density = file.read_vector<double>("/fields/density"),
             pressure = file.read_vector<double>("/fields/pressure");
  auto const nodes = file.read_vector<double>("/mesh/nodes"), velocity = file.read_vector<double>("/fields/velocity");
  for (std::size_t n = 0; n < density.size(); ++n) {
    EXPECT_GE(density[n], 0.125 * (1 - 1e-3)) << n;
    EXPECT_LE(density[n], 1 + 1e-3) << n;
    // Exact states beside the contact; supg has waves of 15 % there.
    EXPECT_LE(velocity[3 * n], 0.92745262 * 1.005) << n;
    if (nodes[2 * n] > 0.55) {
      EXPECT_LE(pressure[n], 0.30313018 * 1.005) << n;
    }
  }
  auto const history = file.read_table("/history");
  for (char const* kept : {"mass", "energy"}) {
    auto const& values = history.column(kept);
    EXPECT_NEAR(values.back(), values.front(), 1e-12 * values.front()) << kept;
  }
}

TEST_F(FlowCommand, MusclRefusesMotions) {
  place_.write("case.json", R"({ "mesh": { "kind": "rectangle", "high": [1, 0.4], "size": 0.1 },
    "flow": { "pressure": 1, "density": 1.4, "velocity": [0, 0] }, "boundaries": { "others": { "kind": "wall" } },
    "scheme": { "kind": "muscl" },
    "motion": { "body": ["west"], "sliding": ["south", "north"], "surge": { "speed": 1 } },
    "time": { "kind": "transient", "end": 0.1 } })");
  Outcome const outcome = run({"--output", "out"});
  EXPECT_EQ(outcome.exit_code, 2) << outcome.out;
  EXPECT_EQ(line_count(outcome.err), 1) << outcome.err;
  EXPECT_NE(outcome.err.find("/scheme/kind: \"muscl\": expected supg with /motion: muscl keeps the nodes at rest"),
            std::string::npos)
      << outcome.err;
}

/// The terminal and the file have the iterations; floors of a moving mesh have their line and columns.
TEST_F(FlowCommand, MovingBodiesReportIterationsAndFloors) {
  place_.write("case.json", R"({ "mesh": { "kind": "rectangle", "high": [1, 0.4], "size": 0.05 },
    "flow": { "pressure": 1, "density": 1.4, "velocity": [0, 0] }, "periodic": [["south", "north"]],
    "boundaries": { "others": { "kind": "wall" } }, "scheme": { "density_floor": 0.2, "pressure_floor": 0.01 },
    "motion": { "body": ["west"], "surge": { "speed": -6 }, "weight": "area" },
    "time": { "kind": "transient", "end": 0.1, "frames": 1 } })");
  Outcome const outcome = run({"--output", "out"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  auto const file = result();
  auto const iterations = file.read_integer("/", "motion_iterations");
  EXPECT_GT(iterations, 10);
  EXPECT_NE(outcome.out.find("moving mesh: " + std::to_string(iterations) + " iterations to set it up, least quality"),
            std::string::npos)
      << outcome.out;
  EXPECT_EQ(outcome.err.rfind("karman euler: floors changed nodes ", 0), 0u) << outcome.err;
  auto const history = file.read_table("/history");
  auto const &mass = history.column("mass"), &added = history.column("added_mass");
  EXPECT_GT(added.back(), 0.001);
  EXPECT_NEAR(mass.back() - mass.front(), added.back(), 1e-12);
  auto const nodes = file.read_vector<double>("/mesh/nodes");
  EXPECT_NEAR(*std::min_element(nodes.begin(), nodes.end()), -0.6, 1e-12);
}

TEST_F(FlowCommand, OutflowsThatAreNotSupersonicAreNamed) {
  place_.write("case.json", R"({ "mesh": { "kind": "channel", "length": 2, "width": 1, "size": 0.2 },
    "flow": { "pressure": 1, "density": 1.4, "mach": 0.5 }, "boundaries": { "wall": { "kind": "wall" },
    "inflow": { "kind": "far_field" }, "outflow": { "kind": "outflow" } },
    "time": { "kind": "transient", "end": 0.01, "frames": 0 } })");
  Outcome const outcome = run({"--output", "out"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_NE(
      outcome.err.find("karman euler: boundary outflow: outflow below the speed of sound on 5 of 5 edges, Mach 0.5 "),
      std::string::npos)
      << outcome.err;
}

TEST_F(FlowCommand, ABreakdownNamesNodeStepAndCheckpoint) {
  // Far too long steps.
  std::vector<std::string> const words{
      "--set", "/time/cfl=9",  "--set", "/time/growth=10", "--set", "/initial/pressure=x < 1 ? 100 : 0.01",
      "--set", "/time/end=50", "--set", "/time/frames=0"};
  std::vector<std::string> first = words;
  first.insert(first.end(), {"--output", "out"});
  Outcome const outcome = run(first);
  EXPECT_EQ(outcome.exit_code, 5) << outcome.out;
  EXPECT_EQ(line_count(outcome.err), 1) << outcome.err;
  for (char const* part : {"karman euler: the ", " at node ", "(x, y) = (", ", step ", "no checkpoint was written"})
    EXPECT_NE(outcome.err.find(part), std::string::npos) << part << outcome.err;
  EXPECT_FALSE(std::filesystem::exists(place_.path("out/euler.h5")));
}

TEST_F(FlowCommand, AStepBelowTheLeastIsNamed) {
  Outcome const outcome = run({"--output", "out", "--set", "/time/dt_min=10"});
  EXPECT_EQ(outcome.exit_code, 5) << outcome.out;
  EXPECT_EQ(line_count(outcome.err), 1) << outcome.err;
  for (char const* part :
       {"karman euler: the time step is ", " s, below /time/dt_min, 10 s", "try a smaller /time/dt_min"})
    EXPECT_NE(outcome.err.find(part), std::string::npos) << part << outcome.err;
}

/// Their residual is round-off from the first step on.
TEST_F(FlowCommand, FlowsThatAreSteadyFromTheStartConverge) {
  place_.write("case.json", R"({ "mesh": { "kind": "annulus", "inner_radius": 1, "outer_radius": 3, "inner_size": 0.2,
    "outer_size": 0.4 }, "flow": { "pressure": 100000, "density": 1.2, "velocity": [0, 0] },
    "boundaries": { "others": { "kind": "far_field" } }, "time": { "kind": "steady", "max_steps": 200 } })");
  for (char const* velocity : {"[0, 0]", "[100, 30]", "[-500, 700]"}) {
    for (char const* precision : {"f64", "f32"}) {
      Outcome const outcome = run({"--output", "out", "--overwrite", "--set", "/flow/velocity=" + std::string(velocity),
                                   "--set", "/solver/precision=" + std::string(precision)});
      EXPECT_EQ(outcome.exit_code, 0) << velocity << precision << outcome.out << outcome.err;
      EXPECT_EQ(outcome.out.find(" to 0 s"), std::string::npos) << outcome.out;
      EXPECT_NE(outcome.out.find("; residual "), std::string::npos) << outcome.out;
      EXPECT_EQ(result().read_integer("/", "converged"), 1);
    }
  }
}

/// In a channel no residual rises at all: its share of the largest one is 0 / 0. Each mesh of a sequence ends.
TEST_F(FlowCommand, SupersonicChannelsAreSteadyFromTheStart) {
  place_.write("case.json", R"({ "mesh": { "kind": "channel", "length": 2, "width": 1, "size": 0.25, "refine": 1 },
    "flow": { "pressure": 1, "density": 1.4, "mach": 2 }, "boundaries": { "wall": { "kind": "wall" },
    "inflow": { "kind": "inflow" }, "outflow": { "kind": "outflow" } }, "time": { "kind": "steady", "sequencing": true } })");
  for (char const* const scheme : {"supg", "muscl"}) {
    for (char const* const method : {"minimal_storage_rk4", "euler", "newton"}) {
      SCOPED_TRACE(scheme + std::string(" ") + method);
      Outcome const outcome = run({"--output", "out", "--overwrite", "--set", "/scheme/kind=" + std::string(scheme),
                                   "--set", "/time/method=" + std::string(method)});
      EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
      EXPECT_EQ(outcome.err, "");
      EXPECT_NE(outcome.out.find("\nsteady from the start: "), std::string::npos) << outcome.out;
      EXPECT_EQ((outcome.out + content(place_.path("out/history.csv"))).find("nan"), std::string::npos);
      EXPECT_LE(result().read_double("/", "step"), 40);
    }
  }
}

/// Long triangles have more round-off; their march keeps it and ends.
TEST_F(FlowCommand, GasAtRestIsSteadyOnLongTriangles) {
  std::string mesh = "MeshVersionFormatted 2\nDimension 2\nVertices 231\n", triangles, edges;
  auto const node = [](int i, int j) { return std::to_string(21 * j + i + 1); };
  for (int j = 0; j <= 10; ++j) {
    for (int i = 0; i <= 20; ++i) {
      // A plate of 1 by 1e-3, turned.
      double const x = 0.05 * i, y = 1e-4 * j;
      std::ostringstream line;
      line.precision(17);
      line << 0.8 * x - 0.6 * y << ' ' << 0.6 * x + 0.8 * y << " 0\n";
      mesh += line.str();
      if (i == 20 || j == 10) continue;
      triangles += node(i, j) + ' ' + node(i + 1, j) + ' ' + node(i + 1, j + 1) + " 1\n";
      triangles += node(i, j) + ' ' + node(i + 1, j + 1) + ' ' + node(i, j + 1) + " 1\n";
    }
  }
  for (int i = 0; i < 20; ++i)
    edges += node(i, 0) + ' ' + node(i + 1, 0) + " 1\n" + node(i + 1, 10) + ' ' + node(i, 10) + " 1\n";
  for (int j = 0; j < 10; ++j)
    edges += node(20, j) + ' ' + node(20, j + 1) + " 1\n" + node(0, j + 1) + ' ' + node(0, j) + " 1\n";
  place_.write("plate.mesh", mesh + "Triangles 400\n" + triangles + "Edges 60\n" + edges + "End\n");
  place_.write("case.json", R"({ "mesh": { "kind": "file", "file": "plate.mesh" },
    "flow": { "pressure": 101325, "temperature": 288.15, "mach": 0 }, "boundaries": { "others": { "kind": "far_field" } },
    "time": { "kind": "steady", "max_steps": 200 } })");
  for (char const* precision : {"f64", "f32"}) {
    Outcome const outcome =
        run({"--output", "out", "--overwrite", "--set", "/solver/precision=" + std::string(precision)});
    EXPECT_EQ(outcome.exit_code, 0) << precision << outcome.out << outcome.err;
    EXPECT_NE(outcome.out.find("steady from the start"), std::string::npos) << outcome.out;
  }
}

TEST_F(FlowCommand, ForcesThatStayEndASteadyMarch) {
  Outcome const outcome =
      run({"--output", "out", "--set",
           R"(/time={"kind":"steady","max_steps":20000,"residual":1e-12,"force_change":1,"window":40})"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_EQ(result().read_double("/", "step"), 40);
}

/// The flow at the start is the first frame.
class StartOfAnotherRun : public FlowCommand {
 protected:
  StartOfAnotherRun() { place_.write("case.json", case_on(square)); }

  static constexpr char const* square = R"({ "kind": "rectangle", "high": [2, 1], "size": 0.13 })";

  static std::string case_on(std::string const& mesh,
                             std::string const& more = R"("initial": { "file": "other.h5" })") {
    return R"({ "mesh": )" + mesh + R"(, "flow": { "pressure": 1e5, "density": 1.2, "mach": 0.2 }, )" + more +
           R"(, "boundaries": { "others": { "kind": "far_field" } }, "time": { "kind": "transient", "end": 1e-9, "frames": 0 },
             "outputs": { "fields": ["density", "velocity", "pressure"] } })";
  }

  struct Start {
    std::vector<double> nodes, density, velocity, pressure;
  };
  Start start(std::vector<std::string> const& more = {}) {
    std::vector<std::string> words{"--output", "out", "--overwrite"};
    words.insert(words.end(), more.begin(), more.end());
    outcome_ = run(words);
    EXPECT_EQ(outcome_.exit_code, 0) << outcome_.err;
    EXPECT_EQ(outcome_.err, "");
    auto const frame = Hdf5File::open(place_.path("out/frames/frame_000000.h5"));
    auto const field = [&](char const* name) { return frame.read_vector<double>(std::string("/fields/") + name); };
    return {result().read_vector<double>("/mesh/nodes"), field("density"), field("velocity"), field("pressure")};
  }

  void write_other(karman::MeshData const& mesh, double gamma = 1.4) {
    write_flow_result(
        place_.path("other.h5"), mesh,
        [](double x, double y) {
          return std::array<double, 4>{1 + 0.1 * x + 0.2 * y, 0, 0, 1e5 * (1 + 0.3 * x - 0.1 * y)};
        },
        gamma);
  }

  Outcome outcome_;
};

/// Density and, of a gas at rest, pressure are linear in the triangles.
TEST_F(StartOfAnotherRun, IsExactForLinearFlows) {
  write_other(karman::mesh_rectangle({{0, 0}, {2, 1}, 0.3, karman::DiagonalPattern::right}));
  Start const found = start();
  for (std::size_t n = 0; n < found.density.size(); ++n) {
    double const x = found.nodes[2 * n], y = found.nodes[2 * n + 1];
    EXPECT_NEAR(found.density[n], 1 + 0.1 * x + 0.2 * y, 1e-14);
    EXPECT_NEAR(found.pressure[n], 1e5 * (1 + 0.3 * x - 0.1 * y), 1e-9);
    EXPECT_EQ(found.velocity[3 * n], 0);
  }
  EXPECT_EQ(outcome_.out.find("outside"), std::string::npos) << outcome_.out;
  // A member of /initial replaces that of the file.
  Start const replaced = start({"--set", "/initial/pressure=2e5 + x"});
  for (std::size_t n = 0; n < found.density.size(); ++n) {
    EXPECT_NEAR(replaced.density[n], found.density[n], 1e-14);
    EXPECT_NEAR(replaced.pressure[n], 2e5 + found.nodes[2 * n], 1e-9);
  }
}

TEST_F(StartOfAnotherRun, KeepsPressureWithAnotherGamma) {
  write_other(karman::mesh_rectangle({{0, 0}, {2, 1}, 0.3, karman::DiagonalPattern::right}), 1.3);
  Start const found = start();
  for (std::size_t n = 0; n < found.density.size(); ++n)
    EXPECT_NEAR(found.pressure[n], 1e5 * (1 + 0.3 * found.nodes[2 * n] - 0.1 * found.nodes[2 * n + 1]), 1e-9);
  EXPECT_NE(outcome_.out.find("start: gamma is 1.4 in the case and 1.3 in "), std::string::npos) << outcome_.out;
}

/// On the other domain, 1.5 m long, nodes beyond take the values of its edge, 0.5 m away at most.
TEST_F(StartOfAnotherRun, TakesNearestPointsOutside) {
  write_other(karman::mesh_rectangle({{0, 0}, {1.5, 1}, 0.25, karman::DiagonalPattern::right}));
  Start const found = start();
  std::size_t outside = 0;
  for (std::size_t n = 0; n < found.density.size(); ++n) {
    double const x = std::min(found.nodes[2 * n], 1.5), y = found.nodes[2 * n + 1];
    outside += found.nodes[2 * n] > 1.5 ? 1 : 0;
    EXPECT_NEAR(found.density[n], 1 + 0.1 * x + 0.2 * y, 1e-14);
  }
  std::string const line = "start: " + std::to_string(outside) + " of " + std::to_string(found.density.size()) +
                           " nodes lie up to 0.5 m outside of the mesh of other.h5; they take its nearest point\n";
  EXPECT_NE(outcome_.out.find(line), std::string::npos) << line << outcome_.out;
  EXPECT_NE(outcome_.out.find(" of them lie outside by more than a cell, the first at (x, y) = ("), std::string::npos)
      << outcome_.out;
}

/// Finer nodes of a curved wall lie beyond the chords of the coarser one.
TEST_F(StartOfAnotherRun, PassesCurvedWallsWithOneRemark) {
  std::string const coarse = R"({ "kind": "disc", "radius": 1, "size": 0.3 })";
  place_.write("case.json", case_on(coarse, R"("initial": { "pressure": "1e5 + x" })"));
  start();
  std::filesystem::copy_file(place_.path("out/euler.h5"), place_.path("other.h5"));
  place_.write("case.json", case_on(R"({ "kind": "disc", "radius": 1, "size": 0.07 })"));
  Start const found = start();
  // The result has moved by 1e-9 s.
  for (std::size_t n = 0; n < found.density.size(); ++n) EXPECT_NEAR(found.pressure[n], 1e5 + found.nodes[2 * n], 0.1);
  EXPECT_NE(outcome_.out.find(" nodes lie up to 0.0"), std::string::npos) << outcome_.out;
  EXPECT_EQ(outcome_.out.find("more than a cell"), std::string::npos) << outcome_.out;
}

/// The checkpoint and the result of a run are the same start, also with single precision and on a file's mesh.
TEST_F(StartOfAnotherRun, MayBeACheckpoint) {
  write_small_flow_files(place_.path("."));
  for (char const* const mesh : {square, R"({ "kind": "file", "file": "small.mesh" })"}) {
    for (char const* const precision : {"f64", "f32"}) {
      place_.write("case.json", case_on(mesh, R"json("initial": { "pressure": "1e5 * (1 + 0.1 * x * y)" })json"));
      Outcome const first =
          run({"--output", "first", "--overwrite", "--set", "/solver/precision=" + std::string(precision), "--set",
               R"(/time={"kind":"steady","max_steps":20})"});
      ASSERT_EQ(first.exit_code, 3) << first.err;
      place_.write("case.json", case_on(square));
      Start const of_result = start({"--set", "/initial/file=first/euler.h5"});
      Start const of_checkpoint = start({"--set", "/initial/file=first/euler.checkpoint"});
      double const rounding = precision == std::string("f64") ? 1e-13 : 3e-6;
      for (std::size_t n = 0; n < of_result.density.size(); ++n) {
        EXPECT_NEAR(of_result.density[n], of_checkpoint.density[n], rounding);
        EXPECT_NEAR(of_result.pressure[n] / of_checkpoint.pressure[n], 1, rounding);
      }
    }
  }
  // Without its mesh file, or with another mesh in it.
  std::filesystem::remove(place_.path("small.mesh"));
  Outcome const gone = run({"--output", "x", "--set", "/initial/file=first/euler.checkpoint"});
  EXPECT_EQ(gone.exit_code, 4);
  EXPECT_NE(gone.err.find("small.mesh"), std::string::npos) << gone.err;
  karman::write_mesh(place_.path("small.mesh"),
                     karman::mesh_rectangle({{0, 0}, {2, 1}, 0.3, karman::DiagonalPattern::right}));
  Outcome const changed = run({"--output", "x", "--set", "/initial/file=first/euler.checkpoint"});
  EXPECT_EQ(changed.exit_code, 2);
  EXPECT_NE(changed.err.find("/initial/file: \"first/euler.checkpoint\": expected the mesh of that run"),
            std::string::npos)
      << changed.err;
  // Seals show damage.
  auto bytes = content(place_.path("first/euler.checkpoint"));
  bytes[bytes.size() / 2] = static_cast<char>(bytes[bytes.size() / 2] ^ 1);
  place_.write("first/damaged.checkpoint", bytes);
  Outcome const damaged = run({"--output", "x", "--set", "/initial/file=first/damaged.checkpoint"});
  EXPECT_EQ(damaged.exit_code, 4);
  EXPECT_EQ(line_count(damaged.err), 1) << damaged.err;
}

/// Faults in plain words, each with the fix; none of the HDF5 library.
TEST_F(StartOfAnotherRun, NamesTheFaultOfAFile) {
  write_other(karman::mesh_rectangle({{0, 0}, {2, 1}, 0.3, karman::DiagonalPattern::right}));
  ASSERT_EQ(run({"--output", "first", "--set", R"(/time={"kind":"steady","max_steps":20})"}).exit_code, 3);
  std::string const result = content(place_.path("first/euler.h5")),
                    checkpoint = content(place_.path("first/euler.checkpoint"));
  auto const flipped = [](std::string bytes) {
    bytes[bytes.size() / 2] = static_cast<char>(bytes[bytes.size() / 2] ^ 1);
    return bytes;
  };
  place_.write("empty", "");
  place_.write("text", "density 1.2\n");
  place_.write("half.h5", result.substr(0, result.size() / 2));
  place_.write("half.checkpoint", checkpoint.substr(0, checkpoint.size() / 2));
  place_.write("cut.checkpoint", checkpoint.substr(0, checkpoint.size() - 5));
  place_.write("flipped.checkpoint", flipped(checkpoint));
  std::filesystem::create_directory(place_.path("folder"));
  std::vector<double> const values(3, 1.0);
  Hdf5File foreign = Hdf5File::create(place_.path("foreign.h5"), karman::Overwrite::yes);
  foreign.write("/values", values.data(), {values.size()});
  foreign.commit();
  Hdf5File bare = Hdf5File::create(place_.path("bare.h5"), karman::Overwrite::yes);
  bare.write_attribute("/", "format", "karman.euler");
  bare.write("/fields/density", values.data(), {values.size()});
  write_mesh(bare, "/mesh", karman::mesh_rectangle({{0, 0}, {2, 1}, 0.3, karman::DiagonalPattern::right}));
  bare.commit();
  struct Fault {
    std::string file;
    int code;
    std::string start, restart;
  };
  std::string const of_start = "; give the euler.h5 or the euler.checkpoint of a run\n",
                    of_restart = "; restart from the euler.checkpoint of a run\n";
  std::string const no_seal = "not a checkpoint, or truncated" + of_restart;
  std::string const other_kind =
      "expected a result or a checkpoint of karman euler, found a file of another program, in foreign.h5\n";
  for (Fault const& fault : std::vector<Fault>{
           {"empty", 4, "it is empty" + of_start, "too short for a checkpoint" + of_restart},
           {"text", 4, "it is neither a result nor a checkpoint" + of_start, "too short for a checkpoint" + of_restart},
           {"case.json", 4, "it is neither a result nor a checkpoint" + of_start, no_seal},
           {"half.h5", 4, "it is truncated or damaged" + of_start, no_seal},
           {"half.checkpoint", 4, "it is truncated or damaged" + of_start, no_seal},
           {"cut.checkpoint", 4, "not a checkpoint, or truncated" + of_start, no_seal},
           {"flipped.checkpoint", 4, "damaged (hash and content differ)" + of_start,
            "damaged (hash and content differ)" + of_restart},
           {"foreign.h5", 2, other_kind, no_seal},
           {"bare.h5", 4, "it is damaged or incomplete: cannot read attribute gamma of / in it" + of_start,
            "it is a result; restart from the euler.checkpoint beside it, or start from it by /initial/file\n"},
           {"first/euler.h5", 0, "",
            "it is a result; restart from the euler.checkpoint beside it, or start from it by /initial/file\n"},
           {"folder", 4, "expected a regular file, found a folder\n", "expected a regular file, found a folder\n"},
           {"nowhere", 4, "No such file or directory\n", "No such file or directory\n"}}) {
    SCOPED_TRACE(fault.file);
    Outcome const start = run({"--dry-run", "--set", "/initial/file=" + fault.file});
    EXPECT_EQ(start.exit_code, fault.code) << start.err;
    EXPECT_TRUE(start.err.ends_with(fault.start)) << start.err;
    EXPECT_EQ(line_count(start.err), fault.code == 0 ? 0 : 1) << start.err;
    EXPECT_NE(start.err.find(fault.code == 0 ? "" : fault.file), std::string::npos) << start.err;
    Outcome const restart = run({"--output", "out", "--restart", fault.file});
    EXPECT_EQ(restart.exit_code, 4) << restart.err;
    EXPECT_TRUE(restart.err.ends_with(fault.file + ": " + fault.restart)) << restart.err;
    EXPECT_EQ(line_count(restart.err), 1) << restart.err;
  }
}

/// On the same mesh a steady march continues where the other one ended, and has converged with it.
TEST_F(StartOfAnotherRun, ContinuesASteadyMarch) {
  place_.write("case.json",
               R"({ "mesh": { "kind": "wedge", "size": 0.1 }, "flow": { "pressure": 1, "density": 1.4, "mach": 2 },
    "boundaries": { "inflow": { "kind": "inflow" }, "outflow": { "kind": "outflow" }, "others": { "kind": "wall" } },
    "time": { "kind": "steady", "residual": 1e-4 } })");
  ASSERT_EQ(run({"--output", "first"}).exit_code, 0);
  for (char const* const file : {"euler.h5", "euler.checkpoint"}) {
    std::string const start = std::string("/initial/file=first/") + file;
    ASSERT_EQ(run({"--output", "out", "--overwrite", "--set", start}).exit_code, 0);
    auto const first = result("first").read_table("/history"), second = result().read_table("/history");
    EXPECT_NEAR(second.column("residual").front() / first.column("residual").back(), 1, 1e-6);
    EXPECT_LE(second.column("step").back(), 20) << "one check";
    EXPECT_EQ(result().read_double("/history", "largest_residual"),
              result("first").read_double("/history", "largest_residual"));
  }
}

/// The checkpoint has the residual of that run. Ends at the same step as an undisturbed run, though the file has gone,
/// or is another one.
TEST_F(StartOfAnotherRun, IsNotReadByARestart) {
  auto const wedge = [](char const* mach, char const* more) {
    return R"({ "mesh": { "kind": "wedge", "size": 0.1)" + std::string(more) +
           R"( }, "flow": { "pressure": 1, "density": 1.4, "mach": )" + mach +
           R"( }, "boundaries": { "inflow": { "kind": "inflow" }, "outflow": { "kind": "outflow" },
      "others": { "kind": "wall" } }, "time": { "kind": "steady", "residual": 1e-3 }, "outputs": { "history_every": 10 } })";
  };
  std::string const first_case = wedge("2", "");
  place_.write("case.json", first_case);
  ASSERT_EQ(run({"--output", "first"}).exit_code, 0);
  std::string const start = "/initial/file=other.h5";
  auto const expect_same = [&] {
    EXPECT_EQ(result().read_vector<double>("/fields/density"), result("whole").read_vector<double>("/fields/density"));
    EXPECT_EQ(result().read_table("/history").values, result("whole").read_table("/history").values);
    EXPECT_EQ(result().read_double("/history", "largest_residual"),
              result("whole").read_double("/history", "largest_residual"));
    EXPECT_EQ(result().read_text("/remarks"), result("whole").read_text("/remarks"));
  };
  // The same flow, then one near it, which also has to leave the other one behind; on a mesh, then on two.
  for (char const* const mach : {"2", "2.01"}) {
    for (bool const sequence : {false, true}) {
      SCOPED_TRACE(mach + std::string(sequence ? " on two meshes" : ""));
      place_.write("case.json", wedge(mach, sequence ? R"(, "refine": 1)" : ""));
      auto const with = [&](std::vector<std::string> words, int checkpoint = 0) {
        words.insert(words.end(), {"--overwrite", "--set", start, "--set", "/time/residual=1e-5", "--set",
                                   "/time/sequencing=" + std::string(sequence ? "true" : "false")});
        return run_to(checkpoint, words);
      };
      std::filesystem::copy_file(place_.path("first/euler.h5"), place_.path("other.h5"));
      ASSERT_EQ(with({"--output", "whole"}).exit_code, 0);
      EXPECT_NE(result("whole").read_text("/remarks").find("start: the largest residual of that run"),
                std::string::npos);
      ASSERT_EQ(with({"--output", "out"}, 1).exit_code, 130);
      std::filesystem::copy_file(place_.path("out/euler.checkpoint"), place_.path("early.checkpoint"),
                                 std::filesystem::copy_options::overwrite_existing);
      std::filesystem::remove(place_.path("other.h5"));
      EXPECT_EQ(with({"--output", "none"}).exit_code, 4);
      for (char const* const other : {"", "of another kind"}) {
        if (*other != '\0') place_.write("other.h5", other);
        Outcome const outcome = with({"--output", "out", "--restart", "early.checkpoint"});
        ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
        expect_same();
      }
      std::filesystem::remove(place_.path("other.h5"));
    }
  }
}

/// A converged march leaves a checkpoint and the command for smaller limits. Its results have the bits of one run.
TEST_F(FlowCommand, AConvergedMarchGoesOnToSmallerLimits) {
  auto const steady = [](char const* limits) {
    return R"(/time={"kind":"steady","max_steps":20000,)" + std::string(limits) + '}';
  };
  struct Limits {
    char const *first, *second;
  };
  for (Limits const& limits : {Limits{R"("residual":0.5)", R"("residual":0.005)"},
                               Limits{R"("residual":1e-9,"force_change":0.3,"window":20)",
                                      R"("residual":1e-9,"force_change":0.03,"window":20)"}}) {
    Outcome const outcome = run({"--output", "out", "--overwrite", "--set", steady(limits.first)});
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
    ASSERT_TRUE(std::filesystem::exists(place_.path("out/euler.checkpoint")));
    double const before = result().read_double("/", "step");
    ASSERT_NE(outcome.out.find("converged; for smaller limits continue with "), std::string::npos) << outcome.out;
    Outcome const further = continued({outcome.exit_code, "", outcome.out});
    ASSERT_EQ(further.exit_code, 0) << further.err;
    EXPECT_GT(result().read_double("/", "step"), before);
    ASSERT_EQ(run({"--output", "whole", "--overwrite", "--set", steady(limits.second)}).exit_code, 0);
    EXPECT_EQ(result().read_vector<double>("/fields/density"), result("whole").read_vector<double>("/fields/density"));
    EXPECT_EQ(result().read_table("/history").values, result("whole").read_table("/history").values);
  }
}

/// Wherever a signal arrives: a checkpoint, and the command that continues to the bits of an undisturbed march.
TEST_F(FlowCommand, AStoppedSteadyMarchGoesOn) {
  std::string const endless = R"(/time={"kind":"steady","max_steps":100000000,"residual":1e-14})";
  for (int const signal_number : {SIGINT, SIGTERM, SIGHUP}) {
    Outcome const outcome = interrupted({"--output", "out", "--overwrite", "--set", endless}, signal_number);
    ASSERT_EQ(outcome.exit_code, 128 + signal_number) << outcome.err;
    ASSERT_TRUE(std::filesystem::exists(place_.path("out/euler.checkpoint")));
    EXPECT_FALSE(std::filesystem::exists(place_.path("out/euler.h5")));
    EXPECT_NE(outcome.err.find("; continue with karman euler case.json "), std::string::npos) << outcome.err;
  }
  Outcome const further = not_converged({"--output", "out", "--overwrite", "--restart", "out/euler.checkpoint", "--set",
                                         R"(/time={"kind":"steady","max_steps":1})"});
  EXPECT_EQ(further.err.find("; continue with "), further.err.rfind("; continue with ")) << further.err;
  int const steps = static_cast<int>(result().read_double("/", "step"));
  EXPECT_GT(steps, 1) << "those of the checkpoint";
  not_converged({"--output", "whole", "--set",
                 R"(/time={"kind":"steady","residual":1e-14,"max_steps":)" + std::to_string(steps) + '}'});
  EXPECT_EQ(result().read_vector<double>("/fields/density"), result("whole").read_vector<double>("/fields/density"));
}

/// A steady flow on a mesh and its two refinements, one after the other.
class SequenceOfMeshes : public FlowCommand {
 protected:
  SequenceOfMeshes() {
    place_.write("case.json",
                 R"({ "mesh": { "kind": "airfoil", "points": 24, "far_radius": 10, "growth": 1.3, "refine": 2 },
      "flow": { "density": 1.4, "pressure": 1, "mach": 0.5, "angle": 2 },
      "boundaries": { "airfoil": { "kind": "wall" }, "farfield": { "kind": "far_field" } },
      "time": { "kind": "steady", "cfl": 3, "smoothing": 0.5, "sequencing": true }, "outputs": { "history_every": 10 },
      "forces": [{ "name": "wing", "boundaries": ["airfoil"] }] })");
  }
};

/// Density, momentum and energy are linear between the nodes before and after a refinement: so are their integrals.
TEST_F(SequenceOfMeshes, PassTheirFlowOnExactly) {
  Outcome const outcome =
      run({"--output", "out", "--set", "/time/residual=2e-3", "--set", "/time/sequencing_residual=0.01"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  auto const history = result().read_table("/history");
  auto const &level = history.column("level"), &step = history.column("step");
  EXPECT_EQ(level.front(), 0);
  EXPECT_EQ(level.back(), 2);
  int passes = 0;
  for (std::size_t n = 1; n < level.size(); ++n) {
    if (level[n] == level[n - 1]) continue;
    ++passes;
    EXPECT_EQ(level[n], level[n - 1] + 1);
    EXPECT_EQ(step[n], step[n - 1]) << "no step is made between the meshes";
    for (char const* const kept : {"mass", "momentum_x", "energy"})
      EXPECT_NEAR(history.column(kept)[n] / history.column(kept)[n - 1], 1, 1e-12) << kept;
    EXPECT_NEAR(history.column("least_pressure")[n], history.column("least_pressure")[n - 1], 1e-14);
  }
  EXPECT_EQ(passes, 2);
  EXPECT_NE(outcome.out.find(" of these steps on "), std::string::npos) << outcome.out;
  // The finest mesh alone needs more steps there.
  auto const first = std::find(level.begin(), level.end(), 2) - level.begin();
  int const steps = static_cast<int>(step.back() - step[static_cast<std::size_t>(first)]);
  not_converged({"--output", "plain", "--set", "/time/sequencing=false", "--set", "/time/residual=2e-3", "--set",
                 "/time/max_steps=" + std::to_string(steps)});
  auto const plain = result("plain").read_table("/history").columns;
  EXPECT_EQ(std::find(plain.begin(), plain.end(), "level"), plain.end());
}

TEST_F(SequenceOfMeshes, AreListedByADryRun) {
  Outcome const outcome = run({"--dry-run"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  for (char const* const line : {"\nsequence    mesh 1: ", "\nsequence    mesh 2: ", "\nsequence    mesh 3: "})
    EXPECT_NE(outcome.out.find(line), std::string::npos) << outcome.out;
}

/// Each mesh has 40 steps, with checkpoints after 10, 20 and 30. A signal comes with the second one of each mesh.
TEST_F(SequenceOfMeshes, ContinueFromEachMesh) {
  auto const with = [&](std::vector<std::string> words, int checkpoint) {
    words.insert(words.end(), {"--overwrite", "--set", "/time/max_steps=40", "--set", "/time/sequencing_residual=1e-12",
                               "--set", "/time/residual=1e-12"});
    return run_to(checkpoint, words);
  };
  ASSERT_EQ(with({"--output", "whole"}, 0).exit_code, 3);
  for (int level = 0; level < 3; ++level) {
    Outcome const stopped = with({"--output", "out"}, 3 * level + 2);
    ASSERT_EQ(stopped.exit_code, 130) << stopped.err;
    std::string const where = "at step " + std::to_string(40 * level + 30);
    EXPECT_NE(stopped.err.find(where), std::string::npos) << where << stopped.err;
    Outcome const further = with({"--output", "out", "--restart", "out/euler.checkpoint"}, 0);
    EXPECT_EQ(further.exit_code, 3) << further.err;
    EXPECT_EQ(result().read_vector<double>("/fields/density"), result("whole").read_vector<double>("/fields/density"));
    EXPECT_EQ(result().read_table("/history").values, result("whole").read_table("/history").values);
  }
  // The checkpoint at the end has the finest mesh, and may be a start.
  Outcome const started = run({"--output", "started", "--set", "/time/sequencing=false", "--set", "/time/max_steps=10",
                               "--set", "/initial/file=out/euler.checkpoint"});
  EXPECT_EQ(started.exit_code, 3) << started.err;
}

/// At 20 degrees the coarse mesh ends in a limit cycle, on which max_steps would be lost. The criterion has the same
/// bits after a restart, and so has its remark.
TEST_F(SequenceOfMeshes, PassOnAFlowWhoseResidualFallsNoMore) {
  auto const with = [&](std::string const& folder, int checkpoint, std::vector<std::string> words = {}) {
    for (char const* const setting : {"/mesh/refine=1", "/flow/angle=20", "/time/max_steps=100000", "/time/residual=1",
                                      "/time/sequencing_residual=1e-3"})
      words.insert(words.end(), {"--set", setting});
    words.insert(words.end(), {"--output", folder, "--overwrite"});
    return run_to(checkpoint, words);
  };
  Outcome const outcome = with("whole", 0);
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_EQ(line_count(outcome.err), 1) << outcome.err;
  std::size_t const begin = outcome.err.find("mesh 1 of 2 ended after "),
                    end = outcome.err.find(": it falls no more\n");
  ASSERT_NE(begin, std::string::npos) << outcome.err;
  ASSERT_NE(end, std::string::npos) << outcome.err;
  std::string const remark = outcome.err.substr(begin, end - begin);
  EXPECT_TRUE(remark.ends_with(" of its largest, expected 1.00e-03")) << remark;
  EXPECT_NE(result("whole").read_text("/remarks").find(remark + '\n'), std::string::npos);
  // Of 1000 steps or more, and a least residual in their second half that has fallen by less than a tenth.
  auto const history = result("whole").read_table("/history");
  auto const &level = history.column("level"), &step = history.column("step"), &residual = history.column("residual");
  auto const rows = std::find(level.begin(), level.end(), 1) - level.begin();
  auto const least = [&](double from, double to) {
    double found = 1e300;
    for (std::size_t n = 0; n < static_cast<std::size_t>(rows); ++n) {
      if (step[n] >= from && step[n] <= to) found = std::min(found, residual[n]);
    }
    return found;
  };
  auto const falls = [&](double steps) { return least(0.5 * steps + 0.1, steps) <= 0.9 * least(0, 0.5 * steps); };
  double const last = step[static_cast<std::size_t>(rows) - 1];
  EXPECT_GE(last, 1000);
  EXPECT_FALSE(falls(last));
  for (double steps = 1000; steps < last; steps += 10) EXPECT_TRUE(falls(steps)) << steps;
  ASSERT_EQ(with("out", 60).exit_code, 130);
  Outcome const further = with("out", 0, {"--restart", "out/euler.checkpoint"});
  ASSERT_EQ(further.exit_code, 0) << further.err;
  EXPECT_EQ(further.err, outcome.err);
  EXPECT_EQ(result().read_table("/history").values, history.values);
  EXPECT_EQ(result().read_text("/remarks"), result("whole").read_text("/remarks"));
}

/// Steps that do not suffice have their remark, too.
TEST_F(SequenceOfMeshes, NameAMeshThatEndsWithItsSteps) {
  Outcome const outcome = run({"--output", "out", "--set", "/time/max_steps=20", "--set", "/time/residual=1"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_EQ(line_count(outcome.err), 2) << outcome.err;
  for (char const* const mesh : {"1", "2"}) {
    EXPECT_NE(outcome.err.find("mesh " + std::string(mesh) + " of 3 ended after 20 steps at a residual of "),
              std::string::npos)
        << outcome.err;
  }
  EXPECT_NE(outcome.err.find(": these are /time/max_steps\n"), std::string::npos) << outcome.err;
}

TEST_F(FlowCommand, NewtonsMethodEndsInTheFlowOfTheExplicitMarch) {
  place_.write("case.json", small_newton_case);
  Outcome outcome = run({"--dry-run"});
  EXPECT_NE(outcome.out.find("method      newton, cfl 5 to 1e+06, gmres(30) with block_gauss_seidel\n"),
            std::string::npos)
      << outcome.out;
  outcome = run({"--output", "newton"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_NE(outcome.out.find("newton: "), std::string::npos) << outcome.out;
  ASSERT_EQ(
      run({"--output", "explicit", "--set", R"(/time={"kind":"steady","residual":1e-10,"cfl":1,"max_steps":10000})"})
          .exit_code,
      0);
  auto const history = result("newton").read_table("/history");
  auto const& steps = history.column("step");
  EXPECT_LE(steps.back(), 40);
  EXPECT_EQ(steps.size(), std::size_t(steps.back()) + 1) << "a row per step";
  for (std::size_t n = 1; n < steps.size(); ++n) {
    EXPECT_GE(history.column("linear_iterations")[n], 1);
    EXPECT_GE(history.column("evaluations")[n], 2);
  }
  EXPECT_LE(history.column("cfl").back(), 1e6);
  for (char const* field : {"/fields/density", "/fields/pressure"}) {
    auto const found = result("newton").read_vector<double>(field);
    auto const expected = result("explicit").read_vector<double>(field);
    for (std::size_t n = 0; n < found.size(); ++n) EXPECT_NEAR(found[n] / expected[n], 1, 1e-8) << field << n;
  }
}

TEST_F(FlowCommand, NewtonsMethodThatStallsEndsWithOneLine) {
  place_.write("case.json", small_newton_case);
  // Round-off is above this residual.
  Outcome const outcome = run({"--output", "out", "--set", "/time/residual=1e-14", "--set", "/solver/precision=f32",
                               "--set", "/time/max_steps=500"});
  EXPECT_EQ(outcome.exit_code, 3) << outcome.out;
  EXPECT_EQ(line_count(outcome.err), 1) << outcome.err;
  EXPECT_NE(outcome.err.find("newton has stalled at a residual of "), std::string::npos) << outcome.err;
  EXPECT_EQ(result().read_integer("/", "converged"), 0);
}

/// Coarse meshes, whose first-order products have no steady flow, and where short steps follow growing waves.
TEST_F(FlowCommand, NewtonsMethodStartsOnCoarseMeshes) {
  for (char const* points : {"40", "52"}) {
    place_.write("case.json", std::string(R"({ "mesh": { "kind": "airfoil", "points": )") + points + R"( },
      "flow": { "density": 1.4, "pressure": 1, "mach": 0.5, "angle": 0 },
      "boundaries": { "airfoil": { "kind": "wall" }, "farfield": { "kind": "far_field" } },
      "time": { "kind": "steady", "method": "newton", "residual": 1e-5, "max_steps": 100 } })");
    Outcome const outcome = run({"--output", "out", "--overwrite"});
    EXPECT_EQ(outcome.exit_code, 0) << points << outcome.err;
  }
}

TEST_F(FlowCommand, OptionsOfNewtonsMethodAreChecked) {
  place_.write("case.json", small_newton_case);
  auto const refused = [&](std::string const& setting, std::string const& message) {
    Outcome const outcome = run({"--dry-run", "--set", setting});
    EXPECT_EQ(outcome.exit_code, 2) << setting << outcome.out;
    EXPECT_NE(outcome.err.find(message), std::string::npos) << setting << outcome.err;
  };
  refused("/time/cfl=1e7", "/time/cfl_max: 1000000.0: expected at least /time/cfl, 1e+07");
  refused("/time/restart=0", "/time/restart: 0: expected an integer from 1 to 1000");
  refused("/time/linear_iterations=0", "/time/linear_iterations: 0: expected an integer from 1 to 1000");
  refused("/time/preconditioner=lu", "/time/preconditioner: ");
  refused("/time/linear_tolerance=1", "/time/linear_tolerance: ");
  refused("/time/streamline=2", "/time/streamline: ");
  {
    Outcome const outcome =
        run({"--dry-run", "--set", "/time/streamline=0.5", "--set", "/scheme={\"kind\": \"muscl\"}"});
    EXPECT_EQ(outcome.exit_code, 2) << outcome.out;
    EXPECT_NE(outcome.err.find("expected 0 with the scheme muscl"), std::string::npos) << outcome.err;
  }
  refused("/time/smoothing=0.5", "expected 0 with the method newton");
  refused("/time/local_steps=false", "expected true with the method newton");
  refused("/time/growth=2", "/time/growth: 2: expected none with the method newton");
  refused("/time/local_ratio=10", "/time/local_ratio: 10: expected none with the method newton");
  refused("/scheme/density_floor=0.1", "/scheme/density_floor: 0.1: expected 0 with the method newton");
  refused("/time/method=ssp_rk3", "/time/cfl_max: 1000000.0: expected the method newton, /time/method");
  refused(R"(/time={"kind":"steady","cfl":11})", "/time/cfl: 11: expected a number > 0 and <= 10, or \"auto\"");
  // The line in the file.
  std::string text = small_newton_case;
  text.replace(text.find("\"cfl_max\": 1e6"), 14, "\"cfl_max\": 1");
  place_.write("case.json", text);
  Outcome const outcome = run({"--dry-run"});
  EXPECT_NE(outcome.err.find("case.json:8: /time/cfl_max: 1: expected at least /time/cfl, 5"), std::string::npos)
      << outcome.err;
}

TEST_F(FlowCommand, ImplicitStepsEndNearTheExplicitMarch) {
  place_.write("case.json", small_implicit_case);
  Outcome outcome = run({"--dry-run"});
  EXPECT_NE(outcome.out.find("method      bdf2, tolerance 1e-05, first step 0.02 s, cfl "), std::string::npos)
      << outcome.out;
  EXPECT_NE(outcome.out.find(", gmres(30) with block_gauss_seidel\n"), std::string::npos) << outcome.out;
  ASSERT_EQ(run({"--output", "explicit", "--set", R"(/time={"kind":"transient","end":0.5,"frames":2})"}).exit_code, 0);
  auto const expected = result("explicit").read_vector<double>("/fields/density");
  for (std::string const method : {"bdf2", "tr_bdf2"}) {
    outcome = run({"--output", method, "--set", "/time/method=" + method});
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_NE(outcome.out.find("\n" + method + ": "), std::string::npos) << outcome.out;
    EXPECT_TRUE(std::filesystem::exists(place_.path(method + "/frames/frame_000002.h5")));
    auto const history = result(method).read_table("/history");
    EXPECT_EQ(history.column("time").back(), 0.5);
    EXPECT_NE(std::count(history.column("time").begin(), history.column("time").end(), 0.25), 0) << "a frame";
    EXPECT_GE(history.column("newton_iterations")[1], 1);
    EXPECT_GE(history.column("linear_iterations")[1], 1);
    EXPECT_GE(history.column("evaluations")[1], 3);
    auto const found = result(method).read_vector<double>("/fields/density");
    for (std::size_t n = 0; n < found.size(); ++n) EXPECT_NEAR(found[n], expected[n], 1e-3) << n;
  }
}

TEST_F(FlowCommand, ImplicitStepsThatFailEndWithOneLine) {
  place_.write("case.json", small_implicit_case);
  Outcome const outcome = run({"--output", "out", "--set", "/time/tolerance=1e-11", "--set", "/time/dt_min=0.01"});
  EXPECT_EQ(outcome.exit_code, 5) << outcome.out;
  EXPECT_EQ(line_count(outcome.err), 1) << outcome.err;
  EXPECT_NE(outcome.err.find("below /time/dt_min, 0.01 s"), std::string::npos) << outcome.err;
}

TEST_F(FlowCommand, TheExampleRuns) {
  place_.write("case.json", place_.karman({"euler", "--example"}).out);
  EXPECT_NE(run({"--dry-run"}).out.find("\nmesh "), std::string::npos);
  Outcome const outcome = run({"--output", "out", "--set", "/mesh/size=0.05"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
}

/// Frames of an earlier, longer run would mix with frames of this one. Other files of the folder stay.
TEST_F(FlowCommand, AShorterRunLeavesNoFramesOfALongerOne) {
  auto const frames = [&] {
    std::vector<std::string> names;
    for (auto const& entry : std::filesystem::directory_iterator(place_.path("out/frames"))) {
      std::string const name = entry.path().filename().string();
      if (name.starts_with("frame_")) names.push_back(name);
    }
    std::sort(names.begin(), names.end());
    return names;
  };
  Outcome const transient = run({"--output", "out", "--set", "/time/frames=5"});
  ASSERT_EQ(transient.exit_code, 0);
  EXPECT_NE(transient.out.find(" steps to 0.4 s in "), std::string::npos) << transient.out;
  EXPECT_EQ(transient.out.find("residual"), std::string::npos) << transient.out;
  ASSERT_EQ(frames().size(), 6U);
  place_.write("out/frames/frame_mine.h5", "of the user");
  ASSERT_EQ(run({"--output", "out", "--overwrite", "--set", "/time/frames=2"}).exit_code, 0);
  EXPECT_EQ(frames(),
            (std::vector<std::string>{"frame_000000.h5", "frame_000001.h5", "frame_000002.h5", "frame_mine.h5"}));
  Outcome const steady = run({"--output", "out", "--overwrite", "--set", R"(/time={"kind":"steady","max_steps":7})"});
  EXPECT_EQ(steady.exit_code, 3) << steady.err;
  EXPECT_EQ(frames(), std::vector<std::string>{"frame_mine.h5"});
  EXPECT_FALSE(std::filesystem::exists(place_.path("out/frames.xdmf")));
}

TEST_F(FlowCommand, ARunWithoutGaugesLeavesNoneOfAnEarlierOne) {
  ASSERT_EQ(run({"--output", "out", "--set", R"(/gauges=[{"name":"g","at":[0.5,0.5]}])"}).exit_code, 0);
  ASSERT_TRUE(std::filesystem::exists(place_.path("out/gauges.csv")));
  ASSERT_EQ(run({"--output", "out", "--overwrite", "--set", "/gauges=[]"}).exit_code, 0);
  EXPECT_FALSE(std::filesystem::exists(place_.path("out/gauges.csv")));
}

}  // namespace flow_command_test
