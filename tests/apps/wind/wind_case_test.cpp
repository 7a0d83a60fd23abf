// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "wind/case/wind_case.hpp"

#include <karman/io/config.hpp>

#include <gtest/gtest.h>

#include <stdexcept>

namespace wind_case_test {

using karman::Case;
using karman::CaseError;
using karman::wind::read_wind_case;
using karman::wind::WindCase;

/// A small case: domain 40 x 30 x 20 m in cells of 1 m; `more` are overrides.
WindCase read(std::vector<std::string> const& more = {}) {
  std::string const text = R"({
    "domain": {"cells": [40, 30], "spacing": [1, 1], "layers": {"kind": "uniform", "count": 20, "thickness": 1}},
    "wind": {"profile": {"kind": "log", "speed": 5, "height": 10, "roughness": 0.1}, "direction": 270}})";
  return read_wind_case(Case::parse(text, "case.json", karman::wind::schema(), more));
}

/// The message that a case with these overrides gives.
std::string refusal(std::vector<std::string> const& overrides) {
  try {
    read(overrides);
  } catch (CaseError const& error) {
    return error.what();
  }
  return "accepted";
}

std::string buildings(std::string const& list) { return "/buildings=[" + list + "]"; }

TEST(WindCase, TheExampleIsValid) {
  EXPECT_NO_THROW(read_wind_case(Case::parse(karman::wind::example(), "example", karman::wind::schema())));
}

TEST(WindCase, FillsInDefaults) {
  WindCase const wind_case = read();
  EXPECT_EQ(wind_case.solver.precision, karman::wind::Precision::f32);
  EXPECT_FALSE(wind_case.solver.omega.has_value());
  EXPECT_EQ(wind_case.solver.tolerance, 1e-5);
  EXPECT_EQ(read({"/solver/precision=f64"}).solver.tolerance, 1e-10);
  EXPECT_EQ(read({"/solver/tolerance=0.001"}).solver.tolerance, 1e-3);
  EXPECT_EQ(read({"/solver/omega=1.5"}).solver.omega, 1.5);
  EXPECT_TRUE(wind_case.parameterisations.upwind_cavity && wind_case.parameterisations.wake);
  EXPECT_TRUE(wind_case.outputs.faces && wind_case.outputs.divergence);
  EXPECT_FALSE(wind_case.outputs.watch.has_value());
}

TEST(WindCase, ReadsEveryKindOfLayers) {
  EXPECT_DOUBLE_EQ(read().grid.z_face(20), 20);
  WindCase const stretched =
      read({R"(/domain/layers={"kind": "stretched", "count": 4, "thickness": 2, "ratio": 1.5, "uniform_layers": 2})"});
  EXPECT_EQ(stretched.grid.nz(), 4);
  EXPECT_DOUBLE_EQ(stretched.grid.dz(1), 2);
  EXPECT_DOUBLE_EQ(stretched.grid.dz(2), 3);
  EXPECT_DOUBLE_EQ(stretched.grid.dz(3), 4.5);
  WindCase const list = read({R"(/domain/layers={"kind": "list", "thicknesses": [1, 3, 2]})"});
  EXPECT_DOUBLE_EQ(list.grid.z_face(3), 6);
}

TEST(WindCase, AnArrayIsItsBlocks) {
  WindCase const wind_case = read({buildings(
      R"({"kind": "array", "position": [20, 15], "count": [2, 3], "spacing": [10, 8], "size": [4, 3, 5]})")});
  ASSERT_EQ(wind_case.buildings.size(), 6u);
  EXPECT_DOUBLE_EQ(wind_case.buildings[0].x, 15);
  EXPECT_DOUBLE_EQ(wind_case.buildings[0].y, 7);
  EXPECT_DOUBLE_EQ(wind_case.buildings[5].x, 25);
  EXPECT_DOUBLE_EQ(wind_case.buildings[5].y, 23);
  WindCase const turned = read({buildings(
      R"({"kind": "array", "position": [20, 15], "count": [2, 1], "spacing": [10, 8], "size": [4, 3, 5], "rotation": 90})")});
  EXPECT_DOUBLE_EQ(turned.buildings[1].x, 20);
  EXPECT_DOUBLE_EQ(turned.buildings[1].y, 20);
  EXPECT_EQ(turned.buildings[1].rotation, 90);
}

TEST(WindCase, PositionsAreKeptRelativeToTheCorner) {
  WindCase const wind_case = read(
      {"/domain/origin=[1000, -500]", buildings(R"({"kind": "block", "position": [1020, -485], "size": [4, 4, 4]})")});
  EXPECT_EQ(wind_case.buildings[0].x, 20);
  EXPECT_EQ(wind_case.buildings[0].y, 15);
}

