// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fortran_records.hpp"

#include "io/files/input_file.hpp"
#include "io/files/plain_text.hpp"
#include <karman/io/error.hpp>

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstring>
#include <limits>
#include <stdexcept>
#include <system_error>

namespace karman::detail {
namespace {

constexpr std::uint64_t mark_bytes = 4;

/// Checked before it is opened, which has effects on some devices.
int opened(std::filesystem::path const& path, std::size_t most_bytes) {
  regular_file_size(path, "read", most_bytes);
  return ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
}

}  // namespace

FortranRecords::FortranRecords(std::filesystem::path const& path, std::size_t most_bytes, std::uint32_t first_length)
    : path_(path), file_(opened(path, most_bytes)) {
  if (!file_) throw FileError(path.string(), "read", std::generic_category().message(errno));
  size_ = regular_file_size(file_.get(), path, "read", most_bytes);
  what_ = "the first record";
  if (size_ < mark_bytes) fail("end of the file", "a record of " + std::to_string(first_length) + " bytes");
  std::uint32_t const first = mark(0);
  swapped_ = first == reversed(first_length);
  if (!swapped_ && first != first_length)
    fail(std::to_string(first) + " bytes", "a record of " + std::to_string(first_length) + " bytes");
}

void FortranRecords::take(std::uint64_t position, char* to, std::size_t count) const {
  while (count > 0) {
    ssize_t const got = ::pread(file_.get(), to, count, static_cast<off_t>(position));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) throw FileError(path_.string(), "read", std::generic_category().message(errno));
    if (got == 0) throw FileError(path_.string(), "read", "the file became shorter");
    to += got;
    count -= static_cast<std::size_t>(got);
    position += static_cast<std::uint64_t>(got);
  }
}

std::uint32_t FortranRecords::mark(std::uint64_t position) const {
  std::uint32_t bits = 0;
  take(position, reinterpret_cast<char*>(&bits), sizeof bits);
  return swapped_ ? reversed(bits) : bits;
}

std::uint32_t FortranRecords::next_length(std::string const& what) {
  what_ = what;
  begin_ = position_;
  if (bytes_left() < 2 * mark_bytes) fail("end of the file", "another record");
  std::uint32_t const length = mark(position_);
  if (length > bytes_left() - 2 * mark_bytes)
    fail(std::to_string(length) + " bytes", "at most the " + std::to_string(bytes_left() - 2 * mark_bytes) + " left");
  return length;
}

std::uint64_t FortranRecords::enter(std::string what, std::uint64_t bytes) {
  std::uint32_t const length = next_length(what);
  if (length != bytes) fail(std::to_string(length) + " bytes", std::to_string(bytes));
  if (std::uint32_t const end = mark(position_ + mark_bytes + length); end != length)
    fail("length " + std::to_string(end) + " at its end", std::to_string(length) + ", as at its start");
  position_ += length + 2 * mark_bytes;
  return begin_;
}

void FortranRecords::read(std::string what, std::uint64_t bytes) {
  std::uint64_t const begin = enter(std::move(what), bytes);
  record_.resize(static_cast<std::size_t>(bytes));
  take(begin + mark_bytes, record_.data(), record_.size());
}

std::int32_t FortranRecords::integer(std::size_t index) const {
  std::uint32_t bits = 0;
  std::memcpy(&bits, record_.data() + index * sizeof bits, sizeof bits);
  return std::bit_cast<std::int32_t>(swapped_ ? reversed(bits) : bits);
}

void FortranRecords::fail(std::string_view found, std::string_view expected) const {
  CaseProblem problem;
  problem.value = what_ + ", at byte " + std::to_string(begin_) + ": " + shortened(found, 100);
  problem.expected = "expected " + shortened(expected, 200);
  throw CaseError(path_.string(), {problem});
}

FortranRecord& FortranRecord::text(std::string_view text, std::size_t bytes) {
  std::string const padded =
      std::string(text.substr(0, bytes)) + std::string(bytes - std::min(bytes, text.size()), ' ');
  bytes_ += padded;
  return *this;
}

template <class T>
void FortranRecord::put(T value) {
  if constexpr (std::endian::native == std::endian::little) value = reversed(value);
  bytes_.append(reinterpret_cast<char const*>(&value), sizeof value);
}

FortranRecord& FortranRecord::integer(std::int32_t value) {
  put(std::bit_cast<std::uint32_t>(value));
  return *this;
}

FortranRecord& FortranRecord::real(double value, std::size_t width) {
  if (width == sizeof(float)) put(std::bit_cast<std::uint32_t>(static_cast<float>(value)));
  else put(std::bit_cast<std::uint64_t>(value));
  return *this;
}

void FortranRecord::end(AtomicFile& file) {
  if (bytes_.size() > static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max()))
    throw std::invalid_argument("write_mesh: a record of a Fortran file holds at most 2^31 - 1 bytes");
  std::string const content = std::move(bytes_);
  bytes_.clear();
  integer(static_cast<std::int32_t>(content.size()));
  file.write(bytes_);
  file.write(content);
  file.write(bytes_);
  bytes_.clear();
}

}  // namespace karman::detail
