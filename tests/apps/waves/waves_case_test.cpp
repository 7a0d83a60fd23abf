// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sea states, soundings, gauges and the reading of cases, without a solve.
#include "common/mesh/point_finder.hpp"
#include "cpu_time.hpp"
#include "small_wave_case.hpp"
#include "waves/case/build_features.hpp"
#include "waves/case/case_mesh.hpp"
#include "waves/case/dispersion.hpp"
#include "waves/case/scattered_depth.hpp"
#include "waves/case/sea_state.hpp"
#include "waves/case/wave_case.hpp"
#include "waves/model/wave_model.hpp"
#include "waves/run/wave_estimate.hpp"
#include <karman/core/backend_name.hpp>
#include <karman/io/config.hpp>
#include <karman/io/error.hpp>
#include <karman/io/mesh_files.hpp>
#include <karman/mesh/mesh_generators.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <iomanip>
#include <limits>
#include <numbers>
#include <random>
#include <utility>

namespace waves_case_test {

using namespace karman;
using namespace karman::waves;
using karman::test::growth_of_time;
using karman::test::most_growth;
using std::numbers::pi;

constexpr double degree = pi / 180;
constexpr double epsilon = 2.220446049250313e-16;

Backend backend() { return enabled_backends().back(); }

/// A folder with the small files, removed at the end.
class WavesCase : public ::testing::Test {
 protected:
  WavesCase() {
    std::string name = (std::filesystem::temp_directory_path() / "karman-waves-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("no temporary folder");
    folder_ = name;
  }
  ~WavesCase() override {
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }

  WaveCase read(std::string const& text, std::vector<std::string> const& more = {}) const {
    return read_wave_case(Case::parse(text, (folder_ / "case.json").string(), schema(), more));
  }

  std::string refusal(std::string const& text, std::vector<std::string> const& more = {}) const {
    try {
      read(text, more);
    } catch (CaseError const& error) {
      return error.what();
    }
    return "accepted";
  }

  std::filesystem::path folder_;
};

TEST(WavesSeaState, ComponentsCarryTheSameEnergyAndAllOfIt) {
  Spectrum spectrum;
  spectrum.significant_height = 2.5;
  spectrum.peak_period = 9;
  spectrum.direction = 0.3;
  spectrum.spreading = 15;
  spectrum.periods = 7;
  spectrum.directions = 4;
  auto const components = components_of(spectrum);
  ASSERT_EQ(components.size(), 28u);
  double energy = 0, turn = 0;
  for (WaveComponent const& component : components) {
    ASSERT_EQ(component.waves.size(), 1u);
    EXPECT_EQ(component.waves[0].amplitude, components[0].waves[0].amplitude);
    EXPECT_EQ(component.height, 2 * component.waves[0].amplitude);
    EXPECT_LT(std::abs(component.waves[0].direction - 0.3), pi / 2);
    energy += 0.5 * component.waves[0].amplitude * component.waves[0].amplitude;
    turn += component.waves[0].direction - 0.3;
  }
  EXPECT_NEAR(4 * std::sqrt(energy), 2.5, 100 * epsilon);
  EXPECT_NEAR(significant_height(components), 2.5, 100 * epsilon);
  // Directions lie evenly about the mean one, to the interpolation in a table of 4000 entries.
  EXPECT_NEAR(turn, 0, 1e-6);
  EXPECT_TRUE(std::is_sorted(components.begin(), components.end(),
                             [](auto const& a, auto const& b) { return a.period > b.period; }));
}

/// Moments of the spectrum by a sum over frequencies, accurate to seven digits.
double moment(double gamma, int order) {
  double sum = 0;
  constexpr double step = 1e-4;
  for (double f = step; f < 60; f += step) sum += step * std::pow(f, order) * spectral_shape(f, 1, gamma);
  return sum;
}

TEST(WavesSeaState, TheShapesAreThePublishedOnes) {
  // Pierson-Moskowitz: the integral of f^-5 exp(-5/4 f^-4) is 1/5, the mean period m_-1 / m_0 is 0.857 T_p and
  // the zero-crossing one 0.710 T_p; JONSWAP with 3.3: 0.903 and 0.777 (Goda, 2010, rounded there).
  EXPECT_NEAR(moment(1, 0), 0.2, 1e-6);
  EXPECT_NEAR(moment(1, -1) / moment(1, 0), 0.857, 0.001);
  EXPECT_NEAR(std::sqrt(moment(1, 0) / moment(1, 2)), 0.710, 0.006);
  EXPECT_NEAR(moment(3.3, -1) / moment(3.3, 0), 0.903, 0.002);
  // Both have their peak at f_p, where gamma is their ratio.
  for (double gamma : {1.0, 3.3, 7.0}) {
    EXPECT_GT(spectral_shape(1, 1, gamma), spectral_shape(0.97, 1, gamma));
    EXPECT_GT(spectral_shape(1, 1, gamma), spectral_shape(1.03, 1, gamma));
    EXPECT_NEAR(spectral_shape(1, 1, gamma) / spectral_shape(1, 1, 1), gamma, 1e-12);
  }
  EXPECT_EQ(spectral_shape(0, 1, 3.3), 0);
}

TEST(WavesSeaState, MoreComponentsApproachTheMeanPeriod) {
  Spectrum spectrum;
  spectrum.peak_enhancement = 1;
  spectrum.peak_period = 10;
  spectrum.periods = 400;
  double sum = 0;
  for (auto const& component : components_of(spectrum)) sum += component.period / 400;
  // The tails beyond 0.4 and 5 f_p, which are cut, hold less than 0.3 % of the energy.
  EXPECT_NEAR(sum / 10, 0.857, 0.005);
}

TEST(WavesSeaState, NarrowSpreadingIsOneDirection) {
  Spectrum spectrum;
  spectrum.direction = 1;
  spectrum.directions = 5;
  EXPECT_EQ(components_of(spectrum).size(), std::size_t(spectrum.periods)) << "no spreading: one direction";
  spectrum.spreading = 1000;
  for (auto const& component : components_of(spectrum)) EXPECT_NEAR(component.waves[0].direction, 1, 0.1);
}

Soundings on_a_plane(std::size_t count, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> unit(0, 1);
  Soundings soundings;
  for (std::size_t n = 0; n < count; ++n) {
    double const x = 1000 * unit(random), y = 300 * unit(random);
    soundings.points.push_back({x, y});
    soundings.values.push_back(10 + 0.02 * x - 0.01 * y);
  }
  return soundings;
}

TEST(WavesSoundings, PlanesAreExactBetweenAndTheNearestCountsOutside) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> unit(-0.2, 1.2);
  for (std::size_t count : {3u, 4u, 12u, 13u, 14u, 100u, 5000u}) {
    Soundings const soundings = on_a_plane(count, static_cast<unsigned>(count));
    ScatteredDepth const depth(soundings);
    int inside = 0, outside = 0;
    for (int n = 0; n < 400; ++n) {
      std::array const point{1000 * unit(random), 300 * unit(random)};
      auto const value = depth.at(point);
      std::size_t nearest = 0;
      double least = 1e300;
      for (std::size_t k = 0; k < count; ++k) {
        double const distance = std::hypot(soundings.points[k][0] - point[0], soundings.points[k][1] - point[1]);
        if (distance < least) least = distance, nearest = k;
      }
      EXPECT_NEAR(value.distance, least, 1e-9);
      if (value.outside) {
        ++outside;
        EXPECT_EQ(value.depth, soundings.values[nearest]);
        continue;
      }
      ++inside;
      // A plane fits the nearest twelve exactly, unless the value is limited to their range near the hull.
      auto const [low, high] = std::minmax_element(soundings.values.begin(), soundings.values.end());
      EXPECT_GE(value.depth, *low);
      EXPECT_LE(value.depth, *high);
      double const x = point[0], y = point[1];
      bool const interior = x > 100 && x < 900 && y > 50 && y < 250;
      if (interior && count >= 5000) {
        EXPECT_NEAR(value.depth, 10 + 0.02 * x - 0.01 * y, 1e-9);
      }
    }
    EXPECT_GT(outside, 20);
    if (count > 12) {
      EXPECT_GT(inside, 20);
    }
  }
}

TEST(WavesSoundings, ASoundingHasItsOwnValueAndLinesAreNoTrouble) {
  Soundings const soundings = on_a_plane(300, 1);
  ScatteredDepth const depth(soundings);
  for (std::size_t n = 0; n < 300; ++n) EXPECT_EQ(depth.at(soundings.points[n]).depth, soundings.values[n]);
  Soundings line;
  for (int n = 0; n < 40; ++n) {
    line.points.push_back({double(n), 2.0 * n});
    line.values.push_back(3 + n);
  }
  auto const beside = ScatteredDepth(line).at({10.2, 20.3});
  EXPECT_TRUE(beside.outside) << "a line has no inside";
  EXPECT_EQ(beside.depth, 13);
  auto const single = ScatteredDepth({{{5, 5}}, {7}}).at({100, 100});
  EXPECT_EQ(single.depth, 7);
  EXPECT_NEAR(single.distance, 95 * std::sqrt(2.0), 1e-12);
  ScatteredDepth const twice({{{0, 0}, {0, 0}, {1, 0}, {0, 1}}, {4, 4, 5, 6}});
  EXPECT_EQ(twice.at({0, 0}).depth, 4);
  EXPECT_TRUE(std::isfinite(twice.at({0.2, 0.2}).depth));
}

TEST(WavesSoundings, SpreadDoesNotMatterForTheTime) {
  // One sounding far away, half of them in one place, all of them on the convex hull.
  for (int kind = 0; kind < 3; ++kind) {
    auto const search = [&](std::size_t count) {
      Soundings soundings = on_a_plane(count, 5);
      if (kind == 0) soundings.points[0] = {1e9, 1e9};
      for (std::size_t n = 0; n < count; ++n) {
        double const angle = 2 * std::numbers::pi * static_cast<double>(n) / static_cast<double>(count);
        if (kind == 1 && n % 2 == 0) soundings.points[n] = {500, 150};
        if (kind == 2) soundings.points[n] = {500 + 700 * std::cos(angle), 150 + 700 * std::sin(angle)};
      }
      auto places = on_a_plane(count, 6).points;
      // A search from far inside a circle of soundings is long; here the sides of the hull count.
      for (std::size_t n = 0; kind == 2 && n < count; ++n) {
        double const angle = places[n][0];
        places[n] = {500 + 699.9 * std::cos(angle), 150 + 699.9 * std::sin(angle)};
      }
      ScatteredDepth const depth(soundings);
      for (auto const& place : places) EXPECT_TRUE(std::isfinite(depth.at(place).depth));
    };
    EXPECT_LT(growth_of_time(std::size_t{3000}, search), most_growth) << "kind " << kind;
  }
}

TEST(WavesSoundings, TheConvexHullIsFoundInItsSides) {
  // A box whose sides are vertical, with corners that rounding may pass.
  Soundings box;
  for (double const x : {0.1, 0.7}) {
    for (double const y : {0.3, 0.6, 0.9}) box.points.push_back({x, y}), box.values.push_back(1);
  }
  ScatteredDepth const depth(box);
  auto const outside = [&](double x, double y) { return depth.at({x, y}).outside; };
  EXPECT_FALSE(outside(0.1, 0.5));
  EXPECT_FALSE(outside(0.7, 0.5));
  EXPECT_FALSE(outside(0.4, 0.3));
  EXPECT_FALSE(outside(0.4, 0.9));
  EXPECT_FALSE(outside(0.1 - 1e-12, 0.9));
  EXPECT_FALSE(outside(0.7 + 1e-12, 0.3 - 1e-12));
  for (double const x : {0.1 - 1e-12, 0.1, 0.4, 0.7, 0.7 + 1e-12}) {
    EXPECT_TRUE(outside(x, 0.29)) << x;
    EXPECT_TRUE(outside(x, 0.91)) << x;
    EXPECT_TRUE(outside(x, 5)) << x;
  }
  for (double const y : {0.2, 0.3, 0.5, 0.9, 1.0}) {
    EXPECT_TRUE(outside(0.09, y)) << y;
    EXPECT_TRUE(outside(0.71, y)) << y;
  }
}

TEST(WavesGauges, ValuesAtPointsOfLinearFieldsAreExact) {
  MeshData const mesh = mesh_disc({10, 1.3, {3, 4}});
  app::PointFinder const finder(mesh);
  std::vector<double> field;
  for (auto const& node : mesh.nodes) field.push_back(2 * node[0] - 3 * node[1] + 1);
  std::mt19937 random(3);
  std::uniform_real_distribution<double> unit(-1, 1);
  int found = 0;
  for (int n = 0; n < 2000; ++n) {
    double const x = 3 + 11 * unit(random), y = 4 + 11 * unit(random);
    auto const place = finder.find(x, y);
    // The rim is a polygon of edges of 1.3 m: it lies less than 0.03 m inside the circle.
    double const radius = std::hypot(x - 3, y - 4);
    if (radius < 9.97) {
      ASSERT_TRUE(place) << x << ' ' << y;
    }
    if (radius > 10) {
      EXPECT_FALSE(place);
    }
    if (!place) continue;
    ++found;
    EXPECT_NEAR(app::value_at(mesh, *place, field), 2 * x - 3 * y + 1, 1e-12);
  }
  EXPECT_GT(found, 1000);
  for (std::size_t n = 0; n < mesh.nodes.size(); ++n) {
    auto const place = finder.find(mesh.nodes[n][0], mesh.nodes[n][1]);
    ASSERT_TRUE(place) << "a node of the rim is inside";
    EXPECT_NEAR(app::value_at(mesh, *place, field), field[n], 1e-12);
  }
}

TEST_F(WavesCase, TheExampleIsValid) { EXPECT_EQ(refusal(std::string(example())), "accepted"); }

TEST_F(WavesCase, ReadsEveryOption) {
  WaveCase const wave_case = read(karman::test::small_wave_case);
  WaveProblem const& problem = wave_case.problem;
  EXPECT_EQ(problem.mesh.nodes.size(), 21u * 11u);
  for (double depth : problem.depth) EXPECT_EQ(depth, 3.5);
  ASSERT_EQ(problem.boundaries.size(), 4u);
  EXPECT_EQ(problem.boundaries.at(4).kind, BoundaryKind::incident);
  EXPECT_EQ(problem.boundaries.at(2).kind, BoundaryKind::open);
  WaveBoundary const& south = problem.boundaries.at(1);
  EXPECT_EQ(south.kind, BoundaryKind::reflecting);
  EXPECT_EQ(south.reflection, 0.9);
  EXPECT_DOUBLE_EQ(south.phase, 10 * degree);
  EXPECT_FALSE(south.unknown_angle);
  EXPECT_DOUBLE_EQ(south.angle, 80 * degree);
  EXPECT_TRUE(problem.boundaries.at(3).unknown_angle);
  EXPECT_TRUE(problem.refraction.parallel_contours && problem.extended);
  EXPECT_EQ(problem.refraction.depth, 3.5);
  EXPECT_EQ(problem.dissipation.friction, FrictionLaw::quadratic);
  EXPECT_EQ(problem.dissipation.breaking, BreakingLaw::dally);
  ASSERT_TRUE(problem.linear.method);
  EXPECT_TRUE(std::holds_alternative<DirectMethod>(*problem.linear.method));
  EXPECT_EQ(problem.picard.relaxation, 0.8);
  ASSERT_EQ(wave_case.components.size(), 1u);
  EXPECT_EQ(wave_case.components[0].period, 6);
  EXPECT_DOUBLE_EQ(wave_case.components[0].waves[0].amplitude, 0.25);
  EXPECT_DOUBLE_EQ(wave_case.components[0].waves[0].phase, 30 * degree);
  ASSERT_EQ(wave_case.gauges.size(), 2u);
  EXPECT_EQ(wave_case.gauges[1].name, "end");
  EXPECT_EQ(wave_case.sections.at(0).places.size(), 21u);
  EXPECT_EQ(wave_case.outputs.animation_frames, 6);
}

TEST_F(WavesCase, TheLibraryOfTheDirectSolverMustBeInTheBuild) {
  constexpr std::pair<char const*, DirectLibrary> libraries[] = {
      {"mumps", DirectLibrary::mumps}, {"umfpack", DirectLibrary::umfpack}, {"superlu", DirectLibrary::superlu}};
  for (auto const& [word, library] : libraries) {
    std::string const set = std::string("/solver/library=") + word;
    if (has_library(library)) {
      EXPECT_EQ(read(karman::test::small_wave_case, {set}).problem.linear.library, library);
    } else {
      EXPECT_NE(refusal(karman::test::small_wave_case, {set}).find("/solver/library"), std::string::npos) << word;
    }
  }
  EXPECT_NE(refusal(karman::test::small_wave_case, {"/solver/library=pastix"}).find("/solver/library"),
            std::string::npos);
}

TEST_F(WavesCase, NauticalDirectionsAndInterferingWaves) {
  WaveCase const wave_case = read(karman::test::small_wave_cases().at(1));
  ASSERT_EQ(wave_case.components.size(), 2u) << "the two of 6 s interfere";
  ASSERT_EQ(wave_case.components[0].waves.size(), 2u);
  EXPECT_NEAR(wave_case.components[0].waves[0].direction, 0, epsilon) << "from the west: to the east";
  EXPECT_DOUBLE_EQ(wave_case.components[0].waves[1].direction, 20 * degree);
  EXPECT_DOUBLE_EQ(wave_case.components[0].height, std::hypot(0.5, 0.2));
  EXPECT_NEAR(wave_case.components[1].waves[0].direction, -10 * degree, epsilon);
  EXPECT_EQ(read(karman::test::small_wave_cases().at(1), {"/waves/coherent=false"}).components.size(), 3u);
}

TEST_F(WavesCase, DirectionsAreNauticalUnlessTheConventionIsTravel) {
  std::string const text = karman::test::small_wave_case;
  EXPECT_DOUBLE_EQ(read(text).components[0].waves[0].direction, 5 * degree);
  EXPECT_EQ(
      read(text).directions,
      "direction 265 degrees, nautical: where the waves come from, clockwise from north (+y); toward 5 degrees from "
      "+x");
  WaveCase const travel = read(text, {"/waves/convention=travel", "/waves/direction=5"});
  EXPECT_DOUBLE_EQ(travel.components[0].waves[0].direction, 5 * degree);
  EXPECT_EQ(travel.directions,
            "direction 5 degrees, travel: where the waves travel to, anticlockwise from +x; toward 5 degrees from +x");
  EXPECT_EQ(read(karman::test::small_wave_cases().at(1)).directions,
            "directions are nautical: where the waves come from, clockwise from north (+y)");
}

TEST_F(WavesCase, WavesThatOnlyLeaveAreRefused) {
  std::string const text = karman::test::small_wave_case;  // the sea is in the west
  for (char const* direction : {"90", "0", "180", "45"}) {
    std::string const message = refusal(text, {std::string("/waves/direction=") + direction});
    EXPECT_NE(message.find("/waves/direction"), std::string::npos) << direction << ": " << message;
    EXPECT_NE(message.find("found only outgoing waves"), std::string::npos) << message;
    EXPECT_NE(message.find("perpendicular entry is 270 degrees"), std::string::npos) << message;
  }
  EXPECT_EQ(refusal(text, {"/waves/direction=359"}), "accepted") << "one degree off the boundary";
  EXPECT_EQ(refusal(text, {"/waves/direction=181"}), "accepted");
  EXPECT_NE(
      refusal(text, {"/waves/convention=travel", "/waves/direction=180"}).find("perpendicular entry is 0 degrees"),
      std::string::npos);
  // Waves turn over parallel contours: the direction at the boundary counts, never that beyond the contours.
  EXPECT_NE(refusal(text, {"/waves/refraction/depth=100", "/waves/direction=90"}).find("found only outgoing waves"),
            std::string::npos);
  EXPECT_EQ(refusal(text, {"/waves/refraction/depth=100", "/waves/direction=350"}), "accepted");
  // A boundary all around always lets waves in. Of several waves one that enters is enough; the others are reported.
  EXPECT_EQ(refusal(karman::test::small_wave_cases().at(2), {"/waves/direction=17"}), "accepted");
  auto const mixed = [&](char const* other) {
    return std::string(R"(/waves={"kind": "list", "waves": [{"period": 6, "height": 1, "direction": 90},
      {"period": 6, "height": 1, "direction": )") +
           other + "}]}";
  };
  EXPECT_NE(refusal(text, {mixed("80")}).find("/waves/waves"), std::string::npos);
  WaveCase const both = read(text, {mixed("280")});
  ASSERT_FALSE(both.remarks.empty());
  EXPECT_EQ(both.remarks.back(),
            "1 of 2 components enter through no incident boundary and carry no energy in (50 % of the energy); "
            "perpendicular entry is 270 "
            "degrees");
}

TEST_F(WavesCase, AScanEndsWhereItShouldAndACoastMirrors) {
  std::string const text = karman::test::small_wave_cases().at(3);
  WaveCase const scan = read(text);
  ASSERT_EQ(scan.components.size(), 4u);
  EXPECT_EQ(scan.components[0].period, 8);
  EXPECT_DOUBLE_EQ(scan.components[1].period, 12);
  EXPECT_EQ(scan.components[3].period, 20);
  WaveCase const by_frequency = read(text, {"/waves/spacing=frequency"});
  EXPECT_NEAR(1 / by_frequency.components[1].period, 1 / 8.0 + (1 / 20.0 - 1 / 8.0) / 3, 1e-15);
  EXPECT_EQ(by_frequency.components[3].period, 20);
  // 180 degrees, mirrored at the y axis: 0. Heights are relative to the arriving wave alone.
  ASSERT_EQ(scan.components[0].waves.size(), 2u);
  EXPECT_NEAR(std::cos(scan.components[0].waves[1].direction), 1, epsilon);
  EXPECT_EQ(scan.components[0].height, 0.1);
}

TEST_F(WavesCase, DepthsOfEveryKind) {
  karman::test::write_small_files(folder_);
  auto const cases = karman::test::small_wave_cases();
  auto const largest_error = [](WaveCase const& wave_case) {
    double largest = 0;
    for (std::size_t n = 0; n < wave_case.problem.depth.size(); ++n) {
      auto const& node = wave_case.problem.mesh.nodes[n];
      largest = std::max(largest, std::abs(wave_case.problem.depth[n] - karman::test::small_depth(node[0], node[1])));
    }
    return largest;
  };
  EXPECT_LT(largest_error(read(cases[7])), 1e-12);
  EXPECT_EQ(largest_error(read(cases[8])), 0);
  EXPECT_LT(largest_error(read(cases[8], {"/bathymetry/depth/dataset=/narrow"})), 3 * 1e-7);
  for (double depth : read(cases[8], {"/bathymetry/depth/dataset=/triangles", "/bathymetry/tide=0.25"}).problem.depth)
    EXPECT_NEAR(depth, 3.25, 1e-14);
  WaveCase const raised = read(cases[7], {"/bathymetry/least_depth=2.5"});
  EXPECT_EQ(*std::min_element(raised.problem.depth.begin(), raised.problem.depth.end()), 2.5);
  ASSERT_EQ(raised.remarks.size(), 2u);
  EXPECT_NE(raised.remarks[1].find("raised to the least depth"), std::string::npos) << raised.remarks[1];
  WaveCase const feet = read(cases[7], {"/mesh/unit=0.3048"});
  EXPECT_NEAR(feet.problem.mesh.nodes.back()[0], 20 * 0.3048, 1e-12);
  EXPECT_NEAR(*std::max_element(feet.problem.depth.begin(), feet.problem.depth.end()),
              karman::test::small_depth(20, 10), 1e-12)
      << "soundings are in the coordinates of the mesh file";
}

TEST_F(WavesCase, DepthsComeFromFilesOfOtherPrograms) {
  MeshData const mesh = mesh_rectangle({.low = {0, 0}, .high = {20, 10}, .size = 5});
  std::vector<double> depth(mesh.nodes.size()), bottom(mesh.nodes.size());
  for (std::size_t n = 0; n < depth.size(); ++n) {
    depth[n] = karman::test::small_depth(mesh.nodes[n][0], mesh.nodes[n][1]);
    bottom[n] = -depth[n];
  }
  std::vector<double> const other(mesh.nodes.size(), 7), by_triangle(mesh.triangles.size(), 3);
  write_mesh(folder_ / "bay.slf", mesh, {{"BOTTOM FRICTION", 1, other}, {"BOTTOM", 1, bottom}});
  write_mesh(folder_ / "sea.slf", mesh, {{"WATER DEPTH", 1, depth}, {"BOTTOM", 1, other}});
  {
    std::ofstream grid(folder_ / "bay.14");
    grid << "a bay\n" << mesh.triangles.size() << ' ' << mesh.nodes.size() << '\n' << std::setprecision(17);
    for (std::size_t n = 0; n < depth.size(); ++n)
      grid << n + 1 << ' ' << mesh.nodes[n][0] << ' ' << mesh.nodes[n][1] << ' ' << depth[n] << '\n';
    for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
      auto const& [a, b, c] = mesh.triangles[t];
      grid << t + 1 << " 3 " << a + 1 << ' ' << b + 1 << ' ' << c + 1 << '\n';
    }
    std::ofstream sol(folder_ / "bay.sol");
    sol << "MeshVersionFormatted 2\nDimension 2\nSolAtTriangles\n" << by_triangle.size() << "\n1 1\n";
    for (double const value : by_triangle) sol << value << '\n';
    sol << "End\n";
  }
  auto const text = [](std::string const& file, std::string const& values, std::string const& more = "") {
    return R"({ "mesh": { "kind": "file", "file": ")" + file + R"(", "merge": )" +
           (more == "merge" ? "true" : "false") + R"( }, "bathymetry": { "depth": { "kind": "file", "file": ")" +
           values + "\"" + (more == "merge" ? "" : more) +
           R"( } }, "boundaries": { "others": { "kind": "incident" } },
             "waves": { "kind": "regular", "period": 6, "height": 1, "direction": 270 } })";
  };
  EXPECT_EQ(read(text("bay.slf", "bay.slf", R"(, "positive": "up")")).problem.depth, depth);
  EXPECT_NE(refusal(text("bay.slf", "bay.slf")).find("expected \"up\" for the field BOTTOM of TELEMAC"),
            std::string::npos)
      << refusal(text("bay.slf", "bay.slf"));
  EXPECT_EQ(read(text("bay.slf", "sea.slf")).problem.depth, depth);
  EXPECT_EQ(read(text("bay.slf", "sea.slf", R"(, "dataset": "/BOTTOM", "positive": "up")"), {"/bathymetry/tide=10"})
                .problem.depth,
            std::vector<double>(depth.size(), 3));
  EXPECT_EQ(read(text("bay.slf", "sea.slf", R"(, "dataset": "BOTTOM", "positive": "up")"), {"/bathymetry/tide=10"})
                .problem.depth,
            std::vector<double>(depth.size(), 3));
  for (char const* bed : {R"(, "dataset": "BED")", R"(, "dataset": "/BED")"}) {
    std::string const message = refusal(text("bay.slf", "sea.slf", bed));
    EXPECT_NE(message.find("expected a field of"), std::string::npos) << message;
    EXPECT_NE(message.find("BOTTOM"), std::string::npos) << message;
  }
  EXPECT_EQ(read(text("bay.14", "bay.14")).problem.depth, depth);
  WaveCase const averaged = read(text("bay.14", "bay.sol"));
  for (double const value : averaged.problem.depth) EXPECT_NEAR(value, 3, 1e-14);
  EXPECT_EQ(averaged.remarks.back(), "depth: triangle values averaged to the nodes by area");
  WaveCase const fine = read(text("bay.14", "bay.sol"), {"/mesh/refine=2"});
  ASSERT_GT(fine.problem.depth.size(), 4 * averaged.problem.depth.size());
  for (double const value : fine.problem.depth) EXPECT_NEAR(value, 3, 1e-14);
  EXPECT_NE(refusal(text("bay.14", "bay.14", "merge")).find("/mesh/merge: true: expected false: values of a file"),
            std::string::npos);
  auto const& list = averaged.boundary_list;
  ASSERT_EQ(list.size(), 1u);
  EXPECT_EQ(list[0].rfind(
                "boundary    unnamed: 12 edges, 60 m, incident; not listed in the file, the first at (x, y) = (", 0),
            0u)
      << list[0];
}

