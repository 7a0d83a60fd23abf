// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "checkpoint_support.hpp"

#include <karman/io/error.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cctype>

namespace karman::app {

using nlohmann::json;

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
                         std::filesystem::path const& checkpoint, std::string const& limit, std::int64_t reached) {
  std::vector<std::string> words{"karman", application, options.case_file.string()};
  if (options.backend) words.insert(words.end(), {"--backend", std::string(name(*options.backend))});
  if (!options.output.empty()) words.insert(words.end(), {"--output", options.output.string()});
  words.insert(words.end(), {"--overwrite", "--restart", checkpoint.string()});
  for (std::string const& assignment : options.overrides) {
    if (!assignment.starts_with(limit + '=')) words.insert(words.end(), {"--set", assignment});
  }
  words.insert(words.end(), {"--set", limit + '=' + std::to_string(2 * reached)});
  std::string text;
  for (std::string const& word : words) {
    if (!text.empty()) text += ' ';
    text += shell_word(word);
  }
  return text;
}

json without(json whole, std::initializer_list<char const*> pointers) {
  for (char const* const text : pointers) {
    json::json_pointer const pointer(text);
    if (whole.contains(pointer)) whole.at(pointer.parent_pointer()).erase(pointer.back());
  }
  return whole;
}

std::vector<double> read_rows(Checkpoint const& checkpoint, std::string const& table, std::size_t columns) {
  ArrayExtents const extents = checkpoint.info(table).extents;
  if (extents.rank() != 2 || extents[1] != columns) {
    throw FileError(checkpoint.path().string(), "read " + table + " in", "unexpected extents " + extents.text());
  }
  std::vector<double> values(extents.count());
  checkpoint.read(table, values.data(), extents);
  return values;
}

}  // namespace karman::app
