// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Time series as comma-separated text.
#pragma once

#include <karman/io/atomic_file.hpp>

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace karman {

/// CSV file (RFC 4180): header line, commas, fields with commas or quotes quoted, line feeds. Numbers have the fewest
/// digits that give back the same double; "nan", "inf" and "-inf" as such. The file appears complete at commit().
/// \throws FileError for any failure of the file system
class CsvWriter {
 public:
  /// Starts a file with its header line.
  /// \param path final path
  /// \param columns names of the columns
  /// \param overwrite permission to replace an existing file
  CsvWriter(std::filesystem::path const& path, std::vector<std::string> const& columns,
            Overwrite overwrite = Overwrite::no);

  /// Appends a row.
  /// \throws std::invalid_argument for a row of the wrong length
  void append_row(std::span<double const> row);
  /// Appends a row whose first column is a text.
  /// \throws std::invalid_argument for a row of the wrong length
  void append_row(std::string_view label, std::span<double const> rest);
  /// Appends a row whose first columns are texts.
  /// \throws std::invalid_argument for a row of the wrong length
  void append_row(std::span<std::string const> labels, std::span<double const> rest);
  /// Completes the file.
  void commit();

 private:
  void append_labels(std::span<std::string const> labels);
  void append_values(std::span<double const> values);
  void end_row();
  void require_length(std::size_t found) const;
  AtomicFile file_;
  std::size_t columns_;
  std::string line_;
};

}  // namespace karman
