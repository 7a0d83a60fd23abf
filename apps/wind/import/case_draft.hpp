// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A case in the making: its parts as JSON, and the remarks of the import.
#pragma once

#include "foreign_value.hpp"

#include <nlohmann/json.hpp>

#include <array>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace karman::wind {

using OrderedJson = nlohmann::ordered_json;

/// Box and grid of an imported domain.
struct DraftDomain {
  std::array<double, 2> origin{0, 0};  ///< of the corner with the lowest x and y, m
  std::array<int, 2> cells{1, 1};
  std::array<double, 2> spacing{1, 1};
  OrderedJson layers;

  double end(std::size_t axis) const { return origin[axis] + cells[axis] * spacing[axis]; }
};

/// Parts of a case, each empty or in the form of the schema.
struct CaseDraft {
  std::string title;
  DraftDomain domain;
  OrderedJson wind, series, terrain, solver;
  OrderedJson buildings = OrderedJson::array();
  OrderedJson vegetation = OrderedJson::array();
  OrderedJson parameterisations = OrderedJson::object();
  ImportRemarks remarks;

  void remark(ForeignPlace place, std::string text) { remarks.push_back({std::move(place), std::move(text)}); }
  /// The whole case; parts that are empty are left out.
  OrderedJson json() const;
};

/// Title of a case from a project: printable and short.
std::string title_of(std::string const& program, std::string const& project);

/// Layers of the case: uniform, or listed from the ground up.
OrderedJson layers_of(int count, double thickness);
OrderedJson layers_of(std::vector<double> const& thicknesses);

/// JSON text in lines of at most about 110 characters.
std::string readable_text(OrderedJson const& value);

/// Absolute path of a file that a project names; relative names count from the folder of the project. Throws CaseError
/// where there is no such file.
std::filesystem::path file_of_project(ForeignPlace const& place, std::string_view name);

}  // namespace karman::wind
