// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The elliptic shoal of Berkhoff, Booy and Radder (1982) on a slope of 1:50, waves of 1 s and 0.0464 m: the best known
// test of combined refraction and diffraction. In the measurements, the waves behind the shoal are 2.2 times as high as
// the incident ones. The shipped case contains the heights measured along eight sections.
#include "apps/waves/waves_support.hpp"
#include "common/mesh/point_finder.hpp"
#include "waves/case/wave_case.hpp"
#include <karman/io/config.hpp>

#include <fstream>
#include <map>

namespace wave_shoal_test {

using namespace karman;
using namespace karman::waves;
using namespace karman::waves::test;

constexpr double height = 0.0464;

/// Along and across the slope, which is turned by 20 degrees from the waves.
double depth_at(double x, double y) {
  double const along = x * std::cos(degrees(20)) - y * std::sin(degrees(20));
  double const across = x * std::sin(degrees(20)) + y * std::cos(degrees(20));
  double depth = along < -5.82 ? 0.45 : 0.45 - 0.02 * (5.82 + along);
  if (std::pow(along / 3, 2) + std::pow(across / 4, 2) <= 1)
    depth -= 0.5 * std::sqrt(1 - std::pow(along / 3.75, 2) - std::pow(across / 5, 2)) - 0.3;
  return std::max(depth, 0.1);
}

class Shoal {
 public:
  explicit Shoal(double size) {
    RectangleMesh shape;
    shape.low = {-10, -10};
    shape.high = {12, 10};
    shape.size = size;
    problem = even_bed(mesh_rectangle(shape), 1);
    for (std::size_t n = 0; n < problem.depth.size(); ++n)
      problem.depth[n] = depth_at(problem.mesh.nodes[n][0], problem.mesh.nodes[n][1]);
    problem.boundaries[west].kind = BoundaryKind::incident;
    problem.boundaries[east].kind = BoundaryKind::open;
  }
  WaveState run() const { return solve(problem, 1, {{height / 2}}); }

  /// The largest height over the incident one, and where.
  struct Peak {
    double value = 0, x = 0, y = 0;
  };
  Peak peak(WaveState const& state) const {
    Peak best;
    for (std::size_t n = 0; n < problem.depth.size(); ++n) {
      auto const& x = problem.mesh.nodes[n];
      if (state.height[n] / height > best.value) best = {state.height[n] / height, x[0], x[1]};
    }
    return best;
  }
  double at(WaveState const& state, double x, double y) const { return state.height[nearest(problem, x, y)] / height; }

