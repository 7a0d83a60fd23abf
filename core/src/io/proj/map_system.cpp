// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "io/files/plain_text.hpp"
#include "proj_library.hpp"
#include <karman/io/map_system.hpp>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <string_view>
#include <utility>

namespace karman {
namespace {

using detail::proj;

struct DestroyContext {
  void operator()(PJ_CONTEXT* context) const { proj().destroy_context(context); }
};
using Context = std::unique_ptr<PJ_CONTEXT, DestroyContext>;

struct DestroyObject {
  void operator()(PJ* object) const { proj().destroy(object); }
};
using Object = std::unique_ptr<PJ, DestroyObject>;

Context quiet_context() {
  Context context(proj().create_context());
  proj().log_level(context.get(), PJ_LOG_NONE);
  // Grids of datums come from the machine or not at all.
  proj().set_network(context.get(), 0);
  return context;
}

std::string in_lower_case(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

std::string shown_system(std::string const& text) {
  constexpr std::size_t most = 60;
  return '"' + detail::shortened(detail::one_line(text), most) + '"';
}

/// Codes and well-known text only. Other texts of PROJ, and some well-known texts, name files and steps of a pipeline.
void check_system_text(std::string const& text) {
  constexpr std::size_t most_bytes = 65536;
  constexpr std::array<std::string_view, 5> names{"epsg:", "esri:", "ogc:", "urn:ogc:def:crs:", "ignf:"};
  constexpr std::array<std::string_view, 11> starts{"projcs[",        "geogcs[",       "projcrs[",       "geogcrs[",
                                                    "geodcrs[",       "compd_cs[",     "compoundcrs[",   "geodeticcrs[",
                                                    "geographiccrs[", "projectedcrs[", "derivedprojcrs["};
  std::string const lower = in_lower_case(text);
  auto const begins = [&](std::string_view start) { return lower.starts_with(start); };
  bool const is_name =
      std::any_of(names.begin(), names.end(), begins) && std::all_of(text.begin(), text.end(), [](unsigned char c) {
        return std::isalnum(c) != 0 || c == ':' || c == '.' || c == '_' || c == '-';
      });
  bool const is_text = std::any_of(starts.begin(), starts.end(), begins) && text.size() <= most_bytes;
  if (!is_name && !is_text) {
    throw std::runtime_error("expected a coordinate system such as EPSG:25832 or well-known text, found " +
                             shown_system(text));
  }
  for (char const* part : {"grids", "parameterfile", "boundcrs", "+proj=pipeline", "+step", "+init"}) {
    if (is_text && lower.find(part) != std::string::npos)
      throw std::runtime_error(std::string("expected a coordinate system without files of its own, found ") + part);
  }
}

Object object_of(PJ_CONTEXT* context, std::string const& text) {
  check_system_text(text);
  Object object(proj().create(context, text.c_str()));
  if (!object) {
    char const* const reason = proj().error_text(proj().last_error(context));
    // PROJ has no text for some codes: "Unknown error" and a number.
    bool const has_reason = reason != nullptr && !std::string_view(reason).starts_with("Unknown error");
    throw std::runtime_error("PROJ has no coordinate system " + shown_system(text) +
                             (has_reason ? std::string(": ") + reason : std::string()));
  }
  // The horizontal part of a system with heights.
  if (proj().type(object.get()) == PJ_TYPE_COMPOUND_CRS) object.reset(proj().part_of_system(context, object.get(), 0));
  if (object && proj().type(object.get()) == PJ_TYPE_BOUND_CRS)
    object.reset(proj().source_system(context, object.get()));
  PJ_TYPE const type = object ? proj().type(object.get()) : PJ_TYPE_UNKNOWN;
  if (type != PJ_TYPE_PROJECTED_CRS && type != PJ_TYPE_GEOGRAPHIC_2D_CRS && type != PJ_TYPE_GEOGRAPHIC_3D_CRS)
    throw std::runtime_error("expected a projection, or longitude and latitude, found " + shown_system(text));
  return object;
}

std::string text_or_nothing(char const* text) { return text != nullptr ? text : ""; }

}  // namespace

bool built_with_proj() { return true; }

MapSystem describe_map_system(std::string const& text) {
  Context const context = quiet_context();
  Object const object = object_of(context.get(), text);
  MapSystem result;
  result.name = detail::one_line(text_or_nothing(proj().name(object.get())));
  std::string const authority = text_or_nothing(proj().authority(object.get(), 0));
  std::string const code = text_or_nothing(proj().code(object.get(), 0));
  if (!authority.empty() && !code.empty()) result.code = authority + ':' + code;
  constexpr std::array<char const*, 2> on_one_line{"MULTILINE=NO", nullptr};
  result.wkt = text_or_nothing(proj().as_wkt(context.get(), object.get(), PJ_WKT1_GDAL, on_one_line.data()));
  if (result.wkt.empty())
    result.wkt = text_or_nothing(proj().as_wkt(context.get(), object.get(), PJ_WKT2_2019, on_one_line.data()));
  result.degrees = proj().type(object.get()) != PJ_TYPE_PROJECTED_CRS;
  Object const axes(proj().coordinate_system(context.get(), object.get()));
  double factor = 1;
  if (!result.degrees && axes &&
      proj().axis(context.get(), axes.get(), 0, nullptr, nullptr, nullptr, &factor, nullptr, nullptr, nullptr) != 0)
    result.metres_per_unit = factor;
  return result;
}

struct MapTransform::State {
  Context context;
  Object operation;  ///< destroyed before its context
};

MapTransform::MapTransform(std::string const& from, std::string const& to) : state_(std::make_unique<State>()) {
  state_->context = quiet_context();
  PJ_CONTEXT* const context = state_->context.get();
  Object const source = object_of(context, from), target = object_of(context, to);
  Object const plain(proj().transformation(context, source.get(), target.get(), nullptr, nullptr));
  if (plain) state_->operation.reset(proj().east_first(context, plain.get()));
  if (!state_->operation)
    throw std::runtime_error("PROJ has no way from " + shown_system(from) + " to " + shown_system(to));
}

MapTransform::~MapTransform() = default;
MapTransform::MapTransform(MapTransform&&) noexcept = default;
MapTransform& MapTransform::operator=(MapTransform&&) noexcept = default;

std::array<double, 2> MapTransform::operator()(std::array<double, 2> const& position) const {
  PJ_COORD const found = proj().transform(state_->operation.get(), PJ_FWD, PJ_COORD{{position[0], position[1], 0, 0}});
  // PROJ marks failures by infinity.
  constexpr double none = std::numeric_limits<double>::quiet_NaN();
  double const most = 1e15;
  if (!(std::abs(found.xy.x) < most && std::abs(found.xy.y) < most)) return {none, none};
  return {found.xy.x, found.xy.y};
}

}  // namespace karman
