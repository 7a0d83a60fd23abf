// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Spectra from files, and the surface over time.
#include "io/temporary_folder.hpp"
#include "small_spectra.hpp"
#include "small_wave_case.hpp"
#include "waves/case/boundary_codes.hpp"
#include "waves/case/file_spectrum.hpp"
#include "waves/case/wave_case.hpp"
#include "waves/output/surface_series.hpp"
#include <karman/io/config.hpp>
#include <karman/io/error.hpp>
#include <karman/io/mesh_files.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>
#include <set>

namespace waves_spectrum_test {

using namespace karman;
using namespace karman::waves;
using karman::test::put;
using std::numbers::pi;

constexpr double degree = pi / 180;

class WavesSpectrum : public ::testing::Test {
 protected:
  WavesSpectrum() { test::write_small_spectra(folder_.path()); }

  /// A case with waves through all sides.
  WaveCase read(std::string const& file, std::string const& more = "") const {
    std::string const waves =
        R"("waves": { "kind": "spectrum_file", "file": ")" + file + '"' + (more.empty() ? "" : ", " + more) + " }";
    return read_with(waves);
  }
  WaveCase read_with(std::string const& members) const {
    std::string const text =
        test::open_water(R"({ "kind": "rectangle", "low": [0, 0], "high": [40, 20], "size": 5 })", members);
    return read_wave_case(Case::parse(text, (folder_ / "case.json").string(), schema()));
  }
  std::string refusal(std::string const& file, std::string const& more = "") const {
    try {
      read(file, more);
    } catch (CaseError const& error) {
      return error.what();
    }
    return "accepted";
  }

  /// The remark that contains a text.
  static std::string remark(WaveCase const& wave_case, std::string const& words) {
    for (std::string const& line : wave_case.remarks) {
      if (line.find(words) != std::string::npos) return line;
    }
    return "no remark";
  }

  test::TemporaryFolder folder_;
};

double variance(std::vector<WaveComponent> const& components) {
  double sum = 0;
  for (WaveComponent const& c : components) sum += 0.5 * c.waves[0].amplitude * c.waves[0].amplitude;
  return sum;
}

/// Mean unit vector of travel, weighted with energy.
std::complex<double> mean_vector(std::vector<WaveComponent> const& components) {
  std::complex<double> sum;
  for (WaveComponent const& c : components)
    sum += std::polar(0.5 * c.waves[0].amplitude * c.waves[0].amplitude, c.waves[0].direction);
  return sum / variance(components);
}

bool has(std::string const& text, std::string const& part) { return text.find(part) != std::string::npos; }

TEST_F(WavesSpectrum, ATableOfSwanHasItsEnergyAndItsDirection) {
  // small.sp2: 0.04 m2/Hz/degr at 0.1 and 0.2 Hz from 270 degrees, bins of 30 degrees: m_0 = 0.1 x 0.04 x 30.
  WaveCase const wave_case = read("small.sp2", R"("periods": 4, "directions": 3)");
  ASSERT_EQ(wave_case.components.size(), 12u);
  double const m0 = 0.1 * 0.04 * 30;
  EXPECT_NEAR(variance(wave_case.components), m0, 1e-14);
  EXPECT_NEAR(significant_height(wave_case.components), 4 * std::sqrt(m0), 1e-14);
  for (WaveComponent const& c : wave_case.components) {
    EXPECT_NEAR(0.5 * c.waves[0].amplitude * c.waves[0].amplitude, m0 / 12, 1e-15);
    EXPECT_LE(std::abs(std::remainder(c.waves[0].direction, 2 * pi)), 15 * degree) << "from the west, to +x";
    EXPECT_EQ(c.height, 2 * c.waves[0].amplitude);
  }
  // The density is constant over the frequency: the middles of four equal bands, the longest wave first.
  for (int band = 0; band < 4; ++band)
    EXPECT_NEAR(1 / wave_case.components[static_cast<std::size_t>(3 * band)].period, 0.1 + 0.1 * (band + 0.5) / 4,
                1e-14);
  // A third of a bin of 30 degrees each.
  EXPECT_NEAR(std::remainder(wave_case.components[0].waves[0].direction, 2 * pi), -10 * degree, 1e-12);
  EXPECT_NEAR(std::remainder(wave_case.components[1].waves[0].direction, 2 * pi), 0, 1e-12);
  std::string const said = remark(wave_case, "small.sp2, location 1 of 1 (0 -100): Hs 1.386 m, Tp 10 s");
  EXPECT_TRUE(has(said, "mean direction 270 degrees; 2 frequencies from 0.1 to 0.2 Hz, 12 directions")) << said;
}

