// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "case_text.hpp"

#include "io/files/plain_text.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstddef>
#include <iterator>
#include <optional>
#include <utility>

namespace karman::detail {
namespace {

using Json = nlohmann::json;

/// Text that the parser has taken so far.
struct Reading {
  int line = 1;
  char last = '\0';
};

/// Passes characters to the parser and counts their lines.
class CountingIterator {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = char const*;
  using reference = char const&;

  CountingIterator(char const* at, Reading* reading) : at_(at), reading_(reading) {}
  reference operator*() const { return *at_; }
  CountingIterator& operator++() {
    if (reading_->last == '\n') ++reading_->line;
    reading_->last = *at_++;
    return *this;
  }
  friend bool operator==(CountingIterator const& a, CountingIterator const& b) { return a.at_ == b.at_; }

 private:
  char const* at_;
  Reading* reading_;
};

/// An object or array that is still open.
struct Level {
  Json* value = nullptr;
  std::string pointer;
  std::size_t index = 0;
};

/// Builds the value and records the lines of its members, duplicate keys and the depth. (The library's own callback
/// would scan all members of an array whenever one of them ends.)
class Builder final : public nlohmann::json_sax<Json> {
 public:
  Builder(CaseText& text, Reading const& reading) : text_(text), reading_(reading) {}

  /// The library's error message and its position; "" without an error.
  std::string const& failure() const { return failure_; }
  std::size_t failure_position() const { return failure_position_; }
  bool too_large_a_number() const { return too_large_a_number_; }

  bool null() override { return put(nullptr); }
  bool boolean(bool value) override { return put(value); }
  bool number_integer(number_integer_t value) override { return put(value); }
  bool number_unsigned(number_unsigned_t value) override { return put(value); }
  bool number_float(number_float_t value, string_t const&) override { return put(value); }
  bool string(string_t& value) override { return put(std::move(value)); }
  bool binary(binary_t&) override { return false; }
  bool start_object(std::size_t) override { return open(Json::object()); }
  bool start_array(std::size_t) override { return open(Json::array()); }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }

  bool key(string_t& name) override {
    Level& level = levels_.back();
    place_ = pointer_below(level.pointer, name);
    bool const is_new = !level.value->contains(name);
    member_ = &(*level.value)[name];
    if (is_new) {
      text_.lines.insert_or_assign(place_, reading_.line);
    } else {
      note(place_, "duplicate key, first in line " + std::to_string(text_.lines.at(place_)));
    }
    return true;
  }

  bool parse_error(std::size_t position, std::string const&, Json::exception const& error) override {
    failure_ = error.what();
    failure_position_ = position;
    // The library does not report a number beyond the range of double as a parse error.
    too_large_a_number_ = dynamic_cast<Json::parse_error const*>(&error) == nullptr;
    return false;
  }

 private:
  void note(std::string const& pointer, std::string expected) {
    CaseProblem problem;
    problem.pointer = pointer;
    problem.expected = std::move(expected);
    problem.line = reading_.line;
    text_.problems.push_back(std::move(problem));
  }

  /// Place of the next value; place_ is its pointer.
  Json& next() {
    if (levels_.empty()) {
      text_.lines.emplace("", reading_.line);
      return text_.value;
    }
    Level& level = levels_.back();
    if (level.value->is_object()) return *member_;
    place_ = pointer_below(level.pointer, level.index++);
    text_.lines.emplace(place_, reading_.line);
    level.value->push_back(nullptr);
    return level.value->back();
  }

  template <class Value>
  bool put(Value&& value) {
    next() = std::forward<Value>(value);
    return true;
  }

  bool open(Json empty) {
    Json& value = next();
    if (levels_.size() == most_case_levels) {
      note(place_, "expected at most " + std::to_string(most_case_levels) + " levels of nesting");
      return false;
    }
    value = std::move(empty);
    levels_.push_back({&value, place_, 0});
    return true;
  }

  bool close() {
    levels_.pop_back();
    return true;
  }

