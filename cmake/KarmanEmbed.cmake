# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# karman_embed(<target> NAMESPACE <ns> HEADER <name.hpp> FILES <...>): makes text files part of a target, so that a
# program needs no file beside it. The header, for #include <name.hpp> in the target's sources, declares
#   extern const std::string_view <file>;
# in the namespace for each file, its name with every character outside [A-Za-z0-9_] replaced by '_'
# (schema.json -> schema_json). The target is built again when a file changes.
#
# As a script (-DFILES=... -DNAMESPACE=... -DHEADER=<path> -DSOURCE=<path>) it writes the header and the source.

function(karman_embed_identifier file result)
  get_filename_component(name "${file}" NAME)
  string(MAKE_C_IDENTIFIER "${name}" identifier)
  set(${result} "${identifier}" PARENT_SCOPE)
endfunction()

if(CMAKE_SCRIPT_MODE_FILE)
  set(license "// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception\n// Generated; do not edit.\n")
  set(declarations "")
  set(definitions "")
  string(REPLACE "|" ";" files "${FILES}")
  foreach(file IN LISTS files)
    karman_embed_identifier("${file}" identifier)
    file(READ "${file}" bytes HEX)
    # One character literal per byte instead of a string literal: any content, and no limit on its length.
    string(REGEX REPLACE "([0-9a-f][0-9a-f])" "'\\\\x\\1'," bytes "${bytes}")
    string(REPEAT "'....'," 16 line)
    string(REGEX REPLACE "(${line})" "\\1\n" bytes "${bytes}")
    string(APPEND declarations "/// The content of ${identifier}.\nextern const std::string_view ${identifier};\n")
    string(APPEND definitions
      "namespace {\nconstexpr char ${identifier}_bytes[] = {\n${bytes}'\\0'};\n}\n"
      "constexpr std::string_view ${identifier}(${identifier}_bytes, sizeof ${identifier}_bytes - 1);\n")
  endforeach()
  get_filename_component(header_name "${HEADER}" NAME)
  file(WRITE "${HEADER}"
    "${license}#pragma once\n\n#include <string_view>\n\nnamespace ${NAMESPACE} {\n${declarations}}  // namespace ${NAMESPACE}\n")
  file(WRITE "${SOURCE}" "${license}#include <${header_name}>\n\nnamespace ${NAMESPACE} {\n${definitions}}  // namespace ${NAMESPACE}\n")
  return()
endif()

include_guard(GLOBAL)
set(KARMAN_EMBED_SCRIPT "${CMAKE_CURRENT_LIST_FILE}" CACHE INTERNAL "Writes the sources of karman_embed()")

function(karman_embed target)
  cmake_parse_arguments(arg "" "NAMESPACE;HEADER" "FILES" ${ARGN})
  set(folder "${CMAKE_CURRENT_BINARY_DIR}/embedded/${target}")
  get_filename_component(stem "${arg_HEADER}" NAME_WE)
  set(files "")
  foreach(file IN LISTS arg_FILES)
    get_filename_component(path "${file}" ABSOLUTE)
    list(APPEND files "${path}")
  endforeach()
  list(JOIN files "|" joined)
  add_custom_command(
    OUTPUT "${folder}/${arg_HEADER}" "${folder}/${stem}.cpp"
    COMMAND "${CMAKE_COMMAND}" "-DFILES=${joined}" "-DNAMESPACE=${arg_NAMESPACE}" "-DHEADER=${folder}/${arg_HEADER}"
      "-DSOURCE=${folder}/${stem}.cpp" -P "${KARMAN_EMBED_SCRIPT}"
    DEPENDS ${files} "${KARMAN_EMBED_SCRIPT}"
    COMMENT "Embedding ${arg_HEADER}"
    VERBATIM)
  target_sources(${target} PRIVATE "${folder}/${stem}.cpp" "${folder}/${arg_HEADER}")
  target_include_directories(${target} PRIVATE "${folder}")
endfunction()
