// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "gdal_files.hpp"
#include "gdal_library.hpp"
#include <karman/io/vector_layer.hpp>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace karman {
namespace {

using detail::Gdal;
using detail::gdal;
using detail::refuse_file;

struct DestroyFeature {
  void operator()(OGRFeatureH feature) const { gdal().destroy_feature(feature); }
};
using Feature = std::unique_ptr<std::remove_pointer_t<OGRFeatureH>, DestroyFeature>;

char const* type_name(OGRFieldType type) {
  switch (type) {
    case OFTInteger:
    case OFTInteger64: return "integer";
    case OFTReal: return "real";
    case OFTString: return "text";
    case OFTDate:
    case OFTTime:
    case OFTDateTime: return "time";
    default: return "other";
  }
}

bool is_polygon(OGRwkbGeometryType type) { return type == wkbPolygon || type == wkbMultiPolygon; }

class LayerReader {
 public:
  LayerReader(std::filesystem::path const& path, VectorLayerOptions const& options)
      : path_(path), options_(options), file_(path, GDAL_OF_VECTOR, "a vector file", options.most_bytes) {}

  VectorLayer read(FeatureSink const& take) {
    OGRLayerH const layer = find_layer();
    VectorLayer result;
    result.name = library_.layer_name(layer);
    check_geometry(layer, result.name);
    set_unit(layer, result);
    OGRFeatureDefnH const definition = library_.layer_definition(layer);
    for (int n = 0; n < library_.field_count(definition); ++n) {
      OGRFieldDefnH const field = library_.field_definition(definition, n);
      if (n > 0) result.attributes += ", ";
      result.attributes += std::string(library_.field_name(field)) + " (" + type_name(library_.field_type(field)) + ')';
    }
    library_.reset_error();
    library_.reset_reading(layer);
    std::size_t count = 0;
    bool has_polygons = false;
    while (Feature const feature{library_.next_feature(layer)}) {
      if (count == options_.most_features)
        refuse_file(path_, "at most " + std::to_string(options_.most_features) + " features");
      GeoFeature read = read_feature(feature.get(), definition, result, count++);
      has_polygons = has_polygons || !read.polygons.empty();
      take(std::move(read));
    }
    if (std::string const error = library_.last_error(); !error.empty())
      refuse_file(path_, "a vector file without damage: " + error);
    if (result.other_geometries > 0 && !has_polygons)
      refuse_file(path_, "polygons, found none; its first geometry is a " + result.first_other);
    return result;
  }

 private:
  OGRLayerH find_layer() const {
    int const count = library_.layer_count(file_.get());
    std::string names;
    for (int n = 0; n < count; ++n) {
      OGRLayerH const layer = library_.layer(file_.get(), n);
      if (options_.layer == library_.layer_name(layer) || (options_.layer.empty() && count == 1)) return layer;
      names += (n > 0 ? ", " : "") + std::string(library_.layer_name(layer));
    }
    if (count == 0) refuse_file(path_, "a layer of polygons, found none");
    refuse_file(path_, options_.layer.empty()
                           ? "the name of one of its layers: " + names
                           : "a layer that it has, found none of the name " + options_.layer + "; it has " + names);
  }

  /// A layer without a type of its own may hold any; its features are checked.
  void check_geometry(OGRLayerH layer, std::string const& name) const {
    OGRwkbGeometryType const type = library_.flatten_type(library_.layer_geometry(layer));
    if (type == wkbUnknown || type == wkbGeometryCollection || is_polygon(type)) return;
    refuse_file(path_, "a layer of polygons; the layer " + name + " is of type " + library_.geometry_name(type));
  }

  void set_unit(OGRLayerH layer, VectorLayer& result) const {
    OGRSpatialReferenceH const system = library_.layer_system(layer);
    if (system == nullptr) return;
    result.system = detail::text_of(system);
    std::string const unit = detail::unit_of(system);
    if (unit == "degrees") {
      result.unit = MapUnit::degrees;
    } else if (library_.is_projected(system) != 0) {
      result.unit = unit.empty() ? MapUnit::metres : MapUnit::other;
      result.metres_per_unit = unit.empty() ? 1 : library_.linear_units(system, nullptr);
    }
  }

