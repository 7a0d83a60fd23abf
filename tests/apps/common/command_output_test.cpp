// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whole runs of karman wind: their files, the same on every backend.
#include "command_of.hpp"
#include "small_case.hpp"
#include <karman/io/checkpoint.hpp>
#include <karman/io/hdf5_file.hpp>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <signal.h>

#include <cmath>
#include <limits>

namespace command_output_test {

using namespace karman::test;
using karman::Checkpoint;
using karman::CheckpointArray;
using karman::CheckpointFormat;
using karman::Hdf5File;

constexpr int nx = 50, ny = 48, nz = 12;

class CommandOutput : public CommandOf {
 protected:
  CommandOutput() : CommandOf("wind", small_wind_case) {}
};

TEST_F(CommandOutput, HasEverythingThatIsPromised) {
  Outcome const outcome = run({"--output", "out"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_TRUE(outcome.err.empty()) << outcome.err;
  EXPECT_NE(outcome.out.find("out/wind.h5"), std::string::npos);
  Hdf5File const file = Hdf5File::open(place_.path("out/wind.h5"));
  EXPECT_EQ(file.read_string("/", "format"), "karman.wind");
  EXPECT_EQ(file.read_integer("/", "converged"), 1);
  double const left_over = file.read_double("/", "relative_divergence");
  EXPECT_GT(left_over, 0);
  EXPECT_LE(left_over, 1e-9);

  std::vector<double> u(nz * ny * (nx + 1)), velocity(nz * ny * nx * 3), divergence(nz * ny * nx);
  std::vector<std::uint8_t> flag(nz * ny * nx);
  file.read("/faces/u", u.data(), {nz, ny, nx + 1});
  file.read("/cells/velocity", velocity.data(), {nz, ny, nx, 3});
  file.read("/cells/divergence_after", divergence.data(), {nz, ny, nx});
  file.read("/cells/flag", flag.data(), {nz, ny, nx});
  double before = 0;
  for (double value : file.read_vector<double>("/cells/divergence_before")) before = std::fmax(before, std::abs(value));
  double after = 0;
  for (double value : divergence) after = std::fmax(after, std::abs(value));
  EXPECT_NEAR(after / before, left_over, 1e-3 * left_over);
  for (int row = 0; row < nz * ny; ++row) {
    for (int i = 0; i < nx; ++i) {
      auto const face = static_cast<std::size_t>(row * (nx + 1) + i);
      auto const cell = static_cast<std::size_t>(row * nx + i);
      EXPECT_DOUBLE_EQ(velocity[3 * cell], 0.5 * (u[face] + u[face + 1]));
    }
  }
  EXPECT_EQ(file.read_vector<double>("/grid/x").size(), std::size_t{nx + 1});
  EXPECT_EQ(file.read_vector<double>("/grid/x").front(), 74);
  EXPECT_EQ(file.read_vector<double>("/grid/y").front(), -72);
  EXPECT_EQ(file.read_table("/buildings").column("x"), (std::vector<double>{120, 140, 140}));
  auto const history = file.read_table("/history");
  EXPECT_EQ(history.column("relative_divergence").front(), 1);
  EXPECT_EQ(history.column("relative_divergence").back(), left_over);

  // Slices every ten iterations from the first guess on.
  auto const iterations = file.read_vector<double>("/watch/iteration");
  ASSERT_GE(iterations.size(), 3u);
  for (std::size_t n = 0; n < iterations.size(); ++n) EXPECT_EQ(iterations[n], 10.0 * double(n));
  EXPECT_EQ(file.info("/watch/lambda").extents, karman::ArrayExtents(iterations.size(), nz, ny));
  EXPECT_EQ(file.read_string("/watch/lambda", "axis"), "x");

  EXPECT_NE(content(place_.path("out/wind.xdmf")).find("wind.h5:/cells/velocity"), std::string::npos);
  EXPECT_EQ(content(place_.path("out/history.csv")).rfind("iteration,relative_divergence,seconds\n0,1,", 0), 0u);
}

TEST_F(CommandOutput, SaysWhereTheWindComesFromAndThatTheLidIsLow) {
  for (std::vector<std::string> words : {std::vector<std::string>{"--dry-run"}, {"--output", "out"}}) {
    Outcome const fine = run(words);
    EXPECT_NE(fine.out.find("direction 270 degrees, nautical: where the wind comes from"), std::string::npos)
        << fine.out;
    EXPECT_TRUE(fine.err.empty()) << fine.err;
    words.insert(words.end(), {"--overwrite", "--set", "/domain/layers/count=6"});
    Outcome const low = run(words);
    EXPECT_EQ(low.exit_code, 0);
    EXPECT_EQ(line_count(low.err), 1) << low.err;
    EXPECT_NE(low.err.find("less than 2 times as high as the highest roof"), std::string::npos) << low.err;
  }
  Outcome const none = run({"--dry-run", "--set", "/domain/layers/count=5"});
  EXPECT_EQ(none.exit_code, 2);
  EXPECT_NE(none.err.find("no air above the building"), std::string::npos) << none.err;
}

TEST_F(CommandOutput, HoldsOnlyTheFieldsThatWereAsked) {
  ASSERT_EQ(run({"--output", "out", "--set", "/outputs/fields=[\"velocity\"]", "--set", "/solver/precision=f32",
                 "--set", "/solver/tolerance=auto"})
                .exit_code,
            0);
  Hdf5File const file = Hdf5File::open(place_.path("out/wind.h5"));
  EXPECT_TRUE(file.exists("/cells/velocity"));
  EXPECT_EQ(file.info("/cells/velocity").type, karman::ScalarType::float32);
  for (char const* name : {"/faces", "/cells/lambda", "/cells/flag", "/cells/divergence_after"})
    EXPECT_FALSE(file.exists(name)) << name;
}

TEST_F(CommandOutput, EveryBackendAgrees) {
  auto const info = nlohmann::json::parse(place_.karman({"info", "--json"}).out);
  std::vector<double> first;
  std::vector<std::vector<std::string>> runs;
  for (auto const& backend : info.at("backends")) runs.push_back({"--backend", backend.at("name")});
  // One thread too, so that there is something to compare in builds with one backend.
  runs.push_back({"--backend", karman::test::host_backend(), "--threads", "1"});
  for (auto& words : runs) {
    std::string const name = words[1], folder = name + std::to_string(words.size());
    words.insert(words.end(), {"--output", folder});
    ASSERT_EQ(run(words).exit_code, 0);
    Hdf5File const file = Hdf5File::open(place_.path(folder + "/wind.h5"));
    EXPECT_EQ(file.read_string("/", "backend"), name);
    auto const velocity = file.read_vector<double>("/cells/velocity");
    if (first.empty()) first = velocity;
    ASSERT_EQ(velocity.size(), first.size());
    // Both are within the tolerance of the solution: 1e-9 of about 5 m/s / 2 m over 60 m of domain.
    for (std::size_t n = 0; n < velocity.size(); ++n) ASSERT_NEAR(velocity[n], first[n], 2e-9 * 5 / 2 * 60);
  }
}

/// Arguments of a run that would take very long.
std::vector<std::string> const endless{"--output", "out",
                                       "--set",    "/solver/omega=0.001",
                                       "--set",    "/solver/max_iterations=100000000",
                                       "--set",    "/solver/tolerance=1e-14"};

TEST_F(CommandOutput, NotANumberStopsTheRunAndIsNamed) {
  ASSERT_EQ(interrupted(endless, SIGINT).exit_code, 130);
  // A checkpoint with one wrong velocity.
  CheckpointFormat const format{"karman.wind", 1};
  std::vector<double> u(nz * ny * (nx + 1)), v(nz * (ny + 1) * nx), w((nz + 1) * ny * nx), lambda(nz * ny * nx),
      correction(nz * ny * nx);
  std::vector<double> history;
  std::size_t rows = 0;
  std::string metadata;
  {
    auto const good = Checkpoint::open(place_.path("out/wind.checkpoint"), format);
    good.read("u", u.data(), {nz, ny, nx + 1});
    good.read("v", v.data(), {nz, ny + 1, nx});
    good.read("w", w.data(), {nz + 1, ny, nx});
    good.read("lambda", lambda.data(), {nz, ny, nx});
    good.read("correction", correction.data(), {nz, ny, nx});
    rows = good.info("history").extents[0];
    history.resize(rows * 3);
    good.read("history", history.data(), {rows, std::size_t{3}});
    metadata = good.metadata();
  }
  w[(5 * ny + 7) * nx + 11] = std::numeric_limits<double>::quiet_NaN();
  std::vector<CheckpointArray> const arrays{{"u", {u.data(), {nz, ny, nx + 1}}},
                                            {"v", {v.data(), {nz, ny + 1, nx}}},
                                            {"w", {w.data(), {nz + 1, ny, nx}}},
                                            {"lambda", {lambda.data(), {nz, ny, nx}}},
                                            {"correction", {correction.data(), {nz, ny, nx}}},
                                            {"history", {history.data(), {rows, std::size_t{3}}}}};
  karman::write_checkpoint(place_.path("bad.checkpoint"), format, metadata, arrays);
  Outcome const outcome = run({"--output", "bad", "--restart", "bad.checkpoint", "--set", "/solver/omega=0.001"});
  EXPECT_EQ(outcome.exit_code, 5) << outcome.err;
  EXPECT_EQ(line_count(outcome.err), 1) << outcome.err;
  EXPECT_NE(outcome.err.find("w is not finite at (k, j, i) = (5, 7, 11)"), std::string::npos) << outcome.err;
}

}  // namespace command_output_test
