// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "waves_harbour.hpp"

#include "waves/case/wave_case.hpp"
#include <karman/io/config.hpp>

#include <harbour_text.hpp>

namespace karman::perf {

Harbour const& shipped_harbour() {
  static Harbour const harbour = [] {
    auto read = waves::read_wave_case(Case::parse(embedded::harbour_json, "harbour", waves::schema()));
    return Harbour{std::move(read.problem), read.components.front().period, read.components.front().waves};
  }();
  return harbour;
}

}  // namespace karman::perf
