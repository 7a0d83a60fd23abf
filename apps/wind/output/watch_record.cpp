// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "watch_record.hpp"

#include "wind/model/host_field.hpp"

#include <utility>

namespace karman::wind {

WatchRecord::WatchRecord(WindCase const& wind_case) : type_(scalar_type(wind_case.solver.precision)) {
  if (!wind_case.outputs.watch) return;
  watch_ = *wind_case.outputs.watch;
  UniformGrid const& grid = wind_case.grid;
  rows_ = watch_.axis == Axis::z ? grid.ny() : grid.nz();
  columns_ = watch_.axis == Axis::x ? grid.ny() : grid.nx();
}

ArrayExtents WatchRecord::shape() const { return {count(), rows_, columns_}; }

void WatchRecord::take(WindModel& model, int iteration) {
  std::size_t const before = bytes_.size();
  iterations_.push_back(iteration);
  bytes_.resize(shape().count() * scalar_size(type_));
  MutableArray slice;
  slice.type = type_;
  slice.data = bytes_.data() + before;
  slice.extents = {rows_, columns_};
  model.copy_lambda_slice(watch_, slice);
}

ConstArray WatchRecord::slices() const {
  ConstArray array;
  array.type = type_;
  array.data = bytes_.data();
  array.extents = shape();
  return array;
}

MutableArray WatchRecord::restore(std::vector<double> iterations) {
  iterations_ = std::move(iterations);
  bytes_.resize(shape().count() * scalar_size(type_));
  MutableArray array;
  array.type = type_;
  array.data = bytes_.data();
  array.extents = shape();
  return array;
}

}  // namespace karman::wind
