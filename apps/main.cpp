// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "command/command_line.hpp"
#include "command/host_threads.hpp"
#include "command/info.hpp"
#include "command/shipped_cases.hpp"
#include "common/case/cannot_run.hpp"
#include "common/case/memory_check.hpp"
#include "common/run/exit_codes.hpp"
#include "euler/case/flow_case.hpp"
#include "euler/run/flow_run.hpp"
#include "poisson/case/poisson_case.hpp"
#include "poisson/run/poisson_run.hpp"
#include "turbulence/case/turbulence_case.hpp"
#include "turbulence/run/turbulence_run.hpp"
#include "waves/case/wave_case.hpp"
#include "waves/run/wave_run.hpp"
#include "wind/case/wind_case.hpp"
#include "wind/run/wind_run.hpp"
#include <karman/io/error.hpp>
#include <karman/io/hdf5_file.hpp>
#include <karman/io/output_folder.hpp>
#include <karman/io/process.hpp>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <new>
#include <stdexcept>
#include <string>
#include <string_view>

namespace {

using karman::app::Command;

void print(std::string_view text) { std::fwrite(text.data(), 1, text.size(), stdout); }

/// Functions and texts of an application that the command needs.
struct Application {
  std::string_view name;
  int (*run)(karman::app::RunOptions const&);
  std::string_view (*schema)();
  std::string_view (*example)();
};

constexpr std::array applications{
    Application{"euler", karman::euler::run_euler, karman::euler::schema, karman::euler::example},
    Application{"poisson", karman::poisson::run_poisson, karman::poisson::schema, karman::poisson::example},
    Application{"turbulence", karman::turbulence::run_turbulence, karman::turbulence::schema,
                karman::turbulence::example},
    Application{"waves", karman::waves::run_waves, karman::waves::schema, karman::waves::example},
    Application{"wind", karman::wind::run_wind, karman::wind::schema, karman::wind::example}};

Application const& application_of(Command const& command) {
  for (Application const& application : applications) {
    if (application.name == command.application) return application;
  }
  throw std::logic_error("no application " + command.application);
}

int print_example(Command const& command) {
  if (command.example_name.empty()) {
    print(application_of(command).example());
    return karman::app::done;
  }
  for (karman::app::ShippedCase const& shipped : karman::app::shipped_cases()) {
    if (shipped.name == command.example_name && shipped.application == command.application) {
      print(shipped.text);
      return karman::app::done;
    }
  }
  std::fprintf(stderr, "karman: no shipped case %s of %s; karman list shows all\n", command.example_name.c_str(),
               command.application.c_str());
  return karman::app::usage;
}

int run(Command const& command) {
  karman::app::RunOptions const& options = command.options;
  karman::app::require_program_memory();
  if (options.dry_run) return application_of(command).run(options);
  karman::EmptyFolderGuard const guard(karman::app::output_folder(options));
  return application_of(command).run(options);
}

int execute(Command const& command) {
  switch (command.action) {
    case Command::Action::finish: return command.exit_code;
    case Command::Action::run: return run(command);
    case Command::Action::example: return print_example(command);
    case Command::Action::schema: print(application_of(command).schema()); return karman::app::done;
    case Command::Action::info: print(karman::app::info_report(command.json)); return karman::app::done;
    case Command::Action::list: print(karman::app::list_report()); return karman::app::done;
  }
  return karman::app::failed;
}

int report(std::string const& line, int exit_code) {
  std::fprintf(stderr, "%s\n", line.c_str());
  return exit_code;
}

/// "karman wind"
std::string called(Command const& command) {
  return command.application.empty() ? "karman" : "karman " + command.application;
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

int out_of_memory(Command const& command) {
  std::string line = called(command) + ": out of memory";
  if (command.action == Command::Action::run) {
    std::string const file = command.options.case_file.string();
    line += ": " + file + " is too large; " + called(command) + ' ' + file + " --dry-run prints its memory";
  }
  return report(line, karman::app::machine_failed);
}

/// Turns any exception of a command into a line and an exit code.
int execute_or_report(Command const& command) {
  try {
    return execute(command);
  } catch (karman::CaseError const& error) {
    return report(error.what(), karman::CaseError::exit_code);
  } catch (karman::FileError const& error) {
    return report(error.what(), karman::FileError::exit_code);
  } catch (karman::app::CannotRun const& error) {
    return report(called(command) + ": " + error.what(), karman::app::CannotRun::exit_code);
  } catch (std::filesystem::filesystem_error const& error) {
    return report(called(command) + ": " + one_line(error.what()), karman::FileError::exit_code);
  } catch (std::bad_alloc const&) {
    return out_of_memory(command);
  } catch (std::runtime_error const& error) {
    // Kokkos, CUDA and libraries that run out of memory or lose their device. Their messages name the request.
    return report(called(command) + ": " + one_line(error.what()), karman::app::machine_failed);
  } catch (std::exception const& error) {
    return report(called(command) + ": internal error: " + one_line(error.what()), karman::app::failed);
  }
}

}  // namespace

int main(int argc, char** argv) {
  karman::open_standard_descriptors();
  karman::forbid_hdf5_plugins();
  std::signal(SIGXFSZ, SIG_IGN);  // turns an exceeded file size limit into a write error, also on stdout
  Command const command = karman::app::parse_command_line(argc, argv);
  bool const computes = command.action == Command::Action::run || command.action == Command::Action::info;
  if (computes) karman::app::settle_host_threads(command.threads, argv);
  int const exit_code = execute_or_report(command);
  if (karman::flush_standard_output()) return exit_code;
  report(called(command) + ": cannot write to stdout: the disk may be full", karman::FileError::exit_code);
  return exit_code == karman::app::done ? karman::FileError::exit_code : exit_code;
}
