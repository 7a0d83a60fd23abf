// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <karman/io/atomic_file.hpp>
#include <karman/io/error.hpp>
#include <karman/io/geojson.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <exception>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace karman {
namespace {

using Json = nlohmann::json;

constexpr std::size_t least_positions = 4;  // of a closed ring

/// The values of one file.
class Reader {
 public:
  Reader(std::string source, FeatureSink const& take) : source_(std::move(source)), take_(take) {}

  /// Takes one value of the list of features. The first fault is kept until the rest of the file is known: a file that
  /// is no GeoJSON at all has another one.
  void take(Json const& value) {
    std::size_t const number = taken_++;
    if (fault_) return;
    try {
      pass(feature(value, "/features/" + std::to_string(number), number));
    } catch (CaseError const&) {
      fault_ = std::current_exception();
    }
  }

  /// The file without its features, which have been taken.
  GeoCollection collection(Json const& root, std::size_t lists) {
    std::string const type = type_of(root, "", "FeatureCollection or Feature");
    GeoCollection result;
    result.system = system_of(root);
    if (type == "Feature") {
      if (lists > 0) fail("/features", "expected none in a Feature");
      pass(feature(root, "", 0));
    } else {
      if (type != "FeatureCollection") fail("/type", "expected FeatureCollection or Feature", root.at("type"));
      Json const& list = member(root, "", "features", "an array of features");
      if (!list.is_array()) fail("/features", "expected an array of features", list);
      if (lists > 1) fail("/features", "expected one such member, found " + std::to_string(lists));
      if (fault_) std::rethrow_exception(fault_);
    }
    finish(result);
    return result;
  }

  [[noreturn]] void fail(std::string const& pointer, std::string const& expected, int line = 0) const {
    throw CaseError(source_, {CaseProblem{pointer, "", expected, "", line}});
  }

 private:
  void pass(GeoFeature&& feature) {
    has_polygons_ = has_polygons_ || !feature.polygons.empty();
    take_(std::move(feature));
  }

  /// Adds the counts. Refuses a file with other geometries only.
  void finish(GeoCollection& result) const {
    result.attributes = attributes();
    result.other_geometries = others_;
    result.first_other = first_other_;
    if (others_ > 0 && !has_polygons_) fail(first_place_, "expected Polygon or MultiPolygon", Json(first_other_));
  }

  /// The error with the value that was found, shortened.
  [[noreturn]] void fail(std::string const& pointer, std::string const& expected, Json const& found) const {
    std::string text =
        found.is_structured() ? found.type_name() : found.dump(-1, ' ', true, Json::error_handler_t::replace);
    constexpr std::size_t most = 60;
    if (text.size() > most) text = text.substr(0, most) + "...";
    fail(pointer, expected + ", found " + text);
  }

  Json const& member(Json const& object, std::string const& at, char const* key, char const* expected) const {
    auto const found = object.find(key);
    if (found == object.end()) fail(at + '/' + key, std::string("expected ") + expected + ", found nothing");
    return *found;
  }

  std::string type_of(Json const& object, std::string const& at, char const* expected) const {
    if (!object.is_object()) fail(at, std::string("expected an object of type ") + expected, object);
    Json const& type = member(object, at, "type", expected);
    if (!type.is_string()) fail(at + "/type", std::string("expected ") + expected, type);
    return type.get<std::string>();
  }

  /// "height (number), name (text)"
  std::string attributes() const {
    std::string result;
    for (auto const& [name, type] : types_) result += (result.empty() ? "" : ", ") + name + " (" + type + ')';
    return result;
  }

  /// The name in the member crs, {"type": "name", "properties": {"name": "..."}}; empty for any other.
  static std::string system_of(Json const& root) {
    auto const system = root.find("crs");
    if (system == root.end() || !system->is_object()) return {};
    auto const properties = system->find("properties");
    if (properties == system->end() || !properties->is_object()) return {};
    auto const name = properties->find("name");
    return name != properties->end() && name->is_string() ? name->get<std::string>() : std::string();
  }

  void read_property(std::string const& name, Json const& property, GeoFeature& result) {
    if (property.is_structured()) return;
    // A type once found stays, because many files have null in some features.
    char const* const type = property.is_number()    ? "number"
                             : property.is_string()  ? "text"
                             : property.is_boolean() ? "true or false"
                                                     : "null";
    auto const known = types_.try_emplace(name, type);
    if (known.first->second == "null") known.first->second = type;
    if (auto const found = number_in(property)) {
      result.numbers.emplace(name, *found);
    } else {
      result.texts.emplace(name, property.is_string() ? property.get<std::string>()
                                                      : property.dump(-1, ' ', true, Json::error_handler_t::replace));
    }
  }

