// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "spectral_grid.hpp"
#include <karman/solvers/spectral/vorticity_options.hpp>

#include <algorithm>
#include <numbers>

namespace karman {

std::string_view name(VorticityMethod method) {
  switch (method) {
    case VorticityMethod::low_storage_rk54: return "low_storage_rk54";
    case VorticityMethod::low_storage_rk3: return "low_storage_rk3";
    case VorticityMethod::crank_nicolson_rk54: return "crank_nicolson_rk54";
    case VorticityMethod::crank_nicolson_rk3: return "crank_nicolson_rk3";
    case VorticityMethod::etdrk4: break;
  }
  return "etdrk4";
}

std::string_view name(Dealiasing dealiasing) {
  switch (dealiasing) {
    case Dealiasing::circular: return "circular";
    case Dealiasing::square: return "square";
    case Dealiasing::exponential: return "exponential";
    case Dealiasing::none: break;
  }
  return "none";
}

std::string_view name(SpectralOrder order) {
  switch (order) {
    case SpectralOrder::automatic: return "auto";
    case SpectralOrder::rows: return "rows";
    case SpectralOrder::columns: return "columns";
    case SpectralOrder::fused: break;
  }
  return "fused";
}

int stages(VorticityMethod method) {
  switch (method) {
    case VorticityMethod::low_storage_rk54:
    case VorticityMethod::crank_nicolson_rk54: return 5;
    case VorticityMethod::low_storage_rk3:
    case VorticityMethod::crank_nicolson_rk3: return 3;
    case VorticityMethod::etdrk4: break;
  }
  return 4;
}

namespace {

/// Ends of the stability regions on the imaginary axis.
double imaginary_limit(VorticityMethod method) {
  switch (stages(method)) {
    case 5: return 3.34;
    case 3: return std::numbers::sqrt3;
    default: return 2 * std::numbers::sqrt2;
  }
}

}  // namespace

double largest_cfl(VorticitySetup const& setup) {
  detail::SpectralGrid const grid(setup);
  double const largest = std::max(grid.most_x / grid.nx, grid.most_y / grid.ny);
  return imaginary_limit(setup.method) / (2 * std::numbers::pi * largest);
}

}  // namespace karman
