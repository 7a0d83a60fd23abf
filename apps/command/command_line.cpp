// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "command_line.hpp"

#include "common/run/exit_codes.hpp"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <cstdio>

namespace karman::app {
namespace {

/// Arguments of every application.
struct RunWords {
  std::string case_file, backend, output, restart, progress = "auto";
  std::vector<std::string> set, example;
  bool dry_run = false, overwrite = false, schema = false;
  int threads = 0;
};

/// Arguments of `karman wind`.
struct WindWords : RunWords {
  std::string watch, slice;
  int every = 0;
};

/// Arguments of `karman poisson`.
struct PoissonWords : RunWords {
  bool compare = false;
  double budget = default_compare_budget;
};

constexpr char const* restart_about = "Continue from a checkpoint of the same case";

std::string backend_words() {
  std::string words;
  for (Backend backend : enabled_backends()) words += (words.empty() ? "" : ", ") + std::string(name(backend));
  return words;
}

/// Name of a backend in the documentation of Kokkos.
char const* title(Backend backend) {
  switch (backend) {
    case Backend::serial: return "Serial";
    case Backend::openmp: return "OpenMP";
    case Backend::threads: return "Threads";
    case Backend::cuda: return "CUDA";
  }
  return "that name";
}

/// Where to get a backend that this build lacks.
std::string source_of(Backend backend) {
  std::string hint = std::string(". A build on a Kokkos with ") + title(backend) + " has it, see docs/command.md";
  if (backend == Backend::serial) {
    // The last backend is one of the host.
    hint += "; --backend " + std::string(name(enabled_backends().back())) +
            " --threads 1 runs the same kernels on one thread";
  }
  return hint;
}

Backend read_backend(std::string const& word) {
  auto const backend = parse_backend(word);
  auto const present = enabled_backends();
  if (!backend || std::find(present.begin(), present.end(), *backend) == present.end()) {
    throw CLI::ValidationError("--backend", "this build has no backend " + word + "; choose one of: " +
                                                backend_words() + (backend ? source_of(*backend) : ""));
  }
  return *backend;
}

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

void add_threads(CLI::App& command, int& threads) {
  constexpr int most_threads = 4096;
  command.add_option("--threads", threads, "Threads of the host backends (default: OMP_NUM_THREADS, else all cores)")
      ->check(CLI::Range(1, most_threads));
}

CLI::App* add_application(CLI::App& app, char const* name, char const* about, RunWords& words) {
  CLI::App* const application = app.add_subcommand(name, about);
  application->add_option("CASE", words.case_file, "Case file (JSON); --example prints one to start from");
  application->add_option("--backend", words.backend, "Backend: " + backend_words() + " (default: the first)");
  add_threads(*application, words.threads);
  application->add_option("--output", words.output, "Results folder (default: results/<case name>)");
  application
      ->add_option("--set", words.set, "Override one value of the case: /pointer=value, such as /solver/tolerance=1e-6")
      ->allow_extra_args(false);
  application->add_option("--progress", words.progress, "Progress on stderr: auto, json or off (default: auto)");
  application->add_flag("--dry-run", words.dry_run, "Check the case, print its memory, disk and time, and stop");
  application->add_flag("--overwrite", words.overwrite, "Replace existing results in the output folder");
  application->add_option("--example", words.example, "Print a commented starting case, or the named shipped case")
      ->expected(0, 1);
  application->add_flag("--schema", words.schema, "Print the JSON Schema of a case");
  return application;
}

void add_wind(CLI::App& app, WindWords& words) {
  CLI::App* const wind = add_application(app, "wind", "Mass-consistent wind around buildings", words);
  wind->add_option("--restart", words.restart, restart_about);
  wind->add_option("--watch", words.watch, "Record slices of this field during the iteration: lambda");
  wind->add_option("--slice", words.slice, "Slice to record: x=N, y=N or z=N; N is a cell layer, from 0");
  wind->add_option("--every", words.every, "Iterations from one slice to the next (default: 20)")
      ->check(CLI::PositiveNumber);
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

/// Command of the arguments that all applications share.
Command application_command(CLI::App const& application, RunWords const& words) {
  Command command;
  command.application = application.get_name();
  if (words.schema) {
    command.action = Command::Action::schema;
    return command;
  }
  if (application.count("--example") > 0) {
    command.action = Command::Action::example;
    command.example_name = words.example.empty() ? "" : words.example.front();
    return command;
  }
  if (words.case_file.empty()) throw CLI::RequiredError("CASE");
  command.action = Command::Action::run;
  command.threads = words.threads;
  RunOptions& options = command.options;
  options.case_file = words.case_file;
  options.overrides = words.set;
  if (!words.backend.empty()) options.backend = read_backend(words.backend);
  options.output = words.output;
  options.restart = words.restart;
  auto const progress = parse_progress_mode(words.progress);
  if (!progress) throw CLI::ValidationError("--progress", "expected auto, json or off, found " + words.progress);
  options.progress = *progress;
  options.dry_run = words.dry_run;
  options.overwrite = words.overwrite ? Overwrite::yes : Overwrite::no;
  return command;
}

Command wind_command(CLI::App const& wind, WindWords const& words) {
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

Command finished(int exit_code) {
  Command command;
  command.exit_code = exit_code;
  return command;
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
  } catch (CLI::Success const& printed) {
    return finished(app.exit(printed));
  } catch (CLI::Error const& error) {
    std::string line = error.what();
    std::replace(line.begin(), line.end(), '\n', ' ');
    auto const chosen = app.get_subcommands();
    std::string const command = chosen.empty() ? "karman" : "karman " + chosen.front()->get_name();
    std::fprintf(stderr, "%s: %s (%s --help)\n", command.c_str(), line.c_str(), command.c_str());
    return finished(usage);
  }
}

}  // namespace karman::app
