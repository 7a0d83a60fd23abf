// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Interface between a target and its driver: libFuzzer (clang, -fsanitize=fuzzer), or fuzz_main.cpp with any compiler.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

/// Feeds one input to the tested code. Catches only the exceptions that this code documents for wrong input. Any other
/// exception, a crash or a report of a sanitizer is a failure.
extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size);

namespace karman::fuzz {

/// Valid inputs of the target, from which others are made.
std::vector<std::string> seeds();
/// Building blocks of the target's inputs.
std::vector<std::string> words();

}  // namespace karman::fuzz
