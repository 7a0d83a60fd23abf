// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Datasets that an XDMF file names, compared with their HDF5 file.
#pragma once

#include <karman/io/atomic_file.hpp>
#include <karman/io/hdf5_file.hpp>

#include <gtest/gtest.h>

#include <filesystem>
#include <regex>
#include <string>
#include <vector>

namespace karman::test {

/// Checks every dataset that the file names for existence, extents and number type. /steps/N is plane N of `whole`.
/// \return the values of its times, in their order
inline std::vector<double> check_xdmf_references(std::filesystem::path const& path, std::string const& whole) {
  std::string const text = read_text_file(path);
  std::regex const item(
      R"~(<DataItem Format="HDF" Dimensions="([0-9 ]+)" NumberType="(\w+)" Precision="(\d)">([^:<]+):([^<]+)<)~");
  std::sregex_iterator const end;
  int count = 0;
  for (std::sregex_iterator at(text.begin(), text.end(), item); at != end; ++at, ++count) {
    std::smatch const& found = *at;
    std::string const name = found[5].str(), steps = "/steps/";
    bool const step = name.starts_with(steps);
    Hdf5File const file = Hdf5File::open(path.parent_path() / found[4].str());
    DatasetInfo const info = file.info(step ? whole : name);
    if (step) {
      EXPECT_TRUE(file.exists(name)) << name;
      EXPECT_LT(std::stoul(name.substr(steps.size())), info.extents[0]);
    }
    std::string extents;
    for (std::size_t axis = step ? 1 : 0; axis < info.extents.rank(); ++axis)
      extents += (extents.empty() ? "" : " ") + std::to_string(info.extents[axis]);
    EXPECT_EQ(found[1].str(), extents) << found[5];
    bool const integer = info.type == ScalarType::uint8;
    EXPECT_EQ(found[2].str(), integer ? "UChar" : "Float") << found[5];
    EXPECT_EQ(found[3].str(), std::to_string(scalar_size(info.type))) << found[5];
  }
  EXPECT_GT(count, 0) << text;
  std::vector<double> times;
  std::regex const time(R"~(<Time Value="([^"]+)")~");
  for (std::sregex_iterator at(text.begin(), text.end(), time); at != end; ++at)
    times.push_back(std::stod((*at)[1].str()));
  return times;
}

}  // namespace karman::test