TEST_F(WavesSpectrum, NauticalAndCartesianDirectionsAreTheSameWaves) {
  // Waves from 240 degrees travel to 270 - 240 = 30 degrees from +x, in a table and per frequency.
  for (char const* file : {"nautical.sp2", "cartesian.sp2", "nautical.sp1", "cartesian.sp1"}) {
    WaveCase const wave_case = read(file);
    EXPECT_NEAR(std::arg(mean_vector(wave_case.components)), 30 * degree, 1e-9) << file;
    EXPECT_TRUE(has(remark(wave_case, file), "mean direction 240 degrees")) << remark(wave_case, file);
  }
  EXPECT_TRUE(has(remark(read("nautical.sp1", R"("convention": "travel")"), "Hs"), "mean direction 30 degrees"));
}

TEST_F(WavesSpectrum, ARowPerFrequencyHasTheSpreadOfTheFile) {
  // A spread of 30 degrees: r_1 = 1 - spread^2 / 2. The middles of many parts have the mean vector of cos^2s.
  WaveCase const wave_case = read("nautical.sp1", R"("periods": 2, "directions": 200)");
  double const spread = 30 * degree, wanted = 1 - 0.5 * spread * spread;
  EXPECT_NEAR(std::abs(mean_vector(wave_case.components)), wanted, 1e-3);
  // Without DSPR the case gives it: none is one direction per frequency.
  EXPECT_EQ(read("no_spread.sp1", R"("periods": 4)").components.size(), 4u);
  EXPECT_NEAR(std::abs(mean_vector(read("no_spread.sp1", R"("spreading": 9, "directions": 200)").components)), 0.9,
              1e-3);
  // A mean of cos^m: m = 2 gives r_1 = 8 / (3 pi), by its integrals 4/3 and pi/2.
  EXPECT_NEAR(resultant_of_power(2), 8 / (3 * pi), 1e-12);
  EXPECT_NEAR(resultant_of_power(0), 2 / pi, 1e-12);
}

TEST_F(WavesSpectrum, LocationsAndTimesAreChosen) {
  // Densities 1, 2, 3 at three locations of the first time and 4, none, 6 of the second.
  auto const m0 = [&](std::string const& more) { return variance(read("several.sp1", more).components); };
  double const one = 0.1;
  EXPECT_NEAR(m0(R"("location": 1, "time": 1)"), one, 1e-14);
  EXPECT_NEAR(m0(R"("location": 3, "time": 2)"), 6 * one, 1e-14);
  EXPECT_NEAR(m0(R"("location": "5.0 7.5", "time": "20200101.120000")"), 2 * one, 1e-14);
  EXPECT_NEAR(m0(R"("location": 1, "time": "2020-01-01T18:00Z")"), 4 * one, 1e-14) << "the digits of a date";
  std::string const said = remark(read("several.sp1", R"("location": 2, "time": 1)"), "Hs");
  EXPECT_TRUE(has(said, "location 2 of 3 (5.0 7.5), time 1 of 2 (20200101.120000)")) << said;
  EXPECT_TRUE(has(refusal("several.sp1", R"("time": 1)"),
                  "/waves/location: expected a location, its number or text: several.sp1 has 3 locations, \"0 0\" to "
                  "\"9 9\""))
      << refusal("several.sp1", R"("time": 1)");
  EXPECT_TRUE(has(refusal("several.sp1", R"("location": 1)"),
                  "/waves/time: expected a time, its number or text: several.sp1 has 2 times"));
  EXPECT_TRUE(has(refusal("several.sp1", R"("location": 4, "time": 1)"), "/waves/location: 4: expected the number"));
  EXPECT_TRUE(has(refusal("several.sp1", R"("location": 1, "time": "2021-01-01")"), "/waves/time: \"2021-01-01\""));
  EXPECT_TRUE(has(refusal("several.sp1", R"("location": 2, "time": 2)"), "several.sp1:")) << "NODATA";
  EXPECT_TRUE(
      has(refusal("several.sp1", R"("location": 2, "time": 2)"), "\"NODATA\": expected a spectrum with energy"));
  EXPECT_TRUE(has(refusal("small.sp2", R"("time": 1)"), "expected none: small.sp2 names no time; leave it out"));
  EXPECT_TRUE(has(refusal("several.sp1", R"("location": 1, "time": 20200608040000)"),
                  "expected the number of a time from 1 to 2000000000, or the digits of a date in quotes"));
  put(folder_.path() / "single.csv", "frequency,density\n0.1,1\n");
  std::string const single = refusal("single.csv");
  EXPECT_TRUE(has(single, R"("single.csv": expected a spectrum with energy at two frequencies or more)")) << single;
  EXPECT_EQ(single.find("single.csv"), single.rfind("single.csv")) << single;
}

