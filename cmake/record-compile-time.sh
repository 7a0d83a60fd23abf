#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Compiler launcher: runs the command of its arguments and writes OBJECT.cpu, the record that tools/build-cost reads:
#
#   0m0.00s 0m0.00s    user and system time of this shell
#   0m3.21s 0m0.34s    the same of the compiler and all its children
#   123456             bytes of the object: a record of another size belongs to an earlier object
#
# Writes nothing without -o, after a failure, or when ccache took the object from its cache. A ccache before 4.4
# keeps no log: the milliseconds of its answer are recorded like a compilation.

object=
previous=
for argument do
  [ "$previous" != -o ] || object=$argument
  previous=$argument
done
[ -n "$object" ] || exec "$@"

log=$object.$$.ccache
caller_log=${CCACHE_STATSLOG-}
CCACHE_STATSLOG=$log "$@"
status=$?

cached=false
if [ -f "$log" ]; then
  while read -r event; do
    case $event in direct_cache_hit | preprocessed_cache_hit) cached=true ;; esac
    [ -z "$caller_log" ] || printf '%s\n' "$event" >>"$caller_log"
  done <"$log"
  rm -f "$log"
fi

if [ "$status" -eq 0 ] && ! $cached; then
  { times && wc -c <"$object"; } >"$object.cpu"
fi
exit "$status"
