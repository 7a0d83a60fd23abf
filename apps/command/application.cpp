// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "application.hpp"

#include "common/case/cannot_run.hpp"
#include "common/case/memory_check.hpp"
#include "common/case/stop_check.hpp"
#include "common/run/exit_codes.hpp"
#include "host_threads.hpp"
#include "run_words.hpp"
#include <karman/io/error.hpp>
#include <karman/io/hdf5_file.hpp>
#include <karman/io/output_folder.hpp>
#include <karman/io/process.hpp>
#include <karman/io/signals.hpp>

#include <CLI/CLI.hpp>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <new>
#include <optional>
#include <stdexcept>

namespace karman::app {
namespace {

int report(std::string const& line, int exit_code) {
  std::fprintf(stderr, "%s\n", line.c_str());
  return exit_code;
}

/// Messages of Kokkos and of drivers on one line, without the trace behind them.
std::string one_line(std::string text) {
  text.resize(std::min(text.size(), text.find("\nTraceback")));
  std::string line;
  for (char const c : text) {
    bool const blank = c == ' ' || c == '\n' || c == '\t';
    if (!blank) line += c;
    else if (!line.empty() && line.back() != ' ') line += ' ';
  }
  while (!line.empty() && line.back() == ' ') line.pop_back();
  return line;
}

int out_of_memory(std::string const& called, Command const& command) {
  std::string line = called + ": out of memory";
  if (command.action == Command::Action::run) {
    std::string const file = command.options.case_file.string();
    line += ": " + file + " is too large; " + called + ' ' + file + " --dry-run prints its memory";
  }
  return report(line, machine_failed);
}

Command parse_words(std::string const& called, char const* about, int argc, char const* const* argv) {
  CLI::App app(about, called);
  RunWords words;
  add_run_options(app, words);
  app.add_option("--restart", words.restart, restart_about);
  try {
    app.parse(argc, argv);
    return application_command(app, words);
  } catch (CLI::Error const& error) {
    return ended(app, error, called);
  }
}

}  // namespace

void print(std::string_view text) { std::fwrite(text.data(), 1, text.size(), stdout); }

int run_application(Application const& application, RunOptions const& options) {
  require_program_memory();
  std::optional<EmptyFolderGuard> guard;
  if (!options.dry_run) guard.emplace(output_folder(options));
  ExitReport const exits{std::string(application.name)};
  try {
    int const exit_code = application.run(options);
    return exit_code == done && stop_requested() != 0 ? exits.stopped_at_end() : exit_code;
  } catch (Stopped const&) {
    return exits.stopped_in_set_up();
  }
}

int report_errors(std::string const& called, Command const& command, std::function<int()> const& execute) {
  try {
    return execute();
  } catch (CaseError const& error) {
    return report(error.what(), CaseError::exit_code);
  } catch (FileError const& error) {
    return report(error.what(), FileError::exit_code);
  } catch (CannotRun const& error) {
    return report(called + ": " + error.what(), CannotRun::exit_code);
  } catch (std::filesystem::filesystem_error const& error) {
    return report(called + ": " + one_line(error.what()), FileError::exit_code);
  } catch (std::bad_alloc const&) {
    return out_of_memory(called, command);
  } catch (std::runtime_error const& error) {
    // Kokkos, CUDA and libraries that run out of memory or lose their device. Their messages name the request.
    return report(called + ": " + one_line(error.what()), machine_failed);
  } catch (std::exception const& error) {
    return report(called + ": internal error: " + one_line(error.what()), failed);
  }
}

void begin_process() {
  open_standard_descriptors();
  forbid_hdf5_plugins();
  std::signal(SIGXFSZ, SIG_IGN);  // turns an exceeded file size limit into a write error, also on stdout
}

int complete_process(std::string const& called, Command const& command, char* const* argv,
                     std::function<int()> const& execute) {
  bool const computes = command.action == Command::Action::run || command.action == Command::Action::info;
  if (computes) settle_host_threads(command.threads, argv);
  int const exit_code = report_errors(called, command, execute);
  if (flush_standard_output()) return exit_code;
  report(called + ": cannot write to stdout: the disk may be full", FileError::exit_code);
  return exit_code == done ? FileError::exit_code : exit_code;
}

int application_main(Application const& application, char const* about, int argc, char** argv) {
  begin_process();
  std::string const called = std::filesystem::path(argc > 0 ? argv[0] : "").filename().string();
  Command const command = parse_words(called, about, argc, argv);
  return complete_process(called, command, argv, [&] {
    switch (command.action) {
      case Command::Action::run: return run_application(application, command.options);
      case Command::Action::example: print(application.example()); return int{done};
      case Command::Action::schema: print(application.schema()); return int{done};
      default: return command.exit_code;
    }
  });
}

}  // namespace karman::app