TEST_F(WavesCase, PlacesOnAMapHaveTheirMetres) {
  std::string const text = R"json({
    "mesh": { "kind": "rectangle", "low": [1748000, 5427000], "high": [1748040, 5427020], "size": 5 },
    "bathymetry": { "depth": 3 },
    "boundaries": { "west": { "kind": "incident" }, "east": { "kind": "open" }, "south": { "kind": "reflecting" } },
    "waves": { "kind": "regular", "period": 2, "height": 0.5, "direction": 270 },
    "gauges": [{ "name": "a", "at": [20, 10] }]
  })json";
  std::string const message = refusal(text);
  // Edges of 5 m: their middles lie 2.5 m from a node.
  EXPECT_NE(message.find("missing: north (8 edges, the first at (x, y) = (1748037.5, 5427020))"), std::string::npos)
      << message;
  WaveCase const good = read(text, {"/boundaries/others={\"kind\": \"reflecting\"}", "/gauges=[]"});
  std::string const off = refusal(text, {"/boundaries/others={\"kind\": \"reflecting\"}"});
  EXPECT_NE(off.find("a point of the mesh, which lies in (1748000, 5427000) to (1748040, 5427020)"), std::string::npos)
      << off;
  std::string const warning = mesh_warning(estimate(good, backend()));
  EXPECT_NE(warning.find("at (x, y) = (17480"), std::string::npos) << warning;
  EXPECT_NE(warning.find(", 54270"), std::string::npos) << warning;
}

