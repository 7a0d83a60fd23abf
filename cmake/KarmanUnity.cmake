# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Unity builds: the sources of one folder in one target are compiled as one unit. Most of the time of a small source is
# headers and templates that its neighbours need too.
#
# Names in anonymous namespaces are therefore unique in a folder. A source that takes long stays alone
# (SKIP_UNITY_BUILD_INCLUSION), so that no unit holds up a build; so does one with compile options of its own.
# nvcc gains nothing and many cores wait for the largest unit, so that builds for CUDA compile source by source.
include_guard(GLOBAL)

set(karman_unity_default ON)
if(KARMAN_CUDA)
  set(karman_unity_default OFF)
endif()
option(KARMAN_UNITY_BUILD "Compile the sources of each folder as one unit" ${karman_unity_default})

# karman_unite(<target>): groups its sources once the folder of the target has been read.
function(karman_unite target)
  if(KARMAN_UNITY_BUILD)
    # Relocatable, from CMake 4.0 on: the compiler cache finds the units of another clone.
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP UNITY_BUILD_RELOCATABLE ON)
    # g++ takes the sources of a unit for headers, in which a member of a type without linkage would be a defect.
    target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage>)
    cmake_language(EVAL CODE "cmake_language(DEFER CALL karman_group_sources ${target})")
  endif()
endfunction()

function(karman_group_sources target)
  get_target_property(sources ${target} SOURCES)
  set(folders "")
  foreach(source IN LISTS sources)
    get_source_file_property(group "${source}" UNITY_GROUP)
    if(source MATCHES "^[^$].*\\.cpp$" AND NOT group)
      get_filename_component(folder "${source}" DIRECTORY)
      string(MAKE_C_IDENTIFIER "in/${folder}" folder)
      list(APPEND folders "${folder}")
      list(APPEND sources_of_${folder} "${source}")
    endif()
  endforeach()
  list(REMOVE_DUPLICATES folders)
  foreach(folder IN LISTS folders)
    list(LENGTH sources_of_${folder} count)
    if(count GREATER 1)
      set_source_files_properties(${sources_of_${folder}} PROPERTIES UNITY_GROUP "${folder}")
    endif()
  endforeach()
endfunction()
