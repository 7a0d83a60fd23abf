#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Checks skipped_tests() of tools/lib.sh on logs of ctest: programs of GoogleTest, also with the colours of a terminal,
# and of Python.
#
#   skipped_tests_test.sh [LIB]     LIB: another version of tools/lib.sh

set -euo pipefail

# shellcheck disable=SC1090
source "$(realpath "${1:-$(dirname "${BASH_SOURCE[0]}")/../../tools/lib.sh}")"
folder=$(realpath "$(mktemp -d)")
trap 'rm -rf "$folder"' EXIT

# expect WORDS: the line for the log of the standard input
expect() {
  local found
  cat >"$folder/log"
  found=$(skipped_tests "$folder/log")
  [[ $found == "$1" ]] || fail "expected '$1', found '$found'"
}

expect '0 tests' <<'END'
1/1 Testing: fft_test
1/1 Test: fft_test
[ RUN      ] Fft.Parseval
[       OK ] Fft.Parseval (3 ms)
END

# The list at the end of a program repeats a name, and so do other numbers of processes.
color=$'\e[0;32m' plain=$'\e[m'
expect '4 tests: Fft.Vectors, Parts/openmp_f32.Joined, pictures_test (2)' <<END
1/4 Test: fft_test
[ RUN      ] Fft.Vectors
/project/fft_test.cpp:3: Skipped
no vector instructions
[  SKIPPED ] Fft.Vectors (0 ms)
[  SKIPPED ] 1 test, listed below:
[  SKIPPED ] Fft.Vectors
2/4 Test: parts_test_1
${color}[  SKIPPED ] ${plain}Parts/openmp_f32.Joined (12 ms)$(printf '\r')
3/4 Test: parts_test_2
${color}[  SKIPPED ] ${plain}Parts/openmp_f32.Joined (15 ms)$(printf '\r')
4/4 Test: pictures_test
Ran 7 tests in 1.234s

OK (skipped=2)
END

expect '1 test: Fft.Vectors' <<'END'
1/1 Test: fft_test
[  SKIPPED ] Fft.Vectors (0 ms)
END
