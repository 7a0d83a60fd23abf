// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "run_words.hpp"

#include "common/run/exit_codes.hpp"

#include <algorithm>

namespace karman::app {
namespace {

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

}  // namespace

void add_threads(CLI::App& command, int& threads) {
  constexpr int most_threads = 4096;
  command.add_option("--threads", threads, "Threads of the host backends (default: OMP_NUM_THREADS, else all cores)")
      ->check(CLI::Range(1, most_threads));
}

void add_run_options(CLI::App& application, RunWords& words) {
  application.add_option("CASE", words.case_file, "Case file (JSON); --example prints one to start from");
  application.add_option("--backend", words.backend, "Backend: " + backend_words() + " (default: the first)");
  add_threads(application, words.threads);
  application.add_flag("--share-devices", words.share_devices,
                       "Let several processes of a launcher use one device; without it they are refused");
  application.add_option("--output", words.output, "Results folder (default: results/<case name>)");
  application
      .add_option("--set", words.set, "Override one value of the case: /pointer=value, such as /solver/tolerance=1e-6")
      ->allow_extra_args(false);
  application.add_option("--progress", words.progress, "Progress on stderr: auto, json or off (default: auto)");
  application.add_flag("--dry-run", words.dry_run, "Check the case, print its memory, disk and time, and stop");
  constexpr int most_ranks = 4096;
  application
      .add_option("--ranks", words.ranks, "With --dry-run: print the needs of each of so many processes; starts none")
      ->check(CLI::Range(1, most_ranks));
  application.add_flag("--overwrite", words.overwrite, "Replace existing results in the output folder");
  application.add_option("--example", words.example, "Print a commented starting case, or the named shipped case")
      ->expected(0, 1);
  application.add_flag("--schema", words.schema, "Print the JSON Schema of a case");
}

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
  if (words.ranks > 0 && !words.dry_run) throw CLI::ValidationError("--ranks", "needs --dry-run");
  options.share_devices = words.share_devices;
  options.dry_run = words.dry_run;
  options.ranks = words.ranks;
  options.overwrite = words.overwrite ? Overwrite::yes : Overwrite::no;
  return command;
}

Command finished(int exit_code) {
  Command command;
  command.exit_code = exit_code;
  return command;
}

Command ended(CLI::App const& app, CLI::Error const& error, std::string const& called) {
  if (error.get_exit_code() == static_cast<int>(CLI::ExitCodes::Success)) return finished(app.exit(error));
  std::string line = error.what();
  std::replace(line.begin(), line.end(), '\n', ' ');
  Command command = finished(usage);
  command.line = called + ": " + line + " (" + called + " --help)";
  return command;
}

}  // namespace karman::app
