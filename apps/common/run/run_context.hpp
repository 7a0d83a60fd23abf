// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The parts that every run of the `karman` command has, in one order: signals, folder, Kokkos, backend, needs.
#pragma once

#include "checkpoints.hpp"
#include "common/case/stop_check.hpp"
#include "exit_codes.hpp"
#include "kokkos_runtime.hpp"
#include "needs.hpp"
#include "run_options.hpp"
#include <karman/core/backend_name.hpp>
#include <karman/io/output_folder.hpp>
#include <karman/io/signals.hpp>

#include <cstddef>
#include <filesystem>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace karman::app {

/// Files of an output folder that a run writes. Without --overwrite none of them may exist.
struct OutputFiles {
  std::vector<std::string> names;
  /// A restarted run requires this for the first ones alone; it continues the others.
  std::size_t at_restart = std::numeric_limits<std::size_t>::max();
  /// Files of other names may be in the folder.
  bool beside_others = false;
};

/// A run of this process, or of several processes that compute one case: all of them make the same calls. An
/// application reads its case, calls prepare(), estimates its needs, calls open(), makes its model and solves. Each
/// step that returns an exit code ends the run: a dry run, a signal.
class RunContext {
 public:
  /// From here on a signal stops the run cleanly: within the set-up at the end of its step, or by Stopped within an
  /// evaluation.
  RunContext(std::string application, RunOptions const& options);
  /// A whole run within another one, by this process alone: a member of a study. It has the signals, Kokkos and backend
  /// of `whole`, whose set-up has ended; case, folder and restart of `options`. Its report appends to `lines`, and it
  /// prints nothing. All three must live as long.
  RunContext(RunContext& whole, RunOptions const& options, std::vector<std::string>& lines);

  RunOptions const& options() const { return options_; }
  Communicator const& communicator() const { return options_.processes->communicator(); }
  /// Number of processes.
  int processes() const { return options_.processes->size(); }
  /// Number of processes of which a dry run prints the needs: the present ones, or --ranks.
  int announced_processes() const { return options_.ranks > 0 ? options_.ranks : processes(); }
  /// True for a run within another one, which prints nothing.
  bool is_member() const { return whole_ != nullptr; }
  /// True in the process that reports, and that writes all files.
  bool is_first() const { return options_.processes->is_first(); }
  /// Throws CannotRun in a run of several processes: "`what` takes one process".
  void require_one_process(std::string const& what) const;
  /// Throws CannotRun where the processes have different texts of the case or different builds. Collective.
  void require_same_case(std::string const& text) const;
  /// Calls `work` in the first process, and waits for it in the others: where it throws, they throw FailedElsewhere.
  /// Collective.
  void by_first(std::function<void()> const& work) const;
  /// Whether a signal has asked this process or another one to stop. Not collective: a march calls it at every check.
  bool must_stop() const;
  /// The same as one answer for all processes. Collective.
  bool all_must_stop() const;
  ExitReport const& report() const { return report_; }
  std::filesystem::path const& folder() const { return folder_; }
  bool restarts() const { return !options_.restart.empty(); }
  /// For files that the run renews while it lasts: a restarted run replaces the files of its predecessor.
  Overwrite overwrite_frames() const { return restarts() ? Overwrite::yes : options_.overwrite; }
  Checkpoints& checkpoints() { return checkpoints_; }
  /// Whether a march is to pause between checks, for a checkpoint or a signal.
  bool must_pause() const { return checkpoints_.due() || must_stop(); }
  /// The same, and whether a checkpoint is due, as one answer for all processes: clocks and signals differ. Collective.
  bool all_must_pause() const { return communicator().largest(must_pause() ? 1 : 0) != 0; }
  bool checkpoint_is_due() const { return communicator().largest(checkpoints_.due() ? 1 : 0) != 0; }
  BackendInfo const& backend() const { return backend_; }
  /// Bytes per second of a copy on the backend, for the time that a dry run announces; 0 for other runs.
  double copy_rate() const { return copy_rate_; }

  /// Makes and locks the folder (not in a dry run), starts Kokkos with these backends, describes the first.
  /// Empty: that of the options. Throws FileError, and as KokkosRuntime does.
  [[nodiscard]] std::optional<int> prepare(OutputFiles const& files, std::vector<Backend> backends = {});
  /// Whether to evaluate all values of the case before open(): in a dry run if they fit the free memory and are quick.
  /// Other runs require that they fit. Throws CannotRun.
  bool evaluates(Needs const& needs) const;
  /// Prints the needs and ends a dry run; requires their memory and disk. The needs of a case that does not fit are
  /// as exact as the needs of a case that fits. Throws CannotRun, FileError.
  [[nodiscard]] std::optional<int> open(Needs const& needs);
  /// Ends the set-up, as march() does: from here on a signal ends no evaluation. Returns the exit code of a run that a
  /// signal has stopped before its first iteration.
  [[nodiscard]] std::optional<int> stopped_in_set_up();
  void end_set_up() { set_up_.reset(); }
  /// A time of a report with its processes and their backend: "4.4 s of 2 processes on openmp (AMD EPYC)".
  std::string time_words(std::string const& elapsed) const;
  /// The same for whole members that the processes share. `summed`: seconds of all members. `members`: their noun.
  /// "4.4 s elapsed (8.7 s summed over the directions) of 2 processes on openmp (AMD EPYC)".
  std::string time_words(double elapsed, double summed, char const* members) const;
  /// Command that continues from the checkpoint by as many processes; see the function of this name.
  std::string continuation(CaseChanges const& changes = {}) const;
  /// The same beyond a limit that was `reached`: the command doubles it. `limit`: its JSON pointer.
  std::string continuation(std::string const& limit, std::int64_t reached) const;

 private:
  /// The exit code of a run that a signal has stopped in a step of its set-up.
  std::optional<int> stopped_in_step() const;
  int local_processes() const;
  /// The words that start this number of processes, before a command: "mpirun -n 3 "; empty for one.
  std::string launcher() const;
  /// Throws CannotRun, as require_memory() does, for all processes of this machine together.
  void require_memory_of_all(Needs const& needs) const;
  /// Throws FileError when one of the files is in the folder.
  void require_no_files(OutputFiles const& files) const;

  RunContext* whole_ = nullptr;  ///< of a member
  RunOptions const& options_;
  ExitReport report_;
  std::filesystem::path folder_;
  std::optional<StopSignals> signals_;                  ///< empty in a member
  std::optional<StoppableWork> set_up_{std::in_place};  ///< empty after the set-up
  FolderLock lock_;
  Checkpoints checkpoints_;
  std::optional<KokkosRuntime> kokkos_;
  BackendInfo backend_;
  double copy_rate_ = 0;
  int sharers_ = 1;  ///< processes that share the memory of the backend
};

}  // namespace karman::app
