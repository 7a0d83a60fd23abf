// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Files with wave spectra. The first byte of an input chooses the file that it replaces; files of NDBC are read
// together.
#include "apps/waves/small_spectra.hpp"
#include "apps/waves/small_wave_case.hpp"
#include "fuzz_target.hpp"
#include "io/temporary_folder.hpp"
#include "waves/case/read_spectrum_file.hpp"
#include "waves/case/wave_case.hpp"
#include <karman/io/config.hpp>
#include <karman/io/error.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <map>
#include <stdexcept>
#include <utility>

namespace {

using namespace karman;

/// The file that a case names, for one that lies beside it.
std::string start_of(std::string const& name) {
  if (name.starts_with("44999.")) return "44999.data_spec";
  if (name.starts_with("44999")) return "44999w2019.txt";
  return name;
}

void put_anew(std::filesystem::path const& path, std::string const& text) {
  std::filesystem::remove(path);  // some file systems wait for the disk where a file is replaced
  test::put(path, text);
}

constexpr std::array<char const*, 4> choices{"", R"(, "location": 1, "time": 1)",
                                             R"(, "location": 2, "time": 2, "direction": 10)",
                                             R"(, "direction": 10, "spreading": 3)"};

/// The case of a file. Cases are kept, because their check takes longer than the reading of a file.
Case const& case_of(std::filesystem::path const& folder, std::string const& file, std::size_t choice) {
  static std::map<std::pair<std::string, std::size_t>, Case> cases;
  auto found = cases.find({file, choice});
  if (found == cases.end()) {
    std::string const members =
        R"("waves": { "kind": "spectrum_file", "file": ")" + file + '"' + choices[choice] + " }";
    found = cases
                .emplace(std::pair(file, choice),
                         Case::parse(test::open_water(R"({ "kind": "disc", "radius": 20, "size": 10 })", members),
                                     (folder / "case.json").string(), waves::schema()))
                .first;
  }
  return found->second;
}

/// The waves of a sound file: finite, and with the energy of the spectrum in equal parts.
void require_sound(waves::SeaState const& sea) {
  if (sea.components.empty()) throw std::logic_error("a spectrum without waves");
  for (waves::WaveComponent const& component : sea.components) {
    bool const sound = std::isfinite(component.period) && component.period > 0 && std::isfinite(component.height) &&
                       component.height > 0 && std::isfinite(component.waves.at(0).direction) &&
                       component.share_from < component.share_to;
    if (!sound) throw std::logic_error("a spectrum was read whose waves are not finite");
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
  static test::TemporaryFolder const folder;
  static auto const files = test::small_spectra();
  static bool const complete = [] {
    test::write_small_spectra(folder.path());
    return true;
  }();
  if (size < 1 || !complete) return 0;
  auto const& [name, text] = files[data[0] % files.size()];
  put_anew(folder / name, std::string(reinterpret_cast<char const*>(data) + 1, size - 1));
  for (std::size_t choice = 0; choice < choices.size(); ++choice) {
    try {
      std::vector<std::string> remarks;
      require_sound(waves::read_spectrum_file(case_of(folder.path(), start_of(name), choice), remarks));
      for (std::string const& remark : remarks) {
        if (std::any_of(remark.begin(), remark.end(), [](char c) { return c < ' ' || c > '~'; }))
          throw std::logic_error("a remark that is not plain text");
      }
    } catch (CaseError const&) {
    } catch (FileError const&) {
    }
  }
  put_anew(folder / name, text);
  return 0;
}

namespace karman::fuzz {

std::vector<std::string> seeds() {
  std::vector<std::string> all;
  char number = 0;
  for (auto const& [name, text] : test::small_spectra()) all.push_back(std::string{number++} + text);
  return all;
}

std::vector<std::string> words() {
  return {"SWAN 1\n",
          "TIME\n1\n",
          "LOCATIONS\n",
          "LONLAT\n",
          "AFREQ\n",
          "RFREQ\n",
          "NDIR\n",
          "CDIR\n",
          "QUANT\n",
          "VaDens\n",
          "EnDens\n",
          "DSPRDEGR\n",
          "FACTOR\n",
          "ZERO\n",
          "NODATA\n",
          "LOCATION 1\n",
          "$",
          "-99",
          "-999",
          "1e308",
          "1.0D+00",
          "nan",
          "#YY MM DD hh mm ",
          "Sep_Freq",
          "(0.050)",
          "MM",
          "999.0",
          "r1_1",
          "frequency (Hz)",
          "energy density (m2/Hz)",
          "period (s)",
          "(rad)",
          "NA",
          "\"",
          ";",
          "\t",
          "\r\n",
          "0 0\n"};
}

}  // namespace karman::fuzz
