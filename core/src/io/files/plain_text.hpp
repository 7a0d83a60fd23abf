// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Texts of untrusted files and cases, as names and as parts of messages.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace karman::detail {

/// True if every byte belongs to a character of UTF-8 (RFC 3629).
bool is_utf8(std::string_view text);
/// True if the text has control characters of ASCII: 0 to 31 and 127.
bool has_control_character(std::string_view text);
/// The text without blanks at its ends.
std::string_view without_blanks(std::string_view text);

/// The text as one line for a terminal: control characters, and bytes that are not UTF-8, as \xNN.
std::string one_line(std::string_view text);
/// At most `most_bytes` of the text, in whole characters, then "..." if there are more.
std::string shortened(std::string_view text, std::size_t most_bytes);

/// True for a name that fits on a line and in a list of names: not empty, no control characters, no blank at its ends.
bool is_plain_name(std::string_view text);
/// True for an absolute path in an HDF5 file whose components are plain, such as /cells/p.
bool is_hdf5_name(std::string_view text);

}  // namespace karman::detail
