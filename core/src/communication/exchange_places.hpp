// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Places in an array of the values of an exchange, in the order of its buffer.
#pragma once

#include <karman/core/exchange.hpp>
#include <karman/core/host_copy.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <vector>

namespace karman::detail {

/// StridedBlock with its place in the buffer, in arrays that a kernel may index.
struct PlacedBlock {
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
    }
    count_ = static_cast<int>(host.size());
    blocks_ = device_copy(space, host, "karman::exchange::blocks");
  }
  ExchangePlaces(Exec const& space, std::vector<std::int64_t> const& indices)
      : size_(static_cast<std::int64_t>(indices.size())),
        indices_(device_copy(space, indices, "karman::exchange::indices")) {}

  std::int64_t size() const { return size_; }
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

  std::int64_t size_ = 0;
  int count_ = 0;
  Kokkos::View<PlacedBlock const*, typename Exec::memory_space> blocks_;
  Kokkos::View<std::int64_t const*, typename Exec::memory_space> indices_;
};

/// Copies values of an array into a buffer.
template <class Exec, class T>
struct PackValues {
  ExchangePlaces<Exec> places;
  T const* values;
  T* buffer;
  KOKKOS_FUNCTION void operator()(std::int64_t n) const { buffer[n] = values[places(n)]; }
};

/// Copies a buffer to its places in an array.
template <class Exec, class T>
struct UnpackValues {
  ExchangePlaces<Exec> places;
  T const* buffer;
  T* values;
  KOKKOS_FUNCTION void operator()(std::int64_t n) const { values[places(n)] = buffer[n]; }
};

}  // namespace karman::detail
