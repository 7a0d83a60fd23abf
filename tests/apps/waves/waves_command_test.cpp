// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whole runs of karman waves: their files, their exit codes, and every shipped case.
#include "apps/common/command_of.hpp"
#include "small_wave_case.hpp"
#include <karman/io/checkpoint.hpp>
#include <karman/io/hdf5_file.hpp>
#include <karman/io/mesh_files.hpp>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>

namespace waves_command_test {

using namespace karman::test;
using karman::Hdf5File;
using nlohmann::json;

class WavesCommand : public CommandOf {
 protected:
  WavesCommand() : CommandOf("waves", small_wave_case) {}
  Hdf5File result(std::string const& folder = "out") const { return Hdf5File::open(place_.path(folder + "/waves.h5")); }
};

TEST_F(WavesCommand, LeavesNoTablesOfAnEarlierRun) {
  auto const there = [&](char const* file) { return std::filesystem::exists(place_.path(std::string("out/") + file)); };
  ASSERT_EQ(run({"--output", "out", "--set", R"(/sections=[{"name":"s","from":[1,1],"to":[2,1]}])"}).exit_code, 0);
  for (char const* file :
       {"gauges.csv", "sections.csv", "surface.xdmf", "waves.slf", "waves.cli", "surface_series.csv"})
    ASSERT_TRUE(there(file)) << file;
  place_.write("out/notes.csv", "of the user");
  ASSERT_EQ(run({"--output", "out", "--overwrite", "--set", "/sections=[]", "--set", "/gauges=[]", "--set",
                 "/outputs={\"animation_frames\": 0}"})
                .exit_code,
            0);
  for (char const* file :
       {"gauges.csv", "sections.csv", "surface.xdmf", "waves.slf", "waves.cli", "surface_series.csv"})
    EXPECT_FALSE(there(file)) << file;
  EXPECT_TRUE(there("notes.csv"));
}

TEST_F(WavesCommand, HasEverythingThatIsPromised) {
  Outcome const outcome = run({"--output", "out"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_TRUE(outcome.err.empty()) << outcome.err;
  EXPECT_NE(outcome.out.find("out/waves.h5"), std::string::npos);
  EXPECT_NE(outcome.out.find("energy: "), std::string::npos) << outcome.out;
  EXPECT_NE(outcome.out.find("gauge end: "), std::string::npos) << outcome.out;
  Hdf5File const file = result();
  EXPECT_EQ(file.read_string("/", "format"), "karman.waves");
  EXPECT_EQ(file.read_string("/", "waves"), "regular");
  EXPECT_EQ(file.read_integer("/", "converged"), 1);
  std::size_t const nodes = 21 * 11;
  EXPECT_EQ(file.info("/mesh/nodes").extents, karman::ArrayExtents(nodes, 2));
  EXPECT_EQ(file.info("/mesh/triangles").extents, karman::ArrayExtents(400, 3));
  EXPECT_EQ(file.read_vector<double>("/depth"), std::vector<double>(nodes, 3.5));
  auto const field = [&](char const* name) {
    return file.read_vector<double>(std::string("/components/0000/") + name);
  };
  auto const real = field("elevation_real"), imaginary = field("elevation_imaginary"), height = field("height");
  auto const phase = field("phase");
  for (char const* name :
       {"direction", "wave_number", "celerity", "group_celerity", "bed_velocity", "friction_rate", "breaking_rate",
        "dissipation", "breaking_fraction", "stress_xx", "stress_xy", "stress_yy"}) {
    EXPECT_EQ(field(name).size(), nodes) << name;
  }
  EXPECT_EQ(file.info("/components/0000/energy_flux").extents, karman::ArrayExtents(nodes, 3));
  auto const flux = field("energy_flux");
  for (std::size_t n = 0; n < nodes; ++n) EXPECT_EQ(flux[3 * n + 2], 0) << "a vector in the plane";
  for (std::size_t n = 0; n < nodes; ++n) {
    std::complex<double> const eta(real[n], imaginary[n]);
    EXPECT_NEAR(height[n], 2 * std::abs(eta), 1e-14);
    EXPECT_NEAR(std::abs(eta) * std::cos(phase[n] * std::numbers::pi / 180), real[n], 1e-14);
  }
  // The frames of the animation turn the complex elevation by -omega t.
  auto const third = file.read_vector<float>("/animation/003");
  EXPECT_EQ(file.read_double("/animation/003", "time"), 3);
  for (std::size_t n = 0; n < nodes; ++n) EXPECT_NEAR(third[n], -real[n], 1e-7) << "half a period";
  auto const gauges = file.read_table("/gauges/readings");
  ASSERT_EQ(gauges.column("height").size(), 2u);
  EXPECT_EQ(gauges.column("amplification")[1], gauges.column("height")[1] / 0.5);
  EXPECT_EQ(file.read_texts("/gauges/names"), (std::vector<std::string>{"middle", "end"}));
  EXPECT_EQ(file.read_table("/sections/heights").column("distance").back(), 40);
  auto const summary = file.read_table("/summary");
  EXPECT_EQ(summary.column("converged"), std::vector<double>{1});
  EXPECT_GT(summary.column("incident")[0], 0);
  EXPECT_GT(summary.column("friction")[0], 0);
  EXPECT_LT(std::abs(summary.column("imbalance")[0]), 0.01);
  auto const history = file.read_table("/history");
  EXPECT_EQ(history.column("iteration").back(), summary.column("picard_iterations")[0]);
  EXPECT_LE(history.column("change").back(), 1e-4);
  std::string const xdmf = content(place_.path("out/waves.xdmf"));
  EXPECT_NE(xdmf.find("waves.h5:/components/0000/height"), std::string::npos) << xdmf;
  EXPECT_NE(xdmf.find("waves.h5:/mesh/triangles"), std::string::npos);
  EXPECT_NE(content(place_.path("out/surface.xdmf")).find("CollectionType=\"Temporal\""), std::string::npos);
  EXPECT_EQ(
      content(place_.path("out/gauges.csv")).rfind("component,period,height,middle height,middle amplification", 0),
      0u);
  EXPECT_EQ(line_count(content(place_.path("out/sections.csv"))), 22);
  EXPECT_EQ(line_count(content(place_.path("out/components.csv"))), 2);

  // The surface at the gauges over time: Re(eta e^(-i omega t)).
  auto const times = file.read_vector<double>("/gauges/time"), surface = file.read_vector<double>("/gauges/surface");
  ASSERT_EQ(times.size(), 61u);
  ASSERT_EQ(file.info("/gauges/surface").extents, karman::ArrayExtents(61, 2));
  for (std::size_t n = 0; n < times.size(); ++n) {
    std::complex<double> const eta(gauges.column("elevation_real")[1], gauges.column("elevation_imaginary")[1]);
    double const wanted = (eta * std::polar(1.0, -2 * std::numbers::pi * times[n] / 6)).real();
    EXPECT_NEAR(surface[2 * n + 1], wanted, 1e-12) << times[n];
  }
  std::string const series = content(place_.path("out/surface_series.csv"));
  EXPECT_EQ(series.rfind("time (s),middle surface (m),end surface (m)\n0,", 0), 0u) << series.substr(0, 80);
  EXPECT_EQ(line_count(series), 62);
  EXPECT_NE(outcome.out.find("gauge end: surface over 30 s, seed 3: 4 standard deviations "), std::string::npos);

  // The same for TELEMAC. Its triangles equal the mesh, and its boundary file has codes of the conditions.
  EXPECT_EQ(content(place_.path("out/waves.cli")).rfind("1 5 5 ", 0), 0u) << "the first node is on the west";
  karman::MeshData const mesh = karman::read_mesh(place_.path("out/waves.slf"));
  EXPECT_EQ(mesh.triangles, karman::read_mesh(file, "/mesh").triangles);
  auto const fields = karman::read_fields(place_.path("out/waves.slf"), nodes);
  ASSERT_EQ(fields.size(), 5u);
  EXPECT_EQ(fields[0].name, "WATER DEPTH");
  EXPECT_EQ(fields[0].values, std::vector<double>(nodes, 3.5));
  EXPECT_EQ(fields[1].values, std::vector<double>(nodes, -3.5)) << fields[1].name;
  EXPECT_EQ(fields[2].name, "WAVE HEIGHT");
  EXPECT_EQ(fields[2].values, height);
  EXPECT_EQ(fields[3].values, phase) << fields[3].name;
  EXPECT_EQ(fields[4].values, field("direction")) << fields[4].name;
  EXPECT_NE(outcome.out.find("boundary    "), std::string::npos) << outcome.out;
}

TEST_F(WavesCommand, AWaveInAFlumeKeepsItsHeightAndItsLength) {
  place_.write("flume.json", place_.karman({"waves", "--example", "plane_wave"}).out);
  Outcome const outcome = place_.karman({"waves", "flume.json", "--output", "out"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  Hdf5File const file = result();
  auto const wave_number = file.read_vector<double>("/components/0000/wave_number");
  EXPECT_NEAR(wave_number[0], 4.21048, 1e-5);
  // Linear elements with 25 nodes per wavelength have a phase error of some (2 pi / 25)^2 / 24 = 0.26 % of k x. The
  // reflection of a normal wave by the open end is of the same order.
  auto const readings = file.read_table("/gauges/readings");
  for (double amplification : readings.column("amplification")) EXPECT_NEAR(amplification, 1, 0.01);
  double const phase =
      std::remainder(readings.column("phase")[1] * std::numbers::pi / 180 - 4.21048 * 4.5, 2 * std::numbers::pi);
  EXPECT_NEAR(phase, 0, 0.01 * 4.21048 * 4.5);
}

TEST_F(WavesCommand, SpectraAddTheirEnergies) {
  place_.write("case.json", small_wave_cases().at(2));
  Outcome const outcome = run({"--output", "out"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_NE(outcome.out.find("6 components"), std::string::npos) << outcome.out;
  Hdf5File const file = result();
  auto const significant = file.read_vector<double>("/combined/significant_height");
  std::vector<double> square(significant.size(), 0), stress(significant.size(), 0);
  ASSERT_EQ(file.list("/components").size(), 6u);
  for (auto const& entry : file.list("/components")) {
    auto const height = file.read_vector<double>("/components/" + entry.name + "/height");
    auto const xx = file.read_vector<double>("/components/" + entry.name + "/stress_xx");
    for (std::size_t n = 0; n < square.size(); ++n) square[n] += height[n] * height[n], stress[n] += xx[n];
  }
  auto const together = file.read_vector<double>("/combined/stress_xx");
  for (std::size_t n = 0; n < square.size(); ++n) {
    EXPECT_NEAR(significant[n], std::sqrt(2 * square[n]), 1e-12);
    EXPECT_NEAR(together[n], stress[n], 1e-9 * (1 + std::abs(stress[n])));
  }
  EXPECT_NE(content(place_.path("out/components.xdmf")).find("/components/0005/height"), std::string::npos);
}

/// Waves of two periods in a small basin, given as the members of `waves`.
std::string two_periods(std::string const& waves) {
  return R"json({
    "mesh": { "kind": "rectangle", "low": [0, 0], "high": [40, 20], "size": 2 }, "bathymetry": { "depth": 3 },
    "boundaries": { "west": { "kind": "incident" }, "others": { "kind": "reflecting", "reflection": 0.5 } },
    "gauges": [{ "name": "end", "at": [39, 9] }], "outputs": { "animation_frames": 0 },
    "friction": { "kind": "quadratic", "coefficient": 0.1 }, "waves": )json" +
         waves + "}";
}

TEST_F(WavesCommand, WavesThatComeTogetherLoseMoreAndThoseOfAScanDoNot) {
  auto const heights = [&](std::string const& waves, std::string const& folder) {
    place_.write("case.json", two_periods(waves));
    Outcome const outcome = run({"--output", folder, "--overwrite"});
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    bool const list = waves.find("list") != std::string::npos;
    EXPECT_EQ(outcome.out.find("losses from their sum, ") != std::string::npos, list) << outcome.out;
    EXPECT_EQ(outcome.out.find("% lost to friction") != std::string::npos, waves.find("scan") == std::string::npos)
        << outcome.out;
    Hdf5File const file = result(folder);
    EXPECT_EQ(file.read_integer("/", "converged"), 1);
    auto const summary = file.read_table("/summary");
    for (double imbalance : summary.column("imbalance")) EXPECT_LT(std::abs(imbalance), 1e-6);
    return file.read_table("/gauges/readings").column("height");
  };
  auto const scan = heights(
      R"json({ "kind": "period_scan", "from": 6, "to": 9, "count": 2, "height": 1, "direction": 270 })json", "scan");
  auto const list = heights(
      R"json({ "kind": "list", "waves": [{ "period": 6, "height": 1, "direction": 270 }, { "period": 9, "height": 1, "direction": 270 }] })json",
      "list");
  ASSERT_EQ(scan.size(), 2u);
  ASSERT_EQ(list.size(), 2u);
  for (std::size_t n = 0; n < 2; ++n) {
    auto const single =
        heights(std::string(R"json({ "kind": "regular", "height": 1, "direction": 270, "period": )json") +
                    (n == 0 ? "6" : "9") + "}",
                "one");
    EXPECT_EQ(scan[n], single[0]) << "the same bits";
    EXPECT_LT(list[n], 0.98 * single[0]);
  }
}

TEST_F(WavesCommand, ABreakdownKeepsWhatWasFoundBefore) {
  // Single precision, no preconditioner and triangles of 10^13 m: with the shorter period the iteration overflows.
  karman::MeshWriteOptions overwriting;
  overwriting.overwrite = karman::Overwrite::yes;
  karman::write_mesh(place_.path("huge.msh"),
                     karman::mesh_rectangle({{0, 0}, {4e13, 4e13}, 1e13, karman::DiagonalPattern::right}), overwriting);
  auto const end = [&](std::string const& waves, std::string const& friction) {
    place_.write("case.json", R"json({
      "mesh": { "kind": "file", "file": "huge.msh" }, "bathymetry": { "depth": 5 },
      "boundaries": { "west": { "kind": "incident" }, "others": { "kind": "reflecting", "reflection": 0.5 } },
      "solver": { "precision": "f32", "method": "cocg", "preconditioner": "none", "fall_back": false },
      "friction": )json" + friction +
                                  R"json(, "waves": { "kind": "list", "waves": [)json" + waves + "] } }");
    Outcome const outcome = run({"--output", "out", "--overwrite"});
    EXPECT_EQ(outcome.exit_code, 5) << outcome.err;
    EXPECT_NE(outcome.err.find("the elevation is not finite at node"), std::string::npos) << outcome.err;
    return outcome.err;
  };
  std::string const long_wave = R"json({ "period": 100, "height": 1, "direction": 270 })json";
  std::string const short_wave = R"json({ "period": 0.05, "height": 1, "direction": 270 })json";
  std::string const none = R"json({ "kind": "none" })json";
  EXPECT_NE(end(short_wave + ',' + long_wave, none).find("no results written"), std::string::npos);
  EXPECT_FALSE(std::filesystem::exists(place_.path("out/waves.h5")));
  std::string const said = end(long_wave + ',' + long_wave + ',' + short_wave + ',' + long_wave, none);
  EXPECT_NE(said.find("component 2, T = 0.05 s"), std::string::npos) << said;
  EXPECT_NE(said.find("components 0 to 1 are complete in"), std::string::npos) << said;
  {
    Hdf5File const file = result();
    EXPECT_EQ(file.read_integer("/", "converged"), 0);
    EXPECT_EQ(file.read_integer("/", "components"), 2);
    EXPECT_EQ(file.read_table("/summary").column("converged"), (std::vector<double>{1, 1}));
    EXPECT_TRUE(file.exists("/components/0001/height"));
    EXPECT_FALSE(file.exists("/components/0002"));
  }
  // With superposed components: the state of the others at that time, not converged.
  std::string const sea = end(long_wave + ',' + short_wave, R"json({ "kind": "quadratic", "coefficient": 0.01 })json");
  EXPECT_NE(sea.find("components 0 to 0 are complete in"), std::string::npos) << sea;
  EXPECT_EQ(result().read_table("/summary").column("converged"), std::vector<double>{0});
}

TEST_F(WavesCommand, AScanHasACurveAndKeepsTheChosenFields) {
  place_.write("case.json", small_wave_cases().at(3));
  Outcome const outcome = run({"--output", "out", "--set", "/outputs/components=largest"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_NE(outcome.out.find("gauge back: largest amplification"), std::string::npos) << outcome.out;
  Hdf5File const file = result();
  auto const readings = file.read_table("/gauges/readings");
  EXPECT_EQ(readings.column("period"), (std::vector<double>{8, 12, 16, 20}));
  auto const summary = file.read_table("/summary");
  for (double direction : summary.column("direction"))
    EXPECT_NEAR(std::fabs(direction), 180, 1e-9) << "of the waves that arrive, without what the coast sends back";
  auto const& response = readings.column("amplification");
  auto const largest = std::max_element(response.begin(), response.end()) - response.begin();
  EXPECT_EQ(file.read_integer("/", "largest_component"), largest);
  ASSERT_EQ(file.list("/components").size(), 1u);
  EXPECT_EQ(file.list("/components").front().name, "000" + std::to_string(largest));
  EXPECT_FALSE(file.exists("/combined"));
  ASSERT_EQ(
      run({"--output", "none", "--set", "/outputs/components=none", "--set", "/outputs/animation_frames=0"}).exit_code,
      0);
  EXPECT_FALSE(result("none").exists("/components"));
  EXPECT_FALSE(std::filesystem::exists(place_.path("none/surface.xdmf")));
}

/// The shipped cases, with overrides that make them small.
TEST_F(WavesCommand, EveryCaseThatShipsRunsAndTheExampleIsOne) {
  struct Small {
    char const* name;
    std::vector<std::string> overrides;
  };
  for (Small const& small :
       {Small{"plane_wave", {}}, Small{"snell", {"/mesh/size=12"}},
        Small{"berkhoff_shoal", {"/mesh/size=0.25", "/amplitude_dispersion=false"}},
        Small{"homma_island", {"/mesh/shore_size=2000", "/mesh/sea_size=6000"}},
        Small{"rectangular_harbour", {"/waves/count=3"}}, Small{"harbour", {"/mesh/size=20"}},
        Small{"fishing_harbour", {"/mesh/refine=0"}}, Small{"fishing_harbour_sea", {"/mesh/refine=0"}}}) {
    std::string const name = small.name;
    if (name == "fishing_harbour") {
      for (char const* file : {"fishing_harbour.msh", "fishing_harbour.xyz"})
        place_.write(file, content(KARMAN_CASES "/waves/cases/" + std::string(file)));
    }
    place_.write(name + ".json", place_.karman({"waves", "--example", name}).out);
    Outcome const dry = place_.karman({"waves", name + ".json", "--dry-run"});
    for (char const* word : {"nodes", "triangles", "per wavelength", "memory", "time"})
      EXPECT_NE(dry.out.find(word), std::string::npos) << name << ": " << word;
    std::vector<std::string> words{"waves", name + ".json", "--output", name, "--set", "/outputs/animation_frames=2"};
    for (std::string const& one : small.overrides) words.insert(words.end(), {"--set", one});
    Outcome const outcome = place_.karman(words);
    EXPECT_EQ(outcome.exit_code, 0) << name << outcome.err;
    EXPECT_TRUE(std::filesystem::exists(place_.path(name + "/waves.xdmf"))) << name;
  }
  place_.write("example.json", place_.karman({"waves", "--example"}).out);
  Outcome const example = place_.karman({"waves", "example.json", "--output", "example", "--set", "/mesh/size=15"});
  EXPECT_EQ(example.exit_code, 0) << example.err;
}

TEST_F(WavesCommand, WavesThatOnlyLeaveAreAnErrorBeforeTheSolve) {
  for (std::vector<std::string> words : {std::vector<std::string>{"--dry-run"}, {"--output", "out"}}) {
    words.insert(words.end(), {"--set", "/waves/direction=90"});
    Outcome const outcome = run(words);
    EXPECT_EQ(outcome.exit_code, 2) << outcome.out << outcome.err;
    EXPECT_EQ(line_count(outcome.err), 1) << outcome.err;
    EXPECT_NE(outcome.err.find("/waves/direction"), std::string::npos) << outcome.err;
    EXPECT_FALSE(std::filesystem::exists(place_.path("out")));
  }
  EXPECT_NE(run({"--dry-run"}).out.find("nautical: where the waves come from"), std::string::npos);
  EXPECT_NE(run({"--output", "out"}).out.find("nautical: where the waves come from"), std::string::npos);
}

TEST_F(WavesCommand, NotConvergedIsLoudAndStillWritten) {
  std::vector<std::string> const words{"--set", "/solver/picard/max_iterations=2", "--set",
                                       "/solver/picard/tolerance=1e-12"};
  auto const with = [&](std::vector<std::string> more) {
    more.insert(more.end(), words.begin(), words.end());
    return more;
  };
  not_converged(with({"--output", "out"}));
  EXPECT_TRUE(result().exists("/components/0000/height"));
  // It continues from there, under a larger limit only.
  Outcome const refused = run(with({"--output", "new", "--restart", "out/waves.checkpoint"}));
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_NE(refused.err.find("/solver/picard/max_iterations"), std::string::npos) << refused.err;
  // The same for a linear method with too few iterations and without fall-back.
  not_converged({"--output", "stalled", "--set", "/solver/method=gmres", "--set", "/solver/max_iterations=2", "--set",
                 "/solver/fall_back=false"});
  EXPECT_EQ(result("stalled").read_integer("/", "converged"), 0);
  EXPECT_EQ(result("stalled").read_integer("/components/0000", "converged"), 0);
  EXPECT_EQ(result("stalled").read_table("/summary").column("converged"), std::vector<double>{0});
  EXPECT_TRUE(result("stalled").exists("/components/0000/height"));
}

TEST_F(WavesCommand, SinglePrecisionIsCloseToDouble) {
  ASSERT_EQ(run({"--output", "out"}).exit_code, 0);
  Outcome const outcome =
      run({"--output", "single", "--set", "/solver/precision=f32", "--set", "/solver/tolerance=1e-4"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  auto const wide = result().read_vector<double>("/components/0000/height");
  auto const narrow = result("single").read_vector<float>("/components/0000/height");
  // The linear tolerance times the condition of 231 unknowns, some hundreds, and the Picard tolerance of 1e-4.
  for (std::size_t n = 0; n < wide.size(); ++n) EXPECT_NEAR(narrow[n], wide[n], 0.02);
}

TEST_F(WavesCommand, ComponentsThatDidNotConvergeAreRemembered) {
  place_.write("case.json", small_wave_cases().at(3));
  std::vector<std::string> const words{"--set", "/solver/method=gmres",   "--set", "/solver/max_iterations=2",
                                       "--set", "/solver/fall_back=false"};
  std::vector<std::string> often = words;
  often.insert(often.end(), {"--output", "out", "--set", "/solver/checkpoint_every=1e-9"});
  Outcome const whole = run(often);
  ASSERT_EQ(whole.exit_code, 3) << whole.err;
  std::vector<std::string> on = words;
  on.insert(on.end(), {"--output", "on", "--restart", "out/waves.checkpoint"});
  Outcome const outcome = run(on);
  EXPECT_EQ(outcome.exit_code, 3);
  EXPECT_EQ(outcome.err, whole.err);
  EXPECT_EQ(Hdf5File::open(place_.path("on/waves.h5")).read_integer("/", "converged"), 0);
}

TEST_F(WavesCommand, ASignalLeavesTheComponentsThatAreDone) {
  place_.write("case.json", small_wave_cases().at(3));
  std::vector<std::string> const words{"--output", "out",
                                       "--set",    "/waves/count=10000",
                                       "--set",    "/mesh/back_size=2",
                                       "--set",    "/mesh/sea_size=2",
                                       "--set",    "/solver/checkpoint_every=0"};
  Outcome const stopped = interrupted(words, SIGHUP);
  EXPECT_EQ(stopped.exit_code, 129) << stopped.err;
  EXPECT_NE(stopped.err.find(" of 10000 components; continue with karman waves case.json"), std::string::npos)
      << stopped.err;
  EXPECT_FALSE(std::filesystem::exists(place_.path("out/waves.checkpoint.previous"))) << "only where it was stopped";
  auto const checkpoint = karman::Checkpoint::open(place_.path("out/waves.checkpoint"), {"karman.waves", 1});
  json const state = json::parse(checkpoint.metadata());
  int const finished = state.at("finished");
  EXPECT_GE(finished, 1);
  EXPECT_LT(finished, 10000);
  EXPECT_EQ(state.at("kept").size(), 1u) << "the one with the largest response";
}

}  // namespace waves_command_test
