// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gtest/gtest.h>

#include <string>

namespace karman::test {

/// The message of the exception of type Error that `action` throws; a failure and "" when it throws none.
template <class Error, class Action>
std::string message_of(Action action) {
  try {
    action();
  } catch (Error const& error) {
    return error.what();
  }
  ADD_FAILURE() << "nothing was thrown";
  return {};
}

inline bool is_one_line(std::string const& text) {
  return !text.empty() && text.find_first_of("\n\r") == std::string::npos;
}

inline bool contains(std::string const& text, std::string const& part) { return text.find(part) != std::string::npos; }

}  // namespace karman::test