  GeoFeature feature(Json const& value, std::string const& at, std::size_t number) {
    GeoFeature result;
    result.number = number;
    if (type_of(value, at, "Feature") != "Feature") fail(at + "/type", "expected Feature", value.at("type"));
    if (auto const properties = value.find("properties"); properties != value.end() && properties->is_object()) {
      for (auto const& [name, property] : properties->items()) read_property(name, property, result);
    }
    Json const& geometry = member(value, at, "geometry", "Polygon, MultiPolygon or null");
    if (geometry.is_null()) return result;
    std::string const where = at + "/geometry";
    std::string const type = type_of(geometry, where, "Polygon or MultiPolygon");
    if (type != "Polygon" && type != "MultiPolygon") {
      constexpr std::array<std::string_view, 5> others{"Point", "MultiPoint", "LineString", "MultiLineString",
                                                       "GeometryCollection"};
      if (std::find(others.begin(), others.end(), type) == others.end())
        fail(where + "/type", "expected Polygon or MultiPolygon", geometry.at("type"));
      if (others_++ == 0) {
        first_other_ = type;
        first_place_ = where + "/type";
      }
      return result;
    }
    Json const& coordinates = member(geometry, where, "coordinates", "an array");
    std::string const place = where + "/coordinates";
    if (!coordinates.is_array()) fail(place, "expected an array", coordinates);
    if (type == "Polygon") {
      result.polygons.push_back(polygon(coordinates, place));
      return result;
    }
    for (std::size_t n = 0; n < coordinates.size(); ++n)
      result.polygons.push_back(polygon(coordinates[n], place + '/' + std::to_string(n)));
    return result;
  }

  GeoPolygon polygon(Json const& rings, std::string const& at) const {
    if (!rings.is_array() || rings.empty()) fail(at, "expected an array with at least one ring", rings);
    GeoPolygon result;
    for (std::size_t n = 0; n < rings.size(); ++n) result.rings.push_back(ring(rings[n], at + '/' + std::to_string(n)));
    return result;
  }

  std::vector<std::array<double, 2>> ring(Json const& positions, std::string const& at) const {
    if (!positions.is_array()) fail(at, "expected a ring: an array of positions", positions);
    if (positions.size() < least_positions) {
      fail(at, "expected at least 4 positions in a ring, the last equal to the first, found " +
                   std::to_string(positions.size()));
    }
    std::vector<std::array<double, 2>> result;
    result.reserve(positions.size());
    for (std::size_t n = 0; n < positions.size(); ++n) {
      Json const& position = positions[n];
      bool const good = position.is_array() && position.size() >= 2 && position[0].is_number() &&
                        position[1].is_number() && std::isfinite(position[0].get<double>()) &&
                        std::isfinite(position[1].get<double>());
      if (!good) fail(at + '/' + std::to_string(n), "expected a position [x, y] of two numbers", position);
      result.push_back({position[0].get<double>(), position[1].get<double>()});
    }
    if (result.front() != result.back()) fail(at, "expected a closed ring: its last position differs from the first");
    result.pop_back();
    return result;
  }

  static std::optional<double> number_in(Json const& property) {
    double number = 0;
    if (property.is_number()) {
      number = property.get<double>();
    } else if (property.is_string()) {
      auto const& text = property.get_ref<std::string const&>();
      char const* const end = text.data() + text.size();
      auto const parsed = std::from_chars(text.data(), end, number);
      if (parsed.ec != std::errc{} || parsed.ptr != end) return std::nullopt;
    } else {
      return std::nullopt;
    }
    return std::isfinite(number) ? std::optional(number) : std::nullopt;
  }

  std::string source_;
  FeatureSink const& take_;
  std::size_t taken_ = 0;     ///< values of the list of features
  std::exception_ptr fault_;  ///< the first of them
  bool has_polygons_ = false;
  std::map<std::string, std::string> types_;  ///< of all properties
  std::size_t others_ = 0;                    ///< features of other geometries
  std::string first_other_;                   ///< type of the first of them
  std::string first_place_;                   ///< its pointer
};

/// Builds the values of a file. Each feature goes to the reader as soon as it ends, and leaves the memory.
class FeatureStream final : public nlohmann::json_sax<Json> {
 public:
  explicit FeatureStream(Reader& reader) : reader_(reader) {}

