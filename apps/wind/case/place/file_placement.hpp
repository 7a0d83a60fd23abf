// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Positions of a file in the coordinates of the case.
#pragma once

#include "city_layers.hpp"
#include "domain_place.hpp"
#include <karman/io/map_system.hpp>

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace karman::wind {

/// Placement of the layer of one entry of /buildings.
///
/// With /domain/crs positions are transformed from the system of the file, longitude and latitude for degrees without
/// one. Without it they are shifted by `origin` and scaled to metres: degrees by metres_per_degree(), other units by
/// their length. A projection whose scale is wrong by more than `scale_slack` at its `origin` becomes a transverse
/// Mercator projection about it.
class FilePlacement {
 public:
  /// \param at JSON pointer of the entry
  /// \param file name of the file in messages
  /// \param place of the domain; takes the system of the file where it has none and the coordinates are the same
  FilePlacement(Case const& input, std::string at, std::string file, UniformGrid const& grid, CityLayer const& layer,
                DomainPlace& place);

  /// Key below the entry and fault of a file that has no place; empty for a good one.
  std::optional<std::pair<std::string, std::string>> const& fault() const { return fault_; }
  /// Remarks for the warnings of the case.
  std::vector<std::string> const& remarks() const { return remarks_; }
  /// A position in metres in the coordinates of the case. NaN outside of a projection.
  Point operator()(Point const& position) const;
  /// The first corner of a polygon without a place and the map that it is outside of, in words; empty without one.
  std::string outside_of_map(CityLayer const& city, std::uint32_t polygon) const;
  /// Box of the file, and the origin that puts its middle into the middle of the domain, in words.
  std::string box_and_origin() const;

 private:
  void refuse(std::string key, std::string why) { fault_.emplace(std::move(key), std::move(why)); }
  bool has_origin() const { return origin_given_; }
  Point middle_of_domain() const;
  void place_in_system(VectorLayer const& layer, DomainPlace const& place);
  void place_metres(VectorLayer const& layer, DomainPlace& place);
  void place_projection(VectorLayer const& layer, DomainPlace& place);
  void place_degrees(VectorLayer const& layer, DomainPlace& place);
  void refuse_beyond_degrees(FeatureCorner const& beyond, bool named);
  void transform_to(std::string const& from, std::string const& to);
  /// Refuses positions that look like degrees in a file of metres; true if it did.
  bool refuse_degrees();

  std::string at_;
  std::string file_;
  UniformGrid const& grid_;
  bool degrees_;
  bool origin_given_;
  double cell_;  ///< least spacing of the case, metres
  PlanBounds box_;
  std::optional<std::pair<std::string, std::string>> fault_;
  std::vector<std::string> remarks_;
  std::optional<MapTransform> transform_;
  std::string target_;                           ///< system to which it leads
  bool in_system_ = false;                       ///< of /domain/crs
  Point origin_{0, 0};                           ///< in the file
  Point place_of_origin_{0, 0};                  ///< in the coordinates of the case
  std::array<double, 2> metres_per_unit_{1, 1};  ///< along x and y
};

/// True if the case has files of buildings and the domain lies outside of the boxes of all of them.
bool lies_outside_of_files(Case const& input, CityLayers& files, UniformGrid const& grid, DomainPlace const& place);

}  // namespace karman::wind
