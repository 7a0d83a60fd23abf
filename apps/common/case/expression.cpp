// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The only translation unit that includes muParser.
#include "expression.hpp"

#include "stop_check.hpp"

#include <muParser.h>

#include <cmath>
#include <limits>
#include <numbers>
#include <utility>

namespace karman::app {
namespace {

/// muParser allows assignment; a case must not.
void forbid_assignment(std::string const& text) {
  for (std::size_t n = 0; n < text.size(); ++n) {
    if (text[n] != '=') continue;
    bool const comparison = (n > 0 && std::string("=<>!").find(text[n - 1]) != std::string::npos) ||
                            (n + 1 < text.size() && text[n + 1] == '=');
    if (!comparison) throw ExpressionError("\"=\" is an assignment; compare with ==", n + 1);
  }
}

std::string lower_first(std::string text) {
  while (!text.empty() && (text.back() == '.' || text.back() == '\n')) text.pop_back();
  if (!text.empty() && text.size() > 1 && text[0] >= 'A' && text[0] <= 'Z' && text[1] >= 'a') text[0] += 'a' - 'A';
  return text;
}

}  // namespace

struct Expression::State {
  std::string text;
  std::string variables;
  ExpressionConstants constants;
  Point point;
  std::string used;
  mu::Parser parser;

  State(std::string text_, std::string variables_, ExpressionConstants const& constants_)
      : text(std::move(text_)), variables(std::move(variables_)), constants(constants_) {
    forbid_assignment(text);
    try {
      for (char variable : variables) parser.DefineVar(std::string(1, variable), place(variable));
      parser.DefineConst("pi", std::numbers::pi);
      parser.DefineConst("e", std::numbers::e);
      parser.DefineConst("lx", constants.size[0]);
      parser.DefineConst("ly", constants.size[1]);
      parser.DefineConst("lz", constants.size[2]);
      parser.SetExpr(text);
      for (auto const& [name, ignored] : parser.GetUsedVar()) used += name;
      parser.Eval();
      int const results = parser.GetNumResults();
      if (results != 1) throw ExpressionError("expected one value, found " + std::to_string(results), 0);
    } catch (mu::ParserError const& error) {
      std::size_t const position = error.GetPos() < 0 ? 0 : static_cast<std::size_t>(error.GetPos()) + 1;
      throw ExpressionError(lower_first(error.GetMsg()), position);
    }
  }

  double* place(char variable) {
    return variable == 'x' ? &point.x : variable == 'y' ? &point.y : variable == 'z' ? &point.z : &point.t;
  }
};

Expression::Expression(std::string text, Variables variables, ExpressionConstants const& constants)
    : state_(std::make_unique<State>(std::move(text), std::string(variables), constants)) {}
Expression::Expression(Expression const& other)
    : state_(std::make_unique<State>(other.state_->text, other.state_->variables, other.state_->constants)) {}
Expression& Expression::operator=(Expression const& other) {
  if (this != &other) *this = Expression(other);
  return *this;
}
Expression::Expression(Expression&&) noexcept = default;
Expression& Expression::operator=(Expression&&) noexcept = default;
Expression::~Expression() = default;

double Expression::operator()(Point const& point) {
  check_stop();
  state_->point = point;
  try {
    return state_->parser.Eval();
  } catch (mu::ParserError const&) {
    return std::numeric_limits<double>::quiet_NaN();
  }
}

bool Expression::uses(char variable) const { return state_->used.find(variable) != std::string::npos; }

std::string const& Expression::text() const { return state_->text; }

std::string allowed_words(Variables variables) {
  std::string words = "expected a formula in ";
  for (char variable : variables) {
    if (words.back() != ' ') words += ", ";
    words += variable;
    if (variable == variables.back()) break;
  }
  return words + " with pi, e, lx, ly, lz and functions such as sin, exp, sqrt, min";
}

}  // namespace karman::app