TEST_F(WavesSpectrum, MissingAndNegativeValuesAreSaid) {
  // Exception values of density, direction and spread; the frequency in the middle has no direction.
  WaveCase const wave_case = read("missing.sp1", R"("periods": 3)");
  EXPECT_TRUE(has(remark(wave_case, "missing values"), "missing.sp1: 1 missing values, used as no energy"));
  EXPECT_TRUE(has(remark(wave_case, "no direction"), "missing.sp1: 1 frequencies with energy have no direction"));
  EXPECT_TRUE(has(remark(wave_case, "negative"), "missing.sp1: 1 negative densities, used as no energy"));
  // The directions of the other frequencies, 240 degrees, hold everywhere.
  for (WaveComponent const& c : wave_case.components)
    EXPECT_LT(std::abs(c.waves[0].direction - 30 * degree), 90 * degree);
  EXPECT_NEAR(std::arg(mean_vector(wave_case.components)), 30 * degree, 1e-9);
  EXPECT_TRUE(has(refusal("zero.sp2"), "\"ZERO\": expected a spectrum with energy")) << refusal("zero.sp2");
  EXPECT_TRUE(
      has(refusal("nothing.csv", R"("direction": 270)"), "/waves/file: \"nothing.csv\": expected a spectrum with"))
      << refusal("nothing.csv", R"("direction": 270)");
  EXPECT_TRUE(has(remark(read("relative.sp1"), "relative frequencies"), "there are no currents"));
}

TEST_F(WavesSpectrum, EnergyDensityInJoulesAndRadiansIsConverted) {
  // EnDens is rho g VaDens with SWAN's 1025 kg/m3 and 9.81 m/s2; per radian there is 180 / pi times as much.
  double const m0 = variance(read("small.sp2").components);
  EXPECT_NEAR(variance(read("joules.sp2").components), m0, 1e-12);
  EXPECT_NEAR(variance(read("radians.sp2").components), m0, 1e-12);
}

TEST_F(WavesSpectrum, BuoysOfNdbcHaveTheirDirectionsInFilesBeside) {
  // Real time, r_1 = 0.75, from 300 degrees; then a year of history with hundredths.
  WaveCase const now = read("44999.data_spec", R"("time": "2020-06-08 03:50", "directions": 200)");
  double const m0 = 0.5 * 0.01 * (1 + 3) + 0.5 * 0.01 * (3 + 2);
  EXPECT_NEAR(variance(now.components), m0, 1e-14);
  EXPECT_NEAR(std::arg(mean_vector(now.components)), -30 * degree, 1e-9);
  EXPECT_NEAR(std::abs(mean_vector(now.components)), 0.75, 2e-3);
  EXPECT_TRUE(has(remark(now, "mean directions"), "mean directions from 44999.swdir"));
  EXPECT_TRUE(has(remark(now, "r_1"), "r_1 from 44999.swr1"));
  WaveCase const year = read("44999w2019.txt", R"("directions": 200)");
  EXPECT_NEAR(variance(year.components), 0.5 * 0.05 * (0.5 + 1.5), 1e-14);
  EXPECT_NEAR(std::arg(mean_vector(year.components)), 90 * degree, 1e-9) << "from 180 degrees";
  EXPECT_NEAR(std::abs(mean_vector(year.components)), 0.8, 2e-3);
  // Without the files the case gives the direction.
  EXPECT_TRUE(
      has(refusal("44998w2019.txt"), "/waves/direction: expected a direction: 44998w2019.txt has no directions"));
  WaveCase const alone = read("44998w2019.txt", R"("direction": 250, "spreading": 4, "directions": 200)");
  EXPECT_NEAR(std::arg(mean_vector(alone.components)), 20 * degree, 1e-9);
  EXPECT_NEAR(std::abs(mean_vector(alone.components)), 0.8, 2e-3);
  EXPECT_TRUE(has(remark(alone, "no file"), "no file 44998d2019.txt with mean directions beside it"));
  EXPECT_TRUE(
      has(refusal("44999w2019.txt", R"("direction": 1)"), "expected no direction: 44999w2019.txt has directions"));
  EXPECT_TRUE(has(refusal("44999.swdir"), "44999.swdir:1: ")) << refusal("44999.swdir");
}

