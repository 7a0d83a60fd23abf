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
  append_labels(columns);
  line_ += '\n';
  file_.write(line_);
}

void CsvWriter::require_length(std::size_t found) const {
  if (found == columns_) return;
  throw std::invalid_argument("a row of " + std::to_string(found) + " values for a CSV file of " +
                              std::to_string(columns_) + " columns");
}

void CsvWriter::append_labels(std::span<std::string const> labels) {
  for (std::size_t i = 0; i < labels.size(); ++i) {
    if (i > 0) line_ += ',';
    line_ += field(labels[i]);
  }
}

void CsvWriter::append_values(std::span<double const> values) {
  for (double const value : values) {
    if (!line_.empty()) line_ += ',';
    if (std::isnan(value)) {  // to_chars would distinguish the signs of a NaN
      line_ += "nan";
      continue;
    }
    char digits[32];
    auto const end = std::to_chars(digits, digits + sizeof digits, value);
    line_.append(digits, end.ptr);
  }
}

void CsvWriter::end_row() {
  line_ += '\n';
  file_.write(line_);
}

void CsvWriter::append_row(std::span<double const> row) {
  require_length(row.size());
  line_.clear();
  append_values(row);
  end_row();
}

void CsvWriter::append_row(std::string_view label, std::span<double const> rest) {
  std::string const text(label);
  append_row(std::span<std::string const>(&text, 1), rest);
}

void CsvWriter::append_row(std::span<std::string const> labels, std::span<double const> rest) {
  require_length(labels.size() + rest.size());
  line_.clear();
  append_labels(labels);
  if (line_.empty() && !labels.empty()) line_ = "\"\"";  // the values need a comma before them
  append_values(rest);
  end_row();
}

void CsvWriter::commit() { file_.commit(); }

}  // namespace karman
