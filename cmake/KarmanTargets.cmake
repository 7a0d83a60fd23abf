# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Common settings of every target of Karman: language level, warnings, sanitizers, header sets, install name.
include_guard(GLOBAL)

# karman_compile_options(<target>): options of Karman's own translation units, never of its users.
function(karman_compile_options target)
  target_compile_features(${target} PUBLIC cxx_std_20)
  set_target_properties(${target} PROPERTIES CXX_EXTENSIONS OFF POSITION_INDEPENDENT_CODE ON)
  karman_unite(${target})
  karman_record_compile_times(${target})
  # Without contraction, results on the host are the same bits for every backend and number of threads. With it, the way
  # in which a compiler vectorises would decide which products and sums are fused.
  target_compile_options(${target} PRIVATE -ffp-contract=off)
  if(PROJECT_IS_TOP_LEVEL)
    target_compile_options(${target} PRIVATE -Wall -Wextra)
    if(KARMAN_NATIVE)
      target_compile_options(${target} PRIVATE -march=native)
    endif()
    if(KARMAN_SANITIZE)
      target_compile_options(${target} PRIVATE -fsanitize=${KARMAN_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
      if(KARMAN_SANITIZE_EXCEPT)
        target_compile_options(${target} PRIVATE -fno-sanitize=${KARMAN_SANITIZE_EXCEPT})
      endif()
      # An executable that may lie anywhere has millions of addresses in the tables of the sanitizers, which every start
      # relocates: half a second per command.
      target_link_options(${target} PUBLIC -fsanitize=${KARMAN_SANITIZE} $<$<STREQUAL:$<TARGET_PROPERTY:TYPE>,EXECUTABLE>:-no-pie>)
    endif()
  endif()
endfunction()

# karman_private_headers(<target> <component>...): lets a target of this build include the private headers of components,
# which lie beside their sources: #include "<family>/<name>.hpp". They are not installed.
function(karman_private_headers target)
  foreach(component IN LISTS ARGN)
    target_include_directories(${target} PRIVATE "${PROJECT_SOURCE_DIR}/${component}/src")
  endforeach()
endfunction()

# karman_add_library(<component> HEADERS <...> SOURCES <...>): the library karman_<component>, known as
# karman::<component> in this build and after installation. Header paths are relative to the calling folder's include/.
function(karman_add_library component)
  cmake_parse_arguments(arg "" "" "HEADERS;SOURCES" ${ARGN})
  set(target karman_${component})
  add_library(${target} STATIC ${arg_SOURCES})
  add_library(karman::${component} ALIAS ${target})
  karman_compile_options(${target})
  target_include_directories(${target} PRIVATE "${CMAKE_CURRENT_SOURCE_DIR}/src")
  list(TRANSFORM arg_HEADERS PREPEND "include/")
  target_sources(${target} PUBLIC FILE_SET HEADERS BASE_DIRS include FILES ${arg_HEADERS})
  # The target all_verify_interface_header_sets compiles every header on its own.
  set_target_properties(${target} PROPERTIES EXPORT_NAME ${component} VERIFY_INTERFACE_HEADER_SETS ON)
  set_property(GLOBAL APPEND PROPERTY KARMAN_COMPONENTS ${component})
  karman_compile_headers(${component} ${arg_HEADERS})
endfunction()

# karman_compile_headers(<component> <header>...): the target karman_component_headers compiles the headers of each
# component in one unit. Errors are a name defined twice, and an include that neither a header nor those before it have.
function(karman_compile_headers component)
  if(NOT PROJECT_IS_TOP_LEVEL)
    return()
  endif()
  list(TRANSFORM ARGN REPLACE "^include/(.+)$" "#include <\\1>\n" OUTPUT_VARIABLE includes)
  list(JOIN includes "" includes)
  set(source "${PROJECT_BINARY_DIR}/generated/headers/${component}.cpp")
  file(CONFIGURE OUTPUT "${source}" CONTENT "${includes}")
  set(target karman_${component}_headers_together)
  add_library(${target} OBJECT EXCLUDE_FROM_ALL "${source}")
  karman_compile_options(${target})
  target_link_libraries(${target} PRIVATE karman::${component})
  if(NOT TARGET karman_component_headers)
    add_custom_target(karman_component_headers)
  endif()
  add_dependencies(karman_component_headers ${target})
endfunction()
