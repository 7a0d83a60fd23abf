# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# karman::io: files and configuration. Host code without Kokkos: in a build with CUDA the host compiler compiles it.
include(KarmanGdal)
include(KarmanProj)
find_package(pugixml 1.11 QUIET CONFIG)
find_path(XXHASH_INCLUDE_DIR xxhash.h)
mark_as_advanced(XXHASH_INCLUDE_DIR)
if(NOT pugixml_FOUND OR NOT XXHASH_INCLUDE_DIR)
  message(FATAL_ERROR "karman::io needs pugixml 1.11 or later for XDMF meshes and the header of xxHash for checkpoints "
    "(Debian: libpugixml-dev libxxhash-dev). Run tools/install-dependencies, pass -Dpugixml_ROOT=<prefix> and "
    "-DXXHASH_INCLUDE_DIR=<folder of xxhash.h>, or leave karman::io out with -DKARMAN_ENABLE_IO=OFF.")
endif()
find_package(HDF5 REQUIRED COMPONENTS C HL)
find_package(nlohmann_json 3.11 REQUIRED CONFIG)
find_package(valijson REQUIRED CONFIG)
set(karman_gdal_sources src/io/gdal/without_gdal.cpp)
if(PROJECT_IS_TOP_LEVEL)
  message(STATUS "GDAL: ${karman_gdal_found}")
endif()
if(karman_gdal_found)
  set(karman_gdal_sources src/io/gdal/class_files.cpp src/io/gdal/gdal_library.cpp src/io/gdal/gdal_output.cpp src/io/gdal/geotiff.cpp
    src/io/gdal/gdal_raster.cpp src/io/gdal/vector_layer.cpp)
endif()
set(karman_proj_sources src/io/proj/without_proj.cpp)
if(PROJECT_IS_TOP_LEVEL)
  message(STATUS "PROJ: ${karman_proj_found}")
endif()
if(karman_proj_found)
  set(karman_proj_sources src/io/proj/map_system.cpp src/io/proj/proj_library.cpp)
endif()

karman_precompile(host LIBRARIES nlohmann_json::nlohmann_json
  HEADERS <nlohmann/json.hpp> <algorithm> <array> <cmath> <cstdint> <filesystem> <functional> <limits> <map> <memory> <optional>
    <span> <stdexcept> <string> <utility> <vector>)

karman_add_library(io
  HEADERS
    karman/io/array.hpp
    karman/io/atomic_file.hpp
    karman/io/case_options.hpp
    karman/io/checkpoint.hpp
    karman/io/class_polygons.hpp
    karman/io/config.hpp
    karman/io/content_hash.hpp
    karman/io/csv_writer.hpp
    karman/io/error.hpp
    karman/io/file_processes.hpp
    karman/io/geojson.hpp
    karman/io/geotiff.hpp
    karman/io/hdf5_file.hpp
    karman/io/map_system.hpp
    karman/io/mesh_files.hpp
    karman/io/output_folder.hpp
    karman/io/process.hpp
    karman/io/progress.hpp
    karman/io/raster.hpp
    karman/io/shared_hdf5_file.hpp
    karman/io/signals.hpp
    karman/io/vector_layer.hpp
    karman/io/xdmf.hpp
  SOURCES
    src/io/case/case_schema.cpp
    src/io/case/case_text.cpp
    src/io/case/case_validator.cpp
    src/io/case/case_words.cpp
    src/io/case/config.cpp
    src/io/files/atomic_file.cpp
    src/io/files/csv_writer.cpp
    src/io/files/error.cpp
    src/io/files/input_file.cpp
    src/io/files/output_folder.cpp
    src/io/files/plain_text.cpp
    src/io/gdal/class_polygons.cpp
    src/io/gdal/gdal_files.cpp
    ${karman_gdal_sources}
    src/io/geojson/geojson.cpp
    src/io/hdf5/array.cpp
    src/io/hdf5/checkpoint.cpp
    src/io/hdf5/content_hash.cpp
    src/io/hdf5/hdf5_driver.cpp
    src/io/hdf5/hdf5_file.cpp
    src/io/hdf5/hdf5_parts.cpp
    src/io/hdf5/hdf5_read.cpp
    src/io/hdf5/hdf5_write.cpp
    src/io/mesh_formats/fortran_records.cpp
    src/io/mesh_formats/mesh_adcirc.cpp
    src/io/mesh_formats/mesh_cgns.cpp
    src/io/mesh_formats/mesh_files.cpp
    src/io/mesh_formats/mesh_finish.cpp
    src/io/mesh_formats/mesh_freefem.cpp
    src/io/mesh_formats/mesh_gmsh.cpp
    src/io/mesh_formats/mesh_gmsh_2.cpp
    src/io/mesh_formats/mesh_gmsh_4.cpp
    src/io/mesh_formats/mesh_gmsh_numbers.cpp
    src/io/mesh_formats/mesh_hdf5.cpp
    src/io/mesh_formats/mesh_medit.cpp
    src/io/mesh_formats/mesh_selafin.cpp
    src/io/mesh_formats/mesh_selafin_boundary.cpp
    src/io/mesh_formats/mesh_su2.cpp
    src/io/mesh_formats/mesh_text.cpp
    src/io/mesh_formats/mesh_xdmf.cpp
    src/io/mesh_formats/mesh_xdmf_write.cpp
    src/io/mesh_formats/xdmf_cells.cpp
    src/io/mesh_formats/xdmf_items.cpp
    src/io/process/process.cpp
    src/io/process/progress.cpp
    src/io/process/signals.cpp
    src/io/proj/map_place.cpp
    ${karman_proj_sources}
    src/io/raster/ascii_grid.cpp
    src/io/raster/raster.cpp
    src/io/xdmf/xdmf.cpp
    src/io/xdmf/xml_document.cpp)
