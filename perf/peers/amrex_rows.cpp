// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "amrex_rows.hpp"

#include "child_program.hpp"
#include "program_work.hpp"

#include <string>
#include <vector>

namespace karman::perf {

namespace {
constexpr char const* amrex_program = "karman-perf-amrex-cuda";
}

std::unique_ptr<Work> amrex_poisson(std::array<int, 3> const& cells, double tolerance) {
  std::vector<std::string> command{own_folder() + '/' + amrex_program};
  for (int n : cells) command.push_back(std::to_string(n));
  command.push_back(digits(tolerance));
  return program_work("AMReX", {command}, tolerance);
}

bool has_amrex() { return has_program(amrex_program); }

}  // namespace karman::perf
