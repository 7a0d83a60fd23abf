// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Memory of many Views in few blocks, for set-ups with many small arrays.
#pragma once

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace karman::detail {

/// Blocks that are handed out from their beginning to their end. On a device each View with memory of its own takes 20
/// microseconds to allocate and as long to free.
template <class MemorySpace>
class Arena {
 public:
  /// \param label name of the blocks
  /// \param block_bytes size of a block; a larger array has a block of its own
  Arena(std::string label, std::int64_t block_bytes)
      : label_(std::move(label)), block_bytes_(static_cast<std::size_t>(std::max<std::int64_t>(block_bytes, 0))) {}

  /// A View of n values, not initialized. It does not keep the memory, which ends with the arena.
  template <class View>
  View take(std::size_t n) {
    using Value = typename View::value_type;
    constexpr std::size_t line = 256;
    std::size_t const bytes = (n * sizeof(Value) + line - 1) / line * line;
    while (block_ < blocks_.size() && blocks_[block_].size() - used_ < bytes) next();
    if (block_ == blocks_.size()) {
      blocks_.emplace_back(Kokkos::view_alloc(Kokkos::WithoutInitializing, label_), std::max(bytes, block_bytes_));
    }
    char* const place = blocks_[block_].data() + used_;
    used_ += bytes;
    return View(reinterpret_cast<Value*>(place), n);
  }

  /// Hands the blocks out again. No kernel may use a View of before any more.
  void restart() { block_ = used_ = 0; }

  /// All blocks.
  std::int64_t bytes() const {
    std::size_t sum = 0;
    for (auto const& block : blocks_) sum += block.size();
    return static_cast<std::int64_t>(sum);
  }

 private:
  void next() {
    ++block_;
    used_ = 0;
  }

  std::string label_;
  std::size_t block_bytes_, block_ = 0, used_ = 0;
  std::vector<Kokkos::View<char*, MemorySpace>> blocks_;
};

/// Where a set-up takes its arrays from. Null: each has memory of its own.
template <class Exec>
struct SetupMemory {
  Arena<typename Exec::memory_space>* kept = nullptr;     ///< arrays of the result
  Arena<typename Exec::memory_space>* scratch = nullptr;  ///< arrays that end with the call
};

}  // namespace karman::detail
