// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The code on options in JSON in docs/embedding.md, between its marks. Ends with 1 when a result differs from the page.
#include <karman/solvers/options_json.hpp>

#include <cstdio>

int main() {
  // [options]
  auto const input = nlohmann::json::parse(R"({"storage": "packed", "omega": 1.9, "tolerance": 1e-9})");
  auto const setup = input.get<karman::SorSetup>();      // other keys are ignored
  auto const options = input.get<karman::SorOptions>();  // missing keys keep their defaults
  std::printf("%s\n", nlohmann::json(options).dump().c_str());
  // [options]
  bool const right = setup.storage == karman::SorStorage::packed && options.omega == 1.9 && options.tolerance == 1e-9 &&
                     options.check_every == karman::SorOptions().check_every;
  return right ? 0 : 1;
}
