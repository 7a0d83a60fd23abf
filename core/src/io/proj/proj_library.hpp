// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The functions of PROJ, loaded at run time like the library GDAL.
#pragma once

#include <proj.h>

namespace karman::detail {

/// Pointers to the functions in use, each of the type in PROJ's header.
struct Proj {
  decltype(&proj_context_create) create_context;
  decltype(&proj_context_destroy) destroy_context;
  decltype(&proj_context_set_enable_network) set_network;
  decltype(&proj_log_level) log_level;
  decltype(&proj_context_errno) last_error;
  decltype(&proj_errno_string) error_text;
  decltype(&proj_create) create;
  decltype(&proj_destroy) destroy;
  decltype(&proj_get_type) type;
  decltype(&proj_get_name) name;
  decltype(&proj_get_id_auth_name) authority;
  decltype(&proj_get_id_code) code;
  decltype(&proj_as_wkt) as_wkt;
  decltype(&proj_get_source_crs) source_system;
  decltype(&proj_crs_get_sub_crs) part_of_system;
  decltype(&proj_crs_get_coordinate_system) coordinate_system;
  decltype(&proj_cs_get_axis_info) axis;
  decltype(&proj_create_crs_to_crs_from_pj) transformation;
  decltype(&proj_normalize_for_visualization) east_first;
  decltype(&proj_trans) transform;
};

/// The library, loaded on the first call. Throws std::runtime_error where it cannot be.
Proj const& proj();

}  // namespace karman::detail
