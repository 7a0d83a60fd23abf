// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Slices of the iteration in host memory, until the output is written.
#pragma once

#include "wind/model/wind_model.hpp"
#include <karman/io/array.hpp>

#include <cstddef>
#include <vector>

namespace karman::wind {

/// One slice of lambda every few iterations.
class WatchRecord {
 public:
  WatchRecord() = default;
  /// Records the slices of `outputs.watch`; without it none.
  explicit WatchRecord(WindCase const& wind_case);

  bool active() const { return columns_ > 0; }
  int count() const { return static_cast<int>(iterations_.size()); }
  /// Records the slice of the present iterate.
  void take(WindModel& model, int iteration);

  Watch const& watch() const { return watch_; }
  /// Shape (count, rows, columns).
  ConstArray slices() const;
  std::vector<double> const& iterations() const { return iterations_; }
  int rows() const { return rows_; }
  int columns() const { return columns_; }

  /// Memory for `count` slices taken earlier at `iterations`, to be filled by the caller.
  MutableArray restore(std::vector<double> iterations);

 private:
  ArrayExtents shape() const;
  Watch watch_;
  ScalarType type_ = ScalarType::float32;
  int rows_ = 0;
  int columns_ = 0;
  std::vector<double> iterations_;
  std::vector<std::byte> bytes_;
};

}  // namespace karman::wind
