// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "city_file.hpp"

#include "check_buildings.hpp"
#include "mend_outline.hpp"
#include "plan_geometry.hpp"
#include "read_buildings.hpp"
#include "surface_heights.hpp"
#include "wind/case/case_file.hpp"
#include "wind/case/case_number.hpp"
#include "wind/case/place/file_placement.hpp"
#include <karman/core/uniform_grid.hpp>
#include <karman/io/config.hpp>
#include <karman/io/vector_layer.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <utility>

namespace karman::wind {
namespace {

/// Outlines of one kind.
struct OutlineSum {
  std::size_t count = 0;
  double area = 0;
  std::size_t first = 0;  ///< number of the first feature

  void add(std::size_t feature, double size) {
    if (count++ == 0) first = feature;
    area += size;
  }
};

class CityReader {
 public:
  CityReader(Case const& input, std::size_t entry, UniformGrid const& grid, BuildingUse use, CityLayer& layer,
             DomainPlace& place, std::vector<Building>& buildings, std::vector<CaseProblem>& problems)
      : input_(input),
        at_(entry_pointer(entry)),
        entry_(static_cast<std::uint32_t>(entry)),
        grid_(grid),
        use_(use),
        buildings_(buildings),
        problems_(problems),
        layer_(layer),
        file_(file_of_case(input, at_ + "/file")),
        placement_(input, at_, file_.filename().string(), grid, layer, place),
        may_overlap_(input.get<std::string>(at_ + "/overlaps") == "merge"),
        skips_outside_(input.get<std::string>(at_ + "/outside") == "skip"),
        skips_small_(input.get<std::string>(at_ + "/small") != "error"),
        crossing_(input.get<std::string>(at_ + "/crossing")),
        keeps_outlines_(use == BuildingUse::all || has_surface_heights(input, entry) || is_above_sea()) {}

  void read(std::vector<std::string>& warnings) {
    if (auto const& fault = placement_.fault()) {
      refuse(fault->first, fault->second);
      return;
    }
    warnings.insert(warnings.end(), placement_.remarks().begin(), placement_.remarks().end());
    // A few more than polygons, because some are divided: another growth would double the memory.
    buildings_.reserve(std::min(buildings_.size() + layer_.polygons() + layer_.polygons() / 32, most_buildings));
    auto const read_one = [&](CityLayer::Feature const& feature, std::array<std::uint32_t, 2> const& polygons) {
      read_feature(feature, polygons);
      return refused_ < CaseError::max_reported;
    };
    if (use_ == BuildingUse::all) layer_.release_features(read_one);
    else layer_.for_each_feature(read_one);
    std::string const& attributes = layer_.file().attributes;
    for (auto const& [key, length] : {std::pair{"/height", &layer_.height()}, std::pair{"/base", &layer_.base()}}) {
      std::size_t const before = refused_;
      if (std::string const fault = length->fault(file_, attributes); !fault.empty()) refuse(key, fault);
      if (std::string const fault = length->fault_of_storeys(file_, attributes); !fault.empty())
        refuse("/levels", fault);
      if (refused_ > before) continue;
      for (std::string const& remark : length->remarks(name_of_file(), attributes)) warnings.push_back(remark);
    }
    if (std::size_t const others = layer_.file().other_geometries; others > 0) {
      warnings.push_back(name_of_file() + ": " + std::to_string(others) +
                         (others == 1 ? " feature that is no polygon left out, a "
                                      : " features that are no polygons left out, first a ") +
                         layer_.file().first_other);
    }
    report_crossings(warnings);
    if (flat_ > 0) warnings.push_back(name_of_file() + ": " + counted(flat_) + " without area left out");
    report_outside(warnings);
    if (kept_ + outside_ == 0 && refused_ == 0)
      refuse("/file", "expected buildings, found none" + (flat_ > 0 ? " with an area" : std::string()) + " in " +
                          name_of_file());
  }

 private:
  void refuse(std::string const& key, std::string const& why) {
    problems_.push_back(input_.problem(at_ + key, why));
    if (key == "/height" && !input_.has(at_ + key)) problems_.back().value = std::string("\"") + usual_height + '"';
    ++refused_;
  }

