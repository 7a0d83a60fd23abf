# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Input filter of Doxygen for headers. Empties lines instead of deleting them, so that warnings give the true line:
# macros of explicit instantiation, copies, moves, destructors, defaulted constructors, bare names of parameters.
/^#define KARMAN_(EXTERN|IF_|DISPATCH)/ {
  :continued
  /\\$/ {
    s/.*//
    n
    b continued
  }
  s/.*//
}
s/^ *(virtual )?~[A-Z][A-Za-z0-9]*\(\)( = default)?;( *\/\/[^\/].*)?$//
s/^ *~[A-Z][A-Za-z0-9]*\(\) \{.*\}$//
s/^ *([A-Z][A-Za-z0-9]*)(& operator=)?\([A-Z][A-Za-z0-9]*( const)?&&?( other)?\)( noexcept)?( = (default|delete))?;$//
s/^ *[A-Z][A-Za-z0-9]*\(\) = default;$//
s/^ *using (execution_space|real|scalar) = (Exec|T|Scalar|Real);$//
# Doxygen takes the name `local` before '=' for a keyword.
s/ local = \{\};/ local{};/
