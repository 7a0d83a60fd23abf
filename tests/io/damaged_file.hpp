// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "expect_message.hpp"
#include "temporary_folder.hpp"
#include <karman/io/error.hpp>

#include <cstddef>
#include <exception>
#include <filesystem>
#include <random>
#include <string>

namespace karman::test {

/// A file that receives one content after the other.
class DamagedFile {
 public:
  explicit DamagedFile(std::string const& name) : path_(folder_ / name) {}
  std::filesystem::path const& path() const { return path_; }
  TemporaryFolder const& folder() const { return folder_; }

  /// The message of the Error, or Other, with which read(path) refuses a content, or "" without one. Any other
  /// exception is passed on.
  template <class Error = CaseError, class Other = Error, class Read>
  std::string refusal(std::string const& text, Read const& read) {
    std::filesystem::remove(path_);  // some file systems wait for the disk where a file is replaced
    put(path_, text);
    try {
      read(path_);
    } catch (std::exception const& error) {
      if (dynamic_cast<Error const*>(&error) == nullptr && dynamic_cast<Other const*>(&error) == nullptr) throw;
      EXPECT_TRUE(is_one_line(error.what())) << error.what();
      EXPECT_LT(std::string(error.what()).size(), 500u) << error.what();
      return error.what();
    }
    return {};
  }

 private:
  TemporaryFolder folder_;
  std::filesystem::path path_;
};

/// A text after up to `most` changes: bytes replaced, removed, inserted or repeated, huge numbers.
inline std::string damaged(std::string text, std::size_t most, std::string const& bytes, std::mt19937& random) {
  auto const below = [&](std::size_t n) { return std::uniform_int_distribution<std::size_t>(0, n - 1)(random); };
  for (std::size_t changes = 1 + below(most); changes > 0; --changes) {
    std::size_t const at = below(text.size());
    switch (below(5)) {
      case 0: text[at] = bytes[below(bytes.size())]; break;
      case 1: text.erase(at, 1 + below(6)); break;
      case 2: text.insert(at, 1, bytes[below(bytes.size())]); break;
      case 3: text.insert(at, text.substr(below(text.size()), 1 + below(20))); break;
      default: text.insert(at, "99999999999999999999999", 1 + below(22)); break;
    }
    if (text.empty()) text.push_back(' ');
  }
  return text;
}

}  // namespace karman::test
