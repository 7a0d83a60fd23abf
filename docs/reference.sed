# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Hides from the HTML reference: macros of explicit instantiation, copies, moves, destructors, defaulted constructors.
# Empties lines instead of deleting them, so that warnings name the true line.
/^#define KARMAN_(EXTERN|IF_|DISPATCH)/,/[^\\]$/ s/.*//
s/^ *(virtual )?~[A-Z][A-Za-z0-9]*\(\)( = default)?;( *\/\/[^\/].*)?$//
s/^ *~[A-Z][A-Za-z0-9]*\(\) \{.*\}$//
s/^ *([A-Z][A-Za-z0-9]*)(& operator=)?\([A-Z][A-Za-z0-9]*( const)?&&?( other)?\)( noexcept)?( = (default|delete))?;$//
s/^ *[A-Z][A-Za-z0-9]*\(\) = default;$//
