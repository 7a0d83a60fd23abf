// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "building_methods.hpp"

#include <array>

namespace karman::wind {

void put_methods(BuildingMethods const& methods, CaseDraft& draft) {
  OrderedJson& switches = draft.parameterisations;
  constexpr std::array<char const*, 3> roofs{"off", "log", "vortex"};
  switches["rooftop"] = roofs.at(static_cast<std::size_t>(methods.rooftop.value));
  switches["upwind_cavity"] = methods.upwind.value > 0;
  constexpr std::array<char const*, 4> upwind{"roeckle", "roeckle", "mvp", "hmvp"};
  if (methods.upwind.value > 0) switches["upwind_model"] = upwind.at(static_cast<std::size_t>(methods.upwind.value));
  switches["street_canyon"] = methods.canyon.value > 0;
  if (methods.canyon.value == 2 || methods.canyon.value == 3) {
    draft.remark(methods.canyon.place, "canyon method " + std::to_string(methods.canyon.value) +
                                           " has no counterpart: street_canyon is Roeckle with the length of Fackrell");
  }
  bool const crossing = methods.intersection.value > 0;
  switches["intersection"] = crossing && methods.canyon.value > 0;
  if (crossing && methods.canyon.value == 0)
    draft.remark(methods.intersection.place, "intersections need street canyons: left out");
  switches["wake"] = methods.wake.value > 0;
  if (methods.wake.value >= 2) {
    // Constants of the modified wake in both programs.
    switches["cavity_decay"] = 1.1;
    switches["wake_offset"] = 0.1;
  }
  if (methods.wake.value > 2)
    draft.remark(methods.wake.place, "area-scaled wakes have no counterpart: the modified wake (2) is used");
  switches["high_rise"] = methods.high_rise;
  switches["sidewall"] = methods.sidewall.value > 0;
  if (methods.wall_roughness > 0) switches["wall_roughness"] = methods.wall_roughness;
}

}  // namespace karman::wind