  bool is_above_sea() const {
    std::string const key = at_ + "/heights_from";
    return input_.has(key) && input_.get<std::string>(key) == "sea";
  }

  std::string name_of_file() const { return file_.filename().string(); }

  static std::string counted(std::size_t buildings) {
    return std::to_string(buildings) + (buildings == 1 ? " building" : " buildings");
  }

  std::string name(CityLayer::Feature const& feature) const {
    return "feature " + std::to_string(feature.number) + " of " + name_of_file();
  }

  void report_crossings(std::vector<std::string>& warnings) {
    auto const outlines = [](OutlineSum const& sum) {
      return std::to_string(sum.count) +
             (sum.count == 1 ? " outline that crosses itself" : " outlines that cross themselves");
    };
    if (divided_.count > 0) {
      warnings.push_back(name_of_file() + ": " + outlines(divided_) + " divided where the walls cross, " +
                         number(divided_.area) + " m2 in all; first feature " + std::to_string(divided_.first));
    }
    auto const left_out = [&](OutlineSum const& sum, std::string const& things) {
      if (sum.count == 0) return;
      warnings.push_back(name_of_file() + ": " + things + " left out, " + number(sum.area) +
                         " m2 in all; first feature " + std::to_string(sum.first));
    };
    auto const plural = [](OutlineSum const& sum, char const* noun) {
      return std::to_string(sum.count) + ' ' + noun + (sum.count == 1 ? "" : "s");
    };
    left_out(unfit_, plural(unfit_, "hole") + " across walls or over other holes");
    if (crossed_.count + knots_.count > 0 && kept_ + outside_ == 0) {
      std::string const most = std::to_string(most_crossings);
      refuse("/crossing", crossing_ == "skip"
                              ? "expected an outline that does not cross itself; " + name_of_file() + " has none"
                              : "expected an outline that crosses itself at most " + most +
                                    " times, and not in a corner; " + name_of_file() + " has none");
      return;
    }
    left_out(crossed_, outlines(crossed_));
    left_out(knots_, plural(knots_, "outline") + " with more than " + std::to_string(most_crossings) + " crossings");
  }

  void report_outside(std::vector<std::string>& warnings) {
    if (outside_ == 0) return;
    if (!skips_outside_) {
      refuse("", first_outside_ + (outside_ > 1 ? " (and " + std::to_string(outside_ - 1) + " more)" : "") + "; " +
                     placement_.box_and_origin());
    } else if (kept_ == 0) {
      bool const one = outside_ == 1;
      refuse("/outside", "expected buildings in the domain; " +
                             (one ? "the only building" : "all " + counted(outside_)) + " of " + name_of_file() +
                             (one ? " reaches" : " reach") + " outside; " + placement_.box_and_origin());
    } else {
      warnings.push_back(name_of_file() + ": " + counted(outside_) + " left out, partly or wholly outside the domain");
    }
  }

  Point projected(Point const& corner) const {
    Point const place = placement_(corner);
    return {place[0] - grid_.origin()[0], place[1] - grid_.origin()[1]};
  }

  void read_feature(CityLayer::Feature const& feature, std::array<std::uint32_t, 2> const& polygons) {
    if (std::isnan(feature.height) || std::isnan(feature.base)) return;
    for (std::uint32_t n = polygons[0]; n < polygons[1]; ++n) {
      std::vector<Ring> rings = layer_.rings_of(n, [this](Point const& corner) { return projected(corner); });
      if (!all_finite(rings)) {
        refuse("", name(feature) + ": " + placement_.outside_of_map(layer_, n));
        return;
      }
      for (Ring& ring : rings) ring = without_repeats(std::move(ring));
      Ring outer = std::move(rings.front());
      if (skips_small_ && !has_area(outer)) {
        ++flat_;
        continue;
      }
      rings.erase(rings.begin());
      if (skips_small_) std::erase_if(rings, [](Ring const& hole) { return !has_area(hole); });
      Point const shown{grid_.origin()[0], grid_.origin()[1]};
      std::string const fault = footprint_fault(outer, rings, shown);
      if (fault.empty()) {
        add(feature, std::move(outer), std::move(rings));
      } else if (crossing_ == "error" || !are_plain(outer, rings)) {
        refuse("", name(feature) + ": " + fault);
        return;
      } else {
        mend(feature, outer, std::move(rings));
      }
    }
  }

