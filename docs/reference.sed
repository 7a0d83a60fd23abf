# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Input filter of Doxygen. Empties lines instead of deleting them, so that warnings give the true line. In pages: the
# line above the title, and code marks in titles.
1s/^<!-- SPDX.*-->$//
1,3s/^(# [^`]*)`([^`]*)`/\1\2/
# Pages: links to a heading become links to its page; links to other files lead from build/docs/html to the source tree.
s/\]\(([^)#:]+\.md)#[^)]*\)/](\1)/g
s,\]\((\.\./)?((apps|perf)/[^)]*\.(cpp|txt)|apps/[^)]*/CMakeLists\.txt|LICENSE|CITATION\.cff)\),](../../../\2),g
s,\]\((20[0-9-]*[^)]*\.txt)\),](../../../perf/results/\1),g
# Headers: macros of explicit instantiation, copies, moves, destructors, defaulted constructors, bare names of parameters.
/^#define KARMAN_(EXTERN|IF_|DISPATCH)/,/[^\\]$/ s/.*//
s/^ *(virtual )?~[A-Z][A-Za-z0-9]*\(\)( = default)?;( *\/\/[^\/].*)?$//
s/^ *~[A-Z][A-Za-z0-9]*\(\) \{.*\}$//
s/^ *([A-Z][A-Za-z0-9]*)(& operator=)?\([A-Z][A-Za-z0-9]*( const)?&&?( other)?\)( noexcept)?( = (default|delete))?;$//
s/^ *[A-Z][A-Za-z0-9]*\(\) = default;$//
s/^ *using (execution_space|real|scalar) = (Exec|T|Scalar|Real);$//
