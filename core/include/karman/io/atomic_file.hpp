// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Files that appear whole or not at all.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace karman {

/// What to do with a file of that name that exists already.
enum class Overwrite { no, yes };

/// A name in the folder of `path` under which a file is prepared, and the step that gives it its final name.
/// The temporary file is hidden (`.name.host-pid-number.partial`); commit() makes its bytes durable (fsync of file and
/// folder) and then moves it, in one atomic step, to `path`: by rename with Overwrite::yes, by an exclusive link
/// without, so that a file that appeared meanwhile is never replaced. A reader sees the old file or the new one,
/// never a part. The destructor removes a temporary file that was not committed; one left by a killed process of
/// this machine is removed when the same path is next prepared. Not thread-safe. Errors: FileError.
class StagedPath {
 public:
  /// Nothing is created yet. Throws when `path` exists and may not be overwritten, or its folder does not exist.
  StagedPath(std::filesystem::path const& path, Overwrite overwrite);
  StagedPath(StagedPath&& other) noexcept;
  StagedPath& operator=(StagedPath&& other) noexcept;
  ~StagedPath();

  std::filesystem::path const& path() const { return path_; }
  std::filesystem::path const& temporary() const { return temporary_; }
  bool pending() const { return pending_; }

  /// The temporary file is closed, complete, and becomes `path`.
  void commit();
  /// The same, and a previous file `path` is kept under the name `previous` (whose own previous content goes).
  /// `path` names a whole file at every moment (link, then rename); on a file system without hard links a process
  /// that is killed between two renames leaves `previous` alone.
  void commit_keeping_previous(std::filesystem::path const& previous);
  /// Removes the temporary file.
  void discard() noexcept;

 private:
  std::filesystem::path path_;
  std::filesystem::path temporary_;
  Overwrite overwrite_ = Overwrite::no;
  bool pending_ = false;
};

/// A text or byte file written from front to back. Every write is checked; a full disk throws FileError at once and
/// leaves an earlier file of that name as it was.
class AtomicFile {
 public:
  explicit AtomicFile(std::filesystem::path const& path, Overwrite overwrite = Overwrite::no);
  AtomicFile(AtomicFile&& other) noexcept;
  AtomicFile& operator=(AtomicFile&& other) noexcept;
  ~AtomicFile();

  void write(std::string_view bytes);
  void commit();

 private:
  void flush();
  StagedPath staged_;
  std::string buffer_;
  int descriptor_ = -1;
};

/// Writes `text` to `path` in one go.
void write_text_file(std::filesystem::path const& path, std::string_view text, Overwrite overwrite = Overwrite::no);

/// The whole of a file, at most `max_bytes` of it; a larger one is a FileError.
std::string read_text_file(std::filesystem::path const& path, std::size_t max_bytes = std::size_t{64} << 20);

}  // namespace karman
