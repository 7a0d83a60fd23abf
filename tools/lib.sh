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

# show_end LOG: its last lines, after a failure
show_end() {
  {
    printf '%s\n' "----- the last lines of $1"
    tail -n 30 "$1"
    printf '%s\n' "-----"
  } >&2
}

# quietly NAME COMMAND...: runs the command with its output in a log; a failure shows the end of that log.
quietly() {
  local log=$logs/$1.log status=0
  shift
  mkdir -p "$logs"
  "$@" >"$log" 2>&1 || status=$?
  [[ $status -eq 0 ]] || show_end "$log"
  return "$status"
}

# in_one_line NAME COMMAND...: quietly() for a build by Ninja on a terminal, where one line shows the progress.
in_one_line() {
  local log=$logs/$1.log status=0
  mkdir -p "$logs"
  # With pipefail, the status of this pipe is that of the command.
  NINJA_STATUS='[%f/%t] ' "${@:2}" 2>&1 | show_steps "${1#build-}" "$log" || status=$?
  [[ $status -ne 130 ]] || exit "$status" # Ctrl-C
  [[ $status -eq 0 ]] || show_end "$log"
  return "$status"
}

# show_steps PRESET LOG: copies Ninja's output to the log and rewrites one line of the terminal, once per second or more.
show_steps() {
  local preset=$1 line='' part status step=0 steps=0 start=$SECONDS elapsed left last=''
  trap '' INT # Ninja writes until it has stopped
  while :; do
    status=0
    IFS= read -r -t 1 part || status=$? # above 128: a second without a line feed
    line+=$part
    if [[ $status -eq 0 ]]; then
      printf '%s\n' "$line" >&3
      [[ $line =~ ^\[([0-9]+)/([0-9]+)\]\  ]] && step=${BASH_REMATCH[1]} steps=${BASH_REMATCH[2]}
      line=''
    elif [[ $status -le 128 ]]; then
      printf '%s' "$line" >&3 # the end, without a line feed
      break
    fi
    elapsed=$((SECONDS - start))
    [[ $elapsed -gt 0 && $elapsed.$step.$steps != "$last" ]] || continue
    last=$elapsed.$step.$steps
    # The terminal does not wrap: a line that is too long for it loses its end.
    printf '\r\e[?7lpreset %s: ' "$preset"
    if [[ $step -gt 0 ]]; then
      left=$(((elapsed * (steps - step) + step - 1) / step))
      printf 'step %d of %d (%d %%), elapsed %d:%02d, remaining about %d:%02d' "$step" "$steps" \
        $((100 * step / steps)) $((elapsed / 60)) $((elapsed % 60)) $((left / 60)) $((left % 60))
    else
      printf 'first step, elapsed %d:%02d' $((elapsed / 60)) $((elapsed % 60))
    fi
    printf '\e[K\e[?7h'
  done 3>"$2"
  printf '\r\e[K'
}

