// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Projects of QES-Winds with shapefiles: places of their buildings, factors of heights, refusals.
#include "apps/wind/foreign_projects.hpp"
#include "io/expect_message.hpp"
#include "io/gdal/gdal_files_of_test.hpp"
#include "io/temporary_folder.hpp"
#include "wind/case/wind_case.hpp"
#include "wind/import/import_project.hpp"
#include <karman/io/config.hpp>
#include <karman/io/error.hpp>

#include <nlohmann/json.hpp>

#include <string>

namespace wind_import_gdal_test {

using namespace karman;
using namespace karman::test;
using nlohmann::json;

class ImportGdal : public testing::Test {
 protected:
  ImportGdal() {
    write_shapefile(folder_ / "city.shp",
                    {{"POLYGON ((500010 5000020,500010 5000040,500030 5000040,500030 5000020,500010 5000020))", 8},
                     {"POLYGON ((500060 5000030,500060 5000050,500090 5000050,500090 5000030,500060 5000030))", 11.5}});
  }

  /// The small project with a shapefile instead of its buildings, and other elements of the simulation.
  void write(std::string const& shapefile, std::string const& simulation) const {
    std::string text = small_qes_project;
    std::size_t const from = text.find("  <rectangularBuilding>"), to = text.find("</buildingsParams>");
    text.replace(from, to - from, shapefile);
    text.replace(text.find("  <numBuildings> 2 </numBuildings>"), 34, "");
    put(folder_ / "town.xml", text.insert(text.find("<meshTypeFlag>"), simulation));
  }
  wind::ImportedCase import() const { return wind::import_project(folder_ / "town.xml"); }
  wind::WindCase read() const { return wind::read_wind_case(Case::parse(import().text, "case.json", wind::schema())); }

  TemporaryFolder folder_;
};

std::string const city =
    "<SHPFile>city.shp</SHPFile><SHPBuildingLayer>city</SHPBuildingLayer>"
    "<SHPHeightField>HEIGHT</SHPHeightField>";

TEST_F(ImportGdal, BuildingsCountFromTheUtmPosition) {
  write(city, "<UTMx>500000</UTMx><UTMy>5000000</UTMy>");
  auto const found = read().buildings;
  ASSERT_EQ(found.size(), 2u);
  // Positions in the domain count from its corner, which is 20 m and 10 m before the UTM position.
  EXPECT_NEAR(found[0].x, 20 + 20, 1e-6);
  EXPECT_NEAR(found[0].y, 30 + 10, 1e-6);
  EXPECT_EQ(found[1].height, 11.5);
}

TEST_F(ImportGdal, BuildingsCountFromTheCornerOfTheMap) {
  write(city, "");
  auto const found = read().buildings;
  ASSERT_EQ(found.size(), 2u);
  EXPECT_NEAR(found[0].x, 10 + 20, 1e-6) << "the westernmost wall is at x = 0 of the project";
  EXPECT_NEAR(found[0].y, 10 + 10, 1e-6);
}

TEST_F(ImportGdal, FactorsOfHeightsWriteTheBuildingsOut) {
  write(city + "<heightFactor>0.5</heightFactor>", "");
  json const buildings = json::parse(import().text)["buildings"];
  ASSERT_EQ(buildings.size(), 2u);
  EXPECT_EQ(buildings[0]["kind"], "polygon");
  EXPECT_EQ(buildings[1]["height"], 5.75);
  EXPECT_NEAR(read().buildings[1].area(), 600, 1e-6);
  bool told = false;
  for (auto const& remark : import().remarks) told = told || contains(remark.line(), "<heightFactor>");
  EXPECT_TRUE(told);
}

TEST_F(ImportGdal, Refusals) {
  auto const refusal = [&] {
    std::string const message = message_of<CaseError>([&] { import(); });
    EXPECT_TRUE(is_one_line(message)) << message;
    return message;
  };
  write("<SHPFile>none.shp</SHPFile>", "");
  EXPECT_TRUE(contains(refusal(), "town.xml:35: <SHPFile>: \"none.shp\": expected an existing file")) << refusal();
  write("<SHPFile>city.shp</SHPFile>", "");
  EXPECT_TRUE(contains(refusal(), "buildings")) << "the layer that QES-Winds takes by default: " << refusal();
  write("<SHPFile>city.shp</SHPFile><SHPBuildingLayer>city</SHPBuildingLayer><heightFactor>2</heightFactor>", "");
  EXPECT_TRUE(contains(refusal(), "expected an attribute H of every building; the layer has HEIGHT")) << refusal();
  write_shapefile(folder_ / "degrees.shp", {{"POLYGON ((11 48,11 48.1,11.1 48.1,11.1 48,11 48))", 8}}, 4326);
  write("<SHPFile>degrees.shp</SHPFile><SHPBuildingLayer>degrees</SHPBuildingLayer>", "");
  EXPECT_TRUE(contains(refusal(), "<SHPFile>: \"degrees.shp\": expected positions in metres")) << refusal();
}

}  // namespace wind_import_gdal_test
