// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <karman/io/content_hash.hpp>

// As a header, so that programs link no additional library.
#define XXH_INLINE_ALL
#include <xxhash.h>

#include <new>

namespace karman {
namespace {

using Storage = std::array<unsigned char, 88>;
static_assert(sizeof(XXH64_state_t) == sizeof(Storage) && alignof(XXH64_state_t) <= alignof(std::uint64_t));

XXH64_state_t* state_in(Storage& storage) { return std::launder(reinterpret_cast<XXH64_state_t*>(storage.data())); }
XXH64_state_t const* state_in(Storage const& storage) {
  return std::launder(reinterpret_cast<XXH64_state_t const*>(storage.data()));
}

}  // namespace

ContentHash::ContentHash() { XXH64_reset(state_in(state_), 0); }

void ContentHash::update(void const* bytes, std::size_t count) {
  if (count > 0) XXH64_update(state_in(state_), bytes, count);
}

std::uint64_t ContentHash::value() const { return XXH64_digest(state_in(state_)); }

std::uint64_t content_hash(void const* bytes, std::size_t count) { return XXH64(bytes, count, 0); }

std::string hash_text(std::uint64_t hash) {
  constexpr char digits[] = "0123456789abcdef";
  std::string text(16, '0');
  for (std::size_t i = 0; i < text.size(); ++i) text[i] = digits[hash >> (60 - 4 * i) & 15];
  return text;
}

}  // namespace karman
