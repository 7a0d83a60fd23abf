// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The loop of runs that continue in time or towards a steady state.
#pragma once

#include "common/case/stop_check.hpp"
#include "run_context.hpp"
#include <karman/io/progress.hpp>

#include <optional>
#include <string>

namespace karman::app {

/// Takes the state into the output. False where a signal has ended an evaluation for it. The last state is recorded in
/// any case.
template <class Application>
bool is_recorded(Application& application) {
  std::optional<StoppableWork> work;
  if (!application.has_ended()) work.emplace();
  try {
    application.record();
    return true;
  } catch (Stopped const&) {
    return false;
  }
}

/// Marches to the end. Processes of one case make the same calls: is_sound() and has_ended() have one answer in all,
/// and record() ends by a signal in all or in none. `Application` has
///   bool is_sound() const     all values are finite, and so on
///   bool has_ended() const
///   void advance()            steps up to the next state that is checked
///   void record()             takes that state into the output: frames, means. A signal may end its evaluations:
///                             they come before all changes, and a restarted run makes up for the record
///   void save()               writes a checkpoint of it
///   double position() const   of `progress`
///   std::string note() const  beside it
///   std::string where() const      the state in words: "after 8 steps"
///   int report_breakdown() const   tells of a state that is not sound; the exit code
/// Returns the exit code of a march that is not finished: broken down, or stopped by a signal after a checkpoint.
template <class Application>
[[nodiscard]] std::optional<int> march(RunContext& context, ProgressOptions options, Application& application) {
  context.end_set_up();
  options.mode = context.options().progress;
  Progress progress(options);
  auto const save = [&] {
    application.save();
    context.checkpoints().note_written();
  };
  while (application.is_sound() && !application.has_ended()) {
    application.advance();
    progress.update(application.position(), application.note());
    if (!application.is_sound()) break;
    bool const recorded = is_recorded(application);
    if (application.has_ended()) break;
    if (context.all_must_stop() || !recorded) {
      save();
      return context.report().stopped(application.where(), context.continuation());
    }
    if (context.checkpoint_is_due()) save();
  }
  if (!application.is_sound()) return application.report_breakdown();
  progress.finish(application.position());
  return {};
}

}  // namespace karman::app
