// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Makes inputs out of others, the same ones for the same seed on every machine.
#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace karman::fuzz {

class Mutator {
 public:
  Mutator(std::uint64_t seed, std::vector<std::string> words) : random_(seed), words_(std::move(words)) {}

  /// `from` after one to eight changes; `other` lends pieces. At most `most_bytes` long.
  std::string operator()(std::string const& from, std::string const& other, std::size_t most_bytes);
  /// 0 to n - 1; 0 for n = 0. (The distributions of the standard library differ from one to the next.)
  std::size_t below(std::size_t n) { return n == 0 ? 0 : static_cast<std::size_t>(random_() % n); }

 private:
  void change(std::string& text, std::string const& other);
  /// A number as text that often reveals errors.
  std::string number();

  std::mt19937_64 random_;
  std::vector<std::string> words_;
};

}  // namespace karman::fuzz
