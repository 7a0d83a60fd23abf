// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Fields of tests: filled and read on the host, used by kernels where they run.
#pragma once

#include <karman/core/host_copy.hpp>
#include <karman/core/types.hpp>
#include <karman/core/uniform_grid.hpp>

#include <Kokkos_Core.hpp>

#include <array>
#include <cstddef>
#include <vector>

namespace karman::test {

/// A field on the host, (k, j, i), x contiguous.
template <class T>
struct HostField {
  int nz = 0, ny = 0, nx = 0;
  std::vector<T> values;

  HostField() = default;
  HostField(std::array<int, 3> extents, T value = T(0))
      : nz(extents[0]), ny(extents[1]), nx(extents[2]), values(std::size_t(nz) * ny * nx, value) {}

  T& operator()(int k, int j, int i) { return values[(std::size_t(k) * ny + j) * nx + i]; }
  T operator()(int k, int j, int i) const { return values[(std::size_t(k) * ny + j) * nx + i]; }

  /// Fills from function(k, j, i).
  template <class Function>
  HostField& fill(Function const& function) {
    for (int k = 0; k < nz; ++k)
      for (int j = 0; j < ny; ++j)
        for (int i = 0; i < nx; ++i) (*this)(k, j, i) = static_cast<T>(function(k, j, i));
    return *this;
  }
};

/// A field rounded to the precision of T.
template <class T>
HostField<T> in_precision(HostField<double> const& field) {
  HostField<T> result({field.nz, field.ny, field.nx});
  for (std::size_t n = 0; n < field.values.size(); ++n) result.values[n] = static_cast<T>(field.values[n]);
  return result;
}

template <class Exec, class T>
Field<Exec, T> to_device(Exec const& space, HostField<T> const& host) {
  Field<Exec, T> field(Kokkos::view_alloc(space, "karman::test::field"), host.nz, host.ny, host.nx);
  copy_to_device(space, host.values, field);
  return field;
}

template <class Exec, class T>
HostField<T> to_host(Exec const& space, Field<Exec, T> const& field) {
  HostField<T> host(
      {static_cast<int>(field.extent(0)), static_cast<int>(field.extent(1)), static_cast<int>(field.extent(2))});
  host.values = host_copy(space, field);
  return host;
}

/// A plane of boundary values from function(slow, fast).
template <class T, class Exec, class Function>
Plane<Exec, T> make_plane(Exec const& space, int slow, int fast, Function const& function) {
  std::vector<T> values;
  for (int a = 0; a < slow; ++a)
    for (int b = 0; b < fast; ++b) values.push_back(static_cast<T>(function(a, b)));
  Plane<Exec, T> plane(Kokkos::view_alloc(space, "karman::test::plane"), slow, fast);
  copy_to_device(space, values, plane);
  return plane;
}

}  // namespace karman::test
