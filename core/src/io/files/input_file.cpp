// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "input_file.hpp"

#include "descriptor.hpp"
#include <karman/io/atomic_file.hpp>
#include <karman/io/error.hpp>

#include <fcntl.h>
#include <sys/stat.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <system_error>

namespace karman {
namespace detail {
namespace {

[[noreturn]] void refuse_input(std::filesystem::path const& path, std::string const& operation, int error) {
  throw FileError(path.string(), operation, std::generic_category().message(error));
}

char const* kind_of(mode_t mode) {
  if (S_ISDIR(mode)) return "a folder";
  if (S_ISFIFO(mode)) return "a pipe";
  if (S_ISCHR(mode) || S_ISBLK(mode)) return "a device";
  return S_ISSOCK(mode) ? "a socket" : "something else";
}

std::uint64_t checked_size(struct stat const& status, std::filesystem::path const& path, std::string const& operation,
                           std::uint64_t most_bytes) {
  if (!S_ISREG(status.st_mode)) {
    throw FileError(path.string(), operation, std::string("expected a regular file, found ") + kind_of(status.st_mode));
  }
  auto const size = static_cast<std::uint64_t>(status.st_size);
  if (size > most_bytes) {
    throw FileError(path.string(), operation,
                    "expected at most " + bytes_text(most_bytes) + ", found " + bytes_text(size));
  }
  return size;
}

}  // namespace

std::uint64_t regular_file_size(std::filesystem::path const& path, std::string const& operation,
                                std::uint64_t most_bytes) {
  struct stat status{};
  if (::stat(path.c_str(), &status) != 0) refuse_input(path, operation, errno);
  return checked_size(status, path, operation, most_bytes);
}

std::uint64_t regular_file_size(int descriptor, std::filesystem::path const& path, std::string const& operation,
                                std::uint64_t most_bytes) {
  struct stat status{};
  if (::fstat(descriptor, &status) != 0) refuse_input(path, operation, errno);
  return checked_size(status, path, operation, most_bytes);
}

std::string bytes_text(std::uint64_t bytes) {
  constexpr std::array units{"bytes", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  std::size_t unit = 0;
  double value = static_cast<double>(bytes);
  for (; value >= 1024 && unit + 1 < units.size(); ++unit) value /= 1024;
  char text[32];
  std::snprintf(text, sizeof text, "%.4g %s", value, units[unit]);
  return text;
}

}  // namespace detail

std::string read_text_file(std::filesystem::path const& path, std::size_t max_bytes) {
  // Checked before it is opened, which has effects on some devices, and again once it is open.
  detail::regular_file_size(path, "read", max_bytes);
  detail::Descriptor const file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (!file) detail::refuse_input(path, "read", errno);
  std::string text(detail::regular_file_size(file.get(), path, "read", max_bytes), '\0');
  std::size_t done = 0;
  while (done < text.size()) {
    ssize_t const got = ::read(file.get(), text.data() + done, text.size() - done);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) detail::refuse_input(path, "read", errno);
    if (got == 0) break;
    done += static_cast<std::size_t>(got);
  }
  text.resize(done);
  return text;
}

}  // namespace karman