TEST_F(WavesSpectrum, TablesWithNamedColumnsHaveUnits) {
  double const m0 = 0.5 * 0.1 * (1 + 3);
  for (char const* file : {"plain.csv", "units.csv", "periods.csv"}) {
    WaveCase const wave_case = read(file, R"("directions": 200)");
    EXPECT_NEAR(variance(wave_case.components), m0, 1e-12) << file;
    EXPECT_NEAR(std::arg(mean_vector(wave_case.components)), 10 * degree, 1e-9) << file;
    EXPECT_NEAR(std::abs(mean_vector(wave_case.components)), 1 - 0.5 * std::pow(20 * degree, 2), 2e-3) << file;
  }
  EXPECT_TRUE(has(remark(read("units.csv"), "other columns"), "units.csv: 1 other columns passed over"));
  EXPECT_TRUE(has(remark(read("units.csv"), "0 Hz"), "units.csv: 1 rows at 0 Hz left out"));
  EXPECT_NEAR(std::arg(mean_vector(read("plain.csv", R"("convention": "travel")").components)), (260 - 360) * degree,
              1e-9)
      << "the convention of the case holds for tables";
  // A table of two stations and two times.
  EXPECT_NEAR(variance(read("stations.csv", R"("location": "north", "time": "2020-01-02")").components), 4 * 0.1,
              1e-14);
  EXPECT_TRUE(has(refusal("stations.csv", R"("time": 1)"), "stations.csv has 2 locations, \"south\" to \"north\""));
}

TEST_F(WavesSpectrum, WavesFromBehindAreSaid) {
  // Waves from 90 degrees leave through the west, the only incident side.
  std::string const members = R"("waves": { "kind": "spectrum_file", "file": "FILE", "periods": 2, "directions": 2 })";
  auto const with = [&](std::string const& file) {
    std::string waves = members;
    waves.replace(waves.find("FILE"), 4, file);
    std::string const text = R"({ "mesh": { "kind": "rectangle", "low": [0, 0], "high": [40, 20], "size": 5 },
      "bathymetry": { "depth": 5 }, "boundaries": { "west": { "kind": "incident" }, "others": { "kind": "open" } }, )" +
                             waves + "}";
    return read_wave_case(Case::parse(text, (folder_ / "case.json").string(), schema()));
  };
  // two_ways.sp2: a half of the energy comes from behind.
  EXPECT_TRUE(has(remark(with("two_ways.sp2"), "enter"),
                  "2 of 4 components enter through no incident boundary and carry no energy in (50 % of the energy)"))
      << remark(with("two_ways.sp2"), "enter");
  try {
    with("behind.sp2");
    FAIL() << "outgoing waves alone";
  } catch (CaseError const& error) {
    EXPECT_TRUE(has(error.what(), "/waves/file: \"behind.sp2\": expected waves that enter")) << error.what();
    EXPECT_TRUE(has(error.what(), "perpendicular entry is 270 degrees")) << error.what();
  }
}

