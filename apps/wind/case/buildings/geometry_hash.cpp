// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "geometry_hash.hpp"

#include <karman/io/config.hpp>
#include <karman/io/content_hash.hpp>
#include <karman/io/error.hpp>

#include <nlohmann/json.hpp>

#include <array>

namespace karman::wind {
namespace {

/// Numbers, and their count: rings that join differently differ.
template <class Numbers>
void add(ContentHash& hash, Numbers const& numbers) {
  std::uint64_t const count = numbers.size();
  hash.update(&count, sizeof count);
  hash.update(numbers.data(), count * sizeof *numbers.data());
}

}  // namespace

std::string geometry_hash(WindCase const& wind_case) {
  ContentHash hash;
  for (Building const& building : wind_case.buildings) {
    add(hash, std::array{building.x, building.y, building.length, building.width, building.height, building.rotation,
                         building.base, static_cast<double>(building.part)});
    if (building.is_rectangle()) continue;
    add(hash, building.footprint.outer());
    for (Ring const& hole : building.footprint.holes()) add(hash, hole);
  }
  // Without vegetation: the hash of checkpoints that had none.
  for (Plant const& plant : wind_case.vegetation) {
    add(hash, std::array{plant.attenuation, plant.attenuation_along, plant.porosity, plant.spacing, plant.row_width,
                         plant.row_rotation, plant.shape.base, plant.shape.height, static_cast<double>(plant.kind)});
    add(hash, plant.corners());
    for (Ring const& hole : plant.shape.holes()) add(hash, hole);
  }
  add(hash, wind_case.terrain.heights());
  return hash_text(hash.value());
}

void require_same_geometry(nlohmann::json const& metadata, WindCase const& wind_case, Case const& input,
                           std::filesystem::path const& checkpoint) {
  auto const saved = metadata.find("geometry");
  if (saved == metadata.end() || *saved == geometry_hash(wind_case)) return;
  CaseProblem problem;
  problem.expected = "expected the buildings and terrain of " + checkpoint.string() +
                     ", found others: a file that the case names has changed";
  throw CaseError(input.source(), {problem});
}

}  // namespace karman::wind
