// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "gdal_output.hpp"
#include <karman/io/class_polygons.hpp>
#include <karman/io/error.hpp>
#include <karman/io/map_system.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <stdexcept>
#include <string_view>

namespace karman {
namespace {

using detail::Gdal;
using detail::gdal;
using detail::GdalOutput;
using detail::LocalSetting;

MapClass const& class_of(GridMap const& map, ClassPolygon const& polygon) {
  static MapClass const unnamed{};
  auto const found = std::find_if(map.legend.begin(), map.legend.end(),
                                  [&](MapClass const& one) { return one.value == polygon.value; });
  return found != map.legend.end() ? *found : unnamed;
}

double area_of(GridMap const& map, ClassPolygon const& polygon) {
  return static_cast<double>(polygon.cells) * map.spacing[0] * map.spacing[1];
}

std::array<double, 2> position(GridMap const& map, std::array<int, 2> const& corner) {
  return {map.corner[0] + corner[0] * map.spacing[0], map.corner[1] + corner[1] * map.spacing[1]};
}

/// Holds a coordinate system of GDAL; null for an empty text.
class SystemHandle {
 public:
  explicit SystemHandle(std::string const& text)
      : handle_(text.empty() ? nullptr : gdal().create_system(text.c_str())) {
    if (handle_ != nullptr) gdal().set_axis_order(handle_, OAMS_TRADITIONAL_GIS_ORDER);
  }
  SystemHandle(SystemHandle const&) = delete;
  SystemHandle& operator=(SystemHandle const&) = delete;
  ~SystemHandle() {
    if (handle_ != nullptr) gdal().release_system(handle_);
  }
  OGRSpatialReferenceH get() const { return handle_; }

 private:
  OGRSpatialReferenceH handle_;
};

/// A GeoPackage that is being written.
class PackageWriter {
 public:
  explicit PackageWriter(StagedPath const& staged) : file_(staged, "GPKG", {0, 0}, GDT_Unknown, {}, settings) {}

  void add(GridMap const& map) {
    SystemHandle const system(map.system);
    constexpr std::array<char const*, 2> options{"GEOMETRY_NAME=geom", nullptr};
    OGRLayerH const layer = library_.create_layer(file_.get(), map.name.c_str(), system.get(), wkbPolygon,
                                                  const_cast<char**>(options.data()));  // GDAL only reads them
    file_.check(layer != nullptr);
    for (auto const& [name, type] : {std::pair{"class", OFTInteger}, std::pair{"name", OFTString},
                                     std::pair{"area", OFTReal}, std::pair{"color", OFTString}}) {
      OGRFieldDefnH const field = library_.create_field_definition(name, type);
      OGRErr const created = library_.create_field(layer, field, FALSE);
      library_.destroy_field_definition(field);
      file_.check(created == OGRERR_NONE);
    }
    // One transaction: SQLite would complete each polygon on its own.
    file_.check(library_.start_transaction(file_.get(), FALSE) == OGRERR_NONE);
    OGRFeatureDefnH const definition = library_.layer_definition(layer);
    for (ClassPolygon const& polygon : class_polygons(map.classes, map.columns, map.rows))
      add_feature(layer, definition, map, polygon);
    file_.check(library_.commit_transaction(file_.get()) == OGRERR_NONE);
  }

  void close() { file_.close(); }

 private:
  // The file is a temporary one until it is complete, so that SQLite needs no journal beside it.
  static constexpr std::array settings{LocalSetting{"OGR_SQLITE_JOURNAL", "OFF"},
                                       LocalSetting{"OGR_SQLITE_SYNCHRONOUS", "OFF"}};

  void add_feature(OGRLayerH layer, OGRFeatureDefnH definition, GridMap const& map, ClassPolygon const& polygon) {
    MapClass const& kind = class_of(map, polygon);
    std::array<char, 8> color{};
    std::snprintf(color.data(), color.size(), "#%02x%02x%02x", kind.color[0], kind.color[1], kind.color[2]);
    OGRFeatureH const feature = library_.create_feature(definition);
    library_.set_integer(feature, 0, polygon.value);
    library_.set_string(feature, 1, kind.name.c_str());
    library_.set_double(feature, 2, area_of(map, polygon));
    library_.set_string(feature, 3, color.data());
    library_.set_geometry(feature, shape_of(map, polygon));
    OGRErr const added = library_.add_feature(layer, feature);
    library_.destroy_feature(feature);
    file_.check(added == OGRERR_NONE);
  }

  OGRGeometryH shape_of(GridMap const& map, ClassPolygon const& polygon) const {
    OGRGeometryH const shape = library_.create_geometry(wkbPolygon);
    for (auto const& corners : polygon.rings) {
      OGRGeometryH const ring = library_.create_geometry(wkbLinearRing);
      auto const add = [&](std::array<int, 2> const& corner) {
        auto const [x, y] = position(map, corner);
        library_.add_point(ring, x, y);
      };
      for (auto const& corner : corners) add(corner);
      add(corners.front());
      library_.add_part(shape, ring);
    }
    return shape;
  }