  /// Adds the parts of an outline with crossings, or leaves it out. Holes belong to the largest part or have no place.
  void mend(CityLayer::Feature const& feature, Ring& outer, std::vector<Ring>&& holes) {
    if (footprint_fault(outer, {}, {0, 0}).empty()) {
      drop_unfit(feature, outer, holes);
      add(feature, std::move(outer), std::move(holes));
      return;
    }
    DividedOutline divided = divided_at_crossings(outer);
    std::vector<Ring>& parts = divided.loops;
    if (crossing_ == "skip" || parts.empty()) {
      bool const is_knot = crossing_ != "skip" && divided.too_many_crossings;
      double const area = parts.empty() ? std::abs(signed_area(outer)) : area_of(parts, holes);
      (is_knot ? knots_ : crossed_).add(feature.number, area);
      return;
    }
    drop_unfit(feature, parts.front(), holes);
    divided_.add(feature.number, area_of(parts, holes));
    for (std::size_t n = 0; n < parts.size(); ++n)
      add(feature, std::move(parts[n]), n == 0 ? std::move(holes) : std::vector<Ring>());
  }

  void drop_unfit(CityLayer::Feature const& feature, Ring const& outer, std::vector<Ring>& holes) {
    std::size_t const fitting = fitting_holes(outer, holes);
    for (std::size_t n = fitting; n < holes.size(); ++n) unfit_.add(feature.number, std::abs(signed_area(holes[n])));
    holes.resize(fitting);
  }

  static double area_of(std::vector<Ring> const& parts, std::vector<Ring> const& holes) {
    double area = 0;
    for (Ring const& part : parts) area += std::abs(signed_area(part));
    for (Ring const& hole : holes) area -= std::abs(signed_area(hole));
    return area;
  }

  void add(CityLayer::Feature const& feature, Ring&& outer, std::vector<Ring>&& holes) {
    Building building = prism(std::move(outer), std::move(holes));
    building.height = feature.height;
    building.base = feature.base;
    building.entry = entry_;
    building.member = feature.number;
    building.may_overlap = may_overlap_;
    if (std::string const why = why_outside(building); !why.empty()) {
      if (outside_++ == 0) first_outside_ = name(feature) + ' ' + why;
      return;
    }
    ++kept_;
    // Its box remains.
    if (!keeps_outlines_) building.footprint = {};
    if (buildings_.size() == most_buildings) throw too_many_buildings(input_, entry_);
    buildings_.push_back(std::move(building));
  }

  /// In plan; a roof above the domain remains an error.
  std::string why_outside(Building building) const {
    building.height = building.base = 0;
    return outside(building, grid_);
  }

  Case const& input_;
  std::string at_;
  std::uint32_t entry_;
  UniformGrid const& grid_;
  BuildingUse use_;
  std::vector<Building>& buildings_;
  std::vector<CaseProblem>& problems_;
  CityLayer& layer_;
  std::filesystem::path file_;
  FilePlacement placement_;
  bool may_overlap_;
  bool skips_outside_;
  bool skips_small_;
  std::string crossing_;  ///< rule for outlines that cross themselves
  bool keeps_outlines_;
  std::size_t kept_ = 0;
  std::size_t flat_ = 0;          ///< without area
  OutlineSum divided_, crossed_;  ///< outlines that cross themselves: mended, and left out
  OutlineSum knots_;              ///< left out for too many crossings
  OutlineSum unfit_;              ///< holes that are left out
  std::size_t outside_ = 0;       ///< partly or wholly outside
  std::string first_outside_;
  std::size_t refused_ = 0;
};

}  // namespace

void read_city_file(Case const& input, std::size_t entry, UniformGrid const& grid, BuildingUse use, CityLayers& layers,
                    DomainPlace& place, std::vector<Building>& buildings, std::vector<CaseProblem>& problems,
                    std::vector<std::string>& warnings) {
  CityReader(input, entry, grid, use, layers.releasable(input, entry), place, buildings, problems).read(warnings);
}

}  // namespace karman::wind
