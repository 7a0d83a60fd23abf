// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <karman/io/content_hash.hpp>

#include <algorithm>
#include <bit>
#include <cstring>

namespace karman {
namespace {

constexpr std::uint64_t prime_1 = 0x9E3779B185EBCA87u;
constexpr std::uint64_t prime_2 = 0xC2B2AE3D27D4EB4Fu;
constexpr std::uint64_t prime_3 = 0x165667B19E3779F9u;
constexpr std::uint64_t prime_4 = 0x85EBCA77C2B2AE63u;
constexpr std::uint64_t prime_5 = 0x27D4EB2F165667C5u;

/// `count` bytes, at most eight, as a little-endian number.
std::uint64_t little_endian(unsigned char const* bytes, std::size_t count) {
  std::uint64_t value = 0;
  if constexpr (std::endian::native == std::endian::little) {
    std::memcpy(&value, bytes, count);
  } else {
    for (std::size_t i = 0; i < count; ++i) value |= std::uint64_t{bytes[i]} << (8 * i);
  }
  return value;
}

std::uint64_t mix(std::uint64_t lane, std::uint64_t input) { return std::rotl(lane + input * prime_2, 31) * prime_1; }

void absorb(std::array<std::uint64_t, 4>& lanes, unsigned char const* stripe) {
  for (std::size_t lane = 0; lane < 4; ++lane) lanes[lane] = mix(lanes[lane], little_endian(stripe + 8 * lane, 8));
}

}  // namespace

ContentHash::ContentHash() : lanes_{prime_1 + prime_2, prime_2, 0, std::uint64_t{0} - prime_1} {}

void ContentHash::update(void const* bytes, std::size_t count) {
  if (count == 0) return;
  auto const* input = static_cast<unsigned char const*>(bytes);
  std::size_t const held = total_ % pending_.size();
  total_ += count;
  if (held > 0) {
    std::size_t const taken = std::min(count, pending_.size() - held);
    std::memcpy(pending_.data() + held, input, taken);
    input += taken;
    count -= taken;
    if (held + taken < pending_.size()) return;
    absorb(lanes_, pending_.data());
  }
  std::array<std::uint64_t, 4> lanes = lanes_;
  for (; count >= pending_.size(); count -= pending_.size(), input += pending_.size()) absorb(lanes, input);
  lanes_ = lanes;
  if (count > 0) std::memcpy(pending_.data(), input, count);
}

std::uint64_t ContentHash::value() const {
  std::uint64_t hash = prime_5;
  if (total_ >= pending_.size()) {
    hash = std::rotl(lanes_[0], 1) + std::rotl(lanes_[1], 7) + std::rotl(lanes_[2], 12) + std::rotl(lanes_[3], 18);
    for (std::uint64_t lane : lanes_) hash = (hash ^ mix(0, lane)) * prime_1 + prime_4;
  }
  hash += total_;
  unsigned char const* rest = pending_.data();
  std::size_t left = total_ % pending_.size();
  for (; left >= 8; left -= 8, rest += 8) {
    hash = std::rotl(hash ^ mix(0, little_endian(rest, 8)), 27) * prime_1 + prime_4;
  }
  if (left >= 4) {
    hash = std::rotl(hash ^ little_endian(rest, 4) * prime_1, 23) * prime_2 + prime_3;
    left -= 4;
    rest += 4;
  }
  for (; left > 0; --left, ++rest) hash = std::rotl(hash ^ *rest * prime_5, 11) * prime_1;
  hash = (hash ^ hash >> 33) * prime_2;
  hash = (hash ^ hash >> 29) * prime_3;
  return hash ^ hash >> 32;
}

std::uint64_t content_hash(void const* bytes, std::size_t count) {
  ContentHash hash;
  hash.update(bytes, count);
  return hash.value();
}

std::string hash_text(std::uint64_t hash) {
  constexpr char digits[] = "0123456789abcdef";
  std::string text(16, '0');
  for (std::size_t i = 0; i < text.size(); ++i) text[i] = digits[hash >> (60 - 4 * i) & 15];
  return text;
}

}  // namespace karman
