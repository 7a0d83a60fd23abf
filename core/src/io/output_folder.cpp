// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <karman/io/error.hpp>
#include <karman/io/output_folder.hpp>
#include <karman/io/progress.hpp>

#include <system_error>

namespace karman {

namespace fs = std::filesystem;

void prepare_output_folder(fs::path const& folder, Overwrite overwrite) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) throw FileError(folder.string(), "create folder", error.message());
  if (!fs::is_directory(folder, error)) throw FileError(folder.string(), "create folder", "it exists and is no folder");
  bool const empty = fs::is_empty(folder, error);
  if (error) throw FileError(folder.string(), "read folder", error.message());
  if (!empty && overwrite == Overwrite::no) {
    throw FileError(folder.string(), "write to folder", "it is not empty, and nothing is overwritten unasked");
  }
  // Permissions alone do not tell: only a file that was made does (read-only disks, quotas, the superuser).
  try {
    AtomicFile probe(folder / "probe", Overwrite::yes);
  } catch (FileError const& failed) {
    throw FileError(folder.string(), "write to folder", failed.reason());
  }
}

std::uint64_t free_space(fs::path const& folder) {
  std::error_code error;
  fs::space_info const space = fs::space(folder, error);
  if (error) throw FileError(folder.string(), "ask the free space of", error.message());
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
