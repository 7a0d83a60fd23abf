// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "files.hpp"

#include <karman/io/case_options.hpp>
#include <karman/io/hdf5_file.hpp>
#include <karman/solvers/options_json.hpp>

bool survive_a_file(std::vector<double> const& values) {
  auto const input = karman::Case::parse(R"({"cycle": "w"})", "case.json", R"({"type": "object"})");
  if (karman::read_options<karman::MultigridSetup>(input, "").cycle != karman::MultigridCycle::w) return false;
  char const* const path = "consumer.h5";
  {
    auto file = karman::Hdf5File::create(path, karman::Overwrite::yes);
    file.write("/values", values.data(), {values.size()});
    file.commit();
  }
  return karman::Hdf5File::open(path).read_vector<double>("/values") == values;
}
