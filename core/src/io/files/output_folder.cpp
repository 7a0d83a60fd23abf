// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <karman/io/error.hpp>
#include <karman/io/output_folder.hpp>
#include <karman/io/progress.hpp>

#include <unistd.h>

#include <system_error>

namespace karman {

namespace fs = std::filesystem;

void prepare_output_folder(fs::path const& folder, Overwrite overwrite) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) throw FileError(folder.string(), "create folder", error.message());
  if (!fs::is_directory(folder, error)) throw FileError(folder.string(), "create folder", "a file of that name exists");
  remove_abandoned_files(folder);
  bool const empty = fs::is_empty(folder, error);
  if (error) throw FileError(folder.string(), "read folder", error.message());
  if (!empty && overwrite == Overwrite::no) {
    throw FileError(folder.string(), "", "already holds files: add --overwrite or choose another --output");
  }
  // Permissions alone are not conclusive; creating a file is (read-only disks, quotas, the superuser).
  try {
    AtomicFile probe(folder / "probe", Overwrite::yes);
  } catch (FileError const& failed) {
    throw FileError(folder.string(), "write to folder", failed.reason());
  }
}

EmptyFolderGuard::EmptyFolderGuard(fs::path const& folder) {
  std::error_code error;
  fs::path at = fs::absolute(folder, error).lexically_normal();
  if (error) return;
  if (!at.has_filename()) at = at.parent_path();  // "results/case/"
  for (; at.has_relative_path() && fs::symlink_status(at, error).type() == fs::file_type::not_found;
       at = at.parent_path()) {
    missing_.push_back(at);
  }
}

EmptyFolderGuard::~EmptyFolderGuard() {
  // Only an empty folder can be removed, so its content goes first.
  for (fs::path const& folder : missing_) static_cast<void>(::rmdir(folder.c_str()));
}

std::uint64_t free_space(fs::path const& folder) {
  std::error_code error;
  fs::space_info const space = fs::space(folder, error);
  if (error) throw FileError(folder.string(), "read the free space of", error.message());
  return space.available;
}

void require_free_space(fs::path const& folder, std::uint64_t bytes) {
  std::uint64_t const available = free_space(folder);
  if (available < bytes) {
    throw FileError(folder.string(), "write to folder",
                    "the output needs " + bytes_text(static_cast<double>(bytes)) + ", " +
                        bytes_text(static_cast<double>(available)) + " are free");
  }
}

}  // namespace karman