TEST_F(WavesCase, DryNodesNameTheSignOfTheSurvey) {
  auto const dry = [&](std::string const& depth) {
    return refusal(R"json({ "mesh": { "kind": "rectangle", "low": [0, 0], "high": [20, 10], "size": 2 },
      "boundaries": { "others": { "kind": "incident" } }, "bathymetry": { "depth": )json" +
                   depth + R"json( }, "waves": { "kind": "regular", "period": 8, "height": 1, "direction": 0 } })json");
  };
  std::string const heights = "; set \"positive\": \"up\" if the file has heights";
  std::string const depths = "; leave \"positive\" out if the file has depths";
  std::ofstream(folder_ / "heights.xyz") << "0 0 -3\n20 0 -4\n20 10 -4\n0 10 -3\n";
  std::string const plain = R"({ "kind": "soundings", "file": "heights.xyz" })";
  EXPECT_NE(dry(plain).find("set /bathymetry/least_depth" + heights), std::string::npos) << dry(plain);
  EXPECT_EQ(dry(R"({ "kind": "soundings", "file": "heights.xyz", "positive": "up" })"), "accepted");
  std::ofstream(folder_ / "depths.xyz") << "0 0 3\n20 0 4\n20 10 4\n0 10 3\n";
  std::string const turned = R"({ "kind": "soundings", "file": "depths.xyz", "positive": "up" })";
  EXPECT_NE(dry(turned).find(depths), std::string::npos) << dry(turned);
  // Few dry nodes are a beach, and a formula has no sign to turn.
  std::ofstream(folder_ / "beach.xyz") << "0 0 -0.2\n20 0 4\n20 10 4\n0 10 3\n";
  std::string const beach = dry(R"({ "kind": "soundings", "file": "beach.xyz" })");
  EXPECT_NE(beach.find("nodes are dry"), std::string::npos) << beach;
  EXPECT_EQ(beach.find("positive\""), std::string::npos) << beach;
  EXPECT_EQ(dry("-3").find("positive\""), std::string::npos) << dry("-3");
}

