// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Errors of input and output, each with the fix for the user.
#pragma once

#include <stdexcept>
#include <string>
#include <vector>

namespace karman {

/// Problem of a case.
struct CaseProblem {
  std::string pointer;     ///< JSON pointer of the value, "" for the whole case
  std::string value;       ///< value as JSON text, shortened; empty for a missing or unknown key
  std::string expected;    ///< requirement, such as "expected a number > 0"
  std::string suggestion;  ///< nearest known key for an unknown one, may be empty
  int line = 0;            ///< line in the case file; 0 without one (overrides, missing keys of an empty case)

  /// Problem on one line: `/domain/cells/0: -4: expected an integer >= 1`.
  std::string message() const;
};

/// Case that cannot run. The text has one line per problem in file order, at most `max_reported`, then the number of
/// others; equal problems appear once. Each line starts with the name of the case and, where available, the line
/// number.
class CaseError : public std::runtime_error {
 public:
  /// Exit code of a program.
  static constexpr int exit_code = 2;
  /// Greatest number of problems in the text.
  static constexpr std::size_t max_reported = 10;

  /// Error with at least one problem.
  /// \param source name of the case in messages: its path, or an option such as "--set"
  /// \param problems all problems
  CaseError(std::string source, std::vector<CaseProblem> problems);

  /// Name of the case.
  std::string const& source() const { return source_; }
  /// All problems, also those beyond `max_reported`.
  std::vector<CaseProblem> const& problems() const { return problems_; }

 private:
  std::string source_;
  std::vector<CaseProblem> problems_;
};

/// Failure of a file, folder or disk. The text is one line: `cannot write results/wind.h5: No space left on device`.
class FileError : public std::runtime_error {
 public:
  /// Exit code of a program.
  static constexpr int exit_code = 4;

  /// Error of one operation.
  /// \param path file or folder
  /// \param operation completes "cannot ...": "write", "read /velocity/u in"
  /// \param reason cause; without an operation it follows the path
  FileError(std::string path, std::string operation, std::string reason);

  /// File or folder.
  std::string const& path() const { return path_; }
  /// Failed operation.
  std::string const& operation() const { return operation_; }
  /// Cause.
  std::string const& reason() const { return reason_; }

 private:
  std::string path_;
  std::string operation_;
  std::string reason_;
};

}  // namespace karman
