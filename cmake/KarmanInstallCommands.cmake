# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Installs the commands with their cases, the scripts for pictures and reports, the examples and the documentation.
# Installed files do not contain the folder of the build: programs and links are relative to their own place.
include_guard(GLOBAL)
include(GNUInstallDirs)

set(karman_data "${CMAKE_INSTALL_DATADIR}/karman")
file(RELATIVE_PATH karman_data_from_programs "${CMAKE_INSTALL_FULL_BINDIR}" "${CMAKE_INSTALL_FULL_DATADIR}/karman")

# karman_install_script(<command> <script> COMPONENT <...>): an installed script as a command, by a relative link.
function(karman_install_script command script)
  cmake_parse_arguments(arg "" "COMPONENT" "" ${ARGN})
  set(link "${PROJECT_BINARY_DIR}/generated/commands/${command}")
  file(MAKE_DIRECTORY "${PROJECT_BINARY_DIR}/generated/commands")
  file(CREATE_LINK "${karman_data_from_programs}/${script}" "${link}" SYMBOLIC)
  install(FILES "${link}" DESTINATION "${CMAKE_INSTALL_BINDIR}" COMPONENT ${arg_COMPONENT})
endfunction()

if(TARGET karman)
  install(TARGETS karman RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}" COMPONENT commands)
  target_compile_definitions(karman PRIVATE KARMAN_INSTALLED_CASES="${karman_data_from_programs}/cases")
  file(GLOB applications RELATIVE "${PROJECT_SOURCE_DIR}/apps" "${PROJECT_SOURCE_DIR}/apps/*/cases")
  foreach(cases IN LISTS applications)
    get_filename_component(application "${cases}" DIRECTORY)
    install(DIRECTORY "apps/${cases}/" DESTINATION "${karman_data}/cases/${application}" COMPONENT commands
      FILES_MATCHING PATTERN "*.json" PATTERN "*.asc" PATTERN "*.geojson" PATTERN "*.msh" PATTERN "*.xyz")
  endforeach()
  install(PROGRAMS tools/plot DESTINATION "${karman_data}/tools" COMPONENT commands)
  install(DIRECTORY tools/plot_lib DESTINATION "${karman_data}/tools" COMPONENT commands FILES_MATCHING PATTERN "*.py")
  karman_install_script(karman-plot tools/plot COMPONENT commands)
endif()

if(TARGET karman-perf)
  # karman-perf starts its peers from its own folder.
  get_property(karman_peer_programs GLOBAL PROPERTY KARMAN_PEER_PROGRAMS)
  install(TARGETS karman-perf ${karman_peer_programs} RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}" COMPONENT performance)
  install(PROGRAMS perf/report.py DESTINATION "${karman_data}/perf" COMPONENT performance)
  install(DIRECTORY perf/karman_report DESTINATION "${karman_data}/perf" COMPONENT performance
    FILES_MATCHING PATTERN "*.py" PATTERN "*.css")
  karman_install_script(karman-report perf/report.py COMPONENT performance)
endif()

# The folders of the source tree, so that the links between the pages hold; examples where readers look for them.
if(PROJECT_IS_TOP_LEVEL)
  install(FILES README.md LICENSE CHANGELOG.md CITATION.cff CONTRIBUTING.md DESTINATION "${CMAKE_INSTALL_DOCDIR}" COMPONENT commands)
  install(DIRECTORY docs DESTINATION "${CMAKE_INSTALL_DOCDIR}" COMPONENT commands
    FILES_MATCHING PATTERN "*.md" PATTERN "*.png")
  install(FILES perf/peers/README.md DESTINATION "${CMAKE_INSTALL_DOCDIR}/perf/peers" COMPONENT commands)
  install(DIRECTORY perf/results DESTINATION "${CMAKE_INSTALL_DOCDIR}/perf" COMPONENT commands
    FILES_MATCHING PATTERN "*.md" PATTERN "table.txt")
  install(DIRECTORY apps/examples DESTINATION "${CMAKE_INSTALL_DOCDIR}" COMPONENT commands)
  file(CREATE_LINK "../examples" "${PROJECT_BINARY_DIR}/generated/examples" SYMBOLIC)
  install(FILES "${PROJECT_BINARY_DIR}/generated/examples" DESTINATION "${CMAKE_INSTALL_DOCDIR}/apps" COMPONENT commands)
endif()
