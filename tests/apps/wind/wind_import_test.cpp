// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Projects of QES-Winds and QUIC as cases: every element against the value by hand, remarks, and refusals in words.
#include "apps/wind/foreign_projects.hpp"
#include "io/expect_message.hpp"
#include "io/temporary_folder.hpp"
#include "wind/case/wind_case.hpp"
#include "wind/import/import_project.hpp"
#include <karman/io/config.hpp>
#include <karman/io/error.hpp>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

namespace wind_import_test {

using namespace karman;
using namespace karman::test;
using namespace karman::wind;
using nlohmann::json;

/// The text with its only `part` replaced.
std::string with(std::string text, std::string const& part, std::string const& other) {
  std::size_t const at = text.find(part);
  EXPECT_NE(at, std::string::npos) << part;
  EXPECT_EQ(text.find(part, at + 1), std::string::npos) << part;
  return at == std::string::npos ? text : text.replace(at, part.size(), other);
}

class Import : public testing::Test {
 protected:
  ImportedCase import() const { return import_project(folder_ / file_); }
  json read() const { return json::parse(import().text); }
  /// The case as the command reads it.
  WindCase read_whole() const { return read_wind_case(Case::parse(import().text, "case.json", schema())); }
  std::vector<std::string> remarks() const {
    std::vector<std::string> lines;
    for (ImportRemark const& remark : import().remarks) {
      std::string const line = remark.line();
      EXPECT_TRUE(is_one_line(line)) << line;
      lines.push_back(line.substr(folder_.path().string().size() + 1));
    }
    return lines;
  }
  bool has_remark(std::string const& part) const {
    auto const all = remarks();
    return std::any_of(all.begin(), all.end(), [&](std::string const& line) { return contains(line, part); });
  }
  /// The refusal without the name of the folder.
  std::string refusal() const {
    std::string const message = message_of<CaseError>([&] { import(); });
    EXPECT_TRUE(is_one_line(message)) << message;
    return message.substr(std::min(message.size(), folder_.path().string().size() + 1));
  }

