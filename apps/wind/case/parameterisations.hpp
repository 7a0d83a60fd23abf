// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Switches and constants of the empirical flow zones around buildings. docs/wind_zones.md has formulas and sources.
#pragma once

#include <optional>

namespace karman::wind {

/// Flow in front of a face across the wind.
enum class UpwindModel {
  roeckle,  ///< still air (Roeckle 1990)
  mvp,      ///< slow air around a small vortex (Bagal et al. 2004)
  hmvp      ///< for high buildings: a vortex as high as the face is wide, a gradual retardation (Nelson et al. 2008)
};

/// Flow beside the wall in the mvp and hmvp models.
enum class UpwindInner { vortex, still };

/// Flow over roofs.
enum class RooftopModel {
  off,
  log,    ///< a boundary layer from the upwind edge
  vortex  ///< the same, and reversed flow behind an edge across the wind
};

/// Zones around buildings in the initial field. Angles in degrees.
struct Parameterisations {
  bool upwind_cavity = true;
  UpwindModel upwind_model = UpwindModel::roeckle;
  UpwindInner upwind_inner = UpwindInner::vortex;
  /// c in L_f = c W / (1 + 0.8 W / H); empty: 2 for roeckle, 1.5 otherwise.
  std::optional<double> upwind_length;
  /// Largest angle between the wind and the inward normal of a face with an upwind cavity.
  double upwind_angle = 10;

  bool wake = true;
  double cavity_decay = 1;  ///< c_f in -U_H (1 - x / (c_f d))^2
  double wake_offset = 0;   ///< w_f in 1 - (d / (x + w_f d))^1.5
  bool high_rise = false;   ///< shorter cavity where H / L >= 2

  bool street_canyon = false;
  double canyon_angle = 45;          ///< largest angle between the normals of the two walls
  double canyon_least_ratio = 0.65;  ///< least height over width in front of a lower building

  double canyon_mixing = 0;  ///< mixed depth at the top and ends, in heights and widths; 0: none

  bool intersection = false;  ///< through flow where two street canyons cross

  bool courtyard = false;         ///< recirculation in courts
  bool bridge = false;            ///< zones of decks with air below
  bool garage = false;            ///< slow air in open storeys
  double garage_friction = 0.04;  ///< of floors, columns and cars (Darcy)

  RooftopModel rooftop = RooftopModel::off;
  double rooftop_length = 0.9;   ///< of the vortex, in units of R
  double rooftop_height = 0.22;  ///< the same
  double rooftop_angle = 15;     ///< largest angle between the wind and the inward normal of a face with a vortex

  bool sidewall = false;
  double sidewall_length = 0.9;  ///< of the vortex, in units of R
  double sidewall_width = 0.11;  ///< the same
  double sidewall_angle = 10;    ///< largest angle between the wind and a side wall

  double wall_roughness = 0.1;  ///< m, of roofs and side walls

  bool vegetation = true;                  ///< in and above plants
  bool vegetation_wake = true;             ///< behind trees and windbreaks
  std::optional<double> canopy_roughness;  ///< m; empty: that of the profile, 0.1 for a power law
  double windbreak_exponent = 0.4;         ///< e in the share porosity^e of the wind that passes
  double windbreak_length = 30;            ///< of the shelter, in heights

  /// Logarithmic law next to walls after the projection, and another projection: see model/wall_law.hpp.
  bool wall_law = false;
};

}  // namespace karman::wind
