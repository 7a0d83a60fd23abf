// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Between an attack and what drives it: libFuzzer (clang, -fsanitize=fuzzer), or fuzz_main.cpp with any compiler.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

/// Feeds one input to the code under attack. Lets through the exceptions that this code documents for wrong input, and
/// nothing else: any other exception, a crash or a report of a sanitizer is a failure.
extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size);

namespace karman::fuzz {

/// Inputs of the target that are right, from which others are made.
std::vector<std::string> seeds();
/// Pieces that inputs of the target are made of.
std::vector<std::string> words();

}  // namespace karman::fuzz
