// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "application.hpp"

#include "common/case/cannot_run.hpp"
#include "common/case/memory_check.hpp"
#include "common/case/stop_check.hpp"
#include "common/run/exit_codes.hpp"
#include "common/run/kokkos_runtime.hpp"
#include "common/run/processes.hpp"
#include "host_threads.hpp"
#include "run_words.hpp"
#include <karman/io/content_hash.hpp>
#include <karman/io/error.hpp>
#include <karman/io/hdf5_file.hpp>
#include <karman/io/output_folder.hpp>
#include <karman/io/process.hpp>
#include <karman/io/signals.hpp>

#include <CLI/CLI.hpp>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <memory>
#include <new>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace karman::app {
namespace {

/// Address space that Open MPI takes, in each process and for each of its companions; 204 and 4 MB with version 4.1.
/// With less it may start without an error and wait without end. Other libraries end all processes.
constexpr std::int64_t message_address_space = std::int64_t{256} << 20,
                       message_address_space_each = std::int64_t{8} << 20;

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

/// End of a command: exit code, and the line about an error.
struct Ending {
  int exit_code = done;
  std::string line = {};
  bool lost_device = false;  ///< so that nothing may be finalised
};

Ending out_of_memory(std::string const& called, Command const& command) {
  std::string line = called + ": out of memory";
  if (command.action == Command::Action::run) {
    std::string const file = command.options.case_file.string();
    line += ": " + file + " is too large; " + called + ' ' + file + " --dry-run prints its memory";
  }
  return {machine_failed, line};
}

/// Executes a command and turns any exception into a line and an exit code. `called`: "karman wind".
Ending ending_of(std::string const& called, Command const& command, std::function<int()> const& execute) {
  try {
    return {execute()};
  } catch (FailedElsewhere const&) {
    return {};
  } catch (Stopped const&) {
    return {128 + stop_requested(), ExitReport(command.application).set_up_line()};
  } catch (CaseError const& error) {
    return {CaseError::exit_code, error.what()};
  } catch (FileError const& error) {
    return {FileError::exit_code, error.what()};
  } catch (CannotRun const& error) {
    return {CannotRun::exit_code, called + ": " + error.what()};
  } catch (std::filesystem::filesystem_error const& error) {
    return {FileError::exit_code, called + ": " + one_line(error.what())};
  } catch (std::bad_alloc const&) {
    return out_of_memory(called, command);
  } catch (LostDevice const& error) {
    return {machine_failed, called + ": " + one_line(error.what()), true};
  } catch (std::runtime_error const& error) {
    // Kokkos, CUDA and libraries that run out of memory or lose their device. Their messages name the request.
    return {machine_failed, called + ": " + one_line(error.what())};
  } catch (std::exception const& error) {
    return {failed, called + ": internal error: " + one_line(error.what())};
  }
}

/// True where a launcher has started several processes, and this one has not joined them.
bool is_apart(Processes const& processes) {
  auto const launch = launch_of_process();
  return processes.size() == 1 && launch && launch->size > 1;
}

/// A process apart that ends by an error. The first one reports at once. Others may have the same error: they give
/// their launcher time to end them, and wrong usage, which all have, they leave to the first.
int end_apart(Ending const& ending) {
  constexpr auto patience = std::chrono::milliseconds(1500), patience_per_rank = std::chrono::milliseconds(250);
  constexpr int most_patient_rank = 12;
  int const rank = launch_of_process()->rank;
  if (rank == 0) return report(ending.line, ending.exit_code);
  std::this_thread::sleep_for(patience + std::min(rank, most_patient_rank) * patience_per_rank);
  if (ending.exit_code == usage) return usage;
  return report("process " + std::to_string(rank) + ": " + ending.line, ending.exit_code);
}

/// Ends this process together with the others: one of them writes the line. Returns the exit code of all.
int end_together(Processes& processes, Ending const& ending) {
  if (!ending.line.empty() && is_apart(processes)) return end_apart(ending);
  auto const line = [&] { return "process " + std::to_string(processes.rank()) + ": " + ending.line; };
  auto const common = processes.await_end({ending.exit_code, !ending.line.empty()});
  if (!common) processes.abort(report(line(), ending.exit_code));
  bool const ordinary = common->everywhere || processes.is_first();
  if (common->reporter == processes.rank()) report(ordinary ? ending.line : line(), ending.exit_code);
  return common->exit_code;
}

/// The run that a library aborts, or whose destructor throws. Kokkos does both at most errors of a device.
struct Aborting {
  std::string called;
  Processes* processes = nullptr;
};

Aborting& aborting() {
  static Aborting known;
  return known;
}

/// Ends the process, and the others with it, as an exception would; MPI may be unusable, so within a limit.
[[noreturn]] void end_at_once(Ending const& ending) {
  constexpr unsigned limit = 15;
  std::signal(SIGABRT, SIG_DFL);
  std::signal(SIGALRM, SIG_DFL);
  ::alarm(limit);
  std::fflush(stdout);
  Processes* const processes = std::exchange(aborting().processes, nullptr);
  if (processes == nullptr) std::_Exit(report(ending.line, ending.exit_code));
  std::_Exit(end_together(*processes, ending));
}

void on_abort(int) {
  bool const device = device_failed();
  std::fputs(device ? "; " : "\n", stderr);  // Kokkos has written its message, without a line feed
  end_at_once(
      {device ? machine_failed : failed,
       aborting().called + ": aborted" + (device ? " by a failure of the device" : " by an error in a library")});
}

void on_terminate() {
  std::signal(SIGABRT, SIG_DFL);
  end_at_once(ending_of(aborting().called, {}, []() -> int {
    if (std::exception_ptr const error = std::current_exception()) std::rethrow_exception(error);
    throw std::logic_error("ended without an exception");
  }));
}

/// Throws CannotRun in a process apart: each would compute the same and write the same files.
void require_joined(Processes const& processes) {
  if (!is_apart(processes)) return;
  Launch const launch = *launch_of_process();
  std::string const library = message_library();
  throw CannotRun("a launcher has started " + std::to_string(launch.size) + " processes (" + launch.variable + "), " +
                  (library.empty() ? "and this build has no MPI; build with KARMAN_ENABLE_MPI, or start one"
                                   : "but " + library + " finds one; use its own mpirun") +
                  "; for runs on their own unset " + launch.variable);
}

/// Throws CannotRun unless all processes are the same build and execute the same command: others would make other
/// collective calls. Collective, in all versions the first such call.
void require_same_command(Processes const& processes, std::string const& called, Command const& command) {
  if (processes.size() == 1) return;
  auto const hash = [](std::vector<std::string> const& texts) {
    ContentHash joined;
    for (std::string const& text : texts) joined.update(text.c_str(), text.size() + 1);
    return joined.value();
  };
  BuildInfo const build = build_info();
  RunOptions const& options = command.options;
  std::array<std::uint64_t, 2> const mine{
      hash({build.karman_version, build.commit, build.compiler, build.kokkos_version, build.cuda_version}),
      hash({called, options.dry_run ? "dry run" : "run", options.overwrite == Overwrite::yes ? "overwrite" : "new",
            options.output.string(), options.restart.string(), std::to_string(options.compare_budget.value_or(0))})};
  auto const all = processes.communicator().all_gather(mine);
  auto const other = std::find_if(all.begin(), all.end(), [&](auto const& hashes) { return hashes != all[0]; });
  if (other == all.end()) return;
  throw CannotRun("process " + std::to_string(other - all.begin()) + " has another " +
                  ((*other)[0] != all[0][0] ? "build of karman" : "command") +
                  " than process 0; start all with the same " + ((*other)[0] != all[0][0] ? "program" : "words"));
}

/// Joins the processes of the launcher, if any.
void join(std::string const& called, Command& command) {
  auto const launch = launch_of_process();
  bool const computes = command.line.empty();
  if (launch && launch->variable == "OMPI_COMM_WORLD_SIZE")
    require_program_memory(message_address_space + launch->size * message_address_space_each);
  command.options.processes = join_processes();
  aborting().processes = command.options.processes.get();
  Processes const& processes = *command.options.processes;
  if (!processes.is_first()) command.options.progress = ProgressMode::off;
  if (!computes) return;
  if (command.action == Command::Action::run) require_joined(processes);
  require_same_command(processes, called, command);
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
  Processes const& processes = *options.processes;
  if (processes.size() > 1 && !application.distributes)
    throw CannotRun("runs as one process, found " + std::to_string(processes.size()) + "; start it without a launcher");
  if (options.ranks > 0 && !application.divides)
    throw CannotRun("has no parts of a grid, so that --ranks prints nothing; use --dry-run alone");
  std::optional<EmptyFolderGuard> guard;
  if (!options.dry_run && processes.is_first()) guard.emplace(output_folder(options));
  ExitReport const exits{std::string(application.name), processes.is_first()};
  int exit_code = done;
  try {
    exit_code = application.run(options);
  } catch (Stopped const&) {
    if (processes.size() > 1) throw;  // the others may still evaluate
    return exits.stopped_in_set_up();
  }
  if (exit_code != done || processes.communicator().largest(stop_requested()) == 0) return exit_code;
  return exits.stopped_at_end();
}

void begin_process() {
  open_standard_descriptors();
  forbid_hdf5_plugins();
  std::signal(SIGXFSZ, SIG_IGN);  // turns an exceeded file size limit into a write error, also on stdout
}

int complete_process(std::string const& called, Command& command, char* const* argv,
                     std::function<int()> const& execute) {
  aborting() = {called, nullptr};
  std::signal(SIGABRT, on_abort);
  std::set_terminate(on_terminate);
  bool const computes = command.action == Command::Action::run || command.action == Command::Action::info;
  bool const wrong = !command.line.empty();
  Ending ending{command.exit_code, command.line};
  auto const joined = [&] {
    return ending_of(called, command, [&] {
      join(called, command);
      return int{done};
    });
  };
  std::optional<QuietBesideFirst> quiet;
  if (!computes && !wrong) quiet.emplace();
  if (computes) settle_host_threads(command.threads, argv);
  // A process with wrong words, too: others may have right ones.
  if (computes || (wrong && launch_of_process().value_or(Launch{}).size > 1)) {
    Ending const trouble = joined();
    if (!wrong) ending = trouble;
  }
  if (ending.line.empty()) ending = ending_of(called, command, execute);
  quiet.reset();
  // Other programs of the launcher may wait for this process in MPI_Init. Without them a command that only prints never
  // starts MPI: a script may have a run to follow it in the same process of the launcher.
  if (!computes && !wrong && launch_of_process().value_or(Launch{}).programs > 1) {
    std::fflush(stdout);
    Ending const trouble = joined();
    if (!trouble.line.empty()) ending = trouble;
  }
  if (!flush_standard_output()) {
    if (!ending.line.empty()) report(ending.line, ending.exit_code);
    int const exit_code = ending.exit_code == done ? FileError::exit_code : ending.exit_code;
    ending = {exit_code, called + ": cannot write to stdout: the disk may be full"};
  }
  int const exit_code = end_together(*command.options.processes, ending);
  aborting().processes = nullptr;
  if (ending.lost_device) {
    std::fflush(stdout);
    std::_Exit(exit_code);
  }
  command.options.processes = std::make_shared<Processes>();  // the end of MPI
  return exit_code;
}

int application_main(Application const& application, char const* about, int argc, char** argv) {
  begin_process();
  std::string const called = std::filesystem::path(argc > 0 ? argv[0] : "").filename().string();
  Command command = [&] {
    QuietBesideFirst const quiet;
    return parse_words(called, about, argc, argv);
  }();
  if (argc > 0) command.options.program = argv[0];
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
