// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Output folder of a run, checked before the run starts.
#pragma once

#include <karman/io/atomic_file.hpp>

#include <cstdint>
#include <filesystem>
#include <vector>

namespace karman {

/// Exclusive use of an output folder by one run, so that the files of two runs are never mixed. A hidden file in the
/// folder, `.karman.lock`, has an advisory lock (flock) and names process and host. The destructor removes the file.
/// The lock of a killed process ends with it, and the next run takes over its file. A file
/// system without such locks, or a file that cannot be made, means no lock and no error.
class FolderLock {
 public:
  /// Locks nothing.
  FolderLock() = default;
  /// Locks an existing folder.
  /// \throws FileError with process and host of the run that has the folder
  explicit FolderLock(std::filesystem::path const& folder);
  FolderLock(FolderLock&& other) noexcept;
  FolderLock& operator=(FolderLock&& other) noexcept;
  ~FolderLock();

  /// True for a folder that is locked.
  bool held() const { return descriptor_ >= 0; }

 private:
  void release() noexcept;
  std::filesystem::path file_;
  int descriptor_ = -1;
};

/// Makes a folder, and those above it, ready for output: it exists, is writable, is empty and in use by no other run.
/// With Overwrite::yes it may have content, which stays until a file of the same name is committed. Temporary files of
/// killed processes go.
/// \param folder folder to prepare
/// \param overwrite permission for a folder with content
/// \return the lock of the folder, to keep as long as the run writes there
/// \throws FileError for any failure
[[nodiscard]] FolderLock prepare_output_folder(std::filesystem::path const& folder,
                                               Overwrite overwrite = Overwrite::no);

/// Removes empty folders of a failed run. Notes the missing folders of a path when made. Its destructor removes the
/// folders that then exist and are empty. Folders with content and earlier folders stay.
class EmptyFolderGuard {
 public:
  /// Notes the missing folders of a path.
  explicit EmptyFolderGuard(std::filesystem::path const& folder);
  ~EmptyFolderGuard();
  EmptyFolderGuard(EmptyFolderGuard const&) = delete;
  EmptyFolderGuard& operator=(EmptyFolderGuard const&) = delete;

 private:
  std::vector<std::filesystem::path> missing_;  ///< the deepest first
};

/// Free bytes for this user on the disk of an existing folder.
std::uint64_t free_space(std::filesystem::path const& folder);

/// Checks the free space of a disk.
/// \param folder existing folder
/// \param bytes required free space
/// \throws FileError with both figures when less is free
void require_free_space(std::filesystem::path const& folder, std::uint64_t bytes);

}  // namespace karman