  WaveProblem problem;
};

/// Deviation of heights along a section from the measured ones.
struct Agreement {
  double rms = 0;         ///< of the difference of H / H incident
  double index = 0;       ///< of agreement (Willmott 1981): 1 when equal, 0 for none
  double difference = 0;  ///< of the largest values
};

/// By the number of the section: places and heights of the shipped case.
std::map<int, Agreement> agreement(Shoal const& shoal, WaveState const& state) {
  std::map<int, Agreement> result;
  Case const shipped = Case::load(KARMAN_SHOAL_CASE, schema());
  app::PointFinder const finder(shoal.problem.mesh);
  for (std::size_t n = 0; n < shipped.size("/sections"); ++n) {
    std::string const section = "/sections/" + std::to_string(n);
    auto const from = shipped.get<std::array<double, 2>>(section + "/from");
    auto const to = shipped.get<std::array<double, 2>>(section + "/to");
    double const length = std::hypot(to[0] - from[0], to[1] - from[1]);
    std::vector<double> measured, found;
    for (std::size_t k = 0; k < shipped.size(section + "/measured/points"); ++k) {
      auto const point = shipped.get<std::array<double, 2>>(section + "/measured/points/" + std::to_string(k));
      double const share = point[0] / length;
      auto const place = finder.find(from[0] + share * (to[0] - from[0]), from[1] + share * (to[1] - from[1]));
      EXPECT_TRUE(place) << section;
      if (!place) continue;
      measured.push_back(point[1]);
      found.push_back(app::value_at(shoal.problem.mesh, *place, state.height) / height);
    }
    double mean = 0, squares = 0, spread = 0;
    for (double const value : measured) mean += value / static_cast<double>(measured.size());
    for (std::size_t k = 0; k < measured.size(); ++k) {
      squares += std::pow(found[k] - measured[k], 2);
      spread += std::pow(std::fabs(found[k] - mean) + std::fabs(measured[k] - mean), 2);
    }
    result[static_cast<int>(n) + 1] = {
        std::sqrt(squares / static_cast<double>(measured.size())), 1 - squares / spread,
        *std::max_element(found.begin(), found.end()) - *std::max_element(measured.begin(), measured.end())};
  }
  return result;
}

/// Sections across the waves at x = 3, 5, 9 and along them at y = 0, for a picture: kind, position, height ratio.
void record(Shoal const& shoal, WaveState const& state, char const* file) {
  std::ofstream out(file);
  out << "section,position,height_ratio\n";
  for (int x : {1, 3, 5, 7, 9})
    for (int n = -50; n <= 50; ++n) out << "x=" << x << ',' << 0.1 * n << ',' << shoal.at(state, x, 0.1 * n) << '\n';
  for (int y : {-2, 0, 2})
    for (int n = 0; n <= 100; ++n) out << "y=" << y << ',' << 0.1 * n << ',' << shoal.at(state, 0.1 * n, y) << '\n';
  EXPECT_TRUE(out.flush());
}

TEST(WaveShoal, HigherWavesThatAreLongerFocusAsMeasured) {
  Shoal shoal(0.1);
  shoal.problem.extended = true;
  shoal.problem.amplitude_dispersion = true;
  shoal.problem.picard.relaxation = 0.5;
  WaveState const state = shoal.run();
  Shoal::Peak const peak = shoal.peak(state);
  EXPECT_NEAR(peak.value, 2.2, 0.05 * 2.2);
  EXPECT_NEAR(peak.y, 0, 0.5);
  EXPECT_GT(peak.x, 4);
  EXPECT_LT(peak.x, 7);
  EXPECT_LT(std::fabs(state.energy.imbalance), 1e-6);
  // Shape behind the shoal: a crest between two troughs and two lower crests, a little to one side as the slope is
  // turned.
  EXPECT_NEAR(shoal.at(state, 5, 0), 2.1, 0.15);
  for (double const y : {-1.5, 1.0}) EXPECT_LT(shoal.at(state, 5, y), 0.7) << y;
  EXPECT_GT(shoal.at(state, 9, -0.5), 1.5);
  for (double const y : {-2.4, 1.0}) EXPECT_LT(shoal.at(state, 9, y), 0.6) << y;
  for (double const y : {-3.0, 2.0}) EXPECT_NEAR(shoal.at(state, 9, y), 0.95, 0.15) << y;
  record(shoal, state, "shoal_sections.csv");

  // With the same dispersion a wide-angle parabolic model (the open code Fluidisim) differs from the measurements by
  // 0.090, 0.106, 0.091 and 0.101 (rms) on sections 2, 3, 5 and 7; the measurements themselves, read off the paper
  // twice (FUNWAVE-TVD, Basilisk), by up to 0.045.
  auto const measured = agreement(shoal, state);
  ASSERT_EQ(measured.size(), 8u);
  for (auto const& [section, found] : measured) {
    RecordProperty("rms_" + std::to_string(section), std::to_string(found.rms));
    RecordProperty("index_" + std::to_string(section), std::to_string(found.index));
    EXPECT_LT(found.rms, 0.106 + 0.045) << section;
    // Section 1 lies on the shoal and section 8 beside the focus: heights there hardly vary, which the index needs.
    if (section != 1 && section != 8) {
      EXPECT_GT(found.index, 0.94) << section;
    }
  }
  // The crest has the measured place and height.
  for (int const section : {3, 4, 5, 7}) EXPECT_LT(std::fabs(measured.at(section).difference), 0.1) << section;
}

TEST(WaveShoal, TheLinearEquationFocusesMore) {
  // Its own limit on finer and finer meshes, with and without the terms of the slope. A finite-element model of the
  // same equation (ARTEMIS) reports 2.27 for nearly the same case on 7.5 nodes per wave.
  double peaks[2][2];
  for (bool const extended : {false, true}) {
    for (int level = 0; level < 2; ++level) {
      Shoal shoal(level == 0 ? 0.125 : 0.0625 * 1.25);
      shoal.problem.extended = extended;
      WaveState const state = shoal.run();
      peaks[extended][level] = shoal.peak(state).value;
      EXPECT_NEAR(shoal.peak(state).x, 4.8, 0.5);
      if (!extended || level == 0) continue;
      record(shoal, state, "shoal_sections_linear.csv");
      // Farther from the measurements than with the dispersion by amplitude, most of all away from the shoal. The
      // linear parabolic model of the same code differs by 0.171, 0.161, 0.342 and 0.233 on sections 2, 3, 5 and 7.
      auto const measured = agreement(shoal, state);
      for (int const section : {4, 5, 6, 7}) EXPECT_GT(measured.at(section).rms, 0.2) << section;
      for (auto const& [section, found] : measured) {
        RecordProperty("linear_rms_" + std::to_string(section), std::to_string(found.rms));
        RecordProperty("linear_index_" + std::to_string(section), std::to_string(found.index));
        EXPECT_LT(found.rms, 0.342 + 0.045) << section;
      }
    }
    EXPECT_NEAR(peaks[extended][0], peaks[extended][1], 0.06);
    EXPECT_NEAR(peaks[extended][1], 2.54, 0.05);
  }
  // The bed is gentle: the terms change little.
  EXPECT_NEAR(peaks[0][1], peaks[1][1], 0.04);
}

}  // namespace wave_shoal_test
