// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <karman/io/csv_writer.hpp>

#include <charconv>
#include <cmath>
#include <stdexcept>

namespace karman {
namespace {

std::string field(std::string const& name) {
  if (name.find_first_of(",\"\r\n") == std::string::npos) return name;
  std::string quoted = "\"";
  for (char c : name) {
    if (c == '"') quoted += '"';
    quoted += c;
  }
  return quoted + '"';
}

}  // namespace

CsvWriter::CsvWriter(std::filesystem::path const& path, std::vector<std::string> const& columns, Overwrite overwrite)
    : file_(path, overwrite), columns_(columns.size()) {
  if (columns.empty()) throw std::invalid_argument("CsvWriter: at least one column is needed");
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (i > 0) line_ += ',';
    line_ += field(columns[i]);
  }
  line_ += '\n';
  file_.write(line_);
}

void CsvWriter::append_row(std::span<double const> row) {
  if (row.size() != columns_) {
    throw std::invalid_argument("a row of " + std::to_string(row.size()) + " values for a CSV file of " +
                                std::to_string(columns_) + " columns");
  }
  line_.clear();
  for (std::size_t i = 0; i < row.size(); ++i) {
    if (i > 0) line_ += ',';
    if (std::isnan(row[i])) {  // to_chars would distinguish the signs of a NaN
      line_ += "nan";
      continue;
    }
    char digits[32];
    auto const end = std::to_chars(digits, digits + sizeof digits, row[i]);
    line_.append(digits, end.ptr);
  }
  line_ += '\n';
  file_.write(line_);
}

void CsvWriter::commit() { file_.commit(); }

}  // namespace karman
