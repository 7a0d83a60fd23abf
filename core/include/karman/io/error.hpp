// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The two ways in which input and output can fail, each with what a user needs to put it right.
#pragma once

#include <stdexcept>
#include <string>
#include <vector>

namespace karman {

/// One thing that is wrong with a case.
struct CaseProblem {
  std::string pointer;     ///< JSON pointer of the value, "" for the whole case
  std::string value;       ///< the offending value as JSON text, shortened; empty when the key is missing or unknown
  std::string expected;    ///< what is allowed there, "expected a number > 0"
  std::string suggestion;  ///< nearest known key for an unknown one, may be empty
  int line = 0;            ///< line in the case file, 0 when it has none (overrides, missing keys of an empty case)

  /// The problem on one line: `/domain/cells/0: -4: expected an integer >= 1`.
  std::string message() const;
};

/// A case that cannot be run. what() has one line a problem, the first in the file first, at most `max_reported`
/// of them, each starting with the name of the case and, where known, the line.
class CaseError : public std::runtime_error {
 public:
  static constexpr int exit_code = 2;
  static constexpr std::size_t max_reported = 10;

  /// `source` names the case in the messages: its path, or "--set" and the like. At least one problem.
  CaseError(std::string source, std::vector<CaseProblem> problems);

  std::string const& source() const { return source_; }
  /// All of them, also those beyond `max_reported`.
  std::vector<CaseProblem> const& problems() const { return problems_; }

 private:
  std::string source_;
  std::vector<CaseProblem> problems_;
};

/// A file, folder or disk that does not do what was asked. what() is one line: `cannot write results/wind.h5: No
/// space left on device`.
class FileError : public std::runtime_error {
 public:
  static constexpr int exit_code = 4;

  /// `operation` completes "cannot ...": "write", "read /velocity/u in". Empty: `reason` follows the path.
  FileError(std::string path, std::string operation, std::string reason);

  std::string const& path() const { return path_; }
  std::string const& operation() const { return operation_; }
  std::string const& reason() const { return reason_; }

 private:
  std::string path_;
  std::string operation_;
  std::string reason_;
};

}  // namespace karman
