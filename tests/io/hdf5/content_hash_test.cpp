// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <karman/io/content_hash.hpp>

#include <gtest/gtest.h>

#include <numeric>
#include <string>
#include <vector>

namespace content_hash_test {

std::uint64_t hash_of(std::string const& text) { return karman::content_hash(text.data(), text.size()); }

// Values of the published algorithm, seed 0: they hold for any implementation of it.
TEST(ContentHash, IsTheXxh64OfTheSpecification) {
  EXPECT_EQ(hash_of(""), 0xEF46DB3751D8E999u);
  EXPECT_EQ(hash_of("a"), 0xD24EC4F1A98C6E5Bu);
  EXPECT_EQ(hash_of("abc"), 0x44BC2CF5AD770999u);
  EXPECT_EQ(hash_of("Nobody inspects the spammish repetition"), 0xFBCEA83C8A378BF1u);
}

TEST(ContentHash, DoesNotDependOnThePieces) {
  std::vector<unsigned char> bytes(1000);
  std::iota(bytes.begin(), bytes.end(), static_cast<unsigned char>(0));
  for (std::size_t size : {0u, 1u, 7u, 31u, 32u, 33u, 63u, 64u, 65u, 1000u}) {
    std::uint64_t const whole = karman::content_hash(bytes.data(), size);
    for (std::size_t piece : {1u, 3u, 8u, 31u, 32u, 100u}) {
      karman::ContentHash hash;
      for (std::size_t at = 0; at < size; at += piece) hash.update(bytes.data() + at, std::min(piece, size - at));
      EXPECT_EQ(hash.value(), whole) << size << " bytes in pieces of " << piece;
    }
  }
}

// Lengths around the blocks of 32 bytes; values of the implementation that wrote the first checkpoints.
TEST(ContentHash, IsThatOfStoredCheckpoints) {
  std::vector<unsigned char> bytes(1000);
  std::iota(bytes.begin(), bytes.end(), static_cast<unsigned char>(0));
  struct Known {
    std::size_t size;
    std::uint64_t hash;
  };
  for (Known const& known :
       {Known{1, 0xE934A84ADB052768u}, Known{3, 0xE5C7BB4533BC65DDu}, Known{4, 0xFFCED8604453CC1Eu},
        Known{8, 0x884A173614B81B8Du}, Known{15, 0xA948F5F0F6ABAC2Du}, Known{31, 0xC346D2B59B4D8EE1u},
        Known{32, 0xCBF59C5116FF32B4u}, Known{33, 0x0C535D1ACAFB8EADu}, Known{47, 0x0D9883A03E7BFBB8u},
        Known{64, 0xF7C67301DB6713F0u}, Known{77, 0x93F85C1B6280EAD3u}, Known{1000, 0x6EF436B00EBA4078u}}) {
    EXPECT_EQ(karman::content_hash(bytes.data(), known.size), known.hash) << known.size << " bytes";
  }
  EXPECT_EQ(karman::content_hash(nullptr, 0), hash_of(""));
}

TEST(ContentHash, CopiesGoOnByThemselves) {
  karman::ContentHash one;
  one.update("abcdefgh", 8);
  karman::ContentHash other = one;
  one.update("ijk", 3);
  EXPECT_EQ(other.value(), hash_of("abcdefgh"));
  EXPECT_EQ(one.value(), hash_of("abcdefghijk"));
}

TEST(ContentHash, SeesEveryBit) {
  std::vector<unsigned char> bytes(77, 0x5a);
  std::uint64_t const before = karman::content_hash(bytes.data(), bytes.size());
  for (std::size_t bit = 0; bit < 8 * bytes.size(); ++bit) {
    bytes[bit / 8] ^= static_cast<unsigned char>(1u << bit % 8);
    EXPECT_NE(karman::content_hash(bytes.data(), bytes.size()), before);
    bytes[bit / 8] ^= static_cast<unsigned char>(1u << bit % 8);
  }
  EXPECT_EQ(karman::hash_text(0x0123456789abcdefu), "0123456789abcdef");
}

}  // namespace content_hash_test