# config.hpp declares the JSON type by the library's forward header.
target_link_libraries(karman_io
  PUBLIC nlohmann_json::nlohmann_json
  PRIVATE hdf5::hdf5_hl hdf5::hdf5 pugixml::pugixml $<BUILD_INTERFACE:valijson>)
target_include_directories(karman_io SYSTEM PRIVATE "${XXHASH_INCLUDE_DIR}")
karman_use_precompiled(karman_io host)
if(karman_gdal_found)
  # Loaded at run time: its headers and its file name are all that the build takes from it.
  target_include_directories(karman_io SYSTEM PRIVATE "${KARMAN_GDAL_INCLUDE_DIR}")
  set_source_files_properties(src/io/gdal/gdal_library.cpp PROPERTIES COMPILE_DEFINITIONS "KARMAN_GDAL_NAMES=${karman_gdal_names}")
  target_link_libraries(karman_io PRIVATE ${CMAKE_DL_LIBS})
  set_property(GLOBAL PROPERTY KARMAN_GDAL_NAMES "${karman_gdal_names}")
endif()
if(karman_proj_found)
  target_include_directories(karman_io SYSTEM PRIVATE "${KARMAN_PROJ_INCLUDE_DIR}")
  set_source_files_properties(src/io/proj/proj_library.cpp PROPERTIES COMPILE_DEFINITIONS "KARMAN_PROJ_NAMES=${karman_proj_names}")
  target_link_libraries(karman_io PRIVATE ${CMAKE_DL_LIBS})
  set_property(GLOBAL PROPERTY KARMAN_PROJ_NAMES "${karman_proj_names}")
endif()
# g++ 12 warns about the internals of std::string and std::regex when it inlines the schema library. A schema is checked
# once per run; more optimisation would only take time to compile.
set_source_files_properties(src/io/case/case_validator.cpp PROPERTIES
  COMPILE_OPTIONS "-O1;$<$<CXX_COMPILER_ID:GNU>:-Wno-restrict;-Wno-maybe-uninitialized>" SKIP_PRECOMPILE_HEADERS ON)

# Kokkos Views in HDF5 files: a header over both libraries, so that karman::io itself stays without Kokkos.
add_library(karman_io_views INTERFACE)
add_library(karman::io_views ALIAS karman_io_views)
target_sources(karman_io_views INTERFACE FILE_SET HEADERS BASE_DIRS include FILES
  include/karman/io/communicator_files.hpp include/karman/io/hdf5_view.hpp)
target_link_libraries(karman_io_views INTERFACE karman::io karman::core)
set_target_properties(karman_io_views PROPERTIES EXPORT_NAME io_views VERIFY_INTERFACE_HEADER_SETS ON)
set_property(GLOBAL APPEND PROPERTY KARMAN_COMPONENTS io_views)
karman_compile_headers(io_views include/karman/io/hdf5_view.hpp)
