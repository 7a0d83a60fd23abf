# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# CPU time of every compilation, recorded beside its object; tools/build-cost prints them and checks their limits.
include_guard(GLOBAL)

set(karman_record_default OFF)
if(PROJECT_IS_TOP_LEVEL AND KARMAN_BUILD_TESTS AND CMAKE_HOST_UNIX AND NOT KARMAN_CUDA)
  set(karman_record_default ON)
endif()
option(KARMAN_RECORD_COMPILE_TIMES "Record the CPU time of every compilation, for tools/build-cost" ${karman_record_default})

# karman_record_compile_times(<target>): puts the script that records before the user's launcher, for example ccache.
function(karman_record_compile_times target)
  if(KARMAN_RECORD_COMPILE_TIMES)
    # A list without empty elements: CMake would pass an empty one on as the name of the compiler.
    set(launcher "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/record-compile-time.sh")
    list(APPEND launcher ${CMAKE_CXX_COMPILER_LAUNCHER})
    set_target_properties(${target} PROPERTIES CXX_COMPILER_LAUNCHER "${launcher}")
  endif()
endfunction()