TEST_F(WavesSpectrum, EveryMalformedFileGivesItsLine) {
  struct Fault {
    char const* file;
    char const* from;
    char const* to;
    char const* message;
  };
  for (Fault const& fault : std::initializer_list<Fault>{
           {"small.sp2", "SWAN 1", "SWIN 1",
            "a.spc:1: \"SWIN 1 Swan standard spectral file\": expected a head of SWAN or NDBC"},
           {"small.sp2", "AFREQ", "BFREQ", "a.spc:5: \"BFREQ\": expected TIME, LOCATIONS, LONLAT, AFREQ"},
           {"small.sp2", "0.2\n", "0.1\n", "a.spc:8: \"0.1\": expected a frequency above the one before"},
           {"small.sp2", "0.2\n", "x\n", "a.spc:8: \"x\": expected a frequency"},
           {"small.sp2", "2 frequencies", "1 frequencies", "a.spc:6: \"1\": expected the number of frequencies, 2 to"},
           {"small.sp2", "12 directions", "9999999 directions",
            "a.spc:10: \"9999999\": expected the number of directions"},
           {"small.sp2", "VaDens", "AcDens", "expected the quantity VaDens or EnDens"},
           {"small.sp2", "\n30\n", "\n0\n", "a.spc:12: \"0\": expected directions that differ"},
           {"small.sp2", "FACTOR", "FACTORS", "\"FACTORS\": expected FACTOR, ZERO or NODATA"},
           {"small.sp2", "\n0 0 0 0 0 0 0 0 0 4 0 0\n", "\n0 0 0\n", "end of the file: expected a value of a spectrum"},
           {"small.sp2", " 4 0 0\n", " 4 q 0\n", "\"q\": expected a value of a spectrum, a number"},
           {"nautical.sp1", "LOCATION", "PLACE", "\"PLACE\": expected LOCATION, ZERO or NODATA"},
           {"44999.data_spec", "(0.050)", "0.050",
            "a.spc:2: \"0.050\": expected a frequency in brackets after its value"},
           {"44999.data_spec", "3.000 (0.060)", "3.000 (0.040)", "a.spc:2: \"0.040\": expected a frequency above"},
           {"44999w2019.txt", " 1.50", "", "a.spc:2: end of the line: expected one value per frequency of the head"},
           {"plain.csv", "energy density", "energetic", "a.spc:1: "},
           {"units.csv", "(m2/Hz)", "(m3/Hz)", "a.spc:2: \"Energy density (m3/Hz)\": expected a unit: m2/hz"},
           {"plain.csv", "0.2,3", "0.1,3", "a.spc:3: \"0.1 Hz twice\": expected one row per frequency"},
           {"plain.csv", "0.2,3", "0.2,-3", "a.spc:3: \"-3\": expected densities from 0"},
           {"plain.csv", "0.2,3,260", "0.2,3,2600", "a.spc:3: \"2600\": expected directions from -360 to 360"},
           {"plain.csv", "0.2,3,260,20", "0.2,3,260", "a.spc:3: \"0.2,3,260\": expected 4 fields, found 3"},
           {"plain.csv", "0.2,3", "zwei,3", "a.spc:3: \"zwei\": expected a number"}}) {
    std::string text = test::content(folder_ / fault.file);
    std::size_t const at = text.find(fault.from);
    ASSERT_NE(at, std::string::npos) << fault.file << ' ' << fault.from;
    text.replace(at, std::string(fault.from).size(), fault.to);
    put(folder_ / "a.spc", text);
    std::string const found = refusal("a.spc");
    EXPECT_TRUE(has(found, fault.message)) << found;
    EXPECT_EQ(std::count(found.begin(), found.end(), '\n'), 0) << found;
  }
  for (std::string const& file : test::small_spectra_names()) {
    std::string const text = test::content(folder_ / file);
    // Any beginning of a file is accepted or refused; nothing else happens.
    for (std::size_t size = 0; size < text.size(); size += 29) {
      put(folder_ / "a.spc", text.substr(0, size));
      refusal("a.spc", R"("location": 1, "time": 1, "direction": 270)");
    }
  }
}

/// A sea of this case whose components have their incident amplitudes at one point.
std::vector<std::vector<std::complex<double>>> at_one_point(WaveCase const& wave_case) {
  std::vector<std::vector<std::complex<double>>> elevation;
  for (WaveComponent const& c : wave_case.components) elevation.push_back({c.waves[0].amplitude});
  return elevation;
}

TEST_F(WavesSpectrum, TheSurfaceOfARegularWaveIsACosine) {
  WaveCase const wave_case = read_with(R"("waves": { "kind": "regular", "period": 8, "height": 1, "direction": 270 },
    "gauges": [{ "name": "a", "at": [20, 10] }], "outputs": { "surface_series": { "duration": 60, "step": 0.1 } })");
  ASSERT_TRUE(wave_case.outputs.series);
  std::complex<double> const eta = std::polar(0.7, 0.4);
  std::vector<double> const times = times_of(*wave_case.outputs.series);
  ASSERT_EQ(times.size(), 601u);
  EXPECT_NEAR(times.back(), 60, 1e-12);
  std::vector<double> const surface = surface_series(wave_case, *wave_case.outputs.series, {{eta, 2.0 * eta}});
  for (std::size_t n = 0; n < times.size(); ++n) {
    EXPECT_NEAR(surface[2 * n], 0.7 * std::cos(0.4 - 2 * pi * times[n] / 8), 1e-12);
    EXPECT_NEAR(surface[2 * n + 1], 2 * surface[2 * n], 1e-12);
  }
}

