// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Places in an array of the values of an exchange, in the order of its buffer.
#pragma once

#include <karman/core/backend.hpp>
#include <karman/core/exchange.hpp>
#include <karman/core/host_copy.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <string>
#include <type_traits>
#include <vector>

namespace karman::detail {

/// StridedBlock with its place in the buffer, in arrays that a kernel may index. Aligned for loads of 16 bytes.
struct alignas(16) PlacedBlock {
  std::int64_t begin, first;
  std::int64_t extents[3], strides[3];
};

/// Values of all neighbours: blocks one after another, or a list of indices.
template <class Exec>
class ExchangePlaces {
 public:
  ExchangePlaces() = default;
  ExchangePlaces(Exec const& space, std::vector<StridedBlock> const& blocks) {
    std::vector<PlacedBlock> host;
    for (StridedBlock const& block : blocks) {
      if (block.size() == 0) continue;
      auto const& n = block.extents;
      auto const& d = block.strides;
      host.push_back({size_, block.first, {n[0], n[1], n[2]}, {d[0], d[1], d[2]}});
      size_ += block.size();
      while (!lies_in_runs(block, run_)) run_ /= 2;
    }
    if (host.empty()) run_ = 1;
    count_ = static_cast<int>(host.size());
    blocks_ = device_copy(space, host, "karman::exchange::blocks");
  }
  ExchangePlaces(Exec const& space, std::vector<std::int64_t> const& indices)
      : size_(static_cast<std::int64_t>(indices.size())),
        run_(1),
        indices_(device_copy(space, indices, "karman::exchange::indices")) {}

  std::int64_t size() const { return size_; }
  /// Largest of 4, 2 and 1 so that so many values, from each multiple of it on, are contiguous in the array, too. Their
  /// place there is a multiple of it as well.
  int run() const { return run_; }
  std::int64_t bytes() const {
    return static_cast<std::int64_t>(blocks_.size() * sizeof(PlacedBlock) + indices_.size() * sizeof(std::int64_t));
  }

  /// Index in the array of value n of the buffer.
  KOKKOS_INLINE_FUNCTION std::int64_t operator()(std::int64_t n) const {
    if (count_ == 0) return indices_(n);
    int found = 0, end = count_;  // the block begins at n or before, the block `end` beyond
    while (end - found > 1) {
      int const middle = (found + end) / 2;
      (blocks_(middle).begin <= n ? found : end) = middle;
    }
    PlacedBlock const block = blocks_(found);
    std::int64_t const m = n - block.begin;
    std::int64_t const row = quotient(m, block.extents[2]), plane = quotient(row, block.extents[1]);
    return block.first + plane * block.strides[0] + (row - plane * block.extents[1]) * block.strides[1] +
           (m - row * block.extents[2]) * block.strides[2];
  }

 private:
  /// In 32 bits where the number fits: several times faster on a device.
  KOKKOS_INLINE_FUNCTION static std::int64_t quotient(std::int64_t n, std::int64_t divisor) {
    return n >> 32 == 0 && divisor >> 32 == 0 ? std::uint32_t(n) / std::uint32_t(divisor) : n / divisor;
  }

  static bool lies_in_runs(StridedBlock const& block, int run) {
    auto const steps_over = [&](std::size_t axis) {
      return block.extents[axis] == 1 || block.strides[axis] % run == 0;
    };
    return run == 1 || (block.strides[2] == 1 && block.extents[2] % run == 0 && block.first % run == 0 &&
                        steps_over(0) && steps_over(1));
  }

  std::int64_t size_ = 0;
  int run_ = 4, count_ = 0;
  Kokkos::View<PlacedBlock const*, typename Exec::memory_space> blocks_;
  Kokkos::View<std::int64_t const*, typename Exec::memory_space> indices_;
};

/// As many values as one access moves.
template <class T, int run>
struct alignas(run * sizeof(T)) Run {
  T values[run];
};

template <class Exec, class T, int run>
KOKKOS_INLINE_FUNCTION void move_run(T const* from, T* to) {
  if constexpr (runs_on_host<Exec>) std::memcpy(to, from, run * sizeof(T));
  else *reinterpret_cast<Run<T, run>*>(to) = *reinterpret_cast<Run<T, run> const*>(from);
}

/// Copies values of an array into a buffer, from its value `begin` on.
template <class Exec, class T, int run>
struct PackValues {
  ExchangePlaces<Exec> places;
  std::int64_t begin;
  T const* values;
  T* buffer;
  KOKKOS_FUNCTION void operator()(std::int64_t n) const {
    std::int64_t const first = begin + n * run;
    move_run<Exec, T, run>(values + places(first), buffer + first);
  }
};

/// Copies a buffer, from its value `begin` on, to its places in an array.
template <class Exec, class T, int run>
struct UnpackValues {
  ExchangePlaces<Exec> places;
  std::int64_t begin;
  T const* buffer;
  T* values;
  KOKKOS_FUNCTION void operator()(std::int64_t n) const {
    std::int64_t const first = begin + n * run;
    move_run<Exec, T, run>(buffer + first, values + places(first));
  }
};

/// Calls `action` with the most values, as a constant, that one access of 16 bytes may move in all arrays.
///
/// A place costs about 50 instructions, and a kernel with one for each double would be bound by them.
template <class T, class Action>
void with_run(int run, std::initializer_list<T const*> arrays, Action const& action) {
  auto const fits = [&](int values) {
    std::size_t const bytes = static_cast<std::size_t>(values) * sizeof(T);
    return values <= run && std::all_of(arrays.begin(), arrays.end(), [&](T const* array) {
             return reinterpret_cast<std::uintptr_t>(array) % bytes == 0;
           });
  };
  if constexpr (4 * sizeof(T) <= 16) {
    if (fits(4)) return action(std::integral_constant<int, 4>{});
  }
  if (fits(2)) action(std::integral_constant<int, 2>{});
  else action(std::integral_constant<int, 1>{});
}

template <class Exec>
using ValuePolicy = Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::int64_t>>;

/// Some of the values in a buffer; both ends are multiples of 4, or ends of a message.
struct BufferRange {
  std::int64_t begin, end;
};

/// Launches the copy of the values at `places` into a buffer, where the range has any.
template <class Exec, class T>
void pack(Exec const& space, std::string const& label, ExchangePlaces<Exec> const& places, BufferRange range,
          T const* values, T* buffer) {
  if (range.begin == range.end) return;
  with_run<T>(places.run(), {values, buffer}, [&](auto run) {
    Kokkos::parallel_for(label, ValuePolicy<Exec>(space, 0, (range.end - range.begin) / run()),
                         PackValues<Exec, T, run()>{places, range.begin, values, buffer});
  });
}

/// Launches the copy of a buffer to `places`, where the range has any.
template <class Exec, class T>
void unpack(Exec const& space, std::string const& label, ExchangePlaces<Exec> const& places, BufferRange range,
            T const* buffer, T* values) {
  if (range.begin == range.end) return;
  with_run<T>(places.run(), {values, buffer}, [&](auto run) {
    Kokkos::parallel_for(label, ValuePolicy<Exec>(space, 0, (range.end - range.begin) / run()),
                         UnpackValues<Exec, T, run()>{places, range.begin, buffer, values});
  });
}

}  // namespace karman::detail
