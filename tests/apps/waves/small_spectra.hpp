// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Small files with wave spectra of every format that is read.
#pragma once

#include "io/temporary_folder.hpp"

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace karman::test {

/// A file of SWAN with 12 directions and two frequencies; `row` has the table's numbers for both.
inline std::string swan_table(std::string const& row, std::string const& kind = "NDIR", double first = 0,
                              std::string const& name = "VaDens", std::string const& unit = "m2/Hz/degr",
                              std::string const& factor = "0.01") {
  std::string text =
      "SWAN 1 Swan standard spectral file\nLOCATIONS\n1 number of locations\n0 -100\nAFREQ\n2 frequencies\n0.1\n0.2\n" +
      kind + "\n12 directions\n";
  for (int n = 0; n < 12; ++n) text += std::to_string(static_cast<int>(first) + 30 * n) + '\n';
  text += "QUANT\n1 quantity\n" + name + "\n" + unit + "\n-0.9900E+02 exception value\n";
  return text + "FACTOR\n" + factor + "\n" + row + "\n" + row + "\n";
}

/// A file of SWAN with densities, directions and spreads at two frequencies.
inline std::string swan_rows(std::string const& kind, std::string const& rows, bool spread = true,
                             std::string const& frequencies = "AFREQ\n2\n0.1\n0.2\n") {
  return "SWAN 1\nLONLAT\n1\n4.5 52\n" + frequencies + "QUANT\n" + (spread ? "3" : "2") + "\nVaDens\nm2/Hz\n-99\n" +
         kind + "\ndegr\n-999\n" + (spread ? "DSPRDEGR\ndegr\n-9\n" : "") + "LOCATION     1\n" + rows;
}

inline std::vector<std::pair<std::string, std::string>> small_spectra() {
  std::string const east = "0 0 0 0 0 0 0 0 0 4 0 0";  // 270 degrees
  return {
      {"small.sp2", swan_table(east)},
      {"nautical.sp2", swan_table("0 0 0 0 0 0 0 1 2 1 0 0")},           // 210, 240, 270: from 240 degrees
      {"cartesian.sp2", swan_table("1 2 1 0 0 0 0 0 0 0 0 0", "CDIR")},  // 0, 30, 60: to 30 degrees
      {"nautical.sp1", swan_rows("NDIR", "1 240 30\n1.0E+0 240 30\n")},
      {"cartesian.sp1", swan_rows("CDIR", "1 30 30\n1.0D+00 390 30\n")},
      {"no_spread.sp1", swan_rows("NDIR", "1 240\n1 240\n", false)},
      {"missing.sp1", swan_rows("NDIR", "1 240 30\n2 -0.999E+03 -9\n3 240 30\n-99 240 30\n-0.5 240 30\n", true,
                                "AFREQ\n5\n0.1\n0.2\n0.3\n0.4\n0.5\n")},
      {"relative.sp1", swan_rows("NDIR", "1 240 30\n1 240 30\n", true, "RFREQ\n2\n0.1\n0.2\n")},
      {"several.sp1",
       "SWAN 1\nTIME\n1\nLOCATIONS\n3\n0 0\n5.0   7.5\n9 9\nAFREQ\n2\n0.1\n0.2\nQUANT\n2\nVaDens\nm2/Hz\n-99\n"
       "NDIR\ndegr\n-999\n20200101.120000 date and time\nLOCATION 1\n1 270\n1 270\nLOCATION 2\n2 270\n2 270\n"
       "LOCATION 3\n3 270\n3 270\n20200101.180000\nLOCATION 1\n4 270\n4 270\nNODATA\nLOCATION 3\n6 270\n6 "
       "270\n"},
      {"zero.sp2", swan_table(east).replace(swan_table(east).find("FACTOR"), std::string::npos, "ZERO\n")},
      {"joules.sp2", swan_table(east, "NDIR", 0, "EnDens", "J/m2/Hz/degr", "100.5525")},
      {"radians.sp2", swan_table(east, "NDIR", 0, "VaDens", "m2/Hz/rad", "0.5729577951308232")},
      {"two_ways.sp2", swan_table("0 0 0 2 0 0 0 0 0 2 0 0")},
      {"behind.sp2", swan_table("0 0 0 2 0 0 0 0 0 0 0 0")},
      {"44999.data_spec",
       "#YY  MM DD hh mm Sep_Freq  < spec_1 (freq_1) spec_2 (freq_2) ... >\n"
       "2020 06 08 03 50 0.225 1.000 (0.050) 3.000 (0.060) 2.000 (0.070)\n"
       "2020 06 08 02 50 0.161 9.000 (0.050) 9.000 (0.060) 999.0 (0.070)\n"},
      {"44999.swdir",
       "#YY  MM DD hh mm alpha1_1 (freq_1) alpha1_2 (freq_2) ... >\n"
       "2020 06 08 02 50 100.0 (0.050) 100.0 (0.060) 100.0 (0.070)\n"
       "2020 06 08 03 50 300.0 (0.050) 300.0 (0.060) 300.0 (0.070)\n"},
      {"44999.swr1",
       "#YY  MM DD hh mm r1_1 (freq_1) r1_2 (freq_2) ... >\n"
       "2020 06 08 03 50 0.75 (0.050) 0.75 (0.060) 0.75 (0.070)\n"},
      {"44999w2019.txt", "#YY  MM DD hh mm  .0500  .1000\n2019 02 06 00 40   0.50   1.50\n"},
      {"44999d2019.txt", "#YY  MM DD hh mm  .0500  .1000\n2019 02 06 00 40   180   180\n"},
      {"44999j2019.txt", "#YY  MM DD hh mm  .0500  .1000\n2019 02 06 00 40    80    80\n"},
      {"44998w2019.txt", "YYYY MM DD hh .0500  .1000\n2019 02 06 00   0.50   1.50\n"},
      {"plain.csv", "frequency,energy density,mean direction,spread\n0.1,1,260,20\n0.2,3,260,20\n"},
      {"units.csv",
       "\xef\xbb\xbf# of a buoy\nFrequency (mHz);\"Energy density (m2/Hz)\";Mean_Direction [rad];Spread (rad);Check\n"
       "0;7;1;1;0\n200;3;4.537856055185257;0.3490658503988659;1.5\n100;1;4.537856055185257;0.3490658503988659;1\n"},
      {"periods.csv", "period (s)\tdensity (cm2/Hz)\tdir\tspreading\n5\t30000\t260\t20\n10\t10000\t-100\t20\n"},
      {"stations.csv",
       "station,time,freq (Hz),energy (m2/Hz),dir (deg)\nsouth,2020-01-01,0.1,1,270\nsouth,2020-01-01,0.2,1,270\n"
       "north,2020-01-01,0.1,2,270\nnorth,2020-01-01,0.2,2,270\nsouth,2020-01-02,0.1,3,270\nsouth,2020-01-02,0.2,3,"
       "270\n"
       "north,2020-01-02,0.1,4,270\nnorth,2020-01-02,0.2,4,NA\n"},
      {"nothing.csv", "f,s\n0.1,0\n0.2,0\n0.3,\n0.4,-999\n"}};
}

inline std::vector<std::string> small_spectra_names() {
  std::vector<std::string> names;
  for (auto const& [name, text] : small_spectra()) names.push_back(name);
  return names;
}

inline void write_small_spectra(std::filesystem::path const& folder) {
  for (auto const& [name, text] : small_spectra()) put(folder / name, text);
}

}  // namespace karman::test
