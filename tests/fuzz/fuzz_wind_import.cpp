// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Projects of QES-Winds and QUIC. The first byte of an input chooses the file that it replaces.
#include "apps/wind/foreign_projects.hpp"
#include "fuzz_target.hpp"
#include "io/temporary_folder.hpp"
#include "wind/case/wind_case.hpp"
#include "wind/import/import_project.hpp"
#include <karman/io/config.hpp>
#include <karman/io/error.hpp>

#include <array>
#include <filesystem>
#include <stdexcept>

namespace {

using namespace karman;

struct ProjectFile {
  char const* name;
  std::string const& text;
};

std::string const sensor_text =
    "<sensor><site_coord_flag>1</site_coord_flag><site_xcoord>10</site_xcoord><site_ycoord>20</site_ycoord>"
    "<timeSeries><timeStamp>2020-01-01T00:00:00</timeStamp><siteZ0>0.1</siteZ0><reciprocal>0</reciprocal>"
    "<height>10</height><speed>4</speed><direction>10</direction></timeSeries></sensor>";

std::string const sensor_project =
    "<QESWindsParameters><simulationParameters><domain>8 6 4</domain><cellSize>5 5 2</cellSize></simulationParameters>"
    "<metParams><sensorName>sensor.xml</sensorName></metParams></QESWindsParameters>";

std::array<ProjectFile, 6> const files{{{"town.xml", test::small_qes_project},
                                        {"QU_simparams.inp", test::small_quic_simulation},
                                        {"QU_buildings.inp", test::small_quic_buildings},
                                        {"QU_metparams.inp", test::small_quic_weather},
                                        {"sensor1.inp", test::small_quic_sensor},
                                        {"sensor.xml", sensor_text}}};

void put_again(std::filesystem::path const& path, std::string const& text) {
  std::filesystem::remove(path);  // some file systems wait for the disk where a file is replaced
  test::put(path, text);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
  static test::TemporaryFolder const folder;
  static bool const complete = [] {
    for (ProjectFile const& file : files) test::put(folder / file.name, file.text);
    test::put(folder / "stations.xml", sensor_project);
    return true;
  }();
  if (size < 1 || !complete) return 0;
  std::size_t const which = data[0] % files.size();
  put_again(folder / files[which].name, std::string(reinterpret_cast<char const*>(data) + 1, size - 1));
  char const* const start = which == 0 ? "town.xml" : which == 5 ? "stations.xml" : "QU_simparams.inp";
  try {
    wind::ImportedCase const imported = wind::import_project(folder / start);
    for (wind::ImportRemark const& remark : imported.remarks) {
      if (remark.line().find_first_of("\n\r") != std::string::npos)
        throw std::logic_error("a remark of more than one line");
    }
    // A converted case fits the schema; it may still be refused, as for a building outside of the domain.
    wind::read_wind_case(Case::parse(imported.text, "case.json", wind::schema()));
  } catch (CaseError const&) {
  } catch (FileError const&) {
  }
  put_again(folder / files[which].name, files[which].text);
  return 0;
}

namespace karman::fuzz {

std::vector<std::string> seeds() {
  std::vector<std::string> all;
  for (std::size_t n = 0; n < files.size(); ++n) all.push_back(static_cast<char>(n) + files[n].text);
  return all;
}

std::vector<std::string> words() {
  return {"<timeSeries>",
          "</timeSeries>",
          "<sensor>",
          "<dz_value>",
          "<verticalStretching>1",
          "<DEM>a.asc",
          "<SHPFile>b",
          "<xVertex>",
          "<height>",
          "<!--",
          "&amp;",
          "!Start",
          "!",
          "1e308",
          "-1",
          "nan",
          "1d5",
          "\"",
          "sensor1.inp",
          "2 !site boundary",
          "4\n",
          "\r\n",
          "\n\n",
          "<canopyRotation>",
          "<domainRotation>"};
}

}  // namespace karman::fuzz