TEST_F(WavesCase, FindsTheResolutionOfTheMeanFrequency) {
  std::string const text = R"json({
    "mesh": { "kind": "rectangle", "low": [0, 0], "high": [20, 10], "size": 2 }, "bathymetry": { "depth": 2 },
    "boundaries": { "west": { "kind": "incident" }, "others": { "kind": "reflecting" } },
    "waves": { "kind": "period_scan", "from": 4, "to": 8, "count": 2, "height": 1, "direction": 270 }
  })json";
  double const wave_number = dispersion(2 * pi * (1.0 / 4 + 1.0 / 8) / 2, 2).wave_number;
  double const expected = 2 * pi / wave_number / (2 * std::sqrt(2.0));
  EXPECT_NEAR(read(text).problem.linear.nodes_per_wavelength, expected, 1e-9);
  EXPECT_NEAR(read(text, {"/mesh/refine=1"}).problem.linear.nodes_per_wavelength, 2 * expected, 1e-9);
  EXPECT_EQ(read(text, {"/solver/preconditioner=\"amg\""}).problem.linear.nodes_per_wavelength, 0) << "not needed";
}

TEST_F(WavesCase, RefinesTheMeshAndItsValues) {
  karman::test::write_small_files(folder_);
  auto const cases = karman::test::small_wave_cases();
  WaveCase const coarse = read(cases[8]), fine = read(cases[8], {"/mesh/refine=2"});
  MeshData const &before = coarse.problem.mesh, &after = fine.problem.mesh;
  EXPECT_EQ(after.triangles.size(), 16 * before.triangles.size());
  EXPECT_EQ(after.edges.size(), 4 * before.edges.size());
  EXPECT_EQ(after.boundary_names, before.boundary_names);
  EXPECT_EQ(fine.remarks.front(), "mesh: 861 nodes, after 2 refinements of 66");
  // Values of a file, which belong to the coarse mesh, are linear between its nodes.
  auto const expect_plane = [](WaveCase const& wave_case, double tolerance) {
    for (std::size_t n = 0; n < wave_case.problem.depth.size(); ++n) {
      auto const& node = wave_case.problem.mesh.nodes[n];
      EXPECT_NEAR(wave_case.problem.depth[n], karman::test::small_depth(node[0], node[1]), tolerance);
    }
  };
  expect_plane(fine, 1e-14);
  for (double value : fine.problem.dissipation.friction_at_nodes) EXPECT_DOUBLE_EQ(value, 0.02);
  for (double depth : read(cases[8], {"/bathymetry/depth/dataset=/triangles", "/mesh/refine=1"}).problem.depth)
    EXPECT_NEAR(depth, 3, 1e-14);
  // Soundings and formulas are evaluated at the new nodes.
  expect_plane(read(cases[7], {"/mesh/refine=1"}), 1e-12);
  WaveCase const formula = read(cases[0], {"/mesh/refine=1", "/bathymetry/depth=3 + 0.01 * x^2", "/bathymetry/tide=0"});
  EXPECT_EQ(formula.problem.mesh.nodes.size(), 861u);
  for (std::size_t n = 0; n < formula.problem.depth.size(); ++n)
    EXPECT_NEAR(formula.problem.depth[n], 3 + 0.01 * std::pow(formula.problem.mesh.nodes[n][0], 2), 1e-12);
  // Regions pass to the parts of their triangles.
  WaveCase const regions = read(cases[9], {"/mesh/refine=1"});
  for (std::size_t n = 0; n < regions.problem.depth.size(); ++n) {
    double const x = regions.problem.mesh.nodes[n][0], value = regions.problem.dissipation.friction_at_nodes[n];
    if (x != 10) {
      EXPECT_DOUBLE_EQ(value, x > 10 ? 0.04 : 0.01);
    }
  }
  EXPECT_EQ(estimate(fine, backend()).nodes, 861);
}