TEST_F(WavesSpectrum, TheSurfaceHasTheHeightOfTheSpectrum) {
  // Over a time T the variance of a sea differs from m_0 by a standard deviation sqrt(integral of S^2 / T) at most. It
  // is less with fixed amplitudes. The integral is that of bands of equal energy.
  for (char const* waves :
       {R"("waves": { "kind": "spectrum", "significant_height": 2, "peak_period": 8, "direction": 270, "spreading": 10,
                     "periods": 12, "directions": 5 })",
        R"("waves": { "kind": "spectrum_file", "file": "nautical.sp2", "periods": 6, "directions": 7 })"}) {
    WaveCase const wave_case = read_with(waves);
    double const m0 = variance(wave_case.components);
    std::set<double> bands;  // edges, as fractions of the energy
    for (WaveComponent const& c : wave_case.components) bands.insert(c.share_from), bands.insert(c.share_to);
    double squares = 0;
    for (auto from = bands.begin(), to = std::next(from); to != bands.end(); ++from, ++to) {
      double const share = *to - *from;
      squares += share * share * m0 * m0 / (wave_case.frequency_at(*to) - wave_case.frequency_at(*from));
    }
    double const duration = 1800, deviation = std::sqrt(squares / duration);
    double sum = 0;
    constexpr int seeds = 12;
    std::vector<double> first;
    for (int seed = 1; seed <= seeds; ++seed) {
      SurfaceSeries const series{duration, 1.5, seed};
      auto const surface = surface_series(wave_case, series, at_one_point(wave_case));
      double const height = height_of_series(surface, 1, 0), found = height * height / 16;
      EXPECT_NEAR(found, m0, 4.5 * deviation) << "seed " << seed;
      sum += found;
      if (seed == 1) {
        first = surface;
        EXPECT_EQ(surface, surface_series(wave_case, series, at_one_point(wave_case)))
            << "the same seed, the same bits";
      } else {
        EXPECT_NE(surface, first) << "another seed";
      }
    }
    EXPECT_NEAR(sum / seeds, m0, 4.5 * deviation / std::sqrt(double(seeds)));
    // The second half does not repeat the first one: their correlation is that of independent seas.
    std::size_t const half = first.size() / 2;
    double both = 0;
    for (std::size_t n = 0; n < half; ++n) both += first[n] * first[n + half] / static_cast<double>(half);
    EXPECT_LT(std::abs(both), 4.5 * std::sqrt(2.0) * deviation);
  }
}

TEST_F(WavesSpectrum, SeriesThatCannotBeAreRefused) {
  auto const refused = [&](std::string const& members) {
    try {
      read_with(members);
    } catch (CaseError const& error) {
      return std::string(error.what());
    }
    return std::string("accepted");
  };
  std::string const regular = R"("waves": { "kind": "regular", "period": 8, "height": 1, "direction": 270 })";
  std::string const gauge = R"(, "gauges": [{ "name": "a", "at": [20, 10] }])";
  auto const series = [](std::string const& members) {
    return R"(, "outputs": { "surface_series": { )" + members + " } }";
  };
  WaveCase const nowhere = read_with(regular + series(R"("duration": 60, "step": 1)"));
  EXPECT_FALSE(nowhere.outputs.series);
  EXPECT_EQ(remark(nowhere, "surface_series"), "surface_series: no gauges, so no series");
  EXPECT_TRUE(has(refused(regular + gauge + series(R"("duration": 60, "step": 61)")), "expected at most the duration"));
  EXPECT_TRUE(
      has(refused(regular + gauge + series(R"("duration": 1e8, "step": 1e-3)")), "expected at most 2e+08 values"));
  EXPECT_TRUE(has(refused(R"("waves": { "kind": "period_scan", "from": 5, "to": 9, "count": 3, "height": 1,
    "direction": 270 })" + gauge +
                          series(R"("duration": 60, "step": 1)")),
                  "a period_scan has separate waves"));
  WaveCase const coarse = read_with(regular + gauge + series(R"("duration": 60, "step": 5)"));
  EXPECT_TRUE(
      has(remark(coarse, "surface_series"), "a step of 5 s is too long for waves of 8 s; at most 4 s shows them"));
}

