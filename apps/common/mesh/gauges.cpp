// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "gauges.hpp"

#include "common/case/texts.hpp"
#include <karman/io/config.hpp>

#include <array>
#include <set>

namespace karman::app {

std::string extent_of(PointFinder const& finder) {
  return ", which lies in " + place_text(finder.low()[0], finder.low()[1]) + " to " +
         place_text(finder.high()[0], finder.high()[1]);
}

std::vector<Gauge> read_gauges(Case const& input, PointFinder const& finder, std::vector<CaseProblem>& problems) {
  std::vector<Gauge> gauges;
  std::set<std::string> names;
  for (std::size_t n = 0; n < input.size("/gauges"); ++n) {
    std::string const pointer = "/gauges/" + std::to_string(n);
    Gauge gauge;
    gauge.name = input.get<std::string>(pointer + "/name");
    auto const at = input.get<std::array<double, 2>>(pointer + "/at");
    gauge.x = at[0], gauge.y = at[1];
    if (!names.insert(gauge.name).second)
      problems.push_back(input.problem(pointer + "/name", "expected a unique gauge name"));
    if (auto const place = finder.find(gauge.x, gauge.y)) gauge.place = *place;
    else problems.push_back(input.problem(pointer + "/at", "expected a point of the mesh" + extent_of(finder)));
    gauges.push_back(gauge);
  }
  return gauges;
}

}  // namespace karman::app
