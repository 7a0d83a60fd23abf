// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "shipped_cases.hpp"

#include <nlohmann/json.hpp>
#include <shipped_texts.hpp>

#include <algorithm>
#include <array>
#include <filesystem>
#include <sstream>
#include <system_error>
#include <utility>

namespace karman::app {

namespace {

/// Folder of the cases: the installed one, relative to this program, else that of the source tree.
std::string cases_folder() {
  std::error_code ignored;
  auto const program = std::filesystem::read_symlink("/proc/self/exe", ignored);
  auto const installed = (program.parent_path() / KARMAN_INSTALLED_CASES).lexically_normal();
  if (!std::filesystem::is_directory(installed, ignored)) return "apps/<application>/cases";
  return installed.string() + "/<application>";
}

}  // namespace

std::span<ShippedCase const> shipped_cases() {
  static std::array const cases{ShippedCase{"euler", "bow_shock", embedded::bow_shock_json},
                                ShippedCase{"euler", "double_mach", embedded::double_mach_json},
                                ShippedCase{"euler", "isentropic_vortex", embedded::isentropic_vortex_json},
                                ShippedCase{"euler", "mach3_step", embedded::mach3_step_json},
                                ShippedCase{"euler", "moving_piston", embedded::moving_piston_json},
                                ShippedCase{"euler", "naca0012", embedded::naca0012_json},
                                ShippedCase{"euler", "oblique_shock", embedded::oblique_shock_json},
                                ShippedCase{"euler", "pitching_naca0012", embedded::pitching_naca0012_json},
                                ShippedCase{"euler", "polar_naca0012", embedded::polar_naca0012_json},
                                ShippedCase{"euler", "reflected_shock", embedded::reflected_shock_json},
                                ShippedCase{"euler", "sod_tube", embedded::sod_tube_json},
                                ShippedCase{"poisson", "buildings_3d", embedded::buildings_3d_json},
                                ShippedCase{"poisson", "column_diffusion", embedded::column_diffusion_json},
                                ShippedCase{"poisson", "cube_3d", embedded::cube_3d_json},
                                ShippedCase{"poisson", "heat_2d", embedded::heat_2d_json},
                                ShippedCase{"poisson", "insulated_2d", embedded::insulated_2d_json},
                                ShippedCase{"poisson", "layers_2d", embedded::layers_2d_json},
                                ShippedCase{"poisson", "periodic_3d", embedded::periodic_3d_json},
                                ShippedCase{"poisson", "source_2d", embedded::source_2d_json},
                                ShippedCase{"poisson", "wire_1d", embedded::wire_1d_json},
                                ShippedCase{"turbulence", "beta_jets", embedded::beta_jets_json},
                                ShippedCase{"turbulence", "condensation", embedded::condensation_json},
                                ShippedCase{"turbulence", "decay_study", embedded::decay_study_json},
                                ShippedCase{"turbulence", "decaying", embedded::decaying_json},
                                ShippedCase{"turbulence", "inverse_cascade", embedded::inverse_cascade_json},
                                ShippedCase{"turbulence", "kelvin_helmholtz", embedded::kelvin_helmholtz_json},
                                ShippedCase{"waves", "berkhoff_shoal", embedded::berkhoff_shoal_json},
                                ShippedCase{"waves", "fishing_harbour", embedded::fishing_harbour_json},
                                ShippedCase{"waves", "fishing_harbour_sea", embedded::fishing_harbour_sea_json},
                                ShippedCase{"waves", "harbour", embedded::harbour_json},
                                ShippedCase{"waves", "homma_island", embedded::homma_island_json},
                                ShippedCase{"waves", "plane_wave", embedded::plane_wave_json},
                                ShippedCase{"waves", "rectangular_harbour", embedded::rectangular_harbour_json},
                                ShippedCase{"waves", "snell", embedded::snell_json},
                                ShippedCase{"wind", "array_7x11", embedded::array_7x11_json},
                                ShippedCase{"wind", "city", embedded::city_json},
                                ShippedCase{"wind", "city_rose", embedded::city_rose_json},
                                ShippedCase{"wind", "downtown", embedded::downtown_json},
                                ShippedCase{"wind", "hillside", embedded::hillside_json},
                                ShippedCase{"wind", "open_field", embedded::open_field_json},
                                ShippedCase{"wind", "rose", embedded::rose_json},
                                ShippedCase{"wind", "sea_breeze", embedded::sea_breeze_json},
                                ShippedCase{"wind", "single_cube", embedded::single_cube_json},
                                ShippedCase{"wind", "waterfront", embedded::waterfront_json}};
  return cases;
}

std::string list_report() {
  constexpr bool comments = true;
  std::ostringstream text;
  constexpr std::size_t name_width = 20;
  for (auto const& [application, about] :
       {std::pair{"euler", "compressible flow: shocks, airfoils, supersonic tunnels"},
        std::pair{"poisson", "Poisson's equation by every method, vertical diffusion, heat"},
        std::pair{"turbulence", "two-dimensional turbulence in a periodic box: decay, cascades, condensates, jets"},
        std::pair{"waves", "harbour waves: refraction, diffraction, reflection, friction, breaking"},
        std::pair{"wind", "mass-consistent wind around buildings"}}) {
    text << application << ": " << about << '\n';
    for (ShippedCase const& shipped : shipped_cases()) {
      if (shipped.application != application) continue;
      auto const parsed = nlohmann::json::parse(shipped.text, nullptr, true, comments);
      text << "  " << shipped.name
           << std::string(std::max(name_width, shipped.name.size() + 1) - shipped.name.size(), ' ')
           << parsed.value("title", "") << '\n';
    }
  }
  text << "\nThe cases are in " << cases_folder() << "; `karman <application> --example NAME` prints one.\n";
  return text.str();
}

}  // namespace karman::app
