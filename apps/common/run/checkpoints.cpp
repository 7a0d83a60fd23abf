// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "checkpoints.hpp"

#include <algorithm>
#include <cctype>
#include <vector>

namespace karman::app {

namespace {

/// A word as a shell reads it, on one line: quoted where a character has a meaning for the shell. Line feeds, which
/// JSON has between its values alone, become blanks.
std::string shell_word(std::string word) {
  std::replace_if(word.begin(), word.end(), [](unsigned char c) { return std::iscntrl(c) != 0; }, ' ');
  constexpr char const* plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=:,./@%";
  if (!word.empty() && word.find_first_not_of(plain) == std::string::npos) return word;
  std::string quoted = "'";
  for (char const c : word) {
    if (c == '\'') quoted += "'\\''";
    else quoted += c;
  }
  return quoted + '\'';
}

}  // namespace

std::string continuation(std::string const& application, RunOptions const& options,
                         std::filesystem::path const& checkpoint, CaseChanges const& changes) {
  std::vector<std::string> words{"karman", application};
  if (!options.program.empty()) words = {options.program};
  words.push_back(options.case_file.string());
  if (options.backend) words.insert(words.end(), {"--backend", std::string(name(*options.backend))});
  if (options.share_devices) words.emplace_back("--share-devices");
  if (!options.output.empty()) words.insert(words.end(), {"--output", options.output.string()});
  words.insert(words.end(), {"--overwrite", "--restart", checkpoint.string()});
  for (std::string const& assignment : options.overrides) {
    bool const replaced = std::any_of(changes.begin(), changes.end(),
                                      [&](auto const& change) { return assignment.starts_with(change.first + '='); });
    if (!replaced) words.insert(words.end(), {"--set", assignment});
  }
  for (auto const& [pointer, value] : changes) words.insert(words.end(), {"--set", pointer + '=' + value});
  std::string text;
  for (std::string const& word : words) {
    if (!text.empty()) text += ' ';
    text += shell_word(word);
  }
  return text;
}

std::string Checkpoints::last_good() const {
  if (!written_ && restart_.empty()) return "; no checkpoint was written";
  return "; the last good checkpoint is " + (written_ ? file_ : restart_).string();
}

}  // namespace karman::app