# cpu_milliseconds: sets the variable of that name to the user and system time of this shell's processes that have
# ended. In a subshell, $(...), the time would begin at zero.
cpu_milliseconds() {
  local file=$logs/times.$$ user system entry
  mkdir -p "$logs"
  times >"$file"
  { read -r _ && read -r user system; } <"$file" # the shell, the processes
  cpu_milliseconds=0
  for entry in "$user" "$system"; do
    # 1m2.345s, with the decimal point of the language
    [[ ! $entry =~ ^([0-9]+)m([0-9]+)[.,]([0-9]{3})s$ ]] ||
      cpu_milliseconds=$((cpu_milliseconds + 60000 * BASH_REMATCH[1] + 1000 * 10#${BASH_REMATCH[2]} + 10#${BASH_REMATCH[3]}))
  done
  rm -f "$file"
}

# timed COMMAND...: runs the command and sets `spent` to its time: "612 CPU s in 5:10".
timed() {
  local status=0 start=$SECONDS before elapsed
  cpu_milliseconds
  before=$cpu_milliseconds
  "$@" || status=$?
  cpu_milliseconds
  elapsed=$((SECONDS - start))
  printf -v spent '%d CPU s in %d:%02d' $(((cpu_milliseconds - before + 500) / 1000)) $((elapsed / 60)) $((elapsed % 60))
  return "$status"
}

# skipped_tests LOG: one line with the tests that a run of ctest has skipped, by its log: "2 tests: A.First, B.Second". ctest
# prints no output of programs that pass. Of Python's programs the log has only the number: "pictures_test (3)".
skipped_tests() {
  tr -d '\r' <"$1" | sed 's/\x1b\[[0-9;]*m//g' | awk '
    function add(name, count) {
      if (name in seen) return
      seen[name] = 1
      total += count
      names = names (names == "" ? ": " : ", ") name
    }
    /^ *[0-9]+\/[0-9]+ Test: / { entry = $3 }
    /^\[  SKIPPED \] .* \([0-9]+ ms\)$/ { sub(/^\[  SKIPPED \] /, ""); sub(/ \([0-9]+ ms\)$/, ""); add($0, 1) }
    /^OK \(skipped=[0-9]+\)$/ { gsub(/[^0-9]/, ""); add(entry " (" $0 ")", $0) }
    END { print total + 0 (total == 1 ? " test" : " tests") names }'
}

# failed_tests LOG: the failures in a log of ctest: of every program that failed, the failures of GoogleTest's checks and the
# last lines. A long run shows them again at its end.
failed_tests() {
  tr -d '\r' <"$1" | sed 's/\x1b\[[0-9;]*m//g' | awk '
    function show(n, until, shown) {
      if (entry == "") return
      print "----- " entry
      for (n = 1; n <= lines; ++n) {
        if (output[n] ~ /: Failure$|^Traceback|runtime error:|ERROR: /) until = n + 8
        if ((n <= until && ++shown <= 60) || n > lines - 12) print output[n]
      }
    }
    /^ *[0-9]+\/[0-9]+ Test: / { show(); entry = $3; lines = 0; next }
    /^Test Passed\./ { entry = "" }
    !/^(Command: |Directory: |Output:$|<end of output>$|--------|Test timeout computed|Test [A-Z][a-z ]*[.:]$|".*" (start|end) time: |".*" time elapsed: | *[0-9]+\/[0-9]+ Testing: |End testing: |$)/ { output[++lines] = substr($0, 1, 300) }
    END { show() }'
}

# last_error NAME: the first error in a log of apt, and the place of the rest
last_error() {
  local log=$logs/$1.log
  printf '%s; see %s' "$(grep '^E: ' "$log" | head -n 1)" "$log"
}

# jobs: compilers at once. nproc itself would count the threads that OpenMP may use.
jobs() {
  env -u OMP_NUM_THREADS -u OMP_THREAD_LIMIT nproc 2>/dev/null || echo 2
}

# kokkos_root kokkos|kokkos-debug|kokkos-serial: the prefix chosen by tools/install-dependencies.
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

# export_ccache: exports the variables that ccache needs, where it is installed. CMake and the build read them.
export_ccache() {
  local relaxed
  command -v ccache >/dev/null || return 0
  # Sources with precompiled headers are cached only with these two (cmake/KarmanPrecompiledHeaders.cmake).
  CCACHE_SLOPPINESS=$(ccache --get-config sloppiness)
  for relaxed in pch_defines time_macros; do
    [[ $CCACHE_SLOPPINESS == *"$relaxed"* ]] || CCACHE_SLOPPINESS+=${CCACHE_SLOPPINESS:+,}$relaxed
  done
  # Another clone finds the objects of this one; its debug information names the first one.
  export CCACHE_SLOPPINESS CCACHE_BASEDIR=$karman_root CCACHE_NOHASHDIR=1
}

# launcher_options BUILD_FOLDER: CMake's options for a new build folder: the compiler launcher of the environment, else
# ccache where it is installed. A configured folder keeps its launcher, because another one compiles everything again.
launcher_options() {
  local ccache=''
  [[ ! -f $1/CMakeCache.txt ]] || return 0
  ! command -v ccache >/dev/null || ccache=ccache
  printf '%s\n' "-DCMAKE_CXX_COMPILER_LAUNCHER=${CMAKE_CXX_COMPILER_LAUNCHER-$ccache}" \
    "-DCMAKE_C_COMPILER_LAUNCHER=${CMAKE_C_COMPILER_LAUNCHER-${CMAKE_CXX_COMPILER_LAUNCHER-$ccache}}"
}

# Prefix of commands that use the launcher in CMake's cache: where it has none, CMake reads these variables each time.
cached_launcher=(env -u CMAKE_C_COMPILER_LAUNCHER -u CMAKE_CXX_COMPILER_LAUNCHER)

# configure PRESET KOKKOS_PREFIX: clears the cached Kokkos of an earlier run, so that a change of prefix takes effect.
# Any parallel backend will do, because the machine's own Kokkos may have CUDA or Threads instead of OpenMP.
configure() {
  local preset=$1 prefix=$2 python launcher
  python=$(karman_python)
  say "configure preset $preset with the Kokkos in $prefix"
  export_ccache
  mapfile -t launcher < <(launcher_options "$karman_root/build/$preset")
  quietly "configure-$preset" "${cached_launcher[@]}" cmake -S "$karman_root" --preset "$preset" -U Kokkos_DIR \
    -U KokkosKernels_DIR "-DKokkos_ROOT=$prefix" -DKARMAN_REQUIRE_BACKEND= "-DPython3_EXECUTABLE=$python" "${launcher[@]}" ||
    fail "preset $preset failed to configure"
}

# build PRESET [TARGET...]: on a terminal one line shows the progress.
build() {
  local preset=$1 run=quietly
  shift
  say "build preset $preset${*:+: $*}"
  export_ccache
  [[ -t 1 && ${TERM:-dumb} != dumb ]] && run=in_one_line
  timed "$run" "build-$preset" "${cached_launcher[@]}" cmake --build "$karman_root/build/$preset" --parallel "$(jobs)" \
    ${@:+--target "$@"} || fail "preset $preset failed to build"
  say "built preset $preset: $spent"
}

# project_files: the files of the project, new ones too, relative to its root, without build trees and results.
project_files() (
  cd "$karman_root" || exit
  if git rev-parse --is-inside-work-tree >/dev/null 2>&1; then
    git ls-files --cached --others --exclude-standard
  else
    find . -path ./build -prune -o -path ./results -prune -o -path ./.git -prune -o -type f -printf '%P\n'
  fi | while read -r file; do
    # a deleted file stays in git's list until the next commit
    [[ ! -f $file ]] || printf '%s\n' "$file"
  done
)