  TemporaryFolder folder_;
  std::string file_;
};

class QesImport : public Import {
 protected:
  QesImport() {
    file_ = "town.xml";
    write(small_qes_project);
  }
  void write(std::string const& text) const { put(folder_ / "town.xml", text); }
  void replace(std::string const& part, std::string const& other) const { write(with(small_qes_project, part, other)); }
  /// The sensor with other elements in its time series.
  void write_reading(std::string const& elements) const {
    std::size_t const from = small_qes_project.find("<boundaryLayerFlag>");
    std::size_t const to = small_qes_project.find("</timeSeries>");
    std::string text = small_qes_project;
    write(text.replace(from, to - from, elements));
  }
};

TEST_F(QesImport, DomainIsThatOfTheFile) {
  json const domain = read()["domain"];
  EXPECT_EQ(domain["origin"], json({-20, -10})) << "positions count from the corner inside of the halo";
  EXPECT_EQ(domain["cells"], json({40, 30}));
  EXPECT_EQ(domain["spacing"], json({5, 5}));
  EXPECT_EQ(domain["layers"], (json{{"kind", "uniform"}, {"count", 20}, {"thickness", 2}}));
}

TEST_F(QesImport, StretchedLayersAreListed) {
  std::string values;
  for (int k = 0; k < 20; ++k) values += "<dz_value> " + std::to_string(1 + k) + " </dz_value>";
  replace("<verticalStretching> 0 </verticalStretching>", "<verticalStretching>1</verticalStretching>" + values);
  json const layers = read()["domain"]["layers"];
  EXPECT_EQ(layers["kind"], "list");
  EXPECT_EQ(layers["thicknesses"].size(), 20u);
  EXPECT_EQ(layers["thicknesses"].back(), 20);
  replace("<verticalStretching> 0 </verticalStretching>",
          "<verticalStretching>1</verticalStretching><dz_value>1</dz_value>");
  EXPECT_EQ(refusal(), "town.xml:6: <dz_value>: \"1 values of <dz_value>\": expected one for each of 20 layers");
}

TEST_F(QesImport, WindBlowsFromTheDirection) {
  WindCase const found = read_whole();
  EXPECT_EQ(found.profile.kind, Profile::Kind::log);
  auto const velocity = found.profile.velocity(10);
  EXPECT_NEAR(velocity[0], 5, 1e-12) << "from 270 degrees, toward +x";
  EXPECT_NEAR(velocity[1], 0, 1e-12);
  EXPECT_EQ(found.profile.obukhov_length, 100) << "the reciprocal of 0.01 1/m";
}

TEST_F(QesImport, NeutralLogarithmIsThatOfTheProgram) {
  replace("<reciprocal> 0.01 </reciprocal>", "<reciprocal> 0 </reciprocal>");
  Profile const profile = read_whole().profile;
  for (double const z : {0.5, 3.0, 10.0, 40.0})
    EXPECT_NEAR(profile.speed_at(z), 5 * std::log((z + 0.1) / 0.1) / std::log(10.1 / 0.1), 1e-12) << z;
}

TEST_F(QesImport, EveryBoundaryLayer) {
  std::string const point = "<height>10</height><speed>5</speed><direction>350</direction>";
  write_reading("<boundaryLayerFlag>0</boundaryLayerFlag><siteZ0>0.1</siteZ0><reciprocal>0</reciprocal>" + point);
  EXPECT_EQ(read()["wind"]["profile"], (json{{"kind", "power"}, {"speed", 5}, {"height", 10}, {"exponent", 0}}));
  EXPECT_EQ(read()["wind"]["direction"], 350);
  write_reading("<boundaryLayerFlag>2</boundaryLayerFlag><siteZ0>0.16</siteZ0><reciprocal>0</reciprocal>" + point);
  EXPECT_EQ(read()["wind"]["profile"], (json{{"kind", "power"}, {"speed", 5}, {"height", 10}, {"exponent", 0.16}}));
  write_reading("<boundaryLayerFlag>3</boundaryLayerFlag><siteZ0>0.2</siteZ0><reciprocal>-0.02</reciprocal>" + point +
                "<canopyHeight>8</canopyHeight><attenuationCoefficient>1.5</attenuationCoefficient>");
  EXPECT_EQ(read()["wind"]["profile"], (json{{"kind", "canopy"},
                                             {"speed", 5},
                                             {"height", 10},
                                             {"roughness", 0.2},
                                             {"canopy_height", 8},
                                             {"attenuation", 1.5},
                                             {"obukhov_length", -50}}));
  write_reading("<boundaryLayerFlag>4</boundaryLayerFlag><siteZ0>0.1</siteZ0><reciprocal>0</reciprocal>" + point +
                "<height>40</height><speed>7</speed><direction>10</direction>");
  EXPECT_EQ(
      read()["wind"]["profile"],
      (json{{"kind", "measured"}, {"heights", {10, 40}}, {"speeds", {5, 7}}, {"turning", {0, 20}}, {"roughness", 0.1}}))
      << "from 350 to 10 degrees the short way";
}

TEST_F(QesImport, BuildingsAreWhereTheyWere) {
  WindCase const found = read_whole();
  ASSERT_EQ(found.buildings.size(), 2u);
  // The corner (60, 20), 30 m along +y and 10 m along -x; positions of the case count from (-20, -10).
  Building const& block = found.buildings[0];
  EXPECT_NEAR(block.x, 75, 1e-9);
  EXPECT_NEAR(block.y, 45, 1e-9);
  EXPECT_EQ(block.rotation, 90);
  EXPECT_EQ(block.length, 30);
  EXPECT_EQ(block.width, 10);
  EXPECT_EQ(block.base, 4);
  EXPECT_EQ(block.top(), 16) << "the height counts from the base";
  EXPECT_NEAR(found.buildings[1].area(), 200, 1e-9);
  EXPECT_EQ(found.buildings[1].height, 9);
}

TEST_F(QesImport, MethodsHaveTheirNames) {
  json const all = read()["parameterisations"];
  EXPECT_EQ(all["rooftop"], "vortex");
  EXPECT_EQ(all["upwind_cavity"], true);
  EXPECT_EQ(all["upwind_model"], "hmvp");
  EXPECT_EQ(all["street_canyon"], true);
  EXPECT_EQ(all["intersection"], true);
  EXPECT_EQ(all["wake"], true);
  EXPECT_EQ(all["cavity_decay"], 1.1);
  EXPECT_EQ(all["wake_offset"], 0.1);
  EXPECT_EQ(all["high_rise"], true);
  EXPECT_EQ(all["sidewall"], false);
  EXPECT_EQ(all["wall_roughness"], 0.2);
  EXPECT_EQ(all["wall_law"], true);
  EXPECT_EQ(all["vegetation_wake"], false);
  EXPECT_EQ(all["windbreak_exponent"], 1) << "model 1 of windbreaks takes the porosity itself";
  EXPECT_EQ(read()["solver"]["walls"], "cut");
  replace("<upwindCavityFlag> 3 </upwindCavityFlag>", "<upwindCavityFlag> 0 </upwindCavityFlag>");
  EXPECT_EQ(read()["parameterisations"]["upwind_cavity"], false);
  EXPECT_FALSE(read()["parameterisations"].contains("upwind_model"));
}

TEST_F(QesImport, MethodsOfOlderFiles) {
  std::string text = with(small_qes_project, "  <sidewallFlag> 0 </sidewallFlag>\n", "");
  text = with(text, "<meshTypeFlag>", "<sidewallFlag> 1 </sidewallFlag><meshTypeFlag>");
  text = with(with(text, "<buildingsParams>", "<buildings>"), "</buildingsParams>", "</buildings>");
  text = with(with(text, "<QESWindsParameters>\n", ""), "</QESWindsParameters>\n", "");
  write(text);
  EXPECT_EQ(read()["parameterisations"]["sidewall"], true);
  EXPECT_EQ(read()["buildings"].size(), 2u);
}

TEST_F(QesImport, PlantsHaveTheirFootprints) {
  json const plants = read()["vegetation"];
  ASSERT_EQ(plants.size(), 3u);
  EXPECT_EQ(plants[0], (json{{"kind", "canopy"},
                             {"footprint", {{"kind", "rectangle"}, {"position", {110, 65}}, {"size", {20, 10}}}},
                             {"height", 6},
                             {"attenuation", 1.5}}));
  EXPECT_EQ(plants[1], (json{{"kind", "trees"},
                             {"positions", json::array({json::array({20, 70})})},
                             {"diameter", 10},
                             {"height", 15},
                             {"attenuation", 3},
                             {"base", 3}}));
  EXPECT_EQ(plants[2], (json{{"kind", "windbreak"},
                             {"footprint", {{"kind", "rectangle"}, {"position", {21, 40}}, {"size", {2, 40}}}},
                             {"height", 4},
                             {"porosity", 0.3},
                             {"base", 1}}))
      << "the length of a windbreak is across its width";
  EXPECT_EQ(read_whole().vegetation.size(), 3u);
}

TEST_F(QesImport, RemarksNameWhatIsLeftOut) {
  EXPECT_EQ(remarks(), (std::vector<std::string>{
                           "town.xml:10: <maxIterations>: the solver of Karman has its own limits and tolerance",
                           "town.xml:56: <zMaxLAI>: crowns whose leaf area changes with height have no counterpart",
                           "town.xml:64: <turbParams>: turbulence has no counterpart"}));
  replace("<turbParams> <method> 0 </method> </turbParams>", "<fires/>");
  EXPECT_TRUE(has_remark("town.xml:64: <fires>: fire has no counterpart"));
  replace("<numBuildings> 2", "<numBuildings> 7");
  EXPECT_TRUE(has_remark("<numBuildings>: 7 buildings announced, 2 found"));
  replace("<wallRoughness> 0.2", "<shadows/> <wallRoughness> 1.2");
  EXPECT_TRUE(has_remark("<shadows>: unknown element, left out"));
  EXPECT_TRUE(has_remark("<logLawFlag>: left out: the wall law needs a roughness of walls below half of a cell"));
}

TEST_F(QesImport, RotationTurnsDirectionsAlone) {
  replace("<meshTypeFlag>", "<domainRotation> 30 </domainRotation><meshTypeFlag>");
  EXPECT_EQ(read()["wind"]["direction"], 240) << "+y of the domain is 30 degrees east of north";
  EXPECT_TRUE(has_remark("<domainRotation>: wind directions are turned"));
}

/// A plane of 50 x 40 m over (1000, 2000), 100 m high in the south-west.
std::string plane() {
  std::string text = "ncols 50\nnrows 40\nxllcorner 1000\nyllcorner 2000\ncellsize 5\n";
  for (int j = 39; j >= 0; --j) {
    for (int i = 0; i < 50; ++i) text += std::to_string(100 + 0.1 * i) + ' ';
    text += '\n';
  }
  return text;
}

TEST_F(QesImport, TerrainIsPlacedByUtmOrByDistance) {
  put(folder_ / "plane.asc", plane());
  replace("<meshTypeFlag>",
          "<DEM> plane.asc </DEM><DEMDistancex>30</DEMDistancex><DEMDistancey>20</DEMDistancey>"
          "<meshTypeFlag>");
  json const terrain = read()["terrain"];
  EXPECT_EQ(terrain["origin"], json({1030, 2020}));
  EXPECT_EQ(terrain["level"], "lowest");
  EXPECT_EQ(terrain["file"], (folder_ / "plane.asc").string()) << "absolute, so that the case may lie anywhere";
  EXPECT_EQ(read()["domain"]["cells"], json({40, 30})) << "the map covers the halo, too";
  EXPECT_NEAR(read_whole().terrain.height(39, 0) - read_whole().terrain.height(0, 0), 3.9, 1e-6);
  EXPECT_FALSE(read()["buildings"][0].contains("base"));
  EXPECT_TRUE(has_remark("<baseHeight>: left out, as in QES-Winds: the building is on the terrain"));
  replace("<meshTypeFlag>",
          "<DEM> plane.asc </DEM><originFlag>1</originFlag><UTMx>1060</UTMx><UTMy>2040</UTMy>"
          "<meshTypeFlag>");
  EXPECT_EQ(read()["terrain"]["origin"], json({1060, 2040}));
}

TEST_F(QesImport, DomainIsCutToTheTerrain) {
  put(folder_ / "plane.asc", plane());
  replace("<meshTypeFlag>", "<DEM>plane.asc</DEM><meshTypeFlag>");
  json const domain = read()["domain"];
  EXPECT_EQ(domain["origin"], json({0, 0})) << "the halo lies beside the map";
  EXPECT_EQ(domain["cells"], json({36, 28}));
  EXPECT_TRUE(has_remark("the domain is cut to the map, from 40 x 30 to 36 x 28 cells"));
  EXPECT_EQ(read_whole().terrain.heights().size(), 36u * 28);
  replace("<meshTypeFlag>", "<DEM>plane.asc</DEM><DEMDistancex>900</DEMDistancex><meshTypeFlag>");
  EXPECT_EQ(refusal(),
            "town.xml:9: <DEM>: \"plane.asc\": expected heights in the domain; the map covers -900 to -650 m "
            "along x, the domain -20 to 180 m");
}

std::string sensor_file(std::string const& x, std::string const& readings) {
  return "<sensor><site_coord_flag>1</site_coord_flag><site_xcoord>" + x +
         "</site_xcoord><site_ycoord>20</site_ycoord>" + readings + "</sensor>";
}

std::string reading(std::string const& stamp, std::string const& speed, std::string const& direction,
                    std::string const& roughness = "0.1") {
  return "<timeSeries><timeStamp>" + stamp + "</timeStamp><boundaryLayerFlag>1</boundaryLayerFlag><siteZ0>" +
         roughness + "</siteZ0><reciprocal>0</reciprocal><height>10</height><speed>" + speed + "</speed><direction>" +
         direction + "</direction></timeSeries>";
}

class QesSensors : public QesImport {
 protected:
  QesSensors() {
    std::size_t const from = small_qes_project.find("  <sensor>"), to = small_qes_project.find("</metParams>");
    std::string text = small_qes_project;
    text.replace(from, to - from, "<sensorName> a.xml </sensorName><sensorName> sub/b.xml </sensorName>");
    write(with(text, "<totalTimeIncrements> 1", "<totalTimeIncrements> 0"));
    std::filesystem::create_directory(folder_ / "sub");
    put(folder_ / "a.xml",
        sensor_file("10", reading("2020-02-28T23:30:00", "5", "270") + reading("2020-02-29T00:30:00", "6", "280") +
                              reading("2020-03-01T0:30:0", "7", "290")));
    put(folder_ / "sub" / "b.xml",
        sensor_file("500", reading("2020-03-01T00:30:00", "4", "300") + reading("2020-02-28T23:30:00", "3", "310")));
  }
};

TEST_F(QesSensors, SeriesHasTheTimesOfAllSensors) {
  json const whole = read();
  ASSERT_EQ(whole["wind"]["sensors"].size(), 2u);
  EXPECT_EQ(whole["wind"]["sensors"][0]["name"], "a");
  EXPECT_EQ(whole["wind"]["sensors"][0]["position"], json({10, 20}));
  EXPECT_EQ(whole["wind"]["sensors"][1]["position"], json({180, 20}));
  EXPECT_TRUE(has_remark("sensor outside of the domain: moved from x = 500, y = 20 to its nearest point"));
  EXPECT_TRUE(has_remark("1 time is left out: a series needs a reading of every sensor"));
  // 2020 is a leap year: 25 hours from 28 February 23:30 to 1 March 0:30 with a day between.
  EXPECT_EQ(whole["series"]["times"], json::parse(R"([{"time": 0, "readings": [[5, 270], [3, 310]]},
                                                      {"time": 25, "readings": [[7, 290], [4, 300]]}])"));
  EXPECT_EQ(read_whole().series->times.size(), 2u);
}

TEST_F(QesSensors, FirstTimesAreEnough) {
  put(folder_ / "town.xml", with(content(folder_ / "town.xml"), "<totalTimeIncrements> 0", "<totalTimeIncrements> 1"));
  EXPECT_FALSE(read().contains("series"));
  EXPECT_EQ(read()["wind"]["sensors"][1]["profile"]["speed"], 3);
}

TEST_F(QesSensors, ChangingProfilesKeepTheirSpeedAtTheHeight) {
  put(folder_ / "a.xml", sensor_file("10", reading("2020-02-28T23:30:00", "5", "270") +
                                               reading("2020-03-01T00:30:00", "6", "280", "0.5")));
  EXPECT_TRUE(has_remark("the profile of \"a\" changes its shape from here on"));
  EXPECT_NEAR(read()["series"]["times"][1]["readings"][0][0].get<double>(), 6, 1e-12);
}

TEST_F(QesSensors, FilesThatAreMissingOrWrong) {
  std::filesystem::remove(folder_ / "sub" / "b.xml");
  EXPECT_EQ(refusal(), "town.xml:14: <sensorName>: \"sub/b.xml\": expected an existing file; " +
                           (folder_ / "sub/b.xml").string() + " is none");
  put(folder_ / "sub" / "b.xml", "<station/>");
  EXPECT_EQ(refusal(), "sub/b.xml:1: \"station\": expected <sensor> as the outermost element");
  put(folder_ / "sub" / "b.xml", sensor_file("20", reading("2021-01-01T00:00:00", "4", "300")));
  EXPECT_EQ(refusal(), "sub/b.xml:1: <sensor>: expected a time at which all sensors have a reading");
  put(folder_ / "sub" / "b.xml", sensor_file("20", reading("yesterday", "4", "300")));
  EXPECT_EQ(refusal(), "sub/b.xml:1: <timeStamp>: \"yesterday\": expected a time such as 2020-01-31T23:00:00");
}

TEST_F(QesImport, Refusals) {
  struct Wrong {
    char const *part, *other, *message;
  };
  for (
      Wrong const& wrong : std::vector<Wrong>{
          {"40 30 20", "40 30", "town.xml:4: <domain>: \"40 30\": expected three numbers"},
          {"40 30 20", "40 3.5 20", "town.xml:4: <domain>: \"3.5\": expected whole numbers of cells"},
          {"40 30 20", "40 0 20", "town.xml:4: <domain>: \"0\": expected a number >= 1 and <= 32768"},
          {"5.0 5.0 2.0", "5.0 x 2.0", "town.xml:5: <cellSize>: \"x\": expected a number > 0 and <= 10000"},
          {"5.0 5.0 2.0", "5.0 nan 2.0", "town.xml:5: <cellSize>: \"nan\": expected a number > 0 and <= 10000"},
          {"<logLawFlag> 1", "<logLawFlag> 2",
           "town.xml:8: <logLawFlag>: \"2\": expected a whole number >= 0 and <= 1"},
          {"<speed> 5.0 </speed>", "",
           "town.xml:17: <timeSeries>: \"1 heights, 0 speeds, 1 directions\": expected <height>, <speed> and "
           "<direction> of each point"},
          {"<speed> 5.0", "<speed> -5.0", "town.xml:21: <speed>: \"-5.0\": expected a number >= 0 and <= 150"},
          {"<siteZ0> 0.1 </siteZ0>", "", "town.xml:17: <timeSeries>: expected <siteZ0> inside"},
          {"<reciprocal> 0.01", "<reciprocal> 3", "town.xml:20: <reciprocal>: \"3\": expected a number >= -1 and <= 1"},
          {"<upwindCavityFlag> 3", "<upwindCavityFlag> 4",
           "town.xml:28: <upwindCavityFlag>: \"4\": expected a whole number >= 0 and <= 3"},
          {"<xVertex> 120 </xVertex> <yVertex> 40 </yVertex>", "<xVertex> 120 </xVertex>",
           "town.xml:40: <QUICBuilding>: \"3 of <xVertex>, 2 of <yVertex>\": expected as many of both, at least three"},
          {"<meshTypeFlag>", "<DEM>none.tif</DEM><meshTypeFlag>",
           "town.xml:9: <DEM>: \"none.tif\": expected an existing"},
          {"</metParams>", "", "town.xml"},
          {"<QESWindsParameters>\n<sim", "<Other>\n<sim", "town.xml"},
      }) {
    replace(wrong.part, wrong.other);
    EXPECT_EQ(refusal().substr(0, std::string(wrong.message).size()), wrong.message) << wrong.other;
  }
}

TEST_F(QesImport, MissingValuesOfBuildingsAndPlants) {
  struct Missing {
    char const *element, *message;
  };
  for (Missing const& missing : std::vector<Missing>{
           {"<height> 12 </height>", "town.xml:35: <rectangularBuilding>: expected <height> inside"},
           {"<height> 9 </height>", "town.xml:40: <QUICBuilding>: expected <height> inside"},
           {"<attenuationCoefficient> 1.5 </attenuationCoefficient>",
            "town.xml:49: <Homogeneous>: expected <attenuationCoefficient> inside"},
           {"<width> 10 </width>\n  </IsolatedTree>", "town.xml:54: <IsolatedTree>: expected <width> inside"},
           {"<opticalPorosity> 0.3 </opticalPorosity>", "town.xml:58: <Windbreak>: expected <opticalPorosity> inside"},
       }) {
    std::string const element = missing.element;
    std::size_t const end = element.find('\n');
    replace(element, end == std::string::npos ? "" : element.substr(end));
    EXPECT_EQ(refusal(), missing.message);
  }
}

TEST_F(QesImport, EntitiesAreNotExpanded) {
  put(folder_ / "secret", "270");
  write("<!DOCTYPE a [<!ENTITY x SYSTEM \"secret\">]>" +
        with(small_qes_project, "<direction> 270.0", "<direction> &x;"));
  EXPECT_TRUE(contains(refusal(), "<direction>: \"&x;\": expected a number")) << refusal();
}

class QuicImport : public Import {
 protected:
  QuicImport() {
    file_ = "QU_simparams.inp";
    put(folder_ / file_, small_quic_simulation);
    put(folder_ / "QU_buildings.inp", small_quic_buildings);
    put(folder_ / "QU_metparams.inp", small_quic_weather);
    put(folder_ / "sensor1.inp", small_quic_sensor);
  }
};

TEST_F(QuicImport, DomainAndTimes) {
  json const whole = read();
  EXPECT_EQ(whole["domain"]["origin"], json({0, 0}));
  EXPECT_EQ(whole["domain"]["cells"], json({60, 40}));
  EXPECT_EQ(whole["domain"]["spacing"], json({5, 5}));
  EXPECT_EQ(whole["domain"]["layers"], (json{{"kind", "list"}, {"thicknesses", {2, 2, 2, 2, 4, 8, 16, 32}}}));
  // The domain is turned by 30 degrees: directions lose them.
  EXPECT_EQ(whole["series"]["times"], json::parse(R"([{"time": 0, "readings": [[6, 270]]},
                                                      {"time": 0.5, "readings": [[4, 350]]}])"));
  EXPECT_EQ(whole["wind"]["sensors"][0]["name"], "mast");
}

TEST_F(QuicImport, StructuresHaveTheirShapes) {
  json const whole = read();
  ASSERT_EQ(whole["buildings"].size(), 4u);
  EXPECT_EQ(whole["buildings"][0],
            (json{{"kind", "block"}, {"position", {60, 65}}, {"size", {20, 30, 12}}, {"base", 3}}));
  EXPECT_EQ(whole["buildings"][1]["kind"], "ellipse");
  EXPECT_NEAR(whole["buildings"][1]["position"][0].get<double>(), 110, 1e-9);
  EXPECT_NEAR(whole["buildings"][1]["position"][1].get<double>(), 65, 1e-9);
  EXPECT_EQ(whole["buildings"][1]["size"], json({20, 10, 20}));
  EXPECT_EQ(whole["buildings"][2]["corners"].size(), 4u) << "the last node repeats the first";
  EXPECT_EQ(whole["buildings"][2]["holes"].size(), 1u);
  EXPECT_EQ(whole["buildings"][3],
            (json{{"kind", "courtyard"}, {"position", {70, 150}}, {"size", {60, 40, 8}}, {"court", {40, 20}}}));
  EXPECT_EQ(whole["parameterisations"]["courtyard"], true);
  ASSERT_EQ(whole["vegetation"].size(), 1u);
  EXPECT_EQ(whole["vegetation"][0],
            (json{{"kind", "tree"},
                  {"footprint", {{"kind", "ellipse"}, {"position", {230, 150}}, {"size", {10, 10}}}},
                  {"height", 6},
                  {"base", 2},
                  {"attenuation", 4.03}}))
      << "heights count from the base";
  WindCase const found = read_whole();
  double area = 0;
  for (Building const& building : found.buildings) area += building.is_solid() ? building.area() : 0;
  EXPECT_NEAR(area, 20 * 30 + std::acos(-1) * 10 * 5 + (2500 - 400) + (2400 - 800), 1e-6);
}

TEST_F(QuicImport, PentagonPointsAlongY) {
  std::string text = with(small_quic_buildings, "2 !Geometry = Elliptical\n1 !Building Type = Solid",
                          "3 !Geometry = Pentagon\n1 !Building Type = Solid");
  put(folder_ / "QU_buildings.inp", with(text, "90 !Rotation", "0 !Rotation"));
  json const all = read()["buildings"];
  EXPECT_EQ(all[1]["kind"], "courtyard");
  EXPECT_EQ(all[1]["position"], json({110, 55})) << "Xfo, Yfo are its middle";
  WindCase const found = read_whole();
  Building const& building = found.buildings[1];
  double top = 0;
  for (auto const& corner : building.corners()) {
    // The circle around the corners has the diameter of the width, 10 m.
    double const x = corner[0] - 110, y = corner[1] - 55;
    EXPECT_NEAR(std::hypot(x, y), 5, 1e-9);
    top = std::max(top, y);
  }
  EXPECT_NEAR(top, 5, 1e-9);
  ASSERT_EQ(building.holes().size(), 1u);
}

TEST_F(QuicImport, MethodsHaveTheirNames) {
  json const all = read()["parameterisations"];
  EXPECT_EQ(all["rooftop"], "log");
  EXPECT_EQ(all["upwind_model"], "roeckle");
  EXPECT_EQ(all["street_canyon"], true);
  EXPECT_FALSE(all.contains("cavity_decay")) << "wakes of Roeckle";
  EXPECT_EQ(all["sidewall"], true);
  EXPECT_EQ(all["vegetation_wake"], true);
  EXPECT_EQ(all["wall_roughness"], 0.1);
  put(folder_ / file_, with(small_quic_simulation, "1 !wake flag", "3 !wake flag"));
  EXPECT_TRUE(has_remark("QU_simparams.inp:28: wake flag: area-scaled wakes have no counterpart"));
}

TEST_F(QuicImport, Remarks) {
  EXPECT_EQ(remarks(), (std::vector<std::string>{
                           "QU_simparams.inp:33: maximum number of iterations: the solver of Karman has its own limits "
                           "and tolerance",
                           "QU_simparams.inp:34: residual reduction: the solver of Karman has its own limits and "
                           "tolerance",
                           "QU_buildings.inp:77: building: sloped seats have no counterpart: upright walls around an "
                           "open court"}));
  put(folder_ / "QU_TopoInputs.inp", "file\n\"\"\n4 ! topo flag\n");
  put(folder_ / "QUIC_fire.inp", "");
  put(folder_ / "QU_landuse.inp", std::string("\x0c\0\0\0\1\0\0\0", 8));
  EXPECT_TRUE(has_remark("QU_TopoInputs.inp:3: terrain flag: left out"));
  EXPECT_TRUE(has_remark("QUIC_fire.inp: fire has no counterpart"));
  EXPECT_TRUE(has_remark("QU_landuse.inp: land use has no counterpart"));
}

TEST_F(QuicImport, OlderFiles) {
  put(folder_ / file_,
      "!QUIC 5.72\n20 !nx\n10 !ny\n8 !nz\n2 !dx (meters)\n2 !dy (meters)\n0 !Vertical stretching flag\n3 !dz (meters)\n"
      "1 !total time increments\n1 !day of the year\n0 !UTC conversion\n!Time(s) of simulations in decimal hours\n1.5\n"
      "0 !rooftop flag\n2 !upwind cavity flag\n0 !street canyon flag\n0 !street intersection flag\n0 !wake flag\n");
  put(folder_ / "QU_buildings.inp",
      "!QUIC 5.72\n0 !x subdomain\n0 !y subdomain\n20 !x subdomain\n10 !y subdomain\n0.1 !Wall roughness length (m)\n"
      "2 !Number of Structures\n!Bld # Group Type Height(m) Width(m) Length(m) Xfo(m) Yfo(m) Zfo(m) Gamma\n"
      "1 1 1 6 4 8 10 6 0 0 0\n2 1 9 5 4 4 24 10 0 0 1.5\n");
  put(folder_ / "QU_metparams.inp", with(small_quic_weather, "6.26", "5.72"));
  put(folder_ / "sensor1.inp",
      "mast !Site Name\n1 !X coordinate (meters)\n1 !Y coordinate (meters)\n1.5 !Decimal time\n"
      "2 !site boundary layer flag\n0.2 !site exponential\n!Height\n10 3 90\n");
  json const whole = read();
  EXPECT_EQ(whole["domain"]["layers"], (json{{"kind", "uniform"}, {"count", 8}, {"thickness", 3}}));
  EXPECT_EQ(whole["wind"]["profile"], (json{{"kind", "power"}, {"speed", 3}, {"height", 10}, {"exponent", 0.2}}));
  EXPECT_EQ(whole["wind"]["direction"], 90);
  EXPECT_EQ(whole["buildings"], json::parse(R"([{"kind": "block", "position": [14, 6], "size": [8, 4, 6]}])"));
  EXPECT_EQ(whole["vegetation"][0]["attenuation"], 1.5);
}

TEST_F(QuicImport, UnlabelledSensorLinesOfNewerFiles) {
  std::string text = with(small_quic_sensor, "0 !Upper level flag (1 = use this profile for upper level winds)", "0");
  put(folder_ / "sensor1.inp", with(text, "50 !Upper level height (meters)", "50"));
  EXPECT_EQ(read()["series"]["times"].size(), 2u);
}

TEST_F(QuicImport, Refusals) {
  struct Wrong {
    char const *file, *part, *other, *message;
  };
  std::map<std::string, std::string> const files{{"QU_simparams.inp", small_quic_simulation},
                                                 {"QU_buildings.inp", small_quic_buildings},
                                                 {"QU_metparams.inp", small_quic_weather},
                                                 {"sensor1.inp", small_quic_sensor}};
  for (
      Wrong const& wrong : std::vector<Wrong>{
          {"QU_simparams.inp", "!QUIC 6.26\n60 ", "60 ", "QU_simparams.inp:1: version: \"60\": expected !QUIC"},
          {"QU_simparams.inp", "60 !nx", "-60 !nx", "QU_simparams.inp:2: nx: \"-60\": expected a whole number >= 1"},
          {"QU_simparams.inp", "1 !Season flag", "1 !Mood",
           "QU_simparams.inp:32: \"mood (1-summer, 2-winter, 3-transition)\": expected the label of an option of QUIC"},
          {"QU_simparams.inp", "2 !total time", "9999 !total time",
           "QU_simparams.inp:44: time: \"end of the file\": expected a line"},
          {"QU_buildings.inp", "5 !Number of Buildings", "6 !Number of Buildings",
           "QU_buildings.inp:91: start of a building: \"end of the file\": expected a line"},
          {"QU_buildings.inp", "6 !Geometry = Polygon", "7 !Geometry = Polygon",
           "QU_buildings.inp:35: geometry: \"7\": expected a whole number >= 1 and <= 6"},
          {"QU_buildings.inp", "12 !Height [m]", "tall !Height [m]",
           "QU_buildings.inp:9: height: \"tall\": expected a"},
          {"QU_buildings.inp", "165 65\n185 65", "165\n185 65", "QU_buildings.inp:54: node: \"165\": expected x and y"},
          {"QU_metparams.inp", "0 !Met", "1 !Met", "QU_metparams.inp:2: met input flag: \"1\": expected 0, sensors"},
          {"QU_metparams.inp", "sensor1.inp", "sensor9.inp",
           "QU_metparams.inp:7: file name: \"sensor9.inp\": expected an existing file"},
          {"sensor1.inp", "10.	6.	300", "10. 6.",
           "sensor1.inp:12: height, speed and direction: \"10. 6.\": expected a height, a speed and a direction"},
          {"sensor1.inp", "4.	20\n", "4.	20x\n",
           "sensor1.inp:18: height, speed and direction: \"20x\": expected a number >= -3600 and <= 3600"},
      }) {
    put(folder_ / wrong.file, with(files.at(wrong.file), wrong.part, wrong.other));
    EXPECT_EQ(refusal().substr(0, std::string(wrong.message).size()), wrong.message) << wrong.other;
    put(folder_ / wrong.file, files.at(wrong.file));
  }
  std::filesystem::remove(folder_ / "QU_buildings.inp");
  EXPECT_TRUE(contains(refusal(), "QU_simparams.inp: \"QU_buildings.inp\": expected an existing file")) << refusal();
}

TEST_F(QuicImport, FolderMeansItsProject) {
  EXPECT_EQ(import_project(folder_.path()).text, import().text);
  EXPECT_EQ(import_project(folder_ / "QU_buildings.inp").text, import().text);
}

}  // namespace wind_import_test
