// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A target with a fault, to test that faults are found: any word but a seed throws an undocumented exception.
#include "fuzz_target.hpp"

#include <stdexcept>

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
  std::string const text(reinterpret_cast<char const*>(data), size);
  if (text.find("fault") != std::string::npos) throw std::logic_error("found");
  return 0;
}

namespace karman::fuzz {

std::vector<std::string> seeds() { return {"a text", "another text"}; }

std::vector<std::string> words() { return {"fau", "lt"}; }

}  // namespace karman::fuzz