TEST_F(WavesSpectrum, CodesOfTelemacAreConditions) {
  EXPECT_EQ(kind_of_artemis_code(155), BoundaryKind::incident);
  EXPECT_EQ(kind_of_artemis_code(544), BoundaryKind::incident);
  EXPECT_EQ(kind_of_artemis_code(466), BoundaryKind::open);
  EXPECT_EQ(kind_of_artemis_code(222), BoundaryKind::reflecting);
  for (int const label : {0, 1, 99, 333, 1000}) EXPECT_FALSE(kind_of_artemis_code(label)) << label;
  for (BoundaryKind const kind : {BoundaryKind::incident, BoundaryKind::open, BoundaryKind::reflecting})
    EXPECT_EQ(kind_of_artemis_code(artemis_code(kind)), kind);

  MeshData mesh = test::small_mesh();  // south 1, east 2, north 3, west 4
  for (int& label : mesh.edge_labels) label = label == 4 ? 155 : label == 2 ? 422 : 255;
  mesh.boundary_names.clear();
  write_mesh(folder_ / "bay.slf", mesh);
  auto const read_bay = [&](std::string const& boundaries) {
    std::string const text = R"({ "mesh": { "kind": "file", "file": "bay.slf" }, "bathymetry": { "depth": 5 },
      "waves": { "kind": "regular", "period": 8, "height": 1, "direction": 270 }, "boundaries": )" +
                             boundaries + "}";
    return read_wave_case(Case::parse(text, (folder_ / "case.json").string(), schema()));
  };
  WaveCase const coded = read_bay("{}");
  EXPECT_EQ(coded.problem.boundaries.at(155).kind, BoundaryKind::incident);
  EXPECT_EQ(coded.problem.boundaries.at(422).kind, BoundaryKind::open);
  EXPECT_EQ(coded.problem.boundaries.at(255).kind, BoundaryKind::reflecting);
  EXPECT_EQ(coded.problem.boundaries.at(255).reflection, 1);
  ASSERT_EQ(coded.boundary_list.size(), 3u);
  EXPECT_TRUE(has(coded.boundary_list[0], "155: ")) << coded.boundary_list[0];
  EXPECT_TRUE(has(coded.boundary_list[0], "incident by LIHBOR 1 of the boundary file")) << coded.boundary_list[0];
  // The case comes first.
  WaveCase const stated = read_bay(R"({ "255": { "kind": "reflecting", "reflection": 0.5 } })");
  EXPECT_EQ(stated.problem.boundaries.at(255).reflection, 0.5);
  EXPECT_EQ(stated.problem.boundaries.at(155).kind, BoundaryKind::incident);
  WaveCase const others = read_bay(R"({ "155": { "kind": "incident" }, "others": { "kind": "open" } })");
  EXPECT_EQ(others.problem.boundaries.at(255).kind, BoundaryKind::open);
  EXPECT_THROW(read_bay(R"({ "9": { "kind": "open" } })"), CaseError);
  // A boundary file that ends early, and none.
  auto const refusal = [&] {
    try {
      read_bay("{}");
    } catch (CaseError const& error) {
      return std::string(error.what());
    }
    return std::string("accepted");
  };
  std::string codes = karman::test::content(folder_.path() / "bay.cli");
  ASSERT_GT(std::count(codes.begin(), codes.end(), '\n'), 3);
  std::size_t const third = codes.find('\n', codes.find('\n', codes.find('\n') + 1) + 1);
  put(folder_.path() / "bay.cli", codes.substr(0, third + 1));
  EXPECT_TRUE(has(refusal(), "), not listed in bay.cli)")) << refusal();
  std::filesystem::remove(folder_.path() / "bay.cli");
  EXPECT_TRUE(has(refusal(), "; there is no bay.cli")) << refusal();
  // Labels of other formats are no codes.
  write_mesh(folder_ / "bay.msh", mesh);
  std::string const text = R"({ "mesh": { "kind": "file", "file": "bay.msh" }, "bathymetry": { "depth": 5 },
      "waves": { "kind": "regular", "period": 8, "height": 1, "direction": 270 }, "boundaries": {} })";
  EXPECT_THROW(read_wave_case(Case::parse(text, (folder_ / "case.json").string(), schema())), CaseError);
}

}  // namespace waves_spectrum_test
