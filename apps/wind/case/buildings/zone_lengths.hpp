// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Lengths of the flow zones of a building.
#pragma once

namespace karman::wind {

/// c W / (1 + 0.8 W / H).
double upwind_cavity_length(double coefficient, double width, double height);

/// Recirculation length after Fackrell (1984): L_r / H = 1.8 (W/H) / ((L/H)^0.3 (1 + 0.24 W/H)) with 0.3 <= L/H <= 3
/// and W/H <= 10.
double cavity_length(double length, double width, double height);

/// The same for H/L >= 2: L_r / H = 2.34 (W/H) / ((L/H)^-1.37 (1.86 W/H - 0.27)). That has a pole at W/H = 0.145, where
/// narrow buildings would have endless cavities. Hence never more than cavity_length(); equal to it for H/L < 2.
double high_rise_cavity_length(double length, double width, double height);

/// R = B_s^(2/3) B_l^(1/3) of wall_layers.hpp.
double separation_scale(double width, double height);

}  // namespace karman::wind
