// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Compares the numbers of two results bit by bit.
#pragma once

#include <karman/io/error.hpp>
#include <karman/io/hdf5_file.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace karman::test {

/// Every numeric dataset and table of a file except wall-clock times, by name and type.
class ResultContent {
 public:
  explicit ResultContent(Hdf5File const& file) : file_(file) { walk("/"); }
  std::vector<std::pair<std::string, std::vector<double>>> values;

 private:
  void walk(std::string const& group) {
    for (Hdf5Entry const& entry : file_.list(group)) {
      std::string const name = group + (group == "/" ? "" : "/") + entry.name;
      if (entry.kind == Hdf5Entry::Kind::group) walk(name);
      if (entry.kind == Hdf5Entry::Kind::dataset) add(name);
    }
  }

  void add(std::string const& name) {
    if (add_as<double>(name) || add_as<float>(name)) return;
    try {
      Table const table = file_.read_table(name);
      for (std::size_t c = 0; c < table.columns.size(); ++c) {
        if (table.columns[c] != "seconds") values.emplace_back(name + ':' + table.columns[c], table.values[c]);
      }
    } catch (FileError const&) {
      // Text, or integers that the case determines.
    }
  }

  template <class Real>
  bool add_as(std::string const& name) {
    try {
      std::vector<Real> const numbers = file_.read_vector<Real>(name);
      values.emplace_back(name + (sizeof(Real) == 4 ? " f32" : ""),
                          std::vector<double>(numbers.begin(), numbers.end()));
      return true;
    } catch (FileError const&) {
      return false;
    }
  }

  Hdf5File const& file_;
};

/// Expects the same bits in two results.
inline void expect_same_result(std::filesystem::path const& found_file, std::filesystem::path const& expected_file) {
  Hdf5File const one = Hdf5File::open(found_file), other = Hdf5File::open(expected_file);
  ResultContent const found(one), expected(other);
  ASSERT_EQ(found.values.size(), expected.values.size());
  ASSERT_GT(found.values.size(), 3u);
  for (std::size_t n = 0; n < found.values.size(); ++n) {
    EXPECT_EQ(found.values[n].first, expected.values[n].first);
    auto const& a = found.values[n].second;
    auto const& b = expected.values[n].second;
    // Bits: NaN is NaN.
    auto const bits = [](double v) { return std::bit_cast<std::uint64_t>(v); };
    EXPECT_TRUE(std::ranges::equal(a, b, {}, bits, bits)) << found.values[n].first;
  }
}

}  // namespace karman::test
