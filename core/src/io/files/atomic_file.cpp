// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "descriptor.hpp"
#include <karman/io/atomic_file.hpp>
#include <karman/io/error.hpp>

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <stdexcept>
#include <system_error>
#include <utility>
#include <vector>

namespace karman {
namespace {

namespace fs = std::filesystem;
using detail::Descriptor;

constexpr std::string_view temporary_suffix = ".partial";
constexpr std::size_t buffer_bytes = std::size_t{1} << 20;

[[noreturn]] void fail(fs::path const& path, std::string const& operation, int error) {
  throw FileError(path.string(), operation, std::generic_category().message(error));
}

fs::path folder_of(fs::path const& path) { return path.has_parent_path() ? path.parent_path() : fs::path("."); }

/// `.host-`: follows the name of a file in its temporary names on this machine; the number of the process comes next.
std::string host_mark() {
  char host[256] = {};
  if (::gethostname(host, sizeof host - 1) != 0) host[0] = '\0';
  std::string name = host;
  std::replace(name.begin(), name.end(), '/', '_');
  return '.' + name + '-';
}

/// `.name.host-`: prefix of the temporary names of one file on this machine.
std::string temporary_prefix(fs::path const& path) { return '.' + path.filename().string() + host_mark(); }

/// The process in a temporary name after its `.host-`; 0 for any other text.
long process_in(std::string_view text) {
  long process = 0;
  auto const parsed = std::from_chars(text.data(), text.data() + text.size(), process);
  bool const found = parsed.ec == std::errc{} && parsed.ptr != text.data() + text.size() && *parsed.ptr == '-';
  return found && process > 0 ? process : 0;
}

/// Removes the temporary files of `folder` that killed processes of this machine left, if their names begin so. A
/// live process, or a lock on the file, protects its file.
void remove_abandoned(fs::path const& folder, std::string_view beginning) {
  std::string const mark = host_mark();
  std::error_code ignored;
  std::vector<fs::path> candidates;
  for (fs::directory_iterator entry(folder, ignored), end; !ignored && entry != end; entry.increment(ignored)) {
    std::string const name = entry->path().filename().string();
    std::size_t const at = name.rfind(mark);
    if (!name.starts_with(beginning) || !name.ends_with(temporary_suffix) || at == std::string::npos) continue;
    long const process = process_in(std::string_view(name).substr(at + mark.size()));
    if (process > 0 && ::kill(static_cast<pid_t>(process), 0) != 0 && errno == ESRCH)
      candidates.push_back(entry->path());
  }
  for (fs::path const& candidate : candidates) {
    Descriptor const file(::open(candidate.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
    if (file && ::flock(file.get(), LOCK_EX | LOCK_NB) == 0) ::unlink(candidate.c_str());
  }
}

void make_durable(fs::path const& path) {
  Descriptor const file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file || ::fsync(file.get()) != 0) fail(path, "make durable", errno);
}

void make_folder_durable(fs::path const& path) {
  Descriptor const folder(::open(folder_of(path).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  // Some network file systems cannot fsync a folder (EINVAL); there is no alternative.
  if (!folder || (::fsync(folder.get()) != 0 && errno != EINVAL)) fail(folder_of(path), "make durable", errno);
}

/// Gives a file a second name, or makes a copy of it where the file system has no hard links. False if there is no
/// file.
bool keep_second(fs::path const& path, fs::path const& kept) {
  static_cast<void>(::unlink(kept.c_str()));
  if (::link(path.c_str(), kept.c_str()) == 0) return true;
  if (errno == ENOENT) return false;
  std::error_code error;
  fs::copy_file(path, kept, error);
  try {
    if (error) fail(path, "copy", error.value());
    make_durable(kept);
  } catch (...) {
    static_cast<void>(::unlink(kept.c_str()));
    throw;
  }
  return true;
}

}  // namespace

void remove_abandoned_files(fs::path const& folder) { remove_abandoned(folder, "."); }

StagedPath::StagedPath(fs::path const& path, Overwrite overwrite, Links links) : path_(path), overwrite_(overwrite) {
  if (!path_.has_filename()) throw FileError(path_.string(), "create", "the path has no file name");
  std::error_code error;
  if (fs::status(folder_of(path_), error).type() != fs::file_type::directory) {
    throw FileError(path_.string(), "create", "the folder " + folder_of(path_).string() + " does not exist");
  }
  fs::file_status const present = fs::symlink_status(path_, error);
  if (present.type() != fs::file_type::not_found) {
    if (overwrite_ == Overwrite::no) throw FileError(path_.string(), "create", "the file already exists");
    // A device or a pipe is not replaced by a file.
    bool const is_link = present.type() == fs::file_type::symlink, replaces_link = is_link && links == Links::replace;
    if (is_link && !replaces_link) path_ = fs::canonical(path_, error);
    if (!replaces_link && (error || fs::status(path_, error).type() != fs::file_type::regular)) {
      throw FileError(path.string(), "create", "the path exists and is not a regular file");
    }
  }
  remove_abandoned(folder_of(path_), temporary_prefix(path_));
  static std::atomic<unsigned> number{0};
  do {
    temporary_ = folder_of(path_) / (temporary_prefix(path_) + std::to_string(::getpid()) + '-' +
                                     std::to_string(number++) + std::string(temporary_suffix));
  } while (fs::exists(fs::symlink_status(temporary_, error)));
  pending_ = true;
}

StagedPath::StagedPath(StagedPath&& other) noexcept
    : path_(std::move(other.path_)),
      temporary_(std::move(other.temporary_)),
      overwrite_(other.overwrite_),
      pending_(std::exchange(other.pending_, false)) {}

StagedPath& StagedPath::operator=(StagedPath&& other) noexcept {
  if (this != &other) {
    discard();
    path_ = std::move(other.path_);
    temporary_ = std::move(other.temporary_);
    overwrite_ = other.overwrite_;
    pending_ = std::exchange(other.pending_, false);
  }
  return *this;
}

StagedPath::~StagedPath() { discard(); }

void StagedPath::discard() noexcept {
  if (std::exchange(pending_, false)) ::unlink(temporary_.c_str());
}

void StagedPath::commit() {
  if (!pending_) throw std::logic_error("AtomicFile: committed twice or never begun");
  make_durable(temporary_);
  if (overwrite_ == Overwrite::yes) {
    if (::rename(temporary_.c_str(), path_.c_str()) != 0) fail(path_, "create", errno);
  } else if (::link(temporary_.c_str(), path_.c_str()) == 0) {
    ::unlink(temporary_.c_str());
  } else if (errno == EEXIST) {
    throw FileError(path_.string(), "create", "another program created it during this run");
  } else {
    // A file system without hard links: an exclusively created empty file reserves the name instead.
    Descriptor const reserved(::open(path_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666));
    if (!reserved || ::rename(temporary_.c_str(), path_.c_str()) != 0) fail(path_, "create", errno);
  }
  pending_ = false;
  make_folder_durable(path_);
}

void StagedPath::commit_keeping_previous(fs::path const& previous) {
  if (!pending_) throw std::logic_error("AtomicFile: committed twice or never begun");
  make_durable(temporary_);
  // A name left by a killed process is removed like its other temporary files.
  fs::path const kept = temporary_.string() + ".kept" + std::string(temporary_suffix);
  bool const present = keep_second(path_, kept);
  if (::rename(temporary_.c_str(), path_.c_str()) != 0) {
    int const error = errno;
    static_cast<void>(::unlink(kept.c_str()));
    fail(path_, "create", error);
  }
  pending_ = false;
  // The order holds after a power failure, too: otherwise both names could come back with the former file.
  make_folder_durable(path_);
  if (!present) return;
  if (::rename(kept.c_str(), previous.c_str()) != 0) {
    int const error = errno;
    static_cast<void>(::unlink(kept.c_str()));
    fail(previous, "create", error);
  }
  // Where `previous` was the same file, rename() leaves both names.
  static_cast<void>(::unlink(kept.c_str()));
  make_folder_durable(path_);
}

AtomicFile::AtomicFile(fs::path const& path, Overwrite overwrite) : staged_(path, overwrite) {
  descriptor_ = ::open(staged_.temporary().c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (descriptor_ < 0) {
    int const error = errno;
    staged_.discard();
    fail(staged_.path(), "create", error);
  }
  static_cast<void>(::flock(descriptor_, LOCK_EX | LOCK_NB));  // marks the file as in use, see remove_abandoned()
}

AtomicFile::AtomicFile(AtomicFile&& other) noexcept
    : staged_(std::move(other.staged_)),
      buffer_(std::move(other.buffer_)),
      descriptor_(std::exchange(other.descriptor_, -1)) {}

AtomicFile& AtomicFile::operator=(AtomicFile&& other) noexcept {
  if (this != &other) {
    if (descriptor_ >= 0) ::close(descriptor_);
    staged_ = std::move(other.staged_);
    buffer_ = std::move(other.buffer_);
    descriptor_ = std::exchange(other.descriptor_, -1);
  }
  return *this;
}

AtomicFile::~AtomicFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

void AtomicFile::write(std::string_view bytes) {
  buffer_.append(bytes);
  if (buffer_.size() >= buffer_bytes) flush();
}

void AtomicFile::flush() {
  for (std::size_t done = 0; done < buffer_.size();) {
    ssize_t const written = ::write(descriptor_, buffer_.data() + done, buffer_.size() - done);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) fail(staged_.path(), "write", written < 0 ? errno : ENOSPC);
    done += static_cast<std::size_t>(written);
  }
  buffer_.clear();
}

void AtomicFile::commit() {
  flush();
  if (::close(std::exchange(descriptor_, -1)) != 0) fail(staged_.path(), "write", errno);
  staged_.commit();
}

void write_text_file(fs::path const& path, std::string_view text, Overwrite overwrite) {
  AtomicFile file(path, overwrite);
  file.write(text);
  file.commit();
}

}  // namespace karman
