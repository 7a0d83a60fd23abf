# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Sets karman_gdal_found and more: KarmanLoadedLibrary.cmake.
include(KarmanLoadedLibrary)
karman_loaded_library(GDAL 3 "Read shapefiles, GeoTIFF and more"
  LIBRARY gdal VERSION_HEADER gdal_version.h VERSION_MACRO GDAL_VERSION_MAJOR PACKAGE libgdal-dev)
