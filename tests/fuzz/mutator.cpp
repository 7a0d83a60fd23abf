// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "mutator.hpp"

#include <algorithm>
#include <array>

namespace karman::fuzz {

std::string Mutator::number() {
  static std::array const numbers{
      "0",     "-1",        "1",    "2147483647", "2147483648",       "-2147483648", "18446744073709551615",
      "1e308", "1e999",     "-0.0", "1e-320",     "9007199254740993", "nan",         "inf",
      "0.1",   "4294967296"};
  return below(3) == 0 ? std::to_string(below(1000)) : numbers[below(numbers.size())];
}

void Mutator::change(std::string& text, std::string const& other) {
  std::size_t const at = below(text.size() + 1);
  std::size_t const length = 1 + below(below(4) == 0 ? 64 : 6);
  switch (below(10)) {
    case 0:
      if (at < text.size()) text[at] = static_cast<char>(below(256));
      break;
    case 1:
      if (at < text.size()) text[at] = static_cast<char>(text[at] ^ (1 << below(8)));
      break;
    case 2: text.erase(std::min(at, text.size()), length); break;
    case 3: text.insert(at, 1, static_cast<char>(below(256))); break;
    case 4: text.insert(at, text.substr(below(text.size() + 1), length)); break;
    case 5: text.insert(at, other.substr(below(other.size() + 1), 4 * length)); break;
    case 6: text.insert(at, words_.empty() ? number() : words_[below(words_.size())]); break;
    case 7: {  // a number replaced by another
      std::size_t const begin = text.find_first_of("0123456789", at);
      if (begin == std::string::npos) break;
      text.replace(begin, text.find_first_not_of("0123456789.eE+-", begin) - begin, number());
      break;
    }
    case 8: {  // bytes that could be a count
      std::string count(below(2) == 0 ? 4 : 8, below(2) == 0 ? '\xff' : '\0');
      count[below(count.size())] = static_cast<char>(below(256));
      text.replace(std::min(at, text.size()), count.size(), count);
      break;
    }
    default: text.resize(at); break;
  }
}

std::string Mutator::operator()(std::string const& from, std::string const& other, std::size_t most_bytes) {
  std::string text = from;
  // Most interesting inputs are nearly valid.
  std::size_t const changes = 1 + (below(2) == 0 ? 0 : below(8));
  for (std::size_t n = 0; n < changes; ++n) change(text, other);
  if (text.size() > most_bytes) text.resize(most_bytes);
  return text;
}

}  // namespace karman::fuzz
