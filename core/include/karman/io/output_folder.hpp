// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Output folder of a run, checked before the run starts.
#pragma once

#include <karman/io/atomic_file.hpp>

#include <cstdint>
#include <filesystem>
#include <vector>

namespace karman {

/// Makes a folder, and those above it, ready for output: it exists, is writable, and is empty. With Overwrite::yes it
/// may have content, which stays until a file of the same name is committed. Temporary files of killed processes go.
/// \param folder folder to prepare
/// \param overwrite permission for a folder with content
/// \throws FileError for any failure
void prepare_output_folder(std::filesystem::path const& folder, Overwrite overwrite = Overwrite::no);

/// Removes empty folders of a failed run. Notes the missing folders of a path when made. Its destructor removes those
/// that then exist and are empty. Folders with content and earlier folders stay.
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
