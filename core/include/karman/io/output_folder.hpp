// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The folder that a run writes to, checked before the run starts.
#pragma once

#include <karman/io/atomic_file.hpp>

#include <cstdint>
#include <filesystem>
#include <vector>

namespace karman {

/// Makes `folder` (and those above it) ready to be written to: it exists, a file can be created in it, and it is
/// empty. With Overwrite::yes it may have content, which stays until a file of the same name is committed over it.
/// Errors: FileError.
void prepare_output_folder(std::filesystem::path const& folder, Overwrite overwrite = Overwrite::no);

/// Leaves no empty folder behind: remembers which of `folder` and those above it do not exist yet, and removes those of
/// them again that exist and are empty when it goes. Folders with content and folders that were there before stay.
class EmptyFolderGuard {
 public:
  explicit EmptyFolderGuard(std::filesystem::path const& folder);
  ~EmptyFolderGuard();
  EmptyFolderGuard(EmptyFolderGuard const&) = delete;
  EmptyFolderGuard& operator=(EmptyFolderGuard const&) = delete;

 private:
  std::vector<std::filesystem::path> missing_;  ///< the deepest first
};

/// Bytes that this user can still write to the disk of an existing folder.
std::uint64_t free_space(std::filesystem::path const& folder);

/// FileError with both figures when less than `bytes` is free.
void require_free_space(std::filesystem::path const& folder, std::uint64_t bytes);

}  // namespace karman
