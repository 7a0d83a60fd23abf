# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The first install rule: a build for this machine's processor is installed and packaged on request only. Its programs
# end with an illegal instruction on an older processor.
include_guard(GLOBAL)

if(PROJECT_IS_TOP_LEVEL AND KARMAN_NATIVE)
  install(CODE [[
    if(NOT "$ENV{KARMAN_INSTALL_NATIVE}")
      message(FATAL_ERROR
        "Nothing is installed: this build has KARMAN_NATIVE=ON, for this machine's processor alone. Install the preset "
        "'package' (cmake --workflow --preset package) or a build with -DKARMAN_NATIVE=OFF. To install this one for "
        "this machine, set KARMAN_INSTALL_NATIVE=1 in the environment.")
    endif()
    message(STATUS "Installing a build for this machine's processor alone (KARMAN_INSTALL_NATIVE)")
  ]] ALL_COMPONENTS)
endif()