TEST_F(WavesCase, FrictionOfEveryKind) {
  karman::test::write_small_files(folder_);
  auto const cases = karman::test::small_wave_cases();
  auto const friction = [](WaveCase const& wave_case) { return wave_case.problem.dissipation; };
  EXPECT_EQ(friction(read(cases[0])).coefficient, 0.05);
  EXPECT_TRUE(friction(read(cases[0])).friction_at_nodes.empty());
  FrictionLaw const laws[] = {FrictionLaw::linear, FrictionLaw::quadratic, FrictionLaw::rough};
  for (std::size_t law = 0; law < 3; ++law) {
    WaveCase const wave_case = read(cases[9 + law]);
    EXPECT_EQ(friction(wave_case).friction, laws[law]);
    auto const values = friction(wave_case).friction_at_nodes;
    ASSERT_EQ(values.size(), wave_case.problem.depth.size());
    for (std::size_t n = 0; n < values.size(); ++n) {
      double const x = wave_case.problem.mesh.nodes[n][0];
      // Between the two where the regions meet.
      if (x == 10) EXPECT_TRUE(values[n] > 0.01 && values[n] < 0.04) << values[n];
      else EXPECT_DOUBLE_EQ(values[n], x > 10 ? 0.04 : 0.01);
    }
  }
  for (std::size_t n : {7u, 8u, 12u})
    for (double value : friction(read(cases[n])).friction_at_nodes) EXPECT_EQ(value, 0.02);
  WaveCase const formula = read(cases[0], {"/friction/coefficient=0.01 + 0.001 * x"});
  for (std::size_t n = 0; n < formula.problem.depth.size(); ++n)
    EXPECT_DOUBLE_EQ(friction(formula).friction_at_nodes[n], 0.01 + 0.001 * formula.problem.mesh.nodes[n][0]);
  WaveCase const averaged = read(
      cases[7], {R"(/friction={"kind":"linear","rate":{"kind":"file","file":"depth.h5","dataset":"/triangles"}})"});
  for (double value : friction(averaged).friction_at_nodes) EXPECT_NEAR(value, 3, 1e-14);
  EXPECT_EQ(averaged.remarks.back(), "friction: triangle values averaged to the nodes by area");
}

