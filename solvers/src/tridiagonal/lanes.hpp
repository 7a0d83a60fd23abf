// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Adjacent runs of rows in the vector registers of a host core, and their loads from any layout.
#pragma once

#include "rows.hpp"
#include <karman/core/compat.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <type_traits>

namespace karman::detail {

/// Lanes that are processed together: some vector registers, so that their divisions overlap. Many more where
/// neighbouring systems are adjacent in memory. Every row of a tile is then on a page of its own, and finding that page
/// costs more than its values. Measured with 128, 256, 512 bytes: 41, 57, 90 M rows/s per thread in double, while
/// contiguous rows fell from 80 to 35.
template <class T>
inline constexpr int narrow_lanes = int(128 / sizeof(T));
template <class T>
inline constexpr int wide_lanes = int(512 / sizeof(T));

/// Rows per load: a cache line in each lane where rows are contiguous.
template <class T>
inline constexpr int host_block = sizeof(T) >= 8 ? int(64 / sizeof(T)) : 8;

/// One value per lane for each row of a block.
template <class T, int lanes>
using LaneBlock = T[host_block<T>][lanes];

/// Runs of rows, one per lane, all of the same length; the run of lane l starts at row begin[l] of its system. Runs
/// that are a row short start with the row before them, which is `padded`: elimination passes it. Lanes without a run
/// repeat the last one.
template <int lanes>
struct LaneRuns {
  int valid;
  std::int64_t rows;
  std::int64_t system0[lanes], system1[lanes], begin[lanes];
  bool padded[lanes];
  bool any_padded;
  std::int64_t number[lanes];  ///< of the run among all runs

  /// Takes the runs from `first` on. Run r is chunk r % chunks of system r / chunks, or, with systems_fastest, chunk r
  /// / systems of system r % systems.
  void take(SystemShape const& shape, std::int64_t chunks, bool systems_fastest, bool axis0_fastest,
            std::int64_t first) {
    std::int64_t const systems = shape.systems();
    std::int64_t const runs = systems * chunks;
    std::int64_t const inner = shape.batch[axis0_fastest ? 0 : 1];
    std::int64_t const base = shape.rows / chunks;
    std::int64_t const rest = shape.rows % chunks;
    rows = base + (rest > 0 ? 1 : 0);
    valid = runs - first < lanes ? static_cast<int>(runs - first) : lanes;
    any_padded = false;
    for (int l = 0; l < lanes; ++l) {
      std::int64_t const run = first + (l < valid ? l : valid - 1);
      std::int64_t const chunk = systems_fastest ? run / systems : run % chunks;
      std::int64_t const system = systems_fastest ? run % systems : run / chunks;
      system0[l] = axis0_fastest ? system % inner : system / inner;
      system1[l] = axis0_fastest ? system / inner : system % inner;
      padded[l] = rest > 0 && chunk >= rest;
      any_padded = any_padded || padded[l];
      begin[l] = chunk * base + (chunk < rest ? chunk : rest) - (padded[l] ? 1 : 0);
      number[l] = system * chunks + chunk;
    }
  }
};

/// The rows of an array in the lanes of some runs. T may be const.
template <class T, int lanes>
class LaneArray {
 public:
  using Value = std::remove_const_t<T>;
  static constexpr int block = host_block<Value>;

  LaneArray() = default;
  LaneArray(StridedSystems<T> const& array, LaneRuns<lanes> const& runs) : stride_(array.row_stride) {
    side_by_side_ = true;
    same_ = true;
    for (int l = 0; l < lanes; ++l) {
      base_[l] = &array(runs.system0[l], runs.system1[l], runs.begin[l]);
      side_by_side_ = side_by_side_ && base_[l] == base_[0] + l;
      same_ = same_ && base_[l] == base_[0];
    }
  }

  /// Loads rows first .. first + count - 1 of the runs. Prefetches the next block: there are more streams of lines, or
  /// longer steps, than a processor follows by itself.
  void load(std::int64_t first, int count, LaneBlock<Value, lanes>& values) const {
    if (side_by_side_) {
      for (int i = 0; i < count; ++i) {
        T* const row = base_[0] + (first + i) * stride_;
        prefetch(row + rows_ahead * stride_);
        prefetch(row + rows_ahead * stride_ + lanes / 2);
        KARMAN_SIMD
        for (int l = 0; l < lanes; ++l) values[i][l] = row[l];
      }
    } else if (same_) {
      for (int i = 0; i < count; ++i) {
        Value const value = base_[0][(first + i) * stride_];
        KARMAN_SIMD
        for (int l = 0; l < lanes; ++l) values[i][l] = value;
      }
    } else if (stride_ == 1 && count == block) {
      for (int l = 0; l < lanes; ++l) {
        T* const run = base_[l] + first;
        prefetch(run + blocks_ahead * block);
        for (int i = 0; i < block; ++i) values[i][l] = run[i];
      }
    } else {
      for (int i = 0; i < count; ++i) {
        for (int l = 0; l < lanes; ++l) values[i][l] = base_[l][(first + i) * stride_];
      }
    }
  }

