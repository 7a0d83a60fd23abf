// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Coordinate reference systems of maps, and positions from one to another.
#pragma once

#include <array>
#include <memory>
#include <string>

namespace karman {

/// True if this Karman was built with PROJ.
bool built_with_proj();

/// A coordinate reference system.
struct MapSystem {
  std::string name;            ///< such as ETRS89 / UTM zone 32N
  std::string code;            ///< such as EPSG:25832; empty where it has none
  std::string wkt;             ///< definition in well-known text, version 1 as GDAL writes it, on one line
  bool degrees = false;        ///< longitude and latitude; else a projection
  double metres_per_unit = 1;  ///< of the axes of a projection
};

/// Description of a coordinate reference system by PROJ, which is loaded on the first call. It reads no file but its
/// own database, and nothing of the network.
/// \param text EPSG:25832, ESRI:54004, OGC:CRS84, urn:ogc:def:crs:EPSG::25832, or well-known text
/// \return the system
/// \throws std::runtime_error with one line for a text that is no horizontal system, or that names files; also where
/// this Karman was built without PROJ or its library cannot be loaded
MapSystem describe_map_system(std::string const& text);

/// Positions in one system as positions in another. Positions are (x, y): eastward and northward in the unit of the
/// system, or longitude and latitude in degrees.
class MapTransform {
 public:
  /// \param from text of a system as for describe_map_system()
  /// \param to likewise
  /// \throws std::runtime_error like describe_map_system()
  MapTransform(std::string const& from, std::string const& to);
  ~MapTransform();
  MapTransform(MapTransform&&) noexcept;
  MapTransform& operator=(MapTransform&&) noexcept;

  /// \param position in the first system
  /// \return the position in the second, NaN where it has none
  std::array<double, 2> operator()(std::array<double, 2> const& position) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// A place on a map.
struct MapPlace {
  double longitude = 0;    ///< degrees, WGS 84
  double latitude = 0;     ///< degrees, WGS 84
  double scale = 1;        ///< greatest ratio of a length in the map, in metres, to the length on the ground
  double least_scale = 1;  ///< least such ratio
  double north = 0;        ///< direction of grid north in degrees from true north, clockwise
};

/// Scale and direction of a map at a place, by differences over 100 m.
/// \param system text of a projection
/// \param position in the unit of the system
/// \throws std::runtime_error like describe_map_system(), and for a position outside of the projection
MapPlace map_place(std::string const& system, std::array<double, 2> const& position);

/// The zone of UTM on WGS 84.
/// \param longitude degrees
/// \param latitude degrees, -80 to 84
/// \return a code such as EPSG:32632
std::string utm_system(double longitude, double latitude);

/// A projection with another position (0, 0), in metres: positions in it are (p - origin) times the metres per unit.
/// \param system text of a projection
/// \param origin position in it of the new (0, 0), in its unit
/// \return its definition in well-known text; empty for longitude and latitude, and for a projection without one
/// \throws std::runtime_error like describe_map_system()
std::string shifted_system(std::string const& system, std::array<double, 2> const& origin);

/// The map x = (longitude - longitude_0) a + x_0, y = (latitude - latitude_0) b + y_0 of positions on WGS 84. Its
/// definition is an equirectangular projection of a sphere, whose latitudes and longitudes count as positions on
/// WGS 84.
/// \param place longitude_0 and latitude_0 in degrees
/// \param metres_per_degree a and b
/// \param position (x_0, y_0)
/// \return its definition in well-known text; empty where it has none, as for a > b near the equator
std::string equirectangular_system(std::array<double, 2> const& place, std::array<double, 2> const& metres_per_degree,
                                   std::array<double, 2> const& position);

/// A transverse Mercator projection with scale 1 and position (0, 0) at a place, on WGS 84.
/// \param longitude degrees
/// \param latitude degrees
/// \return its definition in well-known text
std::string local_system(double longitude, double latitude);

}  // namespace karman
