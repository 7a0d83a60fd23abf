#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Checks skipped_tests() and failed_tests() of tools/lib.sh on logs of ctest: programs of GoogleTest, also with the colours
# of a terminal, and of Python.
#
#   test_logs_test.sh [LIB]     LIB: another version of tools/lib.sh

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

expect_failures() {
  local found
  cat >"$folder/log"
  found=$(failed_tests "$folder/log")
  [[ $found == "$1" ]] || fail "expected '$1', found '$found'"
}

# Of a program that failed the failures and the last twelve lines, of one that passed nothing.
expect_failures '----- parts_test
[       OK ] Parts.Number15
[       OK ] Parts.Number16
[       OK ] Parts.Number17
[       OK ] Parts.Number18
[       OK ] Parts.Number19
[       OK ] Parts.Number20
parts_test.cpp:3: Failure
Expected equality
[  FAILED  ] Parts.Joined (12 ms)
[       OK ] Parts.Last (1 ms)
[  FAILED  ] Parts.Joined
Test time =   0.10 sec
----- late_test
waiting
Test time =   1.00 sec' <<END
Start testing: Nov 29 16:38 UTC
----------------------------------------------------------
1/3 Testing: parts_test
1/3 Test: parts_test
Command: "/project/parts_test"
Directory: /project
"parts_test" start time: Nov 29 16:38 UTC
Output:
----------------------------------------------------------
$(for n in {1..20}; do echo "[       OK ] Parts.Number$n"; done)
parts_test.cpp:3: Failure
Expected equality
${color}[  FAILED  ] ${plain}Parts.Joined (12 ms)
[       OK ] Parts.Last (1 ms)
[  FAILED  ] Parts.Joined
<end of output>
Test time =   0.10 sec
----------------------------------------------------------
Test Failed.
"parts_test" end time: Nov 29 16:38 UTC
"parts_test" time elapsed: 00:00:00
----------------------------------------------------------

2/3 Testing: fft_test
2/3 Test: fft_test
Output:
----------------------------------------------------------
fft_test.cpp:3: Failure
is expected by this test
<end of output>
Test time =   0.00 sec
----------------------------------------------------------
Test Passed.

3/3 Testing: late_test
3/3 Test: late_test
Output:
----------------------------------------------------------
waiting
<end of output>
Test time =   1.00 sec
----------------------------------------------------------
Test timeout computed to be: 1

End testing: Nov 29 16:38 UTC
END