TEST_F(WavesCase, ComponentsAreFoundTogetherWhereTheirLossesAreThoseOfTheSum) {
  auto const cases = karman::test::small_wave_cases();
  WaveCase const sea = read(cases[2]);
  EXPECT_TRUE(found_together(sea)) << "a spectrum over a rough bed";
  EXPECT_FALSE(found_together(read(cases[2], {R"(/friction={"kind":"none"})", R"(/breaking={"kind":"none"})"})));
  EXPECT_FALSE(found_together(read(cases[2], {"/waves/periods=1", "/waves/directions=1"}))) << "one component";
  EXPECT_FALSE(found_together(read(cases[1]))) << "a list with linear friction";
  EXPECT_TRUE(found_together(read(cases[1], {R"(/friction={"kind":"quadratic","coefficient":0.01})"})));
  EXPECT_FALSE(found_together(read(cases[0]))) << "one wave";
  EXPECT_FALSE(found_together(read(cases[3], {R"(/friction={"kind":"quadratic","coefficient":0.01})"})))
      << "the waves of a scan are not at sea together";
  // Each keeps its elevation and its friction, and there are sums.
  WaveCase const single = read(cases[2], {"/waves/periods=1", "/waves/directions=1"});
  EXPECT_GT(estimate(sea, backend()).device_bytes,
            estimate(single, backend()).device_bytes + estimate(sea, backend()).nodes * 6 * 24);
}

