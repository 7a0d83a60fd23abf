// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The problem of poisson_source.hpp on an execution space, and the row of a solver.
#pragma once

#include "poisson_source.hpp"
#include "space_work.hpp"
#include "traffic.hpp"
#include <karman/core/types.hpp>

#include <array>
#include <string>

namespace karman::perf {

/// nx, ny, nz.
using PoissonCells = std::array<int, 3>;

// Functors instead of lambdas: several files use them, and nvcc keeps the parts of a lambda separate for each file.

template <class Exec, class T>
struct FillPoissonSource {
  Field<Exec, T> f;
  KOKKOS_FUNCTION void operator()(int k, int j, int i) const { f(k, j, i) = T(poisson_source(k, j, i)); }
};

/// f at the cells of `field`. Asynchronous.
template <class Exec, class T>
void fill_poisson_source(Exec const& space, Field<Exec, T> const& field) {
  Kokkos::parallel_for("karman::perf::source",
                       Kokkos::MDRangePolicy<Exec, Kokkos::Rank<3>>(
                           space, {0, 0, 0}, {int(field.extent(0)), int(field.extent(1)), int(field.extent(2))}),
                       FillPoissonSource<Exec, T>{field});
}

template <class Exec, class T>
struct AddOneAt {
  Field<Exec, T> field;
  int k, j, i;
  KOKKOS_FUNCTION void operator()(int) const { field(k, j, i) += T(1); }
};

/// Adds 1 in the centre, an error that a sound check must refuse. Asynchronous.
template <class Exec, class T>
void spoil_center(Exec const& space, Field<Exec, T> const& field) {
  Kokkos::parallel_for(
      "karman::perf::spoil", Kokkos::RangePolicy<Exec>(space, 0, 1),
      AddOneAt<Exec, T>{field, int(field.extent(0)) / 2, int(field.extent(1)) / 2, int(field.extent(2)) / 2});
}

/// A row without its memory and its work.
template <class Exec, class T>
Row poisson_row(PoissonCells const& cells, std::string const& algorithm, std::string const& peer) {
  Row row;
  row.family = "poisson";
  row.algorithm = algorithm;
  row.backend = name(backend_of<Exec>());
  row.precision = precision_name<T>;
  row.size = std::to_string(cells[0]) + 'x' + std::to_string(cells[1]) + 'x' + std::to_string(cells[2]);
  row.peer = peer;
  row.unit = "cells";
  row.units = double(cells[0]) * cells[1] * cells[2];
  row.bytes = traffic::read_once_write_once(row.units, sizeof(T));
  return row;
}

}  // namespace karman::perf