  CaseText& text_;
  Reading const& reading_;
  std::vector<Level> levels_;  ///< values in them keep their addresses until their level is closed
  std::string place_;
  Json* member_ = nullptr;
  std::string failure_;
  std::size_t failure_position_ = 0;
  bool too_large_a_number_ = false;
};

/// The library's message without its prefix and position, as printable ASCII.
std::string plain_reason(std::string_view message) {
  for (std::string_view mark : {"column ", "] "}) {
    std::size_t const at = message.find(mark);
    if (at == std::string_view::npos) continue;
    message.remove_prefix(at + mark.size());
    if (mark == "column ") {
      std::size_t const colon = message.find(": ");
      if (colon != std::string_view::npos) message.remove_prefix(colon + 2);
    }
    break;
  }
  std::string text(message.substr(0, 200));
  for (char& c : text) {
    if (c < 0x20 || c > 0x7e) c = '?';
  }
  return text;
}

/// The column of a byte in its line, counted in characters from 1.
std::size_t column_of(std::string_view text, std::size_t byte) {
  std::string_view line = text.substr(0, byte);
  line.remove_prefix(line.rfind('\n') + 1);
  return 1 + static_cast<std::size_t>(std::count_if(
                 line.begin(), line.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

std::optional<std::size_t> array_index(std::string_view token) {
  std::size_t index = 0;
  auto const parsed = std::from_chars(token.data(), token.data() + token.size(), index);
  bool const canonical = token == "0" || (!token.empty() && token.front() != '0');
  if (parsed.ec != std::errc{} || parsed.ptr != token.data() + token.size() || !canonical) return std::nullopt;
  return index;
}

/// The tokens of a pointer; empty when it has a wrong escape.
std::optional<std::vector<std::string>> tokens_of(std::string_view pointer) {
  std::vector<std::string> tokens;
  for (char const* c = pointer.data(); c != pointer.data() + pointer.size(); ++c) {
    char const next = c + 1 != pointer.data() + pointer.size() ? c[1] : '\0';
    if (*c == '/') {
      tokens.emplace_back();
    } else if (*c != '~') {
      tokens.back() += *c;
    } else if (next == '0' || next == '1') {
      tokens.back() += next == '0' ? '~' : '/';
      ++c;
    } else {
      return std::nullopt;
    }
  }
  return tokens;
}

/// Removes the lines of values from an override, which are not in the file.
void forget_lines(CaseText& text, std::string const& pointer) {
  std::erase_if(text.lines, [below = pointer + '/'](auto const& entry) { return entry.first.starts_with(below); });
  text.lines[pointer] = 0;
}

}  // namespace

int CaseText::line(std::string_view pointer) const {
  for (;;) {
    if (auto const found = lines.find(pointer); found != lines.end()) return found->second;
    if (pointer.empty()) return 0;
    pointer = pointer.substr(0, pointer.rfind('/'));
  }
}

std::string pointer_below(std::string_view pointer, std::string_view key) {
  std::string result(pointer);
  result += '/';
  for (char c : key) {
    if (c == '~') result += "~0";
    else if (c == '/') result += "~1";
    else result += c;
  }
  return result;
}

std::string pointer_below(std::string_view pointer, std::size_t index) {
  return std::string(pointer) + '/' + std::to_string(index);
}

std::string shown_value(Json const& value) {
  constexpr std::size_t most_bytes = 60;
  // Objects and nested or long arrays by their kind and size: a reader of a message looks for names, not for JSON.
  auto const counted = [&](char const* kind, char const* member) {
    return std::string(kind) + std::to_string(value.size()) + member + (value.size() == 1 ? "" : "s");
  };
  if (value.is_object()) return value.empty() ? "an empty object" : counted("an object of ", " key");
  if (value.is_array()) {
    bool const nested = std::any_of(value.begin(), value.end(), [](Json const& one) { return one.is_structured(); });
    constexpr std::size_t most_values = 8;
    if (nested || value.size() > most_values) return counted("an array of ", " value");
  }
  std::string text = value.is_string() && value.get_ref<std::string const&>().size() > most_bytes
                         ? Json(value.get_ref<std::string const&>().substr(0, most_bytes))
                               .dump(-1, ' ', false, Json::error_handler_t::replace)
                         : value.dump(-1, ' ', false, Json::error_handler_t::replace);
  return text.size() <= most_bytes ? text : shortened(text, most_bytes - 3);
}

CaseText parse_case_text(std::string_view text) {
  CaseText result;
  Reading reading;
  Builder builder(result, reading);
  auto const syntax = [&](std::string reason) {
    CaseProblem problem;
    problem.expected = std::move(reason);
    problem.line = reading.line;
    result.problems.push_back(std::move(problem));
  };
  bool const whole =
      Json::sax_parse(CountingIterator(text.data(), &reading), CountingIterator(text.data() + text.size(), &reading),
                      &builder, Json::input_format_t::json, true, true);
  if (whole) return result;
  result.value = nullptr;
  if (builder.failure().empty()) return result;  // too many levels
  if (builder.too_large_a_number()) {
    syntax("expected numbers within the range of a double: " + plain_reason(builder.failure()));
    return result;
  }
  // The library counts the characters that it took, including the invalid one and the end.
  std::size_t const position =
      std::min(builder.failure_position() > 0 ? builder.failure_position() - 1 : 0, text.size());
  std::string_view const before = text.substr(0, position);
  reading.line = 1 + static_cast<int>(std::count(before.begin(), before.end(), '\n'));
  syntax("column " + std::to_string(column_of(text, position)) + ": " + plain_reason(builder.failure()));
  return result;
}

std::vector<CaseProblem> apply_override(CaseText& text, std::string_view assignment) {
  auto const problem = [&](std::string pointer, std::string expected) {
    CaseProblem result;
    result.pointer = std::move(pointer);
    result.value = shown_value(Json(std::string(assignment)));
    result.expected = std::move(expected);
    return std::vector<CaseProblem>{std::move(result)};
  };
  std::size_t const equals = assignment.find('=');
  if (equals == std::string_view::npos || !assignment.starts_with('/')) {
    auto problems = problem("--set", "expected /pointer=value, such as /solver/tolerance=1e-6");
    if (equals != std::string_view::npos && equals > 0) {
      std::string meant = "/";
      meant += assignment;
      auto const end = meant.begin() + static_cast<std::ptrdiff_t>(equals) + 1;
      if (std::find(meant.begin() + 1, end, '/') == end) std::replace(meant.begin(), end, '.', '/');
      problems.front().suggestion = meant;
    }
    return problems;
  }
  std::string const pointer(assignment.substr(0, equals));
  std::string const given(assignment.substr(equals + 1));
  auto const tokens = tokens_of(pointer);
  if (!tokens) return problem("--set", "expected a JSON pointer: write ~0 for ~ and ~1 for / inside a key");
  if (tokens->size() > most_case_levels) return problem("--set", "expected fewer levels in the pointer");

  if (!is_utf8(assignment)) return problem("--set", "expected text in UTF-8");
  CaseText parsed = parse_case_text(given);
  bool const is_json =
      parsed.lines.count("") > 0 && std::none_of(parsed.problems.begin(), parsed.problems.end(),
                                                 [](CaseProblem const& p) { return p.pointer.empty(); });
  if (is_json && !parsed.problems.empty()) {
    for (CaseProblem& p : parsed.problems) {
      p.pointer = pointer + p.pointer;
      p.line = 0;
    }
    return parsed.problems;
  }

  Json* at = &text.value;
  std::string reached;
  for (std::string const& token : *tokens) {
    if (at->is_null()) *at = token == "-" ? Json::array() : Json::object();
    if (at->is_object()) {
      bool const is_new = !at->contains(token);
      at = &(*at)[token];
      reached = pointer_below(reached, token);
      if (is_new) forget_lines(text, reached);
    } else if (at->is_array()) {
      auto const index = token == "-" ? at->size() : array_index(token);
      if (!index || (token != "-" && *index >= at->size())) {
        return problem(pointer_below(reached, token),
                       "expected an index below " + std::to_string(at->size()) + ", or - to append");
      }
      if (token == "-") at->push_back(nullptr);
      at = &(*at)[*index];
      reached = pointer_below(reached, *index);
    } else {
      return problem(pointer_below(reached, token),
                     "expected an object or array at " + reached + ", found " + shown_value(*at));
    }
  }
  *at = is_json ? std::move(parsed.value) : Json(given);
  forget_lines(text, reached);
  return {};
}

}  // namespace karman::detail
