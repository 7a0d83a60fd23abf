// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// GeoJSON files.
#include "fuzz_target.hpp"
#include "io/temporary_folder.hpp"
#include <karman/io/error.hpp>
#include <karman/io/geojson.hpp>

#include <cmath>
#include <stdexcept>

namespace {

using namespace karman;

void require_sound(std::vector<GeoFeature> const& features) {
  for (GeoFeature const& feature : features) {
    for (GeoPolygon const& polygon : feature.polygons) {
      if (polygon.rings.empty()) throw std::logic_error("a polygon without rings was read");
      for (auto const& ring : polygon.rings) {
        if (ring.size() < 3) throw std::logic_error("a ring of less than three corners was read");
        for (auto const& [x, y] : ring) {
          if (!std::isfinite(x) || !std::isfinite(y)) throw std::logic_error("a corner that is not finite was read");
        }
      }
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
  static test::TemporaryFolder const folder;
  test::put(folder / "a.geojson", std::string(reinterpret_cast<char const*>(data), size));
  try {
    require_sound(read_geojson(folder / "a.geojson").features);
  } catch (CaseError const&) {
  } catch (FileError const&) {
  }
  return 0;
}

namespace karman::fuzz {

std::vector<std::string> seeds() {
  return {R"({"type": "FeatureCollection", "features": [
    {"type": "Feature", "properties": {"height": 7.5, "levels": "2"}, "geometry": {"type": "Polygon", "coordinates":
      [[[0, 0], [9, 0, 1], [9, 9], [0, 0]], [[5, 1], [6, 1], [6, 2], [5, 1]]]}},
    {"type": "Feature", "properties": null, "geometry": null},
    {"type": "Feature", "geometry": {"type": "MultiPolygon", "coordinates": [[[[0, 0], [1, 0], [1, 1], [0, 0]]]]}}]})",
          R"({"type": "Feature", "geometry": null})"};
}

std::vector<std::string> words() {
  return {
      "{", "}", "[", "]", ",", ":", "\"", "null", "[[[[", "1e999", "-0", "\"Polygon\"", "\"coordinates\": ", "[0, 0]"};
}

}  // namespace karman::fuzz
