// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Files that appear complete or not at all.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace karman {

/// Treatment of an existing file of that name: an error, or replacement.
enum class Overwrite { no, yes };

/// Treatment of a symbolic link at the place of a file: the file replaces the target of the link, or the link itself.
enum class Links { follow, replace };

/// Removes the temporary files that killed processes of this machine left in a folder, whatever file they were to
/// become. Files of living processes and of other machines stay.
void remove_abandoned_files(std::filesystem::path const& folder);

/// Temporary name for the preparation of a file, and the atomic step to the final name.
///
/// The temporary file is hidden (`.name.host-pid-number.partial`) and lies in the folder of `path`. A reader sees the
/// old file or the new one, never a part. The destructor removes a temporary file that was not committed. The next
/// preparation of the same path removes one that a killed process of this machine left behind. Not thread-safe.
/// \throws FileError for any failure of the file system
class StagedPath {
 public:
  /// Chooses the temporary name; creates nothing yet.
  /// \param path final path
  /// \param overwrite permission to replace an existing file
  /// \param links treatment of a symbolic link at `path`; with Links::replace its target stays unchanged
  /// \throws FileError for an existing `path` without permission, or for a missing folder
  StagedPath(std::filesystem::path const& path, Overwrite overwrite, Links links = Links::follow);
  StagedPath(StagedPath&& other) noexcept;
  StagedPath& operator=(StagedPath&& other) noexcept;
  ~StagedPath();

  /// Final path.
  std::filesystem::path const& path() const { return path_; }
  /// Temporary path.
  std::filesystem::path const& temporary() const { return temporary_; }
  /// True until commit() or discard().
  bool pending() const { return pending_; }

  /// Moves the temporary file, closed and complete, to `path`. Its bytes are made durable first (fsync of file and
  /// folder). With Overwrite::yes the move is a rename, otherwise an exclusive link: a file that appeared meanwhile is
  /// never replaced.
  void commit();
  /// Moves the temporary file to `path`, and keeps the previous file under another name. A process may be killed at
  /// any moment: `path` and `previous` always name complete and different files, if they did before. The former file
  /// gets a second, hidden name, the new file replaces it at `path`, then the hidden name replaces `previous`. On a
  /// file system without hard links the hidden name is a copy.
  /// \param previous name in the same folder for the previous file; an older file of that name is replaced
  /// \throws FileError for any failure; if `previous` alone cannot be replaced, `path` is the new file
  void commit_keeping_previous(std::filesystem::path const& previous);
  /// Removes the temporary file.
  void discard() noexcept;

 private:
  std::filesystem::path path_;
  std::filesystem::path temporary_;
  Overwrite overwrite_ = Overwrite::no;
  bool pending_ = false;
};

/// Text or byte file, written from front to back. Every write is checked: a full disk throws FileError at once and
/// leaves an earlier file of that name unchanged.
class AtomicFile {
 public:
  /// Starts a file under a temporary name.
  /// \param path final path
  /// \param overwrite permission to replace an existing file
  /// \throws FileError as StagedPath
  explicit AtomicFile(std::filesystem::path const& path, Overwrite overwrite = Overwrite::no);
  AtomicFile(AtomicFile&& other) noexcept;
  AtomicFile& operator=(AtomicFile&& other) noexcept;
  ~AtomicFile();

  /// Appends bytes.
  void write(std::string_view bytes);
  /// Completes the file and gives it its final name.
  void commit();

 private:
  void flush();
  StagedPath staged_;
  std::string buffer_;
  int descriptor_ = -1;
};

/// Writes a text file in one step.
/// \param path final path
/// \param text content
/// \param overwrite permission to replace an existing file
/// \throws FileError for any failure of the file system
void write_text_file(std::filesystem::path const& path, std::string_view text, Overwrite overwrite = Overwrite::no);

/// Content of a file.
/// \param path file
/// \param max_bytes greatest size
/// \return all bytes
/// \throws FileError for a larger file, or one that cannot be read
std::string read_text_file(std::filesystem::path const& path, std::size_t max_bytes = std::size_t{64} << 20);

}  // namespace karman