  GdalOutput file_;
  Gdal const& library_ = gdal();
};

/// Text for XML, which has no control characters.
std::string escaped(std::string_view text) {
  std::string result;
  for (char const c : text) {
    switch (c) {
      case '&': result += "&amp;"; break;
      case '<': result += "&lt;"; break;
      case '>': result += "&gt;"; break;
      default: result += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
    }
  }
  return result;
}

/// The only file of a KMZ archive, doc.kml, that is being written.
class KmzWriter {
 public:
  explicit KmzWriter(StagedPath const& staged)
      : path_(staged.path()), zip_(library_.create_zip(staged.temporary().c_str(), nullptr)) {
    check(zip_ != nullptr);
  }
  KmzWriter(KmzWriter const&) = delete;
  KmzWriter& operator=(KmzWriter const&) = delete;
  ~KmzWriter() {
    if (zip_ != nullptr) library_.close_zip(zip_);
  }

  void begin() { check(library_.create_file_in_zip(zip_, "doc.kml", nullptr) == CE_None); }
  void write(std::string const& text) {
    check(library_.write_file_in_zip(zip_, text.data(), static_cast<int>(text.size())) == CE_None);
  }
  void close() {
    check(library_.close_file_in_zip(zip_) == CE_None);
    CPLErr const closed = library_.close_zip(zip_);
    zip_ = nullptr;
    check(closed == CE_None);
  }

 private:
  void check(bool succeeded) const {
    if (!succeeded) detail::fail_to_write(path_);
  }

  std::filesystem::path path_;
  Gdal const& library_ = gdal();
  detail::GdalWriting writing_;
  void* zip_;
};

/// The folder of one map.
class KmlFolder {
 public:
  KmlFolder(GridMap const& map, bool visible) : map_(map), visible_(visible), to_degrees_(map.system, "OGC:CRS84") {}

  /// The styles of its classes, which come before all folders.
  std::string styles() const {
    std::string text;
    for (MapClass const& kind : map_.legend) {
      // Opacity, blue, green, red: the ground shows through.
      std::array<char, 9> color{};
      std::snprintf(color.data(), color.size(), "b0%02x%02x%02x", kind.color[2], kind.color[1], kind.color[0]);
      text += "<Style id=\"" + style_of(kind) + "\"><PolyStyle><color>" + color.data() +
              "</color><outline>0</outline></PolyStyle></Style>\n";
    }
    return text;
  }

  void write(KmzWriter& file) const {
    file.write("<Folder><name>" + escaped(map_.name) + "</name>" + visibility() + '\n');
    for (ClassPolygon const& polygon : class_polygons(map_.classes, map_.columns, map_.rows))
      file.write(placemark(polygon));
    file.write("</Folder>\n");
  }

 private:
  std::string style_of(MapClass const& kind) const { return escaped(map_.name) + '_' + std::to_string(kind.value); }
  char const* visibility() const { return visible_ ? "" : "<visibility>0</visibility>"; }

  std::string placemark(ClassPolygon const& polygon) const {
    MapClass const& kind = class_of(map_, polygon);
    std::array<char, 32> area{};
    std::snprintf(area.data(), area.size(), "%.10g", area_of(map_, polygon));
    std::string text = "<Placemark><name>" + escaped(kind.name) + "</name>" + visibility() + "<styleUrl>#" +
                       style_of(kind) + "</styleUrl><ExtendedData><Data name=\"class\"><value>" +
                       std::to_string(polygon.value) + "</value></Data><Data name=\"area\"><value>" + area.data() +
                       "</value></Data></ExtendedData><Polygon>";
    for (std::size_t n = 0; n < polygon.rings.size(); ++n) {
      std::string const side = n == 0 ? "outerBoundaryIs>" : "innerBoundaryIs>";
      text += '<' + side + "<LinearRing><coordinates>";
      for (auto const& corner : polygon.rings[n]) text += place(corner);
      text += place(polygon.rings[n].front()) + "</coordinates></LinearRing></" + side;
    }
    return text + "</Polygon></Placemark>\n";
  }

  std::string place(std::array<int, 2> const& corner) const {
    auto const [longitude, latitude] = to_degrees_(position(map_, corner));
    if (!std::isfinite(longitude) || !std::isfinite(latitude))
      throw std::runtime_error("a corner of the map has no longitude and latitude");
    std::array<char, 64> text{};
    std::snprintf(text.data(), text.size(), "%.9f,%.9f ", longitude, latitude);
    return text.data();
  }

  GridMap const& map_;
  bool visible_;
  MapTransform to_degrees_;
};

}  // namespace

void write_geopackage(std::filesystem::path const& path, Overwrite overwrite, std::vector<GridMap> const& maps) {
  detail::load_gdal_to_write(path);
  StagedPath staged(path, overwrite);
  PackageWriter file(staged);
  for (GridMap const& map : maps) file.add(map);
  file.close();
  staged.commit();
}

void write_kmz(std::filesystem::path const& path, Overwrite overwrite, std::string const& title,
               std::vector<GridMap> const& maps) {
  detail::load_gdal_to_write(path);
  StagedPath staged(path, overwrite);
  try {
    std::vector<KmlFolder> folders;
    folders.reserve(maps.size());
    for (GridMap const& map : maps) folders.emplace_back(map, folders.empty());
    KmzWriter file(staged);
    file.begin();
    file.write(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<kml xmlns=\"http://www.opengis.net/kml/2.2\"><Document><name>" +
        escaped(title) + "</name><open>1</open>\n");
    for (KmlFolder const& folder : folders) file.write(folder.styles());
    for (KmlFolder const& folder : folders) folder.write(file);
    file.write("</Document></kml>\n");
    file.close();
  } catch (FileError const&) {
    throw;
  } catch (std::runtime_error const& error) {
    throw FileError(path.string(), "write", error.what());
  }
  staged.commit();
}

}  // namespace karman