  /// The file without its features.
  Json const& root() const { return root_; }
  /// Number of lists of features; a good file has one.
  std::size_t lists() const { return lists_; }
  /// Byte of a syntax error.
  std::size_t failure_position() const { return failure_position_; }
  bool too_large_a_number() const { return too_large_a_number_; }

  bool null() override { return put(nullptr); }
  bool boolean(bool value) override { return put(value); }
  bool number_integer(number_integer_t value) override { return put(value); }
  bool number_unsigned(number_unsigned_t value) override { return put(value); }
  bool number_float(number_float_t value, string_t const&) override { return put(value); }
  bool string(string_t& value) override { return put(std::move(value)); }
  bool binary(binary_t&) override { return false; }
  bool start_object(std::size_t) override { return open(Json::object()); }
  bool start_array(std::size_t) override { return open(Json::array()); }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }

  bool key(string_t& name) override {
    member_ = &(*levels_.back())[name];
    is_list_ = levels_.size() == 1 && name == "features";
    return true;
  }

  bool parse_error(std::size_t position, std::string const&, Json::exception const& error) override {
    failure_position_ = position;
    // The library reports a number beyond the range of double in another way.
    too_large_a_number_ = dynamic_cast<Json::parse_error const*>(&error) == nullptr;
    return false;
  }

 private:
  Json& next() {
    if (levels_.empty()) return root_;
    Json& level = *levels_.back();
    if (level.is_object()) return *member_;
    level.push_back(nullptr);
    return level.back();
  }

  template <class Value>
  bool put(Value&& value) {
    next() = std::forward<Value>(value);
    return end_value();
  }

  bool open(Json empty) {
    Json& value = next();
    bool const starts_list = is_list_ && levels_.size() == 1 && empty.is_array();
    value = std::move(empty);
    levels_.push_back(&value);
    if (starts_list) {
      list_ = &value;
      ++lists_;
    }
    is_list_ = false;
    return true;
  }

  bool close() {
    if (levels_.back() == list_) list_ = nullptr;
    levels_.pop_back();
    return end_value();
  }

  bool end_value() {
    if (list_ == nullptr || levels_.back() != list_) return true;
    if (lists_ == 1) reader_.take(list_->back());
    list_->clear();
    return true;
  }

  Reader& reader_;
  Json root_;
  std::vector<Json*> levels_;  ///< open values, which keep their addresses
  Json* member_ = nullptr;
  Json* list_ = nullptr;  ///< the open list of features
  bool is_list_ = false;  ///< the last key was its name
  std::size_t lists_ = 0;
  std::size_t failure_position_ = 0;
  bool too_large_a_number_ = false;
};

}  // namespace

namespace {

/// The error at a byte of the text, counted from 1.
[[noreturn]] void fail_at(Reader const& reader, std::string_view text, std::size_t position) {
  std::string_view const mark = text.starts_with("\xEF\xBB\xBF") ? text.substr(0, 3) : "";
  std::size_t const first = text.find_first_not_of(" \t\r\n", mark.size());
  if (first == std::string_view::npos) reader.fail("", "expected GeoJSON, found an empty file");
  if (text[first] != '{') reader.fail("", "expected GeoJSON, which begins with {, found another kind of file");
  std::string_view const before = text.substr(0, std::min(position > 0 ? position - 1 : 0, text.size()));
  std::string_view const line = before.substr(before.rfind('\n') + 1);
  // Bytes that continue a character of UTF-8 are no columns.
  auto const column = 1 + std::count_if(line.begin(), line.end(),
                                        [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; });
  std::string const place = "column " + std::to_string(column);
  reader.fail("",
              position > text.size() ? place + ": expected more JSON text, the file ends early"
                                     : place + ": expected JSON text (RFC 8259)",
              static_cast<int>(std::count(before.begin(), before.end(), '\n')) + 1);
}

}  // namespace

GeoCollection read_geojson(std::filesystem::path const& path, FeatureSink const& take, GeoJsonOptions const& options) {
  std::string const text = read_text_file(path, options.most_bytes);
  Reader reader(path.string(), take);
  FeatureStream stream(reader);
  if (!Json::sax_parse(text, &stream)) {
    if (stream.too_large_a_number()) reader.fail("", "expected numbers within the range of double");
    fail_at(reader, text, stream.failure_position());
  }
  return reader.collection(stream.root(), stream.lists());
}

GeoCollection read_geojson(std::filesystem::path const& path, GeoJsonOptions const& options) {
  std::vector<GeoFeature> features;
  GeoCollection result =
      read_geojson(path, [&](GeoFeature&& feature) { features.push_back(std::move(feature)); }, options);
  result.features = std::move(features);
  return result;
}

}  // namespace karman