TEST(WindCase, RefusesABuildingOutsideTheDomain) {
  for (char const* position : {"[1.9, 15]", "[38.1, 15]", "[20, 1.9]", "[20, 28.1]", "[-100, 15]"}) {
    std::string const message =
        refusal({buildings(std::string(R"({"kind": "block", "position": )") + position + R"(, "size": [4, 4, 4]})")});
    EXPECT_NE(message.find("/buildings/0"), std::string::npos) << message;
    EXPECT_NE(message.find("outside the domain"), std::string::npos) << message;
  }
  EXPECT_NE(
      refusal({buildings(R"({"kind": "block", "position": [20, 15], "size": [4, 4, 20.5]})")}).find("20.5 m high"),
      std::string::npos);
  EXPECT_EQ(refusal({buildings(R"({"kind": "block", "position": [2, 2], "size": [4, 4, 19]})")}), "accepted");
}

/// A wrong wind hides no other section.
TEST(WindCase, NamesTheProblemsOfAllSectionsTogether) {
  std::string const message =
      refusal({R"(/wind/profile={"kind": "measured", "heights": [10, 5, 5], "speeds": [3, 4, 5], "roughness": 0.1})",
               buildings(R"({"kind": "block", "position": [39, 15], "size": [4, 3, 5]})"),
               R"(/parameterisations={"wall_law": true, "wall_roughness": 2})",
               R"(/outputs/probes=[{"kind": "point", "name": "far", "position": [100, 5, 2]}])"});
  for (char const* pointer : {"/wind/profile/heights/1", "/wind/profile/heights/2", "/buildings/0",
                              "/parameterisations/wall_roughness", "/outputs/probes/0/position/0"}) {
    EXPECT_NE(message.find(pointer), std::string::npos) << pointer << " in " << message;
  }
  // Nothing is said about a sweep of a wind that is unknown.
  std::string const sweep = refusal({R"(/wind/profile={"kind": "canopy", "speed": 5, "height": 10, "roughness": 20,
      "canopy_height": 10, "attenuation": 1})",
                                     R"(/sweep={"height": 100, "rose": {"kind": "even", "count": 4}})"});
  EXPECT_NE(sweep.find("/wind/profile/roughness"), std::string::npos) << sweep;
  EXPECT_NE(sweep.find("/sweep/height"), std::string::npos) << sweep;
  EXPECT_EQ(sweep.find("reference height"), std::string::npos) << sweep;
}

TEST(WindCase, WantsAirAboveItsRoofs) {
  auto const tall = [](std::string const& height) {
    return buildings(R"({"kind": "block", "position": [10, 15], "size": [4, 4, 3]},
      {"kind": "block", "position": [20, 15], "size": [4, 4, 2], "base": )" +
                     height + "}");
  };
  EXPECT_TRUE(read().warnings.empty());
  // Warnings of other kinds come after that of the lid.
  auto const first = [&](std::string const& height) { return read({tall(height)}).warnings.front(); };
  std::string const lid =
      "the domain top at 20 m is less than 2 times as high as the highest roof, 11 m (building 1): the lid "
      "changes the flow at the roof by more than 2 % of the speed there; extend /domain/layers to at least 22 m";
  EXPECT_EQ(first("8").find("the domain top"), std::string::npos) << "twice as high as the highest roof is enough";
  EXPECT_EQ(first("9"), lid);
  EXPECT_EQ(first("17.4").rfind("the domain top", 0), 0u) << "one layer of air";
  for (char const* base : {"17.6", "18"}) {
    std::string const message = refusal({tall(base)});
    EXPECT_NE(message.find("/buildings/1"), std::string::npos) << message;
    EXPECT_NE(message.find("no air above the building"), std::string::npos) << message;
  }
}

TEST(WindCase, DirectionsAreNauticalUnlessTheConventionIsTravel) {
  WindCase const nautical = read();
  EXPECT_EQ(nautical.profile.direction, 270);
  EXPECT_EQ(
      nautical.wind_text,
      "wind of 5 m/s at 10 m, direction 270 degrees, nautical: where the wind comes from, clockwise from north (+y); "
      "toward 0 degrees from +x");
  WindCase const travel = read({"/wind/convention=travel", "/wind/direction=-20"});
  EXPECT_EQ(travel.profile.direction, 290);
  EXPECT_EQ(travel.profile.heading(), read({"/wind/direction=290"}).profile.heading());
  EXPECT_EQ(travel.wind_text,
            "wind of 5 m/s at 10 m, direction -20 degrees, travel: where the wind blows to, anticlockwise from +x; "
            "toward 340 "
            "degrees from +x");
  EXPECT_NE(refusal({"/wind/convention=maritime"}).find("/wind/convention"), std::string::npos);
}

