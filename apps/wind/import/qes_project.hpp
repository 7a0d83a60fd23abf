// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Projects of QES-Winds: an XML file with sensor files, shapefiles and an elevation model.
#pragma once

#include "case_draft.hpp"
#include "case_limits.hpp"
#include "qes_document.hpp"

#include <array>
#include <vector>

namespace karman {
struct VectorLayer;
}

namespace karman::wind {

/// Values of <simulationParameters> that other parts need.
struct QesFrame {
  std::array<double, 2> utm{0, 0};  ///< UTM position of the inner corner of the domain, m
  std::array<double, 2> halo{0, 0};
  double rotation = 0;  ///< degrees
  bool has_terrain = false;
  std::vector<std::vector<std::array<double, 2>>> outlines;  ///< of the buildings of a map, in the case

  /// As in the program: maps count from UTM only if both numbers are given.
  bool has_utm() const { return utm[0] != 0 && utm[1] != 0; }
};

/// Reads a project. Throws CaseError for a bad project and for a missing file of it.
CaseDraft read_qes_project(QesDocument const& document);

/// Adds buildings and their methods from <buildingsParams>. Older files have the methods in <simulationParameters>.
/// Keeps the outlines of a map in the frame.
void read_qes_buildings(QesElement const& element, QesElement const& simulation, QesFrame& frame, CaseDraft& draft);
/// Adds plants from <vegetationParams>.
void read_qes_vegetation(QesElement const& element, QesFrame const& frame, CaseDraft& draft);

/// Position in a map of buildings or plants that becomes (0, 0): the UTM position, else the corner of the map.
std::array<double, 2> map_origin(QesFrame const& frame, VectorLayer const& layer);

/// Throws CaseError for a map in degrees or feet.
void require_metres(VectorLayer const& layer, QesElement const& element);

/// Remarks on the features of a map that are no polygons: they are left out.
void note_other_geometries(VectorLayer const& layer, QesElement const& element, CaseDraft& draft);

/// A ring of a map in the case.
std::vector<std::array<double, 2>> moved(std::vector<std::array<double, 2>> ring, std::array<double, 2> const& origin);

/// A rectangle from a corner, its sides and the rotation of the first side, as key values of a case.
struct QesRectangle {
  std::array<double, 2> corner{0, 0};
  double along = 0, across = 0;  ///< m
  double rotation = 0;           ///< degrees, counter-clockwise

  std::array<double, 2> center() const;
};

/// Corners of a polygon from <xVertex> and <yVertex>. Throws CaseError for fewer than three.
std::vector<std::array<double, 2>> qes_corners(QesElement const& element);

}  // namespace karman::wind
