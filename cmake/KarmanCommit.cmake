# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Run at every build (cmake -P): writes the commit of the source tree into a header. Writes only when it changed, so
# that programs report the right commit and an unchanged tree is not rebuilt.
set(commit "unknown")
find_program(git git)
if(git)
  execute_process(COMMAND "${git}" -C "${SOURCE}" rev-parse --short=12 HEAD
    OUTPUT_VARIABLE head OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE failed)
  if(NOT failed)
    set(commit "${head}")
    execute_process(COMMAND "${git}" -C "${SOURCE}" status --porcelain --untracked-files=no
      OUTPUT_VARIABLE changes ERROR_QUIET)
    if(changes)
      string(APPEND commit "-dirty")
    endif()
  endif()
endif()
if(commit STREQUAL "unknown" AND DEFINED ENV{KARMAN_COMMIT})
  set(commit "$ENV{KARMAN_COMMIT}")
endif()
file(WRITE "${OUTPUT}.new" "// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
namespace karman::detail {
inline constexpr char const* build_commit = \"${commit}\";
}  // namespace karman::detail
")
file(COPY_FILE "${OUTPUT}.new" "${OUTPUT}" ONLY_IF_DIFFERENT)
file(REMOVE "${OUTPUT}.new")
