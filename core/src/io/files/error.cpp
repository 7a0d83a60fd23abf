// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "plain_text.hpp"
#include <karman/io/error.hpp>

#include <algorithm>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace karman {
namespace {

using detail::one_line;

std::string report(std::string const& source, std::vector<CaseProblem> const& problems) {
  std::string lines;
  std::size_t const shown = std::min(problems.size(), CaseError::max_reported);
  for (std::size_t i = 0; i < shown; ++i) {
    if (i > 0) lines += '\n';
    std::string line = source;
    if (problems[i].line > 0) line += ':' + std::to_string(problems[i].line);
    lines += one_line(line + ": " + problems[i].message());
  }
  std::size_t const more = problems.size() - shown;
  if (more > 0) {
    lines +=
        '\n' + one_line(source + ": and " + std::to_string(more) + (more > 1 ? " more problems" : " more problem"));
  }
  return lines;
}

/// Each problem once, also where several readers of one value found it.
std::vector<CaseProblem> different(std::vector<CaseProblem> problems) {
  std::set<std::tuple<int, std::string, std::string>> seen;
  std::erase_if(problems, [&](CaseProblem const& problem) {
    return !seen.emplace(problem.line, problem.pointer, problem.expected).second;
  });
  return problems;
}

}  // namespace

std::string CaseProblem::message() const {
  std::string text;
  // A key may be as long as the file; the allowed values must remain visible.
  constexpr std::size_t most_shown = 200;
  text += detail::shortened(pointer, most_shown);
  if (!pointer.empty()) text += ": ";
  if (!value.empty()) text += value + ": ";
  text += expected;
  if (!suggestion.empty()) text += ", did you mean \"" + suggestion + "\"?";
  return one_line(text);
}

// The base class is first: it has the lines of the problems that are kept.
CaseError::CaseError(std::string source, std::vector<CaseProblem> problems)
    : std::runtime_error(report(source, problems = different(std::move(problems)))),
      source_(std::move(source)),
      problems_(std::move(problems)) {}

FileError::FileError(std::string path, std::string operation, std::string reason)
    : std::runtime_error(
          one_line(operation.empty() ? path + ' ' + reason : "cannot " + operation + ' ' + path + ": " + reason)),
      path_(std::move(path)),
      operation_(std::move(operation)),
      reason_(std::move(reason)) {}

}  // namespace karman