  /// Writes the rows of `load`, in valid lanes that are not padded. Blocks are written from the last to the first.
  void store(std::int64_t first, int count, LaneBlock<Value, lanes> const& values, LaneRuns<lanes> const& runs) const {
    bool const whole = !(runs.any_padded && first == 0);
    if (side_by_side_ && runs.valid == lanes && whole) {
      for (int i = 0; i < count; ++i) {
        T* const row = base_[0] + (first + i) * stride_;
        prefetch(row - rows_ahead * stride_);
        prefetch(row - rows_ahead * stride_ + lanes / 2);
        KARMAN_SIMD
        for (int l = 0; l < lanes; ++l) row[l] = values[i][l];
      }
    } else if (stride_ == 1 && count == block && whole) {
      for (int l = 0; l < runs.valid; ++l) {
        T* const run = base_[l] + first;
        prefetch(run - blocks_ahead * block);
        for (int i = 0; i < block; ++i) run[i] = values[i][l];
      }
    } else {
      for (int i = 0; i < count; ++i) {
        for (int l = 0; l < runs.valid; ++l) {
          if (first + i > 0 || !runs.padded[l]) base_[l][(first + i) * stride_] = values[i][l];
        }
      }
    }
  }

 private:
  /// Few loads in flight: rows a power of two apart fall into few sets of the cache.
  static constexpr int rows_ahead = 4;
  static constexpr int blocks_ahead = 2;

  static void prefetch([[maybe_unused]] T const* address) {
#if defined(__GNUC__)
    __builtin_prefetch(address);
#endif
  }

  T* base_[lanes];
  std::int64_t stride_;
  bool side_by_side_, same_;
};

/// The coefficients of a block of rows in lanes.
template <class T, int lanes>
struct LaneRows {
  LaneBlock<T, lanes> lower, diagonal, upper;
};

/// Row k of the system in lane l, row i of its block, in the form of bounded_row().
template <class T, int lanes>
void bound_lane(LaneRows<T, lanes>& rows, int i, int l, SystemShape const& shape, std::int64_t k) {
  TridiagonalRow<T> const row = bounded_row<T>({rows.lower[i][l], rows.diagonal[i][l], rows.upper[i][l]}, shape, k);
  rows.lower[i][l] = row.lower;
  rows.diagonal[i][l] = row.diagonal;
  rows.upper[i][l] = row.upper;
}

/// Reads rows from a functor.
template <class T, class Rows, int lanes>
class LaneReader {
 public:
  LaneReader(Rows const& rows, LaneRuns<lanes> const& runs) : rows_(rows), runs_(runs) {}
  void load(std::int64_t first, int count, LaneRows<T, lanes>& values) const {
    for (int i = 0; i < count; ++i) {
      KARMAN_SIMD
      for (int l = 0; l < lanes; ++l) {
        TridiagonalRow<T> const row = rows_(runs_.system0[l], runs_.system1[l], runs_.begin[l] + first + i);
        values.lower[i][l] = row.lower;
        values.diagonal[i][l] = row.diagonal;
        values.upper[i][l] = row.upper;
      }
    }
  }

 private:
  Rows const& rows_;
  LaneRuns<lanes> const& runs_;
};

/// Reads rows from arrays and constants.
template <class T, int lanes>
class LaneReader<T, StridedRows<T>, lanes> {
 public:
  LaneReader(StridedRows<T> const& rows, LaneRuns<lanes> const& runs)
      : lower_(rows.lower, runs), diagonal_(rows.diagonal, runs), upper_(rows.upper, runs) {}
  void load(std::int64_t first, int count, LaneRows<T, lanes>& values) const {
    lower_.load(first, count, values.lower);
    diagonal_.load(first, count, values.diagonal);
    upper_.load(first, count, values.upper);
  }

 private:
  struct Coefficient {
    LaneArray<T const, lanes> array;
    T constant;
    bool given;
    Coefficient(CoefficientArray<T> const& c, LaneRuns<lanes> const& runs)
        : constant(c.constant), given(c.array.data != nullptr) {
      if (given) array = LaneArray<T const, lanes>(c.array, runs);
    }
    void load(std::int64_t first, int count, LaneBlock<T, lanes>& values) const {
      if (given) return array.load(first, count, values);
      for (int i = 0; i < count; ++i) {
        KARMAN_SIMD
        for (int l = 0; l < lanes; ++l) values[i][l] = constant;
      }
    }
  };
  Coefficient lower_, diagonal_, upper_;
};

}  // namespace karman::detail
