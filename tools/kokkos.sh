# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Finds a Kokkos, or builds one with Kokkos Kernels from Debian's source package. Sourced by install-dependencies.
# shellcheck shell=bash
# shellcheck disable=SC2034,SC2154  # the two scripts and lib.sh share variables

source_package=trilinos # Debian's, which carries both
sources=$dependencies/source
cxx_standard=20

# probe_kokkos NAME [PREFIX]: finds a Kokkos, under the prefix if there is one, that Karman's CMake code accepts. Sets
# found_root and found_description, or found_problem.
probe_kokkos() {
  local bounds_check=OFF backends='' prefix=${2:-} work directory
  [[ $1 == kokkos-debug ]] && bounds_check=ON
  [[ $1 == kokkos-serial ]] && backends='OPENMP;SERIAL'
  found_root='' found_description='' found_problem=''
  if ! command -v cmake >/dev/null || ! command -v ninja >/dev/null || ! command -v c++ >/dev/null; then
    found_problem="it takes CMake, Ninja and a C++ compiler to look for one"
    return 1
  fi
  work=$(mktemp -d)
  if cmake -S "$karman_root/tools/probe-kokkos" -B "$work" -G Ninja -DKARMAN_PROBE_BOUNDS_CHECK=$bounds_check \
    "-DKARMAN_PROBE_BACKENDS=$backends" ${prefix:+"-DKokkos_ROOT=$prefix"} >"$work/output" 2>&1; then
    directory=$(realpath "$(<"$work/kokkos-directory")")
    if [[ -z $prefix || $directory/ == "$(realpath -m "$prefix")"/* ]]; then
      found_root=$(<"$work/kokkos-root")
      found_description=$(<"$work/kokkos-description")
    else
      found_problem="there is none in $prefix"
    fi
  else
    # the text of CMake's error messages, without where they were raised
    found_problem=$(awk '/^CMake Error at/ { inside = 1; next } /^Call Stack|^--/ { inside = 0 }
      sub(/^CMake Error: /, "") || (inside && NF) { $1 = $1; printf "%s%s", separator, $0; separator = " " }' "$work/output")
  fi
  rm -rf "$work"
  [[ -n $found_root ]]
}

# kokkos_options NAME: build options of the Kokkos of that name.
kokkos_options() {
  printf '%s\n' -DCMAKE_CXX_STANDARD=$cxx_standard -DCMAKE_CXX_EXTENSIONS=OFF -DCMAKE_POSITION_INDEPENDENT_CODE=ON \
    -DBUILD_SHARED_LIBS=OFF -DKokkos_ENABLE_OPENMP=ON
  if [[ $1 == kokkos-debug ]]; then
    # OpenMP alone: Serial runs the same kernels and would double the time of the build and of the sanitized tests.
    printf '%s\n' -DCMAKE_BUILD_TYPE=Debug '-DCMAKE_CXX_FLAGS_DEBUG=-O1 -g1' -DKokkos_ENABLE_DEBUG=ON \
      -DKokkos_ENABLE_DEBUG_BOUNDS_CHECK=ON
  else
    printf '%s\n' -DCMAKE_BUILD_TYPE=Release
  fi
  [[ $1 != kokkos-serial ]] || printf '%s\n' -DKokkos_ENABLE_SERIAL=ON
}

# built_here NAME PREFIX: true if it was built in full, and with today's options. The recipe is written last.
built_here() {
  cmp -s <(kokkos_options "$1") "$2/karman-recipe"
}

# source_apt WORK COMMAND...: apt-get for source packages of the machine's own package sources, with all of its state
# under WORK. Keys, proxies and credentials of the machine remain, so signatures are checked as always.
source_apt() {
  local work=$1
  shift
  apt-get -q \
    -o Dir::Etc::sourcelist="$work/sources.list" -o Dir::Etc::sourceparts="$work/sources.list.d" \
    -o Dir::State::lists="$work/lists" -o Dir::Cache="$work/cache" \
    -o APT::Get::AllowUnauthenticated=false -o Acquire::AllowInsecureRepositories=false \
    -o Acquire::Retries=2 "$@"
}

# derive_apt_sources WORK: the machine's package sources, one-line and deb822, with deb turned into deb-src.
derive_apt_sources() {
  local work=$1 list='' parts='' file
  eval "$(apt-config shell list Dir::Etc::sourcelist/f parts Dir::Etc::sourceparts/d)"
  mkdir -p "$work/sources.list.d" "$work/lists/partial" "$work/cache/archives/partial" "$work/download"
  : >"$work/sources.list"
  for file in "$list" "$parts"/*.list; do
    if [[ -r $file ]]; then
      sed -E '/[[:space:]]cdrom:/d; s/^[[:space:]]*deb[[:space:]]/deb-src /' "$file" >>"$work/sources.list"
    fi
  done
  for file in "$parts"/*.sources; do
    if [[ -r $file ]]; then
      sed -E 's/^types:.*/Types: deb-src/I' "$file" >"$work/sources.list.d/${file##*/}"
    fi
  done
}

# unpack_kokkos_sources WORK: unpacks only the two packages, with Debian's patches for them.
unpack_kokkos_sources() {
  local work=$1 patch
  rm -rf "$sources" "$sources.partial"
  mkdir -p "$sources.partial" "$work/packaging"
  tar -xf "$work"/download/*.orig.tar.* -C "$sources.partial" --strip-components=1 --wildcards \
    '*/packages/kokkos' '*/packages/kokkos-kernels'
  tar -xf "$work"/download/*.debian.tar.* -C "$work/packaging"
  while read -r patch; do
    (cd "$sources.partial" && GIT_CEILING_DIRECTORIES=$dependencies git apply --include='packages/kokkos/*' \
      --include='packages/kokkos-kernels/*' "$work/packaging/debian/patches/$patch")
  done < <(sed 's/[[:space:]]*#.*//; /^$/d' "$work/packaging/debian/patches/series")
  mv "$sources.partial" "$sources"
}

# fetch_kokkos_sources: fills $sources and keeps existing ones. Needs no root: apt's state is in a folder of ours. Sets
# fetch_problem when it fails.
fetch_kokkos_sources() {
  local work
  fetch_problem=''
  [[ -d $sources/packages/kokkos ]] && return
  if ! command -v apt-get >/dev/null; then
    fetch_problem="no apt-get on this machine"
    return 1
  fi
  # not /tmp, which is often held in memory; readable for the unprivileged user as whom apt downloads
  work=$(mktemp -d "${TMPDIR:-/var/tmp}/karman-dependencies.XXXXXX")
  # shellcheck disable=SC2064
  trap "rm -rf '$work'" EXIT
  chmod 755 "$work"
  derive_apt_sources "$work"
  if [[ $(id -u) -eq 0 ]] && id _apt >/dev/null 2>&1; then
    chown _apt "$work/lists/partial" "$work/download"
  fi

  say "read the list of source packages"
  # one unreachable package source is harmless when another one has the package, which the next step tests
  source_apt "$work" update >"$logs/source-lists.log" 2>&1 || true
  if ! source_apt "$work" source --print-uris --only-source "$source_package" >"$logs/source-uris.log" 2>&1; then
    fetch_problem="apt finds no source package $source_package: no network, or no release among this machine's package"
    fetch_problem+=" sources has it (see $logs/source-lists.log)"
    return 1
  fi
  say "download Debian's source package $source_package (about 170 MB)"
  # the two files used, of three in a source package; apt checks both against the signed list
  if ! (
    cd "$work/download"
    source_apt "$work" source --download-only --only-source --tar-only "$source_package" &&
      source_apt "$work" source --download-only --only-source --diff-only "$source_package"
  ) >"$logs/source-download.log" 2>&1; then
    fetch_problem="the source package $source_package could not be downloaded ($(last_error source-download))"
    return 1
  fi
  say "unpack Kokkos and Kokkos Kernels"
  if ! quietly source-unpack unpack_kokkos_sources "$work"; then
    fetch_problem="the source package $source_package could not be unpacked"
    return 1
  fi
  rm -rf "$work"
  trap - EXIT
}

# build_kokkos NAME PREFIX: sets the same variables as probe_kokkos.
build_kokkos() {
  local name=$1 prefix=$2 package options launcher work=$dependencies/work
  found_problem="it does not build"
  mapfile -t options < <(kokkos_options "$name")
  mkdir -p "$prefix"
  rm -f "$prefix/karman-recipe"
  export_ccache
  for package in kokkos kokkos-kernels; do
    say "build $package ($name)"
    rm -rf "$work"
    mapfile -t launcher < <(launcher_options "$work")
    quietly "$name-$package" cmake -S "$sources/packages/$package" -B "$work" -G Ninja "${options[@]}" "${launcher[@]}" \
      -DCMAKE_INSTALL_PREFIX="$prefix" -DCMAKE_INSTALL_LIBDIR=lib -DKokkos_ROOT="$prefix" \
      -DKokkos_ENABLE_TESTS=OFF -DKokkosKernels_ENABLE_TESTS=OFF -DKokkosKernels_ADD_DEFAULT_ETI=OFF \
      -DCMAKE_EXPORT_NO_PACKAGE_REGISTRY=ON &&
      quietly "$name-$package" cmake --build "$work" --parallel "$(jobs)" &&
      quietly "$name-$package" cmake --install "$work" || return
  done
  rm -rf "$work"
  probe_kokkos "$name" "$prefix" && kokkos_options "$name" >"$prefix/karman-recipe"
}
