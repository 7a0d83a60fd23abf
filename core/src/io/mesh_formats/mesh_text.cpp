// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "mesh_text.hpp"

#include "io/files/plain_text.hpp"
#include <karman/io/error.hpp>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <stdexcept>

namespace karman::detail {
namespace {

constexpr std::string_view blanks = " \t\r\f\v";

/// The same as a comparison, for the loop over every byte of a file.
constexpr bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v'; }

std::string quoted(std::string_view word) { return '"' + shortened(word, 40) + '"'; }

/// The shortest decimal text that restores a number.
class Digits {
 public:
  template <class Number>
  explicit Digits(Number value) : end_(std::to_chars(digits_, digits_ + sizeof digits_, value).ptr) {}
  std::string_view text() const { return {digits_, static_cast<std::size_t>(end_ - digits_)}; }

 private:
  char digits_[32];
  char const* end_;
};

/// from_chars accepts no plus sign.
std::string_view without_plus(std::string_view word) {
  return word.size() > 1 && word[0] == '+' && word[1] != '-' && word[1] != '+' ? word.substr(1) : word;
}

/// The number with "e" before its exponent, as Fortran writes it: 1.0D+00, or 1.0-100 for three digits. Empty for any
/// other text.
std::string from_fortran(std::string_view digits) {
  constexpr std::size_t most_digits = 64;
  std::size_t const at = digits.find_first_not_of("0123456789.", digits.substr(0, 1) == "-" ? 1 : 0);
  if (digits.size() > most_digits || at == 0 || at == std::string_view::npos) return {};
  char const mark = digits[at];
  bool const letter = mark == 'D' || mark == 'd' || mark == 'Q' || mark == 'q';
  if (!letter && mark != '+' && mark != '-') return {};
  return std::string(digits.substr(0, at)) + 'e' + std::string(digits.substr(at + (letter ? 1 : 0)));
}

/// True if a number that no double can hold is too small. It then counts as zero.
bool is_tiny(std::string_view digits) {
  std::size_t const exponent = digits.find_first_of("eE");
  if (exponent != std::string_view::npos) return digits.substr(exponent + 1, 1) == "-";
  std::size_t const first = digits.find_first_not_of("-0");
  return first != std::string_view::npos && digits[first] == '.';
}

}  // namespace

MeshText::MeshText(std::filesystem::path const& path, std::size_t most_bytes, char comment)
    : source_(path.string()), text_(read_text_file(path, most_bytes)), comment_(comment) {}

void MeshText::fail(int line, std::string_view found, std::string_view expected) const {
  CaseProblem problem;
  constexpr std::size_t most_shown = 200;  // a word, or a name in a file, may be as long as the file
  problem.value = shortened(found, most_shown);
  problem.expected = "expected " + shortened(expected, most_shown);
  problem.line = line;
  throw CaseError(source_, {problem});
}

bool MeshText::next_line() {
  while (next_line_ < text_.size()) {
    position_ = next_line_;
    std::size_t const end = std::min(text_.find('\n', position_), text_.size());
    next_line_ = std::min(end + 1, text_.size());
    std::string_view const whole = std::string_view(text_).substr(position_, end - position_);
    line_end_ = comment_ == '\0' ? end : position_ + std::min(whole.size(), whole.find(comment_));
    if (counts_lines_ && line_ < std::numeric_limits<int>::max()) ++line_;
    while (position_ < line_end_ && is_blank(text_[position_])) ++position_;
    if (position_ < line_end_) return true;
  }
  position_ = line_end_ = text_.size();
  return false;
}

void MeshText::open_line(std::string_view expected) {
  if (!next_line()) fail("end of the file", expected);
}

void MeshText::open_line(std::string_view what, std::size_t number, std::string_view of) {
  if (!next_line())
    fail("end of the file", std::string(what) + ' ' + std::to_string(number) + " of " + std::string(of));
}

void MeshText::close_line(std::string_view expected) {
  std::string_view const more = word();
  if (!more.empty()) fail(quoted(more), "the end of the line after " + std::string(expected));
}

bool MeshText::more() {
  while (position_ < line_end_ && is_blank(text_[position_])) ++position_;
  return position_ < line_end_ || (across_lines_ && next_line());
}

std::string_view MeshText::word() {
  if (!more()) return {};
  std::size_t end = position_;
  while (end < line_end_ && !is_blank(text_[end])) ++end;
  std::string_view const found = std::string_view(text_).substr(position_, end - position_);
  position_ = end;
  return found;
}

std::string_view MeshText::rest() {
  position_ = std::min(text_.find_first_not_of(blanks, position_), line_end_);
  std::string_view found = std::string_view(text_).substr(position_, line_end_ - position_);
  while (!found.empty() && blanks.find(found.back()) != std::string_view::npos) found.remove_suffix(1);
  position_ = line_end_;
  return found;
}

void MeshText::skip_quoted(std::string_view expected) {
  if (!more()) fail(end_, expected);
  if (text_[position_] != '"') {
    word();
    return;
  }
  // A name may contain the character that begins a comment elsewhere. Its line would then end before its quote.
  std::size_t const quote = text_.find('"', position_ + 1);
  position_ = quote < line_end_ ? quote + 1 : line_end_;
}

std::string_view MeshText::bytes(std::size_t count, std::string_view expected) {
  if (count > bytes_left()) fail("end of the file", expected);
  std::string_view const found = std::string_view(text_).substr(next_line_, count);
  next_line_ += count;
  position_ = line_end_ = next_line_;
  return found;
}

bool MeshText::skip_past(std::string_view mark) {
  std::size_t const found = text_.find(mark, next_line_);
  if (found == std::string::npos) return false;
  next_line_ = found + mark.size();
  position_ = line_end_ = next_line_;
  return true;
}

std::string_view MeshText::key() {
  std::size_t const sign = std::string_view(text_).substr(0, line_end_).find('=', position_);
  if (sign == std::string_view::npos) return rest();
  std::size_t const end = line_end_;
  line_end_ = sign;
  std::string_view const found = rest();
  line_end_ = end;
  position_ = sign + 1;
  return found;
}

std::int64_t MeshText::integer(std::string_view expected, std::int64_t low, std::int64_t high) {
  std::string_view const found = word();
  std::string_view const digits = without_plus(found);
  std::int64_t value = 0;
  auto const [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error == std::errc() && end == digits.data() + digits.size() && value >= low && value <= high) return value;
  std::string const range =
      high < low ? "; there are none" : ", " + std::to_string(low) + " to " + std::to_string(high);
  fail(found.empty() ? end_ : quoted(found), std::string(expected) + range);
}

int MeshText::label(std::string_view expected) {
  return static_cast<int>(integer(expected, std::numeric_limits<int>::min(), most_numbers));
}

double MeshText::real(std::string_view expected, double bound) {
  std::string_view const found = word();
  std::string_view const digits = without_plus(found);
  double value = 0;
  auto const read = [&](std::string_view text) {
    auto const [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    bool const whole = end == text.data() + text.size() && !text.empty();
    if (whole && error == std::errc::result_out_of_range && is_tiny(text)) {
      value = 0;
      return true;
    }
    return whole && error == std::errc() && std::abs(value) < bound;
  };
  if (read(digits)) return value;
  if (std::string const standard = from_fortran(digits); !standard.empty() && read(standard)) return value;
  fail(found.empty() ? end_ : quoted(found), expected);
}

std::size_t MeshText::count(std::string_view what, std::size_t least_bytes) {
  std::string const expected = "the number of " + std::string(what);
  std::int64_t const number = integer(expected, 0, most_numbers);
  std::size_t const room = (text_.size() - position_ + 1) / least_bytes;
  if (static_cast<std::size_t>(number) > room) {
    fail(std::to_string(number), expected + ", at most " + std::to_string(room) + " for this file size");
  }
  return static_cast<std::size_t>(number);
}

TextLine& TextLine::operator<<(std::string_view word) {
  if (!line_.empty()) line_ += ' ';
  line_ += word;
  return *this;
}

TextLine& TextLine::operator<<(double value) { return *this << Digits(value).text(); }

TextLine& TextLine::operator<<(std::int64_t value) { return *this << Digits(value).text(); }

std::string shortest_digits(double value) { return std::string(Digits(value).text()); }

void TextLine::end(AtomicFile& file) {
  line_ += '\n';
  file.write(line_);
  line_.clear();
}

void require_writable(MeshData const& mesh) {
  auto const refuse = [](std::string const& what) { throw std::invalid_argument("write_mesh: " + what); };
  std::size_t const nodes = mesh.nodes.size();
  if (nodes > static_cast<std::size_t>(most_numbers)) refuse("more than 2^31 - 1 nodes");
  if (mesh.regions.size() != mesh.triangles.size()) refuse("every triangle needs a region label");
  if (mesh.edge_labels.size() != mesh.edges.size()) refuse("every boundary edge needs a label");
  auto const inside = [&](int n) { return n >= 0 && static_cast<std::size_t>(n) < nodes; };
  for (auto const& p : mesh.nodes) {
    if (!(std::abs(p[0]) < 1e100 && std::abs(p[1]) < 1e100)) refuse("coordinates must be finite and below 1e100");
  }
  for (auto const& t : mesh.triangles) {
    if (!std::all_of(t.begin(), t.end(), inside)) refuse("a triangle names a missing node");
  }
  for (auto const& e : mesh.edges) {
    if (!std::all_of(e.begin(), e.end(), inside)) refuse("a boundary edge names a missing node");
  }
}

void require_name(std::string const& name, std::string_view forbidden, char const* format) {
  if (!is_plain_name(name) || name.find_first_of(forbidden) != std::string::npos) {
    throw std::invalid_argument(std::string("write_mesh: ") + format + " cannot hold the name \"" + name + '"');
  }
}

}  // namespace karman::detail
