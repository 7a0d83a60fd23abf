// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "checkpoint_support.hpp"

#include <karman/io/error.hpp>

#include <nlohmann/json.hpp>

namespace karman::app {

using nlohmann::json;

json without(json whole, std::initializer_list<char const*> pointers) {
  for (char const* const text : pointers) {
    json::json_pointer const pointer(text);
    if (whole.contains(pointer)) whole.at(pointer.parent_pointer()).erase(pointer.back());
  }
  return whole;
}

std::vector<double> read_rows(Checkpoint const& checkpoint, std::string const& table, std::size_t columns) {
  ArrayExtents const extents = checkpoint.info(table).extents;
  if (extents.rank() != 2 || extents[1] != columns) {
    throw FileError(checkpoint.path().string(), "read " + table + " in", "unexpected extents " + extents.text());
  }
  std::vector<double> values(extents.count());
  checkpoint.read(table, values.data(), extents);
  return values;
}

}  // namespace karman::app
