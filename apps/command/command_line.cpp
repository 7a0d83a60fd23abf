// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "command_line.hpp"

#include "common/run/exit_codes.hpp"
#include "run_words.hpp"

#include <CLI/CLI.hpp>

#include <cstdio>
#include <string>
#include <vector>

namespace karman::app {
namespace {

/// Arguments of `karman wind`.
struct WindWords : RunWords {
  std::string watch, slice, import_path;
  int every = 0;
};

/// Arguments of `karman poisson`.
struct PoissonWords : RunWords {
  bool compare = false;
  double budget = default_compare_budget;
};

/// Shortcuts: --watch, --slice and --every set three members of the case.
void append_watch(WindWords const& words, std::vector<std::string>& overrides) {
  if (words.watch.empty()) {
    if (!words.slice.empty() || words.every > 0)
      throw CLI::ValidationError("--watch", "--slice and --every need --watch");
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

CLI::App* add_application(CLI::App& app, char const* name, char const* about, RunWords& words) {
  CLI::App* const application = app.add_subcommand(name, about);
  add_run_options(*application, words);
  return application;
}

void add_wind(CLI::App& app, WindWords& words) {
  CLI::App* const wind = add_application(app, "wind", "Mass-consistent wind around buildings", words);
  wind->add_option("--restart", words.restart, restart_about);
  wind->add_option("--watch", words.watch, "Record slices of this field during the iteration: lambda");
  wind->add_option("--slice", words.slice, "Slice to record: x=N, y=N or z=N; N is a cell layer, from 0");
  wind->add_option("--every", words.every, "Iterations from one slice to the next (default: 20)")
      ->check(CLI::PositiveNumber);
  wind->add_option("--import", words.import_path,
                   "Print a project of QES-Winds (its XML file) or QUIC (QU_simparams.inp) as a case");
}

void add_poisson(CLI::App& app, PoissonWords& words) {
  CLI::App* const poisson =
      add_application(app, "poisson", "Poisson's equation by any method, heat, vertical diffusion", words);
  poisson->add_option("--restart", words.restart, "Start from an earlier poisson.h5, or continue from a checkpoint");
  poisson->add_flag("--compare", words.compare, "Solve by every applicable method on every backend, and compare");
  poisson->add_option("--budget", words.budget, "Time limit per method of a comparison, in seconds (default: 20)")
      ->check(CLI::Range(1e-3, 1e6));
}

void add_waves(CLI::App& app, RunWords& words) {
  CLI::App* const waves = add_application(app, "waves", "Harbour waves: the mild-slope equation", words);
  waves->add_option("--restart", words.restart, restart_about);
}

void add_euler(CLI::App& app, RunWords& words) {
  CLI::App* const euler = add_application(app, "euler", "Compressible flow: the Euler equations on triangles", words);
  euler->add_option("--restart", words.restart, restart_about);
}

void add_turbulence(CLI::App& app, RunWords& words) {
  CLI::App* const turbulence =
      add_application(app, "turbulence", "Two-dimensional turbulence in a periodic box", words);
  turbulence->add_option("--restart", words.restart, restart_about);
}

Command wind_command(CLI::App const& wind, WindWords const& words) {
  if (wind.count("--import") > 0) {
    if (!words.case_file.empty()) throw CLI::ValidationError("--import", "prints a case and runs none; remove CASE");
    Command command;
    command.application = wind.get_name();
    command.action = Command::Action::import;
    command.import_path = words.import_path;
    return command;
  }
  Command command = application_command(wind, words);
  if (command.action == Command::Action::run) append_watch(words, command.options.overrides);
  return command;
}

Command poisson_command(CLI::App const& poisson, PoissonWords const& words) {
  Command command = application_command(poisson, words);
  if (!words.compare && poisson.count("--budget") > 0)
    throw CLI::ValidationError("--compare", "--budget needs --compare");
  if (words.compare && !words.restart.empty())
    throw CLI::ValidationError("--restart", "--compare starts every method from zero; remove --restart");
  if (words.compare) command.options.compare_budget = words.budget;
  return command;
}

/// "euler, poisson, ..., list".
std::string all_commands(CLI::App& app) {
  std::string names;
  for (CLI::App const* const command : app.get_subcommands([](CLI::App*) { return true; }))
    names += (names.empty() ? "" : ", ") + command->get_name();
  return names;
}

/// Help for a command line without arguments.
constexpr char const* first_commands =
    "First commands:\n"
    "  karman wind --example > case.json   prints a commented starting case\n"
    "  karman wind case.json --dry-run     checks it: cells, memory, disk, time\n"
    "  karman wind case.json               runs it: results/case/\n"
    "  karman list                         lists the shipped cases\n"
    "  karman info                         shows backends, devices and versions\n"
    "karman <application> --help lists the options of an application.";

}  // namespace

Command parse_command_line(int argc, char const* const* argv) {
  CLI::App app("Karman: portable PDE solvers on Kokkos", "karman");
  BuildInfo const build = build_info();
  app.set_version_flag("--version", "karman " + build.karman_version + " (" + build.commit + ")");
  app.require_subcommand(1);
  app.footer(first_commands);
  RunWords euler_words;
  add_euler(app, euler_words);
  PoissonWords poisson_words;
  add_poisson(app, poisson_words);
  RunWords turbulence_words;
  add_turbulence(app, turbulence_words);
  RunWords waves_words;
  add_waves(app, waves_words);
  WindWords wind_words;
  add_wind(app, wind_words);
  bool json = false;
  CLI::App* const info = app.add_subcommand("info", "Backends, devices and versions of this build and machine");
  info->add_flag("--json", json, "Print JSON");
  int info_threads = 0;
  add_threads(*info, info_threads);
  CLI::App const* const list = app.add_subcommand("list", "List the applications and their shipped cases");
  if (argc < 2) {
    std::fprintf(stderr, "%s", app.help().c_str());
    return finished(usage);
  }
  try {
    app.parse(argc, argv);
    Command command;
    if (info->parsed()) {
      command.action = Command::Action::info;
      command.application = "info";
      command.json = json;
      command.threads = info_threads;
    } else if (list->parsed()) {
      command.action = Command::Action::list;
      command.application = "list";
    } else if (app.got_subcommand("euler")) {
      command = application_command(*app.get_subcommand("euler"), euler_words);
    } else if (app.got_subcommand("poisson")) {
      command = poisson_command(*app.get_subcommand("poisson"), poisson_words);
    } else if (app.got_subcommand("turbulence")) {
      command = application_command(*app.get_subcommand("turbulence"), turbulence_words);
    } else if (app.got_subcommand("waves")) {
      command = application_command(*app.get_subcommand("waves"), waves_words);
    } else {
      command = wind_command(*app.get_subcommand("wind"), wind_words);
    }
    return command;
  } catch (CLI::Error const& error) {
    auto const chosen = app.get_subcommands();
    if (chosen.empty() && argv[1][0] != '-' && argv[1][0] != '\0')
      return ended(app, CLI::ValidationError(argv[1], "no command; choose " + all_commands(app)), "karman");
    return ended(app, error, chosen.empty() ? "karman" : "karman " + chosen.front()->get_name());
  }
}

}  // namespace karman::app
