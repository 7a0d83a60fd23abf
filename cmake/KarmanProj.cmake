# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Sets karman_proj_found and more: KarmanLoadedLibrary.cmake.
include(KarmanLoadedLibrary)
karman_loaded_library(PROJ 7 "Coordinate systems of maps"
  LIBRARY proj VERSION_HEADER proj.h VERSION_MACRO PROJ_VERSION_MAJOR PACKAGE libproj-dev)
