// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Formulas that a case gives as text.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

namespace karman::app {

/// A point in space and time at which a formula is evaluated.
struct Point {
  double x = 0, y = 0, z = 0, t = 0;
};

/// Which of x, y, z, t a formula may use, as a text of these letters: "xyz", "xyt".
using Variables = std::string_view;

/// Invalid formula. what() gives the reason, position the place (characters from 1; 0 for the whole).
class ExpressionError : public std::runtime_error {
 public:
  ExpressionError(std::string const& why, std::size_t position) : std::runtime_error(why), position_(position) {}
  std::size_t position() const { return position_; }

 private:
  std::size_t position_;
};

/// The names of constants that formulas may use beside their variables: the sizes of the domain, and pi and e.
struct ExpressionConstants {
  std::array<double, 3> size{1, 1, 1};  ///< lx, ly, lz
};

/// A formula in x, y, z, t, read once by muParser. Operators + - * / ^ < > <= >= == != && || ?:, the usual functions
/// (sin, cos, tan, asin, acos, atan, sinh, cosh, tanh, exp, ln, log2, log10, sqrt, abs, sign, min, max, ...) and the
/// constants pi, e, lx, ly, lz. No assignment, no lists. Copies evaluate independently of one another, so that each
/// thread can have its own.
class Expression {
 public:
  /// Throws ExpressionError.
  Expression(std::string text, Variables variables, ExpressionConstants const& constants);
  Expression(Expression const& other);
  Expression& operator=(Expression const& other);
  Expression(Expression&&) noexcept;
  Expression& operator=(Expression&&) noexcept;
  ~Expression();

  /// The value at a point; not finite where the formula is not defined. Throws Stopped as check_stop() does.
  double operator()(Point const& point);
  /// True if the value depends on this variable ('x', 'y', 'z', 't').
  bool uses(char variable) const;
  std::string const& text() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Requirement in a message: `expected a formula in x, y, z`.
std::string allowed_words(Variables variables);

}  // namespace karman::app
