// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Vegetation in a case, and its errors.
#include "wind/case/wind_case.hpp"
#include <karman/io/config.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <string>

namespace wind_vegetation_case_test {

using namespace karman;
using namespace karman::wind;

/// A case of 40 x 30 x 20 m with this vegetation and a block of 8 m over (16..24, 11..19).
WindCase read(std::string const& list, std::vector<std::string> more = {}) {
  std::string const text = R"({
    "domain": {"origin": [100, 200], "cells": [40, 30], "spacing": [1, 1],
               "layers": {"kind": "uniform", "count": 20, "thickness": 1}},
    "wind": {"profile": {"kind": "log", "speed": 5, "height": 10, "roughness": 0.1}, "direction": 270},
    "buildings": [{"kind": "block", "position": [120, 215], "size": [8, 8, 8]}]})";
  more.insert(more.begin(), "/vegetation=[" + list + "]");
  return read_wind_case(Case::parse(text, "case.json", wind::schema(), more));
}

/// Expects one line that names the object.
void refused(std::string const& list, std::string const& pointer, std::string const& part,
             std::vector<std::string> const& more = {}) {
  std::string message = "accepted";
  try {
    read(list, more);
  } catch (CaseError const& error) {
    message = error.what();
  }
  EXPECT_NE(message.find(pointer + ": "), std::string::npos) << message;
  EXPECT_NE(message.find(part), std::string::npos) << message;
  EXPECT_EQ(message.find('\n'), std::string::npos) << message;
}

std::string rectangle(std::string const& size = "[6, 4]", std::string const& position = "[110, 215]") {
  return R"("footprint": {"kind": "rectangle", "position": )" + position + R"(, "size": )" + size + "}";
}

TEST(VegetationCase, KindsAndFootprints) {
  auto const plants = read(R"({"kind": "canopy", "height": 6, "attenuation": 1.5, )" + rectangle() + R"(},
      {"kind": "tree", "height": 9, "base": 2, "attenuation": 2,
       "footprint": {"kind": "ellipse", "position": [132, 210], "size": [6, 4], "rotation": 30}},
      {"kind": "trees", "positions": [[105, 205], [105, 225]], "diameter": 4, "height": 7, "base": 3, "attenuation": 2},
      {"kind": "windbreak", "height": 5, "porosity": 0.4,
       "footprint": {"kind": "polygon", "corners": [[130, 220], [132, 220], [132, 228], [130, 228]]}},
      {"kind": "rows", "height": 2, "attenuation": 2, "spacing": 3, "row_width": 1, "row_rotation": 20, )" +
                           rectangle() + "}")
                          .vegetation;
  ASSERT_EQ(plants.size(), 6u);
  EXPECT_EQ(plants[0].kind, PlantKind::canopy);
  EXPECT_EQ(plants[0].shape.x, 10) << "from the domain's corner";
  EXPECT_EQ(plants[0].top_height(), 6);
  EXPECT_EQ(plants[1].top_height(), 9);
  EXPECT_EQ(plants[1].base_height(), 2);
  EXPECT_NEAR(signed_area(plants[1].corners()), std::numbers::pi * 6, 1e-12);
  // Half the extent of an ellipse along x: sqrt((3 cos 30)^2 + (2 sin 30)^2).
  EXPECT_NEAR(plants[1].half_extents()[0], std::sqrt(27.0 / 4 + 1), 1e-12);
  EXPECT_EQ(plants[3].shape.y, 25);
  EXPECT_EQ(plants[3].shape.member, 1u);
  EXPECT_EQ(plants[4].porosity, 0.4);
  EXPECT_EQ(plants[4].shape.area(), 16);
  EXPECT_EQ(plants[5].attenuation_along, 0);
}

TEST(VegetationCase, Outside) {
  refused(R"({"kind": "canopy", "height": 6, "attenuation": 1, )" + rectangle("[6, 4]", "[102, 215]") + "}",
          "/vegetation/0", "vegetation 0 reaches outside the domain (x 100 to 140");
  refused(R"({"kind": "canopy", "height": 21, "attenuation": 1, )" + rectangle() + "}", "/vegetation/0",
          "above the domain top at 20 m");
  refused(R"({"kind": "trees", "positions": [[105, 205], [101, 225]], "diameter": 4, "height": 7, "attenuation": 2})",
          "/vegetation/0", "tree 1 of vegetation 0 reaches outside the domain");
}

TEST(VegetationCase, WrongNumbers) {
  refused(R"({"kind": "canopy", "height": 6, "attenuation": -1, )" + rectangle() + "}", "/vegetation/0/attenuation",
          "expected a number > 0");
  refused(R"({"kind": "windbreak", "height": 6, "porosity": 1.1, )" + rectangle() + "}", "/vegetation/0/porosity",
          "expected a number from 0 to 1");
  refused(R"({"kind": "tree", "height": 6, "base": 6, "attenuation": 1, )" + rectangle() + "}", "/vegetation/0/base",
          "expected less than the height of the top, 6 m");
  refused(R"({"kind": "canopy", "height": 0.1, "attenuation": 1, )" + rectangle() + "}", "/vegetation/0",
          "vegetation 0 is 0.1 m high; expected more than the roughness of the ground, 0.1 m");
  refused(R"({"kind": "canopy", "height": 0.5, "attenuation": 1, )" + rectangle() + "}", "/vegetation/0",
          "roughness of the ground, 0.6 m", {"/parameterisations/canopy_roughness=0.6"});
  refused(R"({"kind": "rows", "height": 2, "attenuation": 1, "spacing": 1, "row_width": 1.5, )" + rectangle() + "}",
          "/vegetation/0/row_width", "expected at most the spacing of the rows, 1 m");
  refused(R"({"kind": "rows", "height": 2, "attenuation": 1, "attenuation_along": 2, "spacing": 2, "row_width": 1, )" +
              rectangle() + "}",
          "/vegetation/0/attenuation_along", "expected at most the attenuation of wind across the rows, 1");
}

TEST(VegetationCase, BadOutline) {
  refused(R"({"kind": "canopy", "height": 6, "attenuation": 1,
      "footprint": {"kind": "polygon", "corners": [[110, 205], [120, 215], [120, 205], [110, 215]]}})",
          "/vegetation/0/footprint", "vegetation 0: its walls cross at (115, 210)");
}

TEST(VegetationCase, InABuilding) {
  refused(R"({"kind": "trees", "positions": [[105, 205], [117, 215]], "diameter": 4, "height": 7, "attenuation": 2})",
          "/vegetation/0", "tree 1 of vegetation 0 is inside building 0; move one of them");
  EXPECT_EQ(read(R"({"kind": "trees", "positions": [[120, 215]], "diameter": 4, "height": 12, "base": 8,
                     "attenuation": 2})")
                .vegetation.size(),
            1u)
      << "on its roof";
  EXPECT_EQ(read(R"({"kind": "canopy", "height": 6, "attenuation": 1, )" + rectangle("[20, 20]", "[120, 215]") + "}")
                .vegetation.size(),
            1u)
      << "a wood around it";
}

}  // namespace wind_vegetation_case_test