TEST_F(WavesCase, CoordinatesOnTheGlobeBecomeTrueLengths) {
  // A square of a hundredth of a degree near Lyttelton, at 43.6 degrees south.
  MeshData mesh = mesh_rectangle({{172.71, -43.605}, {172.72, -43.595}, 0.005, DiagonalPattern::right});
  write_mesh(folder_ / "globe.msh", mesh);
  std::string const text = R"json({
    "mesh": { "kind": "file", "file": "globe.msh", "coordinates": "geographic" },
    "bathymetry": { "depth": 10 },
    "boundaries": { "others": { "kind": "incident" } },
    "waves": { "kind": "regular", "period": 10, "height": 1, "direction": 270 }
  })json";
  auto const sides = [](WaveCase const& wave_case) {
    auto low = wave_case.problem.mesh.nodes.front(), high = low;
    for (auto const& node : wave_case.problem.mesh.nodes) {
      for (std::size_t axis = 0; axis < 2; ++axis) {
        low[axis] = std::min(low[axis], node[axis]);
        high[axis] = std::max(high[axis], node[axis]);
      }
    }
    return std::array{high[0] - low[0], high[1] - low[1]};
  };
  auto const geographic = sides(read(text));
  double const meridian = 0.01 * degree * 6371009;
  EXPECT_NEAR(geographic[1], meridian, 1e-6);
  EXPECT_NEAR(geographic[0], meridian * std::cos(43.6 * degree), 1e-6);
  // The same square in web Mercator metres, in which it is 1.38 times too large.
  for (auto& node : mesh.nodes) {
    node = {6378137 * node[0] * degree, 6378137 * std::log(std::tan(pi / 4 + 0.5 * node[1] * degree))};
  }
  write_mesh(folder_ / "mercator.msh", mesh);
  auto const mercator = sides(read(text, {"/mesh/file=mercator.msh", "/mesh/coordinates=mercator"}));
  EXPECT_NEAR(mercator[0], geographic[0], 1e-5);
  EXPECT_NEAR(mercator[1], geographic[1], 1e-5);
  EXPECT_NE(refusal(text, {"/mesh/file=mercator.msh"}).find("/mesh/coordinates"), std::string::npos);
  // Ten degrees of latitude do not fit on a plane.
  write_mesh(folder_ / "ocean.msh", mesh_rectangle({{0, 40}, {10, 50}, 5, DiagonalPattern::right}));
  EXPECT_NE(refusal(text, {"/mesh/file=ocean.msh"}).find("distort lengths"), std::string::npos);
}

