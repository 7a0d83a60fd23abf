// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Time series as comma-separated text.
#pragma once

#include <karman/io/atomic_file.hpp>

#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace karman {

/// A CSV file (RFC 4180: header line, comma, fields with commas or quotes quoted; line feeds end the lines). Numbers
/// are written with the fewest digits that give back the same double; "nan", "inf" and "-inf" as such. The file
/// appears whole at commit(). Errors: FileError; a row of the wrong length is std::invalid_argument.
class CsvWriter {
 public:
  CsvWriter(std::filesystem::path const& path, std::vector<std::string> const& columns,
            Overwrite overwrite = Overwrite::no);

  void append_row(std::span<double const> row);
  void commit();

 private:
  AtomicFile file_;
  std::size_t columns_;
  std::string line_;
};

}  // namespace karman
