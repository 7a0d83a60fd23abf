// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Calls that must throw.
#pragma once

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>

namespace karman::test {

/// Expects std::invalid_argument with a message of one line that contains these words.
template <class Call>
void expect_refused(std::string const& words, Call const& call) {
  try {
    call();
    ADD_FAILURE() << "not refused: " << words;
  } catch (std::invalid_argument const& error) {
    std::string const message = error.what();
    EXPECT_NE(message.find(words), std::string::npos) << message;
    EXPECT_EQ(message.find('\n'), std::string::npos) << message;
  }
}

}  // namespace karman::test
