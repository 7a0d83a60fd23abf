// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "command_line.hpp"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <cstdio>

namespace karman::app {
namespace {

/// The words of `karman wind` as they were given.
struct WindWords {
  std::string case_file, backend, output, restart, progress = "auto", watch, slice;
  std::vector<std::string> set, example;
  int every = 0;
  bool dry_run = false, overwrite = false, schema = false;
};

std::string backend_words() {
  std::string words;
  for (Backend backend : enabled_backends()) words += (words.empty() ? "" : ", ") + std::string(name(backend));
  return words;
}

Backend read_backend(std::string const& word) {
  auto const backend = parse_backend(word);
  auto const present = enabled_backends();
  if (!backend || std::find(present.begin(), present.end(), *backend) == present.end()) {
    throw CLI::ValidationError("--backend", word + " is not in this build, which has: " + backend_words());
  }
  return *backend;
}

/// --watch, --slice and --every are short for three members of the case.
void append_watch(WindWords const& words, std::vector<std::string>& overrides) {
  if (words.watch.empty()) {
    if (!words.slice.empty() || words.every > 0)
      throw CLI::ValidationError("--watch", "is missing beside --slice or --every");
    return;
  }
  bool const axis =
      words.slice.size() >= 3 && words.slice[1] == '=' && std::string("xyz").find(words.slice[0]) != std::string::npos;
  if (!axis || words.slice.find_first_not_of("0123456789", 2) != std::string::npos || words.slice.size() > 11) {
    throw CLI::ValidationError("--slice", "expected x=N, y=N or z=N with a layer number, for example z=4");
  }
  overrides.push_back("/outputs/watch/field=" + words.watch);
  overrides.push_back("/outputs/watch/axis=" + words.slice.substr(0, 1));
  overrides.push_back("/outputs/watch/index=" + std::to_string(std::stoll(words.slice.substr(2))));
  if (words.every > 0) overrides.push_back("/outputs/watch/every=" + std::to_string(words.every));
}

void add_wind(CLI::App& app, WindWords& words) {
  CLI::App* const wind = app.add_subcommand("wind", "Mass-consistent wind around buildings");
  wind->add_option("CASE", words.case_file, "Case file (JSON); --example prints one to start from");
  wind->add_option("--backend", words.backend, "Where to run: " + backend_words() + " (default: the first)");
  wind->add_option("--output", words.output, "Folder for the results (default: results/<name of the case>)");
  wind->add_option("--set", words.set, "Override a value of the case: /pointer=value")->allow_extra_args(false);
  wind->add_option("--restart", words.restart, "Go on from a checkpoint of the same case");
  wind->add_option("--progress", words.progress, "auto, json or off");
  wind->add_option("--watch", words.watch, "Keep slices of the iteration of this field: lambda");
  wind->add_option("--slice", words.slice, "The slice to keep: x=N, y=N or z=N, N a layer of cells from 0");
  wind->add_option("--every", words.every, "Iterations between two slices (default: 20)")->check(CLI::PositiveNumber);
  wind->add_flag("--dry-run", words.dry_run, "Check the case, print what it needs, and stop");
  wind->add_flag("--overwrite", words.overwrite, "Replace existing results");
  wind->add_option("--example", words.example, "Print a commented case to start from, or the shipped case of that name")
      ->expected(0, 1);
  wind->add_flag("--schema", words.schema, "Print the JSON Schema of a case");
}

Command wind_command(CLI::App const& wind, WindWords const& words) {
  Command command;
  command.application = "wind";
  if (words.schema) {
    command.action = Command::Action::schema;
    return command;
  }
  if (wind.count("--example") > 0) {
    command.action = Command::Action::example;
    command.example_name = words.example.empty() ? "" : words.example.front();
    return command;
  }
  if (words.case_file.empty()) throw CLI::RequiredError("CASE");
  command.action = Command::Action::run;
  RunOptions& options = command.options;
  options.case_file = words.case_file;
  options.overrides = words.set;
  append_watch(words, options.overrides);
  if (!words.backend.empty()) options.backend = read_backend(words.backend);
  options.output = words.output;
  options.restart = words.restart;
  auto const progress = parse_progress_mode(words.progress);
  if (!progress) throw CLI::ValidationError("--progress", words.progress + ": expected auto, json or off");
  options.progress = *progress;
  options.dry_run = words.dry_run;
  options.overwrite = words.overwrite ? Overwrite::yes : Overwrite::no;
  return command;
}

Command finished(int exit_code) {
  Command command;
  command.exit_code = exit_code;
  return command;
}

}  // namespace

Command parse_command_line(int argc, char const* const* argv) {
  CLI::App app("Karman: portable PDE solvers on Kokkos", "karman");
  BuildInfo const build = build_info();
  app.set_version_flag("--version", "karman " + build.karman_version + " (" + build.commit + ")");
  app.require_subcommand(1);
  WindWords words;
  add_wind(app, words);
  bool json = false;
  CLI::App* const info = app.add_subcommand("info", "What this build and this machine can do");
  info->add_flag("--json", json, "As JSON");
  CLI::App const* const list = app.add_subcommand("list", "Applications and the cases that ship with them");
  try {
    app.parse(argc, argv);
    Command command;
    if (info->parsed()) {
      command.action = Command::Action::info;
      command.json = json;
    } else if (list->parsed()) {
      command.action = Command::Action::list;
    } else {
      command = wind_command(*app.get_subcommand("wind"), words);
    }
    return command;
  } catch (CLI::Success const& printed) {
    return finished(app.exit(printed));
  } catch (CLI::Error const& error) {
    std::string line = error.what();
    std::replace(line.begin(), line.end(), '\n', ' ');
    std::fprintf(stderr, "karman: %s (karman --help)\n", line.c_str());
    return finished(usage);
  }
}

}  // namespace karman::app
