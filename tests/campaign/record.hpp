// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Record of a campaign: the outcome of every solve, by solver, and one printed line per failure.
#pragma once

#include <cstdint>
#include <map>
#include <string>

namespace karman::campaign {

/// Outcome of a solve.
enum class End {
  converged,  ///< converged, with a correct result
  given_up,   ///< not converged, with a reason or at the limit of iterations
  refused,    ///< an exception: every problem here is valid, so this is a failure
  wrong       ///< contradicted by the verdict
};

class Record {
 public:
  /// `prints`: false for a process whose failures another one prints.
  explicit Record(bool prints = true) : prints_(prints) {}

  /// Starts the problem of the next solves: its family and seed reproduce it.
  void start(std::string family, std::uint64_t seed, std::string description);
  /// `reason` is for failures.
  void add(std::string const& solver, End end, std::string const& reason = {});

  /// Problems, solves and ends by solver.
  std::string table() const;
  /// Solves that were refused or wrong.
  int failures() const { return failures_; }
  int problems() const { return problems_; }

 private:
  struct Counts {
    int solves = 0, given_up = 0, refused = 0, wrong = 0;
  };
  std::map<std::string, Counts> counts_;
  std::string family_, description_;
  std::uint64_t seed_ = 0;
  int failures_ = 0, problems_ = 0;
  bool prints_;
};

}  // namespace karman::campaign
