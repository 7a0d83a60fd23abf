// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A problem that marches on the cells of a uniform grid, on one backend.
#pragma once

#include <karman/io/array.hpp>

#include <cstddef>

namespace karman::app {

/// Fields and plan of one problem, behind an interface without Kokkos. Values are indexed (k, j, i).
class CellModel {
 public:
  virtual ~CellModel() = default;
  /// Values of a field from host memory. Waits.
  virtual void set(std::size_t field, ConstArray const& values) = 0;
  /// Advances all fields from `time` by one step of length `dt`. Asynchronous.
  virtual void advance(double time, double dt) = 0;
  /// Values of a field into host memory. Waits.
  virtual void copy(std::size_t field, MutableArray const& values) = 0;
};

}  // namespace karman::app
