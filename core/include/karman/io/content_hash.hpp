// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Fast 64-bit hash of bytes, to verify stored data.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

namespace karman {

/// XXH64 of libxxhash (seed 0), fed in pieces of any size: the cuts do not change the result. Detects accidental
/// damage; no protection against forgery.
class ContentHash {
 public:
  ContentHash();
  /// Appends bytes.
  void update(void const* bytes, std::size_t count);
  /// Hash of all bytes so far; more may follow.
  std::uint64_t value() const;

 private:
  /// Storage of the state of libxxhash, which this header does not include.
  alignas(std::uint64_t) std::array<unsigned char, 88> state_{};
};

/// Hash of one piece.
std::uint64_t content_hash(void const* bytes, std::size_t count);

/// Sixteen lower-case hexadecimal digits.
std::string hash_text(std::uint64_t hash);

}  // namespace karman
