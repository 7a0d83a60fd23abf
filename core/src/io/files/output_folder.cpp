// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <karman/io/error.hpp>
#include <karman/io/output_folder.hpp>
#include <karman/io/progress.hpp>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <string>
#include <system_error>
#include <utility>

namespace karman {

namespace fs = std::filesystem;

namespace {

constexpr char const* lock_name = ".karman.lock";

/// Opens the file of a lock, -1 where that is impossible. That of another user may be readable only, which suffices.
int open_lock(fs::path const& file) {
  constexpr int flags = O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK;
  int const writable = ::open(file.c_str(), O_RDWR | O_CREAT | flags, 0666);
  return writable >= 0 || errno != EACCES ? writable : ::open(file.c_str(), O_RDONLY | flags);
}

/// False if the file has been removed or replaced since it was opened.
bool is_still_there(int descriptor, fs::path const& file) {
  struct stat opened{}, named{};
  return ::fstat(descriptor, &opened) == 0 && ::lstat(file.c_str(), &named) == 0 && opened.st_dev == named.st_dev &&
         opened.st_ino == named.st_ino;
}

/// "process 123 on host".
std::string this_process() {
  char host[256] = {};
  if (::gethostname(host, sizeof host - 1) != 0) host[0] = '\0';
  return "process " + std::to_string(::getpid()) + " on " + host;
}

/// The text in the file of a lock; the owner may not have written it yet.
std::string owner_of(int descriptor) {
  char text[320] = {};
  ssize_t const got = ::pread(descriptor, text, sizeof text - 1, 0);
  std::string const owner(text, static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
  return owner.starts_with("process ") ? owner.substr(0, owner.find('\n')) : "another run";
}

bool is_empty_but_for_lock(fs::path const& folder, std::error_code& error) {
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
    if (entry->path().filename() != lock_name) return false;
  }
  return true;
}

}  // namespace

FolderLock::FolderLock(fs::path const& folder) : file_(folder / lock_name) {
  // Another run may remove the file between its opening here and the lock.
  constexpr int most_attempts = 100;
  for (int attempt = 0; attempt < most_attempts; ++attempt) {
    int const descriptor = open_lock(file_);
    if (descriptor < 0) return;
    if (::flock(descriptor, LOCK_EX | LOCK_NB) != 0) {
      bool const taken = errno == EWOULDBLOCK;
      std::string const owner = taken ? owner_of(descriptor) : "";
      ::close(descriptor);
      if (taken) {
        throw FileError(folder.string(), "",
                        "is in use by " + owner + ": wait for the end of that run, or choose another --output");
      }
      ::unlink(file_.c_str());
      return;
    }
    if (is_still_there(descriptor, file_)) {
      std::string const text = this_process() + '\n';
      // Only the message of a second run lacks a text that cannot be written.
      static_cast<void>(::ftruncate(descriptor, 0) == 0 && ::pwrite(descriptor, text.data(), text.size(), 0) > 0);
      descriptor_ = descriptor;
      return;
    }
    ::close(descriptor);
  }
}

FolderLock::FolderLock(FolderLock&& other) noexcept
    : file_(std::move(other.file_)), descriptor_(std::exchange(other.descriptor_, -1)) {}

FolderLock& FolderLock::operator=(FolderLock&& other) noexcept {
  if (this != &other) {
    release();
    file_ = std::move(other.file_);
    descriptor_ = std::exchange(other.descriptor_, -1);
  }
  return *this;
}

FolderLock::~FolderLock() { release(); }

void FolderLock::release() noexcept {
  int const descriptor = std::exchange(descriptor_, -1);
  if (descriptor < 0) return;
  // Removed under the lock: afterwards the file of that name may be another run's.
  if (is_still_there(descriptor, file_)) ::unlink(file_.c_str());
  ::close(descriptor);
}

FolderLock prepare_output_folder(fs::path const& folder, Overwrite overwrite) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) throw FileError(folder.string(), "create folder", error.message());
  if (!fs::is_directory(folder, error)) throw FileError(folder.string(), "create folder", "a file of that name exists");
  FolderLock lock(folder);
  remove_abandoned_files(folder);
  bool const empty = is_empty_but_for_lock(folder, error);
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
  return lock;
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