TEST(WindCase, RefusesFilesWithoutMapsToWrite) {
  std::string const one = R"({"rose": {"kind": "even", "count": 1}})";
  std::string const times = R"(/series={"times": [{"time": 0, "readings": [[5, 270]]}]})";
  std::string const mast = R"(/wind={"sensors": [{"name": "mast", "position": [5, 5], "direction": 270,
        "profile": {"kind": "log", "speed": 5, "height": 10, "roughness": 0.1}}]})";
  for (std::string const key : {"geotiff", "geopackage", "kmz"}) {
    std::string const asked = "/outputs/" + key + "=true", at = "/outputs/" + key + ": true: ";
    std::string const plain = refusal({asked});
    EXPECT_NE(plain.find(at + "expected /outputs/pedestrian"), std::string::npos) << plain;
    EXPECT_EQ(refusal({asked, "/outputs/pedestrian={}"}).find("/outputs/pedestrian"), std::string::npos);
    std::string const sweep = refusal({asked, "/sweep=" + one});
    EXPECT_NE(sweep.find(at + "expected a sweep with the statistics of /sweep/rose"), std::string::npos) << sweep;
    std::string const series = refusal({asked, times, mast});
    bool const refused = series.find(at + "expected false for a series, which has no classes") != std::string::npos;
    EXPECT_EQ(refused, key != "geotiff") << series;
  }
  EXPECT_NE(
      refusal({"/outputs/kmz=true", "/outputs/pedestrian={}"}).find("/outputs/kmz: true: expected a domain on a map"),
      std::string::npos);
}

TEST(WindCase, OneDirectionOfASweepIsSingular) {
  EXPECT_EQ(read({R"(/sweep={"rose": {"kind": "even", "count": 1}})"}).wind_text, "1 direction of a wind rose");
  EXPECT_EQ(read({R"(/sweep={"rose": {"kind": "even", "count": 2}})"}).wind_text, "2 directions of a wind rose");
}

TEST(WindCase, RefusesOverlappingBuildingsAndNamesBoth) {
  std::string const message = refusal({buildings(R"({"kind": "block", "position": [10, 15], "size": [4, 4, 4]},
      {"kind": "block", "position": [30, 15], "size": [4, 4, 4]}, {"kind": "block", "position": [13, 15], "size": [4, 4, 4]})")});
  EXPECT_NE(message.find("/buildings/2"), std::string::npos) << message;
  EXPECT_NE(message.find("building 0"), std::string::npos) << message;
  EXPECT_NE(message.find("overlap"), std::string::npos) << message;
  EXPECT_NE(
      refusal({buildings(
                  R"({"kind": "array", "position": [20, 15], "count": [2, 1], "spacing": [3, 3], "size": [4, 4, 4]})")})
          .find("block 1 of building 0 overlaps block 0 of building 0"),
      std::string::npos);
  EXPECT_EQ(refusal({buildings(R"({"kind": "block", "position": [10, 15], "size": [4, 4, 4]},
      {"kind": "block", "position": [14, 15], "size": [4, 4, 4]}, {"kind": "block", "position": [10, 15], "size": [2, 2, 4], "base": 4})")}),
            "accepted");
}

TEST(WindCase, RefusesABuildingThatTheGridDoesNotSee) {
  EXPECT_NE(refusal({buildings(R"({"kind": "block", "position": [20, 15], "size": [0.5, 10, 4]})")})
                .find("(0.5 x 10 m) contains no cell centre (cells 1 x 1 m)"),
            std::string::npos);
  EXPECT_NE(refusal({buildings(R"({"kind": "block", "position": [20, 15], "size": [10, 10, 0.4]})")})
                .find("building 0 (0.4 m high) contains no layer centre"),
            std::string::npos);
  EXPECT_NE(refusal({"/domain/spacing=[2.5, 2.5]",
                     buildings(R"({"kind": "block", "position": [20, 15], "size": [1, 1, 4]})")})
                .find("building 0 (1 x 1 m) is smaller than a cell (2.5 x 2.5 m); refine /domain/spacing"),
            std::string::npos);
  EXPECT_EQ(refusal({buildings(R"({"kind": "block", "position": [20.5, 15], "size": [0.5, 10, 4]})")}), "accepted");
}

TEST(WindCase, RefusesGridsBeyondItsLimits) {
  EXPECT_NE(refusal({"/domain/cells=[32768, 32768]"}).find("at most 4294967296 cells"), std::string::npos);
  EXPECT_NE(
      refusal({R"(/domain/layers={"kind": "stretched", "count": 4000, "thickness": 1, "ratio": 2})"}).find("100 km"),
      std::string::npos);
  EXPECT_NE(refusal({R"(/outputs/watch={"field": "lambda", "axis": "z", "index": 20})"}).find("0 to 19"),
            std::string::npos);
  EXPECT_EQ(refusal({R"(/outputs/watch={"field": "lambda", "axis": "x", "index": 39})"}), "accepted");
}

}  // namespace wind_case_test
