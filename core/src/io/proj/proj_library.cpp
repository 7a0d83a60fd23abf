// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "proj_library.hpp"

#include <dlfcn.h>

#include <stdexcept>
#include <string>

namespace karman::detail {
namespace {

void* open_proj() {
  std::string reason;
  for (char const* name : {KARMAN_PROJ_NAMES}) {
    if (void* const library = dlopen(name, RTLD_NOW | RTLD_LOCAL)) return library;
    char const* const error = dlerror();
    if (reason.empty() && error != nullptr) reason = error;
  }
  throw std::runtime_error("the library PROJ cannot be loaded: " + reason);
}

template <class Function>
void find_in_proj(void* library, char const* name, Function& function) {
  void* const address = dlsym(library, name);
  if (address == nullptr) throw std::runtime_error(std::string("the PROJ of this machine has no function ") + name);
  function = reinterpret_cast<Function>(address);
}

Proj load_proj() {
  void* const library = open_proj();
  Proj table{};
  find_in_proj(library, "proj_context_create", table.create_context);
  find_in_proj(library, "proj_context_destroy", table.destroy_context);
  find_in_proj(library, "proj_context_set_enable_network", table.set_network);
  find_in_proj(library, "proj_log_level", table.log_level);
  find_in_proj(library, "proj_context_errno", table.last_error);
  find_in_proj(library, "proj_errno_string", table.error_text);
  find_in_proj(library, "proj_create", table.create);
  find_in_proj(library, "proj_destroy", table.destroy);
  find_in_proj(library, "proj_get_type", table.type);
  find_in_proj(library, "proj_get_name", table.name);
  find_in_proj(library, "proj_get_id_auth_name", table.authority);
  find_in_proj(library, "proj_get_id_code", table.code);
  find_in_proj(library, "proj_as_wkt", table.as_wkt);
  find_in_proj(library, "proj_get_source_crs", table.source_system);
  find_in_proj(library, "proj_crs_get_sub_crs", table.part_of_system);
  find_in_proj(library, "proj_crs_get_coordinate_system", table.coordinate_system);
  find_in_proj(library, "proj_cs_get_axis_info", table.axis);
  find_in_proj(library, "proj_create_crs_to_crs_from_pj", table.transformation);
  find_in_proj(library, "proj_normalize_for_visualization", table.east_first);
  find_in_proj(library, "proj_trans", table.transform);
  return table;
}

}  // namespace

Proj const& proj() {
  static Proj const table = load_proj();
  return table;
}

}  // namespace karman::detail
