// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// karman wind --import: the case on stdout runs, remarks on stderr, exit codes.
#include "apps/common/run_command.hpp"
#include "apps/wind/foreign_projects.hpp"
#include <karman/io/hdf5_file.hpp>

#include <gtest/gtest.h>

#include <string>

namespace wind_import_command_test {

using namespace karman;
using namespace karman::test;

TEST(WindImportCommand, CaseOfQesRunsAnywhere) {
  Workplace const place;
  place.write("town.xml", small_qes_project);
  Outcome const imported = place.karman({"wind", "--import", "town.xml"});
  ASSERT_EQ(imported.exit_code, 0) << imported.err;
  EXPECT_EQ(line_count(imported.err), 3) << imported.err;
  place.write("case.json", imported.out);
  Outcome const run = place.karman({"wind", "case.json"});
  ASSERT_EQ(run.exit_code, 0) << run.err;
  Hdf5File const file = Hdf5File::open(place.path("results/case/wind.h5"));
  EXPECT_EQ(file.read_table("/buildings").values[0].size(), 2u);
  EXPECT_EQ(file.read_vector<double>("/grid/x").front(), -20);
  EXPECT_EQ(file.read_vector<double>("/grid/x").back(), 180);
}

TEST(WindImportCommand, CaseOfQuicRuns) {
  Workplace const place;
  place.write("QU_simparams.inp", small_quic_simulation);
  place.write("QU_buildings.inp", small_quic_buildings);
  place.write("QU_metparams.inp", small_quic_weather);
  place.write("sensor1.inp", small_quic_sensor);
  Outcome const imported = place.karman({"wind", "--import", "QU_simparams.inp"});
  ASSERT_EQ(imported.exit_code, 0) << imported.err;
  place.write("case.json", imported.out);
  Outcome const run = place.karman({"wind", "case.json"});
  ASSERT_EQ(run.exit_code, 0) << run.err;
  Hdf5File const file = Hdf5File::open(place.path("results/case/series.h5"));
  EXPECT_EQ(file.read_table("/times").values[0].size(), 2u);
}

TEST(WindImportCommand, ExitCodes) {
  Workplace const place;
  place.write("town.xml", "<QESWindsParameters>");
  Outcome const malformed = place.karman({"wind", "--import", "town.xml"});
  EXPECT_EQ(malformed.exit_code, 2);
  EXPECT_EQ(line_count(malformed.err), 1) << malformed.err;
  EXPECT_EQ(malformed.out, "");
  Outcome const missing = place.karman({"wind", "--import", "none.xml"});
  EXPECT_EQ(missing.exit_code, 4);
  EXPECT_EQ(line_count(missing.err), 1) << missing.err;
  Outcome const both = place.karman({"wind", "case.json", "--import", "town.xml"});
  EXPECT_EQ(both.exit_code, 2);
  EXPECT_NE(both.err.find("--import: prints a case and runs none; remove CASE"), std::string::npos) << both.err;
}

}  // namespace wind_import_command_test
