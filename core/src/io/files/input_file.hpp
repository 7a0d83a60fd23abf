// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Check of every file that a user names, before it is opened.
#pragma once

#include <cstdint>
#include <filesystem>
#include <limits>
#include <string>

namespace karman::detail {

/// Size of a regular file in bytes. Throws FileError, "cannot <operation> <path>: ...", for a missing file, for one of
/// more than `most_bytes`, and for everything else at that path: folders, pipes, devices, sockets. Those would make a
/// reader wait, or give bytes without end. Links are followed. The file is not opened.
std::uint64_t regular_file_size(std::filesystem::path const& path, std::string const& operation,
                                std::uint64_t most_bytes = std::numeric_limits<std::uint64_t>::max());

/// The same for an open file.
std::uint64_t regular_file_size(int descriptor, std::filesystem::path const& path, std::string const& operation,
                                std::uint64_t most_bytes = std::numeric_limits<std::uint64_t>::max());

/// A number of bytes with a binary unit: "64 MiB".
std::string bytes_text(std::uint64_t bytes);

}  // namespace karman::detail