  /// Counts another geometry in the layer; the feature then has no polygon.
  GeoFeature read_feature(OGRFeatureH feature, OGRFeatureDefnH definition, VectorLayer& layer,
                          std::size_t number) const {
    GeoFeature result;
    result.number = number;
    for (int n = 0; n < library_.field_count(definition); ++n) {
      if (library_.field_is_set(feature, n) == 0) continue;
      OGRFieldDefnH const field = library_.field_definition(definition, n);
      OGRFieldType const type = library_.field_type(field);
      if (auto const value = number_in(feature, n, type)) {
        result.numbers.emplace(library_.field_name(field), *value);
      } else if (type == OFTString) {
        result.texts.emplace(library_.field_name(field), library_.field_as_string(feature, n));
      }
    }
    OGRGeometryH const geometry = library_.geometry(feature);
    if (geometry == nullptr) return result;
    OGRwkbGeometryType const type = library_.flatten_type(library_.geometry_type(geometry));
    if (!is_polygon(type)) {
      if (layer.other_geometries++ == 0) layer.first_other = library_.geometry_name(type);
      return result;
    }
    if (type == wkbPolygon) {
      add_polygon(geometry, result);
    } else {
      for (int n = 0; n < library_.part_count(geometry); ++n) add_polygon(library_.part(geometry, n), result);
    }
    return result;
  }

  std::optional<double> number_in(OGRFeatureH feature, int field, OGRFieldType type) const {
    double value = 0;
    if (type == OFTInteger || type == OFTInteger64 || type == OFTReal) {
      value = library_.field_as_double(feature, field);
    } else if (type == OFTString) {
      std::string const text = library_.field_as_string(feature, field);
      char const* const end = text.data() + text.size();
      auto const parsed = std::from_chars(text.data(), end, value);
      if (parsed.ec != std::errc{} || parsed.ptr != end) return std::nullopt;
    } else {
      return std::nullopt;
    }
    return std::isfinite(value) ? std::optional(value) : std::nullopt;
  }

  void add_polygon(OGRGeometryH geometry, GeoFeature& feature) const {
    GeoPolygon polygon;
    for (int r = 0; r < library_.part_count(geometry); ++r) {
      OGRGeometryH const ring = library_.part(geometry, r);
      std::vector<std::array<double, 2>> corners;
      corners.reserve(static_cast<std::size_t>(library_.point_count(ring)));
      for (int n = 0; n < library_.point_count(ring); ++n) {
        corners.push_back({library_.point_x(ring, n), library_.point_y(ring, n)});
        if (!std::isfinite(corners.back()[0]) || !std::isfinite(corners.back()[1]))
          refuse_file(path_, "finite positions; feature " + std::to_string(feature.number) + " has another");
      }
      if (corners.size() > 1 && corners.front() == corners.back()) corners.pop_back();
      if (!corners.empty()) polygon.rings.push_back(std::move(corners));
    }
    if (!polygon.rings.empty()) feature.polygons.push_back(std::move(polygon));
  }

  std::filesystem::path const& path_;
  VectorLayerOptions const& options_;
  detail::GdalDataset file_;
  Gdal const& library_ = gdal();
};

}  // namespace

bool built_with_gdal() { return true; }

VectorLayer read_vector_layer(std::filesystem::path const& path, FeatureSink const& take,
                              VectorLayerOptions const& options) {
  return LayerReader(path, options).read(take);
}

VectorLayer read_vector_layer(std::filesystem::path const& path, VectorLayerOptions const& options) {
  std::vector<GeoFeature> features;
  VectorLayer result =
      read_vector_layer(path, [&](GeoFeature&& feature) { features.push_back(std::move(feature)); }, options);
  result.features = std::move(features);
  return result;
}

}  // namespace karman
