// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Memory of a multigrid plan.
#pragma once

#include "boxes.hpp"
#include "geometry.hpp"
#include "grid.hpp"
#include "purpose.hpp"
#include <karman/core/host_copy.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace karman::detail {

/// Keeps arrays alive while kernels hold plain pointers to them.
template <class Exec>
class MultigridStorage {
 public:
  explicit MultigridStorage(MultigridPurpose purpose) : purpose_(purpose) {}

  /// Counts memory alone.
  bool counts() const { return purpose_ == MultigridPurpose::counting; }
  /// Adds memory that is kept elsewhere.
  void add_bytes(std::int64_t bytes) { bytes_ += bytes; }

  /// Filled with zeros, so that ghosts and padding hold numbers.
  template <class T>
  T* allocate(Exec const& space, std::int64_t size, std::string const& label) {
    using Array = Kokkos::View<T*, typename Exec::memory_space>;
    bytes_ += size * static_cast<std::int64_t>(sizeof(T));
    if (counts()) return nullptr;
    auto const array = std::make_shared<Array>(Kokkos::view_alloc(space, label), static_cast<std::size_t>(size));
    arrays_.push_back(array);
    return array->data();
  }

  /// Arrays of both colours; `together`: one after the other, for an Exchange of both.
  template <class T>
  void allocate_colors(Exec const& space, std::int64_t size, std::string const& label, bool together, T* (&colors)[2]) {
    colors[0] = allocate<T>(space, together ? 2 * size : size, label);
    colors[1] = together ? colors[0] + (counts() ? 0 : size) : allocate<T>(space, size, label);
  }

  /// A copy of host values. Fences.
  template <class T, class Value>
  T* upload(Exec const& space, std::vector<Value> const& values, std::string const& label) {
    using Array = Kokkos::View<T*, typename Exec::memory_space>;
    bytes_ += static_cast<std::int64_t>(values.size() * sizeof(T));
    if (counts()) return nullptr;
    auto const array = std::make_shared<Array>(device_copy<T>(space, values, label));
    arrays_.push_back(array);
    return array->data();
  }

  std::int64_t bytes() const { return bytes_; }

 private:
  MultigridPurpose purpose_;
  std::vector<std::shared_ptr<void>> arrays_;
  std::int64_t bytes_ = 0;
};

/// The values of the cells of this process along an axis.
template <class T, class Exec>
T* upload_own(Exec const& space, std::vector<double> const& whole, MultigridBoxes const& boxes, std::size_t axis,
              MultigridStorage<Exec>& storage) {
  auto const begin = whole.begin() + boxes.first(axis);
  return storage.template upload<T>(space, std::vector<double>(begin, begin + boxes.cells(axis)),
                                    "karman::multigrid::tables");
}

/// Gives the part of a grid in this process the tables of the axes of the whole grid (in the order of its layout); see
/// MultigridAxis for `whole_cells_beyond`.
template <class Exec, class T>
void set_tables(Exec const& space, MultigridAxes const& axes, MultigridBoxes const& boxes, bool whole_cells_beyond,
                MultigridStorage<Exec>& storage, MultigridGrid<T>& grid) {
  SplitLayout const& layout = grid.layout;
  std::vector<double> x(4 * static_cast<std::size_t>(layout.inner_pitch), 0.0);
  for (int i = 0; i < layout.nx; ++i) {
    auto const at = static_cast<std::size_t>(2 * (i % 2) * layout.inner_pitch + i / 2);
    x[at] = axes[0].upward(boxes.first(0) + i, whole_cells_beyond);
    x[at + static_cast<std::size_t>(layout.inner_pitch)] = axes[0].downward(boxes.first(0) + i, whole_cells_beyond);
  }
  grid.along_x = storage.template upload<T>(space, x, "karman::multigrid::tables");
  for (std::size_t a = 1; a < 3; ++a) {
    int const begin = boxes.first(a), end = begin + boxes.cells(a);
    std::vector<double> table;
    for (int i = begin; i < end; ++i) table.push_back(axes[a].upward(i, whole_cells_beyond));
    for (int i = begin; i < end; ++i) table.push_back(axes[a].downward(i, whole_cells_beyond));
    (a == 1 ? grid.along_y : grid.along_z) = storage.template upload<T>(space, table, "karman::multigrid::tables");
  }
  for (std::size_t a = 0; a < 3; ++a) {
    grid.width[a] = upload_own<T>(space, axes[a].width, boxes, a, storage);
    grid.periodic[a] = axes[a].periodic && axes[a].cells() > 1 && boxes.cells(a) == axes[a].cells();
    grid.swept[a] = boxes.cells(a) - (grid.periodic[a] ? boxes.cells(a) % 2 : 0);
  }
}

}  // namespace karman::detail
