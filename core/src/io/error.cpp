// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <karman/io/error.hpp>

#include <algorithm>
#include <utility>

namespace karman {
namespace {

std::string report(std::string const& source, std::vector<CaseProblem> const& problems) {
  std::string lines;
  std::size_t const shown = std::min(problems.size(), CaseError::max_reported);
  for (std::size_t i = 0; i < shown; ++i) {
    if (i > 0) lines += '\n';
    lines += source;
    if (problems[i].line > 0) lines += ':' + std::to_string(problems[i].line);
    lines += ": " + problems[i].message();
  }
  return lines;
}

}  // namespace

std::string CaseProblem::message() const {
  std::string text;
  if (!pointer.empty()) text += pointer + ": ";
  if (!value.empty()) text += value + ": ";
  text += expected;
  if (!suggestion.empty()) text += ", did you mean \"" + suggestion + "\"?";
  return text;
}

CaseError::CaseError(std::string source, std::vector<CaseProblem> problems)
    : std::runtime_error(report(source, problems)), source_(std::move(source)), problems_(std::move(problems)) {}

FileError::FileError(std::string path, std::string operation, std::string reason)
    : std::runtime_error("cannot " + operation + ' ' + path + ": " + reason),
      path_(std::move(path)),
      operation_(std::move(operation)),
      reason_(std::move(reason)) {}

}  // namespace karman
