// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "marching_run.hpp"

#include <karman/io/signals.hpp>

#include <cstdio>

namespace karman::app {

FolderLock prepare_marching_folder(std::filesystem::path const& folder, RunOptions const& options,
                                   std::span<char const* const> files, std::size_t final_files) {
  bool const goes_on = !options.restart.empty();
  FolderLock lock = prepare_output_folder(folder, goes_on ? Overwrite::yes : options.overwrite);
  // A run that goes on has the frames before its checkpoint.
  require_no_files(folder, goes_on ? files.first(final_files) : files, options.overwrite);
  return lock;
}

std::string MarchCheckpoints::last_good() const {
  if (!written_ && !goes_on()) return "; no checkpoint was written";
  return "; the last good checkpoint is " + (written_ ? file_ : restart_).string();
}

int MarchCheckpoints::report_stop(char const* application, std::int64_t step, double time) const {
  std::fprintf(stderr, "karman %s: stopped by a signal at step %lld, time %.6g s; continue with --restart %s\n",
               application, static_cast<long long>(step), time, file_.c_str());
  return 128 + stop_requested();
}

}  // namespace karman::app
