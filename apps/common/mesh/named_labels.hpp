// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Members of a case for boundaries or regions of the mesh, by name.
#pragma once

#include <karman/io/config.hpp>
#include <karman/io/error.hpp>

#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace karman::app {

/// Labels of a mesh and the names of those that have one.
struct NamedLabels {
  std::vector<int> const& labels;  ///< of triangles or edges, in any order, any number of times
  std::map<int, std::string> const& names;
  std::string what;                            ///< "boundary"
  std::function<std::string(int)> where = {};  ///< extent and place of a label, for messages; empty: none
  std::set<int> seams = {};                    ///< labels with edges that coincide: "others" covers none of them
};

/// Labels that a key of a case means, by name or by number; none for an unknown key.
std::vector<int> labels_of(NamedLabels const& known, std::string const& key);

/// "sea, quay, 7": the labels by name, or by number where there is none. Shortened when there are very many.
std::string names_of(NamedLabels const& known);

/// For every label, the pointer to its member of the object at `pointer`: by name, by number, or "others". Adds a
/// problem for every key that matches no label, for labels with two keys, and for labels without any. Adds one for
/// seams that only "others" would cover.
std::map<int, std::string> members_of_labels(Case const& input, std::string const& pointer, NamedLabels const& known,
                                             std::vector<CaseProblem>& problems);

}  // namespace karman::app
