#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Checks that a build folder keeps the compiler launcher of its first configuration: with another one Ninja compiles
# everything again. Runs configure() and build() of tools/lib.sh on a project of one source, and a stub of ccache.
#
#   compiler_launcher_test.sh [LIB]     LIB: another version of tools/lib.sh

set -euo pipefail

lib=$(realpath "${1:-$(dirname "${BASH_SOURCE[0]}")/../../tools/lib.sh}")
project=$(realpath "$(mktemp -d)")
trap 'rm -rf "$project"' EXIT

# Folders of programs: without ccache, and the stub alone.
mkdir "$project"/{tools,programs,ccache}
PATH=${PATH//'/usr/lib/ccache:'/} # compilers under their own names that are ccache
for program in bash sh env cat cut date dirname getconf grep mkdir nproc rm sed tail touch uname \
  cmake ninja cc c++ gcc g++ clang clang++ as ld ar ranlib; do
  if command -v "$program" >/dev/null; then
    ln -s "$(command -v "$program")" "$project/programs"
  fi
done
cat >"$project/ccache/ccache" <<END
#!/bin/sh
if [ "\$1" = --get-config ]; then
  printf '%s\n' "\${CCACHE_SLOPPINESS:-}"
else
  printf '%s\n' "\${CCACHE_SLOPPINESS:-}" >>"$project/compiled"
  exec "\$@"
fi
END
printf '#!/bin/sh\n' >"$project/tools/python" # in place of one with h5py and matplotlib
chmod +x "$project/ccache/ccache" "$project/tools/python"
without=$project/programs
with=$project/ccache:$project/programs

cp "$lib" "$project/tools/lib.sh"
cat >"$project/CMakeLists.txt" <<'END'
cmake_minimum_required(VERSION 3.24)
project(toy LANGUAGES CXX)
execute_process(COMMAND "${CMAKE_COMMAND}" -E echo "sloppiness at configuration: $ENV{CCACHE_SLOPPINESS}")
add_executable(toy toy.cpp)
END
printf 'int main() {}\n' >"$project/toy.cpp"
cat >"$project/CMakePresets.json" <<'END'
{
  "version": 6,
  "configurePresets": [
    { "name": "base", "hidden": true, "generator": "Ninja", "binaryDir": "${sourceDir}/build/${presetName}" },
    { "name": "late", "inherits": "base" },
    { "name": "early", "inherits": "base" },
    { "name": "named", "inherits": "base" },
    { "name": "own", "inherits": "base" }
  ]
}
END

# The test's own environment must not decide.
unset CMAKE_C_COMPILER_LAUNCHER CMAKE_CXX_COMPILER_LAUNCHER CCACHE_SLOPPINESS CCACHE_BASEDIR CCACHE_NOHASHDIR CXX CC
export KARMAN_PYTHON=$project/tools/python

broken=0
expect() {
  local rule=$1
  shift
  if ! "$@"; then
    printf 'broken: %s\n' "$rule" >&2
    broken=$((broken + 1))
  fi
}

# in_lib PATH COMMAND: runs functions of lib.sh as a script of tools/ does.
in_lib() {
  PATH=$1 bash -c "set -euo pipefail; source tools/lib.sh; $2" lib
}

nothing_to_do() {
  local steps
  steps=$(PATH=$with ninja -C "build/$1" -n)
  [[ $steps == *"ninja: no work to do."* ]] || {
    printf '%s\n' "$steps"
    return 1
  }
}

compiled_through_ccache() {
  [[ -e compiled ]]
}

compiled_directly() {
  [[ ! -e compiled ]]
}

cd "$project"

in_lib "$without" "configure late /none; build late"
expect "no launcher without ccache" compiled_directly
in_lib "$with" "configure late /none"
expect "ccache installed after the first build compiles nothing again" nothing_to_do late
CMAKE_CXX_COMPILER_LAUNCHER=ccache in_lib "$with" "configure late /none"
expect "a launcher in the environment after the first build compiles nothing again" nothing_to_do late

PATH=$without cmake --preset own >cmake.log # by hand: no launcher in the cache, not even an empty one
in_lib "$without" "build own"
CMAKE_CXX_COMPILER_LAUNCHER=ccache in_lib "$with" "configure own /none; touch CMakeLists.txt; build own"
expect "a folder that was configured by hand compiles nothing again" compiled_directly

in_lib "$with" "configure early /none; build early"
expect "ccache that is installed compiles" compiled_through_ccache
expect "ccache caches sources with precompiled headers" grep -q "pch_defines,time_macros" compiled
expect "CMake finds the same setting" grep -q "configuration: pch_defines,time_macros" build/dependencies/log/configure-early.log
in_lib "$without" "configure early /none"
expect "ccache missing after the first build compiles nothing again" nothing_to_do early
CMAKE_CXX_COMPILER_LAUNCHER='' in_lib "$with" "configure early /none"
expect "an empty launcher after the first build compiles nothing again" nothing_to_do early
rm compiled

CMAKE_CXX_COMPILER_LAUNCHER='' in_lib "$with" "configure named /none; build named"
expect "the environment decides the first configuration" compiled_directly
in_lib "$with" "configure named /none"
expect "it decides for good" nothing_to_do named

[[ $broken -eq 0 ]] || exit 1
printf 'all rules hold\n'
