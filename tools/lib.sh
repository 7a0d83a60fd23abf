# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Shared functions of the scripts in this folder. Sourced, never run.
# shellcheck shell=bash

karman_root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)
dependencies=$karman_root/build/dependencies
logs=$dependencies/log

# say TEXT: one line per step, with the minutes and seconds since the first script started.
export KARMAN_STARTED=${KARMAN_STARTED:-$(date +%s)}
say() {
  local elapsed=$(($(date +%s) - KARMAN_STARTED))
  printf '[%2d:%02d] %s\n' $((elapsed / 60)) $((elapsed % 60)) "$*"
}

fail() {
  printf '%s: %s\n' "$0" "$*" >&2
  exit 1
}

# usage: the comment block at the head of the script that calls it.
usage() {
  sed -n '3,/^$/{s/^# \{0,1\}//p}' "$0"
}

# quietly NAME COMMAND...: runs the command with its output in a log; a failure shows the end of that log.
quietly() {
  local log=$logs/$1.log status=0
  shift
  mkdir -p "$logs"
  "$@" >"$log" 2>&1 || status=$?
  if [[ $status -ne 0 ]]; then
    {
      printf '%s\n' "----- the last lines of $log"
      tail -n 30 "$log"
      printf '%s\n' "-----"
    } >&2
  fi
  return "$status"
}

# last_error NAME: the first error in a log of apt, and the place of the rest
last_error() {
  local log=$logs/$1.log
  printf '%s; see %s' "$(grep '^E: ' "$log" | head -n 1)" "$log"
}

jobs() {
  nproc 2>/dev/null || echo 2
}

# kokkos_root kokkos|kokkos-debug: the prefix chosen by tools/install-dependencies.
kokkos_root() {
  cat "$dependencies/$1-root"
}

# karman_python: the first Python with h5py and matplotlib. A python3 that comes first on PATH (pyenv, conda, a virtual
# environment) often lacks Debian's packages, which only the system's own Python sees.
karman_python() {
  local python
  for python in "${KARMAN_PYTHON:-}" python3 /usr/bin/python3; do
    if [[ -n $python ]] && "$python" -c 'import h5py, matplotlib' >/dev/null 2>&1; then
      command -v "$python"
      return
    fi
  done
  fail "no Python with h5py and matplotlib; run tools/install-dependencies or name one in KARMAN_PYTHON"
}

# configure PRESET KOKKOS_PREFIX: clears the cached Kokkos of an earlier run, so that a change of prefix takes effect.
# Any parallel backend will do, because the machine's own Kokkos may have CUDA or Threads instead of OpenMP.
configure() {
  local preset=$1 prefix=$2 python
  python=$(karman_python)
  say "configure preset $preset with the Kokkos in $prefix"
  quietly "configure-$preset" cmake -S "$karman_root" --preset "$preset" -U Kokkos_DIR -U KokkosKernels_DIR \
    "-DKokkos_ROOT=$prefix" -DKARMAN_REQUIRE_BACKEND= "-DPython3_EXECUTABLE=$python" || fail "preset $preset failed to configure"
}

# build PRESET [TARGET...]: on a terminal Ninja's own line shows the progress.
build() {
  local preset=$1 command
  shift
  say "build preset $preset${*:+: $*}"
  command=(cmake --build "$karman_root/build/$preset" --parallel "$(jobs)" ${@:+--target "$@"})
  if [[ -t 1 ]]; then
    "${command[@]}" || fail "preset $preset failed to build"
  else
    quietly "build-$preset" "${command[@]}" || fail "preset $preset failed to build"
  fi
}

# project_files: the files of the project, relative to its root, without build trees and results.
project_files() (
  cd "$karman_root" || exit
  if git rev-parse --is-inside-work-tree >/dev/null 2>&1; then
    git ls-files
  else
    find . -path ./build -prune -o -path ./results -prune -o -path ./.git -prune -o -type f -printf '%P\n'
  fi | while read -r file; do
    # a deleted file stays in git's list until the next commit
    [[ ! -f $file ]] || printf '%s\n' "$file"
  done
)

# Where ccache is installed, a second build of the same sources costs nothing. Every CMake below this shell uses it.
if [[ -z ${CMAKE_CXX_COMPILER_LAUNCHER+set} ]] && command -v ccache >/dev/null; then
  export CMAKE_C_COMPILER_LAUNCHER=ccache CMAKE_CXX_COMPILER_LAUNCHER=ccache
  # Sources with precompiled headers are cached only with these two (cmake/KarmanPrecompiledHeaders.cmake).
  CCACHE_SLOPPINESS=$(ccache --get-config sloppiness)
  for relaxed in pch_defines time_macros; do
    [[ $CCACHE_SLOPPINESS == *"$relaxed"* ]] || CCACHE_SLOPPINESS+=${CCACHE_SLOPPINESS:+,}$relaxed
  done
  # Another clone finds the objects of this one; its debug information names the first one.
  export CCACHE_SLOPPINESS CCACHE_BASEDIR=$karman_root CCACHE_NOHASHDIR=1
fi
