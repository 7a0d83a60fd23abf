// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "record.hpp"

#include <cstdio>
#include <utility>

namespace karman::campaign {

void Record::start(std::string family, std::uint64_t seed, std::string description) {
  family_ = std::move(family);
  seed_ = seed;
  description_ = std::move(description);
  ++problems_;
}

void Record::add(std::string const& solver, End end, std::string const& reason) {
  Counts& counts = counts_[family_ + ": " + solver];
  ++counts.solves;
  if (end == End::given_up) ++counts.given_up;
  if (end == End::refused) ++counts.refused;
  if (end == End::wrong) ++counts.wrong;
  if (end != End::refused && end != End::wrong) return;
  ++failures_;
  if (!prints_) return;
  std::printf("FAILED %s, %s: %s; reproduce: --family %s --seed %llu --problems 1 (%s)\n", solver.c_str(),
              end == End::refused ? "refused" : "wrong", reason.c_str(), family_.c_str(),
              static_cast<unsigned long long>(seed_), description_.c_str());
  std::fflush(stdout);
}

std::string Record::table() const {
  std::string text;
  char line[160];
  std::snprintf(line, sizeof line, "%-44s %8s %9s %8s %6s\n", "solver", "solves", "given up", "refused", "wrong");
  text += line;
  Counts all;
  for (auto const& [solver, counts] : counts_) {
    std::snprintf(line, sizeof line, "%-44s %8d %9d %8d %6d\n", solver.c_str(), counts.solves, counts.given_up,
                  counts.refused, counts.wrong);
    text += line;
    all.solves += counts.solves;
    all.given_up += counts.given_up;
    all.refused += counts.refused;
    all.wrong += counts.wrong;
  }
  std::snprintf(line, sizeof line, "%-44s %8d %9d %8d %6d   in %d problems\n", "all", all.solves, all.given_up,
                all.refused, all.wrong, problems_);
  return text + line;
}

}  // namespace karman::campaign