TEST_F(WavesCase, EstimatesCountWhatTheSolverNeeds) {
  auto const need = [&](std::vector<std::string> const& more) {
    return estimate(read(karman::test::small_wave_case, more), backend());
  };
  WaveEstimate const short_cycle = need({"/solver/method=gmres", "/solver/restart=20"});
  WaveEstimate const long_cycle = need({"/solver/method=gmres", "/solver/restart=120"});
  // A vector per step, and the sums of both projections, quadratic in the steps, with their copy for the host; partial
  // sums come to less than the vectors. workspace_bytes_test compares with the allocations.
  std::int64_t const vectors = 100 * 231 * 16, projected = 2 * 2 * (120 * 120 - 20 * 20) * 16;
  EXPECT_GE(long_cycle.device_bytes - short_cycle.device_bytes, vectors + projected);
  EXPECT_LT(long_cycle.device_bytes - short_cycle.device_bytes, 2 * vectors + projected);
  WaveEstimate const iterative = need({"/solver/method=cocg", "/solver/preconditioner=jacobi"});
  EXPECT_LT(iterative.device_bytes, short_cycle.device_bytes);
  // At least a full row of each factor, value and column: seven entries, and their fill.
  EXPECT_GT(need({"/solver/method=direct"}).host_bytes - iterative.host_bytes, 231 * 2 * 7 * (16 + 4));
  EXPECT_GT(need({"/solver/method=cocg", "/solver/preconditioner=ssor"}).device_bytes, iterative.device_bytes);
}

TEST_F(WavesCase, EstimatesSayHowManyNodesAWavelengthHas) {
  // T = 8 s over 3.5 m: squares of 2 m, whose diagonals are the longest edges. A wave of 6 s is 32.8 m long there.
  WaveEstimate const need = estimate(read(karman::test::small_wave_case), backend());
  EXPECT_EQ(need.nodes, 231);
  EXPECT_EQ(need.triangles, 400);
  double const omega = 2 * pi / 6;
  double k = omega / std::sqrt(9.81 * 3.5);
  for (int n = 0; n < 100; ++n) k = omega * omega / (9.81 * std::tanh(3.5 * k));
  EXPECT_NEAR(need.nodes_per_wavelength, 2 * pi / k / std::sqrt(8.0), 1e-6);
  EXPECT_TRUE(mesh_warning(need).empty());
  WaveEstimate const coarse = estimate(read(karman::test::small_wave_case, {"/mesh/size=5"}), backend());
  EXPECT_NE(mesh_warning(coarse).find("nodes per wavelength"), std::string::npos);
}

}  // namespace waves_case_test
