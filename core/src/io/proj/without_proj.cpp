// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <karman/io/map_system.hpp>

#include <stdexcept>

namespace karman {
namespace {

[[noreturn]] void refuse_systems() {
  throw std::runtime_error(
      "coordinate systems need PROJ; install it (Debian: libproj-dev) and configure Karman with -DKARMAN_PROJ=ON");
}

}  // namespace

struct MapTransform::State {};

bool built_with_proj() { return false; }

MapSystem describe_map_system(std::string const&) { refuse_systems(); }

MapTransform::MapTransform(std::string const&, std::string const&) { refuse_systems(); }
MapTransform::~MapTransform() = default;
MapTransform::MapTransform(MapTransform&&) noexcept = default;
MapTransform& MapTransform::operator=(MapTransform&&) noexcept = default;

std::array<double, 2> MapTransform::operator()(std::array<double, 2> const& position) const { return position; }

}  // namespace karman
